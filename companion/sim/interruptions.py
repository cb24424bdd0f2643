"""Interruptions of a match before a camera, by a seeded generator: a restart, another camera, a lamp switched off."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from companion.eye.eye import Eye
from companion.eye.mat import Mat
from companion.eye.view import Trouble
from companion.sim.camera import SimulatedCamera
from companion.sim.camera_stage import CameraStage
from companion.sim.optics import Lamp, Print, Rig, draw_lamp, draw_print, draw_rig, switched_off
from companion.sim.resumable import Resumable
from companion.sim.stage import Move
from companion.sim.table import SimTable

INTERRUPTIONS = ("laid", "restart", "eye", "camera", "lamp")
"""What interrupts a match, by name.

laid: the table was laid before the eye was opened. restart: the program begins anew between two turns, and resumes the
match from its journal; meanwhile the mat may have been moved. eye: a picture can't be understood, and the eye begins
anew. camera: the camera is unplugged and another put in, which hangs otherwise. lamp: it is switched off, and on again.
"""

LAID = 0.5
"""Probability that a match begins on a laid table."""

FIRST, BETWEEN = (80, 500), (250, 900)
"""Frames until the first interruption, and from one to the next, at least and at most."""

DOWN, UNPLUGGED, DIM = (30, 150), (10, 40), (60, 400)
"""Frames for which the program is down, no camera is connected, and a lamp is off: at least and at most."""

ANEW = 10
"""Frames after a picture that can't be understood until the next one is looked at."""

MOVED = 0.5
"""Probability that the mat and the camera are moved while the program is down."""

_GONE = Trouble("camera-lost", "The simulated camera is unplugged. Another one is put in by itself.")
_ANEW = Trouble("camera-lost", "A picture could not be understood: the camera looks anew.")

MakeCamera = Callable[[SimTable, Print, Lamp, Rig, int], SimulatedCamera]
"""Makes a camera over a table: with these prints, this lamp, put up like this, and a seed."""


class InterruptedStage(CameraStage):
    """A stage on which prints, light and camera are as people have them, and of which the match is interrupted."""

    def __init__(
        self,
        mat: Mat,
        make_camera: MakeCamera,
        make_eye: Callable[[], Eye],
        referee: Resumable,
        rng: random.Random,
        px_per_mm: float = 0.0,
    ) -> None:
        """Put the first camera up over an empty table; every camera sees so many pixels a millimetre at least."""
        self._chance = rng
        self._px_per_mm = px_per_mm
        self._make_camera, self._make_eye, self._referee = make_camera, make_eye, referee
        self._printed, self._lamp = draw_print(rng), draw_lamp(rng)
        self._light = self._lamp
        self._counts: Counter[str] = Counter()
        self._past_faults: Counter[str] = Counter()
        camera = self._another(mat, SimTable(rng.randrange(1 << 30)))
        super().__init__(camera, make_eye(), referee.on_view, referee.on_tick)
        self._due = rng.randint(*FIRST)
        self._kind = ""
        self._lit_at: int | None = None
        self._choose()

    def prepare(self, moves: list[Move]) -> None:
        """Lay the first set-up, sometimes before the eye is opened."""
        if self._chance.random() >= LAID:
            super().prepare(moves)
            return
        self._counts["laid"] += 1
        self._carrier.make_room([])
        for move in moves:
            self.apply(move)
            self._carrier.at_once(move)

    def pause(self) -> bool:
        """Restart the program if a restart is due; return whether it was."""
        if self._kind != "restart" or self.frames < self._due:
            return False
        self._counts["restart"] += 1
        if self._chance.random() < MOVED:
            self.camera.misbehave("push")
            self.camera.misbehave("bump")
        self._pass(self._chance.randint(*DOWN))
        self._open_an_eye()
        self._referee.restart()
        self._plan()
        return True

    def interruptions(self) -> Counter[str]:
        """Return what interrupted the match, counted by its name in INTERRUPTIONS."""
        return Counter(self._counts)

    def faults(self) -> Counter[str]:
        """Return the faults of all cameras, counted by name."""
        return self._past_faults + self.camera.occurred

    def _step(self) -> None:
        if self._lit_at is not None and self.frames >= self._lit_at:
            self._lit_at = None
            self._switch(self._lamp)
        if self.frames >= self._due and self._kind != "restart":
            self._counts[self._kind] += 1
            {"eye": self._look_anew, "camera": self._swap, "lamp": self._dim}[self._kind]()
            self._plan()
        super()._step()

    def _plan(self) -> None:
        self._due = self.frames + self._chance.randint(*BETWEEN)
        self._choose()

    def _choose(self) -> None:
        self._kind = self._chance.choice(INTERRUPTIONS[1:])

    def _open_an_eye(self) -> None:
        """Let a new eye look; where what it knew lay is kept, as the table keeps it."""
        lay = self.eye.view.placements if self.eye.view is not None else ()
        self.eye = self._make_eye()
        self.eye.recall(lay)

    def _look_anew(self) -> None:
        self._open_an_eye()
        self._say(_ANEW)
        self._pass(ANEW)
        self._say(None)

    def _swap(self) -> None:
        self._say(_GONE)
        self._pass(self._chance.randint(*UNPLUGGED))
        self._past_faults += self.camera.occurred
        self.camera = self._another(self.mat, self.table)
        self._say(None)

    def _dim(self) -> None:
        self._switch(switched_off(self._lamp))
        self._lit_at = self.frames + self._chance.randint(*DIM)

    def _switch(self, lamp: Lamp) -> None:
        self._light = self.camera.lamp = lamp

    def _another(self, mat: Mat, table: SimTable) -> SimulatedCamera:
        rig = draw_rig(mat, self._chance, self._px_per_mm)
        return self._make_camera(table, self._printed, self._light, rig, self._chance.randrange(1 << 30))

    def _pass(self, frames: int) -> None:
        for _ in range(frames):
            self._unseen()

    def _say(self, trouble: Trouble | None) -> None:
        self.watch(self.last.hidden(trouble))
