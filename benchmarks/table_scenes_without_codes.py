"""Scenes of tables whose cards have no codes, each by a seed of its own family.

They are laid as docs/decks.md tells owners, or as people lay them at home: fans, slanting rows, untidy piles, under
other lamps.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from msgspec.structs import replace

from benchmarks.table_layouts import Piece, resting_hand
from benchmarks.table_lights import DAY, MIDDLE, NEUTRAL, WARM, Lamp, Light, Surface, facing, lamp, room
from benchmarks.table_scenes import SIZES, Camera, Scene, draw_camera, drawn_game, laid_out, outline, project, shape_of
from companion import games
from companion.codes import BACK
from companion.eye.mat import Mat, ZonePlace
from companion.rules.kernel import AnyGame
from companion.sim.rows import STRIP
from companion.table.factory import face_pictures, printed_faces, with_stickers

SMALL = (1536, 864)
"""The smallest picture (px) that shows a mat with FEW pixels a millimetre: a Pi's camera takes it."""
FEW, ENOUGH, MANY = 1.5, 2.4, 2.7
"""Pixels a millimetre that illustrated cards need, that a standard deck needs, and that scenes have at most."""
LEAST = 0.75
"""Share of its pixels a millimetre that a picture has at least, anywhere on the mat."""


def without_codes(seed: int) -> Scene:
    """Return the scene of a seed. Games take turns, and prints and resolutions within a game; all else is random.

    Half of the scenes, all with a standard deck among them, have ENOUGH pixels a millimetre and more.
    """
    rng = random.Random(f"photograph without codes {seed}")
    game, turn, seats, mat = drawn_game(seed)
    standard = any("suit" in card.traits for card in game.deck.cards)
    fine = standard or turn % 8 in (1, 4, 6)
    coarse = rng.choice((rng.uniform(FEW, 1.7), rng.uniform(1.7, ENOUGH)))
    px_per_mm = rng.uniform(ENOUGH, MANY) if fine else coarse
    tilt = rng.choice((rng.uniform(0, 8), rng.uniform(8, 16), rng.uniform(14, 21)))
    # A standard deck wants a mat that is darker than its cards.
    version = "colours" if standard else ("colours", "outlines")[(seed + turn // 2) % 2]
    camera = functools.partial(_camera, rng, mat, px_per_mm, tilt)
    scene = laid_out(rng, seed, game, seats, mat, version, camera, (0, 0, 1, 2, 3), STRIP)
    return replace(scene, coded=False, stickers=_stickers(game.info.name))


def _camera(rng: random.Random, mat: Mat, px_per_mm: float, tilt: float, evening: bool) -> Camera:
    module = px_per_mm * mat.shapes[0].codes[0].size / 21
    camera = draw_camera(rng, mat, module, tilt, evening, LEAST * module, (SMALL, *SIZES))
    return replace(camera, quality=rng.choice((78, 80, 82)))


@functools.cache
def _stickers(name: str) -> tuple[str, ...]:
    """Return the pieces of a game that carry stickers, because nobody can tell them apart by their faces."""
    game = games.load(name)
    mat = games.load_printed_mat(name, game.info.seats[1])
    return tuple(sorted(with_stickers(printed_faces(game, mat), face_pictures(game.deck, mat))[1]))


# ------------------------------------------------------------------------------------------------------------- at home

TABLES = (
    Surface("cherry", (0.33, 0.13, 0.06), 0.12),
    Surface("ash", (0.55, 0.47, 0.36), 0.11),
    Surface("slate", (0.09, 0.1, 0.11), 0.08),
    Surface("blue cloth", (0.07, 0.11, 0.24), 0.07, cloth=True),
    Surface("red cloth", (0.3, 0.05, 0.05), 0.07, cloth=True),
    Surface("sand", (0.58, 0.5, 0.4), 0.02),
)
COLD = (0.9, 1.0, 1.16)
"""The colour of a white diode lamp beside warm ones."""
PIVOT_MM, TURN = 240.0, 7.5
"""A fan's cards turn about a point so far below their middles, each by so many degrees more than the one before."""
TIGHT = 0.62
"""Where cards are laid closely, the share of a row's step that is left of it."""
OVER_MM2, TOUCH_MM2, HIGH = 250.0, 0.5, 3
"""How much (mm²) of a card may lie over or under another that is not of its row; none to speak of if that is a pile
with more than HIGH cards under its top, against which it would lean.
"""


def at_home(seed: int) -> Scene:
    """Return the scene of a seed: game, print, camera and match of `without_codes`, otherwise laid and lit anew.

    Of four scenes of a game that follow each other two have hands over the table.
    """
    scene, rng = without_codes(seed), random.Random(f"photograph at home {seed}")
    turn = seed // len(games.packages())
    game, mat = games.load(scene.game), games.load_printed_mat(scene.game, scene.seats)
    pieces = list(scene.pieces)
    for zone in mat.zones:
        if zone.kind == "loose" and mat.shape_in(zone) is mat.shapes[0]:
            pieces = _laid_anew(game, mat, zone, pieces, rng)
    hands = rng.choice((1, 1, 2)) if turn % 4 in (0, 3) else 0
    return replace(
        scene,
        print=replace(scene.print, wear=round(rng.uniform(0.0, 1.0), 2)),
        table=rng.choice(TABLES),
        light=_light(seed + 2 * turn, scene.camera, rng),
        hands=tuple(resting_hand(mat, scene.seats, rng) for _ in range(hands)),
        pieces=tuple(_untidy(game, mat, pieces, rng)),
    )


# ----------------------------------------------------------------------------------------------------------- the light


def _pendant(rng: random.Random) -> Light:
    x, y = MIDDLE[0] + rng.uniform(-250, 250), MIDDLE[1] + rng.choice((-1.0, 1.0)) * rng.uniform(380, 620)
    hanging = facing(x, y, rng.uniform(1500, 1900), rng.uniform(180, 300), rng.uniform(1.2, 2.6), WARM)
    return Light("pendant", (hanging,), room(0.35, WARM))


def _standing(rng: random.Random) -> Light:
    side = rng.choice((-1.0, 1.0))
    shade = facing(
        MIDDLE[0] + side * rng.uniform(900, 1300),
        MIDDLE[1] + rng.uniform(-700, 700),
        rng.uniform(1300, 1600),
        rng.uniform(130, 200),
        rng.uniform(0.8, 1.8),
        WARM,
    )
    return Light("standing lamp", (shade,), room(0.3, WARM))


def _desk(rng: random.Random) -> Light:
    x = MIDDLE[0] + rng.choice((-1.0, 1.0)) * rng.uniform(620, 800)
    y = MIDDLE[1] + rng.uniform(-350, 350)
    arm = facing(x, y, rng.uniform(520, 700), rng.uniform(40, 70), rng.uniform(0.7, 1.4), COLD)
    return Light("desk lamp", (arm,), room(0.45, NEUTRAL))


def _spots(rng: random.Random) -> Light:
    y = MIDDLE[1] + rng.uniform(-600, 600)
    row = [
        facing(MIDDLE[0] + x, y, 2200, rng.uniform(35, 55), rng.uniform(0.3, 0.7), NEUTRAL)
        for x in (-900.0, -300.0, 300.0, 900.0)
    ]
    return Light("four spots", tuple(row), room(0.3, NEUTRAL))


def _mixed(rng: random.Random) -> Light:
    side = rng.choice((-1.0, 1.0))
    pane = facing(MIDDLE[0] + side * 1600, MIDDLE[1], rng.uniform(700, 1000), 500, rng.uniform(0.6, 1.4), COLD)
    return Light("window and lamp", (pane, lamp(rng, rng.uniform(0.5, 1.2), WARM, -side)), room(0.35, NEUTRAL))


def _conservatory(rng: random.Random) -> Light:
    panes = [
        facing(MIDDLE[0] + side * 1800, MIDDLE[1] + rng.uniform(-400, 400), 1100, 650, rng.uniform(0.4, 1.0), DAY)
        for side in (-1.0, 1.0)
    ]
    return Light("windows on both sides", tuple(panes), room(0.6, DAY))


LIGHTS: tuple[Callable[[random.Random], Light], ...] = (_pendant, _standing, _desk, _spots, _mixed, _conservatory)


def _light(turn: int, camera: Camera, rng: random.Random) -> Light:
    """Draw the light whose turn it is, until no lamp hangs before the camera."""
    while True:
        light = LIGHTS[turn % len(LIGHTS)](rng)
        if not any(_in_sight(camera, one) for one in light.lamps):
            return light


def _in_sight(camera: Camera, one: Lamp) -> bool:
    """Return whether a lamp hangs below the camera and near what it sees."""
    if one.z - one.half > camera.at[2]:
        return False
    below = max(60.0, camera.at[2] - one.z)
    px = project(camera, [(one.x, one.y, camera.at[2] - below)])[0]
    near = 1.5 * one.half * camera.focal / below
    return bool((px > -near).all() and (px < np.array(camera.size) + near).all())


# ---------------------------------------------------------------------------------------------------------- the pieces


def _laid_anew(game: AnyGame, mat: Mat, zone: ZonePlace, pieces: Sequence[Piece], rng: random.Random) -> list[Piece]:
    """Return the pieces with a zone's row laid in another way, if there is room for it."""
    ours = [n for n, piece in enumerate(pieces) if mat.zone_at(piece.x, piece.y) is zone]
    if len(ours) < 2:
        return list(pieces)
    row = [pieces[n] for n in ours]
    for way in rng.sample((_fan, _fan, _slant, _slant, _closely, _tucked), 6):
        laid = list(pieces)
        for n, piece in zip(ours, way(row, zone, rng), strict=True):
            laid[n] = replace(piece, x=round(piece.x, 1), y=round(piece.y, 1), rotation=round(piece.rotation % 360, 1))
        if _fits(game, mat, laid, ours):
            return laid
    return list(pieces)


def _fits(game: AnyGame, mat: Mat, pieces: Sequence[Piece], ours: Sequence[int], over: float = OVER_MM2) -> bool:
    """Return whether the pieces with these numbers lie on the mat, clear of its frame and of all others."""
    edges = [outline(shape_of(game, mat, piece), piece).astype(np.float32) for piece in pieces]
    low, high = np.array([mat.frame] * 2), np.array([mat.w, mat.h]) - mat.frame
    return all(
        (edges[n] >= low).all()
        and (edges[n] <= high).all()
        and all(
            cv2.intersectConvexConvex(edges[n], edges[other])[0] <= (over if piece.under <= HIGH else TOUCH_MM2)
            for other, piece in enumerate(pieces)
            if other not in ours
        )
        for n in ours
    )


def _along(zone: ZonePlace, x: float, y: float) -> tuple[float, float]:
    """Return an offset (mm) along a row and down from it as one on the mat."""
    turn = math.radians(zone.rotation)
    return x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)


def _fan(row: Sequence[Piece], zone: ZonePlace, rng: random.Random) -> list[Piece]:
    """Spread the cards about a point below them, each over the left one's edge."""
    pivot, step = PIVOT_MM * rng.uniform(0.9, 1.1), TURN * rng.uniform(0.85, 1.15)
    middle_x, middle_y = zone.rect.centre
    middle_x, middle_y = middle_x + rng.gauss(0, 6), middle_y + rng.gauss(0, 3)
    sag = pivot * (1 - math.cos(math.radians(step * (len(row) - 1) / 2))) / 2
    laid = []
    for n, piece in enumerate(row):
        turn = step * (n - (len(row) - 1) / 2) + rng.gauss(0, 0.8)
        lean = math.radians(turn)
        dx, dy = _along(zone, pivot * math.sin(lean), pivot * (1 - math.cos(lean)) - sag)
        x, y = middle_x + dx + rng.gauss(0, 0.7), middle_y + dy + rng.gauss(0, 0.7)
        laid.append(replace(piece, x=x, y=y, rotation=zone.rotation + turn))
    return laid


def _slant(row: Sequence[Piece], _zone: ZonePlace, rng: random.Random) -> list[Piece]:
    """Turn the row as a whole, and lay its cards with uneven steps."""
    turn, middle = rng.choice((-1, 1)) * rng.uniform(1.5, 5.0), np.mean([(one.x, one.y) for one in row], axis=0)
    lean = math.radians(turn)
    spin = np.array([[math.cos(lean), -math.sin(lean)], [math.sin(lean), math.cos(lean)]])
    laid = []
    for one in row:
        x, y = middle + spin @ (np.array([one.x, one.y]) - middle)
        laid.append(
            replace(
                one,
                x=float(x) + rng.gauss(0, 1.8),
                y=float(y) + rng.gauss(0, 1.2),
                rotation=one.rotation + turn + rng.gauss(0, 1.2),
            )
        )
    return laid


def _closely(row: Sequence[Piece], zone: ZonePlace, rng: random.Random) -> list[Piece]:
    """Push the row together towards its first card, as where people forget what the camera needs."""
    ahead, first = np.array(_along(zone, 1.0, 0.0)), row[0]
    laid = []
    for one in row:
        back = (TIGHT - 1) * (np.array([one.x - first.x, one.y - first.y]) @ ahead)
        x, y = np.array([one.x, one.y]) + back * ahead + _along(zone, rng.gauss(0, 1.5), rng.gauss(0, 2.5))
        laid.append(replace(one, x=float(x), y=float(y), rotation=one.rotation + rng.gauss(0, 1.5)))
    return laid


def _tucked(row: Sequence[Piece], _zone: ZonePlace, _rng: random.Random) -> list[Piece]:
    """Tuck each card under the one before: the first lies on top."""
    return list(reversed(row))


def _untidy(game: AnyGame, mat: Mat, pieces: Sequence[Piece], rng: random.Random) -> list[Piece]:
    """Let the top of some piles lie askew, so that the card beneath looks out; it leans against nothing."""
    cards, there = game.deck.by_piece(), {piece.piece for piece in pieces}
    spare = [card for card in game.deck.cards if card.piece not in there]
    rng.shuffle(spare)
    laid = list(pieces)
    for piece in [one for one in pieces if one.under]:
        away, way = rng.uniform(7, 16), rng.uniform(0, 2 * math.pi)
        top = replace(
            piece,
            x=round(piece.x + away * math.cos(way), 1),
            y=round(piece.y + away * math.sin(way), 1),
            rotation=round((piece.rotation + rng.gauss(0, 9)) % 360, 1),
            under=0,
        )
        below = BACK
        if piece.face != "B":
            below = next((card.piece for card in spare if card.kind == cards[piece.piece].kind), "")
        n = laid.index(piece)
        alone = [*laid[:n], *laid[n + 1 :], top]
        if not below or rng.random() < 0.3 or not _fits(game, mat, alone, [len(alone) - 1], TOUCH_MM2):
            continue
        spare = [card for card in spare if card.piece != below]
        laid[n : n + 1] = [replace(piece, piece=below, under=piece.under - 1), top]
    return laid
