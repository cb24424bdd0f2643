"""What a page may ask for, as it comes in: JSON with a `do`, checked field by field."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.referee.rolls import LONGEST_SALT
from companion.rules.kernel import AnyEdit, Facts, Seat
from companion.untyped import JsonObject


class Wish(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True, kw_only=True):
    """Something a page asks for. `after` is the last record that the page showed."""

    after: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Play(Wish, frozen=True, kw_only=True):
    """A seat does something, by the rules."""

    seat: Seat
    action: JsonObject
    facts: Facts = ()


class Roll(Wish, frozen=True, kw_only=True):
    """A seat does something that needs dice; the companion rolls, and the phone throws something in."""

    seat: Seat
    action: JsonObject
    salt: Annotated[str, msgspec.Meta(max_length=LONGEST_SALT)] = ""


class Throw(Wish, frozen=True, kw_only=True):
    """A seat does something that needs dice, and rolls real ones in the tray, where the camera reads them."""

    seat: Seat
    action: JsonObject


class Stir(Wish, frozen=True, kw_only=True):
    """A seat throws something into the companion's next roll."""

    seat: Seat
    salt: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_SALT)]


class Answer(Wish, frozen=True, kw_only=True):
    """An answer to a question; seat 0 for the host or the table."""

    question: str
    choice: str
    seat: Seat = 0


class Done(Wish, frozen=True, kw_only=True):
    """A seat's turn is over."""

    seat: Seat


class AskUndo(Wish, frozen=True, tag="ask-undo", kw_only=True):
    """A seat asks the host to take back the last step that its page showed."""

    seat: Seat


class RefuseUndo(Wish, frozen=True, tag="refuse-undo", kw_only=True):
    """The host does not take back what a seat asked for (0: whoever asked)."""

    seat: Seat = 0


class Undo(Wish, frozen=True, kw_only=True):
    """The host takes records back."""

    steps: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1


class Redo(Wish, frozen=True, kw_only=True):
    """The host does undone records again."""

    steps: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1


class Adopt(Wish, frozen=True, kw_only=True):
    """The host says that the table is right."""


class GoOn(Wish, frozen=True, kw_only=True):
    """The host says to go on from here."""


class Correct(Wish, frozen=True, kw_only=True):
    """The host corrects the state."""

    edits: tuple[AnyEdit, ...]


class End(Wish, frozen=True, kw_only=True):
    """The host ends the match."""


class Mode(Wish, frozen=True, kw_only=True):
    """The host changes the mode."""

    mode: str


class Pause(Wish, frozen=True, kw_only=True):
    """The host lets the clock stand still, or run on."""

    paused: bool = True


class Extend(Wish, frozen=True, kw_only=True):
    """The host gives the decision more seconds."""

    seconds: int = 20


class Clock(Wish, frozen=True, kw_only=True):
    """The host says how many seconds a bid may take; 0 is no clock."""

    seconds: int


class Freeze(Wish, frozen=True, kw_only=True):
    """The host stops the match for a moment, or lets it go on."""

    frozen: bool = True


class TurnGlass(Wish, frozen=True, tag="turn-glass", kw_only=True):
    """Somebody who sits at the table turns the sand glass over."""


class Hint(Wish, frozen=True, kw_only=True):
    """The host gives a hint to a seat, or to everybody (0)."""

    seat: Annotated[int, msgspec.Meta(ge=0)] = 0
    words: Annotated[str, msgspec.Meta(max_length=300)] = ""


class Name(Wish, frozen=True, kw_only=True):
    """A seat is called so."""

    seat: Seat
    name: Annotated[str, msgspec.Meta(max_length=200)]
    colour: Annotated[str, msgspec.Meta(max_length=20)] = ""


class Free(Wish, frozen=True, kw_only=True):
    """The host frees a seat, so that another phone can take it."""

    seat: Seat


class HandOver(Wish, frozen=True, tag="hand-over", kw_only=True):
    """The host lets the phone that asks for a seat take it over, or does not."""

    seat: Seat
    yes: bool = True


class SitIn(Wish, frozen=True, tag="sit-in", kw_only=True):
    """The host lets a robot play a seat of a real table, or gives the seat back."""

    seat: Seat
    robot: bool = True


class Another(Wish, frozen=True, kw_only=True):
    """Somebody at a real table says that a robot's hand has nothing that fits."""

    seat: Seat


class Press(Wish, frozen=True, kw_only=True):
    """Somebody presses a simulated button."""

    button: str


class Speed(Wish, frozen=True, kw_only=True):
    """Somebody sets the robots' speed."""

    speed: Annotated[float, msgspec.Meta(ge=0, le=8)]


class Stay(Wish, frozen=True):
    """Somebody wants to go on looking at the match of the robots that is over."""


Tag = Annotated[str, msgspec.Meta(min_length=1, max_length=12)]
Face = Literal["F", "B"]
Along = Annotated[float, msgspec.Meta(ge=0, le=5000)]


class Slide(Wish, frozen=True, kw_only=True):
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


class Lay(Wish, frozen=True, kw_only=True):
    """Somebody lays a piece of the simulated table, or with a seat a card of its hand, in a zone."""

    piece: Tag
    zone: Annotated[str, msgspec.Meta(max_length=60)]
    face: Face = "F"
    seat: Annotated[int, msgspec.Meta(ge=0)] = 0


class Take(Wish, frozen=True, kw_only=True):
    """A seat takes a piece of the simulated table into its hand; 0 puts it into the box beside the table."""

    piece: Tag
    seat: Annotated[int, msgspec.Meta(ge=0)] = 0


class Tidy(Wish, frozen=True, kw_only=True):
    """Somebody wants the simulated table laid as the referee expects it."""


AnyWish = (
    Play
    | Roll
    | Throw
    | Stir
    | Answer
    | Done
    | AskUndo
    | RefuseUndo
    | Undo
    | Redo
    | Adopt
    | GoOn
    | Correct
    | End
    | Mode
    | Name
    | Free
    | HandOver
    | SitIn
    | Another
    | Press
    | Speed
    | Stay
    | Pause
    | Extend
    | Clock
    | Freeze
    | TurnGlass
    | Hint
    | Slide
    | Lay
    | Take
    | Tidy
)
