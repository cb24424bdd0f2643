"""The reader that knows the deck: it decides which of a few hundred codes this is, instead of decoding it.

Codes are found by their finder patterns at the size that the mat gives, or where one is known to lie; 21×21 modules are
sampled and compared with the code book. An answer counts only if no other code could have given it: see `SURE` and
`APART`; docs/eye.md says how rare a wrong one is.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye import finders
from companion.eye.finders import Plane, Points, Poses
from companion.eye.pictures import means
from companion.eye.reader import NO_HINTS, Hints, Reader, merged, moved, quad, sighting
from companion.eye.sampling import corners, inside, levels, middles, nudged, pose_of, poses_of_corners, refined
from companion.eye.signatures import Book, Floats, Grids, Signatures, book_of, evened
from companion.eye.symbol import SIDE
from companion.eye.view import Gray, Sighting

NAME = "deck"

SURE, SURE_SOFT = 9.0, 10.0
"""How surely a square must be a code, in standard deviations above what no code reaches; the second for blurred books.
Codes on a table reach 11 and more; blots with a code's corners 4.5, and 6.5 in ten thousand."""

APART = 0.18
"""How much better the best code must fit than any other code of the deck."""

FRAMED = 0.2
"""How alike the modules that carry no data must be to those of a code."""

FRAMED_MORE = 0.12
"""By how much they may be more alike than the data: a foreign code has them right and the data wrong."""

KNOWN, KNOWN_APART = 6.0, 0.12
"""`SURE` and `APART` for the code read at this very place before: few others could lie there."""

_FITS = 12.0
"""Sureness from which a pose needs no refining."""

_PROMISING = 1.8
"""Sureness from which a better pose is worth looking for. One square in a hundred that is no code reaches it."""

_FOREIGN = 0.6
"""Likeness in its fixed modules from which a square that is none of the deck is passed to the general reader."""

_WORK = 1.4
"""Pixels a module to which larger pictures are reduced: no code is lost by it, and time grows with the pixels."""

_SMALL = 1.15
"""The same for the smallest modules of a picture."""

_LARGE = 1_000_000
"""Pixels of a picture that shows a table rather than a card or two."""

_FINE_TABLE, _FINE_CARD = 2.8, 2.4
"""Pixels a module from which a quick look at a table, or a card, is left to the general reader, which is faster."""

_LEAST = 0.9
"""Pixels a module below which no search is made."""

_REACH, _TURN = 1.5, 1.5
"""How far (px, degrees) a code may have moved from its known place."""

_TRIED = 3
"""Poses round a known place that are tried closely."""

_HARD = 120, 600
"""Squares with a covered finder pattern that a quick and a thorough look try at most, the likeliest first."""


