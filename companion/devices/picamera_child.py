"""The Pi's camera as a small program of its own, run under the system's Python; frames go through shared memory.

Raspberry Pi OS builds picamera2 for the system's Python and its NumPy, and an isolated environment can't import it. So
the parent runs this file with `/usr/bin/python3 -I`. On stdin comes one JSON line of set-up: `{"size": [w, h],
"small": [w, h] or null, "fps": n, "focus": dioptres or null, "mains": hertz or null, "memory": path, "slots": n,
"bytes": of a slot}`;
after it `{"free": slot}` for every frame that the parent has taken out, and wishes: `{"set": {"auto": true}}`,
`{"set": {"seconds": s, "gain": g}}`, `{"set": {"focus": dioptres or null}}`.

On stdout go `{"ready": words}`, `{"frame": [slot, monotonic seconds, shutter seconds or null, gain or null]}`, and
`{"broken": kind, "detail": words}` before it gives up: "missing" (picamera2), "numpy" (it doesn't fit picamera2),
"none" (no camera), "held" (by another program), "display" (its driver leaves no memory), "shut" (it can't be
opened for another reason), "stopped". The memory is a file of `slots` slots, one after the other;
each holds the planes Y, U and V of a picture and, if asked for, the small one's Y after them. The end of stdin ends it.

Nothing here may import `companion`: the system's Python doesn't have it.
"""

from __future__ import annotations

import json
import mmap
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TextIO

AF_MANUAL, AF_AUTO, AF_START = 0, 1, 0
FLICKER_OFF, FLICKER_MANUAL = 0, 1
"""libcamera's numbers for AfMode, AfTrigger and AeFlickerMode."""


Foreign = Any
"""A thing of picamera2's, which has no types."""
_Object = dict[str, Any]
"""An object of JSON, or what picamera2 takes and gives as one: settings by their names."""


class Shot(NamedTuple):
    """One picture: its planes in the order of the memory, rows without padding, and how it was taken."""

    planes: Sequence[Foreign]
    """Arrays of bytes."""
    seconds: float | None = None
    gain: float | None = None


def whole_field(modes: list[_Object], size: tuple[int, int], fps: float) -> tuple[int, int]:
    """Return the sensor size to read: of those with the whole view, fast enough, the smallest that suffices.

    Else the largest. libcamera by itself takes the nearest, which on older modules is the middle alone.
    """
    sensors = [mode for mode in modes if "size" in mode]
    if not sensors:
        return size
    widest = max(_area(mode["crop_limits"][2:]) for mode in sensors)
    whole = [mode for mode in sensors if _area(mode["crop_limits"][2:]) >= _WHOLE * widest]
    sizes = sorted({tuple(mode["size"]) for mode in whole if mode["fps"] >= fps}, key=_area)
    enough = [one for one in sizes if one[0] >= size[0] and one[1] >= size[1]]
    return (enough or sizes[-1:] or [size])[0]


_WHOLE = 0.95
"""The share of the largest field that counts as all of it: binned modes leave out a few rows."""


def _area(size: Sequence[int]) -> int:
    return int(size[0]) * int(size[1])


def even_tuning(library: Foreign) -> Foreign:
    """Return the camera's tuning without adaptive contrast, which pumps at any exposure; None if none is known."""
    try:
        tuning = library.load_tuning_file(f"{library.global_camera_info()[0]['Model']}.json")
        library.find_tuning_algo(tuning, "rpi.contrast")["ce_enable"] = 0
    except (LookupError, RuntimeError, StopIteration, TypeError):
        return None
    return tuning


