"""Independent scorers of ten more games, from their rules, by other means than the score files: loops and tables.

Cards of a second pack are those of the first, with a first digit that is five higher. As in `scorers`, nothing here
knows of blocks or operators.
"""

from __future__ import annotations

import random
from collections import Counter

from companion.games.from_file.scoring import Table
from tests.games.from_file.scorers import DECK, SCORERS, Scorer, rank, shuffled

DIGITS = "0123456789A"


def suit(card: str) -> int:
    """Return a card's suit, whatever its pack: 1 clubs, 2 diamonds, 3 hearts, 4 spades, 5 a joker."""
    return (DIGITS.index(card[0]) - 1) % 5 + 1


def packs(count: int, *ranks: int) -> list[str]:
    """Return the cards of these ranks, once or twice."""
    cards = [card for card in DECK if rank(card) in ranks]
    return cards + [DIGITS[int(card[0]) + 5] + card[1:] for card in cards if count == 2]


def faces(cards: tuple[str, ...]) -> Counter[tuple[int, int]]:
    return Counter((suit(card), rank(card)) for card in cards)


def zone(table: Table, name: str, seat: int) -> tuple[str, ...]:
    return table.cards.get(f"{name}.{seat}", ())


def split(rng: random.Random, cards: list[str], parts: int, name: str) -> dict[str, tuple[str, ...]]:
    """Return all cards, each in one of the parts at random; now and then one has hardly any, or none."""
    weights = [rng.choice((0.02, 1, 1, 1)) for _ in range(parts)]
    owner = [rng.choices(range(parts), weights)[0] for _ in cards]
    return {
        f"{name}.{part + 1}": tuple(card for card, one in zip(cards, owner, strict=True) if one == part)
        for part in range(parts)
    }


def melded(rng: random.Random, cards: list[str], most: int) -> dict[str, tuple[str, ...]]:
    """Return what two seats have shown, mostly pictures and aces, so that there are melds."""
    rich = [card for card in cards if rank(card) in (1, 10, 11, 12, 13) and rng.random() < 0.8]
    chosen = shuffled(rng, rich if rng.random() < 0.8 else cards)[:most]
    return split(rng, chosen, 2, "hand")


ACE_TEN = {1: 11, 10: 10, 13: 4, 12: 3, 11: 2}


def marriages(cards: tuple[str, ...], trump: int) -> int:
    held = faces(cards)
    return sum((40 if one == trump else 20) * min(held[one, 12], held[one, 13]) for one in (1, 2, 3, 4))


# ------------------------------------------------------------------------------------------ tricks with a talon


