"""A game written as actions: each is one class that holds its whole rule; `RuleBased` is the game of them.

Legal actions, verdicts and sentences follow from the classes; layout, standing and audit from the state.
"""

from __future__ import annotations

import functools
import operator
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import msgspec
from msgspec.structs import replace

from companion.rules.cards import Deck, Piece
from companion.rules.corrections import possible
from companion.rules.hands import canonical, recalled
from companion.rules.kernel import (
    LEGAL,
    NO_PROSPECT,
    TABLE,
    Action,
    ActionKind,
    ActionType,
    AnyEdit,
    Facts,
    Game,
    May,
    Need,
    Outcome,
    Prospect,
    RuleError,
    Seat,
    Standing,
    Undone,
    Verdict,
    View,
    Weight,
    illegal,
    inconsistent,
)
from companion.rules.layout import Layout, Zone
from companion.rules.wording import so_many_players
from companion.text import t

NAMELESS = t("(no name)")
"""Stands in a sentence for a name that is empty."""

C = TypeVar("C")
S = TypeVar("S")
C_contra = TypeVar("C_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)


class Declared(msgspec.Struct, frozen=True):
    """What is known of an action before anybody takes it.

    `words` name it on the pages; `evidence` is its class (A shows on the table, B takes one tap, C is a tap on the
    phone); `rule` is its rulebook section or ruling; `phases` are those in which it may be taken. Pages offer an `idle`
    one (a pass) last, and highlight an `onward` one where all else is optional. `hides` is a zone of the seat
    ("treasure") in which it lays a card of its hand face down, without saying which. `sure` is what a page asks back,
    for what one tap should not do to everybody. `unseen`: nothing on the table ever shows it.
    """

    words: str
    evidence: str
    rule: str
    phases: tuple[str, ...] = ()
    idle: bool = False
    onward: bool = False
    hides: str = ""
    sure: str = ""
    unseen: bool = False


class Phase(msgspec.Struct, frozen=True):
    """A phase of a match, in which certain actions are due.

    `rule` is where the rulebook says so. `coach` is the hint for a first match, for everybody where the table itself
    acts. `call` calls upon a seat that is due, in at most eight words.
    """

    rule: str = ""
    coach: str = ""
    call: str = ""


class RuledAction(Action, Generic[C, S], frozen=True, kw_only=True):
    """An action with its rule; `C` are the components of its game, `S` is its state."""

    declared: ClassVar[Declared]
    upkeep: ClassVar[bool] = False
    """Whether it happens by itself: seat `TABLE` does it, and nobody chooses."""
    blank: ClassVar[tuple[str, ...]] = ()
    """The fields that mean something where they are empty."""

    @classmethod
    def options(cls, components: C, state: S, /) -> Iterable[Action]:
        """Yield the templates that are legal; asked only in the action's own phases. Upkeep may have just one way."""
        return [cls()] if cls.upkeep and cls.__struct_fields__ == ("seat",) else ()

    @classmethod
    @abstractmethod
    def not_now(cls, components: C, state: S, seat: Seat, /) -> Verdict | None:
        """Return why a seat can't do this now, whatever it holds; None if its phase is due and it is its turn."""

    @classmethod
    def impossible_for(cls, seat: Seat, seats: Collection[Seat], outcome: Outcome | None) -> Verdict | None:
        """Return why the seat could never do this, whatever is due: the match is over, or it is no such seat (C3)."""
        if outcome is not None:
            reason = t("the match is over: {words}", words=outcome.words)
            return illegal(outcome.rule, reason, t("Start a new match."))
        if cls.upkeep and seat != TABLE:
            remedy = t("Give it the seat {table}, the table.", table=TABLE)
            return inconsistent("C3", t("nobody chooses what the table does"), remedy)
        if not cls.upkeep and seat not in seats:
            reason = t("there is no seat {seat}: the seats are 1 to {players}", seat=seat, players=len(seats))
            return inconsistent("C3", reason, t("Name one of those."))
        return None

    def judge(self, components: C, state: S, /) -> Verdict:
        """Return whether it is legal in its phase, and if not: by which rule, why, and what to do about it."""
        return LEGAL

    @abstractmethod
    def play(self, components: C, state: S, facts: Facts, /) -> S:
        """Return the state after the action, which is legal."""

    @abstractmethod
    def describe(self, components: C, state: S, facts: Facts, /) -> str:
        """Return one sentence that says what the action does."""

    @classmethod
    def sample(cls, seat: Seat) -> Action | None:
        """Return an action whose verdict explains why a seat may not; None where the action needs pieces."""
        return None if cls.__struct_fields__ != ("seat",) else cls(seat=seat)

    @classmethod
    def listed(cls, components: C, state: S, /) -> bool:
        """Return whether pages list it among what a seat may do in this match: never what happens by itself."""
        return not cls.upkeep

    @classmethod
    def lacking(cls, components: C, state: S, seat: Seat, /) -> Verdict | None:
        """Return why a seat that is due can do nothing of the kind, whatever it holds; None: no card would do."""
        return None

    @classmethod
    def offer(cls, components: C, state: S, actions: tuple[Self, ...], /) -> str:
        """Return the words for these legal actions of the kind: with what would do, where that helps."""
        return cls.declared.words

    def label(self, components: C, state: S, /) -> str:
        """Return what distinguishes it from the others of its kind; "" where its cards and fields say enough."""
        return ""

    def pictured(self, components: C, state: S, /) -> Piece:
        """Return the card that a page draws for it; "" where its own fields name a card, or none stands for it."""
        return ""

    def prospect(self, components: C, state: S, /) -> Prospect:
        """Return what it would lead to, where a player weighs it against others of its kind."""
        return NO_PROSPECT

    @classmethod
    def weight(cls, components: C, state: S, seat: Seat, /) -> Weight:
        """Return how it stands out on the page of a seat that may do it."""
        return ""

    @classmethod
    def asks_back(cls, components: C, state: S, seat: Seat, /) -> str:
        """Return what a page asks back before one tap does it; "" for nothing."""
        return cls.declared.sure

    def borne_out(self, components: C, state: S, hand: frozenset[Piece], /) -> bool:
        """Return whether the seat's `hand`, where known, fits what this action claims; then its weight may be weak."""
        return False

    @classmethod
    def entries(cls, components: C, state: S, seat: Seat, /) -> Iterable[Self]:
        """Yield the actions that pages list one by one, legal or not; none if the kind is one entry."""
        return ()

    def needs(self, components: C, state: S, /) -> tuple[Need, ...]:
        """Return the facts that the action waits for."""
        return ()

    @classmethod
    def meant_by(cls, components: C, state: S, piece: Piece, zone: Zone, /) -> Iterable[Action]:
        """Yield what somebody may have meant by laying this piece in this zone."""
        return ()


def _named(action: RuledAction[C, S]) -> RuledAction[C, S]:
    """Return an action with words for each name that it lacks, so that no sentence about it has a hole."""
    lacks: dict[str, object] = {}
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if value == "" and name not in action.blank:
            lacks[name] = NAMELESS
        elif isinstance(value, tuple) and "" in value:
            lacks[name] = tuple(each or NAMELESS for each in value)
    return replace(action, **lacks) if lacks else action


def tag_of(kind: type[Action]) -> str:
    """Return the name of an action type in journals and on pages."""
    return str(kind.__struct_config__.tag)


def union_of(kinds: Iterable[type[Action]]) -> ActionType:
    """Return the union of action types, for decoding."""
    return functools.reduce(operator.or_, kinds)


def actions_in(*modules: ModuleType) -> tuple[type[RuledAction[C, S]], ...]:
    """Return the action classes that modules define, in the order in which they are written there."""
    return tuple(
        found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, type)
        and issubclass(found, RuledAction)
        and found.__module__ == module.__name__
        and "declared" in vars(found)
    )