class PiSource:
    """Picamera2 itself. `shots()` gives pictures; `wish` (from any thread) says how they should be taken."""

    def __init__(self, setup: _Object) -> None:
        """Start the camera: YUV, whose first plane is the gray picture, and the ISP's own small picture beside it."""
        from libcamera import ColorSpace
        from picamera2 import Picamera2

        self._camera = Picamera2(tuning=even_tuning(Picamera2))
        self._size, self._small = tuple(setup["size"]), setup.get("small")
        self._fps, self._mains = float(setup["fps"]), setup.get("mains")
        self._wishes: deque[_Object] = deque()
        period = int(1_000_000 / self._fps)
        try:
            streams: _Object = {"main": {"size": self._size, "format": "YUV420"}}
            if self._small:
                streams["lores"] = {"size": tuple(self._small), "format": "YUV420"}
            # What the ISP is asked for here holds from the first frame on; not every sensor has every control.
            controls = {"FrameDurationLimits": (period, period), **self._automatic(), **self._lens(setup.get("focus"))}
            config = self._camera.create_video_configuration(
                **streams,
                raw={"size": whole_field(self._camera.sensor_modes, self._size, self._fps)},
                # picamera2's own choice for videos has black at 16 and white at 235.
                colour_space=ColorSpace.Sycc(),
                controls={name: value for name, value in controls.items() if name in self._camera.camera_controls},
                buffer_count=4,
            )
            self._camera.configure(config)
            given = self._camera.camera_configuration()
            for name in streams:
                # libcamera takes another format without a word where the camera has not the wished one.
                if (form := given[name]["format"]) != "YUV420":
                    raise ValueError(f"it gives {form}, not YUV420, in which alone it can be read: use another camera")
            got = tuple(given["main"]["size"])
            if got != self._size:
                raise ValueError(f"it gives {got[0]}x{got[1]}, not {self._size[0]}x{self._size[1]}: name another size")
            self._camera.start()
            if setup.get("focus") is None:
                self._set({"AfTrigger": AF_START})
        except Exception:
            self._camera.close()
            raise

    def wish(self, wish: _Object) -> None:
        """Set how the next pictures should be taken."""
        self._wishes.append(wish)

    def shots(self) -> Iterator[Shot]:
        """Yield picture after picture."""
        while True:
            while self._wishes:
                self._grant(self._wishes.popleft())
            request = self._camera.capture_request()
            try:
                facts = request.get_metadata()
                planes = [*self._planes(request, "main", self._size)]
                if self._small:
                    planes.append(next(self._planes(request, "lores", self._small)))
            finally:
                request.release()
            micros, gain = facts.get("ExposureTime"), facts.get("AnalogueGain")
            if gain is not None:
                # What the sensor's gain can't do exactly the ISP does with its own.
                gain = float(gain) * float(facts.get("DigitalGain", 1.0))
            yield Shot(planes, micros / 1e6 if micros else None, gain)

    def close(self) -> None:
        """Stop the camera."""
        self._camera.stop()
        self._camera.close()

    @staticmethod
    def _planes(request: Foreign, name: str, size: Sequence[int]) -> Iterator[Foreign]:
        """Yield Y, U and V: under the rows of Y, those of U, then of V, two to a row, each padded to half of it."""
        array, (wide, high) = request.make_array(name), size
        yield array[:high, :wide]
        half = array[high:].reshape(-1, array.shape[1] // 2)
        yield half[: high // 2, : wide // 2]
        yield half[high // 2 : high, : wide // 2]

    def _set(self, controls: _Object) -> None:
        """Set those controls that this camera has; picamera2 raises for others."""
        known = {name: value for name, value in controls.items() if name in self._camera.camera_controls}
        if known:
            self._camera.set_controls(known)

    def _automatic(self) -> _Object:
        if not self._mains:
            return {"AeEnable": True, "AeFlickerMode": FLICKER_OFF}
        # The light of lamps swells twice in every period of the mains.
        return {
            "AeEnable": True,
            "AeFlickerMode": FLICKER_MANUAL,
            "AeFlickerPeriod": round(1_000_000 / (2 * self._mains)),
        }

    def _lens(self, dioptres: float | None) -> _Object:
        """Lock the lens, or ask for one search. A table doesn't move: hunting focus would blur whenever a hand came."""
        if dioptres is None:
            return {"AfMode": AF_AUTO}
        low, high, _ = self._camera.camera_controls.get("LensPosition", (0.0, 32.0, 1.0))
        return {"AfMode": AF_MANUAL, "LensPosition": min(max(float(dioptres), float(low)), float(high))}

    def _grant(self, wish: _Object) -> None:
        if "focus" in wish:
            self._set(self._lens(wish["focus"]))
            if wish["focus"] is None:
                self._set({"AfTrigger": AF_START})
        if wish.get("auto"):
            self._set(self._automatic())
        elif "seconds" in wish:
            micros = max(1, min(round(float(wish["seconds"]) * 1e6), int(1e6 / self._fps)))
            self._set({"AeEnable": False, "ExposureTime": micros, "AnalogueGain": float(wish["gain"])})


def serve(source: PiSource, setup: _Object, lines: TextIO, out: TextIO) -> None:
    """Copy pictures into free slots and announce each; a picture without a free slot is dropped."""
    import numpy as np  # only here: without picamera2 it may be missing too

    size = setup["bytes"]
    free = set(range(setup["slots"]))
    over = threading.Event()

    def listen() -> None:
        for line in lines:
            try:
                message = json.loads(line)
                if "set" in message:
                    source.wish(message["set"])
                else:
                    free.add(message["free"])
            except (ValueError, KeyError, TypeError):
                continue
        over.set()

    threading.Thread(target=listen, daemon=True).start()
    with open(setup["memory"], "r+b") as file, mmap.mmap(file.fileno(), size * setup["slots"]) as memory:  # noqa: PTH123
        slots = np.frombuffer(memory, np.uint8).reshape(-1, size)
        for shot in source.shots():
            if over.is_set():
                return
            at = time.monotonic()
            if not free:
                continue
            slot = free.pop()
            at_byte = 0
            for plane in shot.planes:
                # Straight into the memory: every other copy would cost as much as all that is done with a still table.
                slots[slot, at_byte : at_byte + plane.size].reshape(plane.shape)[:] = plane
                at_byte += plane.size
            say(out, frame=[slot, at, shot.seconds, shot.gain])


def say(out: TextIO, **message: object) -> None:
    """Write one message."""
    out.write(json.dumps(message) + "\n")
    out.flush()


def kind_of(error: Exception) -> str:
    """Return why the camera could not be opened, as the protocol calls it, from what picamera2 and libcamera raise."""
    words = f"{error} {error.__context__ or ''}".lower()
    if isinstance(error, ImportError | ValueError) and "numpy" in words:
        return "numpy"
    if isinstance(error, ImportError):
        return "missing"
    # picamera2 up to 0.3.30 stumbles over its own list, later ones say so.
    if isinstance(error, IndexError) or words.startswith("no camera number"):
        return "none"
    for kind, signs in _SIGNS.items():
        if any(sign in words for sign in signs):
            return kind
    return "shut"


_SIGNS = {
    "held": ("busy", "in use by another", "failed to acquire", "unexpected code: -16", "sequence did not complete"),
    "display": ("dmaheap", "dma_heap", "dma-buf", "allocate memory"),
}
"""Parts of messages. picamera2 raises -16 (EBUSY), or that it did not complete, while another program has the camera;
it takes its pictures' memory from the heap that only the display driver vc4-kms-v3d makes."""


def main(source: Callable[[_Object], PiSource] = PiSource, lines: TextIO = sys.stdin, out: TextIO = sys.stdout) -> int:
    """Speak the protocol until stdin ends; the exit status is 1 if the camera could not be opened or broke down."""
    setup = json.loads(lines.readline())
    try:
        camera = source(setup)
    except Exception as error:
        say(out, broken=kind_of(error), detail=f"{type(error).__name__}: {error}")
        return 1
    try:
        say(out, ready="picamera2")
        serve(camera, setup, lines, out)
    except BrokenPipeError:
        return 0
    except Exception as error:
        say(out, broken="stopped", detail=f"{type(error).__name__}: {error}")
        return 1
    finally:
        camera.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
