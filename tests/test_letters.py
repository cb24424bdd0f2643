"""What is set has its letters, in its direction: Latin with accents, Cyrillic, Greek and Hebrew."""

import io

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PIL import ImageDraw

from companion.eye import overlay
from companion.letters import aileron, arimo, font, laid
from companion.press.drawing import Drawing, Text
from companion.press.raster import render
from companion.press.vector import pdf_of

NAMES = ("Žofie", "Łukasz", "Søren", "Zoë", "Дмитрий", "Ґалаґан", "Ελένη", "Άννα")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_keeps_all_of_its_letters(name):
    assert laid(name) == name
    known = TTFont(arimo()).getBestCmap()
    assert all(ord(letter) in known for letter in name)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("דנה", "הנד"),
        ("דנה לוי", "יול הנד"),
        ("שלום!", "!םולש"),
        ("דנה draws 2 cards.", "הנד draws 2 cards."),
        ("Bo and דנה: 12", "Bo and הנד: 12"),
        ("Bo, דנה 12 (לוי) wins", "Bo, הנד 12 (יול) wins"),
        ("דנה (כהן) לוי", "יול (ןהכ) הנד"),
        ("שָׁלוֹם", "םולש"),
    ],
)
def test_hebrew_runs_from_right_to_left(words, shown):
    assert laid(words) == shown


def test_what_english_lacks_only_a_sign_of_stays_in_its_font():
    assert laid("5 × 3 – 2") == "5 x 3 - 2"
    assert laid("5 × Дама – 2") == "5 × Дама – 2"


def test_a_letter_that_no_font_has_loses_its_accent_or_is_left_out():
    assert laid("Ａ小🦊Bo") == "ABo"


def test_english_is_set_in_the_first_font_and_all_of_a_line_with_another_letter_in_the_second():
    assert font(20, laid("Zofie")).getname()[0] == "Aileron"
    assert font(20, laid("Žofie")).getname()[0] == "Arimo"


@pytest.mark.parametrize("name", ["Zofie", *NAMES, "דנה"])
def test_a_name_is_drawn_in_a_picture_and_a_pdf_has_only_the_fonts_of_its_lines(name):
    sheet = Drawing(60, 20, [Text(30, 15, name, 8)])
    assert (np.asarray(render(sheet, 4).convert("L")) < 128).sum() > 200
    written = pdf_of([sheet], "Names")
    assert [one in written for one in (b"+Aileron", b"+Arimo")] == [name == "Zofie", name != "Zofie"]
    assert len(written) < 12_000


def test_a_name_on_the_cameras_picture_is_set_too(monkeypatch):
    drawn = []
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", lambda pen, at, words, **how: drawn.append((words, how["font"])))
    texts = [((50, 50), "Höger hög", overlay.ZONE), ((200, 150), "דנה", overlay.ZONE)]
    overlay._written(np.zeros((200, 400, 3), np.uint8), texts)
    assert [words for words, _ in drawn] == ["Höger hög", "הנד"]
    assert {one.getname()[0] for _, one in drawn} == {"Arimo"}


def test_aileron_has_all_of_ascii():
    known = TTFont(io.BytesIO(aileron())).getBestCmap()
    assert all(code in known for code in range(0x20, 0x7F))
