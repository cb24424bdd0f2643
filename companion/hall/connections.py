"""Keep-alive that shows both sides within seconds that the network between them is cut, and not after TCP's minutes."""

from __future__ import annotations

import contextlib
import socket

LOST = 5
"""Seconds without an answer after which a connection is given up, and made anew."""
PROBES = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": LOST * 1000}
"""What the system asks over a connection on which nothing is said, in seconds and times, and milliseconds."""


def notice_cuts(client: object, userdata: object, connection: object) -> None:
    """Set a new connection of a broker's client so (paho's `on_socket_open`)."""
    if not isinstance(connection, socket.socket):
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in PROBES.items():
        if hasattr(socket, name):  # TCP_USER_TIMEOUT is Linux's
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
