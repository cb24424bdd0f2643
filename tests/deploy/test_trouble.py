"""What an owner's computer may have in store for the installer: it says what is wrong, and spoils nothing."""

import ast
import errno
import http.server
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from installer import checks, network, packages, setup, update, versions
from installer.install import main
from installer.system import SetupError, System, in_words

from companion.appliance import settings
from tests.deploy.stand_ins import Asked

TOP = Path(__file__).parents[2]
NOTHING_INSTALLED = {"dpkg --print": "amd64\n", "dpkg-query": ""}


def nothing():
    """Keep no record."""


# ---------------------------------------------------------------------------------------------------- packages


def test_what_the_plug_was_pulled_on_is_finished_first(computer):
    words = "E: dpkg was interrupted, you must manually run 'sudo dpkg --configure -a' to correct the problem."
    system = Asked(computer, NOTHING_INSTALLED, fails_once={f"apt-get -o {packages.PATIENCE} install": words})
    packages.provide(system, {}, (), nothing)
    install = system.done[-1]
    assert system.done == ["apt-get update --quiet", install, "dpkg --configure -a", install]


def test_another_program_that_fetches_the_list_is_waited_for(computer):
    words = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 714 (apt-get)"
    system = Asked(computer, NOTHING_INSTALLED, fails_once={"apt-get update": words})
    waited = []
    assert packages._renew_list(system, waited.append)
    assert waited == [packages.BETWEEN]
    assert system.done == ["apt-get update --quiet"] * 2


def test_a_program_that_never_lets_go_of_the_list_is_not_waited_for_for_ever(computer):
    class Busy(Asked):
        def run(self, *command, **more):
            raise SetupError("E: Could not get lock /var/lib/apt/lists/lock")

    system, waited = Busy(computer, {}), []
    assert not packages._renew_list(system, waited.append)
    assert len(waited) == packages.TRIES - 1
    assert "Could not get lock" in system.warned[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("E: Failed to fetch http://deb.debian.org/x  Temporary failure resolving 'deb.debian.org'", "network there"),
        ("E: Unable to locate package libzbar0", "network there"),
        ("E: You don't have enough free space in /var/cache/apt/archives/.", "card is full"),
    ],
)
def test_apts_complaints_come_with_what_to_do(computer, words, says):
    system = Asked(computer, NOTHING_INSTALLED, fails_once={f"apt-get -o {packages.PATIENCE} install": words})
    with pytest.raises(SetupError, match=says):
        packages.provide(system, {}, (), nothing)


# ------------------------------------------------------------------------------------------------------- the card


@pytest.mark.parametrize(
    ("number", "says"), [(errno.ENOSPC, "make room"), (errno.EROFS, "take a new card"), (errno.EACCES, "/etc/hosts")]
)
def test_a_card_that_takes_no_more_is_a_sentence(computer, capsys, monkeypatch, number, says):
    def fails(system, *more):
        raise OSError(number, os.strerror(number), "/etc/hosts")

    monkeypatch.setattr(setup, "_user", fails)
    assert main(["--root", str(computer)]) == 1
    told = capsys.readouterr().err
    assert says in told
    assert os.strerror(number) in told
    assert "Traceback" not in told


def test_a_file_that_could_not_be_written_leaves_nothing_and_the_old_one_stays(tmp_path, monkeypatch):
    system = System(tmp_path)
    system.write("/etc/hosts", "before\n")

    def full(file):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        system.write("/etc/hosts", "after\n")
    assert [path.name for path in (tmp_path / "etc").iterdir()] == ["hosts"]
    assert (tmp_path / "etc/hosts").read_text() == "before\n"
    assert "make room" in in_words(OSError(errno.ENOSPC, "No space left on device"))


# --------------------------------------------------------------------------------------------------------- versions


def whole(computer, name="0.1-x"):
    (computer / f"opt/companion/{name}").mkdir(parents=True)
    (computer / f"opt/companion/{name}/{versions.COMPLETE}").write_text(name)
    return computer / f"opt/companion/{name}"


