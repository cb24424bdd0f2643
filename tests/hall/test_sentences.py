"""A sentence goes from a table to a hall as it was made, and is said there in each reader's language."""

from __future__ import annotations

import msgspec
import pytest

from companion.appliance.public import snapshot_told
from companion.hall.messages import Said, Snapshot
from companion.hall.sentences import changed, heard, told
from companion.rules.wording import all_of
from companion.server.words.voice import voice_of
from companion.text import plural, t
from tests.server.desks import NAMES, MatchDesk

SENTENCES = (
    t("it is the turn of {seat}", seat=all_of(("Anna", t("Seat {seat}", seat=2)))),
    plural("{count} card", "{count} cards", count=3),
    t("{second:.1f} min", second=1.5),
)


def carried(said: Said | None) -> Said | None:
    """Return what arrives of a sentence."""
    return msgspec.json.decode(msgspec.json.encode(said), type=Said | None)


@pytest.mark.parametrize("english", SENTENCES)
def test_a_sentence_is_the_same_text_in_the_hall(english: str) -> None:
    text = heard(carried(told(english)), str(english))
    assert text == english
    assert voice_of("sv")(text) == voice_of("sv")(english) != english


def test_a_table_tells_how_its_headline_was_made() -> None:
    desk = MatchDesk()
    desk.match._referee.progress.names.update(NAMES)
    for how in ("full", "initials", "colours"):
        message = snapshot_told(desk.match.snapshot, how, (), 0.0)
        read = msgspec.json.decode(msgspec.json.encode(message), type=Snapshot)
        assert read.text_said is not None
        assert voice_of("de")(heard(read.text_said, read.text)) != read.text
    desk.close()


def test_what_names_are_changed_to_is_said() -> None:
    english = t("it is the turn of {seat}", seat="Anna")
    said = changed(told(english), lambda words: words.replace("Anna", "A."))
    assert voice_of("sv")(heard(said, "it is the turn of A.")) == "det är A.s tur"


@pytest.mark.parametrize(
    "said",
    [
        None,
        Said(template="{n:999999999}", values={"n": 1}),
        Said(template="{n!r:>9}", values={"n": 1}),
        Said(template="{n", values={}),
        Said(template="{n}", values={}),
        Said(template="{n.__class__}", values={"n": 1}),
        Said(template="one", several="some", values={}),
        Said(template="another sentence", values={}),
    ],
)
def test_what_does_not_read_as_its_text_is_plain_english(said: Said | None) -> None:
    assert heard(said, "a sentence") == "a sentence"
