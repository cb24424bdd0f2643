"""Makes answers small on their way: a page of 80 kB is 4 kB then, which tells on a box's own Wi-Fi with many phones."""

from __future__ import annotations

from flask import Flask
from flask_compress import Compress

SQUEEZED = ["text/html", "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml"]
"""What gets smaller; pictures and PDFs are small already, and event streams must not be held back."""


def squeeze(app: Flask) -> None:
    """Pack an app's answers of 1000 bytes or more with gzip, if the browser takes it."""
    app.config.update(
        COMPRESS_MIMETYPES=SQUEEZED,
        COMPRESS_MIN_SIZE=1000,
        # Browsers take Brotli and Zstandard over HTTPS alone, and most tables have plain HTTP.
        COMPRESS_ALGORITHM="gzip",
        COMPRESS_ALGORITHM_STREAMING="gzip",
        COMPRESS_LEVEL=4,  # of 9: more takes longer and hardly makes anything smaller
    )
    Compress(app)
