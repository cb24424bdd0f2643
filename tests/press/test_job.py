"""What `companion press` writes, and what it says when it can't."""

import collections
import json
import re
import subprocess
from functools import partial

import cv2
import msgspec
import numpy as np
import pytest
import zxingcpp
from PIL import Image

from companion.codes import BACK, Code
from companion.eye.markers import MarkerFinder
from companion.eye.mat import CodePlace
from companion.games import load_deck, load_neutral_mat, load_printed_mat
from companion.press import PressError, job
from companion.press.job import Order, press, press_deck, press_mat
from companion.press.pngs import write_pngs
from tests.press.conftest import PRINTED

GAME = "five-cards-collector"
PAPER = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


def sizes(pdf):
    """List the pages' sizes in mm."""
    told = subprocess.run(["pdfinfo", "-f", "1", "-l", "999", pdf], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in told.splitlines() if "size:" in line and line.startswith("Page ")]
    return [(float(parts[3]) / 72 * 25.4, float(parts[5]) / 72 * 25.4) for parts in lines]


def page(pdf, number, dpi, folder):
    """Rasterise one page: gray, and pixels a mm."""
    stem = folder / f"{pdf.stem}-{number}-{dpi}"
    command = ["pdftoppm", "-r", str(dpi), "-f", str(number), "-l", str(number), "-gray", "-singlefile", pdf, stem]
    subprocess.run(command, check=True)
    return np.asarray(Image.open(stem.with_suffix(".pgm"))), dpi / 25.4


def codes(gray, scale):
    """Read a page: (payload, x, y) in mm."""
    found = []
    for code in zxingcpp.read_barcodes(gray):
        p = code.position
        xs, ys = zip(*((q.x, q.y) for q in (p.top_left, p.top_right, p.bottom_right, p.bottom_left)), strict=True)
        found.append((code.text, (sum(xs) / 4 + 0.5) / scale, (sum(ys) / 4 + 0.5) / scale))
    return found


def longest_run(rows):
    """Find the longest unbroken dark run along any row, in pixels."""
    best = 0
    for row in rows < 200:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        best = max(best, *(edges[1::2] - edges[::2]), 0) if len(edges) else best
    return best


# ---------------------------------------------------------------------------------------------------------------- PDF


