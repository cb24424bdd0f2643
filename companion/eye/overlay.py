"""Draws what the eye sees into the camera's picture, for people: markers, zones, pieces with their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import cv2
import numpy as np
from PIL import Image, ImageDraw

from companion.eye.eye import Eye
from companion.eye.geometry import Calibration, Points, corners_mm
from companion.eye.mat import Rect
from companion.eye.pictures import means, smaller
from companion.eye.places import Pose
from companion.eye.view import Frame, Gray, Placement
from companion.letters import font, laid

Colour = tuple[int, int, int]

ZONE: Colour = (120, 200, 255)
MARKER: Colour = (255, 170, 40)
PIECE: Colour = (70, 230, 110)
HIDDEN: Colour = (255, 210, 60)
HATCH: Colour = (255, 90, 80)
TOLD: Colour = (255, 120, 255)

LINE = 0.07
"""How wide a line of a piece's name may be, of the picture: a card is 63 mm of 900."""

_OFF = 1.25
"""How much wider or narrower than asked a picture may be for a whole number to reduce it, in a tenth of the time."""

WRONG: Colour = (255, 70, 60)
GOAL: Colour = (90, 240, 200)

Mark = tuple[Points, str, Colour]
"""An extra mark: its outline (mm, shape (n, 2)), its text, and its colour."""


def _outline(rect: Rect, steps: int = 6) -> Points:
    """Return a rectangle's edge as points (mm), enough of them to follow a bent lens."""
    t = np.linspace(0, 1, steps, endpoint=False)
    corners = np.array(
        [(rect.x, rect.y), (rect.x + rect.w, rect.y), (rect.x + rect.w, rect.y + rect.h), (rect.x, rect.y + rect.h)]
    )
    sides = [corners[i] + t[:, None] * (corners[(i + 1) % 4] - corners[i]) for i in range(4)]
    return np.concatenate(sides)


def draw(
    eye: Eye,
    words: Callable[[Placement], str] | None = None,
    width: int = 1152,
    labels: bool = True,
    zones: Mapping[str, str] | None = None,
    marks: Iterable[Mark] = (),
) -> Gray | None:
    """Return the eye's last frame and view as an RGB picture (height, width, 3); None before the first frame.

    Args:
        eye: what to draw; it is only read. Call it from the thread that owns the eye.
        words: what to write on a piece; its name in the code book if None.
        width: of the picture that is made, in pixels, give or take a quarter.
        labels: whether zones are named that are wide enough for it.
        zones: what zones are called; their names in the mat file if None.
        marks: what else to draw, on top.
    """
    frame = eye.frame
    if frame is None:
        return None
    picture = _canvas(frame, width)
    width = picture.shape[1]
    calibration = eye.calibration
    if calibration is None:
        trouble = [found.words for found in eye.view.troubles] if eye.view else []
        return _written(picture, [((12.0, 12.0), " ".join(trouble), HATCH)], anchor="lt")
    px = _to_px(calibration, width / frame.gray.shape[1])
    covered = eye.view.covered if eye.view else frozenset()
    for zone in eye.mat.zones:
        if zone.name in covered:
            picture = _hatched(picture, px(_outline(zone.rect)))
    texts: list[tuple[tuple[float, float], str, Colour]] = []
    for marker in eye.mat.markers:
        seen = marker.id in calibration.markers
        _line(picture, px(corners_mm(marker)), MARKER if seen else (130, 130, 130))
    for zone in eye.mat.zones:
        edge = px(_outline(zone.rect))
        _line(picture, edge, HATCH if zone.name in covered else ZONE)
        label = (zones or {}).get(zone.name, zone.name)
        if labels and np.ptp(edge[:, 0]) * 1.2 > _width(label, width):
            texts.append(((float(edge[0, 0]) + 4, float(edge[0, 1]) + 2), label, ZONE))
    texts += _pieces(eye, calibration, px, picture, words)
    for outline, label, colour in marks:
        edge = px(outline)
        _line(picture, edge, colour, 2)
        texts.append(((float(edge[:, 0].mean()), float(edge[:, 1].mean())), label, colour))
    return _written(picture, texts)


def _canvas(frame: Frame, width: int) -> Gray:
    """Return a frame as an RGB picture of about a width (px), in colour if it has one."""
    source = frame.gray if frame.colour is None else frame.colour
    factor = max(1, round(source.shape[1] / width))
    if 1 / _OFF <= source.shape[1] / factor / width <= _OFF:
        small = means(source, factor)
    else:
        small = smaller(source, width, round(width * source.shape[0] / source.shape[1]))
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2RGB) if small.ndim == 2 else small, dtype=np.uint8)


def _to_px(calibration: Calibration, ratio: float) -> Callable[[Points], Points]:
    """Return the way from mm to pixels of a picture that is `ratio` as wide as the frame."""

    def px(points: Points) -> Points:
        result: Points = (calibration.to_px(points) + 0.5) * ratio - 0.5
        return result

    return px


