"""The state of a match of COLLECTION!, what is fixed before its first turn, and the phases that it goes through."""

from __future__ import annotations

import msgspec

from companion.games.collection.effects import AnyEffect, CardEffect
from companion.rules.cards import Piece
from companion.rules.engine import Phase
from companion.rules.kernel import Outcome, Seat
from companion.text import t

SCENARIOS = ("A", "B", "C")
"""The letters of the three scenarios on the board."""
COLLECTORS = ("DH", "DO", "NGA", "NSA", "OSE", "STATE")
"""The six collectors of every scenario (I1)."""
COLOURS = ("political", "military", "economic")
"""The kinds of gems and reports, in the order in which the rulebook names them: blue, red, green."""
CIRCLE, CRISIS = "circle", "crisis"
"""The two uses of a report (6.3): it fills the reports circle, or it reduces the crisis."""

SETUP, NEW_SCENARIOS, SEQUENCE, ENGAGING, ROLLING, REPORTS = "3", "4", "6", "6.1", "6.2", "6.3"


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is decided before the first turn: the `first` seat, and the `roles` in seat order, if chosen."""

    first: Seat = 1
    roles: tuple[str, ...] = ()


PHASES = {
    "roles": Phase(
        SETUP,
        t("Choose who you are: each role has its own colours of gems and reports, and helps the others in its way."),
        call=t("Choose your role"),
    ),
    "open": Phase(NEW_SCENARIOS, t("A new scenario opens: its card says which reports it takes.")),
    "start": Phase(
        SETUP,
        t("Choose the collector to begin with: you place gems and roll for reports where your pawn stands."),
        call=t("Put your pawn on the board"),
    ),
    "act": Phase(
        SEQUENCE,
        t("Move, place a gem, or roll for a report where you stand."),
        call=t("Your turn: draw a collection card"),
    ),
    "report": Phase(
        REPORTS,
        t("Your roll gave a report: it counts for the scenario's reports circle, or it brings the crisis down."),
        call=t("Your report: for the circle, or the crisis?"),
    ),
    "choose": Phase(
        "I10",
        t("Tap where it shall work."),
        call=t("Choose what the card leaves open"),
    ),
    "free": Phase("I10", t("You may move once more: this costs no action."), call=t("Move, free of an action")),
    "close": Phase(
        SEQUENCE,
        t("Play a blue card now, or keep it for later."),
        call=t("Play a blue card, or go on"),
    ),
    "over": Phase(),
}
"""The phases of a match. What is due in each, `steps.waiting` says together with what the state adds to it."""


class NewScenario(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A scenario that waits for its card: A in the set-up (3), another one by a Crisis Expansion (4)."""

    letter: str


class ReportToUse(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A report that a roll gave and that waits for its use, if there is a choice (6.3, I7)."""

    colour: str


Pending = NewScenario | ReportToUse | AnyEffect
"""What has to be resolved before the turn goes on: a scenario to open, a report to use, an effect of a card (I10)."""


NO_CARD: Piece = ""
OFF = -1
"""The response level of a collector whose coin is not on the ladder."""
NOWHERE = -1
"""Where a pawn is before it is put on the board."""

Gems = tuple[int, int, int]
"""So many of each colour, in the order of COLOURS."""


class Scenario(msgspec.Struct, frozen=True, gc=False):
    """A scenario; `card` is NO_CARD while it is not active. `gems` lie on the spaces, `reports` in the circle."""

    card: Piece = NO_CARD
    crisis: int = 0
    responses: tuple[int, ...] = (OFF,) * len(COLLECTORS)
    gems: tuple[Gems, ...] = ((0, 0, 0),) * len(COLLECTORS)
    reports: Gems = (0, 0, 0)

    @property
    def active(self) -> bool:
        return self.card != NO_CARD


class Player(msgspec.Struct, frozen=True, gc=False):
    """An analyst; `scenario` and `collector` count from 0; `hand` are the blue cards before the player (I14).

    `dice` are bonus dice for the next roll, `skips` the next ENGAGE actions that place nothing (I10).
    """

    role: str = ""
    scenario: int = NOWHERE
    collector: int = NOWHERE
    hand: tuple[Piece, ...] = ()
    dice: int = 0
    skips: int = 0
    placed: int = 0
    reported: int = 0

    @property
    def on_board(self) -> bool:
        return self.scenario != NOWHERE


class State(msgspec.Struct, frozen=True, gc=False):
    """A match of COLLECTION! at one moment.

    `unseen` are the cards of both decks, scenarios and collection. `discard` reads from the bottom up. `actions` are
    those that the seat on turn has left, `drawn` says that it has drawn its card. `pending` is what has to be resolved
    before the turn goes on, in this order.
    """

    players: tuple[Player, ...]
    scenarios: tuple[Scenario, ...]
    unseen: frozenset[Piece]
    turn: Seat
    phase: str = "roles"
    actions: int = 0
    drawn: bool = False
    discard: tuple[Piece, ...] = ()
    pending: tuple[Pending, ...] = ()
    turns: int = 0
    outcome: Outcome | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(range(1, len(self.players) + 1))

    @property
    def opening(self) -> str:
        """The letter of the scenario that waits for its card; "" if none does."""
        first = self.pending[0] if self.pending else None
        return first.letter if isinstance(first, NewScenario) else ""

    @property
    def report(self) -> str:
        """The colour of the report that waits for its use; "" if none does."""
        first = self.pending[0] if self.pending else None
        return first.colour if isinstance(first, ReportToUse) else ""

    @property
    def effect(self) -> CardEffect | None:
        """The effect of a card that is resolved next; None if something else is, or nothing."""
        first = self.pending[0] if self.pending else None
        return first if isinstance(first, CardEffect) else None

    def together(self, seat: Seat) -> tuple[Seat, ...]:
        """List the other seats whose pawns are on the same space."""
        me = self.players[seat - 1]
        return tuple(
            other
            for other, player in enumerate(self.players, 1)
            if other != seat and (player.scenario, player.collector) == (me.scenario, me.collector)
        )
