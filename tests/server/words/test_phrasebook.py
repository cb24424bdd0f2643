"""A phrasebook finds the sentence, leaves names and titles alone, and says what it could not find."""

from __future__ import annotations

import pytest

from companion.server.words.patterns import genitive
from companion.server.words.phrasebook import Phrasebook
from companion.server.words.voice import Voice

SAID = {
    "{0} bids {1}.": "{0} bjuder {1}.",
    "{0} passes.": "{0} passar.",
    "the bid must be at least {0}: {1}": "budet måste vara minst {0}: {1}",
    "the last was {0}": "det senaste var {0}",
    "{0}'s {1}": "{0:s} {1}",
    "collection": "samling",
    "the {0}": "{0:best}",
    "{0} lies beside the zones": "utanför zonerna ligger {0}",
    "a face-down card": "ett dolt kort",
    "move {0} from {1} to {2}": "flytta {0} från {1} till {2}",
    "; nobody wins": "; ingen vinner",
    "{0} coins": "{0} mynt",
    "and": "och",
    "Market": "Marknad",
    "hide a treasure": "gömmer en skatt",
    "Hide a treasure": "Göm en skatt",
    "First {0}.": "Först: {0}.",
    " (number {0} of {1} alike)": " (nummer {0} av {1} lika)",
    "{0} takes {1}": "{0} tar {1}",
}
FORMS = {("best", "discard pile"): "slänghögen", ("best", "deck"): "leken"}


@pytest.fixture
def voice() -> Voice:
    speaks = Voice(Phrasebook("sv", SAID, FORMS))
    speaks.know(["Bo", "Cia and Dan", "Market", "J. R."], ["Red star", "Owl, and a Demon"])
    return speaks


@pytest.mark.parametrize(
    ("english", "swedish"),
    [
        ("Bo bids 5.", "Bo bjuder 5."),
        ("The bid must be at least 6: the last was 5.", "Budet måste vara minst 6: det senaste var 5."),
        ("the bid must be at least 6: the last was 5", "budet måste vara minst 6: det senaste var 5"),
        ("Bo passes. Bo bids 1.5.", "Bo passar. Bo bjuder 1,5."),
        ("Cia and Dan passes.", "Cia and Dan passar."),
        ("J. R. bids 2. J. R. passes.", "J. R. bjuder 2. J. R. passar."),
        ("Market passes.", "Market passar."),
        ("Move the red star from Bo's collection to the deck", "Flytta Red star från Bos samling till leken"),
        ('move "Owl, and a Demon" from the deck to the deck', 'flytta "Owl, and a Demon" från leken till leken'),
        ("A face-down card lies beside the zones.", "Utanför zonerna ligger ett dolt kort."),
        ("Bo bids 3 coins; nobody wins.", "Bo bjuder 3 mynt; ingen vinner."),
        ("First Bo and Market hide a treasure.", "Först: Bo och Market gömmer en skatt."),
        ("Hide a treasure", "Göm en skatt"),
        ("Bo takes the red star (number 1 of 2 alike)", "Bo tar Red star (nummer 1 av 2 lika)"),
        (" 12 ", " 12 "),
        ("", ""),
    ],
)
def test_a_sentence_is_said(voice: Voice, english: str, swedish: str) -> None:
    assert voice(english) == swedish
    assert not voice.missed


def test_what_is_not_known_stays_english_and_is_counted(voice: Voice) -> None:
    assert voice("The moon is full.") == "The moon is full."
    assert voice("Bo bids nothing much.") == "Bo bjuder nothing much."
    assert voice("The moon is full.") == "The moon is full."
    assert voice.missed == {"The moon is full.": 2, "Bo bids nothing much.": 1}


def test_a_name_that_is_a_word_is_a_word_again_when_nobody_is_called_so(voice: Voice) -> None:
    assert voice("Market") == "Market"
    voice.know(["Bo"], [])
    assert voice("Market") == "Marknad"


def test_no_text_takes_the_phrasebook_apart(voice: Voice) -> None:
    for text in ("{0}", "{", "}}{{", "\ue000 passes.", "a" * 5000, "and " * 300, "x: " * 200, "Bo's 's 's"):
        assert isinstance(voice(text), str)


def test_a_genitive_is_said_as_swedes_say_it() -> None:
    assert [genitive(name) for name in ("Bo", "Lars", "Max", "plats 3", "10")] == [
        "Bos",
        "Lars",
        "Max",
        "plats 3:s",
        "av 10",
    ]
