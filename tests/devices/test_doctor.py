"""The doctor: every check finds something to say, says what to do, and never breaks."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from companion.devices import doctor
from companion.devices.doctor import FAIL, OK, WARN, Finding, fit, run_checks
from companion.devices.pins import Plan
from companion.devices.service import PermanentError


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("COMPANION_DEVICES", raising=False)


def test_every_check_runs_here_and_what_is_not_well_says_what_to_do() -> None:
    findings = run_checks()
    assert [finding.name for finding in findings] == [
        "python", "files", "state folder", "zxing-cpp", "zbar", "camera", "wiring", "oled", "pins", "network", "clock",
    ]  # fmt: skip
    for finding in findings:
        assert finding.state in (OK, WARN, FAIL)
        assert finding.words
        assert finding.remedy or finding.state == OK


def test_a_check_that_breaks_is_a_finding() -> None:
    def broken() -> Finding:
        raise RuntimeError("odd computer")

    (finding,) = run_checks((broken,))
    assert (finding.name, finding.state) == ("broken", WARN)
    assert "odd computer" in finding.words


def test_only_a_failure_makes_it_unfit() -> None:
    assert fit([Finding("a", OK, ""), Finding("b", WARN, "")])
    assert not fit([Finding("a", OK, ""), Finding("b", FAIL, "")])


def test_a_state_folder_that_can_not_be_written_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "file" / "below"))
    finding = doctor.disk()
    assert finding.state == FAIL
    assert "COMPANION_STATE" in finding.remedy


@pytest.mark.parametrize(("free", "state"), [(10e6, FAIL), (100e6, WARN), (10e9, OK)])
def test_a_full_disk_is_told_in_time(free: float, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        def __init__(self) -> None:
            self.free = free

    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda folder: Usage())
    assert doctor.disk().state == state


def test_a_clashing_wiring_fails_with_the_clash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "firmware_config").mkdir()
    (tmp_path / "firmware_config" / "wiring.toml").write_text("[leds]\nturn = 7\nattention = 7\n")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert doctor.wiring().state == FAIL
    assert "GPIO 7" in doctor.wiring().words
    assert doctor.oled().state == WARN


def test_a_missing_camera_warns_and_fails_only_for_who_asked_for_real_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing:
        def __init__(self, path: str) -> None:
            pass

        def glob(self, pattern: str) -> list[Path]:
            return []

    monkeypatch.setattr(doctor, "Path", Nothing)
    monkeypatch.setattr(doctor, "on_a_pi", lambda: False)
    assert doctor.camera().state == WARN
    monkeypatch.setenv("COMPANION_DEVICES", "real")
    assert doctor.camera().state == FAIL


def test_a_pis_codecs_are_not_taken_for_cameras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in ((10, "bcm2835-codec-decode"), (13, "bcm2835-isp-output0"), (20, "pispbe-input")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(name + "\n")
    monkeypatch.setattr(doctor, "Path", lambda path: tmp_path)
    monkeypatch.setattr(doctor, "on_a_pi", lambda: False)
    assert doctor.camera().state == WARN
    (tmp_path / "video0").mkdir()
    (tmp_path / "video0" / "name").write_text("HD Pro Webcam C920\n")
    found = doctor.camera()
    assert (found.state, found.words) == (OK, "video0 (HD Pro Webcam C920)")


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        (None, OK, "a ssd1306 answers at 0x3C on bus 1"),
        (OSError(errno.EREMOTEIO, "Remote I/O error"), WARN, "nothing answers at 0x3C on bus 1"),
        (PermissionError(errno.EACCES, "no"), WARN, "may not be opened"),
    ],
)
def test_the_oled_is_asked_at_its_address(
    answer: OSError | None, state: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bus:
        def __init__(self, number: int) -> None:
            assert number == 1

        def __enter__(self) -> Bus:
            return self

        def __exit__(self, *error: Any) -> None:
            pass

        def read_byte(self, address: int) -> int:
            assert address == 0x3C
            if answer:
                raise answer
            return 0

    monkeypatch.setattr("smbus2.SMBus", Bus)
    monkeypatch.setattr(doctor, "Path", lambda path: Path("/"))
    found = doctor.oled()
    assert found.state == state
    assert words in found.words


def test_pins_that_the_system_has_not_are_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    class Board:
        def open(self, plan: Plan, edge: object) -> dict[str, str]:
            raise PermanentError("install python3-gpiozero")

        def close(self) -> None:
            pass

    monkeypatch.setattr(doctor, "find", lambda: "child")
    monkeypatch.setattr(doctor, "ChildBoard", Board)
    assert doctor.pins().state == WARN
    assert "install python3-gpiozero" in doctor.pins().words


def test_without_a_network_phones_can_not_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "own_address", lambda: None)
    assert doctor.network().state == WARN
    monkeypatch.setattr(doctor, "own_address", lambda: "169.254.7.7")
    assert doctor.network().state == WARN
    monkeypatch.setattr(doctor, "own_address", lambda: "192.168.1.5")
    assert doctor.network().state == OK


def test_a_clock_from_before_the_installation_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Past:
        def __init__(self, path: str) -> None:
            pass

        def stat(self) -> Any:
            return type("Stat", (), {"st_mtime": 4_000_000_000.0})

    monkeypatch.setattr(doctor, "Path", Past)
    assert doctor.clock().state == WARN


def test_without_any_reader_it_fails_but_one_of_two_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "zxingcpp", None)
    assert doctor.zxing().state == WARN
    monkeypatch.setattr(doctor, "_zbar_loads", lambda: False)
    assert doctor.zxing().state == FAIL
    assert doctor.zbar().state == WARN
