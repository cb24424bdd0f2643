"""A laid table of Five Cards Collector for the tests of the simulation: real faces and mat, known truth."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import cv2
import numpy as np

from companion.codes import BACK, Code
from companion.eye.mat import Mat, Shape
from companion.eye.places import Pose
from companion.games import load_deck, load_mat
from companion.games.custom_board import first_print
from companion.press.faces import face_image, shape_for
from companion.press.mats import mat_image
from companion.sim import hands
from companion.sim.camera import SimulatedCamera
from companion.sim.table import Sight, SimTable, spot_in

GAME = "five-cards-collector"
CARD_SCALE = 4.0
DECK = load_deck(GAME)
CARDS = DECK.by_piece()


@cache
def the_mat(seats: int) -> Mat:
    """With the cards' codes as large as in the first print: a library, which is no part of ours, reads them here."""
    return first_print(load_mat(GAME, seats))


@cache
def the_print() -> np.ndarray:
    return np.asarray(mat_image(the_mat(8), 3.0).convert("L"))  # one printed mat serves any number of players


@cache
def face(piece: str, side: str) -> np.ndarray:
    card = CARDS.get(piece)
    return np.asarray(face_image(card, DECK, shape_for(the_mat(4), card), side, CARD_SCALE))


def camera(table: SimTable, seats: int = 4, **options: Any) -> SimulatedCamera:
    return SimulatedCamera(table, the_mat(seats), face, the_print(), CARD_SCALE, **options)


def laid_table(seats: int = 4, seed: int = 1, deck: int = 12) -> SimTable:
    """Collection cards, fans of collected symbols, a discard pile, a used special and a deck, all laid by people."""
    table, mat, rng = SimTable(seed), the_mat(seats), random.Random(seed)
    goals = [card.piece for card in DECK.of_kind("goal")]
    symbols = [card.piece for card in DECK.of_kind("symbol")]
    specials = [card.piece for card in DECK.of_kind("special")]
    for pieces in (goals, symbols, specials):
        rng.shuffle(pieces)

    def lay(piece: str, zone: str, index: int = 0, side: str = "F") -> None:
        spot = spot_in(mat.zone(zone), index)
        x, y = spot.x + rng.uniform(-2, 2), spot.y + rng.uniform(-2, 2)
        table.put(piece, side, x, y, spot.rotation + rng.uniform(-2, 2))

    for seat in range(1, seats + 1):
        lay(goals.pop(), f"goal.{seat}")
        for index in range(rng.randint(2, 5)):
            lay(symbols.pop(), f"collection.{seat}", index)
    for _ in range(3):
        lay(symbols.pop(), "discard")
    lay(specials.pop(), "used")
    for _ in range(deck):
        lay(symbols.pop(), "deck", side="B")
    return table


def code_corners(sight: Sight, shape: Shape) -> list[tuple[str, int, np.ndarray]]:
    """Every code that faces up: payload, index of its piece in the sight, corners in mm."""
    codes = []
    for i, lying in enumerate(sight.laid):
        pose = Pose(lying.x, lying.y, lying.rotation)
        payload = str(Code(DECK.code, BACK if lying.face == "B" else lying.piece, lying.face))
        codes += [(payload, i, pose.code_quad(place, shape)) for place in shape.codes if place.face == lying.face]
    return codes


def visible_codes(sight: Sight, cam: SimulatedCamera, allowed: float = 0.0) -> list[tuple[str, np.ndarray]]:
    """Codes of which at most the share `allowed` is covered, with their corners in pixels.

    A module all round belongs to the code here: without any quiet zone none can be read.
    """
    shape = the_mat(4).shapes[0]
    found = []
    wide, high = cam.lens.size
    over = np.zeros((high, wide), np.uint8)
    for hand in sight.hands:
        for mask in hands.masks(hand, cam.lens, 0, 0, (high, wide)):
            over |= mask
    top = np.full((high, wide), -1, np.int16)
    for i, lying in enumerate(sight.laid):
        outline = np.round(cam.lens.to_px(Pose(lying.x, lying.y, lying.rotation).outline(shape))).astype(np.int32)
        cv2.fillConvexPoly(top, outline, i)
    for payload, i, corners in code_corners(sight, shape):
        px = cam.lens.to_px(corners)
        middle = px.mean(axis=0)
        quad = np.round(middle + (px - middle) * 23 / 21).astype(np.int32)
        (x0, y0), (x1, y1) = np.maximum(quad.min(axis=0), 0), quad.max(axis=0) + 1
        area = np.zeros(top[y0:y1, x0:x1].shape, np.uint8)
        cv2.fillConvexPoly(area, quad - (x0, y0), 1)
        inside = area > 0
        covered = ((top[y0:y1, x0:x1][inside] != i) | (over[y0:y1, x0:x1][inside] > 0)).mean()
        if covered <= allowed:
            found.append((payload, px))
    return found
