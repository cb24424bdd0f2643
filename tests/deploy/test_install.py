"""The installer below a root of its own: what it tells, what it writes, that twice is once, and what it takes away."""

import io
import subprocess
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pytest
from installer import checks, network, packages, setup, versions
from installer.install import main
from installer.system import SetupError

from tests.deploy.stand_ins import CONFIG, Asked

TOP = Path(__file__).parents[2]


def run(*arguments):
    told = io.StringIO()
    with redirect_stdout(told):
        status = main([*map(str, arguments)])
    return status, told.getvalue()


def files(root):
    return {
        str(path.relative_to(root)): (path.read_bytes() if not path.is_symlink() else path.readlink())
        for path in sorted(root.rglob("*"))
        if not path.is_dir() or path.is_symlink()
    }


WISHES = ("--name", "table-3", "--hotspot", "Table 3", "--hotspot-password", "correcthorse", "--pin", "4711")


def test_a_dry_run_tells_everything_and_changes_nothing(computer):
    before = files(computer)
    status, told = run("--root", computer, "--dry-run", *WISHES)
    assert status == 0
    assert files(computer) == before
    for step in (
        "install --yes --quiet --no-install-recommends python3-venv libzbar0 avahi-daemon",
        "python3-picamera2",
        "python3-lgpio",
        "network-manager",
        "useradd --system",
        "usermod --append --groups video,i2c,gpio companion",
        "-m venv",
        "--require-hashes -r",
        "hatchling build",
        "write /boot/firmware/config.txt",
        "write /etc/modules-load.d/companion.conf",
        "write /etc/systemd/system/companion.service",
        "write /etc/NetworkManager/system-connections/companion-hotspot.nmconnection",
        "write /etc/hostname",
        "write /etc/avahi/services/companion.service",
        "systemctl enable",
        "Nothing was changed",
    ):
        assert step in told, step
    assert "correcthorse" not in told
    assert "4711" not in told


def test_twice_is_once_and_uninstalling_leaves_nothing(computer):
    before = files(computer)
    assert run("--root", computer, *WISHES)[0] == 0
    once = files(computer)
    status, told = run("--root", computer, *WISHES)
    assert status == 0
    assert files(computer) == once
    assert "  write" not in told
    hotspot = computer / "etc/NetworkManager/system-connections/companion-hotspot.nmconnection"
    assert hotspot.stat().st_mode & 0o777 == 0o600
    assert (computer / "etc/hosts").read_text().splitlines()[1] == "127.0.1.1\ttable-3"
    assert once["usr/local/sbin/companion-update"] == Path("/opt/companion/tools/companion-update")
    assert once["usr/local/bin/companion"] == Path("/opt/companion/tools/companion")
    assert (computer / "opt/companion/tools/companion").stat().st_mode & 0o777 == 0o755
    assert (computer / "boot/firmware/config.txt.before-companion").read_bytes() == CONFIG
    assert b"[all]" in once["boot/firmware/config.txt"].partition(b">>>")[2]
    assert run("--root", computer, "--uninstall")[0] == 0
    assert files(computer) == before


def test_a_hotspots_password_is_made_up_once_and_stays(computer):
    run("--root", computer, "--hotspot", "Cafe")
    first = (computer / "etc/companion/companion.env").read_text()
    run("--root", computer, "--hotspot", "Cafe")
    assert (computer / "etc/companion/companion.env").read_text() == first
    assert 'COMPANION_WIFI="Cafe"' in first
    word = first.split('PASSWORD="')[1].partition('"')[0]
    checks.hotspot("Cafe", word)
    assert f"psk={word}" in (computer / network.HOTSPOT.lstrip("/")).read_text()


def test_what_an_owner_has_put_into_the_environment_stays(computer):
    kept = computer / "etc/companion/companion.env"
    kept.parent.mkdir(parents=True)
    kept.write_text("COMPANION_PINS=child\n")
    run("--root", computer, "--hotspot", "Cafe")
    assert kept.read_text().startswith("COMPANION_PINS=child\n")


def test_matches_are_never_thrown_away_without_a_word(computer, capsys):
    run("--root", computer)
    journal = computer / "var/lib/companion/journal.db"
    journal.parent.mkdir(parents=True)
    journal.write_bytes(b"matches")
    assert run("--root", computer, "--uninstall")[0] == 1
    assert "--keep-matches or --delete-matches" in capsys.readouterr().err
    assert run("--root", computer, "--uninstall", "--keep-matches")[0] == 0
    assert journal.exists()
    assert not (computer / "opt/companion").exists()
    assert run("--root", computer, "--uninstall", "--delete-matches")[0] == 0
    assert not journal.exists()


