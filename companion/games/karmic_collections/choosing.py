"""The section "How to Play" of Karmic Collections: the karmic partner, and the two actions of a turn."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.karmic_collections import steps
from companion.games.karmic_collections.components import Components
from companion.games.karmic_collections.spaces import (
    DECK,
    MARKS,
    MY_CARDS,
    MY_CHITS,
    MY_DICE,
    NONE,
    SIDE_WORDS,
    SPACES,
    STEPS,
    Lack,
    amount,
    lack,
)
from companion.games.karmic_collections.state import HOW, State
from companion.games.karmic_collections.steps import KarmicAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import all_of, any_of
from companion.text import t


class TurnUp(KarmicAction, frozen=True, tag="turn-up", kw_only=True):
    """Turn all your partner tokens up again, at the start of your turn."""

    declared = Declared(t("Turn all partner tokens up"), "A", "How to Play; M6", ("tokens",))

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """Once all partner tokens are flipped, flip them up at the start of your next turn (M6)."""
        if state.phase == "partner" and seat == state.turn:
            up = all_of(at(other) for other in sorted(state.players[seat - 1].up))
            return illegal("M6", t("the token of {up} is still up", up=up), steps.waiting(components, state))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[TurnUp]:
        return [cls(seat=state.turn)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        player = replace(state.players[self.seat - 1], up=frozenset(state.seats) - {self.seat})
        return replace(steps.with_player(state, self.seat, player), phase="partner")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} turns all partner tokens up.", seat=at(self.seat))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[TurnUp]:
        return [cls(seat=owner_of(zone))] if zone.startswith("tokens.") else ()


class Partner(KarmicAction, frozen=True, tag="partner", kw_only=True):
    """Declare your karmic partner for the turn: place their token forward."""

    declared = Declared(t("Declare a karmic partner"), "A", "How to Play; M6", ("partner",))
    partner: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Partner]:
        return [cls(seat=state.turn, partner=other) for other in sorted(state.players[state.turn - 1].up)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Each player can be paired with once before all tokens are flipped."""
        up = state.players[self.seat - 1].up
        if self.partner in up:
            return LEGAL
        remedy = t("Choose {seat}.", seat=any_of(at(seat) for seat in sorted(up)))
        if self.partner not in state.seats:
            return inconsistent("C3", t("there is no seat {partner}", partner=self.partner), remedy)
        if self.partner == self.seat:
            return illegal(HOW, t("nobody is their own karmic partner"), remedy)
        return illegal(HOW, t("the token of {partner} is turned down until all are", partner=at(self.partner)), remedy)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """If no action at all can be done, both are skipped (M5)."""
        state = replace(state, partner=self.partner)
        return replace(state, phase="first" if steps.feasible(state) else "end")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        who, partner = at(self.seat), at(self.partner)
        if self._skipped(components, state):
            return t(
                "{who} takes {partner} as partner; no action can be done, so both are skipped.",
                who=who,
                partner=partner,
            )
        return t("{who} takes {partner} as partner.", who=who, partner=partner)

    def _skipped(self, components: Components, state: State) -> bool:
        """Return whether no action can be done with this partner (M5)."""
        if self.not_now(components, state, self.seat) or not self.judge(components, state).ok:
            return False
        return self.play(components, state, ()).phase == "end"

    def label(self, components: Components, state: State) -> str:
        return at(self.partner)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Partner]:
        declared = zone.startswith("partner.") and piece in components.stands
        return [cls(seat=owner_of(zone), partner=components.stands[piece][1])] if declared else ()


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
            return inconsistent(
                "C9",
                t("there is no action called {space!r}", space=self.space),
                t("There are {spaces}.", spaces=", ".join(SPACES)),
            )
        missing = lack(STEPS[self.space], steps.has(state))
        if missing is None:
            return LEGAL
        reason = t("{title} can't be done: {lack}", title=space.title, lack=_lack_words(state, self.space, missing))
        return illegal("M4", reason, t("Choose another action."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Perform the action as indicated, from left to right; whoever chose it, it is of whose turn it is."""
        return steps.proceed(components, replace(state, spaces=(*state.spaces, self.space), step=0, phase="act"))

    def label(self, components: Components, state: State) -> str:
        space = SPACES[self.space]
        return t("{mark} {title}: {words}", mark=MARKS[space.side], title=space.title, words=space.words)


class First(PlayPawn, frozen=True, tag="first", kw_only=True):
    """Play your first pawn on one of the eight actions."""

    declared = Declared(t("Play the first pawn on an action"), "A", "How to Play; M4, M5", ("first",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[First]:
        return [cls(seat=state.turn, space=space) for space in steps.feasible(state)]

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} plays {space}.", seat=at(self.seat), space=_space(self.space))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[PlayPawn]:
        """A pawn that lies on an action is rather the second where the first lies already."""
        if zone in SPACES:
            if state.spaces:
                yield Second(seat=state.partner, space=zone)
            yield cls(seat=state.turn, space=zone)


class Second(PlayPawn, frozen=True, tag="second", kw_only=True):
    """Choose the second action of whose karmic partner you are, from the opposite side."""

    declared = Declared(t("Choose the second action for your partner"), "A", "How to Play; M4, M5", ("second",))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Second]:
        return [cls(seat=state.partner, space=space) for space in steps.feasible(state, (steps.opposite(state),))]

    def judge(self, components: Components, state: State) -> Verdict:
        """Your karmic partner chooses your second action from the opposite side."""
        space = SPACES.get(self.space)
        if space is not None and space.side != steps.opposite(state):
            reason = t(
                "the first action was {side}, so the second must be {opposite}; {title} is not",
                side=SIDE_WORDS[space.side],
                opposite=SIDE_WORDS[steps.opposite(state)],
                title=space.title,
            )
            return illegal(HOW, reason, steps.waiting(components, state))
        return super().judge(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} chooses {space} for {turn}.", seat=at(self.seat), space=_space(self.space), turn=at(state.turn)
        )


def _skipped(components: Components, state: State, seat: Seat) -> Verdict | None:
    """Return that an action of this seat is skipped, because none can be done (M5); else None."""
    if state.phase != "end" or seat not in (state.turn, state.partner):
        return None
    due = steps.waiting(components, state)
    if not state.spaces:
        return illegal(
            "M5", t("no action can be done with {partner}, so both are skipped", partner=at(state.partner)), due
        )
    if len(state.spaces) == 1 and seat == state.partner:
        return illegal(
            "M5",
            t("no {side} action can be done, so the second is skipped", side=SIDE_WORDS[steps.opposite(state)]),
            due,
        )
    return None


def _lack_words(state: State, name: str, missing: Lack) -> str:
    """Describe which part fails and why: "its part "steal 2 cards" fails, as @2 has 1 card"."""
    what, count = missing.part.what, missing.has
    some = amount(count, what) if count else NONE[what]
    mine = missing.source in (MY_CARDS, MY_DICE, MY_CHITS)
    who = t("the deck") if missing.source == DECK else at(state.turn if mine else state.partner)
    part = missing.part.words
    if missing.part != SPACES[name].parts[0]:
        return t('its part "{part}" fails, as {who} has {some} by then', part=part, who=who, some=some)
    return t('its part "{part}" fails, as {who} has {some}', part=part, who=who, some=some)


def _space(name: str) -> str:
    space = SPACES.get(name)
    return (
        t("{title} ({words})", title=space.title, words=space.words) if space else t("the action {name!r}", name=name)
    )
