"""Stages: where robots lay pieces so that a referee can see them.

Both keep which piece lies in which zone, from the bottom up, and move single pieces. `ViewStage` makes table views at
once; `CameraStage` photographs hands and pieces on the simulated table for the real eye.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Mapping

import msgspec

from companion.codes import BACK
from companion.eye.mat import Mat
from companion.eye.view import Placement, TableView, Trouble
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Seat
from companion.rules.layout import Exactly, Layout, Loose, OneOf, Pile, Slots, Strips, Zone

HAND = ""
"""The zone of a piece that is not on the table: in a hand, or in the box."""


class Lying(msgspec.Struct, frozen=True):
    """A piece on the table: face "F" or "B"."""

    piece: Piece
    face: str


Books = dict[Zone, list[Lying]]
"""What lies in each zone, from the bottom up."""


class Move(msgspec.Struct, frozen=True):
    """One piece goes from one zone to another (HAND: off the table), to end up with this face."""

    piece: Piece
    source: Zone
    target: Zone
    face: str


def target_books(layout: Layout, piles: Mapping[Zone, tuple[Piece, ...]], now: Books) -> Books:
    """Return what should lie in each zone: the layout, with the hidden piles that the world knows.

    What lies right stays; in a pile the layout's top comes last. Of several that will do, one that lies nowhere yet is
    taken.
    """
    books: Books = {}
    lying_somewhere = {lying.piece for pile in now.values() for lying in pile}
    for zone, area in layout.zones.items():
        here = [lying.piece for lying in now.get(zone, [])]
        down = [Lying(piece, "B") for piece in piles.get(zone, ())]
        if zone in piles and not isinstance(area, Loose):
            books[zone] = down
            continue
        if isinstance(area, Pile):
            top = [area.top.piece] if isinstance(area.top, Exactly) else []
            if isinstance(area.top, OneOf):
                top = [piece for piece in here if piece in area.top.pieces][-1:]
                top = top or sorted(area.top.pieces - lying_somewhere)[:1]
                lying_somewhere.update(top)
            wanted = [piece for piece in here if piece in area.below and piece not in top]
            wanted += sorted(area.below.difference(wanted, top)) + top
        elif isinstance(area, Slots | Strips):
            wanted = [place.piece for place in area.places if isinstance(place, Exactly)]
        elif isinstance(area, Loose):
            wanted = [piece for piece in here if piece in area.pieces]
            wanted += sorted(area.pieces.difference(wanted))
        else:
            wanted = []
        books[zone] = [Lying(piece, "F") for piece in wanted] + down
    return books


def moves_between(now: Books, then: Books) -> list[Move]:
    """Return the moves between two arrangements: first what comes to the table, then what moves, from the top down."""
    before = {lying.piece: (zone, lying.face) for zone, pile in now.items() for lying in pile}
    after = {lying.piece: (zone, lying.face) for zone, pile in then.items() for lying in pile}
    moves = [
        Move(lying.piece, HAND, zone, lying.face)
        for zone, pile in then.items()
        for lying in pile
        if lying.piece not in before
    ]
    for zone, pile in now.items():
        for lying in reversed(pile):
            target, face = after.get(lying.piece, (HAND, lying.face))
            if (target, face) != (zone, lying.face):
                moves.append(Move(lying.piece, zone, target, face))
    return moves


MOST = 20
"""Moves that several hands make at the same time; more are laid as a packet."""


def independent(moves: list[Move]) -> bool:
    """Return whether the order of moves does not matter: none goes where another comes from."""
    return {move.source for move in moves}.isdisjoint({move.target for move in moves} - {HAND})


class Stage(ABC):
    """Keeps the books and shows the table to whoever watches."""

    def __init__(self, watch: Callable[[TableView], None]) -> None:
        self.books: Books = {}
        self.watch = watch
        self.alike: tuple[tuple[Piece, ...], ...] = ()
        """Groups of pieces that nobody who looks can tell apart."""

    def rename(self, names: Mapping[Piece, Piece]) -> None:
        """Let pieces that look the same change their names."""
        self.books = {
            zone: [Lying(names.get(lying.piece, lying.piece), lying.face) for lying in pile]
            for zone, pile in self.books.items()
        }

    def apply(self, move: Move) -> None:
        """Enter a move in the books."""
        if move.source != HAND:
            self.books[move.source] = [lying for lying in self.books[move.source] if lying.piece != move.piece]
        if move.target != HAND:
            self.books.setdefault(move.target, []).append(Lying(move.piece, move.face))

    @abstractmethod
    def carry(self, moves: list[Move], seat: Seat) -> None:
        """Make these moves with a seat's hand, showing the table meanwhile, until it rests."""

    def prepare(self, moves: list[Move]) -> None:
        """Lay the first set-up: before everybody's eyes, or before anybody looks."""
        self.carry(moves, TABLE)

    def pause(self) -> bool:
        """Let an interruption between two turns happen, if one is due; return whether it did."""
        return False

    def throw(self, values: tuple[int, ...]) -> bool:
        """Throw dice that show these values into the mat's tray; False if there is none, or no camera looks at it."""
        return False

    @abstractmethod
    def rest(self) -> None:
        """Show the table at rest for a moment."""

    @property
    @abstractmethod
    def seconds(self) -> float:
        """The simulated time that has gone by."""

    def explain(self) -> int:
        """Answer what lies where the eye asks; return the number of answers."""
        return 0

    @property
    def by_faces(self) -> bool:
        """Whether cards are known by their faces, so that one of which a strip shows may not be known."""
        return False

    def show_again(self, pieces: Collection[Piece]) -> int:
        """Take up those of some pieces that lie among others, and lay them on top; return their number."""
        return 0

    @property
    def hidden(self) -> bool:
        """Whether something lies over the table that hides a part of it: a shadow, a hand."""
        return False

    def faults(self) -> Counter[str]:
        """Return the faults that the stage has caused, counted by name."""
        return Counter()

    def interruptions(self) -> Counter[str]:
        """Return what interrupted the match, counted by name."""
        return Counter()


