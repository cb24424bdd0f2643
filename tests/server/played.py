"""A match of any game, kept by phones and played by robots step by step, to see pages in every phase."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from companion import games
from companion.referee.commands import Play
from companion.referee.journal import Header, new_id, now
from companion.rules.kernel import Seat
from companion.sim.robots import choose
from companion.sim.world import world_of
from tests.server.desks import MatchDesk, _Furniture

GAMES = ("five-cards-collector", "collectors", "collectible", "collection", "karmic-collections")


class PlayedDesk(MatchDesk):
    """A match without a camera in which `step` lets a robot do what is due."""

    def __init__(self, name: str, seats: int = 4, seed: int = 11, mode: str = "ledger") -> None:
        _Furniture.__init__(self)
        self.game = games.load(name)
        self.deck = self.game.deck.by_piece()
        self.guide = self.game.info.guide
        self.rng = random.Random(seed)
        self.world = world_of(self.game, seats, {}, self.rng)
        header = Header(
            id=new_id(),
            game=name,
            at=now(),
            seats=seats,
            options={},
            mode=mode,
            bid_seconds=90,
            setup=msgspec.to_builtins(self.world.setup()),
            names={n: f"Seat {n}" for n in range(1, seats + 1)},
        )
        self.state: Any = self.game.setup(seats, {}, self.world.setup())
        self.world.deal(self.state)
        self._begin(header, None)

    @property
    def cards(self) -> Any:
        return self.deck

    def picture(self, small: bool = False) -> bytes | None:
        return None

    def oled_png(self) -> bytes | None:
        return None

    def due(self) -> list[Seat]:
        """List the seats that are due."""
        return [seat for seat in self.game.actors(self.state) if seat]

    def step(self) -> bool:
        """Let a robot act; tell whether the match goes on."""
        if not self.game.actors(self.state):
            return False
        action = choose(self.game, self.state, self.world, self.rng)
        facts = self.world.facts(self.state, action)
        after = self.game.play(self.state, action, facts)
        self.world.apply(self.state, action, after)
        if self.match._referee.state == self.state:
            assert self.command(Play(seat=action.seat, action=action, facts=facts)).ok
        self.state = after
        return True
