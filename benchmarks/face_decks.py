"""Decks to know by their faces: a game's own without codes, and drawn ones in which all cards share one frame.

A drawn deck is what collectors' and deck-building games look like: the same frame, a title, an illustration, a box of
text. It is drawn by a seed, in styles that only some seeds have; nobody drew any of it for a reader.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from companion.codes import BACK
from companion.eye.faces.deck import Picture, TaughtDeck, TaughtFace
from companion.games import loader
from companion.letters import font
from companion.press.faces import face_image, shape_for

ART_PX_PER_MM = 4.0
"""Pixels a millimetre of drawn faces."""

W, H = 59.0, 91.0
"""Millimetres of the drawn decks' cards."""

_SYLLABLES = (
    *("an", "ba", "cor", "dri", "el", "fa", "gor", "ha", "il", "jun", "ka", "lo", "mi", "nor"),
    *("ol", "pra", "qui", "ra", "sen", "tu", "ul", "ver", "wa", "xo", "yl", "zan", "the", "of"),
)
_FRAMES = ((96, 66, 44), (52, 74, 60), (58, 58, 84), (90, 84, 70))
_BARS = ((236, 224, 190), (214, 226, 236), (230, 230, 226), (238, 214, 206), (216, 232, 210))


class Faces:
    """Pictures of a deck's faces (RGB, ART_PX_PER_MM) by their piece, the back as the piece BACK, and its size (mm)."""

    def __init__(self, name: str, w: float, h: float, pictures: dict[str, Picture]) -> None:
        self.name, self.w, self.h, self.pictures = name, w, h, pictures

    def fronts(self) -> list[str]:
        """Return the pieces that have faces of their own, in order."""
        return [piece for piece in self.pictures if piece != BACK]

    def taught(self, pictures: dict[str, Picture] | None = None) -> TaughtDeck:
        """Return the deck as if it were taught from its print, or from pictures (any size) of its pieces."""
        deck = TaughtDeck(self.name, self.name, self.w, self.h)
        for piece, picture in (pictures or self.pictures).items():
            view = np.asarray(cv2.resize(picture, deck.size_px, interpolation=cv2.INTER_AREA), dtype=np.uint8)
            side = "B" if piece == BACK else "F"
            deck = deck.with_face(TaughtFace(piece, (piece,), (view,), side))
        return deck


def piece_number(number: int) -> str:
    """Return a number as a piece: three base-36 digits; 0 is the back."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return digits[number // 1296] + digits[number // 36 % 36] + digits[number % 36]


def own_faces(game: str) -> Faces:
    """Return the faces of a game's cards as they are printed without codes; equal pictures count once."""
    deck, mat = loader.load_deck(game), loader.load_mat("whist" if game == "standard" else game, 4)
    pictures: dict[str, Picture] = {}
    seen: dict[bytes, str] = {}
    size = (63.0, 88.0)
    for card in (None, *deck.cards):
        shape = shape_for(mat, card)
        if card is None:
            size = (shape.w, shape.h)
        if (shape.w, shape.h) != size:
            continue  # a token: it keeps its code
        image = face_image(card, deck, shape, "B" if card is None else "F", ART_PX_PER_MM, codes=False)
        picture = np.asarray(image.convert("RGB"), dtype=np.uint8)
        if seen.setdefault(picture.tobytes(), BACK if card is None else card.piece) in pictures:
            continue
        pictures[BACK if card is None else card.piece] = picture
    return Faces(game, *size, pictures)


def drawn_faces(count: int, seed: str) -> Faces:
    """Return a deck of illustrated cards with one frame, `count` of them, by a seed."""
    rng = _rng(seed)
    frame, bars = _FRAMES[int(rng.integers(len(_FRAMES)))], rng.permutation(len(_BARS))
    style = int(rng.integers(3))
    pictures = {BACK: _back(rng, frame)}
    for number in range(count):
        bar = _BARS[int(bars[int(rng.integers(len(_BARS)))])]
        pictures[piece_number(number + 1)] = _card(rng, frame, bar, style)
    return Faces(f"drawn-{seed}", W, H, pictures)


def _rng(seed: str) -> np.random.Generator:
    return np.random.default_rng(list(seed.encode()))


def _words(rng: np.random.Generator, most: int) -> str:
    return "".join(_SYLLABLES[int(i)] for i in rng.integers(len(_SYLLABLES), size=int(rng.integers(2, most))))


def _card(rng: np.random.Generator, frame: tuple[int, ...], bar: tuple[int, ...], style: int) -> Picture:
    f = ART_PX_PER_MM
    wide, high = round(W * f), round(H * f)
    image = Image.new("RGB", (wide, high), (28, 24, 22))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle([2.5 * f, 2.5 * f, wide - 2.5 * f, high - 2.5 * f], 2 * f, fill=frame)
    draw.rounded_rectangle([4 * f, 4 * f, wide - 4 * f, 11 * f], 1.5 * f, fill=bar, outline=(40, 34, 30))
    draw.text((6 * f, 4.6 * f), _words(rng, 6).capitalize(), fill=(20, 18, 16), font=font(4.6 * f))
    art = _illustration(rng, round((W - 9) * f), round(42 * f), style)
    image.paste(art, (round(4.5 * f), round(12.5 * f)))
    draw.rectangle([4 * f, 56 * f, wide - 4 * f, 61.5 * f], fill=bar, outline=(40, 34, 30))
    draw.text((6 * f, 56.4 * f), _words(rng, 5), fill=(20, 18, 16), font=font(3.6 * f))
    draw.rectangle([4.5 * f, 63 * f, wide - 4.5 * f, high - 8 * f], fill=tuple(min(255, c + 12) for c in bar))
    line = 64.0
    for _ in range(int(rng.integers(1, 5))):
        words, left = "", 6 * f
        while font(3.2 * f).getlength(words) < (W - 20) * f:
            words += _words(rng, 4) + " "
        draw.text(
            (left, line * f), words[: int(rng.integers(10, len(words) + 1))], fill=(30, 26, 24), font=font(3.2 * f)
        )
        line += 4.2
    draw.ellipse([wide - 12 * f, high - 12 * f, wide - 4 * f, high - 4 * f], fill=bar, outline=(30, 26, 24))
    draw.text((wide - 9.6 * f, high - 11 * f), str(int(rng.integers(10))), fill=(20, 18, 16), font=font(5.4 * f))
    return np.asarray(image, dtype=np.uint8)


