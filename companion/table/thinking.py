"""A process of its own in which the robots of one table search, so that neither pages nor frames wait for them.

It is niced, and ends with the table: at the end of its stdin, whatever becomes of this process. What is asked and
answered are pickles; the game, which can't be sent, each side loads itself.
"""

from __future__ import annotations

import logging
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from companion import games
from companion.rules.kernel import Action, AnyGame
from companion.sim.robots import Thought, think
from companion.sim.world import AnyWorld, Level, bots_for

log = logging.getLogger(__name__)

NICE = 19
"""How far the process stands back behind all others."""


class Thinker:
    """Thinks for robots as `companion.sim.robots.think` does, elsewhere. `close` it."""

    def __init__(self, game: AnyGame) -> None:
        """Begin without a process: the first search starts it."""
        self._game = game
        self._process: subprocess.Popen[bytes] | None = None

    def think(
        self,
        game: AnyGame,
        state: object,
        world: AnyWorld,
        actions: Sequence[Action],
        level: Level,
        rng: random.Random,
    ) -> Thought:
        """Choose one of a seat's actions; without a search if the process fails."""
        if len(actions) < 2 or not level.playouts or bots_for(game).value is None:
            return think(game, state, world, actions, level, rng)
        try:
            return self._ask((state, world, actions, level, rng.getrandbits(64)))
        except (OSError, EOFError, pickle.PickleError) as error:
            log.warning("the robots' process failed (%s); this move is made without a search", error)
            self.close()
            return think(game, state, world, actions, level._replace(playouts=0), rng)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _ask(self, question: object) -> Thought:
        process = self._process
        if process is None:
            command = [sys.executable, "-m", __name__, self._game.info.name]
            process = self._process = subprocess.Popen(  # noqa: S603 - a fixed command, no shell
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        if process.stdin is None or process.stdout is None:
            raise EOFError
        _Pickler(process.stdin, self._game).dump(question)
        process.stdin.flush()
        answer: Thought = pickle.load(process.stdout)  # noqa: S301 - from the process started here
        return answer


class _Pickler(pickle.Pickler):
    """Names the game and its parts, which are not sent, by the attribute in which a world has them."""

    def __init__(self, file: IO[bytes], game: AnyGame) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._game = game

    def persistent_id(self, obj: object) -> str | None:
        if obj is self._game:
            return "game"
        return "components" if obj is getattr(self._game, "components", self) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: IO[bytes], game: AnyGame) -> None:
        super().__init__(file)
        self._game = game

    def persistent_load(self, pid: str) -> object:
        return self._game if pid == "game" else self._game.components  # type: ignore[attr-defined]


def main(name: str) -> None:
    """Answer what is asked on stdin until it ends."""
    os.nice(NICE)
    game, asked, answers = games.load(name), sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # so that nothing that is printed comes among the answers
    while True:
        state, world, actions, level, seed = _Unpickler(asked, game).load()
        pickle.dump(think(game, state, world, actions, level, random.Random(seed)), answers)
        answers.flush()


if __name__ == "__main__":
    with suppress(EOFError, KeyboardInterrupt):
        main(sys.argv[1])
