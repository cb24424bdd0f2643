"""The one drawn table: places and things in mm, from which every page writes its drawing (`templates/drawn.html`).

A drawing shows what the referee holds, as everybody at the table sees it: a back is a back, so no audience learns more
from it than by a look at the table.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from companion.codes import BACK
from companion.eye.mat import Mat, Shape, ZonePlace
from companion.referee.colours import CORNERS, SHAPES, worn
from companion.referee.difference import FACE
from companion.referee.pointing import arrow_of
from companion.referee.snapshot import Box, Lying, Pointer, Snapshot
from companion.rules.cards import Card
from companion.rules.kernel import TABLE, Seat
from companion.rules.layout import Zone, owner_of
from companion.server.table_api import SessionService
from companion.server.words.voice import say

SMALLEST, LARGEST = 11.0, 24.0
"""Millimetres of letters: smaller ones nobody reads across a room, larger ones are no label."""
WIDE, LEADING = 0.68, 1.05
"""How wide a letter is, and how far apart lines stand, in heights of the letters."""
ROUND = 12.0
"""Millimetres of the mat's border on which a seat's name stands, to either side of its middle."""
CLOSE = 60.0
"""Millimetres round what is pointed at of which a closer look shows the zones."""
AIR = 5.0
"""Millimetres round what a drawing is cropped to."""
TINTS = {"clubs": "green", "diamonds": "blue", "hearts": "red", "spades": "black"}


class Spot(msgspec.Struct, frozen=True):
    """A zone of the mat: its rectangle (mm), the lines that are printed for it, its colour, its seat.

    `tone` is "" for the colour that zones of the game have.
    """

    name: Zone
    x: float
    y: float
    w: float
    h: float
    kind: str
    words: tuple[str, ...]
    tone: str
    seat: Seat


class Sign(msgspec.Struct, frozen=True):
    """Words on the mat beside its zones: the title of a panel, or (with a `seat`) who sits there."""

    x: float
    y: float
    turn: float
    size: float
    words: str = ""
    seat: Seat = TABLE


class Places(msgspec.Struct, frozen=True):
    """What of a table stays as it is for a whole match. All lengths are mm."""

    w: float
    h: float
    zones: tuple[Spot, ...]
    signs: tuple[Sign, ...]


class Thing(msgspec.Struct, frozen=True):
    """A piece on the table: where its middle is (mm), how it is turned (degrees clockwise), its size (mm).

    `id` is the same as long as the same piece is followed. `kind` is "card", "back", "token" or "die"; `face` names the
    picture ("" if nobody has read it); `state` is as in `companion.referee.snapshot.Lying`; `count` is how many lie in
    its pile, if more than it are known to; `colour` and `shape` are a token's, `words` what stands on it.
    """

    id: str
    kind: str
    face: str
    x: float
    y: float
    turn: float
    w: float
    h: float
    zone: Zone = ""
    state: str = "lies"
    count: int = 0
    seat: Seat = TABLE
    colour: str = ""
    shape: str = ""
    words: str = ""


class Frame(msgspec.Struct, frozen=True):
    """A rectangle (mm) that is turned about a point: (degrees, x, y)."""

    x: float
    y: float
    w: float
    h: float
    turn: tuple[float, float, float]


class Aim(msgspec.Struct, frozen=True):
    """Something to be moved: corner, size and turn (degrees, about a point) of where it lies and goes; its arrow.

    `over`: it has to be turned over where it lies.
    """

    words: str
    piece: str
    source: Frame | None
    target: Frame | None
    over: bool
    arrow: tuple[float, float, float, float] | None


class Drawn(msgspec.Struct, frozen=True):
    """A table as it is drawn; something hides a part of the `covered` zones, and nothing needs the `spare` ones."""

    places: Places
    things: tuple[Thing, ...]
    covered: tuple[Zone, ...]
    aims: tuple[Aim, ...]
    spare: tuple[Zone, ...] = ()

    @property
    def busy(self) -> frozenset[Zone]:
        """The zones in which something lies: no words stand there."""
        return frozenset(thing.zone for thing in self.things)

    @property
    def concerned(self) -> tuple[Zone, ...]:
        """The zones about what is pointed at, for a closer look; none if nothing is."""
        frames = [frame for aim in self.aims for frame in (aim.source, aim.target) if frame]
        if not frames:
            return ()
        left, top = min(one.x for one in frames) - CLOSE, min(one.y for one in frames) - CLOSE
        right, bottom = max(one.x + one.w for one in frames) + CLOSE, max(one.y + one.h for one in frames) + CLOSE
        near = [z for z in self.places.zones if z.x < right and z.x + z.w > left and z.y < bottom and z.y + z.h > top]
        return tuple(zone.name for zone in near)

    def box(self, view: Sequence[Zone] = (), aims: bool = False) -> tuple[float, float, float, float]:
        """Return corner and size (mm) of what is shown: zones whose names begin so ("skill-pool"), else all there is.

        With `aims` it reaches as far as what is pointed at.
        """
        zones = [zone for zone in self.places.zones if not view or zone.name.startswith(tuple(view))]
        zones = [zone for zone in zones if view or zone.name not in self.spare]
        edges = [(one.x, one.y, one.x + one.w, one.y + one.h) for one in zones]
        if not view:
            edges += [(one.x - ROUND, one.y - ROUND, one.x + ROUND, one.y + ROUND) for one in self.places.signs]
            half = [(one, max(one.w, one.h) / 2) for one in self.things]
            edges += [(one.x - r, one.y - r, one.x + r, one.y + r) for one, r in half]
        for one in self.aims if aims else ():
            edges += [(f.x, f.y, f.x + f.w, f.y + f.h) for f in (one.source, one.target) if f]
            edges += [(min(a[0], a[2]), min(a[1], a[3]), max(a[0], a[2]), max(a[1], a[3])) for a in (one.arrow,) if a]
        if not edges:
            return -AIR, -AIR, self.places.w + 2 * AIR, self.places.h + 2 * AIR
        left, top = min(edge[0] for edge in edges) - AIR, min(edge[1] for edge in edges) - AIR
        return left, top, max(edge[2] for edge in edges) + AIR - left, max(edge[3] for edge in edges) + AIR - top


def drawn(snapshot: Snapshot, session: SessionService) -> Drawn | None:
    """Lay out the table of a match; None where there is none."""
    if not session.mat.zones:
        return None
    places, aims = places_of(session.mat), tuple(_aim(one, session.mat) for one in snapshot.pointers)
    things, lays = tuple(_things(snapshot, session)), session.lays
    busy = {thing.zone for thing in things}
    spare = (z.name for z in places.zones if lays and z.name not in busy and z.name.partition(".")[0] not in lays)
    return Drawn(places, things, snapshot.on_table.covered, aims, tuple(spare))


@lru_cache(maxsize=8)
def places_of(mat: Mat) -> Places:
    """Lay out a mat for its number of players."""
    colours = dict(mat.looks.colours)
    zones = tuple(_spot(zone, colours) for zone in mat.zones if owner_of(zone.name) <= mat.seats)
    signs = [
        Sign(chair.x, chair.y, chair.rotation % 180, 17.0, seat=seat)
        for chair in mat.looks.chairs
        if (seat := dict(chair.seats).get(mat.seats))
    ]
    for panel in mat.looks.panels:
        if panel.title and panel.words and (size := _fit((panel.title,), panel.words.w, panel.words.h)):
            signs.append(Sign(*panel.words.centre, panel.rotation, size, panel.title))
    return Places(mat.w, mat.h, zones, tuple(signs))


def _spot(zone: ZonePlace, colours: dict[str, str]) -> Spot:
    rect = zone.rect
    tone = colours.get(zone.tone, "")
    return Spot(zone.name, rect.x, rect.y, rect.w, rect.h, zone.kind, zone.printed, tone, owner_of(zone.name))


def labels(one: Drawn, things: bool, without: Collection[Zone] = ()) -> Iterator[Sign]:
    """Return the words in all zones but some: as much as can be read where nothing lies in them.

    Of two lines the second is told if both have no room; one line is broken at its spaces where it is larger so.
    """
    for zone in one.places.zones:
        if zone.name in without:
            continue
        left, w = _free(zone, [thing for thing in one.things if things and thing.zone == zone.name])
        lines = [say(line) for line in zone.words]
        for some in (lines, *([line] for line in reversed(lines)), " ".join(lines).split()):
            if some and (size := _fit(some, w, zone.h)):
                for n, line in enumerate(some):
                    down = (n - (len(some) - 1) / 2) * size * LEADING
                    yield Sign(left + w / 2, zone.y + zone.h / 2 + down, 0.0, size, line)
                break


def _free(zone: Spot, things: Iterable[Thing]) -> tuple[float, float]:
    """Return where the widest strip of a zone begins on which nothing lies, and how wide it is (mm)."""
    begin, best = zone.x, (zone.x, 0.0)
    edges = []
    for one in things:
        turn = math.radians(one.turn)
        half = (abs(one.w * math.cos(turn)) + abs(one.h * math.sin(turn))) / 2
        edges.append((one.x - half, one.x + half))
    for left, right in (*sorted(edges), (zone.x + zone.w, zone.x + zone.w)):
        best = max(best, (begin, left - begin), key=lambda strip: strip[1])
        begin = max(begin, right)
    return best


def _fit(lines: Sequence[str], w: float, h: float) -> float:
    size = min(LARGEST, (w - 2) / (WIDE * max(map(len, lines))), (h - 2) / (LEADING * len(lines)))
    return round(size, 1) if size >= SMALLEST else 0.0


def _things(snapshot: Snapshot, session: SessionService) -> Iterator[Thing]:
    found, colours = snapshot.on_table, worn(snapshot.colours, snapshot.seats)
    seats = {colour: seat for seat, colour in colours.items()}
    tops = {one.zone: n for n, one in enumerate(found.lying) if one.how != "due"}
    used: dict[str, int] = {}
    for n, one in enumerate(found.lying):
        key = f"due-{one.piece}" if one.how == "due" else f"b{one.order}" if one.piece in (BACK, FACE) else one.piece
        used[key] = used.get(key, 0) + 1
        id_ = key if used[key] == 1 else f"{key}-{used[key]}"
        yield _thing(id_, one, session, seats, found.piles.get(one.zone, 0) if tops.get(one.zone) == n else 0)
    for n, die in enumerate(found.dice):
        how = "lies" if die.value is not None and die.place == "in" else "differs"
        words = "?" if die.value is None else str(die.value)
        yield Thing(
            f"die-{n}", "die", "", round(die.x), round(die.y), round(die.rotation), 22.0, 22.0, state=how, words=words
        )


def _thing(id_: str, one: Lying, session: SessionService, seats: dict[str, Seat], count: int) -> Thing:
    card = session.cards.get(one.piece)
    shape = _shape(one, card, session.mat)
    kind = "back" if one.piece == BACK else "token" if shape.token else "card"
    colour = _colour(card) if card else ""
    owned = kind == "token" and card is not None and ("owner" in card.traits or card.kind == "pawn")
    seat = seats.get(colour, TABLE) if owned else TABLE
    return Thing(
        id_,
        kind,
        "" if one.piece == FACE else one.piece,
        one.x,
        one.y,
        one.rotation,
        shape.w,
        shape.h,
        one.zone,
        one.how,
        count if count > 1 else 0,
        seat,
        colour,
        (SHAPES.get(colour, "circle") if seat else "") if kind == "token" else "",
        str(seat) if seat else _short(card) if kind == "token" and card else "",
    )


def _shape(one: Lying, card: Card | None, mat: Mat) -> Shape:
    if card is not None:
        return mat.shape_of(card.kind)
    zone = next((zone for zone in mat.zones if zone.name == one.zone), None)
    return mat.shape_of("back") if zone is None or one.piece == BACK else mat.shape_in(zone)


def _colour(card: Card) -> str:
    """Return the colour that a card is known by before its face is there; "" if it has none."""
    return (
        card.traits.get("colour", "")
        or card.traits.get("label", "")
        or TINTS.get(card.traits.get("suit", ""), "item" if "item" in card.traits else "")
    )


def _short(card: Card) -> str:
    """Return what a token that is nobody's is called, in a few letters."""
    return next((card.traits[name] for name in ("short", "collector", "scenario") if name in card.traits), "")


def _aim(one: Pointer, mat: Mat) -> Aim:
    ends = arrow_of(one, mat)
    return Aim(
        one.words,
        one.piece if one.piece not in (FACE, BACK) else "",
        _frame(one.source) if one.source else None,
        _frame(one.target) if one.target else None,
        one.source is not None and one.source == one.target,
        None if ends is None else (*ends[0], *ends[1]),
    )


def _frame(box: Box) -> Frame:
    """Return a box as a drawing has it: its corner before it is turned round its centre."""
    x, y = round(box.x - box.w / 2, 1), round(box.y - box.h / 2, 1)
    return Frame(x, y, box.w, box.h, (round(box.rotation), round(box.x, 1), round(box.y, 1)))


def corners(shape: str, half: float) -> str:
    """Return the corners of a seat's shape about 0 0, as a polygon has them; "" for one that is round."""
    return " ".join(f"{x * half:.1f},{y * half:.1f}" for x, y in CORNERS.get(shape, ()))


def view_box(one: Drawn, view: Iterable[Zone] = (), aims: bool = False) -> str:
    """Return what a drawing shows, as SVG has it."""
    return " ".join(f"{number:g}" for number in one.box(tuple(view), aims))
