"""The page on which the host changes what else sits in a file: what it keeps, what it refuses, and what then counts."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.appliance import boot as box
from companion.appliance import run
from companion.appliance.settings import (
    Owner,
    Settings,
    camera_fields,
    camera_named,
    owner_for,
    settings,
    settle,
    settled,
    write,
)
from companion.devices.wiring import WiringError, parse, with_rotation
from companion.referee.journal import Header, new_id, now
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server.app import create_app
from companion.server.keys import Keys, kept_pin
from companion.server.live import BEAT
from companion.server.settings_api import SettingsError
from companion.table.session import gather
from companion.table.table import Table, TableError
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, flat, join, messages

WIRING = "firmware_config/wiring.toml"
FORM = {"name": "Table 3", "language": "sv", "bid_seconds": "30", "record": "5"}


class OwnedDesk(MatchDesk):
    """A match at a table with settings, and with a buzzer."""

    def __init__(self, boxed: bool) -> None:
        super().__init__()
        self.heard: list[bool] = []
        self.owner = Owner(boxed, self.heard.append, True)


@pytest.fixture
def host_of(client_of: Clients, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FlaskClient]:
    """Make the host's browser at a table whose state lies in the test's own folder."""
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.delenv("COMPANION_DATA", raising=False)

    def make(boxed: bool = True) -> FlaskClient:
        client = client_of(OwnedDesk(boxed))
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
        be_host(client)
        return client

    return make


def desk_of(client: FlaskClient) -> Any:
    return client.application.extensions["companion"].table


def keep(client: FlaskClient, **changes: str) -> Any:
    return client.post("/host/settings", data={**FORM, "camera": "none", **changes})


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_what_is_kept_is_in_the_file_and_on_the_page_again(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    answer = keep(client, camera="named", where="1", size="1280x720", mains="60", muted="yes")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/host/settings?kept=start")
    wanted = Settings(
        camera="1?width=1280&height=720&mains=60", name="Table 3", language="sv", muted=True, bid_seconds=30, record=5
    )
    assert settings() == wanted
    page = client.get(answer.headers["Location"]).text
    assert "from the next start on: pull" in page
    assert 'value="Table 3"' in page
    assert 'value="1"' in page
    for chosen in ('value="sv" lang="sv" selected', '"1280x720" selected', '"60" selected', '"named" checked'):
        assert chosen in page, chosen
    # What counts at once says so.
    assert keep(client, camera="named", where="1", size="1280x720", mains="60").headers["Location"].endswith("=now")
    assert desk_of(client).heard == [True, False]


def test_the_box_says_as_much_aloud_as_was_chosen(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    keep(client)
    assert '<option value="0" selected>nothing' in client.get("/host/settings").text
    assert keep(client, voice="2").headers["Location"].endswith("=now")
    assert desk_of(client).owner.now.voice == 2
    assert '<option value="2" selected>' in client.get("/host/settings").text
    # What is not in the form stays.
    keep(client)
    assert desk_of(client).owner.now.voice == 2
    answer = keep(client, voice="9")
    assert answer.status_code == 400
    assert "Choose how much is said." in answer.text
    assert desk_of(client).owner.now.voice == 2


def test_whether_it_can_speak_is_said_once_it_is_asked_to(
    host_of: Callable[..., FlaskClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = host_of()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "espeak-ng" not in client.get("/host/settings").text
    keep(client, voice="1")
    assert "espeak-ng is not installed" in client.get("/host/settings").text
    (tmp_path / "espeak-ng").touch(0o755)
    assert "espeak-ng is not installed" not in client.get("/host/settings").text


def test_the_name_stands_on_the_pages_at_once(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    assert "Table 3" not in client.get("/").text
    keep(client)
    assert "<title>Five Cards Collector · Table 3</title>" in client.get("/").text
    for path in ("/", "/join", "/host"):
        assert "Table 3" in text_of(client.get(path).text.partition("<body")[2]), path
    keep(client, name="  <b>Ours</b>  ")
    assert "&lt;b&gt;Ours&lt;/b&gt;" in client.get("/").text
    assert "<b>Ours" not in client.get("/").text


def test_the_language_is_for_phones_that_ask_for_none_of_ours(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    keep(client)
    for asked, spoken in (("fr", "sv"), ("de", "de"), ("en-US", "en"), ("sv-SE,sv;q=0.9,en;q=0.5", "sv")):
        assert f'<html lang="{spoken}">' in client.get("/join", headers={"Accept-Language": asked}).text, asked


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "A name that is much longer than it may be", "24 are the most"),
        ("bid_seconds", "soon", "Type a whole number"),
        ("bid_seconds", "601", "0 (no clock) to 600 seconds"),
        ("record", "-1", "Type a whole number"),
        ("record", "999", "0 (nothing) to 60 minutes"),
        ("language", "xx", "no such language"),
        ("camera", "a cat", "Choose a camera"),
        ("size", "1x1", "Choose one"),
        ("mains", "55", "Choose one of the lamps"),
        ("where", "", "type the number or the address"),
        ("where", "a cat", "No camera is called"),
    ],
)
def test_what_does_not_fit_is_said_beside_its_field_and_nothing_is_kept(
    host_of: Callable[..., FlaskClient], field: str, value: str, says: str
) -> None:
    client = host_of()
    given = {"camera": "named", "where": "1", field: value}
    answer = keep(client, **given)
    assert answer.status_code == 400
    assert settings() is None
    words = text_of(answer.text)
    assert says.lower() in words.lower()
    assert "Nothing is changed yet" in words
    if field not in ("camera", "size", "mains", "language"):
        # What was typed is there to be mended.
        assert re.search(rf'name="{field}"[^>]*value="{value}"', answer.text) or field in ("bid_seconds", "record")
    shown = "where" if field == "camera" else field
    assert f'id="{shown}-wrong"' in answer.text
    assert desk_of(client).heard == []


def test_a_file_that_can_not_be_written_is_said(host_of: Callable[..., FlaskClient], tmp_path: Path) -> None:
    client = host_of()
    (tmp_path / "box.json.new").mkdir()
    answer = keep(client)
    assert answer.status_code == 400
    assert "can't be kept in" in text_of(answer.text).replace("&#39;", "'")
    assert desk_of(client).owner.now.name == ""


def test_the_page_shows_no_password_of_the_cameras_address_and_keeps_it(host_of: Callable[..., FlaskClient]) -> None:
    write(Settings(camera="http://name:secret@cam.lan:8080/video", pin=kept_pin("4711")))
    client = host_of()
    page = client.get("/host/settings").text
    assert "secret" not in page
    where = re.search(r'name="where" value="([^"]*)"', page)
    assert where is not None
    keep(client, camera="named", where=where[1])
    assert settings().camera == "http://name:secret@cam.lan:8080/video"
    keep(client, camera="named", where="http://other.lan/video")
    assert settings().camera == "http://other.lan/video"


def test_only_a_box_has_its_camera_in_the_settings(host_of: Callable[..., FlaskClient]) -> None:
    write(Settings(camera="picamera?focus=1.2", pin=kept_pin("4711")))
    client = host_of(boxed=False)
    assert 'name="camera"' not in client.get("/host/settings").text
    assert keep(client, camera="none").status_code == 303
    kept = settings()
    assert kept is not None
    assert (kept.camera, kept.name) == ("picamera?focus=1.2", "Table 3")
    assert Keys("0190", kept.pin).enter("4711") is not None


def test_the_displays_rotation_is_written_into_the_owners_wiring(
    host_of: Callable[..., FlaskClient], tmp_path: Path
) -> None:
    client = host_of()
    own = tmp_path / "data" / WIRING
    assert 'name="upside_down" value="yes">' in flat(client.get("/host/settings").text)
    assert keep(client, upside_down="yes").headers["Location"].endswith("=start")
    text = own.read_text(encoding="utf-8")
    oled = parse(text).oled
    assert oled is not None
    assert oled.rotate == 2
    assert "# " in text  # its words for people are still there
    assert 'name="upside_down" value="yes" checked' in flat(client.get("/host/settings").text)
    keep(client)
    assert own.read_text(encoding="utf-8") == text.replace("rotate = 2 ", "rotate = 0 ")


def test_rotation_changes_one_line_only() -> None:
    text = '[oled]\ntype = "sh1106"\nrotate = 0 # so\n[buzzer]\npin = 18\n'
    assert with_rotation(text, 2) == text.replace("rotate = 0", "rotate = 2")
    assert with_rotation("[oled]", 2) == "[oled]\nrotate = 2\n"
    bare = "[buzzer]\npin = 18\n[oled]\naddress = 0x3D\n"
    assert parse(with_rotation(bare, 2)).oled == parse(bare + "rotate = 2\n").oled
    with pytest.raises(WiringError, match=r"no section \[oled\]"):
        with_rotation("[buzzer]\npin = 18\n", 2)


def test_a_new_pin_counts_at_once_and_puts_other_hosts_out(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    other = client.application.test_client()
    be_host(other)
    assert other.get("/host/settings").status_code == 200
    wrong = client.post("/host/settings/pin", data={"old": "000000", "pin": "2718"})
    assert (wrong.status_code, "That is not the host&#39;s PIN" in wrong.text) == (403, True)
    weak = client.post("/host/settings/pin", data={"old": "482913", "pin": "1111"})
    assert (weak.status_code, "first one that anybody tries" in weak.text) == (400, True)
    assert settings() is None
    answer = client.post("/host/settings/pin", data={"old": "482913", "pin": "2718"})
    assert answer.headers["Location"] == "/host/settings?kept=pin"
    assert "The PIN is changed" in client.get("/host/settings?kept=pin").text
    assert other.get("/host/settings").status_code == 302
    assert other.post("/host/enter", data={"pin": "482913"}).status_code == 403
    assert other.post("/host/enter", data={"pin": "2718"}).status_code == 303
    kept = settings()
    assert kept is not None
    assert "2718" not in kept.pin.rpartition("$")[0]
    assert Keys("0190", kept.pin).enter("2718") is not None


def test_other_hosts_are_out_before_a_new_pin_is_kept(
    host_of: Callable[..., FlaskClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = host_of()
    other = client.application.test_client()
    be_host(other)
    monkeypatch.setattr("companion.appliance.settings._write", _full)
    client.post("/host/settings/pin", data={"old": "482913", "pin": "2718"})
    assert other.get("/host/settings").status_code == 302
    assert client.get("/host/settings").status_code == 200


def _full(*_: object) -> None:
    raise SettingsError("the card is full")


def test_settings_that_can_not_be_kept_leave_the_display_as_it_was(
    host_of: Callable[..., FlaskClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = host_of()
    monkeypatch.setattr("companion.appliance.settings.write", _full)
    keep(client, upside_down="yes")
    assert parse((tmp_path / "data" / WIRING).read_text()).oled.rotate == 0


def test_a_new_pin_ends_what_other_hosts_streams_tell(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    other = client.application.test_client()
    be_host(other)
    mine, theirs = messages(client.get("/events/host")), messages(other.get("/events/host,public"))
    for stream in (mine, theirs):
        next(stream), next(stream)
    next(theirs)
    assert client.post("/host/settings/pin", data={"old": "482913", "pin": "2718"}).status_code == 303
    before = time.monotonic()
    assert next(theirs) == {"event": "refused", "data": {"audience": "host"}}
    assert time.monotonic() - before < BEAT / 2, "it did not wait for the next heartbeat"
    assert other.get("/state/host").status_code == 403
    join(client.application.test_client(), 1, "Zoe")
    while "Zoe" not in str(told := next(theirs)):
        assert told["event"] == "beat" or told["data"]["audience"] == "public"
    assert told["data"]["audience"] == "public"
    while "Zoe" not in str(told := next(mine)):
        assert told["event"] != "refused"
    assert told["data"]["audience"] == "host"


def test_a_table_from_a_command_line_keeps_no_pin(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of(boxed=False)
    assert client.post("/host/settings/pin", data={"old": "482913", "pin": "2718"}).status_code == 303
    assert settings() is None
    assert client.application.test_client().post("/host/enter", data={"pin": "2718"}).status_code == 303


def test_guessing_the_old_pin_locks_the_door(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    for _ in range(10):
        client.post("/host/settings/pin", data={"old": "0", "pin": "2718"})
    locked = client.post("/host/settings/pin", data={"old": "482913", "pin": "2718"})
    assert (locked.status_code, "Too many wrong PINs" in locked.text) == (429, True)
    assert client.application.test_client().post("/host/enter", data={"pin": "482913"}).status_code == 429


def test_nobody_else_sees_or_changes_anything(host_of: Callable[..., FlaskClient]) -> None:
    host = host_of()
    stranger = host.application.test_client()
    assert stranger.get("/host/settings").headers["Location"] == "/host"
    assert keep(stranger).status_code == 403
    assert stranger.post("/host/settings/pin", data={"old": "482913", "pin": "2718"}).status_code == 403
    foreign = {"Origin": "http://evil.example"}
    for path in ("/host/settings", "/host/settings/pin"):
        assert host.post(path, data={**FORM, "camera": "none"}, headers=foreign).status_code == 403
    assert settings() is None


def test_a_table_with_nothing_to_settle_says_so(client_of: Clients) -> None:
    client = client_of(MatchDesk())
    be_host(client)
    assert client.get("/host/settings").status_code == 404
    assert "/host/settings" not in client.get("/host").text


def test_people_are_told_that_pictures_are_kept(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    assert "are kept on this companion" not in client.get("/").text
    desk_of(client).owner.recording = 5.0
    assert "The last 5 minutes of the camera" in text_of(client.get("/").text)


def test_two_who_keep_at_once_leave_one_whole_file(host_of: Callable[..., FlaskClient]) -> None:
    client = host_of()
    owner = desk_of(client).owner
    chosen = owner.view().chosen
    threads = [
        threading.Thread(target=owner.keep, args=(type(chosen)(name=f"Table {n}", camera=("none", "", "", "")),))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = settings()
    assert kept is not None
    assert kept.name == owner.now.name


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ("find", ("find", "", "", "")),
        ("none", ("none", "", "", "")),
        ("simulated", ("simulated", "", "", "")),
        ("find?mains=60", ("find", "", "", "60")),
        ("2", ("named", "2", "", "")),
        ("picamera?focus=1.2&width=4608&height=2592", ("named", "picamera?focus=1.2", "4608x2592", "")),
        ("rtsp://10.0.0.2/x?mains=1", ("named", "rtsp://10.0.0.2/x?mains=1", "", "")),
    ],
)
def test_a_cameras_name_comes_apart_and_together_again(spec: str, fields: tuple[str, str, str, str]) -> None:
    assert camera_fields(spec) == fields
    assert camera_named(*fields) == spec


def test_a_table_begins_as_its_settings_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    assert run._recorder(None) is None
    write(Settings(muted=True, bid_seconds=45, record=3, name="Table 3"))
    recorder = run._recorder(None)
    assert recorder is not None
    assert recorder.minutes == 3
    header = Header(id=new_id(), at=now(), game=GATHERING, seats=MOST)
    table = Table(gather, header, None, "HTTP://10.42.0.1/J", recorder, owner_for(True, 3))
    assert table.devices.buzzer.muted
    assert (table.owner.now.name, table.owner.recording) == ("Table 3", 3)
    made = create_app(table, close=lambda: None)
    client = made.test_client()
    assert client.post("/host/enter", data={"pin": table.host_pin}).status_code == 303
    # The suggestion for the next match.
    assert re.search(r'name="bid_seconds"[^>]*value="45"', client.get("/host/new/collectors").text)
    made.extensions["companion"].feed.close()
    recorder.stop()
    named = run._recorder(7)
    assert named is not None
    assert named.minutes == 7
    named.stop()


def test_damaged_settings_stop_the_start_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    (tmp_path / "box.json").write_text("{")
    with pytest.raises(TableError, match="delete the file"):
        run._recorder(None)


@pytest.mark.parametrize("kept", ["find?mains=60", "find", "3"])
def test_a_box_looks_for_its_camera_with_the_options_that_were_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    write(Settings(camera=kept, pin=kept_pin("4711")))
    asked: list[Any] = []
    monkeypatch.setattr(run, "serve_table", lambda plan, *given: asked.append((plan.camera, plan.mode)))
    box.serve_box("127.0.0.1", 0)
    assert asked == [(kept, "assist")]


def test_settings_of_a_demo_do_not_answer_a_boxs_first_page(tmp_path: Path) -> None:
    write(Settings(name="Table 3"), tmp_path)
    assert settled(tmp_path) is None
    kept = settle("none", "4711", tmp_path)
    assert (kept.name, kept.camera) == ("Table 3", "none")
    assert settled(tmp_path) == kept
