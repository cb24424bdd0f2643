"""Versions of the program side by side in /opt/companion, and the link that says which one counts.

A version is a folder with a virtual environment of its own. It counts as there once its last step, the file
`.complete`, was taken, so an installation that the plug was pulled on is begun anew.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .system import SetupError, System, in_words

HOME = "/opt/companion"
CURRENT, PREVIOUS = f"{HOME}/current", f"{HOME}/previous"
COMPLETE = ".complete"
UNITS = ("companion.service", "companion.socket", "companion-poweroff.path", "companion-poweroff.service")
UNIT_FOLDER = "/etc/systemd/system"
BACKOFF = f"{UNIT_FOLDER}/companion.service.d/restart.conf"
TOOLS = f"{HOME}/tools"
COMMANDS = ("companion", "companion-update", "install")
"""What stays on the computer beside the program: to start it, to update it, and to take it away."""
SOURCES = (
    "companion",
    "card_codes",
    "web",
    "firmware_config",
    "deploy",
    "pyproject.toml",
    "requirements.lock",
    "README.md",
    "LICENSE",
    "NOTICES.md",
)
LOAD = ("-P", "-c", "import companion.app, companion.box, cv2, zxingcpp")
"""Shows whether a version's packages can be loaded (its own, not those of the folder that we happen to be in): what
can't shall not be switched to."""
NEW_BACKOFF = 254
"""The first systemd that knows RestartSteps."""
SETTLING = 90.0
"""Seconds that a new version has to answer."""


# ------------------------------------------------------------------------------------------------------- a source


