"""The simulated table: which pieces lie where on the mat, and the hands that move them.

Millimetres as in `companion.eye.mat`, degrees clockwise; virtual time passes only in `advance`. Any thread may call
anything; the camera takes a consistent copy with `look`.
"""

from __future__ import annotations

import math
import random
import threading
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping

import msgspec

from companion.eye.mat import Mat, ZonePlace
from companion.sim.ten_sided import AnyDie

REACH = 330.0
"""How far (mm) beyond the mat's edge an arm begins: an elbow that the camera does not see."""


class Spot(msgspec.Struct, frozen=True):
    """A place for a piece: its centre (mm) and its rotation (degrees clockwise); `under` which piece it is slid."""

    x: float
    y: float
    rotation: float = 0.0
    under: str = ""


class Laid(msgspec.Struct, frozen=True):
    """A piece as it lies (or hangs in a hand): face "F" or "B"; `stamp` grows with every piece that is laid."""

    piece: str
    face: str
    x: float
    y: float
    rotation: float = 0.0
    stamp: int = 0


class Hand(msgspec.Struct, frozen=True):
    """A hand: fingertips at (x, y), elbow at (from_x, from_y), `z` mm above the mat; `tone` picks skin and sleeve."""

    x: float
    y: float
    from_x: float
    from_y: float
    z: float = 30.0
    tone: int = 0


class Held(msgspec.Struct, frozen=True):
    """A piece in a hand over the table, `z` mm above the mat."""

    laid: Laid
    z: float


class Sight(msgspec.Struct, frozen=True):
    """What is on and over the table: `laid` from the bottom up, `dice`, hands; `version` counts changes of `laid`."""

    time: float
    version: int
    laid: tuple[Laid, ...]
    held: tuple[Held, ...]
    hands: tuple[Hand, ...]
    dice: tuple[AnyDie, ...] = ()


class TableError(LookupError):
    """A piece is not where a call needs it. The message says which."""


class Manner(msgspec.Struct, frozen=True):
    """How people move pieces: mm a second, seconds of a grip, uniform errors, and the height of a `lift` (mm)."""

    speed: float = 1100.0
    grip: float = 0.15
    off_mm: float = 2.5
    off_degrees: float = 3.0
    lift: float = 35.0


BRISK = Manner(speed=2500.0, grip=0.0)
"""Lays out many pieces one after another."""
EXACT = Manner(off_mm=0.0, off_degrees=0.0)
"""Lays everything on the mark."""

Errand = Generator[None, float, None]
"""A hand's errand over the table: a generator that is sent the seconds that pass, and ends when the hand has left."""


def elbow(mat: Mat, seat: int) -> tuple[float, float]:
    """Return the point (mm, beyond the mat's edge) from which a seat reaches over the table.

    It is behind the seat's zones, below their cards; seat 0, the dealer of upkeep, is at the middle of the near side.
    """
    own = [zone for zone in mat.zones if zone.name.endswith(f".{seat}")]
    if not own:
        return mat.w / 2, mat.h + REACH
    turn = math.radians(own[0].rotation)
    dx, dy = -math.sin(turn), math.cos(turn)
    x = sum(zone.rect.centre[0] for zone in own) / len(own)
    y = sum(zone.rect.centre[1] for zone in own) / len(own)
    if abs(dy) >= abs(dx):
        return x, mat.h + REACH if dy > 0 else -REACH
    return (mat.w + REACH if dx > 0 else -REACH), y


def spot_in(zone: ZonePlace, index: int, w: float = 63.0, h: float = 88.0) -> Spot:
    """Return the spot for the index-th piece of a zone as the mat means it."""
    x, y = zone.spot(index, w, h)
    return Spot(x, y, zone.rotation)


