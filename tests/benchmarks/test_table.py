"""Counting what an eye makes of photographed tables: eyes that say what a test wants, and one real one."""

import io
import itertools
import json
import shutil

import cv2
import msgspec
import numpy as np
import pytest
from rich.console import Console

from benchmarks import table, table_faces, table_truth
from benchmarks.table_judge import Judge
from benchmarks.table_truth import (
    PHOTOS,
    Shown,
    TablePhoto,
    TrueCode,
    TruePiece,
    find_folders,
    load_shows,
    mat_of,
)
from benchmarks.table_watch import COLD, NEXT, Noise, Outcome, PieceSeen, watch
from companion import games
from companion.bench.figures import WIDTH, BenchError, tell
from companion.codes import BACK, Code
from companion.eye.faces.asking import Doubt
from companion.eye.faces.deck import TaughtDeck, TaughtFace
from companion.eye.places import Pose
from companion.eye.view import Placement, TableView

GAME = games.load("five-cards-collector")
MAT = games.load_printed_mat("five-cards-collector", 4)
BOOK = games.code_book(GAME.deck, MAT)
RED, BLUE = [card.piece for card in GAME.deck.cards if card.piece != BACK][:2]
USED, DECK = MAT.zone("used"), MAT.zone("deck")


def square(side=42.0):
    return ((0.0, 0.0), (side, 0.0), (side, side), (0.0, side))


def lies(piece, zone, dx=0.0, covered=0.0, face="F", module=2.0):
    x, y = zone.rect.centre
    payload = str(Code(BOOK.letters, piece, face))
    code = TrueCode(payload, square(), covered, told=module)
    return TruePiece(piece, face, zone.name, x + dx, y, codes=(code,), spots=((x + dx, y),))


def placed(piece, zone, dx=0.0, face="F", name=None):
    x, y = zone.rect.centre
    return Placement(piece, frozenset(face), name or zone.name, None, x + dx, y, 0.0, 1)


def view(*placements, covered=(), settled=True):
    return TableView(0, 0.0, placements, frozenset(covered), settled=settled)


def judge(*pieces, hidden=None, before=None, earlier=None):
    return Judge(TablePhoto("01.jpg", "", 0, pieces=pieces, hidden=hidden), MAT, BOOK, before, earlier or {})


# ------------------------------------------------------------------------------------------------------------- judging


def test_a_piece_is_placed_from_the_first_view_that_has_it_and_keeps_it():
    judged = judge(lies(RED, USED))
    for seconds, seen in enumerate(
        (None, view(), view(placed(RED, USED, 4.9)), view(placed(RED, USED), settled=False))
    ):
        judged.see(seen, float(seconds))
    assert judged.since == {0: 2.0}
    judged.see(view(), 4.0)
    assert judged.since == {}
    judged.see(view(placed(RED, USED)), 5.0)
    assert judged.since == {0: 5.0}


def test_a_piece_a_little_off_is_missed_and_no_wrong_identity():
    judged = judge(lies(RED, USED))
    judged.see(view(placed(RED, USED, 8.0)), 0.1)
    judged.done()
    assert (judged.since, judged.wrong) == ({}, {})
    assert judged.off(judged.pieces[0]) == pytest.approx(8.0)


@pytest.mark.parametrize(
    "said",
    [placed(BLUE, USED), placed(RED, DECK), placed(RED, USED, face="B"), placed(BACK, USED, face="B")],
    ids=["another card", "elsewhere", "another face", "a back"],
)
def test_what_is_said_to_lie_where_it_does_not_is_wrong_even_for_a_moment(said):
    judged = judge(lies(RED, USED))
    judged.see(view(said, settled=False), 0.1)
    judged.see(view(placed(RED, USED)), 0.2)
    assert list(judged.wrong.values()) == [said]


def test_a_covered_piece_need_not_be_seen_and_is_no_wrong_identity_if_it_is():
    judged = judge(lies(RED, USED, covered=0.5))
    assert judged.pieces == []
    judged.see(view(placed(RED, USED)), 0.1)
    judged.done()
    assert (judged.wrong, judged.empty) == ({}, set())


