"""After a restart an eye finds a table of cards without codes as it was left, in whatever print, light and camera."""

import random
from collections import Counter
from types import SimpleNamespace

import msgspec
import pytest

from companion import games
from companion.codes import BACK
from companion.eye.view import Placement
from companion.referee.journal import Header, new_id, now
from companion.sim.rehearsal import Rehearsal
from companion.sim.report import Report
from companion.sim.resumable import Resumable
from companion.sim.robots import choose
from companion.sim.stage import moves_between
from companion.sim.world import world_of
from companion.table.stages import camera_stages, view_stages

RESTS = 8
"""How often the table rests until all has to be found: a few seconds."""


def in_the_middle_of_a_match(name, seats, rng):
    """Return what lies where after 20 to 120 actions of robots, and the rules' state."""
    game, mat = games.load(name), games.load_mat(name, seats)
    world = world_of(game, seats, {}, rng)
    setup = msgspec.to_builtins(world.setup())
    header = Header(id=new_id(), at=now(), game=name, seats=seats, options={}, setup=setup)
    referee = Resumable(game, mat, header)
    stage = view_stages(mat)(referee, rng)
    robots = Rehearsal(game, world, referee, stage, rng, Report())
    stage.prepare(robots._moves())
    for _ in range(rng.randint(20, 120)):
        if game.actors(robots.state):
            robots._turn(choose(game, robots.state, world, rng))
    return stage.books, robots.state


def showing(mat, books):
    """Return what shows in each zone: of a pile its top."""
    return {zone: pile[-1:] if mat.zone(zone).kind == "pile" else pile for zone, pile in books.items()}


@pytest.mark.night
@pytest.mark.parametrize(
    ("name", "seats"), [("five-cards-collector", 2), ("collection", 3), ("karmic-collections", 2), ("collectors", 2)]
)
def test_an_eye_that_is_opened_anew_finds_every_card_where_it_lay(name, seats):
    rng = random.Random(f"{name} opened anew")
    game, mat = games.load(name), games.load_mat(name, seats)
    books, state = in_the_middle_of_a_match(name, seats, rng)
    nobody = SimpleNamespace(on_view=lambda view: None, on_tick=lambda time: None, state=state)
    stage = camera_stages(game, mat, faults=True, codes=False)(nobody, rng)
    for zone in books:
        moves = [move for move in moves_between({}, books) if move.target == zone]
        stage._carrier.make_room(moves)
        for move in moves:
            stage._carrier.at_once(move)
            stage.table.nudge(move.piece, rng.uniform(-2.5, 2.5), rng.uniform(-2.5, 2.5), rng.uniform(-3, 3))
    tops = {lying.piece for pile in showing(mat, books).values() for lying in pile}
    stage.eye.recall(
        Placement(
            BACK if one.face == "B" else one.piece, frozenset(one.face), None, None, one.x, one.y, one.rotation, n
        )
        for n, one in enumerate(stage.table.pieces())
        if one.piece in tops
    )
    for _ in range(RESTS):
        stage.rest()
    alike = {piece: group[0] for group in stage.alike for piece in group}
    seen = Counter((one.zone, alike.get(one.piece, one.piece)) for one in stage.eye.view.placements)
    lies = Counter(
        (zone, BACK if lying.face == "B" else alike.get(lying.piece, lying.piece))
        for zone, pile in showing(mat, books).items()
        for lying in pile
    )
    assert lies.total() > 6
    assert seen == lies
