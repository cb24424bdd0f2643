"""A card that is prepared installs by itself, under its own name; nothing of the owner's is lost on it."""

import importlib.machinery
import importlib.util
import os
import subprocess
from pathlib import Path

import pytest
from installer.system import SetupError

TOP = Path(__file__).parents[2]
LINE = "console=serial0,115200 console=tty1 root=PARTUUID=1a2b3c4d-02 rootfstype=ext4 fsck.repair=yes rootwait\n"
IMAGERS = LINE.strip() + (
    " systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot"
    " systemd.unit=kernel-command-line.target\n"
)
OURS = "systemd.run=/boot/firmware/companion/first-boot"


@pytest.fixture(scope="module")
def image():
    loader = importlib.machinery.SourceFileLoader("prepare", str(TOP / "deploy" / "image" / "prepare"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("prepare", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def card(tmp_path):
    boot = tmp_path / "boot" / "firmware"
    boot.mkdir(parents=True)
    (boot / "cmdline.txt").write_text(LINE)
    (boot / "config.txt").write_text("[all]\n")
    return boot


def test_three_words_are_added_once(image):
    once = image.command_line(LINE)
    assert once == image.command_line(once)
    assert once.count("\n") == 1
    assert once.split()[:6] == LINE.split()
    assert once.split()[6:] == [
        "systemd.run_success_action=reboot",
        "systemd.unit=kernel-command-line.target",
        OURS,
    ]


def test_raspberry_pi_imagers_own_first_start_goes_on(image):
    line = image.command_line(IMAGERS)
    assert line.split() == [*IMAGERS.split(), OURS]


@pytest.mark.parametrize("text", ["", "dtparam=audio=on\n", "root=a\nroot=b\n"])
def test_what_is_no_command_line_is_left_alone(image, text):
    with pytest.raises(SetupError, match="freshly written"):
        image.command_line(text)


def test_a_python_without_pip_is_told_what_to_install(image, card, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(image.importlib.util, "find_spec", lambda name: None)
    wheels = tmp_path / "wheels"
    assert image.main([str(card), "--name", "table-1", "--packages", str(wheels), "--fetch"]) == 1
    assert "apt-get install python3-pip" in capsys.readouterr().err
    assert (card / "cmdline.txt").read_text() == LINE
    assert not wheels.exists()


def test_another_folder_is_no_card(image, tmp_path, capsys):
    assert image.main([str(tmp_path), "--name", "table-1"]) == 1
    assert "no cmdline.txt" in capsys.readouterr().err
    assert image.main([str(tmp_path), "--name", "Table 1"]) == 1
    assert "no name for a computer" in capsys.readouterr().err


@pytest.mark.night
def test_a_prepared_card_installs_with_its_own_wishes_and_not_twice(image, card, tmp_path, capsys):
    wishes = ["--name", "table-7", "--hotspot", "Table 7", "--hotspot-password", "correcthorse", "--pin", "4711"]
    assert image.main([str(card), *wishes]) == 0
    assert "http://table-7.local/" in capsys.readouterr().out
    assert (card / "config.txt").read_text() == "[all]\n"
    root = tmp_path / "root"
    (root / "etc/systemd/system").mkdir(parents=True)
    environ = {**os.environ, "COMPANION_BOOT": str(card), "COMPANION_ROOT": str(root)}
    subprocess.run(["bash", card / "companion" / "first-boot"], check=True, env=environ)
    assert (card / "cmdline.txt").read_text() == LINE
    home = root / "opt/companion-first"
    lines = (home / "wishes").read_text().splitlines()
    assert lines[: len(wishes)] == wishes
    # Where later versions come from, if this checkout knows; the archive on the card doesn't.
    assert lines[len(wishes) :: 2] in ([], ["--origin"])
    assert (home / "wishes").stat().st_mode & 0o077 == 0
    assert os.access(home / "companion/deploy/install", os.X_OK)
    assert (home / "companion/requirements.lock").is_file()
    subprocess.run(["bash", "-n", home / "go"], check=True)
    assert (root / "etc/systemd/system/multi-user.target.wants/companion-first.service").is_symlink()
    # What was unpacked is the same version as the checkout it came from.
    from installer import versions

    assert versions.name_of(home / "companion") == versions.name_of(TOP)


@pytest.mark.night
def test_the_first_start_leaves_raspberry_pi_imagers_words_alone(image, card, tmp_path):
    (card / "cmdline.txt").write_text(IMAGERS)
    image.main([str(card), "--name", "table-8"])
    (tmp_path / "root/etc/systemd/system").mkdir(parents=True)
    environ = {**os.environ, "COMPANION_BOOT": str(card), "COMPANION_ROOT": str(tmp_path / "root")}
    subprocess.run(["bash", card / "companion" / "first-boot"], check=True, env=environ)
    assert (card / "cmdline.txt").read_text() == IMAGERS


@pytest.mark.night
def test_a_password_that_is_made_up_is_told_here_and_not_in_the_log_on_the_card(image, card, tmp_path, capsys):
    image.main([str(card), "--name", "table-9", "--hotspot", "Table 9"])
    word = capsys.readouterr().out.partition("write it down: ")[2].split()[0]
    wishes = (card / "companion/wishes").read_text().splitlines()
    assert wishes[wishes.index("--hotspot-password") + 1] == word
    (tmp_path / "root/etc/systemd/system").mkdir(parents=True)
    environ = {**os.environ, "COMPANION_BOOT": str(card), "COMPANION_ROOT": str(tmp_path / "root")}
    subprocess.run(["bash", card / "companion" / "first-boot"], check=True, env=environ)
    # The installation itself, but that it tells only what it would write, and that nothing restarts here.
    home = tmp_path / "root/opt/companion-first"
    computer = tmp_path / "computer"
    (computer / "etc").mkdir(parents=True)
    (computer / "etc/os-release").write_text('ID=debian\nVERSION_ID="13"\n')
    go = (home / "go").read_text().replace("deploy/install ", f"deploy/install --root {computer} ")
    # Units are those of the test's root.
    go = go.replace("systemctl", "true").replace("/etc/systemd", f"{tmp_path}/root/etc/systemd")
    (home / "go").write_text(go)
    subprocess.run(["bash", home / "go"], check=True)
    log = (card / "companion/log.txt").read_text()
    assert "its own Wi-Fi is called Table 9; there it is http://10.42.0.1/" in log
    assert word not in log
    assert [path.name for path in (card / "companion").iterdir()] == ["log.txt"]
    assert not home.exists()


@pytest.mark.night
def test_an_archive_that_is_damaged_is_said_on_the_card(image, card, tmp_path):
    image.main([str(card), "--name", "table-8"])
    (card / "companion/companion.tar.gz").write_bytes(b"half")
    changed = (card / "cmdline.txt").read_text()
    environ = {**os.environ, "COMPANION_BOOT": str(card), "COMPANION_ROOT": str(tmp_path / "root")}
    done = subprocess.run(["bash", card / "companion" / "first-boot"], env=environ, capture_output=True)
    assert done.returncode != 0
    assert "Prepare the card again" in (card / "companion/log.txt").read_text()
    assert (card / "cmdline.txt").read_text() == changed


@pytest.mark.night
def test_a_card_may_wish_for_comitup_and_tells_the_port_beside_it(image, card, capsys):
    assert image.main([str(card), "--name", "table-4", "--comitup", "Table 4"]) == 0
    said = capsys.readouterr().out
    word = said.partition("write it down: ")[2].split()[0]
    wishes = (card / "companion/wishes").read_text().splitlines()
    assert wishes[:6] == ["--name", "table-4", "--comitup", "Table 4", "--hotspot-password", word]
    assert "http://table-4.local:8080/" in said


@pytest.mark.parametrize(
    ("wrong", "words"), [(["--port", "80"], "its own page on port 80"), (["--hotspot", "Table 4"], "choose one")]
)
def test_what_does_not_go_beside_comitup_is_said_before_the_card_is_written(image, card, capsys, wrong, words):
    assert image.main([str(card), "--name", "table-4", "--comitup", "Table 4", *wrong]) == 1
    assert words in capsys.readouterr().err
    assert not (card / "companion").exists()