@pytest.mark.parametrize(
    ("entry", "goes"),
    [
        ("companion:x:999:992:Companion:/var/lib/companion:/usr/sbin/nologin\n", True),
        ("companion:x:1000:1000:Somebody:/home/companion:/bin/bash\n", False),
    ],
)
def test_the_user_goes_also_after_matches_were_kept_once_and_an_owners_never(computer, entry, goes):
    run("--root", computer)
    run("--root", computer, "--uninstall", "--keep-matches")
    with (computer / "etc/passwd").open("a") as file:
        file.write(entry)
    run("--root", computer)
    status, told = run("--root", computer, "--uninstall", "--delete-matches")
    assert (status, "userdel companion" in told) == (0, goes)


@pytest.mark.parametrize(
    ("release", "says"),
    [
        ('ID=ubuntu\nID_LIKE=debian\nPRETTY_NAME="Ubuntu 24.04"\nVERSION_ID="24.04"\n', "this is Ubuntu 24.04"),
        ('ID=debian\nVERSION_ID="11"\n', "this is Debian 11"),
        ('ID=debian\nPRETTY_NAME="Debian GNU/Linux forky/sid"\n', "Debian of an unknown number"),
        ("", "this is another system"),
    ],
)
def test_a_system_that_was_never_tried_is_refused(computer, capsys, release, says):
    (computer / "etc/os-release").write_text(release)
    before = files(computer)
    assert run("--root", computer)[0] == 1
    assert says in capsys.readouterr().err.replace("This", "this")
    assert files(computer) == before


@pytest.mark.parametrize("processor", ["armhf", "i386"])
def test_32_bits_are_refused(computer, processor):
    with pytest.raises(SetupError, match="64-bit"):
        checks.architecture(Asked(computer, {"dpkg --print": processor + "\n"}))


def test_root_is_needed(computer, monkeypatch):
    monkeypatch.setattr(Asked, "is_root", lambda self: False)
    with pytest.raises(SetupError, match="sudo deploy/install"):
        checks.check(Asked(computer, {"dpkg --print": "arm64\n"}))


def test_a_full_card_is_said_before_anything_is_done(computer, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=3e8))
    with pytest.raises(SetupError, match="take a larger card"):
        checks.check(Asked(computer, {"dpkg --print": "arm64\n"}))


@pytest.mark.parametrize(("kilobytes", "warned"), [(440_000, 1), (945_000, 0)])
def test_little_memory_is_said_and_stops_nothing(computer, kilobytes, warned):
    (computer / "proc").mkdir(exist_ok=True)
    (computer / "proc/meminfo").write_text(f"MemTotal:         {kilobytes} kB\n")
    system = Asked(computer, {"dpkg --print": "arm64\n"})
    checks.check(system)
    assert len([words for words in system.warned if "of memory" in words]) == warned


def test_the_devices_modules_are_loaded_before_the_service_starts_and_a_pi_that_hangs_is_started_again(computer):
    (computer / "proc/device-tree").mkdir(parents=True, exist_ok=True)
    (computer / "proc/device-tree/model").write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    run("--root", computer)
    modules = (computer / "etc/modules-load.d/companion.conf").read_text().split()
    assert {"videodev", "i2c-dev", "spidev"} <= set(modules)
    assert "\nRuntimeWatchdogSec=15\n" in (computer / "etc/systemd/system.conf.d/companion.conf").read_text()
    run("--root", computer, "--uninstall")
    assert not (computer / "etc/systemd/system.conf.d").exists()


def test_phones_of_all_kinds_may_join_the_hotspot(computer):
    run("--root", computer, "--hotspot", "Cafe")
    # NetworkManager's number for "no protected management frames".
    assert "\npmf=1\n" in (computer / network.HOTSPOT.lstrip("/")).read_text()


def test_without_a_network_it_says_so_and_how_to_get_one(computer):
    system = Asked(computer, {"dpkg --print": "arm64\n", "dpkg-query": ""}, fails=("apt-get update",))
    with pytest.raises(SetupError, match="Is there a network"):
        setup.install(system, TOP, setup.Wishes())
    assert not any(" install --yes" in line for line in system.done)


