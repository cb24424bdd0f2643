"""The section "How to Play" of Karmic Collections: the karmic partner, and the two actions of a turn."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.karmic_collections.components import Components
from companion.games.karmic_collections.spaces import (
    DECK,
    MY_CARDS,
    MY_CHITS,
    MY_DICE,
    SPACES,
    STEPS,
    Lack,
    amount,
    lack,
)
from companion.games.karmic_collections.state import HOW, State
from companion.games.karmic_collections.steps import (
    KarmicAction,
    feasible,
    has,
    opposite,
    proceed,
    waiting,
    with_player,
)
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import all_of, any_of

# ------------------------------------------------------------------------------------------------ the karmic partner


class TurnUp(KarmicAction, frozen=True, tag="turn-up", kw_only=True):
    """Turn all your partner tokens up again, at the start of your turn."""

    declared = Declared("Turn all partner tokens up", "A", "How to Play; M6", ("tokens",))

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """Once all partner tokens are flipped, flip them up at the start of your next turn (M6)."""
        if state.phase == "partner" and seat == state.turn:
            up = all_of(at(other) for other in sorted(state.players[seat - 1].up))
            return illegal("M6", f"the token of {up} is still up", waiting(components, state))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[TurnUp]:
        return [cls(seat=state.turn)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Everybody can be the partner again."""
        player = replace(state.players[self.seat - 1], up=frozenset(state.seats) - {self.seat})
        return replace(with_player(state, self.seat, player), phase="partner")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return f"{at(self.seat)} turns all partner tokens up."

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[TurnUp]:
        return [cls(seat=owner_of(zone))] if zone.startswith("tokens.") else ()


class Partner(KarmicAction, frozen=True, tag="partner", kw_only=True):
    """Declare your karmic partner for the turn: place their token forward."""

    declared = Declared("Declare a karmic partner", "A", "How to Play; M6", ("partner",))
    partner: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Partner]:
        return [cls(seat=state.turn, partner=other) for other in sorted(state.players[state.turn - 1].up)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Each player can be paired with once before all tokens are flipped."""
        up = state.players[self.seat - 1].up
        if self.partner in up:
            return LEGAL
        remedy = f"Choose {any_of(at(seat) for seat in sorted(up))}."
        if self.partner not in state.seats:
            return inconsistent("C3", f"there is no seat {self.partner}", remedy)
        if self.partner == self.seat:
            return illegal(HOW, "nobody is their own karmic partner", remedy)
        return illegal(HOW, f"the token of {at(self.partner)} is turned down until all are", remedy)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """If no action at all can be done, both are skipped (M5)."""
        state = replace(state, partner=self.partner)
        return replace(state, phase="first" if feasible(state) else "end")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, other = at(self.seat), at(self.partner)
        return f"{who} declares {other} the karmic partner of this turn{self._skipped(components, state)}."

    def _skipped(self, components: Components, state: State) -> str:
        """Describe that no action can be done with this partner (M5)."""
        if self.not_now(components, state, self.seat) or not self.judge(components, state).ok:
            return ""
        return "; no action can be done, so both are skipped" if self.play(components, state, ()).phase == "end" else ""

    def label(self, components: Components, state: State) -> str:
        return at(self.partner)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Partner]:
        declared = zone.startswith("partner.") and piece in components.stands
        return [cls(seat=owner_of(zone), partner=components.stands[piece][1])] if declared else ()


# ------------------------------------------------------------------------------------------------- the two actions


class PlayPawn(KarmicAction, frozen=True, kw_only=True):
    """A pawn is played on one of the eight actions, which is then performed."""

    space: str

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """An action of which none can be done is skipped (M5)."""
        wrong = super().not_now(components, state, seat)
        return wrong and (_skipped(components, state, seat) or wrong)

    @classmethod
    def entries(cls, components: Components, state: State, seat: Seat) -> Iterable[PlayPawn]:
        """All eight, so that a page says of each which of its parts fails."""
        return () if cls.not_now(components, state, seat) else [cls(seat=seat, space=name) for name in SPACES]

    def judge(self, components: Components, state: State) -> Verdict:
        """If any part of the action can't be performed it can't be selected; checked from left to right (M4)."""
        space = SPACES.get(self.space)
        if space is None:
            return inconsistent("C9", f"there is no action called {self.space!r}", f"There are {', '.join(SPACES)}.")
        missing = lack(STEPS[self.space], has(state))
        if missing is None:
            return LEGAL
        reason = f"{space.title} can't be done: {_lack_words(state, self.space, missing)}"
        return illegal("M4", reason, "Choose another action.")

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Perform the action as indicated, from left to right; whoever chose it, it is of whose turn it is."""
        return proceed(components, replace(state, spaces=(*state.spaces, self.space), step=0, phase="act"))

    def label(self, components: Components, state: State) -> str:
        space = SPACES[self.space]
        return f"{space.title} ({space.side}): {space.words}"


class First(PlayPawn, frozen=True, tag="first", kw_only=True):
    """Play your first pawn on one of the eight actions."""

    declared = Declared("Play the first pawn on an action", "A", "How to Play; M4, M5", ("first",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[First]:
        return [cls(seat=state.turn, space=space) for space in feasible(state)]

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return f"{at(self.seat)} plays {_space(self.space)}."

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[PlayPawn]:
        """A pawn that lies on an action is rather the second where the first lies already."""
        if zone in SPACES:
            if state.spaces:
                yield Second(seat=state.partner, space=zone)
            yield cls(seat=state.turn, space=zone)


class Second(PlayPawn, frozen=True, tag="second", kw_only=True):
    """Choose the second action of whose karmic partner you are, from the opposite side."""

    declared = Declared("Choose the second action for your partner", "A", "How to Play; M4, M5", ("second",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Second]:
        return [cls(seat=state.partner, space=space) for space in feasible(state, (opposite(state),))]

    def judge(self, components: Components, state: State) -> Verdict:
        """Your karmic partner chooses your second action from the opposite side."""
        space = SPACES.get(self.space)
        if space is not None and space.side != opposite(state):
            reason = f"the first action was {space.side}, so the second must be {opposite(state)}; {space.title} is not"
            return illegal(HOW, reason, waiting(components, state))
        return super().judge(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return f"{at(self.seat)} chooses {_space(self.space)} for {at(state.turn)}."


def _skipped(components: Components, state: State, seat: Seat) -> Verdict | None:
    """Return that an action of this seat is skipped, because none can be done (M5). None if that is not so."""
    if state.phase != "end" or seat not in (state.turn, state.partner):
        return None
    due = waiting(components, state)
    if not state.spaces:
        return illegal("M5", f"no action can be done with {at(state.partner)}, so both are skipped", due)
    if len(state.spaces) == 1 and seat == state.partner:
        return illegal("M5", f"no {opposite(state)} action can be done, so the second is skipped", due)
    return None


def _lack_words(state: State, name: str, missing: Lack) -> str:
    """Describe which part fails and why: "its part "steal 2 cards" fails, as @2 has 1 card"."""
    what, count = missing.part.what, missing.has
    some = amount(count, what) if count else f"no {what}"
    mine = missing.source in (MY_CARDS, MY_DICE, MY_CHITS)
    who = "the deck" if missing.source == DECK else at(state.turn if mine else state.partner)
    then = " by then" if missing.part != SPACES[name].parts[0] else ""
    return f'its part "{missing.part.words}" fails, as {who} has {some}{then}'


def _space(name: str) -> str:
    space = SPACES.get(name)
    return f"{space.title} ({space.words})" if space else f"the action {name!r}"
