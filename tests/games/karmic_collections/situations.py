"""Small situations of Karmic Collections: a state in one readable call; cards by their ranks, as in "Q Q 4 5"."""

from __future__ import annotations

from typing import Any

from companion.games import load_deck
from companion.games.karmic_collections import KarmicCollections
from companion.games.karmic_collections.state import Bags, Player, State
from companion.rules.kernel import Facts, Rolled, Shown
from tests.games.on_paper import OnPaper

GAME = KarmicCollections(load_deck("karmic-collections"))
COMPONENTS = GAME.components
PAPER = OnPaper(GAME)
judge, refused, play = PAPER.judge, PAPER.refused, PAPER.play
LETTERS = {"A": 1, "J": 11, "Q": 12, "K": 13}


def rank(word: str) -> int:
    return LETTERS.get(word) or int(word)


def cards(words: str, start: int = 0) -> tuple[str, ...]:
    """Find cards by their ranks; the same rank again is the next suit, beginning with suit `start`."""
    found: list[str] = []
    for word in words.split():
        of_rank = sorted(piece for piece in COMPONENTS.all if COMPONENTS.rank[piece] == rank(word))
        found.append(next(piece for piece in of_rank[start:] if piece not in found))
    return tuple(found)


def situation(
    *hands: str,
    dice: tuple[tuple[int, ...], ...] = (),
    coins: tuple[int, ...] = (),
    chits: tuple[int, ...] = (),
    up: dict[int, set[int]] | None = None,
    deck: int | None = None,
    **more: Any,
) -> State:
    """Make a state with every card in its place: seat 1 plays, seat 2 is its karmic partner, the first pawn is due.

    `hands` are ranks, seat by seat ("A 3 5" each, if left out, for three seats); `deck` is a smaller deck: what is left
    over lies in the last hand.
    """
    words = hands or ("A 3 5",) * 3
    used: list[str] = []
    held: list[set[str]] = []
    for hand in words:
        mine: set[str] = set()
        for word in hand.split():
            mine.add(
                next(p for p in sorted(COMPONENTS.all) if COMPONENTS.rank[p] == rank(word) and p not in (*used, *mine))
            )
        used += sorted(mine)
        held.append(mine)
    seats = len(words)
    rest = sorted(COMPONENTS.all.difference(used))
    if deck is not None:
        rest, over = rest[:deck], rest[deck:]
        held[-1] |= set(over)
    dice, coins, chits = dice or ((1, 2, 3),) * seats, coins or (0,) * seats, chits or (3,) * seats
    everybody = frozenset(range(1, seats + 1))
    players = tuple(
        Player(
            frozenset(held[n - 1]),
            dice[n - 1],
            coins[n - 1],
            chits[n - 1],
            frozenset((up or {}).get(n, everybody - {n})),
        )
        for n in range(1, seats + 1)
    )
    settings: dict[str, Any] = {"phase": "first", "turn": 1, **more}
    if settings["phase"] in ("first", "second", "act", "end"):
        settings.setdefault("partner", 2)
    bags = Bags(sum(coins), sum(len(some) for some in dice), sum(chits))
    state = State(players, frozenset(rest), bags, **settings)
    assert GAME.audit(state) == ()
    return state


def dice(*values: int) -> Rolled:
    return Rolled(place="dice", values=values)


def shown(seat: int, piece: str) -> Shown:
    return Shown(place=f"hand.{seat}", piece=piece)


def hand(state: State, seat: int) -> list[str]:
    """Return the ranks of a hand, lowest first."""
    names = {1: "A", 11: "J", 12: "Q", 13: "K"}
    ranks = sorted(COMPONENTS.rank[piece] for piece in state.players[seat - 1].hand)
    return [names.get(rank, f"{rank}") for rank in ranks]


def of(state: State, seat: int, word: str) -> str:
    """Find a card of a rank in a hand."""
    return min(piece for piece in state.players[seat - 1].hand if COMPONENTS.rank[piece] == rank(word))


def top(state: State, word: str) -> str:
    """Find a card of a rank in the deck."""
    return min(piece for piece in state.unseen if COMPONENTS.rank[piece] == rank(word))


def points(state: State) -> list[int]:
    return [seat.score for seat in GAME.standing(state).seats]


__all__ = [
    "COMPONENTS",
    "GAME",
    "Facts",
    "cards",
    "dice",
    "hand",
    "judge",
    "of",
    "play",
    "points",
    "refused",
    "shown",
    "situation",
    "top",
]
