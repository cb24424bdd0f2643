"""What the server needs to know of a table. The program's own is put together in `companion.table.table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from companion.eye.mat import Mat
from companion.eye.phone_link import PhoneLink
from companion.referee.commands import Command, Reply
from companion.referee.course import Course
from companion.referee.match import Match
from companion.referee.snapshot import Snapshot
from companion.rules.cards import Card, Piece
from companion.rules.kernel import Guide, Seat
from companion.rules.layout import Preparing, Zone
from companion.server.camera_api import AimService, PlanZone, Prints, Sight
from companion.server.hall_api import HallDesk
from companion.server.maker_api import GameMaker
from companion.server.match_api import Matches
from companion.server.settings_api import Owner


class SandboxError(LookupError):
    """Something that can't be done with the hands at a simulated table; the message is one sentence that says why."""


class ServedError(SandboxError):
    """Something that has to wait until robots have laid what is due; it may be tried again by itself."""


class Thing(msgspec.Struct, frozen=True):
    """A piece that can be seen on a simulated table: its centre (mm), rotation (degrees clockwise) and size (mm).

    `tag` names it ("": a robot has it in the hand); `piece` and `title` are empty while it lies face down ("B").
    `count` is how many pieces lie in its pile, 0 where there is none; `turns` says whether it has a back.
    """

    tag: str
    piece: Piece
    title: str
    face: str
    x: float
    y: float
    rotation: float
    w: float
    h: float
    zone: str = ""
    held: bool = False
    turns: bool = True
    count: int = 0


class Sandbox(Protocol):
    """A simulated table at which people move the pieces themselves. Every method may be called from any thread.

    `by` is the seat from which somebody reaches over the table, 0 for none.
    """

    places: tuple[PlanZone, ...]

    def things(self) -> list[Thing]:
        """List what can be seen on the table, from the bottom up. It tells nothing of what lies face down."""

    def hand(self, seat: Seat) -> tuple[Piece, ...]:
        """Return the cards in the hand of a person's seat: for that person only."""

    def choosing(self, seat: Seat) -> Mapping[Zone, int]:
        """Return in which zones a person has yet to lay cards of the hand face down, and how many."""

    def goals(self, seat: Seat) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Return for each card of a person's hand, and each tag, where the rules let it go now: for that person only.

        A zone ("": into the hand), and the face, F or B, that has to show there.
        """

    def served(self) -> bool:
        """Return whether robots lay what is due, or are about to: people need not lift a hand."""

    def taking(self, seat: Seat) -> tuple[Zone, tuple[Piece, ...]]:
        """Return which open cards a person may take for the card that was laid last, and where they go."""

    def objection(self, piece: Piece, seat: Seat, zone: Zone) -> str:
        """Return in a sentence what speaks against a card of a person's hand that is laid in a zone; "" if nothing."""

    def attended(self) -> bool:
        """Return whether robots play or lay something at this moment: what is owed meanwhile nobody else has to do."""

    def box(self) -> list[Thing]:
        """List what lies beside the table for everybody; of pieces that are alike the first, with their `count`."""

    def slide(self, tag: str, seat: Seat, x: float, y: float, rotation: float, face: str, held: bool, by: Seat) -> str:
        """Move a piece by its tag (one of the box by itself), or with a `seat` a card of its hand. Return its tag.

        `held` keeps it in the hand over the table.
        """

    def place(self, tag: str, seat: Seat, zone: str, face: str, by: Seat) -> None:
        """Lay a piece, or with a `seat` a card of its hand, in a zone."""

    def take(self, tag: str, seat: Seat) -> str:
        """Take a piece into a seat's hand (0: into the box); return a sentence if the referee objects."""

    def tidy(self) -> None:
        """Lay everything as the referee expects it."""


class CameraPictures(Protocol):
    """The camera's pictures with what the eye sees drawn into them."""

    @property
    def picture_version(self) -> int:
        """A number that changes whenever `picture` does."""

    def picture(self, small: bool = False) -> bytes | None:
        """Return the newest picture (JPEG), for a corner of a page a `small` one; None before the first."""

    def want_pictures(self) -> None:
        """Ask that pictures are drawn for some seconds: it is called twice a second while anybody looks on."""