def test_of_two_equal_pieces_one_placement_finds_one():
    judged = judge(lies(BACK, DECK, face="B"), lies(BACK, DECK, 4.0, face="B"))
    judged.see(view(placed(BACK, DECK, 1.0, face="B")), 0.1)
    assert list(judged.since) == [0]


def test_a_zone_without_its_visible_piece_is_said_to_be_empty_unless_it_is_covered():
    judged = judge(lies(RED, USED), lies(BLUE, DECK))
    judged.see(view(settled=False), 0.1)
    assert judged.empty == set()
    judged.see(view(placed(BLUE, DECK), covered=["used"]), 0.2)
    assert judged.empty == set()
    judged.see(view(placed(BLUE, DECK)), 0.3)
    assert judged.empty == {"used"}


def test_the_last_view_counts_though_it_is_not_settled():
    judged = judge(lies(RED, USED))
    judged.see(view(settled=False), 0.1)
    judged.done()
    assert judged.empty == {"used"}


def test_a_piece_at_the_edge_of_its_zone_may_be_placed_beyond_it():
    judged = judge(lies(RED, USED, USED.rect.w / 2 - 1))
    judged.see(view(), 0.1)
    assert judged.empty == set()


def test_zones_count_as_covered_wrongly_after_five_seconds_and_only_those_that_nothing_hides():
    judged = judge(lies(RED, USED, covered=0.4), hidden={"deck": 0.2})
    judged.see(view(covered=["discard"]), 4.9)
    assert judged.covered == set()
    judged.see(view(covered=["deck", "used"]), 5.0)
    assert judged.covered == {"deck", "used"}
    free = judged.free()
    # Of the card on "used" a part shows and no code: what it is the eye can't know.
    assert free == {zone.name for zone in MAT.zones if zone.kind != "tray"} - {"deck", "used"}
    assert judge(lies(RED, USED)).free() is None


def test_an_eye_that_says_nothing_has_covered_everything():
    judged = judge(lies(RED, USED), hidden={})
    judged.see(None, 5.0)
    judged.done()
    assert judged.covered >= judged.free()
    assert judged.since == {}


def test_what_lay_there_earlier_is_no_wrong_identity_until_its_place_is_seen_without_it():
    x, y = USED.rect.centre
    gone = {RED: [(x, y)]}
    for seen, wrong in (
        (view(placed(RED, USED), settled=False), False),
        (view(placed(RED, USED), covered=["used"]), False),
        (view(placed(RED, USED)), True),
    ):
        judged = judge(earlier=gone)
        judged.see(seen, 1.0)
        assert bool(judged.wrong) is wrong


def test_a_piece_that_was_there_before_is_placed_at_once():
    before = view(placed(RED, USED))
    judged = judge(lies(RED, USED), lies(BLUE, DECK), before=before)
    assert judged.since == {0: 0.0}
    judged.see(before, 0.0)
    judged.see(view(placed(RED, USED), placed(BLUE, DECK)), 0.4)
    assert judged.since == {0: 0.0, 1: 0.4}
    assert judged.held == {0}


# ------------------------------------------------------------------------------------------------ photographs and truth


def test_the_module_of_a_code_is_the_side_of_a_square_as_large_as_it():
    slanted = TrueCode("A", ((0, 0), (42, 0), (52, 21), (10, 21)), 0.0)
    assert slanted.module == pytest.approx((42 * 21) ** 0.5 / 21)


@pytest.mark.parametrize(("covered", "mirrored", "visible"), [(0.03, 0.03, True), (0.031, 0, False), (0, 0.031, False)])
def test_a_code_is_visible_if_hardly_any_of_it_is_covered_or_mirrors_a_lamp(covered, mirrored, visible):
    assert TrueCode("A", ((0, 0), (21, 0), (21, 21), (0, 21)), covered, mirrored).visible is visible


def test_the_photographs_of_the_checkout_are_found_and_the_dice_are_not_among_them():
    names = {folder.name for folder in find_folders([])}
    assert names >= {"a-few-turns", "bad-day", "evening", "four-players", "four-games-second-print"}
    assert "dice" not in names
    assert [folder.name for folder in find_folders([table_truth.Path("evening")])] == ["evening"]


