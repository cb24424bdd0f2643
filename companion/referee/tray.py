"""Dice rolled on the table and read by the camera (C6); what lay in the tray before a roll was due is none."""

from __future__ import annotations

import math

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import SIDES_READ, USUAL_DIE, DiceSeen, DieSeen, TableView, ThingSeen, Unread
from companion.rules.kernel import Action, AnyGame, Need, holes
from companion.rules.layout import Zone
from companion.text import t

MOVED = 3.0
"""Millimetres by which a die that was thrown lies elsewhere, at least; less is what the eye's measuring varies by."""

AS_LARGE = 0.5
"""What a thing shows, in usual dice, that may have been one; words that are printed in a tray show less."""

_PRINTED = 12
"""Things that are remembered as printed there, at most."""

_REMEMBERED = 6
"""Dice that are remembered, beside those that are seen, as a hand may hide them."""


class Awaited(msgspec.Struct, frozen=True):
    """A roll that is due: the action, and the dice it waits for."""

    action: Action
    need: Need


class Thrown(msgspec.Struct, frozen=True):
    """What the tray says to an awaited roll: values to journal, values to ask about, or what is wrong, in words.

    `missing` says why the only unreadable die couldn't be read; the values are then those of the others.
    """

    values: tuple[int, ...] = ()
    sure: bool = False
    words: str = ""
    missing: Unread | None = None


def due(game: AnyGame, state: object) -> Awaited | None:
    """Find the roll that is the only thing to do now; None if there is none, or a choice."""
    actors = game.actors(state)
    unseen = game.info.unseen
    actions = [
        action
        for action in game.legal(state)
        if action.seat in actors and str(action.__struct_config__.tag) not in unseen
    ]
    if len(actions) != 1 or holes(actions[0]):
        return None
    return awaited(game, state, actions[0])


def awaited(game: AnyGame, state: object, action: Action) -> Awaited | None:
    """Take a legal action as a roll to wait for, if one throw of dice that the camera reads is all it needs."""
    needs = game.needs(state, action)
    if len(needs) != 1 or needs[0].kind != "rolled" or needs[0].sides not in SIDES_READ:
        return None
    return Awaited(action, needs[0])


WHERE = {
    (-1, -1): t("at the far edge, on the left"),
    (0, -1): t("at the far edge"),
    (1, -1): t("at the far edge, on the right"),
    (-1, 0): t("on the left"),
    (0, 0): t("in the middle"),
    (1, 0): t("on the right"),
    (-1, 1): t("at the near edge, on the left"),
    (0, 1): t("at the near edge"),
    (1, 1): t("at the near edge, on the right"),
}
"""Where a tray is on the mat, across and down."""


def tray_place(mat: Mat) -> str:
    """Return where a mat's tray is, as seen from its near side; "" if it has none."""
    if mat.tray is None:
        return ""
    x, y = mat.tray.rect.centre
    across, down = (-1 if share < 0.38 else 1 if share > 0.62 else 0 for share in (x / mat.w, y / mat.h))
    return WHERE[across, down]


