"""The sections "Setup" and "Dice Rules" of Karmic Collections: first cards, every roll of dice, and who goes first."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.karmic_collections import steps
from companion.games.karmic_collections.components import Components, points
from companion.games.karmic_collections.spaces import CARD, DIE, amount
from companion.games.karmic_collections.state import DICE, HOW, SETUP, Bags, Player, Setup, State
from companion.games.karmic_collections.steps import KarmicAction
from companion.rules.cards import Piece
from companion.rules.dice import rolled
from companion.rules.engine import Declared, seats_fit
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    Facts,
    Need,
    Options,
    Rolled,
    RuleError,
    Seat,
    Verdict,
    at,
    fact_at,
    illegal,
    no_such_seat,
)
from companion.rules.layout import Preparing, Zone, owner_of
from companion.rules.shown import name_shown
from companion.rules.wording import all_of, any_of
from companion.text import t

PREPARING = (
    Preparing(t("Everybody takes two pawns, three chits and three dice, and rolls the dice.")),
    Preparing(t("Everybody lays out a partner token for each of the others."), ("tokens",)),
    Preparing(t("Shuffle the cards and deal everybody three, face up; the rest is the deck."), ("hand", "deck")),
)


def prepare(components: Components, seats: int, chosen: Options, facts: Setup) -> State:
    """Deal chits and tokens; cards and dice come on the table. RuleError if seats don't fit or an option is named."""
    seats_fit(seats, 2, 6, SETUP)
    for name in chosen:
        raise RuleError.illegal(SETUP, t("there is no option {name!r}", name=name), t("This game has no options."))
    everybody = frozenset(range(1, seats + 1))
    players = tuple(
        Player(frozenset(), (), 0, components.start_chits, everybody - {seat}) for seat in range(1, seats + 1)
    )
    return State(players, components.all, Bags(chits=seats * components.start_chits))


def set_up(components: Components, state: State) -> State:
    """Go on with the set-up: cards, dice, and then the player with the fewest points goes first."""
    if steps.lacking(components, state):
        return state
    if steps.without_dice(state):
        return replace(state, phase="dice")
    lowest = steps.tied(components, state)
    return steps.begin_turn(state, lowest[0]) if len(lowest) == 1 else replace(state, phase="lot")


class Deal(KarmicAction, frozen=True, tag="deal", kw_only=True):
    """A card of the deck goes face up to a player's hand before the first turn; upkeep. Needs Shown at "hand.N"."""

    declared = Declared(t("Deal a card"), "A", "Setup", ("deal",))
    upkeep = True
    player: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Deal]:
        return [cls(player=seat) for seat in steps.lacking(components, state)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Each player gets 3 cards."""
        if self.player not in state.seats:
            return no_such_seat(self.player, len(state.players))
        if self.player in steps.lacking(components, state):
            return LEGAL
        return illegal(
            SETUP,
            t("{player} has {amount} already", player=at(self.player), amount=amount(components.start_cards, CARD)),
            steps.waiting(components, state),
        )

    def play(self, components: Components, state: State, facts: Facts) -> State:
        card = steps.shown_at(components, state, self.player, facts, state.unseen)
        return set_up(components, steps.draw(state, self.player, card))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{player} is dealt {told}.",
            player=at(self.player),
            told=name_shown(components.name, facts, f"hand.{self.player}"),
        )

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return steps.card_needed(
            self.player, t("the card that {player} gets from the deck", player=at(self.player)), state.unseen
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Deal]:
        dealt = state.phase == "deal" and zone.startswith("hand.") and piece in state.unseen
        return [cls(player=owner_of(zone))] if dealt else ()


# ------------------------------------------------------------------------------------------------------- Dice Rules


class Roll(KarmicAction, frozen=True, tag="roll", kw_only=True):
    """Roll the dice just gained, once, to lock their values. Needs Rolled at "dice"."""

    declared = Declared(t("Roll the new dice"), "C", "Dice Rules; M8", ("deal", "dice", "roll", "partner-roll"))

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """Roll the first dice at any time before the first turn, later ones immediately; dice are not rerolled."""
        if state.turn == TABLE and state.outcome is None and seat in state.seats:
            if not state.players[seat - 1].dice:
                return None
            return illegal(
                DICE,
                t("{seat} has rolled already, and dice are not rerolled", seat=at(seat)),
                steps.waiting(components, state),
            )
        wrong = super().not_now(components, state, seat)
        if wrong is not None and seat in state.seats and seat in steps.actors(components, state):
            return illegal(
                DICE,
                t("{seat} has gained no die, and dice are not rerolled", seat=at(seat)),
                steps.waiting(components, state),
            )
        return wrong

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Roll]:
        return [
            cls(seat=seat)
            for seat in (steps.without_dice(state) if state.turn == TABLE else steps.actors(components, state))
        ]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        state = steps.add_dice(state, self.seat, rolled(facts, "dice", _dice_due(components, state), components.sides))
        return set_up(components, state) if state.turn == TABLE else steps.next_step(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} rolls {rolled}.", seat=at(self.seat), rolled=_rolled(components, state, facts))

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        count = _dice_due(components, state)
        return (Need("dice", "rolled", amount(count, DIE), count=count, sides=components.sides),)


def _dice_due(components: Components, state: State) -> int:
    return components.start_dice if state.turn == TABLE else state.doing.count


def _rolled(components: Components, state: State, facts: Facts) -> str:
    fact = fact_at(facts, "dice")
    if isinstance(fact, Rolled):
        return all_of(map(str, fact.values))
    return amount(_dice_due(components, state) or 1, DIE)


# ------------------------------------------------------------------------------------- How to Play: who goes first


class Lot(KarmicAction, frozen=True, tag="lot", kw_only=True):
    """Choose by chance who of those with the fewest points begins. Needs Rolled at "dice": 1 is the first."""

    declared = Declared(t("Choose by chance who goes first"), "C", "How to Play", ("lot",))

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """The player with the least points goes first; in case of a tie, choose randomly one of the tied."""
        if seat in state.seats and state.turn != TABLE and state.outcome is None:
            reason = t("it is decided who goes first, and lots are not rerolled")
            return illegal(HOW, reason, steps.waiting(components, state))
        if state.phase == "lot" and seat in state.seats and seat not in (lowest := steps.tied(components, state)):
            least = points(sum(steps.score(components, state.players[lowest[0] - 1])))
            reason = t("{seat} is not one of those with {least}, the fewest", seat=at(seat), least=least)
            return illegal(HOW, reason, t("Leave it to {other}.", other=any_of(at(other) for other in lowest)))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Lot]:
        return [cls(seat=seat) for seat in steps.tied(components, state)]

    def play(self, components: Components, state: State, facts: Facts) -> State:
        lowest = steps.tied(components, state)
        (value,) = rolled(facts, "dice", 1, len(lowest))
        return steps.begin_turn(state, lowest[value - 1])

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        fact, lowest = fact_at(facts, "dice"), steps.tied(components, state)
        value = fact.values[0] if isinstance(fact, Rolled) and len(fact.values) == 1 else 0
        if 1 <= value <= len(lowest):
            return t("Chance decides who goes first: {seat} goes first.", seat=at(lowest[value - 1]))
        return t("Chance decides who goes first.")

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        sides = len(steps.tied(components, state))
        return (Need("dice", "rolled", t("one of {sides} by chance", sides=sides), count=1, sides=sides),)
