"""What a title says: which motif of which theme it names, and in what order."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from companion.games.collectible.art import animals, flora, hats, machines, monsters, people, things
from companion.games.collectible.art.kit import Motif
from companion.press.drawing import Item

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

    `figure` draws what stands in the picture, `hat` what is worn, `scene` the word that the ground is laid by.
    """

    theme: str
    figure: Callable[[], Motif] | None = None
    hat: Callable[[], list[Item]] | None = None
    scene: str = ""
    alive: bool = False
    at: int = 999


def _a(figure: Callable[[], Motif]) -> Phrase:
    return Phrase("", figure, alive=True)


def _t(figure: Callable[[], Motif] | None, scene: str = "") -> Phrase:
    return Phrase("", figure, scene=scene)


def _h(hat: Callable[[], list[Item]], wearer: Callable[[], Motif] | None = None) -> Phrase:
    return Phrase("", wearer, hat)


# Patterns are tried in this order; the first word that fits speaks for its theme. The last of a theme is its own.
_KNOWN: dict[str, tuple[tuple[str, Phrase], ...]] = {
    "Animal": (
        ("magpie", _a(animals.magpies)),
        ("dog|hound", _a(animals.dog)),
        ("hare|rabbit", _a(animals.hare)),
        ("heron|stork", _a(animals.heron)),
        ("owl", _a(animals.owl)),
        ("geese|goose|swan", _a(animals.geese)),
        ("donkey|mule", _a(animals.donkey)),
        ("lion", _a(animals.lion)),
        ("mice|mouse", _a(animals.mice)),
        ("fox", _a(animals.fox)),
        ("bear", _a(animals.bear)),
        ("parrot", _a(animals.parrot)),
        ("horse", _a(animals.horse)),
        ("sheep|lamb", _a(animals.sheep)),
        ("", _a(animals.fox)),
    ),
    "Hat": (
        ("three hats", _h(hats.three, people.plain_man)),
        ("paper hat", _h(hats.paper)),
        ("wide brim", _h(hats.brim)),
        ("nightcap", _h(hats.nightcap)),
        ("borrowed hat", _h(hats.borrowed)),
        ("bonnet", _h(hats.bonnet, people.lady)),
        ("bishop", _h(hats.mitre, people.bishop)),
        ("red cap", _h(hats.red_cap, people.plain_man)),
        ("straw hat", _h(hats.straw, people.plain_man)),
        ("", _h(hats.borrowed, people.plain_man)),
    ),
    "Flower": (
        ("violet", _t(flora.violets)),
        ("carnation", _t(flora.carnations)),
        ("rose garden", _t(flora.roses, "garden")),
        ("rose seller", _a(people.rose_seller)),
        ("gardener", _a(people.gardener)),
        ("iris", _t(flora.irises)),
        ("popp", _t(flora.poppies)),
        ("tulip", _t(flora.tulips)),
        ("sunflower", _t(flora.sunflowers)),
        ("thistle", _t(flora.thistles)),
        ("", _t(flora.roses)),
    ),
    "Water": (
        ("rain", _t(None, "rain")),
        ("fountain", _t(machines.fountain)),
        ("waterfall", _t(None, "waterfall")),
        ("on the lake", _t(None, "afloat")),
        ("lake", _t(None, "lake")),
        ("river", _t(None, "river")),
        ("harbour", _t(machines.ship, "lake")),
        ("flood", _t(None, "flood")),
        ("well", _t(machines.well)),
        ("bather", Phrase("", people.bathers, scene="lake", alive=True)),
        ("ferryman", Phrase("", people.ferryman, scene="afloat", alive=True)),
        ("", _t(None, "lake")),
    ),
    "Music": (
        ("violin", _t(things.violin)),
        ("lute player", _a(people.lute_player)),
        ("lute", _t(things.lute)),
        ("fiddler", _a(people.fiddler)),
        ("harpsichord", _t(things.harpsichord)),
        ("harp", _t(things.harp)),
        ("flute", _t(things.flutes)),
        ("drummer", _a(people.drummer)),
        ("drum", _t(things.drum)),
        ("organist", _a(people.organist)),
        ("organ", _t(things.organ)),
        ("serenade", _a(people.serenade)),
        ("", _t(things.lute)),
    ),
    "Food": (
        ("pie", _t(things.pie)),
        ("breakfast", _t(things.breakfast)),
        ("banquet", _t(things.banquet)),
        ("orange", _t(things.oranges)),
        ("pancake", _t(things.pancakes)),
        ("supper", _t(things.supper)),
        ("baker", _a(people.baker)),
        ("", _t(things.breakfast)),
    ),
    "Night": (
        ("sleepwalker", Phrase("", people.sleepwalker, scene="moon", alive=True)),
        ("moonlight", _t(None, "full")),
        ("moonrise", _t(None, "rise")),
        ("midnight", _t(None, "face")),
        ("dusk", _t(None, "dusk")),
        ("lamplight", _t(machines.lamp, "lit")),
        ("candle", _t(machines.candle, "lit")),
        ("dark", _t(None, "dark")),
        ("", _t(None, "moon")),
    ),
    "Book": (
        ("scribe", _a(people.scribe)),
        ("reader", _a(people.reader)),
        ("missing page", _t(things.missing_page)),
        ("library", _t(None, "library")),
        ("psalter", _t(things.psalter)),
        ("atlas", _t(things.atlas)),
        ("volumes", _t(things.volumes)),
        ("letter", _t(things.letter)),
        ("book", _t(things.book)),
        ("", _t(things.book)),
    ),
    "Monster": (
        ("ogre", _a(monsters.ogre)),
        ("dragon", _a(monsters.dragon)),
        ("gorgon", _a(monsters.gorgon)),
        ("demon", _a(monsters.demon)),
        ("serpent", _a(monsters.serpent)),
        ("giant", _a(monsters.giant)),
        ("", _a(monsters.dragon)),
    ),
    "Machine": (
        ("loom", _t(machines.loom)),
        ("printing press", _t(machines.printing_press)),
        ("clockwork", _a(machines.clockwork)),
        ("clock", _t(machines.clock)),
        ("steam", _t(machines.steam_engine)),
        ("machine", _t(machines.machine)),
        ("", _t(machines.machine)),
    ),
    "Star": (
        ("stargazer", Phrase("", people.stargazer, scene="stars", alive=True)),
        ("astronomer", Phrase("", people.astronomer, scene="stars", alive=True)),
        ("falling star", _t(None, "falling")),
        ("comet", _t(None, "comet")),
        ("", _t(None, "stars")),
    ),
    "Skeleton": (
        ("death", _a(monsters.death)),
        ("bones", _a(monsters.dancing)),
        ("skull", _t(monsters.skull)),
        ("skeleton", _a(monsters.skeleton)),
        ("", _a(monsters.skeleton)),
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
