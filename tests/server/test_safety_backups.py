"""A backup that somebody changed, with the right tools, so that the archive itself is whole."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from companion.appliance.backup import BackupError, backup, restore
from companion.referee.journal import Header, Journal


def test_a_backup_that_was_packed_again_with_another_pin_or_journal_is_not_taken(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "state")
    journal.begin(Header(id="01", at="", game="collectors", seats=3))
    journal.close()
    (tmp_path / "state" / "box.json").write_text('{"pin":"4711"}')
    whole = io.BytesIO()
    backup(tmp_path / "state", whole)
    with zipfile.ZipFile(whole) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    assert {"box.json", "journal.db"} <= contents.keys()
    changes = {"box.json": (b"4711", b"0000"), "journal.db": (b"collectors", b"COLLECTORS")}
    for changed, (old, new) in changes.items():
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            for name, body in contents.items():
                # As long as it was, and with the archive's own sum right.
                file.writestr(name, body.replace(old, new) if name == changed else body)
        packed.seek(0)
        with pytest.raises(BackupError, match=f"{changed} is not as it was"):
            restore(tmp_path / changed, packed)
        assert not (tmp_path / changed / changed).exists()
