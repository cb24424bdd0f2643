"""Scenes to photograph: the same seed lays the same table, and what the photographs' truth says is where codes are."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from benchmarks.table_layouts import Piece
from benchmarks.table_scenes import (
    LEAST,
    Scene,
    axes,
    heights,
    in_harsh_light,
    modules,
    outline,
    project,
    resolution,
    shape_of,
    single,
    without_codes,
)
from companion import games
from companion.codes import parse
from companion.press.faces import is_token
from companion.sim.table import Hand
from tests.nights import at_night, every
from tests.photography.__main__ import Truth
from tests.photography.develop import exposed, straight, through_lens
from tests.photography.hands import capsules, hides
from tests.photography.prints import worn
from tests.photography.truth import Table, truth_of

TABLES = Path(__file__).parents[1] / "fixtures" / "photos" / "tables"
SEEDS = every(5, range(5001, 5006))
"""One seed for each game, none of them a photograph's."""
FACE_SEEDS = at_night(*range(8001, 8006))
"""The same for tables without codes: the gate looks at the truth of those that were photographed."""


@pytest.fixture(scope="module", params=SEEDS)
def scene(request: pytest.FixtureRequest) -> Scene:
    return single(request.param)


@pytest.mark.night
def test_a_seed_lays_one_scene(scene: Scene) -> None:
    assert single(scene.seed) == scene
    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene


def test_harsh_light_is_coloured_and_not_metered() -> None:
    for seed in range(4):
        usual = single(seed)
        scene = in_harsh_light(usual)
        assert msgspec.structs.replace(scene, light=usual.light, camera=usual.camera) == usual
        assert scene == in_harsh_light(usual)
        assert 0.9 <= scene.camera.gain * scene.light.level * 0.75 <= 1.71
        red, green, blue = scene.light.ambient
        assert max(red, green, blue) > 1.06 * min(red, green, blue)
        gray = np.full((9, 16, 3), 0.5 / scene.camera.gain, np.float32)
        assert exposed(scene.camera, gray).mean() == pytest.approx(188, abs=1)
        assert exposed(scene.camera, 3 * gray).min() > 254


@pytest.mark.night
def test_pieces_are_the_decks_and_lie_on_the_mat(scene: Scene) -> None:
    game, mat = games.load(scene.game), games.load_printed_mat(scene.game, scene.seats)
    payloads = games.code_book(game.deck, mat).payloads()
    assert len(scene.pieces) >= 10
    fronts = [piece.piece for piece in scene.pieces if piece.face != "B"]
    assert len(fronts) == len(set(fronts))
    for piece in truth_of(scene, "", "").pieces:
        assert 0 <= piece.x <= mat.w
        assert 0 <= piece.y <= mat.h
        assert piece.codes
        for code in piece.codes:
            assert code.payload in payloads
            said = parse(code.payload)
            assert said is not None
            assert said.piece == piece.piece
        if piece.zone is not None:
            assert mat.zone(piece.zone).rect.holds(piece.x, piece.y)


@pytest.mark.night
def test_the_whole_mat_is_in_the_picture_and_large_enough(scene: Scene) -> None:
    mat = games.load_printed_mat(scene.game, scene.seats)
    px = project(scene.camera, [(0, 0, 0), (mat.w, 0, 0), (mat.w, mat.h, 0), (0, mat.h, 0)])
    assert (px > 0).all()
    assert (px < np.array(scene.camera.size) - 1).all()
    assert modules(scene.camera, mat).min() > LEAST - 0.02
    assert scene.camera.tilt < 36


def test_the_camera_is_opencvs(scene: Scene) -> None:
    camera = scene.camera
    points = np.array([(0, 0, 0), (900, 0, 0), (450, 253, 20), (120, 480, 3)], dtype=np.float64)
    turn = axes(camera)
    depth = np.array([1.0, 1.0, -1.0])
    middle = (np.array(camera.size) - 1) / 2
    matrix = np.array([[camera.focal, 0, middle[0]], [0, camera.focal, middle[1]], [0, 0, 1]])
    px, _ = cv2.projectPoints(
        points * depth,
        cv2.Rodrigues(turn)[0],
        -turn @ (np.array(camera.at) * depth),
        matrix,
        np.array([camera.k1, camera.k2, 0, 0]),
    )
    assert np.abs(px[:, 0] - project(camera, points)).max() < 1e-6


