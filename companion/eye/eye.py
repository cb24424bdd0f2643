"""The eye: frames in, table views out.

Every frame goes through the same stages, each of which takes what the one before gave; none calls back into an earlier
one. What is remembered between frames lies in `Memory`.

1. bearings: where the mat lies in the picture, out of which a lamp's bands were taken.
2. motion: which tiles moved, and which have come to rest and are due for a look.
3. rounds: what is gone over again though nothing moved.
4. surface: what these tiles look like from straight above, and where they look like bare mat.
5. targets: which windows are to be read. A code whose pixels are as they were need not be.
6. crops: these windows are cut out and read.
7. places and pieces: what was read is put together to pieces that came, stayed, went, or are only covered.
8. expected and surface: what should be seen now, and what is strange because it is neither mat nor piece.
9. zones and trays: which zones are covered, what the dice show; the view.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from companion.codes import BACK
from companion.eye.bands import Bands
from companion.eye.bearings import Bearings
from companion.eye.crops import Crops
from companion.eye.deck_reader import DeckReader
from companion.eye.faces.asking import Doubt
from companion.eye.faces.deck import TaughtDeck
from companion.eye.faces.examined import Around
from companion.eye.faces.followed import with_faces
from companion.eye.faces.watching import FaceWatch
from companion.eye.flat import Flat, Mask, Window, boxes_of, flat_window, glimpsed, grown, joined
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect
from companion.eye.memory import Memory
from companion.eye.motion import SETTLE, Moved, quiet
from companion.eye.places import CodeBook, Found, Pile, Pose, find_pieces
from companion.eye.print_scale import PrintScale, scaled
from companion.eye.reader import FACES, LibraryReader, Reader, merged
from companion.eye.rounds import Turn
from companion.eye.surface import Still
from companion.eye.targets import Tiles, boxes, known_in, parts_in, unchanged_in
from companion.eye.tracks import COVERED, HIDDEN, Look, Track
from companion.eye.troubles import of_cards, of_picture
from companion.eye.view import Frame, Gray, Placement, Sighting, TableView, Trouble
from companion.text import t

_CALM = 1.5
"""Seconds after which constant motion over zones already covered no longer delays the view of the rest."""

_USED_TO = 120.0
_DARK = 14.0

_STRANGE_EVERY = 0.5
"""Seconds after which what is strange is seen anew though nothing moves: a shadow fades too slowly to be motion."""

_WHOLE_EVERY = 5.0
"""Seconds after which a camera that sends small pictures is asked for a whole one though nothing moves."""

_MANY = 200
"""Readings that are kept beyond two a piece, before unused ones are dropped."""

_ROUND = 4
"""Flat pixels round the tiles that moved that are seen anew with them: too few to have marked their own tile."""

_PATIENT = 0.25
"""Seconds that judging may be postponed, after looks at something new, until a frame has time for it."""

_LIGHTS_UP = 0.5
"""Seconds that a lamp, and what a camera makes of it, may take until the light is steady."""


class Eye:
    """Follows what lies on one mat. Not to be shared between threads."""

    def __init__(
        self,
        mat: Mat,
        book: CodeBook,
        reader: Reader | None = None,
        reference: Gray | None = None,
        decks: Sequence[TaughtDeck] = (),
    ) -> None:
        """Create it for a mat and the codes that can exist; `reader` is the deck's own unless given.

        `reference` is a gray picture of the whole empty mat, of any resolution: with it the eye knows bare mat from the
        first frame on. Cards of taught `decks` are known by their faces.
        """
        self.mat = mat
        self.sightings: tuple[Sighting, ...] = ()
        """Codes read in the last frame, or seen unchanged where something had moved; empty if nothing was due."""
        self.view: TableView | None = None
        """The last view that `see` returned."""
        self.frame: Frame | None = None
        """The last frame."""
        self.piles: tuple[Pile, ...] = ()
        """The piles that are known to be there (`known_piles`): their top cards lie nearer to the camera."""
        self.ignored = 0
        """Readings of codes that are none of this deck."""
        self._flat = Flat(mat)
        self._bearings = Bearings(mat, self._flat)
        self._bands = Bands()
        self._scale = PrintScale()
        self._reader = DeckReader(LibraryReader()) if reader is None else reader
        self._reference, self._decks = reference, decks
        self._size = (0, 0)
        self._changed = self._lit = -1e9
        self._whole = -1e9
        self._dark = False
        self._begin(book)

    def _begin(self, book: CodeBook) -> None:
        """Know the codes of a book, and nothing yet of what lies there."""
        self.book = book
        self._crops = Crops(self._flat, self._reader, book.payloads_by_size())
        followed = with_faces(book, self._decks)
        self._memory = Memory(self.mat, followed, self._flat, self._reference)
        self.faces = FaceWatch(self._decks, self.mat, followed) if self._decks else None
        """What reads faces; None if no deck was taught."""
        self._seeded = False
        self._to_judge: list[Window] = []
        self._strange_seen = self._judged = -1e9
        self._looks = 0

    @property
    def calibration(self) -> Calibration | None:
        """How the camera sees the mat; None while that is not known."""
        return self._bearings.calibration

    def recall(self, placements: Iterable[Placement]) -> None:
        """Take where pieces lay before this eye was opened: an eye that knows faces looks for them there first."""
        if self.faces is not None:
            lay = sorted(placements, key=lambda placement: placement.order)
            self.faces.recall((one.piece, Pose(one.x, one.y, one.rotation)) for one in lay)

    def see(self, frame: Frame) -> TableView | None:
        """Process the next frame; return a table view if anything relevant changed, else None."""
        self.frame = frame
        glimpse = glimpsed(frame.gray) if frame.small is None else frame.small
        self.sightings = ()
        if not frame.whole:
            return self._glance(frame, glimpse)
        frame, glimpse = self._bands.even(frame, glimpse)
        self.frame, self._whole = frame, frame.time
        if not self._aimed(frame, glimpse):
            return self._publish(frame)
        memory, motion = self._memory, self._memory.motion
        moved = motion.see(glimpse, frame.time)
        self._note(moved, frame)
        due = motion.due(frame.time)
        self._dark = float(glimpse[::8, ::8].mean()) < _DARK
        if self._dark or not self._still_aimed(frame, glimpse, due):
            return self._publish(frame)
        busy = bool(due.any()) or moved.tiles is not None
        if self._to_judge and not busy:
            self._judge(frame.time)
        unclear, complete = memory.unclear(), memory.surface.scene.complete
        turn = memory.rounds.next(
            frame.time, motion.moved_at, motion.rest >= 1, busy, unclear, self._looked_once, complete
        )
        memory.rounds.rare = False
        if due.any() or turn.read.any():
            self._look(frame, glimpse, due, moved.tiles, turn)
            if due.any():
                memory.rounds.read_again(motion.looked(due, memory.unclear(), frame.time), frame.time)
        elif moved.tiles is not None:
            self._update(frame, glimpse, moved.tiles)
        elif turn.learn is not None:
            self._learn(frame, glimpse, turn.learn)
        elif memory.surface.tiles.any() and frame.time - self._strange_seen >= _STRANGE_EVERY:
            self._update(frame, glimpse, np.ones(self._flat.grid, dtype=np.bool_))
        elif (
            self.view is not None
            and self.view.settled
            and not self._bearings.moves.over(frame.time)
            and not self._scale.over(frame.time)
            and self._bands.told(self.view.troubles)
        ):
            return None
        return self._publish(frame)

    def _glance(self, frame: Frame, glimpse: Gray) -> TableView | None:
        """See what moved in a small picture, and note whether the next one has to be whole."""
        if self.calibration is None:
            frame.wanted = True
            return self._publish(frame)
        memory, motion = self._memory, self._memory.motion
        self._note(motion.see(glimpse, frame.time), frame)
        since = frame.time - self._whole
        busy = bool(motion.due(frame.time).any()) or memory.rounds.waiting
        more = bool(memory.surface.tiles.any()) or memory.rounds.learning or bool(self._to_judge)
        frame.wanted = busy or since >= _WHOLE_EVERY or (more and since >= _STRANGE_EVERY)
        memory.rounds.rare = True
        return self._publish(frame)

    def _aimed(self, frame: Frame, glimpse: Gray) -> bool:
        """Search for the mat if its place is unknown; return whether it is known now."""
        size = frame.gray.shape[1], frame.gray.shape[0]
        if size != self._size:
            self._size = size
            self._bearings.calibration = None
        if self.calibration is None and self._bearings.find(frame.gray, frame.time):
            self._aim(frame, glimpse)
        return self.calibration is not None

    def _still_aimed(self, frame: Frame, glimpse: Gray, due: Mask) -> bool:
        """Return whether the mat is unmoved, as far as the tiles that are due show; otherwise aim again."""
        if not (self._bearings.in_doubt and due.any()):
            return True
        if self._bearings.check(frame.gray, frame.time, self._memory.motion.rest):
            return True
        if self.calibration is not None:
            self._aim(frame, glimpse)
        return False

    def _aim(self, frame: Frame, glimpse: Gray) -> None:
        assert self.calibration is not None  # noqa: S101 (only called with geometry)
        self._flat.aim(self.calibration, max(1, round(self._size[0] / glimpse.shape[1])))
        self._memory.look_afresh(glimpse, frame.time)
        self._lit = self._changed = frame.time
        self._crops.aim(self.calibration)
        if self.faces is not None:
            self.faces.aim(self.calibration)
        if not self._seeded:
            self._memory.surface.seed(frame.gray, self.mat)
            self._memory.renew_expected(self._memory.surface.whole)
            self._seeded = True

    def _note(self, moved: Moved, frame: Frame) -> None:
        self._bearings.note(moved)
        if frame.whole:
            self._crops.see(frame.gray, moved.tiles is None)
        if moved.light or (moved.tiles is not None and not moved.by_hand):
            self._lit = frame.time
            self._memory.surface.scene.forget_gleams()
            self._memory.rounds.lit_anew(frame.time)
        elif self._memory.zones.note(moved, frame.time):
            self._changed = frame.time

    @property
    def _looked_once(self) -> bool:
        # The first reading of a piece alone doesn't count yet: a view now would show an empty table.
        return self._looks >= 2

    def _look(self, frame: Frame, glimpse: Gray, due: Mask, moving: Mask | None, turn: Turn) -> None:
        """Look at the tiles that are due and those whose turn it is, and update the moving ones."""
        assert self.calibration is not None  # noqa: S101
        memory, surface, motion = self._memory, self._memory.surface, self._memory.motion
        resting = motion.rest >= 1
        core = (due | turn.read) & resting
        windows = self._take(frame, glimpse, core if moving is None else core | moving)
        seen = np.zeros_like(due)
        for box in boxes(core):
            seen[box] = True
        tiles = Tiles(seen & resting, core, due, turn.read, turn.bare)
        known = known_in(tiles, frame, memory, self._flat)
        parts = parts_in(tiles, known, frame.time, memory, self._flat)
        unchanged = unchanged_in([part.window for part in parts], frame, memory, self._flat)
        codes = list(dict.fromkeys([*known.codes, *unchanged]))
        read = []
        for window, thorough in parts:
            lost = memory.pieces.lost_codes(window) if thorough else None
            read += self._crops.read(frame, window, codes, lost, self._scale.open)
        coded = merged([*read, *(seen for seen in known.again if seen.reader != FACES)])
        pieces, strays = find_pieces(coded, self.book, self.calibration, memory.pieces.prefer, self.piles)
        share = self._scale.learn(pieces, self.book, self.calibration, frame.time)
        if share is not None:
            self._begin(scaled(self.book, share))
            self._aim(frame, glimpse)
            return
        if self.faces is not None:
            held = self.faces.again(seen for seen in known.again if seen.reader == FACES)
            named = self._read_faces(frame, self.faces, [part.window for part in parts], [*pieces, *held])
            read += [code for piece in named for code in piece.codes.values()]
            pieces += [*held, *named]
        memory.readings.remember(frame, read)
        self.sightings = tuple(merged([*read, *known.again]))
        scene = surface.scene
        look = Look(
            frame.number,
            frame.time,
            tiles.seen,
            core,
            ~resting,
            motion.moved_at,
            surface.picture,
            surface.bare,
            scene.mat(),
            scene.known,
        )
        self.ignored += len(strays)
        before = memory.pieces.placements()
        missed = self.faces.missed if self.faces is not None else ()
        for window in memory.pieces.update(look, pieces, strays, known.same, missed):
            motion.wake(window)
        for gleam in memory.pieces.veiled:
            surface.see_through(gleam)
        if len(memory.readings) > _MANY + 2 * len(memory.pieces.placements()):
            memory.readings.keep(memory.pieces.sightings())
        self._looks += bool(due.any())
        if memory.pieces.placements() != before:
            self._changed = frame.time
        self._to_judge += windows
        settling = bool((frame.time - motion.moved_at[due] < SETTLE).any())
        if not settling or frame.time - self._judged >= _PATIENT:
            self._judge(frame.time)

    def _read_faces(self, frame: Frame, faces: FaceWatch, windows: list[Window], explained: list[Found]) -> list[Found]:
        """Return the taught cards that are recognised in windows that were read for codes."""
        if not windows:
            return []
        memory, surface = self._memory, self._memory.surface
        unfamiliar = surface.unfamiliar(surface.whole, memory.expected)
        tracks = sorted(memory.pieces, key=lambda track: track.order)
        lying = [(track.piece, track.pose) for track in tracks if track.state != HIDDEN]
        covered = frozenset(track.piece for track in tracks if track.state == COVERED) - {BACK}

        def stirred(window: Window) -> bool:
            return quiet(memory.motion.moved_at, self._flat.tile_window_of(window), frame.time) < SETTLE

        expected = memory.expected
        around = Around(expected.picture, unfamiliar, surface.bare, expected.on_piece, lying, covered, stirred)
        return faces.read(frame, windows, around, explained, memory.pieces.prefer)

    def _take(self, frame: Frame, glimpse: Gray, tiles: Mask) -> list[Window]:
        shape = self._flat.shape
        windows = joined([grown(flat_window(box), _ROUND, shape) for box in boxes_of(tiles)], shape)
        return self._take_windows(frame, glimpse, windows)

    def _take_windows(self, frame: Frame, glimpse: Gray, windows: list[Window]) -> list[Window]:
        memory = self._memory
        still = Still(frame.time, memory.motion.rest >= 1, memory.motion.moved_at)
        return memory.surface.take(frame.gray, glimpse, windows, still, memory.expected)

    def _update(self, frame: Frame, glimpse: Gray, tiles: Mask) -> None:
        """Update what some tiles look like, and what is strange there, without reading codes."""
        self._strange_seen = frame.time
        self._to_judge += self._take(frame, glimpse, tiles)
        self._judge(frame.time)
        surface, memory = self._memory.surface, self._memory
        if surface.tiles.any() and memory.pieces.look_anew(
            surface.strange, surface.picture, memory.motion.moved_at, frame.time
        ):
            self._judge(frame.time)

    def _judge(self, time: float) -> None:
        changed = self._memory.renew_expected()
        self._memory.surface.judge([*self._to_judge, *changed], self._memory.expected, time)
        self._to_judge, self._judged = [], time

    def _learn(self, frame: Frame, glimpse: Gray, tiles: Window) -> None:
        memory, surface, window = self._memory, self._memory.surface, flat_window(tiles)
        if tiles[0].start == 0:
            self._update(frame, glimpse, np.ones(self._flat.grid, dtype=np.bool_))
            if surface.see_through_light(memory.expected, memory.motion.moved_at <= self._lit + _LIGHTS_UP):
                surface.judge([surface.whole], memory.expected, frame.time)
        else:
            self._take_windows(frame, glimpse, [window])
        used_to = surface.learn(window, memory.expected, memory.motion.moved_at, frame.time, _USED_TO)
        self._to_judge += memory.renew_expected(window)
        if used_to:
            surface.judge([window], memory.expected, frame.time)

    def _blind(self) -> bool:
        return self._bearings.lost is not None or self._dark

    def _troubles(self, time: float) -> tuple[Trouble, ...]:
        troubles = of_picture(self._size, self.mat)
        bearings = self._bearings
        notices = bearings.lost, bearings.moves.trouble(time), self._bands.trouble, self._scale.trouble(time)
        troubles += [notice for notice in notices if notice is not None]
        if self._dark:
            troubles.append(Trouble("dark", t("It is too dark to read the cards. Switch a lamp on.")))
        pieces = self._memory.pieces
        return (*troubles, *of_cards(self.book, pieces.twice, pieces.beside, pieces.strays.values()))

    def _settled(self, time: float) -> bool:
        if self._blind():
            return False
        moved_at, pieces = self._memory.motion.moved_at, self._memory.pieces
        if time - float(moved_at.max()) >= SETTLE:
            return not pieces.pending(time) and not self._memory.rounds.waiting
        near = [track for track in pieces if track.since >= self._changed - 1e-9]
        calm = time - self._changed >= _CALM
        return calm and all(quiet(moved_at, track.tiles, time) >= SETTLE for track in near)

    def _publish(self, frame: Frame) -> TableView | None:
        if not self._blind() and not self._looked_once:
            return None
        memory, zones, time = self._memory, self._memory.zones, frame.time
        settled = self._settled(time)
        view = TableView(
            frame=frame.number,
            time=time,
            placements=memory.pieces.placements(),
            covered=self.mat.coverable if self._blind() else zones.covered(memory.surface, memory.pieces, time),
            touched=frozenset(zones.touched),
            settled=settled,
            troubles=self._troubles(time),
            dice=memory.trays.see(frame, None if self._dark else self.calibration, memory.motion.moved_at)
            if frame.whole
            else self.view.dice
            if self.view is not None
            else (),
            under=memory.pieces.under(),
            alike=self._alike(),
        )
        if self.view is not None and _same(self.view, view):
            return None
        self.view = view
        if settled:
            zones.touched.clear()
        return view

    def _alike(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of pieces that no code told apart."""
        if self.faces is None:
            return ()
        coded = {
            track.piece for track in self.tracks if any(spot.sighting.reader != FACES for spot in track.spots.values())
        }
        return tuple(group for group in self.faces.copies if coded.isdisjoint(group))

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks of all pieces that are followed."""
        return tuple(self._memory.pieces)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The cards that show and are not sure, while the table rests."""
        if self.faces is None or self.view is None or not self.view.settled:
            return ()
        return self.faces.doubts.open(self._memory.surface.strange)

    def crop(self, where: str | Rect | Placement, margin: float = 8.0) -> Gray | None:
        """Cut a zone, a rectangle in mm, or a piece out of the last frame, in colour if it has it.

        None without a frame or geometry, or out of sight. Raises KeyError if the mat has no such zone.
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
    """Return whether two views are equal apart from their times, and from what was touched before a settled one."""
    touched = a.touched if a.settled else b.touched
    return a == msgspec.structs.replace(b, frame=a.frame, time=a.time, touched=touched)
