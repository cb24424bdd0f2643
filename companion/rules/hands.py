"""A hand that the table doesn't see (C1): the cards of it that everybody knows, and a count of the others (C2).

`unseen` is everywhere the pool of cards of which nobody can say in which hand they are, or whether in the deck.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.rules.cards import Piece
from companion.rules.kernel import Facts, Opened, RuleError, fact_at, inconsistent
from companion.rules.wording import cards
from companion.text import t

Unseen = frozenset[Piece]


class Hand(msgspec.Struct, frozen=True, gc=False):
    """A hand as the table knows it: cards that everybody saw go in, and how many others there are."""

    known: frozenset[Piece]
    unknown: int

    @property
    def size(self) -> int:
        """The number of cards."""
        return len(self.known) + self.unknown


def held(hand: Hand, unseen: Unseen) -> frozenset[Piece]:
    """Return every card that may be in a hand."""
    if not hand.unknown:
        return hand.known
    return hand.known | unseen if hand.known else unseen


def laid(hand: Hand, unseen: Unseen, card: Piece) -> tuple[Hand, Unseen]:
    """Take a card out of a hand, face up."""
    if card in hand.known:
        return Hand(hand.known - {card}, hand.unknown), unseen
    return Hand(hand.known, hand.unknown - 1), unseen - {card}


def face_down(hand: Hand, unseen: Unseen, count: int) -> tuple[Hand, Unseen]:
    """Take cards out of a hand face down: any card may have left, so no card of the hand is known any longer."""
    return Hand(frozenset(), hand.size - count), unseen | hand.known


def remembered(hand: Hand, unseen: Unseen, seen: frozenset[Piece]) -> tuple[Hand, Unseen]:
    """Return the hand with cards known that came out of it later, after that was undone (C4).

    If they can't all have been in the hand, it stays as it was.
    """
    new = seen & unseen
    if not new or len(new) > hand.unknown:
        return hand, unseen
    return Hand(hand.known | new, hand.unknown - len(new)), unseen - new


def least_worth(hand: Hand, unseen: Unseen, worth: Callable[[Piece], int]) -> int:
    """Return the least that a hand can be worth: its unknown cards are the cheapest of those that nobody has seen.

    A claim about one's own hand is possible only if some hand that fits all that is known bears it out (C9): one that
    can't pay a price is worth less than that, one without a playable card holds nothing that is worth anything.
    """
    return _worth(hand, sorted(map(worth, unseen)) if hand.unknown else [], worth)


def most_worth(hand: Hand, unseen: Unseen, worth: Callable[[Piece], int]) -> int:
    """Return the most that a hand can be worth: its unknown cards are the dearest of those nobody has seen (K10)."""
    return _worth(hand, sorted(map(worth, unseen), reverse=True) if hand.unknown else [], worth)


def _worth(hand: Hand, others: list[int], worth: Callable[[Piece], int]) -> int:
    return sum(map(worth, hand.known)) + sum(others[: hand.unknown])


def misfit(hand: Hand, unseen: Unseen, pieces: frozenset[Piece]) -> Piece | None:
    """Return a card that shows that these can't be the hand: one that is missing or can't be in it. None if all fit."""
    wrong = (hand.known - pieces) or (pieces - held(hand, unseen))
    return min(wrong, default=None)


def opened(
    facts: Facts,
    place: str,
    hand: Hand,
    unseen: Unseen,
    whose: str,
    name: Callable[[Piece], str],
    whereabouts: Callable[[Piece], str],
) -> frozenset[Piece]:
    """Return the cards of a hand that was laid open at a place.

    Args:
        facts: what the table says; the cards are an `Opened` at `place`.
        place: where they are laid open.
        hand: what is known of the hand.
        unseen: the cards of which nobody can say where they are.
        whose: what people call it: "the hand of Bo".
        name: says what people call a card.
        whereabouts: says where a card is, as far as everybody knows.

    Raises:
        RuleError: if nothing was laid open, or not all cards, each once (C9), or these can't be the hand (C2).
    """
    fact = fact_at(facts, place)
    if not isinstance(fact, Opened):
        reason = t("{whose} has not been laid open", whose=whose)
        raise RuleError(inconsistent("C9", reason, t("Lay out all its cards.")))
    pieces = frozenset(fact.pieces)
    if len(fact.pieces) != hand.size or len(pieces) != hand.size:
        reason = t(
            "{whose} has {cards}, and {pieces} are laid open",
            whose=whose,
            cards=cards(hand.size),
            pieces=len(fact.pieces),
        )
        raise RuleError(inconsistent("C9", reason, t("Lay out all its cards, each once.")))
    wrong = misfit(hand, unseen, pieces)
    if wrong is not None:
        reason = t("{card} does not fit: {whereabouts}", card=name(wrong), whereabouts=whereabouts(wrong))
        raise RuleError(inconsistent("C2", reason, t("Look at the cards again.")))
    return pieces
