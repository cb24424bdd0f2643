"""Matches and tournaments without tables: by robots, as a journal has them, or with dice for results."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from itertools import combinations

import msgspec

from companion import games
from companion.bench.prepared import prepared
from companion.hall.messages import Records
from companion.hall.pairing import Field, Pairing, pair
from companion.hall.scoring import points
from companion.referee.chain import link, root
from companion.referee.journal import Header, encode_record, new_id, now
from companion.referee.record import Record
from companion.rules.kernel import Ranking
from companion.untyped import JsonObject

LONGEST = 2000
"""Actions of a match: every game of robots is over before."""
IN_A_MESSAGE = 50


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match: its header, and its records' lines."""

    header: Header
    lines: tuple[str, ...]

    def messages(self, many: int = IN_A_MESSAGE) -> Iterator[Records]:
        """Yield it as a table sends it, so many records a message."""
        plain: JsonObject = json.loads(msgspec.json.encode(self.header))
        hung = root(self.header)
        for i in range(0, len(self.lines), many):
            yield Records(
                match=self.header.id,
                root=hung,
                first=i + 1,
                lines=self.lines[i : i + many],
                header=None if i else plain,
            )


def played(game: str, seats: int, seed: int, names: tuple[str, ...] = (), longest: int = LONGEST) -> PlayedMatch:
    """Let robots play a match, at most so many actions of it."""
    header, steps = prepared(games.load(game), seats, seed, longest)
    header = msgspec.structs.replace(header, id=new_id(), names=dict(enumerate(names, 1)))
    before, lines = root(header), []
    for n, (action, facts) in enumerate(steps, 1):
        record = Record(n=n, id=new_id(), at=now(), seat=action.seat, action=action, facts=facts)
        before = link(before, record)
        lines.append(encode_record(msgspec.structs.replace(record, chain=before)).decode())
    return PlayedMatch(header, tuple(lines))


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
            scores = {seat: rng.gauss(-one / players, 1) for seat, one in enumerate(seated, 1)}
            order = {seat: n for n, seat in enumerate(sorted(scores, key=lambda seat: scores[seat]))}
            for seat, worth in points(order, [max(order, key=lambda seat: order[seat])], Ranking()).items():
                total[seated[seat - 1]] += worth
            for seat, one in enumerate(seated, 1):
                sat[one, seat] = sat.get((one, seat), 0) + 1
            for both in combinations(sorted(seated), 2):
                met[both] = met.get(both, 0) + 1
        for one in rng.sample(sorted(total), round(len(total) * drop)):
            del total[one]
    return played
