"""comitup in place of the hotspot: its settings, the port beside its page, and that all of it is taken back."""

import configparser
from pathlib import Path

import pytest
from installer import checks, comitup, configtxt, network, packages, setup, versions
from installer.install import main
from installer.system import SetupError, System

from tests.deploy.stand_ins import Asked

TOP = Path(__file__).parents[2]
CONF = b"""\
#
# Comitup configuration
#

# ap_name: comitup-<nnn>

# web_service: httpd.service
"""
"""As its package brings it, shortened."""
THEIRS = b"ap_name: attic\nAP_Password = longenough\nverbose: 1\nweb_service: mine.service\n"


def as_comitup_reads(conf):
    """It puts a section's head before the file, and lets Python's parser read it, which takes nothing twice."""
    parser = configparser.ConfigParser()
    parser.read_string("[DEFAULT]\n" + conf.decode())
    return dict(parser["DEFAULT"])


def files(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def conf(computer):
    path = computer / "etc/comitup.conf"
    path.write_bytes(CONF)
    return path


# ------------------------------------------------------------------------------------------------------- its settings


@pytest.mark.parametrize("before", [b"", CONF, THEIRS, CONF + THEIRS, b"verbose: 1"])
def test_comitup_understands_its_settings_and_they_are_as_they_were_afterwards(before):
    after = comitup.with_lines(before, "Table 3", "correcthorse")
    theirs = as_comitup_reads(before)
    assert as_comitup_reads(after) == {**theirs, "ap_name": "Table 3", "ap_password": "correcthorse"}
    assert comitup.with_lines(after, "Table 3", "correcthorse") == after
    again = comitup.with_lines(after, "Table 4", "batterystaple")
    assert as_comitup_reads(again) == {**theirs, "ap_name": "Table 4", "ap_password": "batterystaple"}
    assert comitup.without(again).rstrip(b"\n") == before.rstrip(b"\n")


def test_the_table_is_not_stopped_while_comitup_asks_for_a_wifi():
    assert "web_service" not in as_comitup_reads(comitup.with_lines(CONF, "Cafe", "correcthorse"))


def test_marks_that_somebody_has_edited_are_said_by_the_files_name(computer, conf, capsys):
    conf.write_bytes(configtxt.BEGIN + b"\nap_name: Cafe\n")
    assert main(["--root", str(computer), "--comitup", "Cafe"]) == 1
    assert "lines in /etc/comitup.conf has no end" in capsys.readouterr().err
    assert conf.read_bytes() == configtxt.BEGIN + b"\nap_name: Cafe\n"


# -------------------------------------------------------------------------------------------------- the whole of it


def test_a_dry_run_tells_of_it_and_changes_nothing(computer, conf, capsys):
    before = files(computer)
    wishes = ("--comitup", "Table 3", "--hotspot-password", "correcthorse")
    assert main(["--root", str(computer), "--dry-run", *wishes]) == 0
    told = capsys.readouterr().out
    assert files(computer) == before
    install = next(line for line in told.splitlines() if " install --yes" in line)
    assert " network-manager wpasupplicant comitup" in install
    assert "write /etc/comitup.conf" in told
    assert "write /etc/systemd/system/companion.socket.d/port.conf" in told
    assert "companion-hotspot" not in told
    assert "correcthorse" not in told


def test_twice_is_once_and_uninstalling_gives_its_settings_back(computer, conf, capsys):
    before = files(computer)
    assert main(["--root", str(computer), "--name", "table-3", "--comitup", "Table 3"]) == 0
    once = files(computer)
    said = as_comitup_reads(conf.read_bytes())
    assert said["ap_name"] == "Table 3"
    checks.hotspot("Table 3", said["ap_password"])
    assert conf.stat().st_mode & 0o777 == 0o600
    told = capsys.readouterr().out
    assert f"one called Table 3, password {said['ap_password']}" in told
    assert "http://10.41.0.1:8080/" in told
    assert "http://table-3.local:8080/" in told
    assert network.own_wifi(System(computer)) == ("Table 3", said["ap_password"])
    assert main(["--root", str(computer), "--name", "table-3", "--comitup", "Table 3"]) == 0
    assert files(computer) == once
    assert "  write" not in capsys.readouterr().out
    assert main(["--root", str(computer), "--uninstall"]) == 0
    assert files(computer) == before
    assert conf.stat().st_mode & 0o777 == 0o644


def test_it_takes_the_place_of_the_hotspot_and_keeps_its_password(computer, conf):
    hotspot = [computer / path.lstrip("/") for path in (network.HOTSPOT, network.EVERY_NAME)]
    main(["--root", str(computer), "--hotspot", "Cafe"])
    assert [path.exists() for path in hotspot] == [True, True]
    _, password = network.own_wifi(System(computer))
    main(["--root", str(computer), "--comitup", "Cafe"])
    assert [path.exists() for path in hotspot] == [False, False]
    assert as_comitup_reads(conf.read_bytes())["ap_password"] == password


# --------------------------------------------------------------------------------------------------- what can't be


def test_both_ways_to_a_wifi_are_one_too_many(computer, capsys):
    assert main(["--root", str(computer), "--comitup", "Cafe", "--hotspot", "Cafe"]) == 1
    assert "choose one" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [{"comitup": "Café ☕"}, {"comitup": "<nnn>"}, {"comitup": "x", "password": "short"}])
