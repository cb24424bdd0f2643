"""The cards and tokens of Karmic Collections as the rules read them: ranks, points of hands, whose pawns and tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations, product

from companion.games.karmic_collections import sets
from companion.games.karmic_collections.sets import ACE, KING, Ranks
from companion.rules.cards import Card, CardError, Deck, Piece
from companion.rules.kernel import Seat
from companion.rules.seats import numbered
from companion.rules.wording import all_of
from companion.text import join, plural, t

SEATS = range(1, 7)
NAMES: Mapping[int, Callable[[int], str]] = {
    1: lambda n: plural("ace", "aces", count=n),
    2: lambda n: plural("two", "twos", count=n),
    3: lambda n: plural("three", "threes", count=n),
    4: lambda n: plural("four", "fours", count=n),
    5: lambda n: plural("five", "fives", count=n),
    6: lambda n: plural("six", "sixes", count=n),
    7: lambda n: plural("seven", "sevens", count=n),
    8: lambda n: plural("eight", "eights", count=n),
    9: lambda n: plural("nine", "nines", count=n),
    10: lambda n: plural("ten", "tens", count=n),
    11: lambda n: plural("jack", "jacks", count=n),
    12: lambda n: plural("queen", "queens", count=n),
    13: lambda n: plural("king", "kings", count=n),
}
"""How so many cards of a rank are called: the ace is 1 only (M1)."""
LETTERS = {1: "A", 11: "J", 12: "Q", 13: "K"}
"""How ranks are written in a straight: "10-J-Q"."""


def points(count: int) -> str:
    """Return the words for a number of points."""
    return plural("{count} point", "{count} points", count=count)


class Components:
    """The cards and tokens of one deck, sorted the way the rules ask for them."""

    def __init__(self, deck: Deck) -> None:
        """Sort the deck; ValueError if it lacks a number, a rank, or the pawns or partner tokens of six players."""
        self.card = deck.by_piece()
        self._called = deck.called()
        self.rank = {card.piece: _rank(card) for card in deck.of_kind("card")}
        """The rank of every card, 1 to 13."""
        self.all = frozenset(self.rank)
        self.pawns = {seat: self._pawns(deck, seat) for seat in SEATS}
        """The two pawns of every seat; they are alike."""
        pairs = permutations(SEATS, 2)
        self.tokens = {(owner, other): self._token(deck, owner, other) for owner, other in pairs}
        """The partner token by (owner, the player it stands for)."""
        self.stands = {token: pair for pair, token in self.tokens.items()}
        """What a token is: (owner, the player it stands for)."""
        self.colour = {seat: self.card[self.pawns[seat][0]].traits.get("colour", "") for seat in SEATS}
        self.start_cards = deck.number("start_cards")
        self.start_dice = deck.number("start_dice")
        self.start_chits = deck.number("start_chits")
        self.sides = deck.number("dice_sides")
        self.goal = deck.number("goal")

    def ranks(self, hand: Iterable[Piece]) -> Ranks:
        return tuple(sorted(map(self.rank.__getitem__, hand)))

    def hand_points(self, hand: Iterable[Piece]) -> int:
        """Return the points of a hand in its best split (M2)."""
        return sets.points(self.ranks(hand))

    def split(self, hand: Iterable[Piece]) -> tuple[tuple[Piece, ...], ...]:
        """Return the best split that is shown: sets with the cards in order, the largest first; lone cards last."""
        cards = self._by_rank(hand)
        return tuple(tuple(cards[rank].pop(0) for rank in ranks) for ranks in sets.best_split(self.ranks(hand)))

    def concealable(self, hand: Iterable[Piece]) -> tuple[frozenset[Piece], ...]:
        """List which cards an owner may conceal: all outside the sets of one of the best splits (M3)."""
        cards, ways = self._by_rank(hand), sets.lone_ranks(self.ranks(hand))
        return tuple(frozenset(lone) for ranks in ways if ranks for lone in product(*(cards[r] for r in sorted(ranks))))

    def _by_rank(self, hand: Iterable[Piece]) -> dict[int, list[Piece]]:
        found: dict[int, list[Piece]] = {}
        for piece in sorted(hand):
            found.setdefault(self.rank[piece], []).append(piece)
        return found

    def name(self, piece: object) -> str:
        if not isinstance(piece, str) or not piece:
            return t("a card that is not named")
        return self._called.get(piece, t("the card {piece}", piece=piece))

    def names(self, pieces: Iterable[Piece]) -> str:
        return all_of(self.name(piece) for piece in self.in_order(pieces)) or t("nothing")

    def in_order(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        return tuple(sorted(pieces, key=lambda piece: (self.rank.get(piece, 0), piece)))

    def sets_words(self, hand: Iterable[Piece]) -> str:
        """Describe the sets of a hand with their points: "four queens: 3 pts, 4-5-6: 2 pts; alone: the ace"."""
        split = [[self.rank[piece] for piece in ranks] for ranks in self.split(hand)]
        said = [
            plural("{set}: {count} pt", "{set}: {count} pts", count=len(ranks) - 1, set=_set(ranks))
            for ranks in split
            if len(ranks) > 1
        ]
        alone = [NAMES[ranks[0]](1) for ranks in split if len(ranks) == 1]
        words = [join(", ", said)] if said else []
        return join("; ", words + ([t("alone: {alone}", alone=all_of(alone))] if alone else []))

    def _pawns(self, deck: Deck, seat: Seat) -> tuple[Piece, ...]:
        found = tuple(card.piece for card in deck.of_kind("pawn") if card.traits.get("owner") == f"{seat}")
        if len(found) != 2:
            raise ValueError(f'player {seat} needs two pawns (owner = "{seat}"), and has {len(found)}')
        return found

    def _token(self, deck: Deck, owner: Seat, other: Seat) -> Piece:
        wanted = {"owner": f"{owner}", "partner": f"{other}"}
        found = [card.piece for card in deck.of_kind("partner") if wanted.items() <= card.traits.items()]
        if len(found) != 1:
            raise ValueError(f"player {owner} needs one partner token for player {other}, and has {len(found)}")
        return found[0]


def dice_points(dice: Sequence[int]) -> int:
    """Return the points of dice: for every value, the dice that show it less one."""
    return len(dice) - len(set(dice))


def dice_words(dice: Sequence[int]) -> str:
    """Describe which dice match, with their points: "three 1s: 2 pts, two 5s: 1 pt"."""
    found = sorted(Counter(dice).items())
    said = [(_so_many(count, t("{value}s", value=value)), count - 1) for value, count in found if count > 1]
    return join(
        ", ", (plural("{set}: {count} pt", "{set}: {count} pts", count=more, set=words) for words, more in said)
    )


def _set(ranks: Sequence[int]) -> str:
    if ranks[0] != ranks[-1]:
        return "-".join(LETTERS.get(rank, f"{rank}") for rank in ranks)
    return _so_many(len(ranks), NAMES[ranks[0]](len(ranks)))


SO_MANY: Mapping[int, Callable[[str], str]] = {
    2: lambda things: t("two {things}", things=things),
    3: lambda things: t("three {things}", things=things),
    4: lambda things: t("four {things}", things=things),
    5: lambda things: t("five {things}", things=things),
    6: lambda things: t("six {things}", things=things),
}


def _so_many(count: int, things: str) -> str:
    return SO_MANY[count](things) if count in SO_MANY else t("{count} {things}", count=count, things=things)


def _rank(card: Card) -> int:
    rank = card.traits.get("rank", "")
    found = numbered(rank) or 0
    if not ACE <= found <= KING:
        raise CardError(card, f"it needs a rank from {ACE} to {KING}, not {rank!r}")
    return found