class SessionService(Protocol):
    """One match at a table, with its camera and, at a simulated table, its robots."""

    match: Match
    cards: dict[Piece, Card]
    """What is printed on each piece."""
    mat: Mat
    """The mat for this number of seats, or a plain table."""
    preparing: tuple[Preparing, ...]
    """How the game is set up, step by step."""
    lays: frozenset[Zone]
    """The zones, without their seats, in which the game lays anything; empty: all that the mat has."""
    guide: Guide | None
    """How the game goes, in short; None where only its own rules say so."""

    @property
    def camera_loop(self) -> CameraPictures:
        """The camera's pictures."""

    @property
    def sight(self) -> Sight | None:
        """What the camera sees and is told; None in a ledger, which uses none."""

    @property
    def sandbox(self) -> Sandbox | None:
        """The table as people's hands find it, where it is simulated; else None."""

    def command(self, command: Command) -> Reply:
        """Send a command and wait until it is journaled or refused.

        Raises:
            TimeoutError: if the match does not answer in time.
        """

    def course(self) -> Course:
        """Look back on the match as far as it has come."""

    def speed(self) -> float | None:
        """Return how fast the robots play (1 is as people do); None if there are none."""

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast, from 0 (they wait) to 8."""

    def levels(self) -> dict[Seat, str]:
        """Return how well the robot at each seat plays ("easy", "normal", "strong"); empty if there are none."""

    def set_level(self, seat: Seat, level: str) -> None:
        """Make the robot at a seat play so well."""

    def reason(self, n: int) -> str:
        """Return why a robot did what a record says, as a sentence; "" if it was none."""

    def advice(self, seat: Seat) -> str:
        """Return what a robot would do at a seat, from what the seat may know; ServedError where none can say."""

    def awaited(self) -> frozenset[Seat]:
        """Return the seats among those of robots that no robot plays: people have them, or are waited for."""

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """Return the cards that a seat holds, where there are none on a real table to hold; else None."""


class DevicePanel(Protocol):
    """What pages show of the devices, and press."""

    @property
    def page_buttons(self) -> tuple[str, ...]:
        """The buttons that a page offers ("next", "page", "undo" and the knob's); empty where there are real ones."""

    @property
    def muted(self) -> bool | None:
        """Whether the buzzer was silenced; None where none is to be heard."""

    def mute(self, muted: bool) -> None:
        """Silence the buzzer, or let it sound again."""

    def press(self, button: str) -> None:
        """Press a simulated button."""

    def oled_png(self) -> bytes | None:
        """Return what the OLED shows, as PNG of 128×64 pixels."""

    def health_sentences(self) -> tuple[str, ...]:
        """Return in a sentence each what is wrong with the computer itself: its power, its heat."""


class StandInService(Protocol):
    """Robots that play seats of a real table for people who left."""

    def there(self) -> dict[Seat, str]:
        """Return the seats that robots play, and what each wants to have done for it: a sentence, or ""."""

    def sit(self, seat: Seat, robot: bool) -> None:
        """Let a robot play a seat, or give the seat back."""

    def reject_suggestion(self, seat: Seat) -> None:
        """Make a robot want something else: the hand has nothing that fits."""


class NextMatchService(Protocol):
    """Robots that begin one match after another."""

    def coming(self) -> tuple[str, float]:
        """Return the title of the game that they begin soon, for their match is over, or "", and when by the people's
        time (`Match.clock`); 0 as long as nobody knows.
        """

    def stay(self) -> None:
        """Keep them with the match that is over."""


class TableService(Protocol):
    """One table, by its parts. Every method of them may be called from any thread, and from many at once."""

    join_url: str
    """The address that the join QR says; best upper case and at most 25 characters ("HTTP://10.42.0.1/J")."""
    host_pin: str
    hall: HallDesk
    simulated: bool
    """Whether the table is simulated: then who sees the table page may press its buttons and answer for it."""
    phone: PhoneLink | None
    """The phone that may be the camera; None where none may."""

    @property
    def aiming(self) -> AimService | None:
        """What aims the camera before the first match; None where there is nothing to aim."""

    @property
    def session(self) -> SessionService:
        """The match that is played. Hold it for one request only: the next match has a session of its own."""

    @property
    def devices(self) -> DevicePanel:
        """Display, buttons, buzzer."""

    @property
    def stand_ins(self) -> StandInService:
        """Robots that play for people who left."""

    @property
    def next_match(self) -> NextMatchService | None:
        """Robots that begin the next match; None where nobody but people begins one."""

    @property
    def prints(self) -> Prints:
        """The games' cards as they are printed."""

    @property
    def matches(self) -> Matches | None:
        """The table's matches, one after another; None where one match only is shown."""

    @property
    def owner(self) -> Owner | None:
        """The table's settings; None where there is nothing to settle."""

    @property
    def maker(self) -> GameMaker | None:
        """Makes games from files; None where none are made."""

    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a snapshot newer than `version`, at most `timeout` seconds; return the newest.

        The next match's snapshots are newer than the last one's.
        """

    def stopped(self) -> tuple[str, ...]:
        """List in a sentence each what does not go on at the moment, or was begun anew after a fault: for everybody."""

    def debrief(self) -> bytes:
        """Return the match as far as it has come, to print (PDF)."""

    def set_occupied(self, seat: Seat, person: bool) -> None:
        """Record whether a person occupies a seat: a robot there steps aside, or comes back, called as ever."""
