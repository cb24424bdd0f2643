"""Wheel, sdist → wheel and editable install carry the card codes, the pages and the wiring."""

import re
import subprocess
import sys
import tarfile
import zipfile
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

from companion.files import data
from deploy.installer.versions import SOURCES

TOP = Path(__file__).parents[1]
WANTED = (
    "card_codes/five-cards-collector/deck.toml",
    "web/templates/base.html",
    "firmware_config/wiring.toml",
    "deploy/systemd/companion.service",
    "requirements.lock",
)
ASK = "import companion.files as p; print(p.data(%r).read_text()[:1] != '')"


def build(source, target, into):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)],
        cwd=source,
        check=True,
        capture_output=True,
        timeout=120,
    )
    return next(into.iterdir())


def works(wheel, tmp_path):
    """Unpack a wheel and ask it for its data from another folder, where no checkout is near."""
    home = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(home)
    for name in WANTED:
        done = subprocess.run(
            [sys.executable, "-c", ASK % name],
            cwd=tmp_path,
            env={"PYTHONPATH": str(home), "HOME": str(tmp_path), "PATH": ""},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize("name", WANTED)
def test_an_editable_install_finds_the_checkouts_data(name):
    assert data(name).is_file()


def test_a_wheel_carries_its_data_and_none_of_what_only_developers_measure(tmp_path):
    wheel = build(TOP, "wheel", tmp_path / "w")
    works(wheel, tmp_path)
    names = zipfile.ZipFile(wheel).namelist()
    assert "companion/bench/frames.py" in names
    assert not [name for name in names if name.startswith("benchmarks")]


@pytest.mark.night
def test_an_sdist_makes_a_wheel_that_carries_its_data(tmp_path):
    sdist = build(TOP, "sdist", tmp_path / "s")
    with tarfile.open(sdist) as file:
        file.extractall(tmp_path / "source", filter="data")
    works(build(next((tmp_path / "source").iterdir()), "wheel", tmp_path / "w"), tmp_path)


def test_an_owners_edits_lie_over_the_packaged_data(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    own = tmp_path / WANTED[0]
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    assert data(WANTED[0]).read_text() == "mine"
    assert data(WANTED[1]).is_file()


def test_data_that_is_nowhere_says_where_it_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="looked in"):
        data("card_codes/chess/deck.toml")


@pytest.mark.parametrize("tool", ["pip", "setuptools"])
@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_what_installs_and_builds_is_locked_too_so_that_a_box_keeps_no_old_one_of_the_systems(lock, tool):
    assert re.search(rf"^{tool}==[\d.]+ \\$", (TOP / lock).read_text(encoding="utf-8"), re.MULTILINE)


def test_each_part_under_the_lgpl_is_named_in_the_notices_which_go_wherever_the_program_goes(tmp_path):
    notices = (TOP / "NOTICES.md").read_text(encoding="utf-8")
    lock = (TOP / "requirements.lock").read_text(encoding="utf-8")
    for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE):
        with suppress(PackageNotFoundError):
            about = metadata(name)
            licence = f"{about.get('License-Expression')} {about.get('License')} {about.get_all('Classifier')}"
            assert name in notices or not re.search(r"GPL|Lesser|MPL", licence), name
    for part in ("libzbar0", "FFmpeg", "libcamera"):
        assert part in notices
    assert "NOTICES.md" in SOURCES
    with zipfile.ZipFile(build(TOP, "wheel", tmp_path / "w")) as file:
        assert any(name.endswith("licenses/NOTICES.md") for name in file.namelist())
