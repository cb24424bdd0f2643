"""What a game declares of itself, and `Game`: what it must and may answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from types import UnionType
from typing import Any, Generic, TypeVar, cast

import msgspec

from companion.rules.cards import Deck, Piece
from companion.rules.kernel.actions import Action, Facts, Need
from companion.rules.kernel.edits import AnyEdit
from companion.rules.kernel.events import Event, happened
from companion.rules.kernel.guide import Guide
from companion.rules.kernel.verdicts import Verdict
from companion.rules.kernel.views import Ranking, Remark, Sale, Standing, Timed, View
from companion.rules.layout import Layout, Preparing, Zone
from companion.rules.seats import TABLE, Seat


class Option(msgspec.Struct, frozen=True):
    """A whole number between `low` and `high` that a host may choose before a match; of a `seat`: a seat's number."""

    name: str
    words: str
    default: int
    low: int
    high: int
    rule: str
    seat: bool = False

    def highest(self, seats: int) -> int:
        """The highest number with so many players."""
        return min(self.high, seats) if self.seat else self.high


FEWEST_SECONDS, MOST_SECONDS = 5, 7200
"""Seconds: the shortest and the longest that a turn, a player's whole time or a sand glass may be."""


class Timing(msgspec.Struct, frozen=True):
    """A clock that people play against, which decides nothing: its `kind` ("": none) and its seconds.

    "turn": seconds a turn; "chess": seconds a seat in all; "glass": a sand glass that somebody turns.
    """

    kind: str = ""
    seconds: int = 0


class Found(msgspec.Struct, frozen=True):
    """A piece that came to a zone, or is gone from it; `slot` is -1 where places have no numbers."""

    piece: Piece
    zone: Zone
    slot: int = -1


class ActionKind(msgspec.Struct, frozen=True):
    """An action type as people know it, with its evidence class: A the table alone, B and one tap, C the phone.

    `unseen`: nothing on the table ever shows it, so it is said before the table follows.
    """

    type: str
    words: str
    evidence: str
    rule: str
    unseen: bool = False


class Info(msgspec.Struct, frozen=True):
    """A game's declaration."""

    name: str
    title: str
    code: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    kinds: tuple[ActionKind, ...]
    rulebook: str
    words: str = ""
    """What it is about, in a sentence."""
    minutes: tuple[int, int] | None = None
    """How long a match takes, where the rulebook says so."""
    coloured: bool = False
    """Whether its pieces give the seats their colours (`Game.colours`), so that nobody chooses one."""
    preparing: tuple[Preparing, ...] = ()
    lays: frozenset[Zone] = frozenset()
    """The zones, without their seats, of a mat for many games in which this one lays anything; empty: all."""
    timing: Timing = Timing()
    """The clock that it is played against, where it says so."""
    family: str = ""
    """The name under which its robots and its looks are found, where several games share them."""
    ranking: Ranking = Ranking()
    guide: Guide | None = None
    """How it goes, told in short to who never played it."""

    @property
    def unseen(self) -> frozenset[str]:
        """The types of actions of which nothing on the table ever tells."""
        return frozenset(kind.type for kind in self.kinds if kind.unseen)


class Undone(msgspec.Struct, frozen=True):
    """A step that was taken back: its action (None: a correction, or the host's end), and the states around it."""

    action: Action | None
    facts: Facts
    before: Any
    after: Any


Options = Mapping[str, int]
ActionType = type[Action] | UnionType
"""One action struct, or a union of several."""
S = TypeVar("S")


