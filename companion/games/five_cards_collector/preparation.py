"""Section 3 of the rulebook, "Preparation for the game": the deal, collection cards, and the first discard."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.five_cards_collector.components import Components
from companion.games.five_cards_collector.state import NO_GOAL, UNREAD_GOAL, Player, Setup, State
from companion.games.five_cards_collector.steps import (
    PREPARATION,
    TWO_PLAYERS,
    FiveCardsAction,
    bare,
    nobody_moves,
    with_player,
)
from companion.rules.cards import Piece
from companion.rules.engine import Declared, first_fits, seats_fit
from companion.rules.hands import Hand
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Need,
    Options,
    RuleError,
    Seat,
    Unknown,
    Verdict,
    at,
    illegal,
    no_such_seat,
)
from companion.rules.layout import Preparing, Zone, owner_of
from companion.rules.shown import came_up, name_shown
from companion.rules.wording import cards
from companion.text import t

# ------------------------------------------------------------------------------------- 3. Preparation for the game


PREPARING = (
    Preparing(t("With two players, leave the specials Pile swap and Change direction in the box."), seats=2),
    Preparing(t("Everybody draws a collection card and lays it face up before them."), ("goal",)),
    Preparing(
        t("Shuffle the other cards and deal everybody seven, or nine with two players; the rest is the deck."),
        ("deck",),
    ),
    Preparing(t("Turn up cards of the deck until a symbol lies on the discard pile."), ("discard",)),
)


def prepare(components: Components, seats: int, options: Options, facts: Setup) -> State:
    """Deal 7 cards each, 9 with two (or 7, by option), without four specials; RuleError if a choice does not fit."""
    seats_fit(seats, 2, 8, PREPARATION)
    limit, deck = hand_limit(components, seats, options), components.in_play(seats)
    first_fits(facts.first, seats)
    dealt = tuple(Player(NO_GOAL, (), Hand(frozenset(), limit)) for _ in range(seats))
    state = State(dealt, limit, len(deck) - limit * seats, deck, (), (), facts.first, "goals")
    if facts.goals:
        _check_goals(components, seats, facts.goals)
        players = tuple(replace(player, goal=goal) for player, goal in zip(dealt, facts.goals, strict=True))
        state = replace(state, players=players, phase="turn-up")
    return _start_pile(components, state, facts.turned_up) if facts.turned_up else state


def hand_limit(components: Components, seats: int, options: Options) -> int:
    """Return the hand limit: 7, with two players 9 or, by the option `hand_limit`, 7 (F4)."""
    unknown = sorted(set(options) - {"hand_limit"})
    if unknown:
        raise RuleError.illegal(
            TWO_PLAYERS, t("there is no option {name!r}", name=unknown[0]), t("The only option is hand_limit.")
        )
    usual = (components.hand_limit, components.hand_limit_two_players)
    chosen = options.get("hand_limit", usual[1])
    if chosen not in usual:
        reason = t("a hand limit of {chosen} is not foreseen", chosen=chosen)
        raise RuleError.illegal(
            "F4",
            reason,
            t("With two players it is {usual} or {usual2}, with more {usual2}.", usual=usual[1], usual2=usual[0]),
        )
    return chosen if seats == 2 else components.hand_limit


def _check_goals(components: Components, seats: int, goals: tuple[Piece, ...]) -> None:
    odd = [goal for goal in goals if goal not in components.goals]
    if odd:
        raise RuleError.inconsistent(
            PREPARATION, t("{odd} is no collection card", odd=components.name(odd[0])), t("Name collection cards.")
        )
    if len(goals) != seats or len(set(goals)) != seats:
        reason = t("{seats} players need {seats} different collection cards", seats=seats)
        raise RuleError.inconsistent(PREPARATION, reason, t("Name one for each seat, in seat order."))


def _start_pile(components: Components, state: State, turned_up: tuple[Piece, ...]) -> State:
    odd = [p for n, p in enumerate(turned_up) if p not in state.unseen or p in turned_up[:n]]
    if odd:
        raise RuleError.inconsistent(
            "C2",
            t("{odd} can't be turned up: not in the deck, or twice", odd=components.name(odd[0])),
            t("Look again."),
        )
    if turned_up[-1] not in components.symbols or not components.specials.issuperset(turned_up[:-1]):
        reason = t("cards are turned up until the first symbol, so only the last one is a symbol")
        raise RuleError.inconsistent(PREPARATION, reason, t("Name the specials first, then the symbol."))
    if len(turned_up) > state.deck:
        raise RuleError.inconsistent(
            PREPARATION, t("the deck has only {cards} to turn up", cards=cards(state.deck)), t("Name fewer specials.")
        )
    return replace(
        state,
        deck=state.deck - len(turned_up),
        unseen=state.unseen.difference(turned_up),
        discard=turned_up[-1:],
        used=turned_up[:-1],
        phase="turn" if state.phase == "turn-up" else state.phase,
    )


class DrawGoal(FiveCardsAction, frozen=True, tag="goal", kw_only=True):
    """A collection card is drawn for a player and lies before them; upkeep. Needs Shown at "goal.N"."""

    declared = Declared(t("Draw a collection card"), "A", "3. Preparation for the game", ("goals",))
    upkeep = True
    player: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[DrawGoal]:
        return [cls(player=seat) for seat in bare(state)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Each player draws a collection card and puts it in front of him/her on the table."""
        if self.player not in state.seats:
            return no_such_seat(self.player, len(state.players))
        if self.player not in bare(state):
            goal = state.players[self.player - 1].goal
            reason = t(
                "{player} already has {goal}, and each player draws one",
                player=at(self.player),
                goal=components.name(goal),
            )
            return illegal(PREPARATION, reason, t("Put the other collection card back."))
        return LEGAL

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return (
            Need(
                self.place,
                "shown",
                t("the collection card of {player}", player=at(self.player)),
                free_goals(components, state),
            ),
        )

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """A goal that has not been read yet stays due."""
        piece = came_up(components.name, self.place, facts, free_goals(components, state))
        goal = UNREAD_GOAL if isinstance(piece, Unknown) else piece
        player = replace(state.players[self.player - 1], goal=goal)
        return begin(replace(state, players=with_player(state.players, self.player, player)))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} draws {told}.",
            seat=at(self.player),
            told=name_shown(components.name, facts, self.place, t("a collection card")),
        )

    @property
    def place(self) -> Zone:
        return f"goal.{self.player}"

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[DrawGoal]:
        return [cls(player=owner_of(zone))] if zone.startswith("goal.") else ()