def seats_fit(seats: int, low: int, high: int, rule: str) -> None:
    """Raise RuleError, citing a rule, unless so many players can play."""
    if not low <= seats <= high:
        reason = t("{so_many_players} can't play this", so_many_players=so_many_players(seats))
        raise RuleError.illegal(rule, reason, t("Choose {low} to {high} players.", low=low, high=high))


def first_fits(first: Seat, seats: int) -> None:
    """Raise RuleError unless the seat of the first player is there (C3)."""
    if not 1 <= first <= seats:
        reason = t("there is no seat {first} to start", first=first)
        raise RuleError.inconsistent("C3", reason, t("Choose 1 to {seats}.", seats=seats))


class Views(Protocol[C_contra, S_contra]):
    """What can be seen of a state."""

    def layout(self, components: C_contra, state: S_contra, /) -> Layout: ...

    def standing(self, components: C_contra, state: S_contra, /) -> Standing: ...
    def view(self, components: C_contra, state: S_contra, seat: Seat, /) -> View: ...


class Corrections(Protocol[C_contra, S]):
    """What keeps a match and the table in agreement: audits, corrections, the host's end."""

    def audit(self, components: C_contra, state: S, /) -> tuple[str, ...]: ...
    def correct(self, components: C_contra, state: S, edits: tuple[AnyEdit, ...], /) -> S: ...
    def end(self, state: S, /) -> S: ...


