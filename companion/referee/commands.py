"""What people tell the referee: commands from phones, buttons and the host, and the reply to each."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

import msgspec

from companion.referee.rolls import LONGEST_SALT
from companion.rules.kernel import AnyEdit, Facts, Seat, Verdict

MODES = ("strict", "assist", "ledger")
LONGEST = 600
"""Seconds: the longest clock, and the most that it is extended by at once."""
Steps = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
A = TypeVar("A")


class Command(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True, kw_only=True):
    """What somebody asks of the referee. `by` is phone, button, host, robot or clock.

    `after` is the last record that its sender had seen; None if unknown. Pages send commands as JSON, checked by the
    bounds here; the server says who they are `by`.
    """

    by: str = "phone"
    after: Annotated[int, msgspec.Meta(ge=0)] | None = None


class OfSeat(Command, frozen=True, kw_only=True):
    """A command of one seat, or about one."""

    seat: Seat


class Acting(OfSeat, Generic[A], frozen=True, kw_only=True):
    """A seat does something, by the rules; the table may still have to follow. As it comes in the action is JSON, which
    the game decodes.
    """

    action: A


class Play(Acting[A], frozen=True, kw_only=True):
    """The same, with what chance or the table added."""

    facts: Facts = ()


class Roll(Acting[A], frozen=True, kw_only=True):
    """It needs dice, and the companion rolls them; `salt` is thrown in by the phone (C6)."""

    salt: Annotated[str, msgspec.Meta(max_length=LONGEST_SALT)] = ""


class Throw(Acting[A], frozen=True, kw_only=True):
    """It needs dice, and real ones are rolled in the tray, where the camera reads them."""


class Stir(OfSeat, frozen=True, kw_only=True):
    """A seat throws something into the companion's next roll (C6)."""

    salt: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_SALT)]


class Answer(Command, frozen=True, kw_only=True):
    """An answer to the question with this id; `seat` 0 is the host."""

    question: str
    choice: str
    seat: Seat = 0


class Done(OfSeat, frozen=True):
    """A seat says that its turn is over (0: whoever's turn it is, from the button)."""


class Undo(Command, frozen=True, kw_only=True):
    """Take the last `steps` records back (ruling C4)."""

    steps: Steps = 1


class Redo(Command, frozen=True, kw_only=True):
    """Do again what was undone."""

    steps: Steps = 1


class Adopt(Command, frozen=True, kw_only=True):
    """The table is right: correct the state from what lies there."""


class GoOn(Command, frozen=True, kw_only=True):
    """Leave what is owed as it is and go on from here."""


class Correct(Command, frozen=True, kw_only=True):
    """The host corrects the state: "we agreed" (ruling C8)."""

    edits: tuple[AnyEdit, ...]


class Reopen(Command, frozen=True, kw_only=True):
    """The host opens a closed round again (from 1): what lay there is corrected, and it is counted anew (ruling C8)."""

    round: int
    edits: tuple[AnyEdit, ...]


class End(Command, frozen=True, kw_only=True):
    """The host ends the match: no winner (ruling C8)."""


class Mode(Command, frozen=True, kw_only=True):
    """Change to "strict", "assist" or "ledger"."""

    mode: str


class Freeze(Command, frozen=True, kw_only=True):
    """The host stops the match for a moment, or lets it go on: nobody plays, no clock runs, the table is not read."""

    frozen: bool = True


class Hint(Command, frozen=True, kw_only=True):
    """The host gives a hint to a seat, or to everybody (0); without words the last one is taken back."""

    seat: Annotated[Seat, msgspec.Meta(ge=0)] = 0
    words: Annotated[str, msgspec.Meta(max_length=300)] = ""


class Advise(OfSeat, frozen=True):
    """A seat asks what a robot would do: everybody is told that it did."""


class Name(OfSeat, frozen=True, kw_only=True):
    """Name a seat (with a number if the name is taken), and its colour; without a name nobody sits there any more."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    colour: Annotated[str, msgspec.Meta(max_length=20)] = ""


class Pause(Command, frozen=True, kw_only=True):
    """The host lets the clock stand still, or run on (ruling C5)."""

    paused: bool = True


class Extend(Command, frozen=True, kw_only=True):
    """The host gives the decision more seconds (ruling C5)."""

    seconds: int = 20


class Clock(Command, frozen=True, kw_only=True):
    """The host gives every decision so many seconds; 0 is no clock (ruling C5)."""

    seconds: int


class TurnGlass(Command, frozen=True, tag="turn-glass", kw_only=True):
    """Somebody turns the sand glass over."""


class Reply(msgspec.Struct, frozen=True):
    """What came of a command: `record` is the number it was journaled under; a refusal carries the verdict."""

    ok: bool
    record: int = 0
    verdict: Verdict | None = None
