"""Robots: how often one seat wins against others, with the 95 % interval, by levels and against robots as they were.

Matches are played straight by the rules, with fixed seeds and so many playouts, not so many seconds. The seat that is
measured goes round the table, each time with the same cards.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import msgspec

from benchmarks import robots_before
from benchmarks.dice_outcomes import between
from companion import games
from companion.bench.figures import Figure, Row, Section, at_least
from companion.games.from_file import FromFile
from companion.games.from_file.scoring import sides
from companion.rules.kernel import Action, AnyGame
from companion.sim.robots import LEVELS, level_of, think
from companion.sim.world import AnyWorld, world_of

HELD_OUT = "held out"
"""The seeds that nothing was tuned on; whoever tunes takes others."""
COMPETITIVE = ("five-cards-collector", "collectors", "collectible", "karmic-collections")
FROM_FILES = {
    "hearts": (4, 5),
    "spades": (4, 1),
    "oh-hell": (3, 5),
    "gin-rummy": (2, 1),
    "scopa": (2, 1),
    "cribbage": (2, 1),
}
"""Games from files that are measured: the seats, and the rounds that a match has here, as whole ones take minutes."""
Player = Callable[[AnyGame, object, AnyWorld, Sequence[Action], random.Random], Action]


def at_level(level: str) -> Player:
    """Return a player of a level."""

    def play(game: AnyGame, state: object, world: AnyWorld, actions: Sequence[Action], rng: random.Random) -> Action:
        return think(game, state, world, actions, level_of(game, level), rng).action

    return play


def anyhow(game: AnyGame, state: object, world: AnyWorld, actions: Sequence[Action], rng: random.Random) -> Action:
    """Play by chance."""
    return rng.choice(actions)


PLAYERS: dict[str, Player] = {
    "before": robots_before.choose,
    "random": anyhow,
    **{name: at_level(name) for name in LEVELS},
}


def play(name: str, players: Sequence[Player], seed: str) -> object:
    """Return the last state of a whole match; of a game from a file, of its first rounds."""
    game, seats = games.load(name), len(players)
    rng, options = random.Random(f"cards {seed}"), {"rounds": FROM_FILES[name][1]} if name in FROM_FILES else {}
    world = world_of(game, seats, options, rng)
    state = game.setup(seats, options, world.setup())
    world.deal(state)
    whims = [random.Random(f"whim {seed} {seat}") for seat in range(seats + 1)]
    while choices := world.choices(state):
        seat = choices[0].seat
        own = [action for action in choices if action.seat == seat]
        action = players[seat - 1](game, state, world, own, whims[seat]) if seat and len(own) > 1 else own[0]
        after = game.play(state, action, world.facts(state, action))
        world.apply(state, action, after)
        state = after
    return state


class Share(msgspec.Struct, frozen=True):
    """So many matches of `matches` won, shared wins in parts; `turns` altogether, where they were counted."""

    matches: int
    won: float
    turns: int = 0

    @property
    def part(self) -> float:
        """The share of matches won."""
        return self.won / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson)."""
        return between(self.won, self.matches, 1.959964)


def share(name: str, seats: int, matches: int, player: str, others: str, seeds: str = HELD_OUT) -> Share:
    """Return how many of about so many matches a side wins against others, or a team together (`others` "")."""
    team, won, played, game = not others, 0.0, 0, games.load(name)
    partners = sides(game.components.score, seats) if isinstance(game, FromFile) else [(n + 1,) for n in range(seats)]
    for seed in range(math.ceil(matches / (1 if team else len(partners)))):
        for mine in partners[: 1 if team else None]:
            players = [PLAYERS[player if n + 1 in mine else others or player] for n in range(seats)]
            outcome = game.standing(play(name, players, f"{seeds} {seed}")).outcome
            winners = outcome.winners if outcome is not None else ()
            won += bool(winners) if team else sum(seat in mine for seat in winners) / max(1, len(winners))
            played += 1
    return Share(played, won)


GOALS = {
    ("five-cards-collector", "strong", "before", 2): 0.77,
    ("five-cards-collector", "strong", "before", 4): 0.60,
    ("collectors", "strong", "before", 2): 0.88,
    ("collectors", "strong", "before", 4): 0.75,
    ("collectible", "strong", "before", 2): 0.58,
    ("collectible", "strong", "before", 4): 0.30,
    ("karmic-collections", "strong", "before", 2): 0.90,
    ("karmic-collections", "strong", "before", 4): 0.75,
    **{(name, "normal", "before", 2): 0.47 if name == "collectible" else 0.60 for name in COMPETITIVE},
    **{(name, "normal", "easy", 2): 0.50 for name in COMPETITIVE},
    **{(name, "strong", "normal", 2): 0.50 for name in COMPETITIVE},
    **{(name, "easy", "random", 2): 0.70 for name in COMPETITIVE},
    ("collection", "strong", "", 4): 0.72,
    ("collection", "easy", "", 4): 0.0,
    **{
        (name, "strong", "before", seats): 0.5 if name == "spades" else 1 / seats
        for name, (seats, _) in FROM_FILES.items()
    },
}
"""What the lower end of the interval has to reach: the game, the seat measured, the others ("": a team), the seats."""


def measure(readings: int = 400) -> Section:
    """Measure every pair of levels; `readings` are the matches of each."""
    rows = []
    for (name, player, others, seats), goal in GOALS.items():
        found = share(name, seats, readings, player, others)
        least, most = found.interval
        words = f"{games.load(name).info.title}, {seats} seats: {player} " + (
            f"against {others}" if others else "alone"
        )
        figures: dict[str, Figure] = {"matches": found.matches, "won": found.part, "at_least": least, "at_most": most}
        rows.append(Row(words, figures, at_least(f"at least {goal}", least, goal)))
    return Section(tuple(rows), ("Robots play robots. Shares of wins of one seat, with their 95 % interval (Wilson).",))
