"""Matches in their middle: robots play into a journal until something is due, for pages and devices to show."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

from benchmarks.tables import Dealt
from companion import games
from companion.eye.mat import Mat
from companion.referee.chain import link, root
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.match import Match
from companion.referee.record import Record
from companion.rules.kernel import AnyGame, Seat
from companion.sim.robots import choose
from companion.sim.stage import Books, target_books
from companion.sim.world import world_of

NAMES = dict(enumerate(("Ada", "Bo", "Cleo", "Dag", "Eve", "Finn", "Gro", "Hal"), 1))

Due = Callable[[AnyGame, object, int], bool]
"""Whether a state of a game, after so many records, is the one that is wanted."""


class MiddleError(Exception):
    """The referee refused what a robot did, or the match was over too early."""


class Middle(msgspec.Struct, frozen=True):
    """A match up to its middle: what was recorded, and what lies where.

    `due` are the seats that are to move.
    """

    game: AnyGame
    mat: Mat
    header: Header
    records: tuple[Record, ...]
    dealt: Dealt
    due: tuple[Seat, ...]

    def keep(self, journal: Journal) -> None:
        """Put the match into a journal, from which a table goes on with it."""
        journal.take(self.header, self.records)


def play_to(name: str, seats: int, due: Due, *, seed: int, mode: str = "assist") -> Middle:
    """Let robots play a game until a seat is to move and `due` agrees.

    Raises:
        MiddleError: if the referee refuses what a robot does, or the match is over before.
    """
    game, mat, rng = games.load(name), games.load_mat(name, seats), random.Random(seed)
    world = world_of(game, seats, {}, rng)
    header = Header(
        id=new_id(),
        at=now(),
        game=name,
        seats=seats,
        mode=mode,
        bid_seconds=90,
        setup=msgspec.to_builtins(world.setup()),
        names={n: NAMES[n] for n in range(1, seats + 1)},
    )
    match = Match(game, mat, header, None)
    match.start()
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    books: Books = {}
    while True:
        actors = tuple(seat for seat in game.actors(state) if seat)
        if actors and due(game, state, len(match.records())):
            break
        if not game.actors(state):
            raise MiddleError(f"{name}: the match was over before that came; try another seed than {seed}")
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        if match.state == state and not match.command(Play(seat=action.seat, action=action, facts=facts)).ok:
            raise MiddleError(f"{name}: the referee refused what a robot did")
        state = after
        books = target_books(game.layout(state), world.piles(), books)
    chain, kept = root(header), []
    for record in match.records():
        chain = link(chain, record)
        kept.append(msgspec.structs.replace(record, chain=chain))
    match.close()
    return Middle(game, mat, header, tuple(kept), Dealt(state, books), actors)
