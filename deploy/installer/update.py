"""`companion-update`: a new version beside the old one, a try, and back if it is not well."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from . import versions
from .system import SetupError, System, in_words

RECORD = "/etc/companion/installed.json"
STATE = "/var/lib/companion"
USER = "companion"
"""Whom the service runs as."""
BACKUPS = f"{STATE}/backups"
PRUNE = 'cd "$1" && ls -t before-leaving-*.zip | tail -n +3 | xargs -r rm -f --'
"""Leaves the last two backups in a folder."""
KEY = "/etc/companion/update.pub"
"""The owner's public key, as ssh-keygen writes it: with it there, an update is signed."""

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
    # All of it as the service's user: its folder may have links in it that lead root elsewhere.
    as_user = ("runuser", "-u", USER, "--")
    path = f"{BACKUPS}/before-leaving-{old}.zip"
    system.run(*as_user, "mkdir", "-p", "-m", "700", BACKUPS, quiet=True)
    system.run(*as_user, "rm", "-f", path, quiet=True)
    start = (*as_user, "env", f"COMPANION_STATE={STATE}")
    try:
        system.run(*start, f"{versions.HOME}/{old}/bin/companion", "backup", path)
    except SetupError as error:
        if new == old:
            raise
        system.warn(str(error))
        system.run(*as_user, "rm", "-f", path, quiet=True)
        system.run(*start, f"{versions.HOME}/{new}/bin/companion", "backup", path)
    system.run(*as_user, "sh", "-c", PRUNE, "sh", BACKUPS, quiet=True)


@contextmanager
def source_of(system: System, given: str, expected: str = "", unsigned: bool = False) -> Iterator[Path]:
    """Give a checkout or wheel: a tag of the repository that the box was installed from, or, with a slash, a path.

    What runs as root from now on has to be the commit, or the wheel of the SHA-256, that is `expected`; else signed
    with the owner's key, if there is one; else whoever updates is asked (not if `unsigned` is said).

    Raises:
        SetupError: if there is none, or it is not what it has to be.
    """
    expected = expected.lower()
    if expected and not re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", expected):
        raise SetupError("--expect takes a whole commit (40 digits and letters) or a wheel's SHA-256 (64)")
    local = "/" in given or given.endswith(".whl") or given in (".", "..")
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        made = Path(folder)
        if not local:
            origin = _origin(system, given)
        elif not Path(given).exists():
            raise SetupError(f"there is no file or folder {given}")
        else:
            origin = str(Path(given).resolve())
        if local and Path(origin).is_file():
            # A copy, so that what is looked at is what is installed.
            source = made / Path(origin).name
            shutil.copyfile(origin, source)
            found, signed = hashlib.sha256(source.read_bytes()).hexdigest(), _wheel_signed
        elif local and not expected and not system.at(KEY).exists():
            source, found, signed = Path(origin), "", _commit_signed
        else:
            source = made / "source"
            tag = () if local else ("--depth", "1", "--branch", given)
            try:
                system.run("git", "clone", "--quiet", *tag, "--", origin, str(source))
            except SetupError as error:
                raise SetupError(f"version {given} can't be fetched: {error}") from None
            found, signed = (system.ask("git", "-C", str(source), "rev-parse", "HEAD") or "").strip(), _commit_signed
        what = f"version {given} from {host_of(origin)}"
        if expected:
            if found != expected:
                raise SetupError(f"{what} is {found or 'no commit'}, and {expected} was expected: nothing was changed")
        elif system.at(KEY).exists():
            allowed = made / "allowed"
            keys = [line for line in system.read(KEY).splitlines() if line.strip()]
            allowed.write_text("".join(f"owner {line}\n" for line in keys), encoding="utf-8")
            if not signed(system, source, Path(origin) if local else given, allowed):
                raise SetupError(
                    f"{what} is not signed with the owner's key ({KEY}), or ssh-keygen is not there (openssh-client): "
                    "nothing was changed. --expect COMMIT takes the one that you know"
                )
        elif not unsigned:
            _go_on(what)
        yield source


def _origin(system: System, given: str) -> str:
    try:
        origin = json.loads(system.read(RECORD) or "{}").get("origin")
    except ValueError:
        origin = None
    if not origin:
        raise SetupError(f"it is not known where version {given} could come from; a folder is named with a slash (./)")
    return str(origin)


def host_of(origin: str) -> str:
    """Name the host of an address as git takes it."""
    if "://" in origin:
        return urlsplit(origin).hostname or "this computer"
    host, colon, _ = origin.partition(":")
    return host.rpartition("@")[2] if colon and "/" not in host else "this computer"


def _go_on(what: str) -> None:
    if not sys.stdin.isatty():
        raise SetupError(f"{what} is unsigned: say which one you expect (--expect COMMIT), or --unsigned")
    if input(f"{what}, unsigned: go on? [y/N] ").strip().lower() not in ("y", "yes"):
        raise SetupError("nothing was changed")


def _commit_signed(system: System, source: Path, given: Path | str, allowed: Path) -> bool:
    """Tell whether a clone's HEAD is what a signed tag names, or, of a folder's, a signed commit."""
    git = ("git", "-C", str(source), "-c", "gpg.format=ssh", "-c", f"gpg.ssh.allowedSignersFile={allowed}")
    if isinstance(given, Path):
        return system.ask(*git, "verify-commit", "HEAD") is not None
    tag = f"refs/tags/{given}"
    named = re.search(r"^tag (.*)$", system.ask(*git, "cat-file", "tag", tag) or "", re.MULTILINE)
    # Under a new name there may lie an old version's tag; and a branch may have the same name.
    one = system.ask(*git, "rev-parse", f"{tag}^{{commit}}") == system.ask(*git, "rev-parse", "HEAD")
    return bool(named and named[1] == given and one and system.ask(*git, "verify-tag", tag) is not None)


def _wheel_signed(system: System, source: Path, given: Path | str, allowed: Path) -> bool:
    """Tell whether beside a wheel lies its signature, NAME.whl.sig (ssh-keygen -Y sign -n file)."""
    verify = 'exec ssh-keygen -Y verify -f "$1" -I owner -n file -s "$2" <"$3"'
    return system.ask("sh", "-c", verify, "sh", str(allowed), f"{given}.sig", str(source)) is not None


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
    parser.add_argument("version", nargs="?", help="a tag such as v0.2.0; with a slash a wheel, or a checkout's folder")
    parser.add_argument(
        "--expect", default="", metavar="HEX", help="the commit, or the wheel's SHA-256, that it has to be"
    )
    parser.add_argument("--unsigned", action="store_true", help="do not ask whether to go on without a signature")
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
                with source_of(system, asked.version, asked.expect, asked.unsigned) as source:
                    update(system, source)
    except (SetupError, OSError) as error:
        tell_failed(error)
        return 1
    return 0
