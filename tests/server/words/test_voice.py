"""A voice walks over what a text is made of: what stands in a hole is in the form that its sentence wants."""

from __future__ import annotations

import pytest

from companion.rules.wording import all_of, any_of
from companion.server.words.catalogue import Catalogue
from companion.server.words.voice import Voice, genitive, voice_of
from companion.text import capital, plural, shaped, small, t


class Kept(Catalogue):
    """A catalogue for tests: messages by context and message."""

    def __init__(self, said: dict[tuple[str, str], str]) -> None:
        super().__init__()
        self.said = said

    def find(self, message: str, context: str = "", several: str = "", count: int = 1) -> str:
        return self.said.get((context, several if several and count != 1 else message), "")

    def entries(self) -> list[tuple[str, str, str]]:
        return [(context, message, said) for (context, message), said in self.said.items()]


SAID = {
    ("", "{who} bids {amount}."): "{who} bjuder {amount}.",
    ("", "{who}'s {thing}"): "{who:s} {thing}",
    ("", "it lies in {place}"): "{place:wo} liegt es",
    ("", "the hat"): "der Hut",
    ("", "the bag of {who}"): "der Beutel von {who}",
    ("wo", "the bag of {who}"): "im Beutel von {who}",
    ("wo", "{0}"): "bei {0}",
    ("", "{count} coin"): "{count} mynt",
    ("", "{count} coins"): "{count} mynt allt som allt",
    ("", "{some} and {last}"): "{some} och {last}",
    ("", "Pay: {what}"): "Betala: {what}",
    ("", "{what} in {place} rises."): "{what} i {place} stiger.",
    ("{what} in {place} rises.", "The crisis in {place} rises."): "Krisen i {place} stiger.",
    ("", "The crisis"): "Kris",
}


@pytest.fixture
def voice() -> Voice:
    return Voice("sv", Kept(SAID))


@pytest.mark.parametrize(
    ("english", "said"),
    [
        (t("{who} bids {amount}.", who="Bo", amount=1.5), "Bo bjuder 1,5."),
        (t("{who} bids {amount}.", who="Scores", amount=2), "Scores bjuder 2."),
        (t("{who}'s {thing}", who="Lars", thing=t("the hat")), "Lars der Hut"),
        (t("it lies in {place}", place=t("the bag of {who}", who="Bo")), "im Beutel von Bo liegt es"),
        (capital(t("it lies in {place}", place=t("the hat"))), "Bei der Hut liegt es"),
        (
            t("it lies in {place}", place=all_of((t("the bag of {who}", who="Bo"), t("the hat")))),
            "im Beutel von Bo och bei der Hut liegt es",
        ),
        (plural("{count} coin", "{count} coins", count=1), "1 mynt"),
        (plural("{count} coin", "{count} coins", count=2), "2 mynt allt som allt"),
        (t("{what} in {place} rises.", what=t("The crisis"), place="A"), "Krisen i A stiger."),
        (shaped(t("Pay: {what}", what=t("the hat")), "head"), "Betala"),
        (shaped(t("Pay: {what}", what=t("the hat")), "tail"), "der Hut"),
        ("Market", "Market"),
        ("", ""),
    ],
)
def test_a_text_is_said(voice: Voice, english: str, said: str) -> None:
    assert voice(english) == said
    assert not voice.missed


def test_what_is_not_known_stays_english_and_is_counted(voice: Voice) -> None:
    assert voice(t("The moon is full.")) == "The moon is full."
    assert voice(t("{who} bids {amount}.", who="Bo", amount=t("the moon"))) == "Bo bjuder the moon."
    assert voice(t("The moon is full.")) == "The moon is full."
    assert voice.missed == {"The moon is full.": 2, "the moon": 1}


def test_a_genitive_is_said_as_swedes_say_it() -> None:
    assert [genitive(name) for name in ("Bo", "Lars", "Max", "plats 3", "10")] == [
        "Bos",
        "Lars",
        "Max",
        "plats 3:s",
        "av 10",
    ]


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (t("from {auction_of}", auction_of=t("the auction of {seat}", seat="Bo Ek")), "aus der Auktion von Bo Ek"),
        (t("{seat} plays {card}.", seat="Ada", card=t("a character")), "Ada spielt einen Charakter."),
        (t("gallery of {seat}", seat="Bo Ek"), "Galerie von Bo Ek"),
        (t("{who} places {gem} on {place}.", who="Ada", gem=t("a {colour} gem", colour=t("political")),
           place=t("{collector} in {scenario}", collector="DH", scenario="A")),
         "Ada legt einen politischen Edelstein auf DH in A."),
        (plural("it is the turn of {seats}", "it is the turn of {seats}", count=2, seats=all_of(("Ada", "Bo Ek"))),
         "Ada und Bo Ek sind dran"),
        (t("{seat} discards {card_words}.", seat="Ada",
           card_words=any_of((t("a {colour} card", colour=t("red")), t("a {thing}", thing=t("moon"))))),
         "Ada legt eine rote Karte oder einen Mond ab."),
    ],
)  # fmt: skip
def test_german_has_its_cases(english: str, german: str) -> None:
    assert voice_of("de")(english) == german


def test_a_german_noun_keeps_its_capital() -> None:
    assert voice_of("de")(small(t("Scores"))) == "Punkte"
    assert voice_of("sv")(small(t("Scores"))) == "poäng"
