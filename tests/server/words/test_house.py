"""What all look at together speaks the table's language: the little screen, printed pages, the picture of a result."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.devices import canvas, display_pages, lettering, moments
from companion.letters import font, laid
from companion.press.debrief import pages as printed_pages
from companion.press.drawing import Text
from companion.press.share import picture
from companion.referee.publishing import rewritten
from companion.referee.snapshot import Throw
from companion.server.settings_api import Chosen
from companion.server.words.voice import Voice, say_in, voice_of
from companion.table.table import Table
from companion.text import t
from tests.nights import at_night
from tests.server.conftest import Clients
from tests.server.desks import RollingDesk
from tests.server.played import GAMES, PlayedDesk
from tests.waiting import until

SWEDISH_LETTERS = "åäöÅÄÖ"


def swedish(language: str = "sv") -> Voice:
    voice = voice_of(language)
    voice.missed.clear()
    return voice


@pytest.mark.parametrize(
    ("language", "name", "steps"),
    [
        *(("sv" if number % 2 else "de", name, 20) for number, name in enumerate(GAMES)),
        *at_night(*((language, name, 30) for language in ("sv", "de") for name in GAMES)),
    ],
)
@pytest.mark.night
def test_the_little_screen_speaks_another_language_in_every_game(
    language: str, name: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is English, and nothing that is longer so is cut off but for names and titles in a bar."""
    cut: list[str] = []
    whole = canvas.cut

    def watched(text: str, wide: int, size: int) -> str:
        shown = whole(text, wide, size)
        if shown != text:
            cut.append(text)
        return shown

    monkeypatch.setattr(canvas, "cut", watched)
    desk = PlayedDesk(name, 4)
    said: set[str] = set()
    for _ in range(steps):
        now = desk.snapshot()
        voice = swedish(language)
        for kind in ("turn", "ladders", "scores", "steps", "alert", "question", "trouble", "ended", "auction", "join"):
            drawn = display_pages.draw(kind, now, display_pages.Invitation("HTTP://10.42.0.1/J"), 0.0, say=voice)
            assert 1 <= len(drawn) <= 5, kind
            assert {one.size for one in drawn} == {(128, 64)}
        assert dict(voice.missed) == {}
        said.add(display_pages._awaited(now, display_pages._who(now, voice)[1], voice))
        desk.step()
    desk.close()
    # Of an answer the beginning is enough: it stands in full on phones.
    assert [words for words in cut if not words.startswith("> ")] == []
    assert len(said) > 3
    assert not [words for words in said if re.search(r"\b(the|or|card|choice)\b", words)]


@pytest.mark.parametrize("muted", [True, False])
def test_notices_are_said_in_swedish(muted: bool) -> None:
    say = swedish()
    assert canvas.png(moments.sound(muted, say)[0]) != canvas.png(moments.sound(muted)[0])
    assert canvas.put_name(say, t("@1 rolled"), "Anna B.") == "Anna B. slog"
    shown = moments.notice(t("Weak power"), t("The Pi gets too little voltage."), say=say)
    assert canvas.png(shown[0]) == canvas.png(canvas.titled("Svag ström", "Pi:n får för låg spänning.")[0])


def test_dice_and_seats_without_names_are_said_in_swedish(tmp_path: Path) -> None:
    desk = RollingDesk(tmp_path)
    say = swedish()
    throw = Throw(7, 2, 6, (3, 5), "rolls", "table")
    assert lettering.named({1: "Bo"}, 2, say(t("Seat @1"))) == {1: "Bo", 2: "Plats 2"}
    assert canvas.png(moments.dice(desk.snapshot(), throw, say)[0]) != canvas.png(
        moments.dice(desk.snapshot(), throw)[0]
    )
    desk.close()


@pytest.mark.parametrize("size", range(11, 30))
def test_two_dots_stay_two_on_the_little_screen(size: int) -> None:
    for letter in "äöü":
        bits = lettering.ink(letter, size)
        top = bits[:1, :][0].astype(int)
        assert (np.diff(np.concatenate(([0], top, [0]))) == 1).sum() == 2, letter


def test_english_is_drawn_as_it_was_and_asks_nobody() -> None:
    assert say_in("") is str
    assert say_in("en") is str


def test_the_host_chooses_the_language_of_the_little_screen(table: Table) -> None:
    """It changes by itself, without anything having happened in the match."""
    assert table.owner is not None
    now, invitation = table.snapshot(), table.devices.invitation
    first = display_pages.offered(now, invitation)[0]
    spoken = {"en": str, "sv": swedish(), "": str}
    shown = {code: canvas.png(display_pages.draw(first, now, invitation, say=say)[0]) for code, say in spoken.items()}
    assert shown["en"] != shown["sv"]
    for language in ("sv", "en", "sv", ""):
        table.owner.keep(Chosen(language=language))
        until(lambda language=language: table.devices.oled_png() == shown[language])


def texts(course: object, say: object) -> list[str]:
    return [item.words for page in printed_pages(course, say) for item in page.items if isinstance(item, Text)]  # type: ignore[arg-type]


@pytest.mark.night
def test_printed_pages_speak_the_tables_language(tmp_path: Path, client_of: Clients) -> None:
    desk = PlayedDesk("collection", 3)
    for _ in range(25):
        desk.step()
    course = desk.course()
    desk.close()
    say = swedish()
    words = texts(rewritten(course, say), say)
    for heading in ("Vem gjorde vad", "Vad som hänt", "Tid", "Fick hjälp"):
        assert heading in words
    assert any(line.endswith(", sida 1") for line in words)
    assert not [line for line in words if re.search(r"\b(the|draws|rolls|engages|Time|page)\b", line)]
    assert dict(say.missed) == {}
    assert "Who did what" in texts(course, str)


@pytest.mark.night
def test_the_picture_of_a_result_speaks_the_tables_language() -> None:
    desk = PlayedDesk("five-cards-collector", 2)
    course = desk.course()
    desk.close()
    say = swedish()
    drawn = [picture(rewritten(course, one), "2026-11-22", [(1, 5, True), (2, 3, False)], one) for one in (say, str)]
    swedish_one, english_one = (Image.open(io.BytesIO(one)) for one in drawn)
    assert swedish_one.size == english_one.size
    assert swedish_one.tobytes() != english_one.tobytes()


def test_what_is_printed_has_its_accents() -> None:
    for letter, bare in zip("åäöÅÄÖé", "aaoAAOe", strict=True):
        assert laid(letter) == letter
        # Beside a letter of the same font: English alone is set in another.
        (_, low, _, foot), (_, top, _, bottom) = (font(200, letter).getbbox(one) for one in (bare, letter))
        assert top < low - 15
        assert abs(bottom - foot) <= 3


def test_the_tables_pdf_and_picture_follow_the_hosts_setting(
    table: Table, everybody: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert table.owner is not None
    match = table.match.header.id
    table.owner.keep(Chosen(language="en"))
    english_picture, said = table.matches.picture(match), []
    monkeypatch.setattr("companion.table.table.debrief", lambda course, say: said.append(say(t("Who did what"))) or b"")
    table.debrief()
    table.owner.keep(Chosen(language="sv"))
    table.debrief()
    swedish_picture = table.matches.picture(match)
    table.owner.keep(Chosen(language="en"))
    assert said == ["Who did what", "Vem gjorde vad"]
    assert swedish_picture != english_picture
    assert table.matches.picture(match) == english_picture
