"""How well the camera sees: what is wrong is named, with where, and what would help."""

from __future__ import annotations

import re

import cv2
import msgspec
import numpy as np
import pytest

from companion.eye.markers import MarkerFinder
from companion.eye.quality import NEED, Quality, judge, place
from companion.eye.troubles import of_picture
from companion.eye.view import Frame, Gray
from tests.eye.tables import Card, Session, Table, test_mat

MAT = test_mat()
FINDER = MarkerFinder(MAT)
CARDS = [Card("001", 61, 100), Card("002", 133, 100), Card("003", 290, 100)]


class Zoomed(Table):
    """The same table from another height."""

    zoom: float = 1.0
    lamp: tuple[float, float, float] | None = None
    """Where a lamp is mirrored, and how large (mm)."""

    def homography(self) -> np.ndarray:
        x, y = (self.size[0] - 1) / 2, (self.size[1] - 1) / 2
        about = np.array([[self.zoom, 0, x * (1 - self.zoom)], [0, self.zoom, y * (1 - self.zoom)], [0, 0, 1.0]])
        return np.asarray(about @ super().homography())

    def picture(self) -> Gray:
        seen = super().picture()
        if self.lamp is not None:
            x, y = self.to_px(*self.lamp[:2])
            edge = self.to_px(self.lamp[0] + self.lamp[2], self.lamp[1])[0]
            cv2.circle(seen, (round(x), round(y)), round(edge - x), 255, -1, cv2.LINE_AA)
        return seen


def quality(
    frames: int = 8, zoom: float = 1.0, lamp: tuple[float, float, float] | None = None, **how: object
) -> Quality:
    plain: dict[str, object] = {"cards": list(CARDS), "light": 0.85}
    table = Zoomed(MAT, **{**plain, **how})  # type: ignore[arg-type]
    table.zoom, table.lamp = zoom, lamp
    session = Session(table)
    session.run(frames)
    found = judge(session.eye, FINDER)
    assert found is not None
    return found


def test_before_the_first_frame_nothing_is_known() -> None:
    assert judge(Session(Table(MAT)).eye, FINDER) is None


@pytest.mark.parametrize(("size", "told"), [((640, 480), True), ((480, 640), True), ((1280, 720), False)])
def test_a_picture_that_is_too_small_for_any_mat_is_told_with_what_to_set(size: tuple[int, int], told: bool) -> None:
    mat = msgspec.structs.replace(MAT, w=900.0, h=506.0)
    found = of_picture(size, mat)
    assert [trouble.kind for trouble in found] == ["small-picture"] * told
    assert not told or f"{size[0]} × {size[1]} pixels" in found[0].words
    eye = Session(Table(mat)).eye
    view = eye.see(Frame(np.zeros(size[::-1], np.uint8), 0.0, 0))
    assert view is not None
    assert [trouble.kind for trouble in view.troubles].count("small-picture") == told


def test_a_good_picture_is_called_good_and_measured() -> None:
    found = quality()
    assert (found.verdict, found.advice, found.foreign) == ("good", (), ())
    assert {marker.state for marker in found.markers} == {"seen"}
    assert len(found.markers) == len(MAT.markers)
    # A piece of which one code is read need not have the other read.
    assert {code.piece for code in found.codes if code.read} == {"001", "002", "003"}
    assert len(found.codes) == 6
    assert {code.why for code in found.codes} <= {(), ("unclear",)}
    assert found.module is not None
    assert found.blur is not None
    assert found.paper is not None
    # 960 px for 360 mm with 8 % round it, a code of 22 mm has 21 modules; paper is 255, in this light 0.85 of it.
    assert found.module[0] == pytest.approx(540 / (204 * 1.08) * 22 / 21, rel=0.03)
    assert found.paper == pytest.approx(255 * 0.85, abs=6)
    assert found.tilt == pytest.approx(0, abs=2)


@pytest.mark.parametrize("blur", [1.0, 2.0, 3.0])
def test_blur_is_measured(blur: float) -> None:
    assert quality(frames=1, blur=blur).blur == pytest.approx(blur, rel=0.2)


