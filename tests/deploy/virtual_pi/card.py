"""A card that keeps only what it was told to keep: a disk for qemu (NBD), whose plug can be pulled.

What was written since the last flush may be lost when the power goes, as in a real card's own memory: of each such
write all, nothing, or the first sectors are kept, whatever came after it.
"""

from __future__ import annotations

import os
import random
import socket
import struct
import threading
from pathlib import Path

MAGIC, OPTION_MAGIC, ANSWER_MAGIC = b"NBDMAGIC", b"IHAVEOPT", 0x3E889045565A9
REQUEST_MAGIC, REPLY_MAGIC = 0x25609513, 0x67446698
GO, ABORT = 7, 2
ACKNOWLEDGED, INFORMED, UNKNOWN = 1, 3, (1 << 31) + 1
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
FORCED = 1
"""Of a request: keep it for good before you answer (FUA)."""
FLAGS = 1 | 4 | 8
"""What the card can: it has flags, can be told to flush, and to keep one write for good."""
SECTOR = 512


class Card:
    """Serves a file as a disk, on a socket of its own, to one computer after another."""

    def __init__(self, image: Path, where: Path) -> None:
        """Open the image; `where` is the socket."""
        self.where = where
        self.flushes = 0
        self._file = os.open(image, os.O_RDWR)
        self.stopped = threading.Event()
        """Set when the card has stopped in the middle of writing (`stop_after`)."""
        self._stop_after = 0
        self._pending: list[tuple[int, bytes, bytes, bool]] = []
        self._lock = threading.Lock()
        self._door = socket.socket(socket.AF_UNIX)
        where.unlink(missing_ok=True)
        self._door.bind(str(where))
        self._door.listen(1)
        threading.Thread(target=self._run, name="card", daemon=True).start()

    def stop_after(self, writes: int) -> None:
        """Answer no more as soon as so many writes are not flushed: the power has gone at that moment."""
        self._stop_after = writes

    def cut(self, rng: random.Random) -> tuple[int, int]:
        """Have the power go, once the computer has; return how many writes were at stake, and how many were lost."""
        with self._lock:
            for at, before, _, _ in reversed(self._pending):
                os.pwrite(self._file, before, at)
            lost = 0
            for at, _, after, forced in self._pending:
                kept = len(after) if forced else _kept(len(after), rng)
                lost += kept < len(after)
                os.pwrite(self._file, after[:kept], at)
            at_stake, self._pending = len(self._pending), []
            self._stop_after = 0
            self.stopped.clear()
            return at_stake, lost

    def settle(self) -> None:
        """Let everything be kept: the computer was switched off in good order."""
        with self._lock:
            self._pending = []

    def _run(self) -> None:
        while True:
            computer, _ = self._door.accept()
            with computer:
                try:
                    if self._greet(computer):
                        self._serve(computer)
                except (OSError, EOFError):
                    # It was killed, as is meant.
                    continue

    def _greet(self, computer: socket.socket) -> bool:
        computer.sendall(MAGIC + OPTION_MAGIC + struct.pack(">H", 3))
        _read(computer, 4)
        while True:
            _, option, size = struct.unpack(">8sII", _read(computer, 16))
            _read(computer, size)
            answer = struct.Struct(">QIII")
            if option == GO:
                size = os.fstat(self._file).st_size
                computer.sendall(answer.pack(ANSWER_MAGIC, GO, INFORMED, 12) + struct.pack(">HQH", 0, size, FLAGS))
                computer.sendall(answer.pack(ANSWER_MAGIC, GO, ACKNOWLEDGED, 0))
                return True
            if option == ABORT:
                return False
            computer.sendall(answer.pack(ANSWER_MAGIC, option, UNKNOWN, 0))

    def _serve(self, computer: socket.socket) -> None:
        while True:
            magic, flags, kind, handle, at, size = struct.unpack(">IHHQQI", _read(computer, 28))
            if magic != REQUEST_MAGIC or kind == DISCONNECT:
                return
            answer = b""
            if kind == READ:
                answer = os.pread(self._file, size, at)
            elif kind == WRITE:
                self._write(at, _read(computer, size), bool(flags & FORCED))
            elif kind == FLUSH:
                with self._lock:
                    self._pending = []
                    self.flushes += 1
            if self._stop_after and len(self._pending) >= self._stop_after:
                self.stopped.set()
                while computer.recv(1 << 16):
                    pass
                return
            computer.sendall(struct.pack(">IIQ", REPLY_MAGIC, 0, handle) + answer)

    def _write(self, at: int, data: bytes, forced: bool) -> None:
        with self._lock:
            self._pending.append((at, os.pread(self._file, len(data), at), data, forced))
            os.pwrite(self._file, data, at)


def _kept(size: int, rng: random.Random) -> int:
    """Return how many bytes of a write are kept: nothing, all, or some sectors."""
    chosen = rng.random()
    if chosen < 0.4:
        return 0
    return size if chosen < 0.8 else rng.randrange(0, size + 1, SECTOR)


def _read(computer: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        got = computer.recv(size - len(data))
        if not got:
            raise EOFError
        data += got
    return bytes(data)
