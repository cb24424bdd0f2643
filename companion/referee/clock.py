"""The bidding clock (ruling C5): how long a decision may take, what is left of it, and when it has run out.

The rules name the decision (`Game.timed`) and what its running out stands for; the clock only measures, in the people's
monotonic seconds: the camera's may run faster in a simulation.
"""

from __future__ import annotations

import msgspec

from companion.referee.play_clock import KeptPlay
from companion.rules.cards import Piece
from companion.rules.kernel import Bidding, Seat, Timed, Use

SECONDS = 20
"""Seconds for a decision unless a match says otherwise (C5); 0 is no clock."""
GRACE = 1.0
"""Seconds after zero in which a bid still counts: it was on its way, over Wi-Fi, when the time ran out."""
LAST = 5.0
"""Seconds before zero in which phones, display and buzzer become urgent."""
LOOKS = 1.0
"""Seconds: so often, at least, whoever owns a running clock looks at it."""
STALLED = 2.0
"""Seconds that a wait between two looks may cost; more passes only while the computer stands still."""


class Timer(msgspec.Struct, frozen=True, kw_only=True):
    """A decision's clock as everybody may see it: `left` of `total` seconds (0: no clock) while it stands still.

    While it runs `ends` is the monotonic second at which it will show zero, so that a running clock is one value.
    """

    seats: tuple[Seat, ...]
    total: float
    left: float
    ends: float | None = None
    paused: bool = False
    price: int = 0
    leader: Seat = 0
    words: str = ""
    lapse: int = 0
    """The bid that counts at zero; 0: a pass."""
    lot: Piece = ""
    bids: tuple[Bidding, ...] = ()
    least: int = 0
    uses: tuple[Use, ...] = ()
    """What is bid for and how everybody stands, as the rules' `Timed` has it."""

    def remaining(self, now: float) -> float:
        """Return the seconds that are left at a moment, 0 at least."""
        return max(0.0, self.left if self.ends is None else self.ends - now)


class Kept(msgspec.Struct, frozen=True):
    """What outlives a restart: so many seconds were left for the decision after record `n`."""

    n: int
    left: float
    paused: bool = False
    play: KeptPlay | None = None
    """What the clock that is played against had left (`companion.referee.play_clock`)."""


class BidClock:
    """Measures one decision after the other. It never looks at a clock itself: every call says what time it is."""

    def __init__(self, seconds: int = SECONDS) -> None:
        self.seconds = seconds
        self.paused = False
        self._timed: Timed | None = None
        self._left = 0.0
        self._total = 0.0
        self._ends: float | None = None

    @property
    def timed(self) -> Timed | None:
        """The decision that is measured; None if there is none, or no clock."""
        return self._timed if self._total > 0 else None

    @property
    def due(self) -> float | None:
        """The moment at which the decision is taken by the clock: zero and the grace. None while it stands still."""
        return None if self._ends is None else self._ends + GRACE

    def follow(self, timed: Timed | None, now: float, held: bool = False) -> None:
        """Start anew for another decision; stand still while the host has paused it or it is `held` for the table."""
        if timed != self._timed:
            self._timed = timed
            self._left = self._total = float(self.seconds) if timed is not None else 0.0
            self._ends = None
            self.paused = False
        self._run(now, self._total > 0 and not self.paused and not held)

    def _run(self, now: float, runs: bool) -> None:
        if runs and self._ends is None:
            self._ends = now + self._left
        elif not runs and self._ends is not None:
            self._left, self._ends = max(0.0, self._ends - now), None

    def change(self, seconds: int, now: float) -> None:
        """Allow every decision so many seconds from now on, the present one too; 0 ends the clock."""
        timed, self._timed, self.seconds = self._timed, None, seconds
        self.follow(timed, now)

    def pause(self, now: float, paused: bool) -> None:
        """Stand still, or run on."""
        self.paused = paused
        self._run(now, not paused)

    def extend(self, seconds: float, now: float) -> None:
        """Add time to the decision; the bar shows it against what there is then."""
        self._left = self.left(now) + seconds
        self._total = max(self._total, self._left)
        if self._ends is not None:
            self._ends = now + self._left

    def give_back(self, seconds: float, now: float) -> bool:
        """Let seconds that nobody had not count, if the clock runs; return whether it does."""
        if self._ends is None:
            return False
        self._ends = min(self._ends + seconds, now + self._total)
        return True

    def left(self, now: float) -> float:
        """Return the seconds that are left, 0 at least."""
        return max(0.0, self._left if self._ends is None else self._ends - now)

    def lapsed(self, now: float) -> bool:
        """Return whether the time and the grace are over."""
        return self.due is not None and now >= self.due

    def keep(self, n: int, now: float) -> Kept | None:
        """Return what a restart needs, after record `n`; None if nothing is measured."""
        return None if self.timed is None else Kept(n, self.left(now), self.paused)

    def take_up(self, kept: Kept, now: float) -> None:
        """Go on with what was left before a restart, if anything is measured."""
        if self.timed is None:
            return
        runs, self._ends = self._ends is not None, None
        self._left, self.paused = kept.left, kept.paused
        self._total = max(self._total, kept.left)
        self._run(now, runs and not kept.paused)

    def timer(self) -> Timer | None:
        """Show the decision and its clock; None if there is none."""
        timed = self._timed
        if timed is None:
            return None
        return Timer(
            seats=timed.seats,
            total=self._total,
            left=self._left,
            ends=self._ends,
            paused=self.paused,
            price=timed.price,
            leader=timed.leader,
            words=timed.words,
            lapse=max(getattr(action, "amount", 0) for action in timed.lapses),
            lot=timed.lot,
            bids=timed.bids,
            least=timed.least,
            uses=timed.uses,
        )