class Tray:
    """Watches the tray for one roll after the other."""

    def __init__(self, mat: Mat) -> None:
        self.place = tray_place(mat)
        self.sides = 0 if mat.tray is None else mat.tray.sides
        """The sides of the dice that are read there; 0 if the mat has no tray."""
        self.awaited: Awaited | None = None
        self._labels = {zone.name: zone.label or zone.name for zone in mat.zones}
        self._thrown = False
        self._covered: frozenset[Zone] = frozenset()
        self._before: DiceSeen | None = None
        self._last: DiceSeen | None = None
        self._lay: tuple[DieSeen, ...] = ()
        self._printed: tuple[ThingSeen, ...] = ()
        """What lay there before a throw and after it in the same place."""

    def wait(self, roll: Awaited | None, view: TableView | None) -> None:
        """Wait for a roll; what lies in the tray now is not it."""
        if roll is not None and roll.need.sides != self.sides:
            roll = None
        if roll != self.awaited:
            self.awaited = roll
            self._thrown = False
            self.again(view)

    def throw(self, roll: Awaited, view: TableView) -> None:
        """Wait for a roll of which somebody said that they throw it in the tray: dice elsewhere are told of."""
        self.wait(roll, view)
        self.again(view)
        self._thrown, self._covered = True, view.covered

    def again(self, view: TableView | None) -> None:
        """Wait for the same roll, but not for what lies in the tray now."""
        # A camera that has just come back has not looked at the tray yet: what lay there last may lie there still.
        seen = _seen(view) or self._last
        if seen is not None and self._before is not None and _moved(self._before, seen):
            stayed = [thing for thing in seen.things if _among(thing, self._before.things)]
            new = [thing for thing in stayed if not _among(thing, self._printed)]
            self._printed = (*self._printed, *new)[-_PRINTED:]
        # So may what a hand hides now.
        self._before = None if seen is None else msgspec.structs.replace(seen, dice=self._lying(seen))

    def _lying(self, seen: DiceSeen) -> tuple[DieSeen, ...]:
        """Return the dice that are seen, and after them those that lay elsewhere lately."""
        hidden = [one for one in self._lay if not any(_same(one, other) for other in seen.dice)]
        return (*seen.dice, *hidden[:_REMEMBERED])

    def look(self, view: TableView) -> Thrown | None:
        """Return what a view says to the roll; None while nobody has thrown yet."""
        thrown = self._judge(view)
        if self._last is not None:
            self._lay = self._lying(self._last)
        return thrown

    def _judge(self, view: TableView) -> Thrown | None:
        dice = self._last = _seen(view) or self._last
        if self._before is None:
            # After a start nobody knows since when the dice lie there.
            self.again(view)
        if self.awaited is None or dice is None or self._before is None or not view.settled:
            return None
        dice = self._without_old(dice, self._before)
        if not _moved(self._before, dice):
            return self._elsewhere(view)
        count = self.awaited.need.count
        if dice.fallen:
            fell = t("A die has") if dice.fallen == 1 else t("{fallen} dice have", fallen=dice.fallen)
            return Thrown(
                words=t("{fell} fallen out of the tray, which is {place}: roll again", fell=fell, place=self.place)
            )
        # Whatever shows what no die does is no die, or was not read.
        values = tuple(value for value in dice.values if 1 <= value <= dice.sides)
        unread = dice.unread + sum(die.value is None for die in dice.dice) + len(dice.values) - len(values)
        if len(values) == count:
            return Thrown(values, sure=dice.certainty == "sure" and not unread)
        if unread == 1 and len(values) + 1 == count:
            why = next((die.why for die in dice.dice if die.value is None and die.place == "in"), None)
            return Thrown(values, missing=why or Unread.UNCLEAR)
        if len(values) + unread == count:
            return Thrown(words=t("I can't read all the dice: move what covers them, or type what they show"))
        if len(values) + unread == 0:
            return None
        there = len(values) + unread
        lie = t("1 die lies") if there == 1 else t("{there} dice lie", there=there)
        return Thrown(
            words=(
                t("{lie} in the tray, and {count} is due: roll {count}", lie=lie, count=count)
                if count == 1
                else t("{lie} in the tray, and {count} are due: roll {count}", lie=lie, count=count)
            )
        )

    def _without_old(self, now: DiceSeen, before: DiceSeen) -> DiceSeen:
        """Return what is seen now, without what can't be read, or lies beside the tray, and was there before.

        That is printed there, or wasn't thrown. Dice in the tray that are read count, whenever they came there.
        """
        old = (*before.things, *self._printed)
        things = tuple(thing for thing in now.things if not _among(thing, old))
        unclear = [die for die in before.dice if die.value is None or die.place != "in"]
        dice = tuple(
            die
            for die in now.dice
            if (die.value is not None and die.place == "in") or not any(_same(die, other) for other in unclear)
        )
        return msgspec.structs.replace(now, dice=dice, things=things)

    def _elsewhere(self, view: TableView) -> Thrown | None:
        """Return a hint for who throws in the tray if something new lies in a zone: it may be their dice."""
        found = sorted(view.covered - self._covered)
        if not self._thrown or not found:
            return None
        where = self._labels.get(found[0], found[0])
        return Thrown(
            words=t(
                "Something lies on {zone}. If these are the dice: the tray is {place}, roll there",
                zone=where,
                place=self.place,
            )
        )


def _seen(view: TableView | None) -> DiceSeen | None:
    return view.dice[0] if view is not None and view.dice else None


def _moved(before: DiceSeen, now: DiceSeen) -> bool:
    """Return whether something in the tray has moved, or shows something else: it was thrown.

    A die that could not be read before, or can't be any more, lies where a thing is seen in the other light.
    """
    may_be = [thing for thing in before.things if thing.area >= AS_LARGE * USUAL_DIE]
    read_now = [die for die in now.dice if any(thing.holds(die.x, die.y, MOVED) for thing in may_be)]
    dice = any(not any(_same(one, other) for other in before.dice) for one in now.dice if one not in read_now)
    return dice or any(not any(thing.holds(die.x, die.y, MOVED) for die in before.dice) for thing in now.things)


def _among(thing: ThingSeen, others: tuple[ThingSeen, ...]) -> bool:
    return any(thing.within(other, MOVED) for other in others)


def _same(one: DieSeen, other: DieSeen) -> bool:
    alike = one.value == other.value or None in (one.value, other.value)
    return alike and math.hypot(one.x - other.x, one.y - other.y) <= MOVED
