"""Who plays whom in the next round of a tournament, and on which seat.

There is one objective, in this order: the fewest repeated opponents (each pair at a table counts as often as it has met
before), then the closest standings (the differences in points of all pairs at a table, added up), then the fewest
repeated seats (each player counts as often as he or she has sat on that seat before).

Small fields are solved exactly: every possible table is a column of a set partition, which HiGHS
(`scipy.optimize.milp`) solves for one part of the objective after the other. Large ones are improved by exchanging two
players for as long as that helps, from several beginnings; what comes out is not proven to be the best, but the fewest
repeats nearly always are none, and less than none there is not. Seats are always the best for the tables found.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import combinations
from math import comb

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csc_array

MOST_COLUMNS = 2000
"""Possible tables up to which all are looked at: 16 players in pods of four have some 1,820."""
EXACT_S = 0.6
"""Seconds for each part of the objective; what is found by then is taken, and not said to be proven."""
SEARCH_S = 0.8
"""Seconds for a field that is too large for that."""
BEGINNINGS = 12
Ints = npt.NDArray[np.int64]


class Cost(msgspec.Struct, frozen=True, order=True):
    """What a round costs, in the order that counts."""

    repeats: int
    apart: int
    seats_again: int


class Pairing(msgspec.Struct, frozen=True):
    """A round's tables (players in the order of seats), who has a bye, its cost, and whether nothing cheaper exists."""

    pods: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    cost: Cost
    proven: bool


class PairingError(ValueError):
    """No round can be made; the message says why."""


