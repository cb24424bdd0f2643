"""What a box is called, on which port its pages are, what the network is told of it, and a Wi-Fi of its own."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

from . import rejoin, versions
from .system import System
from .update import USER

ENVIRONMENT = "/etc/companion/companion.env"
SERVICE_FILE = "/etc/avahi/services/companion.service"
PORT_FILE = f"{versions.UNIT_FOLDER}/companion.socket.d/port.conf"
USUAL_PORT = 80
ADDRESS = "10.42.0.1"
HOTSPOT = "/etc/NetworkManager/system-connections/companion-hotspot.nmconnection"
EVERY_NAME = "/etc/NetworkManager/dnsmasq-shared.d/companion.conf"
"""On the hotspot every name leads to the table: it answers a phone that asks for the internet, so that it stays."""
ANNOUNCED = """\
<?xml version="1.0" standalone='no'?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<!-- So that the table shows up among the websites of the network. -->
<service-group>
  <name replace-wildcards="yes">Companion on %h</name>
  <service><type>_http._tcp</type><port>{port}</port></service>
</service-group>
"""
LISTENING = """\
# The pages' port, as the installer was told (--port). The empty line takes the usual one away.
[Socket]
ListenStream=
ListenStream={port}
"""


# ------------------------------------------------------------------------------------------------------------ port


def port(system: System) -> int:
    """Give the port that the pages are set to."""
    found = re.search(r"^COMPANION_PORT=(\d+)$", system.read(ENVIRONMENT), re.MULTILINE)
    return int(found[1]) if found else USUAL_PORT


def set_port(system: System, wished: int) -> None:
    """Have the pages on a port: systemd opens it, and the table writes it into the address that it shows."""
    if wished == port(system):
        return
    usual = wished == USUAL_PORT
    _set_environment(system, {"COMPANION_PORT": None if usual else str(wished)})
    if usual:
        _forget_port(system)
    else:
        system.write(PORT_FILE, LISTENING.format(port=wished))
    if system.booted() and system.at(f"{versions.UNIT_FOLDER}/companion.socket").exists():
        system.run("systemctl", "daemon-reload")
        # A socket changes its port only while nobody uses it; both are started again afterwards.
        system.try_run("systemctl", "stop", "companion.service", "companion.socket")


def _forget_port(system: System) -> None:
    system.remove(PORT_FILE)
    system.remove_if_empty(str(Path(PORT_FILE).parent))


def _set_environment(system: System, values: dict[str, str | None]) -> None:
    """Set lines of the service's environment, or take them out; an owner's other lines stay."""
    lines = system.read(ENVIRONMENT).splitlines()
    lines = [line for line in lines if line.partition("=")[0] not in values]
    lines += [f"{name}={value}" for name, value in values.items() if value is not None]
    if lines:
        system.write(ENVIRONMENT, "\n".join(lines) + "\n", 0o640, USER)
    else:
        system.remove(ENVIRONMENT)


# ------------------------------------------------------------------------------------------------------------ name


def announce(system: System) -> None:
    """Have the table among the websites of the network."""
    system.write(SERVICE_FILE, ANNOUNCED.format(port=port(system)))


def set_name(system: System, name: str) -> None:
    """Call the computer so."""
    hosts = system.read("/etc/hosts")
    system.write("/etc/hosts", named(hosts, name), system.mode("/etc/hosts"))
    system.write("/etc/hostname", name + "\n", system.mode("/etc/hostname"))
    if system.booted():
        system.run("hostnamectl", "set-hostname", name)
        system.try_run("systemctl", "try-restart", "avahi-daemon.service")


def named(hosts: str, name: str) -> str:
    """Give the file hosts of a computer that is called so."""
    line = f"127.0.1.1\t{name}"
    if re.search(r"^127\.0\.1\.1\s", hosts, re.MULTILINE):
        return re.sub(r"^127\.0\.1\.1\s.*$", line, hosts, flags=re.MULTILINE)
    return hosts + ("" if hosts.endswith("\n") or not hosts else "\n") + line + "\n"


# --------------------------------------------------------------------------------------------------------- its own


def made_up_password() -> str:
    """Make a password of letters and digits that nobody takes for one another."""
    return "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(10))


def own_wifi(system: System) -> tuple[str, str] | None:
    """Give name and password of the table's own Wi-Fi, if it has one."""
    found = re.search(r'^COMPANION_WIFI="(.*)"\nCOMPANION_WIFI_PASSWORD="(.*)"', system.read(ENVIRONMENT), re.MULTILINE)
    return (found[1], found[2]) if found else None