def test_a_version_that_can_be_loaded_stays_as_it_is(computer):
    home = whole(computer)
    system = Asked(computer, {f"{home}/bin/python -P -c import companion": ""})
    assert not versions.install_beside(system, TOP, "0.1-x")
    assert system.done == []


def test_a_version_that_can_t_be_loaded_any_more_is_installed_anew(computer, monkeypatch):
    """A worn card has lost a file of it, or Debian has another Python by now."""
    home = whole(computer)
    (home / "damaged").write_text("")
    system = Asked(computer, {})
    monkeypatch.setattr(versions, "_wheel_and_lock", lambda *given: (Path("a.whl"), Path("lock")))
    assert versions.install_beside(system, TOP, "0.1-x")
    assert not (home / "damaged").exists()
    assert system.done[0].startswith("/usr/bin/python3 -m venv")
    assert (home / versions.COMPLETE).is_file()


def test_all_of_a_version_is_on_the_card_before_it_counts_as_there(computer, monkeypatch):
    system, order = Asked(computer, {}), []
    monkeypatch.setattr(versions, "_wheel_and_lock", lambda *given: (Path("a.whl"), Path("lock")))
    monkeypatch.setattr(os, "sync", lambda: order.append((computer / "opt/companion/0.1-x/.complete").exists()))
    versions.install_beside(system, TOP, "0.1-x")
    assert order == [False]


def test_a_card_that_gets_full_leaves_no_half_version(computer, monkeypatch):
    def full(*given):
        raise OSError(errno.ENOSPC, "No space left on device", "/opt/companion/0.1-x/lib/x")

    monkeypatch.setattr(versions, "_wheel_and_lock", full)
    (computer / "opt/companion/0.1-x").mkdir(parents=True)
    with pytest.raises(SetupError, match="make room"):
        versions.install_beside(Asked(computer, {}), TOP, "0.1-x")
    assert not (computer / "opt/companion/0.1-x").exists()


def test_the_new_version_keeps_the_matches_where_the_old_one_is_damaged(computer):
    (computer / "var/lib/companion").mkdir(parents=True)
    (computer / "var/lib/companion/journal.db").write_text("")
    start = "runuser -u companion -- env COMPANION_STATE=/var/lib/companion /opt/companion"
    system = Asked(computer, {}, fails=(f"{start}/0.1/",))
    update.keep_matches(system, "0.1", "0.2")
    made = "/var/lib/companion/backups/before-leaving-0.1.zip"
    assert f"{start}/0.2/bin/companion backup {made}" in system.done
    with pytest.raises(SetupError):
        update.keep_matches(system, "0.1", "0.1")


def test_a_wrong_clock_is_named(computer):
    assert "Is the clock right" in versions._why_not("SSLError(certificate verify failed: not yet valid)")


# ---------------------------------------------------------------------------------------------------------- network


def test_a_port_that_another_program_has_is_said_before_anything_is_done(computer):
    system = Asked(computer, {})
    system.up = True
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(SetupError, match=f"another program answers on port {taken}"):
            checks.port_is_free(system, taken, 80)
        # Ours already: systemd holds it.
        system.answers["systemctl is-active companion.socket"] = "active\n"
        checks.port_is_free(system, taken, taken)
    checks.port_is_free(system, taken, 80)


