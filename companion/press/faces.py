"""Faces of pieces: what the game's looks draw, and the codes in their white squares on top."""

from __future__ import annotations

from PIL import Image

from companion.codes import BACK
from companion.eye.mat import Mat, Rect, Shape
from companion.press.drawing import Drawing, box
from companion.press.look import AIR, INSET, RIM, Room, art_of
from companion.press.marks import face_codes, quiet_side
from companion.press.raster import render
from companion.rules.cards import Card, Deck


def face_image(
    card: Card | None, deck: Deck, shape: Shape, face: str, px_per_mm: float, *, codes: bool = True
) -> Image.Image:
    """Draw one side of a piece in RGB, w · px_per_mm × h · px_per_mm pixels; "B", or no card, is the back."""
    return render(face_drawing(card, deck, shape, face, codes=codes), px_per_mm)


def face_drawing(card: Card | None, deck: Deck, shape: Shape, face: str, *, codes: bool = True) -> Drawing:
    """Design one side of a piece, in mm. Face "B", or no card, is the back. Without `codes` a card has none."""
    sheet = Drawing(shape.w, shape.h)
    side = "B" if card is None else face
    room = room_of(shape, side, coded=codes)
    art = art_of(deck.looks or deck.game)
    if card is None or face == "B":
        art.back(sheet, deck, room)
    else:
        art.face(sheet, card, room)
    if codes:
        air = 0.0 if is_token(shape) else AIR
        for s in room.codes:
            sheet.fill("#ffffff", _notch(s, air, shape))
        sheet.add(face_codes(deck.code, BACK if side == "B" else card.piece if card else BACK, side, shape))
    return sheet


def _notch(s: Rect, air: float, shape: Shape) -> tuple[tuple[float, float], ...]:
    """Return the white that a code stands on: its square and some air, out to the card's edge where that is near."""
    x0, y0, x1, y1 = s.x - air, s.y - air, s.x + s.w + air, s.y + s.h + air
    if air:
        x0, y0 = (0.0 if x0 < INSET else x0), (0.0 if y0 < INSET else y0)
        x1, y1 = (shape.w if x1 > shape.w - INSET else x1), (shape.h if y1 > shape.h - INSET else y1)
    return box(x0, y0, x1 - x0, y1 - y0, 2.0 if air else 0.0)


def is_token(shape: Shape) -> bool:
    """Whether pieces of a shape are tokens, which always carry their codes."""
    return shape.token


def room_of(shape: Shape, face: str, *, coded: bool = True) -> Room:
    """Return where on a side of a shape may be drawn."""
    squares = tuple(code_squares(shape, face))
    return Room(shape, face, coded, squares, tuple(free_areas(shape, face) if coded else _whole(shape)))


def _whole(shape: Shape) -> list[Rect]:
    edge = INSET + RIM
    return [Rect(edge, edge, shape.w - 2 * edge, shape.h - 2 * edge)]


def code_squares(shape: Shape, face: str) -> list[Rect]:
    """Return the squares of a face that must stay white: each code with its quiet zone."""
    squares = []
    for place in shape.codes:
        if place.on == face:
            side = quiet_side(place)
            if round(place.rotation) % 90:
                side *= 1.42  # turned askew, its corners reach further
            squares.append(Rect(place.x - side / 2, place.y - side / 2, side, side))
    return squares


def free_areas(shape: Shape, face: str) -> list[Rect]:
    """Return the largest upright rectangles inside the frame that touch no code's quiet zone, the largest first."""
    gap = AIR + RIM
    x0, y0, x1, y1 = INSET + RIM, INSET + RIM, shape.w - INSET - RIM, shape.h - INSET - RIM
    taken = [(s.x - gap, s.y - gap, s.x + s.w + gap, s.y + s.h + gap) for s in code_squares(shape, face)]
    xs = sorted({x0, x1, *(x for left, _, right, _ in taken for x in (left, right) if x0 < x < x1)})
    ys = sorted({y0, y1, *(y for _, top, _, bottom in taken for y in (top, bottom) if y0 < y < y1)})
    free = [
        (left, top, right, bottom)
        for i, left in enumerate(xs)
        for right in xs[i + 1 :]
        for j, top in enumerate(ys)
        for bottom in ys[j + 1 :]
        if not any(a < right and left < c and b < bottom and top < d for a, b, c, d in taken)
    ]
    largest = [
        r
        for r in free
        if not any(o != r and o[0] <= r[0] and o[1] <= r[1] and o[2] >= r[2] and o[3] >= r[3] for o in free)
    ]
    rects = [Rect(left, top, right - left, bottom - top) for left, top, right, bottom in largest]
    return sorted(rects, key=lambda r: -r.w * r.h) or [Rect(x0, y0, x1 - x0, y1 - y0)]


def shape_faces(shape: Shape) -> list[str]:
    """Return the sides of a shape that carry codes, in the order of the mat file, without the back."""
    return [side for side in dict.fromkeys(place.on for place in shape.codes) if side != "B"]


def shape_for(mat: Mat, card: Card | None) -> Shape:
    """Return the shape of a card; of the back for None."""
    return mat.shape_of(card.kind if card else "back")
