"""Tried with random input: the eye: files as photographs, codes that nobody printed, pictures that no camera gives."""

from __future__ import annotations

import io
import random

import cv2
import msgspec
import numpy as np

from companion import games
from companion.codes import parse
from companion.eye.eye import Eye
from companion.eye.pictures import PictureError
from companion.eye.reader import NO_HINTS, Hints
from companion.eye.untrusted import decoded, shown
from companion.eye.view import Frame, Gray, Sighting
from companion.press.faces import face_image
from companion.sim.table import SimTable
from companion.table.factory import simulated_camera
from companion.text import plain
from tests.fuzz.values import spoiled, text
from tests.server.played import GAMES


class Pictures:
    """Files that are no pictures, or nearly: as a photograph of a hand is taken in."""

    def __init__(self) -> None:
        deck, mat = games.load_deck(GAMES[0]), games.load_mat(GAMES[0], 3)
        card = deck.cards[0]
        self._pieces = {card.piece}
        face = face_image(card, deck, mat.shape_of(card.kind), "F", 4.0)
        self._files = []
        for kind in ("JPEG", "PNG", "WEBP", "BMP", "GIF"):
            out = io.BytesIO()
            face.save(out, kind)
            self._files.append(out.getvalue())

    def once(self, rng: random.Random) -> None:
        """Read a file."""
        data = spoiled(rng, rng.choice(self._files)) if rng.random() < 0.95 else rng.randbytes(100)
        try:
            gray = decoded(data)
        except PictureError:
            return
        if gray.size < 2_000_000:
            assert shown(gray, "FC", self._pieces) <= self._pieces

    def close(self) -> None:
        """Nothing to end."""


class Codes:
    """What a QR code may say that somebody lays on the table, and pictures that no camera gives, into a real eye."""

    def __init__(self) -> None:
        game, mat = games.load(GAMES[0]), games.load_mat(GAMES[0], 3)
        book = games.code_book(game.deck, mat)
        self._codes = tuple(sorted(set().union(*book.payloads_by_size().values())))
        self._eye = Eye(mat, book, self)
        self._table = simulated_camera(game, mat, SimTable(1), size=(960, 540), seed=3).shoot().gray
        self._time = 0.0
        self._rng = random.Random(0)

    def read(self, gray: Gray, hints: Hints = NO_HINTS) -> list[Sighting]:
        """Say that codes are there which nobody printed."""
        rng = self._rng
        made = []
        for _ in range(rng.randrange(6)):
            high, wide = gray.shape[:2]
            x, y, side = rng.uniform(-50, wide + 50), rng.uniform(-50, high + 50), rng.choice((0.0, 1.0, 20.0, 500.0))
            corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
            made.append(Sighting(text(rng, self._codes), corners, "fuzz"))
        return made

    def once(self, rng: random.Random) -> None:
        """Show a few frames."""
        self._rng = rng
        payload = text(rng, self._codes)
        code = parse(payload)
        assert code is None or str(code) == payload
        for _ in range(rng.randrange(1, 6)):
            self._time += rng.choice((0.0, 0.1, 0.1, 5.0, -3.0))
            view = self._eye.see(Frame(self._picture(rng), self._time, 0))
            if view is not None:
                msgspec.json.encode(view, enc_hook=plain)

    def _picture(self, rng: random.Random) -> Gray:
        high, wide = rng.choice(((360, 640), (720, 405), (97, 133), (480, 640)))
        kind = rng.randrange(12)
        if kind == 0:
            return np.zeros((high, wide), np.uint8)
        if kind == 1:
            return np.full((high, wide), 255, np.uint8)
        if kind == 2:
            return np.random.default_rng(rng.randrange(2**32)).integers(0, 256, (high, wide)).astype(np.uint8)
        gray = self._table.copy()
        if kind < 9:
            x, y = rng.randrange(960), rng.randrange(540)
            cv2.rectangle(gray, (x, y), (x + rng.randrange(300), y + rng.randrange(300)), rng.randrange(256), -1)
        return gray

    def close(self) -> None:
        """Nothing to end."""
