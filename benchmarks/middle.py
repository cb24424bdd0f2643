"""Tables in the middle of a match: robots play until something is due, and all is laid as the rules expect."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import msgspec

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
from companion.sim.table import SimTable, spot_in
from companion.sim.world import world_of


class Dealt(msgspec.Struct, frozen=True):
    """A match that robots have played for a while: its state, and what lies in which zone."""

    state: object
    books: Books


def moments(game: AnyGame, mat: Mat, actions: int, seed: int) -> Iterator[Dealt]:
    """Yield every state of a robots' match that does not end it, `actions` at most."""
    rng = random.Random(f"table {seed}")
    world = world_of(game, mat.seats, {}, rng)
    state = game.setup(mat.seats, {}, world.setup())
    world.deal(state)
    books: Books = {}
    for _ in range(actions):
        action = choose(game, state, world, rng)
        after = game.play(state, action, world.facts(state, action))
        if not game.actors(after):
            break
        world.apply(state, action, after)
        state = after
        books = target_books(game.layout(state), world.piles(), books)
        yield Dealt(state, books)


def in_sight(mat: Mat, dealt: Dealt) -> int:
    """Return the number of visible pieces: all of a row, and the top of a pile."""
    return sum(min(1, len(pile)) if mat.zone(zone).kind == "pile" else len(pile) for zone, pile in dealt.books.items())


def lay(mat: Mat, dealt: Dealt, seed: int = 0) -> SimTable:
    """Return a simulated table with everything laid as accurately as people do."""
    rng = random.Random(f"laid {seed}")
    table = SimTable(seed)
    for zone, pile in dealt.books.items():
        place = mat.zone(zone)
        shape = mat.shape_in(place)
        for index, lying in enumerate(pile):
            spot = spot_in(place, index, shape.w, shape.h)
            x, y = spot.x + rng.uniform(-2, 2), spot.y + rng.uniform(-2, 2)
            table.put(lying.piece, lying.face, x, y, spot.rotation + rng.uniform(-2, 2))
    return table


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
