"""A hand that the table doesn't see (C1): its known cards, and a count of the others (C2).

`unseen` is everywhere the pool of cards of which nobody can say in which hand they are, or whether in the deck.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion.rules.cards import Piece
from companion.rules.kernel import Facts, Opened, RuleError, Undone, fact_at
from companion.rules.seats import numbered
from companion.rules.wording import cards
from companion.text import plain, t

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
    """Return the hand with cards known that came out of it later and were undone (C4); unchanged if they can't fit."""
    new = seen & unseen
    if not new or len(new) > hand.unknown:
        return hand, unseen
    return Hand(hand.known | new, hand.unknown - len(new)), unseen - new


S = TypeVar("S")


def recalled(state: S, undone: Iterable[Undone], exchanged: Callable[[Undone], Iterable[int]]) -> S:
    """Return a state in whose hands those cards are known that later steps, the oldest first, showed in them (C4).

    A card that a seat showed, whose hand changed by that or was filled up from the deck, was in the hand already, if it
    had not come to light before and no unseen card may have come into the hand since. One may have where the deck and
    the other hands have fewer cards, or a card from elsewhere became unseen again: in hands that changed, and in the
    acting seat's (it may have got one and laid one face down). Seats may have `exchanged` cards. A correction of what
    is hidden may have changed any hand; what it says was not seen is forgotten.
    A state without `players` with a `Hand` each, `deck` and `unseen` stays as it is.
    """
    if not _hands(state):
        return state
    seen: dict[int, frozenset[Piece]] = dict.fromkeys(range(1, len(_hands(state)) + 1), frozenset())
    surfaced: frozenset[Piece] = frozenset()
    mixed: set[int] = set()
    for step in undone:
        was, now = _hands(step.before), _hands(step.after)
        again, drawn = step.after.unseen - step.before.unseen, step.before.deck > step.after.deck
        if step.action is None:
            seen = {seat: cards - again for seat, cards in seen.items()}
        for seat, pieces in _showed(step):
            if seat in seen and seat not in mixed and (was[seat - 1] != now[seat - 1] or drawn):
                seen[seat] |= (pieces & step.before.unseen) - surfaced
        surfaced |= step.before.unseen - step.after.unseen
        # Known cards that are not known any longer are no others than were there.
        lost = [hand.unknown + len(hand.known & again) - now[n].unknown for n, hand in enumerate(was)]
        for seat in seen:
            others = [step.before.deck - step.after.deck, *lost[: seat - 1], *lost[seat:]]
            # What others lost and others got did not come here.
            source = sum(others) > 0 or lost[seat - 1] < 0 or again - was[seat - 1].known
            if source and (seat == getattr(step.action, "seat", 0) or was[seat - 1] != now[seat - 1]):
                mixed.add(seat)
        mixed.update(exchanged(step) if step.action is not None else seen if was != now or again else ())
    players, unseen = list(state.players), state.unseen  # type: ignore[attr-defined]
    for n, player in enumerate(players):
        name = _hand_field(player)
        hand, unseen = remembered(getattr(player, name), unseen, seen[n + 1])
        players[n] = replace(player, **{name: hand})
    return replace(state, players=tuple(players), unseen=unseen)  # type: ignore[type-var]


def _showed(step: Undone) -> Iterator[tuple[int, frozenset[Piece]]]:
    action = step.action
    if action is not None:
        named = (getattr(action, name) for name in action.__struct_fields__)
        yield action.seat, frozenset(value for value in named if isinstance(value, str))
        for fact in step.facts:
            if isinstance(fact, Opened):
                yield numbered(fact.place.partition(".")[2]) or action.seat, frozenset(fact.pieces)


def _hand_field(player: object) -> str:
    return next(
        (name for name in getattr(player, "__struct_fields__", ()) if isinstance(getattr(player, name), Hand)), ""
    )


def _hands(state: object) -> tuple[Hand, ...]:
    players = getattr(state, "players", ()) if hasattr(state, "unseen") and hasattr(state, "deck") else ()
    name = _hand_field(players[0]) if players else ""
    return tuple(getattr(player, name) for player in players) if name else ()


def _encoded(value: object) -> bytes:
    return msgspec.json.encode(value, order="deterministic", enc_hook=plain)


def canonical(value: object, heaps: Collection[str]) -> object:
    """Return what a state is, whatever people know of it (C4); the fields named in `heaps` are in no order."""
    if isinstance(value, Hand):
        return value.size
    if isinstance(value, tuple):
        return [canonical(each, heaps) for each in value]
    if not isinstance(value, msgspec.Struct):
        return value
    names = [name for name in value.__struct_fields__ if name != "unseen"]
    parts = {name: canonical(getattr(value, name), heaps) for name in names}
    found = {name: sorted(part, key=_encoded) if name in heaps else part for name, part in parts.items()}  # type: ignore[call-overload]
    return [type(value).__name__, found]


def least_worth(hand: Hand, unseen: Unseen, worth: Callable[[Piece], int]) -> int:
    """Return the least that a hand can be worth: a claim is possible only if some hand bears it out (C9)."""
    return _worth(hand, sorted(map(worth, unseen))[: hand.unknown] if hand.unknown else (), worth)


def most_worth(hand: Hand, unseen: Unseen, worth: Callable[[Piece], int]) -> int:
    """Return the most that a hand can be worth: its unknown cards are the dearest of those nobody has seen (K10).

    `worth` is the same function each time: what was worked out for the seats of a bid is kept.
    """
    return _worth(hand, _dearest_first(unseen, worth)[: hand.unknown], worth)


@lru_cache(maxsize=64)
def _dearest_first(unseen: Unseen, worth: Callable[[Piece], int]) -> tuple[int, ...]:
    return tuple(sorted(map(worth, unseen), reverse=True))


def _worth(hand: Hand, others: Iterable[int], worth: Callable[[Piece], int]) -> int:
    return sum(map(worth, hand.known)) + sum(others)


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
    """Return the cards of a hand that was laid open at a `place`: an `Opened` among the `facts`.

    `whose` is what people call the hand ("the hand of Bo"); `name` and `whereabouts` say what a card is called and
    where it is. Raises RuleError if nothing was laid open, not all cards once each (C9), or these can't be the hand
    (C2).
    """
    fact = fact_at(facts, place)
    if not isinstance(fact, Opened):
        reason = t("{whose} has not been laid open", whose=whose)
        raise RuleError.inconsistent("C9", reason, t("Lay out all its cards."))
    pieces = frozenset(fact.pieces)
    if len(fact.pieces) != hand.size or len(pieces) != hand.size:
        reason = t(
            "{whose} has {cards}, and {pieces} are laid open",
            whose=whose,
            cards=cards(hand.size),
            pieces=len(fact.pieces),
        )
        raise RuleError.inconsistent("C9", reason, t("Lay out all its cards, each once."))
    wrong = misfit(hand, unseen, pieces)
    if wrong is not None:
        reason = t("{card} does not fit: {whereabouts}", card=name(wrong), whereabouts=whereabouts(wrong))
        raise RuleError.inconsistent("C2", reason, t("Look at the cards again."))
    return pieces
