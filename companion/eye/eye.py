"""The eye: frames in, table views out.

Every frame gets a cheap look (what moved?). Where something moved and came to rest, the full picture is looked at: a
code whose pixels are as they were need not be read again, and what is bare mat holds none; the rest is read. That, and
what the place looks like now, decides which pieces came, went, or are only covered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.eye.bearings import Bearings
from companion.eye.crops import Crops
from companion.eye.deck_reader import DeckReader
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect
from companion.eye.motion import SETTLE, Motion
from companion.eye.pieces import Pieces
from companion.eye.places import CodeBook, Pile, find_pieces
from companion.eye.reader import LibraryReader, Reader, merged
from companion.eye.readings import Readings
from companion.eye.rounds import Rounds, Turn
from companion.eye.scene import MM, Flat, Mask, TileSum, Window, boxes_of, flat_window, glimpsed, grown, joined
from companion.eye.surface import STRANGE_MM2, Area, Surface
from companion.eye.tracks import COVERED, SEEN, Look, Track, overlap
from companion.eye.trays import Trays
from companion.eye.troubles import of_cards
from companion.eye.view import Frame, Gray, Placement, Sighting, TableView, Trouble

_LINGER = 0.3
"""Seconds that a zone stays covered after the last motion in it."""

_CALM = 1.5
"""Seconds after which something that keeps moving over zones already covered no longer holds up the rest."""

_USED_TO = 120.0
_DARK = 14.0

_STRANGE_EVERY = 0.5
"""Seconds after which what is strange is seen anew though nothing moves: a shadow fades too slowly to be motion."""

_CODE = 11
"""Flat pixels (22 mm) that a code is wide: so far beyond tiles that settled it is read, so that none is cut."""

_MANY = 200
"""Readings that are remembered beyond two a piece, before those that nothing rests on are let go."""

_GAP = 6
"""Flat pixels (12 mm) between parts that are read as one: asking a reader has a price of its own."""

_ROUND = 4
"""Flat pixels round the tiles that moved that are seen anew with them: too few to have marked their own tile."""

_NEW = 1.0
"""Seconds in which the codes of a piece that should show and were not read are tried again."""

_PATIENT = 0.25
"""Seconds for which what looks at something new took may wait to be judged, until a frame has time for that."""

_LIGHTS_UP = 0.5
"""Seconds that a lamp, and what a camera makes of it, may take until the light is steady."""

_TWICE = 2
"""Looks, from when the camera was found, in which all is read, bare mat or not: so often a piece must be read."""

_BARE = 0.85
"""The share of a code's place that must be bare mat so that no code is looked for there."""


class _Held(NamedTuple):
    """What need not be read: codes whose pixels are as they were when they were read (`known`)."""

    known: list[Sighting]
    same: list[Sighting]
    """Those of them that say something new: a candidate's second reading, a piece that shows again."""
    explained: list[Area]
    """Places that need no reading because of them."""
    asked: list[Area]
    """Places that have to be read because their code has changed."""


