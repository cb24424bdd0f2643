"""The reader that knows the deck: it asks which of a few hundred codes this is, not what is written here.

General decoders give up where bits are lost. Here a code is found by its finder patterns at the size that the mat
gives, or at a place where one is known to lie; its 21×21 modules are sampled and compared with the code book. Only an
answer that no other code could have given is given: see `SURE` and `APART`; docs/eye.md tells how rare a wrong one is.
"""

from __future__ import annotations

import threading

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye import finders
from companion.eye.finders import Poses
from companion.eye.reader import NO_HINTS, Hints, Reader, merged, moved, quad, sighting
from companion.eye.sampling import corners, inside, levels, middles, nudged, pose_of, refined
from companion.eye.signatures import Floats, Signatures, evened
from companion.eye.symbol import SIDE
from companion.eye.view import Gray, Sighting

NAME = "deck"

SURE = 0.68
"""How alike a square must be to the code it is taken for. Codes on a table reach 0.79 from one and a quarter pixels a
module on, in any light; what is no code at most 0.62, a foreign code of the same size 0.62 when it is quite sharp.
"""

APART = 0.15
"""How much more alike than to any other code of the deck."""

FRAMED = 0.3
"""How alike the modules that carry no data must be to those of a code."""

CLEAR = 0.8
"""Below this likeness the data must be no less alike than the modules that carry none: a foreign code in a sharp
picture has those right and the data wrong.
"""

KNOWN, KNOWN_APART = 0.5, 0.1
"""`SURE` and `APART` for the code that was read at this very place in an earlier frame: one code is asked for, not one
of hundreds, and what else could lie there is one of those that are more alike.
"""

_FITS = 0.85
"""From this likeness on a pose needs no refining."""

_PROMISING = 0.36
"""From this likeness on a better pose is worth looking for. Squares that are no code hardly reach it."""

_FOREIGN = 0.6
"""From which likeness in its other modules a square that is none of the deck is shown to the general reader."""

_WORK = 1.4
"""Pixels a module to which larger pictures are reduced: no code is lost by it, and time grows with the pixels."""

_LEAST = 0.9
"""Pixels a module below which nothing is searched for."""

_REACH, _TURN = 1.5, 1.5
"""How far (px, degrees) a code may have come from its known place."""

_TRIED = 6
"""Poses round a known place that are looked at closely."""

_HARD = 600
"""Squares with a covered finder pattern that a thorough look tries at most, the likeliest first."""


class Named(msgspec.Struct, frozen=True):
    """Poses and what was read there: `code` numbers the book's payloads, `alike` and `margin` tell how surely, and
    `framed` how much each looks like a code at all.
    """

    poses: Poses
    code: npt.NDArray[np.intp]
    alike: Floats
    margin: Floats
    framed: Floats

    @property
    def sure(self) -> npt.NDArray[np.bool_]:
        """Which of them count as read."""
        return np.asarray((self.alike >= SURE) & (self.margin >= APART) & (self.framed >= FRAMED) & self._even)

    def still(self, code: int) -> npt.NDArray[np.bool_]:
        """Which of them count as the code that was read there before."""
        alike = (self.alike >= KNOWN) & (self.margin >= KNOWN_APART)
        return np.asarray(self.sure | ((self.code == code) & alike & self._even))

    @property
    def _even(self) -> npt.NDArray[np.bool_]:
        return np.asarray((self.framed <= self.alike) | (self.alike >= CLEAR))

    def only(self, chosen: npt.NDArray[np.bool_]) -> Named:
        """Give some of them."""
        return Named(
            self.poses[chosen], self.code[chosen], self.alike[chosen], self.margin[chosen], self.framed[chosen]
        )


def name(gray: Gray, poses: Poses, book: Signatures) -> Named:
    """Read the codes at poses (px): one answer for each, sure or not."""
    flat = evened(levels(gray, poses))
    answers = book.match(flat)
    return Named(poses.copy(), answers.best, answers.alike, answers.margin, book.framed(flat))


def name_refined(gray: Gray, poses: Poses, book: Signatures) -> Named:
    """Read the codes at poses that may be a little off: those that promise something are moved to where they fit."""
    found = name(gray, poses, book)
    near = (found.alike < _FITS) & (found.alike > _PROMISING)
    if not near.any():
        return found
    better = name(gray, refined(gray, poses[near], book.codes[found.code[near]]), book)
    # A pose that was moved counts only where it really fits better: the wish for a code must not make one.
    wins = better.alike > found.alike[near]
    place = np.flatnonzero(near)[wins]
    for old, new in (
        (found.poses, better.poses), (found.code, better.code), (found.alike, better.alike),
        (found.margin, better.margin), (found.framed, better.framed),
    ):  # fmt: skip
        old[place] = new[wins]
    return found


def _best_of(found: Named, counts: npt.NDArray[np.bool_]) -> Named:
    """Keep what counts as read, and of several answers at one place the likeliest."""
    centres = middles(found.poses)
    sides = np.sqrt(np.abs(np.linalg.det(found.poses[:, :, :2]))) * SIDE
    chosen = np.zeros(len(found.code), dtype=np.bool_)
    free = counts.copy()
    for number in np.argsort(-found.alike):
        if free[number]:
            chosen[number] = True
            free &= np.hypot(*(centres - centres[number]).T) > sides / 2
    return found.only(chosen)