def name_of(source: Path) -> str:
    """Name a version after its number and its content: the same source is the same version, whenever it is installed.

    Raises:
        SetupError: if it is no Companion.
    """
    if source.is_file():
        found = re.fullmatch(r"companion-([0-9][\w.+!]*)-py3-none-any\.whl", source.name)
        if not found or not zipfile.is_zipfile(source):
            raise SetupError(f"{source} is no wheel of Companion (companion-1.2.3-py3-none-any.whl)")
        return f"{found[1]}-{hashlib.sha256(source.read_bytes()).hexdigest()[:8]}"
    try:
        project = (source / "pyproject.toml").read_text(encoding="utf-8")
    except OSError:
        raise SetupError(f"there is no Companion in {source}: give a checkout, a wheel, or a version's tag") from None
    number = re.search(r'^version = "([0-9][\w.+!]*)"$', project, re.MULTILINE)
    if not number or not re.search(r'^name = "companion"$', project, re.MULTILINE):
        raise SetupError(f"{source} is another program's checkout, not Companion's")
    digest = hashlib.sha256()
    for path in _files(source):
        digest.update(f"{path.relative_to(source)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return f"{number[1]}-{digest.hexdigest()[:8]}"


def _files(source: Path) -> Iterator[Path]:
    for name in SOURCES:
        top = source / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def origin_of(system: System, source: Path) -> str | None:
    """Tell where a checkout came from, so that companion-update can fetch a tag; without anybody's password."""
    if source.is_file():
        return None
    said = (system.ask("git", "-c", "safe.directory=*", "-C", str(source), "remote", "get-url", "origin") or "").strip()
    return re.sub(r"(?<=://)[^/@]*@", "", said) or None


# ------------------------------------------------------------------------------------------------------ beside


def install_beside(system: System, source: Path, name: str) -> bool:
    """Install a version into its own folder, unless it is there and sound; tell whether that had to be done.

    Nothing that runs is touched, unless it is damaged.

    Raises:
        SetupError: if it does not work; the folder is gone then.
    """
    home = f"{HOME}/{name}"
    python = str(system.at(f"{home}/bin/python"))
    if system.at(f"{home}/{COMPLETE}").is_file():
        if system.staged or system.ask(python, *LOAD) is not None:
            system.say(f"Version {name} is there already")
            return False
        # A worn card, or a new Debian with another Python.
        system.say(f"Version {name} is there, but it can't be loaded")
    system.say(f"Installing version {name}")
    system.remove(home)
    pip = (python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet", "--no-cache-dir")
    try:
        system.run("/usr/bin/python3", "-m", "venv", str(system.at(home)))
        with tempfile.TemporaryDirectory(prefix="companion-") as made:
            wheel, lock = _wheel_and_lock(system, source, Path(made), python, pip)
            if source.is_file():
                system.run(*pip, "--require-hashes", "-r", str(lock))
            system.run(*pip, "--no-deps", "--no-index", str(wheel))
        system.run(python, *LOAD)
        if not (system.dry or system.staged):
            # All of it is to be on the card before the mark says so: the plug may be pulled right afterwards.
            os.sync()
        system.write(f"{home}/{COMPLETE}", f"{name}\n")
    except (SetupError, OSError) as error:
        system.remove(home)
        raise SetupError(_why_not(in_words(error) if isinstance(error, OSError) else str(error))) from None
    return True


def _wheel_and_lock(system: System, source: Path, made: Path, python: str, pip: tuple[str, ...]) -> tuple[Path, Path]:
    """Give the wheel to install and the list of packages with their hashes. A checkout's wheel is built from a copy."""
    if source.is_file():
        lock = made / "requirements.lock"
        with zipfile.ZipFile(source) as file:
            try:
                lock.write_bytes(file.read("companion/data/requirements.lock"))
            except KeyError:
                raise SetupError(f"{source.name} does not say which packages it needs: it is no release") from None
        return source, lock
    copy = made / "source"
    if not (system.dry or system.staged):
        for path in _files(source):
            to = copy / path.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
    lock = source / "requirements.lock"
    # What builds the wheel is in the same list.
    system.run(*pip, "--require-hashes", "-r", str(lock))
    system.run(python, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made), cwd=copy)
    return next(made.glob("*.whl"), made / "companion.whl"), lock


def _why_not(words: str) -> str:
    """Add what to do to pip's usual complaints."""
    if "CERTIFICATE_VERIFY_FAILED" in words or "certificate verify failed" in words:
        return (
            f"{words}\nIs the clock right (`date`)? A Pi has none of its own and takes the time from the network. "
            "Wait a minute, or set it, then run this again; nothing is lost."
        )
    if "No matching distribution" in words or "Connection" in words or "Temporary failure" in words:
        return (
            f"{words}\nThe packages could not be fetched. Is the network there? Then run this again; nothing is lost."
        )
    if "No space left" in words:
        return f"{words}\nThe card is full: make room (1.5 GB), then run this again."
    return words


def files_of(system: System, name: str) -> Path:
    """Find the folder `deploy` that a version carries.

    Raises:
        SetupError: if it carries none.
    """
    found = sorted(system.at(f"{HOME}/{name}/lib").glob("python3.*/site-packages/companion/data/deploy"))
    if not found:
        raise SetupError(f"version {name} carries no service: it is damaged. Remove {HOME}/{name} and install it again")
    return found[-1]


# ---------------------------------------------------------------------------------------------------- switching


def current(system: System) -> str | None:
    """Name the version that counts."""
    return _target(system, CURRENT)


def previous(system: System) -> str | None:
    """Name the version that counted before, if it is still there."""
    return _target(system, PREVIOUS)


def _target(system: System, link: str) -> str | None:
    at = system.at(link)
    if not at.is_symlink():
        return None
    name = str(at.readlink())
    return name if system.at(f"{HOME}/{name}").is_dir() else None


def switch(system: System, name: str, deploy: Path) -> None:
    """Make a version the one that counts: its units, its tools, the link. `deploy` is the folder that it carries."""
    before = current(system)
    for unit in UNITS:
        system.write(f"{UNIT_FOLDER}/{unit}", (deploy / "systemd" / unit).read_bytes())
    if systemd_version(system) >= NEW_BACKOFF:
        system.write(BACKOFF, (deploy / "systemd" / "restart.conf").read_bytes())
    else:
        system.remove(BACKOFF)
        system.remove_if_empty(str(Path(BACKOFF).parent))
    # A version from before a command was there leaves the one that is there.
    commands = [deploy / name for name in COMMANDS if (deploy / name).is_file()]
    for path in (*commands, *sorted((deploy / "installer").glob("*.py"))):
        # A wheel keeps no modes.
        mode = 0o755 if path.name in COMMANDS else 0o644
        system.write(f"{TOOLS}/{path.relative_to(deploy)}", path.read_bytes(), mode)
    if before is not None and before != name:
        system.link(PREVIOUS, before)
    system.link(CURRENT, name)


def prune(system: System) -> None:
    """Keep the version that counts and the one before; take the others away, and what was left half done."""
    keep = {current(system), previous(system)}
    for path in sorted(system.at(HOME).glob("[0-9]*")):
        if path.is_dir() and not path.is_symlink() and path.name not in keep:
            system.remove(f"{HOME}/{path.name}")


def systemd_version(system: System) -> int:
    """Tell which systemd this is; 0 if there is none."""
    found = re.match(r"systemd (\d+)", system.ask("systemctl", "--version") or "")
    return int(found[1]) if found else 0


# ------------------------------------------------------------------------------------------------------- health


def port(system: System) -> int:
    """Tell on which port the pages are: as systemd holds it, whoever has set it."""
    said = system.ask("systemctl", "show", "--property", "Listen", "companion.socket") or ""
    found = re.search(r":(\d+) \(Stream\)", said)
    return int(found[1]) if found else 80


def healthy(
    address: tuple[str, int] | None = None,
    seconds: float = SETTLING,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> str | None:
    """Wait until the table says three times in a row that it is well; give what is wrong if it does not in time."""
    end = clock() + seconds
    address = address or ("127.0.0.1", port(System()))
    well, wrong = 0, "it was not asked"
    while clock() < end:
        asked = http.client.HTTPConnection(*address, timeout=10)
        try:
            asked.request("GET", "/health")
            answer = asked.getresponse()
            said = json.loads(answer.read(4096))
            good = answer.status == 200 and isinstance(said, dict) and said.get("ok") is True
            well, wrong = (well + 1, "") if good else (0, f"its health page says {said}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            well, wrong = 0, f"its pages don't answer ({error})"
        finally:
            asked.close()
        if well == 3:
            return None
        sleep(2.0)
    return wrong or "it has not been well for long enough"


def restart(system: System) -> None:
    """Start the version that counts, in place of the one that runs."""
    if system.booted():
        system.run("systemctl", "daemon-reload")
        system.run("systemctl", "start", "companion.socket")
        system.run("systemctl", "restart", "companion.service")