def test_names_that_comitup_would_take_otherwise_are_refused(wrong):
    with pytest.raises(SetupError):
        setup.Wishes(**wrong)


def test_a_hotspot_is_refused_where_comitup_is_and_only_there(computer):
    system = Asked(computer, {"dpkg-query -W -f ${Status} comitup": "install ok installed"})
    with pytest.raises(SetupError, match="purge comitup"):
        comitup.refuse_beside(system, "Cafe")
    comitup.refuse_beside(system, None)
    comitup.refuse_beside(Asked(computer, {"dpkg-query -W -f ${Status} comitup": "deinstall ok config-files"}), "Cafe")
    comitup.refuse_beside(Asked(computer, {}), "Cafe")


def test_a_debian_without_comitup_is_said_before_anything_is_done(computer):
    none = {"apt-cache policy comitup": "comitup:\n  Candidate: (none)\n"}
    answers = {**none, "dpkg --print": "amd64\n", "dpkg-query": "", "apt-cache policy": "x:\n  Candidate: 1.42\n"}
    system, record = Asked(computer, answers), {}
    with pytest.raises(SetupError, match=r"package comitup.*without that wish"):
        packages.provide(system, record, packages.FOR_COMITUP, lambda: None)
    assert system.done == ["apt-get update --quiet"]
    assert record == {}
    del answers["apt-cache policy comitup"]
    packages.provide(system, record, packages.FOR_COMITUP, lambda: None)
    assert system.done[-1].endswith(" network-manager wpasupplicant comitup")
    assert "comitup" in record["packages"]


# ---------------------------------------------------------------------------------------------------------- its port


def test_the_table_is_never_where_comitups_page_is(computer, conf):
    system = System(computer)
    assert comitup.port_beside(system, None, False) == 80
    assert comitup.port_beside(system, None, True) == 8080
    assert comitup.port_beside(system, 8000, True) == 8000
    with pytest.raises(SetupError, match="--port 8080"):
        comitup.port_beside(system, 80, True)
    conf.write_bytes(comitup.with_lines(CONF, "Cafe", "correcthorse"))
    assert comitup.port_beside(system, None, False) == 8080
    with pytest.raises(SetupError, match="--port 8080"):
        comitup.port_beside(system, 80, False)


def test_another_program_on_the_port_of_comitups_page_is_said_but_not_comitups_own(computer, monkeypatch):
    system = Asked(computer, {})
    system.up = True
    monkeypatch.setattr(checks, "is_taken", lambda system, port, ours: port == 80)
    with pytest.raises(SetupError, match="take --hotspot instead"):
        comitup.port_beside(system, None, True)
    system.answers["systemctl is-active comitup-web.service"] = "active\n"
    assert comitup.port_beside(system, None, True) == 8080


# ------------------------------------------------------------------------------------------------- where systemd runs


def booted(computer, **answers):
    system = Asked(computer, {"nmcli --terse --fields TYPE": "wifi:connected\n", **answers})
    system.up = True
    return system


