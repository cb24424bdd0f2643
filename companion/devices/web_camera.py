"""A camera that answers over HTTP: an MJPEG stream, or one picture that is asked for again and again.

FFmpeg would take a torn picture for a whole one, a picture's address for a stream that ends at once, and an app's page
for silence.
"""

from __future__ import annotations

import html
import re
import ssl
import time
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.camera_base import CameraLostError, is_jpeg
from companion.eye.pictures import cut_short, jpeg_size
from companion.text import shown_address, t

SILENT = 6.0
"""Seconds without a byte after which a stream counts as lost."""
TORN = 4.0
"""Seconds of nothing but parts of pictures after which it does."""
POLL = 0.12
"""Seconds between two requests for a picture that is asked for again and again."""
MOST_BYTES, MOST_PIXELS = 30_000_000, 50_000_000
"""Bytes and pixels above which a picture is not taken."""
_LINE = 65_536


class WebCapture:
    """Pictures from an address, in the way of OpenCV's `VideoCapture`, whose methods these are."""

    def __init__(self, address: str, answer: HTTPResponse | None) -> None:
        """Read an answer of the address; None: nobody answers there."""
        self._address = address
        self._answer = answer
        self._boundary = answer.headers.get_boundary() if answer is not None else None
        self._parts = self._all()
        self._asked = 0.0
        self._data = b""

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        """Whether there are pictures to read."""
        return self._answer is not None

    def set(self, _property: int, _value: float) -> bool:
        """Set nothing: such a camera sends its pictures as it likes."""
        return False

    def getBackendName(self) -> str:  # noqa: N802
        """Return what reads the pictures."""
        return "HTTP"

    def release(self) -> None:
        """End the connection."""
        if self._answer is not None:
            self._answer.close()

    def grab(self) -> bool:
        """Take the next whole picture, without decoding it; return False if there are no more.

        Raises:
            CameraLostError: if the camera falls silent, or only parts of pictures come.
        """
        until = time.monotonic() + TORN
        try:
            for data in self._parts:
                self._data = data
                if _is_whole(data):
                    return True
                if time.monotonic() > until:
                    raise CameraLostError(
                        t(
                            "The {what} sends only parts of pictures. Bring it nearer to the Wi-Fi, or let its app "
                            "give smaller pictures.",
                            what=_what(self._address),
                        )
                    )
        except TimeoutError:
            raise silent(self._address) from None
        except (OSError, HTTPException, ValueError):
            pass
        return False

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8] | None]:
        """Return what was grabbed: a JPEG as it came, shape (1, bytes), any other picture decoded (BGR)."""
        data = np.frombuffer(self._data, np.uint8).reshape(1, -1)
        picture = data if is_jpeg(data) else cv2.imdecode(data, cv2.IMREAD_COLOR)
        return picture is not None, None if picture is None else np.asarray(picture, np.uint8)

    def _all(self) -> Iterator[bytes]:
        answer = self._answer
        if answer is not None and self._boundary is not None:
            yield from parts(answer, self._boundary)
            return
        while answer is not None:
            self._asked = time.monotonic()
            yield answer.read(MOST_BYTES)
            answer.close()
            time.sleep(max(0.0, self._asked + POLL - time.monotonic()))
            answer = self._answer = _asked(self._address)


def open_web(address: str) -> WebCapture | None:
    """Ask an address for pictures; None if it has something that FFmpeg may know, such as a film.

    Raises:
        CameraLostError: if something else is there: an app's page, a door that wants a password, or silence.
    """
    what = _what(address)
    try:
        answer = _asked(address)
        kind = answer.headers.get_content_type()
        if kind in ("text/html", "application/xhtml+xml"):
            page = answer.read(_LINE).decode("utf-8", "replace")
            answer.close()
            says = " ".join(html.unescape(re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", " ", page)).split())[:60]
            raise CameraLostError(
                t(
                    "The {what} shows a page, not pictures (“{says}”). Give the address of its pictures, which in most "
                    "apps ends in /video or /shot.jpg; if the page says that it is busy, end what else looks there.",
                    what=what,
                    says=says,
                )
            )
    except HTTPError as error:
        error.close()
        if error.code in (401, 403):
            raise CameraLostError(
                t(
                    "The {what} wants a name and a password: put them before its address, as in "
                    "http://name:password@192.168.1.23:8080/video.",
                    what=what,
                )
            ) from None
        raise CameraLostError(
            t(
                "The {what} has no pictures at that address (it answers {code}): see in its app which it is.",
                what=what,
                code=error.code,
            )
        ) from None
    except TimeoutError:
        raise silent(address) from None
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(getattr(error, "reason", None), TimeoutError):
            raise silent(address) from None
        return WebCapture(address, None)
    if kind.startswith("image/") or (kind.startswith("multipart/") and answer.headers.get_boundary()):
        return WebCapture(address, answer)
    answer.close()
    return None


def silent(address: str) -> CameraLostError:
    """Return what is said of a stream that sends nothing."""
    return CameraLostError(
        t(
            "The {what} has sent nothing for {seconds:.0f} seconds. Is the phone locked, its app closed, or its Wi-Fi "
            "gone? It is tried again by itself.",
            what=_what(address),
            seconds=SILENT,
        )
    )


def _what(address: str) -> str:
    return t("camera at {source}", source=shown_address(address))


def _asked(address: str) -> HTTPResponse:
    """Open an address, with the name and password in it."""
    parts = urlsplit(address)
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        known.add_password(None, bare, unquote(parts.username), unquote(parts.password or ""))
    # A camera at home has a certificate that nobody has signed.
    context = ssl._create_unverified_context()  # noqa: S323
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPSHandler(context=context),
        urllib.request.HTTPDigestAuthHandler(known),
        urllib.request.HTTPBasicAuthHandler(known),
    )
    answer: HTTPResponse = opener.open(bare, timeout=SILENT)
    return answer


def parts(answer: HTTPResponse, boundary: str) -> Iterator[bytes]:
    """Yield the bodies of a multipart stream, whether their lengths are told or not."""
    # Some cameras write the dashes into the name of the boundary as well.
    mark = b"--" + boundary.removeprefix("--").encode()
    line = answer.readline(_LINE)
    while line:
        while line and not line.startswith(mark):
            line = answer.readline(_LINE)
        length = 0
        while (line := answer.readline(_LINE)).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        if length:
            yield answer.read(min(length, MOST_BYTES))
            line = answer.readline(_LINE)
            continue
        body = bytearray()
        while (line := answer.readline(_LINE)) and not line.startswith(mark) and len(body) < MOST_BYTES:
            body += line
        yield bytes(body).removesuffix(b"\n").removesuffix(b"\r")


def _is_whole(data: bytes) -> bool:
    size = jpeg_size(data)
    if size is None:
        return bool(data) and not data.startswith(b"\xff\xd8") and not cut_short(data)
    return not cut_short(data) and size[0] * size[1] <= MOST_PIXELS
