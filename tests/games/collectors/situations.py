"""Small situations of Collectors: a state in one readable call, cards by what is printed on them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games import load_deck
from companion.games.collectors import (
    Collectors,
)
from companion.games.collectors.actions import Buy, GetSkill, RaiseValue
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import Player, State
from companion.rules.hands import Hand
from tests.games.on_paper import OnPaper

GAME = Collectors(load_deck("collectors"))
COMPONENTS = GAME.components
PAPER = OnPaper(GAME)
judge, refused, play = PAPER.judge, PAPER.refused, PAPER.play
BOARD = ("1", "2", "", "", "")
AWAY = {1: ("draw", "first", "", "", ""), 2: ("income", "skill-1", "", "", "")}
"""All bottles of two players on the game board."""


def card(words: str, copy: int = 1) -> str:
    """Find a card by "item/skill/market", any of which may be left out: "penguin", "/bottle", "//music".

    `copy` counts from 1. `$2` at the end asks for the cash value.
    """
    wanted, _, cash = words.partition("$")
    item, skill, market = (*wanted.strip().split("/"), "", "")[:3]
    found = [
        printed.piece
        for printed in GAME.deck.of_kind("collectable")
        if (not item or printed.traits["item"] == item)
        and (not skill or printed.traits["skill"] == skill)
        and (not market or printed.traits["market"] == market)
        and (not cash or printed.traits["cash"] == cash)
    ]
    return found[copy - 1]


def pieces(*words: str, used: set[str] | None = None) -> tuple[str, ...]:
    """Find several different cards; the next free one for each word."""
    taken, chosen = used if used is not None else set(), []
    for word in words:
        copy = 1
        while (piece := card(word, copy)) in taken:
            copy += 1
        taken.add(piece)
        chosen.append(piece)
    return tuple(chosen)


def situation(
    seats: int = 2,
    coins: tuple[int, ...] = (),
    hands: tuple[int, ...] = (),
    known: dict[int, tuple[str, ...]] | None = None,
    items: dict[int, tuple[str, ...]] | None = None,
    skills: dict[int, tuple[str, ...]] | None = None,
    bottles: dict[int, tuple[str, ...]] | None = None,
    income: dict[int, int] | None = None,
    secrets: int = 1,
    auction_pool: tuple[str, ...] = ("", "", "", ""),
    item_pool: tuple[str, ...] = (),
    skill_pool: tuple[str, ...] = (),
    market: tuple[str, ...] = (),
    paid: tuple[str, ...] = (),
    deck: int | None = None,
    tracked: bool = True,
    **more: Any,
) -> State:
    """Make a state with every card in its place: in the turn of seat 1, quarter 1.

    `hands` counts unknown cards (2 each, if left out); what is not named is unseen. With `deck` so many cards are left
    in the deck, and the rest of them lies with the treasures of the last seat.
    """
    used: set[str] = set()

    def row(words: tuple[str, ...]) -> tuple[str, ...]:
        found = iter(pieces(*(word for word in words if word), used=used))
        return tuple(next(found) if word else "" for word in words)

    pools = {
        "auction_pool": row(auction_pool),
        "item_pool": row(item_pool or ("",) * (seats + 1)),
        "skill_pool": row(skill_pool or ("",) * (seats + 1)),
        "market": row(market),
        "paid": row(paid),
    }
    hands, coins = hands or (2,) * seats, coins or (5,) * seats
    players = []
    for seat in range(1, seats + 1):
        mine = row((known or {}).get(seat, ()))
        players.append(
            Player(
                Hand(frozenset(mine), hands[seat - 1]),
                coins[seat - 1],
                row((items or {}).get(seat, ())),
                row((skills or {}).get(seat, ())),
                (income or {}).get(seat, 0),
                secrets,
                (bottles or {}).get(seat, BOARD),
            )
        )
    unseen = COMPONENTS.pieces - used
    hidden = sum(player.hand.unknown + player.income + player.secrets for player in players)
    if deck is not None:
        last = players[-1]
        spare = len(unseen) - hidden - deck
        players[-1] = replace(last, secrets=last.secrets + spare)
        hidden += spare
    settings: dict[str, Any] = {
        "turn": 1,
        "first": 1,
        "next_first": 1,
        "phase": "turn",
        "begun": True,
        **pools,
        **more,
    }
    state = State(players=tuple(players), tracked=tracked, deck=len(unseen) - hidden, unseen=unseen, **settings)
    assert GAME.audit(state) == (), GAME.audit(state)
    return state


def token(state: State, seat: int = 1) -> str:
    """Return the first bottle on a player board."""
    return next(
        piece
        for piece, place in zip(COMPONENTS.bottles[seat], state.players[seat - 1].bottles, strict=True)
        if place in ("1", "2", "3", "4", "5")
    )


def places(state: State, space: str, seat: int = 1) -> Place:
    return Place(seat=seat, space=space, bottle=token(state, seat))


def buys(piece: str, seat: int = 1) -> Buy:
    return Buy(seat=seat, card=piece)


def learns(piece: str, seat: int = 1) -> GetSkill:
    return GetSkill(seat=seat, card=piece)


def raises(piece: str, seat: int = 1) -> RaiseValue:
    return RaiseValue(seat=seat, card=piece)


def coins(state: State) -> tuple[int, ...]:
    return tuple(player.coins for player in state.players)
