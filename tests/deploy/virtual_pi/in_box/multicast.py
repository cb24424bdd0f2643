"""Asks the network for a name as phones do for those that end in ".local" (RFC 6762), and says the address.

It uses the standard library alone, under the system's Python.
"""

from __future__ import annotations

import re
import socket
import struct
import sys

GROUP, PORT = "224.0.0.251", 5353
ADDRESS, INTERNET, TO_ME = 1, 1, 0x8000
"""What is asked for; and the answer is to come here alone."""
TRIES, PATIENCE = 10, 3.0


def main(name: str) -> str:
    """Return the address of a name; nothing if nobody says it."""
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"
    question = struct.pack(">6H", 0, 0, 1, 0, 0, 0) + labels + struct.pack(">2H", ADDRESS, INTERNET | TO_ME)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.settimeout(PATIENCE)
        for _ in range(TRIES):
            asked.sendto(question, (GROUP, PORT))
            try:
                answer = asked.recv(4096)
            except TimeoutError:
                continue
            # A record: that it is an address of the internet, how long it holds, its size, and the address.
            found = re.search(rb"\x00\x01[\x00\x80]\x01.{4}\x00\x04(.{4})", answer[12:], re.DOTALL)
            if found:
                return socket.inet_ntoa(found[1])
    return ""


if __name__ == "__main__":
    print(main(sys.argv[1]))