def test_distortion_is_undone(scene: Scene) -> None:
    camera = scene.camera
    flat = np.array([[0.1, 0.05], [0.3, -0.2], [0.0, 0.0]])
    r2 = (flat**2).sum(axis=1, keepdims=True)
    assert np.abs(straight(camera, flat * (1 + camera.k1 * r2 + camera.k2 * r2**2)) - flat).max() < 1e-9


@pytest.mark.night
def test_the_lens_puts_things_where_the_truth_says(scene: Scene) -> None:
    """A bright dot in the pinhole's picture ends up at the pixel that `project` gives."""
    camera = msgspec.structs.replace(scene.camera, defocus=0.0, shake=(0.0, 0.0))
    wide, high = 1200, 900
    for x, y in ((200, 150), (600, 450), (1000, 700)):
        light = np.zeros((high, wide, 3), np.float32)
        cv2.circle(light, (x, y), 6, (1, 1, 1), -1)
        camera = msgspec.structs.replace(camera, size=(1100, 800), fov=70.0)
        seen = through_lens(camera, light)[..., 0]
        ys, xs = np.mgrid[: seen.shape[0], : seen.shape[1]]
        at = np.array([(seen * xs).sum(), (seen * ys).sum()]) / seen.sum()
        flat = (np.array([x, y]) - [(wide - 1) / 2, (high - 1) / 2]) / camera.focal
        r2 = float((flat**2).sum())
        bent = flat * (1 + camera.k1 * r2 + camera.k2 * r2**2) * camera.focal + (np.array(camera.size) - 1) / 2
        assert np.abs(at - bent).max() < 0.3


def test_what_lies_on_others_lies_higher_and_hides_them(scene: Scene) -> None:
    game = games.load(scene.game)
    mat = games.load_printed_mat(scene.game, scene.seats)
    back = next(piece for piece in scene.pieces if piece.face == "B")
    same = shape_of(game, mat, back)
    front = next(piece for piece in scene.pieces if piece.face != "B" and shape_of(game, mat, piece) == same)
    pieces = (Piece(back.piece, "B", 300.0, 250.0, 0.0, under=9), Piece(front.piece, front.face, 300.0, 250.0, 0.0))
    shapes = [shape_of(game, mat, piece) for piece in pieces]
    (low, top), (over, highest) = heights(shapes, pieces)
    assert low == 0.0
    assert top == pytest.approx(3.0)
    assert over == top < highest
    both = truth_of(msgspec.structs.replace(scene, pieces=pieces, hands=()), "", "")
    assert all(code.covered == 1 for code in both.pieces[0].codes)
    assert all(code.covered == 0 for code in both.pieces[1].codes)
    assert outline(shapes[0], pieces[0]).mean(axis=0) == pytest.approx((300, 250))


def test_a_hand_hides_what_is_under_it() -> None:
    parts = capsules(Hand(400.0, 300.0, 400.0, 830.0, 10.0))
    eye = (450.0, 253.0, 1000.0)
    at = np.array([(405.0, 430.0, 0.0), (400.0, 200.0, 0.0), (400.0, 600.0, 0.0)])
    assert hides(parts, at, eye).tolist() == [True, False, True]


@pytest.fixture(scope="module", params=FACE_SEEDS)
def bare(request: pytest.FixtureRequest) -> Scene:
    return without_codes(request.param)


@pytest.mark.night
def test_a_seed_lays_one_scene_without_codes(bare: Scene) -> None:
    assert without_codes(bare.seed) == bare


