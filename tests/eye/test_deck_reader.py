"""The reader that knows the deck: what it reads, what it must never read, and how sure it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.codes import Code
from companion.eye import finders
from companion.eye.deck_reader import SURE, DeckReader, name
from companion.eye.finders import Plane
from companion.eye.reader import Hints, quad, sighting
from companion.eye.sampling import corners, levels, middles, pose_of, refined
from companion.eye.signatures import Book, book_of, evened
from companion.eye.symbol import SIDE, data_cells, modules
from companion.eye.view import Gray
from tests.nights import at_night

from .coded import DECK, OTHER_DECK, Spot, photograph

PAYLOADS = frozenset(DECK)
READER = DeckReader()
SPOTS = tuple(Spot(DECK[7 * i], 40 + 62 * (i % 5), 42 + 66 * (i // 5), 36.0 * i + 5) for i in range(10))
SIZE = (330, 150)
"""Ten codes at one and a half pixels a module, turned every way."""


def hints(module: float, **more: object) -> Hints:
    return Hints(module=module, payloads=PAYLOADS, **more)  # type: ignore[arg-type]


def read(gray: Gray, module: float, **more: object) -> dict[str, np.ndarray]:
    return {seen.payload: quad(seen) for seen in READER.read(gray, hints(module, **more))}


@pytest.mark.night
def test_a_code_has_208_modules_that_carry_data():
    assert data_cells().sum() == 208
    different = np.stack([modules(payload) for payload in DECK])[:, ~data_cells()]
    # Of the others only the format information (mask and error level, twice 15 modules) may differ.
    assert (different != different[0]).any(axis=0).sum() <= 30


@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=10))
@settings(max_examples=100)
def test_a_code_has_the_mask_that_segno_chooses(payload: str):
    made = segno.make_qr(payload, version=1, error="h", boost_error=False)
    assert np.array_equal(modules(payload), np.array([list(row) for row in made.matrix], dtype=bool))


def test_a_payload_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        modules("MUCH TOO LONG FOR TWENTY-ONE MODULES")


@pytest.mark.parametrize("module", [1.25, *at_night(1.5, 2.0, 3.0, 4.0)])
def test_every_code_is_read_at_its_place(module: float):
    spots = [Spot(s.payload, s.x * module / 1.5, s.y * module / 1.5, s.degrees) for s in SPOTS]
    size = (round(SIZE[0] * module / 1.5), round(SIZE[1] * module / 1.5))
    found = read(photograph(size, spots, module, seed=1), module)
    assert set(found) == {spot.payload for spot in spots}
    for spot in spots:
        assert np.abs(found[spot.payload] - spot.corners(module)).max() < 0.4 * module


@pytest.mark.parametrize(
    ("what", "how"),
    [
        ("a soft lens", {"blur": 1.1, "noise": 5.0}),
        ("a dark room", {"contrast": 0.4, "noise": 8.0}),
        ("a webcam's JPEG", {"jpeg": 50}),
        ("a moving card", {"blur": 0.6, "streak": 2.0}),
        ("a shadow's edge", {"shadow": 0.4}),
    ],
)
def test_at_one_and_a_half_pixels_a_module_it_reads_with(what: str, how: dict[str, float]):
    assert set(read(photograph(SIZE, SPOTS, 1.5, seed=2, **how), 1.5)) == {spot.payload for spot in SPOTS}


def test_a_code_seen_from_the_side_is_read():
    """Under 35° one side of a code is shortened to 0.82."""
    gray = photograph(SIZE, SPOTS, 1.8, seed=3, spacing=1.2, squeeze=0.82)
    plane = np.diag([1 / 1.8, 1 / (1.8 * 0.82), 1.0])
    assert set(read(gray, 1.8, plane=plane)) == {spot.payload for spot in SPOTS}


def test_a_code_with_a_covered_finder_pattern_is_read():
    for number in range(3):
        spot = Spot(DECK[3], 60, 60, 12.0)
        gray = photograph((120, 120), [spot], 2.0, seed=4)
        x, y = spot.corners(2.0)[(1, 3, 0)[number]].astype(int)
        gray[max(0, y - 14) : y + 14, max(0, x - 14) : x + 14] = 128
        points, _ = finders.peaks(finders.likeness(gray, Plane.above(2.0)), 2.0)
        seen = [
            np.linalg.norm(points - spot.point(u, v, 2.0), axis=1).min() < 2
            for u, v in ((17.5, 3.5), (3.5, 17.5), (3.5, 3.5))
        ]
        assert [i for i, there in enumerate(seen) if not there] == [number], "one of the three is out of sight"
        assert set(read(gray, 2.0)) == {DECK[3]}


def test_a_code_known_from_an_earlier_frame_is_read_at_one_pixel_a_module():
    spots = [Spot(s.payload, s.x / 1.5, s.y / 1.5, s.degrees) for s in SPOTS]
    gray = photograph((220, 100), spots, 1.0, seed=5, blur=1.1, noise=5.0)
    earlier = tuple(sighting(spot.payload, spot.corners(1.0) + (0.9, -1.1), "deck") for spot in spots)
    assert set(read(gray, 0.0, places=earlier)) == {spot.payload for spot in spots}


def test_another_card_at_a_known_place_is_not_taken_for_the_one_that_lay_there():
    spots = [Spot(s.payload, s.x / 1.5, s.y / 1.5, s.degrees) for s in SPOTS]
    gray = photograph((220, 100), spots, 1.0, seed=6)
    earlier = tuple(sighting(DECK[200 + i], spot.corners(1.0), "deck") for i, spot in enumerate(spots))
    assert not set(read(gray, 0.0, places=earlier)) & {earlier_code.payload for earlier_code in earlier}


def test_a_known_place_without_a_card_gives_nothing():
    rng = np.random.default_rng(7)
    gray = np.clip(rng.normal(128, 30, (100, 220)), 0, 255).astype(np.uint8)
    earlier = tuple(sighting(s.payload, Spot(s.payload, s.x / 1.5, s.y / 1.5, 0).corners(1.0), "deck") for s in SPOTS)
    assert read(gray, 0.0, places=earlier) == {}


def test_codes_of_another_deck_are_left_to_the_general_reader():
    spots = [Spot(payload, 40 + 62 * i, 42, 30.0 * i) for i, payload in enumerate(OTHER_DECK[:5])]
    gray = photograph((330, 84), spots, 1.5, seed=8)
    assert read(gray, 1.5, thorough=True) == {}

    class Other:
        def __init__(self) -> None:
            self.crops: list[tuple[int, ...]] = []

        def read(self, gray: Gray, hints: Hints) -> list[object]:
            self.crops.append(gray.shape)
            return [sighting("FOREIGN", np.array([[1, 2], [30, 2], [30, 31], [1, 31]], dtype=float), "other")]

    other = Other()
    found = DeckReader(other).read(gray, hints(1.5))  # type: ignore[arg-type]
    assert len(other.crops) == 5, "one small crop a foreign code"
    assert all(shape[0] < 84 and shape[1] < 84 for shape in other.crops)
    assert [seen.payload for seen in found] == ["FOREIGN"] * 5
    centres = sorted(float(quad(seen)[:, 0].mean()) for seen in found)
    assert np.allclose(centres, [40 + 62 * i for i in range(5)], atol=16)


def test_in_a_fine_picture_a_quick_look_is_the_general_readers_and_what_it_misses_the_decks():
    spot = Spot(DECK[5], 60, 60, 10.0)
    gray = photograph((120, 120), [spot], 3.0, seed=13)

    class Other:
        def __init__(self, *read: object) -> None:
            self.asked = 0
            self.found = list(read)

        def read(self, gray: Gray, hints: Hints) -> list[object]:
            self.asked += 1
            return self.found

    quick, blind = Other(sighting(DECK[5], spot.corners(3.0), "other")), Other()
    assert [seen.reader for seen in DeckReader(quick).read(gray, hints(3.0))] == ["other"]  # type: ignore[arg-type]
    assert [seen.reader for seen in DeckReader(blind).read(gray, hints(3.0))] == ["deck"]  # type: ignore[arg-type]
    assert blind.asked == 1
    thorough = DeckReader(quick).read(gray, hints(3.0, thorough=True))  # type: ignore[arg-type]
    assert [seen.reader for seen in thorough] == ["deck"]


def test_without_the_deck_the_general_reader_reads_alone():
    class Other:
        def read(self, gray: Gray, hints: Hints) -> list[str]:
            return ["asked"]

    gray = np.zeros((50, 50), dtype=np.uint8)
    assert DeckReader(Other()).read(gray, Hints()) == ["asked"]  # type: ignore[arg-type, comparison-overlap]
    assert DeckReader().read(gray, Hints()) == []


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (5, 400), (40, 40)])
def test_a_picture_without_room_for_a_code_gives_nothing(shape: tuple[int, int]):
    assert read(np.full(shape, 90, dtype=np.uint8), 1.5, thorough=True) == {}


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    blur=st.floats(0.5, 3.0),
    thorough=st.booleans(),
    module=st.floats(1.0, 4.5),
)
def test_noise_is_never_a_card(seed: int, blur: float, thorough: bool, module: float):
    """Blots about as large as modules are what comes nearest to a code."""
    rng = np.random.default_rng(seed)
    noise = cv2.GaussianBlur(rng.normal(0, 1, (180, 240)).astype(np.float32), (0, 0), blur)
    gray = np.asarray(cv2.normalize(noise, None, 0, 255, cv2.NORM_MINMAX), dtype=np.uint8)
    assert read(gray, module, thorough=thorough) == {}


@settings(max_examples=25)
@given(
    number=st.integers(0, len(DECK) - 1),
    x=st.integers(0, 60),
    y=st.integers(0, 60),
    w=st.integers(5, 60),
    h=st.integers(5, 60),
    shade=st.integers(0, 255),
    thorough=st.booleans(),
)
def test_a_damaged_code_is_read_rightly_or_not_at_all(
    number: int, x: int, y: int, w: int, h: int, shade: int, thorough: bool
):
    gray = photograph((90, 90), [Spot(DECK[number], 45, 45, 3.0 * number)], 2.0, seed=number)
    gray[y : y + h, x : x + w] = shade
    assert set(read(gray, 2.0, thorough=thorough)) <= {DECK[number]}


def test_an_answer_in_a_shadow_is_as_sure_as_in_the_light():
    spot = [Spot(DECK[11], 45, 45, 20.0)]
    pose = pose_of(spot[0].corners(2.0))
    book = book_of(PAYLOADS)
    bright = name(photograph((90, 90), spot, 2.0, seed=9), pose, book.sharp)
    dim = name(photograph((90, 90), spot, 2.0, seed=9, shadow=0.35), pose, book.sharp)
    assert book.payloads[bright.code[0]] == book.payloads[dim.code[0]] == DECK[11]
    assert dim.surely[0] > 0.85 * bright.surely[0] > SURE


def test_no_two_codes_of_a_deck_are_so_alike_that_one_could_be_taken_for_the_other():
    flat = evened(np.stack([levels(_clean(payload), _pose())[0] for payload in DECK]))
    book = book_of(PAYLOADS)
    answers = book.sharp.match(flat)
    assert [book.payloads[number] for number in answers.best] == list(DECK)
    assert answers.margin.min() > 0.3


def _clean(payload: str) -> Gray:
    paper = np.pad(np.where(modules(payload), 20, 235), 4, constant_values=235)
    return np.kron(paper, np.ones((4, 4))).astype(np.uint8)


def _pose() -> np.ndarray:
    return np.array([[[4.0, 0.0, 15.5], [0.0, 4.0, 15.5]]])


def test_a_pose_that_is_off_is_moved_to_where_the_code_fits():
    spot = Spot(DECK[21], 60, 60, 33.0)
    gray = photograph((120, 120), [spot], 2.0, seed=10)
    off = pose_of(spot.corners(2.0) + (0.8, -0.7))
    book = book_of(PAYLOADS)
    wanted = book.sharp.codes[[book.numbers[DECK[21]]]]
    better = refined(gray, off, wanted, rounds=8)
    assert np.abs(corners(better)[0] - spot.corners(2.0)).max() < 0.2
    assert np.allclose(middles(better)[0], (60, 60), atol=0.1)


def test_many_codes_are_sampled_as_each_alone_is():
    gray = photograph(SIZE, SPOTS, 1.5, seed=11)
    poses = np.concatenate([pose_of(spot.corners(1.5)) for spot in SPOTS] * 3)
    alone = np.concatenate([levels(gray, pose[None]) for pose in poses])
    assert np.abs(levels(gray, poses) - alone).mean() < 0.05


def test_a_tilted_table_has_its_smallest_and_largest_modules_at_the_pictures_corners():
    plane = Plane(np.array([[0.5, 0.02, 3], [0.01, 0.45, 7], [0.0004, -0.0007, 1]]))
    every = plane.modules((320, 200), 5, 5)
    assert plane.smallest_and_largest((320, 200), 5) == pytest.approx((every.min(), every.max()))
    assert plane.module((320, 200)) == pytest.approx(every[2, 2])


def test_what_is_known_is_not_read_again_and_hides_nothing_beside_it():
    gray = photograph(SIZE, SPOTS, 1.5, seed=12)
    known = tuple(sighting(spot.payload, spot.corners(1.5), "deck") for spot in SPOTS[:9])
    assert read(gray, 1.5, known=known).keys() == {SPOTS[9].payload}


def test_finder_patterns_are_found_to_a_fraction_of_a_pixel():
    gray = photograph(SIZE, SPOTS, 1.5, seed=11)
    points, _ = finders.peaks(finders.likeness(gray, Plane.above(1.5)), 1.5)
    for spot in SPOTS:
        for u, v in ((3.5, 3.5), (SIDE - 3.5, 3.5), (3.5, SIDE - 3.5)):
            assert np.linalg.norm(points - spot.point(u, v, 1.5), axis=1).min() < 0.45


def test_a_square_from_two_finder_patterns_is_where_the_third_would_make_it():
    spot = Spot(DECK[0], 50, 50, 40.0)
    three = [spot.point(*at, 2.0) for at in ((3.5, 3.5), (17.5, 3.5), (3.5, 17.5))]
    for missing in range(3):
        pair = np.array([point for number, point in enumerate(three) if number != missing])
        poses, _ = finders.incomplete(pair, np.ones(2, dtype=np.float32), Plane.above(2.0))
        off = np.abs(corners(poses) - spot.corners(2.0)).max(axis=(1, 2))
        assert off.min() < 0.01


def test_large_pictures_are_searched_in_halves_with_the_same_result():
    rng = np.random.default_rng(12)
    gray = rng.integers(0, 255, (640, 520), dtype=np.uint8)
    whole = finders.likeness(gray, Plane.above(1.6))
    assert gray.size > 300_000
    parts = np.concatenate(
        [finders.likeness(gray[:400], Plane.above(1.6))[:300], finders.likeness(gray[200:], Plane.above(1.6))[100:]]
    )
    assert np.allclose(whole, parts, atol=1e-4)


def test_a_book_needs_codes():
    with pytest.raises(ValueError, match="a code at least"):
        Book(())


def test_the_codes_of_the_test_deck_are_real_codes():
    assert all(Code(p[:2], p[2:5], p[5]) for p in DECK)
