"""What is said of a state: scores and outcomes, what a seat may see and do, remarks, decisions with a clock."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec

from companion.rules.cards import Piece
from companion.rules.kernel.actions import Action
from companion.rules.kernel.verdicts import Verdict
from companion.rules.kernel.wall import Column, Holding, Sign
from companion.rules.seats import TABLE, Seat

Thing = Literal["", "coin", "chit", "hand", "deck", "die"]
"""What pages draw for a number of it; "" for what is told in words."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One part of a score, or something that is counted: "items 4"; `seat` has it (`TABLE`: nobody, as the deck).

    `amount`: it is no points though it stands among them, as what decides a tie. `what` is counted, where the name also
    says whose it is ("coins of @2"). `thing` is drawn for it, of dice with the `face` that they show.
    """

    name: str
    value: int
    seat: Seat = TABLE
    amount: bool = False
    what: str = ""
    thing: Thing = ""
    face: int = 0


class SeatStanding(msgspec.Struct, frozen=True):
    """What one seat has, with its parts."""

    seat: Seat
    score: int
    parts: tuple[Part, ...] = ()
    words: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended: who won (nobody, if the host stopped it), and by which rule."""

    winners: tuple[Seat, ...]
    ending: str
    rule: str
    words: str


class Ranking(msgspec.Struct, frozen=True):
    """Who is before whom when a match is over; sides play "each" alone, as "partners" (opposite) or "all" together."""

    lowest: bool = False
    sides: Literal["each", "partners", "all"] = "each"

    def best(self, scores: Iterable[int]) -> int:
        """Return the best of some scores."""
        return min(scores) if self.lowest else max(scores)

    def places(self, scores: Mapping[Seat, int], winners: Collection[Seat]) -> dict[Seat, int]:
        """Return who came in which place, from 1: winners first, then by score; equal scores share a place."""
        sign = -1 if self.lowest else 1
        worth = {seat: (seat in winners, 0 if seat in winners else sign * score) for seat, score in scores.items()}
        return {seat: 1 + sum(other > own for other in worth.values()) for seat, own in worth.items()}

    def side(self, seat: Seat, seats: int) -> tuple[Seat, ...]:
        """Return who wins and loses together with a seat of so many, itself among them."""
        apart = {"each": seats, "partners": seats // 2, "all": 1}[self.sides] or 1
        return tuple(range((seat - 1) % apart + 1, seats + 1, apart))


class Share(msgspec.Struct, frozen=True):
    """A part of a team's score, drawn as a circle that fills; a page that draws it leaves out the `details`."""

    title: str
    value: int
    goal: int
    details: tuple[str, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """Scores with their parts, in seat order, and the outcome once there is one. `goal` is the score to reach.

    `team` is what all seats reach together, counted in `unit` ("reports"). `rounds` are the points of each closed
    round, seat by seat, where they can be put right.
    """

    seats: tuple[SeatStanding, ...]
    outcome: Outcome | None = None
    goal: int | None = None
    team: tuple[Share, ...] = ()
    unit: str = "points"
    rounds: tuple[tuple[int, ...], ...] = ()


Weight = Literal["", "weak", "strong"]
"""How something that may be done stands out on a page."""


class Prospect(msgspec.Struct, frozen=True):
    """What an action would lead to, for who weighs it against others: a few `words` of facts, its `price` ("$1").

    `chance` is that of what it is for, 0 to 1; None where nothing depends on luck. Pages put the likeliest first.
    """

    words: str = ""
    price: str = ""
    chance: float | None = None


NO_PROSPECT = Prospect()


class May(msgspec.Struct, frozen=True):
    """One thing a seat may do now, or why not. `actions` are the templates behind it (none if it may not).

    `labels` tell each of them from the others ("" where its cards and fields say enough); none: they all do. Pages
    offer an `idle` one last, let an `onward` one stand out, put what can be done `aside` at any time behind what is
    due, and ask `sure` back before it counts. `weight`: "strong" is what is needed now, "weak" what gives up more than
    it seems. `hides` is the zone in which it lays a card of the hand face down, without saying which. `pictures` are
    the cards that stand for actions which name none. `prospects` are those of the actions; none: nothing to weigh.
    """

    name: str
    words: str
    verdict: Verdict
    actions: tuple[Action, ...] = ()
    labels: tuple[str, ...] = ()
    idle: bool = False
    onward: bool = False
    aside: bool = False
    sure: str = ""
    weight: Weight = ""
    hides: str = ""
    pictures: tuple[Piece, ...] = ()
    prospects: tuple[Prospect, ...] = ()


class Shelf(msgspec.Struct, frozen=True):
    """A titled row of public cards for a page; `wanted` are not there yet; `seat` has them (`TABLE`: the middle).

    `known`: they lie nowhere; it is what everybody knows of a hand.
    """

    title: str
    pieces: tuple[Piece, ...] = ()
    wanted: tuple[Piece, ...] = ()
    words: str = ""
    seat: Seat = TABLE
    known: bool = False


class Ladder(msgspec.Struct, frozen=True):
    """A track that people watch: `value` of `low` to `high`; at `alarm` (if any) and above it is dangerous.

    `short` is its title where there is little room.
    """

    title: str
    value: int
    low: int
    high: int
    alarm: int | None = None
    words: str = ""
    short: str = ""


class BoardPlace(msgspec.Struct, frozen=True):
    """A place of the board: its `label`, what it is for, what is paid or got there ("pay $1"), and what lies there."""

    label: str
    words: str
    price: str = ""
    pieces: tuple[Piece, ...] = ()
    seats: tuple[Seat, ...] = ()


class BoardArea(msgspec.Struct, frozen=True):
    """Places of the board that belong together, and what all of them are for."""

    title: str
    places: tuple[BoardPlace, ...]
    words: str = ""


class View(msgspec.Struct, frozen=True):
    """What one seat (or, with seat `TABLE`, everybody) may see of a state.

    `headline` is a sentence for everybody; `call` says the same to this seat where it is due, in at most eight words;
    `coach` explains the step to a first player. `holds` are the pieces that a hidden hand may hold. `areas` are the
    places of the board, `columns`, `signs` and `holdings` what a wall shows of it, all in everybody's view alone.
    `hand` is what the game calls the seat's hand ("Your gallery").
    """

    seat: Seat
    headline: str
    waiting: tuple[Seat, ...]
    may: tuple[May, ...] = ()
    shelves: tuple[Shelf, ...] = ()
    numbers: tuple[Part, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    coach: str = ""
    holds: frozenset[Piece] = frozenset()
    call: str = ""
    areas: tuple[BoardArea, ...] = ()
    hand: str = ""
    columns: tuple[Column, ...] = ()
    signs: tuple[Sign, ...] = ()
    holdings: tuple[Holding, ...] = ()


class Remark(msgspec.Struct, frozen=True):
    """Something that an action did, for a review of the match: `seat` did it, for `other` (`TABLE`: nobody).

    `kind` sorts them ("help", "engagement", "roll"); `amount` is how much of it; `words` say it in a sentence.
    """

    kind: str
    seat: Seat
    words: str
    other: Seat = TABLE
    amount: int = 1


class Sale(msgspec.Struct, frozen=True):
    """How an auction ended: the winner (`TABLE`: nobody could pay), the price, and the card ("": unknown).

    `instead`: the winner that was named before could not pay.
    """

    winner: Seat
    price: int
    lot: Piece = ""
    instead: bool = False


class Bidding(msgspec.Struct, frozen=True):
    """How a seat stands in an auction: what it `bid` last (0: nothing yet), and whether it is `out`."""

    seat: Seat
    bid: int = 0
    out: bool = False


class Use(msgspec.Struct, frozen=True):
    """What a card would be worth in one of its uses: as which (`kind`: "item"), in a heading and a few words more."""

    kind: str
    title: str
    words: str


class Timed(msgspec.Struct, frozen=True):
    """A decision that a clock runs against (ruling C5). The clock is the referee's; the rules only name it.

    `lapses` are, for every seat that is asked, the action that running out of time stands for. `price` and `leader`
    (`TABLE`: nobody yet) are what has been reached, and `lot` is for which card ("": unknown), with its `uses`.
    `bids` are all who bid, in their order; `least` is the lowest bid that counts now.
    """

    clock: str
    lapses: tuple[Action, ...]
    price: int = 0
    leader: Seat = TABLE
    words: str = ""
    lot: Piece = ""
    bids: tuple[Bidding, ...] = ()
    least: int = 0
    uses: tuple[Use, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked."""
        return tuple(action.seat for action in self.lapses)