class RuleBased(Game[S], Generic[C, S]):
    """A game of action classes; each adds its declaration, set-up, actors and `waiting`; `phase` names what is due."""

    kinds: tuple[type[RuledAction[C, S]], ...]
    legal_order: tuple[type[RuledAction[C, S]], ...] = ()
    """The order in which `legal` lists them, where that is another than on the pages: robots choose by it."""
    phases: Mapping[str, Phase]
    waiting: str = ""
    """What coaching says to a seat that is not due."""
    hidden: frozenset[Piece] = frozenset()
    """The cards that a hand which others can't see may hold."""
    heaps: frozenset[str] | None = None
    """The fields of a state whose order only says what came first and decides nothing; None: nobody looked for them."""

    counts_rounds: ClassVar[bool] = False
    """Whether rounds have points of their own, which can be put right."""

    components: C

    def __init__(self, deck: Deck, components: C, views: Views[C, S], corrections: Corrections[C, S]) -> None:
        self.deck = deck
        self.components = components
        self._views = views
        self._corrections = corrections
        self._shown: tuple[tuple[S, View], ...] = ()
        self._options = {
            phase: tuple(kind.options for kind in self.legal_order or self.kinds if phase in kind.declared.phases)
            for phase in self.phases
        }

    def declared(self) -> tuple[ActionKind, ...]:
        """Return the declaration of every action, as pages and `Info` want it."""
        return tuple(
            ActionKind(
                tag_of(kind), kind.declared.words, kind.declared.evidence, kind.declared.rule, kind.declared.unseen
            )
            for kind in self.kinds
        )

    @abstractmethod
    def due(self, state: S) -> str:
        """Return what is due, as a sentence to a person: the remedy of who does something else."""

    def phase(self, state: Any) -> str:  # any state that has a `phase`; whose has none overrides this
        """Return the name, one of `phases`, of what is due."""
        name: str = state.phase
        return name

    def turn(self, state: Any) -> Seat:  # any state that has a `turn`; whose has none overrides this
        """Return whose turn it is."""
        seat: Seat = state.turn
        return seat

    def layout(self, state: S) -> Layout:
        return self._views.layout(self.components, state)

    def _ruled(self, action: Action) -> RuledAction[C, S]:
        if isinstance(action, RuledAction):
            return action
        raise TypeError(f"{type(action).__name__} is no action with a rule")

    def settle(self, state: S) -> S:
        """Resolve what nobody has to decide, after every action and correction; most games have nothing to resolve."""
        return state

    def legal(self, state: S) -> list[Action]:
        found: list[Action] = []
        for options in self._options.get(self.phase(state), ()):
            found += options(self.components, state)
        return found

    def judge(self, state: S, action: Action) -> Verdict:
        ruled = self._ruled(action)
        early = ruled.not_now(self.components, state, ruled.seat)
        wrong = early or ruled.judge(self.components, state)
        if early is not None and early.kind == "illegal" and self.actors(state):
            wrong = replace(early, early=True)
        return wrong if wrong.ok or (named := _named(ruled)) is ruled else self.judge(state, named)

    def needs(self, state: S, action: Action) -> tuple[Need, ...]:
        return self._ruled(action).needs(self.components, state)

    def bears_out(self, state: S, action: Action, hand: frozenset[Piece]) -> bool:
        return self._ruled(action).borne_out(self.components, state, hand)

    def play(self, state: S, action: Action, facts: Facts = ()) -> S:
        ruled = self._ruled(action)
        verdict = self.judge(state, ruled)
        if not verdict.ok:
            raise RuleError(verdict)
        return self.settle(ruled.play(self.components, state, facts))

    def standing(self, state: S) -> Standing:
        return self._views.standing(self.components, state)

    def view(self, state: S, seat: Seat) -> View:
        if seat == TABLE:
            return self._public(state)
        view = self._views.view(self.components, state, seat)
        legal = self.legal(state)
        may = tuple(
            may
            for kind in self.kinds
            if kind.listed(self.components, state)
            for may in self._offered(state, seat, kind, legal)
        )
        call = self.call(state, seat) if seat in self.actors(state) else ""
        return replace(view, may=may, coach=self.coach(state, seat), holds=self.hidden, call=call)

    def _public(self, state: S) -> View:
        """Return what everybody may see; after each action several ask for it, of that state and the one before."""
        view = next((view for known, view in self._shown if known is state), None)
        if view is None:
            view = self._views.view(self.components, state, TABLE)
            self._shown = (*self._shown[-1:], (state, view))
        return view

    def coach(self, state: S, seat: Seat) -> str:
        """Return the hint for a player's first match: what this phase is about; "" when the match is over."""
        due = self.actors(state)
        if not due:
            return ""
        return self.phases[self.phase(state)].coach if seat in due or TABLE in due else self.waiting

    def call(self, state: S, seat: Seat) -> str:
        """Return what a seat that is due is called upon to do, in at most eight words; "" to say what is due."""
        return self.phases[self.phase(state)].call

    def _offered(self, state: S, seat: Seat, kind: type[RuledAction[C, S]], legal: list[Action]) -> Iterator[May]:
        apart = False
        for action in kind.entries(self.components, state, seat):
            apart, verdict = True, self.judge(state, action)
            words = action.label(self.components, state)
            yield May(tag_of(kind), words, verdict, (action,) if verdict.ok else ())
        if not apart:
            yield self._may(state, seat, kind, legal)

    def _may(self, state: S, seat: Seat, kind: type[RuledAction[C, S]], legal: list[Action]) -> May:
        found = tuple(action for action in legal if action.seat == seat and type(action) is kind)
        if not found:
            return May(tag_of(kind), kind.declared.words, self._why_not(state, seat, kind))
        labels = tuple(action.label(self.components, state) for action in found)
        labels = labels if len(found) > 1 or labels[0] else ()
        words, said = kind.offer(self.components, state, found), kind.declared
        hides = f"{said.hides}.{seat}" if said.hides else ""
        pictures = tuple(action.pictured(self.components, state) for action in found)
        pictures = pictures if any(pictures) else ()
        prospects = tuple(action.prospect(self.components, state) for action in found)
        return May(
            tag_of(kind),
            words,
            LEGAL,
            found,
            labels,
            said.idle,
            said.onward,
            sure=kind.asks_back(self.components, state, seat),
            weight=kind.weight(self.components, state, seat),
            hides=hides,
            pictures=pictures,
            prospects=prospects if any(one is not NO_PROSPECT for one in prospects) else (),
        )

    def _why_not(self, state: S, seat: Seat, kind: type[RuledAction[C, S]]) -> Verdict:
        sample = kind.sample(seat)
        if sample is not None:
            return self.judge(state, sample)
        wrong = kind.not_now(self.components, state, seat) or kind.lacking(self.components, state, seat)
        return wrong or illegal("C2", t("none of your cards would do"), self.due(state))

    def describe(self, state: S, action: Action, facts: Facts = ()) -> str:
        return _named(self._ruled(action)).describe(self.components, state, facts)

    def meant_by(self, state: S, piece: Piece, zone: Zone) -> Iterable[Action]:
        """Yield what somebody may have meant by laying this piece in this zone; what is due comes first."""
        for kind in self.kinds:
            yield from kind.meant_by(self.components, state, piece, zone)

    def audit(self, state: S) -> tuple[str, ...]:
        return self._corrections.audit(self.components, state)

    def correct(self, state: S, edits: tuple[AnyEdit, ...]) -> S:
        possible(edits, self.counts_rounds)
        return self.settle(self._corrections.correct(self.components, state, edits))

    def end(self, state: S) -> S:
        return self._corrections.end(state)

    def recall(self, state: S, undone: tuple[Undone, ...]) -> S:
        return recalled(state, undone, self.exchanged)

    def exchanged(self, step: Undone) -> Collection[Seat]:
        """Return the seats that exchanged cards in one step unseen and one for one, so that no count tells of it."""
        return ()

    def canonical(self, state: S) -> object:
        return None if self.heaps is None else canonical(state, self.heaps)