def point(eye: Eye, marks: Iterable[Mark], arrows: Iterable[Points], width: int = 1152) -> Gray | None:
    """Return the eye's last frame as an RGB picture with nothing drawn in but what is pointed at; None without one.

    Args:
        eye: whose frame to draw; it is only read. Call it from the thread that owns the eye.
        marks: outlines to draw; their texts are left out.
        arrows: each from its first point to its second (mm, shape (2, 2)).
        width: of the picture that is made, in pixels, give or take a quarter.
    """
    frame, calibration = eye.frame, eye.calibration
    if frame is None or calibration is None:
        return draw(eye, width=width)
    picture = _canvas(frame, width)
    px = _to_px(calibration, picture.shape[1] / frame.gray.shape[1])
    for zone in eye.mat.zones:
        if eye.view is not None and zone.name in eye.view.covered:
            picture = _hatched(picture, px(_outline(zone.rect)))
    for outline, _, colour in marks:
        _line(picture, px(outline), (20, 20, 20), 7)
        _line(picture, px(outline), colour, 4)
    for arrow in arrows:
        (x1, y1), (x2, y2) = (tuple(int(part) for part in np.round(end)) for end in px(arrow))
        tip = 26 / max(1.0, float(np.hypot(x2 - x1, y2 - y1)))
        for colour, thick in (((20, 20, 20), 11), ((255, 255, 255), 6)):
            cv2.arrowedLine(picture, (x1, y1), (x2, y2), colour, thick, cv2.LINE_AA, 0, tip)
    return picture


def _pieces(
    eye: Eye,
    calibration: Calibration,
    px: Callable[[Points], Points],
    picture: Gray,
    words: Callable[[Placement], str] | None,
) -> list[tuple[tuple[float, float], str, Colour]]:
    texts = []
    seen = {(track.piece, track.order): track.state == "seen" for track in eye.tracks}
    for placement in eye.view.placements if eye.view else ():
        shape = eye.book.shapes[placement.piece]
        edge = px(Pose(placement.x, placement.y, placement.rotation).outline(shape))
        colour = PIECE if seen.get((placement.piece, placement.order), False) else HIDDEN
        _line(picture, edge, colour, 2)
        x, y = edge.mean(axis=0)
        label = words(placement) if words else _alone(eye.book.words(placement.piece))
        texts.append(((float(x), float(y)), label, colour))
    return texts


def _alone(words: str) -> str:
    """Return a piece's name within a sentence ("the red star", '"Back Channel"') as a label of its own."""
    bare = words.removeprefix("the ").removeprefix("a ").strip('"')
    return bare[:1].upper() + bare[1:]


def _line(picture: Gray, points: Points, colour: Colour, thickness: int = 1) -> None:
    at = np.round(points * 8).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [at], True, colour, thickness, lineType=cv2.LINE_AA, shift=3)


def _hatched(picture: Gray, edge: Points, step: int = 10) -> Gray:
    mask: Gray = np.zeros((picture.shape[0], picture.shape[1]), dtype=np.uint8)
    cv2.fillPoly(mask, [np.round(edge).astype(np.int32).reshape(-1, 1, 2)], 255)
    ys, xs = np.indices(mask.shape)
    stripes = (mask > 0) & ((xs + ys) % step < 2)
    result = picture.copy()
    result[stripes] = (0.4 * result[stripes] + 0.6 * np.array(HATCH)).astype(np.uint8)
    return result


def _size(width: int) -> int:
    """Return how large (px) letters are in a picture of some width."""
    return max(10, width // 72)


def _width(text: str, width: int) -> float:
    """Return how wide (px) a text is in a picture of some width."""
    return float(font(_size(width), laid(text)).getlength(laid(text)))


def _written(picture: Gray, texts: Iterable[tuple[tuple[float, float], str, Colour]], anchor: str = "") -> Gray:
    """Write texts with a dark edge, to be legible anywhere.

    A text that would overlap an earlier one is left out.
    """
    image = Image.fromarray(picture)
    pen = ImageDraw.Draw(image)
    width = picture.shape[1]
    taken: list[tuple[float, float, float, float]] = []
    # Pieces first: they are what people look for.
    for (x, y), text, colour in sorted(texts, key=lambda entry: entry[2] == ZONE):
        where = anchor or ("la" if colour == ZONE else "mm")
        broken = [text] if anchor or colour == ZONE else _broken(text, width)
        lines = "\n".join(map(laid, broken))
        face = font(_size(width), lines.replace("\n", ""))
        left, top, right, bottom = pen.textbbox(
            (x, y), lines, font=face, anchor=where, stroke_width=2, align="center", spacing=1
        )
        if any(left < r and right > edge and top < b and bottom > t for edge, t, r, b in taken):
            continue
        taken.append((left, top, right, bottom))
        red, green, blue = ((channel + 255) // 2 for channel in colour)
        pen.text(
            (x, y),
            lines,
            fill=(red, green, blue),
            stroke_fill=(0, 0, 0),
            font=face,
            anchor=where,
            stroke_width=2,
            align="center",
            spacing=1,
        )
    return np.asarray(image, dtype=np.uint8)


def _broken(text: str, width: int) -> list[str]:
    """Return a piece's name in lines about as wide as a card is in most pictures."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _width(longer, width) > width * LINE:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
