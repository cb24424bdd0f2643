"""The set-up of Collectors: hands, bottles and coins, and a treasure that everybody hides."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectors.components import BOTTLES, Components
from companion.games.collectors.quarter import refill
from companion.games.collectors.state import BOX, NONE, SETUP, Player, Setup, State
from companion.games.collectors.steps import CollectorsAction, actors, with_player
from companion.rules.engine import Declared, first_fits, seats_fit
from companion.rules.hands import Hand, face_down
from companion.rules.kernel import Facts, Options, RuleError, Seat, Verdict, at, illegal
from companion.rules.layout import Preparing
from companion.text import t


def prepare(components: Components, seats: int, options: Options, facts: Setup) -> State:
    """Deal three cards each, two bottles, and coins by turn order: 2, 3, 4, 5; RuleError if a choice does not fit."""
    seats_fit(seats, 2, 4, SETUP)
    odd = sorted(set(options) - {"bottles"})
    if odd:
        raise RuleError.illegal(SETUP, t("there is no option {odd!r}", odd=odd[0]), t("The only option is bottles."))
    tracked = options.get("bottles", 1)
    if tracked not in (0, 1):
        raise RuleError.illegal(
            SETUP,
            t("{tracked} says nothing about bottles", tracked=tracked),
            t("Choose 1 (with codes) or 0 (without)."),
        )
    first_fits(facts.first, seats)
    bottles = (*("12345"[: components.start_bottles]), *(BOX,) * (BOTTLES - components.start_bottles))
    auction_pool, item_pool_more, skill_pool_more = components.pools
    players = tuple(
        Player(
            Hand(frozenset(), components.hand),
            components.first_coins + (seat - facts.first) % seats,
            bottles=bottles,
        )
        for seat in range(1, seats + 1)
    )
    return State(
        players=players,
        tracked=bool(tracked),
        deck=len(components.pieces) - seats * components.hand,
        unseen=components.pieces,
        auction_pool=(NONE,) * auction_pool,
        item_pool=(NONE,) * (seats + item_pool_more),
        skill_pool=(NONE,) * (seats + skill_pool_more),
        turn=facts.first,
        first=facts.first,
        next_first=facts.first,
        phase="treasure",
    )


PREPARING = (
    Preparing(t("Put the quarter tiles on their space, the first quarter on top."), ("quarter",)),
    Preparing(t("Everybody puts two bottles on the positions 1 and 2 of their board."), ("bottle-1", "bottle-2")),
    Preparing(t("Shuffle the cards and deal everybody three; the rest is the deck."), ("deck",)),
    Preparing(t("Everybody hides one of the three face down under the treasure chest."), ("treasure",)),
    Preparing(
        t("Turn up cards for the pools: four for the auction; for items and for skills one a player and one more."),
        ("auction-pool", "item-pool", "skill-pool"),
    ),
    Preparing(t("Who begins takes two coins, the next players three, four and five.")),
)


class Hide(CollectorsAction, frozen=True, tag="hide", kw_only=True):
    """Each player picks one of the three cards and tucks it face down under the treasure chest."""

    declared = Declared(t("Hide a secret item"), "A", "Setup", ("treasure",), hides="treasure")

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.phase == "treasure" and seat in state.seats and seat not in actors(state):
            reason = t("{seat} has hidden a secret item already", seat=at(seat))
            return illegal(SETUP, reason, t("Put the card back into the hand."))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Hide]:
        return [cls(seat=seat) for seat in actors(state)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        player = state.players[self.seat - 1]
        hand, unseen = face_down(player.hand, state.unseen, 1)
        player = replace(player, hand=hand, secrets=1)
        state = replace(state, players=with_player(state, self.seat, player), unseen=unseen)
        return state if actors(state) else refill(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} hides a secret item.", seat=at(self.seat))
