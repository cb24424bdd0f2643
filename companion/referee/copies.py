"""Equal cards without codes: which copy lies where follows from the rules, for nobody can see it.

The eye numbers every card while it stays in sight. What lies where a copy should lie is that copy; what is new is the
copy with which a legal action explains it.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from companion.eye.view import Placement, TableView
from companion.referee.difference import Mismatches, Seen, mismatches, pieces_of
from companion.referee.expecting import movable
from companion.referee.matching import explain
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, AnyGame
from companion.rules.layout import Exactly, Layout, OpenSlots, Pile, Slots, Strips, Zone

MOST = 24
"""So many ways to name what is new are tried."""
UNDER_WAY = 100
"""What explains a table only in part counts as so many steps."""


def bound(game: AnyGame, state: object, view: TableView, owed: Mismatches = frozenset()) -> TableView:
    """Return a view in which copies that look the same are named as the rules can follow it best."""
    groups = {piece: group for group in view.alike for piece in group}
    if not any(placement.piece in groups for placement in (*view.placements, *view.under)):
        return view
    layout = game.layout(state)
    lying = _Naming(layout, view, groups)
    coming, held = list(movable(game, state)), _held(game, state)
    ways = [lying.named(names) for names in itertools.islice(lying.ways(coming, held), MOST)]
    best, cost = ways[0], UNDER_WAY + 1
    for way in ways if ways[1:] else ():
        seen = Seen(way)
        if not mismatches(layout, seen) - owed:
            return way
        findings = explain(game, state, seen, owed)
        steps = min((len(one.steps) for one in findings.complete), default=UNDER_WAY if findings.under_way else cost)
        if steps < cost:
            best, cost = way, steps
        if cost == 1:
            break
    return best if cost < UNDER_WAY else _hidden_by_an_equal_one(game, state, best, owed) or best


def _hidden_by_an_equal_one(game: AnyGame, state: object, view: TableView, owed: Mismatches) -> TableView | None:
    """Return a view in which a card was laid on its copy, the top of a pile, or taken off it, if that explains all.

    Nobody can see that; but all else that a move brings about shows, and the table is at rest.
    """
    layout = game.layout(state)
    if not view.settled or not mismatches(layout, Seen(view)) - owed or explain(game, state, Seen(view), owed).complete:
        return None
    groups = {piece: group for group in view.alike for piece in group}
    seen = {one.piece for one in (*view.placements, *view.under)}
    showing = {piece for zone in layout.zones.values() if not isinstance(zone, Pile) for piece in pieces_of(zone)}
    for n, one in enumerate(view.placements):
        area = layout.zones.get(one.zone or "")
        if not isinstance(area, Pile) or area.top != Exactly(one.piece):
            continue
        group = groups.get(one.piece, ())
        laid, left = showing.intersection(group) - seen, area.below.intersection(group)
        for copy in (*sorted(laid), *sorted(left)):
            top = msgspec.structs.replace(one, piece=copy)
            under = (*view.under, one) if copy in laid else tuple(low for low in view.under if low.piece != copy)
            placements = tuple(
                top if i == n else low for i, low in enumerate(view.placements) if i == n or low.piece != copy
            )
            other = msgspec.structs.replace(view, placements=placements, under=under)
            if len(explain(game, state, Seen(other), owed).complete) == 1:
                return other
    return None


def _held(game: AnyGame, state: object) -> frozenset[Piece]:
    """Return the pieces that everybody knows to be in a hand which nobody sees."""
    return frozenset(itertools.chain(*(shelf.pieces for shelf in game.view(state, TABLE).shelves if shelf.known)))


class _Naming:
    """What copies there are, and those whose names follow from where they lie."""

    def __init__(self, layout: Layout, view: TableView, groups: Mapping[Piece, tuple[Piece, ...]]) -> None:
        self._view = view
        self._places = dict(_places(layout))
        piles = {zone: area for zone, area in layout.zones.items() if isinstance(area, Pile)}
        self._buried = {piece for area in piles.values() for piece in area.below}
        self._known: dict[int, Piece] = {}
        """Names by the number of the placement, those under others after those that show."""
        self._all = (*view.placements, *view.under)
        self._left = {group: set(group) for group in view.alike}
        mine = [(number, one, groups[one.piece]) for number, one in enumerate(self._all) if one.piece in groups]
        showing = mine[: sum(one.piece in groups for one in view.placements)]
        tops = {zone: area.top.piece for zone, area in piles.items() if isinstance(area.top, Exactly)}
        for zone, top in tops.items():
            here = [entry for entry in showing if entry[1].zone == zone and top in entry[2]]
            for number, one, group in sorted(here, key=lambda entry: (entry[1].piece == top, entry[1].order))[-1:]:
                self._bind(number, one, group, (top,))
        order = {
            one.zone: one.order
            for n, one in enumerate(view.placements)
            if self._name(n, one) == tops.get(one.zone or "")
        }
        self._deep = {
            number
            for number, one in enumerate(self._all)
            if number >= len(view.placements) or one.order < order.get(one.zone, 0)
        }
        """What lies under the top of its pile, and is no news."""
        under = mine[len(showing) :]
        # What shows comes first: of what lay under other cards nobody knows whether it is there yet.
        for some, exact in ((showing, True), (showing, False), (under, True), (under, False)):
            for number, one, group in some:
                if number not in self._known:
                    self._bind(number, one, group, (one.piece,) if exact else group)
        self._open = [(number, one, group) for number, one, group in showing if number not in self._known]

    def _name(self, number: int, one: Placement) -> Piece:
        return self._known.get(number, one.piece)

    def _bind(self, number: int, one: Placement, group: tuple[Piece, ...], names: tuple[Piece, ...]) -> None:
        for piece in names:
            buried = piece in self._buried and number not in self._deep
            if piece in self._left[group] and self._fits(piece, one) and not buried:
                self._known[number] = piece
                self._left[group].discard(piece)
                return

    def _fits(self, piece: Piece, one: Placement) -> bool:
        zone, slot = self._places.get(piece, ("", None))
        return zone == one.zone and slot in (None, one.slot)

    def ways(self, coming: Collection[Piece], held: Collection[Piece] = ()) -> Iterator[dict[int, Piece]]:
        """Yield ways to name what is new, likelier ones first: cards `held` in a known hand before their copies.

        Else somebody else could not lay such a copy later. What the eye believes to lie under a card elsewhere than in
        a pile may have been taken from there: what is new may be that copy.
        """
        if not self._open:
            yield self._known
            return
        count = len(self._view.placements)
        known = {n: piece for n, piece in self._known.items() if n < count or piece in self._buried}
        left_under = set(self._known.values()) - set(known.values())
        seen = {one.piece for one in self._view.placements}

        def unlikely(piece: Piece, one: Placement) -> tuple[bool, bool, bool, bool]:
            moved = piece in self._places and piece not in self._buried and piece not in seen
            return piece not in held, piece != one.piece, piece in self._buried, not (moved or piece in coming)

        choices = []
        for number, one, group in self._open:
            left = (self._left[group] | left_under.intersection(group)) or set(group)
            ordered = sorted(sorted(left), key=lambda piece, one=one: unlikely(piece, one))  # type: ignore[misc]
            choices.append((number, one.piece, ordered))
        yield from _distinct(choices, known)
        # Or the top of a pile was taken, and what shows lay under it.
        showing = {n: piece for n, piece in known.items() if n < count}
        buried = set(known.values()) - set(showing.values())
        for n, (number, one, group) in enumerate(self._open):
            uncovered = [(number, one.piece, sorted(buried.intersection(group)))]
            if uncovered[0][2]:
                yield from _distinct([*uncovered, *choices[:n], *choices[n + 1 :]], showing)

    def named(self, names: Mapping[int, Piece]) -> TableView:
        """Return the view with these names."""
        all_ = [
            msgspec.structs.replace(one, piece=names[number]) if names.get(number, one.piece) != one.piece else one
            for number, one in enumerate(self._all)
        ]
        count = len(self._view.placements)
        shown = {one.piece for one in all_[:count]} - {one.piece for one in self._view.placements}
        under = tuple(one for one in all_[count:] if one.piece not in shown)
        return msgspec.structs.replace(self._view, placements=tuple(all_[:count]), under=under)


def _distinct(choices: Sequence[tuple[int, Piece, list[Piece]]], names: dict[int, Piece]) -> Iterator[dict[int, Piece]]:
    """Yield ways to choose a name for each placement, none twice; where no name is left the eye's own stays.

    `choices` are by a placement's number the eye's name and the names it may have, likelier ones first; `names` are the
    other placements' names by number.
    """
    if not choices:
        yield names
        return
    (number, seen, may), *later = choices
    taken = set(names.values())
    for piece in [piece for piece in may if piece not in taken] or [seen]:
        yield from _distinct(later, names | {number: piece})


def _places(layout: Layout) -> Iterator[tuple[Piece, tuple[Zone, int | None]]]:
    for zone, area in layout.zones.items():
        if isinstance(area, Slots | Strips) and not isinstance(area, OpenSlots) and len(area.places) > 1:
            for slot, place in enumerate(area.places):
                yield from ((piece, (zone, slot)) for piece in pieces_of(Slots((place,))))
        else:
            yield from ((piece, (zone, None)) for piece in pieces_of(area))
