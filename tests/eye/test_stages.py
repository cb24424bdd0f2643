"""The eye's stages one by one, with plain arrays; and that none of them knows a later one."""

import ast
from pathlib import Path

import numpy as np

from companion.eye import eye
from companion.eye.expected import SHADOW, Drawing, Expected
from companion.eye.flat import TILE, Flat, flat_window, grown
from companion.eye.memory import Memory
from companion.eye.motion import Moved, quiet
from companion.eye.pieces import Pieces
from companion.eye.places import Found, Pose
from companion.eye.reader import FACES, sighting
from companion.eye.scene import Scene
from companion.eye.surface import Still, Surface
from companion.eye.targets import Tiles, around, boxes, known_in, parts_in
from companion.eye.tracks import Candidate
from companion.eye.view import Frame
from companion.eye.zones import Zones
from tests.eye.tables import book, test_mat

MAT = test_mat()
FLAT = Flat(MAT)
WHOLE = (slice(0, FLAT.shape[0]), slice(0, FLAT.shape[1]))
ZONE = next(zone for zone in MAT.zones if zone.kind != "tray")
STAGES = tuple(
    rooms.split()
    for rooms in (
        "flat motion",
        "rounds",
        "scene expected surface",
        "readings crops",
        "tracks pieces",
        "zones",
        "memory targets",
        "eye",
    )
)
"""The rooms of the stages; memory and targets hold or look into what stages remember."""


def no_tiles():
    return np.zeros(FLAT.grid, dtype=np.bool_)


