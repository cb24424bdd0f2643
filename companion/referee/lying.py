"""What lies on the table as people are to see it drawn: what the referee holds, at the poses that the eye sees.

It tells nothing that a look at the table does not: a card that lies face down is a back, however much is known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from companion.codes import BACK
from companion.eye.mat import Mat, Shape, ZonePlace
from companion.eye.view import Placement, TableView
from companion.referee.difference import BESIDE, FACE, Mismatches, pieces_of
from companion.referee.snapshot import How, Lying, OnTable
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, AnyGame, View
from companion.rules.layout import Area, Back, Exactly, Expect, Layout, Loose, OneOf, Pile, UnknownFace

PEEPING = 3
"""Pieces of a pile that are drawn, from the top: what peeps out further down nobody looks for."""


class Lies:
    """Finds what lies on one game's mat; made anew only if the table or the state is another."""

    def __init__(self, game: AnyGame, mat: Mat) -> None:
        """Learn the pieces' shapes."""
        self._game, self._mat = game, mat
        self._zones = {zone.name: zone for zone in mat.zones}
        self._shapes = {card.piece: mat.shape_of(card.kind) for card in game.deck.cards}
        self._of: tuple[object, object] = (object(), None)
        self._layout: Layout
        self._piles: dict[str, int] = {}
        self._found = OnTable()

    def look(
        self, state: object, view: TableView | None, differing: Callable[[], Mismatches], *, seen: bool
    ) -> OnTable:
        """Return what lies there. Where no camera looks (not `seen`) all lies as the rules expect it.

        `differing` returns in what the view differs from that.
        """
        if self._of[0] is state and self._of[1] is view:
            return self._found
        if self._of[0] is not state:
            self._layout = self._game.layout(state)
            self._piles = stack_sizes(self._layout, self._game.view(state, TABLE))
        self._of = state, view
        if not seen:
            self._found = OnTable(tuple(self._expected(self._layout)), piles=self._piles)
        elif view is None:
            self._found = msgspec.structs.replace(self._found, piles=self._piles)
        else:
            self._found = self._seen(self._layout, view, differing())
        return self._found

    def _seen(self, layout: Layout, view: TableView, wrong: Mismatches) -> OnTable:
        lying = [self._lying(one, wrong, view.covered) for one in self._shown(layout, view)]
        lying = list(_extra_backs(lying, wrong))
        due = tuple(self._due(wrong, lying))
        dice = tuple(die for tray in view.dice for die in tray.dice)
        return OnTable((*due, *lying), tuple(sorted(view.covered)), dice, self._piles)

    def _shown(self, layout: Layout, view: TableView) -> list[Placement]:
        """Return what is drawn, from the bottom up: of a pile its top, and what others were laid over beside it."""
        under = [one for one in view.under if one.zone and _keeps(layout.zones.get(one.zone), one.piece)]
        piled: dict[str, int] = {}
        shown: list[Placement] = []
        for one in sorted((*view.placements, *under), key=lambda one: -one.order):
            zone = self._zones.get(one.zone or "")
            if zone is not None and zone.kind == "pile":
                piled[zone.name] = piled.get(zone.name, 0) + 1
            if not one.zone or piled.get(one.zone, 0) <= PEEPING:
                shown.append(one)
        return shown[::-1]

    def _lying(self, one: Placement, wrong: Mismatches, covered: frozenset[str]) -> Lying:
        zone = one.zone or BESIDE
        anywhere, there = (zone, one.piece, True, -1), (zone, one.piece, True, one.slot)
        extra = bool(wrong) and one.piece != BACK and (anywhere in wrong or there in wrong)
        how: How = "covered" if zone in covered else "differs" if extra or not one.zone else "lies"
        return Lying(one.piece, round(one.x), round(one.y), round(one.rotation) % 360, one.zone or "", how, one.order)

    def _due(self, wrong: Mismatches, lying: list[Lying]) -> Iterator[Lying]:
        """Yield what is missing, where it goes: in its place, or in the first free one of its zone."""
        taken: dict[str, list[tuple[float, float]]] = {}
        for item in sorted(item for item in wrong if not item.extra):
            zone = self._zones.get(item.zone)
            if zone is None:
                continue
            shape = self._shape(item.piece, zone)
            spots = [zone.spot(n, shape.w, shape.h) for n in range(zone.places(shape))]
            if item.slot >= 0:
                spots = spots[item.slot : item.slot + 1]
            if zone.name not in taken:
                taken[zone.name] = [(one.x, one.y) for one in lying if one.zone == zone.name]
            near = min(shape.w, shape.h) / 2
            free = (spot for spot in spots if all(_apart(spot, other, near) for other in taken[zone.name]))
            x, y = next(free, spots[0] if spots else zone.rect.centre)
            taken[zone.name].append((round(x), round(y)))
            yield Lying(item.piece, round(x), round(y), round(zone.rotation), zone.name, "due")

    def _expected(self, layout: Layout) -> Iterator[Lying]:
        for name, area in layout.zones.items():
            zone = self._zones.get(name)
            for slot, piece in enumerate(_contents(area) if zone is not None else ()):
                if piece and zone is not None:
                    shape = self._shape(piece, zone)
                    x, y = zone.spot(slot, shape.w, shape.h)
                    yield Lying(piece, round(x), round(y), round(zone.rotation), name)

    def _shape(self, piece: Piece, zone: ZonePlace) -> Shape:
        return self._mat.shape_in(zone) if piece in (BACK, FACE) else self._shapes.get(piece) or self._mat.shapes[0]


