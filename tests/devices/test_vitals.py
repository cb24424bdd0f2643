"""Power, heat, card and clock, from made-up files as Linux writes them; and the watch that tells of them slowly."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.devices import vitals
from companion.devices.vitals import HealthIssue, Mount, Watch, Wear, health_issues


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def put(root: Path, name: str, text: str | bytes) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def answers(**told: str) -> object:
    """A system whose programs answer so; those not named are not installed."""
    return lambda *command, **_: told.get(command[0])


PI_4 = "sys/devices/platform/soc/soc:firmware/get_throttled"
PI_5 = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        (PI_4, "0\n", 0),
        (PI_4, "50005\n", 0x50005),
        (PI_5, "0x1\n", 1),
        (PI_4, "rubbish", None),
    ],
)
def test_the_firmwares_word(root: Path, path: str, text: str, word: int | None) -> None:
    put(root, path, text)
    assert vitals.throttled(root) == word


def test_without_the_firmwares_file_the_voltage_alarm_is_read_then_the_program_is_asked(root: Path) -> None:
    assert vitals.throttled(root) is None
    assert vitals.throttled(root, answers(vcgencmd="throttled=0x50000")) == 0x50000  # type: ignore[arg-type]
    put(root, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    put(root, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    put(root, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert vitals.throttled(root) == vitals.UNDERVOLTAGE


def test_what_a_pi_5s_supply_promised(root: Path) -> None:
    assert vitals.supply(root) is None
    put(root, "proc/device-tree/chosen/power/max_current", (3000).to_bytes(4, "big"))
    assert vitals.supply(root) == 3000


def test_the_processors_temperature_counts_and_a_sensor_that_is_off_does_not(root: Path) -> None:
    assert vitals.temperature(root) is None
    zones = (("gpu-thermal", "91000"), ("cpu-thermal", "48212"), ("cpu-thermal", "-274000"))
    for number, (kind, milli) in enumerate(zones):
        put(root, f"sys/class/thermal/thermal_zone{number}/type", kind + "\n")
        put(root, f"sys/class/thermal/thermal_zone{number}/temp", milli + "\n")
    assert vitals.temperature(root) == pytest.approx(48.212)


MOUNTS = """/dev/mmcblk0p2 / ext4 rw,noatime 0 0
proc /proc proc rw 0 0
/dev/mmcblk0p1 /boot/firmware vfat rw 0 0
/dev/sda1 /var/my\\040disk ext4 ro,relatime 0 0
"""


def test_the_file_system_of_a_folder(root: Path) -> None:
    assert vitals.mount_of(Path("/var/lib/companion"), root) is None
    put(root, "proc/mounts", MOUNTS)
    assert vitals.mount_of(Path("/var/lib/companion"), root) == Mount("/dev/mmcblk0p2", "ext4", False)
    assert vitals.mount_of(Path("/var/my disk/state"), root) == Mount("/dev/sda1", "ext4", True)


def test_how_worn_a_card_is(root: Path) -> None:
    card = Mount("/dev/mmcblk0p2", "ext4", False)
    assert vitals.wear(card, root) == Wear()
    put(root, "sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    put(root, "sys/fs/ext4/mmcblk0p2/lifetime_write_kbytes", "12500000\n")
    put(root, "sys/block/mmcblk0/device/life_time", "0x02 0x09\n")
    assert vitals.wear(card, root) == Wear(errors=3, written=12.5, used=90)
    assert vitals.wear(Mount("/dev/root", "ext4", False), root) == Wear()


def test_whether_the_clock_was_set(root: Path) -> None:
    def told(answer: str | None) -> bool | None:
        return vitals.synchronised(root, lambda *command: answer)

    assert (told("yes"), told("no"), told(None)) == (True, False, None)
    put(root, "run/systemd/timesync/synchronized", "")
    assert told(None) is True
    assert not vitals.keeps_time(root)
    put(root, "sys/class/rtc/rtc0/time", "18:00:00\n")
    assert vitals.keeps_time(root)


def test_programs_that_are_not_there_or_fail_say_nothing() -> None:
    assert vitals.ask("no-such-program-anywhere") is None
    assert vitals.ask("false") is None
    assert vitals.ask("echo", "well") == "well"
    assert vitals.ask("sleep", "5", timeout=0.05) is None


# ----------------------------------------------------------------------------------------------------- while playing


@pytest.mark.parametrize(
    ("word", "milli", "kinds"),
    [
        ("0", "45000", []),
        ("1", "45000", ["power"]),
        ("10000", "45000", []),
        ("8", "45000", ["heat"]),
        ("0", "80000", ["heat"]),
        ("1", "85000", ["power", "heat"]),
    ],
)
def test_what_is_wrong_now(root: Path, word: str, milli: str, kinds: list[str]) -> None:
    put(root, PI_4, word)
    put(root, "sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    put(root, "sys/class/thermal/thermal_zone0/temp", milli)
    found = health_issues(root)
    assert [issue.kind for issue in found] == kinds
    assert all(issue.words.endswith(".") and issue.remedy.endswith(".") for issue in found)


def test_any_other_computer_is_well(root: Path) -> None:
    assert health_issues(root) == ()


def test_a_voltage_that_dips_again_and_again_is_one_issue(caplog: pytest.LogCaptureFixture) -> None:
    weak = HealthIssue("power", "Weak power", "The Pi gets too little voltage.", "Use its own power supply.")
    now, looks, told = [0.0], [], []
    watch = Watch(lambda: looks.pop(0), told.append, lasting=60.0, clock=lambda: now[0])
    for sick in (False, True, False, False, True, False, True):
        looks.append((weak,) if sick else ())
        watch.step()
        now[0] += 10
    assert told == [(weak,)]
    for _ in range(7):
        looks.append(())
        watch.step()
        now[0] += 10
    assert told == [(weak,), ()]
    assert caplog.text.count("too little voltage") == 1


def test_the_watch_looks_by_itself_and_ends_at_once() -> None:
    from .test_oled import until

    looked: list[int] = []

    def look() -> tuple[HealthIssue, ...]:
        looked.append(1)
        return ()

    watch = Watch(look, lambda health_issues: None, every=0.01)
    watch.start()
    until(lambda: len(looked) > 2)
    watch.stop()
    assert watch.health.state == "off"
