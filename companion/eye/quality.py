"""How well the camera sees the table: markers, pixels a module, sharpness, mirrored lamps; and how to improve it.

`judge` costs about as much as looking for the markers: it is for a page that somebody watches, not for every frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import msgspec
import numpy as np

from companion.eye.eye import Eye
from companion.eye.geometry import Calibration, Points, corners_mm
from companion.eye.markers import MarkerFinder
from companion.eye.mat import Mat
from companion.eye.reader import FACES
from companion.eye.sampling import pose_of
from companion.eye.symbol import SIDE
from companion.eye.tracks import COVERED, HIDDEN, READ, SAME, SEEN, Track
from companion.eye.troubles import smallest_code
from companion.eye.view import Gray
from companion.text import join, t

NEED, LEAST = 1.4, 1.25
"""Pixels a module at which codes are read but in the worst light; below the second, new ones may be missed."""
SOFT = 0.8
"""Blur (standard deviation, modules) from which codes are read only now and then."""
SLANT = 0.55
"""How much shorter than wide (share) a code may look."""
UNEVEN = 1.4
"""How much larger codes near the camera may be than those far from it before its place is at fault."""
STEEP = 35.0
"""Degrees of tilt up to which a camera's place was tried."""
BURNT = 250
"""Gray level from which nothing is left to see."""
DIM = 110
"""Gray level of paper below which there is too little light."""
LAMP_MM2 = 120.0
"""The area from which a burnt-out spot is a mirrored lamp."""
FLAT = 40
"""Gray levels between the black and the white of a code below which it is too faint."""

SEEN_NOW, HIDDEN_NOW, SHONE_ON, OUTSIDE, UNSEEN = "seen", "covered", "glare", "outside", "unseen"


class MarkerSeen(msgspec.Struct, frozen=True):
    """A marker: whether it is "seen", and if not, why: "covered", "glare", "outside" the picture, or "unseen".

    `where` says in words where in the picture it is or should be; "" while nobody knows.
    """

    id: int
    state: str
    where: str


class CodeSeen(msgspec.Struct, frozen=True):
    """A code that should show: the piece and face it is of, its middle on the mat (mm), pixels a module there.

    `why` lists what makes it hard: "small", "blurred", "glare", "covered", "aslant", "faint", "outside", "unclear".
    """

    piece: str
    face: str
    x: float
    y: float
    module: float
    read: bool
    why: tuple[str, ...]


class Quality(msgspec.Struct, frozen=True):
    """What is known of how well the camera sees: `size` is the picture's (px); `module` the pixels a module of the
    smallest code, at the worst and the best place of the mat; lengths in mm, angles in degrees, `blur` (px, standard
    deviation) and `paper` (gray level) medians over the markers. None stands for what is not known.

    `verdict` is "good", "fair" or "bad"; `advice` says what to do, the most important first; `gives` is the pixels a
    module after the first of it, where that changes them.
    """

    size: tuple[int, int]
    markers: tuple[MarkerSeen, ...]
    foreign: tuple[int, ...]
    codes: tuple[CodeSeen, ...]
    module: tuple[float, float] | None
    height: float | None
    tilt: float | None
    blur: float | None
    paper: float | None
    lamps: tuple[str, ...]
    verdict: str
    advice: tuple[str, ...]
    gives: float | None = None


def judge(eye: Eye, finder: MarkerFinder) -> Quality | None:
    """Return the quality of an eye's last frame; None before the first. `finder` is one for the eye's mat, made once.

    Call it from the thread that owns the eye.
    """
    if eye.frame is None:
        return None
    gray, found = eye.frame.gray, finder.find(eye.frame.gray)
    ours = {marker.id: found[marker.id] for marker in eye.mat.markers if marker.id in found}
    codes = tuple(_codes(eye, eye.calibration, gray, ours)) if eye.calibration is not None else ()
    return assess(gray, eye.mat, eye.calibration, found, eye.tracks, codes)