class Eye:
    """Follows what lies on one mat. Not to be shared between threads."""

    def __init__(self, mat: Mat, book: CodeBook, reader: Reader | None = None, reference: Gray | None = None) -> None:
        """Set up for a mat and a deck.

        Args:
            mat: the mat for this number of seats.
            book: the codes that can exist.
            reader: reads codes; the one that knows the deck if none is given.
            reference: a gray picture of the whole empty mat, of any resolution. With it the eye knows bare mat from
                the first frame on; without it, it learns by and by what it sees between the pieces.
        """
        self.mat = mat
        self.book = book
        self.sightings: tuple[Sighting, ...] = ()
        """What was read in the last frame, or seen unchanged where something had moved; empty if nothing was due."""
        self.view: TableView | None = None
        """The last view that was given."""
        self.frame: Frame | None = None
        """The last frame."""
        self.piles: tuple[Pile, ...] = ()
        """The piles that are known to be there (`known_piles`): their top cards lie nearer to the camera."""
        self.ignored = 0
        """Codes that were read and are none of this deck, counted at every reading."""
        self._flat = Flat(mat)
        reader = DeckReader(LibraryReader()) if reader is None else reader
        self._crops = Crops(self._flat, reader, book.payloads_by_size())
        self._motion = Motion(self._flat)
        self._bearings = Bearings(mat, self._flat, self._motion)
        self._pieces = Pieces(mat, book, self._flat, self._motion)
        self._surface = Surface(self._flat, reference, self._pieces, self._motion)
        self._readings = Readings()
        # Dice that lie in a tray cover nothing that anybody waits for.
        self._zones = {zone.name: self._flat.window(zone.rect) for zone in mat.zones if zone.kind != "tray"}
        self._piles = {zone.name for zone in mat.zones if zone.kind == "pile"}
        self._size = (0, 0)
        self._seeded = False
        self._zone_moved: dict[str, float] = {}
        self._touched: set[str] = set()
        self._strange: set[str] = set()
        self._strange_at = 0
        self._put_off: list[Window] = []
        self._strange_seen = self._judged = -1e9
        self._changed = -1e9
        self._rounds = Rounds(self._flat, self._motion)
        self._trays = Trays(mat, self._flat, self._motion)
        self._unread: npt.NDArray[np.int64] = np.full(self._flat.grid, _TWICE)
        self._lit = -1e9
        self._looks = 0
        self._looked_once = False
        self._dark = False

    @property
    def calibration(self) -> Calibration | None:
        """How the camera sees the mat; None while that is not known."""
        return self._bearings.calibration

    # -- frames ----------------------------------------------------------------------------------------------------

    def see(self, frame: Frame) -> TableView | None:
        """Take the next frame; give a table view if anything changed that matters, else None."""
        self.frame = frame
        self.sightings = ()
        glimpse = glimpsed(frame.gray) if frame.small is None else frame.small
        if (frame.gray.shape[1], frame.gray.shape[0]) != self._size:
            self._size = (frame.gray.shape[1], frame.gray.shape[0])
            self._bearings.calibration = None
        if self.calibration is None:
            if not self._bearings.find(frame.gray, frame.time):
                return self._publish(frame)
            self._aim(frame, glimpse)
        moving = self._motion.see(glimpse, frame.time)
        self._bearings.note(moving)
        self._crops.see(frame.gray, moving is None)
        if moving is not None:
            self._rounds.moved(moving)
            self._note_motion(moving, frame.time)
        due = self._motion.due(frame.time)
        self._dark = float(glimpse[::8, ::8].mean()) < _DARK
        if self._dark:
            return self._publish(frame)
        if self._bearings.in_doubt and due.any() and not self._bearings.check(frame.gray, frame.time):
            if self.calibration is not None:
                self._aim(frame, glimpse)
            return self._publish(frame)
        busy = bool(due.any()) or moving is not None
        if self._put_off and not busy:
            self._judge(frame.time)
        unclear = self._pieces.unclear() | self._surface.tiles
        turn = self._rounds.next(frame.time, busy, unclear, self._looked_once, self._surface.scene.complete)
        if due.any() or turn.read.any():
            if busy or not self._read_again(frame, turn, unclear):
                self._look(frame, glimpse, due, moving, turn)
            if due.any():
                unclear = self._pieces.unclear() | self._surface.tiles
                self._rounds.read_again(self._motion.looked(due, unclear, frame.time), frame.time)
        elif moving is not None:
            self._see_anew(frame, glimpse, moving)
        elif turn.learn is not None:
            if turn.learn[0].start == 0:
                self._surface.see_through_light(frame.time, self._lit + _LIGHTS_UP)
            self._surface.take(frame.gray, glimpse, [flat_window(turn.learn)])
            self._surface.learn(flat_window(turn.learn), frame.time, _USED_TO)
        elif self._surface.tiles.any() and frame.time - self._strange_seen >= _STRANGE_EVERY:
            self._see_anew(frame, glimpse, np.ones(self._flat.grid, dtype=np.bool_))
        elif self.view is not None and self.view.settled and not self._bearings.moves.over(frame.time):
            return None
        return self._publish(frame)

    def _see_anew(self, frame: Frame, glimpse: Gray, tiles: Mask) -> None:
        """Bring up to date what some tiles look like, and what is strange there; nothing is read."""
        self._strange_seen = frame.time
        self._put_off += self._surface.take(frame.gray, glimpse, self._windows(tiles))
        self._judge(frame.time)

    def _judge(self, time: float) -> None:
        """Find what is strange in the windows that were taken since this was last done."""
        self._surface.judge(self._put_off, time)
        self._put_off, self._judged = [], time

    def _aim(self, frame: Frame, glimpse: Gray) -> None:
        """Take up a new calibration: the camera was found, or found again."""
        assert self.calibration is not None  # noqa: S101 (only called with geometry)
        self._flat.aim(self.calibration, max(1, round(self._size[0] / glimpse.shape[1])))
        self._motion.forget(glimpse, frame.time)
        self._readings.forget()
        self._unread[:] = _TWICE
        self._lit = frame.time
        self._changed = frame.time
        self._rounds.begin(frame.time)
        self._crops.aim(self.calibration)
        if not self._seeded:
            self._surface.seed(frame.gray, self.mat)
            self._seeded = True

    # -- looks -----------------------------------------------------------------------------------------------------

    def _look(self, frame: Frame, glimpse: Gray, due: Mask, moving: Mask | None, turn: Turn) -> None:
        """Look at the tiles that are due and at those whose turn it is, and see the moving ones too."""
        assert self.calibration is not None  # noqa: S101
        core = (due | turn.read) & (self._motion.rest >= 1)
        boxes = self._boxes(core)
        windows = self._surface.take(frame.gray, glimpse, self._windows(core if moving is None else core | moving))
        tiles = np.zeros_like(due)
        for box in boxes:
            tiles[box] = True
        tiles &= self._motion.rest >= 1
        held = self._remembered(frame, core, tiles, turn)
        parts = self._parts(frame, boxes, core, held, due, turn)
        known = held.known + self._unchanged(frame.gray, [part for part, _ in parts], held.known)
        read = [
            one
            for part, thorough in parts
            for one in self._crops.read(frame, part, known, self._pieces if thorough else None)
        ]
        self._readings.remember(frame.gray, read)
        found = merged([*read, *held.same])
        self.sightings = tuple(found)
        surface = self._surface
        scene = surface.scene
        look = Look(frame.number, frame.time, tiles, core, surface.picture, surface.bare, scene.mat(), scene.known)
        pieces, strays = find_pieces(found, self.book, self.calibration, self._pieces.prefer, self.piles)
        self.ignored += len(strays)
        before = self._pieces.placements()
        self._pieces.update(look, pieces, strays)
        if len(self._readings) > _MANY + 2 * len(self._pieces.placements()):
            self._readings.keep(self._pieces.sightings())
        self._looks += bool(due.any())
        # The first reading of a piece alone doesn't count yet: a view now would show an empty table.
        self._looked_once = self._looks >= 2
        if self._pieces.placements() != before:
            self._changed = frame.time
        self._put_off += windows
        settling = bool((frame.time - self._motion.moved_at[due] < SETTLE).any())
        if not settling or frame.time - self._judged >= _PATIENT:
            self._judge(frame.time)

    def _read_again(self, frame: Frame, turn: Turn, unclear: Mask) -> bool:
        """Read what has its turn where nothing has moved since the last look: False if there is more to it than that.

        Where all is clear, the codes are as they were, and nothing else is read, a look would say nothing new.
        """
        core = turn.read & (self._motion.rest >= 1)
        here = TileSum(core)
        if (core & unclear).any() or self._pieces.candidates_in(here):
            return False
        high, wide = self._flat.grid
        near = [grown(box, 1, (high, wide)) for box in boxes_of(core)]
        round_about = np.zeros_like(core)
        for box in near:
            round_about[box] = True
        every = self._pieces.spots_in(TileSum(round_about))
        if turn.sweep and any(track.doubt and track.state == SEEN for track, _, _ in every):
            return False
        spots = [spot for track, _, spot in every if self._pieces.is_plain(track, spot)]
        if turn.part is not None:
            parts = [turn.part]
        else:
            held = _Held([], [], [(spot.window, spot.mask) for spot in spots], [])
            parts = self._round(core) if turn.sweep else self._not_bare(core, held)
            parts = [one for one in parts if here.any(self._flat.tile_window_of(one))]
            parts = joined(parts if turn.sweep else self._rounds.unread(parts), self._flat.shape, _GAP)
        due = parts if turn.whole or turn.part is not None else parts[:1]
        known = []
        for spot in spots:
            if any(overlap(spot.window, part) for part in due) or (turn.sweep and here.any(spot.tiles)):
                if not self._readings.still(frame.gray, spot.sighting):
                    return False
                known.append(spot.sighting)
        for part in due:
            read = self._crops.read(frame, part, known, plain=not turn.sweep)
            if len(merged([*known, *read])) > len(known):
                return False
        if parts and not turn.whole and turn.part is None:
            self._rounds.put_off(parts, frame.time)
        return True

    def _remembered(self, frame: Frame, core: Mask, tiles: Mask, turn: Turn) -> _Held:
        """Compare the pixels of the codes known in some tiles with what they were when they were read."""
        here, everything = TileSum(core), bool(turn.read.any())
        held = _Held([], [], [], [])
        missed = []
        steady: set[int] = set()
        for track, index, spot in self._pieces.spots_in(TileSum(tiles)):
            # Round about nothing has changed; but a hand may have gone from there that hid a card, and what lies under
            # that card must not be judged without it.
            untouched = self._pieces.is_plain(track, spot) and not here.any(spot.tiles)
            if untouched and not everything:
                continue
            if not self._readings.still(frame.gray, spot.sighting):
                if not untouched:
                    missed.append((track, index, spot))
                continue
            held.known.append(spot.sighting)
            held.explained.append((spot.window, spot.mask))
            if not untouched:
                steady.add(id(track))
                if not self._pieces.reaffirm(track, spot, frame.number):
                    held.same.append(spot.sighting)
        for candidate in self._pieces.candidates_in(here):
            hold = [one for one in candidate.found.codes.values() if self._readings.still(frame.gray, one)]
            held.same.extend(hold)
            if hold:
                held.explained.append(candidate.place.fill())
        shaky = {id(track) for track, _, _ in missed} - steady
        held.asked.extend(
            (spot.window, spot.mask)
            for track, index, spot in missed
            if np.count_nonzero(self._surface.bare[spot.window] & spot.mask) < _BARE * np.count_nonzero(spot.mask)
            and not self._pieces.is_under(track, index, lambda other: id(other) not in shaky)
        )
        new = -1e9 if turn.sweep else frame.time - _NEW
        held.asked.extend(self._flat.fill(quad) for quad in self._pieces.unread(here, new))
        return held

    def _unchanged(self, gray: Gray, parts: list[Window], known: list[Sighting]) -> list[Sighting]:
        """Return the codes in some parts that are as they were when they were read, but for those that are `known`."""
        if not parts:
            return []
        tiles = np.zeros(self._flat.grid, dtype=np.bool_)
        for part in parts:
            tiles[self._flat.tile_window_of(part)] = True
        had = set(known)
        plain = [spot.sighting for track, _, spot in self._pieces.spots_in(TileSum(tiles)) if self._pieces.is_plain(track, spot)]
        return [one for one in plain if one not in had and self._readings.still(gray, one)]

    def _boxes(self, due: Mask) -> list[Window]:
        """Take tiles together into boxes, a tile wider all round than what changed, so that no code is cut."""
        high, wide = due.shape
        return joined([grown(box, 1, (high, wide)) for box in boxes_of(due)], (high, wide))

    def _windows(self, tiles: Mask) -> list[Window]:
        """Give the windows of the flat picture to be seen anew because something moved in some tiles."""
        shape = self._flat.shape
        return joined([grown(flat_window(box), _ROUND, shape) for box in boxes_of(tiles)], shape)

    def _parts(
        self, frame: Frame, boxes: list[Window], core: Mask, held: _Held, due: Mask, turn: Turn
    ) -> list[tuple[Window, bool]]:
        """Give the windows to be read, those parts of some boxes that could have changed and are not explained, and
        whether each is worth a thorough look.
        """
        if turn.part is not None and not (core & ~turn.read).any():
            return [(turn.part, False)]
        here, unclear = TileSum(core), self._pieces.unclear() | self._surface.tiles
        fresh = core & (self._unread > 0)
        self._unread[fresh] -= 1
        parts = [part for box in boxes for part in self._surface.unexplained(box, held.explained, held.asked)]
        parts += self._round(fresh)
        # What a piece looked like may have had another's code on it that nobody read: what has come to rest is read
        # once more, whatever it looks like, and so is the whole table in a sweep. What is unclear always is.
        everything = core & unclear & (frame.time - self._motion.moved_at >= SETTLE)
        parts += self._not_bare(everything, held)
        if turn.whole:
            parts += self._round(turn.read) if turn.sweep else self._rounds.unread(self._not_bare(turn.read, held))
        parts = [part for part in parts if here.any(self._flat.tile_window_of(part))]
        if turn.part is not None:
            parts.append(turn.part)
        elif not turn.whole and turn.read.any():
            again = [one for one in self._not_bare(turn.read, held) if here.any(self._flat.tile_window_of(one))]
            parts += self._rounds.put_off(joined(again, self._flat.shape, _GAP), frame.time)
        found = []
        for part in joined(parts, self._flat.shape, _GAP):
            tiles = self._flat.tile_window_of(part)
            settled = self._motion.quiet(tiles, frame.time) >= SETTLE
            # A sweep tries what is unclear as it tries the rest: more pains are taken when its own look is due.
            found.append((part, settled and bool((unclear & due)[tiles].any())))
        return found

    def _round(self, tiles: Mask) -> list[Window]:
        """Return the windows of some tiles with as much round them as a code is wide."""
        return [grown(flat_window(box), _CODE, self._flat.shape) for box in boxes_of(tiles)]

    def _not_bare(self, tiles: Mask, held: _Held) -> list[Window]:
        """Return the windows in and round some tiles that are neither bare mat nor explained."""
        return [part for window in self._round(tiles) for part in self._surface.not_bare(window, held.explained)]

    # -- zones ------------------------------------------------------------------------------------------------------

    def _note_motion(self, moving: Mask, time: float) -> None:
        if self._motion.light_jumped or moving.mean() > 0.6:
            self._lit = time
            return  # a lamp or a bump is no hand
        mask, here = self._motion.mask, TileSum(moving)
        for name, window in self._zones.items():
            tiles = self._flat.tile_window_of(window)
            if here.any(tiles) and int(np.count_nonzero(mask[window])) * MM * MM >= STRANGE_MM2:
                if name not in self._touched:
                    self._changed = time
                self._zone_moved[name] = time
                self._touched.add(name)

    def _covered(self, time: float) -> frozenset[str]:
        if self._bearings.lost is not None or self._dark:
            return frozenset(self._zones)
        result = {name for name, moved_at in self._zone_moved.items() if time - moved_at < _LINGER}
        if self._surface.version != self._strange_at:
            self._strange_at = self._surface.version
            self._strange = {n for n, window in self._zones.items() if self._surface.amount(window) >= STRANGE_MM2}
        # Of a pile only the top counts: where that is seen, the pile's sides and its shadow hide nothing.
        tops = {track.zone for track in self._pieces if track.state == SEEN and track.zone in self._piles}
        result |= self._strange - tops
        result |= {track.zone for track in self._pieces if track.state == COVERED and track.zone is not None}
        return frozenset(result)

    # -- views -------------------------------------------------------------------------------------------------------

    def _troubles(self) -> tuple[Trouble, ...]:
        troubles = []
        if self._bearings.lost is not None:
            troubles.append(self._bearings.lost)
        notice = self._bearings.moves.trouble(self.frame.time) if self.frame is not None else None
        if notice is not None:
            troubles.append(notice)
        if self._dark:
            troubles.append(Trouble("dark", "It is too dark to read the cards. Switch a lamp on."))
        pieces = self._pieces
        return (*troubles, *of_cards(self.book, pieces.twice, pieces.beside, pieces.strays.values()))

    def _settled(self, time: float) -> bool:
        if self._bearings.lost is not None or self._dark:
            return False
        if time - float(self._motion.moved_at.max()) >= SETTLE:
            return not self._pieces.pending(time) and not self._rounds.waiting
        near = [track for track in self._pieces if track.since >= self._changed - 1e-9]
        calm = time - self._changed >= _CALM
        return calm and all(self._motion.quiet(track.tiles, time) >= SETTLE for track in near)

    def _publish(self, frame: Frame) -> TableView | None:
        if self._bearings.lost is None and not self._dark and not self._looked_once:
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
            dice=self._trays.see(frame, None if self._dark else self.calibration),
            under=self._pieces.under(),
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
        px = self._crops.pixels(rect, margin)
        if px is None:
            return None
        picture = self.frame.gray if self.frame.colour is None else self.frame.colour
        ratio = picture.shape[1] / self._size[0]
        y, x = (slice(round(part.start * ratio), round(part.stop * ratio)) for part in px)
        return picture[y, x].copy()


def _same(a: TableView, b: TableView) -> bool:
    """Tell whether two views say the same, whenever they were."""
    one, other = ((v.placements, v.covered, v.settled, v.troubles, v.dice, v.under) for v in (a, b))
    return one == other and (a.settled or a.touched == b.touched)
