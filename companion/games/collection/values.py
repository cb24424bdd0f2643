"""The values of COLLECTION!: its actions, what is fixed before the first turn, and its state."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.collection.effects import Clause
from companion.rules.cards import Piece
from companion.rules.kernel import Action, Outcome, Seat

SCENARIOS = ("A", "B", "C")
"""The letters of the three scenarios on the board."""
COLLECTORS = ("DH", "DO", "NGA", "NSA", "OSE", "STATE")
"""The six collectors of every scenario (I1)."""
COLOURS = ("political", "military", "economic")
"""The kinds of gems and reports, in the order in which the rulebook names them: blue, red, green."""
CIRCLE, CRISIS = "circle", "crisis"
"""The two uses of a report (6.3): it fills the reports circle, or it reduces the crisis."""

# ---------------------------------------------------------------------------------------------------------- actions


class TakeRole(Action, frozen=True, tag="role", kw_only=True):
    """Choose your analytic role: lay its card before you."""

    role: str


class OpenScenario(Action, frozen=True, tag="scenario", kw_only=True):
    """The top scenario card goes to a scenario, a crisis gem to level one; upkeep. Needs Shown at "scenario-a"."""

    scenario: str


class Start(Action, frozen=True, tag="start", kw_only=True):
    """Put your pawn on a space of scenario A."""

    collector: str


class Move(Action, frozen=True, tag="move", kw_only=True):
    """Move to another collector of the same scenario, or to the same collector of another scenario."""

    scenario: str
    collector: str


class Engage(Action, frozen=True, tag="engage", kw_only=True):
    """Place one engagement gem of a colour on the space where you are."""

    colour: str


class Roll(Action, frozen=True, tag="roll", kw_only=True):
    """Roll for a report of a colour where you are. Needs Rolled at "dice"."""

    colour: str


class UseReport(Action, frozen=True, tag="report", kw_only=True):
    """Use the report that the dice gave: it fills the circle, or it reduces the crisis."""

    use: str


class Draw(Action, frozen=True, tag="draw", kw_only=True):
    """Draw a collection card, which ends your actions. Needs Shown at "discard"."""


class PlayCard(Action, frozen=True, tag="play", kw_only=True):
    """Play one of the blue cards that lie before you."""

    card: Piece


class Choose(Action, frozen=True, tag="choose", kw_only=True):
    """Choose what a card leaves open: scenario, collector and colour, as far as its effect has them."""

    scenario: str
    collector: str = ""
    colour: str = ""


class Pass(Action, frozen=True, tag="pass", kw_only=True):
    """Keep your cards, after the draw, and let the next player go on."""


AnyAction = TakeRole | OpenScenario | Start | Move | Engage | Roll | UseReport | Draw | PlayCard | Choose | Pass


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance or the table decides before the first turn.

    `first` is the seat that starts; `roles`, if they have been chosen already, are the roles in seat order.
    """

    first: Seat = 1
    roles: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------------------ state

Phase = Literal["roles", "open", "start", "act", "report", "choose", "free", "close", "over"]
NO_CARD: Piece = ""
OFF = -1
"""The response level of a collector whose coin is not on the ladder."""
NOWHERE = -1
"""Where a pawn is before it is put on the board."""

Gems = tuple[int, int, int]
"""So many of each colour, in the order of COLOURS."""


class Scenario(msgspec.Struct, frozen=True, gc=False):
    """A scenario on the board; `card` is NO_CARD while it is not active.

    `responses` are the levels of the six collectors, `gems` the engagement gems on their spaces, `reports` what lies
    in the reports circle.
    """

    card: Piece = NO_CARD
    crisis: int = 0
    responses: tuple[int, ...] = (OFF,) * len(COLLECTORS)
    gems: tuple[Gems, ...] = ((0, 0, 0),) * len(COLLECTORS)
    reports: Gems = (0, 0, 0)

    @property
    def active(self) -> bool:
        """Whether it is in play."""
        return self.card != NO_CARD


class Player(msgspec.Struct, frozen=True, gc=False):
    """An analyst. `scenario` and `collector` count from 0; `hand` are the blue cards that lie before the player (I14).

    `dice` are bonus dice for the next roll, `skips` the next ENGAGE actions that place nothing (I10). `placed` and
    `reported` count the gems that the player engaged with and the reports the player got.
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
        """Whether the pawn stands on a space."""
        return self.scenario != NOWHERE


class State(msgspec.Struct, frozen=True, gc=False):
    """A match of COLLECTION! at one moment.

    `unseen` are the cards of both decks, scenarios and collection. `discard` reads from the bottom up. `actions` are
    those that the seat on turn has left, `drawn` says that it has drawn its card. `todo` are the effects of cards that
    have yet to happen, `opening` the scenario that waits for its card, `report` the colour of a report that waits for
    its use.
    """

    players: tuple[Player, ...]
    scenarios: tuple[Scenario, ...]
    unseen: frozenset[Piece]
    turn: Seat
    phase: Phase = "roles"
    actions: int = 0
    drawn: bool = False
    discard: tuple[Piece, ...] = ()
    todo: tuple[Clause, ...] = ()
    opening: int = NOWHERE
    report: str = ""
    turns: int = 0
    outcome: Outcome | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise from 1."""
        return tuple(range(1, len(self.players) + 1))

    def together(self, seat: Seat) -> tuple[Seat, ...]:
        """List the other seats whose pawns are on the same space."""
        me = self.players[seat - 1]
        return tuple(
            other
            for other, player in enumerate(self.players, 1)
            if other != seat and (player.scenario, player.collector) == (me.scenario, me.collector)
        )