class SimTable:
    """The table. A piece is named by any text, once; what it looks like is the camera's business."""

    def __init__(self, seed: int = 0) -> None:
        """Create it empty, at time 0; `seed` decides how accurately pieces are laid."""
        self._lock = threading.RLock()
        self._rng = random.Random(f"table {seed}")
        self._laid: list[Laid] = []
        self._dice: tuple[AnyDie, ...] = ()
        self._held: dict[Hashable, Held] = {}
        self._hands: dict[Hashable, Hand] = {}
        self._errands: dict[Hashable, deque[Callable[[], Errand]]] = {}
        self._running: dict[Hashable, Errand] = {}
        self._stamp = 0
        self._version = 0
        self._time = 0.0
        self._idle = threading.Event()
        self._idle.set()

    @property
    def time(self) -> float:
        """Virtual seconds since the beginning."""
        with self._lock:
            return self._time

    @property
    def busy(self) -> bool:
        """Whether a hand that was sent is still on its way."""
        return not self._idle.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until no hand is on its way; another thread advances the time. Return False after `timeout` s."""
        return self._idle.wait(timeout)

    def look(self) -> Sight:
        """Return a consistent copy of everything on and over the table."""
        with self._lock:
            held, hands = tuple(self._held.values()), tuple(self._hands.values())
            return Sight(self._time, self._version, tuple(self._laid), held, hands, self._dice)

    def pieces(self) -> tuple[Laid, ...]:
        """Return what lies on the table, from the bottom up."""
        with self._lock:
            return tuple(self._laid)

    def where(self, piece: str) -> Laid | None:
        """Return how a piece lies on the table; None if it is in a hand or away."""
        with self._lock:
            return next((laid for laid in self._laid if laid.piece == piece), None)

    def put(self, piece: str, face: str, x: float, y: float, rotation: float = 0.0, *, under: str = "") -> Laid:
        """Lay a piece just beneath another, else on top of everything; raise TableError if it is there already."""
        with self._lock:
            if self.where(piece) is not None or any(held.laid.piece == piece for held in self._held.values()):
                raise TableError(f"the piece {piece} is on the table already; lift it first, or use another name")
            self._stamp += 1
            self._version += 1
            laid = Laid(piece, face, x, y, rotation % 360, self._stamp)
            lower = next((n for n, other in enumerate(self._laid) if other.piece == under), len(self._laid))
            self._laid.insert(lower, laid)
            return laid

    def lift(self, piece: str) -> Laid:
        """Take a piece off the table; return how it lay. Raises TableError if it does not lie there."""
        with self._lock:
            laid = self.where(piece)
            if laid is None:
                raise TableError(f"the piece {piece} does not lie on the table")
            self._laid.remove(laid)
            self._version += 1
            return laid

    def move(self, piece: str, x: float, y: float, rotation: float | None = None, face: str | None = None) -> Laid:
        """Take a piece and lay it elsewhere, on top; raise TableError if it does not lie there."""
        with self._lock:
            was = self.lift(piece)
            return self.put(
                piece, was.face if face is None else face, x, y, was.rotation if rotation is None else rotation
            )

    def nudge(self, piece: str, dx: float, dy: float, turn: float = 0.0) -> Laid:
        """Shift a piece (mm, degrees) beneath what lies on it; raise TableError if it does not lie there."""
        with self._lock:
            was = self.where(piece)
            if was is None:
                raise TableError(f"the piece {piece} does not lie on the table")
            now = Laid(piece, was.face, was.x + dx, was.y + dy, (was.rotation + turn) % 360, was.stamp)
            self._laid[self._laid.index(was)] = now
            self._version += 1
            return now

    def rename(self, names: Mapping[str, str]) -> None:
        """Let pieces that look the same change their names; no hand may be at work."""
        with self._lock:
            self._laid = [msgspec.structs.replace(laid, piece=names.get(laid.piece, laid.piece)) for laid in self._laid]
            self._version += 1

    def throw(self, dice: Iterable[AnyDie]) -> None:
        """Place dice on the mat at once, instead of those that lay there; without any, the mat is cleared of dice."""
        with self._lock:
            self._dice = tuple(dice)
            self._version += 1

    def clear(self) -> None:
        """Take everything away, hands too."""
        with self._lock:
            self._laid.clear()
            self._dice = ()
            self._held.clear()
            self._hands.clear()
            self._errands.clear()
            self._running.clear()
            self._version += 1
            self._idle.set()

    def rest_hand(self, name: Hashable, hand: Hand | None) -> None:
        """Put a hand over the table that stays until it is taken away with None."""
        with self._lock:
            if hand is None:
                self._hands.pop(name, None)
            else:
                self._hands[name] = hand

    def carry(
        self,
        piece: str,
        to: Spot | None,
        origin: tuple[float, float],
        *,
        face: str | None = None,
        who: Hashable = 0,
        manner: Manner = Manner(),  # noqa: B008 (a frozen value)
    ) -> None:
        """Send a hand for a piece; time has to pass until it is done (`busy`, `wait`).

        A piece that lies there is fetched, another brought from `origin` (see `elbow`); it ends near `to`, with this
        face (default: as it was, or "F"), or goes away (None). Errands of one hand (`who`) come one after another, of
        several at once. A piece that is neither there nor to be laid makes `advance` raise TableError.
        """
        tone = hash(who) % 4 if isinstance(who, int) else 0
        self._send(who, lambda: self._carrying(who, piece, to, origin, face, tone, manner))

    def reach(
        self,
        x: float,
        y: float,
        origin: tuple[float, float],
        *,
        seconds: float = 0.4,
        who: Hashable = 0,
        manner: Manner = Manner(),  # noqa: B008 (a frozen value)
    ) -> None:
        """Send a hand to a point; it rests there and comes back, moving nothing."""
        tone = hash(who) % 4 if isinstance(who, int) else 0
        self._send(who, lambda: self._reaching(who, x, y, origin, seconds, tone, manner))

    def advance(self, seconds: float) -> None:
        """Let time pass; raise TableError if a hand reaches for a piece that is gone, which ends the errand."""
        with self._lock:
            self._time += seconds
            for who in list(self._errands):
                try:
                    self._continue_errand(who, seconds)
                except TableError:
                    self._drop(who)
                    raise

    def _send(self, who: Hashable, errand: Callable[[], Errand]) -> None:
        with self._lock:
            self._errands.setdefault(who, deque()).append(errand)
            self._idle.clear()

    def _continue_errand(self, who: Hashable, seconds: float) -> None:
        running = self._running.get(who)
        try:
            if running is None:
                self._running[who] = running = self._errands[who][0]()
                next(running)
            running.send(seconds)
        except StopIteration:
            self._drop(who)

    def _drop(self, who: Hashable) -> None:
        """Drop a hand's errand, done or given up; the next one begins with the next step, from where the hand is."""
        self._running.pop(who, None)
        self._held.pop(who, None)
        self._errands[who].popleft()
        if not self._errands[who]:
            del self._errands[who]
            self._hands.pop(who, None)
        if not self._errands:
            self._idle.set()

    def _carrying(
        self,
        who: Hashable,
        piece: str,
        to: Spot | None,
        origin: tuple[float, float],
        face: str | None,
        tone: int,
        manner: Manner,
    ) -> Errand:
        there = self.where(piece)
        elbow_x, elbow_y = origin
        if there is not None:
            grip = _grip(there.x, there.y, origin)
            self._hands.setdefault(who, Hand(*_short_of(grip, origin), elbow_x, elbow_y, 60.0, tone))
            yield from self._glide(who, grip, 12.0, manner)
            yield from _pause(manner.grip)
            there = self.lift(piece)  # it may have been nudged meanwhile
            self._held[who] = Held(there, 2.0)
        elif to is None:
            raise TableError(f"the piece {piece} does not lie on the table, so it can't be taken away")
        else:
            if who in self._hands:
                yield from self._withdraw(who, origin, manner)
            start = _short_of(_grip(to.x, to.y, origin), origin)
            dx, dy = _along(origin, (to.x, to.y))
            there = Laid(piece, face or "F", start[0] + dx * _GRIP, start[1] + dy * _GRIP, to.rotation)
            self._hands[who] = Hand(*start, elbow_x, elbow_y, manner.lift + 10, tone)
            self._held[who] = Held(there, manner.lift)
        if to is None:
            yield from self._glide(who, _short_of((there.x, there.y), origin), manner.lift + 10, manner)
            return
        aim = Spot(
            to.x + self._rng.uniform(-1, 1) * manner.off_mm,
            to.y + self._rng.uniform(-1, 1) * manner.off_mm,
            to.rotation + self._rng.uniform(-1, 1) * manner.off_degrees,
        )
        shown = there.face if face is None else face
        yield from self._glide(who, _grip(aim.x, aim.y, origin), 12.0, manner, aim, shown)
        yield from _pause(manner.grip)
        self._held.pop(who)
        self.put(piece, shown, aim.x, aim.y, aim.rotation, under=to.under)
        if len(self._errands[who]) == 1:
            yield from self._withdraw(who, origin, manner)

    def _withdraw(self, who: Hashable, origin: tuple[float, float], manner: Manner) -> Errand:
        hand = self._hands[who]
        yield from self._glide(who, _short_of((hand.x, hand.y), origin), 60.0, manner)

    def _reaching(
        self, who: Hashable, x: float, y: float, origin: tuple[float, float], seconds: float, tone: int, manner: Manner
    ) -> Errand:
        away = _short_of((x, y), origin)
        self._hands.setdefault(who, Hand(*away, *origin, 60.0, tone))
        yield from self._glide(who, (x, y), 12.0, manner)
        yield from _pause(seconds)
        yield from self._glide(who, away, 60.0, manner)

    def _glide(
        self,
        who: Hashable,
        target: tuple[float, float],
        z: float,
        manner: Manner,
        aim: Spot | None = None,
        face: str | None = None,
    ) -> Errand:
        """Move a hand and its piece to a point, slowly at both ends, raised in between if it holds something.

        `aim` is where the piece will lie: it turns on the way and, where it has to, over at half way.
        """
        begin, held = self._hands[who], self._held.get(who)
        long = math.hypot(target[0] - begin.x, target[1] - begin.y)
        seconds, gone = max(0.12, long / manner.speed), 0.0
        while gone < seconds:
            gone += yield
            share = min(1.0, gone / seconds)
            eased = share * share * (3 - 2 * share)
            x, y = begin.x + (target[0] - begin.x) * eased, begin.y + (target[1] - begin.y) * eased
            height = begin.z + (z - begin.z) * eased
            if held is not None:
                raised = manner.lift * 4 * share * (1 - share)
                height = max(height, raised + 10)
                end = aim or Spot(held.laid.x + x - begin.x, held.laid.y + y - begin.y, held.laid.rotation)
                turn = (end.rotation - held.laid.rotation + 180) % 360 - 180
                part = eased if aim else 1.0
                now = Laid(
                    held.laid.piece,
                    face if face is not None and share >= 0.5 else held.laid.face,
                    held.laid.x + (end.x - held.laid.x) * part,
                    held.laid.y + (end.y - held.laid.y) * part,
                    held.laid.rotation + turn * part,
                )
                self._held[who] = Held(now, max(2.0, height - 10))
            self._hands[who] = Hand(x, y, begin.from_x, begin.from_y, height, begin.tone)


_GRIP = 24.0
"""Distance (mm) of the fingertips from the centre of the card that they hold, towards the arm."""


def _pause(seconds: float) -> Errand:
    gone = 0.0
    while gone < seconds:
        gone += yield


def _along(origin: tuple[float, float], to: tuple[float, float]) -> tuple[float, float]:
    dx, dy = to[0] - origin[0], to[1] - origin[1]
    long = math.hypot(dx, dy) or 1.0
    return dx / long, dy / long


def _grip(x: float, y: float, origin: tuple[float, float]) -> tuple[float, float]:
    dx, dy = _along(origin, (x, y))
    return x - dx * _GRIP, y - dy * _GRIP


def _short_of(point: tuple[float, float], origin: tuple[float, float]) -> tuple[float, float]:
    """Return where the hand is before it comes into the picture: on the way, near the elbow."""
    dx, dy = _along(origin, point)
    return origin[0] + dx * 180, origin[1] + dy * 180