class Field(msgspec.Struct, frozen=True, dict=True):
    """Who is to be paired. `points` by player; `met`: how often two have met; `sat`: how often one sat on a seat."""

    points: Mapping[int, int]
    met: Mapping[tuple[int, int], int] = {}
    sat: Mapping[tuple[int, int], int] = {}

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The players, the best first."""
        return tuple(sorted(self.points, key=lambda one: (-self.points[one], one)))

    @cached_property
    def meetings(self) -> Ints:
        """How often each has met each, in the order of `players`."""
        place = {one: i for i, one in enumerate(self.players)}
        found = np.zeros((len(place), len(place)), dtype=np.int64)
        for (one, other), often in self.met.items():
            if one in place and other in place and one != other:
                found[place[one], place[other]] = found[place[other], place[one]] = often
        return found

    @cached_property
    def distances(self) -> Ints:
        """How far apart the points of each two are."""
        points = np.array([self.points[one] for one in self.players], dtype=np.int64)
        found: Ints = np.abs(points[:, None] - points[None, :])
        return found

    def seats(self, pod: Iterable[int]) -> tuple[int, tuple[int, ...]]:
        """Seat players (by their place in `players`) so that the fewest sit where they have sat; return how many do."""
        inside = list(pod)
        again = np.array(
            [[self.sat.get((self.players[i], seat), 0) for seat in range(1, len(inside) + 1)] for i in inside]
        )
        rows, seats = linear_sum_assignment(again)
        order = [0] * len(inside)
        for row, seat in zip(rows, seats, strict=True):
            order[seat] = inside[row]
        return int(again[rows, seats].sum()), tuple(order)


def sizes(players: int, wanted: int, smallest: int, largest: int) -> tuple[int, ...]:
    """Return how many sit at each table: as wanted, one fewer, more, or a bye; raise PairingError for too few."""
    for seated in range(players, 0, -1):
        for tables in (-(-seated // wanted), seated // wanted):
            if tables:
                low, more = divmod(seated, tables)
                if smallest <= low and low + (more > 0) <= largest:
                    return (low + 1,) * more + (low,) * (tables - more)
    raise PairingError(f"there are too few players for a table: {players}; it takes {smallest}")


def pair(field: Field, wanted: int, smallest: int, largest: int, byes: Mapping[int, int] | None = None) -> Pairing:
    """Pair a field; those with the fewest byes, of them the last, are left over. Raises PairingError for too few."""
    tables = sizes(len(field.points), wanted, smallest, largest)
    left = len(field.points) - sum(tables)
    had = byes or {}
    places = {one: i for i, one in enumerate(field.players)}
    resting = tuple(sorted(field.players, key=lambda one: (had.get(one, 0), -places[one]))[:left])
    if resting:
        field = Field({one: at for one, at in field.points.items() if one not in resting}, field.met, field.sat)
    count = len(field.players)
    columns = sum(comb(count, size) for size in set(tables))
    exact, proven = _exact(field, tables) if columns <= MOST_COLUMNS else (None, False)
    found = [
        _result(field, pods, resting, proven) for pods in (exact, None if proven else _search(field, tables)) if pods
    ]
    return min(found, key=lambda one: one.cost)


def cost_of(field: Field, pods: Iterable[Iterable[int]]) -> Cost:
    """Return what tables cost whose players sit in a given order."""
    repeats = apart = again = 0
    for pod in pods:
        seated = list(pod)
        again += sum(field.sat.get((one, seat), 0) for seat, one in enumerate(seated, 1))
        for one, other in combinations(seated, 2):
            repeats += field.met.get((one, other), field.met.get((other, one), 0))
            apart += abs(field.points[one] - field.points[other])
    return Cost(repeats, apart, again)


def _result(field: Field, pods: Iterable[Iterable[int]], byes: tuple[int, ...], proven: bool) -> Pairing:
    seated = [tuple(field.players[i] for i in field.seats(sorted(pod))[1]) for pod in pods]
    seated.sort(key=lambda pod: (-sum(field.points[one] for one in pod) / len(pod), pod))
    return Pairing(tuple(seated), byes, cost_of(field, seated), proven)


def _exact(field: Field, tables: tuple[int, ...]) -> tuple[list[tuple[int, ...]] | None, bool]:
    """Find the tables whose cost is the least of all; None if that takes too long."""
    count = len(field.players)
    pods = [pod for size in sorted(set(tables)) for pod in combinations(range(count), size)]
    upper = np.triu(np.ones((count, count), dtype=bool), 1)
    met, far = np.where(upper, field.meetings, 0), np.where(upper, field.distances, 0)
    costs = np.array(
        [[met[np.ix_(pod, pod)].sum(), far[np.ix_(pod, pod)].sum(), field.seats(pod)[0]] for pod in pods], dtype=float
    )
    indices = np.concatenate([np.array(pod) for pod in pods])
    starts = np.concatenate([[0], np.cumsum([len(pod) for pod in pods])])
    covers = csc_array((np.ones(len(indices)), indices, starts), shape=(count, len(pods)))
    limits = [LinearConstraint(covers, 1, 1)]
    for size in set(tables):
        of_size = np.array([[float(len(pod) == size) for pod in pods]])
        limits.append(LinearConstraint(of_size, tables.count(size), tables.count(size)))
    chosen = np.zeros(len(pods), np.bool_)
    proven = True
    for part in costs.T:
        unit = float(np.gcd.reduce(part.astype(np.int64))) or 1.0
        answer = milp(
            part / unit,
            constraints=limits,
            integrality=np.ones(len(pods)),
            bounds=Bounds(0, 1),
            options={"time_limit": EXACT_S, "mip_rel_gap": 0.0},
        )
        if answer.x is None:
            return None, False
        proven = proven and answer.status == 0
        chosen = answer.x > 0.5
        limits.append(LinearConstraint((part / unit)[None, :], -np.inf, round((part[chosen] / unit).sum()) + 0.5))
    return [pods[i] for i in np.flatnonzero(chosen)], proven


def _search(field: Field, tables: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Find good tables: begin by standing and by chance, exchange two players while it helps, keep the best."""
    count = len(field.players)
    heavier = int(field.distances.sum()) + 1
    weights = field.meetings * heavier + field.distances
    rng = random.Random(count)
    until = time.monotonic() + SEARCH_S
    best: Ints | None = None
    least = 0
    order = np.arange(count)
    for number in range(BEGINNINGS):
        pods = np.repeat(np.arange(len(tables)), tables)
        mine = np.empty(count, dtype=np.int64)
        mine[order] = pods
        _exchange(weights, mine, len(tables), until)
        cost = int(weights[mine[:, None] == mine[None, :]].sum())
        if best is None or cost < least:
            best, least = mine.copy(), cost
        if time.monotonic() > until:
            break
        # Shake the standings a little more each time: people near each other change places.
        jitter = np.array([rng.gauss(0, 1 + 2 * number) for _ in range(count)])
        order = np.argsort(np.arange(count) + jitter, kind="stable")
    assert best is not None  # noqa: S101  (there is a beginning)
    return [tuple(np.flatnonzero(best == pod).tolist()) for pod in range(len(tables))]


def _exchange(weights: Ints, mine: Ints, tables: int, until: float) -> None:
    """Exchange the two players that lessens the cost most, again and again, until nothing does."""
    count = len(mine)
    inside = np.zeros((count, tables), dtype=np.int64)
    inside[np.arange(count), mine] = 1
    to = weights @ inside
    rows = np.arange(count)
    while time.monotonic() < until:
        own = to[rows, mine]
        moved = to[:, mine]
        change = moved + moved.T - own[:, None] - own[None, :] - 2 * weights
        change[mine[:, None] == mine[None, :]] = 0
        at = int(change.argmin())
        one, other = divmod(at, count)
        if change[one, other] >= 0:
            return
        a, b = mine[one], mine[other]
        difference = weights[:, other] - weights[:, one]
        to[:, a] += difference
        to[:, b] -= difference
        mine[one], mine[other] = b, a