class Named(msgspec.Struct, frozen=True):
    """Poses and what was read there: `code` numbers the book's payloads; `surely`, `margin` and `framed` are what
    `SURE`, `APART` and `FRAMED` ask for, `alike` what `FRAMED_MORE` compares; `enough` is the sureness that suffices.
    """

    poses: Poses
    code: npt.NDArray[np.intp]
    alike: Floats
    surely: Floats
    margin: Floats
    framed: Floats
    enough: Floats

    @property
    def sure(self) -> npt.NDArray[np.bool_]:
        """Which of the answers count as read: a mask."""
        return np.asarray((self.surely >= self.enough) & (self.margin >= APART) & self._framed)

    def still(self, code: int) -> npt.NDArray[np.bool_]:
        """Return which of them count as the code that was read there before: a mask."""
        alike = (self.surely >= KNOWN) & (self.margin >= KNOWN_APART) & self._framed
        return np.asarray(self.sure | ((self.code == code) & alike))

    @property
    def _framed(self) -> npt.NDArray[np.bool_]:
        return np.asarray((self.framed >= FRAMED) & (self.framed <= self.alike + FRAMED_MORE))

    def only(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Named:
        """Return some of them, by a mask or by numbers."""
        return Named(*(part[chosen] for part in msgspec.structs.astuple(self)))

    def surer_than(self, other: Named) -> npt.NDArray[np.bool_]:
        """Return which of them exceed their required sureness by more than other answers for the same places."""
        return np.asarray(self.surely - self.enough > other.surely - other.enough)

    def bettered(self, place: npt.NDArray[np.intp], by: Named) -> Named:
        """Return a copy with other answers at some places, where those are surer (see `surer_than`)."""
        wins = by.surer_than(self.only(place))
        parts = [part.copy() for part in msgspec.structs.astuple(self)]
        for part, new in zip(parts, msgspec.structs.astuple(by), strict=True):
            part[place[wins]] = new[wins]
        return Named(*parts)


def name(gray: Gray, poses: Poses, codes: Signatures, enough: float = SURE) -> Named:
    """Return the best code for each pose (px), sure or not."""
    return _named(evened(levels(gray, poses)), poses, codes, enough)


def _named(flat: Grids, poses: Poses, codes: Signatures, enough: float) -> Named:
    answers = codes.match(flat)
    suffices = np.full(len(poses), enough, dtype=np.float32)
    return Named(poses, answers.best, answers.alike, answers.surely, answers.margin, codes.framed(flat), suffices)


def name_refined(gray: Gray, poses: Poses, book: Book, soft: bool = True) -> Named:
    """Return the best code for each pose that may be slightly off, in focus or (`soft`) out of focus."""
    flat = evened(levels(gray, poses))
    found = _named(flat, poses, book.sharp, SURE)
    every = [(book.sharp, SURE)]
    if soft and not found.sure.all():
        every += [(codes, SURE_SOFT) for codes in book.soft]
    rest = np.flatnonzero(~found.sure)
    which = np.zeros(len(poses), dtype=np.intp)
    for number, (codes, enough) in enumerate(every[1:], start=1):
        other = _named(flat[rest], poses[rest], codes, enough)
        which[rest[other.surer_than(found.only(rest))]] = number
        found = found.bettered(rest, other)
    for number, (codes, enough) in enumerate(every):
        near = np.flatnonzero((which == number) & (found.surely < _FITS) & (found.surely > _PROMISING))
        if len(near):
            # A refined pose counts only where it fits better: refining towards a code must not create one.
            moved_to = refined(gray, poses[near], codes.codes[found.code[near]])
            found = found.bettered(near, name(gray, moved_to, codes, enough))
    return found


def _best_of(found: Named, counts: npt.NDArray[np.bool_]) -> Named:
    centres = middles(found.poses)
    sides = np.sqrt(np.abs(np.linalg.det(found.poses[:, :, :2]))) * SIDE
    chosen = np.zeros(len(found.code), dtype=np.bool_)
    free = counts.copy()
    for number in np.argsort(-found.surely):
        if free[number]:
            chosen[number] = True
            free &= np.hypot(*(centres - centres[number]).T) > sides / 2
    return found.only(chosen)


def _away(poses: Poses, from_: Poses) -> npt.NDArray[np.bool_]:
    if not len(from_) or not len(poses):
        return np.ones(len(poses), dtype=np.bool_)
    apart = np.linalg.norm(middles(poses)[:, None] - middles(from_)[None], axis=2)
    sides = np.sqrt(np.abs(np.linalg.det(from_[:, :, :2]))) * SIDE
    return np.asarray((apart > sides / 2).all(axis=1))


def _off(points: Points, poses: Poses) -> npt.NDArray[np.bool_]:
    if not len(poses) or not len(points):
        return np.ones(len(points), dtype=np.bool_)
    across, down, start = poses.transpose(2, 1, 0)[..., None]
    x, y = points.T[:, None] - start
    area = across[0] * down[1] - across[1] * down[0]
    u, v = x * down[1] - y * down[0], y * across[0] - x * across[1]
    middle, reach = SIDE / 2 * area, (SIDE / 2 + 1) * np.abs(area)
    return np.asarray(((np.abs(u - middle) > reach) | (np.abs(v - middle) > reach)).all(axis=0))


def _enlarged(poses: Poses, factor: int) -> Poses:
    full = poses * factor
    full[:, :, 2] += (factor - 1) / 2
    return full


def _shrunk(poses: Poses, factor: int) -> Poses:
    small = poses.copy()
    small[:, :, 2] -= (factor - 1) / 2
    return np.asarray(small / factor)


class DeckReader:
    """Reads the codes of one deck, and passes anything else to a general reader. Safe to call from several threads."""

    def __init__(self, other: Reader | None = None) -> None:
        """Set up; `other` reads what is none of the deck's codes, and everything where the hints don't say enough."""
        self._other = other

    def read(self, gray: Gray, hints: Hints = NO_HINTS) -> list[Sighting]:
        """Read a picture: places of the hints first, then all of it; the other reader takes quick looks at fine
        pictures.

        It also reads alone without payloads, or module size and places. `hints.thorough` tries half-covered codes
        harder.
        """
        if not hints.payloads or not (hints.module > 0 or hints.places):
            return self._other.read(gray, hints) if self._other is not None else []
        large = gray.size > _LARGE
        if self._other is not None and not hints.thorough and hints.module > (_FINE_TABLE if large else _FINE_CARD):
            # What others read at once is not worth a search; what they miss is looked at again, thoroughly, where it
            # lies.
            plain = self._other.read(gray, msgspec.structs.replace(hints, places=(), plane=None))
            if plain or large:
                return plain
        book = book_of(hints.payloads)
        found = self._at_places(gray, book, hints.places) if hints.places else []
        if hints.module >= _LEAST and min(gray.shape) >= SIDE * hints.module:
            anywhere = self._search(gray, book, hints)
            found = merged([*found, *anywhere]) if found else anywhere
        if not found and hints.thorough and self._other is not None:
            # Something here is no code of the expected size: a menu, a card in the air.
            found = self._other.read(gray, msgspec.structs.replace(hints, places=(), plane=None))
        return found

    def _search(self, gray: Gray, book: Book, hints: Hints) -> list[Sighting]:
        whole = Plane.above(hints.module) if hints.plane is None else Plane(hints.plane)
        size = gray.shape[1], gray.shape[0]
        module = whole.module(size)
        factor = max(1, round(min(module / _WORK, whole.smallest_and_largest(size, 3)[0] / _SMALL)))
        small, plane = means(gray, factor), whole.in_part(0, 0, factor)
        points, values = finders.peaks(finders.likeness(small, plane), module / factor, finders.WEAK)
        if hints.known:
            free = _off(points, _shrunk(poses_of_corners(np.array([code.corners for code in hints.known])), factor))
            points, values = points[free], values[free]
        strong = values >= finders.STRONG
        if np.count_nonzero(strong) < 2:
            return []
        poses, _ = finders.squares(points[strong], values[strong], plane)
        poses, foreign = poses[inside(poses, small)], poses[:0]
        found: list[Named] = []
        if len(poses):
            # Most codes are read at once, and most other squares are combinations of their finder patterns.
            first = name(small, poses, book.sharp)
            found.append(_best_of(first, first.sure))
            poses = poses[_away(poses, found[0].poses)]
        if len(poses):
            second = name_refined(small, poses, book)
            found.append(_best_of(second, second.sure))
            foreign = second.poses[(second.framed >= _FOREIGN) & ~second.sure]
        # The remaining finder patterns belong to partly covered codes.
        for part in found:
            left = _off(points, part.poses)
            points, values = points[left], values[left]
        hard = finders.partly_seen(points, values, plane)
        hard = hard[inside(hard, small)][: _HARD[hints.thorough]]
        if len(hard):
            # Only a thorough look tries codes that are both out of focus and covered.
            third = name_refined(small, hard, book, hints.thorough)
            found.append(_best_of(third, third.sure))
        sightings = [seen for part in found for seen in _sightings(part, book, factor)]
        if self._other is not None and len(foreign):
            for part in found:
                foreign = foreign[_away(foreign, part.poses)]
            sightings += self._foreign(gray, _enlarged(foreign, factor), hints)
        return sightings

    def _foreign(self, gray: Gray, poses: Poses, hints: Hints) -> list[Sighting]:
        """Return what the general reader reads in squares that are framed like a code but are none of the deck."""
        assert self._other is not None  # noqa: S101 (asked by the caller)
        found: list[Sighting] = []
        seen: list[tuple[float, float]] = []
        for square in corners(poses):
            x, y = square.mean(axis=0)
            side = float(np.linalg.norm(square[1] - square[0]))
            if any(abs(x - other[0]) + abs(y - other[1]) < side for other in seen):
                continue
            seen.append((x, y))
            left, top = np.maximum(square.min(axis=0) - side / 4, 0).astype(int)
            right, low = (square.max(axis=0) + side / 4).astype(int) + 1
            crop = gray[top:low, left:right]
            found += moved(
                self._other.read(crop, msgspec.structs.replace(hints, places=(), plane=None)), int(left), int(top)
            )
        return found

    def _at_places(self, gray: Gray, book: Book, places: tuple[Sighting, ...]) -> list[Sighting]:
        """Return the codes read at their earlier places, give or take a pixel or two."""
        found: list[Sighting] = []
        for place in places:
            pose = pose_of(quad(place))
            if place.payload not in book.numbers or not inside(pose, gray).all():
                continue
            module = float(np.sqrt(abs(np.linalg.det(pose[0, :, :2]))))
            near = nudged(pose, module, _REACH, _TURN)
            flat, code = evened(levels(gray, near)), book.numbers[place.payload]
            fit = np.max([codes.likeness(flat, code) for codes in (book.sharp, *book.soft)], axis=0)
            named = name_refined(gray, near[np.argsort(-fit)[:_TRIED]], book)
            found += _sightings(_best_of(named, named.still(code)), book)
        return found


def _sightings(named: Named, book: Book, factor: int = 1) -> list[Sighting]:
    """Return the codes read in a picture reduced by a factor, in pixels of the full one."""
    quads = corners(_enlarged(named.poses, factor))
    return [sighting(book.payloads[code], corner, NAME) for code, corner in zip(named.code, quads, strict=True)]