def assess(
    gray: Gray,
    mat: Mat,
    known: Calibration | None,
    found: dict[int, Points],
    tracks: Iterable[Track] = (),
    codes: tuple[CodeSeen, ...] = (),
) -> Quality:
    """Return the quality of a picture in which markers were found, of a mat whose place is `known`, if it is."""
    size = (gray.shape[1], gray.shape[0])
    ours = {marker.id: found[marker.id] for marker in mat.markers if marker.id in found}
    blur, paper = _edges(gray, ours)
    lamps = _lamps(gray, mat, known) if known is not None else []
    quality = Quality(
        size=size,
        markers=tuple(_marker(mat, known, number, number in ours, tracks, gray) for number in _ids(mat)),
        foreign=tuple(sorted(found.keys() - {marker.id for marker in mat.markers})),
        codes=codes,
        module=_modules(mat, known, smallest_code(mat)) if known is not None else None,
        height=_height(known) if known is not None else None,
        tilt=known.tilt() if known is not None else None,
        blur=blur,
        paper=paper,
        lamps=tuple(dict.fromkeys(place(size, *spot) for spot in lamps)),
        verdict="",
        advice=(),
    )
    return advised(quality, tuple(_advice(quality, mat, known)), known)


def assess_loose(gray: Gray, sides: dict[int, float], found: dict[int, Points], mat: Mat) -> Quality:
    """Return the quality of a picture with markers of known `sides` (mm) that lie anywhere, for a mat of that size."""
    size = (gray.shape[1], gray.shape[0])
    scales = [
        float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).mean()) / sides[number]
        for number, corners in found.items()
    ]
    blur, paper = _edges(gray, found)
    scale = float(np.median(scales)) if scales else None
    module = None if scale is None else scale * smallest_code(mat) / SIDE
    markers = tuple(
        MarkerSeen(number, SEEN_NOW if number in found else UNSEEN, "")
        for number in sorted(sides.keys() | found.keys())
    )
    both = None if module is None else (module, module)
    quality = Quality(size, markers, (), (), both, None, None, blur, paper, (), "", ())
    advice: list[Advice] = list(_light_advice(quality))
    if scale is None:
        words = t(
            "No marker is seen. Lay the mat, or the sheet with markers, under the camera, and make it light there."
        )
        advice.append((words, 1.0))
    else:
        span = max(mat.w * scale / max(size), mat.h * scale / min(size))
        if span > 1:
            advice.append(_raise(quality, span))
        advice += _size_advice(quality, span)
    return advised(quality, tuple(advice), scale)


def advised(quality: Quality, advice: tuple[Advice, ...], known: object) -> Quality:
    """Return a quality with its advice and verdict; `known`: whether it is known how large things are (None: no)."""
    words = tuple(one for one, _ in advice)
    gives = quality.module[0] * advice[0][1] if advice and quality.module and advice[0][1] != 1 else None
    return msgspec.structs.replace(quality, advice=words, gives=gives, verdict=_verdict(quality, known, words))


Advice = tuple[str, float]
"""What to do, and how many times as many pixels a module has after it."""


def place(size: tuple[int, int], x: float, y: float) -> str:
    """Return in words where in a picture of `size` a pixel is: "in the upper left corner"."""
    column, row = (min(2, max(0, int(3 * at / side))) for at, side in ((x, size[0]), (y, size[1])))
    across, down = ("left", "", "right")[column], ("upper", "", "lower")[row]
    if across and down:
        return t("in the {down} {across} corner", down=down, across=across)
    if not across and not down:
        return t("in the middle")
    return t("at the {down} edge", down=down or across)


def _ids(mat: Mat) -> list[int]:
    return [marker.id for marker in mat.markers]


def _marker(
    mat: Mat, known: Calibration | None, number: int, seen: bool, tracks: Iterable[Track], gray: Gray
) -> MarkerSeen:
    marker = next(marker for marker in mat.markers if marker.id == number)
    if known is None:
        return MarkerSeen(number, SEEN_NOW if seen else UNSEEN, "")
    high, wide = gray.shape
    corners = known.to_px(corners_mm(marker))
    x, y = corners.mean(axis=0)
    where = place((wide, high), float(x), float(y))
    if seen:
        return MarkerSeen(number, SEEN_NOW, where)
    if corners.min() < 0 or corners[:, 0].max() > wide - 1 or corners[:, 1].max() > high - 1:
        return MarkerSeen(number, OUTSIDE, where)
    if any(track.state == SEEN and track.holds(marker.x, marker.y, marker.size / 2) for track in tracks):
        return MarkerSeen(number, HIDDEN_NOW, where)
    burnt, contrast = _look(gray, corners)
    if burnt > 0.05:
        return MarkerSeen(number, SHONE_ON, where)
    # A marker has black and white: what has neither is something else that lies over it.
    return MarkerSeen(number, HIDDEN_NOW if contrast < FLAT or known.markers else UNSEEN, where)


