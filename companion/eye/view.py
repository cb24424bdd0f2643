"""The eye's results: sightings in a frame, placements on the mat, and the table view for the referee.

Millimetres begin at the mat's top left corner, x to the right, y down, as printed; pixels at the frame's. Angles are
degrees clockwise; 0 is a card whose top edge points to the mat's.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import msgspec
import numpy as np
import numpy.typing as npt

Gray = npt.NDArray[np.uint8]
"""A picture of shape (height, width), 0 black to 255 white."""

Point = tuple[float, float]


class Frame:
    """One picture from a camera.

    `gray` has shape (height, width); `time` is monotonic seconds; `number` counts from 0 without gaps as delivered;
    `colour` (height, width, 3) RGB is optional, and may be smaller. `small` is the same picture reduced by a whole
    number, if the camera makes one anyway. `exposure` is how long the shutter was open, in seconds, if the camera says.

    A camera far away sends `small` alone most of the time: then the frame is not `whole`, `gray` and `colour` are of
    the last one that was, and the eye notes whether the next one is `wanted` whole.
    """

    __slots__ = ("_colour", "exposure", "gray", "number", "small", "time", "wanted", "whole")

    def __init__(
        self,
        gray: Gray,
        time: float,
        number: int,
        colour: Gray | Callable[[], Gray | None] | None = None,
        small: Gray | None = None,
        exposure: float | None = None,
    ) -> None:
        """Hold the pictures; they are not copied. A colour that has a price is made when it is first wanted."""
        self.gray = gray
        self.time = time
        self.number = number
        self._colour = colour
        self.small = small
        self.exposure = exposure
        self.whole, self.wanted = True, False

    def again(self, time: float, number: int, exposure: float | None) -> Frame:
        """Return the same picture as another frame."""
        return Frame(self.gray, time, number, (lambda: self.colour) if self.coloured else None, self.small, exposure)

    @property
    def coloured(self) -> bool:
        """Whether there is a colour; to ask for that is cheap."""
        return self._colour is not None

    @property
    def colour(self) -> Gray | None:
        """The picture in colour, None if the camera has none."""
        if callable(self._colour):
            self._colour = self._colour()
        return self._colour


class Sighting(msgspec.Struct, frozen=True):
    """One code read in one frame: its payload, its corners in px (from the top left, clockwise), and its reader."""

    payload: str
    corners: tuple[Point, Point, Point, Point]
    reader: str


class Placement(msgspec.Struct, frozen=True):
    """A piece's settled place: centre in mm, rotation in degrees, the zone its centre lies in (None beside all zones).

    A back has the piece `companion.codes.BACK`. `slot` is the place in a zone of slots. `order` grows with every
    arrival: of two pieces in one pile the one with the larger order came later and lies on top.
    """

    piece: str
    faces: frozenset[str]
    zone: str | None
    slot: int | None
    x: float
    y: float
    rotation: float
    order: int


class Trouble(msgspec.Struct, frozen=True):
    """Something that keeps the eye from seeing well: `kind` for programs, `words` for people, with the way out.

    Kinds: "no-markers", "other-mat", "mirrored", "camera-lost", "dark", "bands", "moved" and "print-scale" (notices
    that go by themselves), "same-code-twice", "foreign-code", "off-mat", "small-picture".
    """

    kind: str
    words: str


BLINDING = frozenset({"no-markers", "other-mat", "mirrored", "camera-lost", "dark"})
"""Kinds of troubles in which the table can't be followed at all: all of it counts as covered."""


SIDES_READ = (6, 10)
"""Sides of the dice that the camera reads, in trays for dice of that kind."""


class Unread(StrEnum):
    """Why a die's top isn't read: it leans, it can't be read surely, or nothing tells a 6 from a 9 of ten sides."""

    LEANS = "leans"
    UNCLEAR = "unclear"
    NO_MARK = "mark"


class DieSeen(msgspec.Struct, frozen=True):
    """A die as the eye sees it: its middle (mm), how it is turned (degrees clockwise; 0 to 90 if it has six sides), its
    side (mm).

    `value` is what its top shows, None if that can't be read surely; `why` then says why not. `place` is "in" the tray,
    on its "edge", or "out".
    """

    x: float
    y: float
    rotation: float
    side: float
    value: int | None
    place: str = "in"
    why: Unread | None = None


USUAL_DIE = 300.0
"""Square mm that are seen of a usual die and its sides."""

LARGER = 1.5
"""How many times as large the same printed word may be seen in another light."""


class ThingSeen(msgspec.Struct, frozen=True):
    """Something in a tray that can't be read: its rectangle `x`, `y`, `w`, `h` (mm) and its visible `area` (mm²)."""

    x: float
    y: float
    w: float
    h: float
    area: float

    @property
    def dice(self) -> int:
        """For how many dice it is large enough, one at least."""
        return max(1, round(self.area / USUAL_DIE))

    def holds(self, x: float, y: float, slack: float) -> bool:
        """Return whether a place lies in the rectangle round it, give or take `slack` (mm)."""
        return -slack <= x - self.x <= self.w + slack and -slack <= y - self.y <= self.h + slack

    def within(self, other: ThingSeen, slack: float) -> bool:
        """Return whether it lies where another thing was, within `slack` (mm), and isn't much larger."""
        across = self.x >= other.x - slack and self.x + self.w <= other.x + other.w + slack
        down = self.y >= other.y - slack and self.y + self.h <= other.y + other.h + slack
        return across and down and self.area <= LARGER * other.area


class DiceSeen(msgspec.Struct, frozen=True):
    """What lies in a tray and round it. How many dice there should be, the eye doesn't know.

    `sides` are those of the dice that are read there; of ten-sided ones a 0 is 10.
    """

    zone: str
    dice: tuple[DieSeen, ...] = ()
    things: tuple[ThingSeen, ...] = ()
    sides: int = 6

    @property
    def unread(self) -> int:
        """How many dice may be among the things in the tray that can't be read."""
        return sum(thing.dice for thing in self.things)

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the dice that lie wholly in the tray and were read, in ascending order."""
        return tuple(sorted(die.value for die in self.dice if die.place == "in" and die.value is not None))

    @property
    def fallen(self) -> int:
        """How many dice lie beside the tray or on its edge."""
        return sum(die.place != "in" for die in self.dice)

    @property
    def certainty(self) -> str:
        """Whether all that lies in the tray and round it was read, in its place: "sure" or "unsure"."""
        return "unsure" if self.unread or self.fallen or any(die.value is None for die in self.dice) else "sure"


class TableView(msgspec.Struct, frozen=True):
    """All placements at one moment, and which parts of the table are uncertain.

    `covered` are the zones of which something hides a part; what lies there proves nothing. `touched` are the zones a
    hand covered since the last settled view. `settled` is False while something still moves. `dice` has every
    tray whose dice were read at rest. `under` are pieces that were seen lying face up and that other pieces were then
    laid over: they may still be there. `alike` are groups of pieces that are known by their faces and look the same:
    which of them lies where is not seen.
    """

    frame: int
    time: float
    placements: tuple[Placement, ...]
    covered: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    settled: bool = True
    troubles: tuple[Trouble, ...] = ()
    dice: tuple[DiceSeen, ...] = ()
    under: tuple[Placement, ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()