@pytest.mark.parametrize("paper", PAPER)
@pytest.mark.night
def test_card_sheets_hold_nine_cards_and_have_the_papers_size(pdfs, deck, paper):
    got = sizes(pdfs[paper] / "cards.pdf")
    assert len(got) == 2 + 2 * -(-len(deck.cards[: PRINTED[paper]]) // 9), "the cover and its back come first"
    for size in got:
        assert size == pytest.approx(PAPER[paper], abs=0.02)


@pytest.mark.night
@pytest.mark.parametrize("paper", PAPER)
def test_every_code_of_a_card_sheet_reads_at_150_dpi_at_its_place(pdfs, deck, mat, paper, tmp_path):
    w, h = PAPER[paper]
    for number, first in ((3, 0), (7, 18)):
        seen = codes(*page(pdfs[paper] / "cards.pdf", number, 150, tmp_path))
        wanted = []
        for index, card in enumerate(deck.cards[first : first + 9]):
            left, top = (w - 189) / 2 + index % 3 * 63, (h - 264) / 2 + index // 3 * 88
            for place in mat.shape_of(card.kind).codes[:2]:
                wanted.append((str(Code("FC", card.piece, "F")), left + place.x, top + place.y))
        assert len(seen) == len(wanted) == 18
        for payload, x, y in wanted:
            assert any(text == payload and abs(x - a) < 0.25 and abs(y - b) < 0.25 for text, a, b in seen), payload


def test_backs_lie_behind_their_fronts_when_printed_on_both_sides(pdfs, printed, tmp_path):
    # the last sheet holds one card only: its back must be on the other side of the page
    front = sorted(codes(*page(pdfs["a4"] / "cards.pdf", 9, 150, tmp_path)), key=lambda c: c[2])
    back = sorted(codes(*page(pdfs["a4"] / "cards.pdf", 10, 150, tmp_path)), key=lambda c: c[2])
    assert [text[2:6] for text, _, _ in front] == [f"{printed[-1].piece}F"] * 2
    assert [text[2:6] for text, _, _ in back] == [f"{BACK}B"] * 2
    left, left_behind = front[0][1] - 11.3, back[0][1] - 11.3
    assert left_behind == pytest.approx(210 - left - 63, abs=0.3)
    assert back[0][2] == pytest.approx(front[0][2], abs=0.3)


@pytest.mark.night
def test_the_check_ruler_is_100_mm_long(pdfs, tmp_path):
    gray, scale = page(pdfs["a4"] / "cards.pdf", 3, 150, tmp_path)
    assert longest_run(gray[round(281.5 * scale) :]) / scale == pytest.approx(100, abs=0.4)
    # Letter has no room below the cards: there it runs down the side
    gray, scale = page(pdfs["letter"] / "cards.pdf", 3, 150, tmp_path)
    side = gray[:, round((215.9 - 13.4 + 5) * scale) :]
    assert longest_run(side.T) / scale == pytest.approx(100, abs=0.4)
    for name, high in (("stickers", 11.5), ("mat-tiled", 16), ("mat-large", 11.5)):
        gray, scale = page(pdfs["a4"] / f"{name}.pdf", 1, 120, tmp_path)
        below = gray[-round(high * scale) : -round(4 * scale)]
        assert longest_run(below) / scale == pytest.approx(100, abs=0.4), name


@pytest.mark.night
def test_stickers_are_one_for_every_code_of_every_card(pdfs, printed, tmp_path):
    pdf = pdfs["a4"] / "stickers.pdf"
    seen = collections.Counter()
    for number, size in enumerate(sizes(pdf), start=1):
        assert size == pytest.approx(PAPER["a4"], abs=0.02)
        seen.update(text for text, _, _ in codes(*page(pdf, number, 150, tmp_path)))
    wanted = collections.Counter({str(Code("FC", card.piece, "F")): 2 for card in printed})
    wanted[str(Code("FC", BACK, "B"))] = 2 * len(printed)
    assert seen == wanted


@pytest.mark.night
def test_markers_for_a_real_board_have_their_size_and_number(pdfs, mat, tmp_path):
    gray, scale = page(pdfs["a4"] / "markers.pdf", 1, 200, tmp_path)
    finder = MarkerFinder(mat)
    seen = finder.find(gray)
    assert sorted(seen) == [marker.id for marker in mat.markers[:8]]
    for corners in seen.values():
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) / scale
        assert sides == pytest.approx([25.0] * 4, abs=0.3)
    pdf = pdfs["a4"] / "markers.pdf"
    said = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    assert "Marker 0 · 25 mm" in said


def test_stickers_say_which_card_they_belong_to(pdfs, printed):
    said = subprocess.run(["pdftotext", pdfs["a4"] / "stickers.pdf", "-"], capture_output=True, text=True, check=True)
    words = " ".join(said.stdout.split())
    for card in printed:
        assert card.title in words


