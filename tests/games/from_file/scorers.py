"""Independent scorers of the ten games, from their rules, by other means than the score files: tables, brute force.

Each game has `table(rng)`, a random round as its players might leave it behind, and `points(table)`, what it is worth
to each seat. Nothing here knows of blocks or operators.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from companion.games.from_file.scoring import Table

SUITS = "1234"
"""The first digit of a card's number: clubs, diamonds, hearts, spades."""
RANKS = "123456789ABCD"
DECK = [f"{suit}0{rank}" for suit in SUITS for rank in RANKS]


def suit(card: str) -> str:
    return card[0]


def rank(card: str) -> int:
    return RANKS.index(card[2]) + 1


def shuffled(rng: random.Random, cards: list[str] | None = None) -> list[str]:
    deck = list(DECK if cards is None else cards)
    rng.shuffle(deck)
    return deck


# ------------------------------------------------------------------------------------------ tricks


class Tricks(NamedTuple):
    """A round of tricks: who took each, and what lay in it."""

    winners: list[int]
    cards: list[list[str]]


def play_tricks(
    rng: random.Random, seats: int, hand: int, trump: str, leader: int = 1
) -> tuple[Tricks, list[list[str]]]:
    """Play a hand at random, following suit; aces are high. A trick goes to the highest trump, else of the suit led."""
    deck = shuffled(rng)
    hands = [deck[n * hand : (n + 1) * hand] for n in range(seats)]
    winners, tricks = [], []
    for _ in range(hand):
        led, laid = "", []
        for n in range(seats):
            seat = (leader - 1 + n) % seats
            able = [card for card in hands[seat] if suit(card) == led] or hands[seat]
            card = rng.choice(able)
            hands[seat].remove(card)
            led = led or suit(card)
            laid.append((seat + 1, card))
        power = {card: (suit(card) == trump, suit(card) == led, (rank(card) - 2) % 13) for _, card in laid}
        leader = max(laid, key=lambda one: power[one[1]])[0]
        winners.append(leader)
        tricks.append([card for _, card in laid])
    return Tricks(winners, tricks), hands


def won(tricks: Tricks, seats: int) -> list[int]:
    return [tricks.winners.count(seat) for seat in range(1, seats + 1)]


def taken(tricks: Tricks, seats: int) -> dict[str, tuple[str, ...]]:
    return {
        f"taken.{seat}": tuple(
            card for winner, cards in zip(tricks.winners, tricks.cards, strict=True) if winner == seat for card in cards
        )
        for seat in range(1, seats + 1)
    }


def hearts_table(rng: random.Random) -> Table:
    if rng.random() < 0.1:  # somebody has all of them, which hardly ever happens by chance
        shooter, rest = rng.randint(1, 4), shuffled(rng, [c for c in DECK if suit(c) != "3" and c != "40C"])
        cards = {f"taken.{seat}": tuple(rest[seat - 1 :: 5]) for seat in range(1, 5)}
        cards[f"taken.{shooter}"] += tuple(c for c in DECK if suit(c) == "3" or c == "40C")
        return Table(4, cards=cards)
    return Table(4, cards=taken(play_tricks(rng, 4, 13, "")[0], 4))


def hearts_points(table: Table) -> list[int]:
    penalty = {card: 13 if card == "40C" else 1 for card in DECK if suit(card) == "3" or card == "40C"}
    points = [sum(penalty.get(card, 0) for card in table.cards[f"taken.{seat}"]) for seat in range(1, 5)]
    return [0 if mine == 26 else 26 for mine in points] if 26 in points else points


def spades_table(rng: random.Random) -> Table:
    tricks, _ = play_tricks(rng, 4, 13, "4")
    counts = won(tricks, 4)
    bids = tuple(max(0, count + rng.choice((-3, -2, -1, 0, 0, 1, 2))) if rng.random() < 0.8 else 0 for count in counts)
    before = (rng.randint(0, 19), rng.randint(0, 19)) * 2
    return Table(4, tricks=tuple(counts), entered={"bid": bids}, carried={"bags": before})


