"""The box: its first page, its settings, and which match it goes on with."""

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from urllib.parse import urlencode

import pytest
from typer.testing import CliRunner

from companion import games
from companion.appliance import boot
from companion.appliance.boot import create_first_page, serve_box
from companion.appliance.run import open_match
from companion.appliance.settings import FIND, Settings, settings, settle, settled
from companion.cli.main import cli
from companion.devices import vitals
from companion.referee.commands import End
from companion.referee.journal import Header, Journal
from companion.referee.journal_reader import read_only
from companion.referee.match import Match
from companion.server.keys import Keys
from companion.server.settings_api import SettingsError
from companion.table.factory import wifi
from companion.table.table import TableError
from tests.referee.table import GAME


def opens(kept, pin):
    """Tell whether a PIN makes its owner the host."""
    return Keys("0190", kept.pin).enter(pin) is not None


def test_settings_are_kept_whole_and_for_their_owner_only(tmp_path):
    assert settings(tmp_path) is None
    settle("picamera?focus=1.2", " 2026 ", tmp_path)
    kept = settings(tmp_path)
    assert (kept.camera, opens(kept, "2026"), "2026" in kept.pin[-60:]) == ("picamera?focus=1.2", True, False)
    assert (tmp_path / "box.json").stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == ["box.json"]


@pytest.mark.parametrize(
    ("camera", "pin", "says"),
    [
        (FIND, "", "4 to 12 digits"),
        (FIND, "12", "4 to 12"),
        (FIND, "hello", "digits"),
        (FIND, "٤٧١١", "digits"),
        (FIND, "1234", "first one that anybody tries"),
        (FIND, "0000", "first one"),
        ("a cat", "4711", "No camera"),
    ],
)
def test_settings_that_do_not_fit_are_refused_with_a_sentence(tmp_path, camera, pin, says):
    with pytest.raises(SettingsError, match=says):
        settle(camera, pin, tmp_path)
    assert settings(tmp_path) is None


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b'{"name":"\xff"}', b'{"more":' + b"[" * 10**5, b'{"record":"much"}', b'{"pin":1}']
)
def test_damaged_settings_say_how_to_be_asked_again(tmp_path, body):
    (tmp_path / "box.json").write_bytes(body)
    with pytest.raises(SettingsError, match="delete the file"):
        settings(tmp_path)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("record", -5, "0 (nothing) to 60 minutes"),
        ("record", 10**9, "0 (nothing) to 60 minutes"),
        ("bid_seconds", -1, "a bid may take"),
        ("bid_seconds", 10**9, "a bid may take"),
        ("name", "x" * 1000, "24 are the most"),
        ("language", "tlh", "no such language"),
        ("camera", " ", "not empty"),
    ],
)
def test_a_value_that_does_not_fit_counts_as_not_settled_and_is_logged(tmp_path, caplog, field, value, says):
    (tmp_path / "box.json").write_text(json.dumps({"pin": "4711", "muted": True, field: value}))
    assert settled(tmp_path) == Settings(pin="4711", muted=True)
    assert says in caplog.text


