"""Commands of pages, as they come in: JSON with a `do`, checked field by field.

Those of the match are `companion.referee.commands` and come as they are, an action as JSON; here are the others: of
seats and phones, robots, and the simulated table.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.referee import commands as say
from companion.referee.commands import Command, OfSeat
from companion.rules.kernel import Seat
from companion.untyped import JsonObject

HowWell = Literal["easy", "normal", "strong"]
Tag = Annotated[str, msgspec.Meta(min_length=1, max_length=12)]
Face = Literal["F", "B"]
Along = Annotated[float, msgspec.Meta(ge=0, le=5000)]


class AskUndo(OfSeat, frozen=True, tag="ask-undo"):
    """A seat asks the host to take back the last step that its page showed."""


class RefuseUndo(Command, frozen=True, tag="refuse-undo", kw_only=True):
    """The host does not take back what a seat asked for (0: whoever asked)."""

    seat: Seat = 0


class Free(OfSeat, frozen=True):
    """The host frees a seat, so that another phone can take it."""


class HandOver(OfSeat, frozen=True, tag="hand-over", kw_only=True):
    """The host lets the phone that asks for a seat take it over, or does not."""

    yes: bool = True


class SitIn(OfSeat, frozen=True, tag="sit-in", kw_only=True):
    """The host lets a robot play a seat of a real table, or gives the seat back."""

    robot: bool = True


class Another(OfSeat, frozen=True):
    """Somebody at a real table says that a robot's hand has nothing that fits."""


class Press(Command, frozen=True, kw_only=True):
    """Somebody presses a simulated button."""

    button: str


class Speed(Command, frozen=True, kw_only=True):
    """Somebody sets the robots' speed."""

    speed: Annotated[float, msgspec.Meta(ge=0, le=8)]


class Level(OfSeat, frozen=True, kw_only=True):
    """Somebody chooses how well the robot at a seat plays."""

    level: HowWell


class Stay(Command, frozen=True):
    """Somebody wants to go on looking at the match of the robots that is over."""


class Slide(Command, frozen=True, kw_only=True):
    """Somebody moves a piece of the simulated table, or with a seat a card of its hand; `held`: it is still in the
    hand. Millimetres on the mat, degrees clockwise.
    """

    piece: Tag
    x: Along
    y: Along
    rotation: Annotated[float, msgspec.Meta(ge=-360, le=360)] = 0.0
    face: Face = "F"
    held: bool = False
    seat: Annotated[int, msgspec.Meta(ge=0)] = 0


class Lay(Command, frozen=True, kw_only=True):
    """Somebody lays a piece of the simulated table, or with a seat a card of its hand, in a zone."""

    piece: Tag
    zone: Annotated[str, msgspec.Meta(max_length=60)]
    face: Face = "F"
    seat: Annotated[int, msgspec.Meta(ge=0)] = 0


class Take(Command, frozen=True, kw_only=True):
    """A seat takes a piece of the simulated table into its hand; 0 puts it into the box beside the table."""

    piece: Tag
    seat: Annotated[int, msgspec.Meta(ge=0)] = 0


class Tidy(Command, frozen=True, kw_only=True):
    """Somebody wants the simulated table laid as the referee expects it."""


Acted = say.Play[JsonObject] | say.Roll[JsonObject] | say.Throw[JsonObject]
Moved = Slide | Lay | Take | Tidy
Simulated = Press | Speed | Level | Stay
Arranged = AskUndo | RefuseUndo | Free | HandOver
SatIn = SitIn | Another
Seated = say.Stir | say.Answer | say.Done | say.TurnGlass | say.Name | say.Advise
"""What a seat may ask for of the match, beside its actions."""
Corrected = say.Undo | say.Redo | say.Adopt | say.GoOn | say.Correct | say.End
Steered = Corrected | say.Mode | say.Pause | say.Extend | say.Clock | say.Freeze | say.Hint
"""What only the host may ask for."""
Asked = Acted | Moved | Simulated | Arranged | SatIn | Seated | Steered
