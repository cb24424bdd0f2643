"""The small language in which the deck file says what a collection card does (I10).

A card has one effect or several, with semicolons between them; they happen in that order. An effect is a verb, what it
is about, and a number:

    crisis A +1              the crisis of a scenario
    crisis all -1            the crisis of all active scenarios
    response DH B +2         a collector's level on a response ladder
    response STATE all -1    the same in all scenarios
    gem NSA C military +1    a gem on a collector's space
    action +1                an extra action
    move +1                  a free move
    die +1                   a bonus die for that player's next roll
    skip +1                  that player's next ENGAGE places nothing
    expand B                 Crisis Expansion: the crisis rises by 1, or the scenario opens

"any" for scenario, collector or colour leaves the choice to who draws or plays the card. What each effect does to the
board is in `resolve`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import ClassVar

import msgspec

from companion.text import join, plural, t, word

ANY, ALL = "any", "all"


class CardEffect(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One thing that a collection card does, by this much; fields that it is not about are empty."""

    verb: ClassVar[str]
    """Its word in the language."""
    about: ClassVar[tuple[str, ...]] = ()
    """Which of scenario, collector and colour it names, in the order in which they are written."""
    wide: ClassVar[bool] = False
    """Whether it can be about all scenarios."""
    upwards: ClassVar[bool] = False
    """Whether its number is at least 1."""

    by: int
    scenario: str = ""
    collector: str = ""
    colour: str = ""

    @property
    def open(self) -> bool:
        return ANY in (self.scenario, self.collector, self.colour)

    @property
    @abstractmethod
    def words(self) -> str:
        """The sentence that is printed on the card."""

    @property
    def short(self) -> str:
        """What it does, in as few words as possible: "gem DH of A +1"; "" for an effect that leaves nothing open."""
        return ""


class ChangeCrisis(CardEffect, frozen=True, gc=False):
    """The crisis of a scenario, or of all active ones, rises or falls."""

    verb = "crisis"
    about = ("scenario",)
    wide = True

    @property
    def words(self) -> str:
        if self.by > 0:
            return t("The crisis in {scenario} rises by {by}.", scenario=_scenario(self), by=self.by)
        return t("The crisis in {scenario} falls by {by}.", scenario=_scenario(self), by=-self.by)

    @property
    def short(self) -> str:
        about = _about(self)
        return t("crisis {about} {by:+d}", about=about, by=self.by) if about else t("crisis {by:+d}", by=self.by)


class ChangeResponse(CardEffect, frozen=True, gc=False):
    """A collector moves on a response ladder, or on all of them."""

    verb = "response"
    about = ("collector", "scenario")
    wide = True

    @property
    def words(self) -> str:
        collector, scenario = _collector(self), _scenario(self)
        if self.by > 0:
            return t(
                "The response of {collector} in {scenario} rises by {by}.",
                collector=collector,
                scenario=scenario,
                by=self.by,
            )
        return t(
            "The response of {collector} in {scenario} falls by {by}.",
            collector=collector,
            scenario=scenario,
            by=-self.by,
        )

    @property
    def short(self) -> str:
        about = _about(self)
        return t("response {about} {by:+d}", about=about, by=self.by) if about else t("response {by:+d}", by=self.by)


class ChangeGems(CardEffect, frozen=True, gc=False):
    """Gems of a colour are added to a collector's space, or removed from it."""

    verb = "gem"
    about = ("collector", "scenario", "colour")

    @property
    def words(self) -> str:
        gems, collector, scenario = self._gems(abs(self.by)), _collector(self), _scenario(self)
        if self.by > 0:
            return t(
                "Add {gems} to the space of {collector} in {scenario}.",
                gems=gems,
                collector=collector,
                scenario=scenario,
            )
        return t(
            "Remove {gems} from the space of {collector} in {scenario}.",
            gems=gems,
            collector=collector,
            scenario=scenario,
        )

    def _gems(self, count: int) -> str:
        if self.colour == ANY:
            return plural(
                "{count} gem of a colour of your choice", "{count} gems of a colour of your choice", count=count
            )
        return plural("{count} {colour} gem", "{count} {colour} gems", count=count, colour=word(self.colour))

    @property
    def short(self) -> str:
        about, by = _about(self), self.by
        if self.colour == ANY:
            return t("gem {about} {by:+d}", about=about, by=by) if about else t("gem {by:+d}", by=by)
        colour = word(self.colour)
        if about:
            return t("{colour} gem {about} {by:+d}", colour=colour, about=about, by=by)
        return t("{colour} gem {by:+d}", colour=colour, by=by)


class ExtraActions(CardEffect, frozen=True, gc=False):
    """The player has more actions, to be used at once."""

    verb = "action"
    upwards = True

    @property
    def words(self) -> str:
        return plural("Take {count} extra action now.", "Take {count} extra actions now.", count=self.by)


class FreeMoves(CardEffect, frozen=True, gc=False):
    """The player makes moves that take no action, at once."""

    verb = "move"
    upwards = True

    @property
    def words(self) -> str:
        return plural("Make {count} free move now.", "Make {count} free moves now.", count=self.by)


class BonusDice(CardEffect, frozen=True, gc=False):
    """The player's next roll has more dice."""

    verb = "die"
    upwards = True

    @property
    def words(self) -> str:
        return plural(
            "Roll {count} bonus die the next time you roll.",
            "Roll {count} bonus dice the next time you roll.",
            count=self.by,
        )