@pytest.mark.night
def test_another_port_is_everybodys(computer, capsys):
    before = sorted(path for path in computer.rglob("*") if path.is_file())
    assert main(["--root", str(computer), "--name", "table-3", "--port", "8080", "--hotspot", "Cafe"]) == 0
    assert "http://table-3.local:8080/" in capsys.readouterr().out
    dropped = (computer / "etc/systemd/system/companion.socket.d/port.conf").read_text()
    assert dropped.endswith("[Socket]\nListenStream=\nListenStream=8080\n")
    assert "COMPANION_PORT=8080\n" in (computer / "etc/companion/companion.env").read_text()
    assert "<port>8080</port>" in (computer / "etc/avahi/services/companion.service").read_text()
    # It stays without being said again, and goes when the usual one is wished for.
    assert main(["--root", str(computer)]) == 0
    assert network.port(System(computer)) == 8080
    assert main(["--root", str(computer), "--port", "80"]) == 0
    assert not (computer / "etc/systemd/system/companion.socket.d").exists()
    assert "COMPANION_PORT" not in (computer / "etc/companion/companion.env").read_text()
    assert main(["--root", str(computer), "--port", "8080"]) == 0
    assert main(["--root", str(computer), "--uninstall"]) == 0
    assert sorted(path for path in computer.rglob("*") if path.is_file()) == before


def test_the_service_is_given_the_port_that_its_socket_has():
    service = (TOP / "deploy/systemd/companion.service").read_text()
    assert "companion box --port ${COMPANION_PORT}\n" in service
    assert f"Environment=COMPANION_PORT={network.USUAL_PORT}\n" in service
    assert f"ListenStream={network.USUAL_PORT}\n" in (TOP / "deploy/systemd/companion.socket").read_text()


def test_health_is_asked_for_where_the_pages_are(computer, monkeypatch):
    assert versions.port(Asked(computer, {"systemctl show": "Listen=[::]:8080 (Stream)\n"})) == 8080
    assert versions.port(Asked(computer, {"systemctl show": "Listen=0.0.0.0:81 (Stream)\n"})) == 81
    assert versions.port(Asked(computer, {"systemctl show": "\n"})) == 80
    assert versions.port(Asked(computer, {})) == 80

    class Well(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"ok": True}).encode())

        def log_message(self, *words):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Well) as table:
        threading.Thread(target=table.serve_forever, daemon=True).start()
        monkeypatch.setattr(versions, "port", lambda system: table.server_port)
        assert versions.healthy(sleep=lambda seconds: None) is None
        table.shutdown()


@pytest.mark.parametrize(
    ("devices", "says"),
    [
        ("ethernet:connected\n", "no Wi-Fi is found"),
        ("wifi:unmanaged\nethernet:connected\n", "another program than NetworkManager"),
        ("wifi:unavailable\n", "--wifi-country"),
        ("wifi:connected\n", ""),
        ("wifi:unavailable\nwifi:disconnected\n", ""),
    ],
)
def test_a_hotspot_that_can_t_be_is_said(computer, devices, says):
    system = Asked(computer, {"nmcli --terse": devices})
    system.up = True
    network.set_hotspot(system, "Cafe", None)
    about_it = [one for one in system.warned if "no hotspot" in one]
    assert [says in one for one in about_it] == ([True] if says else [])


def test_what_an_owner_called_the_computer_since_then_stays(computer):
    assert main(["--root", str(computer), "--name", "table-3"]) == 0
    (computer / "etc/hostname").write_text("kitchen\n")
    hosts = (computer / "etc/hosts").read_text().replace("table-3", "kitchen")
    (computer / "etc/hosts").write_text(hosts)
    assert main(["--root", str(computer), "--uninstall"]) == 0
    assert (computer / "etc/hostname").read_text() == "kitchen\n"
    assert (computer / "etc/hosts").read_text() == hosts


@pytest.mark.night
def test_lines_that_an_owner_has_put_into_hosts_since_then_stay(computer):
    assert main(["--root", str(computer), "--name", "table-3"]) == 0
    assert main(["--root", str(computer), "--name", "table-4"]) == 0
    with (computer / "etc/hosts").open("a") as file:
        file.write("192.168.1.9\tprinter\n")
    assert main(["--root", str(computer), "--uninstall"]) == 0
    lines = ["127.0.0.1\tlocalhost", "127.0.1.1\traspberrypi", "192.168.1.9\tprinter"]
    assert (computer / "etc/hosts").read_text().splitlines() == lines
    assert (computer / "etc/hostname").read_text() == "raspberrypi\n"


