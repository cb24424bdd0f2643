"""What `deploy/audit` says of what pip-audit tells, and of advisories that can't be reached."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOLE = {"id": "PYSEC-1", "fix_versions": ["2.0"]}


def audit(tmp_path: Path, says: str) -> tuple[int, str]:
    """Run it with a pip-audit that says something and an index in `tmp_path`; give how it ends and what it prints."""
    stand_in = tmp_path / "pip-audit"
    stand_in.write_text(f"import sys\nprint({says!r})\nprint('no route to host', file=sys.stderr)\nsys.exit(1)\n")
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "audit"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PIP_AUDIT": f"{sys.executable} {stand_in}", "PACKAGE_INDEX": tmp_path.as_uri()},
    )
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
    ended, said = audit(tmp_path, "")
    assert ended == 77
    assert "the advisories can't be reached (no route to host)\n" in said
    assert "skipped: the package index doesn't tell either" in said


LOCKED = {
    line.split()[0]
    for lock in ("requirements.lock", "requirements-dev.lock")
    for line in (ROOT / lock).read_text().splitlines()
    if re.match(r"[a-z]\S*==", line)
}
"""Every release of the lock files, as "name==version"."""
FINE: dict[str, Any] = {"yanked": False, "yanked_reason": None}


def index(folder: Path, **flask: Any) -> int:
    """Write down what an index would answer for each locked package; give how many releases are not the newest."""
    versions: dict[str, list[str]] = {}
    for name, version in (release.split("==") for release in sorted(LOCKED)):
        versions.setdefault(name, []).append(version)
    for name, found in versions.items():
        answer = {
            "info": {"version": found[-1]},
            "releases": {version: [FINE] for version in found},
            "vulnerabilities": [],
        }
        (folder / name).mkdir()
        (folder / name / "json").write_text(json.dumps(answer | (flask if name == "flask" else {})))
    return len(LOCKED) - len(versions)


def test_an_index_without_advisories_for_old_releases_is_asked_for_the_newest(tmp_path: Path) -> None:
    older = index(tmp_path)
    ended, said = audit(tmp_path, "")
    assert f"holds nothing against {len(LOCKED) - older} releases" in said
    assert (ended, "skipped: of older releases" in said) == ((77, True) if older else (0, False))


@pytest.mark.parametrize(
    ("flask", "words"),
    [
        ({"vulnerabilities": [{"id": "PYSEC-1", "fixed_in": []}]}, "PYSEC-1, mended in none yet"),
        ({"releases": {"VERSION": [{"yanked": True, "yanked_reason": "lets anyone in"}]}}, "lets anyone in"),
        ({"releases": {"0.1": [FINE]}}, "is not offered any more"),
    ],
)
def test_what_the_index_holds_against_a_release_fails(tmp_path: Path, flask: dict[str, Any], words: str) -> None:
    version = next(release.split("==")[1] for release in LOCKED if release.startswith("flask=="))
    index(tmp_path, **json.loads(json.dumps(flask).replace("VERSION", version)))
    ended, said = audit(tmp_path, "")
    assert ended == 1
    assert f"flask {version}: " in said
    assert words in said