class SkipEngage(CardEffect, frozen=True, gc=False):
    """The player's next ENGAGE actions place nothing."""

    verb = "skip"
    upwards = True

    @property
    def words(self) -> str:
        return plural(
            "Your next ENGAGE action will place nothing.",
            "Your next {count} ENGAGE actions will place nothing.",
            count=self.by,
        )


class CrisisExpansion(CardEffect, frozen=True, gc=False):
    """The crisis of a scenario rises by one; a scenario that is not active opens instead (4, I11)."""

    verb = "expand"
    about = ("scenario",)

    @property
    def words(self) -> str:
        return t(
            "Crisis Expansion: the crisis in {scenario} rises by 1. If {scenario} is not active, it opens.",
            scenario=self.scenario,
        )


AnyEffect = (
    ChangeCrisis | ChangeResponse | ChangeGems | ExtraActions | FreeMoves | BonusDice | SkipEngage | CrisisExpansion
)
VERBS: dict[str, type[AnyEffect]] = {kind.verb: kind for kind in AnyEffect.__args__}


class EffectError(ValueError):
    """An effect that is not in the language; the message says which words, and what would be."""


def parse(
    text: str, scenarios: Iterable[str], collectors: Iterable[str], colours: Iterable[str]
) -> tuple[AnyEffect, ...]:
    """Read what a card does; EffectError if it is not in the language."""
    known = {"scenario": tuple(scenarios), "collector": tuple(collectors), "colour": tuple(colours)}
    effects = tuple(_effect(part.strip(), known) for part in text.split(";"))
    if len(effects) > 1 and any(isinstance(effect, CrisisExpansion) for effect in effects):
        raise EffectError(f"{text!r}: a Crisis Expansion does nothing else")
    return effects


def _effect(text: str, known: dict[str, tuple[str, ...]]) -> AnyEffect:
    verb, *rest = text.split() or [""]
    if verb not in VERBS:
        raise EffectError(f"{text!r}: there is no effect {verb!r}; there are {', '.join(VERBS)}")
    kind = VERBS[verb]
    counts = kind is not CrisisExpansion
    wanted = " ".join((verb, *(f"<{name}>" for name in kind.about), *(("<+n or -n>",) if counts else ())))
    if len(rest) != len(kind.about) + counts:
        raise EffectError(f"{text!r}: it is written {wanted!r}")
    said = dict(zip(kind.about, rest, strict=False))
    for name, given in said.items():
        others = () if not counts else (ANY, ALL) if name == "scenario" and kind.wide else (ANY,)
        if given not in (*known[name], *others):
            raise EffectError(f"{text!r}: there is no {name} {given!r}; there are {', '.join((*known[name], *others))}")
    return kind(_number(text, kind, rest[-1], wanted) if counts else 1, **said)


def _number(text: str, kind: type[AnyEffect], word: str, wanted: str) -> int:
    if word[:1] not in ("+", "-") or not word[1:].isdecimal() or not word[1:].isascii() or int(word[1:]) == 0:
        raise EffectError(f"{text!r}: {word!r} is no number like +1 or -2; it is written {wanted!r}")
    if kind.upwards and word[0] == "-":
        raise EffectError(f"{text!r}: {kind.verb} takes a number above 0, as in '{kind.verb} +1'")
    return int(word)


def printed(effects: Iterable[CardEffect]) -> str:
    """Return what a card does as printed on it, one sentence for each effect."""
    return join(" ", (effect.words for effect in effects))


LEFT_OPEN: Mapping[tuple[str, ...], Callable[[str], str]] = {
    ("scenario",): lambda what: t("which scenario, for {what}", what=what),
    ("collector",): lambda what: t("which collector, for {what}", what=what),
    ("colour",): lambda what: t("which colour, for {what}", what=what),
    ("scenario", "collector"): lambda what: t("which scenario and collector, for {what}", what=what),
    ("scenario", "colour"): lambda what: t("which scenario and colour, for {what}", what=what),
    ("collector", "colour"): lambda what: t("which collector and colour, for {what}", what=what),
    ("scenario", "collector", "colour"): lambda what: t("which scenario, collector and colour, for {what}", what=what),
}
"""What is to be chosen, by what is left open."""


def left_open(effect: CardEffect) -> str:
    """Describe what an effect leaves open, and what it will do."""
    named = (("scenario", effect.scenario), ("collector", effect.collector), ("colour", effect.colour))
    found = LEFT_OPEN.get(tuple(name for name, said in named if said == ANY))
    return found(effect.short) if found else effect.short


@lru_cache(64)
def place_words(scenario: str, collector: str) -> str:
    """Return a space in words: "DH in A"."""
    return t("{collector} in {scenario}", collector=collector, scenario=scenario)


def spot_words(scenario: str, collector: str, colour: str) -> str:
    """Describe what was chosen: "DH in A · political"."""
    scenario = "" if scenario == ALL else scenario
    spot = place_words(scenario, collector) if scenario and collector else scenario or collector
    if not colour:
        return spot
    return t("{spot} · {colour}", colour=word(colour), spot=spot) if spot else word(colour)


def _scenario(effect: CardEffect) -> str:
    if effect.scenario == ALL:
        return t("all scenarios")
    return t("a scenario of your choice") if effect.scenario == ANY else effect.scenario


def _collector(effect: CardEffect) -> str:
    return t("a collector of your choice") if effect.collector == ANY else effect.collector


def _about(effect: CardEffect) -> str:
    collector, scenario = ("" if said in (ANY, ALL) else said for said in (effect.collector, effect.scenario))
    if collector and scenario:
        return t("{collector} of {scenario}", collector=collector, scenario=scenario)
    return collector or scenario
