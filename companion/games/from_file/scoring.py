"""The score of a round: what a score file's blocks come to for what lies on the table and was said.

A pure function of the file, the cards and the round. Blocks build on blocks above them alone, and every operation is
counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from companion.games.from_file import counting, melds
from companion.games.from_file.counting import LARGEST, Budget, Face, TooMuchError
from companion.games.from_file.score_file import Block, Score, Traits, When
from companion.rules.cards import Deck, Piece
from companion.rules.layout import Zone
from companion.rules.seats import TABLE, Seat

DICE = "dice"


class Table(msgspec.Struct, frozen=True):
    """What a round has left behind: everything that is scored.

    `cards` are by zone ("taken.2", "starter"), place by place where a zone has places ("": empty); `tricks` (none:
    nobody saw or typed any) and `sweeps` by seat; `last` took the last trick; `entered` by entry, seat by seat (None:
    nothing was said); `out` are the seats in the order of going out; `carried` is what blocks came to in all rounds
    before, seat by seat.
    """

    seats: int
    dealer: Seat = 1
    cards: Mapping[Zone, tuple[Piece, ...]] = {}
    tricks: tuple[int, ...] = ()
    last: Seat = TABLE
    sweeps: tuple[int, ...] = ()
    entered: Mapping[str, tuple[int | None, ...]] = {}
    out: tuple[Seat, ...] = ()
    dice: tuple[int, ...] = ()
    carried: Mapping[str, tuple[int, ...]] = {}


class Scored(msgspec.Struct, frozen=True):
    """A round's score: every block's value, seat by seat, and the points of each side.

    `spent` are the operations that it took; `lacking` the seats for which a block with `needs` has not seen all.
    """

    blocks: dict[str, tuple[int, ...]]
    points: tuple[int, ...]
    spent: int = 0
    lacking: Mapping[str, tuple[Seat, ...]] = {}


def allowed(traits: Traits) -> dict[str, Sequence[str]]:
    """Return the values that a card may have in each trait."""
    return {trait: [values] if isinstance(values, str) else values for trait, values in traits.items()}


class UnseenError(Exception):
    """What a block builds on has not been seen: it counts nothing yet, which is not the same as zero."""


def sides(score: Score, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats of each side: partners sit opposite each other."""
    if score.players.partners:
        half = seats // 2
        return tuple((seat, seat + half) for seat in range(1, half + 1))
    return tuple((seat,) for seat in range(1, seats + 1))


