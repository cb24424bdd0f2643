"""Tilted cameras, wide lenses, a pushed mat, swinging lamps: what the camera shows, and what comes of it."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.codes import BACK, Code
from companion.eye.geometry import Calibration, MarkerFinder, calibrate
from companion.eye.mat import Mat, Rect
from companion.eye.moved import what_moved
from companion.eye.places import Pose as Lying
from companion.eye.places import find_pieces, known_piles
from companion.eye.reader import read_zxing, sighting
from companion.games import code_book
from companion.sim.camera import SimulatedCamera
from companion.sim.lens import FISHEYE, GLASSES, PLAIN, WEBCAM, WIDE, Glass, Lens, Pose
from companion.sim.painter import THICK
from companion.sim.table import Hand, SimTable, Spot, elbow
from tests.nights import at_night

from .laying import CARD_SCALE, DECK, camera, face, laid_table, the_mat, the_print

GRID = np.array([[x, y] for x in np.linspace(0, 900, 13) for y in np.linspace(0, 506, 9)])
HANGING = [
    ("webcam", Pose(tilt=33, azimuth=300, roll=176)),
    *at_night(
        ("fisheye", Pose(tilt=20, azimuth=200)),
        ("plain", Pose(tilt=35, azimuth=90)),
        ("wide", Pose(tilt=30, azimuth=20, roll=6)),
        ("fisheye", Pose()),
    ),
]


def geometry(cam: SimulatedCamera, before: Calibration | None = None) -> Calibration:
    gray = cam.shoot().gray
    size = (gray.shape[1], gray.shape[0])
    found = calibrate(MarkerFinder(the_mat(4)).find(gray), the_mat(4), size, before)
    assert found is not None
    return found


@pytest.mark.night
@pytest.mark.parametrize(("glass", "pose"), HANGING)
def test_the_mat_is_found_exactly_under_tilt_and_wide_lenses(glass: str, pose: Pose) -> None:
    table = laid_table()
    table.rest_hand("arm", Hand(700, 300, 800, 836))
    table.put("extra", "F", 100, 30)  # a card lies on a marker
    cam = camera(table, lens=GLASSES[glass], pose=pose)
    found = geometry(cam)
    off = np.linalg.norm(found.to_mm(cam.lens.to_px(GRID)) - GRID, axis=1)
    assert np.median(off) < 0.15
    assert off.max() < 0.6
    assert 16 <= len(found.markers) < 24


@pytest.mark.night
def test_an_upright_phone_photographs_the_whole_mat() -> None:
    cam = camera(laid_table(), size=(1080, 1920), pose=Pose(tilt=12, azimuth=90, roll=90))
    found = geometry(cam)
    assert len(found.markers) == 24
    assert np.abs(found.to_mm(cam.lens.to_px(GRID)) - GRID).max() < 0.6


@pytest.mark.parametrize("glass", [PLAIN, WEBCAM, WIDE, FISHEYE])
@pytest.mark.parametrize("pose", [Pose(tilt=35, azimuth=70), Pose(tilt=15, azimuth=200, roll=90), Pose(push_x=20.0)])
def test_the_whole_mat_is_in_the_picture_and_pixels_lead_back_to_it(glass: Glass, pose: Pose) -> None:
    lens = Lens(the_mat(4), (1152, 648), pose, glass)
    px = lens.to_px(GRID)
    if not pose.push_x:
        assert (px > -15).all()
        assert (px < np.array([1152, 648]) + 15).all()
    x, y = lens.ground()
    inside = ((px >= 0) & (px <= (1151, 647))).all(axis=1)
    at = np.round(px[inside]).astype(int)
    mm = np.column_stack([x[at[:, 1], at[:, 0]], y[at[:, 1], at[:, 0]]])
    assert np.abs(lens.to_px(mm) - at).max() < 0.05


@pytest.mark.night
def test_a_tilted_picture_repainted_where_it_changed_is_the_one_painted_whole() -> None:
    def hung(table: SimTable) -> SimulatedCamera:
        return camera(table, noise=0.0, lens=WIDE, pose=Pose(tilt=30, azimuth=60), size=(1536, 864))

    table = laid_table()
    cam = hung(table)
    table.carry(table.pieces()[-1].piece, Spot(120, 250, 15), elbow(the_mat(4), 2), face="F")
    while table.busy:
        last = cam.shoot()
    assert np.abs(last.gray.astype(int) - hung(table).shoot().gray.astype(int)).max() <= 2


@pytest.mark.night
def test_codes_are_read_under_strong_perspective() -> None:
    cam = camera(laid_table(3), size=(3840, 2160), pose=Pose(tilt=35, azimuth=90))
    lying = [seen for seen in cam.table.pieces() if seen.face == "F"]
    assert len({seen.payload for seen in read_zxing(cam.shoot().gray)}) >= 0.8 * len(lying)


# ---------------------------------------------------------------------------------------------------------------- piles


def with_deck_at_the_edge() -> Mat:
    mat = the_mat(4)
    zones = (msgspec.structs.replace(z, rect=Rect(804, 202, 84, 102)) if z.name == "deck" else z for z in mat.zones)
    return msgspec.structs.replace(mat, zones=tuple(zones))


def pile_of_80(mat: Mat, pose: Pose, glass: Glass) -> SimulatedCamera:
    table, rng = SimTable(), np.random.default_rng(3)
    for n in range(79):
        table.put(f"x{n}", "B", 846 + rng.uniform(-2, 2), 253 + rng.uniform(-2, 2), rng.uniform(-2, 2))
    table.put("top", "B", 847, 252, 1)
    return SimulatedCamera(table, mat, face, the_print(), CARD_SCALE, lens=glass, pose=pose)


@pytest.mark.parametrize(
    ("pose", "glass"),
    [
        (Pose(tilt=35, azimuth=180), PLAIN),
        *at_night(
            (Pose(tilt=35, azimuth=90), PLAIN),
            (Pose(tilt=35, azimuth=150), WIDE),
            (Pose(tilt=35, azimuth=220), WEBCAM),
        ),
    ],
)
@pytest.mark.night
def test_the_top_of_a_deck_of_80_at_the_edge_is_placed_within_3_mm(pose: Pose, glass: Glass) -> None:
    mat = with_deck_at_the_edge()
    cam = pile_of_80(mat, pose, glass)
    found = geometry(cam)
    shape, top = mat.shape_of("back"), Lying(847, 252, 1)
    payload = str(Code(DECK.code, BACK, "B"))
    quads = [top.code_quad(place, shape) for place in shape.codes if place.face == "B"]
    seen = [sighting(payload, cam.lens.to_px(quad, 79 * THICK), "test") for quad in quads]
    book = code_book(DECK, mat)
    for codes in (seen[:1], seen[1:], seen):
        (piece,), _ = find_pieces(codes, book, found, piles=known_piles(mat, {"deck": 80}))
        assert piece.lies.distance(top) < 3
        zone = mat.zone_at(piece.lies.x, piece.lies.y)
        assert zone is not None
        assert zone.name == "deck"
        assert piece.pose.distance(top) > 10
    (piece,), _ = find_pieces(seen, book, found)
    assert piece.lies.distance(top) < 3, "both codes show the height, though nobody knows of the pile"


@pytest.mark.night
def test_what_is_read_on_a_pile_lies_where_the_lens_says() -> None:
    mat = with_deck_at_the_edge()
    cam = pile_of_80(mat, Pose(tilt=35, azimuth=90), PLAIN)
    shape = mat.shape_of("back")
    quads = [Lying(847, 252, 1).code_quad(place, shape) for place in shape.codes if place.face == "B"]
    truth = [cam.lens.to_px(quad, 79 * THICK).mean(axis=0) for quad in quads]
    backs = [back for back in read_zxing(cam.shoot().gray) if back.payload[2:5] == BACK]
    assert backs
    for back in backs:
        middle = np.mean(back.corners, axis=0)
        assert min(np.linalg.norm(middle - there) for there in truth) < 1.5


@pytest.mark.night
def test_the_side_of_a_pile_shows_from_the_side() -> None:
    mat = with_deck_at_the_edge()
    cam = pile_of_80(mat, Pose(tilt=35, azimuth=90), PLAIN)
    bare = SimulatedCamera(SimTable(), mat, face, the_print(), CARD_SCALE, pose=Pose(tilt=35, azimuth=90), noise=0)
    changed = np.abs(cam.shoot().gray.astype(int) - bare.shoot().gray) > 12
    x, y = cam.lens.to_px([(846.0, 253 + 44)], 10.0)[0]
    assert changed[round(y) - 2 : round(y) + 3, round(x) - 20 : round(x) + 20].mean() > 0.9


# --------------------------------------------------------------------------------------------------------------- faults


@pytest.mark.night
@pytest.mark.parametrize("pose", [Pose(room=1.25), Pose(tilt=28, azimuth=120, room=1.25)])
def test_a_pushed_mat_takes_its_cards_along_and_leaves_the_table(pose: Pose) -> None:
    cam = camera(laid_table(), pose=pose, noise=0.0, size=(1920, 1080))
    before, first = geometry(cam), cam.shoot().gray
    piece = cam.table.pieces()[0].piece
    was = cam.outline(piece)
    cam.misbehave("push", frames=4)
    for _ in range(4):
        last = cam.shoot().gray
    now = cam.outline(piece)
    assert was is not None
    assert now is not None
    after = geometry(cam, before)
    shift = np.linalg.norm(before.to_mm(now) - before.to_mm(was), axis=1)
    assert shift.min() > 5, "pushed by some centimetres"
    assert np.abs(after.to_mm(now) - before.to_mm(was)).max() < 0.5, "on the mat nothing has moved"
    assert what_moved(before, after, the_mat(4)) == "mat"
    x, y = cam.lens.table()
    outside = (x < -80) | (y < -60) | (x > 980) | (y > 566)
    assert np.abs(last.astype(int) - first)[outside].max() <= 1
    assert (cam.shoot().gray == last).all(), "and there it stays"


@pytest.mark.night
def test_a_bumped_camera_is_not_taken_for_a_pushed_mat() -> None:
    cam = camera(laid_table(), pose=Pose(tilt=15, azimuth=60, room=1.15), lens=WEBCAM, size=(1536, 864))
    before = geometry(cam)
    told = []
    for _ in range(4):
        cam.misbehave("bump")
        after = geometry(cam, before)
        told.append(what_moved(before, after, the_mat(4)))
        before = after
    assert "camera" in told
    assert "mat" not in told


@pytest.mark.night
def test_the_autofocus_hunts_for_a_second_and_comes_back() -> None:
    cam = camera(laid_table())
    sharp = len(read_zxing(cam.shoot().gray))
    cam.misbehave("defocus", frames=10)
    counts = [len(read_zxing(cam.shoot().gray)) for _ in range(11)]
    assert min(counts) < sharp / 4
    assert max(counts[2:7]) > 2 * min(counts), "it goes past the right focus and back"
    assert counts[-1] == sharp


@pytest.mark.night
def test_a_lamp_changes_the_light_little_by_little() -> None:
    cam = camera(SimTable(), size=(576, 324), noise=0.0)
    before = cam.shoot().gray.astype(float)
    worst = []
    for _ in range(6):
        cam.misbehave("lamp", frames=30)
        film = [cam.shoot().gray.astype(float) for _ in range(31)]
        steps = [np.abs(b - a).mean() for a, b in zip([before, *film], film, strict=False)]
        assert max(steps) < 0.12 * before.mean()
        worst.append(max(np.abs(frame - before).mean() for frame in film))
        assert np.abs(film[-1] - before).max() == 0
    assert max(worst) > 0.2 * before.mean(), "dimmed"
    assert min(worst) > 0.01 * before.mean()


@pytest.mark.night
def test_a_shadow_wanders_over_the_table() -> None:
    cam = camera(SimTable(), size=(576, 324), noise=0.0)
    before = cam.shoot().gray.astype(float)
    cam.misbehave("shadow", at=(450.0, 253.0), frames=21)
    middles = []
    for _ in range(21):
        lost = before - cam.shoot().gray
        assert lost.min() >= -1
        _, xs = np.nonzero(lost > 0.1 * before)
        if len(xs):
            middles.append(xs.mean())
            assert len(xs) < 0.6 * lost.size
    assert abs(middles[-1] - middles[0]) > 120
    assert np.abs(cam.shoot().gray - before).max() == 0
