"""Pairing has one objective: for small fields nothing is better, by brute force; large ones are quick and clean."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest

from companion.hall.pairing import Cost, Field, PairingError, cost_of, pair, sizes
from tests.nights import at_night


def partitions(players, tables):
    """Yield every way to sit at tables of these sizes."""
    if not tables:
        yield ()
        return
    first, rest = players[0], players[1:]
    for size in sorted(set(tables)):
        left = list(tables)
        left.remove(size)
        for others in combinations(rest, size - 1):
            pod = (first, *others)
            yield from ((pod, *more) for more in partitions([one for one in players if one not in pod], tuple(left)))


def cheapest(field, tables):
    """Return the least cost there is, by trying everything."""

    def seated(pod):
        return min(
            sum(field.sat.get((one, seat), 0) for seat, one in enumerate(order, 1)) for order in permutations(pod)
        )

    known = {}
    best = None
    for pods in partitions(list(field.points), tables):
        cost = cost_of(field, pods)
        again = 0
        for pod in pods:
            if pod not in known:
                known[pod] = seated(pod)
            again += known[pod]
        cost = Cost(cost.repeats, cost.apart, again)
        best = cost if best is None or cost < best else best
    return best


def some_field(count, seed):
    rng = random.Random(seed)
    points = {n: 60 * rng.randrange(0, 40) for n in range(1, count + 1)}
    met = {pair: rng.choice((0, 0, 1, 1, 2)) for pair in combinations(points, 2)}
    sat = {(one, seat): rng.randrange(0, 3) for one in points for seat in range(1, 9)}
    return Field(points, met, sat)


CASES = [(5, 4, 2), (7, 4, 3), (8, 4, 2), (6, 2, 2)]


@pytest.mark.parametrize(
    ("count", "wanted", "smallest", "seed"),
    [
        *((*case, 1) for case in CASES),
        *at_night(
            *(
                (count, wanted, min(wanted, 2), seed)
                for count in range(4, 12)
                for wanted in (2, 3, 4, 5)
                for seed in (2, 3)
            ),
            (12, 4, 3, 4),
            (12, 3, 3, 5),
            (12, 6, 3, 6),
            (12, 2, 2, 7),
        ),
    ],
)
def test_nothing_is_better_than_what_the_solver_finds(count, wanted, smallest, seed):
    field = some_field(count, seed)
    found = pair(field, wanted, smallest, 8)
    assert found.proven
    assert found.byes == ()
    assert sorted(one for pod in found.pods for one in pod) == sorted(field.points)
    assert found.cost == cost_of(field, found.pods) == cheapest(field, sizes(count, wanted, smallest, 8))


@pytest.mark.parametrize(
    ("players", "wanted", "smallest", "largest", "expected"),
    [
        (16, 4, 2, 6, (4, 4, 4, 4)),
        (14, 4, 3, 4, (4, 4, 3, 3)),
        (9, 4, 2, 4, (3, 3, 3)),
        (5, 4, 3, 5, (5,)),
        (5, 4, 3, 4, (4,)),
        (7, 2, 2, 2, (2, 2, 2)),
        (7, 2, 2, 3, (3, 2, 2)),
    ],
)
def test_tables_are_as_large_as_wanted_or_one_smaller_and_as_few_as_can_be_have_a_bye(
    players, wanted, smallest, largest, expected
):
    assert sizes(players, wanted, smallest, largest) == expected


@pytest.mark.parametrize("level", [False, True], ids=["standings decide", "seats decide"])
def test_where_nobody_met_the_standings_decide_and_where_all_stand_equal_the_seats(level):
    field = some_field(8, 9)
    field = Field(dict.fromkeys(field.points, 0) if level else field.points, {}, field.sat)
    found = pair(field, 4, 2, 8)
    assert found.cost == cheapest(field, (4, 4))


def test_too_few_players_are_told_of():
    with pytest.raises(PairingError, match="too few"):
        pair(Field({1: 0}), 4, 2, 4)


def test_a_bye_goes_to_who_had_none_and_stands_last():
    field = Field({1: 300, 2: 200, 3: 100, 4: 50, 5: 0})
    assert pair(field, 2, 2, 2, {5: 1}).byes == (4,)
