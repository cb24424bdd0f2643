"""The OLED's pages: sizes, codes that a phone can read, names for every table, and which page is shown when."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import zxingcpp
from PIL import Image

from companion.devices import display_pages
from companion.devices.display_pages import Invitation, draw, occasion, offered, question
from companion.devices.lettering import block, chunks, cut, forms, has, ink, largest, rows, stamp, width, wrap
from companion.eye.view import Trouble
from companion.referee.snapshot import Choice, Question, Snapshot, Violation
from companion.rules.kernel import LEGAL, May, Outcome, SeatStanding, Standing, View, illegal

from .snapshots import LONG, snapshot

VIOLATION = Violation("illegal", "F7", "The wild card is already there.", "Take it back into your hand.")
LONG_VIOLATION = Violation(
    "illegal",
    "F7",
    "The wild card may only stand for a symbol you still miss: the red star is there already.",
    "Take the card back into your hand, or lay it on the blue moon of your own row.",
)
QUESTION = Question(
    "q1", "finished", "Is the turn finished?", (1,), (Choice("yes", "Finished"), Choice("no", "Not yet"))
)


def read(image: Image.Image) -> str:
    """Read the QR code of a page as a phone would see it: lit modules bright, each pixel several camera pixels."""
    big = image.convert("L").resize((image.width * 4, image.height * 4), Image.Resampling.NEAREST)
    found = zxingcpp.read_barcodes(np.asarray(big), formats=zxingcpp.BarcodeFormat.QRCode)
    assert len(found) == 1
    return str(found[0].text)


def lit(image: Image.Image) -> int:
    return int(np.asarray(image.convert("L")).astype(bool).sum())


def module_size(image: Image.Image) -> int:
    """Measure the first finder pattern: its top edge is seven modules long."""
    dark = ~np.asarray(image.convert("L")).astype(bool)[:, :64]
    row = dark[np.flatnonzero(dark[:, :63].any(axis=1))[0]]
    first = int(np.flatnonzero(row)[0])
    return int(np.flatnonzero(~row[first:])[0]) // 7


# ----------------------------------------------------------------------------------------------------------- letters


def test_umlauts_and_cyrillic_and_chinese_have_letters_of_their_own() -> None:
    shapes = [stamp(text, 20).tobytes() for text in ("a", "ä", "o", "ö", "Ш", "Ж", "李", "龙", "\uffff")]
    assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize("size", [11, 14, 20, 40])
def test_wrapped_lines_are_never_wider_than_the_display(size: int) -> None:
    text = "Christopher-Alexander lays Donaudampfschifffahrtsgesellschaft beside the violet star, then draws."
    lines = wrap(text, 128, size)
    assert all(width(line, size) <= 128 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_long_names_break_at_their_hyphen() -> None:
    assert wrap("Christopher-Alexander", 100, 14) == ("Christopher-", "Alexander")


def test_the_largest_size_that_fits_is_really_the_largest() -> None:
    size = largest("Anna", 128, 40, 10, 60)
    assert size is not None
    assert ink("Anna", size).shape[1] <= 128
    bigger = ink("Anna", size + 1)
    assert bigger.shape[1] > 128 or bigger.shape[0] > 40


def test_text_that_does_not_fit_is_dealt_to_several_boxes_without_losing_a_word() -> None:
    text = " ".join(f"word{n}" for n in range(30))
    assert block(text, 128, 45, 14, 28) is None
    _, boxes = chunks(text, 128, 45, 14, 28)
    assert len(boxes) > 1
    assert [box[-1].endswith("…") for box in boxes] == [True] * (len(boxes) - 1) + [False]
    assert " ".join(itertools.chain.from_iterable(boxes)).replace("…", "") == text


@pytest.mark.parametrize("high", [12, 28, 45])
@pytest.mark.parametrize("letters", [3, 11, 18, 40])
def test_whatever_the_words_no_letter_is_lost_and_what_goes_on_says_so(high: int, letters: int) -> None:
    text = " ".join("abcdefghij"[n % 10] * letters for n in range(12))
    _, boxes = chunks(text, 128, high, 12, 16)
    assert "".join("".join(line.split()) for box in boxes for line in box).replace("…", "") == text.replace(" ", "")
    for box in boxes:
        assert len(box) <= rows(high, 12)
        assert all(width(line, 12) <= 128 for line in box)
    assert [box[-1].endswith("…") for box in boxes] == [True] * (len(boxes) - 1) + [False]


def test_an_answer_that_is_too_long_for_its_bar_is_shown_whole_in_turn() -> None:
    long = "Yes, Christopher took the blue moon out of the hand of Bo, and laid it on the discard pile"
    pictures = question(snapshot(question=Question("1", "which", "Which?", (1,), (Choice("a", long),))))
    short = question(snapshot(question=Question("1", "which", "Which?", (1,), (Choice("a", "Yes"),))))
    assert len(short) == 1
    assert len(pictures) > 2


def test_a_cut_line_fits_and_says_that_it_was_cut() -> None:
    line = cut("a line that is far too long for this display", 100, 14)
    assert line.endswith("…")
    assert width(line, 14) <= 100


# ------------------------------------------------------------------------------------------------------------- names


def test_a_short_name_is_the_first_word() -> None:
    assert forms({1: "Bärbel Süßkind", 2: "Jo"}, 1)[:2] == ("Bärbel Süßkind", "Bärbel")


def test_two_of_the_same_first_name_keep_an_initial() -> None:
    names = {1: "Anna Berg", 2: "Anna Kahl"}
    assert "Anna B." in forms(names, 1)
    assert "Anna" not in forms(names, 1)


def test_a_long_name_is_cut_where_people_cut_it() -> None:
    assert [form for form in forms({1: "Christopher", 2: "Jo"}, 1) if form.endswith(".")][:3] == [
        "Christoph.",
        "Christ.",
        "Chr.",
    ]


def test_players_with_the_very_same_name_are_told_apart_by_their_seat() -> None:
    names = {1: "Anna", 2: "anna", 3: "Jo"}
    assert forms(names, 1)[0] == "Anna 1"
    assert forms(names, 2)[0] == "anna 2"


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    assert forms({}, 3)[0] == "Seat 3"
    assert forms({3: "  "}, 3)[0] == "Seat 3"


@pytest.mark.parametrize("names", [LONG, ("Anna",) * 8, ("Al", "Alan", "Alana", "Al B", "Alan B", "A", "An", "Ann")])
def test_no_form_of_a_name_can_be_taken_for_another_seats(names: tuple[str, ...]) -> None:
    seats = dict(enumerate(names, 1))
    every = {seat: {form.casefold() for form in forms(seats, seat)} for seat in seats}
    for first, two in itertools.combinations(seats, 2):
        assert not every[first] & every[two]


# ----------------------------------------------------------------------------------------------------------- joining


def test_a_url_of_25_capitals_is_a_version_1_code_at_two_pixels_a_module() -> None:
    url = "HTTP://192.168.178.23/J3K"
    assert len(url) == 25  # as many alphanumerics as fit (ISO/IEC 18004, 1-L)
    (page,) = display_pages.join(url)
    assert module_size(page) == 2
    field = display_pages.code(url)
    assert field is not None
    dark = np.argwhere(~field)
    assert tuple(dark.max(axis=0) - dark.min(axis=0) + 1) == (42, 42)  # 21 modules
    assert dark.min() >= 8  # a quiet zone of four modules
    assert read(page) == url


@pytest.mark.parametrize("url", ["HTTP://192.168.178.123:8000/J/ABCDEF", "http://companion.local/join/3k9f?seat=3"])
def test_a_longer_url_gets_a_bigger_code_that_still_reads(url: str) -> None:
    (page,) = display_pages.join(url)
    assert module_size(page) == 2
    assert read(page) == url


def test_a_url_too_long_for_a_code_is_written_out_in_full() -> None:
    url = "http://companion-kitchen.fritz.box:8000/join/" + "a" * 40
    assert display_pages.code(url) is None
    page = display_pages.join(url)
    assert page
    assert all(lit(image) for image in page)


def test_the_wifi_code_says_the_password_with_its_signs_escaped() -> None:
    (page,) = display_pages.wifi("Table 7", 'a;b:"c')
    assert read(page) == 'WIFI:T:WPA;S:Table 7;P:a\\;b\\:\\"c;;'


def test_an_open_wifi_says_so() -> None:
    assert read(display_pages.wifi("Table 7", "")[0]) == "WIFI:T:nopass;S:Table 7;P:;;"


# ---------------------------------------------------------------------------------------------------------- the game


def over(winners: tuple[int, ...]) -> Snapshot:
    standing = Standing(
        tuple(SeatStanding(seat, seat) for seat in (1, 2, 3)),
        Outcome(winners, "five", "F1", "Nobody wins: the host stopped it."),
    )
    return snapshot(phase="over", standing=standing)


@pytest.mark.parametrize("seats", range(2, 9))
def test_every_page_is_drawn_for_every_number_of_seats(seats: int) -> None:
    for seat in range(1, seats + 1):
        now = snapshot(seats, (seat,), violation=LONG_VIOLATION, question=QUESTION, owed=("Draw a card",))
        for name in ("turn", "scores", "alert", "question", "steps", "ended"):
            page = draw(name, now, Invitation())
            assert page
            for image in page:
                assert image.mode == "1"
                assert image.size == (128, 64)
                assert 100 < lit(image) < 128 * 64 * 0.9


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_turn_page_differs_for_every_seat(seats: int) -> None:
    drawn = {display_pages.turn(snapshot(seats, (seat,), "plays"))[0].tobytes() for seat in range(1, seats + 1)}
    assert len(drawn) == seats


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_score_page_shows_every_seats_score(seats: int) -> None:
    now = snapshot(seats, ())
    before = display_pages.scores(now)[0].tobytes()
    for seat in range(1, seats + 1):
        rows = tuple(SeatStanding(s, 4 if s != seat else 3) for s in range(1, seats + 1))
        same = tuple(SeatStanding(s, 4) for s in range(1, seats + 1))
        some, all_same = (
            display_pages.scores(snapshot(seats, (), standing=Standing(parts, goal=5)))[0] for parts in (rows, same)
        )
        assert some.tobytes() != all_same.tobytes(), seat
    assert before


def test_the_score_page_marks_whose_turn_it_is() -> None:
    drawn = {display_pages.scores(snapshot(4, (seat,)))[0].tobytes() for seat in (1, 2, 3, 4)}
    assert len(drawn) == 4


def test_three_digit_and_negative_scores_fit() -> None:
    for seats in range(2, 9):
        standing = Standing(tuple(SeatStanding(seat, -123) for seat in range(1, seats + 1)), goal=999)
        (image,) = display_pages.scores(snapshot(seats, standing=standing))
        assert lit(image)


def test_a_short_name_is_written_larger_than_a_long_one() -> None:
    def height(image: Image.Image) -> int:
        rows = np.flatnonzero(np.asarray(image.convert("L")).any(axis=1))
        gap = np.flatnonzero(np.diff(rows) > 1)
        return int(rows[gap[0]] - rows[0] + 1)

    first, two = (display_pages.turn(snapshot(2, (1,), "plays", names={1: name}))[0] for name in ("Jo", "Wilhelmina"))
    assert height(first) > height(two) >= 17  # capitals of three millimetres on the smallest display


def test_a_headline_does_not_say_the_name_twice() -> None:
    first = display_pages.turn(snapshot(2, (1,), f"{LONG[0]} draws a card"))
    assert first[0].tobytes() == display_pages.turn(snapshot(2, (1,), "draws a card"))[0].tobytes()


def test_a_headline_that_only_says_whose_turn_it_is_gives_way_to_what_may_be_done() -> None:
    def may(*names: str) -> tuple[May, ...]:
        known = ("add", "take-over", "draw")
        return tuple(May(name, f"{name} it", LEGAL if name in names else illegal("F", "no", "wait")) for name in known)

    def shown(*names: str, headline: str = "It is the turn of Jo.") -> bytes:
        now = snapshot(2, (1,), headline, names={1: "Jo"})
        views = (now.views[0], View(1, "Yours", (1,), may(*names)), now.views[2])
        return display_pages.turn(snapshot(2, names={1: "Jo"}, views=views))[0].tobytes()

    assert shown("add", "take-over", "draw") == shown(headline="add, take over or draw")
    assert shown("draw") == shown(headline="draw it")
    assert shown() == shown(headline="It is the turn of Jo.")


def test_what_is_owed_comes_before_what_is_understood_before_the_headline() -> None:
    headline, understood = snapshot(), snapshot(provisional=("Anna lays a star.",))
    owed = snapshot(provisional=("Anna lays a star.",), owed=("Draw a card",))
    drawn = {display_pages.turn(now)[0].tobytes() for now in (headline, understood, owed)}
    assert len(drawn) == 3
    assert display_pages.turn(owed) == display_pages.turn(snapshot(owed=("Draw a card",)))


def test_a_short_violation_is_one_picture_with_its_remedy() -> None:
    assert len(display_pages.alert(snapshot(violation=Violation("illegal", "F7", "Too many.", "Take one back.")))) == 1


def test_a_long_violation_takes_several_pictures_and_ends_with_the_remedy() -> None:
    long = display_pages.alert(snapshot(violation=LONG_VIOLATION))
    assert len(long) > 2
    other = Violation(
        "illegal", "F7", LONG_VIOLATION.reason, "Take the card back into your hand, or lay it on the sun."
    )
    again = display_pages.alert(snapshot(violation=other))
    assert long[0].tobytes() == again[0].tobytes()
    assert long[-1].tobytes() != again[-1].tobytes()


def test_the_question_page_shows_the_answer_of_the_button() -> None:
    yes = display_pages.question(snapshot(question=QUESTION))
    no = display_pages.question(
        snapshot(question=Question("q1", "finished", QUESTION.words, (1,), QUESTION.choices[::-1]))
    )
    assert yes[0].tobytes() != no[0].tobytes()
    assert lit(yes[0].crop((0, 45, 128, 64))) > 128 * 19 / 2


def test_the_ended_page_shows_the_winner_then_the_scores() -> None:
    page = display_pages.ended(over((2,)))
    assert len(page) == 2
    assert page[0].tobytes() != display_pages.ended(over((3,)))[0].tobytes()
    assert len(display_pages.ended(over((1, 3)))) == 2
    assert len(display_pages.ended(over(()))) >= 2


# ------------------------------------------------------------------------------------------------------- which page

BLIND = (Trouble("camera-lost", "The camera is gone."),)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "turn"),
        ({"troubles": (Trouble("foreign-code", "A menu lies there."),)}, "turn"),
        ({"phase": "restoring"}, "steps"),
        ({"troubles": BLIND, "phase": "restoring"}, "trouble"),
        ({"troubles": (Trouble("mirrored", "The picture is mirrored."),)}, "trouble"),
        ({"question": QUESTION, "troubles": BLIND}, "question"),
        ({"violation": VIOLATION, "question": QUESTION, "troubles": BLIND}, "alert"),
        ({"violation": VIOLATION, "phase": "over"}, "ended"),
    ],
)
def test_what_matters_most_is_shown(changes: dict[str, object], kind: str) -> None:
    now = snapshot(**changes)
    assert occasion(now)[0] == kind
    assert offered(now, Invitation())[0] == kind


def test_before_a_match_people_are_invited() -> None:
    assert offered(None, Invitation("HTTP://10.42.0.1/J")) == ("join",)
    assert offered(None, Invitation("HTTP://10.42.0.1/J", "Table", "secret")) == ("join", "wifi")
    assert offered(None, Invitation()) == ("welcome",)


def test_while_setting_up_the_way_in_comes_first_and_the_steps_are_one_press_away() -> None:
    now = snapshot(phase="setting-up", record=0, owed=("Lay the deck",))
    assert offered(now, Invitation("HTTP://10.42.0.1/J"))[:2] == ("join", "steps")
    assert offered(now, Invitation())[0] == "steps"


def test_the_page_button_reaches_turn_scores_and_the_way_in_from_everywhere() -> None:
    invitation = Invitation("HTTP://10.42.0.1/J")
    for changes in ({}, {"violation": VIOLATION}, {"question": QUESTION}):
        assert {"turn", "scores", "join"} <= set(offered(snapshot(**changes), invitation))


def test_a_page_that_can_not_be_drawn_now_falls_back() -> None:
    assert draw("join", None, Invitation())[0].tobytes() == display_pages.welcome()[0].tobytes()
    assert draw("scores", None, Invitation())[0].tobytes() == display_pages.welcome()[0].tobytes()


def test_cyrillic_greek_hebrew_and_chinese_names_are_written() -> None:
    assert all(map(has, "АннаЁжΆνναΓιώργοςדנהם王小明한국Žø?"))


def test_a_hebrew_name_runs_from_right_to_left() -> None:
    first, line = ink("ד", 20), ink("דנה", 20)
    assert np.array_equal(line[-first.shape[0] :, -first.shape[1] :], first)
