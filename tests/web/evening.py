"""An evening as people have it: `companion start` in a process of its own, a phone over the table, phones of people.

The camera is Chromium's own fake one; its film is one picture, which is written anew when somebody has moved a card.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Locator, Page

from companion import games
from companion.eye.loose import DICTIONARY, Layout
from companion.eye.mat import Mat
from companion.games import bare_table
from companion.press.mats import mat_image
from companion.sim.camera import SimulatedCamera
from companion.sim.lens import Pose
from companion.sim.table import Hand, SimTable
from companion.table.factory import face_pictures
from tests.games.test_bare_table import layout
from tests.web.conftest import ARGS, CHROMIUM, PHONE

PATIENCE_MS = 60_000
"""How long a page may take: a busy machine is slow, not wrong."""
HAND_S = 0.6
"""Seconds for which a hand is in the picture: less than anybody takes."""
AWAY_S = 2.5
"""Seconds that pass before somebody who laid cards to be taught taps: the camera's film is behind by one."""
SIZE = 880.0, 560.0
"""Width and height (mm) of the kitchen table."""
GROUND = 3.0
"""Pixels a millimetre of its picture."""


class Film:
    """What the phone's camera sees: a file of one picture, which Chromium reads over and over."""

    def __init__(self, path: Path, camera: SimulatedCamera) -> None:
        self.path, self.camera = path, camera
        camera.show_colour = True
        high, wide = camera.shoot().gray.shape
        self._head = f"YUV4MPEG2 W{wide} H{high} F8:1 Ip A1:1 C420jpeg\nFRAME\n".encode()
        path.write_bytes(self._head + self._picture())

    def _picture(self) -> bytes:
        frame = self.camera.shoot()
        assert frame.colour is not None
        _, red, blue = cv2.split(cv2.cvtColor(frame.colour, cv2.COLOR_BGR2YCrCb))  # colour comes at half the size
        return frame.gray.tobytes() + blue.tobytes() + red.tobytes()

    def show(self) -> None:
        """Let the camera see the table as it is now."""
        with self.path.open("r+b") as file:
            file.seek(len(self._head))
            file.write(self._picture())


def table_with_markers(
    game: str = "hearts", *, codes: bool = True, size: tuple[int, int] = (1920, 1080)
) -> tuple[SimulatedCamera, Layout]:
    """Return a camera over a table on which six markers and nothing else lie, and where they lie."""
    there = layout(*SIZE)
    mat = Mat("", "", there.w, there.h, DICTIONARY, there.markers, (), (), 0, 80.0, loose=True)
    faces = face_pictures(games.load(game).deck, games.load_printed_mat(game, 4), codes=codes)
    ground = np.array(mat_image(mat, GROUND))
    camera = SimulatedCamera(SimTable(1), mat, faces, ground, 4.0, size=size, pose=Pose(tilt=8.0), fps=8.0)
    return camera, there


class Hands:
    """Everybody's hands: they lay cards where the companion looks for them, each card with a hand in the picture."""

    def __init__(self, film: Film, there: Layout, mat: Mat) -> None:
        """`mat` is the table as it was measured, `there` how it really is."""
        self._film, self._table, self._mat = film, film.camera.table, mat
        true = {one.id: (one.x, one.y) for one in there.markers}
        seen = np.array([(one.x, one.y) for one in mat.markers])
        self._to_true, _ = cv2.estimateAffinePartial2D(seen, np.array([true[one.id] for one in mat.markers]))

    def spot(self, zone: str) -> tuple[float, float]:
        """Return where on the real table (mm) the middle of a zone lies."""
        return tuple(self._to_true @ (*self._mat.zone(zone).rect.centre, 1.0))

    @contextmanager
    def reach(self, x: float, y: float) -> Iterator[None]:
        """Hold a hand over a place while something is done there."""
        self._table.rest_hand(0, Hand(x, y, SIZE[0] / 2, SIZE[1] + 250))
        self._film.show()
        time.sleep(HAND_S)
        yield
        self._film.show()
        time.sleep(HAND_S)
        self._table.rest_hand(0, None)
        self._film.show()

    def lay(self, piece: str, zone: str, face: str = "F") -> None:
        """Lay a card in a zone, wherever it is."""
        x, y = self.spot(zone)
        with self.reach(x, y):
            if self._table.where(piece) is not None:
                self._table.lift(piece)
            self._table.put(piece, face, x, y)

    def lay_out(self, faces: list[tuple[str, str]]) -> None:
        """Clear the table, and lay pieces with the face that shows from the top left in rows."""
        free = bare_table.room(Layout(self._mat.w, self._mat.h, self._mat.markers))
        columns = int(free.w // 95)
        self._table.clear()
        with self.reach(SIZE[0] / 2, SIZE[1] / 2):
            for n, (piece, face) in enumerate(faces):
                at = free.x + 50 + n % columns * 95, free.y + 60 + n // columns * 115, 1.0
                self._table.put(piece, face, *self._to_true @ at)
        time.sleep(AWAY_S)


class People:
    """Who taps, and how often: each page is somebody's."""

    def __init__(self, shots: Path | None = None) -> None:
        """With `shots` every page is kept as a picture before it is tapped."""
        self.taps: Counter[str] = Counter()
        self._shots = shots
        self._count = 0

    def look(self, page: Page, name: str) -> None:
        """Keep a picture of a page."""
        if self._shots is not None:
            self._count += 1
            page.screenshot(path=self._shots / f"{self._count:02d}-{name}.png", full_page=True)

    def tap(self, who: str, what: Locator) -> None:
        """Tap something once it is there."""
        what.wait_for(timeout=PATIENCE_MS)
        self.look(what.page, who)
        what.tap(timeout=PATIENCE_MS)
        self.taps[who] += 1

    def type(self, who: str, what: Locator, words: str) -> None:
        """Type a name, which counts as one tap."""
        what.fill(words)
        self.taps[who] += 1


@contextmanager
def started(folder: Path, port: int) -> Iterator[tuple[str, str]]:
    """Start a table of its own in a folder; yield the host's address and the PIN that the terminal shows."""
    shown = {"COMPANION_STATE": str(folder), "COMPANION_DATA": str(folder / "data"), "COMPANION_DEVICES": "simulated"}
    command = [sys.executable, "-m", "companion", "start", "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **shown})
        try:
            said = ""
            while (pin := re.search(r"PIN: (\d{6})", said)) is None:
                assert process.poll() is None, said
                time.sleep(0.1)
                said = (folder / "log").read_text(encoding="utf-8")
            address = re.search(r"http://\S+/host", said)
            assert address is not None, said
            yield address[0], pin[1]
        finally:
            process.terminate()
            process.wait(timeout=60)


@contextmanager
def filming(chromium: Browser, film: Film) -> Iterator[Page]:
    """Yield a phone's browser whose camera sees the film."""
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    args = [*ARGS, *fake, f"--use-file-for-fake-video-capture={film.path}"]
    browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=args)
    yield browser.new_context(ignore_https_errors=True, **PHONE).new_page()
    browser.close()
