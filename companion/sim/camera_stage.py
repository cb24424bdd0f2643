"""The stage on which robots play before a real eye: hands carry pieces over the simulated table, frame by frame."""

from __future__ import annotations

import math
import random
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Mapping

from msgspec.structs import replace

from companion.eye.eye import Eye
from companion.eye.last_view import LastView
from companion.eye.mat import Mat, Rect
from companion.eye.view import Frame, TableView
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Seat
from companion.rules.layout import Zone, owner_of
from companion.sim.camera import CameraLostError, SimulatedCamera
from companion.sim.dice import Die
from companion.sim.rows import NARROW_STRIP, Rows
from companion.sim.stage import HAND, MOST, Move, Stage, independent
from companion.sim.table import BRISK, Hand, Manner, SimTable, Spot, elbow
from companion.sim.ten_sided import AnyDie, TenSided

PACKET = 8
"""Moves above which cards are moved as a packet, as people do: both hands over it, and it lies there."""

DEALERS = 6
"""Hands that lay out at once what no seat's own hand lays."""

DIE, TEN_SIDED = 16.0, 14.0
"""The sides (mm) of six-sided and of ten-sided dice."""

MOST_DICE = 10
"""More dice than this nobody throws into a tray at once."""

_TRIES = 4000
"""How often a place for a die is looked for; then there is no room for so many."""

ASKED_NEAR = 12.0
"""How near (mm) a card lies to where the eye asks what lies there."""

LONGEST_REST = 80
"""Frames after which a table that does not come to rest is left as it is: somebody leans on it."""


