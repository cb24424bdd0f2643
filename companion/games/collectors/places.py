"""The places of the game board, one by one: what each is for, what it costs, and what lies there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from companion.games.collectors.components import (
    AREA,
    AUCTION,
    BUY,
    RAISE,
    SKILL,
    SPACES,
    SYMBOLS,
    TITLES,
    Components,
    dollars,
)
from companion.games.collectors.quarter import POOLS, pool
from companion.games.collectors.state import NONE, UNREAD, Space, State
from companion.games.collectors.steps import cost
from companion.rules.cards import Piece
from companion.rules.kernel import BoardArea, BoardPlace, Seat, at
from companion.text import capital, join, plural, t, word

FOR = {
    BUY: t("An item of the item pool or of your hand. It also costs $1 for each market card with its symbol."),
    SKILL: t("A card of the skill pool or of your hand, as a skill for the rest of the match."),
    AUCTION: t("A card of the auction pool or of your hand is auctioned; you open the bidding."),
    RAISE: t("Cards of your hand, or the lowest of the skill pool or the auction pool, go to the market."),
    "work": t("It is done at once."),
}
POOL_TITLES = {"auction": t("Auction pool"), "item": t("Item pool"), "skill": t("Skill pool")}


def areas(components: Components, state: State) -> tuple[BoardArea, ...]:
    """Return the areas of the board with their places, as they lie."""
    spaces = (
        BoardArea(
            title,
            tuple(
                _space(components, space, state.quarter, _placed(state, space))
                for space in SPACES
                if AREA[space] == area
            ),
            FOR[area],
        )
        for area, title in {**TITLES, "work": t("Work")}.items()
    )
    pools = (BoardArea(POOL_TITLES[name], tuple(_slots(components, state, name)), _moves(name)) for name in POOLS)
    return (*spaces, *pools, BoardArea(t("Market pool"), tuple(_market(components, state))))


@lru_cache(1024)
def _space(components: Components, space: Space, quarter: int, taken: tuple[Seat, ...]) -> BoardPlace:
    seal = components.seal(space, quarter)
    label = space[-1] if AREA[space] != "work" else capital(components.work_words(space, quarter))
    price = t("pay {coins}", coins=dollars(-seal.coins)) if seal.coins < 0 else ""
    gain = t("get {coins}", coins=dollars(seal.coins)) if seal.coins > 0 else ""
    words = [capital(price or gain or t("It costs nothing")) + "."]
    if AREA[space] == RAISE:
        words.append(plural("{count} card goes to the market.", "{count} cards go to the market.", count=seal.cards))
    if space == "quarter" and quarter < len(components.quarters):
        words.append(
            plural(
                "{count} card of your hand becomes income.",
                "{count} cards of your hand become income.",
                count=components.tucked,
            )
        )
    if space == "recycle" or (space == "quarter" and quarter == len(components.quarters)):
        words.append(t("The bottle goes back to the supply, and the space stays free."))
    words += [t("A bottle of {seat} stands there.", seat=at(seat)) for seat in taken]
    return BoardPlace(label, join(" ", words), price or gain, seats=taken)


def _placed(state: State, space: Space) -> tuple[Seat, ...]:
    return tuple(seat for seat, player in enumerate(state.players, 1) for bottle in player.bottles if bottle == space)


def _moves(name: str) -> str:
    return {
        "auction": t("The lowest may raise value; it goes to the market when the quarter ends."),
        "item": t("When the quarter ends, cards from the left fill the skill pool."),
        "skill": t("The lowest may raise value; it goes to the market when the quarter ends."),
    }[name]


def _slots(components: Components, state: State, name: str) -> Iterator[BoardPlace]:
    slots = pool(state, name)
    first = next((n for n, card in enumerate(slots) if card != NONE), -1)
    for n, card in enumerate(slots):
        dear = cost(components, state.market, card) if name == "item" and card in components.item else -1
        yield _slot(components, n + 1, card, dear, n == first and name != "item")


@lru_cache(1024)
def _slot(components: Components, number: int, card: Piece, dear: int, lowest: bool) -> BoardPlace:
    """Return a place of a pool: what lies there; as an item it would cost `dear` more in the market."""
    if card == NONE:
        words = t("Nothing lies there.")
    elif card == UNREAD:
        words = t("Nobody has read the card yet.")
    elif dear >= 0:
        called, price = capital(components.name(card)), dollars(dear)
        words = t("{card}: {cost} for the market, and what the seal says.", card=called, cost=price)
    else:
        words = t("{card}.", card=capital(components.name(card)))
    if lowest:
        words = join(" ", (words, t("It is the lowest.")))
    return BoardPlace(
        f"{number}", words, dollars(dear) if dear >= 0 else "", (card,) if card in components.item else ()
    )


def _market(components: Components, state: State) -> Iterator[BoardPlace]:
    for symbol in SYMBOLS:
        cards: Sequence[Piece] = tuple(card for card in state.market if components.symbol[card] == symbol)
        worth = plural("{count} point", "{count} points", count=len(cards))
        words = t(
            "An item with this symbol costs {coins} more, and is worth {worth}.", coins=dollars(len(cards)), worth=worth
        )
        yield BoardPlace(capital(word(symbol)), words, f"{len(cards)}", tuple(cards))