# ------------------------------------------------------------------------------------------------------- config.txt


def test_a_config_txt_that_counts_no_longer_is_left_alone(computer, capsys):
    """Bookworm leaves one in /boot that only says where it has gone."""
    moved = "DO NOT EDIT THIS FILE\n\nThe file you are looking for has moved to /boot/firmware/config.txt\n"
    (computer / "boot/config.txt").write_text(moved)
    (computer / "boot/firmware/config.txt").unlink()
    (computer / "proc/device-tree").mkdir(parents=True)
    (computer / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    assert main(["--root", str(computer)]) == 0
    assert (computer / "boot/config.txt").read_text() == moved
    assert "sudo mount /boot/firmware" in capsys.readouterr().err


@pytest.mark.parametrize("fits", [True, False])
def test_a_wiring_of_the_owners_that_does_not_fit_is_said(computer, fits):
    asked = f"env COMPANION_STATE={setup.STATE} /opt/companion/1.0/bin/companion wiring --config"
    system = Asked(computer, {asked: "gpio=5=ip,pu\n"} if fits else {})
    wiring = computer / setup.OWN_WIRING.lstrip("/")
    wiring.parent.mkdir(parents=True)
    wiring.write_text("[buzzer]\npin = 99\n")
    setup._boot_config(system, TOP, "1.0")
    config = (computer / "boot/firmware/config.txt").read_bytes()
    assert (b"gpio=5=ip,pu" in config, b"gpio=17,22,27=ip,pu" in config) == (fits, not fits)
    assert ["sudo companion wiring" in words for words in system.warned] == ([] if fits else [True])


def test_a_pc_has_no_config_txt_and_is_told_so(computer, capsys):
    (computer / "boot/firmware/config.txt").unlink()
    assert main(["--root", str(computer)]) == 0
    told = capsys.readouterr()
    assert "not a Raspberry Pi, nothing to set" in told.out
    assert told.err == ""


# -------------------------------------------------------------------------------------------------------------- PIN


@pytest.mark.parametrize(
    "pin",
    ["4711", "471147114711", "123", "1234", "12345", "123456", "1111", "00000", "4711471147114", "12a4", "１２３４"],
)
def test_a_pin_is_refused_here_just_as_the_first_page_would(pin):
    def refused(check):
        try:
            check()
        except (SetupError, settings.SettingsError) as error:
            return str(error)
        return None

    assert refused(lambda: checks.pin(pin)) == refused(lambda: settings.checked_pin(pin))


def test_a_pin_is_in_no_complaint(computer):
    system = System(Path("/"))
    with pytest.raises(SetupError) as complaint:
        system.run("false", "--pin", "4711", secret="4711")  # noqa: S106
    assert "4711" not in str(complaint.value)
    assert "false --pin …" in str(complaint.value)


# ----------------------------------------------------------------------------------------------------------- Python


def test_an_older_python_gets_as_far_as_saying_so():
    """Debian 11 has 3.9: there too the answer is a sentence."""
    for path in (TOP / "deploy/installer").glob("*.py"):
        ast.parse(path.read_text(), feature_version=(3, 9))


@pytest.mark.night
def test_a_card_can_be_prepared_on_windows(tmp_path):
    """There is no pwd, no fcntl and no os.sync there."""
    (tmp_path / "cmdline.txt").write_text("root=PARTUUID=1a2b3c4d-02 rootwait\n")
    script = (
        "import os, runpy, sys\n"
        "sys.modules.update(pwd=None, grp=None, fcntl=None)\n"
        "del os.sync\n"
        f"sys.argv = ['prepare', {str(tmp_path)!r}, '--name', 'table-1', '--pin', '4711']\n"
        f"runpy.run_path({str(TOP / 'deploy/image/prepare')!r}, run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "companion/companion.tar.gz").is_file()