def test_cards_without_codes_are_laid_so_that_25_mm_show_and_photographed_large_enough(bare: Scene) -> None:
    mat = games.load_printed_mat(bare.game, bare.seats)
    assert resolution(bare.camera, mat) >= (2.39 if bare.game == "karmic-collections" else 1.49)
    assert bare.camera.tilt < 22
    truth = truth_of(msgspec.structs.replace(bare, hands=()), "", "")
    assert not truth.coded
    tokens = {shape.name for shape in mat.shapes if is_token(shape)}
    cards = 0
    for piece, laid in zip(truth.pieces, bare.pieces, strict=True):
        token = shape_of(games.load(bare.game), mat, laid).name in tokens
        assert bool(piece.codes) == (token or piece.piece in bare.stickers)
        assert bool(piece.codes) == (piece.shown is None)
        cards += not token
    assert cards >= 10
    rows = [piece.shown.strip for piece in truth.pieces if piece.shown is not None and piece.zone is not None]
    assert sum(strip >= 25 for strip in rows) >= 0.8 * len(rows)


@pytest.mark.night
def test_worn_cards_have_darker_rims_and_pale_scratches_and_new_ones_neither() -> None:
    face = np.full((440, 315, 3), 150, np.uint8)
    assert (worn(face, 0.0, np.random.default_rng(1)) == face).all()
    rims, scratched = [], []
    for wear in (0.3, 1.0):
        sides = [worn(face, wear, np.random.default_rng(seed)).astype(float) for seed in range(20)]
        rims.append(np.mean([np.median(side[2]) for side in sides]))
        scratched.append(np.mean([(side > 160).mean() for side in sides]))
        assert all(np.median(side[100:-100, 100:-100]) == 150 for side in sides)
    assert 110 < rims[1] < rims[0] < 147
    assert 0 < scratched[0] < scratched[1] < 0.03


def test_what_shows_of_a_card_is_measured(bare: Scene) -> None:
    game, mat = games.load(bare.game), games.load_printed_mat(bare.game, bare.seats)
    fronts = [one for one in bare.pieces if one.face == "F" and not is_token(shape_of(game, mat, one))]
    low, high = (
        Piece(one.piece, "F", 300.0 + step, 250.0, 0.0) for one, step in zip(fronts[:2], (0.0, 30.0), strict=True)
    )
    shape = shape_of(game, mat, low)
    camera = msgspec.structs.replace(bare.camera, at=(300.0, 250.0, 4000.0), target=(300.0, 250.1), roll=0.0)
    scene = msgspec.structs.replace(bare, pieces=(low, high), hands=(), camera=camera, stickers=())
    under, over = (piece.shown for piece in truth_of(scene, "", "").pieces)
    assert under is not None
    assert over is not None
    assert over.covered == 0.0
    assert over.strip == pytest.approx(min(shape.w, shape.h), abs=1.1)
    assert under.covered == pytest.approx(1 - 30 / shape.w, abs=0.02)
    assert under.strip == pytest.approx(30, abs=1.5)


@pytest.mark.parametrize(
    "folder", every(4, sorted(path.parent for path in TABLES.rglob("truth.json"))), ids=lambda path: path.name
)
def test_the_truth_is_what_the_scenes_say(folder: Path) -> None:
    """All but what mirrors a lamp follows from the scene; one photograph of each folder is worked out again."""
    told = msgspec.json.decode((folder / "truth.json").read_bytes(), type=Truth).photos[0]
    scene = msgspec.json.decode((folder / told.scene).read_bytes(), type=Scene)
    again = truth_of(scene, told.image, told.scene)
    assert len(Table(scene).shapes) == len(told.pieces)
    for piece, other in zip(told.pieces, again.pieces, strict=True):
        assert (piece.piece, piece.zone) == (other.piece, other.zone)
        for code, same in zip(piece.codes, other.codes, strict=True):
            assert np.abs(np.array(code.corners) - np.array(same.corners)).max() <= 0.02
            assert abs(code.covered - same.covered) <= 0.01
        if piece.shown is not None:
            assert other.shown is not None
            assert abs(piece.shown.covered - other.shown.covered) <= 0.01
            assert abs(piece.shown.strip - other.shown.strip) <= 2.0
    assert (again.coded, again.px_per_mm) == (told.coded, told.px_per_mm)
    assert again.hidden == told.hidden
