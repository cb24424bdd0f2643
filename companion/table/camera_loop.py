"""The camera loop: a thread that takes a camera's frames, lets the eye see them and keeps pictures for people."""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol, TypeVar

import cv2
import numpy as np

from companion.devices.camera_base import HUNG, CameraControl, Stillness
from companion.devices.exposing import Exposing
from companion.devices.service import DeviceError, PermanentError
from companion.eye.dice.trays import TRAY
from companion.eye.eye import Eye
from companion.eye.geometry import Points
from companion.eye.last_view import LastView
from companion.eye.mat import Mat, Rect
from companion.eye.pictures import jpeg
from companion.eye.places import known_piles
from companion.eye.tracks import SEEN
from companion.eye.view import Frame, Gray, TableView, Trouble
from companion.referee.snapshot import Pointer
from companion.referee.steady import Steady
from companion.table.highlights import pointed
from companion.text import said, t

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

WANTED = 6.0
"""Seconds that pictures go on being drawn after somebody last asked for one."""
BETWEEN_PICTURES, IDLE = 0.4, 5.0
"""Seconds between two pictures for the table page, at least: while something moves, and while nothing does."""
SMALL = 480
"""Width (px) of the picture in a page's corner."""

ANEW = 1.0
"""Seconds until the next picture after one not understood, and until a camera is asked again after an odd failure."""
FAILED = t("The camera failed; it is tried again by itself. If that doesn't help, unplug it and plug it in again.")
"""What people are told of a fault whose own words are for programmers; the log has those."""


class Pictures(Protocol):
    """What the camera loop needs of a camera."""

    @property
    def live(self) -> bool:
        """Whether frames come in real time; what is painted or played again comes to an end."""

    @property
    def control(self) -> CameraControl | None:
        """Control of exposure and focus; None if there is none."""

    def frames(self) -> Iterator[Frame]:
        """Return frames; an OSError is a passing fault, a PermanentError one that people have to mend."""

    def close(self) -> None:
        """End the frames."""


class Hints(NamedTuple):
    """What the rules tell the eye: the numbers of cards on piles, and a function for the plausible pieces by zone."""

    piles: Mapping[str, int] = {}
    plausible: Callable[[], Mapping[str, Collection[str]]] = dict

    def give(self, eye: Eye) -> None:
        """Pass them to an eye."""
        # The top of a pile appears elsewhere than it lies, the more so the higher it is.
        eye.piles = known_piles(eye.mat, self.piles)
        if eye.faces is not None:
            eye.faces.plausible = self.plausible()


NOTHING_TOLD = Hints()