def _edges(gray: Gray, seen: dict[int, Points]) -> tuple[float | None, float | None]:
    """Return the blur (px, standard deviation) of the outer edges of markers (corners in px), and the paper's level."""
    blurs, papers = [], []
    for corners in seen.values():
        cell = float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).mean()) / 7
        if cell < 1.5:
            continue
        levels = _across(gray, corners, min(0.9 * cell, 7.0))
        for line, reach in levels:
            inside, outside = float(line[:4].mean()), float(line[-4:].mean())
            if outside - inside < FLAT:
                continue
            papers.append(outside)
            # An edge that is smeared by a bell of this width has this greatest slope; a pixel's own width is taken off.
            steepest = float(np.diff(line).max()) * (len(line) - 1) / (2 * reach)
            bell = (outside - inside) / (math.sqrt(2 * math.pi) * max(steepest, 1e-6))
            # What lies beyond black and white takes from both where much is smeared: found by smearing drawn markers.
            bell *= 1 + 7 * (bell / cell) ** 2
            blurs.append(math.sqrt(max(0.0, bell**2 - 1 / 12)))
    if not blurs:
        return None, None
    return float(np.median(blurs)), float(np.median(papers))


def _across(gray: Gray, corners: Points, reach: float) -> Iterable[tuple[Points, float]]:
    """Yield the gray levels across each side of a marker, from inside to outside, over `reach` px to both sides."""
    steps = np.linspace(-reach, reach, 33)
    middle = corners.mean(axis=0)
    for number in range(4):
        a, b = corners[number], corners[(number + 1) % 4]
        along = b - a
        out = np.array([along[1], -along[0]]) / np.linalg.norm(along)
        if np.dot((a + b) / 2 - middle, out) < 0:
            out = -out
        starts = a + np.linspace(0.25, 0.75, 9)[:, None] * along
        points = starts[:, None, :] + steps[None, :, None] * out
        x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
        yield np.asarray(cv2.remap(gray, x, y, cv2.INTER_LINEAR)).mean(axis=0), reach


def _codes(eye: Eye, known: Calibration, gray: Gray, seen: dict[int, Points]) -> Iterable[CodeSeen]:
    """Return the state of every code that should show on the known pieces. A card known by its face needs none."""
    blurs = _blur_near(gray, eye.mat, seen)
    tracks = [track for track in eye.tracks if track.state != HIDDEN]
    for track in (track for track in tracks if not _is_by_face(track)):
        sides = {track.shape.codes[index].on for index in track.spots}
        others = [other for other in tracks if other is not track and other.state == SEEN]
        for index, code in enumerate(track.shape.codes):
            if code.on not in sides:
                continue
            x, y = (float(at) for at in track.quad(index).mean(axis=0))
            spot = track.spots.get(index)
            read = spot is not None and spot.status in (READ, SAME)
            if not read and _under(track.quad(index), others):
                continue  # under another card, as cards lie
            low, high = known.module_px(x, y, code.size)
            why = tuple(_why(gray, known.to_px(track.quad(index)), (low, high), blurs(x, y), track, read))
            yield CodeSeen(track.piece, code.face, round(x, 1), round(y, 1), round(low, 2), read, why)


def _is_by_face(track: Track) -> bool:
    return any(spot.sighting.reader == FACES for spot in track.spots.values())


def _under(corners: Points, others: list[Track]) -> bool:
    points = [*corners.tolist(), corners.mean(axis=0).tolist()]
    return any(other.holds(x, y) for other in others for x, y in points)


def _why(
    gray: Gray, corners: Points, module: tuple[float, float], blur: float, track: Track, read: bool
) -> Iterable[str]:
    high, wide = gray.shape
    if corners.min() < 0 or corners[:, 0].max() > wide - 1 or corners[:, 1].max() > high - 1:
        yield OUTSIDE
        return
    burnt, contrast = _look(gray, corners)
    found = [
        word
        for word, so in (
            ("glare", burnt > 0.08),
            ("small", module[0] < LEAST),
            ("aslant", module[0] < SLANT * module[1]),
            ("blurred", blur > SOFT * module[0]),
            ("faint", contrast < FLAT),
        )
        if so
    ]
    yield from found
    if not read and not found:
        yield "covered" if track.state == COVERED else "unclear"