def test_what_photographs_show_is_told_and_sequences_are_known():
    [turns] = load_shows(PHOTOS / "a-few-turns")
    assert turns.sequence
    assert len(turns.photos) == 15
    assert {(photo.game, photo.seats, photo.print) for photo in turns.photos} == {("five-cards-collector", 3, "first")}
    shows = load_shows(PHOTOS / "four-games-second-print")
    assert len(shows) == 4
    assert {(show.photos[0].print, len(show.photos), show.sequence) for show in shows} == {("colours", 1, False)}
    assert {mat_of(show.photos[0]).game for show in shows} == {show.photos[0].game for show in shows}


def test_a_sequence_is_known_by_its_times(tmp_path):
    def truth(*times):
        photos = [
            {"image": f"{n}.jpg", "game": "collection", "seats": 3, "pieces": [], "time": t}
            for n, t in enumerate(times)
        ]
        (tmp_path / "truth.json").write_text(json.dumps({"photos": photos}))
        return load_shows(tmp_path)

    assert [show.sequence for show in truth(0.0, 8.0, 16.0)] == [True]
    assert [show.sequence for show in truth(0.0, 0.0)] == [False, False]
    assert [show.sequence for show in truth(0.0)] == [False]


@pytest.mark.parametrize("text", ["{", '{"photos": 1}', "[]", '{"photos": [{"codes": 3}]}'])
def test_a_broken_truth_is_said(tmp_path, text):
    (tmp_path / "truth.json").write_text(text)
    with pytest.raises(BenchError, match="is not the truth of photographs"):
        table.measure([tmp_path])


def test_a_folder_without_photographs_is_said(tmp_path):
    with pytest.raises(BenchError, match="has no photographs of tables"):
        table.measure([tmp_path])


def photograph(tmp_path, scale, **more):
    """Copy a photograph of the new prints, reduced."""
    truth = json.loads((PHOTOS / "four-games-second-print" / "truth.json").read_text())
    [photo] = [entry for entry in truth["photos"] if entry["game"] == "five-cards-collector"]
    gray = cv2.imread(str(PHOTOS / "four-games-second-print" / photo["image"]), cv2.IMREAD_GRAYSCALE)
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    folder = tmp_path / "table"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    cv2.imwrite(str(folder / "01.png"), small)
    (folder / "truth.json").write_text(json.dumps({"photos": [{**photo, "image": "01.png", "hidden": {}, **more}]}))
    return folder


class FakeEye:
    """Says the same of every frame, and asks nothing."""

    doubts = ()

    def __init__(self, said, book):
        self.said, self.book = said, book
        self.view = None
        self.frame = None
        self.frames = []

    def see(self, frame):
        self.frames.append(frame)
        self.frame, self.view = frame, self.said


def test_frames_come_ten_a_second_each_with_noise_of_its_own():
    gray = np.full((40, 60), 128, np.uint8)
    frames = list(Noise(gray.size).frames(gray, 20))
    assert np.std(frames) == pytest.approx(2.5, abs=0.2)
    assert all((frame != other).any() for frame, other in itertools.pairwise(frames))
    assert np.mean(frames) == pytest.approx(128, abs=0.3)


@pytest.mark.night
def test_an_eye_that_gets_one_card_wrong_and_leaves_one_out_is_found_out(tmp_path):
    """The truth is the photograph's; where zones are comes from the mat, module sizes from the markers."""
    folder = photograph(tmp_path, 0.7)
    [show] = load_shows(folder)
    [photo] = show.photos
    mat = mat_of(photo)
    right = [
        Placement(
            piece.piece,
            frozenset(piece.face),
            table_truth.zone_at(mat, piece.x, piece.y),
            None,
            piece.x,
            piece.y,
            piece.rotation,
            n,
        )
        for n, piece in enumerate(photo.pieces)
    ]
    wrong = msgspec.structs.replace(right[2], piece=RED if right[2].piece != RED else BLUE)
    eyes = []

    def make(game, mat):
        eyes.append(FakeEye(view(*right[1:2], wrong, *right[3:], covered=[mat.zones[-1].name]), BOOK))
        return eyes[0]

    [found] = watch(show, make=make, seconds=(5.2, 1.0))
    assert [frame.time for frame in eyes[0].frames] == pytest.approx([n / 10 for n in range(52)])
    assert found.how == COLD
    assert [piece.name for piece in found.pieces if not piece.placed] == [f"{right[0].piece} B", f"{right[2].piece} F"]
    assert [piece.seconds for piece in found.pieces[3:]] == [0.0] * (len(right) - 3)
    assert len(found.wrong) == 1
    assert right[0].zone in found.empty
    assert mat.zones[-1].name in found.covered
    assert 0.8 < found.pieces[0].px < 1.6
    section = table.summary(
        [msgspec.structs.replace(found, pieces=tuple(msgspec.structs.replace(piece, px=1.7) for piece in found.pieces))]
    )
    every = section.rows[0].figures
    assert (every["photos"], every["pieces"], every["missed"], every["wrong"]) == (1, len(right), 2, 1)
    assert not any(row.budget.met for row in section.rows if row.budget)
    lines = [note for note in section.notes if note.split(":")[0] in {"missed", "wrong", "empty", "covered"}]
    assert sum(line.startswith("missed: table/01.png") for line in lines) == 2
    assert (
        f"missed: table/01.png {right[0].piece} B in {right[0].zone}: 1.70 px a module, 0.0 % covered; not seen."
        in lines
    )


