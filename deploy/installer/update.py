"""`companion-update`: a new version beside the old one, a try, and back if it is not well."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from . import versions
from .system import SetupError, System, in_words

RECORD = "/etc/companion/installed.json"
STATE = "/var/lib/companion"
USER = "companion"
"""Whom the service runs as."""
BACKUPS = f"{STATE}/backups"
KEPT_BACKUPS = 2

Health = Callable[[], "str | None"]


def update(system: System, source: Path, health: Health = versions.healthy) -> str:
    """Install a source beside, switch to it, and go back if it is not well; give the version that counts in the end.

    Raises:
        SetupError: if it could not be installed (nothing has changed then), or was not well (the old one runs again).
    """
    name = versions.name_of(source)
    old = versions.current(system)
    if name == old:
        system.say(f"Version {name} is what runs already; nothing to do")
        return name
    versions.install_beside(system, source, name)
    deploy = versions.files_of(system, name)
    keep_matches(system, old, name)
    go_to(system, name, deploy, old, health)
    versions.prune(system)
    system.say(f"Version {name} runs. The one before is kept: companion-update --back")
    return name


def back(system: System, health: Health = versions.healthy) -> str:
    """Go back to the version before.

    Raises:
        SetupError: if there is none, or it is not well either.
    """
    name, old = versions.previous(system), versions.current(system)
    if name is None:
        raise SetupError("there is no version before this one")
    go_to(system, name, versions.files_of(system, name), old, health)
    system.say(f"Version {name} runs again")
    return name


def go_to(system: System, name: str, deploy: Path, old: str | None, health: Health) -> None:
    """Switch to a version and see whether it is well, else switch back.

    Raises:
        SetupError: if it was not well.
    """
    system.say(f"Switching to {name}")
    before = versions.previous(system)
    try:
        versions.switch(system, name, deploy)
        versions.restart(system)
        wrong = health() if system.booted() else None
    except (SetupError, OSError) as error:
        wrong = str(error)
    if wrong is None:
        return
    wrong = wrong.rstrip(".")
    said = system.ask("journalctl", "--unit", "companion.service", "--lines", "15", "--no-pager", "--output", "cat")
    if said:
        system.warn("the last lines of its log:\n    " + "\n    ".join(said.strip().splitlines()))
    if old is None or old == name:
        raise SetupError(f"version {name} is not well: {wrong}. `sudo companion doctor` may know more")
    system.say(f"Going back to {old}")
    versions.switch(system, old, versions.files_of(system, old))
    if before is not None and before != old:
        system.link(versions.PREVIOUS, before)
    else:
        system.remove(versions.PREVIOUS)
    versions.restart(system)
    again = health() if system.booted() else None
    if again is not None:
        raise SetupError(f"version {name} was not well ({wrong}), and the old one is not either: {again}")
    system.remove(f"{versions.HOME}/{name}")
    raise SetupError(f"version {name} was not well: {wrong}. Version {old} runs again, and no match was touched")


def keep_matches(system: System, old: str | None, new: str) -> None:
    """Make a backup before the new version writes anything; the last two are kept.

    The old version makes it, or the new one where the old one is damaged.

    Raises:
        SetupError: if neither can.
    """
    if old is None or not system.at(f"{STATE}/journal.db").exists():
        return
    system.say("Keeping a backup of all matches")
    system.run("install", "-d", "-o", USER, "-g", USER, "-m", "700", BACKUPS, quiet=True)
    path = f"{BACKUPS}/before-leaving-{old}.zip"
    system.remove(path)
    start = ("runuser", "-u", USER, "--", "env", f"COMPANION_STATE={STATE}")
    try:
        system.run(*start, f"{versions.HOME}/{old}/bin/companion", "backup", path)
    except SetupError as error:
        if new == old:
            raise
        system.warn(str(error))
        system.remove(path)
        system.run(*start, f"{versions.HOME}/{new}/bin/companion", "backup", path)
    made = sorted(system.at(BACKUPS).glob("before-leaving-*.zip"), key=lambda one: one.stat().st_mtime)
    for path_of_one in made[:-KEPT_BACKUPS]:
        system.remove(f"{BACKUPS}/{path_of_one.name}")


@contextmanager
def source_of(system: System, given: str) -> Iterator[Path]:
    """Give a checkout or wheel: the one that is named, or a tag of the repository that the box was installed from.

    Raises:
        SetupError: if there is none.
    """
    path = Path(given)
    if path.exists():
        yield path.resolve()
        return
    try:
        origin = json.loads(system.read(RECORD) or "{}").get("origin")
    except ValueError:
        origin = None
    if not origin:
        raise SetupError(f"there is no file or folder {given}, and it is not known where this box's program came from")
    with tempfile.TemporaryDirectory(prefix="companion-") as made:
        command = ("git", "clone", "--quiet", "--depth", "1", "--branch", given, "--", origin, f"{made}/source")
        try:
            system.run(*command)
        except SetupError as error:
            raise SetupError(f"version {given} can't be fetched: {error}") from None
        yield Path(made) / "source"


@contextmanager
def alone() -> Iterator[None]:
    """See to it that only one installation goes on at a time.

    Raises:
        SetupError: if another one does.
    """
    import fcntl  # not on Windows, where a card may be prepared as well

    with open("/run/companion-install.lock", "a") as lock:  # noqa: PTH123
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SetupError("another installation or update is going on: wait for it") from None
        yield


def tell_failed(error: SetupError | OSError) -> None:
    """Say on standard error why it is not done."""
    sentence = in_words(error) if isinstance(error, OSError) else str(error)
    print(sentence[:1].upper() + sentence[1:], file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="companion-update",
        description="Bring a new version of Companion, try it, and go back by itself if it is not well.",
    )
    parser.add_argument("version", nargs="?", help="a tag such as v0.2.0, a wheel, or a checkout's folder")
    parser.add_argument("--back", action="store_true", help="go back to the version before")
    parser.add_argument("--list", action="store_true", help="say which versions are here")
    asked = parser.parse_args(arguments)
    system = System()
    if asked.list:
        here, before = versions.current(system), versions.previous(system)
        print(f"runs: {here or 'none'}\nbefore: {before or 'none'}")
        return 0
    if bool(asked.version) == asked.back:
        parser.error("say which version, or --back")
    try:
        if not system.is_root():
            raise SetupError("this needs root: sudo companion-update …")
        with alone():
            if asked.back:
                back(system)
            else:
                with source_of(system, asked.version) as source:
                    update(system, source)
    except (SetupError, OSError) as error:
        tell_failed(error)
        return 1
    return 0
