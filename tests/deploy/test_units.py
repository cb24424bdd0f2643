"""The service's lines: each is explained, each that keeps the service in its place is there, and systemd takes them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.devices.device_manager import wish_power_off

UNITS = Path(__file__).parents[2] / "deploy" / "systemd"


def values(name):
    return re.findall(rf"^{name}=(.*)$", (UNITS / "companion.service").read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", sorted(UNITS.iterdir()), ids=lambda path: path.name)
def test_every_line_has_a_comment_above_it_or_above_its_group(path):
    commented = False
    for line in path.read_text().splitlines():
        if not line or line.startswith("["):
            commented = False
        elif line.startswith("#"):
            commented = True
        elif not line.startswith(("Description=", "WantedBy=", "Unit=", "Type=oneshot")):
            assert commented, line


def test_it_tells_systemd_how_it_is():
    assert values("Type") == ["notify"]
    assert values("NotifyAccess") == ["all"]  # the worker speaks, not the main process
    assert int(values("WatchdogSec")[0]) >= 45  # three tries of the watchdog's thread, 15 seconds apart
    assert values("Restart") == ["always"]
    assert values("StartLimitIntervalSec") == ["0"]


def test_it_is_a_user_of_its_own_that_can_do_nothing_else():
    (user,) = values("User")
    assert user == "companion"
    for name in (
        "NoNewPrivileges",
        "PrivateTmp",
        "ProtectHome",
        "ProtectKernelTunables",
        "ProtectKernelModules",
        "ProtectClock",
        "ProtectKernelLogs",
        "ProtectControlGroups",
        "ProtectHostname",
        "RestrictNamespaces",
        "RestrictRealtime",
        "RestrictSUIDSGID",
        "LockPersonality",
        "MemoryDenyWriteExecute",
    ):
        assert values(name) == ["yes"], name
    assert values("ProtectSystem") == ["strict"]
    assert values("CapabilityBoundingSet") == values("AmbientCapabilities") == [""]
    assert values("DevicePolicy") == ["closed"]


def test_only_the_tables_devices_are_allowed():
    allowed = {value.split()[0] for value in values("DeviceAllow")}
    kinds = ("video4linux", "media", "dma_heap", "i2c", "spi", "gpiochip", "alsa")
    # The firmware's mailbox is a "misc" device, which is no kind of its own.
    assert allowed == {"/dev/vcio", *(f"char-{kind}" for kind in kinds)}


def test_its_children_are_not_ended_before_it_had_them_switch_off():
    assert values("KillMode") == ["mixed"]


def test_memory_and_tasks_are_bounded():
    assert values("MemoryMax")
    assert int(values("TasksMax")[0]) > 264  # the threads that serve phones


def test_nothing_but_matches_goes_to_the_card():
    assert values("StateDirectory") == ["companion"]
    environment = dict(value.split("=", 1) for value in values("Environment"))
    assert environment["COMPANION_STATE"] == "%S/companion"
    assert environment["TMPDIR"] == environment["LG_WD"] == "%t/companion"


def test_growing_pauses_are_apart_for_the_systemd_of_bookworm_does_not_know_them():
    assert "RestartSteps" not in (UNITS / "companion.service").read_text()
    assert "RestartMaxDelaySec=60" in (UNITS / "restart.conf").read_text()


def test_the_wish_to_switch_off_is_laid_down_where_it_is_looked_for(tmp_path, monkeypatch):
    wish = f"/run/{values('RuntimeDirectory')[0]}/poweroff"
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    assert wish_power_off()
    assert [path.name for path in tmp_path.iterdir()] == [Path(wish).name]
    assert f"PathExists={wish}" in (UNITS / "companion-poweroff.path").read_text()
    assert f"rm -f {wish}" in (UNITS / "companion-poweroff.service").read_text()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")
def test_systemd_takes_the_units_and_finds_little_open(tmp_path):
    for path in UNITS.iterdir():
        text = path.read_text().replace("/opt/companion/current/bin/companion box", "/bin/true")
        (tmp_path / path.name).write_text(re.sub(r"^(User|Group)=.*$", r"\1=root", text, flags=re.MULTILINE))
    done = subprocess.run(
        ["systemd-analyze", "verify", *(str(path) for path in tmp_path.iterdir() if path.suffix != ".conf")],
        capture_output=True,
        text=True,
    )
    ours = [line for line in done.stderr.splitlines() if "companion" in line]
    assert (done.returncode, ours) == (0, []), done.stderr
    asked = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNITS / "companion.service")]
    done = subprocess.run(asked, capture_output=True, text=True)
    version = subprocess.run([asked[0], "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    if int(re.match(r"\d+", version)[0]) < 250:
        pytest.skip("a systemd-analyze before 250 can't look at a file that is not loaded")
    assert "Overall exposure" in done.stdout, done.stderr
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(exposure[1]) <= 2.0, done.stdout
