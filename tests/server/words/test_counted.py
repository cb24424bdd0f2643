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
from companion.server.words.voice import voice_of
from companion.text import capital, t
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


SKILL_POOL, PAID = "place {number} of the skill pool", "{space} (pay {price})"


@pytest.mark.parametrize("name", GAMES)
def test_what_is_counted_agrees_with_its_number(name: str) -> None:
    voice, titles = voice_of("sv"), {card.title.lower() for card in games.load_deck(name).cards}
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
    ("english", "swedish"),
    [
        (
            t("reports: {reports}", reports=t("{colour} {have} of {need}", colour=t("political"), have=1, need=6)),
            "rapporter: politiska 1 av 6",
        ),
        (
            t(
                "{piece} comes up in {slot}.",
                piece=capital(t("a card")),
                slot=t("place {number} of the skill pool", number="1"),
            ),
            "Ett kort kommer upp på plats 1 i färdighetspotten.",
        ),
        (
            t(
                "{seat} places a bottle: {space}.",
                seat="Bo Ek",
                space=t("{space} (pay {price})", space=t("draw 2 cards"), price="$1"),
            ),
            "Bo Ek placerar en flaska: dra 2 kort (betala $1).",
        ),
    ],
)
def test_counted_words_are_said_as_people_say_them(english: str, swedish: str) -> None:
    assert voice_of("sv")(english) == swedish


@pytest.mark.parametrize(
    ("language", "words"),
    [("sv", "engagemang: 1 politisk, 2 militära"), ("de", "Engagement: 1 politischer, 2 militärische")],
)
def test_gems_agree_with_their_number(language: str, words: str) -> None:
    state = situation(a=scenario(levels={"DH": 3}, engaged={"DH": gems(1, 2)}))
    assert words in [voice_of(language)(ladder.words) for ladder in GAME.view(state, 1).ladders]


@pytest.mark.parametrize("language", ["sv", "de"])
def test_what_a_card_does_is_said_by_the_rules_in_every_language(language: str) -> None:
    """What is printed on a card stays as it is; the rules say the same in templates."""
    deck, voice = games.load_deck("collection"), voice_of(language)
    voice.missed.clear()
    components = Components(deck)
    for card in deck.of_kind("collection"):
        said = voice(printed(components.effect[card.piece]))
        assert voice(str(card.text)) == card.text
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
