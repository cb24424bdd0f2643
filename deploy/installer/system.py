"""The computer that is being set up: files below a root, commands, and a dry run that only tells."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


class SetupError(Exception):
    """Something that stops the work; the message says what, and what to do."""


def in_words(error: OSError) -> str:
    """Say what is wrong with a file, and what to do about it."""
    what = f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}"
    if error.errno == errno.ENOSPC:
        return f"the card is full ({what}): make room (1.5 GB), then run this again; nothing is lost"
    if error.errno in (errno.EROFS, errno.EIO):
        return (
            f"the card can't be written ({what}). Linux does that to a card that is damaged: keep your matches "
            "(`sudo companion backup - > matches.zip`, on another computer), and take a new card"
        )
    return f"a file can't be written ({what})"


def hidden(words: str) -> str:
    """Give words without what stands before the host in an address: a password may be there."""
    return re.sub(r"(?<=://)\S*@", "…@", words)


class System:
    """Changes a computer step by step and says each one. With `dry` nothing is changed and everything told.

    Below another `root` than "/" files are written and commands only told: that is for tests and for packagers.
    """

    def __init__(self, root: Path = Path("/"), dry: bool = False) -> None:
        """Work below `root`."""
        self.root = root
        self.dry = dry
        self.staged = root != Path("/")
        self.changed = 0

    def say(self, words: str) -> None:
        """Tell a step, or a finding."""
        print(words, flush=True)

    def warn(self, words: str) -> None:
        """Tell what is not as it should be and stops nothing."""
        print(f"Note: {words}", file=sys.stderr, flush=True)

    def at(self, path: str) -> Path:
        """Give a file of that computer."""
        return self.root / path.lstrip("/")

    # -------------------------------------------------------------------------------------------------- commands

    def run(self, *command: str, quiet: bool = False, cwd: Path | None = None, secret: str = "") -> None:
        """Run a command that changes something. What is `secret` among its words is not told.

        Raises:
            SetupError: if it fails, with the last lines that it said.
        """
        if not quiet or self.dry or self.staged:
            self.say("  $ " + hidden(" ".join(command)))
        if self.dry or self.staged:
            return
        environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        try:
            done = subprocess.run(  # noqa: S603 - no shell
                command,
                env=environ,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )
        except OSError as error:
            raise SetupError(f"{command[0]} can't be started: {error.strerror}") from None
        if done.returncode != 0:
            last = "\n    ".join(done.stdout.strip().splitlines()[-12:])
            told = " ".join("…" if secret and word == secret else word for word in command)
            raise SetupError(hidden(f"this did not work: {told}\n    {last}"))

    def try_run(self, *command: str) -> bool:
        """Run a command whose failing is no trouble; tell whether it worked."""
        try:
            self.run(*command)
        except SetupError as error:
            self.warn(str(error))
            return False
        return True

    def ask(self, *command: str) -> str | None:
        """Give what a command prints that changes nothing; None if it fails or is not there. Asked in a dry run too."""
        if self.staged:
            return None
        try:
            done = subprocess.run(  # noqa: S603 - no shell
                command,
                env={**os.environ, "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        except OSError:
            return None
        return done.stdout if done.returncode == 0 else None

    def booted(self) -> bool:
        """Whether systemd runs here: not in a chroot, where a card is prepared."""
        return not self.staged and Path("/run/systemd/system").is_dir()

    # ----------------------------------------------------------------------------------------------------- files

    def write(self, path: str, content: str | bytes, mode: int = 0o644, group: str | None = None) -> bool:
        """Have a file with this content, whole or not at all; tell whether it was another before."""
        body = content.encode() if isinstance(content, str) else content
        to = self.at(path)
        if to.is_file() and not to.is_symlink() and to.read_bytes() == body and to.stat().st_mode & 0o777 == mode:
            return False
        self.changed += 1
        self.say(f"  write {path}")
        if self.dry:
            return True
        to.parent.mkdir(parents=True, exist_ok=True)
        fresh = to.with_name(f".{to.name}.companion")
        try:
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            # A full card: what is half written shall not take up room, nor lie about.
            fresh.unlink(missing_ok=True)
            raise
        # A FAT partition knows no modes, and says so on some kernels.
        try:
            fresh.chmod(mode)
            if group is not None and not self.staged:
                shutil.chown(fresh, "root", group)
        except (PermissionError, LookupError) as error:
            self.warn(f"{path}: {error}")
        fresh.replace(to)
        return True

    def remove(self, path: str) -> bool:
        """Have no such file, link or folder; tell whether there was one."""
        at = self.at(path)
        if not at.exists() and not at.is_symlink():
            return False
        self.changed += 1
        self.say(f"  remove {path}")
        if not self.dry:
            if at.is_dir() and not at.is_symlink():
                shutil.rmtree(at)
            else:
                at.unlink()
        return True

    def remove_if_empty(self, path: str) -> None:
        """Have no such folder if nothing is in it."""
        at = self.at(path)
        if at.is_dir() and not any(at.iterdir()):
            self.remove(path)

    def link(self, path: str, to: str) -> bool:
        """Have a symbolic link, changed in one step; tell whether it was another before."""
        at = self.at(path)
        if at.is_symlink() and str(at.readlink()) == to:
            return False
        self.changed += 1
        self.say(f"  link {path} -> {to}")
        if not self.dry:
            at.parent.mkdir(parents=True, exist_ok=True)
            fresh = at.with_name(f".{at.name}.companion")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(to)
            fresh.replace(at)
        return True

    def mode(self, path: str) -> int:
        """Give a file's mode, so that it is kept; that of any file if there is none."""
        at = self.at(path)
        return at.stat().st_mode & 0o777 if at.exists() else 0o644

    def read(self, path: str) -> str:
        """Read a file; "" if there is none."""
        try:
            return self.at(path).read_text(encoding="utf-8", errors="surrogateescape")
        except (FileNotFoundError, NotADirectoryError):
            return ""

    # ------------------------------------------------------------------------------------------------- questions

    def is_root(self) -> bool:
        """Whether we may change the computer."""
        return os.geteuid() == 0

    def has_user(self, name: str) -> bool:
        """Whether there is a user of this name."""
        if self.staged:
            return any(line.startswith(f"{name}:") for line in self.read("/etc/passwd").splitlines())
        import pwd  # not on Windows, where a card may be prepared as well

        try:
            pwd.getpwnam(name)
        except KeyError:
            return False
        return True

    def groups(self) -> dict[str, list[str]]:
        """List the groups and who is in them."""
        found = {}
        for line in self.read("/etc/group").splitlines():
            parts = line.split(":")
            if len(parts) == 4:
                found[parts[0]] = [name for name in parts[3].split(",") if name]
        return found
