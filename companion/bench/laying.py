"""A stage that times every card laid on it: from the frame in which its code can be seen to the referee's word."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from companion.bench.figures import Times
from companion.codes import BACK
from companion.eye.eye import Eye
from companion.eye.places import Pose
from companion.referee.referee import Referee
from companion.rules.kernel import Seat
from companion.sim.camera import SimulatedCamera
from companion.sim.camera_stage import CameraStage
from companion.sim.hands import masks
from companion.sim.stage import HAND, Move
from companion.sim.table import Laid


class Delay(msgspec.Struct, frozen=True):
    """One card: when its action was shown and journaled, and what eye, referee and journal took (ms).

    Frames count from 1, in which its code is free of hands for good; `away` is the one free of hands, `seen` in the
    view.
    """

    away: int
    seen: int
    shown: int
    shown_ms: float
    kept: int
    kept_ms: float


class _Waiting(msgspec.Struct):
    """A card that is being laid, and the numbers of the frames known so far."""

    piece: str
    zone: str
    records: int
    told: tuple[str, ...]
    free: int | None = None
    away: int | None = None
    seen: int | None = None
    shown: int | None = None
    shown_ms: float = 0.0


class TimedStage(CameraStage):
    """Plays before camera, eye and referee; keeps a `Delay` for every single card laid face up, not told by phone."""

    def __init__(
        self, camera: SimulatedCamera, eye: Eye, referee: Referee, cost: Times, enough: Callable[[int], bool]
    ) -> None:
        """Create it; every frame's cost goes into `cost`. `enough` gets the count of cards laid before each move."""
        super().__init__(camera, eye, referee.on_view, referee.on_tick)
        self.delays: list[Delay] = []
        self._referee = referee
        self._cost = cost
        self._enough = enough
        self._waiting: _Waiting | None = None
        self._shape = eye.mat.shape_of("back")

    def carry(self, moves: list[Move], seat: Seat) -> None:
        """Make the moves by hand, timing a single open card; raise EnoughError if enough were laid."""
        if self._enough(len(self.delays)):
            raise EnoughError
        self._waiting = None
        if len(moves) == 1 and moves[0].target != HAND and moves[0].face == "F":
            self._waiting = _Waiting(
                moves[0].piece, moves[0].target, self._records(), self._referee.snapshot.provisional
            )
        super().carry(moves, seat)

    def _records(self) -> int:
        return sum(record.by == "table" for record in self._referee.records())

    def _step(self) -> None:
        frame = self.camera.shoot()  # a camera without faults is never lost
        self.frames += 1
        with self._cost.measure():
            view = self.eye.see(frame)
            if view is not None:
                self.watch(view)
            else:
                self._tick(frame.time)
        if self._waiting is not None:
            self._follow(self._waiting, self._cost.wall[-1])

    def _follow(self, card: _Waiting, took: float) -> None:
        snapshot = self._referee.snapshot
        kept = self._records() > card.records
        told = kept or (bool(snapshot.provisional) and snapshot.provisional != card.told)
        if card.shown is None:
            visible, clear = self._visible(card.piece)
            card.free = (card.free or self.frames) if visible else None
            card.away = (card.away or self.frames) if clear else None
            if card.seen is None and self.eye.view is not None:
                there = any(
                    placement.piece == card.piece and placement.zone == card.zone
                    for placement in self.eye.view.placements
                )
                card.seen = self.frames if there else None
            if told:
                # What was understood before a whole code was free took no time at all.
                card.free = card.free or self.frames
                card.away = card.away or self.frames
                card.seen = card.seen or self.frames
                card.shown, card.shown_ms = self.frames, took
        if kept and card.free and card.away and card.seen and card.shown:
            before = card.free - 1
            self.delays.append(
                Delay(
                    away=card.away - before,
                    seen=card.seen - before,
                    shown=card.shown - before,
                    shown_ms=card.shown_ms,
                    kept=self.frames - before,
                    kept_ms=took,
                )
            )
            self._waiting = None

    def _visible(self, piece: str) -> tuple[bool, bool]:
        """Return whether some code of a piece, with a module all round, is free of hands; and whether all of it is."""
        lying = self.table.where(piece)
        if lying is None:
            return False, False
        outline = Pose(lying.x, lying.y, lying.rotation).outline(self._shape)
        clear = not self._covered(np.asarray(self.camera.lens.to_px(outline)))
        return clear or any(not self._covered(quad) for quad in self._codes(lying)), clear

    def _codes(self, lying: Laid) -> list[np.ndarray]:
        face = "B" if lying.piece == BACK else lying.face
        pose = Pose(lying.x, lying.y, lying.rotation)
        codes = []
        for place in self._shape.codes:
            if place.on == face:
                px = np.asarray(self.camera.lens.to_px(pose.code_quad(place, self._shape)))
                middle = px.mean(axis=0)
                codes.append(middle + (px - middle) * 23 / 21)
        return codes

    def _covered(self, quad: np.ndarray) -> bool:
        low, high = np.floor(quad.min(axis=0)).astype(int), np.ceil(quad.max(axis=0)).astype(int) + 1
        shape = int(high[1] - low[1]), int(high[0] - low[0])
        for hand in self.table.look().hands:
            skin, sleeve = masks(hand, self.camera.lens, int(low[0]), int(low[1]), shape)
            if skin.any() or sleeve.any():
                return True
        return False


class EnoughError(Exception):
    """Raised when the requested number of cards was laid."""
