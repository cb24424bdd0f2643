"""Small situations of Collectible: a state in one readable call; cards by their number, characters by their effect."""

from __future__ import annotations

from typing import Any

from companion.games import load_deck
from companion.games.collectible import Collectible
from companion.games.collectible.state import Agreed, Gallery, Player, State
from companion.rules.kernel import Facts, Opened, Rolled, Shown
from tests.games.on_paper import OnPaper

GAME = Collectible(load_deck("collectible"))
COMPONENTS = GAME.components
PAPER = OnPaper(GAME)
judge, refused, play = PAPER.judge, PAPER.refused, PAPER.play
ART = sorted(COMPONENTS.art)


def character(effect: str, copy: int = 1) -> str:
    """Find a character by what it does; `copy` counts from 1."""
    return [piece for piece in sorted(COMPONENTS.characters) if COMPONENTS.effect[piece] == effect][copy - 1]


def showing(theme: str, count: int, start: int = 0) -> tuple[str, ...]:
    """Return cards that show a theme, in the order of the deck."""
    return tuple(sorted(COMPONENTS.showing[theme])[start : start + count])


def situation(
    seats: int = 3,
    unknown: tuple[int, ...] = (),
    known: dict[int, tuple[str, ...]] | None = None,
    auction: dict[int, tuple[str, ...]] | None = None,
    coins: tuple[int, ...] = (),
    phantom: tuple[str, ...] | None = None,
    discard: tuple[str, ...] = (),
    deck: int | None = None,
    **more: Any,
) -> State:
    """Make a state with every card in its place, at the start of seat 1's turn.

    `unknown` counts the unknown cards of each gallery (4 each, if left out); what is not named is unseen. `deck` is a
    smaller talent pile: what is left over has been discarded before `discard`. With two players the phantom auction
    holds the last three art cards, if nothing else is said.
    """
    unknown, coins = unknown or (4,) * seats, coins or (20,) * seats
    if phantom is None:
        phantom = tuple(ART[-3:]) if seats == 2 else ()
    players = tuple(
        Player(
            Gallery(frozenset((known or {}).get(n, ())), unknown[n - 1]),
            frozenset((auction or {}).get(n, ())),
            coins[n - 1],
        )
        for n in range(1, seats + 1)
    )
    lying = {*phantom, *discard, *(p for row in (known or {}).values() for p in row)}
    lying |= {p for row in (auction or {}).values() for p in row} | {tucked.piece for tucked in more.get("under", ())}
    lying |= {staged.piece for staged in more.get("stage", ())} | set(more.get("traded", ()))
    pool = sorted(COMPONENTS.all - lying)
    if deck is not None:
        size = deck - len(more.get("under", ())) + sum(unknown)
        # Characters stay in the pool: they are never discarded.
        pool = sorted(pool, key=lambda piece: piece in COMPONENTS.art)
        pool, gone = pool[:size], pool[size:]
        discard = (*gone, *discard)
    settings: dict[str, Any] = {"turn": 1, "step": "collect", "agreed": Agreed(20, 5, 0, 0), **more}
    settings.setdefault("granted", sum(coins) + settings.get("phantom_coins", 0) - 20 * seats)
    state = State(
        players=players,
        deck=len(pool) - sum(unknown) + len(settings.get("under", ())),
        unseen=frozenset(pool),
        discard=discard,
        phantom=frozenset(phantom),
        **settings,
    )
    assert GAME.audit(state) == ()
    return state


def dice(*values: int) -> Rolled:
    return Rolled(place="dice", values=values)


def turned(place: str, piece: str) -> Shown:
    return Shown(place=place, piece=piece)


def laid_open(seat: int, *pieces: str) -> Opened:
    return Opened(place=f"reveal.{seat}", pieces=pieces)


def coins(state: State) -> list[int]:
    return [player.coins for player in state.players]


def sizes(state: State) -> list[int]:
    return [player.gallery.size for player in state.players]


__all__ = [
    "ART",
    "COMPONENTS",
    "GAME",
    "Facts",
    "character",
    "coins",
    "dice",
    "judge",
    "laid_open",
    "play",
    "refused",
    "showing",
    "situation",
    "sizes",
    "turned",
]
