"""What can be seen of a match of Karmic Collections: the layout of the table, scores, and every seat's view."""

from __future__ import annotations

from companion.games.karmic_collections.components import Components, dice_points, dice_words
from companion.games.karmic_collections.spaces import SIDE_WORDS, SPACES
from companion.games.karmic_collections.state import State
from companion.games.karmic_collections.steps import actors, opposite, waiting
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Holding, Part, Seat, SeatStanding, Shelf, Sign, Standing, View, at
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, OneOf, Pile, Zone
from companion.text import join, t

EMPTY = Pile(Empty())


def layout(components: Components, state: State) -> Layout:
    """Return what should lie where. A pawn that is on no action is with its player; either of the two will do."""
    zones: dict[Zone, Area] = {"deck": Pile(Back()) if state.unseen else EMPTY}
    for space in SPACES:
        zones[space] = Pile(OneOf(frozenset(components.pawns[state.turn]))) if space in state.spaces else EMPTY
    for seat, player in enumerate(state.players, 1):
        forward = state.partner if seat == state.turn else TABLE
        hidden = state.concealed if seat == state.partner else frozenset[Piece]()
        zones[f"hand.{seat}"] = Loose(player.hand - hidden, backs=len(hidden))
        tokens = {other: components.tokens[seat, other] for other in state.seats if other != seat}
        up = frozenset(token for other, token in tokens.items() if other in player.up and other != forward)
        down = frozenset(token for other, token in tokens.items() if other not in player.up)
        zones[f"tokens.{seat}"], zones[f"paired.{seat}"] = Loose(up), Loose(down)
        zones[f"partner.{seat}"] = Pile(Exactly(tokens[forward])) if forward else EMPTY
    return Layout(zones)


def standing(components: Components, state: State) -> Standing:
    """Return the scores of cards, dice and coins: everything is public."""
    seats = []
    for seat, player in enumerate(state.players, 1):
        parts = (
            Part(t("cards"), components.hand_points(player.hand)),
            Part(t("dice"), dice_points(player.dice)),
            Part(t("coins"), player.coins),
        )
        said = [
            components.sets_words(player.hand),
            dice_words(player.dice) and t("dice: {dice}", dice=dice_words(player.dice)),
        ]
        seats.append(SeatStanding(seat, sum(part.value for part in parts), parts, join("; ", filter(None, said))))
    return Standing(tuple(seats), state.outcome, components.goal)


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what a seat may see. Nothing in this game is secret but the order of the deck."""
    return View(
        seat,
        state.outcome.words if state.outcome else _headline(components, state, seat),
        actors(components, state),
        shelves=_shelves(components, state, seat),
        numbers=_numbers(state, seat),
        signs=tuple(Sign("title", name, space.title) for name, space in SPACES.items() if seat == TABLE),
        holdings=tuple(
            Holding(who, components.split(state.players[who - 1].hand)) for who in state.seats if seat == TABLE
        ),
    )


def _headline(components: Components, state: State, seat: Seat) -> str:
    if actors(components, state) == (seat,) and state.phase == "second":
        return t("Choose a {side} action for {turn}.", side=SIDE_WORDS[opposite(state)], turn=at(state.turn))
    return waiting(components, state)


def _shelves(components: Components, state: State, seat: Seat) -> tuple[Shelf, ...]:
    count = len(state.players)
    order = [(seat + n - 1) % count + 1 for n in range(count)] if seat in state.seats else state.seats
    shelves = []
    for owner in order:
        hand = state.players[owner - 1].hand
        words = components.sets_words(hand)
        if state.concealed and owner == state.partner:
            words = t("{words}. Face down: {cards}", words=words, cards=components.names(state.concealed))
        title = t("Your cards") if owner == seat else t("Cards of {owner}", owner=at(owner))
        pieces = tuple(piece for ranks in components.split(hand) for piece in ranks)
        shelves.append(Shelf(title, pieces, words=words, seat=owner))
    return tuple(shelves)


def _numbers(state: State, seat: Seat) -> tuple[Part, ...]:
    numbers = []
    for owner in sorted(state.seats, key=lambda owner: owner != seat):
        player = state.players[owner - 1]

        mine, who = owner == seat, at(owner)
        for value in sorted(set(player.dice)):
            yours = t("your dice showing {value}", value=value)
            words = yours if mine else t("dice showing {value} of {owner}", value=value, owner=who)
            what = t("dice showing {value}", value=value)
            numbers.append(Part(words, player.dice.count(value), owner, what=what, thing="die", face=value))
        coins, chits = (
            (t("your coins"), t("your chits"))
            if mine
            else (t("coins of {owner}", owner=who), t("chits of {owner}", owner=who))
        )
        numbers += [
            Part(coins, player.coins, owner, what=t("coins"), thing="coin"),
            Part(chits, player.chits, owner, what=t("chits"), thing="chit"),
        ]
    return (*numbers, Part(t("deck"), len(state.unseen), thing="deck"))
