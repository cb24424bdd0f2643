"""Lays out what the referee knows for people: a snapshot in which every sentence carries the players' names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from companion.referee.snapshot import LogLine
from companion.rules.kernel import TABLE, Action, AnyGame, Seat, Standing, View, name_seats
from companion.text import Text, t

T = TypeVar("T")


def named(value: T, names: Mapping[Seat, str]) -> T:
    """Put names for the seats in every sentence of a struct, a tuple or a string."""
    return rewritten(value, lambda words: name_seats(words, names) if "@" in words else words)


def legible(
    value: T, names: Mapping[Seat, str], has: Callable[[str], object], say: Callable[[str], str] = lambda words: words
) -> T:
    """Return "Seat 2", which `say` translates, for each name that a font lacks letters of, or it would vanish."""
    seats = {name: say(t("Seat {seat}", seat=seat)) for seat, name in names.items() if not writes(has, name)}

    # All names are looked for, longest first: a part of another's name is nobody's.
    called = re.compile("|".join(map(re.escape, sorted(filter(None, names.values()), key=len, reverse=True))))

    def respelled(words: str) -> str:
        return seats.get(words) or called.sub(lambda found: seats.get(found[0], found[0]), words)

    def change(words: str) -> str:
        return words.changed(respelled) if isinstance(words, Text) else respelled(words)

    return rewritten(value, change) if seats else value


def writes(has: Callable[[str], object], name: str) -> bool:
    """Return whether a font that `has` these letters can write a name: all letters of it, and anything at all."""
    letters = [sign for sign in name if unicodedata.category(sign).startswith("L")]
    return not name.strip() or (all(map(has, letters)) and any(map(has, name.replace(" ", ""))))


def rewritten(value: T, change: Callable[[str], str]) -> T:
    """Change every string of a struct or a tuple; an action, a list and a dict stay as they are."""
    spoken: Any = value  # a thing of the same type, as no type checker can follow
    if isinstance(value, str):
        spoken = change(value)
    elif isinstance(value, tuple):
        spoken = tuple(rewritten(one, change) for one in value)
    elif isinstance(value, msgspec.Struct) and not isinstance(value, Action):
        fields = ((name, getattr(value, name)) for name in value.__struct_fields__)
        changed = {name: new for name, old in fields if (new := rewritten(old, change)) is not old and new != old}
        spoken = msgspec.structs.replace(value, **changed) if changed else value
    return spoken  # type: ignore[no-any-return]


class NamedViews:
    """Every seat's view, the scores and the log, with the names; made anew only if the state or a name has changed."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self.game, self._seats = game, seats
        self._state: object = None
        self._names: dict[Seat, str] = {}
        self._lines: dict[int, tuple[LogLine, LogLine]] = {}
        self.views: tuple[View, ...] = ()
        self.standing: Standing

    def follow(self, state: object, log: tuple[LogLine, ...], names: Mapping[Seat, str]) -> tuple[LogLine, ...]:
        """Make `views` and `standing` those of a state; two states are the same only if they are one object.

        Returns the log with the names; a line that was named before is not named again.
        """
        if names != self._names:
            self._lines, self._names, self.views = {}, dict(names), ()
        if not self.views or state is not self._state:
            self._state = state
            self.views = tuple(named(self.game.view(state, seat), names) for seat in range(TABLE, self._seats + 1))
            self.standing = named(self.game.standing(state), names)
        known = [self._lines.get(line.n, (None, line)) for line in log]
        pairs = zip(log, known, strict=True)
        self._lines = {line.n: (line, spoken if line == old else named(line, names)) for line, (old, spoken) in pairs}
        return tuple(spoken for _, spoken in self._lines.values())
