"""A tournament on paper: what pairing costs, and how well it pairs, with people who drop out."""

from __future__ import annotations

import random
import time
from itertools import combinations

import msgspec

from companion.hall.pairing import Field, Pairing, pair
from companion.hall.scoring import points


class PaperRound(msgspec.Struct, frozen=True):
    """A round: what came of it, and how many seconds it took."""

    pairing: Pairing
    players: int
    seconds: float


def tournament(players: int, pod: int, rounds: int, drop: float = 0.05, seed: int = 1) -> list[PaperRound]:
    """Play a tournament with dice for results, in which a share of the players leaves after each round."""
    rng = random.Random(seed)
    total = dict.fromkeys(range(1, players + 1), 0)
    met: dict[tuple[int, int], int] = {}
    sat: dict[tuple[int, int], int] = {}
    byes: dict[int, int] = {}
    played = []
    for _ in range(rounds):
        began = time.perf_counter()
        found = pair(Field(total, met, sat), pod, pod - 1, pod, byes)
        played.append(PaperRound(found, len(total), time.perf_counter() - began))
        byes |= {one: byes.get(one, 0) + 1 for one in found.byes}
        for seated in found.pods:
            scores = {one: rng.gauss(-one / players, 1) for one in seated}
            order = {one: n for n, one in enumerate(sorted(seated, key=lambda one: scores[one]))}
            for one, worth in points(order, [max(order, key=lambda one: order[one])]).items():
                total[one] += worth
            for seat, one in enumerate(seated, 1):
                sat[one, seat] = sat.get((one, seat), 0) + 1
            for both in combinations(sorted(seated), 2):
                met[both] = met.get(both, 0) + 1
        for one in rng.sample(sorted(total), round(len(total) * drop)):
            del total[one]
    return played