def set_country(system: System, country: str) -> None:
    """Have Wi-Fi keep to a country's rules; without one a Pi leaves it off."""
    if system.ask("which", "raspi-config"):
        system.try_run("raspi-config", "nonint", "do_wifi_country", country)
    else:
        system.warn("there is no raspi-config here: the Wi-Fi's country is not set")


def set_hotspot(system: System, name: str, password: str | None) -> None:
    """Have a Wi-Fi of the table's own, used where none that is known can be joined."""
    kept = re.search(r"^psk=(.+)$", system.read(HOTSPOT), re.MULTILINE)
    password = password or (kept[1] if kept else made_up_password())
    system.write(
        HOTSPOT,
        "\n".join(
            (
                "# Companion's own Wi-Fi. A known Wi-Fi comes first: this one's priority is the lowest.",
                "[connection]",
                f"id={rejoin.HOTSPOT}",
                "type=wifi",
                "autoconnect=true",
                "autoconnect-priority=-100",
                "",
                "[wifi]",
                "mode=ap",
                "band=bg",
                f"ssid={name}",
                "",
                "[wifi-security]",
                "key-mgmt=wpa-psk",
                "proto=rsn",
                "pairwise=ccmp",
                "group=ccmp",
                f"psk={password}",
                "# No protected management frames: with them a Pi turns phones away (raspberrypi/linux 3619).",
                "pmf=1",
                "",
                "# Phones get their address from here.",
                "[ipv4]",
                "method=shared",
                f"address1={ADDRESS}/24",
                "",
                "[ipv6]",
                "method=disabled",
                "",
            )
        ),
        0o600,
    )
    system.write(EVERY_NAME, f"# Companion's hotspot leads to the table and nowhere else.\naddress=/#/{ADDRESS}\n")
    set_own_wifi(system, name, password)
    rejoin.set_up(system)
    if system.booted():
        system.try_run("nmcli", "connection", "load", HOTSPOT)
        see_whether_it_can(system)


def set_own_wifi(system: System, name: str, password: str) -> None:
    """Have the table know how its own Wi-Fi is joined: the display shows it as a code."""
    _set_environment(system, {"COMPANION_WIFI": f'"{name}"', "COMPANION_WIFI_PASSWORD": f'"{password}"'})


def see_whether_it_can(system: System) -> None:
    """Say what keeps the hotspot from ever being there."""
    said = system.ask("nmcli", "--terse", "--fields", "TYPE,STATE", "device") or ""
    states = [line.partition(":")[2] for line in said.splitlines() if line.startswith("wifi:")]
    if not states:
        system.warn("no Wi-Fi is found on this computer, so there will be no hotspot until there is one")
    elif all(state == "unmanaged" for state in states):
        system.warn(
            "another program than NetworkManager has the Wi-Fi, so there will be no hotspot. Take its lines out of "
            "/etc/network/interfaces (or switch dhcpcd off), and restart"
        )
    elif all(state == "unavailable" for state in states):
        system.warn(
            "the Wi-Fi is switched off, so there will be no hotspot. A Pi leaves it off until it knows its country: "
            "run this again with --wifi-country (SE, say)"
        )


# ------------------------------------------------------------------------------------------------------- taken back


def take_hotspot_back(system: System) -> None:
    """Have no hotspot of NetworkManager's."""
    rejoin.take_back(system)
    if system.at(HOTSPOT).exists():
        if system.booted():
            system.try_run("nmcli", "connection", "delete", rejoin.HOTSPOT)
        system.remove(HOTSPOT)
    system.remove(EVERY_NAME)


def take_back(system: System, record: dict[str, Any]) -> None:
    """Take the hotspot, the port and the name away; what the owner has changed since then stays."""
    system.remove(SERVICE_FILE)
    take_hotspot_back(system)
    _forget_port(system)
    system.remove(ENVIRONMENT)
    if "hostname" not in record:
        return
    before, name = record["hostname"].strip(), record.get("name")
    if name is not None and system.read("/etc/hostname").strip() != name:
        system.say("The computer's name was changed since then, so it stays")
        return
    hosts, now = record.get("hosts", ""), system.read("/etc/hosts")
    if name is not None and now != named(hosts, name):
        hosts = named(now, before) if before else now
    for path, body in (("/etc/hosts", hosts), ("/etc/hostname", record["hostname"])):
        # Empty: there was none.
        system.write(path, body, system.mode(path)) if body else system.remove(path)
    if system.booted() and before:
        system.run("hostnamectl", "set-hostname", before)