def test_no_stage_knows_a_later_one():
    later = {name for stage in STAGES for name in stage}
    for stage in STAGES:
        later -= set(stage)
        for name in stage:
            tree = ast.parse((Path(eye.__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
            modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            assert not later & {module.removeprefix("companion.eye.") for module in modules}, name


# ------------------------------------------------------------------------------------------------------------ motion


def test_what_moves_most_of_the_table_is_no_hand():
    pixels = np.zeros(FLAT.shape, dtype=np.uint8)
    some = no_tiles()
    some[:2] = True
    assert Moved(some, pixels, light=False).by_hand
    assert not Moved(some, pixels, light=True).by_hand
    assert not Moved(~no_tiles(), pixels, light=False).by_hand
    assert not Moved(None, pixels, light=False).by_hand


def test_a_window_is_as_quiet_as_its_least_quiet_tile():
    moved_at = np.full(FLAT.grid, 10.0)
    moved_at[1, 1] = 12.0
    assert quiet(moved_at, (slice(0, 2), slice(0, 2)), 15.0) == 3.0
    assert quiet(moved_at, (slice(2, 4), slice(0, 2)), 15.0) == 5.0
    assert quiet(moved_at, (slice(0, 0), slice(0, 0)), 15.0) > 1e6


# ------------------------------------------------------------------------------------------------- surface, expected


def seen_surface(level=200.0):
    """A surface of which everything is known to be of one gray level, and looks so."""
    surface = Surface(FLAT, None)
    surface.scene.base[:], surface.scene.known[:] = level, True
    surface.picture[:] = level
    surface.bare[:] = True
    expected = Expected(FLAT)
    expected.renew(WHOLE, surface.scene, Pieces(MAT, book(MAT), FLAT).layers.drawing(WHOLE))
    return surface, expected


def test_what_is_neither_mat_nor_piece_is_strange_until_it_goes():
    surface, expected = seen_surface()
    surface.judge([WHOLE], expected, 1.0)
    assert not surface.strange.any()
    spot = flat_window((slice(2, 4), slice(3, 5)))
    surface.picture[spot], surface.bare[spot] = 90.0, False
    surface.judge([spot], expected, 2.0)
    assert surface.amount(spot) > 0.9 * 4 * (2 * TILE) ** 2
    assert surface.tiles[2:4, 3:5].all()
    assert surface.since[2, 3] == 2.0
    surface.bare[spot] = True
    surface.judge([spot], expected, 3.0)
    assert not surface.tiles.any()


def test_where_a_piece_is_expected_its_look_is_not_strange():
    surface, expected = seen_surface()
    spot = flat_window((slice(2, 4), slice(3, 5)))
    surface.picture[spot], surface.bare[spot] = 90.0, False
    high, wide = spot[0].stop - spot[0].start, spot[1].stop - spot[1].start
    there = np.ones((high, wide), dtype=np.bool_)
    look = np.full((high, wide), 90.0, dtype=np.float32)
    reach = grown(spot, SHADOW, FLAT.shape)
    shade = np.ones((reach[0].stop - reach[0].start, reach[1].stop - reach[1].start), dtype=np.bool_)
    expected.renew(spot, surface.scene, Drawing(look, there, there, ~there, reach, shade))
    surface.judge([spot], expected, 1.0)
    assert not surface.strange.any()
    assert expected.picture[spot].max() == 90.0
    assert expected.in_shadow[reach].all()


EVERY = len(FLAT.lattice[0])


def told(surface, expected, moved_at):
    """Return what the light is told by: how many samples, how many for sure, and what they were in the mean."""
    sure, usable, then = surface._compared(Still(9.0, ~no_tiles(), np.full(FLAT.grid, moved_at)), expected)
    return np.count_nonzero(usable), np.count_nonzero(sure), float(then[usable].mean())


def test_the_light_is_told_by_what_has_not_moved_since_it_was_noted():
    surface, expected = seen_surface(100.0)
    surface._noted[:], surface._noted_at[:] = 70.0, 5.0
    assert told(surface, expected, moved_at=4.0) == (EVERY, EVERY, 100.0), "bare mat is as it is known"
    surface.bare[:] = False
    assert told(surface, expected, moved_at=4.0) == (EVERY, 0, 70.0), "anything else is as it was noted"
    surface.bare[:] = True
    assert told(surface, expected, moved_at=6.0) == (EVERY, EVERY, 100.0), "all has moved"


def test_what_lies_there_is_noted_anew_only_after_something_moved():
    surface = seen_surface(100.0)[0]
    everywhere, samples = ~no_tiles(), np.full_like(surface._noted, 80.0)
    for moved_at, noted in ((6.0, 80.0), (8.0, 80.0), (9.5, 50.0)):
        still = Still(9.0 if moved_at < 9 else 10.0, everywhere, np.full(FLAT.grid, moved_at))
        surface._note(samples, everywhere, still)
        assert (surface._noted == noted).all()
        samples = np.full_like(samples, 50.0)


def test_cards_that_nobody_has_read_yet_do_not_pass_for_mat_in_another_light():
    surface, expected = seen_surface(100.0)
    upper = FLAT.shape[0] * 3 // 4
    surface.bare[:upper], expected.picture[:upper] = False, 30.0
    count, _, mean = told(surface, expected, moved_at=6.0)
    assert count < 0.4 * EVERY
    assert mean == 100.0


def test_a_gleam_that_is_seen_through_says_nothing_of_another_light():
    surface, expected = seen_surface()
    gleam = np.zeros(FLAT.shape, dtype=np.bool_)
    gleam[: FLAT.shape[0] // 2] = True
    surface.scene.see_through(surface.picture + 50, gleam, surface.whole)
    assert told(surface, expected, moved_at=6.0)[0] < 0.6 * EVERY
    surface.scene.forget_gleams()
    assert told(surface, expected, moved_at=6.0)[0] == EVERY


# ------------------------------------------------------------------------------------------------------------ targets


def test_what_is_read_of_tiles_reaches_as_far_as_a_code_with_its_middle_there():
    tiles = no_tiles()
    tiles[3, 4] = True
    (window,) = around(tiles, FLAT)
    assert window == grown(flat_window((slice(3, 4), slice(4, 5))), 8, FLAT.shape)
    assert boxes(tiles) == [(slice(2, 5), slice(3, 6))]


def waiting(reader):
    """A table on which a piece was read once, everything else is bare; its memory, the candidate, its code."""
    memory = Memory(MAT, book(MAT), FLAT, None)
    memory.unread[:] = 0
    memory.surface, memory.expected = seen_surface()
    pose = Pose(167, 100, 0)
    code = sighting("FC001F", np.array([(300, 200), (340, 200), (340, 240), (300, 240)], dtype=np.float64), reader)
    candidate = Candidate(FLAT, Found("001", pose, {0: code}, 0.0, pose), MAT.shapes[0], 1, 1.0)
    memory.pieces.layers.candidates.append(candidate)
    return memory, candidate, code


EVERYTHING = Tiles(~no_tiles(), ~no_tiles(), ~no_tiles(), no_tiles(), no_tiles())


def test_a_code_that_is_as_it_was_read_counts_as_read_twice_and_a_face_has_to_be_found_again():
    gray = np.random.default_rng(1).integers(0, 255, (480, 640), dtype=np.uint8)
    for reader, again in (("test", True), (FACES, False)):
        memory, _, code = waiting(reader)
        memory.readings.remember(Frame(gray, 1.0, 1), [code])
        known = known_in(EVERYTHING, Frame(gray, 1.1, 2), memory, FLAT)
        assert known.again == ([code] if again else [])
        assert (len(known.explained), len(known.asked)) == ((1, 0) if again else (0, 1))


def test_where_a_piece_was_read_once_it_is_read_again_even_where_it_looks_like_the_mat():
    memory, candidate, _ = waiting("test")
    frame = Frame(np.zeros((480, 640), dtype=np.uint8), 1.1, 2)
    known = known_in(EVERYTHING, frame, memory, FLAT)
    parts = parts_in(EVERYTHING, known, 1.1, memory, FLAT)
    y, x = candidate.place.fill()[0]
    assert [(a.start <= y.start, a.stop >= y.stop, b.start <= x.start, b.stop >= x.stop) for (a, b), _ in parts] == [
        (True, True, True, True)
    ]


# -------------------------------------------------------------------------------------------------------------- zones


def test_a_hand_over_a_zone_covers_it_for_a_moment_and_touches_it():
    zones, surface = Zones(MAT, FLAT), Surface(FLAT, None)
    pixels, tiles = np.zeros(FLAT.shape, dtype=np.uint8), no_tiles()
    window = FLAT.window(ZONE.rect)
    pixels[window] = 255
    tiles[FLAT.tile_window_of(window)] = True
    assert zones.note(Moved(tiles, pixels, light=False), 5.0)
    assert not zones.note(Moved(tiles, pixels, light=False), 5.1), "it was touched before"
    assert zones.touched >= {ZONE.name}
    assert ZONE.name in zones.covered(surface, (), 5.2)
    assert ZONE.name not in zones.covered(surface, (), 6.0)


def test_a_zone_with_something_strange_is_covered():
    zones, (surface, expected) = Zones(MAT, FLAT), seen_surface()
    window = FLAT.window(ZONE.rect)
    surface.bare[window] = False
    surface.judge([window], expected, 1.0)
    assert ZONE.name in zones.covered(surface, (), 9.0)
    assert MAT.coverable >= zones.covered(surface, (), 9.0)


def test_a_scene_without_a_print_knows_nothing():
    assert not Scene(FLAT).known.any()
