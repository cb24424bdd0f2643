"""The OLED through luma's real drivers: bytes counted, the picture rebuilt from them, unplugged and back."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from luma.core.interface.serial import i2c
from PIL import Image

from companion.devices.canvas import Page
from companion.devices.display_pages import scores, turn
from companion.devices.oled import BRIGHT, DARK_AFTER, DIM, DIM_AFTER, TYPES, Oled, RecordingSerial, Serial, open_i2c
from companion.devices.service import Backoff
from companion.devices.spi import SpiBus, open_oled
from tests.waiting import until

from .snapshots import snapshot


class Bus:
    """An SMBus with a display that can be unplugged, the way Linux tells it: I/O errors on every write."""

    def __init__(self, errno_: int = errno.EREMOTEIO) -> None:
        self.plugged = True
        self.errno = errno_
        self.sent = 0
        self.opened = 0

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        assert address == 0x3C
        assert len(data) <= 32
        if not self.plugged:
            raise OSError(self.errno, "Remote I/O error")
        self.sent += len(data) if register == 0x40 else 0

    def open(self) -> Serial:
        self.opened += 1
        serial: Serial = i2c(bus=self, address=0x3C)
        return serial


def noise(seed: int) -> Image.Image:
    bits = np.random.default_rng(seed).integers(0, 2, (64, 128), np.uint8) * 255
    return Image.fromarray(bits).convert("1", dither=Image.Dither.NONE)


def same(first: Image.Image, two: Image.Image) -> bool:
    return first.tobytes() == two.tobytes()


@contextmanager
def running(oled: Oled) -> Iterator[Oled]:
    oled.start()
    try:
        yield oled
    finally:
        oled.stop()


@pytest.mark.parametrize("kind", list(TYPES))
def test_the_picture_rebuilt_from_the_bytes_is_the_one_drawn(kind: str) -> None:
    oled = Oled(kind=kind)
    oled.setup()
    for seed in range(3):
        oled.step(noise(seed))
        assert same(oled.serial.picture(), noise(seed))
    (page,) = scores(snapshot())
    oled.step(page)
    assert same(oled.serial.picture(), page)


@pytest.mark.filterwarnings("error::DeprecationWarning")
@pytest.mark.parametrize("rotate", [0, 2])
def test_the_drivers_ask_for_pixels_in_a_way_that_stays(rotate: int) -> None:
    oled = Oled(rotate=rotate)
    oled.setup()
    oled.step(noise(1))
    assert same(oled.serial.picture(), noise(1).rotate(90 * rotate))


@pytest.mark.parametrize("kind", list(TYPES))
def test_a_frame_is_1024_data_bytes_and_the_set_up_clears_the_memory_once(kind: str) -> None:
    oled = Oled(kind=kind)
    oled.setup()
    assert oled.serial.data_bytes == 1024
    oled.step(noise(1))
    oled.step(noise(2))
    assert oled.serial.data_bytes == 3 * 1024
    assert oled.serial.frames == 3


def test_the_same_picture_is_not_sent_again() -> None:
    oled = Oled()
    oled.setup()
    for _ in range(5):
        oled.step(noise(1))
    assert oled.serial.frames == 2


def test_between_pictures_only_a_command_asks_whether_the_display_is_there() -> None:
    oled = Oled()
    oled.setup()
    oled.step(noise(1))
    before = len(oled.serial.commands), oled.serial.data_bytes
    oled.step(noise(1))
    assert (len(oled.serial.commands), oled.serial.data_bytes) == (before[0] + 1, before[1])
    assert oled.serial.commands[-1] == (0xAF,)


def test_luma_sends_the_set_up_of_the_data_sheet() -> None:
    oled = Oled()
    oled.setup()
    sent = [byte for command in oled.serial.commands for byte in command]
    assert sent[:2] == [0xE3, 0xAE]
    for wanted in ([0x8D, 0x14], [0x20, 0x00], [0xA8, 0x3F], [0xDA, 0x12]):  # charge pump, addressing, 64 rows, pins
        assert any(sent[n : n + 2] == wanted for n in range(len(sent)))
    assert sent[-1] == 0xAF


def test_the_recording_is_dark_while_the_display_is_off() -> None:
    serial = RecordingSerial()
    serial.data([0xFF] * 1024)
    assert serial.picture().getbbox() is None
    serial.command(0xAF)
    assert serial.picture().getbbox() == (0, 0, 128, 64)
    serial.command(0xAE)
    assert serial.picture().getbbox() is None


def test_the_recording_follows_windows_of_columns_and_pages() -> None:
    serial = RecordingSerial()
    serial.command(0xAF)
    serial.command(0x21, 10, 11, 0x22, 2, 3)
    serial.data([0x01, 0x80, 0xFF, 0x00])
    lit = {(int(x), int(y)) for y, x in np.argwhere(np.asarray(serial.picture().convert("L")))}
    assert lit == {(10, 16), (11, 23), *((10, y) for y in range(24, 32))}


def test_a_display_mounted_upside_down_gets_it_turned_and_the_browser_sees_it_upright() -> None:
    oled = Oled(rotate=2)
    oled.show((noise(4),))
    with running(oled):
        until(lambda: same(oled.serial.picture(), noise(4).rotate(180)))
        assert same(oled.picture(), noise(4))


def test_a_page_of_several_pictures_shows_them_in_turn() -> None:
    now = [0.0]
    oled = Oled(each=3.0)
    oled._clock = lambda: now[0]
    page: Page = (noise(1), noise(2))
    oled.show(page)
    shown = []
    for _ in range(4):
        shown.append(oled._wanted() is page[0])
        now[0] += 3.0
    assert shown == [True, False, True, False]


def test_the_same_page_again_does_not_start_it_over() -> None:
    now = [0.0]
    oled = Oled(each=3.0)
    oled._clock = lambda: now[0]
    oled.show((noise(1), noise(2)))
    now[0] = 3.0
    assert same(oled._wanted(), noise(2))
    oled.show((noise(1), noise(2)))
    assert same(oled.picture(), noise(2))


# ------------------------------------------------------------------------------------------------ faults of the display


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT])
def test_an_oled_unplugged_in_the_middle_comes_back_with_its_picture_by_itself(number: int) -> None:
    bus = Bus(number)
    oled = Oled(bus.open, beat=0.01, backoff=Backoff(0.01, 0.02))
    oled.show(turn(snapshot()))
    with running(oled):
        until(lambda: oled.running and bus.sent == 2048)
        bus.plugged = False
        until(lambda: oled.health.state == "waiting" and oled.health.failures > 2)
        assert "check its four wires" in oled.health.words
        after = turn(snapshot(waiting=(2,)))
        oled.show(after)
        assert same(oled.picture(), after[0])  # the browser goes on meanwhile
        sent = bus.sent
        bus.plugged = True
        until(lambda: oled.running and bus.sent >= sent + 2048)
        until(lambda: same(oled.serial.picture(), after[0]))


def test_an_oled_that_is_plugged_in_late_is_found() -> None:
    bus = Bus()
    bus.plugged = False
    oled = Oled(bus.open, beat=0.01, backoff=Backoff(0.01, 0.02))
    with running(oled):
        until(lambda: oled.health.failures > 1)
        bus.plugged = True
        until(lambda: oled.running)


def test_no_driver_is_made_for_a_display_that_does_not_answer() -> None:
    # luma's exit hook keeps every driver that was ever made; trying for a year must not fill the memory.
    bus = Bus()
    bus.plugged = False
    oled = Oled(bus.open)
    for _ in range(3):
        oled.attempt()
        assert oled._driver is None
    assert bus.opened == 3


def test_a_bus_that_is_not_there_is_a_fault_with_a_remedy_and_looked_for_again() -> None:
    oled = Oled(lambda: open_i2c(99, 0x3C))
    assert oled.attempt() < 60
    assert oled.health.state == "waiting"
    assert "bus 99" in oled.health.words
    assert "config.txt" in oled.health.words


def test_a_bus_without_permission_is_a_fault_with_a_remedy_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(port: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/dev/i2c-1")

    monkeypatch.setattr("smbus2.SMBus", refuse)
    oled = Oled(lambda: open_i2c(1, 0x3C))
    assert oled.attempt() < 60
    assert "group i2c" in oled.health.words


def test_an_unknown_type_is_a_permanent_fault_that_lists_the_known() -> None:
    oled = Oled(kind="ssd1306")
    oled._kind = "lcd2004"
    oled.attempt()
    assert oled.health.state == "broken"
    assert "ssd1306, ssd1309, sh1106" in oled.health.words


def test_stopping_switches_the_display_off() -> None:
    oled = Oled()
    with running(oled):
        until(lambda: oled.running)
    assert not oled.serial.lit


@pytest.mark.parametrize("kind", list(TYPES))
def test_renewing_sends_the_whole_set_up_and_the_picture_again(kind: str) -> None:
    """A display that lost its power for less than two seconds is blank, and nobody noticed."""
    oled = Oled(kind=kind)
    page = turn(snapshot())
    oled.show(page)
    with running(oled):
        until(lambda: same(oled.serial.picture(), page[0]))
        blank = RecordingSerial(kind)  # the same display, after its power came back
        oled.serial.onward = blank
        oled.renew()
        until(lambda: blank.lit and same(blank.picture(), page[0]))
        assert oled.health.failures == 0
        sent = {byte for command in blank.commands for byte in command}
        assert {0xA8, 0xDA} <= sent  # rows and pins: part of the set-up only


def test_a_display_that_nobody_missed_is_sent_everything_again_after_a_while() -> None:
    """On SPI nothing ever answers; on I²C two seconds pass between two looks."""
    now = [0.0]
    bus = Spi()
    oled = Oled(beat=0.01)
    oled._clock = lambda: now[0]
    oled.open_with(lambda: open_oled(bus.write, False, bus), 5.0)
    page = turn(snapshot())
    oled.show(page)
    with running(oled):
        until(lambda: same(oled.serial.picture(), page[0]))
        for _ in range(2):
            bus.sent.clear()
            now[0] += 5.0
            until(lambda: sum(len(data) for level, data in bus.sent if level) >= 1024)
            shown = RecordingSerial()  # the display, after its power was away
            sent = tuple(bus.sent)
            for level, data in sent:
                if level:
                    shown.data(data)
                else:
                    shown.command(*data)
            assert shown.lit
            assert same(shown.picture(), page[0])
            assert all(data[0] != 0xAE for level, data in sent if not level)


def test_what_stands_for_long_goes_dim_then_dark_and_comes_back_when_something_changes() -> None:
    now = [0.0]
    oled = Oled(beat=0.01)
    oled._clock = lambda: now[0]
    oled._since = 0.0
    oled.show((noise(1),))
    with running(oled):
        until(lambda: oled.serial.frames >= 2)
        for seconds, command in ((DIM_AFTER, (0x81, DIM)), (DARK_AFTER, (0xAE,))):
            now[0] = seconds
            until(lambda: command in oled.serial.commands)  # noqa: B023
        until(lambda: not oled.serial.lit)
        assert same(oled.picture(), noise(1))  # the browser goes on showing it
        oled.show((noise(2),))
        until(lambda: oled.serial.lit and same(oled.serial.picture(), noise(2)))
        assert (0x81, BRIGHT) in oled.serial.commands


def test_a_dark_display_is_still_asked_whether_it_is_there() -> None:
    bus = Bus()
    oled = Oled(bus.open, beat=0.01, backoff=Backoff(0.01, 0.02))
    now = [0.0]
    oled._clock = lambda: now[0]
    oled._since = 0.0
    with running(oled):
        until(lambda: oled.running)
        now[0] = DARK_AFTER
        until(lambda: not oled.serial.lit)
        bus.plugged = False
        until(lambda: oled.health.state == "waiting")


# ------------------------------------------------------------------------------------------------------- over SPI


class Spi:
    """A spidev that keeps what is written, each with the level that the DC line has then."""

    def __init__(self) -> None:
        self.max_speed_hz = 0
        self.lines: dict[str, float] = {}
        self.changes: list[tuple[str, float]] = []
        self.sent: list[tuple[float, bytes]] = []
        self.plugged = True
        self.closed = False

    def write(self, name: str, value: float) -> None:
        self.lines[name] = value
        self.changes.append((name, value))

    def open(self, port: int, device: int) -> None:
        assert (port, device) == (0, 0)

    def writebytes(self, data: Sequence[int]) -> None:
        assert len(data) <= 4096
        if not self.plugged:
            raise OSError(errno.EIO, "Input/output error")
        self.sent.append((self.lines["oled-dc"], bytes(data)))

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("kind", list(TYPES))
def test_over_spi_the_dc_line_tells_commands_from_pictures(kind: str) -> None:
    bus = Spi()
    oled = Oled(lambda: open_oled(bus.write, True, bus), kind)
    oled.setup()
    assert bus.changes[:2] == [("oled-reset", 0.0), ("oled-reset", 1.0)]
    assert bus.max_speed_hz == 8_000_000
    oled.step(noise(5))
    shown = RecordingSerial(kind)
    for level, data in bus.sent:
        if level:
            shown.data(data)
        else:
            shown.command(*data)
    assert same(shown.picture(), noise(5))
    oled.teardown()
    assert bus.closed


def test_without_a_reset_line_none_is_set() -> None:
    bus = Spi()
    Oled(lambda: open_oled(bus.write, False, bus)).setup()
    assert {name for name, _ in bus.changes} == {"oled-dc"}


def test_an_spi_that_fails_is_tried_again_and_the_picture_comes_back() -> None:
    bus = Spi()
    oled = Oled(lambda: open_oled(bus.write, True, bus), beat=0.01, backoff=Backoff(0.01, 0.02))
    page = turn(snapshot())
    oled.show(page)
    with running(oled):
        until(lambda: oled.running)
        bus.plugged = False
        until(lambda: oled.health.failures > 1)
        bus.plugged = True
        bus.sent.clear()
        until(lambda: oled.running and same(oled.serial.picture(), page[0]))
        assert sum(len(data) for level, data in bus.sent if level) >= 2048


def test_no_spi_bus_is_a_fault_with_a_remedy_and_looked_for_again(tmp_path: Path) -> None:
    oled = Oled(lambda: open_oled(Spi().write, True, SpiBus(str(tmp_path / "spidev0.0"))))
    assert oled.attempt() < 60
    assert "companion wiring --config" in oled.health.words


def test_the_bus_sets_mode_and_speed_and_writes_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "spidev0.0"
    path.write_bytes(b"")
    asked: list[tuple[int, bytes]] = []
    monkeypatch.setattr("fcntl.ioctl", lambda handle, request, value: asked.append((request, value)))
    bus = SpiBus(str(path))
    bus.open()
    bus.max_speed_hz = 2_400_000
    bus.writebytes([1, 2, 255])
    bus.close()
    bus.close()
    # SPI_IOC_WR_MODE and SPI_IOC_WR_MAX_SPEED_HZ: _IOW('k', 1, __u8) and _IOW('k', 4, __u32).
    assert asked == [
        (1 << 30 | 1 << 16 | ord("k") << 8 | 1, b"\0"),
        (1 << 30 | 4 << 16 | ord("k") << 8 | 4, (2_400_000).to_bytes(4, sys.byteorder)),
    ]
    assert path.read_bytes() == b"\x01\x02\xff"
    with pytest.raises(OSError, match="not open"):
        bus.writebytes([1])
