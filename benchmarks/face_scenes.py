"""Tables to read faces on: printed mats with cards composed on them, seen from straight above, spoilt as cameras do.

Nothing here knows a reader. A picture has blur, noise, an uneven light, JPEG's blocks; a hard one besides glare, a veil
as sleeves have it, shadows; some a hand. Cards are laid out, and one thing that people do is done to each layout: lay,
move, take, tuck, cover. Decks are taught as owners do, a dozen cards at a time on the empty mat, in a plain light.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import cv2
import msgspec
import numpy as np

from benchmarks.face_decks import ART_PX_PER_MM, Faces
from benchmarks.table_lights import CASTS
from companion.codes import BACK
from companion.eye.faces.capturing import averaged, take
from companion.eye.faces.deck import Picture, TaughtDeck, TaughtFace
from companion.eye.faces.likeness import Pose, corners_of, moved
from companion.eye.faces.poses import filled
from companion.eye.mat import Mat
from companion.press.mats import mat_image

_MAT_SCALE = 3.0
_ROUNDED = 3.0
"""Millimetres of a card's rounded corners."""


class Card(msgspec.Struct, frozen=True):
    """A card as it lies: its piece, and its pose."""

    piece: str
    pose: Pose


class Light(msgspec.Struct, frozen=True):
    """How a picture is lit and taken.

    `gain` and the slants (right, down: shares over the half table) are the lamp's; `cast` is its colour; `glares` are
    spots (x, y, radius in mm, gray levels); `shade` a large soft shadow (x, y, radius mm, share lost; a lamp's pool
    where it is negative). Cards are curled by up to `curl` mm at their ends, each by its own share.
    """

    gain: float = 0.85
    right: float = 0.0
    down: float = 0.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    glares: tuple[tuple[float, float, float, float], ...] = ()
    shade: tuple[float, float, float, float] | None = None
    veils: float = 0.0
    blur: float = 0.8
    noise: float = 4.0
    jpeg: int = 90
    curl: float = 0.0


