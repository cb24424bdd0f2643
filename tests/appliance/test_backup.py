"""Backup and restore: nothing is lost, nothing foreign gets in, and what was there is put aside."""

import fcntl
import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
import zipfile
from contextlib import contextmanager
from datetime import datetime

import pytest
from typer.testing import CliRunner

from companion.appliance.backup import BackupError, backup_to, restore
from companion.cli.main import cli
from companion.referee.journal import Header, Journal
from tests.backups import ids, made, state_in

MB = 10**6
MEASURED = """
import sys, tracemalloc
from companion.cli.main import cli
tracemalloc.start()
cli(sys.argv[1:], standalone_mode=False)
sys.exit(tracemalloc.get_traced_memory()[1] > 24 * 10**6)
"""
"""Runs a command, and fails if it held more than 24 MB."""


@contextmanager
def held_at_most(most):
    """Check how many bytes Python holds at a time."""
    tracemalloc.start()
    try:
        yield
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < most


@pytest.fixture
def state(tmp_path):
    return state_in(tmp_path / "state")


def test_everything_comes_back_but_recordings(state, tmp_path):
    done = restore(tmp_path / "new", made(state))
    assert (done.manifest.matches, done.aside, done.left_out) == (1, None, [])
    assert ids(tmp_path / "new") == ["01"]
    assert (tmp_path / "new" / "box.json").read_text() == '{"pin":"4711"}'
    assert (tmp_path / "new" / "data" / "firmware_config" / "wiring.toml").read_text() == "[oled]\n"
    assert not (tmp_path / "new" / "recordings").exists()


def test_a_match_may_go_on_while_it_is_backed_up(state, tmp_path):
    journal = Journal(state)
    journal.begin(Header(id="02", at="", game="collectors", seats=2))
    copy = made(state)  # what is not in the main file yet is in the backup
    journal.begin(Header(id="03", at="", game="collectors", seats=2))
    journal.close()
    restore(tmp_path / "new", copy)
    assert ids(tmp_path / "new") == ["01", "02"]
    assert ids(state) == ["01", "02", "03"]


def test_what_was_there_is_put_aside(state):
    copy = made(state)
    journal = Journal(state)
    journal.begin(Header(id="02", at="", game="collectors", seats=2))
    journal.close()
    aside = restore(state, copy).aside
    assert ids(state) == ["01"]
    assert ids(aside) == ["01", "02"]
    assert (state / "recordings" / "large.mjpg").exists()