def spades_points(table: Table) -> list[int]:
    points = []
    for first in (0, 1):
        bids, got = (
            [table.entered["bid"][n] or 0 for n in (first, first + 2)],
            table.tricks[first] + table.tricks[first + 2],
        )
        score = 0
        for n in (first, first + 2):
            if table.entered["bid"][n] == 0:
                score += -100 if table.tricks[n] else 100
        if got >= sum(bids):
            bags = got - sum(bids)
            score += 10 * sum(bids) + bags
            held = table.carried["bags"][first] % 10 + bags
            while held >= 10:
                held, score = held - 10, score - 100
        else:
            score -= 10 * sum(bids)
        points.append(score)
    return points


def oh_hell_table(rng: random.Random) -> Table:
    seats, hand = rng.randint(3, 6), rng.randint(1, 7)
    tricks, _ = play_tricks(rng, seats, hand, rng.choice(SUITS))
    counts = won(tricks, seats)
    bids = tuple(count if rng.random() < 0.5 else rng.randint(0, hand) for count in counts)
    return Table(seats, tricks=tuple(counts), entered={"bid": bids})


def oh_hell_points(table: Table) -> list[int]:
    return [
        10 + bid if bid == got else 0
        for bid, got in zip(table.entered["bid"], table.tricks, strict=True)
        if bid is not None
    ]


def whist_table(rng: random.Random) -> Table:
    return Table(4, tricks=tuple(won(play_tricks(rng, 4, 13, rng.choice(SUITS))[0], 4)))


def whist_points(table: Table) -> list[int]:
    odd = table.tricks[0] + table.tricks[2]
    return [odd - 6, 0] if odd > 6 else [0, 13 - odd - 6]


# ------------------------------------------------------------------------------------------ gin rummy


def pips(card: str) -> int:
    return min(10, rank(card))


def is_meld(cards: tuple[str, ...]) -> bool:
    ranks, suits = sorted(map(rank, cards)), {suit(card) for card in cards}
    if len(cards) < 3:
        return False
    return len(set(ranks)) == 1 or (len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks))))


def meldings(cards: tuple[str, ...]) -> list[tuple[tuple[str, ...], ...]]:
    """List every way to choose disjoint melds out of cards, none of them included."""
    all_melds = [some for size in range(3, len(cards) + 1) for some in _candidates(cards, size)]

    def choose(start: int, used: frozenset[str]) -> list[tuple[tuple[str, ...], ...]]:
        ways: list[tuple[tuple[str, ...], ...]] = [()]
        for n in range(start, len(all_melds)):
            if not used & set(all_melds[n]):
                ways += [(all_melds[n], *more) for more in choose(n + 1, used | set(all_melds[n]))]
        return ways

    return choose(0, frozenset())


def _candidates(cards: tuple[str, ...], size: int) -> list[tuple[str, ...]]:
    by_suit = [[card for card in cards if suit(card) == one] for one in SUITS]
    by_rank = [[card for card in cards if rank(card) == one] for one in range(1, 14)]
    return [some for group in (*by_suit, *by_rank) for some in itertools.combinations(group, size) if is_meld(some)]


def dead(cards: tuple[str, ...], way: tuple[tuple[str, ...], ...]) -> int:
    melded = {card for meld in way for card in meld}
    return sum(pips(card) for card in cards if card not in melded)


def laid_off(cards: tuple[str, ...], melds: tuple[tuple[str, ...], ...]) -> int:
    """Return the least deadwood if any cards may go to melds one by one, then the rest is melded as well as it can."""
    lowest = min(dead(cards, way) for way in meldings(cards))
    for card in cards:
        for n, meld in enumerate(melds):
            if is_meld((*meld, card)):
                rest = tuple(other for other in cards if other != card)
                lowest = min(lowest, laid_off(rest, (*melds[:n], (*meld, card), *melds[n + 1 :])))
    return lowest


def gin_table(rng: random.Random) -> Table:
    """Deal hands out of a few neighbouring ranks, so that melds are often made."""
    low = rng.randint(1, 8)
    near = [card for card in DECK if low <= rank(card) <= low + 5]
    deck = shuffled(rng, near)
    cards = {f"melds.{seat}": tuple(deck[(seat - 1) * 10 : seat * 10]) for seat in (1, 2)}
    knocks: tuple[int | None, ...] = (1, None) if rng.random() < 0.5 else (None, 1)
    if rng.random() < 0.15:  # gin
        run = tuple(f"10{one}" for one in "1234567") + ("20B", "30B", "40B")
        cards["melds.1"], knocks = run, (1, None)
        rest = shuffled(rng, [card for card in DECK if card not in run])
        cards["melds.2"] = tuple(rest[:10])
    return Table(2, cards=cards, entered={"knocks": knocks})


