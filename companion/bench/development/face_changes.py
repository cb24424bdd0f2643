"""Faces read by themselves, without an eye that follows them: what a change between two settled pictures tells, and a
whole table.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.eye.faces.cold import Part, find_cards
from companion.eye.faces.deck import Picture
from companion.eye.faces.difference import Mask, changed
from companion.eye.faces.flattening import shrunk
from companion.eye.faces.likeness import FaceBook, Pose, moved
from companion.eye.faces.naming import LEAST_BLOCKS, SHIFTS, Named, Plausible, Sheet, share_alike, weigh
from companion.eye.faces.poses import Region, filled, rectangles, regions

STILL = 0.6
"""The share of a known card's showing blocks that must look as they should: then it is still there."""

_SEEN_WITHOUT = 0.6
"""The share of a card's place that must show the mat or other known cards before the card is gone."""

_LEAST = 200
"""Square millimetres that must be unexplained for a card to be looked for."""

_ARM = (400, 300, 3.2)
"""What is wider or higher than this (mm), or larger than so many cards, is an arm."""


class Known(NamedTuple):
    """A card that lies on the table: its face's number in the book, and its pose."""

    face: int
    pose: Pose


class Change(NamedTuple):
    """What changed: cards that came (those of which it is not `sure` have to be asked for), and which of the known
    ones are gone, by their number.
    """

    laid: tuple[Named, ...]
    gone: tuple[int, ...]


class Table(NamedTuple):
    """What is known when a change is read: the empty mat (1 px/mm) in any light, and the cards, bottom to top."""

    empty: Picture
    known: Sequence[Known]


def read_change(
    book: FaceBook,
    before: Picture,
    after: Picture,
    px_per_mm: float,
    table: Table,
    plausible: Plausible | None = None,
) -> Change:
    """Return what changed between two flat pictures of a table at rest."""
    return _Reading(book, shrunk(before, px_per_mm), after, px_per_mm, table, plausible).change()


class _Reading:
    """The steps of reading one change. All masks are 1 px/mm."""

    def __init__(
        self,
        book: FaceBook,
        was: Picture,
        after: Picture,
        px_per_mm: float,
        table: Table,
        plausible: Plausible | None,
    ) -> None:
        self.book, self.table, self.plausible = book, table, plausible
        self.size = (book.deck.w, book.deck.h)
        self.was, self.now = was, shrunk(after, px_per_mm)
        self.shape = self.now.shape[:2]
        self.prepared = book.prepared(after, px_per_mm)
        self.moved = cv2.morphologyEx(changed(was, self.now), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        self.off_mat = changed(table.empty, self.now)
        self.top = painted(table.known, self.size, self.shape)

    def change(self) -> Change:
        lost = self._lost()
        uncovered = self._uncovered(lost)
        unexplained = ((self.moved > 0) & (self.off_mat > 0) & ~uncovered).astype(np.uint8)
        unexplained = np.asarray(cv2.morphologyEx(unexplained, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)), np.uint8)
        laid = self._laid(unexplained, lost)
        free = (self.off_mat == 0) | uncovered
        for card in laid:
            if card.sure:
                free &= filled(card.pose, self.size, self.shape) == 0
        gone = []
        for number in lost:
            place = (self.top == number) & (self.moved > 0)
            if place.any() and free[place].mean() >= _SEEN_WITHOUT:
                gone.append(number)
        return Change(tuple(laid), tuple(gone))

    def _lost(self) -> list[int]:
        """Return the known cards whose place has changed and no longer looks like them."""
        lost = []
        for number, (face, pose) in enumerate(self.table.known):
            shows = self.top == number
            area = int(shows.sum())
            if area < 60 or int(self.moved[shows].sum()) < max(0.06 * area, 40):
                continue
            share = self._share(face, pose, shows)
            if share is None:
                if float((self.off_mat[shows] == 0).mean()) > _SEEN_WITHOUT:
                    lost.append(number)
            elif share < STILL:
                lost.append(number)
        return lost

    def _share(self, face: int, pose: Pose, shows: np.ndarray) -> float | None:
        sheet = Sheet(self.book, self.prepared, (~shows).astype(np.uint8) * 255)
        return share_alike(sheet, pose, face, sheet.showing(pose))

    def _uncovered(self, lost: Sequence[int]) -> np.ndarray:
        """Return where known cards show that lay under lost ones."""
        uncovered = np.zeros(self.shape, dtype=np.bool_)
        if not lost:
            return uncovered
        left = [card for number, card in enumerate(self.table.known) if number not in set(lost)]
        low = painted(left, self.size, self.shape)
        was_lost = np.isin(self.top, lost)
        for number in np.unique(low[was_lost]):
            if number < 0:
                continue
            zone = (low == number) & was_lost
            if zone.sum() < 60:
                continue
            share = self._share(left[number].face, left[number].pose, low == number)
            if share is not None and share >= STILL:
                uncovered |= zone
        return uncovered

    def _laid(self, unexplained: Mask, lost: Sequence[int]) -> list[Named]:
        hidden = ((self.top >= 0) & (cv2.dilate(self.moved, np.ones((5, 5), np.uint8)) == 0)).astype(np.uint8) * 255
        sheet = Sheet(self.book, self.prepared, hidden)
        card = self.size[0] * self.size[1]
        near = regions(unexplained, _LEAST, 4)[:3]
        # White on white: one card's change falls to pieces.
        wide = regions(unexplained, _LEAST, 13)[:2]
        if len(wide) == len(near) or cv2.countNonZero(unexplained) > 5 * card:
            wide = []
        laid: list[Named] = []
        for number, region in enumerate([*near, *wide]):
            if number >= len(near) and any(named.sure for named in laid):
                break
            if region.box[2] > _ARM[0] or region.box[3] > _ARM[1] or region.area > _ARM[2] * card:
                continue
            named = self._name(sheet, region, unexplained, lost)
            if named is not None and not any(_same_place(named, other) for other in laid):
                laid.append(named)
        return laid

    def _name(self, sheet: Sheet, region: Region, unexplained: Mask, lost: Sequence[int]) -> Named | None:
        part = (unexplained * region.mask).astype(np.uint8)
        poses = rectangles(self.was, self.now, part, self.size, region.box)
        for number in lost:
            # A card on a pile: its edges are the pile's.
            place = self.top == number
            if (place & region.mask).sum() > 0.3 * (place & (self.moved > 0)).sum():
                poses.append(self.table.known[number].pose)
        ys, xs = np.nonzero(part)
        wanted = self.plausible(float(xs.mean()), float(ys.mean())) if self.plausible is not None else None
        named = name_at(sheet, poses, wanted)
        little = _LEAST < int(part.sum()) < 0.75 * self.size[0] * self.size[1]
        if little and (named is None or not named.sure or named.blocks < 20):
            slid = name_at(sheet, slid_poses(sheet, self._neighbours(part, sheet), part), wanted, turns=False)
            if slid is not None and (named is None or (slid.sure, slid.margin) > (named.sure, named.margin)):
                named = slid
        return named

    def _neighbours(self, part: Mask, sheet: Sheet) -> list[Pose]:
        near = cv2.dilate(part, np.ones((13, 13), np.uint8)) > 0
        numbers = np.unique(self.top[near & (sheet.hidden > 0)]) if sheet.hidden is not None else np.array([])
        return [self.table.known[int(number)].pose for number in numbers if number >= 0][:3]


