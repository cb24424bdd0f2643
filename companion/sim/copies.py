"""Cards that look the same, in a match of robots: which copy is which is what the referee says it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from companion.rules.cards import Piece
from companion.rules.kernel import Action, Facts

T = TypeVar("T")


def taken_for(
    truth: tuple[Action | None, Facts], understood: tuple[Action | None, Facts], alike: Sequence[tuple[Piece, ...]]
) -> dict[Piece, Piece]:
    """Return which pieces were taken for which others that look the same; empty if that is not the difference."""
    compared = _Compared(alike)
    plain = [
        msgspec.to_builtins((action, sorted(facts, key=lambda fact: fact.place)))
        for action, facts in (truth, understood)
    ]
    if not all(compared.same(a, b) for a, b in zip(*plain, strict=True)):
        return {}
    return _closed(compared.names)


class _Compared:
    """Two records compared, but for pieces that look the same; `names` has each of ours and what stands for it."""

    def __init__(self, alike: Sequence[tuple[Piece, ...]]) -> None:
        self._groups = {piece: group for group in alike for piece in group}
        self.names: dict[Piece, Piece] = {}

    def same(self, ours: object, theirs: object) -> bool:
        """Return whether two values differ in such pieces at most, each of ours always for the same other."""
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return ours.keys() == theirs.keys() and all(self.same(ours[key], theirs[key]) for key in ours)
        if isinstance(ours, list | tuple) and isinstance(theirs, list | tuple):
            return self._same_rows(ours, theirs)
        if ours == theirs:
            return True
        if not isinstance(ours, str) or not isinstance(theirs, str):
            return False
        if ours not in self._groups or self._groups[ours] != self._groups.get(theirs):
            return False
        return self.names.setdefault(ours, theirs) == theirs

    def _same_rows(self, ours: Sequence[object], theirs: Sequence[object]) -> bool:
        both = [one for one in ours if one in theirs]
        rest = [sorted((one for one in some if one not in both), key=str) for some in (ours, theirs)]
        if all(isinstance(one, str) and one in self._groups for some in rest for one in some):
            rest = [sorted(some, key=lambda one: (self._groups[str(one)], str(one))) for some in rest]
        return len(rest[0]) == len(rest[1]) and all(self.same(a, b) for a, b in zip(*rest, strict=True))


def _closed(names: dict[Piece, Piece]) -> dict[Piece, Piece]:
    """Return a renaming after which every piece is still there: what was given away takes the name that is free."""
    back = {new: old for old, new in names.items()}
    closed = dict(names)
    for end in names.values():
        if end in names:
            continue
        start = end
        while start in back:
            start = back[start]
        closed[end] = start
    return closed


def renamed(value: T, names: Mapping[Piece, Piece]) -> T:
    """Return a state, an action or what else is made of structs and collections, with other pieces in it."""
    found: Any = value  # a thing of the same type, as no type checker can follow
    if isinstance(value, str):
        found = names.get(value, value)
    elif isinstance(value, msgspec.Struct):
        fields = {field: renamed(getattr(value, field), names) for field in value.__struct_fields__}
        found = msgspec.structs.replace(value, **fields)
    elif isinstance(value, Mapping):
        found = {renamed(key, names): renamed(entry, names) for key, entry in value.items()}
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        found = type(value)(*(renamed(entry, names) for entry in value))
    elif isinstance(value, list | tuple | set | frozenset):
        found = type(value)(renamed(entry, names) for entry in value)
    return found  # type: ignore[no-any-return]