def gin_points(table: Table) -> list[int]:
    knocker = 0 if table.entered["knocks"][0] else 1
    mine, theirs = table.cards[f"melds.{knocker + 1}"], table.cards[f"melds.{2 - knocker}"]
    ways = meldings(mine)
    own = min(dead(mine, way) for way in ways)
    if own == 0:
        other = min(dead(theirs, way) for way in meldings(theirs))
        points = {knocker: other + 25}
    else:
        other = max(laid_off(theirs, way) for way in ways if dead(mine, way) == own)
        points = {knocker: other - own} if other > own else {1 - knocker: own - other + 25}
    return [points.get(0, 0), points.get(1, 0)]


# ------------------------------------------------------------------------------------------ scopa


def scopa_table(rng: random.Random) -> Table:
    seats = rng.randint(2, 4)
    deck = shuffled(rng, [card for card in DECK if rank(card) not in (8, 9, 10)])
    cuts = sorted(rng.sample(range(1, 40), seats - 1))
    parts = [deck[a:b] for a, b in zip([0, *cuts], [*cuts, 40], strict=True)]
    if rng.random() < 0.3:  # one has good cards and lacks a suit, another has figures of it, which chance hardly deals
        missing = [card for card in parts[0] if suit(card) == "4"]
        parts[0] = [card for card in parts[0] if card not in missing]
        parts[1] += missing
        low = [card for card in parts[0] if rank(card) > 10]
        parts[0] = [card for card in parts[0] if card not in low]
        parts[1] += low
        best = [card for card in parts[1] if rank(card) in (6, 7) and suit(card) != "4"]
        parts[1] = [card for card in parts[1] if card not in best]
        parts[0] += best
    cards = {f"taken.{n}": tuple(part) for n, part in enumerate(parts, 1)}
    return Table(seats, cards=cards, sweeps=tuple(rng.randint(0, 3) for _ in range(seats)))


PRIMIERA = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12, 11: 10, 12: 10, 13: 10}


def scopa_points(table: Table) -> list[int]:
    piles = [table.cards[f"taken.{seat}"] for seat in range(1, table.seats + 1)]
    points = list(table.sweeps)

    def most(counts: list[int]) -> None:
        leaders = [n for n, count in enumerate(counts) if count == max(counts)]
        if len(leaders) == 1 and max(counts):
            points[leaders[0]] += 1

    most([len(pile) for pile in piles])
    most([sum(card[0] == "2" for card in pile) for pile in piles])
    primes = []
    for pile in piles:
        best = [max((PRIMIERA[rank(card)] for card in pile if suit(card) == one), default=0) for one in SUITS]
        primes.append(sum(best) if all(best) else 0)
    most(primes)
    for n, pile in enumerate(piles):
        points[n] += "207" in pile
    return points


# ------------------------------------------------------------------------------------------ cribbage


def cribbage_table(rng: random.Random) -> Table:
    near = [card for card in DECK if rng.random() < 0.5] if rng.random() < 0.5 else DECK
    one_suit = [card for card in DECK if suit(card) == rng.choice(SUITS)]
    deck = shuffled(rng, near if len(near) > 13 else None)
    if rng.random() < 0.2:
        flush = shuffled(rng, one_suit)[:5]
        deck = [*flush, *(card for card in deck if card not in flush)]
        deck = (
            deck[:4] + deck[5:13] + deck[4:5] if rng.random() < 0.5 else deck[4:8] + deck[8:12] + deck[:4] + deck[12:]
        )
    cards = {"hand.1": tuple(deck[:4]), "hand.2": tuple(deck[4:8]), "crib": tuple(deck[8:12]), "starter": (deck[12],)}
    pegged = (rng.randint(0, 12), rng.randint(0, 12))
    return Table(2, dealer=rng.randint(1, 2), cards=cards, entered={"pegged": pegged})


