"""What a terminal shows to whoever begins an evening: the address in letters and as a code, and the host's PIN."""

from __future__ import annotations

import io

import segno

WHITE_ON_BLACK, PLAIN = "\x1b[97;40m", "\x1b[0m"
"""A code drawn with blocks is right only if these are lighter than what is between them, in any terminal."""


def invitation(front: str, pin: str) -> str:
    """Return the lines for a table whose first page is at `front`.

    The code carries the PIN behind a `#`, which no browser sends: the host's page types it (`web/static/pin.js`).
    """
    drawn = io.StringIO()
    segno.make(f"{front}host#{pin}", error="l", micro=False).terminal(drawn, border=2, compact=True)
    code = "\n".join(f"    {WHITE_ON_BLACK}{line}{PLAIN}" for line in drawn.getvalue().splitlines())
    return (
        f"\nThe table is ready. On this computer, or on a phone in the same network, open\n\n    {front}host\n\n"
        f"and type the host's PIN: {pin}\n\n"
        "Or scan this with the host's phone, and with no other: it knows the PIN.\n\n"
        f"{code}\n\nCtrl+C ends it; matches are kept."
    )