def free_goals(components: Components, state: State) -> frozenset[Piece]:
    """Return the collection cards that nobody has."""
    return frozenset(components.goals).difference(player.goal for player in state.players)


def begin(state: State) -> State:
    """Go on to the next part of the preparation, or to the first turn, once this one is complete."""
    if state.phase == "goals" and not bare(state):
        return replace(state, phase="turn" if state.discard else "turn-up")
    return state


class TurnUp(FiveCardsAction, frozen=True, tag="turn-up", kw_only=True):
    """The top card of the deck is turned up, at set-up or by F10; upkeep. Needs Shown at "discard"."""

    declared = Declared(t("Turn up a card of the deck"), "A", "3. Preparation for the game; F10", ("turn-up",))
    upkeep = True

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return (Need("discard", "shown", t("the card turned up from the deck"), state.unseen),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Uncover cards until one is a symbol, by F10 too; an unread one stays due, and no other is taken."""
        piece = came_up(components.name, "discard", facts, state.unseen)
        deck = state.deck if state.unread else state.deck - 1
        if isinstance(piece, Unknown):
            return replace(state, deck=deck, unread=True)
        return turned_up(components, replace(state, deck=deck, unseen=state.unseen - {piece}, unread=False), piece)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "The top card of the deck is turned up: {told}.",
            told=name_shown(components.name, facts, "discard", t("not read yet")),
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[TurnUp]:
        return [cls()] if zone in ("discard", "used") and state.phase == "turn-up" else ()


def turned_up(components: Components, state: State, piece: Piece) -> State:
    """Put a card that was turned up on its pile; after a symbol the count of F10 starts again and play goes on."""
    if piece in components.symbols:
        return replace(state, discard=(*state.discard, piece), phase="turn", idle=0)
    state = replace(state, used=(*state.used, piece))
    return state if state.deck else nobody_moves(state)