def show(hand: tuple[str, ...], starter: str, crib: bool) -> int:
    five = (*hand, starter)
    some = [chosen for size in range(2, 6) for chosen in itertools.combinations(five, size)]
    points = 2 * sum(sum(map(pips, chosen)) == 15 for chosen in some)
    points += 2 * sum(len(chosen) == 2 and rank(chosen[0]) == rank(chosen[1]) for chosen in some)
    for size in (5, 4, 3):
        rows = [sorted(map(rank, chosen)) for chosen in some if len(chosen) == size]
        found = sum(row == list(range(row[0], row[0] + size)) for row in rows)
        if found:
            points += size * found
            break
    suits = {suit(card) for card in hand}
    if len(suits) == 1:
        points += 5 if suit(starter) in suits else 0 if crib else 4
    return points + sum(rank(card) == 11 and suit(card) == suit(starter) for card in hand)


def cribbage_points(table: Table) -> list[int]:
    starter = table.cards["starter"][0]
    points = [(table.entered["pegged"][n] or 0) + show(table.cards[f"hand.{n + 1}"], starter, False) for n in (0, 1)]
    points[table.dealer - 1] += show(table.cards["crib"], starter, True) + 2 * (rank(starter) == 11)
    return points


# ------------------------------------------------------------------------------------------ golf, president, yacht


def golf_table(rng: random.Random) -> Table:
    seats, low = rng.randint(2, 6), rng.randint(1, 10)
    deck = shuffled(rng, [card for card in DECK if rank(card) < low + 4 or rng.random() < 0.7])
    deck += [card for card in shuffled(rng) if card not in deck]
    cards = {f"grid.{seat}": tuple(deck[(seat - 1) * 6 : seat * 6]) for seat in range(1, seats + 1)}
    return Table(seats, cards=cards)


GOLF = {1: 1, 2: -2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 10: 10, 11: 10, 12: 10, 13: 0}


def golf_points(table: Table) -> list[int]:
    points = []
    for seat in range(1, table.seats + 1):
        upper, lower = table.cards[f"grid.{seat}"][:3], table.cards[f"grid.{seat}"][3:]
        pairs = [(rank(one), rank(other)) for one, other in zip(upper, lower, strict=True)]
        points.append(sum(GOLF[one] + GOLF[other] for one, other in pairs if one != other))
    return points


def president_table(rng: random.Random) -> Table:
    seats = rng.randint(3, 6)
    return Table(seats, out=tuple(rng.sample(range(1, seats + 1), seats)))


def president_points(table: Table) -> list[int]:
    points = dict.fromkeys(range(1, table.seats + 1), 0)
    points[table.out[0]], points[table.out[1]] = 2, 1
    return list(points.values())


BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes", "full", "four", "little", "big", "choice", "yacht")


def yacht_table(rng: random.Random) -> Table:
    dice = [rng.randint(1, 6) for _ in range(5)]
    special = rng.random()
    if special < 0.15:
        dice = rng.sample(rng.choice(([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])), 5)
    elif special < 0.45:
        one, other = rng.sample(range(1, 7), 2)
        count = rng.choice((3, 4, 5))
        dice = [one] * count + [other] * (5 - count)
    rng.shuffle(dice)
    return Table(1, dice=tuple(dice))


def yacht_points(table: Table) -> list[int]:
    """Return what the dice are worth in each of the twelve boxes, in order."""
    counts, dice = Counter(table.dice), sorted(table.dice)
    boxes = [face * counts[face] for face in range(1, 7)]
    boxes.append(sum(dice) if sorted(counts.values()) == [2, 3] else 0)
    boxes.append(next((4 * face for face, count in counts.items() if count >= 4), 0))
    boxes += [30 if dice == [1, 2, 3, 4, 5] else 0, 30 if dice == [2, 3, 4, 5, 6] else 0, sum(dice)]
    return [*boxes, 50 if len(counts) == 1 else 0]


class Scorer(NamedTuple):
    """A game by other means."""

    table: Callable[[random.Random], Table]
    points: Callable[[Table], list[int]]


SCORERS = {
    "cribbage": Scorer(cribbage_table, cribbage_points),
    "gin-rummy": Scorer(gin_table, gin_points),
    "golf": Scorer(golf_table, golf_points),
    "hearts": Scorer(hearts_table, hearts_points),
    "oh-hell": Scorer(oh_hell_table, oh_hell_points),
    "president": Scorer(president_table, president_points),
    "scopa": Scorer(scopa_table, scopa_points),
    "spades": Scorer(spades_table, spades_points),
    "whist": Scorer(whist_table, whist_points),
    "yacht": Scorer(yacht_table, yacht_points),
}
