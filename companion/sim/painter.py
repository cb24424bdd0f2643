"""Paints what the simulated camera sees: the mat once, pieces where they lie, light and shadow, hands on top."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.codes import BACK
from companion.eye.mat import Mat
from companion.sim import hands
from companion.sim.dice import Shine
from companion.sim.lens import PLAIN, Glass, Lens, Points, Pose
from companion.sim.optics import Lamp, Print, Sensor, falloff, shine
from companion.sim.table import Hand, Laid, Sight
from companion.sim.ten_sided import AnyDie, paint_die, shade_die

Images = Callable[[str, str], npt.NDArray[np.uint8]]
"""Returns a piece's face as an image (height, width) or (height, width, 3) RGB; a back is the piece BACK."""

Box = tuple[int, int, int, int]
"""Pixels x0, y0 (inside), x1, y1 (outside)."""

THICK = 0.3
"""Thickness (mm) of a card: a deck is a small tower, and its top is nearer to the camera."""

_FINE = 1.6
"""Resolution of stored images relative to the picture, so that a slanted one is not jagged."""

_FEW = 4
"""Pixels between two places at which it is worked out how small the mat's print is seen."""

_SIDES = (206, 168)
"""Gray levels of the edges of cards in a pile, in turn."""

_TABLE = (112, 82, 56)
"""The table's wood (red, green, blue)."""

_SHINE = Shine(way=235.0, far=0.3, dark=0.3)
"""The light on dice: from the same side as that on pieces."""

_BORDER = 70.0
"""Millimetres of table round the mat that are painted."""


class Light(msgspec.Struct, frozen=True):
    """How bright the picture is: `gain`, and its slopes from the middle to the right and to the lower edge."""

    gain: float = 1.0
    right: float = 0.10
    down: float = -0.06


class Item(msgspec.Struct, frozen=True):
    """A piece to be painted, `z` mm above the mat."""

    laid: Laid
    z: float


