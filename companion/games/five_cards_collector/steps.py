"""Steps that several rules share: whose turn it is, what a hand may hold, drawing, and how a turn or a match ends."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.games.five_cards_collector.components import NOT_FOR_TWO, Choice, Components
from companion.games.five_cards_collector.state import NO_CARD, NO_GOAL, UNREAD_GOAL, Hand, Player, State
from companion.rules.cards import Piece
from companion.rules.engine import RuledAction
from companion.rules.hands import opened
from companion.rules.kernel import TABLE, Facts, Hole, Outcome, Seat, Verdict, at, illegal, inconsistent
from companion.rules.wording import all_of, cards
from companion.text import t

LAYING = ("turn", "drawn")
"""The phases in which a card of the hand may be laid."""

GAMEPLAY = "4. Gameplay"
PREPARATION = "3. Preparation for the game"
TWO_PLAYERS = "2-player gameplay"


def actors(state: State) -> tuple[Seat, ...]:
    """Return the seats that are due."""
    if state.phase == "over":
        return ()
    return (TABLE,) if state.phase in ("goals", "turn-up") else (state.turn,)


class FiveCardsAction(RuledAction[Components, State], frozen=True, kw_only=True):
    """An action of Five Cards Collector: taken in its phases, by the seat whose turn it is or by the table."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.phase in cls.declared.phases and seat == (TABLE if cls.upkeep else state.turn):
            return None
        impossible = cls.impossible_for(seat, state.seats, state.outcome)
        if impossible is not None:
            return impossible
        due = waiting(components, state)
        if state.phase == "goals":
            reason = t("there is no collection card before {seats} yet", seats=all_of(at(seat) for seat in bare(state)))
            return illegal(PREPARATION, reason, due)
        if state.phase == "turn-up" and state.discard:
            return illegal("F10", t("nobody has done anything for a whole round"), due)
        if state.phase == "turn-up":
            return illegal(PREPARATION, t("there is no discard pile yet"), due)
        if cls.upkeep:
            return illegal(
                PREPARATION, t("the preparation is over, so no card is turned up now"), t("Put the card back.")
            )
        if seat != state.turn:
            return illegal(
                GAMEPLAY, t("it is the turn of {turn}, not of {seat}", turn=at(state.turn), seat=at(seat)), due
            )
        if state.phase == "drawn":
            return illegal("F3", t("a card has been drawn, and a turn is one action with one follow-up"), due)
        if state.phase == "turn":
            return illegal("F3", t("no special card that allows it is in use"), due)
        return illegal(GAMEPLAY, t("{in_use} is in use", in_use=components.name(state.in_use)), due)


def bare(state: State) -> tuple[Seat, ...]:
    """Return the seats before which no collection card lies, or one that has not been read yet."""
    return tuple(seat for seat, player in enumerate(state.players, 1) if player.goal in (NO_GOAL, UNREAD_GOAL))


def waiting(components: Components, state: State) -> str:
    """Return what is due, as a sentence."""
    seat = at(state.turn)
    if state.phase == "goals":
        return t("First draw a collection card for {bare}.", bare=at(bare(state)[0]))
    if state.phase == "turn-up":
        return (
            t("First turn up a card of the deck.")
            if state.discard
            else t("First turn up cards until a symbol lies there.")
        )
    if state.phase == "drawn":
        return t("{seat} decides about the card just drawn: add, discard, use or keep it.", seat=seat)
    if state.phase == "take":
        return t("First {seat} takes a card out of another hand.", seat=seat)
    if state.phase == "retrieve":
        return t("First {seat} takes a card out of the discard pile.", seat=seat)
    if state.phase == "take-over":
        return t("First {seat} takes over or discards a card of a collection.", seat=seat)
    room = can_draw(state)
    if passes_left(components, state, state.turn) == 0:
        if not room:
            return t("{seat} may add, discard or use a special card; if none can be done, say so.", seat=seat)
        return t("{seat} may add, discard, use a special card or draw; if none can be done, say so.", seat=seat)
    if not room:
        return t("{seat} may add, discard, use a special card, or do nothing.", seat=seat)
    return t("{seat} may add, discard, use a special card, draw, or do nothing.", seat=seat)


