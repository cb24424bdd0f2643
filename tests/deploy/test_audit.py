"""What `deploy/audit` says of what pip-audit tells, and of advisories that can't be reached."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOLE = {"id": "PYSEC-1", "fix_versions": ["2.0"]}


def audit(tmp_path: Path, says: str) -> tuple[int, str]:
    """Run it with a pip-audit that says something; give how it ends and what it prints."""
    stand_in = tmp_path / "pip-audit"
    stand_in.write_text(f"import sys\nprint({says!r})\nprint('no route to host', file=sys.stderr)\nsys.exit(1)\n")
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "audit"], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PIP_AUDIT": f"{sys.executable} {stand_in}"},
    )  # fmt: skip
    assert not done.stderr
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("packages", "status", "words"),
    [
        ([{"name": "a", "version": "1.0", "vulns": []}], 0, "none of 1 packages has a known hole"),
        ([{"name": "a", "version": "1.0", "vulns": [HOLE]}], 1, "a 1.0: PYSEC-1, mended in 2.0"),
        ([{"name": "a", "version": "1.0", "vulns": [HOLE]}, {"name": "b", "skip_reason": "?"}], 1, "a 1.0: PYSEC-1"),
        ([{"name": "a", "version": "1.0", "vulns": []}, {"name": "b", "skip_reason": "?"}], 77, "skipped: of 1 of 2"),
        ([], 77, "skipped"),
    ],
)
def test_a_hole_fails_and_what_was_not_looked_up_is_said(
    tmp_path: Path, packages: list[dict[str, Any]], status: int, words: str
) -> None:
    ended, said = audit(tmp_path, json.dumps({"dependencies": packages, "fixes": []}))
    assert ended == status
    assert words in said


def test_advisories_that_can_not_be_reached_are_said_and_no_all_clear(tmp_path: Path) -> None:
    assert audit(tmp_path, "") == (77, "skipped: the advisories can't be reached (no route to host)\n")
