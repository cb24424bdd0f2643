"""The eye: frames in, table views out.

Every frame gets a cheap look (what moved?). Where something moved and came to rest, the full picture is read; what was
read there, and what the place looks like now, decides which pieces came, went, or are only covered.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.geometry import Calibration, MarkerFinder, calibrate, marker_trouble
from companion.eye.mat import Mat, Rect
from companion.eye.motion import SETTLE, Motion
from companion.eye.pieces import Look, Pieces, Track
from companion.eye.places import CodeBook, find_pieces
from companion.eye.reader import Hints, LibraryReader, Reader, merged, moved
from companion.eye.scene import MM, TILE, Flat, Floats, Mask, Scene, glimpsed, reduced
from companion.eye.view import Frame, Gray, Placement, Sighting, TableView, Trouble

_LINGER = 0.3
"""Seconds that a zone stays covered after the last motion in it."""

_CALM = 1.5
"""Seconds after which something that keeps moving over zones already covered no longer holds up the rest."""

_SWEEP_AFTER, _SWEEP_EVERY = 3.0, 30.0
_RETRY = 0.3
_CHECK = 1.0
_USED_TO = 120.0
_STRANGE_MM2 = 80.0
_DARK = 14.0
_SHADOW_MM = 22.0


class Eye:
    """Follows what lies on one mat. Not to be shared between threads."""

    def __init__(self, mat: Mat, book: CodeBook, reader: Reader | None = None, reference: Gray | None = None) -> None:
        """Set up for a mat and a deck.

        Args:
            mat: the mat for this number of seats.
            book: the codes that can exist.
            reader: reads codes; the libraries' one if none is given.
            reference: a gray picture of the whole empty mat, of any resolution. With it the eye knows bare mat from
                the first frame on; without it, it learns by and by what it sees between the pieces.
        """
        self.mat = mat
        self.book = book
        self.calibration: Calibration | None = None
        self.sightings: tuple[Sighting, ...] = ()
        """What was read in the last frame; empty if nothing had to be read."""
        self.view: TableView | None = None
        """The last view that was given."""
        self.frame: Frame | None = None
        """The last frame."""
        self.ignored = 0
        """Codes that were read and are none of this deck, counted at every reading."""
        self._reader: Reader = LibraryReader() if reader is None else reader
        self._payloads = book.payloads()
        self._finder = MarkerFinder(mat)
        self._flat = Flat(mat)
        self._scene = Scene(self._flat, reference)
        self._motion = Motion(self._flat)
        self._pieces = Pieces(mat, book, self._flat, self._motion)
        self._zones = {zone.name: self._flat.window(zone.rect) for zone in mat.zones}
        self._marker_tiles = np.zeros(self._flat.grid, dtype=np.bool_)
        for marker in mat.markers:
            place = np.array([[marker.x, marker.y]])
            self._marker_tiles[self._flat.tile_window(place, marker.size / 2)] = True
        self._size = (0, 0)
        self._seeded = False
        self._lost: Trouble | None = None
        self._tried = -1e9
        self._checked = -1e9
        self._suspect = 0
        self._strange: Mask = np.zeros(self._flat.shape, dtype=np.bool_)
        self._strange_since = np.full(self._flat.grid, np.inf)
        self._zone_moved: dict[str, float] = {}
        self._touched: set[str] = set()
        self._changed = -1e9
        self._learned = -1e9
        self._swept = -1e9
        self._busy_since_sweep = True
        self._looks = 0
        self._looked_once = False
        self._dark = False
        self._recent: deque[Gray] = deque(maxlen=3)

    # -- frames ----------------------------------------------------------------------------------------------------

    def see(self, frame: Frame) -> TableView | None:
        """Take the next frame; give a table view if anything changed that matters, else None."""
        self.frame = frame
        self.sightings = ()
        glimpse = glimpsed(frame.gray) if frame.small is None else frame.small
        if (frame.gray.shape[1], frame.gray.shape[0]) != self._size:
            self._size = (frame.gray.shape[1], frame.gray.shape[0])
            self.calibration = None
        if self.calibration is None and not self._orient(frame, glimpse):
            return self._publish(frame)
        moving = self._motion.see(glimpse, frame.time)
        if self._motion.light_jumped or (moving is not None and moving.mean() > 0.6):
            self._suspect = 99
        elif moving is not None:
            self._suspect += int((moving & self._marker_tiles).sum())
        self._recent.append(frame.gray)
        if moving is not None:
            self._recent.clear()
            self._busy_since_sweep = True
            self._note_motion(moving, frame.time)
        due = self._motion.due(frame.time)
        self._dark = float(glimpse[::8, ::8].mean()) < _DARK
        if self._dark:
            return self._publish(frame)
        if due.any() and self._suspect and not self._check_camera(frame, glimpse):
            return self._publish(frame)
        due = self._motion.due(frame.time)
        sweep = self._sweep_due(frame.time)
        flat: Gray | None = None
        if due.any() or sweep:
            flat = self._flatten(frame)
            self._look(frame, flat, due, sweep)
        elif moving is not None:
            flat = self._flatten(frame)
            self._compare(flat, frame.time)
        elif self.view is not None and self.view.settled and not self._wants_to_learn(frame.time):
            return None
        if self._looked_once and frame.time - self._learned >= 1.0 and self._wants_to_learn(frame.time):
            self._learn(self._flatten(frame) if flat is None else flat, frame.time)
        return self._publish(frame)

    def _flatten(self, frame: Frame) -> Gray:
        return self._flat.of(reduced(frame.gray)[0])

    # -- geometry --------------------------------------------------------------------------------------------------

    def _orient(self, frame: Frame, glimpse: Gray) -> bool:
        """Find the mat for the first time, or again after it was lost."""
        if frame.time - self._tried < _RETRY:
            return False
        self._tried = self._checked = frame.time
        seen = self._finder.find(frame.gray)
        calibration = calibrate(seen, self.mat, self._size)
        if calibration is None:
            self._lost = marker_trouble(seen, self.mat)
            return False
        self._aim(calibration, frame, glimpse)
        return True

    def _aim(self, calibration: Calibration, frame: Frame, glimpse: Gray) -> None:
        self.calibration = calibration
        self._lost = None
        self._suspect = 0
        self._flat.aim(calibration, max(1, round(self._size[0] / glimpse.shape[1])))
        self._motion.forget(glimpse, frame.time)
        self._changed = frame.time
        self._recent.clear()
        self._swept = -1e9
        if not self._seeded:
            self._scene.seed(self._flatten(frame), self.mat)
            self._seeded = True

    def _check_camera(self, frame: Frame, glimpse: Gray) -> bool:
        """See whether the camera or the mat was moved; False while the geometry can't be trusted."""
        assert self.calibration is not None  # noqa: S101 (only called with geometry)
        if frame.time - self._checked < _CHECK and self._suspect < 12:
            return True
        self._checked = frame.time
        self._suspect = 0
        seen = self._finder.find(frame.gray)
        ours = {marker.id for marker in self.mat.markers} & set(seen)
        off = self.calibration.off_by(seen, self.mat)
        limit = max(0.6, 2 * self.calibration.error)
        if ours and off <= limit:
            return True
        calibration = calibrate(seen, self.mat, self._size)
        if calibration is not None:
            self._aim(calibration, frame, glimpse)
            return False
        if not ours and (self._motion.rest[self._marker_tiles] > 20).mean() > 0.3:
            return True  # covered markers tell nothing, and a good part of the edge hasn't moved
        self._lost = marker_trouble(seen, self.mat)
        self.calibration = None
        return False

    # -- looks -----------------------------------------------------------------------------------------------------

    def _sweep_due(self, time: float) -> bool:
        since = time - self._swept
        if since > _SWEEP_EVERY:
            return True
        calm = time - float(self._motion.moved_at.max())
        return self._busy_since_sweep and since > _SWEEP_AFTER and calm > _SWEEP_AFTER

    def _look(self, frame: Frame, flat: Gray, due: Mask, sweep: bool) -> None:
        assert self.calibration is not None  # noqa: S101
        unclear = self._pieces.unclear() | self._strange_tiles()
        boxes = [(slice(0, due.shape[0]), slice(0, due.shape[1]))] if sweep else self._boxes(due)
        if sweep:
            self._swept, self._busy_since_sweep = frame.time, False
        tiles = np.zeros_like(due)
        found: list[Sighting] = []
        for box in boxes:
            tiles[box] = True
            settled = bool((self._motion.quiet(box, frame.time)) >= SETTLE)
            found += self._read(frame, box, thorough=settled and bool(unclear[box].any()))
        tiles &= self._motion.rest >= 1
        self.sightings = tuple(merged(found))
        picture, bare = self._evened(flat)
        look = Look(frame.number, frame.time, tiles, picture, bare, self._scene.mat(), self._scene.known)
        pieces, strays = find_pieces(self.sightings, self.book, self.calibration, self._pieces.prefer)
        self.ignored += len(strays)
        before = self._pieces.placements()
        self._pieces.update(look, pieces, strays)
        self._looks += 1
        # The first reading of a piece alone doesn't count yet: a view now would show an empty table.
        self._looked_once = self._looks >= 2
        if self._pieces.placements() != before:
            self._changed = frame.time
        self._compare(flat, frame.time)
        self._motion.looked(due, self._pieces.unclear() | self._strange_tiles(), frame.time)

    def _boxes(self, due: Mask) -> list[tuple[slice, slice]]:
        """Take tiles together into boxes, a tile wider all round than what changed, so that no code is cut."""
        wide = cv2.dilate(due.astype(np.uint8), np.ones((3, 3), dtype=np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(wide, connectivity=8)
        boxes = [(slice(int(y), int(y + h)), slice(int(x), int(x + w))) for x, y, w, h, _ in stats[1:count]]
        area = sum((b[0].stop - b[0].start) * (b[1].stop - b[1].start) for b in boxes)
        if area > 0.6 * due.size:
            return [(slice(0, due.shape[0]), slice(0, due.shape[1]))]
        return boxes

    def _read(self, frame: Frame, box: tuple[slice, slice], thorough: bool) -> list[Sighting]:
        assert self.calibration is not None  # noqa: S101
        side = TILE * MM
        rect = Rect(
            box[1].start * side,
            box[0].start * side,
            (box[1].stop - box[1].start) * side,
            (box[0].stop - box[0].start) * side,
        )
        px = self._pixels(rect, 4.0)
        if px is None:
            return []
        y, x = px
        gray = frame.gray[y, x]
        if thorough and len(self._recent) > 1:
            # Averaging pictures of what lies still takes the camera's noise away.
            gray = np.mean([one[y, x] for one in self._recent], axis=0).astype(np.uint8)
        middle = rect.centre
        module = self.calibration.px_per_mm(*middle) * self.mat.shapes[0].codes[0].size / 21
        hints = Hints(module=module, payloads=self._payloads, thorough=thorough)
        return moved(self._reader.read(gray, hints), x.start, y.start)

    def _pixels(self, rect: Rect, margin: float) -> tuple[slice, slice] | None:
        """Give the window of the camera picture that a rectangle on the mat lies in; None if it is out of sight."""
        assert self.calibration is not None  # noqa: S101
        along = np.linspace(0, 1, 5)
        x0, y0 = rect.x - margin, rect.y - margin
        w, h = rect.w + 2 * margin, rect.h + 2 * margin
        edge = [(x0 + t * w, y0 + s * h) for t in along for s in along]
        px = self.calibration.to_px(edge)
        left, top = np.maximum(np.floor(px.min(axis=0)), 0).astype(int)
        right, low = np.minimum(np.ceil(px.max(axis=0)) + 1, self._size).astype(int)
        if right - left < 8 or low - top < 8:
            return None
        return slice(int(top), int(low)), slice(int(left), int(right))

    # -- what looks strange ------------------------------------------------------------------------------------------

    def _evened(self, flat: Gray) -> tuple[Floats, Mask]:
        """Give the flat picture in the old light, and where it looks like bare mat."""
        expected, known = self._pieces.expected(self._scene.base, self._scene.known)
        resting = np.kron(self._motion.rest >= 1, np.ones((TILE, TILE), dtype=np.bool_))
        picture = self._scene.in_old_light(flat, expected, known & resting)
        whole = (slice(0, self._flat.shape[0]), slice(0, self._flat.shape[1]))
        return picture, self._scene.is_mat(picture, whole)

    def _compare(self, flat: Gray, time: float) -> None:
        """Find what is neither mat nor piece: a hand, a mug, something not read yet."""
        picture, bare = self._evened(flat)
        expected, known = self._pieces.expected(self._scene.base, self._scene.known)
        kernel = np.ones((3, 3), dtype=np.uint8)
        low, high = cv2.erode(expected, kernel), cv2.dilate(expected, kernel)
        on_piece = self._pieces.outlines(0.0)
        # A card's edge and shadow are off by more than its face.
        tolerance = np.where(on_piece, 30.0, 0.0).astype(np.float32)
        as_expected = on_piece & (picture >= low - tolerance) & (picture <= high + tolerance)
        strange = known & ~bare & ~as_expected
        edge = self._pieces.outlines(4.0) & ~on_piece
        strange &= ~edge
        self._strange = self._without_shadows(
            cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, kernel), picture
        )
        tiles = self._strange_tiles()
        self._strange_since = np.where(tiles, np.minimum(self._strange_since, time), np.inf)

    def _without_shadows(self, strange: NDArray[Any], picture: Floats) -> Mask:
        """Leave out the shadows of pieces: spots darker than the mat that lie wholly along a card or a deck.

        A hand reaches further than a shadow, so it stays strange even where it is dark.
        """
        result = strange.astype(np.bool_)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=8)
        if count <= 1:
            return result
        soft = self._pieces.outlines(_SHADOW_MM) & (picture < self._scene.mat())
        for number, (x, y, w, h, area) in enumerate(stats[1:], start=1):
            window = (slice(y, y + h), slice(x, x + w))
            part = labels[window] == number
            if int(np.count_nonzero(part & soft[window])) >= 0.9 * area:
                result[window] &= ~part
        return result

    def _strange_tiles(self) -> Mask:
        high, wide = self._flat.grid
        counts = self._strange.reshape(high, TILE, wide, TILE).sum(axis=(1, 3))
        return np.asarray(counts * MM * MM >= _STRANGE_MM2 / 2, dtype=np.bool_)

    def _note_motion(self, moving: Mask, time: float) -> None:
        if self._motion.light_jumped or moving.mean() > 0.6:
            return  # a lamp or a bump is no hand
        mask = self._motion.mask
        for name, window in self._zones.items():
            if int(np.count_nonzero(mask[window])) * MM * MM >= _STRANGE_MM2:
                if name not in self._touched:
                    self._changed = time
                self._zone_moved[name] = time
                self._touched.add(name)

    def _covered(self, time: float) -> frozenset[str]:
        if self._lost is not None or self._dark:
            return frozenset(self._zones)
        result = {name for name, moved_at in self._zone_moved.items() if time - moved_at < _LINGER}
        for name, window in self._zones.items():
            if int(np.count_nonzero(self._strange[window])) * MM * MM >= _STRANGE_MM2:
                result.add(name)
        result |= {track.zone for track in self._pieces if track.state == "covered" and track.zone is not None}
        return frozenset(result)

    # -- learning ----------------------------------------------------------------------------------------------------

    def _wants_to_learn(self, time: float) -> bool:
        calm = time - float(self._motion.moved_at.max())
        return calm >= 1.0 and (self._learned < float(self._motion.moved_at.max()) + 1.0 or time - self._learned > 20)

    def _learn(self, flat: Gray, time: float) -> None:
        picture, _ = self._evened(flat)
        free = ~self._pieces.outlines(4.0)
        resting = np.kron(time - self._motion.moved_at >= 1.0, np.ones((TILE, TILE), dtype=np.bool_))
        self._scene.learn(picture, free & resting & ~self._strange)
        old = np.kron(time - self._strange_since >= _USED_TO, np.ones((TILE, TILE), dtype=np.bool_))
        if old.any():
            self._scene.get_used_to(picture, free & resting & old & self._strange)
            self._compare(flat, time)
        self._learned = time

    # -- views -------------------------------------------------------------------------------------------------------

    def _troubles(self) -> tuple[Trouble, ...]:
        troubles = []
        if self._lost is not None:
            troubles.append(self._lost)
        if self._dark:
            troubles.append(Trouble("dark", "It is too dark to read the cards. Switch a lamp on."))
        for piece in sorted(self._pieces.twice):
            words = self.book.words(piece)
            troubles.append(
                Trouble(
                    "same-code-twice", f"Two cards with the code of {words} lie on the table. Take one of them away."
                )
            )
        for piece in sorted(self._pieces.beside):
            troubles.append(
                Trouble("off-mat", f"{self.book.words(piece)} lies half beside the mat. Push it onto its place.")
            )
        decks = sorted(
            {s.code.game for s in self._pieces.strays.values() if s.code and s.code.game != self.book.letters}
        )
        for letters in decks:
            troubles.append(
                Trouble("foreign-code", f"A card of another deck ({letters}) lies on the table. It is not counted.")
            )
        for stray in sorted(self._pieces.strays.values(), key=lambda one: one.payload):
            if stray.code and stray.code.game == self.book.letters:
                troubles.append(
                    Trouble("foreign-code", f"The card {stray.code.piece} is not in this deck. It is not counted.")
                )
        return tuple(troubles)

    def _settled(self, time: float) -> bool:
        if self._lost is not None or self._dark:
            return False
        if time - float(self._motion.moved_at.max()) >= SETTLE:
            return not self._pieces.pending(time)
        near = [track for track in self._pieces if track.since >= self._changed - 1e-9]
        calm = time - self._changed >= _CALM
        return calm and all(self._motion.quiet(track.tiles, time) >= SETTLE for track in near)

    def _publish(self, frame: Frame) -> TableView | None:
        if self._lost is None and not self._dark and not self._looked_once:
            return None
        settled = self._settled(frame.time)
        view = TableView(
            frame=frame.number,
            time=frame.time,
            placements=self._pieces.placements(),
            covered=self._covered(frame.time),
            touched=frozenset(self._touched),
            settled=settled,
            troubles=self._troubles(),
        )
        if self.view is not None and _same(self.view, view):
            return None
        self.view = view
        if settled:
            self._touched = set()
        return view

    # -- for people ----------------------------------------------------------------------------------------------------

    @property
    def tracks(self) -> tuple[Track, ...]:
        """All pieces that are followed, with where their codes were seen."""
        return tuple(self._pieces)

    def crop(self, where: str | Rect | Placement, margin: float = 8.0) -> Gray | None:
        """Cut a zone, a rectangle in mm, or a piece out of the last frame, as evidence.

        None without a frame, without geometry, or if the place is out of sight. Colour if the frame has it.

        Raises:
            KeyError: if the mat has no zone of that name.
        """
        if self.frame is None or self.calibration is None:
            return None
        if isinstance(where, Placement):
            shape = self.book.shapes[where.piece]
            reach = max(shape.w, shape.h)
            where = Rect(where.x - reach / 2, where.y - reach / 2, reach, reach)
        rect = self.mat.zone(where).rect if isinstance(where, str) else where
        px = self._pixels(rect, margin)
        if px is None:
            return None
        picture = self.frame.gray if self.frame.colour is None else self.frame.colour
        ratio = picture.shape[1] / self._size[0]
        y, x = (slice(round(part.start * ratio), round(part.stop * ratio)) for part in px)
        return picture[y, x].copy()


def _same(a: TableView, b: TableView) -> bool:
    """Tell whether two views say the same, whenever they were."""
    return (
        a.placements == b.placements
        and a.covered == b.covered
        and a.settled == b.settled
        and a.troubles == b.troubles
        and (a.settled or a.touched == b.touched)
    )