@pytest.mark.night
def test_pdfs_are_vectors_and_their_words_are_text(pdfs, printed):
    for pdf in sorted(pdfs["a4"].glob("*.pdf")):
        images = subprocess.run(["pdfimages", "-list", pdf], capture_output=True, text=True, check=True).stdout
        assert len(images.splitlines()) == 2, pdf.name
        fonts = subprocess.run(["pdffonts", pdf], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
        assert fonts
        assert all(" yes yes " in line for line in fonts), "every font is embedded, and only what is used of it"
    said = subprocess.run(["pdftotext", pdfs["a4"] / "cards.pdf", "-"], capture_output=True, text=True, check=True)
    words = " ".join(said.stdout.split())
    for card in printed:
        assert card.title in words


@pytest.mark.night
@pytest.mark.parametrize(("paper", "columns", "rows", "turned"), [("a4", 5, 2, False), ("letter", 4, 3, True)])
def test_the_tiles_of_the_mat_join_to_the_whole(pdfs, mat, paper, columns, rows, turned, tmp_path):
    pdf = pdfs[paper] / "mat-tiled.pdf"
    got = sizes(pdf)
    sheet = PAPER[paper][::-1] if turned else PAPER[paper]
    assert got == [pytest.approx(sheet, abs=0.02)] * (columns * rows)
    wide, high = (mat.w + 10 * (columns - 1)) / columns, (mat.h + 10 * (rows - 1)) / rows
    left, top = (sheet[0] - wide) / 2, (sheet[1] - high) / 2
    scale = 100 / 25.4
    whole = np.zeros((round(mat.h * scale) + 2, round(mat.w * scale) + 2), np.uint8)
    for number in range(columns * rows):
        gray, _ = page(pdf, number + 1, 100, tmp_path)
        column, row = number % columns, number // columns
        # what is cut off at the left and upper edge lies under the neighbour: later tiles go on top
        x, y = round(column * (wide - 10) * scale), round(row * (high - 10) * scale)
        cut = gray[round(top * scale) : round((top + high) * scale), round(left * scale) : round((left + wide) * scale)]
        whole[y : y + cut.shape[0], x : x + cut.shape[1]] = cut[: whole.shape[0] - y, : whole.shape[1] - x]
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat.dictionary))
    quads, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(whole)
    places = {marker.id: (marker.x, marker.y) for marker in mat.markers}
    assert {int(number) for number in ids.ravel()} == set(places)
    for number, quad in zip(ids.ravel(), quads, strict=True):
        assert (quad[0].mean(axis=0) + 0.5) / scale == pytest.approx(places[int(number)], abs=0.5)


def test_the_large_mat_is_one_page_with_a_margin_of_12_mm(pdfs, mat, tmp_path):
    pdf = pdfs["a4"] / "mat-large.pdf"
    assert sizes(pdf) == [pytest.approx((mat.w + 24, mat.h + 24), abs=0.05)]


# ---------------------------------------------------------------------------------------------------------------- PNG


@pytest.mark.night
def test_the_manifest_names_every_face_and_the_mat(deck, mat, tmp_path):
    deck = msgspec.structs.replace(deck, cards=deck.cards[::30])
    written = write_pngs(deck, mat, tmp_path, card_scale=4, mat_scale=1)
    told = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert set(told) == {"mat", "pieces"}
    assert told["mat"] == {"file": "mat.png", "w_mm": 900.0, "h_mm": 506.0}
    assert len(told["pieces"]) == len(deck.cards) + 1
    named = {tmp_path / entry["file"] for entry in (told["mat"], *told["pieces"])}
    assert set(written) - named == {tmp_path / name for name in ("manifest.json", "mat-outlines.png", "cover.png")}
    for entry in told["pieces"]:
        assert set(entry) == {"file", "piece", "face", "w_mm", "h_mm"}
        image = Image.open(tmp_path / entry["file"])
        assert image.size == (round(entry["w_mm"] * 4), round(entry["h_mm"] * 4))
        read = {code.text for code in zxingcpp.read_barcodes(np.asarray(image.convert("L")))}
        assert read == {str(Code("FC", entry["piece"], entry["face"]))}
    assert Image.open(tmp_path / "mat.png").size == (900, 506)


@pytest.mark.night
def test_png_comes_with_sticker_pages_if_wanted(deck, mat, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "write_pngs", partial(write_pngs, card_scale=4, mat_scale=1))  # coarse, to be quick
    few = msgspec.structs.replace(deck, cards=deck.cards[:3])
    written = press(GAME, few, mat, tmp_path / "new" / "folder", Order("png", "letter", stickers=True))
    assert [path.name for path in written[-2:]] == ["manifest.json", "stickers-01.png"]
    assert all(path.stat().st_size > 0 for path in written)
    stickers = zxingcpp.read_barcodes(np.asarray(Image.open(written[-1]).convert("L")))
    assert len(stickers) == 3 * 2 + 3 * 2


@pytest.mark.night
def test_pressing_twice_gives_the_same_images(deck, mat, tmp_path):
    few = msgspec.structs.replace(deck, cards=deck.cards[:2])
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_pngs(few, mat, tmp_path / name, card_scale=4, mat_scale=1)
    first = sorted((tmp_path / "one").rglob("*.*"))
    assert len(first) == 7
    for path in first:
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


