"""What deploy/demo and deploy/test share, with a Python that is not there: it notes what it was asked for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).parents[2]
PYTHON = """#!/bin/bash
case "$*" in
  -c*) ;;
  --version) echo "Python 3.13.1" ;;
  *venv*) echo begins >>noted; rm -rf .venv; sleep 0.3; mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
  *-e*) sleep 0.3; echo ends >>noted ;;
esac
"""


def test_two_that_start_at_once_do_not_make_the_environment_into_each_other(tmp_path: Path) -> None:
    (tmp_path / "deploy").mkdir()
    shutil.copy(TOP / "deploy/common.sh", tmp_path / "deploy")
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "requirements.lock").touch()
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    script = "required= && . deploy/common.sh && make_venv requirements.lock && test -x .venv/bin/python"
    environ = {"PATH": "/usr/bin:/bin", "PYTHON": str(python)}
    started = [subprocess.Popen(["bash", "-c", script, "deploy/demo"], cwd=tmp_path, env=environ) for _ in range(2)]
    assert [process.wait() for process in started] == [0, 0]
    assert (tmp_path / "noted").read_text().split() == ["begins", "ends"]
