"""Tried with random input: matches: their exports and journals, the lines and the table views that a referee gets."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.eye.view import DiceSeen, TableView
from companion.referee.chain import link, root
from companion.referee.history import History
from companion.referee.journal import Header, Journal, encode_record, new_id
from companion.referee.lines import Session
from companion.referee.match import Match
from companion.referee.referee import Referee
from companion.rules.kernel import Facts
from companion.sim.world import world_of
from companion.table.session import rules_of
from companion.text import plain
from tests.fuzz.values import altered, anything, as_json, number, plain_of, spoiled, text, words_of
from tests.server.played import GAMES, PlayedDesk


def exported(name: str, seed: int, seats: int = 3, count: int = 30) -> list[bytes]:
    """Play the beginning of a match, with an undo, a correction and an end in it, and give it as lines."""
    desk = PlayedDesk(name, seats, seed)
    try:
        for _ in range(count):
            desk.step()
        header = desk.match.header
        records = desk.match._referee.progress.history.active
        return [msgspec.json.encode(header, enc_hook=plain), *(encode_record(past.record) for past in records)]
    finally:
        desk.close()


def mutated_export(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """Change an exported match: its header, its records, their order; often with a chain that fits again."""
    cut = rng.randrange(1, len(lines) + 1)
    made = [json.loads(line) for line in lines[:cut]]
    words = words_of(made[0]["game"])
    made[0]["id"] = new_id() if rng.random() < 0.9 else text(rng)
    if rng.random() < 0.5:
        made[0] = altered(rng, made[0], (*words, *GAMES, "blue", "strict", "ledger"))
    for _ in range(rng.choice((0, 0, 1, 2))):
        if len(made) > 1:
            at = rng.randrange(1, len(made))
            made[at] = altered(rng, made[at], words)
    if rng.random() < 0.1:
        at = rng.randrange(len(made))
        made.insert(at, made[rng.randrange(len(made))])
    written = [as_json(one) for one in made]
    if rng.random() < 0.15:
        at = rng.randrange(len(written))
        written[at] = spoiled(rng, written[at])
    return written


class Lines:
    """`companion referee`: lines that fit, nearly fit, and don't."""

    def __init__(self, name: str) -> None:
        self._game = games.load(name)
        self._mat = games.load_mat(name, 3)
        self._words = words_of(name)
        self._session: Session | None = None
        self._left = 0

    def once(self, rng: random.Random) -> None:
        """Say a line."""
        if self._session is None or self._left == 0:
            self._session = Session(self._game, self._mat, 3, {})
            self._left = 60
            if rng.random() < 0.9:
                world = world_of(self._game, 3, {}, rng)
                setup: Any = msgspec.to_builtins(world.setup())
                if rng.random() < 0.5:
                    setup = altered(rng, setup, self._words)
                self._say({"setup": setup})
        self._left -= 1
        kind = rng.randrange(10)
        if kind < 4 and self._session._referee is not None:
            legal = list(self._game.legal(self._session._referee.state))
            if legal:
                action = msgspec.to_builtins(rng.choice(legal), enc_hook=plain)
                self._fill(rng, action)
                said: Any = {"action": action, "facts": plain_of(rng, Facts, self._words)}
                self._say(said if rng.random() < 0.6 else altered(rng, said, self._words))
                return
        if kind < 7:
            action = plain_of(rng, self._game.action_type, self._words)
            self._say({"action": action, "facts": plain_of(rng, Facts, self._words)})
        elif kind == 7:
            self._say({rng.choice(("undo", "redo")): number(rng)})
        elif kind == 8:
            self._say({"ask": rng.choice(("legal", "standing", "layout", "state", "view", "x")), "seat": number(rng)})
        else:
            self._answer(spoiled(rng, as_json(anything(rng))))

    def _fill(self, rng: random.Random, action: dict[str, Any]) -> None:
        for field, value in action.items():
            if isinstance(value, dict) and value.get("type") == "hole":
                action[field] = rng.choice(sorted(value["pieces"]))

    def _say(self, said: Any) -> None:
        self._answer(as_json(said))

    def _answer(self, line: bytes) -> None:
        assert self._session is not None
        told = json.loads(self._session.answer(line))
        assert told["ok"] or told.get("error") or told.get("reason"), told
        if self._session._referee is not None:
            assert self._game.audit(self._session._referee.state) == ()

    def close(self) -> None:
        """Nothing to end."""


class Views:
    """Table views as no eye would give them, into a referee that watches."""

    def __init__(self, name: str) -> None:
        self._game = games.load(name)
        self._mat = games.load_mat(name, 3)
        self._words = tuple(word for word in words_of(name))
        self._zones = tuple(zone.name for zone in self._mat.zones)
        self._referee: Referee | None = None
        self._left = self._time = 0

    def once(self, rng: random.Random) -> None:
        """Show a table."""
        if self._referee is None or self._left == 0:
            header = Header(
                id="0190",
                at="",
                game=self._game.info.name,
                seats=3,
                mode=rng.choice(("assist", "strict")),
                setup=msgspec.to_builtins(world_of(self._game, 3, {}, rng).setup()),
            )
            self._referee, self._left = Referee(self._game, self._mat, header), 25
        self._left -= 1
        self._time += rng.choice((1, 1, 3, 20))
        view = msgspec.convert(plain_of(rng, TableView, (*self._words, *self._zones)), TableView)
        view = msgspec.structs.replace(
            view, time=float(self._time), frame=self._time, dice=tuple(self._tray(rng) for _ in range(rng.randrange(2)))
        )
        self._referee.on_view(view)
        self._referee.on_tick(self._time + 0.5)
        msgspec.json.encode(self._referee.snapshot, enc_hook=plain)
        assert self._game.audit(self._referee.state) == ()

    def _tray(self, rng: random.Random) -> DiceSeen:
        made: DiceSeen = msgspec.convert(plain_of(rng, DiceSeen, self._zones), DiceSeen)
        return made

    def close(self) -> None:
        """Nothing to end."""


class Resumed:
    """A journal whose records were written over: the match goes on before them, or says why it can't."""

    def __init__(self) -> None:
        self._exports = [exported(name, 7 + seed) for seed, name in enumerate(GAMES)]

    def once(self, rng: random.Random) -> None:
        """Take a match up."""
        lines = rng.choice(self._exports)
        header = msgspec.json.decode(lines[0], type=Header)
        game, mat = rules_of(header)
        with tempfile.TemporaryDirectory(prefix="companion-fuzz-") as folder:
            journal = Journal(Path(folder))
            journal.begin(header)
            cut = rng.randrange(1, len(lines))
            for n, line in enumerate(lines[1:cut], start=1):
                if rng.random() < 0.1:
                    line = spoiled(rng, line) if rng.random() < 0.5 else as_json(altered(rng, json.loads(line)))
                journal._db.execute("INSERT INTO records VALUES (?, ?, ?)", (header.id, n, line))
            match = Match(game, mat, header, journal)
            count = len(match.records())
            history = History(game, game.setup(3, {}, msgspec.convert(header.setup or {}, game.setup_type)))
            history.fold(match.records())
            assert history.state == match.state
            before = root(header)
            for record in match.records():
                before = link(before, record)
                assert record.chain in ("", before)
            set_aside = journal._db.execute("SELECT count(*) FROM damaged").fetchone()[0]
            assert count + set_aside == cut - 1
            journal.close()

    def close(self) -> None:
        """Nothing to end."""
