"""Faults of the simulated camera: at random, or on request.

Everything is drawn from one seeded generator, so the same seed and the same calls give the same faults.
"""

from __future__ import annotations

import math
import random
from collections import Counter

import msgspec

from companion.eye.mat import Mat
from companion.sim.lens import Pose
from companion.sim.painter import Light
from companion.sim.table import REACH, Hand, Laid, Sight


class Faults(msgspec.Struct, frozen=True):
    """The chance (0 to 1) that a fault begins in a frame; at 0 it never happens by itself.

    glare: a lamp is mirrored in a card. blur: the picture is shaken or out of focus. drop: frames are missing.
    hand: an arm rests over the table. bump: the camera is knocked and hangs otherwise from then on. light: a lamp is
    switched, or a cloud passes. unreadable: one card mirrors the sky. lost: the camera gives no picture for a while.
    push: the mat is pushed along the table with everything on it. lamp: a hanging lamp swings, or is dimmed and back.
    defocus: the autofocus hunts. shadow: somebody's shadow wanders over the table.
    """

    glare: float = 0.0
    blur: float = 0.0
    drop: float = 0.0
    hand: float = 0.0
    bump: float = 0.0
    light: float = 0.0
    unreadable: float = 0.0
    lost: float = 0.0
    push: float = 0.0
    lamp: float = 0.0
    defocus: float = 0.0
    shadow: float = 0.0


NONE = Faults()
"""A camera that works."""

RESTLESS = Faults(
    glare=0.012,
    blur=0.012,
    drop=0.015,
    hand=0.006,
    bump=0.001,
    light=0.003,
    unreadable=0.008,
    lost=0.0005,
    push=0.0007,
    lamp=0.002,
    defocus=0.002,
    shadow=0.002,
)
"""An evening in a kitchen with children."""

NAMES: tuple[str, ...] = Faults.__struct_fields__
"""The faults by name."""

LASTS: dict[str, tuple[int, int]] = {
    "glare": (5, 25),
    "blur": (1, 4),
    "drop": (1, 5),
    "hand": (8, 30),
    "bump": (1, 1),
    "light": (15, 45),
    "unreadable": (3, 12),
    "lost": (8, 25),
    "push": (3, 8),
    "lamp": (20, 50),
    "defocus": (8, 12),
    "shadow": (20, 50),
}
"""Default duration of each fault in frames: at least and at most."""


class Glare(msgspec.Struct, frozen=True):
    """A bright spot: centre and radius in mm, strength in gray levels."""

    x: float
    y: float
    radius: float
    strength: float


class Shade(msgspec.Struct, frozen=True):
    """A wide soft shadow: centre and radius in mm, and what share of the light it takes."""

    x: float
    y: float
    radius: float
    strength: float


class Effects(msgspec.Struct):
    """Effects of the faults on one frame: `skip` frame times lost before it, motion blur, defocus.

    `shake` is a length and `defocus` a sigma in pixels of a 2304-pixel wide picture, `shake_angle` in degrees.
    """

    glares: list[Glare] = msgspec.field(default_factory=list)
    shadows: list[Shade] = msgspec.field(default_factory=list)
    arms: list[Hand] = msgspec.field(default_factory=list)
    pale: list[str] = msgspec.field(default_factory=list)
    shake: float = 0.0
    shake_angle: float = 0.0
    defocus: float = 0.0
    skip: int = 0
    lost: bool = False
    light: Light = Light()
    pose: Pose = Pose()


class _Trick(msgspec.Struct):
    """An active fault: frames done and to be done, its place, and what its kind needs to know."""

    name: str
    frames: int
    x: float
    y: float
    piece: str = ""
    done: int = 0
    a: float = 0.0
    b: float = 0.0
    turn: float = 0.0


