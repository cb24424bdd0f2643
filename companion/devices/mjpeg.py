"""MJPEG over HTTP, as phones stream it: pictures are split at their boundaries, so that few need be decoded."""

from __future__ import annotations

import base64
import logging
import re
import urllib.request
from http.client import HTTPException, HTTPResponse
from urllib.parse import unquote, urlsplit, urlunsplit

import numpy as np
import numpy.typing as npt

log = logging.getLogger(__name__)

TIMEOUT = 10.0
"""Seconds without a byte after which a stream is lost."""
_MOST = 32 * 10**6
"""Bytes of a picture, at most."""
_PIECE = 2**16
_BOUNDARY = re.compile(r'boundary="?([^";]+)', re.IGNORECASE)
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


class HttpPictures:
    """A stream of JPEG pictures, with the methods of OpenCV's capture that are used here; `retrieve` gives bytes."""

    def __init__(self, response: HTTPResponse, boundary: bytes) -> None:
        self._response = response
        self._boundary = b"--" + boundary
        self._rest = bytearray()
        self._picture = b""
        self._open = True

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        """Return whether pictures may still come."""
        return self._open

    def set(self, what: int, value: float) -> bool:
        """Set nothing: the phone decides."""
        return False

    def grab(self) -> bool:
        """Take the next whole picture from the stream; return whether there was one."""
        try:
            head = self._until(b"\r\n\r\n", 2**14)
            while head is not None and not head.strip(b"\r\n"):  # some end a picture with more than one line
                head = self._until(b"\r\n\r\n", 2**14)
            length = _LENGTH.search(head) if head is not None else None
            if head is None or (length is not None and int(length[1]) > _MOST):
                picture = None
            else:
                picture = self._until(self._boundary, _MOST) if length is None else self._take(int(length[1]))
        except (OSError, HTTPException) as error:
            log.debug("the stream broke off: %s", type(error).__name__)
            picture = None
        self._open = picture is not None
        self._picture = picture or b""
        return self._open

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8]]:
        """Return the picture that was grabbed last, as JPEG, shape (1, bytes)."""
        return self._open, np.frombuffer(self._picture, np.uint8).reshape(1, -1)

    def release(self) -> None:
        """Close the connection."""
        self._open = False
        self._response.close()

    def _take(self, count: int) -> bytes | None:
        """Return so many bytes; None if the stream ends before."""
        more = self._response.read(count - len(self._rest)) if count > len(self._rest) else b""
        self._rest += more
        if len(self._rest) < count:
            return None
        found = bytes(self._rest[:count])
        del self._rest[:count]
        return found

    def _until(self, mark: bytes, most: int) -> bytes | None:
        """Return what comes before a mark, and leave that out; None if none comes."""
        begin = 0
        while (at := self._rest.find(mark, begin)) < 0:
            begin = max(0, len(self._rest) - len(mark))
            piece = self._response.read1(_PIECE) if begin <= most else b""
            if not piece:
                return None
            self._rest += piece
        found = bytes(self._rest[:at])
        del self._rest[: at + len(mark)]
        return found


def opened(address: str) -> HttpPictures | None:
    """Open an address; return None if there is no answer, or it is none of pictures in a row."""
    parts = urlsplit(address)
    headers = {}
    if parts.username is not None:
        secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(secret.encode()).decode()
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    try:
        response = urllib.request.urlopen(urllib.request.Request(bare, headers=headers), timeout=TIMEOUT)  # noqa: S310
    except (OSError, HTTPException, ValueError) as error:
        log.debug("no answer of a stream: %s", type(error).__name__)
        return None
    kind, boundary = response.headers.get_content_type(), _BOUNDARY.search(response.headers.get("Content-Type", ""))
    if kind != "multipart/x-mixed-replace" or boundary is None:
        response.close()
        return None
    # Some write the dashes that begin a boundary's line into its name.
    return HttpPictures(response, boundary[1].strip().removeprefix("--").encode("latin-1"))
