"""The Pi's SPI bus: bytes out through /dev/spidev, by two ioctls and `write` (the library spidev needs a compiler)."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import luma.core.error
from luma.core.interface.serial import spi

from companion.devices.service import DeviceError
from companion.untyped import Foreign

DEVICE = "/dev/spidev0.0"
"""Bus 0, chip select 0: the one on the header."""
_WR_MODE, _WR_MAX_SPEED = 0x40016B01, 0x40046B04
"""SPI_IOC_WR_MODE and SPI_IOC_WR_MAX_SPEED_HZ of linux/spi/spidev.h."""
MOST = 4096
"""The most bytes that spidev takes at once (its `bufsiz`)."""
OLED_HERTZ = 8_000_000


class SpiBus:
    """Bytes out, as luma wants it (the methods of spidev's `SpiDev` that it calls)."""

    def __init__(self, path: str = DEVICE) -> None:
        self._path = path
        self._handle: int | None = None
        self._hertz = 0

    def open(self, port: int = 0, device: int = 0) -> None:
        """Open the bus in mode 0; raise OSError if there is none, or no permission."""
        self.close()
        self._handle = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        self._set(_WR_MODE, struct.pack("B", 0))

    @property
    def max_speed_hz(self) -> int:
        """Bits a second."""
        return self._hertz

    @max_speed_hz.setter
    def max_speed_hz(self, hertz: int) -> None:
        self._hertz = hertz
        self._set(_WR_MAX_SPEED, struct.pack("I", hertz))

    def writebytes(self, data: Sequence[int]) -> None:
        """Send bytes in one go, `MOST` at most; raise OSError if the bus refuses, or takes only a part."""
        if self._handle is None:
            raise OSError("the SPI bus is not open")
        sent = os.write(self._handle, bytes(data))
        if sent != len(data):
            raise OSError(f"the SPI bus took {sent} of {len(data)} bytes")

    def close(self) -> None:
        """Release the bus."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _set(self, request: int, value: bytes) -> None:
        if self._handle is not None:
            fcntl.ioctl(self._handle, request, value)


class _Lines:
    """The display's DC and reset lines as luma wants them: the methods and numbers of RPi.GPIO that it calls."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, write: Callable[[str, float], None]) -> None:
        self._write = write

    def setup(self, pin: str, mode: int) -> None:
        """Do nothing: the board has opened the line already."""

    def output(self, pin: str, value: int) -> None:
        """Set a line; it has its level when this returns."""
        self._write(pin, float(value))

    def cleanup(self, pins: Iterable[str]) -> None:
        """Do nothing: the lines belong to the board."""


class SpiSerial(spi):  # type: ignore[misc]
    """luma's serial interface over SPI, that also takes what isn't a list."""

    def data(self, data: Iterable[int]) -> None:
        """Send bytes for the display's memory."""
        super().data(list(data))


def open_oled(write: Callable[[str, float], None], reset: bool, bus: Foreign = None) -> SpiSerial:
    """Open a display on the SPI bus; `write` sets the lines "oled-dc" and, with `reset`, "oled-reset".

    Raises:
        DeviceError: if there is no such bus, no permission yet, or the lines can't be set now.
    """
    try:
        return SpiSerial(
            spi=bus or SpiBus(),
            gpio=_Lines(write),
            bus_speed_hz=OLED_HERTZ,
            transfer_size=MOST,
            gpio_DC="oled-dc",
            gpio_RST="oled-reset" if reset else None,
            # The data sheets want 3 µs and a moment; this is plenty.
            reset_hold_time=0.001,
            reset_release_time=0.01,
        )
    except (luma.core.error.DeviceNotFoundError, OSError) as error:
        raise fault(error, "the OLED") from None


def fault(error: Exception, whose: str) -> DeviceError:
    """Return an error on opening the bus as one sentence with its remedy."""
    if isinstance(error, luma.core.error.DeviceNotFoundError | FileNotFoundError):
        return DeviceError(
            f"there is no SPI bus for {whose}: `companion wiring --config` gives the lines for config.txt; restart then"
        )
    if isinstance(error, PermissionError):
        return DeviceError(
            f"the SPI bus for {whose} may not be opened: put the user that runs Companion into the group spi, and "
            "restart"
        )
    return DeviceError(f"the SPI bus for {whose} fails ({error})")


def there(path: str = DEVICE) -> bool:
    """Return whether this computer has the bus."""
    return Path(path).exists()