def passes_left(components: Components, state: State, seat: Seat) -> int | None:
    """Return how often a seat may still make no move; None if that has no limit (more than two players, F8)."""
    return components.two_player_passes - state.players[seat - 1].passes if len(state.players) == 2 else None


def not_in_hand(
    components: Components, state: State, seat: Seat, card: object, target: tuple[Piece, ...]
) -> Verdict | None:
    """Return why a card can't come out of a hand: neither known there nor unseen (C2); None if it can.

    One that lies open can be laid all the same, against the rules, unless it lies in its `target` already. F3: after a
    draw it must be able to be the card drawn: a copy of it is unseen besides those known in that hand.
    """
    hand = state.players[seat - 1].hand
    if card not in hand.known and not (hand.unknown and card in state.unseen):
        reason = t(
            "{card} can't be in the hand of {seat}: {whereabouts}",
            card=components.name(card),
            seat=at(seat),
            whereabouts=whereabouts(components, state, card),
        )
        if card not in target and lies_open(state, card):
            return illegal(GAMEPLAY, reason, t("Put it back where it lay; only cards of the hand are laid."))
        return inconsistent(
            "C2", reason, t("Look again which card it is; if the table is right, the host corrects it.")
        )
    if state.phase == "drawn" and components.copies[str(card)].isdisjoint(state.unseen):
        reason = t(
            "{card} was in the hand of {seat} before and can't be the card just drawn",
            card=components.name(card),
            seat=at(seat),
        )
        return illegal("F3", reason, t("Take it back; only the card just drawn may follow, or keep it."))
    return None


def lies_open(state: State, card: object) -> bool:
    """Return whether a card lies where people can take it: in a collection, the discard pile, the used specials."""
    return card in state.discard + state.used or any(card in player.collected for player in state.players)


def card_words(components: Components, card: Piece | Hole) -> str:
    """Return a card's name, or the words for what may fill its hole."""
    return card.words if isinstance(card, Hole) else components.name(card)


def collector_of(state: State, piece: Piece) -> Seat:
    """Return the seat in whose collection a card lies; `TABLE` if in none."""
    return next((seat for seat, player in enumerate(state.players, 1) if piece in player.collected), TABLE)


def whereabouts(components: Components, state: State, card: object) -> str:
    """Describe where a card is, as far as everybody knows."""
    for seat, player in enumerate(state.players, 1):
        if card in player.collected:
            return t("it lies in the collection of {seat}", seat=at(seat))
        if card in player.hand.known:
            return t("it is known to be in the hand of {seat}", seat=at(seat))
        if card == player.goal and card in components.card:
            return t("it is the collection card of {seat}", seat=at(seat))
    if card in state.discard:
        return t("it lies in the discard pile")
    if card in state.used or (card == state.in_use and card in components.card):
        return t("it lies with the used specials")
    if card in state.unseen:
        return t("all the cards there are known")
    if isinstance(card, str) and components.effect.get(card) in NOT_FOR_TWO:
        return t("with two players it is not in the deck")
    return t("it is not one of the cards that are shuffled")


def drawable(state: State) -> bool:
    """Return whether there is a card to draw, from the deck or after renewing it (F4)."""
    return state.deck > 0 or len(state.discard) > 1 or bool(state.used)


def can_draw(state: State) -> bool:
    """Return whether the seat on turn may draw: there is a card, and room for it in the hand (F4)."""
    return state.players[state.turn - 1].hand.size < state.limit and drawable(state)


def draw(state: State, hand: Hand, count: int) -> State:
    """Draw up to `count` cards from the deck into the hand of the seat whose turn it is.

    When a card is due and the deck is empty: keep the top of the discard pile, shuffle together the rest of it and the
    used specials (not the one in use), and go on with those.
    """
    deck, unseen, discard, used = state.deck, state.unseen, state.discard, state.used
    got = min(count, deck)
    deck -= got
    if got < count and drawable(state):
        shuffled = discard[:-1] + used
        more = min(count - got, len(shuffled))
        deck, got = len(shuffled) - more, got + more
        unseen, discard, used = unseen.union(shuffled), discard[-1:], ()
    players = with_hand(state.players, state.turn, Hand(hand.known, hand.unknown + got))
    return replace(state, players=players, deck=deck, unseen=unseen, discard=discard, used=used)