def _look(gray: Gray, corners: Points) -> tuple[float, float]:
    """Return the share of a square (px) that is burnt out, and its contrast (gray levels)."""
    pose = pose_of(corners)[0]
    v, u = np.meshgrid(np.arange(SIDE) + 0.5, np.arange(SIDE) + 0.5, indexing="ij")
    points = pose @ np.stack([u.ravel(), v.ravel(), np.ones(SIDE * SIDE)])
    at = [points[i].reshape(SIDE, SIDE).astype(np.float32) for i in (0, 1)]
    levels = np.asarray(cv2.remap(gray, at[0], at[1], cv2.INTER_LINEAR))
    dark, light = np.percentile(levels, (5, 95))
    return float((levels >= BURNT).mean()), float(light - dark)


class _blur_near:  # noqa: N801 (it is used as a function)
    """Blur (px) at a place of the mat (mm), from the nearest markers."""

    def __init__(self, gray: Gray, mat: Mat, seen: dict[int, Points]) -> None:
        self._at: list[tuple[float, float, float]] = []
        for marker in mat.markers:
            if marker.id in seen:
                blur, _ = _edges(gray, {marker.id: seen[marker.id]})
                if blur is not None:
                    self._at.append((marker.x, marker.y, blur))

    def __call__(self, x: float, y: float) -> float:
        near = sorted(self._at, key=lambda spot: math.hypot(spot[0] - x, spot[1] - y))[:3]
        return float(np.median([blur for _, _, blur in near])) if near else 0.0


def _modules(mat: Mat, known: Calibration, size: float) -> tuple[float, float]:
    every = [
        known.module_px(x, y, size)[0]
        for x in np.linspace(mat.frame, mat.w - mat.frame, 4)
        for y in np.linspace(mat.frame, mat.h - mat.frame, 3)
    ]
    return min(every), max(every)


def _height(known: Calibration) -> float | None:
    camera, off = known.camera_mm(), known.camera_error_mm()
    return None if camera is None or off is None or off[2] > 0.25 * camera[2] else camera[2]


def _outline(mat: Mat) -> Points:
    steps = np.linspace(0, 1, 9)
    edge = [(x, y) for x in steps for y in (0, 1)] + [(x, y) for x in (0, 1) for y in steps]
    return np.array(edge) * (mat.w, mat.h)


def _lamps(gray: Gray, mat: Mat, known: Calibration) -> list[tuple[float, float]]:
    """Return the middles (px) of burnt-out spots on the mat."""
    factor = max(1, gray.shape[1] // 800)
    small = gray[::factor, ::factor]
    burnt = np.asarray(small >= BURNT, dtype=np.uint8)
    if not burnt.any():
        return []
    corners = np.array([(0, 0), (mat.w, 0), (mat.w, mat.h), (0, mat.h)])
    inside = np.zeros_like(burnt)
    cv2.fillPoly(inside, [np.round(known.to_px(corners) / factor).astype(np.int32)], 1)
    per_mm2 = (known.px_per_mm(mat.w / 2, mat.h / 2) / factor) ** 2
    count, _, stats, middles = cv2.connectedComponentsWithStats(burnt & inside)
    large = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= LAMP_MM2 * per_mm2]
    return [(float(middles[n][0]) * factor, float(middles[n][1]) * factor) for n in large]


def _advice(quality: Quality, mat: Mat, known: Calibration | None) -> Iterable[Advice]:
    yield from _light_advice(quality)
    if known is None:
        return
    yield from _marker_advice(quality)
    yield from _frame_advice(quality, mat, known)
    yield from _lens_advice(quality)


def _light_advice(quality: Quality) -> Iterable[Advice]:
    if quality.paper is not None and quality.paper < DIM:
        yield t("There is little light: switch another lamp on, best one that shines on the ceiling."), 1.0
    crowd = len(quality.lamps) >= 4
    if crowd:
        yield t("The picture is burnt out in many places: less light, or a shorter exposure of the camera."), 1.0
    elif quality.lamps:
        yield t("A lamp is mirrored {and_}: move it, or turn it to the ceiling.", and_=_and(quality.lamps)), 1.0


def _lens_advice(quality: Quality) -> Iterable[Advice]:
    if (
        quality.blur is not None
        and quality.module is not None
        and quality.blur > SOFT * math.sqrt(math.prod(quality.module))
    ):
        yield t("The picture is blurred: focus the camera on the table, and wipe its lens."), 1.0
    uneven = quality.module is not None and quality.module[0] < NEED and quality.module[1] > UNEVEN * quality.module[0]
    if quality.tilt is not None and quality.tilt > STEEP and not uneven:
        yield (
            t(
                "The camera looks from the side ({tilt:.0f}°): hang it more over the middle of the table.",
                tilt=quality.tilt,
            ),
            1.0,
        )