def test_while_a_companion_runs_nothing_is_restored(state):
    copy = made(state)
    with (state / "journal.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BackupError, match="stop it first"):
            restore(state, copy)
    assert ids(state) == ["01"]


def again(copy, change):
    """Pack a backup again, with something changed in its {name: content}."""
    with zipfile.ZipFile(copy) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    change(contents)
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as file:
        for name, body in contents.items():
            file.writestr(name, body)
    other.seek(0)
    return other


def relisted(contents, **manifest):
    said = json.loads(contents["companion-backup.json"])
    contents["companion-backup.json"] = json.dumps({**said, **manifest}).encode()


def smuggle(name):
    def change(contents):
        said = json.loads(contents["companion-backup.json"])["files"]
        contents[name] = b""
        empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        relisted(contents, files={**said, name: {"size": 0, "sha256": empty}})

    return change


def foreign_journal(contents):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE recipes (soup)")
    body = db.serialize()
    contents["journal.db"] = body
    said = json.loads(contents["companion-backup.json"])["files"]
    part = {"size": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    relisted(contents, files={**said, "journal.db": part})


BAD = {
    "changed": (lambda c: c.update({"box.json": c["box.json"][:-1] + b"]"}), "box.json is not as it was"),
    "cut off": (lambda c: c.update({"journal.db": c["journal.db"][:100]}), "journal.db is not as it was"),
    "grown": (lambda c: c.update({"journal.db": c["journal.db"] + b"x" * 10}), "journal.db is not as it was"),
    "missing": (lambda c: c.pop("journal.db"), "journal.db is missing"),
    "empty": (lambda c: relisted(c, files={}), "nothing in this backup"),
    "no list": (lambda c: c.pop("companion-backup.json"), "no list of contents"),
    "list of nonsense": (lambda c: c.update({"companion-backup.json": b"[1, 2]"}), "no backup of Companion"),
    "newer": (lambda c: relisted(c, format=2), "newer Companion"),
    "too large": (lambda c: relisted(c, files={"journal.db": {"size": 10**15, "sha256": ""}}), "less room"),
    "less than nothing": (lambda c: relisted(c, files={"journal.db": {"size": -2, "sha256": ""}}), "no backup of"),
    "deeply nested": (lambda c: c.update({"companion-backup.json": b'{"format":' + b"[" * 10**5}), "no backup of"),
    "no letters": (lambda c: c.update({"companion-backup.json": b'{"format":1,"at":"\xff"}'}), "no backup of"),
    "foreign": (foreign_journal, "none of Companion's"),
    "climbing": (smuggle("data/../../evil"), "doesn't belong there"),
    "absolute": (smuggle("/etc/evil.json"), "doesn't belong there"),
    "elsewhere": (smuggle("recordings/x"), "doesn't belong there"),
    "odd": (smuggle("data//x"), "doesn't belong there"),
    "lock": (smuggle("journal.lock"), "doesn't belong there"),
    "unheard of": (smuggle("data/a\0b"), "doesn't belong there"),
    "a list in the list": (
        lambda c: relisted(c, files={"companion-backup.json": {"size": 0, "sha256": ""}}),
        "doesn't belong there",
    ),
}


@pytest.mark.parametrize(("change", "says"), BAD.values(), ids=BAD)
def test_a_bad_backup_is_refused_and_nothing_changes(state, change, says):
    copy = again(made(state), change)
    before = sorted(path for path in state.rglob("*"))
    with pytest.raises(BackupError, match=says):
        restore(state, copy)
    assert sorted(path for path in state.rglob("*")) == before
    assert ids(state) == ["01"]


@pytest.mark.parametrize("body", [b"", b"a letter", b"PK\x03\x04 and then nothing"])
def test_a_file_that_is_no_backup_is_refused(state, body):
    with pytest.raises(BackupError, match="no backup of Companion"):
        restore(state, io.BytesIO(body))


def test_a_damaged_byte_anywhere_is_noticed(state):
    whole = made(state).getvalue()
    for at in range(30, len(whole), max(1, len(whole) // 60)):
        damaged = bytearray(whole)
        damaged[at] ^= 0xFF
        try:
            manifest = restore(state, io.BytesIO(bytes(damaged))).manifest
        except BackupError:
            continue
        # A byte that says nothing of the contents (a date, say): then all of it has to be right.
        assert manifest.matches == 1
        assert ids(state) == ["01"]


def test_a_file_of_less_than_nothing_is_refused_before_anything_is_unpacked(tmp_path):
    given = io.BytesIO()
    with zipfile.ZipFile(given, "w", zipfile.ZIP_DEFLATED) as file:
        said = {"format": 1, "version": "", "at": "", "matches": 0, "files": {"data/x": {"size": -2, "sha256": ""}}}
        file.writestr("companion-backup.json", json.dumps(said))
        file.writestr("data/x", bytes(64 * MB))
    assert len(given.getvalue()) < MB
    with pytest.raises(BackupError, match="no backup of Companion"), held_at_most(16 * MB):
        restore(tmp_path / "new", given)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["journal.lock"]


def test_a_backup_that_is_packed_in_another_way_is_refused(tmp_path, state):
    given = io.BytesIO()
    with zipfile.ZipFile(made(state)) as file, zipfile.ZipFile(given, "w", zipfile.ZIP_LZMA) as other:
        for name in file.namelist():
            other.writestr(name, file.read(name))
    with pytest.raises(BackupError, match="packed in another way"):
        restore(tmp_path / "new", given)


@pytest.mark.night
def test_no_file_is_ever_held_in_memory_whole(state, tmp_path):
    with sqlite3.connect(state / "journal.db") as db:
        db.execute("CREATE TABLE much (bytes)")
        db.executemany("INSERT INTO much VALUES (zeroblob(4000000))", [()] * 10)
    (state / "data" / "large.txt").write_bytes(bytes(40 * MB))
    with held_at_most(16 * MB):
        backup_to(state, tmp_path / "large.zip")
    with held_at_most(16 * MB), (tmp_path / "large.zip").open("rb") as given:
        restore(tmp_path / "new", given)
    assert (tmp_path / "new" / "journal.db").stat().st_size > 40 * MB


@pytest.mark.night
def test_the_commands_hold_no_backup_in_memory_either(state, tmp_path):
    (state / "data" / "noise.txt").write_bytes(os.urandom(40 * MB))
    environ = {**os.environ, "COMPANION_STATE": str(state)}
    command = [sys.executable, "-c", MEASURED]
    with (
        (tmp_path / "large.zip").open("wb") as to,
        subprocess.Popen([*command, "backup", "-"], env=environ, stdout=subprocess.PIPE) as giving,
    ):
        shutil.copyfileobj(giving.stdout, to)
    assert giving.returncode == 0
    environ["COMPANION_STATE"] = str(tmp_path / "new")
    with subprocess.Popen([*command, "restore", "-"], env=environ, stdin=subprocess.PIPE) as taking:
        with (tmp_path / "large.zip").open("rb") as given:
            shutil.copyfileobj(given, taking.stdin)
        taking.stdin.close()
    assert taking.returncode == 0
    assert ids(tmp_path / "new") == ["01"]


def test_that_passwords_are_in_a_backup_is_said_when_it_is_made(state, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "companion", "backup", tmp_path / "all.zip"],
        env={**os.environ, "COMPANION_STATE": str(state)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "passwords of camera and broker" in done.stderr


@pytest.mark.parametrize("year", [1970, 2200])
def test_a_backup_is_made_whatever_the_clock_says(state, tmp_path, monkeypatch, year):
    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(year, 1, 1, tzinfo=tz)

    monkeypatch.setattr("companion.appliance.backup.datetime", Clock)
    monkeypatch.setattr("zipfile.time.localtime", lambda *_: Clock.now().timetuple())
    manifest = restore(tmp_path / "new", made(state)).manifest
    assert manifest.at.startswith(f"{year}")
    assert ids(tmp_path / "new") == ["01"]


def test_a_list_of_contents_that_was_unpacked_here_spoils_no_backup(state, tmp_path):
    with zipfile.ZipFile(made(state)) as file:
        file.extract("companion-backup.json", state)
    restore(tmp_path / "new", made(state))
    assert ids(tmp_path / "new") == ["01"]


def test_a_file_whose_name_can_not_come_back_is_said_when_the_backup_is_made(state):
    (state / "data" / "a\nb").touch()
    with pytest.raises(BackupError, match="rename"):
        made(state)


SOMEBODYS = {
    "seats.json": b'{"match":"01","hosts":["0"]}',
    "data/web/templates/base.html": b"{{ 7 * 7 }}",
    "data/web/static/companion.js": b"alert(1)",
    "data/web/wiring.toml": b"",
    "data/games/game.py": b"import os",
    "data/decks/forest/deck.py": b"import os",
    "data/decks/forest/deck.json": b"{}",
    "data/decks/forest/000-001-0.png": b"",
    "data/card_codes/karmic-collections/zones.toml": b"",
}
"""What might be in the backup of somebody else: only the last three are taken without being asked for."""


def somebodys(state):
    def change(contents):
        said = json.loads(contents["companion-backup.json"])["files"]
        parts = {name: {"size": len(one), "sha256": hashlib.sha256(one).hexdigest()} for name, one in SOMEBODYS.items()}
        contents.update(SOMEBODYS)
        relisted(contents, files={**said, **parts})

    return again(made(state), change)


def test_keys_and_programs_in_a_backup_are_left_out_and_said(state, tmp_path, monkeypatch):
    path = tmp_path / "somebodys.zip"
    path.write_bytes(somebodys(state).getvalue())
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "new"))
    done = CliRunner().invoke(cli, ["restore", str(path)])
    assert done.exit_code == 0
    came = {name for name in SOMEBODYS if (tmp_path / "new" / name).exists()}
    assert came == {
        "data/card_codes/karmic-collections/zones.toml",
        "data/decks/forest/deck.json",
        "data/decks/forest/000-001-0.png",
    }
    said = " ".join(done.output.split())
    assert "Phones join again" in said
    left_out = "data/decks/forest/deck.py, data/games/game.py, data/web/static/companion.js, data/web/temp"
    assert f"Left out, for a page might run it: {left_out}" in said
    assert "zones.toml" not in said
    assert (tmp_path / "new" / "data" / "firmware_config" / "wiring.toml").exists()


def test_pages_of_ones_own_come_back_if_they_are_asked_for_and_keys_never(state, tmp_path, monkeypatch):
    path = tmp_path / "mine.zip"
    path.write_bytes(somebodys(state).getvalue())
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "new"))
    done = CliRunner().invoke(cli, ["restore", str(path), "--with-pages"])
    assert (done.exit_code, "Left out" in done.output) == (0, False)
    assert [name for name in SOMEBODYS if not (tmp_path / "new" / name).exists()] == ["seats.json"]


def test_keys_of_phones_are_not_in_a_backup_and_those_that_were_here_do_not_count_after_one(state):
    (state / "seats.json").write_text('{"match":"01","hosts":["0"]}')
    copy = made(state)
    with zipfile.ZipFile(copy) as file:
        assert "seats.json" not in file.namelist()
    aside = restore(state, copy).aside
    assert not (state / "seats.json").exists()
    assert (aside / "seats.json").exists()


def test_a_damaged_journal_is_not_backed_up_as_if_it_were_whole(state):
    with (state / "journal.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(BackupError, match=r"damaged|can't be copied"):
        made(state)


def test_a_backup_is_whole_or_not_there_and_nobody_elses(state, tmp_path):
    path = tmp_path / "mine.zip"
    backup_to(state, path)
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(BackupError, match="there already"):
        backup_to(state, path)
    with pytest.raises(BackupError, match="nothing to keep"):
        backup_to(tmp_path / "empty", tmp_path / "other.zip")
    assert [one.name for one in tmp_path.glob("*.zip*")] == ["mine.zip"]


def test_the_commands(state, tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_STATE", str(state))
    runner = CliRunner()
    path = tmp_path / "mine.zip"
    done = runner.invoke(cli, ["backup", str(path)])
    assert (done.exit_code, "1 matches" in done.output) == (0, True)
    assert runner.invoke(cli, ["backup", str(path)]).exit_code == 2
    streamed = runner.invoke(cli, ["backup", "-"])
    assert streamed.stdout_bytes[:2] == b"PK"
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "new"))
    done = runner.invoke(cli, ["restore", str(path)])
    assert (done.exit_code, "1 matches are back" in done.output) == (0, True)
    done = runner.invoke(cli, ["restore", "-"], input=streamed.stdout_bytes)
    assert (done.exit_code, "What was here before lies in" in done.output.replace("\n", " ")) == (0, True)
    done = runner.invoke(cli, ["restore", str(tmp_path / "nowhere.zip")])
    assert (done.exit_code, "can't be read" in done.output) == (2, True)
