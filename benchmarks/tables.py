"""Tables in the middle of a match, laid out as the rules expect, for the eye to look at."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from companion.eye.mat import Mat
from companion.rules.kernel import AnyGame
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


def fullest(game: AnyGame, mat: Mat, actions: int = 400, tries: int = 4) -> Dealt:
    """Return the moment of several matches at which most pieces are visible."""
    dealt = (moment for seed in range(tries) for moment in moments(game, mat, actions, seed))
    return max(dealt, key=lambda moment: in_sight(mat, moment))


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
