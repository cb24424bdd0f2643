"""The contract that every game keeps: actions with holes, facts, verdicts, standings, views, and `Game` itself.

All values are frozen; a state can be handed to any thread. Nothing here reads a clock, a file or a random number:
what chance or the table adds to an action comes in as *facts*.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from companion.rules.cards import Deck, Piece
from companion.rules.layout import Layout, Preparing, Zone
from companion.rules.seats import TABLE as TABLE
from companion.rules.seats import Seat as Seat
from companion.rules.seats import at as at
from companion.rules.seats import name_seats as name_seats
from companion.text import t

# ------------------------------------------------------------------------------------------------ actions and facts


class Hole(msgspec.Struct, frozen=True, tag_field="type", tag="hole"):
    """A card in an action that nobody has seen yet: any of `pieces` (never empty) out of what `owner` holds."""

    owner: Seat
    pieces: frozenset[Piece]
    words: str
    """What may fill it, for people: "a red card or a moon"."""


class Action(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    """What a seat does, by the rules. Every game declares its own; seat `TABLE` is upkeep, which nobody chooses.

    A field that an action doesn't have is refused where it is read: else what somebody meant by it would be dropped.
    """

    seat: Seat = TABLE


class Unknown(msgspec.Struct, frozen=True, tag_field="type", tag="unknown"):
    """Stands in a fact for a card that lies there but has not been read yet."""


UNKNOWN = Unknown()


class Fact(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    """What chance or the table added to an action, at a place. Facts are found by place, never by order."""

    place: str


class Shown(Fact, frozen=True, tag="shown", kw_only=True):
    """The card that came up at a place."""

    piece: Piece | Unknown


class Opened(Fact, frozen=True, tag="opened", kw_only=True):
    """The cards of a hand laid open at a place, in any order."""

    pieces: tuple[Piece, ...]


class Rolled(Fact, frozen=True, tag="rolled", kw_only=True):
    """The values of dice thrown for a place."""

    values: tuple[int, ...]


AnyFact = Shown | Opened | Rolled
Facts = tuple[AnyFact, ...]


class Need(msgspec.Struct, frozen=True):
    """A fact that an action waits for: which place, which kind ("shown", "opened", "rolled"), what would fit."""

    place: str
    kind: str
    words: str
    pieces: frozenset[Piece] = frozenset()
    """For cards: those that it can be."""
    count: int = 1
    sides: int = 0
    """For dice: the number of sides."""
    stays: bool = False
    """Whether the card stays at the place where it comes up, so that it is looked for nowhere else."""


def fact_at(facts: Facts, place: str) -> AnyFact | None:
    """Return the fact of a place; None if there is none."""
    for fact in facts:
        if fact.place == place:
            return fact
    return None


def holes(action: Action) -> tuple[tuple[str, Hole], ...]:
    """List the holes of a template as (field, hole)."""
    return tuple((name, value) for name in action.__struct_fields__ if isinstance(value := getattr(action, name), Hole))


A = TypeVar("A", bound=Action)


def fill(template: A, **pieces: Piece) -> A:
    """Put cards into the holes of a template."""
    return msgspec.structs.replace(template, **pieces)


def fits(template: Action, action: Action) -> bool:
    """Return whether a ground action fills a template."""
    if type(template) is not type(action):
        return False
    for name in template.__struct_fields__:
        wanted, given = getattr(template, name), getattr(action, name)
        if isinstance(wanted, Hole):
            if given not in wanted.pieces:
                return False
        elif wanted != given:
            return False
    return True


# ---------------------------------------------------------------------------------------------------------- verdicts


class Verdict(msgspec.Struct, frozen=True):
    """Legal, or why not. `kind` is "legal", "illegal" (not now) or "inconsistent" (it can't be: ruling C2, C9).

    A verdict that is not legal always has a rule (rulebook section or ruling id), a reason with the number that would
    be right, and a remedy.
    """

    kind: str
    rule: str = ""
    reason: str = ""
    remedy: str = ""

    @property
    def ok(self) -> bool:
        """Whether it is legal."""
        return self.kind == "legal"


LEGAL = Verdict("legal")


def illegal(rule: str, reason: str, remedy: str) -> Verdict:
    """Return the verdict that an action is against the rules now."""
    return Verdict("illegal", rule, reason, remedy)


def inconsistent(rule: str, reason: str, remedy: str) -> Verdict:
    """Return the verdict that something can't be: a card seen twice, a claim that no state allows."""
    return Verdict("inconsistent", rule, reason, remedy)


class RuleError(Exception):
    """An action was played that `judge` rejects, or facts are missing. Carries the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        """Keep the verdict; its reason is the message."""
        super().__init__(t("{reason} ({rule})", reason=verdict.reason, rule=verdict.rule))
        self.verdict = verdict


# ---------------------------------------------------------------------------------------------- standings and views


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One part of a score, or something that is counted: "items 4". `seat` has it (`TABLE`: nobody, as the deck)."""

    name: str
    value: int
    seat: Seat = TABLE


class SeatStanding(msgspec.Struct, frozen=True):
    """What one seat has, with its parts."""

    seat: Seat
    score: int
    parts: tuple[Part, ...] = ()
    words: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended: who won (nobody, if the host stopped it), and by which rule."""

    winners: tuple[Seat, ...]
    ending: str
    rule: str
    words: str


class Share(msgspec.Struct, frozen=True):
    """One part of what a team has reached together: `value` of `goal`, drawn as a circle that fills.

    `details` are the names of a view's numbers that say more about it: a page that draws the circle may leave them out.
    """

    title: str
    value: int
    goal: int
    details: tuple[str, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """Scores with their parts, in seat order, and the outcome once there is one. `goal` is the score to reach.

    `team`: what all seats reach together, where they have one score; it counts `unit` ("reports").
    """

    seats: tuple[SeatStanding, ...]
    outcome: Outcome | None = None
    goal: int | None = None
    team: tuple[Share, ...] = ()
    unit: str = "points"


class May(msgspec.Struct, frozen=True):
    """One thing a seat may do now, or why not. `actions` are the templates behind it (none if it may not).

    `labels` tell each of them from the others, in words ("" where its cards and fields say enough); none: they all do.
    `idle`: it gives up doing something else, so that a page offers it last; `onward`: all else is optional, so that
    there it stands out. `aside`: it can be done at any time, so that it comes after what is due. `hides` is the zone in
    which it lays a card of the hand face down, without saying which.
    `pictures` are the cards that stand for the actions where these name none; none: no card does.
    """

    name: str
    words: str
    verdict: Verdict
    actions: tuple[Action, ...] = ()
    labels: tuple[str, ...] = ()
    idle: bool = False
    onward: bool = False
    aside: bool = False
    hides: str = ""
    pictures: tuple[Piece, ...] = ()


class Shelf(msgspec.Struct, frozen=True):
    """A row of public cards for a page, under a title; `wanted` are cards that are not there yet.

    `seat` has them (`TABLE`: they lie in the middle).
    """

    title: str
    pieces: tuple[Piece, ...] = ()
    wanted: tuple[Piece, ...] = ()
    words: str = ""
    seat: Seat = TABLE


class Ladder(msgspec.Struct, frozen=True):
    """A track that people watch: `value` of `low` to `high`; at `alarm` (if any) and above it is dangerous.

    `short` is its title where there is room for a letter or two.
    """

    title: str
    value: int
    low: int
    high: int
    alarm: int | None = None
    words: str = ""
    short: str = ""


class View(msgspec.Struct, frozen=True):
    """What one seat (or, with seat `TABLE`, everybody) may see of a state.

    `headline` is a sentence for everybody; `call` says the same to this seat where it is due, in at most eight words.
    `coach` is one sentence for a seat whose player plays for the first time: what this step is about. `holds` are the
    pieces that a hand which others can't see may hold; none where there are no such hands.
    """

    seat: Seat
    headline: str
    waiting: tuple[Seat, ...]
    may: tuple[May, ...] = ()
    shelves: tuple[Shelf, ...] = ()
    numbers: tuple[Part, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    coach: str = ""
    holds: frozenset[Piece] = frozenset()
    call: str = ""


class Remark(msgspec.Struct, frozen=True):
    """Something that an action did, for looking back on a match: `seat` did it, for `other` (`TABLE`: for nobody).

    `kind` sorts them ("help", "engagement", "roll"); `amount` is how much of it; `words` say it in a sentence.
    """

    kind: str
    seat: Seat
    words: str
    other: Seat = TABLE
    amount: int = 1


class Timed(msgspec.Struct, frozen=True):
    """A decision that a clock runs against (ruling C5). The clock is the referee's; the rules only name it.

    `lapses` are, for every seat that is asked, the action that running out of time stands for (a pass; for the seat
    that must open the lowest bid). `price` and `leader` (`TABLE`: nobody yet) say what has been reached.
    """

    clock: str
    lapses: tuple[Action, ...]
    price: int = 0
    leader: Seat = TABLE
    words: str = ""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked."""
        return tuple(action.seat for action in self.lapses)


# -------------------------------------------------------------------------------------------------- corrections


class Edit(msgspec.Struct, frozen=True, tag_field="edit", tag=str.lower, forbid_unknown_fields=True):
    """One thing that the host or the table corrects (ruling C8)."""


class Lies(Edit, frozen=True):
    """This piece lies in this zone now (a hand is the zone "hand.2", the deck "deck")."""

    piece: Piece
    zone: Zone


class Counts(Edit, frozen=True):
    """So many cards that nobody has seen are at this place ("deck", "hand.2")."""

    place: str
    count: int


class Turns(Edit, frozen=True):
    """It is this seat's turn."""

    seat: Seat


class Instead(Edit, frozen=True):
    """What was taken for this piece is its copy `other`, with the same printed on it: the two change places."""

    piece: Piece
    other: Piece


AnyEdit = Lies | Counts | Turns | Instead


# ------------------------------------------------------------------------------------------------------------ game


class Option(msgspec.Struct, frozen=True):
    """Something a host may choose before a match: a whole number between `low` and `high`."""

    name: str
    words: str
    default: int
    low: int
    high: int
    rule: str


FEWEST_SECONDS, MOST_SECONDS = 5, 7200
"""Seconds: the shortest and the longest that a turn, a player's whole time or a sand glass may be."""


class Timing(msgspec.Struct, frozen=True):
    """A clock that people play against, which tells and decides nothing: its `kind` ("": none) and its seconds.

    "turn": each turn has so many; "chess": each seat has so many in all; "glass": a sand glass that somebody turns.
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

    `unseen`: nothing on the table ever tells of it, so that nobody looks for it there, and it is said before the table
    follows.
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
    """How it is set up, step by step."""
    timing: Timing = Timing()
    """The clock that it is played against, where it says so."""
    family: str = ""
    """The name under which its robots and its looks are found, where several games share them."""

    @property
    def unseen(self) -> frozenset[str]:
        """The types of actions of which nothing on the table ever tells."""
        return frozenset(kind.type for kind in self.kinds if kind.unseen)


Options = Mapping[str, int]
S = TypeVar("S")


class Game(ABC, Generic[S]):
    """One game's rules, without state of its own. `S` is the game's frozen state.

    A game *must* provide everything abstract below; it *may* override the rest. It is built from its deck (the data
    under `card_codes/`), so that an owner of the real box can correct a number without code.
    """

    info: Info
    deck: Deck
    action_type: Any
    """The union of the game's action structs, for decoding."""
    setup_type: Any
    """The struct of what chance or the table decides before the first turn; every field has a default."""

    @abstractmethod
    def setup(self, seats: int, options: Options, facts: Any) -> S:
        """Make the first state.

        Raises:
            RuleError: if the number of seats, an option or a fact does not fit; nothing is guessed.
        """

    @abstractmethod
    def actors(self, state: S) -> tuple[Seat, ...]:
        """List the seats that are due; `(TABLE,)` when upkeep is due, `()` when the match is over."""

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
        """Apply a ground action with its facts.

        Raises:
            RuleError: if the action is not legal or the facts do not fit.
        """

    @abstractmethod
    def layout(self, state: S) -> Layout:
        """Return what should lie where."""

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
        """Make the state agree with the edits.

        Raises:
            RuleError: if that would lose or double a piece.
        """

    @abstractmethod
    def end(self, state: S) -> S:
        """Stop the match without a winner (ruling C8)."""

    @abstractmethod
    def tell(self, state: S, action: Action, facts: Facts = ()) -> str:
        """Describe in one sentence what an action does (`@2` stands for a seat's name); holes in their words."""

    def tacit(self, state: S) -> Action | None:
        """Return what a turn that left no trace on the table most likely was; None if it must leave one."""
        return None

    def timed(self, state: S) -> Timed | None:
        """Return the decision that a clock runs against now, with what happens at zero (C5); None if there is none."""
        return None

    def attempts(self, state: S, piece: Piece, zone: Zone) -> Iterable[Action]:
        """Yield ground actions, legal or not, that somebody may have meant by laying this piece in this zone.

        The referee judges them to explain a violation; the likeliest comes first.
        """
        return ()

    def freely(self, state: S, came: tuple[Found, ...], gone: tuple[Found, ...]) -> Iterable[Action]:
        """Yield ground actions that it may come to if pieces lie where they were not expected, or are gone.

        For zones in which people lay as they like: there what lies is taken as it is. `came` and `gone` are the pieces
        that surprise, zone by zone.
        """
        return ()

    def touches(self, state: S, action: Action) -> frozenset[Zone]:
        """Return the zones that a hand reaches into though nothing need change there, such as the deck for a draw."""
        return frozenset()

    def demands(self, state: S, action: Action) -> frozenset[Piece]:
        """Return the pieces that the card of an action tells people to move.

        Once the card lies, the action counts, and these moves are owed: one list, done in any order.
        """
        return frozenset()

    def colours(self, state: S) -> Mapping[Seat, str]:
        """Return the colours of the seats' own pieces, as far as they have been given out."""
        return {}

    def anchors(self, state: S) -> Iterable[tuple[AnyEdit, ...]]:
        """Yield corrections of counts that nobody can see (hands, a deck), which the table may suddenly betray."""
        return ()

    def remarks(self, state: S, action: Action, facts: Facts) -> tuple[Remark, ...]:
        """Return what a review of the match mentions beside the action itself, such as help given."""
        return ()

    def secret(self, action: Action, facts: Facts) -> bool:
        """Return whether an action, with its facts, says what not everybody at the table may know before the match is
        over. A table that tells a hall its records keeps this one, and those after it, until then.
        """
        return False

    def recall(self, state: S, undone: tuple[tuple[Action, Facts], ...]) -> S:
        """Return the state with what undone records showed: a card once seen stays known (ruling C4)."""
        return state
