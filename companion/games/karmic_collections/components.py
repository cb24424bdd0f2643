"""The cards and tokens of Karmic Collections as the rules read them: ranks, points of hands, whose pawns and tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations, product

from companion.games.karmic_collections import sets
from companion.games.karmic_collections.sets import ACE, KING, Ranks
from companion.rules.cards import Card, CardError, Deck, Piece
from companion.rules.kernel import Seat
from companion.rules.seats import numbered
from companion.rules.wording import all_of
from companion.text import join, plural, t

SEATS = range(1, 7)
LETTERS = {1: "A", 11: "J", 12: "Q", 13: "K"}
"""How ranks are written: the ace is 1 only (M1), a straight "10-J-Q"."""


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
        """Describe the sets of a hand with their points: "Q-Q +1, 4-5-6 +2; alone: A"."""
        split = [[_written(self.rank[piece]) for piece in ranks] for ranks in self.split(hand)]
        said = _in_points(split)
        alone = [ranks[0] for ranks in split if len(ranks) == 1]
        words = [said] if said else []
        return join("; ", words + ([t("alone: {alone}", alone=join(", ", alone))] if alone else []))

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
    """Describe which dice match, with their points: "1-1-1 +2, 5-5 +1"."""
    return _in_points([f"{value}"] * count for value, count in sorted(Counter(dice).items()))


def _in_points(sets: Iterable[Sequence[str]]) -> str:
    """Describe those of some sets that are points: a set is worth one less than it has."""
    return join(", ", (f"{'-'.join(one)} +{len(one) - 1}" for one in sets if len(one) > 1))


def _written(rank: int) -> str:
    return LETTERS.get(rank, f"{rank}")


def _rank(card: Card) -> int:
    rank = card.traits.get("rank", "")
    found = numbered(rank) or 0
    if not ACE <= found <= KING:
        raise CardError(card, f"it needs a rank from {ACE} to {KING}, not {rank!r}")
    return found
