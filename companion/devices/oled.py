"""The OLED, 128×64, through luma's own drivers: over I²C or SPI on a Pi, into a recording on any other computer.

All passes through a `RecordingSerial`, so pages show what the display was told, not what was meant.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Protocol

import luma.core.error
import luma.oled.device
import numpy as np
from luma.core.interface.serial import i2c
from PIL import Image

from companion.devices.canvas import HEIGHT, WIDTH, Page
from companion.devices.service import Backoff, DeviceError, PermanentError, Service
from companion.untyped import Foreign


class Serial(Protocol):
    """The serial interface that luma expects."""

    def command(self, *cmd: int) -> None:
        """Send command bytes."""

    def data(self, data: Iterable[int]) -> None:
        """Send bytes for the display's memory."""

    def cleanup(self) -> None:
        """Close it."""


_ARGUMENTS = {0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
"""How many bytes follow a command (SSD1306 data sheet, table 9; the SH1106's are the same but for 0x2X)."""

TYPES: dict[str, int] = {"ssd1306": 0, "ssd1309": 0, "sh1106": 2}
"""The displays known here, by luma's names, with the first column of their memory that shows (an SH1106 has 132)."""


class RecordingSerial:
    """A luma serial interface that keeps the display's memory, and passes everything on to `onward` if there is one.

    `data_bytes` and `frames` count what was sent. It follows luma's two ways of addressing: windows (ssd1306) and pages
    (sh1106). Mirrored and scrolled displays are not modelled.
    """

    def __init__(self, kind: str = "ssd1306", onward: Serial | None = None) -> None:
        self.onward = onward
        self.commands: list[tuple[int, ...]] = []
        self.data_bytes = 0
        self.lit = False
        self._paged = kind == "sh1106"
        self._first = TYPES[kind]
        self._memory = np.zeros((8, 132), np.uint8)
        self._columns, self._pages = (0, WIDTH - 1), (0, 7)
        self._column = self._page = 0

    @property
    def frames(self) -> int:
        """How many whole pictures were sent: 1,024 bytes each."""
        return self.data_bytes * 8 // (WIDTH * HEIGHT)

    def command(self, *cmd: int) -> None:
        """Track a command and pass it on."""
        # Only the latest are kept: a display may be on for years.
        self.commands = [*self.commands[-63:], cmd]
        waiting = list(cmd)
        while waiting:
            first = waiting.pop(0)
            count = 1 if first == 0x20 and not self._paged else _ARGUMENTS.get(first, 0)
            self._follow(first, [waiting.pop(0) for _ in range(min(count, len(waiting)))])
        if self.onward is not None:
            self.onward.command(*cmd)

    def data(self, data: Iterable[int]) -> None:
        """Write bytes into the tracked memory and pass them on."""
        sent = list(data)
        for byte in sent:
            self._memory[self._page, min(self._column, 131)] = byte
            self._column += 1
            if not self._paged and self._column > self._columns[1]:
                self._column = self._columns[0]
                self._page = self._page + 1 if self._page < self._pages[1] else self._pages[0]
        self.data_bytes += len(sent)
        if self.onward is not None:
            self.onward.data(sent)

    def cleanup(self) -> None:
        """Close the interface behind it."""
        if self.onward is not None:
            self.onward.cleanup()

    def picture(self) -> Image.Image:
        """Return what the display shows: a 1-bit image of 128×64, dark if the display is off."""
        columns = self._memory[:, self._first : self._first + WIDTH]
        # A byte is a column of eight pixels of its page, the lowest bit at the top.
        bits = np.unpackbits(columns[:, None, :], axis=1, bitorder="little").reshape(HEIGHT, WIDTH)
        return Image.fromarray(bits * np.uint8(255 if self.lit else 0)).convert("1", dither=Image.Dither.NONE)

    def _follow(self, first: int, more: list[int]) -> None:
        if first == 0x21 and len(more) == 2:
            self._columns, self._column = (more[0], more[1]), more[0]
        elif first == 0x22 and len(more) == 2:
            self._pages, self._page = (more[0] & 7, more[1] & 7), more[0] & 7
        elif first in (0xAE, 0xAF):
            self.lit = first == 0xAF
        elif self._paged and first & 0xF8 == 0xB0:
            self._page = first & 7
        elif self._paged and first <= 0x0F:
            self._column = (self._column & 0xF0) | first
        elif self._paged and first <= 0x1F:
            self._column = (self._column & 0x0F) | (first & 0x0F) << 4


I2C_BUS = 1
"""The bus on the header, on every Pi that has 40 pins."""


def open_i2c(bus: int, address: int) -> Serial:
    """Open the real display's I²C bus.

    Raises:
        DeviceError: if there is no such bus, or no permission yet.
        PermanentError: if there can't be such an address.
    """
    try:
        serial: Serial = i2c(port=bus, address=address)
    except luma.core.error.DeviceNotFoundError:
        raise DeviceError(
            f"there is no I²C bus {bus}: switch it on (firmware_config/config.txt says how), load the module i2c-dev, "
            "and restart"
        ) from None
    except luma.core.error.DevicePermissionError:
        raise DeviceError(
            f"I²C bus {bus} may not be opened: put the user that runs Companion into the group i2c, and restart"
        ) from None
    except luma.core.error.DeviceAddressError as error:
        raise PermanentError(f"the OLED's address is not right in wiring.toml: {error}") from None
    return serial


class _Readable:
    """Put over a luma driver: gives it pictures whose pixels it can read without the `getdata` that Pillow drops."""

    def preprocess(self, image: Image.Image) -> Image.Image:
        """Turn the picture as luma does, then give it a `getdata`."""
        made: Image.Image = super().preprocess(image)  # type: ignore[misc]
        if hasattr(made, "get_flattened_data"):
            made = made.copy() if made is image else made
            setattr(made, "getdata", made.get_flattened_data)  # noqa: B010 - a method, put in place of another
        return made


def _driver(kind: str) -> Foreign:
    return type(kind, (_Readable, getattr(luma.oled.device, kind)), {})


BRIGHT, DIM = 0xCF, 0x08
"""Contrast while something happens (luma's own), and after a while without."""
DIM_AFTER, DARK_AFTER = 600.0, 3600.0
"""Seconds after which a picture that stays is shown dimly, and then not at all: what stands for years burns in."""
_NOTHING, _OFF = 0xE3, 0xAE
"""The commands "no operation" and "display off", in both data sheets."""


class Oled(Service):
    """The display as a service: drawn only when changed, checked every few seconds, recovered when replugged.

    `open` gives a fresh serial interface (None: simulated). Every `refresh` seconds all is sent again, as lost power is
    not noticed. `show` takes a page of pictures, which take turns; `picture` is what it shows, or would. Unchanged for
    long it goes dim, then dark, until `renew` or a change.
    """

    def __init__(
        self,
        open_serial: Callable[[], Serial] | None = None,
        kind: str = "ssd1306",
        rotate: int = 0,
        *,
        beat: float = 2.0,
        each: float = 3.5,
        backoff: Backoff | None = None,
    ) -> None:
        """Create it: `rotate` in quarter turns (0 or 2), `beat` and `each` (of several pictures) in seconds."""
        super().__init__("oled", backoff=backoff)
        self._open = open_serial
        self._kind = kind
        self._rotate = rotate
        self._beat = beat
        self._each = each
        self._changed = threading.Condition()
        self._page: Page = (Image.new("1", (WIDTH, HEIGHT)),)
        self._index = 0
        self._turned = 0.0
        self._renew = False
        self._greeting: tuple[tuple[int, ...], ...] = ()
        self._refresh = inf
        self._greeted = self._clock()
        self._since = self._clock()
        self._light = BRIGHT
        self._driver: Foreign = None
        self._drawn: bytes | None = None
        self.serial = RecordingSerial(kind)

    @property
    def real(self) -> bool:
        """Whether there is a bus to open, rather than nothing but the picture."""
        return self._open is not None

    def open_with(self, open_serial: Callable[[], Serial], refresh: float = inf) -> None:
        """Set the function that opens a fresh serial interface; call it before the start."""
        self._open, self._refresh = open_serial, refresh

    def show(self, page: Page) -> None:
        """Set the page to show, without waiting. The same page again changes nothing."""
        with self._changed:
            if [image.tobytes() for image in page] == [image.tobytes() for image in self._page]:
                return
            self._page, self._index, self._turned = page, 0, self._clock()
            self._since = self._turned
            self._changed.notify_all()

    def renew(self) -> None:
        """Send everything again, for a display that went blank unnoticed (unplugged and back between two looks)."""
        with self._changed:
            self._renew = True
            self._since = self._clock()
            self._changed.notify_all()

    def picture(self) -> Image.Image:
        """Return the picture: rebuilt from the bytes sent while the display works, else the one it should show."""
        with self._changed:
            wanted = self._page[self._index]
            if not self.running or self._drawn is None or not self._light:
                return wanted
            sent = self.serial.picture()
        return sent.rotate(180) if self._rotate == 2 else sent

    def setup(self) -> None:
        """Open the bus, check that the display answers, and send luma's whole set-up sequence."""
        if self._kind not in TYPES:
            raise PermanentError(f'there is no OLED type "{self._kind}" in wiring.toml; there are: {", ".join(TYPES)}')
        self.serial = RecordingSerial(self._kind, self._open() if self._open else None)
        self._drawn = None
        self._light = BRIGHT
        with _spoken():
            # Ask before making the driver: luma keeps every driver it makes until the program ends.
            self.serial.command(_NOTHING)
            make = _driver(self._kind)
            self._driver = make.__new__(make)
            self._driver.__init__(self.serial, width=WIDTH, height=HEIGHT, rotate=self._rotate)
        # Without switching it off first, as the set-up does: that would be seen to flicker.
        self._greeting = tuple(sent[1:] if sent[0] == _OFF else sent for sent in self.serial.commands)
        self._greeted = self._clock()

    def run(self) -> None:
        """Draw the page when it changes; between changes, check every `beat` seconds that the display still answers."""
        while not self.stopping.is_set():
            with self._changed:
                renew, self._renew = self._renew or self._clock() - self._greeted >= self._refresh, False
                image, light = self._wanted(), self._wanted_light()
            with _spoken():
                if renew:
                    self._send_setup()
                self._set_brightness(light)
                self.step(image)
            with self._changed:
                if self._wanted() is image and not self._renew and not self.stopping.is_set():
                    self._changed.wait(self._pause())

    def step(self, image: Image.Image) -> None:
        """Draw a picture if it isn't shown yet, else send "display on", which fails if the display is gone."""
        wanted = image.tobytes()
        if wanted != self._drawn:
            self._driver.display(image)
            self._drawn = wanted
        elif self._light:
            self._driver.show()
        else:
            self.serial.command(_NOTHING)

    def _send_setup(self) -> None:
        """Send the set-up again, and have the picture drawn anew: a display that lost its power knows neither."""
        for command in self._greeting:
            self.serial.command(*command)
        self._light, self._drawn, self._greeted = BRIGHT, None, self._clock()

    def _set_brightness(self, light: int) -> None:
        if light == self._light:
            return
        if light:
            self._driver.contrast(light)
            self._driver.show()
        else:
            self._driver.hide()
        self._light = light

    def _wanted_light(self) -> int:
        still = self._clock() - self._since
        return BRIGHT if still < DIM_AFTER else DIM if still < DARK_AFTER else 0

    def teardown(self) -> None:
        """Switch the display off if it still listens, and close the bus."""
        driver, self._driver = self._driver, None
        try:
            if driver is not None and self.stopping.is_set():
                driver.hide()
        finally:
            self.serial.cleanup()
            if driver is not None:
                # luma's exit hook holds on to every driver (100 kB each): emptied, a display that comes and goes for a
                # year doesn't fill the memory, and nothing is sent to a closed bus at the end.
                driver.__dict__.clear()

    def wake(self) -> None:
        """Wake `run`."""
        with self._changed:
            self._changed.notify_all()

    def _wanted(self) -> Image.Image:
        if len(self._page) > 1 and self._clock() - self._turned >= self._each:
            self._index, self._turned = (self._index + 1) % len(self._page), self._clock()
        return self._page[self._index]

    def _pause(self) -> float:
        left = self._turned + self._each - self._clock()
        return min(self._beat, max(0.05, left)) if len(self._page) > 1 else self._beat


@contextmanager
def _spoken() -> Iterator[None]:
    try:
        yield
    except luma.core.error.DeviceDisplayModeError as error:
        raise PermanentError(f"the OLED can't be set up: {error}") from error
    except (luma.core.error.Error, OSError) as error:
        raise DeviceError(f"the OLED doesn't answer: check its four wires and its address ({error})") from error
