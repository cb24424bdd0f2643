"""Random playouts: every installed game against python-chess, which is known to be a fast rules library in Python.

A playout lists all legal actions at every move and takes one by chance, until the match is over. In our games most
actions have holes, for a camera does not know hands; `companion.sim.world` fills them from the true hand and supplies
what chance adds, and that time counts too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import msgspec

from companion import games
from companion.bench.figures import BenchError, Figure, Row, Section, at_least, median, optional
from companion.rules.kernel import AnyGame
from companion.sim.world import bots_of, world_of
from companion.untyped import Foreign

LONGEST = 50_000
"""Moves after which a playout is given up; it does not count then."""

PLAYED_WITH: dict[str, dict[str, int]] = {"collectible": {"rounds": 5}}
"""Options of the playouts, by game: nobody gets five cards of one theme by chance, so the rounds are counted."""

Playout = Callable[[random.Random], int | None]
"""Plays one match; returns the number of moves, None if it was given up."""


class Rate(msgspec.Struct):
    """Playing speed: a figure for each slice of time."""

    playouts: list[float] = msgspec.field(default_factory=list)
    moves: list[float] = msgspec.field(default_factory=list)
    whole: int = 0
    given_up: int = 0
    all_moves: int = 0


def measure(slices: int = 7, seconds: float = 0.6, only: str | None = None) -> Section:
    """Measure every game, at its fewest and its most seats, and chess in turn, `seconds` at a time."""
    entrants: dict[str, Playout] = {}
    notes: list[str] = []
    for name in games.packages():
        if only is not None and name != only:
            continue
        game = games.load(name)
        if bots_of(name) is None:
            notes.append(f"{game.info.title} has no simulated world yet: not played.")
            continue
        low, high = game.info.seats
        for seats in dict.fromkeys((low, min(4, high), high)):
            entrants[f"{game.info.title}, {seats} players"] = _of_ours(game, seats)
    chess = optional("chess")
    if chess is None:
        notes.append("python-chess is not installed (pip install chess): nothing to compare with.")
    else:
        entrants[CHESS] = lambda rng: _of_chess(chess, rng)
    if not entrants:
        raise BenchError("there is no game to play; install one, or python-chess")
    rates = _compete(entrants, slices, seconds)
    notes.append(f"{slices} slices of {seconds:g} s each in turn; medians of the slices; one thread.")
    return Section(tuple(_rows(rates)), tuple(notes))


CHESS = "python-chess"


def _compete(entrants: dict[str, Playout], slices: int, seconds: float) -> dict[str, Rate]:
    rates = {name: Rate() for name in entrants}
    rngs = {name: random.Random(f"bench {name}") for name in entrants}
    for _ in range(slices):
        for name, playout in entrants.items():
            _slice(playout, rngs[name], seconds, rates[name])
    return rates


def _slice(playout: Playout, rng: random.Random, seconds: float, rate: Rate) -> None:
    """Play whole matches until the time is over; what is counted is the processor's time, not the clock's."""
    began = time.process_time()
    count = moves = 0
    while (spent := time.process_time() - began) < seconds or not count:
        played = playout(rng)
        if played is None:
            rate.given_up += 1
            if spent > 10 * seconds:
                return
            continue
        count += 1
        moves += played
    spent = time.process_time() - began
    rate.playouts.append(count / spent)
    rate.moves.append(moves / spent)
    rate.whole += count
    rate.all_moves += moves


def _rows(rates: dict[str, Rate]) -> list[Row]:
    peer = rates.get(CHESS)
    base = median(peer.playouts) if peer else None
    pace = median(peer.moves) if peer else None
    rows = []
    for name, rate in rates.items():
        speed = median(rate.playouts)
        ratio = speed / base if base else None
        figures: dict[str, Figure] = {
            "playouts_per_s": speed,
            "moves_per_s": median(rate.moves),
            "moves_a_playout": rate.all_moves / rate.whole if rate.whole else None,
            "to_chess": ratio,
            "moves_to_chess": median(rate.moves) / pace if pace else None,
            "playouts": rate.whole,
            "given_up": rate.given_up,
        }
        budget = None
        if ratio is not None and name != CHESS:
            budget = at_least("at least 2 × python-chess's playouts a second", ratio, 2.0, " × python-chess")
        rows.append(Row(name, figures, budget))
    return rows


# ------------------------------------------------------------------------------------------------------- playouts


def _of_ours(game: AnyGame, seats: int) -> Playout:
    options = PLAYED_WITH.get(game.info.name, {})

    def playout(rng: random.Random) -> int | None:
        world = world_of(game, seats, options, rng)
        state = game.setup(seats, options, world.setup())
        world.deal(state)
        moves = 0
        while game.actors(state):
            if moves >= LONGEST:
                return None
            templates = list(game.legal(state))
            # A template that the true hand can't fill is none: then another one is drawn.
            while not (actions := list(world.ground_actions(state, template := rng.choice(templates)))):
                templates.remove(template)
            action = rng.choice(actions)
            after = game.play(state, action, world.facts(state, action))
            world.apply(state, action, after)
            state = after
            moves += 1
        return moves

    return playout


def _of_chess(chess: Foreign, rng: random.Random) -> int | None:
    board = chess.Board()
    moves = 0
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
        moves += 1
    return moves
