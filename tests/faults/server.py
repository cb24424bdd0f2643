"""Faults in the server: who may do what, how much from one address, what is kept."""

from tests.faults.fault import Fault

FAULTS = (
    Fault(
        "who was silent for an hour may send an hour's worth at once",
        "server/limits.py",
        "left = min(BURST, left + (now - at) * RATE)",
        "left = left + (now - at) * RATE",
    ),
    Fault(
        "each address of a network counts for itself",
        "server/limits.py",
        "str(ipaddress.IPv6Network((int(found), 64), strict=False))",
        "str(found)",
    ),
    Fault(
        "a welcome lasts for ever",
        "server/limits.py",
        "return at is not None and self._clock() - at < WELCOME_LASTS",
        "return at is not None",
    ),
    Fault(
        "any name leads here",
        "server/guard.py",
        'return bool(name) and ("." not in name or name.endswith(OWN_ENDINGS) or name in names)',
        "return bool(name)",
    ),
    Fault(
        "as many requests as one likes",
        "server/guard.py",
        'if request.method not in ("GET", "HEAD", "OPTIONS") and not limits.allow_request(address()):',
        'if request.method not in ("GET", "HEAD", "OPTIONS", "POST") and not limits.allow_request(address()):',
    ),
    Fault(
        "a PIN is tried as often as one likes where it is asked for again",
        "server/keys.py",
        "right = self.retry_after() == 0 and _is_pin(pin.strip(), self._pin)",
        "right = _is_pin(pin.strip(), self._pin)",
    ),
    Fault(
        "a phone keeps a seat that the next match has not",
        "server/keys.py",
        "for seat, key in self._kept.seats.items() if seat <= seats}",
        "for seat, key in self._kept.seats.items()}",
    ),
    Fault(
        "a seat is handed over though the host says no",
        "server/keys.py",
        "if there and yes:",
        "if there:",
    ),
    Fault(
        "everybody on the computer may read the keys",
        "server/keys.py",
        "written_whole(self._file, 0o600)",
        "written_whole(self._file, 0o644)",
    ),
    Fault(
        "anybody makes anybody leave",
        "server/seat_pages.py",
        "if not seat or not holds_seat(seat):",
        "if not seat:",
    ),
    Fault(
        "a seat acts for another",
        "server/command_post.py",
        "if action.seat != seat:",
        "if action.seat < seat:",
    ),
    Fault(
        "anybody answers for the table",
        "server/command_post.py",
        'if not stands_at_table():\n        raise RefusedError(403, t("Only the host answers',
        'if False:\n        raise RefusedError(403, t("Only the host answers',
    ),
)
