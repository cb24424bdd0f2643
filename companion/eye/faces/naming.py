"""Which card lies about a pose, and how surely."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.faces.deck import Picture
from companion.eye.faces.likeness import FaceBook, Floats, Pose, moved
from companion.eye.faces.likeness import Mask as Blocks

ACCEPT, FEW, FEWEST = 0.4, (30, 0.5), (18, 0.7)
"""The margin from which on a card counts; with fewer blocks showing than this, of 54, the second number."""

EXPECTED, EXPECTED_BLOCKS = 0.2, 18
"""The margin for a card that the rules expect there, and the blocks that must show."""

LIKE = 0.45
"""The likeness that it must have besides."""

OF = 54.0
"""Blocks of the canvas for which numbers of blocks are told."""

LEAST_MM2 = 350
"""Square millimetres that must be unexplained for a card to be looked for."""

SHIFTS = ((0.0, 0.0), (1.3, 1.3), (-1.3, -1.3), (1.3, -1.3), (-1.3, 1.3))
"""By what (mm) the places are apart at which a card is tried about a pose."""
_FINE = (
    (0.0, 0.0, 0.0),
    (0.9, 0.0, 0.0),
    (-0.9, 0.0, 0.0),
    (0.0, 0.9, 0.0),
    (0.0, -0.9, 0.0),
    (0.0, 0.0, 0.8),
    (0.0, 0.0, -0.8),
)
_NEAR = ((0.0, 0.0), (0.9, 0.0), (-0.9, 0.0), (0.0, 0.9), (0.0, -0.9))
ALL_ALIKE = 0.9
"""The share of its blocks that must look like its face for all of a card to show."""

LEAST_BLOCKS = 5
"""Blocks that must show for anything to be said."""

Plausible = Callable[[float, float], Collection[int] | None]
"""Which faces (by number) the rules expect at a place (mm); None for no expectation."""

Hidden = npt.NDArray[np.uint8]
"""Where something known lies over a card: 255, else 0; 1 px/mm."""


class Named(NamedTuple):
    """A card that was recognised: the face's number, its pose, the margin over all others, its likeness, how many of
    54 blocks showed, and whether it is sure enough to count. `rivals` are the likeliest faces, the best first.
    """

    face: int
    pose: Pose
    margin: float
    like: float
    blocks: float
    sure: bool
    rivals: tuple[int, ...] = ()


class Sheet(NamedTuple):
    """A picture to read faces in: prepared by the book, with what lies over the cards looked for (None: nothing)."""

    book: FaceBook
    prepared: Picture
    hidden: Hidden | None = None

    def showing(self, pose: Pose) -> Blocks:
        """Return which blocks of a card at a pose show."""
        book = self.book
        if self.hidden is None:
            return np.ones(book.grid[0] * book.grid[1], dtype=np.bool_)
        return book.showing(book.crop(self.hidden, pose, 1.0))

    def blocks(self, pose: Pose) -> Floats:
        """Return the blocks of what shows at a pose."""
        return self.book.blocks(self.book.crop(self.prepared, pose))


def enough(margin: float, like: float, blocks: float, expected: bool) -> bool:
    """Return whether a card counts. What the rules expect needs less margin, never fewer rivals."""
    if like < LIKE:
        return False
    if expected and blocks >= EXPECTED_BLOCKS and margin >= EXPECTED:
        return True
    need = FEWEST[1] if blocks < FEWEST[0] else FEW[1] if blocks < FEW[0] else ACCEPT
    return margin >= need


def weigh(sheet: Sheet, pose: Pose, view: int, plausible: Collection[int] | None = None) -> Named | None:
    """Return what lies about a pose at which a view seems to fit, aligned with it; None if too little shows."""
    book = sheet.book
    pose = aligned(sheet, pose, view)
    show = sheet.showing(pose)
    if show.sum() < LEAST_BLOCKS:
        return None
    places = [moved(pose, *shift) for shift in _FINE]
    crops = [sheet.blocks(place) for place in places]
    blocks = float(show.sum()) * OF / len(show)
    judged = book.judge(crops, show)
    if not judged:
        return None
    best = judged[0]
    expected = plausible is not None and best.face in plausible
    rivals = tuple(dict.fromkeys(entry.face for entry in judged))
    sure = enough(best.margin, best.like, blocks, expected)
    if not sure and plausible and not expected:
        # The likeliest is not expected, nor sure: one that is expected may be, against all others.
        among = book.judge(crops, show, np.array(sorted(plausible)), top=2)
        if among and enough(among[0].margin, among[0].like, blocks, True):
            best, sure = among[0], True
    return Named(best.face, places[best.crop], best.margin, best.like, blocks, sure, rivals)


def aligned(sheet: Sheet, pose: Pose, view: int, part: npt.NDArray[np.uint8] | None = None) -> Pose:
    """Return a pose moved and turned to fit a view, by a canvas mask `part` (255); as it was if that leads astray."""
    book = sheet.book
    if part is None and sheet.hidden is not None:
        hidden = book.crop(sheet.hidden, pose, 1.0)
        part = (hidden < 128).astype(np.uint8) * 255
    show = np.ones(book.grid[0] * book.grid[1], np.bool_) if part is None else book.showing(255 - part)
    crop, canvas = book.crop(sheet.prepared, pose), book.canvases[view]
    # Under pale ink the light on the card is the stronger pattern; without it the way may be too far.
    fits = [_fitted(book, pose, sight(canvas), sight(crop), part) for sight in (_gray, _ink)]
    return max(fits, key=lambda fit: float((sheet.blocks(fit) * book.refs[view])[show].sum()))


def _fitted(book: FaceBook, pose: Pose, then: Floats, now: Floats, part: npt.NDArray[np.uint8] | None) -> Pose:
    start = np.eye(2, 3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 1e-3)
    try:
        whole = np.full(then.shape[:2], 255, np.uint8) if part is None else part
        _, found = cv2.findTransformECC(then, now, start, cv2.MOTION_EUCLIDEAN, stop, whole, 3)
    except cv2.error:
        return pose
    middle = np.array([book.wide / 2 - 0.5, book.high / 2 - 0.5, 1.0])
    away = np.asarray(found, dtype=np.float64) @ middle - middle[:2]
    dx, dy = float(away[0]) * book.deck.w / book.wide, float(away[1]) * book.deck.h / book.high
    turn = float(np.degrees(np.arctan2(found[1, 0], found[0, 0])))
    if np.hypot(dx, dy) > 9 or abs(turn) > 9:
        return pose
    return moved(pose, dx, dy, turn)


def _gray(canvas: Picture) -> Floats:
    return np.asarray(cv2.cvtColor(canvas, cv2.COLOR_RGB2GRAY), dtype=np.float32)


def _ink(canvas: Picture) -> Floats:
    """Return the gray levels of a canvas without those of the surroundings."""
    gray = _gray(canvas)
    side = 2 * (min(gray.shape) // 8) + 1
    return np.asarray(gray - cv2.blur(cv2.blur(gray, (side, side)), (side, side)), dtype=np.float32)


def is_like(sheet: Sheet, pose: Pose, face: int, least: float) -> bool:
    """Return whether what is seen about a pose is at least so much like a face: 1 as taught, 0 like another."""
    book = sheet.book
    views = np.flatnonzero(book.owner == face)
    own = np.maximum(book.power[:, views].sum(0), 0.5)
    places = (sheet.blocks(moved(pose, dx, dy)) for dx, dy in _NEAR)
    return any(float(((seen * book.refs[views]).sum((1, 2)) / own).max()) >= least for seen in places)


def share_alike(sheet: Sheet, pose: Pose, face: int, show: Blocks) -> float | None:
    """Return what share of the blocks of a card that show look like its face; None if too few show."""
    if show.sum() < 3:
        return None
    book = sheet.book
    best = 0.0
    for dx, dy in _NEAR:
        seen = sheet.blocks(moved(pose, dx, dy))
        for view in np.flatnonzero(book.owner == face):
            best = max(best, float(book.alike(seen, int(view))[show].mean()))
        if best >= ALL_ALIKE:
            break
    return best


def is_another(sheet: Sheet, pose: Pose, face: int, show: Blocks) -> bool:
    """Return whether what shows of a card is nearer to another face than to its own: alike they may be all the same."""
    if show.sum() < LEAST_BLOCKS:
        return False
    places = [sheet.blocks(pose)]
    judged = sheet.book.judge(places, show, top=3)
    if judged and judged[0].face == face and judged[0].margin >= ACCEPT:
        return False
    places += [sheet.blocks(moved(pose, dx, dy)) for dx, dy in _NEAR[1:]]
    judged = sheet.book.judge(places, show, top=3)
    return bool(judged) and judged[0].face != face and judged[0].margin > 0