def test_a_mirrored_lamp_is_found_with_its_place_and_the_codes_it_hides() -> None:
    found = quality(lamp=(46.0, 61.0, 12.0))
    assert found.lamps == ("in the upper left corner",)
    assert found.advice[0] == "A lamp is mirrored in the upper left corner: move it, or turn it to the ceiling."
    assert found.verdict == "fair"
    hard = [(code.piece, code.read) for code in found.codes if "glare" in code.why]
    assert ("001", False) in hard
    assert {piece for piece, _ in hard} == {"001"}


def test_a_blurred_picture_is_told_from_a_small_one() -> None:
    blurred = quality(frames=1, blur=2.6)
    assert any(words.startswith("The picture is blurred") for words in blurred.advice)
    assert not any("small" in words for words in blurred.advice)
    small = quality(frames=1, size=(480, 270), blur=0.5)
    assert small.advice == (
        "The codes are small in the picture: let the camera give larger pictures, 530 pixels wide at least (now 480).",
    )


def test_too_little_light_is_said() -> None:
    assert any("little light" in words for words in quality(frames=1, light=0.35).advice)


def test_hidden_markers_are_named_with_their_place() -> None:
    found = quality(covers=[(0.0, 0.0, 200.0, 26.0), (0.0, 26.0, 26.0, 100.0)])
    missing = [marker for marker in found.markers if marker.state != "seen"]
    assert {(marker.state, marker.where) for marker in missing} == {
        ("covered", "in the upper left corner"),
        ("covered", "at the upper edge"),
        ("covered", "at the left edge"),
    }
    assert any(re.match(r"\d of 12 markers are not seen: free those", words) for words in found.advice)


def test_without_enough_markers_nothing_else_is_known() -> None:
    found = quality(frames=1, covers=[(0.0, 0.0, 360.0, 150.0), (0.0, 140.0, 200.0, 64.0)])
    assert (found.verdict, found.module, found.codes) == ("bad", None, ())
    assert {marker.state for marker in found.markers} == {"seen", "unseen"}


def test_a_mat_that_is_not_wholly_in_the_picture_has_to_be_brought_in() -> None:
    aside = quality(frames=1, shift=(140.0, 0.0), zoom=0.9)
    assert any(words.startswith("The mat reaches beyond the picture at the right:") for words in aside.advice)
    assert {marker.state for marker in aside.markers if "right" in marker.where} & {"outside"}
    near = quality(frames=1, zoom=1.13, tilt=25.0)
    assert any(re.search(r"does not fit into the picture: raise the camera \d+ cm\.", words) for words in near.advice)


def test_a_camera_that_hangs_too_high_is_lowered_by_so_much() -> None:
    high = quality(frames=1, zoom=0.5, tilt=25.0)
    said = [re.search(r"small in the picture: lower the camera (\d+) cm\.", words) for words in high.advice]
    found = [int(match.group(1)) for match in said if match]
    assert high.height is not None
    assert high.module is not None
    assert found
    assert found[0] == pytest.approx(high.height / 10 * (1 - high.module[0] / NEED), abs=3)


def test_a_foreign_mats_markers_are_told() -> None:
    other = Session(Table(MAT, list(CARDS), light=0.85))
    other.run(4)
    # The same picture for a mat that has only some of these markers.
    other.eye.mat = type(MAT)(
        **{name: getattr(MAT, name) for name in MAT.__struct_fields__} | {"markers": MAT.markers[:8]}
    )
    found = judge(other.eye, FINDER)
    assert found is not None
    assert found.foreign == tuple(marker.id for marker in MAT.markers[8:])


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (10, 10, "in the upper left corner"),
        (500, 10, "at the upper edge"),
        (990, 590, "in the lower right corner"),
        (500, 300, "in the middle"),
        (10, 300, "at the left edge"),
        (1200, -20, "in the upper right corner"),
    ],
)
def test_places_in_the_picture_have_words(x: float, y: float, words: str) -> None:
    assert place((1000, 600), x, y) == words
