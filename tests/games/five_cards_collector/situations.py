"""Small situations of Five Cards Collector: a state in one readable call, cards by what is printed on them."""

from __future__ import annotations

from typing import Any

from companion.games import load
from companion.games.five_cards_collector import FiveCardsCollector
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.specials import Use
from companion.games.five_cards_collector.state import Player, State
from companion.rules.hands import Hand
from tests.games.on_paper import OnPaper

GAME = load("five-cards-collector")
assert isinstance(GAME, FiveCardsCollector)
COMPONENTS = GAME.components
PAPER = OnPaper(GAME)
judge, refused, play = PAPER.judge, PAPER.refused, PAPER.play


def card(words: str, copy: int = 1) -> str:
    """Find a card by its words: "red star", "draw-three", "Collection 3"; `copy` counts from 1."""
    found = [
        card.piece
        for card in GAME.deck.cards
        if words in (card.title, card.traits.get("effect"), f"{card.traits.get('colour')} {card.traits.get('figure')}")
    ]
    return found[copy - 1]


def pieces(*words: str) -> tuple[str, ...]:
    """Find several cards; a word that comes again means the next copy."""
    return tuple(card(word, words[: n + 1].count(word)) for n, word in enumerate(words))


def situation(
    seats: int = 3,
    hands: tuple[int, ...] = (),
    known: dict[int, tuple[str, ...]] | None = None,
    collected: dict[int, tuple[str, ...]] | None = None,
    discard: tuple[str, ...] = ("red star",),
    used: tuple[str, ...] = (),
    deck: int | None = None,
    passes: dict[int, int] | None = None,
    in_use: str = "",
    unseen: tuple[str, ...] = (),
    gone: bool = False,
    **more: Any,
) -> State:
    """Make a state with every card in its place.

    `hands` counts the unknown cards of each hand (5 each, if left out), `known` names cards known in hands; what is
    not named is unseen, and in the deck if in no hand. `deck` is a smaller number of cards, `unseen` names all of the
    deck and the hands: what is left lies under the discard pile and with the used specials, or, with `gone`, is out of
    the game altogether.
    """
    hands = hands or (5,) * seats
    lying = pieces(
        *discard,
        *used,
        *(w for ws in (known or {}).values() for w in ws),
        *(w for ws in (collected or {}).values() for w in ws),
        *([in_use] if in_use else []),
    )
    rest = iter(lying)
    top, past = [next(rest) for _ in discard], [next(rest) for _ in used]
    in_hand = {seat: frozenset(next(rest) for _ in words) for seat, words in (known or {}).items()}
    before = {seat: tuple(next(rest) for _ in words) for seat, words in (collected or {}).items()}
    pool = sorted(COMPONENTS.in_play(seats) - set(lying))
    if deck is not None or unseen:
        chosen = [piece for piece in pieces(*unseen) if piece in pool] or pool[: (deck or 0) + sum(hands)]
        out, pool = [piece for piece in pool if piece not in chosen], chosen
        if not gone:
            top, past = (
                [p for p in out if p in COMPONENTS.symbols] + top,
                [p for p in out if p in COMPONENTS.specials] + past,
            )
    players = tuple(
        Player(
            COMPONENTS.goals[seat - 1],
            before.get(seat, ()),
            Hand(in_hand.get(seat, frozenset()), hands[seat - 1]),
            (passes or {}).get(seat, 0),
        )
        for seat in range(1, seats + 1)
    )
    limit = 9 if seats == 2 else 7
    settings: dict[str, Any] = {"limit": limit, "turn": 1, "phase": "turn", **more}
    return State(
        players=players,
        deck=len(pool) - sum(hands),
        unseen=frozenset(pool),
        discard=tuple(top),
        used=tuple(past),
        in_use=card(in_use, 1 + sum(past.count(p) for p in COMPONENTS.copies[card(in_use)])) if in_use else "",
        **settings,
    )


def adds(words: str, seat: int = 1, copy: int = 1) -> Add:
    return Add(seat=seat, card=card(words, copy))


def discards(words: str, seat: int = 1, copy: int = 1) -> Discard:
    return Discard(seat=seat, card=card(words, copy))


def uses(words: str, seat: int = 1, copy: int = 1) -> Use:
    return Use(seat=seat, card=card(words, copy))
