"""A restore is done, or nothing has changed: whatever can't be moved, and wherever a power cut ends it."""

import errno
import fcntl
import io
import os
import shutil
import zipfile
from functools import partial
from pathlib import Path

import pytest

from companion.appliance import run
from companion.appliance.backup import BackupError, restore, undo_cut_restore
from companion.appliance.settings import settled
from companion.cli import replay
from companion.server.settings_api import SettingsError
from tests.backups import ids, made, state_in


@pytest.fixture
def state(tmp_path):
    return state_in(tmp_path / "state")


def contents(folder):
    """Give every file of a state folder: {name: content}."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if name != "journal.lock" and not name.startswith(".restoring-")
    }


def killed_at(point, work):
    """Do some work in a process of its own that dies, as in a power cut, at its `point`-th step (counted from 0).

    It is called with `fault`. Gives the step's name; "" if the work was done before.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        left = [point]

        def fault(name):
            if left[0] == 0:
                os.write(write, name.encode())
                os._exit(1)
            left[0] -= 1

        try:
            work(fault=fault)
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as said:
        return said.read()


@pytest.fixture
def other(state):
    """Make a backup of the state folder's; then another match is played there, with a log that is not in its file."""
    copy = made(state).getvalue()
    (state / "journal.db-wal").write_bytes(b"the last records")
    (state / "journal.db-shm").write_bytes(b"where they are")
    (state / "seats.json").write_text("{}")
    (state / "box.json").write_text('{"pin":"1999"}')
    (state / "data" / "mine.toml").touch()
    return copy


@pytest.mark.night
def test_a_restore_that_is_cut_short_at_any_step_is_undone_whatever_cuts_that_short(state, other, tmp_path):
    before = contents(state)
    steps = []
    for point in range(100):
        here = tmp_path / f"{point}"
        shutil.copytree(state, here)
        name = killed_at(point, partial(restore, here, io.BytesIO(other)))
        if not name:
            break
        steps.append(name)
        half = tmp_path / f"{point} again"
        for cut in range(100):
            shutil.rmtree(half, ignore_errors=True)
            shutil.copytree(here, half)
            undone = killed_at(cut, partial(undo_cut_restore, half))
            undo_cut_restore(half)
            if name not in ("unpacked", "done"):
                assert contents(half) == before, (name, undone)
                assert not list(half.glob("replaced-*"))
            if not undone:
                break
        # Whatever was left behind, the next one is done.
        assert restore(here, io.BytesIO(other)).manifest.matches == 1
        assert ids(here) == ["01"]
        assert (here / "box.json").read_text() == '{"pin":"4711"}'
        assert not list(here.glob(".restoring-*"))
    assert len(steps) > 10
    assert {"unpacked", "planned", "journal.db is aside", "data is in its place", "done"} <= set(steps)


def test_what_can_not_be_moved_is_said_and_everything_is_put_back(state, other, monkeypatch):
    before = contents(state)
    real = Path.rename
    moved = []
    for stuck in ("data", "box.json", "seats.json", "journal.db-wal"):

        def rename(path, to, stuck=stuck):
            moved.append(path.name)
            if path == state / stuck:
                # As a folder does that is a disk of its own.
                raise OSError(errno.EBUSY, "Device or resource busy", str(path))
            return real(path, to)

        monkeypatch.setattr(Path, "rename", rename)
        with pytest.raises(BackupError, match=rf"all is as it was before: .*{stuck} .*Unmount it"):
            restore(state, io.BytesIO(other))
        assert contents(state) == before
        assert not [path for path in state.iterdir() if path.name.startswith((".restoring", "replaced"))]
    assert moved.count("journal.db") > 4


def test_any_error_half_way_puts_everything_back(state, other):
    before = contents(state)
    seen = []

    def fault(name):
        if name not in seen:
            seen.append(name)
            raise KeyboardInterrupt

    while True:
        try:
            restore(state, io.BytesIO(other), fault=fault)
            break
        except KeyboardInterrupt:
            if seen[-1] == "done":
                break
            assert contents(state) == before, seen[-1]
            assert not list(state.glob("replaced-*"))
    assert len(seen) > 10


def cut_short(state, other):
    """Leave a restore behind that was cut short when all that was there is aside."""
    assert killed_at(7, partial(restore, state, io.BytesIO(other))) == "seats.json is aside"
    assert not (state / "box.json").exists()


def test_a_box_never_asks_for_a_pin_because_a_restore_was_cut_short(state, other):
    cut_short(state, other)
    assert settled(state).pin == "1999"
    assert (state / "journal.db-wal").read_bytes() == b"the last records"


def test_a_backup_of_half_a_restore_is_none(state, other):
    (state / "journal.db-wal").unlink()
    (state / "journal.db-shm").unlink()
    assert killed_at(5, partial(restore, state, io.BytesIO(other))) == "seats.json is aside"
    with zipfile.ZipFile(made(state)) as file:
        assert file.read("box.json") == b'{"pin":"1999"}'


def test_a_restore_that_can_not_be_undone_keeps_the_table_from_starting_and_names_the_folder(state, other):
    cut_short(state, other)
    (state / "box.json").write_text("{}")
    for _ in range(2):
        with pytest.raises(SettingsError, match=r"moved away first: .*box.json.*lies in .*/replaced-"):
            settled(state)
    (state / "box.json").unlink()
    assert settled(state).pin == "1999"


def test_while_a_backup_is_taken_back_no_table_starts(state, other):
    cut_short(state, other)
    with (state / "journal.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(SettingsError, match="being taken back"):
            settled(state)


def test_serving_begins_no_journal_on_half_a_restore(state, other, monkeypatch):
    cut_short(state, other)
    assert not (state / "journal.db").exists()
    monkeypatch.setenv("COMPANION_STATE", str(state))
    run._journal().close()
    assert ids(state) == ["01"]


def test_an_import_does_not_either(state, other, tmp_path, monkeypatch):
    cut_short(state, other)
    monkeypatch.setenv("COMPANION_STATE", str(state))
    match = tmp_path / "match.jsonl"
    match.write_bytes(b'{"id":"02","at":"","game":"collectors","seats":3}')
    replay.imported(match)
    assert ids(state) == ["01", "02"]
