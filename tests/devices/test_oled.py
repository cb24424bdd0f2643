"""The OLED through luma's real drivers: bytes counted, the picture rebuilt from them, unplugged and back."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from luma.core.interface.serial import i2c
from PIL import Image

from companion.devices.oled import Oled, RecordingSerial, Serial, open_i2c
from companion.devices.pages import Page, scores, turn
from companion.devices.service import Backoff, PermanentError

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


def same(one: Image.Image, two: Image.Image) -> bool:
    return one.tobytes() == two.tobytes()


@contextmanager
def running(oled: Oled) -> Iterator[Oled]:
    oled.start()
    try:
        yield oled
    finally:
        oled.stop()


def until(true: Callable[[], bool]) -> None:
    """Wait for something that happens in another thread; a test that waits in vain fails."""
    pause = threading.Event()
    for _ in range(1000):
        if true():
            return
        pause.wait(0.01)
    raise AssertionError("it did not happen")


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
def test_the_picture_rebuilt_from_the_bytes_is_the_one_drawn(kind: str) -> None:
    oled = Oled(kind=kind)
    oled.setup()
    for seed in range(3):
        oled.step(noise(seed))
        assert same(oled.serial.picture(), noise(seed))
    (page,) = scores(snapshot())
    oled.step(page)
    assert same(oled.serial.picture(), page)


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
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


def test_a_bus_that_is_not_there_is_a_permanent_fault_with_a_remedy() -> None:
    oled = Oled(lambda: open_i2c(99, 0x3C))
    oled.attempt()
    assert oled.health.state == "broken"
    assert "bus 99" in oled.health.words
    assert "config.txt" in oled.health.words


def test_a_bus_without_permission_is_a_permanent_fault_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(port: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/dev/i2c-1")

    monkeypatch.setattr("smbus2.SMBus", refuse)
    with pytest.raises(PermanentError, match="group i2c"):
        open_i2c(1, 0x3C)


def test_an_unknown_type_is_a_permanent_fault_that_lists_the_known() -> None:
    oled = Oled(kind="ssd1306")
    oled._kind = "lcd2004"
    oled.attempt()
    assert oled.health.state == "broken"
    assert "ssd1306, sh1106" in oled.health.words


def test_stopping_switches_the_display_off() -> None:
    oled = Oled()
    with running(oled):
        until(lambda: oled.running)
    assert not oled.serial.lit


def test_renewing_sends_the_set_up_again() -> None:
    bus = Bus()
    oled = Oled(bus.open, beat=0.01, backoff=Backoff(0.01, 0.02))
    with running(oled):
        until(lambda: oled.running and bus.opened == 1)
        oled.renew()
        until(lambda: oled.running and bus.opened == 2)
