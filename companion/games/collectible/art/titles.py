"""What a title says: which motif of which theme it names, and in what order."""

from __future__ import annotations

import re
from dataclasses import dataclass

THEMES = (
    "Animal",
    "Hat",
    "Flower",
    "Water",
    "Music",
    "Food",
    "Night",
    "Book",
    "Monster",
    "Machine",
    "Star",
    "Skeleton",
)
"""The themes in the order of their rarity."""


@dataclass(frozen=True)
class Phrase:
    """What a title says about one theme.

    `figure` names the motif in the picture, `hat` what is worn, `scene` the word that the ground is laid by.
    """

    theme: str
    figure: str = ""
    hat: str = ""
    scene: str = ""
    alive: bool = False
    at: int = 999


def _a(figure: str) -> Phrase:
    return Phrase("", figure, alive=True)


def _t(figure: str, scene: str = "") -> Phrase:
    return Phrase("", figure, scene=scene)


def _h(hat: str, wearer: str = "") -> Phrase:
    return Phrase("", wearer, hat)


# Patterns are tried in this order; the first word that fits speaks for its theme. The last of a theme is its own.
_KNOWN: dict[str, tuple[tuple[str, Phrase], ...]] = {
    "Animal": (
        ("magpie", _a("magpies")),
        ("dog|hound", _a("dog")),
        ("hare|rabbit", _a("hare")),
        ("heron|stork", _a("heron")),
        ("owl", _a("owl")),
        ("geese|goose|swan", _a("geese")),
        ("donkey|mule", _a("donkey")),
        ("lion", _a("lion")),
        ("mice|mouse", _a("mice")),
        ("fox", _a("fox")),
        ("bear", _a("bear")),
        ("parrot", _a("parrot")),
        ("horse", _a("horse")),
        ("sheep|lamb", _a("sheep")),
        ("", _a("fox")),
    ),
    "Hat": (
        ("three hats", _h("three", "plain-man")),
        ("paper hat", _h("paper")),
        ("wide brim", _h("brim")),
        ("nightcap", _h("nightcap")),
        ("borrowed hat", _h("borrowed")),
        ("bonnet", _h("bonnet", "lady")),
        ("bishop", _h("mitre", "bishop")),
        ("red cap", _h("red-cap", "plain-man")),
        ("straw hat", _h("straw", "plain-man")),
        ("", _h("borrowed", "plain-man")),
    ),
    "Flower": (
        ("violet", _t("violets")),
        ("carnation", _t("carnations")),
        ("rose garden", _t("roses", "garden")),
        ("rose seller", _a("rose-seller")),
        ("gardener", _a("gardener")),
        ("iris", _t("irises")),
        ("popp", _t("poppies")),
        ("tulip", _t("tulips")),
        ("sunflower", _t("sunflowers")),
        ("thistle", _t("thistles")),
        ("", _t("roses")),
    ),
    "Water": (
        ("rain", _t("", "rain")),
        ("fountain", _t("fountain")),
        ("waterfall", _t("", "waterfall")),
        ("on the lake", _t("", "afloat")),
        ("lake", _t("", "lake")),
        ("river", _t("", "river")),
        ("harbour", _t("ship", "lake")),
        ("flood", _t("", "flood")),
        ("well", _t("well")),
        ("bather", Phrase("", "bathers", scene="lake", alive=True)),
        ("ferryman", Phrase("", "ferryman", scene="afloat", alive=True)),
        ("", _t("", "lake")),
    ),
    "Music": (
        ("violin", _t("violin")),
        ("lute player", _a("lute-player")),
        ("lute", _t("lute")),
        ("fiddler", _a("fiddler")),
        ("harpsichord", _t("harpsichord")),
        ("harp", _t("harp")),
        ("flute", _t("flutes")),
        ("drummer", _a("drummer")),
        ("drum", _t("drum")),
        ("organist", _a("organist")),
        ("organ", _t("organ")),
        ("serenade", _a("serenade")),
        ("", _t("lute")),
    ),
    "Food": (
        ("pie", _t("pie")),
        ("breakfast", _t("breakfast")),
        ("banquet", _t("banquet")),
        ("orange", _t("oranges")),
        ("pancake", _t("pancakes")),
        ("supper", _t("supper")),
        ("baker", _a("baker")),
        ("", _t("breakfast")),
    ),
    "Night": (
        ("sleepwalker", Phrase("", "sleepwalker", scene="moon", alive=True)),
        ("moonlight", _t("", "full")),
        ("moonrise", _t("", "rise")),
        ("midnight", _t("", "face")),
        ("dusk", _t("", "dusk")),
        ("lamplight", _t("lamp", "lit")),
        ("candle", _t("candle", "lit")),
        ("dark", _t("", "dark")),
        ("", _t("", "moon")),
    ),
    "Book": (
        ("scribe", _a("scribe")),
        ("reader", _a("reader")),
        ("missing page", _t("missing-page")),
        ("library", _t("", "library")),
        ("psalter", _t("psalter")),
        ("atlas", _t("atlas")),
        ("volumes", _t("volumes")),
        ("letter", _t("letter")),
        ("book", _t("book")),
        ("", _t("book")),
    ),
    "Monster": (
        ("ogre", _a("ogre")),
        ("dragon", _a("dragon")),
        ("gorgon", _a("gorgon")),
        ("demon", _a("demon")),
        ("serpent", _a("serpent")),
        ("giant", _a("giant")),
        ("", _a("dragon")),
    ),
    "Machine": (
        ("loom", _t("loom")),
        ("printing press", _t("printing-press")),
        ("clockwork", _a("clockwork")),
        ("clock", _t("clock")),
        ("steam", _t("steam-engine")),
        ("machine", _t("machine")),
        ("", _t("machine")),
    ),
    "Star": (
        ("stargazer", Phrase("", "stargazer", scene="stars", alive=True)),
        ("astronomer", Phrase("", "astronomer", scene="stars", alive=True)),
        ("falling star", _t("", "falling")),
        ("comet", _t("", "comet")),
        ("", _t("", "stars")),
    ),
    "Skeleton": (
        ("death", _a("death")),
        ("bones", _a("dancing")),
        ("skull", _t("skull")),
        ("skeleton", _a("skeleton")),
        ("", _a("skeleton")),
    ),
}


def phrases(title: str, themes: list[str]) -> list[Phrase]:
    """Return what a title says of its themes, in its order; themes not named come last, in their usual form."""
    words = title.lower()
    found = []
    for number, theme in enumerate(themes):
        for pattern, phrase in _KNOWN.get(theme, ()):
            hit = re.search(rf"\b({pattern})", words) if pattern else None
            if hit or not pattern:
                at = hit.start() if hit else 900 + number
                found.append(Phrase(theme, phrase.figure, phrase.hat, phrase.scene, phrase.alive, at))
                break
    return sorted(found, key=lambda phrase: phrase.at)


def themes_of(words: str) -> list[str]:
    """Return the themes of a card, known or not."""
    return [word.strip() for word in words.split(",") if word.strip()]
