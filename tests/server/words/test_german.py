"""German has cases: what stands in a hole is in the one that its sentence wants, and nouns keep their capital."""

from __future__ import annotations

import pytest

from companion import games
from companion.server.words.catalogue import phrasebook
from companion.server.words.phrasebook import Phrasebook
from companion.server.words.tongues import printed_words
from companion.server.words.voice import Voice


@pytest.mark.parametrize(
    ("game", "english", "german"),
    [
        ("collectible", "from the auction of Bo Ek", "aus der Auktion von Bo Ek"),
        ("collectible", "Ada plays a character.", "Ada spielt einen Charakter."),
        ("collectible", "gallery of Bo Ek", "Galerie von Bo Ek"),
        ("collection", "Ada places a political gem on DH in A.", "Ada legt einen politischen Edelstein auf DH in A."),
        (
            "collection",
            "The response of DO in all scenarios falls by 1.",
            "Die Reaktion von DO in allen Szenarien sinkt um 1.",
        ),
        ("collection", "it is the turn of Ada and Bo Ek", "Ada und Bo Ek sind dran"),
        ("collectors", "Turn up 2 cards for the item pool.", "Deck 2 Karten für den Gegenstandspool auf."),
        ("collectors", "Ada and Bo Ek retrieve bottles", "Ada und Bo Ek holen Flaschen zurück"),
        (
            "five-cards-collector",
            "move the red star from the discard pile to Seat 2's collection",
            "leg Red star vom Ablagestapel in die Sammlung von Platz 2",
        ),
        ("five-cards-collector", "Ada discards a red card or a moon.", "Ada legt eine rote Karte oder einen Mond ab."),
        (
            "karmic-collections",
            "Ada plays the first green pawn on an action.",
            "Ada stellt die erste grüne Figur auf eine Aktion.",
        ),
        ("karmic-collections", "Ada gives Bo Ek a die showing 4.", "Ada gibt Bo Ek einen Würfel, der 4 zeigt."),
    ],
)
def test_a_sentence_has_its_cases(game: str, english: str, german: str) -> None:
    voice = Voice(phrasebook("de"))
    voice.know(("Ada", "Bo Ek"), printed_words(games.load_deck(game).cards))
    assert voice(english) == german
    assert not voice.missed


def test_contexts_have_patterns_and_say_what_becomes_of_all_else() -> None:
    said = {
        "it lies in {0}": "es liegt {0:wo}",
        "the hat": "der Hut",
        "Rules": "Regeln",
        "see the rules": "siehe Regeln",
    }
    forms = {("wo", "the bag of {0}"): "im Beutel von {0}", ("wo", "{0}"): "bei {0}", ("wo", "the box"): "in der Kiste"}
    voice = Voice(Phrasebook("de", {**said, "of the {0}": "der {0}", "and": "und"}, forms))
    voice.know(("Bo",), ())
    assert voice("it lies in the bag of Bo") == "es liegt im Beutel von Bo"
    assert voice("It lies in the box and the bag of Bo") == "Es liegt in der Kiste und im Beutel von Bo"
    assert voice("it lies in the hat") == "es liegt bei der Hut"
    assert voice("rules") == "Regeln"
    assert not voice.missed
