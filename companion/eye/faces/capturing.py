"""Teaching: takes the cards that came between two settled pictures of the table, one before and one after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.faces.deck import PX_PER_MM, Picture, TaughtDeck, TaughtFace
from companion.eye.faces.difference import changed, fit_light
from companion.eye.faces.flattening import shrunk
from companion.eye.faces.likeness import FaceBook, Judged, Pose, corners_of
from companion.eye.faces.poses import filled, rectangles
from companion.eye.mat import Mat
from companion.text import t

SHORTEST, LONGEST = 20.0, 180.0
"""A card's sides (mm) are not shorter or longer."""

_FILLS = 0.88
"""The share of its rectangle that a card's change fills, as far as its face is not the mat's own tone."""

_ODD_SIZE = 4.0
"""Millimetres by which a card may differ from its deck's size until that is said."""

_DIM, _BURNT, _SLANTED = 70.0, 0.02, 1.8
"""Brightest tenth of a dim picture; share of a card burnt out by glare; factor of brightness across the table."""

_SOFT = 2.0
"""Mean steepness of a card's outline (share of its height a pixel at 2 px/mm) below which the picture is blurred."""

_PLAIN = 3.0
"""Blocks' worth of print that a face must have to be known by it."""


class Fault(NamedTuple):
    """What is wrong with a card that was taken, or with the light: `kind` for programs, `words` for people.

    Kinds that spoil the picture: "nothing", "arm", "shape", "size". Kinds with which it may do: "dim", "glare",
    "slanted", "blurred", "plain".
    """

    kind: str
    words: str


FAULTS = {
    fault.kind: fault
    for fault in (
        Fault("nothing", t("No card came: lay one on the mat, in the open, and take the hand away.")),
        Fault("arm", t("Something larger than a card is there: take the hand away and wait a moment.")),
        Fault("shape", t("This is no single card: lay it apart from the others, flat, with nothing on it.")),
        Fault("size", t("This card has another size than the rest of its deck.")),
        Fault("dim", t("It is rather dark: switch on another lamp, the pictures get better.")),
        Fault("glare", t("A lamp is mirrored in the card: move the lamp or the card a little.")),
        Fault("slanted", t("The light is very uneven: a lamp from the other side helps.")),
        Fault("blurred", t("The picture is not sharp: focus the camera, or hold the table still.")),
        Fault("plain", t("There is next to nothing on this face to know it by.")),
    )
}
"""What can be wrong, by its kind."""

SPOILT = frozenset({"nothing", "arm", "shape", "size"})
"""The kinds of faults with which a picture is of no use."""


@dataclass(frozen=True)
class Taken:
    """A card that came.

    `pose` is its middle (mm) and turn (degrees clockwise, -90 to 90, so that its top is the edge nearer to the mat's
    top), `size` its width and height as measured (mm), `outline` its corners (mm), shape (4, 2), top left first;
    `picture` what it looks like, upright, PX_PER_MM fine; `faults` what is wrong with it; `quality` from 0 to 1.
    """

    pose: Pose
    size: tuple[float, float]
    outline: npt.NDArray[np.float64]
    picture: Picture
    faults: tuple[Fault, ...] = ()
    quality: float = 1.0

    @property
    def usable(self) -> bool:
        """Whether the picture may be kept."""
        return not any(fault.kind in SPOILT for fault in self.faults)


@dataclass(frozen=True)
class Takings:
    """What came between two pictures: cards, in rows from the mat's top left, and what is wrong beyond them."""

    cards: tuple[Taken, ...]
    faults: tuple[Fault, ...] = ()