def bare(piece, zone, dx=0.0, covered=0.0, face="F", strip=63.0):
    """Return a card without a code, with what shows of it."""
    x, y = zone.rect.centre
    shown = Shown(square(), covered, 0.0, strip)
    return TruePiece(piece, face, zone.name, x + dx, y, spots=((x + dx, y),), shown=shown)


def judge_faces(*pieces, decks=()):
    return Judge(TablePhoto("01.jpg", "", 0, pieces=pieces, coded=False), MAT, BOOK, None, {}, decks)


def test_of_cards_without_codes_strips_count_and_copies_are_one():
    copies = TaughtDeck("mine", "Mine", 63, 88, (TaughtFace("Red", (RED, BLUE), ()),))
    judged = judge_faces(
        bare(RED, USED), bare(BLUE, DECK, covered=0.6, strip=25.0), bare(RED, DECK, 30.0, strip=11.0), decks=[copies]
    )
    assert len(judged.pieces) == 2
    judged.see(view(placed(BLUE, USED), placed(RED, DECK, 4.0)), 0.1)
    judged.done()
    assert judged.since == {0: 0.1, 1: 0.1}
    assert judged.wrong == {}


def test_a_card_that_the_last_view_has_twice_and_one_where_nothing_lies_are_wrong():
    judged = judge_faces(bare(RED, USED))
    again = placed(RED, USED, 12.0)
    judged.see(view(placed(RED, USED), again, placed(BLUE, DECK)), 0.1)
    judged.done()
    assert list(judged.wrong.values()) == [placed(BLUE, DECK), again]
    assert judged.misnamed(judged.pieces[0]) == (f"{RED} F in used a second time",)


def test_a_card_that_the_eye_asks_about_is_neither_named_nor_missed():
    copies = TaughtDeck("mine", "Mine", 63, 88, (TaughtFace("Red", (BLUE, RED), ()),))
    judged = judge_faces(bare(RED, USED), bare(RED, DECK), decks=[copies])
    x, y = USED.rect.centre
    judged.doubts = (Doubt(Pose(x + 3, y, 0.0), (BLUE, "00Z")),)
    assert [judged.asked(piece) for piece in judged.pieces] == [(RED, "00Z"), ()]


def seen(name="00A F", seconds=0.2, off=0.4, asked=(), misnamed=(), strip=63.0, covered=0.0):
    shown = Shown(square(), covered, 0.0, strip)
    return PieceSeen(name, "used", 2.0, covered, 0.0, seconds, 6.0, True, off, shown, asked, misnamed)