def side_of(score: Score, seats: int, seat: Seat) -> int:
    """Return the number of a seat's side, from 0."""
    return (seat - 1) % (seats // 2 if score.players.partners else seats)


def faces_of(deck: Deck) -> dict[Piece, Face]:
    """Return the traits of every card, with its number and kind."""
    return {card.piece: {**card.traits, "kind": card.kind, "piece": card.piece} for card in deck.cards}


def scored(
    score: Score,
    faces: Mapping[Piece, Face],
    table: Table,
    options: Mapping[str, int],
    early: Collection[str] = (),
    only: Collection[Seat] | None = None,
) -> Scored:
    """Return what a round is worth: `only` to some seats, beside blocks that are counted `early`.

    Raises TooMuchError if it takes more operations than a score may, or a value is too large.
    """
    budget = Budget()
    round_ = _Round(score, faces, table, options, budget)
    for block in score.score:
        round_.evaluate(block)
    for name, values in round_.values.items():
        if only is not None and name not in early:
            values[:] = [value * (seat in only) for seat, value in enumerate(values, 1)]
    points = []
    for side in sides(score, table.seats):
        counted = [block for block in score.score if block.counts and not block.box]
        points.append(_bounded(sum(round_.of_side(block.name, side) for block in counted)))
    blocks = {block.name: tuple(round_.values[block.name]) for block in score.score}
    lacking = {block.name: tuple(sorted(round_.unseen[block.name])) for block in score.score if block.needs is not None}
    return Scored(blocks, tuple(points), budget.spent, lacking)


def _bounded(value: int) -> int:
    if abs(value) > LARGEST:
        raise TooMuchError(f"a value is beyond {LARGEST}")
    return value


_Operator = Callable[[Block, tuple[Seat, ...], tuple[Seat, ...]], int]


class _Round:
    """The blocks of one round, evaluated from the first to the last; each operator is the method of its name."""

    def __init__(
        self, score: Score, faces: Mapping[Piece, Face], table: Table, options: Mapping[str, int], budget: Budget
    ) -> None:
        self.score, self.faces, self.table, self.budget = score, faces, table, budget
        self.sides = sides(score, table.seats)
        self.options = {option.name: options.get(option.name, option.default) for option in score.option}
        self.values: dict[str, list[int]] = {}
        self.blocks: dict[str, Block] = {}
        self.unseen: dict[str, set[Seat]] = {}

    def evaluate(self, block: Block) -> None:
        values = [0] * self.table.seats
        unseen = self.unseen[block.name] = set()
        for side in [tuple(range(1, self.table.seats + 1))] if block.whose == "all" else self.sides:
            groups = [side] if self._shared(block) else [(seat,) for seat in side]
            for seats in groups:
                if block.whose == "dealer" and self.table.dealer not in seats:
                    continue
                try:
                    value = _bounded(self._value(block, seats, side))
                    seen = block.needs is None or value >= self._number(block.needs, seats)
                except UnseenError:
                    value, seen = 0, False
                unseen |= set() if seen else {*seats}
                for seat in seats:
                    values[seat - 1] = value
        self.values[block.name], self.blocks[block.name] = values, block

    @staticmethod
    def _shared(block: Block) -> bool:
        """Whether several seats have a block together, so that it counts once."""
        return block.whose in ("side", "all") or block.op == "majority"

    def of_side(self, name: str, side: tuple[Seat, ...]) -> int:
        """Return what a side has of a block: partners' blocks are added up, a block of the side counts once."""
        return sum(self.values[name][seat - 1] for seat in (side[:1] if self._shared(self.blocks[name]) else side))

    def _of(self, name: str, seats: tuple[Seat, ...]) -> int:
        """Return what seats have of a block or an entry, or an option's number; UnseenError if it was not seen."""
        self.budget.spend(len(seats))
        if name in self.options:
            return self.options[name]
        if name in self.blocks:
            if not self.unseen[name].isdisjoint(seats):
                raise UnseenError
            return self.of_side(name, seats)
        said = self.table.entered.get(name, ())
        return sum(said[seat - 1] or 0 for seat in seats if seat <= len(said))

    def _number(self, operand: int | str, seats: tuple[Seat, ...]) -> int:
        return operand if isinstance(operand, int) else self._of(operand, seats)

    def _value(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        self.budget.spend()
        for name in block.once:
            self._of(name, seats)
        if not all(self._holds(name, when, seats) for name, when in block.when.items()):
            return 0
        operator: _Operator = getattr(self, block.op)
        value = operator(block, seats, side) - self._number(block.minus, seats)
        if block.at_least is not None:
            value = max(value, self._number(block.at_least, seats))
        if block.at_most is not None:
            value = min(value, self._number(block.at_most, seats))
        if block.gives is not None:
            return self._number(block.gives, seats) if value else 0
        return value * self._number(block.times, seats)

    def _holds(self, name: str, when: When, seats: tuple[Seat, ...]) -> bool:
        value = self._of(name, seats)
        return (
            (when.equals is None or value == self._number(when.equals, seats))
            and (when.at_least is None or value >= self._number(when.at_least, seats))
            and (when.at_most is None or value <= self._number(when.at_most, seats))
            and (when.more_than is None or value > self._number(when.more_than, seats))
            and (when.less_than is None or value < self._number(when.less_than, seats))
        )

    def _places(self, block: Block, seats: tuple[Seat, ...]) -> list[Face | None]:
        found: list[Face | None] = []
        for zone in block.cards:
            if zone == DICE:
                found += [{"rank": str(value), "kind": "die", "piece": f"die {value}"} for value in self.table.dice]
            for place in (zone, *(f"{zone}.{seat}" for seat in seats)):
                found += [self.faces.get(piece) for piece in self.table.cards.get(place, ())]
        self.budget.spend(len(found))
        return found

    def cards(self, block: Block, seats: tuple[Seat, ...]) -> list[Face]:
        where = allowed(block.where)
        for trait, zone in block.like.items():
            lying = [self.faces[piece] for piece in self.table.cards.get(zone, ()) if piece in self.faces]
            if not lying:
                return []
            where[trait] = [lying[-1].get(trait, "")]
        faces = [face for face in self._places(block, seats) if face is not None]
        return counting.matching(faces, where, self.budget)

    def hand(self, block: Block, seats: tuple[Seat, ...]) -> list[Face]:
        """Return the seats' own cards: as many as a hand has, and what they laid off in another seat's zone."""
        if not block.held:
            return self.cards(block, seats)
        hands = [self.cards(block, (seat,)) for seat in range(1, self.table.seats + 1)]
        beyond = [card for hand in hands for card in hand[block.held :]]
        for hand in hands:
            hand[block.held :] = [beyond.pop(0) for _ in range(min(len(beyond), max(0, block.held - len(hand))))]
        return [card for seat in seats for card in hands[seat - 1]]

    def worths(self, block: Block) -> Mapping[str, int]:
        return self.score.worth.get(block.worth, {})

    def count(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return len(self.hand(block, seats))

    def sum(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return counting.total(self.cards(block, seats), self.worths(block), self.budget)

    def pairs(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return counting.pairs(self.cards(block, seats), block.by, self.budget)

    def runs(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return counting.runs(self.cards(block, seats), block.least, self.budget)

    def sets(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        cards = self.cards(block, seats)
        size, value = counting.alike(cards, block.by, block.least, self.budget)
        if not block.sum or not size:
            return size
        alike = [face for face in cards if face.get(block.by) == value]
        return counting.total(alike[: block.least], self.worths(block), self.budget)

    def group(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return counting.group(self.cards(block, seats), block.by, self.worths(block), self.budget)

    def whole(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        parts = [allowed(part) for part in block.parts]
        return counting.whole(self.cards(block, seats), block.by, parts, self.budget)

    def subsets(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return counting.subsets(self.cards(block, seats), block.to, self.worths(block), self.budget)

    def melds(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        own, worths = self.hand(block, seats), self.worths(block)
        if block.lay_off and not self._of(block.lay_off, seats):
            for seat in range(1, self.table.seats + 1):
                if seat not in seats and self._of(block.lay_off, (seat,)):
                    return melds.laying_off(own, self.hand(block, (seat,)), worths, block.least, self.budget)
        return melds.deadwood(own, worths, block.least, self.budget)

    def best(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return counting.best(self.cards(block, seats), block.by, self.worths(block), block.least, self.budget)

    def columns(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        places = self._places(block, seats)
        return counting.columns(places, block.width, block.by, self.worths(block), self.budget)

    def majority(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        mine = sum(self._of(name, side) for name in block.of)
        rest = [sum(self._of(name, other) for name in block.of) for other in self.sides if other != side]
        highest = max(rest, default=0)
        return int(mine > 0 and (mine > highest or (mine == highest and block.ties == "all")))

    def add(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return sum(self._of(name, seats) for name in block.of)

    def others(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return sum(self._of(name, other) for name in block.of for other in self.sides if other != side)

    def tricks(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        if not self.table.tricks:
            raise UnseenError
        return sum(self.table.tricks[seat - 1] for seat in seats)

    def last(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return int(self.table.last in seats)

    def sweeps(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return sum(self.table.sweeps[seat - 1] for seat in seats if seat <= len(self.table.sweeps))

    def bid(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        said = self.table.entered.get(block.bid, ())
        if all(seat > len(said) or said[seat - 1] is None for seat in seats):
            return 0
        bid, got = self._of(block.bid, seats), sum(self._of(name, seats) for name in block.of)
        if got == bid or (got > bid and not block.exact):
            earned = self._number(block.bonus, seats) + bid * self._number(block.each, seats)
            return earned + (got - bid) * self._number(block.over, seats)
        return self._number(block.lost, seats) + bid * self._number(block.missed, seats)

    def carry(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        before = 0
        for name in block.of:
            held = self.table.carried.get(name, ())
            shared = name in self.blocks and self._shared(self.blocks[name])
            before += sum(held[seat - 1] for seat in (seats[:1] if shared else seats) if seat <= len(held))
        now = before + sum(self._of(name, seats) for name in block.of)
        return now // block.every - before // block.every

    def place(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        places = [self.table.out.index(seat) for seat in seats if seat in self.table.out]
        return sum(block.points[place] for place in places if place < len(block.points))

    def entered(self, block: Block, seats: tuple[Seat, ...], side: tuple[Seat, ...]) -> int:
        return sum(self._of(name, seats) for name in block.of)