def take(before: Picture, after: Picture, px_per_mm: float, mat: Mat, deck: TaughtDeck | None = None) -> Takings:
    """Return the cards that were laid between two flat pictures of a table at rest, `px_per_mm` fine.

    `before` is the table without them, `after` with them, each apart from all others by 8 mm at least; the mat's border
    with the markers is left out. `deck` is the one they belong to; None if their size is to be found out (cards then
    lie upright, unless their pictures say otherwise).
    """
    if before.shape != after.shape:
        raise ValueError("both pictures have to be of one size")
    was, now = shrunk(before, px_per_mm), shrunk(after, px_per_mm)
    mask = changed(was, now)
    edge = int(mat.frame) + 1
    inner = np.zeros_like(mask)
    inner[edge : mask.shape[0] - edge, edge : mask.shape[1] - edge] = mask[
        edge : mask.shape[0] - edge, edge : mask.shape[1] - edge
    ]
    closed = cv2.morphologyEx(inner, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    closed = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # Fitted to the whole table: next to a card alone, the card would tell the light.
    gain = fit_light(was, now)
    faults = _light_faults(now)
    cards = []
    for contour in contours:
        if cv2.contourArea(contour) < 0.5 * SHORTEST**2:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        outside = min(x, y, mask.shape[1] - x - w, mask.shape[0] - y - h) <= edge
        if max(w, h) > 1.3 * LONGEST or (outside and max(w, h) > LONGEST):
            faults.append(FAULTS["arm"])
            continue
        taken = _taken(before, after, px_per_mm, (x, y, w, h), gain, deck)
        if taken is not None:
            cards.append(taken)
    if not cards and not faults:
        faults.append(FAULTS["nothing"])
    cards.sort(key=lambda card: (round(card.pose[1] / 60), card.pose[0]))
    return Takings(tuple(cards), tuple(dict.fromkeys(faults)))


def cut_out(picture: Picture, px_per_mm: float, pose: Pose, w: float, h: float) -> Picture:
    """Return the upright picture, PX_PER_MM fine, of a card of w × h mm that lies at a pose in a flat picture."""
    wide, high = max(8, round(w * PX_PER_MM)), max(8, round(h * PX_PER_MM))
    corners = (corners_of(pose, w, h)[[0, 1, 3]] * px_per_mm - 0.5).astype(np.float32)
    onto = np.array([[0, 0], [wide, 0], [0, high]], dtype=np.float32) - np.float32(0.5)
    matrix = cv2.getAffineTransform(corners, onto)
    cut = cv2.warpAffine(picture, matrix, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8)


def averaged(views: list[Picture]) -> Picture:
    """Return the mean of pictures of one card that lay still: without the camera's noise."""
    return np.asarray(np.rint(np.mean(views, axis=0)), dtype=np.uint8)


def turned(card: Taken) -> Taken:
    """Return a card that was laid upside down, turned the other way up."""
    x, y, rotation = card.pose
    pose = (x, y, rotation - 180 if rotation > 0 else rotation + 180)
    picture = np.ascontiguousarray(card.picture[::-1, ::-1])
    return Taken(pose, card.size, np.roll(card.outline, 2, axis=0), picture, card.faults, card.quality)


def double_of(deck: TaughtDeck | FaceBook, picture: Picture) -> TaughtFace | None:
    """Return the taught face that a picture (as `Taken` has it) shows again, whichever way up; None if it is new."""
    book = deck if isinstance(deck, FaceBook) else FaceBook(deck)
    found = _nearest(book, picture)
    if found is None or found.margin < _DOUBLE_MARGIN or found.like < _DOUBLE_LIKE:
        return None
    face = book.deck.faces[found.face]
    return face if _same(picture, face.views[0]) else None


_DOUBLE_MARGIN, _DOUBLE_LIKE = 0.4, 0.8
"""How surely, and how much, a picture must be a taught face to be offered as its double."""
_DOUBLE_SAME = 0.98
"""How closely two whole pictures must agree besides: a book of few faces has not yet seen in what cards may differ."""


def _same(picture: Picture, other: Picture) -> bool:
    """Whether two pictures of one size agree, one of them shifted by a few pixels, whichever way up."""
    edge = 4
    smooth, template = cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.GaussianBlur(other, (0, 0), 1.0)
    padded = cv2.copyMakeBorder(smooth, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    ways = (padded, np.ascontiguousarray(padded[::-1, ::-1]))
    return max(float(cv2.matchTemplate(one, template, cv2.TM_CCOEFF_NORMED).max()) for one in ways) >= _DOUBLE_SAME


def _nearest(book: FaceBook, picture: Picture) -> Judged | None:
    if not len(book):
        return None
    padded = np.asarray(cv2.copyMakeBorder(picture, 8, 8, 8, 8, cv2.BORDER_REPLICATE), dtype=np.uint8)
    prepared = book.prepared(padded, PX_PER_MM)
    x, y = book.deck.w / 2 + 8 / PX_PER_MM, book.deck.h / 2 + 8 / PX_PER_MM
    show = np.ones(book.grid[0] * book.grid[1], dtype=np.bool_)
    best: Judged | None = None
    for turn in (0.0, 180.0):
        shifts = [(dx, dy) for dx in (-1.0, 0.0, 1.0) for dy in (-1.0, 0.0, 1.0)]
        crops = [book.blocks(book.crop(prepared, (x + dx, y + dy, turn))) for dx, dy in shifts]
        for judged in book.judge(crops, show, top=2):
            if best is None or judged.like > best.like:
                best = judged
    return best


def _taken(
    before: Picture,
    after: Picture,
    px_per_mm: float,
    box: tuple[int, int, int, int],
    light: npt.NDArray[np.float32],
    deck: TaughtDeck | None,
) -> Taken | None:
    """Return the card in a box (mm), measured on the full pictures."""
    x, y, w, h = box
    margin = 8
    rows = slice(max(0, round((y - margin) * px_per_mm)), round((y + h + margin) * px_per_mm))
    columns = slice(max(0, round((x - margin) * px_per_mm)), round((x + w + margin) * px_per_mm))
    was, now = (cv2.GaussianBlur(picture[rows, columns], (0, 0), 0.8) for picture in (before, after))
    here = light[max(0, y - margin) : y + h + margin, max(0, x - margin) : x + w + margin]
    gain = cv2.resize(here, (was.shape[1], was.shape[0]), interpolation=cv2.INTER_LINEAR)
    off = np.abs(was.astype(np.float32) * gain - now.astype(np.float32)).max(2)
    mask = (off > np.clip(0.15 * float(np.median(now)), 12, 26)).astype(np.uint8)
    side = round(4 * px_per_mm) | 1
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)
    (cx, cy), (rw, rh), angle = cv2.minAreaRect(contour)
    # A contour runs through pixels' middles: half a pixel is missing on each side.
    rw, rh = (rw + 1) / px_per_mm, (rh + 1) / px_per_mm
    if min(rw, rh) < SHORTEST:
        return None
    fills = cv2.contourArea(cv2.convexHull(contour)) / max(1.0, (rw * rh) * px_per_mm**2)
    solid = cv2.contourArea(contour) / max(1.0, float(cv2.contourArea(cv2.convexHull(contour))))
    upright = deck is None or deck.w <= deck.h
    if (rw > rh) == upright:
        rw, rh, angle = rh, rw, angle + 90
    angle = (angle + 90) % 180 - 90
    pose = (
        (cx + columns.start + 0.5) / px_per_mm,
        (cy + rows.start + 0.5) / px_per_mm,
        float(angle) if angle > -90 else 90.0,
    )
    size = (float(rw), float(rh))
    kept = (deck.w, deck.h) if deck is not None else size
    faults = []
    if fills < _FILLS or solid < _FILLS or max(size) > LONGEST:
        faults.append(FAULTS["shape"])
    elif deck is not None and not _fits(size, deck):
        faults.append(FAULTS["size"])
    if faults and deck is not None:
        # A dark rim on a dark mat: the card's size is known, and its edges tell more than what stands out.
        seen = np.asarray(now, dtype=np.uint8), np.asarray(mask, dtype=np.uint8)
        by_edges = _by_edges(was * gain, *seen, px_per_mm, deck)
        if by_edges is not None:
            x0, y0, turn = by_edges
            pose = (x0 + columns.start / px_per_mm, y0 + rows.start / px_per_mm, (turn + 90) % 180 - 90)
            size, faults = kept, []
    picture = cut_out(after, px_per_mm, pose, *kept)
    quality, more = _quality(picture, deck, after[rows, columns])
    return Taken(pose, size, corners_of(pose, *kept), picture, (*faults, *more), 0.0 if faults else quality)


def _fits(size: tuple[float, float], deck: TaughtDeck) -> bool:
    """Return whether a measured size is a deck's, or smaller all round by a rim that doesn't stand out."""
    dw, dh = size[0] - deck.w, size[1] - deck.h
    rim = abs(dw - dh) < _ODD_SIZE / 2 and -2 * _ODD_SIZE < min(dw, dh) <= max(dw, dh) < 0
    return rim or max(abs(dw), abs(dh)) <= _ODD_SIZE


def _by_edges(
    was: npt.NDArray[np.float32], now: Picture, mask: npt.NDArray[np.uint8], px_per_mm: float, deck: TaughtDeck
) -> Pose | None:
    """Return the pose (mm in this part) of a card of the deck's size by its edges; None if it is no such card."""
    behind = shrunk(np.clip(was, 0, 255).astype(np.uint8), px_per_mm)
    small = (shrunk(mask, px_per_mm) > 0).astype(np.uint8)
    here = shrunk(now, px_per_mm)
    size = (deck.w, deck.h)
    for pose in rectangles(behind, here, small, size, (0, 0, here.shape[1], here.shape[0]), top=1):
        inside = filled(pose, (deck.w + 3, deck.h + 3), small.shape[:2]) > 0
        if small[inside].sum() > 0.97 * small.sum() and small[inside].mean() > 0.6:
            return pose
    return None


def _quality(picture: Picture, deck: TaughtDeck | None, around: Picture) -> tuple[float, list[Fault]]:
    """Return how good a card's picture is, 0 to 1, and what is wrong with it."""
    faults, quality = [], 1.0
    burnt = float((picture.min(2) >= 250).mean())
    patch = cv2.erode((picture.min(2) >= 250).astype(np.uint8), np.ones((9, 9), np.uint8))
    # Paper may be white all over; a shine burns out a patch and leaves the rest darker.
    if _BURNT < burnt < 0.6 and patch.any() and float(np.median(picture.max(2))) < 215:
        faults.append(FAULTS["glare"])
        quality *= 0.5
    gray = cv2.cvtColor(around, cv2.COLOR_RGB2GRAY).astype(np.float32)
    slopes = np.hypot(cv2.Sobel(gray, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(gray, cv2.CV_32F, 0, 1) / 8)
    reach = float(np.percentile(gray, 98) - np.percentile(gray, 2))
    sharp = float(np.percentile(slopes, 98)) / max(reach, 10.0) * 10
    if sharp < _SOFT / 2:
        faults.append(FAULTS["blurred"])
        quality *= 0.6
    if deck is not None:
        one = FaceBook(TaughtDeck("one", "", deck.w, deck.h, (TaughtFace("", ("001",), (picture,)),)), fine=True)
        if float(one.power.sum()) < _PLAIN:
            faults.append(FAULTS["plain"])
            quality *= 0.4
    return quality, faults


def _light_faults(now: Picture) -> list[Fault]:
    gray = cv2.cvtColor(now, cv2.COLOR_RGB2GRAY)
    faults = []
    if float(np.percentile(gray, 90)) < _DIM:
        faults.append(FAULTS["dim"])
    cells = cv2.resize(gray, (6, 4), interpolation=cv2.INTER_AREA).astype(np.float32) + 4
    ends = [cells[:, :2].mean(), cells[:, 4:].mean()], [cells[:2].mean(), cells[2:].mean()]
    if max(max(pair) / min(pair) for pair in ends) > _SLANTED:
        faults.append(FAULTS["slanted"])
    return faults


def measured_size(cards: list[Taken]) -> tuple[float, float]:
    """Return the median size (w, h in mm, to half a millimetre) of these cards; raise ValueError if none is usable."""
    sizes = [card.size for card in cards if card.usable]
    if not sizes:
        raise ValueError("no card was taken")
    w, h = np.median(np.array(sizes), axis=0)
    return round(2 * float(w)) / 2, round(2 * float(h)) / 2
