"""Whether this computer can become a box; each reason why not is a sentence."""

from __future__ import annotations

import errno
import re
import shutil
import socket
from pathlib import Path

from .system import SetupError, System

RELEASES = {"12": "bookworm", "13": "trixie"}
ARCHITECTURES = ("arm64", "amd64")
MEMORY = 900_000_000
"""Bytes under which it is said that there is little memory; a Pi of 1 GB has a little more than that."""
ROOM = 1_500_000_000
"""Bytes that packages and one version need, with the next one beside it."""
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")


def release(system: System) -> str:
    """Give the number of the Debian release.

    Raises:
        SetupError: if it is none that was tried.
    """
    said = dict(re.findall(r'^([A-Z_]+)="?(.*?)"?$', system.read("/etc/os-release"), re.MULTILINE))
    number = said.get("VERSION_ID", "").partition(".")[0]
    if said.get("ID") not in ("debian", "raspbian"):
        name = said.get("PRETTY_NAME") or "another system"
        raise SetupError(
            f"this is {name}; Companion's box needs Raspberry Pi OS or Debian, 12 (Bookworm) or 13 (Trixie)"
        )
    if number not in RELEASES:
        raise SetupError(
            f"this is Debian {number or 'of an unknown number'}; 12 (Bookworm) and 13 (Trixie) are supported: write a "
            "new card with Raspberry Pi Imager"
        )
    return str(number)


def architecture(system: System) -> str:
    """Give Debian's name for the processor.

    Raises:
        SetupError: if it is a 32-bit system.
    """
    if system.staged:
        return ARCHITECTURES[0]
    found = (system.ask("dpkg", "--print-architecture") or "").strip()
    if found in ("armhf", "armel", "i386"):
        raise SetupError(
            f"this is a 32-bit system ({found}), also if the Pi could do more: write a new card, and choose "
            '"Raspberry Pi OS Lite (64-bit)" in Raspberry Pi Imager'
        )
    if found not in ARCHITECTURES:
        raise SetupError(
            f"this processor ({found or 'unknown'}) was never tried: a Raspberry Pi 4 or 5 is meant, or a PC"
        )
    return found


def check(system: System) -> None:
    """See whether all is there.

    Raises:
        SetupError: with the first reason why not.
    """
    release(system)
    architecture(system)
    if not system.staged and not system.dry:
        if not system.is_root():
            raise SetupError("this needs root: sudo deploy/install (with --dry-run it only tells what it would do)")
        memory = re.search(r"^MemTotal:\s*(\d+) kB", system.read("/proc/meminfo"), re.MULTILINE)
        if memory and int(memory[1]) * 1024 < MEMORY:
            system.warn(
                f"this computer has {int(memory[1]) // 1000} MB of memory: it was made for 1 GB and more. With less a "
                "large table may be slow, or be started again in the middle of a match (nothing is lost)"
            )
        free = shutil.disk_usage(system.root).free
        if free < ROOM:
            raise SetupError(
                f"there are {free / 1e9:.1f} GB free; {ROOM / 1e9:.1f} are needed: make room, or take a larger card"
            )


def port_is_free(system: System, port: int, ours: int) -> None:
    """See whether the pages can have their port; systemd may hold it for us already: then it is `ours`.

    Raises:
        SetupError: if another program has it.
    """
    if is_taken(system, port, ours):
        raise SetupError(
            f"another program answers on port {port} (`sudo ss -ltnp sport = :{port}` names it): a web server? "
            "Take it away, or give Companion another port: --port 8080"
        )


def is_taken(system: System, port: int, ours: int) -> bool:
    """Tell whether another program has a port; `ours` is the one that systemd may hold for us."""
    if not system.booted():
        return False
    if port == ours and system.ask("systemctl", "is-active", "companion.socket") is not None:
        return False
    try:
        with socket.socket(socket.AF_INET6 if socket.has_ipv6 else socket.AF_INET) as here:
            here.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            here.bind(("", port))
    except OSError as error:
        # Whatever else it is, systemd will say.
        return error.errno == errno.EADDRINUSE
    return False


def pin(given: str) -> str:
    """Check a PIN for the host, as the first page does.

    Raises:
        SetupError: if it would be refused there.
    """
    if not re.fullmatch(r"[0-9]{4,12}", given):
        raise SetupError("the host's PIN is 4 to 12 digits: choose some that the others would not guess")
    if len(set(given)) == 1 or given in ("1234", "12345", "123456"):
        raise SetupError("that PIN is the first one that anybody tries: choose another")
    return given


def table_name(given: str) -> str:
    """Check a name for the computer.

    Raises:
        SetupError: if other computers could not find it by that.
    """
    if not NAME.fullmatch(given):
        raise SetupError(f"{given!r} is no name for a computer: small letters, digits and hyphens, such as table-3")
    return given


def hotspot(name: str, password: str | None) -> None:
    """Check a hotspot's name and password.

    Raises:
        SetupError: if phones could not use them.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,29}", name):
        raise SetupError(f"{name!r} is no name for a hotspot: up to 30 letters, digits, spaces and hyphens")
    if password is not None and not re.fullmatch(r"[A-Za-z0-9]{8,63}", password):
        raise SetupError("a hotspot's password is 8 to 63 letters and digits: other signs are hard to type on phones")


def public_key(given: Path) -> str:
    """Read the owner's public key.

    Raises:
        SetupError: if it is none.
    """
    try:
        text = given.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or not all(re.fullmatch(r"(ssh|sk-ssh|ecdsa)-\S+ [A-Za-z0-9+/=]+( .*)?", line) for line in lines):
        raise SetupError(
            f"{given} is no public key: ssh-keygen -t ed25519 makes two files, and it is the one with .pub"
        )
    return "".join(f"{line}\n" for line in lines)
