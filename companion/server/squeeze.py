"""Makes answers small on their way: a page of 80 kB is 4 kB then, which tells on a box's own Wi-Fi with many phones."""

from __future__ import annotations

import gzip

from flask import Response, request

SQUEEZED = frozenset(
    {"text/html", "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml"}
)
"""What gets smaller; pictures and PDFs are small already, and event streams must not be held back."""
LEAST = 1000
"""Bytes: less is not worth it."""
LEVEL = 4
"""How hard to try, 1 to 9: more takes longer and hardly makes anything smaller."""


def squeeze(response: Response) -> Response:
    """Pack an answer with gzip, if it gets smaller by it and the browser takes it."""
    if response.mimetype not in SQUEEZED or response.status_code != 200 or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings["gzip"] or request.method == "HEAD":
        return response
    response.direct_passthrough = False
    plain = response.get_data()
    if len(plain) >= LEAST:
        # No time stamp in it: equal answers are equal bytes.
        response.set_data(gzip.compress(plain, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        etag, _ = response.get_etag()
        if etag is not None:
            # The same contents, not the same bytes.
            response.set_etag(etag, weak=True)
    return response