class CameraLoop:
    """Looks at one table: `see` gets every changed view, `tick` the time once a second without one.

    Camera and eye are made in the loop's own thread, so that the pages need not wait for them.
    """

    def __init__(
        self,
        mat: Mat,
        make_camera: Callable[[], Pictures],
        make_eye: Callable[[], Eye],
        see: Callable[[TableView], None],
        tick: Callable[[float], None],
        record: Callable[[Frame], None] | None = None,
        hints: Callable[[], Hints] = lambda: NOTHING_TOLD,
        pointers: Callable[[], Sequence[Pointer]] = tuple,
    ) -> None:
        """Prepare; `start` begins. `record` gets every frame before the eye does, and must not take long.

        `hints` gives what the rules tell (the same object while unchanged), `pointers` what to show in the picture.
        """
        self._mat = mat
        self._make_camera = make_camera
        self._make_eye = make_eye
        self._see = see
        self._tick = tick
        self._record = record
        self._hints = hints
        self._hinted: Hints | None = None
        self._pointers = pointers
        self._exposing: Exposing | None = None
        self._camera: Pictures | None = None
        self._eye: Eye | None = None
        self._last = LastView(mat)
        self._closed = threading.Event()
        self._frames = threading.Condition()
        self._asked_of_eye: deque[Callable[[Eye], None]] = deque()
        self._count = 0
        self._ended = False
        self._ticked = 0.0
        self._before: Frame | None = None
        self._after: Frame | None = None
        self._picture: Gray | None = None
        self._version = 0
        self._drawn = 0.0
        self._asked = 0.0
        self._trouble: Trouble | None = None
        self._stillness: Stillness | None = None
        words = t("Looking at the camera's pictures failed; it begins again by itself.")
        self.thread = Steady("eye", self._run, words=words, last=self._end)
        """A camera that is lost does not end it: of that people are told, and it is asked again."""

    def start(self) -> None:
        """Start looking."""
        self.thread.start()

    def close(self) -> None:
        """Stop looking; the camera is closed."""
        self._closed.set()
        if self._camera is not None:
            self._camera.close()
        with self._frames:
            self._frames.notify_all()
        self.thread.end()
        if not self.thread.is_alive():
            self._let_go()

    def _let_go(self) -> None:
        """Free eye and camera, 100 MB, at once: who still waits holds the loop, and the collector comes seldom."""
        if self._eye is not None or self._camera is not None:
            self._eye = self._camera = self._exposing = self._before = self._after = None
            self._last = LastView(self._mat)
            gc.collect()

    @property
    def camera(self) -> Pictures | None:
        """The camera that is looked through now."""
        return self._camera

    @property
    def resting(self) -> bool:
        """Whether the last view was of a table at rest."""
        return self._eye is not None and self._eye.view is not None and self._eye.view.settled

    def next_frame(self, timeout: float | None = None) -> bool:
        """Wait for a frame to be seen, so many seconds at most; False if there is none, or will be none any more."""
        with self._frames:
            count = self._count
            self._frames.wait_for(lambda: self._count > count or self._ended or self._closed.is_set(), timeout)
            return self._count > count and not self._closed.is_set()

    def picture(self, small: bool = False) -> bytes | None:
        """Return the last picture (JPEG) with what the eye sees drawn in, and have more drawn for a while."""
        self.want_pictures()
        picture = self._picture
        if picture is None:
            return None
        if small and picture.shape[1] > SMALL:
            size = SMALL, round(picture.shape[0] * SMALL / picture.shape[1])
            picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        return jpeg(picture, 72)

    def want_pictures(self) -> None:
        """Ask that pictures are drawn for a while."""
        self._asked = time.monotonic()

    @property
    def picture_version(self) -> int:
        """The number of the last picture; -1 before the first."""
        return -1 if self._picture is None else self._version

    def ask(self, what: Callable[[Eye], Answer], timeout: float = 5.0) -> Answer | None:
        """Ask something quick of the unchanged eye between two frames; None if no frame comes, or an eye never will."""
        return self._between_frames(what, timeout)

    def change(self, how: Callable[[Eye], Answer], timeout: float = 5.0) -> Answer | None:
        """Change the eye between two frames; return None if no frame comes. What takes long is prepared before."""
        return self._between_frames(how, timeout)

    def _between_frames(self, what: Callable[[Eye], Answer], timeout: float) -> Answer | None:
        answer: Future[Answer] = Future()

        def give(eye: Eye) -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(what(eye))
            except Exception as error:
                answer.set_exception(error)

        self._asked_of_eye.append(give)
        if not self.thread.is_alive():
            # A folder of photographs has ended, or nothing has begun: nobody else looks at the eye.
            with self._frames:
                self._answer()
        try:
            return answer.result(timeout)
        except TimeoutError:
            answer.cancel()
            return None

    def _answer(self) -> None:
        while self._asked_of_eye and self._eye is not None:
            self._asked_of_eye.popleft()(self._eye)

    def tell_trouble(self, trouble: Trouble | None) -> None:
        """Show that the camera is in trouble (None: no longer); all counts as covered until the next look."""
        if trouble == self._trouble:
            return
        self._trouble = trouble
        if trouble is not None:
            log.warning("%s", trouble.words)
        self._see(self._last.hidden(trouble))

    def before_and_after(self, zones: frozenset[str]) -> tuple[bytes | None, bytes | None]:
        """Cut zones out of the pictures (JPEG) before and after the last change; the next call begins from here."""
        before, after = self._before, self._after
        self._before = after
        rects = [zone.rect for zone in self._mat.zones if zone.name in zones]
        return self._crop(before, rects), self._crop(after, rects)

    def _run(self) -> None:
        camera: Pictures | None = None
        while not self._closed.is_set():
            try:
                if camera is None:
                    camera = self._take(self._make_camera())
                self._look_through(camera)
                if not camera.live:
                    break
            except PermanentError as error:
                self._lose(said(error))
                break
            except OSError as error:
                self._lose(t("The camera gives no pictures: {hung}", hung=error))
                self._closed.wait(0.1)
            except Exception as error:
                # Whatever a driver, or we ourselves, did wrong: a table must not go on unwatched without being told.
                log.exception("the camera failed")
                self._lose(said(error) if isinstance(error, DeviceError) else FAILED)
                self._closed.wait(ANEW)

    def _end(self) -> None:
        """There will be no more frames: the camera has ended, or a person has to mend it."""
        with self._frames:
            self._ended = True
            self._frames.notify_all()
        if self._closed.is_set():
            self._let_go()

    def _take(self, camera: Pictures) -> Pictures:
        self._camera = camera
        if self._closed.is_set():
            # Whoever closed us meanwhile had none yet to close.
            camera.close()
        # What is painted or played again has no noise of its own, and its time does not run by itself.
        self._stillness = Stillness() if camera.live else None
        self._exposing = None if camera.control is None else Exposing(camera.control)
        return camera

    def _look_through(self, camera: Pictures) -> None:
        for frame in camera.frames():
            if self._closed.is_set():
                return
            # Before there is anything to see nobody needs an eye, which takes a while to make.
            eye = self._eye = self._eye or self._make_eye()
            try:
                self._look(eye, frame)
            except Exception:
                self._begin_anew()

    def _lose(self, words: str) -> None:
        """Report that the camera is lost. If even that fails the camera is asked again all the same."""
        try:
            self.tell_trouble(Trouble("camera-lost", words))
        except Exception:
            log.exception("it could not be told that the camera is lost")

    def _begin_anew(self) -> None:
        """Forget what the eye knew: a picture broke it, and a match must not go on unwatched without being told."""
        log.exception("a picture could not be understood")
        self._eye = self._hinted = None
        self.tell_trouble(Trouble("camera-lost", t("A picture could not be understood: the camera looks anew.")))
        self._closed.wait(ANEW)

    def _look(self, eye: Eye, frame: Frame) -> None:
        hangs = self._stillness is not None and self._stillness.hangs(frame)
        if hangs:
            # What a hand does meanwhile nobody sees: that is told as a camera that is gone.
            self.tell_trouble(Trouble("camera-lost", t("The camera gives no pictures: {hung}", hung=HUNG)))
        if self._record is not None and frame.whole:
            self._record(frame)
        self._hint(eye)
        view = None if hangs else eye.see(frame)
        if self._trouble is not None and not hangs:
            # Only now: a picture that can't be understood is none.
            self.tell_trouble(None)
        if not hangs:
            view = self._last.see(eye, view)
        if self._exposing is not None:
            self._exposing.see(frame, self._corners(eye), lambda: on_mat(eye))
        if view is not None:
            if view.settled:
                self._after = frame
            self._see(view)
        elif frame.time - self._ticked >= 1.0:
            self._ticked = frame.time
            self._tick(frame.time)
        self._draw(eye, view is not None)
        self._answer()
        with self._frames:
            self._count += 1
            self._frames.notify_all()

    def _hint(self, eye: Eye) -> None:
        hints = self._hints()
        if hints is self._hinted:
            return
        self._hinted = hints
        hints.give(eye)

    def _corners(self, eye: Eye) -> Points | None:
        """Return the mat's corners in pixels; None while the eye doesn't know where it is."""
        mat, known = self._mat, eye.calibration
        return None if known is None else known.to_px(np.array([(0, 0), (mat.w, 0), (mat.w, mat.h), (0, mat.h)]))

    def _draw(self, eye: Eye, changed: bool) -> None:
        """Draw the table page's picture now and then, while somebody looks at it."""
        clock = time.monotonic()
        if clock - self._asked > WANTED and self._picture is not None:
            return
        moving = changed or eye.view is None or not eye.view.settled
        if clock - self._drawn < (BETWEEN_PICTURES if moving else IDLE):
            return
        picture = pointed(eye, self._pointers())
        if picture is not None:
            self._drawn = clock
            self._picture = picture
            self._version += 1

    def _crop(self, frame: Frame | None, rects: list[Rect]) -> bytes | None:
        calibration = self._eye.calibration if self._eye is not None else None
        if frame is None or calibration is None or not rects:
            return None
        corners = np.array([(r.x + dx * r.w, r.y + dy * r.h) for r in rects for dx in (0, 1) for dy in (0, 1)])
        pixels = calibration.to_px(corners)
        high, wide = frame.gray.shape
        x0, y0 = (max(0, int(edge) - 12) for edge in pixels.min(axis=0))
        x1, y1 = min(wide, int(pixels[:, 0].max()) + 12), min(high, int(pixels[:, 1].max()) + 12)
        if x1 <= x0 or y1 <= y0:
            return None
        cut = frame.gray[y0:y1, x0:x1]
        scale = min(1.0, 520 / (x1 - x0))
        return jpeg(cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), 75)


def on_mat(eye: Eye) -> Iterator[tuple[list[Points], float]]:
    """Yield outlines (px) of what must not burn out: trays, of which a die takes a hundredth; cards, mostly paper."""
    known = eye.calibration
    if known is not None:
        trays = [zone.rect for zone in eye.mat.zones if zone.kind == TRAY]
        corners = [[(r.x, r.y), (r.x + r.w, r.y), (r.x + r.w, r.y + r.h), (r.x, r.y + r.h)] for r in trays]
        yield [known.to_px(np.array(outline)) for outline in corners], 0.99
        yield [known.to_px(track.outline) for track in eye.tracks if track.state == SEEN], 0.9
