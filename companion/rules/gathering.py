"""Before the match: people sit down, no game is chosen, and no action is legal; so no table lacks a match."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.rules.cards import Deck
from companion.rules.kernel import (
    Action,
    AnyEdit,
    Facts,
    Game,
    Info,
    Need,
    Options,
    Outcome,
    RuleError,
    Seat,
    SeatStanding,
    Standing,
    Verdict,
    View,
    illegal,
)
from companion.rules.layout import Layout
from companion.text import t

NAME = "gathering"
MOST = 8
"""Seats of the largest game."""
_WAIT = illegal("host", t("no game has been chosen yet"), t("Wait until the host begins one."))


class Wait(Action, frozen=True, tag="wait"):
    """Stands for anything that somebody may want to do; none of it is legal yet."""


class Gathered(msgspec.Struct, frozen=True):
    """The state: the number of seats, and whether the host has ended it."""

    seats: int
    over: bool = False


class NoSetup(msgspec.Struct, frozen=True):
    """Chance decides nothing here."""


class Gathering(Game[Gathered]):
    """People gather round the table."""

    info = Info(NAME, "Companion", "ZZ", (1, MOST), (), (), "")
    deck = Deck(NAME, "ZZ", "Companion", ())
    action_type = Wait
    setup_type = NoSetup

    def setup(self, seats: int, options: Options, facts: NoSetup) -> Gathered:
        if not 1 <= seats <= MOST:
            raise RuleError.illegal(
                "C3", t("there are 1 to {most} seats, not {seats}", most=MOST, seats=seats), t("Choose another number.")
            )
        return Gathered(seats)

    def actors(self, state: Gathered) -> tuple[Seat, ...]:
        return ()

    def legal(self, state: Gathered) -> Iterable[Action]:
        return ()

    def judge(self, state: Gathered, action: Action) -> Verdict:
        return _WAIT

    def needs(self, state: Gathered, action: Action) -> tuple[Need, ...]:
        return ()

    def play(self, state: Gathered, action: Action, facts: Facts = ()) -> Gathered:
        raise RuleError(_WAIT)

    def layout(self, state: Gathered) -> Layout:
        return Layout({})

    def standing(self, state: Gathered) -> Standing:
        outcome = Outcome((), "stopped", "C8", t("Nobody has begun a match.")) if state.over else None
        return Standing(tuple(SeatStanding(seat, 0) for seat in range(1, state.seats + 1)), outcome)

    def view(self, state: Gathered, seat: Seat) -> View:
        return View(seat, t("Take your seats. The host chooses the game."), ())

    def audit(self, state: Gathered) -> tuple[str, ...]:
        return ()

    def correct(self, state: Gathered, edits: tuple[AnyEdit, ...]) -> Gathered:
        raise RuleError(_WAIT)

    def end(self, state: Gathered) -> Gathered:
        return msgspec.structs.replace(state, over=True)

    def describe(self, state: Gathered, action: Action, facts: Facts = ()) -> str:
        return t("Somebody waits.")
