"""Runs an emulated Raspberry Pi 3, and compares its display with the pictures that the program in it says.

    python -m tests.deploy.virtual_pi.pi3_outside COMMAND...

COMMAND starts qemu. Its display has 96 of the 132 columns of a real one's memory, from column 36 on, and 16 of its 64
rows; a pixel is a square of four by four.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

FIRST, COLUMNS, ROWS, MAGNIFIED = 36, 96, 16, 4
OFFSET = 2
"""The first column of an SH1106's memory that shows."""
TIME_LIMIT = 3600.0

Bits = npt.NDArray[np.bool_]


def part_of(picture: bytes) -> Bits:
    """Return what qemu's display has of a picture of 128 × 64."""
    whole = np.unpackbits(np.frombuffer(picture, np.uint8)).reshape(64, 128).astype(np.bool_)
    memory = np.zeros((64, 132), np.bool_)
    memory[:, OFFSET : OFFSET + 128] = whole
    return memory[:ROWS, FIRST : FIRST + COLUMNS]


def shown_on(dump: Path) -> Bits:
    """Return which pixels are lit in a picture of qemu's screen."""
    screen = np.asarray(Image.open(dump).convert("L"))
    return np.asarray(screen[MAGNIFIED // 2 :: MAGNIFIED, MAGNIFIED // 2 :: MAGNIFIED][:ROWS, :COLUMNS] > 127)


def screen(monitor: Path, into: Path) -> Bits:
    """Have qemu write what its display (the device of that name) shows, and return it."""
    into.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(monitor))
        line.sendall(f"screendump {into} display\n".encode())
        end = time.monotonic() + 30
        while time.monotonic() < end:
            time.sleep(0.5)
            if into.exists() and into.stat().st_size >= COLUMNS * ROWS * MAGNIFIED**2 * 3:
                return shown_on(into)
    raise OSError("qemu writes no picture of its screen")


def main(command: list[str]) -> int:
    """Run it; return 0 if all is well in it."""
    well = False
    with tempfile.TemporaryDirectory(prefix="companion-pi3-") as folder:
        serial, monitor, dump = (Path(folder) / name for name in ("serial", "monitor", "screen.ppm"))
        command = [*command, "-serial", "null", "-serial", f"unix:{serial},server=on,wait=on"]
        command += ["-monitor", f"unix:{monitor},server=on,wait=off", "-display", "none"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as qemu, socket.socket(socket.AF_UNIX) as line:
            while not serial.exists() and qemu.poll() is None:
                time.sleep(0.2)
            line.connect(str(serial))
            line.settimeout(TIME_LIMIT)
            for said in line.makefile("r", encoding="utf-8", errors="replace"):
                words = said.strip()
                if words.startswith("PICTURE "):
                    told, seen = part_of(bytes.fromhex(words.split()[1])), screen(monitor, dump)
                    same = bool(told.any()) and np.array_equal(told, seen)
                    answer = (
                        f"same: {int(told.sum())} of {told.size} pixels lit"
                        if same
                        else f"{(told != seen).sum()} differ"
                    )
                    line.sendall(answer.encode() + b"\n")
                    continue
                print(words, flush=True)
                well = well or words == "all is well"
                if words.endswith("Power down"):
                    # It has no switch that would end qemu.
                    break
            qemu.kill()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
