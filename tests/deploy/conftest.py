"""The installer is no package of the program: it runs before anything is installed, from its own folder."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "deploy"))

from tests.deploy.stand_ins import CONFIG


@pytest.fixture
def computer(tmp_path, monkeypatch):
    """A Pi's root, as far as the installer looks at it, on a card with room, however full this machine's disk is."""
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=8e9))
    root = tmp_path / "root"
    for path, text in {
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n',
        "etc/group": "root:x:0:\nvideo:x:44:\ni2c:x:998:\ngpio:x:997:somebody\n",
        "etc/passwd": "root:x:0:0:root:/root:/bin/bash\n",
        "etc/hostname": "raspberrypi\n",
        "etc/hosts": "127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n",
        "boot/firmware/config.txt": CONFIG.decode(),
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root
