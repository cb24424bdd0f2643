"""Rows that were pushed along: what some cards of a row did the others have done too.

A missing card is looked for where the row's other cards say that it lies now (as in `Recalled`); what shows there has
to look like that card, and like no other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from companion.eye.faces.recalled import NEAR_MM, Entry, Recalled
from companion.eye.mat import Shape
from companion.eye.places import Pose
from companion.eye.tracks import MOVE_DEG

_ACROSS_MM = 10.0
"""How far from the line of a row a card of it may lie, and be pushed from it."""

_MOMENT = 20.0
"""Seconds for which a card that lies elsewhere now tells where others of its row are."""

_BETWEEN = 1.0
"""Seconds between two looks at the same places: a hand may still be there."""

_APART_MM = 15.0
"""Millimetres that the cards of a row must lie apart for a line through them to say more than one of them."""

_LATER = 1.0
"""Seconds by which a card may be missed later than others of its row are found; what moved before moved without it."""


class _Was(NamedTuple):
    """Where a card was seen last as it should look, and its number from the bottom up."""

    pose: Pose
    number: int


class _Push(NamedTuple):
    """A card that lies elsewhere now: where it was, where it is, and since when (seconds)."""

    was: _Was
    now: Pose
    time: float


class Pushed:
    """The rows of which some cards were found further along."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = shapes
        self._was: dict[str, _Was] = {}
        self._missing: dict[str, float] = {}
        self._pushes: dict[str, _Push] = {}
        self._looked = -math.inf
        self._entries: list[Entry] = []
        self.row = Recalled(shapes)
        """Where cards of such rows lie, or should."""

    def misses(self, piece: str) -> bool:
        """Return whether a card that lay on the table a moment ago is not seen where it lay."""
        return piece in self._missing

    def see(self, seen: Sequence[Entry], time: float) -> None:
        """Take which cards are seen as they should look, from the bottom up."""
        for number, (piece, pose) in enumerate(seen):
            was = self._was.get(piece)
            if was is not None and was.pose.distance(pose) > NEAR_MM:
                self._pushes[piece] = _Push(was, pose, time)
            self._was[piece] = _Was(pose, number)
        there = {piece for piece, _ in seen}
        self._pushes = {piece: push for piece, push in self._pushes.items() if time - push.time <= _MOMENT}
        missing = {piece: self._missing.get(piece, time) for piece in self._was if piece not in there}
        self._missing = {piece: since for piece, since in missing.items() if time - since <= _MOMENT}
        self._was = {piece: was for piece, was in self._was.items() if piece in there or piece in self._missing}
        entries = [
            (self._was[piece].number, piece, pose)
            for piece, since in self._missing.items()
            for pose in self._expected(self._was[piece].pose, since)
        ]
        expected = {piece for _, piece, _ in entries}
        entries += [(push.was.number, one, push.now) for one, push in self._pushes.items() if one not in expected]
        found = [(piece, pose) for _, piece, pose in sorted(entries, key=lambda entry: entry[0])]
        if found != self._entries:
            self._entries, self.row = found, Recalled(self._shapes, found)

    def due(self, time: float) -> bool:
        """Return whether it is time to look for what is missing, even where nothing looks unfamiliar."""
        if time - self._looked < _BETWEEN:
            return False
        self._looked = time
        return True

    def _expected(self, was: Pose, since: float) -> list[Pose]:
        """Return where a card missing since a time (s) should lie: as its nearest neighbour, and as all, say."""
        turn = math.radians(was.rotation)
        row = []
        for push in self._pushes.values():
            if push.time < since - _LATER:
                continue
            before = push.was.pose
            (far, off), (along, across) = _ways(was, before, turn), _ways(before, push.now, turn)
            if max(abs(off), abs(across)) < _ACROSS_MM and before.turned_by(was) < MOVE_DEG:
                row.append((far, along))
        if not row:
            return []
        shifts = [min(row, key=lambda entry: abs(entry[0]))[1]]
        far, along = np.array(row).T
        if np.ptp(far) > _APART_MM:
            shifts.append(float(np.polyval(np.polyfit(far, along, 1), 0.0)))
        c, s = math.cos(turn), math.sin(turn)
        return [Pose(was.x + along * c, was.y + along * s, was.rotation) for along in shifts]


def _ways(start: Pose, end: Pose, turn: float) -> tuple[float, float]:
    """Return how far (mm) one pose lies from another along and across a row that is turned so far (radians)."""
    dx, dy = end.x - start.x, end.y - start.y
    return dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