# ------------------------------------------------------------------------------------------------------------ errors


def test_an_unknown_paper_or_format_is_refused_with_the_choices(deck, mat, tmp_path):
    with pytest.raises(PressError, match="a3; choose a4 or letter"):
        press(GAME, deck, mat, tmp_path, Order("pdf", "a3"))
    with pytest.raises(PressError, match="svg; choose pdf or png"):
        press(GAME, deck, mat, tmp_path, Order("svg"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("format", ["pdf", "png"])
def test_a_folder_that_can_not_be_written_is_named(deck, mat, tmp_path, format):
    taken = tmp_path / "taken"
    taken.write_text("a file, not a folder")
    few = msgspec.structs.replace(deck, cards=deck.cards[:1])
    with pytest.raises(PressError, match=r"can't write into .*taken .*--out"):
        press(GAME, few, mat, taken, Order(format))
    blocked = tmp_path / "blocked"
    for name in ("cards.pdf", "cards/001-F.png"):
        (blocked / name).mkdir(parents=True)
    with pytest.raises(PressError, match=r"can't write into .*blocked"):
        press(GAME, few, mat, blocked, Order(format))


def test_files_of_another_game_are_refused(deck, mat, tmp_path):
    with pytest.raises(PressError, match=r"collectors/deck\.toml says that it belongs to five-cards-collector"):
        press("collectors", deck, mat, tmp_path)
    with pytest.raises(PressError, match=r"mat\.toml says that it belongs to x"):
        press(GAME, deck, msgspec.structs.replace(mat, game="x"), tmp_path)


@pytest.mark.parametrize(("code", "piece"), [("FC", "0b1"), ("FC", "1"), ("F", "001"), ("F1", "001"), ("FC", "Ä01")])
def test_a_number_that_makes_no_code_is_named(deck, mat, tmp_path, code, piece):
    card = msgspec.structs.replace(deck.cards[0], piece=piece)
    wrong = msgspec.structs.replace(deck, code=code, cards=(card,))
    with pytest.raises(PressError, match=r"deck\.toml: .* is no code"):
        press(GAME, wrong, mat, tmp_path)


def test_a_card_may_not_have_the_number_of_the_backs(deck, mat, tmp_path):
    card = msgspec.structs.replace(deck.cards[0], piece=BACK)
    with pytest.raises(PressError, match="belongs to the back"):
        press(GAME, msgspec.structs.replace(deck, cards=(card,)), mat, tmp_path)


def test_a_code_that_reaches_beyond_the_piece_is_named(deck, mat, tmp_path):
    shape = msgspec.structs.replace(mat.shapes[0], codes=(CodePlace("F", 14.0, 20.0, 22.0),))
    with pytest.raises(PressError, match=r"shape card, with its white edge of 30\.4 mm, reaches beyond"):
        press(GAME, deck, msgspec.structs.replace(mat, shapes=(shape,)), tmp_path)


def test_a_shape_without_a_front_code_is_named(deck, mat, tmp_path):
    shape = msgspec.structs.replace(mat.shapes[0], codes=(CodePlace("B", 20.0, 20.0, 22.0),))
    with pytest.raises(PressError, match="no code on a front"):
        press(GAME, deck, msgspec.structs.replace(mat, shapes=(shape,)), tmp_path)


def test_a_piece_larger_than_the_paper_is_named(deck, mat, tmp_path):
    shape = msgspec.structs.replace(mat.shapes[0], w=300.0, h=400.0)
    with pytest.raises(PressError, match="300 × 400 mm does not fit"):
        press(GAME, deck, msgspec.structs.replace(mat, shapes=(shape,)), tmp_path)


# ------------------------------------------------------------------------------------------- cover, test page, outlines


def words(pdf):
    """Read a PDF's words."""
    said = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    return " ".join(said.split())


@pytest.mark.night
def test_the_test_page_shows_size_tones_lines_and_codes(pdfs, deck, tmp_path):
    for paper in PAPER:
        pdf = pdfs[paper] / "test-page.pdf"
        assert sizes(pdf) == [pytest.approx(PAPER[paper], abs=0.02)]
        gray, scale = page(pdf, 1, 300, tmp_path)
        # the line of 100 mm across, and the bank card's outline of 85.6 mm below it
        top = gray[round(60 * scale) : round(80 * scale), round(15 * scale) : round(130 * scale)]
        assert longest_run(top) / scale == pytest.approx(100, abs=0.4)
        seen = codes(gray, scale)
        assert [text for text, _, _ in seen] == [str(Code("FC", deck.cards[0].piece, "F"))] * 4
    levels = np.unique(gray)
    assert {0, 255} <= set(levels.tolist())
    assert len(levels[(levels > 100) & (levels < 200)]) >= 2


@pytest.mark.night
def test_the_cover_comes_first_and_says_how_to_print(pdfs, deck, tmp_path):
    gray, _ = page(pdfs["a4"] / "cards.pdf", 1, 60, tmp_path)
    middle = gray[gray.shape[0] // 4 : gray.shape[0] * 3 // 4, gray.shape[1] // 4 : gray.shape[1] * 3 // 4]
    assert middle.mean() < 235, "the box cover is printed there"
    assert "Print test-page.pdf first" in words(pdfs["a4"] / "cards.pdf")


@pytest.mark.night
def test_cards_without_codes_have_none_and_tokens_keep_theirs(tmp_path):
    game = "karmic-collections"
    deck = load_deck(game)
    few = msgspec.structs.replace(deck, cards=(*deck.cards[:2], deck.of_kind("pawn")[0]))
    press(game, few, load_printed_mat(game, 6), tmp_path, Order(codes=False))
    seen = [text for n in (3, 4, 5) for text, _, _ in codes(*page(tmp_path / "cards.pdf", n, 150, tmp_path))]
    assert {text[:5] for text in seen} == {str(Code("KC", few.cards[2].piece, "F"))[:5]}
    assert "These cards carry no codes" in words(tmp_path / "cards.pdf")


@pytest.mark.parametrize("game", ["karmic-collections", "collection", "collectors"])
def test_every_sheet_of_fronts_has_a_back_page_behind_it(game, tmp_path):
    # Pawns have nothing on their backs: the fronts that follow were printed there.
    deck, mat = load_deck(game), load_printed_mat(game, 4)
    few = [card for shape in mat.shapes for card in deck.cards if mat.shape_of(card.kind) == shape]
    few = [card for n, card in enumerate(few) if n == 0 or card.kind != few[n - 1].kind]
    press_deck(msgspec.structs.replace(deck, cards=tuple(few)), mat, tmp_path)
    pages = len(sizes(tmp_path / "cards.pdf"))
    assert pages == 2 + 2 * len({mat.shape_of(card.kind).name for card in few})
    said = subprocess.run(["pdftotext", tmp_path / "cards.pdf", "-"], capture_output=True, text=True, check=True).stdout
    sides = [re.findall(r"1 of 1 · (front|back)", one) for one in said.split("\f")[2:-1]]
    assert sides == [["front"], ["back"]] * (pages // 2 - 1)
    assert "tokens (" in said


def test_the_mat_in_outlines_is_white_and_has_the_same_markers(pdfs, mat, tmp_path):
    for number in (1, 10):
        gray, _ = page(pdfs["a4"] / "mat-outlines.pdf", number, 60, tmp_path)
        assert (gray > 200).mean() > 0.9
    assert sizes(pdfs["a4"] / "mat-outlines.pdf") == sizes(pdfs["a4"] / "mat-tiled.pdf")


@pytest.mark.night
def test_a_neutral_mat_is_pressed_by_itself(tmp_path):
    files = press_mat(load_neutral_mat("tricks", 4), tmp_path, Order(seats=4), "tricks-")
    assert [file.name for file in files] == ["tricks-mat-large.pdf", "tricks-mat-tiled.pdf", "tricks-mat-outlines.pdf"]
    said = words(files[0])
    assert "Tricks taken" in said
    assert "Players" not in said, "it is printed for four"


def test_files_stay_small(pdfs):
    for pdf in pdfs["a4"].glob("*.pdf"):
        assert pdf.stat().st_size < 3_000_000, pdf.name
