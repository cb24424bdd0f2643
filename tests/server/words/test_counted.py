"""What is counted agrees with its number: "1 card" and "2 cards", "1 politisk" and "2 politiska"."""

from __future__ import annotations

import re

import pytest

from companion import games
from companion.games.collection.components import Components
from companion.games.collection.effects import printed
from companion.rules.kernel import RuleError, name_seats
from companion.rules.wording import so_many_players
from companion.server.context import too_many_pins
from companion.server.words.catalogue import phrasebook
from companion.server.words.tongues import printed_words
from companion.server.words.voice import Voice
from tests.games.collection.situations import GAME, gems, scenario, situation
from tests.server.played import GAMES
from tests.server.words.test_playing import NAMES, played

NUMBER = re.compile(r"(?<![\w.,$–-])(\d+) ([a-zåäö]{2,})", re.IGNORECASE)
ALONE = frozenset({"by", "for", "in", "is", "of", "to", "above", "across"})
"""What may follow a number that counts nothing."""
BOTH = frozenset({"kort", "mynt", "poäng", "föremål"})
"""Swedish words that are the same for one and for several."""
BETWEEN = frozenset(
    {"av", "eller", "för", "genom", "i", "med", "och", "på", "som", "till", "under", "är", "kommer", "lägger"}
)


def voice_of(name: str) -> Voice:
    voice = Voice(phrasebook("sv"))
    voice.know(NAMES.values(), printed_words(games.load_deck(name).cards))
    return voice


@pytest.mark.parametrize("name", GAMES)
def test_what_is_counted_agrees_with_its_number(name: str) -> None:
    voice, titles = voice_of(name), {card.title.lower() for card in games.load_deck(name).cards}
    one: dict[str, str] = {}
    several: dict[str, str] = {}
    for words in {name_seats(words, NAMES) for words in played(name, 3, 7)}:
        bare = re.sub(r'"[^"]*"', "", words.lower())
        if any(title in bare for title in titles):
            continue
        for number, counted in NUMBER.findall(bare):
            # Singular: nothing that English puts into the plural with an s.
            assert number != "1" or not counted.endswith("s") or counted in ALONE, words
        for number, counted in NUMBER.findall(re.sub(r'"[^"]*"', "", voice(words))):
            (one if number == "1" else several).setdefault(counted.lower(), words)
    same = (one.keys() & several.keys()) - BOTH - BETWEEN
    assert not same, {word: (one[word], several[word]) for word in same}


@pytest.mark.parametrize(
    ("game", "english", "swedish"),
    [
        ("collection", "engagement: 1 political, 2 military", "engagemang: 1 politisk, 2 militära"),
        ("collection", "engagement: 3 political", "engagemang: 3 politiska"),
        ("collection", "reports: political 1 of 6", "rapporter: politiska 1 av 6"),
        (
            "collectors",
            "A card comes up in place 1 of the skill pool.",
            "Ett kort kommer upp på plats 1 i färdighetspotten.",
        ),
        (
            "collectors",
            "Bo Ek places a bottle: draw two cards (pay $1).",
            "Bo Ek placerar en flaska: dra två kort (betala $1).",
        ),
        ("karmic-collections", "dice showing 1 of Ada", "Adas tärningar som visar 1"),
        ("collection", "1 taken back.", "1 steg återtaget."),
        ("collection", "3 taken back.", "3 steg återtagna."),
        (
            "collection",
            'Cleo draws "The Customs Book": Add 2 military gems to the space of a collector of your choice in B.',
            'Cleo drar "The Customs Book": Lägg 2 militära juveler på rutan för en insamlare du väljer i B.',
        ),
    ],
)
def test_counted_words_are_said_as_people_say_them(game: str, english: str, swedish: str) -> None:
    voice = voice_of(game)
    assert voice(english) == swedish
    assert not voice.missed


@pytest.mark.parametrize(
    ("language", "words"),
    [("sv", "engagemang: 1 politisk, 2 militära"), ("de", "Engagement: 1 politischer, 2 militärische")],
)
def test_gems_agree_with_their_number(language: str, words: str) -> None:
    state = situation(a=scenario(levels={"DH": 3}, engaged={"DH": gems(1, 2)}))
    assert words in [Voice(phrasebook(language))(ladder.words) for ladder in GAME.view(state, 1).ladders]


@pytest.mark.parametrize("language", ["sv", "de"])
def test_what_a_card_does_is_said_alike_by_the_rules_and_read_off_the_card(language: str) -> None:
    """The printed sentence is plain English, and is found; the same of the rules is a text, and is translated."""
    deck, voice = games.load_deck("collection"), Voice(phrasebook(language))
    components = Components(deck)
    for card in deck.of_kind("collection"):
        said = voice(printed(components.effect[card.piece]))
        assert said == voice(str(card.text))
        assert said != card.text
    assert not voice.missed


@pytest.mark.parametrize("name", GAMES)
def test_one_player_is_no_players(name: str) -> None:
    with pytest.raises(RuleError, match=r"^1 player can't play this"):
        games.load(name).setup(1, {}, None)
    assert so_many_players(2) == "2 players"


def test_seconds_are_counted() -> None:
    assert too_many_pins(0.2) == "Too many wrong PINs: wait 1 second."
    assert too_many_pins(1.2) == "Too many wrong PINs: wait 2 seconds."
