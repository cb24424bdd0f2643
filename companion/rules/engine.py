"""A game written as actions: each action is one class that holds its whole rule, and `RuleBased` is the game of them.

From the classes come the declaration, the union for decoding, the list of what is legal, verdicts, sentences and what a
seat may do. What concerns the whole state (layout, standing, audit) stays functions of the state.
"""

from __future__ import annotations

import functools
import operator
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from companion.rules.cards import Deck, Piece
from companion.rules.corrections import possible
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    Action,
    ActionKind,
    AnyEdit,
    Facts,
    Game,
    May,
    Need,
    RuleError,
    Seat,
    Standing,
    Verdict,
    View,
    illegal,
)
from companion.rules.layout import Zone
from companion.text import t

C = TypeVar("C")
S = TypeVar("S")


class Declared(msgspec.Struct, frozen=True):
    """What is known of an action before anybody takes it.

    `words` name it on the pages; `evidence` is its class: A shows on the table, B takes one tap, C is a tap on the
    phone; `rule` is a section of the rulebook or a ruling; `phases` are those of the match in which it may be taken.
    `idle`: who does it gives up doing something else (a pass), so that pages offer it last; `onward`: nothing else has
    to be done any more, so that there it stands out. `hides` is a zone of the seat ("treasure") in which it lays a card
    of its hand face down, without saying which.
    `unseen`: nothing on the table ever tells of it.
    """

    words: str
    evidence: str
    rule: str
    phases: tuple[str, ...] = ()
    idle: bool = False
    onward: bool = False
    hides: str = ""
    unseen: bool = False


class Phase(msgspec.Struct, frozen=True):
    """A phase of a match, in which certain actions are due.

    `due` says what a seat does then ("places a bottle"; "" where the game has whole sentences of its own), `rule` where
    the rulebook says so. `coach` tells a seat whose player plays for the first time what it is about; a phase in which
    the table itself acts says it to everybody. `call` calls upon a seat that is due, in at most eight words.
    """

    due: str = ""
    rule: str = ""
    coach: str = ""
    call: str = ""


class RuledAction(Action, frozen=True, kw_only=True):
    """An action with its rule: when it may be taken, what it does, and how people say it."""

    declared: ClassVar[Declared]
    upkeep: ClassVar[bool] = False
    """Whether it happens by itself: seat `TABLE` does it, and nobody chooses."""

    @classmethod
    def options(cls, components: Any, state: Any, /) -> Iterable[Action]:
        """Yield the templates that are legal; asked only in the action's own phases."""
        return ()

    @classmethod
    @abstractmethod
    def not_now(cls, components: Any, state: Any, seat: Seat, /) -> Verdict | None:
        """Return why a seat can't do this now, whatever it holds; None if its phase is due and it is its turn."""

    def judge(self, components: Any, state: Any, /) -> Verdict:
        """Return whether it is legal in its phase, and if not: by which rule, why, and what to do about it."""
        return LEGAL

    @abstractmethod
    def play(self, components: Any, state: Any, facts: Facts, /) -> Any:
        """Return the state after the action, which is legal."""

    @abstractmethod
    def describe(self, components: Any, state: Any, facts: Facts, /) -> str:
        """Return one sentence that says what the action does."""

    @classmethod
    def sample(cls, seat: Seat) -> Action | None:
        """Return an action whose verdict explains why a seat may not; None where the action needs pieces."""
        return None if cls.__struct_fields__ != ("seat",) else cls(seat=seat)

    @classmethod
    def listed(cls, components: Any, state: Any, /) -> bool:
        """Return whether pages list it among what a seat may do in this match: never what happens by itself."""
        return not cls.upkeep

    @classmethod
    def lacking(cls, components: Any, state: Any, seat: Seat, /) -> Verdict | None:
        """Return why a seat that is due can do nothing of the kind, whatever it holds; None: no card would do."""
        return None

    @classmethod
    def offer(cls, components: Any, state: Any, actions: tuple[Any, ...], /) -> str:
        """Return the words for these legal actions of the kind: with what would do, where that helps."""
        return cls.declared.words

    def label(self, components: Any, state: Any, /) -> str:
        """Return what distinguishes it from the others of its kind; "" where its cards and fields say enough."""
        return ""

    def pictured(self, components: Any, state: Any, /) -> Piece:
        """Return the card that a page draws for it; "" where its own fields name a card, or none stands for it."""
        return ""

    @classmethod
    def entries(cls, components: Any, state: Any, seat: Seat, /) -> Iterable[RuledAction]:
        """Yield the actions that pages list one by one, legal or not; none if the kind is one entry.

        The label says what each of them does, and its verdict why it can't be done.
        """
        return ()

    def needs(self, components: Any, state: Any, /) -> tuple[Need, ...]:
        """Return the facts that the action waits for."""
        return ()

    @classmethod
    def meant_by(cls, components: Any, state: Any, piece: Piece, zone: Zone, /) -> Iterable[Action]:
        """Yield what somebody may have meant by laying this piece in this zone."""
        return ()

    def shows(self, state: Any, facts: Facts, /) -> frozenset[Piece]:
        """Return the cards of the seat's own hand that it showed: they stay known when it is undone (C4)."""
        return frozenset()


