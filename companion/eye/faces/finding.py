"""A cold look: all cards that show where only the empty mat and the taught faces are known.

A card is found, what it explains taken away, and all looked at again, until nothing more is found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.eye.faces.deck import Picture
from companion.eye.faces.difference import Mask
from companion.eye.faces.flattening import resized
from companion.eye.faces.keypoints import Keypoints, keypoints_in
from companion.eye.faces.likeness import FaceBook, Floats, Pose, corners_of, moved, upside_down
from companion.eye.faces.likeness import Mask as Blocks
from companion.eye.faces.naming import LEAST_MM2, OF, SHIFTS, Named, Plausible, Sheet, aligned, weigh
from companion.eye.faces.poses import Region, containing, filled, is_gleam, likely_angles, rectangles, regions
from companion.eye.faces.searched import Here, Way
from companion.eye.faces.sure import (
    Known,
    Place,
    apart,
    in_one_place,
    is_as_taught,
    is_doubtful,
    is_plain,
    is_remembered,
    is_sure,
)

_ROUNDS = 4

_BLOCKS = 7
"""Blocks in a piece that must look like a card before it is said to lie there."""

_GLIMPSED = 5
"""Blocks of a guess by keypoints that must look like its face before it is aligned: none of 472 right guesses had
fewer, of 1,477 others a third."""

_CLEAR = 0.7
"""The margin of a card that need not be weighed against others."""

_WHOLE, _DARK = (0.0, 0.75, 48.0), (0.55, 0.6, 52.0)
_PART, _STRIP = (0.5, 0.7, 24.0), (0.65, 0.9, 18.0)
"""The margin, the likeness and the blocks, of 54, of a card of which less than half has to differ from what was there
before: of one that shows wholly, in good light and in little; and of a front of which a part alone shows, or a strip.
"""

_DIFFERS = 0.15
"""The share of such a card that has to differ."""

_BARE = 0.55
"""Share of a card's place that is bare mat beside what shows, from which on it does not lie there: backs like the mat
reach 0.47, other cards 0.41."""

_BARE_BY_CHANCE = 0.2
"""The same of a front that is not clear: another card of its deck, with parts in common, may seem to lie beside it."""

_ANOTHER = 3.5 / 54
"""Share of a front's blocks with another picture that puts it in doubt: it then needs a margin of `_CLEAR`. As much of
the shared frame must show."""

_COVERED, _EXPLAINED = 0.3, 0.5
"""Blocks without the shared frame, for each with another picture, that mean something lies over the card; and the
margin then enough."""

_HOPEFUL = 0.1
"""Margin at first glance from which an unexpected card is weighed: of 1,733 found on photographs one had less."""

_RIM = 6
"""Millimetres round a card that belong to its surroundings: masks of its place are no larger."""

_STEP = 8.0
"""Millimetres between poses that are tried for a card of which a part alone differs: `aligned` mends as much."""

_LEAST_PART = 0.15
"""The share of a card's area from which on a part may be all that differs from the mat: half of the card's blocks have
to be seen, and a fifth of what is seen has to differ, which is a tenth; the smallest parts fit the most places.
"""

_SHIFTED = 2
"""Poses that are tried moved a little, too, for one that may be weighed."""

_AT_ONCE = 16
"""Poses that are compared with the faces at once."""

_SAME_MM, _SAME_DEG = 3.0, 4.0
"""How near (mm) and how little turned (degrees) two poses are of which one need not be weighed after the other."""

_Placed = tuple[Blocks, list[Pose], list[Floats]]
"""Which blocks of a card show, places of it, and what is seen at each."""


class Lying(NamedTuple):
    """A card that was found: what it was recognised as, and where it shows (mm, 0 or 1)."""

    named: Named
    shows: Mask


class Part(NamedTuple):
    """A part of the table as pictures and masks (0 or 1) of 1 px/mm.

    `behind` is what was there before the cards; `now` what is there, `prepared` the same by the book, of any
    resolution; `mask` what is not explained; `over` where known cards may lie over others; `bare` where bare mat is
    seen. None stands for nowhere, or not known. `poor` if it is in gray or coarse: faces that are close are hardly
    told apart; `partly` if cards that nobody taught may lie there, and nothing but their pictures tells them.
    """

    behind: Picture
    now: Picture
    prepared: Picture
    mask: Mask
    over: Mask | None = None
    bare: Mask | None = None
    poor: bool = False
    partly: bool = False


def find_cards(
    book: FaceBook,
    part: Part,
    plausible: Plausible | None = None,
    places: Sequence[Place] = (),
    doubts: list[Named] | None = None,
    searched: Here | None = None,
    *,
    hasty: bool = False,
) -> list[Lying]:
    """Return the cards that explain a part of the table.

    `plausible` is what the rules expect where; `places` where cards probably lie, top ones first: a little less has to
    show there. `doubts` gets the likeliest card of each place that nothing else explains; `searched` what was searched
    before, and what is left now. A `hasty` look takes outlines only in what was searched before: a moving hand has
    none.
    """
    look = _Look(book, part, plausible, places, searched)
    if len(book):
        look.at_places()
        look.by_keypoints()
        look.by_edges(hasty=hasty)
    if searched is not None:
        left = look.left()
        for way, tried in look.tried.items():
            searched.add(way, left & tried)
    if doubts is not None:
        doubts += look.doubtful()
    return look.found


class _Look:
    def __init__(
        self,
        book: FaceBook,
        part: Part,
        plausible: Plausible | None,
        places: Sequence[Place],
        searched: Here | None = None,
    ) -> None:
        self.book, self.plausible, self.places, self.searched = book, plausible, places, searched
        self.behind, self.now, self.prepared, self.mask, over, self.bare, self.poor, self.partly = part
        self.size = (book.deck.w, book.deck.h)
        self.done = np.zeros_like(self.mask) if over is None else over.copy()
        self.found: list[Lying] = []
        self.unsure: list[Lying] = []
        self._keypoints: Keypoints | None = None
        self.tried = {way: np.zeros_like(self.mask) for way in Way}
        self._weighed: list[tuple[Pose, Collection[int]]] = []

    def left(self) -> Mask:
        """Return what is not explained."""
        left = ((self.mask > 0) & (self.done == 0)).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), dtype=np.uint8)

    def _to_search(self, way: Way) -> Mask:
        left = self.left()
        return left if self.searched is None or np.count_nonzero(left) < LEAST_MM2 else self.searched.open(way, left)

    def _sheet(self) -> Sheet:
        hidden = cv2.erode(self.done, np.ones((3, 3), np.uint8)) * 255 if self.done.any() else None
        return Sheet(self.book, self.prepared, None if hidden is None else np.asarray(hidden, dtype=np.uint8))

    def at_places(self) -> None:
        """Find cards where they probably lie."""
        for place in self.places:
            if place.known is Known.PILE and not self._is_open(place.pose, self.mask):
                continue
            if place.size != 1.0:
                self._at_nearer(place)
                continue
            sheet = self._sheet()
            views = np.flatnonzero(self.book.owner == place.face)
            show = sheet.showing(place.pose)
            if not len(views) or show.sum() < _BLOCKS - 1:
                continue
            if len(views) > 1:
                views = views[[self.book.coarse([sheet.blocks(place.pose)], show[None])[0, views].argmax()]]
            lying = self._weigh(sheet, place.pose, int(views[0]), _BLOCKS - 1)
            if lying is not None and lying.named.face == place.face:
                self._accept(lying)

    def _at_nearer(self, place: Place) -> None:
        """Find a card that looks larger: in everything made smaller by as much it looks as on the mat."""
        size, (x, y, turn) = place.size, place.pose
        behind, now, prepared, mask, done = (
            resized(one, 1 / size, 0.0) for one in (self.behind, self.now, self.prepared, self.mask, self.done)
        )
        bare = None if self.bare is None else resized(self.bare, 1 / size, 0.0)
        wanted = self.plausible
        look = _Look(
            self.book,
            Part(behind, now, prepared, mask, done, bare, self.poor, self.partly),
            None if wanted is None else lambda x, y: wanted(x * size, y * size),
            [place._replace(pose=(x / size, y / size, turn), size=1.0)],
        )
        look.at_places()
        for named, shows in look.found:
            x, y, turn = named.pose
            seen = cv2.resize(shows, self.mask.shape[::-1], interpolation=cv2.INTER_NEAREST)
            self._keep(Lying(named._replace(pose=(x * size, y * size, turn)), np.asarray(seen, dtype=np.uint8)))

    def by_keypoints(self) -> None:
        """Find cards by single details that show, round by round: what was found speaks for no other card then."""
        for _ in range(_ROUNDS):
            left = self._to_search(Way.KEYPOINTS)
            if np.count_nonzero(left) < LEAST_MM2:
                return
            self.tried[Way.KEYPOINTS] |= left
            if not self._by_keypoints(left):
                return

    def _by_keypoints(self, left: Mask) -> int:
        if self._keypoints is None:
            self._keypoints = keypoints_in(self.prepared, self.book.px_per_mm, where=left)
        x, y = self._keypoints.places.astype(int).clip(0, (left.shape[1] - 1, left.shape[0] - 1)).T
        most = int(3 + 4 * np.count_nonzero(left) / (self.size[0] * self.size[1]))
        guesses = self.book.keypoints.guesses(self._keypoints.only(left[y, x] > 0), most)
        sheet, found, unclear = self._sheet(), 0, []
        for guess in guesses:
            if not self._is_open(guess.pose, left):
                continue
            alike = self.book.alike(sheet.blocks(guess.pose), guess.view)
            if (alike & sheet.showing(guess.pose)).sum() < _GLIMPSED:
                continue
            lying = self._weigh(sheet, guess.pose, guess.view, _BLOCKS)
            if lying is not None and lying.named.margin >= _CLEAR and self._accept(lying):
                sheet, found = self._sheet(), found + 1
            elif lying is not None:
                unclear.append(lying)
        return found + self._take(unclear)

    def by_edges(self, *, hasty: bool = False) -> None:
        """Find cards by their outlines, round by round: what was found hides less then."""
        w, h = self.size
        self._weighed.clear()
        for _ in range(_ROUNDS):
            left, news = self._to_search(Way.OUTLINES), 0
            if np.count_nonzero(left) < LEAST_MM2:
                return
            sheet = self._sheet()
            for region in regions(left, LEAST_MM2, 1):
                if hasty and not self._searched_before(region):
                    continue
                self.tried[Way.OUTLINES][region.mask] = 1
                part = (left * region.mask).astype(np.uint8)
                if region.area < w * h and is_gleam(self.now, part, region.box):
                    continue
                top = int(min(40, 8 + 6 * region.area / (w * h)))
                poses = rectangles(self.behind, self.now, part, self.size, region.box, top=top)
                here = self._try(sheet, poses, int(2 + region.area / (w * h)), _BLOCKS)
                if not here and _LEAST_PART * w * h <= region.area < w * h:
                    here = self._in_part(sheet, part, region.box)
                news += here
            if not news:
                return

    def _searched_before(self, region: Region) -> bool:
        return self.searched is not None and self.searched.has(Way.KEYPOINTS, region)

    def _in_part(self, sheet: Sheet, part: Mask, box: tuple[int, int, int, int]) -> int:
        """Find a card of which a part alone differs from the mat; return how many were found."""
        poses: list[Pose] = []
        for angle in likely_angles(self.behind, self.now, part, box):
            for more, size in ((0.0, self.size), (90.0, self.size[::-1])):
                lying = containing(part, size, angle, _STEP)
                poses += [(x, y, turn + more) for x, y, turn in lying]
        # Without edges little of a card proves nothing: half of its blocks have to look like it.
        return self._try(sheet, poses, 2, self.book.grid[0] * self.book.grid[1] // 2, shifts=((0.0, 0.0),))

    def _try(
        self,
        sheet: Sheet,
        poses: list[Pose],
        most: int,
        least: int,
        shifts: tuple[tuple[float, float], ...] = SHIFTS,
    ) -> int:
        """Weigh the likeliest cards at some poses, either way up, accept those that are sure; return how many."""
        tried = self._compared(sheet, poses, least, ((0.0, 0.0),))
        if len(shifts) > 1:
            likeliest = list(dict.fromkeys(pose for _, _, pose in tried[: _SHIFTED * most]))
            tried = self._compared(sheet, likeliest, least, shifts)
        tried = [entry for entry in tried if entry[0] > 0]
        weighed: list[Lying] = []
        used: list[tuple[int, Pose]] = []
        for _, view, pose in tried:
            if len(used) >= most:
                break
            if any(view == other and apart(at, pose) < 6 for other, at in used) or self._was_weighed(view, pose):
                continue
            used.append((view, pose))
            lying = self._weigh(sheet, pose, view, least)
            if lying is not None:
                weighed.append(lying)
        return self._take(weighed)

    def _was_weighed(self, view: int, pose: Pose) -> bool:
        """Return whether a view's face was compared in the same place when a likelier one was weighed there."""
        face = self.book.owner[view]
        return any(
            face in rivals and apart(pose, at) < _SAME_MM and abs((pose[2] - at[2] + 180) % 360 - 180) < _SAME_DEG
            for at, rivals in self._weighed
        )

    def _compared(
        self, sheet: Sheet, poses: Iterable[Pose], least: int, shifts: Sequence[tuple[float, float]]
    ) -> list[tuple[float, int, Pose]]:
        """Return how alike what lies about some poses is to its likeliest view, either way up, the likeliest first."""
        tried: list[tuple[float, int, Pose]] = []
        for placed in _batches(sheet, poses, least, shifts):
            shows = np.repeat(np.stack([show for show, _, _ in placed]), len(shifts), axis=0)
            scores = self.book.coarse([crop for _, _, crops in placed for crop in crops], shows)
            for (show, places, _), each in zip(placed, scores.reshape(len(placed), len(shifts), -1), strict=True):
                weight = min(1.0, float(show.sum()) / 9) ** 0.3
                shift, best = np.unravel_index(int(each.argmax()), each.shape)
                tried.append((float(each[shift, best]) * weight, int(best), places[int(shift)]))
        tried.sort(key=lambda entry: -entry[0])
        return tried

    def _take(self, weighed: list[Lying]) -> int:
        """Accept those cards that are sure, the surest first, note the others; return how many."""
        weighed.sort(key=lambda one: -min(one.named.margin, 1.0) * one.named.blocks**0.5 * one.named.like)
        self.unsure += [lying for lying in weighed if not lying.named.sure]
        return sum(self._accept(lying) for lying in weighed)

    def _weigh(self, sheet: Sheet, pose: Pose, view: int, least: int) -> Lying | None:
        """Return a card where a view seems to fit: as much of it shows as looks like it, in one piece."""
        book = self.book
        at, pose = pose, aligned(sheet, pose, view)
        seen, showing = sheet.blocks(pose), sheet.showing(pose)
        shows = self._in_one_piece(book.alike(seen, view) & showing)
        if shows is None or shows.sum() < least:
            return None
        x, y = pose[:2]
        wanted = self.plausible(x, y) if self.plausible is not None else None
        hoped = {*(wanted or ()), *(place.face for place in self.places)}
        if book.owner[view] not in hoped:
            glance = book.judge([seen], shows.ravel().astype(np.bool_) & showing)
            if not glance or glance[0].margin < _HOPEFUL:
                self._weighed.append((at, {one.face for one in glance}))
                return None
        if not shows.all():
            canvas = cv2.resize(shows, (book.wide, book.high), interpolation=cv2.INTER_NEAREST) * 255
            again = aligned(sheet, pose, view, np.asarray(canvas, dtype=np.uint8))
            better = self._in_one_piece(book.alike(sheet.blocks(again), view) & sheet.showing(again))
            if better is not None and better.sum() >= shows.sum():
                pose, shows = again, better
        hidden = (1 - self._on_mat(pose, shows)) * 255
        named = weigh(Sheet(book, self.prepared, hidden), pose, view, wanted)
        if named is None:
            return None
        self._weighed.append((at, named.rivals))
        named = named._replace(blocks=float(shows.sum()) * OF / shows.size)
        expected = wanted is not None and named.face in wanted
        sure = is_sure(named, self._is_back(named), expected=expected)
        near = np.flatnonzero(book.close[named.face])
        if sure and len(near) and not is_plain(named) and not (expected and set(near).isdisjoint(wanted or ())):
            sure = not self.poor and not book.is_tinted(book.crop(self.prepared, named.pose))
        if self.partly and not expected and not self._is_back(named):
            sure = sure and is_as_taught(named)
        sure |= is_remembered(named, self.places)
        return Lying(named._replace(sure=sure), self._on_mat(named.pose, shows))

    def _is_back(self, named: Named) -> bool:
        return self.book.deck.faces[named.face].is_back

    def _in_one_piece(self, alike: Blocks) -> Mask | None:
        """Return the largest piece of some blocks, with small holes filled; shape of the grid."""
        grid = alike.reshape(self.book.grid).astype(np.uint8)
        closed = cv2.morphologyEx(grid, cv2.MORPH_CLOSE, np.ones((3, 1), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=4)
        if count < 2:
            return None
        return np.asarray(labels == 1 + int(stats[1:, 4].argmax()), dtype=np.uint8)

    def _on_mat(self, pose: Pose, shows: Mask) -> Mask:
        book = self.book
        canvas, here = cv2.resize(shows, (book.wide, book.high), interpolation=cv2.INTER_NEAREST), self._round(pose)
        onto = corners_of(pose, *self.size)[[0, 1, 3]] - (here[1].start, here[0].start) - 0.5
        own = (np.array([[0, 0], [book.wide, 0], [0, book.high]]) - 0.5).astype(np.float32)
        there = np.zeros_like(self.mask)
        part = there[here]
        way = cv2.getAffineTransform(own, onto.astype(np.float32))
        if part.size:
            part[:] = cv2.warpAffine(canvas, way, part.shape[::-1], flags=cv2.INTER_NEAREST)
        return there

    def doubtful(self) -> list[Named]:
        """Return the likeliest card of each place where one shows that is not sure."""
        kept: list[Named] = []
        for named, shows in sorted(self.unsure, key=lambda lying: -lying.named.margin):
            area = np.count_nonzero(shows)
            if not is_doubtful(named, self._is_back(named)):
                continue
            if (shows & self.mask & (self.done == 0)).sum() < 0.6 * area:
                continue
            if all(apart(one.pose, named.pose) > 25 for one in kept):
                kept.append(named)
        return kept

    def _accept(self, lying: Lying) -> bool:
        """Take a card for found if enough speaks for it. Return whether."""
        named, shows = lying
        area = np.count_nonzero(shows)
        if not named.sure or not area:
            return False
        # In little light a dark card may look much like the mat.
        enough = _WHOLE, _DARK, *(() if self._is_back(named) else (_PART, _STRIP))
        least = _DIFFERS if any(all(np.greater_equal(named[2:5], one)) for one in enough) else 0.5
        here, place = self._place(named.pose)
        seen, open_ = shows[here], self.done[here] == 0
        if (seen & self.mask[here]).sum() < least * area or (seen & open_).sum() < 0.6 * area:
            return False
        if self.bare is not None:
            inside = place & open_
            bare = (inside & ~seen & self.bare[here]).sum() / max(1, inside.sum())
            doubtful = named.margin < _CLEAR and not self._is_back(named)
            if bare > (_BARE_BY_CHANCE if doubtful else _BARE):
                return False
        if not is_remembered(named, self.places) and self._shows_another(named):
            self.unsure.append(lying)
            return False
        if any(in_one_place(named, other.named) for other in self.found):
            return False
        self._keep(lying)
        return True

    def _keep(self, lying: Lying) -> None:
        """Count a card among those found: what shows of it is explained."""
        here = self._round(lying.named.pose)
        self.done[here] |= np.asarray(cv2.dilate(lying.shows[here], np.ones((5, 5), np.uint8)), dtype=np.uint8)
        self.found.append(lying)
        self._weighed.clear()

    def _round(self, pose: Pose) -> tuple[slice, slice]:
        """Return the rows and columns in which a card at a pose lies, and a rim of it."""
        corners = corners_of(pose, *self.size)
        (x0, y0), (x1, y1) = corners.min(axis=0) - _RIM, corners.max(axis=0) + _RIM
        return slice(max(0, int(y0)), max(0, int(y1))), slice(max(0, int(x0)), max(0, int(x1)))

    def _place(self, pose: Pose) -> tuple[tuple[slice, slice], Mask]:
        """Return the surroundings of a card at a pose, and what it takes up there."""
        here, (x, y, turn) = self._round(pose), pose
        inside = filled((x - here[1].start, y - here[0].start, turn), self.size, self.mask[here].shape)
        return here, inside

    def _is_open(self, pose: Pose, left: Mask) -> bool:
        """Return whether enough of what is not explained lies about a pose."""
        here, place = self._place(pose)
        return bool((place & left[here] & (self.done[here] == 0)).sum() >= LEAST_MM2)

    def _shows_another(self, named: Named) -> bool:
        """Return whether too little speaks for a front beside which another picture shows."""
        if self._is_back(named) or named.margin >= _CLEAR:
            return False
        show = self._sheet().showing(named.pose)
        odds = self.book.odds(self.book.crop(self.prepared, named.pose), named.face, show)
        if not odds.kept >= odds.another >= _ANOTHER:
            return False
        return named.margin < _EXPLAINED or odds.gone < _COVERED * odds.another


def _batches(
    sheet: Sheet, poses: Iterable[Pose], least: int, shifts: Sequence[tuple[float, float]]
) -> Iterator[list[_Placed]]:
    """Yield the places of cards about some poses, either way up, and what is seen there, some at once."""
    placed: list[_Placed] = []
    for pose in poses:
        show = sheet.showing(pose)
        if show.sum() >= least:
            places = [moved(pose, dx, dy) for dx, dy in shifts]
            crops = [sheet.blocks(place) for place in places]
            placed.append((show, places, crops))
            turned = [(x, y, turn + 180) for x, y, turn in places]
            placed.append((show[::-1], turned, [upside_down(crop) for crop in crops]))
    for first in range(0, len(placed), _AT_ONCE):
        yield placed[first : first + _AT_ONCE]
