"""Composes a picture of what its title says: a ground, a main figure, its company, hats, and lights in the sky."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.eye.mat import Rect
from companion.games.collectible.art.kit import INK, Head, Motif, halo, motif
from companion.games.collectible.art.scenes import DAY, DIM, DUSK, NIGHT, ROOM, Ground, Stage
from companion.games.collectible.art.titles import Phrase, phrases
from companion.press.drawing import Drawing, Item, Line, Shape, bounds, cut, moved
from companion.press.pictures import drawn

EDGE = 0.45
"""Width (mm) of the dark cut edge round a figure."""
_INDOORS = {"Food", "Book", "Machine", "Music"}
"""Themes that ask for a room if nothing else in the picture is out of doors."""
PLAIN_MAN = "plain-man"
"""Who wears a hat that nobody else could wear."""
_WET = {"rain", "waterfall", "lake", "river", "flood", "afloat"}
SKINS = ("#f0c8a0", "#d9a273", "#9b6540", "#6f4530")
_COATS = (
    ("#2f8a86", "#256f6c"),
    ("#7d2f63", "#5f224b"),
    ("#3f7a3f", "#2f6232"),
    ("#8a3f5c", "#6d2f48"),
    ("#2f5fa8", "#244c88"),
    ("#b5562a", "#8f4220"),
    ("#c08a24", "#97691a"),
)
"""Cloth and its shade, as people wear it who may change it."""


@dataclass(frozen=True)
class Place:
    """Where a figure stands in the picture, in mm of its width and height: middle, foot, and the room it may fill."""

    x: float
    foot: float
    w: float
    h: float


# The first is the main figure's. The upper left corner belongs to the code, so the left place is low.
_PLACES: dict[int, tuple[Place, ...]] = {
    1: (Place(34.5, 48.3, 34, 43),),
    2: (Place(37.2, 47.6, 31, 43), Place(11.8, 48.6, 21, 28)),
    3: (Place(30.4, 46.4, 29, 41.5), Place(10.6, 48.6, 18.6, 27.5), Place(45.2, 48.6, 15.8, 30)),
}


def paint(sheet: Drawing, edge: Rect, title: str, themes: list[str]) -> None:
    """Paint the picture into a rectangle."""
    said = phrases(title, themes)
    if not said:
        _canvas(sheet, edge)
        return
    seed = zlib.crc32(title.encode())
    scenes = {phrase.scene for phrase in said}
    stage = Stage(sheet, edge, _ground(said, scenes, seed))
    _set(stage, said, scenes, seed)
    figures = _seated(_dressed(said, seed))
    afloat = "afloat" in scenes
    sky = bool(scenes & {"moon", "full", "face", "dark", "stars", "falling", "comet"})
    lift = 5.4 if afloat else 8.4 if "flood" in scenes else 0.0
    placed = [
        _stand(figure, place, seat, edge, lift)
        for seat, ((_, figure), place) in enumerate(zip(figures, _places([f for _, f in figures], sky), strict=False))
    ]
    for (theme, _), figure in zip(figures, placed, strict=False):
        if "lit" in scenes and theme == "Night":
            left, top, right, _ = bounds(figure)
            stage.show("glow", (left + right) / 2 - edge.x, top + 0.36 * (right - left) - edge.y)
    items: list[Item] = []
    table = len(placed) == 2 and _slim(figures[0][1]) < 0.72
    for figure in placed[::-1] if table else placed:
        items += [*halo(figure, INK, EDGE), *figure]
    sheet.add(cut(items, edge.x, edge.y, edge.x + edge.w, edge.y + edge.h))
    if afloat:
        _launch(stage, len(figures))
    if "flood" in scenes:
        stage.show("flood")


def _places(figures: list[Motif], sky: bool) -> Sequence[Place]:
    many = len(figures)
    places = _PLACES[min(max(many, 1), 3)]
    if many == 2 and _slim(figures[0]) < 0.72:
        # a long table stands in front of who is named after it
        return Place(26.8, 48.8, 44, 22), Place(32, 46, 31, 41)
    if sky and many < 3:
        # room for what shines at the upper right
        if many < 2:
            return (Place(27.5, 48.3, 29, 34),)
        first = places[0]
        return (replace(first, x=first.x - 3.5, w=first.w - 3, h=first.h - 3), *places[1:])
    return places


def _ground(said: list[Phrase], scenes: set[str], seed: int) -> Ground:
    themes = {phrase.theme for phrase in said}
    if "dusk" in scenes:
        return DUSK
    if _indoors(said, scenes):
        return (DIM if themes & {"Night", "Star"} else ROOM)[seed % (2 if themes & {"Night", "Star"} else 5)]
    if themes & {"Night", "Star"}:
        return NIGHT[seed % 3]
    ground = DAY[seed % 5]
    if scenes & {"rain", "flood"}:
        ground = replace(ground, sky="#8fa3b8", far="#6f8498")
    return ground


def _indoors(said: list[Phrase], scenes: set[str]) -> bool:
    themes = {phrase.theme for phrase in said}
    if "library" in scenes or ("lit" in scenes and "garden" not in scenes):
        return True
    outside = scenes & (_WET | {"garden"}) or themes & {"Night", "Star", "Water"}
    return not outside and bool(themes & _INDOORS)


def _set(stage: Stage, said: list[Phrase], scenes: set[str], seed: int) -> None:
    themes = {phrase.theme for phrase in said}
    night, hills = bool(themes & {"Night", "Star"}), f"hills-{seed // 5 % 3 + 1}"
    if "library" in scenes:
        stage.library(seed % 17)
        if night:
            stage.show("window-night" if "Star" in themes else "window-moon")
    elif _indoors(said, scenes):
        stage.room(seed // 7)
        stage.show("window-moon" if night else "window-day")
    elif "dusk" in scenes:
        stage.show("dusk")
        stage.show("setting-sun", 0.0, -0.14 * stage.edge.h if "waterfall" in scenes else 0.0)
        stage.stars(11, 9, 0.2)
        stage.show(hills)
    else:
        if night:
            stage.stars(seed % 89, 14 if "Star" in themes else 26)
        elif not scenes & {"rain", "flood"}:
            stage.show("sun" if seed % 2 else f"clouds-{seed // 2 % 2 + 1}")
        if "rise" in scenes:
            stage.show("moon-rise")
        stage.show(hills)
    _water(stage, scenes, night or "dusk" in scenes)
    if "garden" in scenes and not scenes & _WET:
        stage.show("trellis")
    _shine(stage, scenes, themes)


def _water(stage: Stage, scenes: set[str], night: bool) -> None:
    water, foam = ("#2a5f94", "#6fa6d0") if night else ("#3a86b4", "#a9d8e6")
    if "waterfall" in scenes:
        stage.show("waterfall")
    elif scenes & {"lake", "afloat"}:
        stage.show("lake", water=water, foam=foam)
    elif scenes & {"river", "flood"}:
        stage.show("river", water=water, foam=foam)
    if "rain" in scenes:
        stage.show("rain", light=stage.ground.light if night else "#dfe7ee")
        stage.show("puddles")


def _shine(stage: Stage, scenes: set[str], themes: set[str]) -> None:
    if "dark" in scenes and "Star" not in themes:
        stage.show("eyes")
    outside = not scenes & {"library"} and ("lit" not in scenes or "garden" in scenes)
    if scenes & {"moon", "dark", "dusk", "lit"} and outside and "Star" not in themes:
        stage.show("moon-crescent", light="#8a4a80" if stage.ground is DUSK else stage.ground.light)
    elif scenes & {"full", "face"}:
        stage.show("moon-face" if "face" in scenes else "moon-full")
    for scene, name in (("stars", "great-stars"), ("falling", "falling-star"), ("comet", "comet")):
        if scene in scenes:
            stage.show(name)


def _dressed(said: list[Phrase], seed: int) -> list[tuple[str, Motif]]:
    hat = next((phrase for phrase in said if phrase.hat), None)
    standing = [phrase for phrase in said if phrase.figure]
    wearer = _wearer(hat, standing) if hat else None
    if hat and wearer is None:
        wearer = replace(hat, figure=PLAIN_MAN)
        standing.append(wearer)
    figures = []
    for phrase in standing[:3]:
        figure = _varied(motif(f"motifs/{phrase.figure}"), seed)
        if hat and hat.hat and phrase is wearer:
            figure = crowned(figure, hat.hat)
        figures.append((phrase.theme, figure))
    return figures


def _slim(figure: Motif) -> float:
    left, top, right, bottom = bounds(figure.items)
    return (bottom - top) / (right - left)


def _seated(figures: list[tuple[str, Motif]]) -> list[tuple[str, Motif]]:
    return [*figures[:1], *sorted(figures[1:], key=lambda pair: _slim(pair[1]))]


def _wearer(hat: Phrase, standing: list[Phrase]) -> Phrase | None:
    if hat.figure:
        return hat
    before = [phrase for phrase in standing if phrase.at < hat.at]
    living = [phrase for phrase in before if phrase.alive]
    after = [phrase for phrase in standing if phrase.at > hat.at]
    return (living or before or after[::-1] or [None])[-1]  # type: ignore[list-item]


def crowned(figure: Motif, hat: str) -> Motif:
    """Put a hat on a figure's head, never too small to be seen."""
    head = figure.head
    left, top, right, bottom = bounds(figure.items)
    scale = max(head.w / 10, 0.021 * max(right - left, bottom - top))
    items = moved(motif(f"hats/{hat}").items, head.x, head.y, scale=scale, rotation=head.tilt)
    edge = halo(items, INK, 0.02 * (bottom - top))
    return Motif((*figure.items, *edge, *items), (Head(head.x, head.y - 8 * scale, head.w),))