def test_packages_that_only_raspberry_pi_os_has_are_left_out_elsewhere(computer):
    answers = {
        "dpkg --print": "arm64\n",
        "dpkg-query": "",
        "apt-cache policy python3-gpiozero": "python3-gpiozero:\n  Candidate: 1.6.2-1\n",
        "apt-cache": "x:\n  Candidate: (none)\n",
    }
    system = Asked(computer, answers)
    record = {}
    packages.provide(system, record, (), lambda: None)
    command = next(line for line in system.done if " install --yes" in line)
    assert command.endswith("python3-venv libzbar0 avahi-daemon git python3-gpiozero")
    assert record["packages"] == sorted(["python3-venv", "libzbar0", "avahi-daemon", "git", "python3-gpiozero"])


def test_only_packages_that_came_with_it_go_and_only_if_nobody_else_needs_them(computer):
    simulated = "Purg avahi-daemon [1]\nPurg libavahi [1]\nPurg printer-driver [2]\n"
    answers = {
        "dpkg-query": "".join(f"{name}\tinstall ok installed\t\n" for name in ("avahi-daemon", "bash", "libzbar0")),
        " ".join(("apt-get --simulate", *packages.NO_RECOMMENDS, "purge --auto-remove")): simulated,
        "apt-get --simulate purge avahi-daemon": "Purg avahi-daemon [1]\nPurg printer-driver [2]\n",
        "apt-get --simulate purge libzbar0": "Purg libzbar0 [1]\n",
        "apt-mark showmanual": "bash\nprinter-driver\n",
    }
    system = Asked(computer, answers)
    packages.take_away(system, {"packages": ["avahi-daemon", "libzbar0"], "packages_before": ["bash"]})
    assert system.done == [f"apt-get -o {packages.PATIENCE} purge --yes --quiet libzbar0 libavahi"]


def test_a_package_that_has_another_name_in_debian_13_is_there_and_goes_too(computer):
    listed = "bash\tinstall ok installed\t\nlibzbar0t64\tinstall ok installed\tlibzbar0 (= 0.23.93-8), libzbar\n"
    system = Asked(computer, {"dpkg --print": "amd64\n", "dpkg-query": listed})
    packages.provide(system, {}, (), lambda: None)
    assert system.done[-1].endswith("--no-install-recommends python3-venv avahi-daemon git")
    system = Asked(computer, {"dpkg-query": listed, "apt-mark": ""})
    packages.take_away(system, {"packages": ["git", "libzbar0"], "packages_before": ["bash"]})
    assert system.done == [f"apt-get -o {packages.PATIENCE} purge --yes --quiet libzbar0t64"]
    # It was here before Companion: it stays.
    packages.take_away(system, {"packages": ["libzbar0"], "packages_before": ["bash", "libzbar0t64"]})
    assert len(system.done) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Table 3"},
        {"name": "-a"},
        {"hotspot": "Café ☕"},
        {"hotspot": "x", "password": "short"},
        {"password": "longenough"},
        {"country": "se"},
        {"camera": "0"},
        {"pin": "abc"},
        {"pin": "1234"},
        {"port": 0},
        {"port": 70000},
    ],
)
def test_wishes_that_can_t_be_are_said_at_once(wrong):
    with pytest.raises(SetupError):
        setup.Wishes(**wrong)


def test_the_commands_are_sound_shell():
    for name in ("install", "demo", "test", "lock"):
        subprocess.run(["bash", "-n", TOP / "deploy" / name], check=True)
    subprocess.run(["sh", "-n", TOP / "deploy" / "companion"], check=True)


def test_no_program_but_those_of_the_system_is_needed():
    """It runs before anything is installed, so it may import the standard library alone."""
    import ast
    import sys

    for path in (TOP / "deploy" / "installer").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names, path
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").split(".")[0] in sys.stdlib_module_names, path


def test_the_same_source_is_the_same_version_and_another_is_not(tmp_path):
    for name in versions.SOURCES:
        (tmp_path / name).write_text("") if "." in name or name == "LICENSE" else (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "companion"\nversion = "0.3.0"\n')
    first = versions.name_of(tmp_path)
    assert first.startswith("0.3.0-")
    (tmp_path / "companion" / "__pycache__").mkdir()
    (tmp_path / "companion" / "__pycache__" / "x.pyc").write_text("x")
    assert versions.name_of(tmp_path) == first
    (tmp_path / "web" / "page.html").write_text("new")
    assert versions.name_of(tmp_path) != first


def test_another_programs_checkout_is_no_companion(tmp_path):
    with pytest.raises(SetupError, match="no Companion in"):
        versions.name_of(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "compass"\nversion = "1"\n')
    with pytest.raises(SetupError, match="another program's"):
        versions.name_of(tmp_path)
    wheel = tmp_path / "companion-1.0-py3-none-any.whl"
    wheel.write_text("no zip")
    with pytest.raises(SetupError, match="no wheel"):
        versions.name_of(wheel)