def test_cards_without_codes_are_summed_up_in_tables_of_their_own():
    pieces = (
        seen(),
        seen(off=3.1),
        seen(seconds=None, off=None, asked=("00B", "00A")),
        seen("00C F", None, None, misnamed=("00D F in used",)),
        seen(covered=0.6, strip=26.0),
        seen(seconds=None, off=None, covered=0.7, strip=19.0),
        msgspec.structs.replace(seen(), shown=None, px=1.1),
        msgspec.structs.replace(seen(), shown=Shown(square(), 0.0, 0.4, 63.0)),
    )
    photo = TablePhoto("01.jpg", "collectors", 3, "colours", "lamp", 4.0, coded=False, px_per_mm=2.0)
    wrong = ("00D F in used", "000 B in deck")
    outcome = Outcome("faces/01.jpg", photo, COLD, pieces, wrong, ("goal.1",), look_ms=900.0)
    section = table.summary([outcome])
    rows = {(row.table, row.what): row for row in section.rows}
    every = rows[table_faces.TABLE, "all"].figures
    assert [every[key] for key in ("cards", "named", "within_2_mm", "asked", "missed")] == [4, 2, 1, 1, 1]
    assert (every["wrong"], every["false"], every["look_ms"]) == (2, 1, 900.0)
    assert rows[table_faces.TABLE, "1.7 to 2.4 px/mm"].figures == every
    shows = {what: row.figures for (name, what), row in rows.items() if name == table_faces.SHOWS}
    strips = ["strip, 25 to 30 mm", "strip, 12 to 20 mm"]
    assert list(shows) == ["whole", *strips, "whole, under a shine", "smaller tokens"]
    assert (shows["whole"]["offered"], shows["whole"]["wrong"]) == (1, 1)
    assert shows["strip, 12 to 20 mm"]["missed"] == 1
    must = {what: row.budget for (name, what), row in rows.items() if name == table_faces.MUST}
    assert [budget.met for budget in must.values()] == [False, True, False, False]
    assert section.notes[-1] == "empty: faces/01.jpg goal.1."
    assert "missed: faces/01.jpg 00C F in used: 2.00 px/mm; not seen." in section.notes
    assert "wrong: faces/01.jpg 000 B in deck, where nothing lies." in section.notes
    assert "wrong: faces/01.jpg 00D F in used, near 00C F." in section.notes
    out = io.StringIO()
    tell(Console(file=out, width=200), "table", section)
    assert max(map(len, out.getvalue().splitlines())) <= WIDTH


@pytest.mark.night
def test_in_a_sequence_one_eye_sees_all(tmp_path):
    folder = photograph(tmp_path, 0.7)
    truth = json.loads((folder / "truth.json").read_text())
    photo = truth["photos"][0]
    truth["photos"] = [
        {**photo, "time": 0.0, "camera": "a"},
        {**photo, "time": 8.0, "camera": "a"},
        {**photo, "time": 16.0, "camera": "b"},
    ]
    (folder / "truth.json").write_text(json.dumps(truth))
    [show] = load_shows(folder)
    eyes = []

    def make(game, mat):
        eyes.append(FakeEye(view(), BOOK))
        return eyes[-1]

    found = watch(show, make=make, seconds=(0.3, 0.2))
    assert [outcome.how for outcome in found] == [COLD, NEXT, "after a bump"]
    assert len(eyes) == 1
    assert [frame.number for frame in eyes[0].frames] == list(range(7))


@pytest.mark.night
def test_the_real_eye_is_measured_drawn_and_told_in_a_hundred_columns(tmp_path):
    folder = photograph(tmp_path, 0.8, light="a lamp", tilt=12.0)
    truth = json.loads((folder / "truth.json").read_text())
    pieces = truth["photos"][0]["pieces"]
    pieces[1]["x"] += 60.0  # the truth lies about one card
    (folder / "truth.json").write_text(json.dumps(truth))
    [show] = load_shows(folder)
    [found] = watch(show, pictures=tmp_path / "drawn", seconds=(0.6, 0.6))
    assert [piece.name.split()[0] for piece in found.pieces if piece.seconds is None] == [pieces[1]["piece"]]
    assert len(found.wrong) == 1
    picture = cv2.imread(str(tmp_path / "drawn" / "table-01.png"))
    assert picture.shape[1] == 1536
    out = io.StringIO()
    tell(Console(file=out, width=200), "table", table.summary([found]))
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= WIDTH
    for words in ("light: a lamp", "tilt: 10 to 20°", "what a frame costs", "wrong identities", "wrong: table/01.png"):
        assert words in text


@pytest.mark.night
def test_a_missing_picture_is_said(tmp_path):
    folder = photograph(tmp_path, 0.5)
    (folder / "01.png").unlink()
    with pytest.raises(BenchError, match=r"01\.png is missing or broken"):
        table.measure([folder])