class World:
    """One mat and one deck to lay on it, pictured at so many pixels a millimetre."""

    def __init__(self, faces: Faces, mat: Mat, px_per_mm: float) -> None:
        self.faces, self.mat, self.px_per_mm = faces, mat, px_per_mm
        printed = _printed(mat)
        self.bare = np.asarray(cv2.cvtColor(printed, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
        """The mat as it is printed, in gray."""
        size = round(mat.w * px_per_mm), round(mat.h * px_per_mm)
        self._mat = np.asarray(cv2.resize(printed, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        fine = min(ART_PX_PER_MM, 1.3 * px_per_mm)
        w, h = round(faces.w * fine), round(faces.h * fine)
        self._art = {
            piece: cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
            for piece, picture in faces.pictures.items()
        }
        mask = np.zeros((h, w), np.uint8)
        r = round(_ROUNDED * fine)
        cv2.rectangle(mask, (r, 0), (w - r - 1, h - 1), 255, -1)
        cv2.rectangle(mask, (0, r), (w - 1, h - r - 1), 255, -1)
        for x in (r, w - r - 1):
            for y in (r, h - r - 1):
                cv2.circle(mask, (x, y), r, 255, -1)
        self._mask = mask
        self._noise: np.ndarray | None = None

    def _some_noise(self, rng: np.random.Generator) -> np.ndarray:
        """Return noise with a sigma of 1, cut out of one larger piece: drawing it takes as long as all the rest."""
        high, wide = self._mat.shape[:2]
        if self._noise is None:
            self._noise = np.random.default_rng(0).standard_normal((high + 97, wide + 89, 3), dtype=np.float32)
        y, x = int(rng.integers(97)), int(rng.integers(89))
        return self._noise[y : y + high, x : x + wide]

    def matrix(self, pose: Pose) -> np.ndarray:
        """Return the matrix from a face's pixels (as they are kept) to the picture's."""
        corners = corners_of(pose, self.faces.w, self.faces.h)[[0, 1, 3]] * self.px_per_mm - 0.5
        h, w = self._mask.shape
        own = np.array([[0, 0], [w, 0], [0, h]], dtype=np.float32) - 0.5
        return np.asarray(cv2.getAffineTransform(own.astype(np.float32), corners.astype(np.float32)))

    def picture(
        self,
        cards: Sequence[Card],
        light: Light,
        rng: np.random.Generator,
        *,
        hand: Pose | None = None,
        veiled: Mapping[Card, float] | None = None,
    ) -> Picture:
        """Return a flat picture of cards (bottom to top) in a light; `hand` is a forearm's end and direction."""
        canvas = self._mat.astype(np.float32) * 0.84 + 20
        for card in cards:
            # Each place has a curl of its own, the same in every frame.
            curl = light.curl * float(np.sin(card.pose[0] * 0.7 + card.pose[1] * 0.3))
            self._lay(canvas, card, (veiled or {}).get(card, 0.0), curl)
        if hand is not None:
            _paint_hand(canvas, hand, self.px_per_mm, rng)
        canvas = self._lit(canvas, light)
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), light.blur))
        canvas += self._some_noise(rng) * np.float32(light.noise)
        flat = np.clip(canvas, 0, 255).astype(np.uint8)
        packed = cv2.imencode(".jpg", flat[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, light.jpeg])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR_RGB), dtype=np.uint8)

    def _lay(self, canvas: np.ndarray, card: Card, veil: float, curl: float = 0.0) -> None:
        r = self.px_per_mm
        corners = corners_of(card.pose, self.faces.w, self.faces.h) * r
        x0, y0 = np.maximum(np.floor(corners.min(0)) - 6, 0).astype(int)
        x1, y1 = np.minimum(np.ceil(corners.max(0)) + 6, (canvas.shape[1], canvas.shape[0])).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        matrix = self.matrix(card.pose)
        matrix[:, 2] -= (x0, y0)
        size = int(x1 - x0), int(y1 - y0)
        flat = np.asarray(self._art[card.piece], dtype=np.uint8)
        print_ = _curled(flat, curl * self._mask.shape[1] / self.faces.w) if curl else flat
        art = cv2.warpAffine(print_, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = cv2.warpAffine(self._mask, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
        part = canvas[y0:y1, x0:x1]
        # A thin shadow at the edges away from the light.
        shadow = np.roll(cv2.GaussianBlur(mask, (0, 0), 0.8 * r), (round(0.5 * r), round(0.6 * r)), (0, 1))
        part *= 1 - 0.22 * (shadow[..., None] if shadow.ndim == 2 else shadow)
        shown = art.astype(np.float32) * (0.84 - veil / 300) + 20 + veil
        part += mask * (shown - part)

    def _lit(self, canvas: np.ndarray, light: Light) -> np.ndarray:
        high, wide = canvas.shape[:2]
        u, v = np.linspace(-1, 1, wide, dtype=np.float32)[None, :], np.linspace(-1, 1, high, dtype=np.float32)[:, None]
        level = light.gain * (1 + light.right * u + light.down * v)
        x, y = (u + 1) * self.mat.w / 2, (v + 1) * self.mat.h / 2
        if light.shade is not None:
            at_x, at_y, radius, lost = light.shade
            level = level * (1 - lost * np.exp(-((((x - at_x) ** 2 + (y - at_y) ** 2) / radius**2) ** 1.5)))
        canvas = canvas * level[..., None] * np.array(light.cast, dtype=np.float32)
        for at_x, at_y, radius, strength in light.glares:
            canvas += (strength * np.exp(-((((x - at_x) ** 2 + (y - at_y) ** 2) / radius**2) ** 2)))[..., None]
        return canvas


@cache
def _printed(mat: Mat) -> Picture:
    return np.asarray(mat_image(mat, _MAT_SCALE).convert("RGB"), dtype=np.uint8)


def _curled(art: Picture, most: float) -> Picture:
    """Return a print whose ends stand up: towards the camera they are wider by so many pixels, and lit otherwise."""
    high, wide = art.shape[:2]
    u, v = np.linspace(-1, 1, wide, dtype=np.float32), np.linspace(-1, 1, high, dtype=np.float32)[:, None]
    x = (u * (wide / 2 - most * v**2) + (wide - 1) / 2).astype(np.float32)
    y = np.broadcast_to((v * (high / 2 - most * v**2) + (high - 1) / 2).astype(np.float32), x.shape)
    bent = cv2.remap(art, x, np.ascontiguousarray(y), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.clip(bent * (1 + 0.03 * most * v[..., None]), 0, 255), dtype=np.uint8)


LIGHTS = ("usual", "hard", "harsh")
"""An evening's light; one with glare, sleeves, a shadow, an old camera's noise; too much of it, in a lamp's colour."""


def some_light(rng: np.random.Generator, mat: Mat, kind: str) -> Light:
    """Return a light of a kind (of `LIGHTS`) by chance."""
    cast = tuple(float(c) for c in (rng.uniform(0.95, 1.05), rng.uniform(0.95, 1.02), rng.uniform(0.8, 1.05)))
    if kind == "usual":
        right, down = (float(s) for s in rng.uniform(-0.15, 0.15, 2))
        return Light(float(rng.uniform(0.7, 1.0)), right, down, cast)  # type: ignore[arg-type]
    right, down = (float(s) for s in rng.uniform(-0.22, 0.22, 2))
    if kind == "harsh":
        share = float(rng.uniform(0.3, 1))
        cast = tuple(1 + share * (part - 1) for part in CASTS[int(rng.integers(len(CASTS)))])
        corner = tuple(float(part) for part in rng.choice([0, 1], 2) * (mat.w, mat.h))
        pool = (*corner, float(rng.uniform(150, 300)), -float(rng.uniform(0.3, 1.0)))
        return Light(float(rng.uniform(0.9, 1.7)), right, down, cast, (), pool, 30.0, curl=1.5)  # type: ignore[arg-type]
    glares = tuple(tuple(rng.uniform((0, 0, 8, 60), (mat.w, mat.h, 26, 220)).tolist()) for _ in range(10))
    shade = tuple(rng.uniform((0, 0, 120, 0.15), (mat.w, mat.h, 260, 0.4)).tolist())
    gain = float(rng.uniform(0.5, 1.0))
    return Light(gain, right, down, cast, glares, shade, 30.0, 1.05, 7.0, 82)  # type: ignore[arg-type]


def _paint_hand(canvas: np.ndarray, at: Pose, r: float, rng: np.random.Generator) -> None:
    """Paint a hand and its forearm: its middle (mm), and where the arm goes (degrees clockwise from the right)."""
    x, y, turn = at
    way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    side = np.array([-way[1], way[0]])
    skin = np.array([rng.uniform(150, 225), rng.uniform(105, 165), rng.uniform(85, 135)])
    sleeve = rng.uniform(25, 200, 3)
    wrist = np.array([x, y]) + 60 * way
    end = wrist + 600 * way

    def strip(a: np.ndarray, b: np.ndarray, thick: float, fill: np.ndarray) -> None:
        points = np.array([a + side * thick, b + side * thick, b - side * thick, a - side * thick]) * r
        cv2.fillPoly(canvas, [np.round(points * 8).astype(np.int32)], [float(c) for c in fill], cv2.LINE_AA, 3)

    strip(wrist + 45 * way, end, 40, sleeve)
    strip(np.array([x, y]), wrist + 60 * way, 27, skin)
    cv2.circle(
        canvas, tuple(int(v) for v in (np.array([x, y]) + 12 * way) * r), int(42 * r), [float(c) for c in skin], -1
    )
    for finger in range(4):
        root = np.array([x, y]) + side * (finger - 1.5) * 19
        tip = root - way * (46 + 9 * (finger in (1, 2)))
        fill = [float(c) for c in skin * rng.uniform(0.93, 1.02)]
        ends = [[int(v) for v in p * r] for p in (root, tip)]
        cv2.line(canvas, ends[0], ends[1], fill, int(17 * r), cv2.LINE_AA)


_DOZEN = 12
_ROUNDS = 3
"""How often a card is laid that was not taken the first time."""


def teach(world: World, pieces: Sequence[str], rng: np.random.Generator) -> TaughtDeck:
    """Return the deck as taught from two pictures of each card; what is never taken is missing in it."""
    faces = world.faces
    deck = TaughtDeck(faces.name, faces.name, faces.w, faces.h)
    empty = world.picture([], Light(), rng)
    todo = list(pieces)
    for _ in range(_ROUNDS):
        missed: list[str] = []
        for first in range(0, len(todo), _DOZEN):
            deck, left = _dozen(world, deck, todo[first : first + _DOZEN], empty, rng)
            missed += left
        todo = missed
    return deck


def _dozen(
    world: World, deck: TaughtDeck, some: Sequence[str], empty: Picture, rng: np.random.Generator
) -> tuple[TaughtDeck, list[str]]:
    """Return the deck with some more cards, and those that were not taken."""
    mat = world.mat
    wide, high = (mat.w - 2 * mat.frame - 40) / 6, (mat.h - 2 * mat.frame - 20) / 2
    cards = []
    for place, piece in enumerate(some):
        x = mat.frame + 20 + (place % 6 + 0.5) * wide + float(rng.normal(0, 6))
        y = mat.frame + 10 + (place // 6 + 0.5) * high + float(rng.normal(0, 10))
        cards.append(Card(piece, (x, y, float(rng.normal(0, 2)))))
    shots = [take(empty, world.picture(cards, Light(), rng), world.px_per_mm, mat, deck) for _ in range(2)]
    missed = []
    for card in cards:
        views = [
            taken.picture
            for shot in shots
            for taken in shot.cards
            if taken.usable and np.hypot(taken.pose[0] - card.pose[0], taken.pose[1] - card.pose[1]) < 3
        ]
        if views:
            side = "B" if card.piece == BACK else "F"
            deck = deck.with_face(TaughtFace(card.piece, (card.piece,), (averaged(views),), side))
        else:
            missed.append(card.piece)
    return deck, missed


KINDS = ("lay", "lay", "lay in a row", "lay on a pile", "move", "take", "tuck", "foreign")
"""What people do, as often as it stands here. "foreign": a card that was never taught is laid."""

_EDGE = 32.0
"""Millimetres at the mat's edge on which no card lies."""


class Event(msgspec.Struct, frozen=True):
    """One thing that was done: cards lie (bottom to top) as `before`, then as `after`; `laid` came, `taken` went.

    A hand does it at `place`; one rests on the mat after it, or none. Of the laid card's width `shows` mm show.
    """

    kind: str
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    laid: tuple[Card, ...]
    taken: tuple[Card, ...]
    place: Pose
    hand: Pose | None
    shows: float


def _inside(world: World, pose: Pose, w: float) -> bool:
    """Return whether a card, or a strip `w` mm wide of one, lies clear of the mat's edge."""
    corners = corners_of(pose, w, world.faces.h)
    return bool((corners > _EDGE).all() and (corners < np.array([world.mat.w, world.mat.h]) - _EDGE).all())


def layout(  # noqa: C901 (it says how people lay, kind by kind)
    rng: np.random.Generator, world: World, pieces: Sequence[str], count: int, strip: float = 25.0
) -> list[Card]:
    """Return cards on a table: loose ones any way up, rows side by side, a tucked row with strips, piles."""
    w, h = world.faces.w, world.faces.h
    left = [str(piece) for piece in rng.permutation(np.array(pieces))[:count]]
    cards: list[Card] = []
    taken = np.zeros((round(world.mat.h), round(world.mat.w)), np.uint8)

    def free(pose: Pose, grow: float = 4.0) -> bool:
        return _inside(world, pose, w) and not (filled(pose, (w + grow, h + grow), taken.shape) & taken).any()

    def free_strip(last: Pose, step: float) -> bool:
        strip = moved(last, w / 2 + step / 2 + 1, 0)
        return _inside(world, strip, step) and not (filled(strip, (step - 1, h), taken.shape) & taken).any()

    def put(pose: Pose) -> None:
        taken[filled(pose, (w, h), taken.shape) > 0] = 1
        cards.append(Card(left.pop(), pose))

    def somewhere(turned: bool) -> Pose | None:
        for _ in range(60):
            square = float(rng.choice([0, 0, 180, 90])) + float(rng.normal(0, 2))
            turn = float(rng.uniform(0, 360)) if turned else square
            pose = (float(rng.uniform(0, world.mat.w)), float(rng.uniform(0, world.mat.h)), turn)
            if free(pose):
                return pose
        return None

    while left:
        kind = rng.choice(["loose", "loose", "row", "tucked", "pile"])
        start = somewhere(kind == "loose")
        if start is None:
            break
        put(start)
        if kind in ("row", "tucked"):
            step = w + float(rng.uniform(0.3, 3)) if kind == "row" else strip
            for _ in range(int(rng.integers(2, 5))):
                last = cards[-1].pose
                off = [float(rng.normal(0, spread)) for spread in (0.6, 1.2, 0.8)]
                pose = moved(last, step + off[0], off[1], off[2])
                if not left or not (free(pose, -1.0) if kind == "row" else free_strip(last, step)):
                    break
                put(pose)
        elif kind == "pile":
            for _ in range(int(rng.integers(1, 4))):
                if left:
                    put(moved(start, float(rng.normal(0, 1.5)), float(rng.normal(0, 1.5)), float(rng.normal(0, 2))))
    return cards


def event(
    rng: np.random.Generator, world: World, cards: Sequence[Card], pieces: Sequence[str], foreign: Sequence[str]
) -> Event:
    """Return something that was done on a table; of the cards that are not there, `foreign` ones were never taught."""
    lie = {card.piece for card in cards}
    spare, unknown = ([piece for piece in some if piece not in lie] for some in (pieces, foreign))
    while True:
        kind = str(rng.choice(KINDS))
        done = _done(rng, world, list(cards), kind, spare, unknown)
        if done is None:
            continue
        after, laid, taken, shows = done
        x, y, _ = (laid or taken)[0].pose
        hand = None
        if rng.random() < 0.35:
            hand = (float(rng.uniform(150, world.mat.w - 150)), float(world.mat.h - 60), float(rng.normal(90, 12)))
            reach = [card for card in (*laid, *taken) if _near_arm(card.pose, hand, 45 + world.faces.w)]
            hand = None if reach else hand
        return Event(kind, tuple(cards), tuple(after), laid, taken, (x, y, float(rng.normal(90, 12))), hand, shows)


def _near_arm(pose: Pose, hand: Pose, reach: float) -> bool:
    way = np.array([np.cos(np.radians(hand[2])), np.sin(np.radians(hand[2]))])
    away = np.array(pose[:2]) - np.array(hand[:2])
    along = float(np.clip(away @ way, 0, 600))
    return bool(np.linalg.norm(away - along * way) < reach)


Done = tuple[list[Card], tuple[Card, ...], tuple[Card, ...], float]


def _done(  # noqa: C901 (one thing after the other that people do)
    rng: np.random.Generator, world: World, cards: list[Card], kind: str, spare: list[str], foreign: list[str]
) -> Done | None:
    """Return the cards after something was done, what was laid, what was taken, and how much of it shows (mm)."""
    w, h = world.faces.w, world.faces.h
    shape = round(world.mat.h), round(world.mat.w)
    taken = np.zeros(shape, np.uint8)
    for card in cards:
        taken[filled(card.pose, (w, h), shape) > 0] = 1

    def fits(pose: Pose, grow: float = 3.0) -> bool:
        return _inside(world, pose, w) and not (filled(pose, (w + grow, h + grow), shape) & taken).any()

    def free_place() -> Pose | None:
        for _ in range(80):
            square = float(rng.choice([0, 180, 90])) + float(rng.normal(0, 4))
            turn = square if rng.random() < 0.6 else rng.uniform(0, 360)
            pose = (float(rng.uniform(0, world.mat.w)), float(rng.uniform(0, world.mat.h)), float(turn))
            if fits(pose):
                return pose
        return None

    def covered(index: int) -> bool:
        mask = filled(cards[index].pose, (w - 3, h - 3), shape)
        return any((filled(other.pose, (w - 3, h - 3), shape) & mask).any() for other in cards[index + 1 :])

    open_ = [index for index in range(len(cards)) if not covered(index)]
    if kind in ("lay", "foreign"):
        names, place = (foreign if kind == "foreign" else spare), free_place()
        if not names or place is None:
            return None
        new = Card(str(rng.choice(names)), place)
        return [*cards, new], (new,), (), w
    if kind in ("lay in a row", "lay on a pile", "tuck"):
        if not spare or not open_:
            return None
        base = cards[int(rng.choice(open_))]
        piece = str(rng.choice(spare))
        small = [float(d) for d in rng.normal(0, 1.2, 2)]
        if kind == "lay on a pile":
            turn = float(rng.normal(0, 1.5)) + float(rng.choice([0, 180]))
            new = Card(piece, moved(base.pose, small[0], small[1], turn))
            return [*cards, new], (new,), (), w
        if kind == "lay in a row":
            new = Card(piece, moved(base.pose, w + float(rng.uniform(0.3, 3)), small[0], float(rng.normal(0, 1))))
            return ([*cards, new], (new,), (), w) if fits(new.pose, -2.0) else None
        shows = float(rng.uniform(20, 34))
        new = Card(piece, moved(base.pose, shows, small[0], float(rng.normal(0, 0.8))))
        beside = moved(base.pose, w / 2 + shows / 2, 0)
        strip = filled(beside, (shows + 4, h), shape)
        at = cards.index(base)
        strip[filled(base.pose, (w, h), shape) > 0] = 0
        if not _inside(world, new.pose, w) or (strip & taken).any():
            return None
        return [*cards[:at], new, *cards[at:]], (new,), (), shows
    if not open_:
        return None
    index = int(rng.choice(open_))
    gone = cards[index]
    rest = [card for number, card in enumerate(cards) if number != index]
    if kind == "take":
        return rest, (), (gone,), 0.0
    place = free_place()
    if place is None:
        return None
    new = Card(gone.piece, place)
    return [*rest, new], (new,), (gone,), w