def read_table(
    book: FaceBook, empty: Picture, now: Picture, px_per_mm: float, plausible: Plausible | None = None
) -> list[Named]:
    """Return every card that is found on a table, of which only the empty mat (1 px/mm, in any light) is known."""
    small = shrunk(now, px_per_mm)
    mask = np.asarray(cv2.morphologyEx(changed(empty, small), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)))
    opened = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), dtype=np.uint8)
    found = find_cards(book, Part(empty, small, book.prepared(now, px_per_mm), opened), plausible)
    return [lying.named for lying in found]


def name_at(
    sheet: Sheet, poses: Sequence[Pose], plausible: Collection[int] | None = None, turns: bool = True
) -> Named | None:
    """Return the card that lies at one of some poses, sure or not; None if nothing shows there.

    Args:
        sheet: the picture.
        poses: where it may lie; with `turns` also the other way up.
        plausible: numbers of the faces that the rules expect; None if they expect nothing.
        turns: see above.
    """
    book = sheet.book
    if not len(book):
        return None
    tried: list[tuple[float, int, Pose]] = []
    for pose in poses:
        for turn in (0.0, 180.0) if turns else (0.0,):
            at = moved(pose, 0, 0, turn)
            show = sheet.showing(at)
            if show.sum() < LEAST_BLOCKS:
                continue
            places = [moved(at, dx, dy) for dx, dy in SHIFTS]
            scores = book.coarse([sheet.blocks(place) for place in places], show)
            shift, view = np.unravel_index(int(scores.argmax()), scores.shape)
            tried.append((float(scores[shift, view]), int(view), places[int(shift)]))
            if plausible:
                fits = np.isin(book.owner, list(plausible))
                if fits.any() and not fits[view]:
                    chosen = np.where(fits[None, :], scores, -np.inf)
                    shift, view = np.unravel_index(int(chosen.argmax()), chosen.shape)
                    tried.append((float(chosen[shift, view]) - 0.02, int(view), places[int(shift)]))
    tried.sort(key=lambda entry: -entry[0])
    found = [named for _, view, pose in tried[:3] if (named := weigh(sheet, pose, view, plausible)) is not None]
    return max(found, key=lambda named: (named.sure, named.margin + named.like), default=None)


def painted(cards: Sequence[Known], size: tuple[float, float], shape: tuple[int, ...]) -> np.ndarray:
    """Return which card is on top everywhere on the mat (mm), by its number, -1 for none."""
    top = np.full(shape, -1, dtype=np.int16)
    for number, card in enumerate(cards):
        top[filled(card.pose, size, (shape[0], shape[1])) > 0] = number
    return top


def slid_poses(sheet: Sheet, neighbours: Sequence[Pose], part: Mask) -> list[Pose]:
    """Return poses of a card that lies in a row with its neighbours, half under them: the best of a step of 1.5 mm."""
    w, h = sheet.book.deck.w, sheet.book.deck.h
    found: list[tuple[float, Pose]] = []
    for pose in neighbours:
        for sign in (1.0, -1.0):
            beside = filled(moved(pose, sign * 0.6 * w, 0), (0.6 * w, 0.8 * h * 2), part.shape)
            if (beside & part).sum() < 60:
                continue
            for away in np.arange(8.0, 0.8 * w, 1.5):
                for aside in (-1.5, 0.0, 1.5):
                    for turn in (0.0, 180.0):
                        at = moved(pose, sign * away, aside)
                        at = (at[0], at[1], at[2] + turn)
                        show = sheet.showing(at)
                        if show.sum() < 5:
                            continue
                        scores = sheet.book.coarse([sheet.blocks(at)], show, 0.25)
                        found.append((float(scores.max()), at))
    found.sort(key=lambda entry: -entry[0])
    return [pose for _, pose in found[:4]]


def _same_place(a: Named, b: Named) -> bool:
    return a.face == b.face and np.hypot(a.pose[0] - b.pose[0], a.pose[1] - b.pose[1]) < 10