def briscola_table(rng: random.Random) -> Table:
    seats, deck = rng.randint(2, 4), shuffled(rng, packs(1, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13))
    return Table(seats, cards=split(rng, deck[: 40 // seats * seats], seats, "taken"))


def briscola_points(table: Table) -> list[int]:
    value = {1: 11, 3: 10, 13: 4, 12: 3, 11: 2}
    sums = [sum(value.get(rank(card), 0) for card in zone(table, "taken", n)) for n in range(1, table.seats + 1)]
    return [int(mine == max(sums) and sums.count(mine) == 1) for mine in sums]


def schnapsen_table(rng: random.Random) -> Table:
    deck = shuffled(rng, packs(1, 1, 10, 11, 12, 13))
    cards = split(rng, deck if rng.random() < 0.3 else deck[: 2 * rng.randint(2, 10)], 2, "taken")
    cards |= melded(rng, deck, 8) | {"trump": (deck[-1],)}
    typed: dict[str, tuple[int | None, ...]] = {}
    for name, chance in (("out", 0.8), ("closed", 0.4)):
        if rng.random() < chance:
            typed[name] = rng.choice(((1, None), (None, 1)))
    return Table(2, cards=cards, last=rng.randint(1, 2), entered=typed)


def schnapsen_points(table: Table) -> list[int]:
    trump, piles = suit(table.cards["trump"][0]), [zone(table, "taken", seat) for seat in (1, 2)]
    totals = [
        sum(ACE_TEN[rank(card)] for card in pile) + (marriages(zone(table, "hand", seat), trump) if pile else 0)
        for seat, pile in enumerate(piles, 1)
    ]
    who = {name: said.index(1) for name, said in table.entered.items()}
    points, claimer, closer = [0, 0], who.get("out"), who.get("closed")
    right = claimer is not None and totals[claimer] >= 66
    failed = {n for n in (claimer, closer) if n is not None and not (right and n == claimer)}
    if len(failed) == 1:
        other = 1 - failed.pop()
        points[other] = 2 if piles[other] else 3
    elif right and claimer is not None:
        beaten = 1 - claimer
        points[claimer] = 3 if not piles[beaten] else 2 if totals[beaten] < 33 else 1
    elif claimer is None and closer is None and sum(map(len, piles)) == 20:
        points[table.last - 1] = 1
    return points


def bezique_table(rng: random.Random) -> Table:
    deck = shuffled(rng, packs(2, 1, 7, 8, 9, 10, 11, 12, 13))
    cards = split(rng, deck, 2, "taken") | melded(rng, deck, 30) | {"trump": (rng.choice(deck),)}
    return Table(2, rng.randint(1, 2), cards, last=rng.randint(1, 2))


def bezique_points(table: Table) -> list[int]:
    trump, points = suit(table.cards["trump"][0]), []
    for seat in (1, 2):
        held = faces(zone(table, "hand", seat))
        both = min(held[4, 12], held[2, 11])
        score = marriages(zone(table, "hand", seat), trump) + (540 if both == 2 else 40 * both)
        score += 250 * min(held[trump, one] for one in (1, 10, 11, 12, 13)) + 10 * held[trump, 7]
        for one, worth in ((1, 100), (13, 80), (12, 60), (11, 40)):
            score += worth if sum(held[any_suit, one] for any_suit in (1, 2, 3, 4)) >= 4 else 0
        score += 10 * sum(rank(card) in (1, 10) for card in zone(table, "taken", seat))
        score += 10 * (table.last == seat) + 10 * (table.dealer == seat and rank(table.cards["trump"][0]) == 7)
        points.append(score)
    return points


def pinochle_table(rng: random.Random) -> Table:
    deck = shuffled(rng, packs(2, 1, 9, 10, 11, 12, 13))
    cards = split(rng, deck, 2, "taken") | melded(rng, deck, 24) | {"trump": (rng.choice(deck),)}
    return Table(2, cards=cards)


def pinochle_points(table: Table) -> list[int]:
    trump, points = suit(table.cards["trump"][0]), []
    for seat in (1, 2):
        held = faces(zone(table, "hand", seat))
        score = marriages(zone(table, "hand", seat), trump) + 40 * min(held[4, 12], held[2, 11])
        score += 150 * min(held[trump, one] for one in (1, 10, 11, 12, 13)) + 10 * held[trump, 9]
        for one, worth in ((1, 100), (13, 80), (12, 60), (11, 40)):
            score += worth * min(held[any_suit, one] for any_suit in (1, 2, 3, 4))
        points.append(score + sum(ACE_TEN.get(rank(card), 0) for card in zone(table, "taken", seat)))
    return points


# ------------------------------------------------------------------------------------------ rows, hands, melds


def casino_table(rng: random.Random) -> Table:
    seats = rng.randint(2, 4)
    sweeps = tuple(rng.randint(0, 3) for _ in range(seats))
    return Table(seats, cards=split(rng, shuffled(rng), seats, "taken"), sweeps=sweeps)


def casino_points(table: Table) -> list[int]:
    piles = [zone(table, "taken", seat) for seat in range(1, table.seats + 1)]
    points = [
        n + sum({"20A": 2, "402": 1}.get(card, rank(card) == 1) for card in pile)
        for n, pile in zip(table.sweeps, piles, strict=True)
    ]
    for worth, sizes in ((3, [len(pile) for pile in piles]), (1, [sum(suit(c) == 4 for c in pile) for pile in piles])):
        if sizes.count(max(sizes)) == 1:
            points[sizes.index(max(sizes))] += worth
    return points


def thirty_one_table(rng: random.Random) -> Table:
    seats, deck = rng.randint(2, 6), shuffled(rng)
    if rng.random() < 0.5:
        deck = shuffled(rng, [card for card in deck if rank(card) in (1, 10, 11, 12, 13)])
    return Table(seats, cards={f"melds.{n}": tuple(deck[3 * n - 3 : 3 * n]) for n in range(1, seats + 1)})


def thirty_one_points(table: Table) -> list[int]:
    best = []
    for seat in range(1, table.seats + 1):
        together: Counter[int] = Counter()
        for card in zone(table, "melds", seat):
            together[suit(card)] += 11 if rank(card) == 1 else min(10, rank(card))
        best.append(max(together.values()))
    if best.count(max(best)) > 1:
        return [0] * table.seats
    return [table.seats - 1 if mine == max(best) else -1 for mine in best]


def rum_table(rng: random.Random) -> Table:
    seats = rng.randint(2, 6)
    cards = split(rng, shuffled(rng)[: rng.randint(6, 40)], seats, "melds")
    return Table(seats, cards=cards, entered={"left": tuple(rng.randint(0, 90) for _ in range(seats))})


def rum_points(table: Table) -> list[int]:
    value = [15, *[5] * 8, *[10] * 4]
    return [
        sum(value[rank(card) - 1] for card in zone(table, "melds", seat)) - (table.entered["left"][seat - 1] or 0)
        for seat in range(1, table.seats + 1)
    ]


def canasta_table(rng: random.Random) -> Table:
    deck = [*packs(2, *range(1, 14)), "501", "502", "A01", "A02"]
    threes = ["203", "303", "703", "803"] if rng.random() < 0.5 else []
    deck = [*threes, *(card for card in shuffled(rng, deck) if card not in threes)][: rng.randint(4, 80)]
    cards = split(rng, deck, 4, "melds")
    if rng.random() < 0.2:
        cards = {name: tuple(card for card in lying if card in threes) for name, lying in cards.items()}
    out = tuple(rng.choice((1, 2)) if n == rng.randint(0, 5) else None for n in range(4))
    kept = {name: tuple(rng.randint(0, 2) for _ in range(4)) for name in ("natural", "mixed")}
    left = tuple(rng.randint(0, 150) for _ in range(4))
    return Table(4, cards=cards, entered={**kept, "out": out, "left": left})


def canasta_points(table: Table) -> list[int]:
    value = {1: 20, 2: 20, 3: 5, 4: 5, 5: 5, 6: 5, 7: 5}
    points = []
    for seats in ((1, 3), (2, 4)):
        cards = [card for seat in seats for card in zone(table, "melds", seat)]
        red = [card for card in cards if suit(card) in (2, 3) and rank(card) == 3]
        laid = sum(50 if suit(card) == 5 else value.get(rank(card), 10) for card in cards if card not in red)
        typed = {name: sum(said[seat - 1] or 0 for seat in seats) for name, said in table.entered.items()}
        score = laid + 500 * typed["natural"] + 300 * typed["mixed"] + 100 * typed["out"] - typed["left"]
        points.append(score + (100 if laid else -100) * len(red) + (400 if laid and len(red) == 4 else 0))
    return points


def big_two_table(rng: random.Random) -> Table:
    left = [rng.randint(1, 13) for _ in range(4)]
    left[rng.randint(0, 3)] = 0
    return Table(4, entered={"left": tuple(left)})


def big_two_points(table: Table) -> list[int]:
    return [n * (3 if n >= 10 else 2 if n >= 5 else 1) for n in table.entered["left"] if n is not None]


SKAT = [(9, 10, 11, 12, 24), (23, 35, 46, 59)]


def skat_table(rng: random.Random) -> Table:
    seat, game = rng.randint(0, 2), rng.randint(1, 9)
    said = {"game": game, "matadors": rng.randint(0, 11), "steps": rng.randint(0, 6), "won": rng.randint(0, 1)}
    return Table(3, entered={name: tuple(n if one == seat else None for one in range(3)) for name, n in said.items()})


def skat_points(table: Table) -> list[int]:
    said = {name: next(n for n in numbers if n is not None) for name, numbers in table.entered.items()}
    game = said["game"] - 1
    worth = SKAT[0][game] * (1 + said["matadors"] + said["steps"]) if game < 5 else SKAT[1][game - 5]
    return [0 if n is None else worth if said["won"] else -2 * worth for n in table.entered["game"]]


MORE = {
    "bezique": Scorer(bezique_table, bezique_points),
    "big-two": Scorer(big_two_table, big_two_points),
    "briscola": Scorer(briscola_table, briscola_points),
    "canasta": Scorer(canasta_table, canasta_points),
    "casino": Scorer(casino_table, casino_points),
    "pinochle": Scorer(pinochle_table, pinochle_points),
    "rum-500": Scorer(rum_table, rum_points),
    "schnapsen": Scorer(schnapsen_table, schnapsen_points),
    "skat": Scorer(skat_table, skat_points),
    "thirty-one": Scorer(thirty_one_table, thirty_one_points),
}
TWENTY = SCORERS | MORE
