"""A simulated table at which people move pieces themselves, beside the robots' hands.

Who holds a piece has a hand over it. People know pieces by *tags*, new whenever robots lay one or it comes out of a
hand: so no tag tells which card lies face down.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable, Iterable

import msgspec

from companion.sim.table import EXACT, Errand, Hand, Held, Laid, Manner, SimTable, Spot, TableError, _grip, _short_of
from companion.text import t

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds (by the people's clock) after which a held piece that is not moved is laid down where it is."""
HEIGHT = 16.0
"""How high (mm) people carry a piece over the table."""
SHOWN = 3
"""Pieces of a pile that are shown, from the top: deeper ones are covered."""
QUIET = 2.0
"""Seconds (by the table's time) without a move after which people count as done."""

PERSON = "person"


class Thing(msgspec.Struct, frozen=True):
    """A piece as people at the table see it: its tag ("" in a robot's hand) and how it lies or is held."""

    tag: str
    laid: Laid
    held: bool = False


class SharedTable(SimTable):
    """A simulated table with people at it. A robot that reaches for what a person has taken gives up."""

    def __init__(self, seed: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        """Create it empty; `clock` is the people's, by which a forgotten piece is laid down."""
        super().__init__(seed)
        self._clock = clock
        self._tags: dict[int, str] = {}
        self._following: dict[str, str] = {}
        self._deadlines: dict[str, float] = {}
        self._origins: dict[str, tuple[float, float]] = {}
        self._lay_there: dict[str, Laid] = {}
        self._moved: set[str] = set()
        self._touched = -QUIET
        self._touched_at = clock()

    def things(self) -> list[Thing]:
        """Return what lies and what is held, from the bottom up."""
        with self._lock:
            lying = [Thing(self._tag(laid), laid) for laid in self._laid]
            held = [
                Thing(self._following.get(carried.laid.piece, ""), carried.laid, True)
                for carried in self._held.values()
            ]
            return lying + held

    def away(self, pieces: list[str]) -> list[str]:
        """Return those pieces that are neither on nor over the table: in somebody's hand, or in the box."""
        with self._lock:
            here = {laid.piece for laid in self._laid} | {laid.laid.piece for laid in self._held.values()}
            return [piece for piece in dict.fromkeys(pieces) if piece not in here]

    def piece_of(self, tag: str) -> str:
        """Return the piece that a tag stands for; raise TableError if it is not there any more."""
        with self._lock:
            for piece, known in self._following.items():
                if known == tag:
                    return piece
            for laid in self._laid:
                if self._tag(laid) == tag:
                    return laid.piece
        raise TableError(t("that piece is not there any more"))

    def tag_of(self, piece: str) -> str:
        """Return the tag of a piece that lies there or is held by a person; "" if it is away."""
        with self._lock:
            there = self.where(piece)
            return self._following.get(piece, "") if there is None else self._tag(there)

    def from_where(self, piece: str) -> Laid | None:
        """Return how a piece lies, or lay before a person took it up; None if it came out of a hand."""
        with self._lock:
            return self.where(piece) or self._lay_there.get(piece)

    def holds(self, piece: str) -> bool:
        """Return whether a person holds a piece over the table."""
        return piece in self._deadlines

    def brings(self, pieces: Iterable[str]) -> bool:
        """Return whether a person's hand holds one of these pieces, or is on its way with it."""
        with self._lock:
            return any(piece in self._deadlines or (PERSON, piece) in self._errands for piece in pieces)

    @property
    def at_hand(self) -> bool:
        """Whether people are busy: they hold something, or moved something a moment ago."""
        with self._lock:
            busy = bool(self._deadlines) or any(isinstance(who, tuple) for who in self._errands)
            return busy or self._time - self._touched < QUIET

    @property
    def quiet(self) -> float:
        """Seconds (by the people's clock) since people moved a piece, or `stir` was called."""
        with self._lock:
            return self._clock() - self._touched_at

    def stir(self) -> None:
        """Count from now on how long people have been quiet."""
        with self._lock:
            self._touched_at = self._clock()

    @property
    def moved(self) -> bool:
        """Whether people moved anything that was not entered in the robots' books yet."""
        return bool(self._moved)

    def take_moved(self) -> set[str]:
        """Return the pieces that people moved, or that robots could not reach, since the last call."""
        with self._lock:
            moved, self._moved = self._moved, set()
            return moved

    def _tag(self, laid: Laid) -> str:
        return self._tags.get(laid.stamp) or f"t{laid.stamp}"

    def hold(self, piece: str, spot: Spot, face: str, origin: tuple[float, float]) -> None:
        """Let a person hold a piece over a spot: one from the table, in the hand, or brought by a hand.

        Raises:
            TableError: if a robot has it in the hand.
        """
        with self._lock:
            who, tag = (PERSON, piece), self._call_back(piece)
            there = self.where(piece)
            if there is not None:
                self._lay_there[piece] = self.lift(piece)
            if not tag:
                self._stamp += 1
                tag = f"t{self._stamp}"
            self._following[piece] = tag
            self._held[who] = Held(Laid(piece, face, spot.x, spot.y, spot.rotation % 360), HEIGHT)
            self._hands[who] = Hand(*_grip(spot.x, spot.y, origin), *origin, HEIGHT + 10)
            self._deadlines[piece] = self._clock() + PATIENCE
            self._origins[piece] = origin

    def release(self, piece: str) -> None:
        """Let a person lay down what they hold; the hand goes away. Raises TableError if nobody holds it."""
        with self._lock:
            who = (PERSON, piece)
            if piece not in self._deadlines:
                raise TableError(t("nobody holds that piece any more"))
            laid = self._held.pop(who).laid
            self.put(piece, laid.face, laid.x, laid.y, laid.rotation)
            self._leave(piece)

    def fetch(self, piece: str, spot: Spot | None, face: str, origin: tuple[float, float]) -> None:
        """Send a person's hand to lay a piece on a spot, or away (None); raise TableError if a robot has it."""
        with self._lock:
            if piece in self._deadlines and spot is None:
                self._held.pop((PERSON, piece))
                self._leave(piece)
                return
            if piece in self._deadlines:
                self.release(piece)
            tag = self._call_back(piece)
            if spot is not None and tag:
                self._following[piece] = tag
            self.carry(piece, spot, origin, face=face, who=(PERSON, piece), manner=EXACT)

    def put(self, piece: str, face: str, x: float, y: float, rotation: float = 0.0, *, under: str = "") -> Laid:
        """Lay a piece as `SimTable.put` does; what a person moved keeps its tag."""
        with self._lock:
            laid = super().put(piece, face, x, y, rotation, under=under)
            tag = self._following.pop(piece, None)
            if tag is not None:
                self._tags[laid.stamp] = tag
            return laid

    def lift(self, piece: str) -> Laid:
        """Take a piece off the table as `SimTable.lift` does."""
        with self._lock:
            laid = super().lift(piece)
            self._tags.pop(laid.stamp, None)
            return laid

    def advance(self, seconds: float) -> None:
        """Let time pass; a hand that reaches for what a person took gives up, and what people forgot is laid down."""
        with self._lock:
            now = self._clock()
            for piece in [piece for piece, until in self._deadlines.items() if until < now]:
                self.release(piece)
            try:
                super().advance(seconds)
            except TableError as error:
                log.info("a hand gave up: %s", error)

    def _note(self, piece: str) -> None:
        self._moved.add(piece)
        self._touched, self._touched_at = self._time, self._clock()

    def _leave(self, piece: str) -> None:
        """Send away the hand that held a piece; the piece is laid, or goes with it."""
        self._deadlines.pop(piece)
        self._lay_there.pop(piece, None)
        self._following.pop(piece, None)
        self._note(piece)
        who, origin = (PERSON, piece), self._origins.pop(piece)
        self._send(who, lambda: self._withdrawing(who, origin))

    def _withdrawing(self, who: Hashable, origin: tuple[float, float]) -> Errand:
        hand = self._hands[who]
        yield from self._glide(who, _short_of((hand.x, hand.y), origin), 60.0, EXACT)

    def _call_back(self, piece: str) -> str:
        """Call a person's hand back from a piece; return the piece's tag, "" if it comes from a hand."""
        who, tag = (PERSON, piece), self.tag_of(piece)
        while who in self._errands:
            self._drop(who)
        if any(held.laid.piece == piece for name, held in self._held.items() if name != who):
            raise TableError(t("somebody else has that piece in the hand"))
        self._note(piece)
        return tag

    def _drop(self, who: Hashable) -> None:
        super()._drop(who)
        if isinstance(who, tuple):
            piece = who[1]
            if piece not in self._deadlines:
                self._following.pop(piece, None)
            self._note(piece)

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
        try:
            if piece in self._deadlines and who != (PERSON, piece):
                raise TableError(t("somebody has the piece {piece} in the hand", piece=piece))
            yield from super()._carrying(who, piece, to, origin, face, tone, manner)
        except TableError:
            self._moved.add(piece)
            raise
