"""The whole set: built by name, shown a match, pressed, and going on when a part fails."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.devices import device_manager, display_pages
from companion.devices.device_manager import Devices, build
from companion.devices.display_pages import Invitation
from companion.devices.oled import Oled
from companion.devices.pins import SimulatedBoard
from companion.devices.service import DeviceError
from companion.devices.wiring import Wiring, load
from companion.referee.commands import Answer, Done, Undo
from companion.referee.snapshot import Choice, Question, Violation

from .snapshots import snapshot
from .test_oled import until

URL = "HTTP://10.42.0.1/J3K9"
QUESTION = Question("q1", "finished", "Finished?", (1,), (Choice("yes", "Finished"), Choice("no", "No")))


@pytest.fixture
def desk() -> Iterator[Devices]:
    devices = build("simulated", invitation=Invitation(URL))
    devices.start()
    yield devices
    devices.close()


def shows(devices: Devices, page: display_pages.Page) -> None:
    """Wait until the OLED was sent this page."""
    until(lambda: devices.oled.serial.picture().tobytes() == page[0].tobytes())


def test_it_invites_then_shows_the_match(desk: Devices) -> None:
    shows(desk, display_pages.join(URL))
    desk.show(snapshot())
    shows(desk, display_pages.turn(snapshot()))
    picture = Image.open(io.BytesIO(desk.oled_png(3)))
    assert picture.size == (384, 192)
    assert (
        picture.resize((128, 64), Image.Resampling.NEAREST).convert("1").tobytes()
        == display_pages.turn(snapshot())[0].tobytes()
    )


def test_the_lights_and_the_buzzer_follow_the_match(desk: Devices) -> None:
    assert isinstance(desk.board, SimulatedBoard)
    board = desk.board
    desk.show(snapshot(violation=Violation("illegal", "F7", "No.", "Back.")))
    until(lambda: ("attention", 1.0) in board.written and ("turn", 1.0) in board.written)
    until(lambda: ("buzzer", 880.0) in board.written)


def test_muted_the_lights_go_on(desk: Devices) -> None:
    assert isinstance(desk.board, SimulatedBoard)
    board = desk.board
    desk.mute(True)
    desk.show(snapshot())
    until(lambda: ("turn", 1.0) in board.written)
    assert not [value for name, value in board.written if name == "buzzer" and value]


def test_the_page_button_turns_pages_and_a_new_occasion_turns_back(desk: Devices) -> None:
    desk.show(snapshot())
    shows(desk, display_pages.turn(snapshot()))
    desk.press("page")
    shows(desk, display_pages.scores(snapshot()))
    desk.show(snapshot(version=2))
    desk.press("page")
    shows(desk, display_pages.join(URL))
    desk.show(snapshot(waiting=(2,)))
    shows(desk, display_pages.turn(snapshot(waiting=(2,))))


def test_a_page_begun_earlier_is_not_shown_over_a_later_one(desk: Devices, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match's news is being drawn while somebody turns the page: the page turned to stays."""
    desk.show(snapshot())
    shows(desk, display_pages.turn(snapshot()))
    drawing, pressed = threading.Event(), threading.Event()
    shown: list[display_pages.Page] = []
    draw = display_pages.draw

    def slowly(name: str, *rest: Any) -> display_pages.Page:
        if name == "turn":
            drawing.set()
            pressed.wait(0.3)
        return draw(name, *rest)

    monkeypatch.setattr(device_manager, "draw", slowly)
    monkeypatch.setattr(desk.oled, "show", shown.append)
    desk.show(snapshot(version=2))
    assert drawing.wait(10)
    desk.on_button = lambda press: pressed.set()
    desk.press("page")
    until(lambda: len(shown) == 2)
    assert shown[-1][0].tobytes() == display_pages.scores(snapshot())[0].tobytes()


def test_presses_reach_the_listener_with_their_meaning(desk: Devices) -> None:
    got: list[tuple[str, object]] = []
    desk.on_button = lambda press: got.append((press, desk.command(press)))
    desk.show(snapshot())
    shows(desk, display_pages.turn(snapshot()))
    for press in ("next", "page", "undo", "undo:hold"):
        desk.press(press)
    until(lambda: len(got) == 4)
    assert got == [
        ("next", Done(seat=0, by="button")),
        ("page", None),
        ("undo", None),
        ("undo:hold", Undo(by="button")),
    ]


