"""A phone's browser as the camera: its small pictures come all the time, a whole one when the eye wants it."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.eye.decoding import Decoder, DecodingError
from companion.eye.pictures import cut_short, jpeg_size
from companion.eye.view import Frame, Gray
from companion.files import written_whole
from companion.text import said, t

log = logging.getLogger(__name__)

MOST_BYTES, MOST_PIXELS, MOST_A_SECOND = 6_000_000, 9_000_000, 12
"""What a phone may send at most: bytes and pixels of a picture, pictures a second."""
SMALL_PIXELS = 700_000
"""Pixels of a small picture at most: 640 wide, whatever its shape."""
COLOUR = 2000
"""Pixels across above which a picture is kept in colour at half its size: details are seen in gray."""
LAST_PAGES = 8
"""Pages of the phone that are remembered, so that one that was left takes nothing back."""


class PhoneError(Exception):
    """A phone that is refused: the status to answer with, and one sentence for whoever holds it."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class PhoneLink:
    """Which phone is the camera, and its newest pictures. Every method may be called from any thread."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with the phone that a `file` tells of, so that a table that starts again has its camera still."""
        self._file = file
        self._clock = clock
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._decoder = Decoder()
        self._hash = self.holder = ""
        """Who is the camera, for people; "" while no phone is."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(file.read_bytes()) if file is not None else {}
            self._hash, self.holder = str(kept["hash"]), str(kept["holder"])[:60]
        self.key = secrets.token_urlsafe(16)
        """What the next phone has to know to become the camera; each key opens once."""
        self.wanted = True
        """Whether the next picture should be whole."""
        self.changed: Callable[[], None] = lambda: None
        """Called when a phone has become the camera, or was let go."""
        self._pages: deque[str] = deque(maxlen=LAST_PAGES)
        self._number = -1
        self._times: deque[float] = deque(maxlen=MOST_A_SECOND)
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._last: Frame | None = None

    def join(self, key: str, holder: str) -> str:
        """Let a phone become the camera; return the secret by which it is known from now on.

        Raises:
            PhoneError: if the key opens nothing, or another phone is the camera.
        """
        with self._lock:
            if self._hash:
                raise PhoneError(
                    409, t("Another phone is the camera already. The host can let it go, and then show a new code.")
                )
            if not hmac.compare_digest(key.encode(), self.key.encode()):
                raise PhoneError(403, t("This code no longer counts: scan the one that the host's page shows now."))
            secret, self.key = secrets.token_urlsafe(32), secrets.token_urlsafe(16)
            self._hash, self.holder = _hash(secret), holder
            self._keep()
        self.changed()
        return secret

    def release(self) -> None:
        """Let the phone go; a new key lets in the next one."""
        with self._lock:
            self._hash = self.holder = ""
            self.key = secrets.token_urlsafe(16)
            self._pages.clear()
            self._keep()
        self._forget()
        self.changed()

    def check(self, secret: str) -> None:
        """Raise PhoneError unless a secret is the camera's."""
        if not self._hash or not hmac.compare_digest(_hash(secret), self._hash):
            raise PhoneError(403, t("This phone is not the camera any more: scan the code on the host's page."))

    def take(self, secret: str, page: str, number: int, small: bytes, whole: bytes) -> bool:
        """Take a picture, reduced and (b"": not sent) whole; return whether the next one should be sent whole, too.

        `page` is the browser's page, `number` grows with each of its pictures: a page that was loaded later takes over.

        Raises:
            PhoneError: if this phone or page is not the camera, or sends too much, or no pictures.
        """
        self.check(secret)
        with self._reading:
            now = self._clock()
            if len(self._times) == MOST_A_SECOND and now - self._times[0] < 1.0:
                raise PhoneError(429, t("That is too much at once: send fewer pictures."))
            self._times.append(now)
            if page != (self._pages[-1] if self._pages else None):
                if page in self._pages:
                    raise PhoneError(409, t("This page was opened again elsewhere on this phone: close this one."))
                self._pages.append(page)
                self._number = -1
            if number <= self._number:
                return self.wanted
            self._number = number
            try:
                self._put(self._read(small, SMALL_PIXELS), self._read(whole, MOST_PIXELS) if whole else None, now)
            except DecodingError:
                raise PhoneError(400, t("That was no picture that can be read.")) from None
        return self.wanted

    def frame(self, timeout: float) -> Frame | None:
        """Wait for a picture that nobody has had yet; None if there is none in time."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None, timeout)
            newest, self._newest = self._newest, None
            return newest

    def rest(self) -> None:
        """End the process that decodes, until the next picture comes."""
        with self._reading:
            self._decoder.close()

    def _read(self, data: bytes, most: int) -> Gray:
        size = jpeg_size(data)
        if size is None or not 0 < size[0] * size[1] <= most or len(data) > MOST_BYTES or cut_short(data):
            raise DecodingError
        return self._decoder.decode(data, size)

    def _put(self, small: Gray, whole: Gray | None, now: float) -> None:
        glimpse = np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.uint8)
        last = self._last
        if whole is not None:
            if whole.shape[1] % small.shape[1] or whole.shape[0] % small.shape[0]:
                raise DecodingError
            gray = np.asarray(cv2.cvtColor(whole, cv2.COLOR_RGB2GRAY), np.uint8)
            if whole.shape[1] > COLOUR:
                half = whole.shape[1] // 2, whole.shape[0] // 2
                whole = np.asarray(cv2.resize(whole, half, interpolation=cv2.INTER_AREA), np.uint8)
            frame = Frame(gray, now, 0, whole, glimpse)
            self._last = frame
            # Otherwise the eye says so after its next look.
            self.wanted = False
        elif last is None or last.small is None or last.small.shape != glimpse.shape:
            # The phone was turned, or another lens chosen.
            self.wanted = True
            return
        else:
            frame = Frame(last.gray, now, 0, last.colour, glimpse)
            frame.whole = False
        with self._news:
            waiting = self._newest
            # A whole picture that nobody has looked at yet is worth more than a later small one.
            if waiting is None or not waiting.whole or frame.whole:
                self._newest = frame
            self._news.notify_all()

    def _forget(self) -> None:
        self._last, self.wanted = None, True
        with self._news:
            self._newest = None

    def _keep(self) -> None:
        if self._file is None:
            return
        try:
            with written_whole(self._file, 0o600) as file:
                file.write(json.dumps({"hash": self._hash, "holder": self.holder}).encode())
        except OSError as error:
            log.warning("which phone is the camera could not be kept: %s", said(error))


def _hash(secret: str) -> str:
    # The secret is 256 random bits, so a plain hash is as good as a slow one.
    return hashlib.sha256(secret.encode()).hexdigest()
