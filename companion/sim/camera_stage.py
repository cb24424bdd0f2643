"""The stage on which robots play before a real eye: hands carry pieces over the simulated table, frame by frame."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from companion.eye.eye import Eye
from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.rules.kernel import Seat
from companion.rules.layout import Zone
from companion.sim.camera import CameraLostError, SimulatedCamera
from companion.sim.stage import HAND, Move, Stage
from companion.sim.table import Hand, SimTable, Spot, elbow, spot_in

PACKET = 8
"""More moves than this are made as people move a packet of cards: both hands over it, and it lies there."""

LONGEST_REST = 80
"""Frames after which a table that will not come to rest is left as it is: somebody leans on it."""


class Carrier:
    """Moves pieces on a simulated table as a seat's hand would; keeps rows tidy enough that every code shows."""

    def __init__(self, table: SimTable, mat: Mat) -> None:
        """Begin with an empty table."""
        self.table = table
        self.mat = mat
        self._index: dict[Zone, dict[str, int]] = {}

    def send(self, move: Move, seat: Seat) -> None:
        """Send a hand to make a move; time has to pass until it is done."""
        self._leave(move)
        spot = None
        if move.target != HAND:
            spot = self._spot(move.target, self._place(move))
        self.table.carry(move.piece, spot, elbow(self.mat, seat), face=move.face, who=seat)

    def at_once(self, move: Move) -> None:
        """Make a move without a hand of its own."""
        self._leave(move)
        if move.source != HAND:
            self.table.lift(move.piece)
        if move.target != HAND:
            spot = self._spot(move.target, self._place(move))
            self.table.put(move.piece, move.face, spot.x, spot.y, spot.rotation)

    def _spot(self, name: Zone, place: int) -> Spot:
        """Give the place-th spot of a zone, for a piece of the shape that lies there."""
        zone = self.mat.zone(name)
        shape = self.mat.shape_in(zone)
        return spot_in(zone, place, shape.w, shape.h)

    def found(self, piece: str, zone: Zone | None, x: float, y: float) -> None:
        """Learn where a piece lies that another hand moved (mm); in no zone, or away, with None."""
        for row in self._index.values():
            row.pop(piece, None)
        if zone is not None and self.mat.zone(zone).kind != "pile":
            spots = [self._spot(zone, place) for place in range(self._places(zone))]
            away = [(spot.x - x) ** 2 + (spot.y - y) ** 2 for spot in spots]
            self._index.setdefault(zone, {})[piece] = away.index(min(away))

    def _leave(self, move: Move) -> None:
        self._index.get(move.source, {}).pop(move.piece, None)

    def make_room(self, moves: list[Move]) -> None:
        """Push rows together that would grow too long for what is to come; no hand is at work yet."""
        for name, coming in Counter(move.target for move in moves if move.target != HAND).items():
            row = self._index.get(name, {})
            if row and max(row.values()) + coming >= self._places(name):
                self._push_together(name)

    def _places(self, name: Zone) -> int:
        """Count the places of a zone, in all its rows."""
        zone = self.mat.zone(name)
        high = zone.rect.h if round(zone.rotation / 90) % 2 == 0 else zone.rect.w
        # The first row begins 2 mm from the edge (`ZonePlace.spot`).
        return zone.slots * (1 + int(max(0.0, high - 2 - self.mat.shape_in(zone).h) // zone.row))

    def _place(self, move: Move) -> int:
        """Give the next place of a row."""
        if self.mat.zone(move.target).kind == "pile":
            return 0
        row = self._index.setdefault(move.target, {})
        row[move.piece] = place = max(row.values(), default=-1) + 1
        return place

    def _push_together(self, name: Zone) -> None:
        row = self._index[name]
        for place, piece in enumerate(sorted(row, key=lambda one: row[one])):
            was, now = self._spot(name, row[piece]), self._spot(name, place)
            self.table.nudge(piece, now.x - was.x, now.y - was.y)
            row[piece] = place


class TableStage(Stage):
    """Shows what happens on a simulated table. `_step` lets one camera frame's time go by."""

    def __init__(self, table: SimTable, mat: Mat, watch: Callable[[TableView], None]) -> None:
        """Begin with an empty table."""
        super().__init__(watch)
        self.table = table
        self.mat = mat
        self._carrier = Carrier(table, mat)

    @abstractmethod
    def _step(self) -> None:
        """Let the next frame be taken and looked at."""

    @abstractmethod
    def _resting(self) -> bool:
        """Tell whether the last view was of a table at rest."""

    @property
    def seconds(self) -> float:
        """The simulated time that has gone by."""
        return self.table.time

    def carry(self, moves: list[Move], seat: Seat) -> None:
        """Have a hand make the moves one by one, or move a packet if there are many.

        Cards of a fan that are turned over are taken up, shuffled, and laid down again.
        """
        turned = [move for move in moves if move.source == move.target and self.mat.zone(move.target).kind == "loose"]
        if turned:
            self._carry([replace(move, target=HAND) for move in turned], seat)
            self.rest()
            moves = [replace(move, source=HAND) if move in turned else move for move in moves]
        self._carry(moves, seat)

    def _carry(self, moves: list[Move], seat: Seat) -> None:
        self._carrier.make_room(moves)
        if len(moves) > PACKET:
            self._packet(moves, seat)
            return
        for move in moves:
            self.apply(move)
            self._carrier.send(move, seat)
        while self.table.busy:
            self._step()

    def rest(self) -> None:
        """Let frames go by until the eye says that the table rests."""
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
        """Set the camera up over its table; `tick` hears the time of frames in which nothing changed."""
        super().__init__(camera.table, eye.mat, watch)
        self.camera = camera
        self.eye = eye
        self.frames = 0
        self._tick = tick

    @property
    def hidden(self) -> bool:
        """Whether the eye says that something hides a part of the table."""
        return self.eye.view is not None and bool(self.eye.view.covered)

    def faults(self) -> Counter[str]:
        """Count the camera's faults."""
        return self.camera.occurred

    def _resting(self) -> bool:
        return self.eye.view is not None and self.eye.view.settled

    def _step(self) -> None:
        """Take a picture and let the eye look; while the camera is lost only time passes."""
        try:
            frame = self.camera.shoot()
        except CameraLostError:
            return
        self.frames += 1
        view = self.eye.see(frame)
        if view is not None:
            self.watch(view)
        else:
            self._tick(frame.time)