def test_a_listener_that_fails_does_not_stop_the_pages(desk: Devices) -> None:
    def fail(press: str) -> None:
        raise RuntimeError

    desk.on_button = fail
    desk.show(snapshot())
    shows(desk, display_pages.turn(snapshot()))
    desk.press("page")
    shows(desk, display_pages.scores(snapshot()))


def test_a_button_that_is_not_there_is_refused(desk: Devices) -> None:
    with pytest.raises(ValueError, match="no button"):
        desk.press("fire")


def test_next_does_not_answer_a_question_that_came_up_that_very_moment() -> None:
    now = [100.0]
    devices = Devices(Oled(), SimulatedBoard(), load(), Invitation(), clock=lambda: now[0])
    devices._follow(snapshot())
    now[0] += 0.1
    assert devices.command("next") == Done(seat=0, by="button")
    devices._follow(snapshot(question=QUESTION))
    now[0] += 0.3
    assert devices.command("next") is None
    now[0] += 0.4
    assert devices.command("next") == Answer(by="button", question="q1", choice="yes")


def test_a_page_that_was_not_shown_yet_is_no_reason_to_wait() -> None:
    devices = Devices(Oled(), SimulatedBoard(), Wiring(), Invitation())
    for _ in range(1000):
        devices.show(snapshot())  # nothing was started: nobody takes them
    assert devices.oled_png()


def test_pins_that_are_gone_do_not_stop_the_oled(caplog: pytest.LogCaptureFixture) -> None:
    class Gone(SimulatedBoard):
        def open(self, plan: object, edge: object) -> dict[str, str]:  # type: ignore[override]
            raise DeviceError("the pins' process ended")

    devices = Devices(Oled(), Gone(), load(), Invitation(URL))
    with caplog.at_level(logging.WARNING):
        devices.start()
        devices.show(snapshot())
        shows(devices, display_pages.turn(snapshot()))
        until(lambda: {health.name: health.state for health in devices.health()}["pins"] == "waiting")
    devices.close()
    assert "pins: the pins' process ended" in caplog.text
    assert {health.state for health in devices.health()} == {"off"}


def test_closing_leaves_every_output_off(desk: Devices) -> None:
    assert isinstance(desk.board, SimulatedBoard)
    board = desk.board
    desk.show(snapshot(owed=("Draw",)))
    until(lambda: ("turn", 1.0) in board.written)
    desk.close()
    assert set(board.levels.values()) == {0.0}
    assert not desk.oled.serial.lit


# ----------------------------------------------------------------------------------------------------------- building


def test_auto_warns_of_every_part_that_it_has_to_simulate(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(device_manager, "find", lambda: None)
    monkeypatch.setattr(device_manager, "Path", lambda path: Path("/nonexistent"))
    monkeypatch.delenv("COMPANION_DEVICES", raising=False)
    devices = build()
    assert isinstance(devices.board, SimulatedBoard)
    assert "no I²C bus" in caplog.text
    assert "no GPIO pins" in caplog.text


def test_on_a_pi_a_display_whose_bus_is_not_there_yet_is_looked_for_at_every_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(device_manager, "Path", lambda path: Path("/nonexistent"))
    monkeypatch.delenv("COMPANION_DEVICES", raising=False)
    looks = {}
    for pi in (True, False):
        monkeypatch.setattr(device_manager, "on_a_pi", lambda pi=pi: pi)
        looks[pi] = build().oled._open is not None
    assert looks == {True: True, False: False}


def test_simulated_does_not_warn(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    build()
    assert caplog.text == ""


def test_real_never_simulates_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_manager, "find", lambda: None)
    devices = build("real")
    assert not isinstance(devices.board, SimulatedBoard)
    assert devices.oled._open is not None


def test_an_unknown_choice_is_refused_with_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "imaginary")
    with pytest.raises(ValueError, match="simulated, real, auto"):
        build()


def test_a_wiring_that_can_not_be_is_told_and_the_match_is_played_without_lights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "firmware_config").mkdir()
    (tmp_path / "firmware_config" / "wiring.toml").write_text("[buttons]\nnext = 17\npage = 17\n")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    devices = build("real")
    assert isinstance(devices.board, SimulatedBoard)
    assert "can't both use GPIO 17" in caplog.text


@pytest.mark.parametrize("name", ["فاطمة", "สมชาย", "नीना", "😀"])
def test_who_has_a_letter_that_the_display_lacks_is_called_by_the_seat(desk: Devices, name: str) -> None:
    desk.show(snapshot(names={1: name}, headline=f"{name} draws"))
    shows(desk, display_pages.turn(snapshot(names={1: "Seat 1"}, headline="Seat 1 draws")))
