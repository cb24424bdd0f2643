"""The badges at the mat's edge: which seat sits where, in its colour and shape, and a place for the player's name."""

from __future__ import annotations

from companion.eye.mat import Chair, Mat
from companion.press.drawing import CAP, Colour, Drawing, Item, Line, Loop, arc, box, circle, moved, rounded
from companion.press.drawing import Shape as Filled
from companion.referee.colours import COLOURS, CORNERS, SHAPES

BADGE = (82.0, 20.0)
"""Width and height (mm) of a badge: it fits between two markers."""
PAPER, INK, SOFT = "#fbf8f0", "#1f2b27", "#6b746f"

HUES: dict[str, tuple[Colour, Colour]] = {
    "blue": ("#0072b2", "#ffffff"),
    "orange": ("#e69f00", "#1d1500"),
    "green": ("#009e73", "#04140e"),
    "pink": ("#cc79a7", "#1d0a14"),
    "sky": ("#56b4e9", "#06131c"),
    "red": ("#c9302c", "#ffffff"),
    "yellow": ("#f0e442", "#1c1a00"),
    "grey": ("#5f686e", "#ffffff"),
    "violet": ("#8554b8", "#ffffff"),
    "black": ("#2b3338", "#ffffff"),
}
"""The colours of seats as pages show them, with the colour of the number on them."""


def seat_colours(mat: Mat) -> tuple[str, ...]:
    """Return the seats' colours in order: those of the game's own pieces, else those that pages give them."""
    return mat.looks.seats or tuple(COLOURS)


def outline(shape: str) -> Loop:
    """Return a badge's outline of radius about 1 round the origin."""
    if shape in CORNERS:
        return rounded(CORNERS[shape], 0.12)
    if shape == "arch":
        return (*arc(0.0, 0.0, 0.92, 180, 360), (0.92, 0.9), (-0.92, 0.9))
    return circle(0, 0, 1)


def seat_mark(mat: Mat, seat: int, x: float, y: float, r: float) -> list[Item]:
    """Draw a seat's badge as it is on a mat."""
    colours = seat_colours(mat)
    return badge(seat, colours[(seat - 1) % len(colours)], x, y, r)


def badge(seat: int, name: str, x: float, y: float, r: float) -> list[Item]:
    """Draw a seat's number in a colour and its shape, of radius `r` mm round (x, y)."""
    hue, on = HUES.get(name, HUES["grey"])
    loop = outline(SHAPES.get(name, "circle"))
    sheet = Drawing(0, 0)
    sheet.fill(hue, loop)
    sheet.line(INK, 0.09, *loop, closed=True)
    low = 0.18 if SHAPES.get(name) == "triangle" else -0.1 if SHAPES.get(name) == "shield" else 0.0
    size = 0.95 if SHAPES.get(name) == "triangle" else 1.25
    sheet.text(0, low + size * CAP / 2, str(seat), size, colour=on, bold=True)
    return moved(sheet.items, x, y, scale=r)


def chair_badge(mat: Mat, chair: Chair, seats: int | None) -> list[Item]:
    """Draw a chair's badge, turned towards who sits there; nothing where nobody sits.

    With `seats` it shows that seat; for every number (None) a row that says which seat it is with how many players.
    """
    held = dict(chair.seats)
    if seats is not None and seats not in held:
        return []
    w, h = BADGE
    sheet = Drawing(0, 0)
    sheet.fill(PAPER, box(-w / 2, -h / 2, w, h, 3.0))
    if seats is not None:
        left = -w / 2 + 22.0
        sheet.add(seat_mark(mat, held[seats], -w / 2 + 11.0, 0.0, 7.0))
    else:
        left = -w / 2 + 5.0 + 6.2 * len(held) + 1.5
        sheet.text(-w / 2 + 3.0, -h / 2 + 4.6, "Players", 3.0, colour=SOFT, align="l")
        sheet.text(-w / 2 + 3.0, h / 2 - 1.7, "Seat", 3.0, colour=SOFT, align="l")
        for i, (players, seat) in enumerate(sorted(held.items())):
            x = -w / 2 + 6.2 + 6.2 * i
            sheet.text(x, -1.6, str(players), 3.6, colour=SOFT)
            sheet.add(seat_mark(mat, seat, x, 3.0, 2.55))
    left = max(left, -w / 2 + 14.0)
    field = box(left, -h / 2 + 3.0, w / 2 - 3.0 - left, h - 6.0, 2.0)
    sheet.add([Filled((field,), "#ffffff"), Line((*field, field[0]), 0.25, SOFT)])
    sheet.text(left + 2.0, -h / 2 + 6.6, "Name", 3.0, colour=SOFT, align="l")
    return moved(sheet.items, chair.x, chair.y, rotation=chair.rotation)
