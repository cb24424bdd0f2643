"""What happened, for everybody to look at: a cause, and what it changed. Made once for all games, of what all may see.

A game says more of its own events where it overrides `Game.events`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from companion.rules.cards import Piece
from companion.rules.kernel.actions import Action, Facts, Opened, Rolled, Shown
from companion.rules.kernel.views import Ladder, Sale, Standing
from companion.rules.seats import TABLE, Seat, at
from companion.text import t

if TYPE_CHECKING:
    from companion.rules.kernel.game import AnyGame

EventKind = Literal["drawn", "played", "rolled", "auction", "sold", "won", "out", "round", "milestone"]
"""A card came up, or was laid; dice; an auction began, or ended; a trick or the match was won; a seat is out; a round
is over; a number that counts was reached without any of that."""

PIECE_FIELDS = ("card", "piece", "bottle")
"""Fields in which an action names a piece of the table."""


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A number that changed, on a track from `low` to `high` (0: no track), dangerous from `alarm` on; `seat` has it.

    Steps with one `key` follow each other.
    """

    key: str
    title: str
    before: int
    after: int
    low: int = 0
    high: int = 0
    alarm: int | None = None
    seat: Seat = TABLE


class Cast(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Dice as they fell. What is below the `threshold` hits (0: nothing does); `helpers` added dice or a level.

    `words` say what was rolled for and with what; `uses` what the hits may be used for.
    """

    sides: int
    values: tuple[int, ...]
    threshold: int = 0
    helpers: tuple[Seat, ...] = ()
    words: str = ""
    uses: tuple[str, ...] = ()

    @property
    def hits(self) -> tuple[bool, ...]:
        """Whether each of the dice hits."""
        return tuple(value < self.threshold for value in self.values)


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a `seat` (`TABLE`: nobody) did, in `words`, with which `cards`, and what it changed: the `steps`.

    `change` says the change in a few words, `more` what is left of it ("7 more steps and all is lost"); `missing` are
    cards that the seat still lacks.
    """

    kind: EventKind
    words: str
    seat: Seat = TABLE
    cards: tuple[Piece, ...] = ()
    steps: tuple[Step, ...] = ()
    change: str = ""
    more: str = ""
    cast: Cast | None = None
    missing: tuple[Piece, ...] = ()


def spoken_of(words: str, action: Action, facts: Facts, called: Mapping[Piece, str]) -> tuple[Piece, ...]:
    """List the pieces of an action and its facts that a sentence names: what it says everybody may know."""
    said = words.lower()
    named = [getattr(action, name, None) for name in PIECE_FIELDS]
    named += [fact.piece for fact in facts if isinstance(fact, Shown)]
    pieces = dict.fromkeys(one for one in named if isinstance(one, str) and one)
    return tuple(piece for piece in pieces if called.get(piece, piece).lower() in said)


def happened(game: AnyGame, before: object, action: Action, facts: Facts, after: object) -> tuple[Event, ...]:
    """Return what any game tells of an action: cards, dice, sales, ladders, scores, rounds and the end."""
    seat, words, called = action.seat, game.describe(before, action, facts), game.called
    cards = spoken_of(words, action, facts, called)
    cards = (*cards, *(piece for fact in facts if isinstance(fact, Opened) for piece in fact.pieces))
    was, now = game.standing(before), game.standing(after)
    if now.outcome is not None and was.outcome is None:
        winners = now.outcome.winners
        winner = winners[0] if len(winners) == 1 else TABLE
        return (Event(kind="won", words=now.outcome.words, seat=winner, cards=cards, more=words),)
    sale = game.sale(before, action, after)
    if sale is not None:
        return (_sold(sale, called),)
    if len(now.rounds) > len(was.rounds):
        over = t("Round {number} is over.", number=len(now.rounds))
        return (Event(kind="round", words=over, steps=tuple(_won_in_round(now))),)
    seen, cast = game.view(after, TABLE), _cast(game, before, action, facts)
    climbed = tuple(_climbed(game.view(before, TABLE).ladders, seen.ladders))
    steps = (*climbed, *_scored(was, now))
    kind: EventKind = "rolled" if cast else "played" if cards else "milestone"
    if cards and any(isinstance(fact, Shown) for fact in facts):
        kind = "drawn"
        if seat != TABLE and climbed:  # what the card does is seen: it need not be said
            words = t("{seat} draws {card}.", seat=at(seat), card=called[cards[0]])
    if game.timed(after) is not None and game.timed(before) is None:
        kind = "auction"
    event = Event(kind=kind, words=words, seat=seat, cards=cards, steps=steps, cast=cast)
    if any(step.seat == seat != TABLE for step in steps):
        more = next(one.words for one in now.seats if one.seat == seat)
        missing = next((shelf.wanted for shelf in seen.shelves if shelf.seat == seat and shelf.wanted), ())
        event = msgspec.structs.replace(event, more=more, missing=missing)
    return (event,) if _counts(event) else ()


def _counts(event: Event) -> bool:
    """Return whether people watch for it: what the table only lays out, or costs a coin, happens beside."""
    if event.kind in ("auction", "rolled"):
        return True
    return any(step.high for step in event.steps) or (bool(event.cards) and event.seat != TABLE)


def _cast(game: AnyGame, before: object, action: Action, facts: Facts) -> Cast | None:
    rolled = {fact.place: fact.values for fact in facts if isinstance(fact, Rolled) and fact.values}
    needs = game.needs(before, action) if rolled else ()
    return next((Cast(sides=one.sides, values=rolled[one.place]) for one in needs if one.place in rolled), None)


def _sold(sale: Sale, called: Mapping[Piece, str]) -> Event:
    who, price = at(sale.winner), sale.price
    words = t("{who} won the auction for {price}.", who=who, price=price)
    if sale.winner == TABLE:
        words = t("Nobody who bid could pay: nobody won the auction.")
    elif sale.lot:
        words = t("{who} won {card} for {price}.", who=who, card=called.get(sale.lot, sale.lot), price=price)
    return Event(kind="sold", words=words, seat=sale.winner, cards=(sale.lot,) if sale.lot else ())


def _climbed(was: Iterable[Ladder], now: Iterable[Ladder]) -> Iterable[Step]:
    """Return the steps on ladders that have a danger; on one that is new it begins below its lowest rung."""
    stood = {one.short or one.title: one.value for one in was if one.alarm is not None}
    for one in now:
        key = one.short or one.title
        before = stood.get(key, one.low - 1)
        if one.alarm is not None and before != one.value:
            low, high = one.low, one.high
            yield Step(
                key=f"ladder-{key}",
                title=one.title,
                before=before,
                after=one.value,
                low=low,
                high=high,
                alarm=one.alarm,
            )


def _scored(was: Standing, now: Standing) -> Iterable[Step]:
    """Return what the score rose or fell by: a team's by its parts, else each seat's."""
    stood = {share.title: share.value for share in was.team}
    for share in now.team:
        if stood.get(share.title, share.value) != share.value:
            title = t("{unit:capital} in {place}", unit=now.unit, place=share.title)
            before, after = stood[share.title], share.value
            yield Step(key=f"team-{share.title}", title=title, before=before, after=after, high=share.goal)
    for old, new in zip(was.seats, now.seats, strict=True):
        if old.score != new.score and not now.team:
            yield _of_seat(new.seat, old.score, new.score, now.goal or 0)


def _won_in_round(now: Standing) -> Iterable[Step]:
    for one, points in zip(now.seats, now.rounds[-1], strict=True):
        yield _of_seat(one.seat, one.score - points, one.score, 0)


def _of_seat(seat: Seat, before: int, after: int, high: int) -> Step:
    return Step(key=f"score-{seat}", title=at(seat), before=before, after=after, high=high, seat=seat)
