"""What counts instructions: every row is counted by an event, and what an event says becomes the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import pace
from companion.bench.figures import BenchError

EMULATOR = """#!/bin/sh
for event; do case $event in start|codes|book|pictures|dice|faces) echo said "$event"; break;; esac; done
grep -o '"[^"]*": ' "$ROWS" | sort -u | sed 's/$/3.8/' | paste -sd, | sed 's/.*/{&}/'
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "host/usr/bin").mkdir(parents=True)
    (tmp_path / "ready").touch()
    emulator = tmp_path / "host/usr/bin/qemu-aarch64"
    emulator.write_text(EMULATOR)
    emulator.chmod(0o700)
    monkeypatch.setenv("COMPANION_PACE", str(tmp_path))
    monkeypatch.setenv("ROWS", str(pace.HERE / "pace_events.py"))
    monkeypatch.setattr(pace, "draw", lambda folder, changes: None)
    return tmp_path


def test_every_row_is_counted_and_has_a_limit(folder: Path) -> None:
    section = pace.measure(1, 1)
    assert {row.what: row.figures["million"] for row in section.rows} == dict.fromkeys(pace.MOST, 3.8)
    assert all(row.figures["pi_4_ms"] == pytest.approx(2.0) for row in section.rows)
    assert [row.what for row in section.rows if row.budget and not row.budget.met] == ["plain idle frame at 1080p"]


def test_an_emulator_that_fails_is_said(folder: Path) -> None:
    (folder / "host/usr/bin/qemu-aarch64").write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(BenchError, match="ended with 3"):
        pace.measure(1, 1)