def notes(system):
    """Give what is said about the Wi-Fi; here nobody can be given a file, which is said as well."""
    return [words for words in system.warned if network.ENVIRONMENT not in words]


CONNECTIONS = "home\ncomitup-123-0000\nTable 3-0000\nTable 3\n"


def test_comitup_is_started_again_for_its_settings_and_not_without_need(computer, conf):
    system = booted(computer, **{"nmcli --terse --fields NAME": CONNECTIONS})
    record = {"packages": ["comitup"]}
    comitup.set_up(system, record, "Table 3", None)
    assert system.done == ["systemctl --no-block restart comitup.service", "nmcli connection delete comitup-123-0000"]
    comitup.set_up(system, record, "Table 3", None)
    assert len(system.done) == 2
    comitup.set_up(system, record, "Table 4", None)
    assert system.done[3:] == ["nmcli connection delete Table 3-0000"]
    assert notes(system) == []


def test_an_owners_comitup_keeps_what_it_made_and_its_package(computer, conf):
    system = booted(computer, **{"nmcli --terse --fields NAME": CONNECTIONS})
    record = {"packages": []}
    conf.chmod(0o640)
    comitup.set_up(system, record, "Table 3", None)
    (computer / "var/log").mkdir(parents=True)
    (computer / "var/log/comitup.log").write_text("theirs")
    system.done.clear()
    comitup.take_back(system, record)
    assert system.done == [
        "systemctl --no-block try-restart comitup.service",
        "nmcli connection delete Table 3-0000",
    ]
    assert (conf.read_bytes(), conf.stat().st_mode & 0o777) == (CONF, 0o640)
    assert (computer / "var/log/comitup.log").exists()


def test_of_a_comitup_that_came_for_us_nothing_stays(computer, conf):
    system = booted(computer, **{"nmcli --terse --fields NAME": CONNECTIONS, "systemctl is-active comitup": "active\n"})
    record = {"packages": ["comitup"]}
    comitup.set_up(system, record, "Table 3", None)
    (computer / "var/log").mkdir(parents=True)
    for name in ("comitup.log", "comitup-web.log", "comitup.log.2026-11-16", "syslog"):
        (computer / "var/log" / name).write_text("")
    system.done.clear()
    comitup.take_back(system, record)
    assert system.done == [
        "systemctl stop comitup.service comitup-web.service",
        "nmcli connection delete comitup-123-0000",
        "nmcli connection delete Table 3-0000",
    ]
    assert [path.name for path in (computer / "var/log").iterdir()] == ["syslog"]


@pytest.mark.parametrize("came", ["git", "comitup"])
def test_a_comitup_that_never_was_or_was_purged_since_then_is_not_asked_to_stop(computer, came):
    system = booted(computer)
    comitup.take_back(system, {"packages": [came]})
    assert system.done == []


def test_what_may_be_in_comitups_way_is_said_and_left_alone(computer, conf):
    system = booted(computer, **{"systemctl is-active dnsmasq.service": "active\n"})
    comitup.set_up(system, {}, "Cafe", None)
    assert ["disable --now dnsmasq" in words for words in notes(system)] == [True]
    assert not any("dnsmasq" in line for line in system.done)


def test_wifi_that_comitup_can_t_have_is_said(computer, conf):
    system = booted(computer, **{"nmcli --terse --fields TYPE": "wifi:unmanaged\n"})
    comitup.set_up(system, {}, "Cafe", None)
    assert ["another program than NetworkManager" in words for words in notes(system)] == [True]


def test_the_table_is_started_again_when_its_wifi_has_another_name(computer, monkeypatch, conf):
    """The display shows name and password, which the service is told when it starts."""
    started = []
    monkeypatch.setattr(versions, "restart", lambda system: started.append(system))
    monkeypatch.setattr(versions, "install_beside", lambda *given: False)
    monkeypatch.setattr(setup, "_answers", lambda system: True)
    version = computer / versions.HOME.lstrip("/") / versions.name_of(TOP)
    version.mkdir(parents=True)
    (version.parent / "current").symlink_to(version.name)
    for name in ("Cafe", "Cafe", "Bar"):
        setup.install(System(computer), TOP, setup.Wishes(comitup=name))
    # The first time for all that is new; the second time nothing is.
    assert len(started) == 2