class Carrier:
    """Moves pieces on a simulated table as a seat's hand would, finding room from what lies there."""

    def __init__(self, table: SimTable, mat: Mat, strip: float = 0.0) -> None:
        """Create it with nothing in hand; of each card of a row `strip` mm show, or as much as the mat means."""
        self.table = table
        self.mat = mat
        self._strip = strip
        self._rows = {zone.name: Rows(mat, zone, strip) for zone in mat.zones}
        self._coming: dict[str, tuple[Zone, Spot] | None] = {}
        """Destination of each piece that a hand was sent for; None for off the table."""

    def send(self, move: Move, seat: Seat, manner: Manner = Manner()) -> None:  # noqa: B008 (a frozen value)
        """Send a seat's hand to make a move; time has to pass until it is done."""
        spot = self._spot(move)
        self.table.carry(move.piece, spot, elbow(self.mat, seat), face=move.face, who=seat, manner=manner)

    def send_many(self, moves: list[Move]) -> None:
        """Send several hands at once: those of the seats whose zones it is about, and the dealers' for the rest."""
        shared: list[tuple[Move, Spot | None]] = []
        for move in moves:
            seat = owner_of(move.target) or owner_of(move.source)
            if seat:
                self.send(move, seat, BRISK)
            else:
                shared.append((move, self._spot(move)))
        # Each hand lays out a part of the mat's width, from behind the middle of it: their arms do not cross.
        shared.sort(key=lambda one: one[1].x if one[1] is not None else 0.0)
        share = max(1, -(-len(shared) // DEALERS))
        for first in range(0, len(shared), share):
            part = shared[first : first + share]
            xs = [spot.x for _, spot in part if spot is not None]
            origin = sum(xs) / len(xs) if xs else self.mat.w / 2, elbow(self.mat, TABLE)[1]
            for move, spot in part:
                self.table.carry(move.piece, spot, origin, face=move.face, who=-1 - first, manner=BRISK)

    def at_once(self, move: Move) -> None:
        """Make a move without a hand of its own."""
        spot = self._spot(move)
        if move.source != HAND:
            self.table.lift(move.piece)
        if spot is not None:
            self.table.put(move.piece, move.face, spot.x, spot.y, spot.rotation, under=spot.under)

    def make_room(self, moves: list[Move]) -> None:
        """Push rows together that would become too long for the coming moves; no hand may be at work."""
        self._coming.clear()
        for name, coming in Counter(move.target for move in moves if move.target != HAND).items():
            rows, row = self._rows[name], self._lying(name)
            last = max((rows.nearest(x, y) for x, y in row.values()), default=-1)
            if len(row) + coming > len(rows.spots):
                self._rows[name] = self._closer(name, len(row) + coming)
            if row and last + coming >= len(rows.spots):
                self._push_together(name)

    def _closer(self, name: Zone, count: int) -> Rows:
        """Return the rows of a zone with room for so many pieces: with less of each showing, or as the mat means it."""
        zone = self.mat.zone(name)
        narrow = Rows(self.mat, replace(zone, step=min(zone.step, NARROW_STRIP)), NARROW_STRIP)
        return narrow if self._strip and len(narrow.spots) >= count else Rows(self.mat, zone)

    def _spot(self, move: Move) -> Spot | None:
        self._coming[move.piece] = None
        if move.target == HAND:
            return None
        spot = self._rows[move.target].free(self._lying(move.target))
        self._coming[move.piece] = move.target, spot
        return spot

    def _lying(self, name: Zone) -> dict[str, tuple[float, float]]:
        rect = self.mat.zone(name).rect
        there = {lying.piece: (lying.x, lying.y) for lying in self.table.pieces() if rect.holds(lying.x, lying.y)}
        there = {piece: at for piece, at in there.items() if piece not in self._coming}
        coming = {piece: way for piece, way in self._coming.items() if way is not None}
        return there | {piece: (spot.x, spot.y) for piece, (zone, spot) in coming.items() if zone == name}

    def _push_together(self, name: Zone) -> None:
        """Move what lies in a zone to its first places; where one lies on the next, that one is laid on it."""
        rows, row = self._rows[name], self._lying(name)
        heights = {lying.piece: height for height, lying in enumerate(self.table.pieces())}
        highest = -1
        for piece, spot in zip(sorted(row, key=lambda name: rows.order(*row[name])), rows.spots, strict=False):
            if heights[piece] > highest:
                highest = heights[piece]
                x, y = row[piece]
                was = rows.spots[rows.nearest(x, y)]
                self.table.nudge(piece, spot.x - x + _limited(x - was.x), spot.y - y + _limited(y - was.y))
            else:
                self.table.move(piece, spot.x, spot.y)
                highest = len(heights)


def _limited(mm: float) -> float:
    """Return a deviation (mm) limited to the inaccuracy of a hand."""
    return max(-Manner().off_mm, min(Manner().off_mm, mm))


class TableStage(Stage):
    """Shows what happens on a simulated table. `_step` lets one camera frame's time go by."""

    def __init__(self, table: SimTable, mat: Mat, watch: Callable[[TableView], None]) -> None:
        """Create it with an empty table."""
        super().__init__(watch)
        self.table = table
        self.mat = mat
        self._carrier = Carrier(table, mat)
        self._dice = random.Random(1)

    @abstractmethod
    def _step(self) -> None:
        """Take the next frame and let the eye see it."""

    @abstractmethod
    def _resting(self) -> bool:
        """Return whether the last view was of a table at rest."""

    @property
    def seconds(self) -> float:
        """The simulated time that has gone by."""
        return self.table.time

    def lay_apart(self, strip: float) -> None:
        """From now on let so much (mm) of each card of a row show."""
        self._carrier = Carrier(self.table, self.mat, strip)

    def rename(self, names: Mapping[Piece, Piece]) -> None:
        """Let pieces that look the same change their names."""
        super().rename(names)
        self.table.rename(names)

    def carry(self, moves: list[Move], seat: Seat) -> None:
        """Make the moves by hand one by one, or as a packet if many; a fan turned over is shuffled and laid again."""
        turned = [move for move in moves if move.source == move.target != HAND and self._loose(move.target)]
        if turned:
            self._carry([replace(move, target=HAND) for move in turned], seat)
            self.rest()
            moves = [replace(move, source=HAND) if move in turned else move for move in moves]
        self._carry(moves, seat)

    def _loose(self, zone: Zone) -> bool:
        return self.mat.zone(zone).kind == "loose"

    def _carry(self, moves: list[Move], seat: Seat) -> None:
        self._carrier.make_room(moves)
        if len(moves) > (PACKET if seat != TABLE else MOST):
            self._packet(moves, seat)
            return
        for move in moves:
            self.apply(move)
        if seat == TABLE and independent(moves):
            self._carrier.send_many(moves)
        else:
            for move in moves:
                self._carrier.send(move, seat)
        while self.table.busy:
            self._step()

    def throw(self, values: tuple[int, ...]) -> bool:
        """Throw dice into the tray: they lie anywhere in it, apart from each other."""
        tray = self.mat.tray
        if tray is None or len(values) > MOST_DICE:
            return False
        side = TEN_SIDED if tray.sides == 10 else DIE
        places = self._places(tray.rect, len(values), side)
        if len(places) < len(values):
            return False
        self.table.throw(self._die(x, y, side, value, tray.sides) for (x, y), value in zip(places, values, strict=True))
        return True

    def _places(self, tray: Rect, count: int, side: float) -> list[tuple[float, float]]:
        places: list[tuple[float, float]] = []
        for _ in range(_TRIES):
            x = self._dice.uniform(tray.x + side, tray.x + tray.w - side)
            y = self._dice.uniform(tray.y + side, tray.y + tray.h - side)
            if len(places) < count and all(math.dist((x, y), other) > 1.5 * side for other in places):
                places.append((x, y))
        return places

    def _die(self, x: float, y: float, side: float, value: int, sides: int) -> AnyDie:
        turn, ahead = self._dice.uniform(0, 360), self._dice.randrange(4)
        if sides == 10:
            return TenSided(x, y, turn, side, value, ahead=ahead)
        return Die(x, y, turn, side, value, ahead=ahead)

    def rest(self) -> None:
        """Take frames until the eye reports a table at rest."""
        for i in range(LONGEST_REST):
            self._step()
            if i >= 4 and not self.table.busy and self._resting():
                return

    def _packet(self, moves: list[Move], seat: Seat) -> None:
        zones = {zone for move in moves for zone in (move.source, move.target)} - {HAND}
        origin = elbow(self.mat, seat)
        for zone in zones:
            x, y = self.mat.zone(zone).rect.centre
            self.table.rest_hand(zone, Hand(x, y, *origin, 20.0, seat % 4))
        self._step()
        self._step()
        for move in moves:
            self.apply(move)
            self._carrier.at_once(move)
        self._step()
        for zone in zones:
            self.table.rest_hand(zone, None)
        self._step()


class CameraStage(TableStage):
    """Takes the frames itself, as fast as they can be made, and looks at them with an eye."""

    def __init__(
        self, camera: SimulatedCamera, eye: Eye, watch: Callable[[TableView], None], tick: Callable[[float], None]
    ) -> None:
        """Set the camera up over its table; `tick` gets the time of frames in which nothing changed."""
        super().__init__(camera.table, eye.mat, watch)
        self.camera = camera
        self.eye = eye
        self.last = LastView(eye.mat)
        """The view that was shown last."""
        self.frames = 0
        self.hint: Callable[[Eye], None] = _nothing
        """Tells the eye, before it looks, what the rules know."""
        self._tick = tick

    def explain(self) -> int:
        """Answer which card lies where the eye is not sure, as people do; return the number of answers."""
        answers = 0
        for doubt in self.eye.doubts:
            lying = (laid for laid in reversed(self.table.pieces()) if laid.face == "F")
            near = (one for one in lying if math.dist((one.x, one.y), (doubt.pose.x, doubt.pose.y)) < ASKED_NEAR)
            there = next(near, None)
            if there is not None and self.eye.faces is not None and self.eye.frame is not None:
                answered = self.eye.faces.answered(self.eye.frame, doubt, there.piece)
                answers += answered is not None and self.eye.faces.learn(answered, answered.prepared())
        return answers

    @property
    def by_faces(self) -> bool:
        """Whether the eye knows cards by their faces."""
        return self.eye.faces is not None

    def show_again(self, pieces: Collection[Piece]) -> int:
        """Take up those of some pieces that lie in a fan, and lay them on top; return their number."""
        lift = [
            Move(lying.piece, zone, HAND, lying.face)
            for zone, pile in self.books.items()
            if self._loose(zone)
            for lying in pile
            if lying.face == "F" and lying.piece in pieces
        ]
        if lift:
            self._carry(lift, TABLE)
            self.rest()
            self._carry([replace(move, source=HAND, target=move.source) for move in lift], TABLE)
        return len(lift)

    @property
    def hidden(self) -> bool:
        """Whether the eye reports that something hides a part of the table."""
        return self.eye.view is not None and bool(self.eye.view.covered)

    def faults(self) -> Counter[str]:
        """Return the camera's faults, counted by name."""
        return self.camera.occurred

    def _resting(self) -> bool:
        return self.eye.view is not None and self.eye.view.settled

    def _step(self) -> None:
        """Take a picture and let the eye look; while the camera is lost only time passes."""
        frame = self._unseen()
        if frame is None:
            return
        self.hint(self.eye)
        view = self.last.see(self.eye, self.eye.see(frame))
        if view is not None:
            self.watch(view)
        else:
            self._tick(frame.time)

    def _unseen(self) -> Frame | None:
        """Advance by a frame; return its picture, which the eye has not seen. None while the camera is lost."""
        self.frames += 1
        try:
            return self.camera.shoot()
        except CameraLostError:
            return None


def _nothing(eye: Eye) -> None:
    """An eye that knows codes need not be told anything."""