def _marker_advice(quality: Quality) -> Iterable[Advice]:
    missing = [marker for marker in quality.markers if marker.state != SEEN_NOW]
    if 3 * len(missing) < len(quality.markers):
        return
    hidden = tuple(dict.fromkeys(marker.where for marker in missing if marker.state in (HIDDEN_NOW, UNSEEN)))
    if hidden:
        which = t("those {and_}", and_=_and(hidden)) if len(hidden) <= 3 else t("the mat's edge")
        yield (
            t(
                "{missing} of {markers} markers are not seen: free {which}.",
                missing=len(missing),
                markers=len(quality.markers),
                which=which,
            ),
            1.0,
        )


def _frame_advice(quality: Quality, mat: Mat, known: Calibration) -> Iterable[Advice]:
    """Yield advice for bringing the mat into the picture, as large as necessary."""
    assert quality.module is not None  # noqa: S101 (known with the geometry)
    edge = known.to_px(_outline(mat))
    size = np.array(quality.size, dtype=np.float64)
    low, high = edge.min(axis=0), edge.max(axis=0)
    span = float(((high - low) / size).max())
    beyond = bool((low < 0).any() or (high > size - 1).any())
    if beyond and span <= 0.98:
        sides = zip(("left", "top", "right", "bottom"), (*(low < 0), *(high > size - 1)), strict=True)
        beyond_at = [side for side, so in sides if so]
        words = t(
            "The mat reaches beyond the picture at the {and_}: turn or push the camera until it fits.",
            and_=_and(beyond_at),
        )
        yield words, 1.0
    elif beyond:
        yield _raise(quality, span)
    worst, best = quality.module
    if worst < NEED <= best and best > UNEVEN * worst:
        words = t(
            "The camera looks from the side ({tilt:.0f}°), so codes far from it are small: hang "
            "it more over the middle of the table.",
            tilt=known.tilt(),
        )
        yield words, 1.0
        return
    yield from _size_advice(quality, span)


def _raise(quality: Quality, span: float) -> Advice:
    """Return what to do about a mat that spans so many times the picture."""
    more = span / 0.95 - 1
    return t("The mat does not fit into the picture: {by}.", by=_by("raise", quality.height, more)), 1 / (1 + more)


def _size_advice(quality: Quality, span: float) -> Iterable[Advice]:
    """Yield advice about codes that are small in a picture of which the mat spans a share."""
    assert quality.module is not None  # noqa: S101 (known with the geometry)
    worst = quality.module[0]
    if worst >= NEED:
        return
    want, room = NEED / worst, 0.97 / max(span, 1e-6)
    wide = math.ceil(quality.size[0] * want / max(room, 1.0) / 10) * 10
    if room >= want:
        yield t("The codes are small in the picture: {by}.", by=_by("lower", quality.height, 1 - 1 / want)), want
    elif room > 1.08:
        words = t(
            "The codes are small in the picture: {by}, and let it give larger pictures, {wide} pixels wide at least.",
            by=_by("lower", quality.height, 1 - 1 / room),
            wide=wide,
        )
        yield words, room
    else:
        words = t(
            "The codes are small in the picture: let the camera give larger pictures, {wide} "
            "pixels wide at least (now {size}).",
            wide=math.ceil(quality.size[0] * want / 10) * 10,
            size=quality.size[0],
        )
        yield words, 1.0


def _by(what: str, height: float | None, share: float) -> str:
    if height is None:
        return t("{what} the camera by about {value} % of its height", what=what, value=max(5, 5 * round(20 * share)))
    cm = height * share / 10
    return t("{what} the camera {cm} cm", what=what, cm=max(1, round(cm)) if cm < 10 else 5 * round(cm / 5))


def _verdict(quality: Quality, known: object, advice: tuple[str, ...]) -> str:
    unread = sum(not code.read for code in quality.codes)
    # A piece has two codes or more, and one of them is enough.
    if known is None or 2 * unread > len(quality.codes):
        return "bad"
    return "fair" if advice or 4 * unread > len(quality.codes) else "good"


def _and(words: Iterable[str]) -> str:
    every = list(words)
    return every[0] if len(every) == 1 else join(", ", every[:-1]) + " and " + every[-1]
