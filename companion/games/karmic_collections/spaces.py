"""The eight actions, part by part in the rulebook's words and order, and whether all parts can be done (M4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from companion.rules.wording import cards
from companion.text import join, plural, t

LIGHT, DARK = "light", "dark"
OPPOSITE = {LIGHT: DARK, DARK: LIGHT}
SIDE_WORDS = {LIGHT: t("light"), DARK: t("dark")}
MARKS = {LIGHT: "☀", DARK: "☾"}
"""What the sides are known by where there is no room for words."""
CARD, DIE, COIN, CHIT = "card", "die", "coin", "chit"
AMOUNTS: Mapping[str, Callable[[int], str]] = {
    CARD: cards,
    DIE: lambda n: plural("{count} die", "{count} dice", count=n),
    COIN: lambda n: plural("{count} coin", "{count} coins", count=n),
    CHIT: lambda n: plural("{count} chit", "{count} chits", count=n),
}
NONE = {CARD: t("no card"), DIE: t("no die"), COIN: t("no coin"), CHIT: t("no chit")}
DOES: Mapping[str, Callable[[str], str]] = {
    "draw": lambda things: t("draw {things}", things=things),
    "gain": lambda things: t("gain {things}", things=things),
    "give": lambda things: t("give {things}", things=things),
    "steal": lambda things: t("steal {things}", things=things),
    "swap": lambda things: t("swap {things}", things=things),
    "bestow": lambda things: t("partner gains {things}", things=things),
}


class Part(msgspec.Struct, frozen=True):
    """One part of an action: what is done (`does`) with so many of a thing.

    "gain" is from the deck or the bags, "give" goes to the karmic partner, "steal" comes from them, "swap" takes one
    and gives one of the same kind; "bestow" is a gain of the karmic partner.
    """

    does: str
    what: str
    count: int = 1

    @property
    def words(self) -> str:
        """The part in words: "draw 2 cards"."""
        verb = "draw" if (self.does, self.what) == ("gain", CARD) else self.does
        return DOES[verb](amount(self.count, self.what))


class Space(msgspec.Struct, frozen=True):
    """One of the eight actions, with its parts from left to right."""

    title: str
    side: str
    parts: tuple[Part, ...]

    @property
    def words(self) -> str:
        """The action in words: "draw 2 cards, give 1 die"."""
        return join(", ", (part.words for part in self.parts))


SPACES = {
    "deal-fates": Space(t("Deal Fates"), LIGHT, (Part("gain", CARD, 2), Part("give", DIE))),
    "focus-light": Space(t("Focus Light"), LIGHT, (Part("gain", COIN), Part("give", CHIT, 2))),
    "roll-fortunes": Space(t("Roll Fortunes"), LIGHT, (Part("gain", DIE, 2), Part("give", CARD))),
    "balance-chakra": Space(t("Balance Chakra"), LIGHT, (Part("gain", CARD), Part("gain", DIE), Part("give", CHIT))),
    "benevolent-burglar": Space(
        t("Benevolent Burglar"), DARK, (Part("steal", CARD, 2), Part("give", CARD), Part("give", CHIT))
    ),
    "merciful-mugger": Space(t("Merciful Mugger"), DARK, (Part("steal", CHIT, 3), Part("bestow", DIE))),
    "exchange-fortunes": Space(
        t("Exchange Fortunes"), DARK, (Part("swap", DIE), Part("gain", CARD), Part("give", CARD))
    ),
    "swap-fates": Space(t("Swap Fates"), DARK, (Part("swap", CARD), Part("gain", DIE), Part("give", DIE))),
}
"""Action rules: the eight actions in the rulebook's order."""

SIDES = {side: tuple(name for name, space in SPACES.items() if space.side == side) for side in (LIGHT, DARK)}


def amount(count: int, what: str) -> str:
    """Return the words for a number of things: "1 die", "2 cards"."""
    return AMOUNTS[what](count)


DECK, MY_CARDS, MY_DICE, MY_CHITS, THEIR_CARDS, THEIR_DICE, THEIR_CHITS, BAG = range(8)
"""Where things are taken from and go to: indices of the list that counts what is there."""
Has = list[int]
ENDLESS = 1_000_000
"""As many as the bags ever need (M4)."""


class Step(msgspec.Struct, frozen=True):
    """A part of an action, or a piece of one, that is done at once: so many things go from one place to another.

    `need` is how many must be there: one more than go, where the thing just taken can't be handed back.
    """

    does: str
    part: Part
    source: int = BAG
    target: int = BAG
    count: int = 1
    need: int = 1


NOTHING = Step("", Part("", ""))
AUTOMATIC = frozenset({"coins", "give-chits", "take-chits"})
"""Steps that leave neither a choice nor chance."""


def _steps(part: Part) -> tuple[Step, ...]:
    n = part.count
    match part.does, part.what:
        case "gain", "card":
            return (Step("draw", part, DECK, MY_CARDS),) * n
        case "gain", "die":
            return (Step("roll", part, BAG, MY_DICE, n, n),)
        case "gain", "coin":
            return (Step("coins", part, count=n),)
        case "bestow", "die":
            return (Step("partner-roll", part, BAG, THEIR_DICE, n, n),)
        case "give", "chit":
            return (Step("give-chits", part, MY_CHITS, THEIR_CHITS, n, n),)
        case "give", "card":
            return (Step("give-card", part, MY_CARDS, THEIR_CARDS),) * n
        case "give", "die":
            return (Step("give-die", part, MY_DICE, THEIR_DICE),) * n
        case "steal", "chit":
            return (Step("take-chits", part, THEIR_CHITS, MY_CHITS, n, n),)
        case "steal", "card":
            return (Step("conceal", part, count=0), *(Step("take-card", part, THEIR_CARDS, MY_CARDS),) * n)
        case "swap", "card":
            take = Step("take-card", part, THEIR_CARDS, MY_CARDS)
            return (Step("conceal", part, count=0), take, Step("return-card", part, MY_CARDS, THEIR_CARDS, need=2))
        case "swap", "die":
            take = Step("take-die", part, THEIR_DICE, MY_DICE)
            return (take, Step("return-die", part, MY_DICE, THEIR_DICE, need=2))
    raise ValueError(f"there is no rule for the part {part.words!r}")


STEPS = {name: tuple(step for part in space.parts for step in _steps(part)) for name, space in SPACES.items()}
"""What is done for each action, one thing after the other."""


class Lack(msgspec.Struct, frozen=True):
    """The first part of an action that can't be done: which place lacks something, and how many were there for it."""

    part: Part
    source: int
    has: int


def lack(steps: tuple[Step, ...], has: Has) -> Lack | None:
    """Return the first part that can't be done, None if all can be (M4).

    Each part is tried on what those before it leave in `has`, which changes: a later one can give what an earlier one
    brings.
    """
    part, before = NOTHING.part, has
    for step in steps:
        if step.part is not part:
            part, before = step.part, has[:]
        if has[step.source] < step.need:
            return Lack(part, step.source, before[step.source])
        has[step.source] -= step.count
        has[step.target] += step.count
    return None