class Game(ABC, Generic[S]):
    """One game's rules, without state of its own. `S` is the game's frozen state.

    A game *must* provide everything abstract, and *may* override the rest. It is built from its deck (`card_codes/`),
    so that an owner can correct a number without code.
    """

    info: Info
    deck: Deck
    action_type: ActionType
    """The union of the game's action structs, for decoding."""
    setup_type: type[msgspec.Struct]
    """The struct of what chance or the table decides before the first turn; every field has a default."""

    @abstractmethod
    def setup(self, seats: int, options: Options, facts: Any) -> S:  # facts: the game's own `setup_type`
        """Make the first state; RuleError if the number of seats, an option or a fact does not fit."""

    @abstractmethod
    def actors(self, state: S) -> tuple[Seat, ...]:
        """List the seats that are due; `(TABLE,)` when upkeep is due, `()` when the match is over."""

    def due(self, state: S) -> str:
        """Return what is due, as a sentence to a person; "" if the game does not say."""
        return ""

    @abstractmethod
    def legal(self, state: S) -> Iterable[Action]:
        """Yield templates of every legal action. A ground action is legal if and only if it fills one of them."""

    @abstractmethod
    def judge(self, state: S, action: Action) -> Verdict:
        """Return whether a ground action is legal, and if not: by which rule, why, and what to do about it."""

    @abstractmethod
    def needs(self, state: S, action: Action) -> tuple[Need, ...]:
        """List the facts that a legal ground action waits for."""

    @abstractmethod
    def play(self, state: S, action: Action, facts: Facts = ()) -> S:
        """Apply a ground action with its facts; RuleError if it is not legal or the facts do not fit."""

    def meaning(self, state: S, action: Action) -> object:
        """Return what else an action is about, as its round: a tap that hasn't seen this change comes too late (C7)."""
        return None

    def bears_out(self, state: S, action: Action, hand: frozenset[Piece]) -> bool:
        """Return whether a hand, which only its owner and no rule knows, bears out what an action claims of it."""
        return False

    @abstractmethod
    def layout(self, state: S) -> Layout:
        """Return what should lie where."""

    def counting(self, state: S) -> Mapping[Zone, tuple[Piece, ...]]:
        """Return what lies where cards count, place by place, if the host may say so card by card; {} if not."""
        return {}

    @abstractmethod
    def standing(self, state: S) -> Standing:
        """Return scores with their parts, and the outcome if the match is over."""

    @abstractmethod
    def view(self, state: S, seat: Seat) -> View:
        """Return what a seat may see and do (`TABLE`: what everybody may see)."""

    @abstractmethod
    def audit(self, state: S) -> tuple[str, ...]:
        """Return one sentence for everything that does not add up; empty if all is well."""

    @abstractmethod
    def correct(self, state: S, edits: tuple[AnyEdit, ...]) -> S:
        """Make the state agree with the edits; RuleError if that would lose or double a piece."""

    @abstractmethod
    def end(self, state: S) -> S:
        """Stop the match without a winner (ruling C8)."""

    @abstractmethod
    def describe(self, state: S, action: Action, facts: Facts = ()) -> str:
        """Describe in one sentence what an action does (`@2` stands for a seat's name); holes in their words."""

    def tacit(self, state: S) -> Action | None:
        """Return what a turn that left no trace on the table most likely was; None if it must leave one."""
        return None

    def turn(self, state: S) -> Seat:
        """Return whose turn it is, whoever has to do something in it; `TABLE` where there are no turns."""
        return TABLE

    def timed(self, state: S) -> Timed | None:
        """Return the decision that a clock runs against now, with what happens at zero (C5); None if there is none."""
        return None

    def moot(self, state: S, last: tuple[S, Action | None] | None = None) -> tuple[Action, ...]:
        """Return illegal actions that are taken without effect: passes of bidders who were left out (C5).

        `last` is the last action and the state before it: an auction that it has ended counts, too.
        """
        return ()

    def sale(self, before: S, action: Action, after: S) -> Sale | None:
        """Return how an auction ended that an action decided, or whose winner it changed; None if it did neither."""
        return None

    def meant_by(self, state: S, piece: Piece, zone: Zone) -> Iterable[Action]:
        """Yield ground actions, legal or not, that may have been meant by laying a piece in a zone, likeliest first."""
        return ()

    def freely(self, state: S, came: tuple[Found, ...], gone: tuple[Found, ...]) -> Iterable[Action]:
        """Yield ground actions that explain pieces which came or are gone, in zones where people lay as they like."""
        return ()

    def touches(self, state: S, action: Action) -> frozenset[Zone]:
        """Return the zones that a hand reaches into though nothing need change there, such as the deck for a draw."""
        return frozenset()

    def demands(self, state: S, action: Action) -> frozenset[Piece]:
        """Return the pieces that an action's card tells people to move: owed once the card lies, done in any order."""
        return frozenset()

    def colours(self, state: S) -> Mapping[Seat, str]:
        """Return the colours of the seats' own pieces, as far as they have been given out."""
        return {}

    def anchors(self, state: S) -> Iterable[tuple[AnyEdit, ...]]:
        """Yield corrections of counts that nobody can see (hands, a deck), which the table may suddenly reveal."""
        return ()

    def remarks(self, state: S, action: Action, facts: Facts) -> tuple[Remark, ...]:
        """Return what a review of the match mentions beside the action itself, such as help given."""
        return ()

    @cached_property
    def called(self) -> Mapping[Piece, str]:
        """Every piece as a sentence names it."""
        return self.deck.called()

    def events(self, before: S, action: Action, facts: Facts, after: S) -> tuple[Event, ...]:
        """Return what an action did, to be shown large to everybody: nothing in it that only some may know."""
        return happened(any_game(self), before, action, facts, after)

    def secret(self, action: Action, facts: Facts) -> bool:
        """Return whether an action, with its facts, says what not everybody may know before the match is over.

        A table that sends its records to a hall keeps this one, and those after it, until then.
        """
        return False

    def recall(self, state: S, undone: tuple[Undone, ...]) -> S:
        """Return the state with what steps after it showed, the oldest first: a card once seen stays known (C4)."""
        return state

    def canonical(self, state: S) -> object:
        """Return what a state is, however it came about and whatever people know (C4); None: the game can't say."""
        return None

    def unseen(self, state: S) -> frozenset[Piece]:
        """Return the cards of which nobody can say where they are: `unseen` of its states, if they have that."""
        return getattr(state, "unseen", frozenset())

    def left(self, state: S) -> int | None:
        """Return how many cards are left in the deck: `deck` of its states; None where all see every card leave it."""
        return getattr(state, "deck", None)


AnyGame = Game[object]
"""A game as those use it who keep its states and hand them back: only the game itself reads them."""


def any_game(game: Game[S]) -> AnyGame:
    """Return a game for those who don't know its states."""
    return cast(AnyGame, game)  # it gets no states but its own
