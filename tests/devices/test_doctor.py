"""The doctor: every check finds something to say, says what to do, and never breaks."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from companion.appliance.settings import Settings, check_voice, write
from companion.cli.main import cli
from companion.devices import doctor
from companion.devices.doctor import FAIL, OK, WARN, Finding, fit, run_checks
from companion.devices.pins import Plan
from companion.devices.service import PermanentError
from companion.devices.vitals import Mount, Wear


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("COMPANION_DEVICES", raising=False)


def test_every_check_runs_here_and_what_is_not_well_says_what_to_do() -> None:
    findings = run_checks()
    assert [finding.name for finding in findings] == [
        "python",
        "files",
        "state folder",
        "card",
        "zxing-cpp",
        "zbar",
        "camera",
        "wiring",
        "oled",
        "ring",
        "pins",
        "power",
        "heat",
        "network",
        "clock",
    ]
    for finding in findings:
        assert finding.state in (OK, WARN, FAIL)
        assert finding.words
        assert finding.remedy or finding.state == OK


def test_whether_the_box_can_speak_is_told_once_it_is_asked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (check_voice().state, check_voice().remedy) == (OK, "")
    (tmp_path / "state").mkdir()
    write(Settings(voice=1))
    assert (check_voice().state, check_voice().remedy) == (WARN, "sudo apt install espeak-ng")
    (tmp_path / "espeak-ng").touch(0o755)
    assert check_voice().state == OK


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
    monkeypatch.setattr(doctor, "video_devices", dict)
    monkeypatch.setattr(doctor, "on_a_pi", lambda: False)
    assert doctor.camera().state == WARN
    monkeypatch.setenv("COMPANION_DEVICES", "real")
    assert doctor.camera().state == FAIL


def test_a_pis_codecs_are_not_taken_for_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"video10": "bcm2835-codec-decode", "video13": "bcm2835-isp-output0", "video20": "pispbe-input"}
    monkeypatch.setattr(doctor, "video_devices", lambda: known)
    monkeypatch.setattr(doctor, "on_a_pi", lambda: False)
    assert doctor.camera().state == WARN
    known["video0"] = "HD Pro Webcam C920"
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


def test_a_pin_that_is_busy_is_held_by_our_own_service_or_by_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    class Board:
        def open(self, plan: Plan, edge: object) -> dict[str, str]:
            return {"buzzer": "pin 18 can't be used: error: 'GPIO busy'"}

        def close(self) -> None:
            pass

    said: dict[str, str | None] = {"active": "inactive\n"}
    monkeypatch.setattr(doctor, "find", lambda: "child")
    monkeypatch.setattr(doctor, "ChildBoard", Board)
    monkeypatch.setattr(doctor.vitals, "ask", lambda *command: said["active"])
    assert (doctor.pins().state, "GPIO busy" in doctor.pins().words) == (WARN, True)
    said["active"] = "active\n"
    assert (doctor.pins().state, doctor.pins().words) == (OK, "held by Companion, which is running as a service")


def test_without_a_network_phones_can_not_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "hotspot", lambda: None)
    monkeypatch.setattr(doctor, "own_address", lambda: None)
    assert doctor.network().state == WARN
    monkeypatch.setattr(doctor, "own_address", lambda: "169.254.7.7")
    assert doctor.network().state == WARN
    monkeypatch.setattr(doctor, "own_address", lambda: "192.168.1.5")
    assert doctor.network().state == OK


def test_its_own_wi_fi_is_a_network_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "own_address", lambda: None)
    monkeypatch.setattr(doctor, "hotspot", lambda: "Table 7")
    found = doctor.network()
    assert (found.state, found.words) == (OK, 'its own Wi-Fi "Table 7" is on')


def test_a_hotspot_is_told_from_a_wi_fi_that_was_joined() -> None:
    shown = {"a1": "infrastructure\nHome", "b2": "ap\nTable\\: 7"}

    def nmcli(*command: str) -> str | None:
        assert command[0] == "nmcli"
        return (
            "e3:802-3-ethernet\na1:802-11-wireless\nb2:802-11-wireless" if "--active" in command else shown[command[-1]]
        )

    assert doctor.hotspot(nmcli) == "Table: 7"
    shown["b2"] = "infrastructure\nCafé"
    assert doctor.hotspot(nmcli) is None
    assert doctor.hotspot(lambda *command: None) is None


@pytest.mark.parametrize(
    ("word", "milliamperes", "state", "words"),
    [
        (None, None, OK, "doesn't say"),
        (0, None, OK, "never too low"),
        (0, 5000, OK, "never too low"),
        (0, 3000, WARN, "promises 3 A"),
        (0x10000, 5000, WARN, "at least once since the start"),
        (0x10001, 5000, FAIL, "too low at this moment"),
    ],
)
def test_power(
    word: int | None, milliamperes: int | None, state: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor.vitals, "throttled", lambda run: word)
    monkeypatch.setattr(doctor.vitals, "supply", lambda: milliamperes)
    found = doctor.power()
    assert found.state == state
    assert words in found.words
    assert ("supply made for this Pi" in found.remedy) is (state != OK)


@pytest.mark.parametrize(
    ("degrees", "word", "state"),
    [
        (None, None, OK),
        (45.0, 0, OK),
        (75.0, 0, WARN),
        (81.0, 0, FAIL),
        (60.0, 8, FAIL),
        (60.0, 0x80000, WARN),
    ],
)
def test_heat(degrees: float | None, word: int | None, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.vitals, "temperature", lambda: degrees)
    monkeypatch.setattr(doctor.vitals, "throttled", lambda run: word)
    assert doctor.heat().state == state


@pytest.mark.parametrize(
    ("mount", "worn", "state", "words"),
    [
        (None, Wear(), OK, "doesn't say"),
        (Mount("/dev/mmcblk0p2", "ext4", False), Wear(), OK, "/dev/mmcblk0p2 (ext4)"),
        (Mount("/dev/mmcblk0p2", "ext4", False), Wear(0, 12.4, None), OK, "12 GB written in its life, no errors"),
        (Mount("/dev/mmcblk0p2", "ext4", True), Wear(), FAIL, "read-only"),
        (Mount("/dev/mmcblk0p2", "ext4", False), Wear(errors=2), FAIL, "2 errors"),
        (Mount("/dev/mmcblk0p2", "ext4", False), Wear(used=90), WARN, "90 % worn"),
        (Mount("/dev/mmcblk0p2", "ext4", False), Wear(used=30), OK, "30 % worn"),
    ],
)
def test_the_card(mount: Mount | None, worn: Wear, state: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.vitals, "mount_of", lambda folder: mount)
    monkeypatch.setattr(doctor.vitals, "wear", lambda mount: worn)
    found = doctor.card()
    assert found.state == state
    assert words in found.words
    assert ("change the card" in found.remedy) is (state != OK)


def test_a_folder_that_forgets_is_no_place_for_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.vitals, "mount_of", lambda folder: Mount("overlay", "overlay", False))
    found = doctor.card()
    assert (found.state, "a restart forgets every match" in found.words) == (FAIL, True)
    assert "raspi-config" in found.remedy


@pytest.mark.parametrize(
    ("set_", "battery", "state"), [(True, False, OK), (None, False, OK), (False, False, WARN), (False, True, OK)]
)
def test_a_clock_that_no_time_server_has_set(
    set_: bool | None, battery: bool, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor.vitals, "synchronised", lambda: set_)
    monkeypatch.setattr(doctor.vitals, "keeps_time", lambda: battery)
    assert doctor.clock().state == state


def test_parts_on_spi_can_only_be_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "firmware_config").mkdir()
    toml = tmp_path / "firmware_config" / "wiring.toml"
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr(doctor.spi, "DEVICE", str(tmp_path / "spidev0.0"))
    for text, check in (('[oled]\nbus = "spi"\ndc = 25', doctor.oled), ("[ring]\nleds = 16", doctor.ring)):
        toml.write_text(text)
        (tmp_path / "spidev0.0").unlink(missing_ok=True)
        assert check().state == WARN
        assert "companion wiring --config" in check().remedy
        (tmp_path / "spidev0.0").touch()
        assert check().state == OK


def test_the_command_prints_findings_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "run_checks", lambda checks: [Finding("power", FAIL, "too low", "Another supply.")])
    done = CliRunner().invoke(cli, ["doctor", "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {
        "fit": False,
        "findings": [{"name": "power", "state": "fail", "words": "too low", "remedy": "Another supply."}],
    }
    done = CliRunner().invoke(cli, ["doctor"])
    assert done.exit_code == 1
    assert "Another supply." in done.stdout


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
