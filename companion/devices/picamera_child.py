"""The Pi's camera as a small program of its own, run under the system's Python; frames go through shared memory.

Raspberry Pi OS builds picamera2 for the system's Python and its NumPy, and an isolated environment can't import it. So
the parent runs this file with `/usr/bin/python3 -I`. On stdin comes one JSON line of set-up: `{"size": [w, h],
"fps": n, "focus": dioptres or null, "memory": path, "slots": n}`; after it one line `{"free": slot}` for every frame
that the parent has taken out. On stdout go `{"ready": words}`, `{"frame": [slot, monotonic seconds]}`, and `{"broken":
words, "permanent": bool}` before it gives up. The memory is a file of `slots` gray pictures, one after the other. The
end of stdin ends it.

Nothing here may import `companion`: the system's Python doesn't have it.
"""

from __future__ import annotations

import json
import mmap
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO


class PiSource:
    """Picamera2 itself. `shots()` gives gray pictures as bytes-like rows of exactly the size asked for."""

    def __init__(self, setup: dict[str, Any]) -> None:
        """Start the camera: YUV, whose first plane is the gray picture; focus locked if it can be."""
        from picamera2 import Picamera2

        self._camera = Picamera2()
        self._wide, self._high = setup["size"]
        period = int(1_000_000 / setup["fps"])
        config = self._camera.create_video_configuration(
            main={"size": (self._wide, self._high), "format": "YUV420"},
            controls={"FrameDurationLimits": (period, period)},
            buffer_count=4,
        )
        self._camera.configure(config)
        if "AfMode" in self._camera.camera_controls and setup.get("focus") is not None:
            # A table doesn't move: hunting focus would blur every frame in which a hand comes in.
            self._camera.set_controls({"AfMode": 0, "LensPosition": float(setup["focus"])})
        self._camera.start()

    def shots(self) -> Iterator[bytes]:
        """Give picture after picture."""
        while True:
            picture = self._camera.capture_array("main")
            yield bytes(picture[: self._high, : self._wide].tobytes())

    def close(self) -> None:
        """Stop the camera."""
        self._camera.stop()
        self._camera.close()


def serve(source: Any, setup: dict[str, Any], lines: TextIO, out: TextIO) -> None:
    """Copy pictures into free slots and tell of each; a picture for which no slot is free is dropped."""
    wide, high = setup["size"]
    size = wide * high
    free = set(range(setup["slots"]))
    over = threading.Event()

    def listen() -> None:
        for line in lines:
            try:
                free.add(json.loads(line)["free"])
            except (ValueError, KeyError, TypeError):
                continue
        over.set()

    threading.Thread(target=listen, daemon=True).start()
    with open(setup["memory"], "r+b") as file, mmap.mmap(file.fileno(), size * setup["slots"]) as memory:  # noqa: PTH123
        for shot in source.shots():
            if over.is_set():
                return
            at = time.monotonic()
            if not free:
                continue
            slot = free.pop()
            memory[slot * size : (slot + 1) * size] = shot
            say(out, frame=[slot, at])


def say(out: TextIO, **message: Any) -> None:
    """Write one message."""
    out.write(json.dumps(message) + "\n")
    out.flush()


def main(
    source: Callable[[dict[str, Any]], Any] = PiSource, lines: TextIO = sys.stdin, out: TextIO = sys.stdout
) -> int:
    """Speak the protocol until stdin ends; the exit status is 1 if the camera could not be opened or broke down."""
    setup = json.loads(lines.readline())
    try:
        camera = source(setup)
    except ImportError as error:
        words = f"picamera2 is not installed for the system's Python ({error}): apt install python3-picamera2"
        say(out, broken=words, permanent=True)
        return 1
    except IndexError:
        say(out, broken="no camera is connected to the Pi; check the ribbon cable", permanent=False)
        return 1
    except Exception as error:
        say(out, broken=f"the Pi's camera can't be opened: {type(error).__name__}: {error}", permanent=False)
        return 1
    try:
        say(out, ready="picamera2")
        serve(camera, setup, lines, out)
    except BrokenPipeError:
        return 0
    except Exception as error:
        say(out, broken=f"the Pi's camera stopped: {type(error).__name__}: {error}", permanent=False)
        return 1
    finally:
        camera.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
