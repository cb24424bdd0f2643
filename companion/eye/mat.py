"""The mat as geometry: its markers, its zones for a number of seats, and where the codes sit on a piece. All in mm.

Read from `card_codes/<game>/mat.toml`; the origin is the mat's top left corner, x to the right, y down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from companion.untyped import Json

PRINTS = ("colours", "outlines", "first")
"""Prints of mat and cards: the mat in colours, in outlines on white, or the first print of both, with larger codes."""

TOKEN = 40.0
"""A piece with a side shorter than this (mm) is a token."""
EDGE = 2.0
"""Millimetres from a zone's edge to its first piece."""


class MatError(ValueError):
    """A mat file that does not fit; the message names the entry."""


class Rect(msgspec.Struct, frozen=True):
    """An upright rectangle: top left corner, width, height (mm)."""

    x: float
    y: float
    w: float
    h: float

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies inside."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def away(self, x: float, y: float) -> float:
        """Return how far (mm) a point is outside."""
        return math.hypot(max(self.x - x, 0.0, x - self.x - self.w), max(self.y - y, 0.0, y - self.y - self.h))

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return self.x + self.w / 2, self.y + self.h / 2


class ZonePlace(msgspec.Struct, frozen=True):
    """A zone on the mat. `kind` is "pile", "slots", "strips", "loose", or "tray" for one that dice are rolled in.

    `rotation` is how its cards are turned (degrees clockwise); pieces of a row lie `step` mm apart, `slots` of them at
    most in a row, rows `row` mm apart, in the direction in which the seat reads.
    """

    name: str
    kind: str
    rect: Rect
    rotation: float = 0.0
    step: float = 66.0
    row: float = 91.0
    slots: int = 1
    label: str = ""
    shape: str = ""
    """The shape of the pieces that lie there; "" for the mat's first."""
    words: Rect | None = None
    """Where the label is printed; None for on the zone itself, where what lies there hides it."""
    says: str | None = None
    """What is printed instead of the label: lines set apart by "|", name and effect by "||"; "" for nothing."""
    tone: str = ""
    """Which of the mat's colours the zone is printed in; "" for the one that zones have."""
    sides: int = 6
    """How many sides the dice of a tray have."""

    @property
    def printed(self) -> tuple[str, ...]:
        """The lines that are printed for it."""
        return tuple(line for line in (self.label if self.says is None else self.says).split("|") if line)

    @property
    def heads(self) -> int:
        """How many of the printed lines are a name that stands out from what follows: all, if nothing is set apart."""
        name, apart, _ = (self.says or "").partition("||")
        return len(name.split("|")) if apart else len(self.printed)

    def places(self, shape: Shape) -> int:
        """Return how many pieces of a shape have a `spot` of their own: in full rows, and in at least one."""
        if self.kind == "pile":
            return 1
        high = self.rect.h if round(self.rotation / 90) % 2 == 0 else self.rect.w
        return self.slots * (1 + int(max(0.0, high - EDGE - shape.h) // self.row))

    def spot(self, index: int, w: float, h: float) -> tuple[float, float]:
        """Return the centre (mm) of the index-th piece of size w × h as the mat means it to be laid."""
        if self.kind == "pile":
            return self.rect.centre
        quarter = round(self.rotation / 90) % 4
        wide, high = (self.rect.w, self.rect.h) if quarter % 2 == 0 else (self.rect.h, self.rect.w)
        along, down = index % max(1, self.slots), index // max(1, self.slots)
        u = w / 2 + EDGE + along * self.step - wide / 2
        v = (0.0 if high < h + 10 else h / 2 + EDGE - high / 2) + down * self.row
        turn = math.radians(self.rotation)
        cx, cy = self.rect.centre
        return cx + u * math.cos(turn) - v * math.sin(turn), cy + u * math.sin(turn) + v * math.cos(turn)


class CodePlace(msgspec.Struct, frozen=True):
    """Where a code is printed: centre (mm from the face's top left), rotation, side length; strips share a `side`."""

    face: str
    x: float
    y: float
    size: float
    rotation: float = 0.0
    side: str = ""

    @property
    def on(self) -> str:
        """The side of the piece that it is printed on: by default the face is a side of its own."""
        return self.side or self.face


class Shape(msgspec.Struct, frozen=True):
    """A kind of piece as an object: its size (mm) and the codes on its faces."""

    name: str
    w: float
    h: float
    codes: tuple[CodePlace, ...]
    kinds: tuple[str, ...] = ()
    first: tuple[CodePlace, ...] = ()
    """Where the first print of the cards has its codes, one for one; () where that is no different."""

    @property
    def token(self) -> bool:
        """Whether it is small: no card but a token, with no white to spare round its code."""
        return min(self.w, self.h) < TOKEN


class Panel(msgspec.Struct, frozen=True):
    """A part of the mat that is printed as one, because its zones belong together. `title` stands in `words`."""

    rect: Rect
    title: str = ""
    words: Rect | None = None
    tone: str = "panel"
    rotation: float = 0.0
    """How the title is turned (degrees clockwise)."""


class Chair(msgspec.Struct, frozen=True):
    """A place at the table: which seat sits there, by the number of players; where its badge is printed (mm)."""

    x: float
    y: float
    rotation: float
    seats: tuple[tuple[int, int], ...]


class Looks(msgspec.Struct, frozen=True):
    """How a mat is printed, beside its zones: colours by name ("cloth", "panel", "zone", "line", …), panels, chairs.

    `seats` names the seats' colours, in order; () where a game's pieces give them none.
    """

    colours: tuple[tuple[str, str], ...] = ()
    panels: tuple[Panel, ...] = ()
    chairs: tuple[Chair, ...] = ()
    seats: tuple[str, ...] = ()


class Marker(msgspec.Struct, frozen=True):
    """An ArUco marker: its id, centre and side length (mm), and how it is turned (degrees clockwise)."""

    id: int
    x: float
    y: float
    size: float
    rotation: float = 0.0


class Mat(msgspec.Struct, frozen=True):
    """The mat of one game for one number of seats."""

    game: str
    title: str
    w: float
    h: float
    dictionary: str
    markers: tuple[Marker, ...]
    zones: tuple[ZonePlace, ...]
    shapes: tuple[Shape, ...]
    seats: int
    frame: float
    """Width (mm) of the border that holds the markers."""
    looks: Looks = Looks()
    print: str = PRINTS[0]
    """Which of PRINTS lies on the table."""
    loose: bool = False
    """Whether there is no mat: markers lie loose, no lines show where zones are, and the nearest zone counts."""

    def zone(self, name: str) -> ZonePlace:
        """Return a zone by name; raise KeyError if the mat has none of that name."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(f"the mat of {self.title} has no zone called {name}")

    def zone_at(self, x: float, y: float) -> ZonePlace | None:
        """Return the zone that a point (mm) lies in; of overlapping zones the smaller.

        Outside all it is None, or the nearest that is no tray where nobody sees lines.
        """
        here = [zone for zone in self.zones if zone.rect.holds(x, y)]
        if not here and self.loose:
            cards = [zone for zone in self.zones if zone.kind != "tray"]
            return min(cards, key=lambda zone: zone.rect.away(x, y), default=None)
        return min(here, key=lambda zone: zone.rect.w * zone.rect.h, default=None)

    @property
    def tray(self) -> ZonePlace | None:
        """The tray that dice are rolled in; None if it has none."""
        return next((zone for zone in self.zones if zone.kind == "tray"), None)

    @property
    def coverable(self) -> frozenset[str]:
        """The zones that something may cover: dice in a tray hide nothing that anybody waits for."""
        return frozenset(zone.name for zone in self.zones if zone.kind != "tray")

    def shape_of(self, kind: str) -> Shape:
        """Return the shape of a kind of card ("back" included); the first shape if none claims it."""
        for shape in self.shapes:
            if kind in shape.kinds:
                return shape
        return self.shapes[0]

    def shape_in(self, zone: ZonePlace) -> Shape:
        """Return the shape of the pieces that lie in a zone."""
        return next((shape for shape in self.shapes if shape.name == zone.shape), self.shapes[0])


def _turned(area: Rect, rotation: float, inner: Rect) -> Rect:
    """Return a rectangle of an area's own coordinates on the mat; the area is turned by 0, 90, 180 or 270 degrees."""
    quarter = round(rotation / 90) % 4
    if quarter == 0:
        return Rect(area.x + inner.x, area.y + inner.y, inner.w, inner.h)
    if quarter == 2:
        return Rect(area.x + area.w - inner.x - inner.w, area.y + area.h - inner.y - inner.h, inner.w, inner.h)
    if quarter == 1:
        return Rect(area.x + area.w - inner.y - inner.h, area.y + inner.x, inner.h, inner.w)
    return Rect(area.x + inner.y, area.y + area.h - inner.x - inner.w, inner.h, inner.w)


def _markers(spec: Mapping[str, Json], w: float, h: float) -> tuple[Marker, ...]:
    """Return markers spaced evenly along the edge, clockwise from the top left corner."""
    size, margin = float(spec["size"]), float(spec["margin"])
    across, down = int(spec["across"]), int(spec["down"])
    inset = margin + size / 2
    xs = [inset + i * (w - 2 * inset) / (across - 1) for i in range(across)]
    ys = [inset + i * (h - 2 * inset) / (down - 1) for i in range(down)]
    ring = [(x, inset) for x in xs] + [(w - inset, y) for y in ys[1:-1]]
    ring += [(x, h - inset) for x in reversed(xs)] + [(inset, y) for y in reversed(ys[1:-1])]
    return tuple(Marker(int(spec["first"]) + i, x, y, size) for i, (x, y) in enumerate(ring))


def _rect(spec: Mapping[str, Json]) -> Rect:
    return Rect(float(spec["x"]), float(spec["y"]), float(spec["w"]), float(spec["h"]))


def _looks(spec: Mapping[str, Json], seats: int, w: float, h: float) -> Looks:
    """Read how a mat is printed. Every area that some number of players uses has a chair."""
    colours = tuple((name, colour) for name, colour in spec.get("colours", {}).items() if isinstance(colour, str))
    panels = tuple(
        Panel(
            _rect(panel),
            str(panel.get("title", "")),
            Rect(*map(float, panel["words"])) if "words" in panel else None,
            str(panel.get("tone", "panel")),
            float(panel.get("rotation", 0.0)),
        )
        for panel in spec.get("panel", [])
        if seats in panel.get("seats", [seats])
    )
    seating: Mapping[str, Json] = spec.get("seating", {})
    chairs = []
    for area in spec.get("area", []):
        held = [(int(n), who.index(area["name"]) + 1) for n, who in seating.items() if area["name"] in who]
        if held:
            turn = float(area.get("rotation", 0.0))
            chairs.append(Chair(*_edge(_rect(area), turn, spec["markers"], w, h), turn, tuple(sorted(held))))
    return Looks(colours, panels, tuple(chairs), tuple(map(str, spec.get("colours", {}).get("seats", ()))))


def _edge(area: Rect, rotation: float, marks: Mapping[str, Json], w: float, h: float) -> tuple[float, float]:
    """Find the middle of the gap between two markers at the mat's edge that is nearest to the middle of an area."""
    inset = float(marks["margin"]) + float(marks["size"]) / 2
    upright = round(rotation / 90) % 2 == 0
    long, count, at = (w, int(marks["across"]), area.centre[0]) if upright else (h, int(marks["down"]), area.centre[1])
    step = (long - 2 * inset) / (count - 1)
    gap = min((inset + (i + 0.5) * step for i in range(count - 1)), key=lambda middle: abs(middle - at))
    side = {0: (gap, h - inset), 1: (inset, gap), 2: (gap, inset), 3: (w - inset, gap)}
    return side[round(rotation / 90) % 4]


def _zone(spec: Mapping[str, Json], area: Rect, rotation: float, seat: int | None) -> ZonePlace:
    try:
        inner = Rect(float(spec["x"]), float(spec["y"]), float(spec["w"]), float(spec["h"]))
        words = spec.get("words")
        return ZonePlace(
            name=str(spec["name"]) if seat is None else f"{spec['name']}.{seat}",
            kind=str(spec.get("kind", "pile")),
            rect=_turned(area, rotation, inner),
            rotation=(rotation + float(spec.get("rotation", 0.0))) % 360,
            step=float(spec.get("step", 66.0)),
            row=float(spec.get("row", 91.0)),
            slots=int(spec.get("slots", 1)),
            label=str(spec.get("label", "")),
            shape=str(spec.get("shape", "")),
            words=_turned(area, rotation, Rect(*map(float, words))) if words else None,
            says=None if "says" not in spec else str(spec["says"]),
            tone=str(spec.get("tone", "")),
            sides=int(spec.get("sides", 6)),
        )
    except KeyError as missing:
        raise MatError(f"zone {spec.get('name', '?')}: {missing} is missing") from None


def parse_mat(spec: Mapping[str, Json], seats: int) -> Mat:
    """Return the mat for a number of seats from a mat file; raise MatError if an entry or that seating is missing."""
    try:
        head, marks = spec["mat"], spec["markers"]
        w, h = float(head["w"]), float(head["h"])
        markers = _markers(marks, w, h)
    except KeyError as missing:
        raise MatError(f"the mat file lacks {missing}") from None
    areas = {str(area["name"]): area for area in spec.get("area", [])}
    chosen = spec.get("seating", {}).get(str(seats))
    if chosen is None:
        raise MatError(f"the mat of {head.get('title', '?')} has no seating for {seats} players")
    zones = [
        _zone(zone, Rect(0, 0, w, h), 0.0, None) for zone in spec.get("zone", []) if seats in zone.get("seats", [seats])
    ]
    for seat, name in enumerate(chosen, start=1):
        if name not in areas:
            raise MatError(f"seating for {seats} names the area {name}, which is not there")
        area = areas[name]
        rect = Rect(float(area["x"]), float(area["y"]), float(area["w"]), float(area["h"]))
        zones += [
            _zone(zone, rect, float(area.get("rotation", 0.0)), seat)
            for zone in spec.get("seat_zone", [])
            if seats in zone.get("seats", [seats])
        ]
    for zone in zones:
        r = zone.rect
        if r.x < 0 or r.y < 0 or r.x + r.w > w or r.y + r.h > h:
            raise MatError(f"zone {zone.name} reaches beyond the mat's edge")
    shapes = tuple(
        Shape(
            name=str(name),
            w=float(shape["w"]),
            h=float(shape["h"]),
            codes=tuple(msgspec.convert(code, CodePlace, strict=False) for code in shape["codes"]),
            kinds=tuple(shape.get("kinds", ())),
            first=tuple(msgspec.convert(code, CodePlace, strict=False) for code in shape.get("first", ())),
        )
        for name, shape in spec.get("shape", {}).items()
    )
    if not shapes:
        raise MatError("the mat file describes no shape of piece")
    return Mat(
        game=str(head["game"]),
        title=str(head["title"]),
        w=w,
        h=h,
        dictionary=str(marks["dictionary"]),
        markers=markers,
        zones=tuple(zones),
        shapes=shapes,
        seats=seats,
        frame=2 * float(marks["margin"]) + float(marks["size"]),
        looks=_looks(spec, seats, w, h),
    )