def _keeps(area: Area | None, piece: Piece) -> bool:
    """Return whether a piece that was laid over is still expected where it lay: in no order, so perhaps in sight."""
    return isinstance(area, Loose) and piece in pieces_of(area)


def _extra_backs(lying: list[Lying], wrong: Mismatches) -> Iterator[Lying]:
    """Mark of the backs in a zone with one too many the newest: which of them it is nobody can tell."""
    zones = {item.zone for item in wrong if item.extra and item.piece == BACK}
    newest = {one.zone: one for one in lying if one.piece == BACK and one.zone in zones and one.how == "lies"}
    for one in lying:
        yield msgspec.structs.replace(one, how="differs") if newest.get(one.zone) is one else one


def _apart(spot: tuple[float, float], other: tuple[float, float], near: float) -> bool:
    return abs(spot[0] - other[0]) > near or abs(spot[1] - other[1]) > near


def _contents(area: Area) -> Iterable[Piece]:
    """List what an area shows, place by place; "" for a place that shows nothing."""
    if isinstance(area, Pile):
        return (_shows(area.top),)
    if isinstance(area, Loose):
        return (*sorted(area.pieces), *(BACK,) * area.backs, *(FACE,) * area.unknown)
    return tuple(map(_shows, getattr(area, "places", ())))


def _shows(place: Expect) -> Piece:
    match place:
        case Exactly(piece=piece):
            return piece
        case OneOf(pieces=pieces):
            return min(pieces)
        case Back():
            return BACK
        case UnknownFace():
            return FACE
    return ""


def stack_sizes(layout: Layout, told: View) -> dict[str, int]:
    """Return the number of cards in every pile of which it is known: one by one, or (the deck) as told."""
    sizes, area = pile_sizes(layout), layout.zones.get("deck")
    left = next((part.value for part in told.numbers if part.thing == "deck"), 0)
    if left and isinstance(left, int) and isinstance(area, Pile) and isinstance(area.top, Back):
        sizes["deck"] = left
    return sizes


def pile_sizes(layout: Layout) -> dict[str, int]:
    """Return the number of cards in every pile of which the rules know them one by one: a discard pile, not a deck."""
    return {zone: 1 + len(area.below) for zone, area in layout.zones.items() if isinstance(area, Pile) and area.below}
