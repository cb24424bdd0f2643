"""The clock that people play against: a turn timer, a chess clock, a sand glass. It decides nothing."""

from __future__ import annotations

import math

import msgspec

from companion.rules.kernel import FEWEST_SECONDS, MOST_SECONDS, TABLE, Seat, Timing, at
from companion.text import t


def wrong_timing(timing: Timing) -> str:
    """Return what is wrong with a clock that somebody chose; "" if nothing is."""
    if timing.kind not in ("", "turn", "chess", "glass"):
        return t("there is no clock called {kind!r}", kind=timing.kind[:20])
    if timing.kind and not FEWEST_SECONDS <= timing.seconds <= MOST_SECONDS:
        return t(
            "a clock has {fewest_seconds} to {most_seconds} seconds, not {seconds}",
            fewest_seconds=FEWEST_SECONDS,
            most_seconds=MOST_SECONDS,
            seconds=timing.seconds,
        )
    return ""


def minutes(seconds: float) -> str:
    """Return seconds as a clock shows them: "1:05"; a begun second counts."""
    whole = math.ceil(seconds)
    return f"{whole // 60}:{whole % 60:02}"


class PlayTimer(msgspec.Struct, frozen=True, kw_only=True):
    """The clock as everybody may see it: `left` seconds of `total` of `seat` (`TABLE`: a glass, or nobody's turn).

    While it runs `ends` is the monotonic second at which it will show zero. `each` are the seconds of every seat, where
    each has its own; that of `seat` as `left`.
    """

    kind: str
    seat: Seat
    total: float
    left: float
    ends: float | None = None
    paused: bool = False
    each: tuple[float, ...] = ()

    def remaining(self, now: float) -> float:
        """Return the seconds that are left at a moment, 0 at least."""
        return max(0.0, self.left if self.ends is None else self.ends - now)

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self.ends is None and self.left <= 0


class KeptPlay(msgspec.Struct, frozen=True):
    """What outlives a restart: whose time it was, and what everybody has left (a turn timer's and a glass's alone)."""

    seat: Seat
    left: tuple[float, ...]
    turned: bool = False
    paused: bool = False


class PlayClock:
    """Measures turns, players' whole times (while exactly one seat is due), or a sand glass; calls hand in the time."""

    def __init__(self, timing: Timing, seats: int) -> None:
        self._kind, self._total = timing.kind, float(timing.seconds)
        self._left = [self._total] * (seats if timing.kind == "chess" else 1)
        self._seat: Seat = TABLE
        self._ends: float | None = None
        self._turned = False
        self._told = False
        self._held = True
        self.paused = False

    @property
    def runs(self) -> bool:
        """Whether there is such a clock in this match."""
        return bool(self._kind)

    @property
    def due(self) -> float | None:
        """The moment at which the time is up; None while it stands still."""
        return self._ends

    @property
    def _index(self) -> int:
        return self._seat - 1 if self._kind == "chess" and self._seat != TABLE else 0

    def follow(self, due: tuple[Seat, ...], now: float, held: bool) -> None:
        """Run for the seat that is due, if one alone is; stand still while the match is `held`."""
        if not self._kind:
            return
        seat = due[0] if len(due) == 1 and self._kind != "glass" else TABLE
        if seat != self._seat:
            self._stand(now)
            self._seat = seat
            if self._kind == "turn":
                self._left[0] = self._total
            self._told = self._left[self._index] <= 0
        self._held = held
        self._run(now)

    def _run(self, now: float) -> None:
        begun = self._turned if self._kind == "glass" else self._seat != TABLE
        left = self._left[self._index]
        if begun and not self.paused and not self._held and (self._ends is not None or left > 0):
            self._ends = now + left if self._ends is None else self._ends
        else:
            self._stand(now)

    def _stand(self, now: float) -> None:
        if self._ends is not None:
            self._left[self._index], self._ends = max(0.0, self._ends - now), None

    def turn_over(self, now: float) -> bool:
        """Turn the sand glass over: it runs from its beginning; return whether there is one."""
        if self._kind != "glass":
            return False
        self._ends, self._left[0] = None, self._total
        self._turned, self._told = True, False
        self._run(now)
        return True

    def look(self, now: float) -> str:
        """Return what is to be told if the time has just run out, once; "" if it has not."""
        if self._ends is None or now < self._ends or self._told:
            return ""
        self._stand(now)
        self._told = True
        if self._kind == "glass":
            self._turned = False
            return t("The sand glass has run out.")
        if self._kind == "chess":
            return t("{seat} has no time left.", seat=at(self._seat))
        return t("The time of {seat} for this turn is up.", seat=at(self._seat))

    def pause(self, now: float, paused: bool) -> None:
        """Stand still, or run on."""
        self.paused = paused
        self._run(now)

    def extend(self, seconds: float, now: float) -> None:
        """Add time for whom it runs."""
        self._stand(now)
        self._left[self._index] += seconds
        self._told = False
        self._run(now)

    def give_back(self, seconds: float, now: float) -> bool:
        """Let seconds that nobody had not count, if it runs; return whether it does."""
        if self._ends is None:
            return False
        self._ends = min(self._ends + seconds, now + self._total)
        return True

    def keep(self, now: float) -> KeptPlay | None:
        """Return what a restart needs; None if there is no such clock."""
        if not self._kind:
            return None
        left = list(self._left)
        if self._ends is not None:
            left[self._index] = max(0.0, self._ends - now)
        return KeptPlay(self._seat, tuple(left), self._turned, self.paused)

    def take_up(self, kept: KeptPlay, now: float) -> None:
        """Go on with what was left before a restart."""
        if not self._kind or len(kept.left) != len(self._left):
            return
        seat, self._ends = self._seat, None
        if self._kind != "turn" or kept.seat == seat:
            self._left = [max(0.0, left) for left in kept.left]
        self._turned, self.paused = kept.turned, kept.paused
        self._told = self._left[self._index] <= 0
        self._run(now)

    def timer(self) -> PlayTimer | None:
        """Show the clock; None if there is none."""
        if not self._kind:
            return None
        left = self._left[self._index]
        return PlayTimer(
            kind=self._kind,
            seat=self._seat,
            total=max(self._total, left),
            left=left,
            ends=self._ends,
            paused=self.paused,
            each=tuple(self._left) if self._kind == "chess" else (),
        )
