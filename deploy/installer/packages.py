"""Debian's packages: those that a box needs, and taking away again what was installed for it and nothing else."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import Any

from . import checks
from .system import SetupError, System

NO_RECOMMENDS = ("-o", "APT::AutoRemove::RecommendsImportant=false", "-o", "APT::AutoRemove::SuggestsImportant=false")
"""What came along is to go also if another package recommends it: it was not missed before."""
NEEDED = ("python3-venv", "libzbar0", "avahi-daemon", "git")
FOR_THE_PI = ("python3-picamera2", "python3-libcamera", "python3-gpiozero", "python3-lgpio")
"""For the two helper processes, under the system's own Python. Some of them only Raspberry Pi OS has."""
FOR_WIFI = ("network-manager", "wpasupplicant")
"""The second only recommended by the first, which can't do without it what is wanted of it here."""
FOR_A_HOTSPOT = (*FOR_WIFI, "dnsmasq-base", "iw")
FOR_COMITUP = (*FOR_WIFI, "comitup")
PATIENCE = "DPkg::Lock::Timeout=600"
"""Seconds that apt waits for another program that is busy with packages: a fresh system updates itself."""
TRIES, BETWEEN = 60, 10.0
"""For the list of packages apt does not wait by itself: how often it is tried, with so many seconds between."""
NO_NETWORK = re.compile(
    r"Failed to fetch|Could not resolve|Temporary failure|Unable to (connect|locate)|no installation"
)


def provide(system: System, record: dict[str, Any], extra: Sequence[str], keep: Callable[[], None]) -> None:
    """Install what is missing, and write into `record` what was new; `keep` puts the record down.

    `extra` are packages beside those that every box needs.

    Raises:
        SetupError: if something that is needed can't be had.
    """
    system.say("Debian packages")
    wanted = [*NEEDED, *extra]
    before = _installed(system)
    there = before.keys() | set().union(*before.values())
    missing = [name for name in wanted if name not in there]
    on_arm = checks.architecture(system) == "arm64"
    maybe = [name for name in FOR_THE_PI if on_arm and name not in there]
    if not missing and not maybe:
        return
    if not _renew_list(system) and missing:
        raise SetupError(
            "the list of packages can't be fetched. Is there a network? Plug in a cable, or join a Wi-Fi (nmtui), then "
            "run this again"
        )
    if not (system.dry or system.staged):
        maybe = [name for name in maybe if _offered(system, name)]
        for name in [name for name in missing if name in extra and not _offered(system, name)]:
            raise SetupError(
                f"the package {name}, which is needed for the Wi-Fi that you wish for, is not in this system's list of "
                "packages (/etc/apt/sources.list.d): run this again without that wish. Nothing of Companion was changed"
            )
    if not missing and not maybe:
        return
    # Noted first: if the plug is pulled in the middle it is still known what to take away.
    record["packages"] = sorted({*record.get("packages", []), *missing, *maybe})
    record.setdefault("packages_before", sorted(before))
    keep()
    _apt(system, "install", "--no-install-recommends", *missing, *maybe)


def take_away(system: System, record: dict[str, Any]) -> None:
    """Remove what was installed for Companion, and of what came along only that which nobody else needs by now.

    Raises:
        SetupError: if apt can't.
    """
    named, before = set(record.get("packages", [])), set(record.get("packages_before", []))
    # What was asked for by a name that another package has by now: Debian 13's libzbar0 is libzbar0t64.
    packages = [
        name
        for name, provided in _installed(system).items()
        if name in named or (name not in before and provided & named)
    ]
    if not packages:
        return
    system.say("Debian packages that were installed for it")
    said = system.ask("apt-get", "--simulate", *NO_RECOMMENDS, "purge", "--auto-remove", *packages) or ""
    goes = re.findall(r"^Purg (\S+)", said, re.MULTILINE)
    # Never what was here before, nor what somebody has put on top since then.
    extra = [name for name in goes if name not in packages]
    by_hand = set((system.ask("apt-mark", "showmanual") or "").split())
    ours = [name for name in extra if name not in before | by_hand]
    if set(extra) - set(ours):
        packages = [name for name in packages if not _would_take(system, name, set(extra) - set(ours))]
    if packages:
        _apt(system, "purge", *packages, *ours)


def _apt(system: System, what: str, *words: str) -> None:
    """Have apt do something, and finish first what the plug was pulled on."""
    command = ("apt-get", "-o", PATIENCE, what, "--yes", "--quiet", *words)
    try:
        try:
            system.run(*command)
        except SetupError as error:
            if "dpkg --configure -a" not in str(error):
                raise
            system.say("An installation was interrupted here before: it is finished first")
            system.run("dpkg", "--configure", "-a")
            system.run(*command)
    except SetupError as error:
        if NO_NETWORK.search(str(error)):
            raise SetupError(
                f"{error}\nThe packages could not be fetched. Is the network there? Then run this again; nothing is "
                "lost."
            ) from None
        if "enough free space" in str(error) or "No space left" in str(error):
            raise SetupError(f"{error}\nThe card is full: make room (1.5 GB), then run this again.") from None
        raise


def _renew_list(system: System, sleep: Callable[[float], None] = time.sleep) -> bool:
    """Fetch the list of packages, once nobody else does; tell whether it worked."""
    for tried in range(TRIES):
        try:
            system.run("apt-get", "update", "--quiet", quiet=tried > 0)
        except SetupError as error:
            if "Could not get lock" not in str(error) or tried == TRIES - 1:
                system.warn(str(error))
                return False
            if tried == 0:
                system.say("Another program is busy with packages, probably the system's own update: waiting for it")
            sleep(BETWEEN)
        else:
            return True
    return False


def _offered(system: System, name: str) -> bool:
    said = system.ask("apt-cache", "policy", name) or ""
    found = re.search(r"Candidate: (\S+)", said)
    return found is not None and found[1] != "(none)"


def _installed(system: System) -> dict[str, set[str]]:
    """List the packages that are installed, and by which other names each can be asked for."""
    said = system.ask("dpkg-query", "-W", "-f", "${Package}\t${Status}\t${Provides}\n") or ""
    found = {}
    for line in said.splitlines():
        name, status, provides = line.split("\t")
        if status.endswith("ok installed"):
            found[name] = {one.split()[0] for one in provides.split(",") if one.strip()}
    return found


def _would_take(system: System, name: str, others: set[str]) -> bool:
    """Tell whether removing a package takes others with it that are not ours."""
    said = system.ask("apt-get", "--simulate", "purge", name) or ""
    return bool(others & set(re.findall(r"^Purg (\S+)", said, re.MULTILINE)))