class FaultInjector:
    """Decides for each frame what goes wrong. `counts` is how often each fault has begun."""

    def __init__(self, mat: Mat, faults: Faults, light: Light, pose: Pose, seed: int) -> None:
        """Create it with the chances `faults`, in normal light, for a camera that hangs as in `pose`."""
        self.faults = faults
        self.counts: Counter[str] = Counter()
        self._mat, self._home, self._pose, self._light = mat, pose, pose, light
        self._rng = random.Random(f"faults {seed}")
        self._tricks: list[_Trick] = []
        self._waiting: list[tuple[str, tuple[float, float] | None, str | None, int | None]] = []

    def ask(
        self,
        name: str,
        *,
        zone: str | None = None,
        at: tuple[float, float] | None = None,
        piece: str | None = None,
        frames: int | None = None,
    ) -> None:
        """Start a fault with the next frame: over a zone, a point (mm) or a piece; chance decides the rest.

        Raises:
            ValueError: if there is no such fault, or no such zone.
        """
        if name not in NAMES:
            raise ValueError(f"the camera knows no fault called {name}; there are: {', '.join(NAMES)}")
        if zone is not None:
            try:
                at = self._mat.zone(zone).rect.centre
            except KeyError as error:
                raise ValueError(str(error.args[0])) from None
        self._waiting.append((name, at, piece, frames))

    def step(self, sight: Sight) -> Effects:
        """Advance by one frame and return its effects."""
        for name in NAMES:
            chance = float(getattr(self.faults, name))
            # One of a kind at a time: two bumps in a row are one bump.
            if chance and self._rng.random() < chance and all(trick.name != name for trick in self._tricks):
                self._tricks.append(self._begin(name, None, None, None, sight))
                self.counts[name] += 1
        for name, at, piece, frames in self._waiting:
            self._tricks.append(self._begin(name, at, piece, frames, sight))
            self.counts[name] += 1
        self._waiting = []
        effects = Effects(light=self._light)
        for trick in self._tricks:
            self._apply(trick, effects, sight)
            trick.done += 1
        self._tricks = [trick for trick in self._tricks if trick.done < trick.frames]
        effects.pose = self._pose
        return effects

    def _begin(
        self, name: str, at: tuple[float, float] | None, piece: str | None, frames: int | None, sight: Sight
    ) -> _Trick:
        rng = self._rng
        lying = next((laid for laid in sight.laid if laid.piece == piece), None)
        if sight.laid and piece is None and at is None and name in ("glare", "unreadable"):
            lying = rng.choice(sight.laid)
            piece = lying.piece
        if at is None and lying is not None:
            at = lying.x + rng.uniform(-15, 15), lying.y + rng.uniform(-15, 15)
        if at is None:
            at = rng.uniform(0.1, 0.9) * self._mat.w, rng.uniform(0.15, 0.85) * self._mat.h
        return _Trick(
            name,
            rng.randint(*LASTS[name]) if frames is None else frames,
            at[0],
            at[1],
            piece or "",
            a=rng.uniform(-1, 1),
            b=rng.uniform(-1, 1),
        )

    def _apply(self, trick: _Trick, effects: Effects, sight: Sight) -> None:
        share = (trick.done + 1) / trick.frames
        if trick.name == "glare":
            if trick.piece and (lying := next((laid for laid in sight.laid if laid.piece == trick.piece), None)):
                trick.x += 0.2 * (lying.x - trick.x)
                trick.y += 0.2 * (lying.y - trick.y)
            effects.glares.append(
                Glare(trick.x + 12 * trick.a * share, trick.y + 12 * trick.b * share, 22 + 10 * trick.b, 300)
            )
        elif trick.name == "blur":
            if trick.a < 0:
                effects.defocus = max(effects.defocus, 2.2 + 1.2 * abs(trick.b))
            else:
                effects.shake = max(effects.shake, 9 + 10 * trick.a)
                effects.shake_angle = 180 * trick.b
        elif trick.name == "drop":
            # The whole gap comes before this frame.
            effects.skip += trick.frames
            trick.done = trick.frames
        elif trick.name == "hand":
            effects.arms.append(self._arm(trick, min(1.0, 3 * share, 3 * (1 - share) + 0.1)))
        elif trick.name == "bump":
            self._knock()
        elif trick.name == "push":
            self._push(trick, share)
        elif trick.name == "lamp":
            effects.light = self._swung(trick, share, effects.light)
        elif trick.name == "defocus":
            # There, past it, and back: each time a smaller step.
            effects.defocus = max(effects.defocus, 5.0 * (1 - share) * abs(math.sin(3 * math.pi * share)))
        elif trick.name == "shadow":
            effects.shadows.append(self._wandering(trick, share))
        elif trick.name == "light":
            effects.light = self._changed(trick, share)
        elif trick.name == "unreadable":
            piece = trick.piece or self._nearest(trick, sight)
            if piece:
                effects.pale.append(piece)
        elif trick.name == "lost":
            effects.lost = True

    def _arm(self, trick: _Trick, out: float) -> Hand:
        """Return an arm over a point, from the nearer long side: `out` goes from 0, outside, to 1."""
        near = self._mat.h + REACH if trick.y > self._mat.h / 2 else -REACH
        from_x = trick.x + 160 * trick.a
        away = (1 - out) * (220 + abs(trick.y - (self._mat.h if near > 0 else 0)))
        return Hand(
            trick.x, trick.y + (away if near > 0 else -away), from_x, near, 25.0, int(4 * (trick.b + 1) / 2) % 4
        )

    def _knock(self) -> None:
        """Return a slightly different pose of the camera, near where it was mounted: it never wanders off."""
        rng, home = self._rng, self._home
        self._pose = msgspec.structs.replace(
            self._pose,
            foot_x=home.foot_x + rng.uniform(-8, 8),
            foot_y=home.foot_y + rng.uniform(-8, 8),
            aim_x=home.aim_x + rng.uniform(-4, 4),
            aim_y=home.aim_y + rng.uniform(-2, 2),
            roll=home.roll + rng.uniform(-0.3, 0.3),
        )

    def _push(self, trick: _Trick, share: float) -> None:
        """Move the mat along the table, in a few frames, as far as the picture has room: 1.3 cm if it is 5 %."""
        if trick.done == 0:
            far = 0.3 * (self._home.room - 1)
            trick.x = self._home.push_x + far * self._mat.w * trick.a
            trick.y = self._home.push_y + far * self._mat.h * trick.b
            trick.turn = self._home.push_turn + self._rng.uniform(-12, 12) * far
        left = 1 / max(1, trick.frames - trick.done)
        self._pose = msgspec.structs.replace(
            self._pose,
            push_x=self._pose.push_x + (trick.x - self._pose.push_x) * left,
            push_y=self._pose.push_y + (trick.y - self._pose.push_y) * left,
            push_turn=self._pose.push_turn + (trick.turn - self._pose.push_turn) * left,
        )

    def _swung(self, trick: _Trick, share: float, light: Light) -> Light:
        """Return the light of the next frame: swinging to and fro, or down to a half and up again."""
        if trick.a < 0:
            swing = 0.16 * math.sin(6 * math.pi * share) * (1 - share)
            return Light(light.gain, light.right + swing, light.down + swing * trick.b)
        depth = 0.5 * min(1.0, 2.5 * share, 2.5 * (1 - share))
        return Light(light.gain * (1 - depth), light.right, light.down)

    def _wandering(self, trick: _Trick, share: float) -> Shade:
        way = 0.7 * self._mat.w * (share - 0.5)
        fade = min(1.0, 5 * share, 5 * (1 - share))
        x, y = trick.x + way * math.copysign(1, trick.a), trick.y + 0.3 * way * trick.b
        return Shade(x, y, 150 + 60 * abs(trick.b), (0.25 + 0.2 * abs(trick.a)) * fade)

    def _changed(self, trick: _Trick, share: float) -> Light:
        light = self._light
        if trick.a < 0:
            # A cloud: slowly darker, slowly back. Steps of 2 % are what a camera's own exposure leaves over.
            depth = 0.32 * min(1.0, 4 * share, 4 * (1 - share))
            return Light(light.gain * (1 - round(depth, 2)), light.right, light.down)
        gain = 0.62 if trick.b < 0 else 1.22
        return Light(light.gain * gain, -light.right, light.down + 0.15 * trick.b)

    def _nearest(self, trick: _Trick, sight: Sight) -> str:
        def away(laid: Laid) -> float:
            return (laid.x - trick.x) ** 2 + (laid.y - trick.y) ** 2

        return min(sight.laid, key=away).piece if sight.laid else ""