def _stand(figure: Motif, place: Place, seat: int, edge: Rect, lift: float) -> list[Item]:
    if seat != 1:
        figure = figure.mirrored()
    left, top, right, bottom = bounds(figure.items)
    scale = min(place.w / (right - left), place.h / (bottom - top))
    foot = edge.y + place.foot - lift
    if lift:
        scale *= 0.9
    x = edge.x + place.x - scale * (left + right) / 2
    return moved(figure.items, x, foot - scale * bottom, scale=scale)


def _launch(stage: Stage, many: int) -> None:
    e, part = stage.edge, 0.5 if many > 1 else 0.6
    boat = drawn("collectible", "scenes/boat" if many > 1 else "scenes/small-boat")
    hull = moved(boat, e.x + part * e.w, e.y + 0.97 * e.h)
    stage.put(*halo(hull, INK, EDGE), *hull)
    stage.show("shore")


def _canvas(sheet: Drawing, edge: Rect) -> None:
    stage = Stage(sheet, edge, Ground("#ece2cb", "#ddd0b2", "#ddd0b2", "#f6efdf", "#ddd0b2"))
    stage.show("weave")


def _varied(figure: Motif, seed: int) -> Motif:
    """Draw people with another coat, hair and skin in every picture, so that no two readers are alike."""
    swap: dict[str, str] = {}
    for tones, step in ((_COATS, seed % 7), (tuple((tone,) for tone in SKINS), seed // 7 % 4)):
        for i, kinds in enumerate(tones):
            swap |= dict(zip(kinds, tones[(i + step) % len(tones)], strict=True))
    if not any(isinstance(item, Shape) and item.fill in {coat for coat, _ in _COATS} for item in figure.items):
        return figure
    skins = [swap[item.fill] for item in figure.items if isinstance(item, Shape) and item.fill in SKINS]
    if skins and skins[0] in SKINS[2:]:
        swap |= dict.fromkeys(("#8a4a22", "#5a341d", "#3a2a22"), INK)
    items: list[Item] = []
    for item in figure.items:
        if isinstance(item, Shape):
            items.append(Shape(item.loops, swap.get(item.fill, item.fill)))
        elif isinstance(item, Line):
            items.append(Line(item.points, item.width, swap.get(item.colour, item.colour)))
    return Motif(tuple(items), figure.heads)