PACE = 0.8
"""Seconds from one table view to the next: a hand takes about two of them for a card."""

_OFTEN = 0.15
"""Probability that a restless stage disturbs a view."""

VIEW_FAULTS = ("hand", "bump", "light", "lost")
"""Disturbances between eye and table, as far as table views show them."""


class ViewStage(Stage):
    """Shows table views without a camera: every move unsettled, the rest settled.

    A `restless` one adds what an eye says of resting hands, bumps, changing light and lost cameras: covered zones,
    unseen pieces, small shifts.
    """

    def __init__(
        self, mat: Mat, watch: Callable[[TableView], None], rng: random.Random, restless: bool = False
    ) -> None:
        super().__init__(watch)
        self._restless = restless
        self._occurred: Counter[str] = Counter()
        self._mat = mat
        self._rng = rng
        self._order: dict[Piece, int] = {}
        self._count = 0
        self._frame = 0

    def carry(self, moves: list[Move], seat: Seat) -> None:
        """Make the moves in random order, each shown unsettled while a hand covers its destination."""
        for move in moves:
            self.apply(move)
            self._count += 1
            self._order[move.piece] = self._count
            if len(moves) < 6:
                self._show(False, frozenset({move.source, move.target} - {HAND}))
        self._show(True, frozenset(), frozenset(zone for move in moves for zone in (move.source, move.target)) - {HAND})

    def rest(self) -> None:
        """Show the table as it is."""
        self._show(True, frozenset())

    @property
    def seconds(self) -> float:
        """The simulated time that has gone by."""
        return self._frame * PACE

    def faults(self) -> Counter[str]:
        """Return the disturbances, counted by their name in VIEW_FAULTS."""
        return self._occurred

    def _show(self, settled: bool, covered: frozenset[Zone], touched: frozenset[Zone] = frozenset()) -> None:
        if self._restless and self._rng.random() < _OFTEN:
            self._disturb(covered)
        self._tell(self._placements(), covered, touched, settled)

    def _tell(
        self,
        placements: tuple[Placement, ...],
        covered: frozenset[Zone],
        touched: frozenset[Zone],
        settled: bool,
        troubles: tuple[Trouble, ...] = (),
    ) -> None:
        self._frame += 1
        self.watch(TableView(self._frame, self.seconds, placements, covered, touched, settled, troubles))

    def _disturb(self, covered: frozenset[Zone]) -> None:
        """Show the table as it is now through a disturbance, for a few views."""
        what = self._rng.choice(VIEW_FAULTS)
        self._occurred[what] += 1
        zones = [zone.name for zone in self._mat.zones]
        hidden = covered | frozenset(zones if what in ("bump", "lost") else self._rng.sample(zones, 2))
        troubles = {
            "bump": (Trouble("moved", "The camera was moved."),),
            "lost": (Trouble("camera-lost", "The camera is gone."),),
        }.get(what, ())
        for _ in range(self._rng.randint(1, 4)):
            seen = tuple(
                msgspec.structs.replace(
                    placement, x=placement.x + self._rng.uniform(-2, 2), y=placement.y + self._rng.uniform(-2, 2)
                )
                for placement in self._placements()
                # What is covered may be seen nevertheless, in part; it proves nothing when it is not.
                if placement.zone not in hidden or (what == "light" and self._rng.random() < 0.7)
            )
            self._tell(seen, hidden, frozenset(hidden if what == "hand" else ()), False, troubles)

    def _placements(self) -> tuple[Placement, ...]:
        placements = []
        for zone, pile in self.books.items():
            place = self._mat.zone(zone)
            visible = pile[-1:] if place.kind == "pile" else pile
            shape = self._mat.shape_in(place)
            for i, lying in enumerate(visible):
                x, y = place.spot(i, shape.w, shape.h)
                up = lying.face == "F"
                placements.append(
                    Placement(
                        piece=lying.piece if up else BACK,
                        faces=frozenset(lying.face),
                        zone=zone,
                        slot=i if place.kind == "slots" else None,
                        x=x,
                        y=y,
                        rotation=place.rotation,
                        order=self._order.get(lying.piece, 0),
                    )
                )
        return tuple(placements)