Kind = type[RuledAction]


def tag_of(kind: type[Action]) -> str:
    """Return the name of an action type in journals and on pages."""
    return str(kind.__struct_config__.tag)


def union_of(kinds: Iterable[Kind]) -> Any:
    """Return the union of action types, for decoding."""
    return functools.reduce(operator.or_, kinds)


def actions_in(*modules: ModuleType) -> tuple[Kind, ...]:
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


class Views(Protocol):
    """What can be seen of a state."""

    def standing(self, components: Any, state: Any, /) -> Standing: ...  # noqa: D102
    def view(self, components: Any, state: Any, seat: Seat, /) -> View: ...  # noqa: D102


class Corrections(Protocol):
    """What keeps a match and the table in agreement: audits, corrections, the host's end, what undo must not forget."""

    def audit(self, components: Any, state: Any, /) -> tuple[str, ...]: ...  # noqa: D102
    def correct(self, components: Any, state: Any, edits: tuple[AnyEdit, ...], /) -> Any: ...  # noqa: D102
    def end(self, state: Any, /) -> Any: ...  # noqa: D102
    def recall(self, components: Any, state: Any, undone: tuple[tuple[Any, Facts], ...], /) -> Any: ...  # noqa: D102


class RuleBased(Game[S], Generic[C, S]):
    """A game made of its action classes. Each game adds its declaration, set-up, actors, layout and `waiting`.

    A state has a `phase`: the name of what is due. Where a phase goes on in steps, `phase` says which step it is.
    """

    kinds: tuple[Kind, ...]
    legal_order: tuple[Kind, ...] = ()
    """The order in which `legal` lists them, where that is another than on the pages: robots choose by it."""
    phases: Mapping[str, Phase]
    waiting: str = ""
    """What coaching says to a seat that is not due."""
    hidden: frozenset[Piece] = frozenset()
    """The cards that a hand which others can't see may hold."""

    components: C

    def __init__(self, deck: Deck, components: C, views: Views, corrections: Corrections) -> None:
        """Put the parts together."""
        self.deck = deck
        self.components = components
        self._views = views
        self._corrections = corrections
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

    def phase(self, state: Any) -> str:
        """Return the name, one of `phases`, of what is due."""
        name: str = state.phase
        return name

    def settle(self, state: S) -> S:
        """Resolve what nobody has to decide, after every action and correction; most games have nothing to resolve."""
        return state

    def legal(self, state: Any) -> list[Action]:
        """List templates of every legal action."""
        found: list[Action] = []
        for options in self._options.get(self.phase(state), ()):
            found += options(self.components, state)
        return found

    def judge(self, state: S, action: Any) -> Verdict:
        """Return whether a ground action is legal, and if not, why."""
        wrong: Verdict | None = action.not_now(self.components, state, action.seat)
        if wrong is not None:
            return wrong
        verdict: Verdict = action.judge(self.components, state)
        return verdict

    def needs(self, state: S, action: Any) -> tuple[Need, ...]:
        """List the facts that an action waits for."""
        needed: tuple[Need, ...] = action.needs(self.components, state)
        return needed

    def play(self, state: S, action: Any, facts: Facts = ()) -> S:
        """Apply a ground action with its facts."""
        verdict = self.judge(state, action)
        if not verdict.ok:
            raise RuleError(verdict)
        return self.settle(action.play(self.components, state, facts))

    def standing(self, state: S) -> Standing:
        """Return scores with their parts."""
        return self._views.standing(self.components, state)

    def view(self, state: Any, seat: Seat) -> View:
        """Return what a seat may see and do, with what a first match needs beside it."""
        view = self._views.view(self.components, state, seat)
        if seat == TABLE:
            return view
        legal = self.legal(state)
        may = tuple(
            may
            for kind in self.kinds
            if kind.listed(self.components, state)
            for may in self._offered(state, seat, kind, legal)
        )
        call = self.call(state, seat) if seat in self.actors(state) else ""
        return replace(view, may=may, coach=self.coach(state, seat), holds=self.hidden, call=call)

    def coach(self, state: Any, seat: Seat) -> str:
        """Return the hint for a player's first match: what this phase is about; "" when the match is over."""
        due = self.actors(state)
        if not due:
            return ""
        return self.phases[self.phase(state)].coach if seat in due or TABLE in due else self.waiting

    def call(self, state: Any, seat: Seat) -> str:
        """Return what a seat that is due is called upon to do, in at most eight words; "" to say what is due."""
        return self.phases[self.phase(state)].call

    def _offered(self, state: S, seat: Seat, kind: Kind, legal: list[Action]) -> Iterator[May]:
        apart = False
        for action in kind.entries(self.components, state, seat):
            apart, verdict = True, self.judge(state, action)
            words = action.label(self.components, state)
            yield May(tag_of(kind), words, verdict, (action,) if verdict.ok else ())
        if not apart:
            yield self._may(state, seat, kind, legal)

    def _may(self, state: S, seat: Seat, kind: Kind, legal: list[Action]) -> May:
        found = tuple(action for action in legal if action.seat == seat and type(action) is kind)
        if not found:
            return May(tag_of(kind), kind.declared.words, self._why_not(state, seat, kind))
        labels = tuple(action.label(self.components, state) for action in found)
        labels = labels if len(found) > 1 or labels[0] else ()
        words, said = kind.offer(self.components, state, found), kind.declared
        hides = f"{said.hides}.{seat}" if said.hides else ""
        pictures = tuple(action.pictured(self.components, state) for action in found)
        pictures = pictures if any(pictures) else ()
        return May(tag_of(kind), words, LEGAL, found, labels, said.idle, said.onward, hides=hides, pictures=pictures)

    def _why_not(self, state: S, seat: Seat, kind: Kind) -> Verdict:
        """Return why a seat can do nothing of a kind now, whatever it holds."""
        sample = kind.sample(seat)
        if sample is not None:
            return self.judge(state, sample)
        wrong = kind.not_now(self.components, state, seat) or kind.lacking(self.components, state, seat)
        return wrong or illegal("C2", t("none of your cards would do"), self.due(state))

    def tell(self, state: S, action: Any, facts: Facts = ()) -> str:
        """Describe in one sentence what an action does."""
        sentence: str = action.describe(self.components, state, facts)
        return sentence

    def attempts(self, state: S, piece: Piece, zone: Zone) -> Iterable[Action]:
        """Yield what somebody may have meant by laying this piece in this zone; what is due comes first."""
        for kind in self.kinds:
            yield from kind.meant_by(self.components, state, piece, zone)

    def audit(self, state: S) -> tuple[str, ...]:
        """Return one sentence for everything that does not add up."""
        return self._corrections.audit(self.components, state)

    def correct(self, state: S, edits: tuple[AnyEdit, ...]) -> S:
        """Make the state agree with the edits."""
        possible(edits)
        return self.settle(self._corrections.correct(self.components, state, edits))

    def end(self, state: S) -> S:
        """Stop the match without a winner."""
        ended: S = self._corrections.end(state)
        return ended

    def recall(self, state: S, undone: tuple[tuple[Any, Facts], ...]) -> S:
        """Keep what undone records showed."""
        kept: S = self._corrections.recall(self.components, state, undone)
        return kept
