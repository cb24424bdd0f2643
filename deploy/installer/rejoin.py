"""Out of the hotspot into a Wi-Fi that is known, once there is one again.

NetworkManager does not look for others while the hotspot is open: a box that has started before the router, or whose
router was away for a minute, would stay in it until its next start. So systemd runs this every few minutes. While
somebody's phone is in the hotspot it does nothing.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from . import versions
from .system import System

HOTSPOT = "companion-hotspot"
"""NetworkManager's name for it."""
LOOKS = 3
"""A router whose answer comes a moment late is missed by one look."""
SERVICE, TIMER = "companion-rejoin.service", "companion-rejoin.timer"
UNITS = {
    SERVICE: f"""\
[Unit]
Description=Joins a known Wi-Fi in place of Companion's hotspot

[Service]
Type=oneshot
ExecStart=/usr/bin/python3 -B -m installer.rejoin
WorkingDirectory={versions.TOOLS}
""",
    TIMER: """\
[Unit]
Description=Looks whether a known Wi-Fi is there while Companion's hotspot is open

[Timer]
OnActiveSec=3min
OnUnitInactiveSec=3min
AccuracySec=20s

[Install]
WantedBy=timers.target
""",
}


class Known(NamedTuple):
    """A Wi-Fi that NetworkManager may join by itself."""

    uuid: str
    priority: int
    ssid: str
    hidden: bool


# ------------------------------------------------------------------------------------------------------- set, taken


def set_up(system: System) -> None:
    """Set the timer by which systemd looks every few minutes."""
    changed = [system.write(f"{versions.UNIT_FOLDER}/{name}", body) for name, body in UNITS.items()]
    if any(changed):
        system.run("systemctl", "enable", "--quiet", TIMER)
    if system.booted():
        if any(changed):
            system.run("systemctl", "daemon-reload")
        system.try_run("systemctl", "start", TIMER)


def take_back(system: System) -> None:
    """Remove the timer."""
    if not system.at(f"{versions.UNIT_FOLDER}/{TIMER}").exists():
        return
    system.try_run("systemctl", "disable", "--quiet", *(("--now",) if system.booted() else ()), TIMER)
    for name in UNITS:
        system.remove(f"{versions.UNIT_FOLDER}/{name}")
    if system.booted():
        system.run("systemctl", "daemon-reload")


# ------------------------------------------------------------------------------------------------------------ joining


def rejoin(system: System) -> bool:
    """Join the first known Wi-Fi that is there, unless somebody is in the hotspot; return whether one was joined.

    When none can be joined NetworkManager opens the hotspot again by itself.
    """
    device = open_on(system)
    if device is None:
        return False
    phones = system.ask("iw", "dev", device, "station", "dump")
    if phones is None or phones.strip():
        return False
    wanted = known(system)
    if not wanted:
        return False
    near = seen(system, device, {one.ssid for one in wanted})
    return any(
        # By its number: names may be there twice.
        system.try_run("nmcli", "--wait", "60", "connection", "up", "uuid", one.uuid, "ifname", device)
        for one in wanted
        if near is None or one.hidden or one.ssid in near
    )


def open_on(system: System) -> str | None:
    """Return the device on which the hotspot is open; None if it isn't."""
    said = system.ask("nmcli", "--terse", "--fields", "NAME,DEVICE", "connection", "show", "--active") or ""
    found = re.search(rf"^{HOTSPOT}:(.+)$", said, re.MULTILINE)
    return found[1] if found else None


def known(system: System) -> list[Known]:
    """Return the Wi-Fis that NetworkManager may join by itself, the preferred ones first."""
    fields = "UUID,TYPE,AUTOCONNECT,AUTOCONNECT-PRIORITY"
    found = []
    for line in (system.ask("nmcli", "--terse", "--fields", fields, "connection", "show") or "").splitlines():
        uuid, kind, automatic, priority = line.split(":")
        if (kind, automatic) != ("802-11-wireless", "yes"):
            continue
        asked = "802-11-wireless.mode,802-11-wireless.hidden,802-11-wireless.ssid"
        said = system.ask("nmcli", "--escape", "no", "--get-values", asked, "connection", "show", "uuid", uuid)
        mode, hidden, ssid = (said or "\n\n\n").split("\n")[:3]
        if ssid and mode in ("", "infrastructure"):
            found.append(Known(uuid, int(priority), ssid, hidden == "yes"))
    return sorted(found, key=lambda one: -one.priority)


def seen(system: System, device: str, wanted: set[str]) -> set[str] | None:
    """Return the names of the Wi-Fis that the radio finds, with the hotspot open; None where it can't do that."""
    found: set[str] | None = None
    for _ in range(LOOKS):
        said = system.ask("iw", "dev", device, "scan", "ap-force")
        if said is not None:
            found = (found or set()) | {_plain(one) for one in re.findall(r"^\s*SSID: (.+)$", said, re.MULTILINE)}
            if found & wanted:
                break
    return found


def _plain(ssid: str) -> str:
    r"""Return a name as it is: iw writes its bytes that are no plain letters as \x and two digits."""
    data = re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), ssid.encode())
    return data.decode(errors="replace")


if __name__ == "__main__":
    rejoin(System())
    sys.exit(0)