def test_without_its_settings_a_box_asks_whoever_comes_first_and_with_damaged_ones_nobody(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.setattr("companion.appliance.boot._ask_first", lambda host, port: asked.append(port))
    Journal(tmp_path).close()
    (tmp_path / "box.json").write_text("{")
    with pytest.raises(SettingsError, match="delete the file"):
        serve_box("127.0.0.1", 1)
    assert asked == []
    (tmp_path / "box.json").unlink()
    serve_box("127.0.0.1", 1)
    assert asked == [1]


def test_the_first_page_asks_once(tmp_path):
    done = []
    client = create_first_page(lambda: done.append(True), tmp_path).test_client()
    for path in ("/", "/J", "/host", "/generate_204"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert b"A PIN for the host" in answer.data
    answer = client.post("/first", data={"camera": "find", "pin": "11"})
    assert (answer.status_code, b"4 to 12 digits" in answer.data) == (400, True)
    answer = client.post("/first", data={"camera": "named", "where": "nowhere", "pin": "4711"})
    assert (answer.status_code, b"No camera is called" in answer.data) == (400, True)
    assert b'value="nowhere"' in answer.data
    answer = client.post("/first", data={"camera": "none", "pin": "4711"}, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403
    assert settings(tmp_path) is None
    answer = client.post("/first", data={"camera": "none", "pin": "4711"})
    assert (answer.status_code, b"That is all" in answer.data) == (200, True)
    assert (settings(tmp_path).camera, opens(settings(tmp_path), "4711")) == ("none", True)
    # Somebody else had the page open as well.
    answer = client.post("/first", data={"camera": "find", "pin": "9999"})
    assert (answer.status_code, opens(settings(tmp_path), "9999")) == (200, False)


def test_the_first_page_answers_by_the_tables_own_names_only(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_NAMES", "tables.example")
    done = []
    app = create_first_page(lambda: done.append(True), tmp_path, lambda: "http://10.42.0.1:8080/")
    client = app.test_client()
    form = {"camera": "none", "pin": "4711"}
    for foreign in ("evil.example", "evil.example:8080", "10.42.0.1.evil.example"):
        answer = client.post("/first", data=form, headers={"Host": foreign, "Origin": f"http://{foreign}"})
        assert (answer.status_code, "This table is at http://10.42.0.1:8080/" in answer.text) == (421, True)
        for path in ("/", "/generate_204"):
            led = client.get(path, headers={"Host": foreign})
            assert (led.status_code, led.headers["Location"]) == (302, "http://10.42.0.1:8080/")
    assert (settings(tmp_path), done) == (None, [])
    for own in ("10.42.0.1:8080", "table-3.local", "tables.example"):
        assert "A PIN for the host" in client.get("/", headers={"Host": own}).text
    answer = client.post("/first", data=form, headers={"Host": "10.42.0.1", "Origin": "http://10.42.0.1"})
    assert (answer.status_code, opens(settings(tmp_path), "4711")) == (200, True)


def test_the_command_answers_the_first_page_too(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    done = CliRunner().invoke(cli, ["settle", "--pin", "1"])
    assert (done.exit_code, "4 to 12 digits" in done.output) == (2, True)
    assert CliRunner().invoke(cli, ["settle", "--pin", "4711", "--camera", "none"]).exit_code == 0
    assert (settings().camera, opens(settings(), "4711")) == ("none", True)


@pytest.mark.parametrize(("kind", "said"), [("overlay", "raspi-config"), ("tmpfs", "COMPANION_STATE"), ("ext4", "")])
def test_a_box_that_would_forget_its_matches_says_so_instead_of_starting(tmp_path, monkeypatch, kind, said):
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.setattr(vitals, "mount_of", lambda folder, root: vitals.Mount("none", kind, False))
    monkeypatch.setattr(boot, "_ask_first", lambda *where: None)
    if said:
        with pytest.raises(TableError, match=f"lies on {kind}.*{said}"):
            serve_box("127.0.0.1", 0)
    monkeypatch.setenv(boot.FORGETTING, "1")
    serve_box("127.0.0.1", 0)


def test_the_hotspot_comes_from_the_environment(monkeypatch):
    monkeypatch.delenv("COMPANION_WIFI", raising=False)
    monkeypatch.delenv("COMPANION_WIFI_PASSWORD", raising=False)
    assert wifi() == ("", "")
    monkeypatch.setenv("COMPANION_WIFI", "Table 3")
    monkeypatch.setenv("COMPANION_WIFI_PASSWORD", "correcthorse")
    assert wifi() == ("Table 3", "correcthorse")


def test_the_match_that_was_not_over_is_gone_on_with(tmp_path):
    journal = Journal(tmp_path)
    assert open_match(journal) is None
    header = Header(id="01", at="", game="five-cards-collector", seats=2, mode="ledger")
    match = Match(GAME, games.load_mat("five-cards-collector", 2), header, journal)
    match.start()
    assert open_match(journal).id == "01"
    assert match.command(End(by="host")).ok
    match.close()
    assert open_match(journal) is None
    journal.begin(Header(id="02", at="", game="chess", seats=2))
    journal.put_up("02")
    assert open_match(journal) is None
    journal.close()


def test_a_match_that_no_rule_can_do_with_keeps_no_box_from_starting(tmp_path, monkeypatch):
    journal = Journal(tmp_path)
    journal.begin(Header(id="01", at="", game="five-cards-collector", seats=2))
    monkeypatch.setattr(journal, "lines", lambda match: iter([None]))
    assert open_match(journal) is None
    journal.close()


def test_what_was_played_last_is_gone_on_with_though_another_is_newer_or_was_taken_in(tmp_path):
    def played(match):
        header = Header(id=match, at="", game="five-cards-collector", seats=2, mode="ledger")
        at_table = Match(GAME, games.load_mat("five-cards-collector", 2), header, journal)
        at_table.start()
        at_table.close()

    journal = Journal(tmp_path)
    for match in ("01", "02", "01"):
        played(match)
    assert open_match(journal).id == "01"
    for match in ("zzzz", "011"):
        journal.take(Header(id=match, at="", game="five-cards-collector", seats=2), ())
    assert open_match(journal).id == "01"
    assert journal.header("01").id == "01"
    journal.close()
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("DROP TABLE latest")
    with read_only(tmp_path) as earlier:
        assert open_match(earlier).id == "011"


def ask(port, path="/health", **form):
    """Ask until somebody answers; the machine may be busy."""
    end = time.monotonic() + 90
    while True:
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            body, headers = urlencode(form), {"Content-Type": "application/x-www-form-urlencoded"}
            asked.request("POST" if form else "GET", path, body if form else None, headers if form else {})
            answer = asked.getresponse()
            return answer.status, answer.read()
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.1)
        finally:
            asked.close()


@pytest.mark.night
def test_a_box_asks_once_and_then_is_a_table(tmp_path):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environ = {**os.environ, "COMPANION_STATE": str(tmp_path), "COMPANION_DEVICES": "simulated"}
    command = [sys.executable, "-m", "companion", "box", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as box:
        try:
            assert b"A PIN for the host" in ask(port, "/")[1]
            assert b"That is all" in ask(port, "/first", camera="none", pin="4711")[1]
            end = time.monotonic() + 90
            while b"A PIN for the host" in (page := ask(port, "/host")[1]):
                assert time.monotonic() < end
                time.sleep(0.2)
            assert b"Are you the host?" in page
            assert ask(port)[0] == 200
            assert ask(port, "/host/enter", pin="4711")[0] == 303
        finally:
            box.send_signal(signal.SIGTERM)
            try:
                told = box.communicate(timeout=60)[0]
            except subprocess.TimeoutExpired:
                box.kill()
                raise
    assert "4711" not in told
    assert "Not set up yet" in told
