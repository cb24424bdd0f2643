"""Draws every page of the little display for the docs, at four times its size: `python docs/images/oled.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from companion.devices import display_pages, moments
from companion.devices.canvas import Page
from companion.devices.pointing_page import point
from companion.devices.vitals import HealthIssue
from companion.eye.view import Trouble
from companion.referee.clock import Timer
from companion.referee.snapshot import Box, Choice, Pointer, Question, Snapshot, Throw, Violation
from companion.rules.kernel import Ladder, Outcome, SeatStanding, Standing, View
from companion.rules.wording import all_of
from companion.server.words.voice import say_in
from companion.text import t, word

HERE = Path(__file__).resolve().parent / "oled"
SCALE = 4
NAMES = ("Ada", "Bo", "Christopher", "Anna Berg", "Anna Kahl", "Wilhelmina", "Jo", "Søren Ødegård")
LIT, DARK, RIM = (191, 233, 255), (4, 8, 12), (32, 38, 43)
POWER = HealthIssue(
    "power", "Weak power", "The Pi gets too little voltage.", "Use its own power supply, and no long cable."
)


def match(seats: int = 4, waiting: tuple[int, ...] = (1,), headline: str = "", **changes: Any) -> Snapshot:
    """Make a snapshot of a match; `changes` go over it."""
    names = dict(enumerate(NAMES[:seats], 1))
    words = headline or f"{names[waiting[0]] if waiting else 'The table'} draws a card or plays one"
    ladders = changes.pop("ladders", ())
    plain: dict[str, Any] = {
        "match": "m",
        "version": 1,
        "game": "five-cards-collector",
        "title": "Five Cards Collector",
        "seats": seats,
        "names": names,
        "mode": "assist",
        "phase": "playing",
        "record": 7,
        "views": tuple(View(seat, words, waiting, ladders=ladders) for seat in range(seats + 1)),
        "standing": Standing(tuple(SeatStanding(seat, seat * 3 % 6) for seat in range(1, seats + 1)), goal=5),
    }
    return Snapshot(**{**plain, **changes})


def every_page() -> dict[str, Page]:
    """Draw every page, by the name of its file."""
    timer = Timer(seats=(2,), total=20.0, left=20.0, ends=113.0, price=7, leader=3)
    wrong = Violation(
        "illegal", "F7", "A card of Ada's collection lies beside the others.", "Put the red star back into row two."
    )
    away = Pointer("move the red star", "00B", Box(450, 253, 63, 88), Box(556, 350, 213, 88))
    asked = Question("q", "which", "Did Bo take the blue moon?", (2,), (Choice("a", "Yes"), Choice("b", "No")))
    won = Outcome((3,), "collected", "F7", "Christopher has collected all five and wins.")
    crises = tuple(
        Ladder(f"Crisis {name}", value, 1, 10, 8, short=name) for name, value in (("A", 3), ("B", 6), ("C", 9))
    )
    blind = Trouble("camera-lost", "The camera doesn't answer: check its cable. The match waits.")
    return {
        "welcome": display_pages.welcome(),
        "join": display_pages.join("HTTP://10.42.0.1/J"),
        "wifi": display_pages.wifi("Companion", "red-star-7"),
        "set-up": display_pages.steps(match(phase="setting-up", owed=("Lay the goal card of Bo", "b", "c"))),
        "turn": display_pages.turn(match()),
        "turn-two": display_pages.turn(match(waiting=(2, 3), headline="Choose a treasure")),
        "turn-long": display_pages.turn(
            match(8, (8,), headline="Søren Ødegård buys an item, takes a skill or gains a bottle")
        ),
        "seated": moments.seated(match(colours={2: "orange"}), 2),
        "scores": display_pages.scores(match()),
        "scores-eight": display_pages.scores(match(8)),
        "ladders": display_pages.ladders(match(ladders=crises)),
        "ladders-one": display_pages.ladders(match(ladders=crises[:1], headline="Ada moves or engages")),
        "ladders-two": display_pages.ladders(match(ladders=crises[:2], headline="Ada moves or engages")),
        "auction": display_pages.auction(match(timer=timer), 100.0),
        "auction-knob": display_pages.auction(match(timer=timer), 100.0, 9),
        "dice": moments.dice(match(), Throw(7, 2, 6, (3, 5), "rolls", "table")),
        "dice-ten": moments.dice(match(), Throw(7, 1, 10, (8, 10, 4), "rolls", "companion")),
        "question": display_pages.question(match(question=asked)),
        "alert": display_pages.alert(match(violation=wrong)),
        "show-me": point(match(pointers=(away,), mat=(900.0, 506.0))),
        "trouble": display_pages.trouble(match(troubles=(blind,))),
        "put-right": display_pages.steps(match(phase="restoring", owed=("Put the red star back into Ada's hand", "b"))),
        "ended": display_pages.ended(match(standing=Standing(match().standing.seats, won), phase="over")),
        "sound-off": moments.sound(True),
        "sound-on": moments.sound(False),
        "power": moments.notice(POWER.title, POWER.words, POWER.remedy),
    }


def swedish() -> dict[str, Page]:
    """Draw some pages at a table whose language is Swedish, with sentences that the referee says."""
    say = say_in("sv")
    headline = t("{seat} may add, discard, use a special card, draw, or do nothing.", seat="Ada")
    turn = t("it is the turn of {turn}, not of {seat}", turn="Ada", seat="Bo")
    wrong = Violation("illegal", "F7", turn, t("Take it back."))
    choices = (Choice("a", t("Yes")), Choice("b", t("No")))
    asked = Question("q", "dice", t("Do the dice show {shown}?", shown=all_of("35")), (2,), choices)
    pile = t("the {title}", title=word("discard pile"))
    owed = (t("put {piece} on {zone}", piece="Red star", zone=pile), "b")
    return {
        "turn-sv": display_pages.turn(match(headline=headline), say),
        "alert-sv": display_pages.alert(match(violation=wrong), say),
        "question-sv": display_pages.question(match(question=asked), say),
        "put-right-sv": display_pages.steps(match(phase="restoring", owed=owed), say),
    }


def picture(page: Page) -> Image.Image:
    """Show a page's pictures side by side in the blue of such displays, with a rim."""
    edge, gap = 5, 6
    wide = len(page) * 128 + (len(page) - 1) * gap + 2 * edge
    shown = np.full((64 + 2 * edge, wide, 3), RIM, np.uint8)
    for index, one in enumerate(page):
        lit = np.asarray(one.convert("L"), np.uint8) > 0
        left = edge + index * (128 + gap)
        shown[edge : edge + 64, left : left + 128] = np.where(lit[..., None], np.uint8(LIT), np.uint8(DARK))
    return Image.fromarray(np.kron(shown, np.ones((SCALE, SCALE, 1), np.uint8)))


def main() -> None:
    """Write one file a page; a folder as argument gets them instead of the docs."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in {**every_page(), **swedish()}.items():
        picture(page).quantize(4).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
