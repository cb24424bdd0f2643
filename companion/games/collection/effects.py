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
from collections.abc import Iterable
from typing import ClassVar

import msgspec

from companion.rules.wording import all_of

ANY, ALL = "any", "all"


class CardEffect(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One thing that a collection card does, by this much. What it is not about is empty."""

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
        """Whether it leaves something to choose."""
        return ANY in (self.scenario, self.collector, self.colour)

    @property
    @abstractmethod
    def words(self) -> str:
        """The sentence that is printed on the card."""


class ChangeCrisis(CardEffect, frozen=True, gc=False):
    """The crisis of a scenario, or of all active ones, rises or falls."""

    verb = "crisis"
    about = ("scenario",)
    wide = True

    @property
    def words(self) -> str:
        by = abs(self.by)
        rises = "rises" if self.by > 0 else "falls"
        return f"The crisis {_where(self)} {rises} by {by}."


class ChangeResponse(CardEffect, frozen=True, gc=False):
    """A collector moves on a response ladder, or on all of them."""

    verb = "response"
    about = ("collector", "scenario")
    wide = True

    @property
    def words(self) -> str:
        by = abs(self.by)
        rises = "rises" if self.by > 0 else "falls"
        return f"The response of {_collector(self)} {_where(self)} {rises} by {by}."


class ChangeGems(CardEffect, frozen=True, gc=False):
    """Gems of a colour are added to a collector's space, or removed from it."""

    verb = "gem"
    about = ("collector", "scenario", "colour")

    @property
    def words(self) -> str:
        by = abs(self.by)
        colour = "" if self.colour == ANY else f"{self.colour} "
        kind = " of a colour of your choice" if self.colour == ANY else ""
        does = "Add" if self.by > 0 else "Remove"
        gems = f"{by} {colour}gem{'' if by == 1 else 's'}{kind}"
        return f"{does} {gems} {'to' if self.by > 0 else 'from'} the space of {_collector(self)} {_where(self)}."


class ExtraActions(CardEffect, frozen=True, gc=False):
    """The player has more actions, to be used at once."""

    verb = "action"
    upwards = True

    @property
    def words(self) -> str:
        by = self.by
        return f"Take {by} extra action{'' if by == 1 else 's'} now."


class FreeMoves(CardEffect, frozen=True, gc=False):
    """The player makes moves that take no action, at once."""

    verb = "move"
    upwards = True

    @property
    def words(self) -> str:
        by = self.by
        return f"Make {by} free move{'' if by == 1 else 's'} now."


class BonusDice(CardEffect, frozen=True, gc=False):
    """The player's next roll has more dice."""

    verb = "die"
    upwards = True

    @property
    def words(self) -> str:
        by = self.by
        return f"Roll {by} bonus {'die' if by == 1 else 'dice'} the next time you roll."


class SkipEngage(CardEffect, frozen=True, gc=False):
    """The player's next ENGAGE actions place nothing."""

    verb = "skip"
    upwards = True

    @property
    def words(self) -> str:
        by = self.by
        return f"Your next {'' if by == 1 else f'{by} '}ENGAGE action{'' if by == 1 else 's'} will place nothing."


class CrisisExpansion(CardEffect, frozen=True, gc=False):
    """The crisis of a scenario rises by one; a scenario that is not active opens instead (4, I11)."""

    verb = "expand"
    about = ("scenario",)

    @property
    def words(self) -> str:
        return (
            f"Crisis Expansion: the crisis in {self.scenario} rises by 1. If {self.scenario} is not active, it opens."
        )


AnyEffect = (
    ChangeCrisis | ChangeResponse | ChangeGems | ExtraActions | FreeMoves | BonusDice | SkipEngage | CrisisExpansion
)
VERBS: dict[str, type[AnyEffect]] = {kind.verb: kind for kind in AnyEffect.__args__}
"""Every effect by its verb."""

# --------------------------------------------------------------------------------------------------------- reading


class EffectError(ValueError):
    """An effect that is not in the language; the message says which words, and what would be."""


def parse(
    text: str, scenarios: Iterable[str], collectors: Iterable[str], colours: Iterable[str]
) -> tuple[AnyEffect, ...]:
    """Read what a card does.

    Raises:
        EffectError: if it is not in the language.
    """
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
    for name, word in said.items():
        others = () if not counts else (ANY, ALL) if name == "scenario" and kind.wide else (ANY,)
        if word not in (*known[name], *others):
            raise EffectError(f"{text!r}: there is no {name} {word!r}; there are {', '.join((*known[name], *others))}")
    return kind(_number(text, kind, rest[-1], wanted) if counts else 1, **said)


def _number(text: str, kind: type[AnyEffect], word: str, wanted: str) -> int:
    if word[:1] not in ("+", "-") or not word[1:].isdecimal() or not word[1:].isascii() or int(word[1:]) == 0:
        raise EffectError(f"{text!r}: {word!r} is no number like +1 or -2; it is written {wanted!r}")
    if kind.upwards and word[0] == "-":
        raise EffectError(f"{text!r}: {kind.verb} takes a number above 0, as in '{kind.verb} +1'")
    return int(word)


# ------------------------------------------------------------------------------------------------------------ words


def printed(effects: Iterable[CardEffect]) -> str:
    """Return what a card does as printed on it, one sentence for each effect."""
    return " ".join(effect.words for effect in effects)


def left_open(effect: CardEffect) -> str:
    """Describe what an effect leaves open, and what it will do."""
    parts = [
        name
        for name, word in (("scenario", effect.scenario), ("collector", effect.collector), ("colour", effect.colour))
        if word == ANY
    ]
    about = " of ".join(word for word in (effect.collector, effect.scenario) if word not in ("", ANY, ALL))
    what = " ".join(word for word in (effect.colour if effect.colour != ANY else "", effect.verb, about) if word)
    return f"which {all_of(parts)}, for {what} {effect.by:+d}"


def spot_words(scenario: str, collector: str, colour: str) -> str:
    """Describe what was chosen: "political on DH in A"."""
    spot = " in ".join(word for word in (collector, scenario) if word not in ("", ALL))
    return " on ".join(word for word in (colour, spot) if word)


def _where(effect: CardEffect) -> str:
    if effect.scenario == ALL:
        return "in all scenarios"
    return "in a scenario of your choice" if effect.scenario == ANY else f"in {effect.scenario}"


def _collector(effect: CardEffect) -> str:
    return "a collector of your choice" if effect.collector == ANY else effect.collector