def _away(poses: Poses, from_: Poses) -> npt.NDArray[np.bool_]:
    """Tell which poses lie where none of the others does."""
    if not len(from_) or not len(poses):
        return np.ones(len(poses), dtype=np.bool_)
    apart = np.linalg.norm(middles(poses)[:, None] - middles(from_)[None], axis=2)
    sides = np.sqrt(np.abs(np.linalg.det(from_[:, :, :2]))) * SIDE
    return np.asarray((apart > sides / 2).all(axis=1))


def _reduced(gray: Gray, factor: int) -> Gray:
    if factor == 1:
        return np.ascontiguousarray(gray)
    high, wide = gray.shape[0] // factor, gray.shape[1] // factor
    cut = gray[: high * factor, : wide * factor]
    return np.asarray(cv2.resize(cut, (wide, high), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _enlarged(poses: Poses, factor: int) -> Poses:
    """Give poses found in a reduced picture as they are in the full one."""
    full = poses * factor
    full[:, :, 2] += (factor - 1) / 2
    return full


class DeckReader:
    """Reads the codes of one deck, and has what is none of them read by a general reader. Safe to call from several
    threads.
    """

    def __init__(self, other: Reader | None = None) -> None:
        """Set up; `other` reads what is none of the deck's codes, and everything where the hints don't say enough."""
        self._other = other
        self._lock = threading.Lock()
        self._books: dict[frozenset[str], Signatures] = {}

    def read(self, gray: Gray, hints: Hints = NO_HINTS) -> list[Sighting]:
        """Read a picture.

        Without the payloads that can exist, or without the size of a module and places, the other reader reads alone.
        `hints.places` are tried first; `hints.thorough` also looks for codes of which a finder pattern is covered.
        """
        if not hints.payloads or not (hints.module > 0 or hints.places):
            return self._other.read(gray, hints) if self._other is not None else []
        book = self._book(hints.payloads)
        found = self._at_places(gray, book, hints.places) if hints.places else []
        if hints.module >= _LEAST and min(gray.shape) >= SIDE * hints.module:
            anywhere = self._search(gray, book, hints)
            found = merged([*found, *anywhere]) if found else anywhere
        return found

    def _book(self, payloads: frozenset[str]) -> Signatures:
        with self._lock:
            if payloads not in self._books:
                self._books[payloads] = Signatures(payloads)
            return self._books[payloads]

    def _search(self, gray: Gray, book: Signatures, hints: Hints) -> list[Sighting]:
        factor = max(1, round(hints.module / _WORK))
        small, module = _reduced(gray, factor), hints.module / factor
        like = finders.likeness(small, module)
        points, values = finders.peaks(like, module, finders.WEAK if hints.thorough else finders.STRONG)
        strong = values >= finders.STRONG
        poses, _ = finders.squares(points[strong], values[strong], module)
        first = name_refined(small, poses[inside(poses, small)], book)
        found = [_best_of(first, first.sure)]
        if hints.thorough:
            known = found[0].poses
            weak, likely = finders.squares(points, values, module)
            half, half_likely = finders.incomplete(points[strong], values[strong], module)
            more, order = np.concatenate([weak, half]), np.argsort(-np.concatenate([likely, half_likely * 2 / 3]))
            more = more[order]
            more = more[inside(more, small)]
            more = more[_away(more, known)][:_HARD]
            second = name_refined(small, more, book)
            found.append(_best_of(second, second.sure))
        sightings = [one for part in found for one in _sightings(part, book, factor)]
        if self._other is not None:
            unknown = first.poses[(first.framed >= _FOREIGN) & ~first.sure]
            for part in found:
                unknown = unknown[_away(unknown, part.poses)]
            sightings += self._foreign(gray, _enlarged(unknown, factor), hints)
        return sightings

    def _foreign(self, gray: Gray, poses: Poses, hints: Hints) -> list[Sighting]:
        """Let the general reader look at squares that are framed like a code and are none of the deck."""
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
            found += moved(self._other.read(crop, msgspec.structs.replace(hints, places=())), int(left), int(top))
        return found

    def _at_places(self, gray: Gray, book: Signatures, places: tuple[Sighting, ...]) -> list[Sighting]:
        """Read codes that should still lie, but for a pixel or two, where they were read before."""
        found: list[Sighting] = []
        for place in places:
            pose = pose_of(quad(place))
            if place.payload not in book.numbers or not inside(pose, gray).all():
                continue
            module = float(np.sqrt(abs(np.linalg.det(pose[0, :, :2]))))
            near = nudged(pose, module, _REACH, _TURN)
            likely = np.argsort(-book.framed(evened(levels(gray, near))))[:_TRIED]
            named = name_refined(gray, near[likely], book)
            best = _best_of(named, named.still(book.numbers[place.payload]))
            found += _sightings(best, book)
        return found


def _sightings(named: Named, book: Signatures, factor: int = 1) -> list[Sighting]:
    """Give what was read in a picture reduced by a factor, in pixels of the full one."""
    quads = corners(_enlarged(named.poses, factor))
    return [sighting(book.payloads[code], corner, NAME) for code, corner in zip(named.code, quads, strict=True)]
