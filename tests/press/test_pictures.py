"""Pictures are files: what of SVG is drawn, in which colours, and what a file that can't be used does."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from companion.files import everywhere
from companion.kept import forget
from companion.press import pictures
from companion.press.drawing import Line, Shape, Text
from companion.press.pictures import MOST_ELEMENTS, PictureError, drawn, filled, picture, read

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'


def svg(inside: str) -> bytes:
    return f"{HEAD}{inside}</svg>".encode()


def spread(loop):
    xs, ys = [x for x, _ in loop], [y for _, y in loop]
    return min(xs), min(ys), max(xs), max(ys)


def test_shapes_strokes_and_words_become_items_in_their_order():
    found = read(
        svg(
            '<rect x="1" y="2" width="3" height="4" fill="#ABC"/>'
            '<path d="M0 0L4 0 4 4Z" fill="none" stroke="#102030" stroke-width="0.5"/>'
            '<text x="5" y="6" font-size="2" text-anchor="middle" font-weight="bold" fill="white">Hi &amp; ho</text>'
        )
    )
    box, line, words = found.items
    assert box == Shape((((1, 2), (4, 2), (4, 6), (1, 6)),), "#aabbcc")
    assert line == Line(((0, 0), (4, 0), (4, 4), (0, 0)), 0.5, "#102030")
    assert words == Text(5, 6, "Hi & ho", 2.0, "#ffffff", "m", True)


def test_groups_hand_on_their_paint_and_their_place():
    [line] = read(
        svg(
            '<g fill="none" stroke="#ff0000" stroke-width="2" transform="translate(1 1) scale(0.5)">'
            '<g transform="rotate(90)"><path d="M2 0L4 0"/></g></g>'
        )
    ).items
    assert isinstance(line, Line)
    assert line.width == 1.0
    assert [round(x, 9) for point in line.points for x in point] == [1, 2, 1, 3]


def test_curves_are_true_to_a_thousandth_of_the_picture():
    [disc] = read(svg('<circle cx="5" cy="5" r="4" fill="#000000"/>')).items
    assert isinstance(disc, Shape)
    assert all(3.99 < ((x - 5) ** 2 + (y - 5) ** 2) ** 0.5 <= 4.0001 for x, y in disc.loops[0])
    [bow] = read(svg('<path d="M1 5A4 4 0 0 1 9 5Z" fill="#000000"/>')).items
    assert isinstance(bow, Shape)
    assert spread(bow.loops[0]) == pytest.approx((1, 1, 9, 5), abs=0.01)
    [round_box] = read(svg('<rect x="0" y="0" width="6" height="4" rx="1"/>')).items
    assert isinstance(round_box, Shape)
    assert spread(round_box.loops[0]) == pytest.approx((0, 0, 6, 4))


def test_a_hole_is_a_seam():
    [ring] = read(svg('<path fill-rule="evenodd" fill="#000000" d="M0 0H9V9H0ZM3 3H6V6H3Z"/>')).items
    assert isinstance(ring, Shape)
    assert len(ring.loops) == 1
    [two] = read(svg('<path fill="#000000" d="M0 0H2V2H0ZM3 3H6V6H3Z"/>')).items
    assert isinstance(two, Shape)
    assert len(two.loops) == 2


def test_a_tint_is_given_by_who_draws_and_else_as_in_the_file():
    found = read(svg('<circle r="1" fill="var(--main, #112233)" stroke="var(--dark,#445566)"/>'))
    assert [item.fill if isinstance(item, Shape) else item.colour for item in found.items] == ["#112233", "#445566"]
    other = found.tint({"main": "#ffffff"})
    assert [item.fill if isinstance(item, Shape) else item.colour for item in other] == ["#ffffff", "#445566"]


def test_a_mark_is_filled_in_its_place_between_the_items():
    found = read(
        svg(
            '<rect width="1" height="1"/><circle class="mark red star" cx="4" cy="5" r="2"/>'
            '<rect width="2" height="2"/>'
        )
    )
    [mark] = found.marks
    assert (mark.name, mark.x, mark.y, mark.r, mark.after) == ("red star", 4, 5, 2, 1)
    first, put, last = filled(found, {}, lambda mark: [Line(((0, 0), (1, 0)), 0.5, "#000000")])
    assert put == Line(((4, 5), (6, 5)), 1.0, "#000000")
    assert (first, last) == found.items


def test_what_an_editor_adds_is_passed_over():
    found = read(
        svg(
            '<title>A fox</title><metadata><x/></metadata><sodipodi:namedview xmlns:sodipodi="urn:x" id="v"/>'
            '<path style="fill:#123456;stroke:none;opacity:1" d="M0 0H1V1Z"/>'
            '<g style="display:none"><rect width="1" height="1"/></g>'
        )
    )
    assert [item.fill for item in found.items if isinstance(item, Shape)] == ["#123456"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"GIF89a", "no SVG file"),
        (b"<html/>", "<html>"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "viewBox"),
        (b"<!DOCTYPE svg [<!ENTITY a 'b'>]>" + svg(""), "DOCTYPE"),
        (svg("<script>alert(1)</script>"), "<script>"),
        (svg('<image href="http://example.org/a.png"/>'), "<image>"),
        (svg('<g onclick="x()"/>'), "onclick"),
        (svg('<g xmlns:l="http://www.w3.org/1999/xlink" l:href="#a"/>'), "href"),
        (svg('<rect width="1" height="1" fill="url(#g)"/>'), "one colour"),
        (svg('<rect width="1" height="1" style="fill-opacity:0.5"/>'), "see-through"),
        (svg('<circle r="x"/>'), "a number"),
        (svg('<circle r="nan"/>'), "a number"),
        (svg('<path d="M0 0 L"/>'), "can't be read"),
        (svg('<g transform="skewX(3)"/>'), "transform"),
        (svg("<g/>" * MOST_ELEMENTS), "parts"),
        (svg("<g>" * 30 + "</g>" * 30), "nest deeper"),
        (svg('<path d="M0 0' + "C1e9 0 0 1e9 1e9 1e9" * 9 + '"/>'), "points"),
    ],
)
def test_what_can_not_be_used_is_told_in_a_sentence(data: bytes, said: str):
    with pytest.raises(PictureError, match=re.escape(said)):
        read(data)


@pytest.fixture
def _owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    forget()
    yield
    forget()


@pytest.mark.usefixtures("_owners")
def test_an_owners_picture_lies_over_the_programs_and_a_bad_one_is_said(tmp_path: Path, caplog):
    ours = picture("collectible", "hats/straw")
    own = tmp_path / "card_codes" / "collectible" / "art" / "hats" / "straw.svg"
    own.parent.mkdir(parents=True)
    own.write_bytes(svg('<circle r="3" fill="#010203"/>'))
    forget()
    assert [item.fill for item in drawn("collectible", "hats/straw") if isinstance(item, Shape)] == ["#010203"]
    for bad, said in ((svg("<script/>"), "<script>"), (b" " * (pictures.LARGEST + 1), "kB")):
        own.write_bytes(bad)
        forget()
        with caplog.at_level(logging.WARNING):
            assert picture("collectible", "hats/straw") == ours
        assert said in caplog.text
        assert "The program's own is shown" in caplog.text
    own.unlink()
    own.mkdir()
    forget()
    assert picture("collectible", "hats/straw") == ours
    assert "Is a directory" in caplog.text


def test_every_file_is_read_and_all_together_hold_less_than_100_000_numbers():
    files = everywhere("card_codes", "*/art/**/*.svg")
    count = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert read(text.encode()).items, path
        bare = re.sub(r"#[0-9a-f]{6}|<title>.*?</title>|xmlns=\S+", "", text)
        count += len(re.findall(r"-?(?:\d+\.?\d*|\.\d+)", bare))
    assert len(files) > 300
    assert count <= 100_000