def _colour(rng: np.random.Generator, base: float, spread: float = 0.16) -> tuple[int, int, int]:
    hue, full, light = (base + rng.normal(0, spread)) % 1, rng.uniform(0.15, 0.85), rng.uniform(0.2, 0.95)
    pixel = np.array([[[hue * 180, full * 255, light * 255]]]).astype(np.uint8)
    r, g, b = (int(c) for c in cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0])
    return r, g, b


def _illustration(rng: np.random.Generator, wide: int, high: int, style: int) -> Image.Image:
    """Draw a picture: a sky, a ground, some things; painted, flat or in lines."""
    base = float(rng.random())
    sky, low = np.array(_colour(rng, base)), np.array(_colour(rng, base))
    ramp = np.linspace(0, 1, high)[:, None, None]
    cloud = rng.normal(0, 1, (max(2, high // 24), max(2, wide // 24), 1)).astype(np.float32)
    clouds = np.asarray(cv2.resize(cloud, (wide, high), interpolation=cv2.INTER_CUBIC))[..., None]
    canvas = np.clip(sky * (1 - ramp) + low * ramp + clouds * (18 if style != 1 else 4), 0, 255)
    image = Image.fromarray(np.broadcast_to(canvas, (high, wide, 3)).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for layer in range(int(rng.integers(1, 4))):
        x = np.linspace(0, wide, 14)
        ground = high * (0.45 + 0.14 * layer) + np.cumsum(rng.normal(0, high * 0.05, 14))
        outline = [(float(a), float(b)) for a, b in zip(x, ground, strict=True)]
        draw.polygon([(0, high), *outline, (wide, high)], fill=_colour(rng, base + 0.3))
    for _ in range(int(rng.integers(2, 9))):
        _thing(draw, rng, wide, high, base, style)
    if style == 0:
        image = image.filter(ImageFilter.GaussianBlur(0.8))
    return image


def _thing(draw: ImageDraw.ImageDraw, rng: np.random.Generator, wide: int, high: int, base: float, style: int) -> None:
    x, y = rng.uniform(0.1, 0.9) * wide, rng.uniform(0.2, 0.9) * high
    size = rng.uniform(0.06, 0.3) * high
    fill = _colour(rng, base + rng.choice([0, 0.5]))
    line = (25, 22, 20) if style == 2 else None
    kind = int(rng.integers(5))
    if kind == 0:
        draw.ellipse([x - size, y - size, x + size, y + size], fill=fill, outline=line, width=3)
    elif kind == 1:
        turn = rng.uniform(0, 2 * math.pi)
        sides = int(rng.integers(3, 8))
        reach = size * rng.uniform(0.5, 1.2, sides)
        at = [
            (x + r * math.cos(turn + 2 * math.pi * i / sides), y + r * math.sin(turn + 2 * math.pi * i / sides))
            for i, r in enumerate(reach)
        ]
        draw.polygon(at, fill=fill, outline=line)
    elif kind == 2:  # a figure: body, head, arms
        draw.polygon([(x - size * 0.4, y + size), (x + size * 0.4, y + size), (x, y - size * 0.5)], fill=fill)
        head = size * 0.28
        draw.ellipse([x - head, y - size * 0.9, x + head, y - size * 0.9 + 2 * head], fill=_colour(rng, 0.07, 0.02))
        arm = rng.uniform(-0.6, 0.6) * size
        draw.line(
            [(x - size * 0.7, y + arm), (x, y), (x + size * 0.7, y - arm)], fill=fill, width=max(3, int(size / 7))
        )
    elif kind == 3:  # a house or a tower
        half = size * rng.uniform(0.2, 0.7)
        draw.rectangle([x - half, y - size, x + half, y + size], fill=fill, outline=line)
        draw.polygon(
            [(x - half * 1.2, y - size), (x + half * 1.2, y - size), (x, y - size * 1.6)], fill=_colour(rng, base)
        )
    else:  # a tree
        draw.rectangle([x - size * 0.08, y, x + size * 0.08, y + size], fill=(70, 52, 36))
        for _ in range(3):
            dx, dy, r = rng.normal(0, size * 0.25), rng.normal(-size * 0.2, size * 0.2), size * rng.uniform(0.25, 0.5)
            draw.ellipse([x + dx - r, y + dy - r, x + dx + r, y + dy + r], fill=fill, outline=line)


def _back(rng: np.random.Generator, frame: tuple[int, ...]) -> Picture:
    f = ART_PX_PER_MM
    wide, high = round(W * f), round(H * f)
    image = Image.new("RGB", (wide, high), (28, 24, 22))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle([3 * f, 3 * f, wide - 3 * f, high - 3 * f], 2 * f, fill=frame)
    tone = _colour(rng, float(rng.random()))
    for ring in range(9, 1, -1):
        r = ring * 3 * f
        fill = tone if ring % 2 else frame
        draw.ellipse([wide / 2 - r * 0.9, high / 2 - r * 1.4, wide / 2 + r * 0.9, high / 2 + r * 1.4], fill=fill)
    return np.asarray(image, dtype=np.uint8)