def with_player(players: tuple[Player, ...], seat: Seat, player: Player) -> tuple[Player, ...]:
    """Return the players with the one at a seat replaced."""
    return (*players[: seat - 1], player, *players[seat:])


def with_hand(players: tuple[Player, ...], seat: Seat, hand: Hand) -> tuple[Player, ...]:
    """Return the players with the hand at a seat replaced."""
    old = players[seat - 1]
    return with_player(players, seat, Player(old.goal, old.collected, hand, old.passes))


def wanted(components: Components, player: Player) -> Choice:
    """Return the cards that belong to a player's collection (F3): shown on the collection card, not yet collected."""
    return components.wanted(player.goal, player.collected)


def does_not_belong(components: Components, state: State, seat: Seat, card: Piece) -> Verdict:
    """Return why a card does not belong to a collection (F3)."""
    player = state.players[seat - 1]
    remedy = t("Take it back; {words} would do.", words=wanted(components, player).words)
    if card in components.specials:
        return illegal(
            GAMEPLAY, t("{card} is not a symbol, and only symbols are collected", card=components.name(card)), remedy
        )
    if not components.copies[card].isdisjoint(player.collected):
        return illegal(
            "F3", t("{seat} has collected {card} already", seat=at(seat), card=components.name(card)), remedy
        )
    return illegal(
        "F3", t("the collection card of {seat} does not show {card}", seat=at(seat), card=components.name(card)), remedy
    )


def neighbour(state: State, direction: int) -> Seat:
    """Return the seat next to the one whose turn it is."""
    return (state.turn - 1 + direction) % len(state.players) + 1


def next_turn(
    state: State,
    players: tuple[Player, ...],
    unseen: frozenset[Piece],
    discard: tuple[Piece, ...],
    used: tuple[Piece, ...],
) -> State:
    """End a turn in which something was done: the next seat in the direction of play is due."""
    return State(
        players,
        state.limit,
        state.deck,
        unseen,
        discard,
        used,
        neighbour(state, state.direction),
        "turn",
        state.direction,
    )


def won(state: State, seat: Seat) -> State:
    """End the match: this seat has collected its last card (F7)."""
    words = t("{seat} has collected all five cards and wins.", seat=at(seat))
    return over(state, Outcome((seat,), "five-collected", "F7", words))


def nobody_moves(state: State) -> State:
    """End the match when no symbol is left to turn up: most cards collected wins, ties are shared (F10)."""
    if not state.discard:
        words = t("The deck has no symbol to start with, so nobody wins: shuffle and deal again.")
        return over(state, Outcome((), "nobody-moves", "F10", words))
    most = max(len(player.collected) for player in state.players)
    winners = tuple(seat for seat in state.seats if len(state.players[seat - 1].collected) == most)
    does = t("wins") if len(winners) == 1 else t("share the win")
    words = t(
        "Nobody moves any more: {seats} {does} with {cards}.",
        seats=all_of(at(seat) for seat in winners),
        does=does,
        cards=cards(most),
    )
    return over(state, Outcome(winners, "nobody-moves", "F10", words))


def over(state: State, outcome: Outcome) -> State:
    """End the match; a special in use has done its work and lies with the used ones."""
    used = (*state.used, state.in_use) if state.in_use else state.used
    return replace(state, used=used, in_use=NO_CARD, phase="over", outcome=outcome)


def opened_at(components: Components, state: State, seat: Seat, facts: Facts) -> frozenset[Piece]:
    """Return the cards of a hand that was laid open; RuleError if the fact is missing or they can't be those."""
    whose, hand = t("the hand of {seat}", seat=at(seat)), state.players[seat - 1].hand
    told = components.name, partial(whereabouts, components, state)
    return opened(facts, f"open.{seat}", hand, state.unseen, whose, *told)