class Painter:
    """Paints gray or colour pictures of one size. Not for several threads at once."""

    def __init__(
        self,
        mat: Mat,
        images: Images,
        mat_image: npt.NDArray[np.uint8],
        card_scale: float,
        size: tuple[int, int],
        *,
        colour: bool = False,
        blur: float = 0.6,
        glass: Glass = PLAIN,
        seed: int = 0,
        pose: Pose = Pose(),  # noqa: B008 (a frozen value)
        printed: Print = Print(),  # noqa: B008
        lamp: Lamp = Lamp(),  # noqa: B008
        sensor: Sensor = Sensor(),  # noqa: B008
    ) -> None:
        """Prepare to paint a mat for pictures of a `size` (width, height), gray or, with `colour`, RGB.

        `images` gives pieces' faces at `card_scale` pixels a millimetre; `mat_image` is the printed mat, edge to edge,
        at any resolution. `blur` is the lens's sigma in pixels of a 2304-pixel wide picture; `seed` gives the table's
        grain and an uneven sensor.
        """
        self._mat, self._images, self._print, self._card_scale = mat, images, mat_image, card_scale
        self._size, self._colour, self._glass, self._seed = size, colour, glass, seed
        self._blur, self._printed, self._lamp, self._sensor = blur, printed, lamp, sensor
        self._canvas: npt.NDArray[np.uint8] | None = None
        self._faces: dict[tuple[str, str, int, int], npt.NDArray[np.uint8]] = {}
        self._sizes: dict[tuple[str, str], tuple[float, float]] = {}
        self._items: tuple[Item, ...] = ()
        self._dice: tuple[AnyDie, ...] = ()
        self._version = -1
        self._light = Light()
        self.aim(pose)

    def aim(self, pose: Pose) -> None:
        """Hang the camera; everything is painted anew."""
        self.lens = Lens(self._mat, self._size, pose, self._glass)
        self._ground = self._bare_table()
        self._flat = self._ground.copy()
        self._lit = self._flat.copy()
        self._pose = pose
        self._update_falloff()
        self._items, self._dice, self._version = (), (), -1
        self._outlines: dict[Item, Points] = {}
        self._shadows: dict[Item, tuple[Points, float]] = {}
        self._relight(self._whole())

    def switch(self, lamp: Lamp) -> None:
        """Light the table with another lamp; everything is lit anew."""
        if lamp != self._lamp:
            self._lamp = lamp
            self._update_falloff()
            self._relight(self._whole())

    def _update_falloff(self) -> None:
        where = self._mat, self._size, self._pose, self._glass, self._lamp
        self._falloff = falloff(*where, self._sensor, self._seed)
        self._shine = shine(*where)
        self._map, self._veil = self._light_map()

    def size_of(self, piece: str, face: str) -> tuple[float, float]:
        """Return a piece's width and height in mm, as its image has them."""
        key = (BACK if face == "B" else piece, face)
        if key not in self._sizes:
            high, wide = self._images(*key).shape[:2]
            self._sizes[key] = wide / self._card_scale, high / self._card_scale
        return self._sizes[key]

    def outline(self, laid: Laid, z: float = 0.0) -> Points:
        """Return a piece's corners in pixels: top left as printed, then clockwise; shape (4, 2)."""
        w, h = self.size_of(laid.piece, laid.face)
        return self.lens.to_px(corners(laid, w, h), z)

    def _outline_of(self, item: Item) -> Points:
        if item not in self._outlines:
            self._outlines[item] = self.outline(item.laid, item.z)
        return self._outlines[item]

    def _shadow_of(self, item: Item) -> tuple[Points, float]:
        """Return the outline of a piece's shadow and how soft its rim is (pixels)."""
        if item not in self._shadows:
            laid, away = item.laid, max(0.9, 0.3 * item.z)
            falls = corners(laid, *self.size_of(laid.piece, laid.face)) + np.array([away * 0.7, away])
            # A piece in the air, or high on a pile, throws its shadow on the mat; one on a card on that.
            on = item.z if laid.stamp and item.z <= 3 else 0.0
            soft = max(1.2, 0.45 * item.z) * self.lens.scale_at(laid.x, laid.y)
            self._shadows[item] = self.lens.to_px(falls, on), soft
        return self._shadows[item]

    def _whole(self) -> Box:
        return 0, 0, self._size[0], self._size[1]

    def paint(self, sight: Sight, light: Light, arms: Iterable[Hand] = ()) -> npt.NDArray[np.uint8]:
        """Paint the table as it is; `arms` are hands beside those of the table. The result belongs to the caller."""
        if sight.version != self._version:
            self._update(stacked(sight.laid), sight.dice)
            self._version = sight.version
        if light != self._light:
            self._light = light
            self._map, self._veil = self._light_map()
            self._relight(self._whole())
        picture = self._lit.copy()
        held = [Item(carried.laid, carried.z) for carried in sight.held]
        over = [*sight.hands, *arms]
        boxes = [self._box_of(item) for item in held]
        boxes += [_whole_numbers(hands.reach_box(hand, self.lens)) for hand in over]
        for box in _joined(self._clipped(box) for box in boxes):
            x0, y0, x1, y1 = box
            if x1 <= x0 or y1 <= y0:
                continue
            patch = self._flat[y0:y1, x0:x1].copy()
            for item in held:
                self._lay(patch, item, x0, y0)
            for hand in over:
                hands.paint(patch, hand, self.lens, x0, y0)
            picture[y0:y1, x0:x1] = self._in_light(self._softened(patch), box)
        return picture

    def _update(self, items: tuple[Item, ...], thrown: tuple[AnyDie, ...]) -> None:
        changed = set(items).symmetric_difference(self._items)
        rolled = set(thrown).symmetric_difference(self._dice)
        self._dice = thrown
        if len(self._outlines) > 4 * len(items) + 100:
            self._outlines = {item: outline for item, outline in self._outlines.items() if item in items}
            self._shadows = {item: shadow for item, shadow in self._shadows.items() if item in items}
        self._items = items
        boxes = [*map(self._box_of, changed), *map(self._box_of_die, rolled)]
        for box in _joined(self._clipped(box) for box in boxes):
            self._compose(box)

    def _compose(self, box: Box) -> None:
        x0, y0, x1, y1 = box
        if x1 <= x0 or y1 <= y0:
            return
        patch = self._ground[y0:y1, x0:x1].copy()
        here = [item for item in self._items if _meet(self._box_of(item), box)]
        for item, deep in _deep_ones(here):
            if deep:
                self._edge(patch, item, x0, y0)
            else:
                self._lay(patch, item, x0, y0)
        self._stand(patch, [die for die in self._dice if _meet(self._box_of_die(die), box)], x0, y0)
        self._flat[y0:y1, x0:x1] = patch
        # The lens's blur reaches a little further than what changed.
        grown = self._clipped((x0 - 4, y0 - 4, x1 + 4, y1 + 4))
        self._relight(grown)

    def _relight(self, box: Box) -> None:
        x0, y0, x1, y1 = box
        wide = self._clipped((x0 - 4, y0 - 4, x1 + 4, y1 + 4))
        soft = self._softened(self._flat[wide[1] : wide[3], wide[0] : wide[2]])
        cut = soft[y0 - wide[1] : y1 - wide[1], x0 - wide[0] : x1 - wide[0]]
        self._lit[y0:y1, x0:x1] = self._in_light(cut, box)

    def _lay(self, patch: npt.NDArray[np.uint8], item: Item, x0: int, y0: int) -> None:
        image = self._face(item)
        outline = self._outline_of(item) - (x0, y0)
        # In a pile every card is shaded for itself: each a little, so that all together are one soft shadow.
        strength = 0.34 / (1 + 0.4 * item.z) if item.laid.stamp else 0.34
        shadow, soft = self._shadow_of(item)
        self._shade(patch, shadow - (x0, y0), soft, strength)
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, (patch.shape[1], patch.shape[0]))
        if (high <= low).any():
            return
        rows, columns = slice(low[1], high[1]), slice(low[0], high[0])
        there = np.ascontiguousarray(patch[rows, columns])
        high_px, wide_px = image.shape[:2]
        source = np.array([[0, 0], [wide_px, 0], [wide_px, high_px], [0, high_px]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(source, (outline - low).astype(np.float32))
        painted = cv2.warpPerspective(
            image,
            matrix,
            (there.shape[1], there.shape[0]),
            dst=there,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        patch[rows, columns] = painted

    def _stand(self, patch: npt.NDArray[np.uint8], standing: list[AnyDie], x0: int, y0: int) -> None:
        """Paint dice and their shadows into a patch whose top left pixel is (x0, y0)."""

        def project(points: Points, z: float | Points) -> Points:
            px: Points = self.lens.to_px(points, z) - (x0, y0)
            return px

        foot = self.lens.to_px([(self._mat.w / 2, self._mat.h / 2)])[0] - (x0, y0)
        standing = sorted(standing, key=lambda die: -float(np.linalg.norm(project(die.outline(), 0.0)[0] - foot)))
        for layer in [patch[..., i] for i in range(3)] if patch.ndim == 3 else [patch]:
            for die in standing:
                shade_die(layer, die, project, _SHINE)
            for die in standing:
                paint_die(layer, die, project, _SHINE, self._seed)

    def _box_of_die(self, die: AnyDie) -> Box:
        px = np.concatenate([self.lens.to_px(die.outline(), 0.0), self.lens.to_px(die.outline(), die.side)])
        away = die.side * self.lens.scale_at(die.x, die.y) * 0.6 + 8
        low, high = px.min(axis=0) - away, px.max(axis=0) + away
        return _whole_numbers((float(low[0]), float(low[1]), float(high[0]), float(high[1])))

    def _edge(self, patch: npt.NDArray[np.uint8], item: Item, x0: int, y0: int) -> None:
        """Paint a piece deep in a pile: only its edge can show, at the pile's side."""
        outline = np.round((self._outline_of(item) - (x0, y0)) * 16).astype(np.int32)
        tone = float(_SIDES[item.laid.stamp % 2])
        cv2.fillConvexPoly(patch, outline, (tone, tone, tone), cv2.LINE_AA, 4)

    def _shade(self, patch: npt.NDArray[np.uint8], outline: Points, soft: float, strength: float) -> None:
        wide = int(soft) | 1
        start = np.floor(outline.min(axis=0) - wide).astype(int)
        end = np.ceil(outline.max(axis=0) + wide).astype(int)
        low, high = np.maximum(start, 0), np.minimum(end, (patch.shape[1], patch.shape[0]))
        if (high <= low).any():
            return
        # Blurred whole and cut afterwards, so that a shadow looks alike in whatever patch it is painted.
        mask = np.zeros((int(end[1] - start[1]), int(end[0] - start[0])), np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline - start).astype(np.int32), 255)
        mask = np.asarray(cv2.blur(mask, (wide, wide)), np.uint8)
        cut = mask[low[1] - start[1] : high[1] - start[1], low[0] - start[0] : high[0] - start[0]]
        rows, columns = slice(low[1], high[1]), slice(low[0], high[0])
        there = np.ascontiguousarray(patch[rows, columns])
        hands.darken(there, cut, strength)
        patch[rows, columns] = there

    def _softened(self, patch: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        sigma = self._blur * self._size[0] / 2304
        if sigma < 0.2:
            return patch
        return np.asarray(cv2.GaussianBlur(patch, (5, 5), sigma), np.uint8)

    def _in_light(self, patch: npt.NDArray[np.uint8], box: Box) -> npt.NDArray[np.uint8]:
        x0, y0, x1, y1 = box
        lit = cv2.multiply(patch, self._map[y0:y1, x0:x1], scale=1 / 128)
        return np.asarray(lit if self._veil is None else cv2.add(lit, self._veil[y0:y1, x0:x1]), np.uint8)

    def _light_map(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None]:
        """Return the light of every pixel (128: all of it), and the gray levels that a shine adds to it."""
        u = np.linspace(-1, 1, self._size[0], dtype=np.float32)[None, :]
        v = np.linspace(-1, 1, self._size[1], dtype=np.float32)[:, None]
        light = (1 + self._light.right * u) + self._light.down * v
        light *= self._falloff
        levels = self._layers(np.asarray(cv2.convertScaleAbs(light, alpha=128 * self._light.gain), np.uint8))
        if self._shine is None:
            return levels, None
        return levels, self._layers(np.asarray(cv2.convertScaleAbs(self._shine, alpha=self._light.gain), np.uint8))

    def _layers(self, levels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        return np.repeat(levels[:, :, None], 3, axis=2) if self._colour else levels

    def _face(self, item: Item) -> npt.NDArray[np.uint8]:
        laid = item.laid
        steps = np.linalg.norm(self.lens.scales(laid.x, laid.y, item.z, laid.rotation), axis=1) / self.lens.scale
        along, down = (round(4 * float(np.log2(max(step, 0.05)))) for step in steps)
        key = (BACK if laid.face == "B" else laid.piece, laid.face, along, down)
        if key not in self._faces:
            w, h = self.size_of(laid.piece, laid.face)
            fine = [min(self.lens.scale * _FINE * 2 ** (n / 4), self._card_scale) for n in (along, down)]
            size = (max(1, round(w * fine[0])), max(1, round(h * fine[1])))
            image = self._printed.shown(self._images(*key[:2]), self._colour)
            self._faces[key] = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        return self._faces[key]

    def _bare_table(self) -> npt.NDArray[np.uint8]:
        canvas, fine, edge = self._wood()
        # The wood stays where it is when the mat is pushed. Far away its grain is too fine to be seen.
        x, y = self.lens.table()
        wood_x, wood_y = (np.clip(part, -3e3, 6e3) * np.float32(fine) + np.float32(edge) for part in (x, y))
        seen = cv2.remap(canvas, wood_x, wood_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        bare = np.asarray(seen, np.uint8)
        x, y = self.lens.on_mat(x, y)
        for printed, part in self._prints(x, y):
            sx, sy = printed.shape[1] / self._mat.w, printed.shape[0] / self._mat.h
            seen = cv2.remap(printed, x * sx - 0.5, y * sy - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            cv2.copyTo(seen, part, bare)
        return bare

    def _wood(self) -> tuple[npt.NDArray[np.uint8], float, int]:
        # Not the lens's own scale: that changes when the mat is pushed, and the wood must not.
        fine = max(self._size) / self._mat.w * _FINE
        edge = round(_BORDER * fine)
        if self._canvas is None:
            wide, high = round(self._mat.w * fine), round(self._mat.h * fine)
            grain = np.random.default_rng(self._seed).normal(0, 1, (high // 2 + edge, 24)).astype(np.float32)
            grain = np.asarray(cv2.resize(grain, (wide + 2 * edge, high + 2 * edge), interpolation=cv2.INTER_CUBIC))
            layers = [np.clip(tone * 0.85 + 7 * grain, 0, 255).astype(np.uint8) for tone in self._tones(_TABLE)]
            self._canvas = np.asarray(cv2.merge(layers) if len(layers) > 1 else layers[0], np.uint8)
        return self._canvas, fine, edge

    def _prints(
        self, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]
    ) -> list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]]:
        inside = (x >= 0) & (y >= 0) & (x <= self._mat.w) & (y <= self._mat.h)
        # Millimetres a pixel, from the area that a pixel shows, by the scale in the middle.
        few = (slice(None, None, _FEW), slice(None, None, _FEW))
        (ay, ax), (by, bx) = np.gradient(x[few]), np.gradient(y[few])
        shrunk = np.sqrt(np.abs(ax * by - ay * bx)) * self.lens.scale / _FEW
        rounded = np.round(4 * np.log2(np.clip(shrunk, 0.25, 8.0)) / 3).astype(np.int16)
        size = inside.shape[1], inside.shape[0]
        level = np.where(inside, cv2.resize(rounded, size, interpolation=cv2.INTER_NEAREST), 99)
        shown = self._printed.shown(self._print, self._colour)
        prints = []
        for shrink in np.unique(level[inside]):
            fine = self.lens.scale * _FINE * 2 ** (-0.75 * float(shrink))
            size = (round(self._mat.w * fine), round(self._mat.h * fine))
            printed = np.asarray(cv2.resize(shown, size, interpolation=cv2.INTER_AREA), np.uint8)
            prints.append((printed, np.asarray(np.where(level == shrink, 255, 0), np.uint8)))
        return prints

    def _tones(self, colour: tuple[int, int, int]) -> tuple[float, ...]:
        return colour if self._colour else (0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2],)

    def _box_of(self, item: Item) -> Box:
        shadow, soft = self._shadow_of(item)
        both = np.concatenate([self._outline_of(item), shadow])
        low, high = both.min(axis=0) - 4 - soft, both.max(axis=0) + 4 + soft
        return _whole_numbers((float(low[0]), float(low[1]), float(high[0]), float(high[1])))

    def _clipped(self, box: Box) -> Box:
        return max(0, box[0]), max(0, box[1]), min(self._size[0], box[2]), min(self._size[1], box[3])


def corners(laid: Laid, w: float, h: float) -> Points:
    """Return the corners (mm) of a piece of size w × h as it lies: top left as printed, then clockwise."""
    turn = np.radians(laid.rotation)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half: Points = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    placed: Points = half @ matrix.T + np.array([laid.x, laid.y])
    return placed


def stacked(laid: tuple[Laid, ...]) -> tuple[Item, ...]:
    """Return each piece the height of the pile beneath it: those whose centres are less than 20 mm away."""
    if not laid:
        return ()
    at = np.array([(piece.x, piece.y) for piece in laid])
    near = np.linalg.norm(at[:, None] - at[None, :], axis=2) < 20.0
    below = np.tril(near, -1).sum(axis=1)
    return tuple(Item(piece, round(float(THICK * count), 2)) for piece, count in zip(laid, below, strict=True))


def _deep_ones(items: list[Item]) -> list[tuple[Item, bool]]:
    """Return which pieces are deep in a pile: six or more lie on them nearly alike, so that only an edge may show."""
    told: list[tuple[Item, bool]] = []
    for i, item in enumerate(items):
        a = item.laid
        above = sum(
            abs(b.laid.x - a.x) < 3 and abs(b.laid.y - a.y) < 3 and _apart(b.laid.rotation, a.rotation) < 4
            for b in items[i + 1 :]
        )
        told.append((item, above >= 6))
    return told


def _apart(a: float, b: float) -> float:
    away = abs(a - b) % 180
    return min(away, 180 - away)


def _whole_numbers(box: tuple[float, float, float, float]) -> Box:
    return int(np.floor(box[0])), int(np.floor(box[1])), int(np.ceil(box[2])), int(np.ceil(box[3]))


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """Put boxes that meet together, so that no pixel is painted twice."""
    apart: list[Box] = []
    for box in boxes:
        while (other := next((near for near in apart if _meet(near, box)), None)) is not None:
            apart.remove(other)
            box = (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
        apart.append(box)
    return apart
