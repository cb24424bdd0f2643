"""A game put together from three modules of functions over its box: what may be done, what is seen, what keeps it true.

`Game` is the contract that others see. A game of any size does not fit into one class; it is written as functions of
its *box* (the deck, sorted) and a state, and this class makes them one object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from companion.rules.cards import Deck, Piece
from companion.rules.corrections import possible
from companion.rules.kernel import (
    TABLE,
    Action,
    ActionKind,
    AnyEdit,
    Facts,
    Game,
    Need,
    RuleError,
    S,
    Seat,
    Standing,
    Verdict,
    View,
)
from companion.rules.layout import Zone

B = TypeVar("B")
Judge = Callable[[Any, Any, Any], Verdict]
"""Judges an action: box, state, action."""
Play = Callable[[Any, Any, Any, Facts], Any]
"""Plays a legal action: box, state, action, facts; gives the state after it."""


class Moves(Protocol):
    """What may be done. `RULES` has, for each action type, how it is judged and how it is played."""

    @property
    def RULES(self) -> Mapping[Any, tuple[Judge, Play]]: ...  # noqa: D102, N802
    def legal(self, box: Any, state: Any, /) -> Iterable[Action]: ...  # noqa: D102
    def needs(self, box: Any, state: Any, action: Any, /) -> tuple[Need, ...]: ...  # noqa: D102
    def attempts(self, box: Any, state: Any, piece: Piece, zone: Zone, /) -> Iterable[Action]: ...  # noqa: D102


class Show(Protocol):
    """What can be seen and said."""

    def standing(self, box: Any, state: Any, /) -> Standing: ...  # noqa: D102
    def view(self, box: Any, state: Any, seat: Seat, kinds: tuple[ActionKind, ...], /) -> View: ...  # noqa: D102
    def tell(self, box: Any, state: Any, action: Any, facts: Facts, /) -> str: ...  # noqa: D102


class Mend(Protocol):
    """What keeps a match true: audits, corrections, the host's end, what undo must not forget."""

    def audit(self, box: Any, state: Any, /) -> tuple[str, ...]: ...  # noqa: D102
    def correct(self, box: Any, state: Any, edits: tuple[AnyEdit, ...], /) -> Any: ...  # noqa: D102
    def end(self, state: Any, /) -> Any: ...  # noqa: D102
    def recall(self, box: Any, state: Any, undone: tuple[tuple[Any, Facts], ...], /) -> Any: ...  # noqa: D102


class Coaching(Protocol):
    """What helps people who play for the first time."""

    def coach(self, box: Any, state: Any, seat: Seat, /) -> str: ...  # noqa: D102
    def label(self, box: Any, state: Any, action: Any, /) -> str: ...  # noqa: D102
    def holds(self, box: Any, /) -> frozenset[Piece]: ...  # noqa: D102


class Assembled(Game[S], Generic[B, S]):
    """A game made of a box and three modules. What is left to each game: declaration, set-up, actors, layout."""

    box: B

    def __init__(
        self, deck: Deck, box: B, moves: Moves, show: Show, mend: Mend, coaching: Coaching | None = None
    ) -> None:
        """Put the parts together; a game without `coaching` has no sentences for first matches."""
        self.deck = deck
        self.box = box
        self._moves = moves
        self._show = show
        self._mend = mend
        self._coaching = coaching

    def settle(self, state: S) -> S:
        """Pass over what nobody has to decide, after every action and correction; most games have nothing."""
        return state

    def legal(self, state: S) -> Iterable[Any]:
        """List templates of every legal action."""
        return self._moves.legal(self.box, state)

    def judge(self, state: S, action: Any) -> Verdict:
        """Return whether a ground action is legal, and if not, why."""
        return self._moves.RULES[type(action)][0](self.box, state, action)

    def needs(self, state: S, action: Any) -> tuple[Need, ...]:
        """List the facts that an action waits for."""
        return self._moves.needs(self.box, state, action)

    def play(self, state: S, action: Any, facts: Facts = ()) -> S:
        """Apply a ground action with its facts."""
        judge, play = self._moves.RULES[type(action)]
        verdict = judge(self.box, state, action)
        if not verdict.ok:
            raise RuleError(verdict)
        return self.settle(play(self.box, state, action, facts))

    def standing(self, state: S) -> Standing:
        """Return scores with their parts."""
        return self._show.standing(self.box, state)

    def view(self, state: S, seat: Seat) -> View:
        """Return what a seat may see and do, with what a first match needs beside it."""
        view = self._show.view(self.box, state, seat, self.info.kinds)
        coaching = self._coaching
        if coaching is None or seat == TABLE:
            return view
        may = tuple(
            replace(one, labels=tuple(coaching.label(self.box, state, action) for action in one.actions))
            if len(one.actions) > 1
            else one
            for one in view.may
        )
        words = "" if view.waiting == () else coaching.coach(self.box, state, seat)
        return replace(view, may=may, coach=words, holds=coaching.holds(self.box))

    def tell(self, state: S, action: Any, facts: Facts = ()) -> str:
        """Say in one sentence what an action does."""
        return self._show.tell(self.box, state, action, facts)

    def audit(self, state: S) -> tuple[str, ...]:
        """Name everything that does not add up."""
        return self._mend.audit(self.box, state)

    def correct(self, state: S, edits: tuple[AnyEdit, ...]) -> S:
        """Make the state agree with the edits."""
        possible(edits)
        return self.settle(self._mend.correct(self.box, state, edits))

    def end(self, state: S) -> S:
        """Stop the match without a winner."""
        ended: S = self._mend.end(state)
        return ended

    def recall(self, state: S, undone: tuple[tuple[Any, Facts], ...]) -> S:
        """Keep what undone records showed."""
        kept: S = self._mend.recall(self.box, state, undone)
        return kept

    def attempts(self, state: S, piece: Piece, zone: Zone) -> Iterable[Any]:
        """Yield what somebody may have meant by laying this piece in this zone."""
        return self._moves.attempts(self.box, state, piece, zone)
