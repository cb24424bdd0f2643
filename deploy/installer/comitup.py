"""comitup in place of our hotspot: where no known Wi-Fi can be joined, a page comes up on a phone that asks for one.

comitup is Debian's, and takes over what NetworkManager does with Wi-Fi. It opens a Wi-Fi of its own, has its page on
port 80 of it until somebody has chosen a Wi-Fi to join, and ends both when that one is joined. Of its settings two are
ours: the Wi-Fi's name and its password. `web_service`, which comitup would stop while it asks and start afterwards,
stays empty: a match goes on, and its pages answer, whatever becomes of the Wi-Fi. So the table needs another port.
"""

from __future__ import annotations

import re
from typing import Any

from . import checks, configtxt, network
from .system import SetupError, System

PACKAGE = "comitup"
CONF = "/etc/comitup.conf"
SERVICES = ("comitup.service", "comitup-web.service")
LOGS = "comitup*.log*"
ADDRESS = "10.41.0.1"
"""Where the computer is on comitup's Wi-Fi; comitup knows no other."""
PAGE_PORT = 80
"""Where comitup's page is; a phone that looks for the internet asks there."""
PORT = 8080
"""Where the table is beside it, if the owner says nothing else."""
ASIDE = b"#companion# "
"""Stands before an owner's line that can't be there beside ours: comitup refuses a file that sets a thing twice."""
OURS = re.compile(rb"[ \t]*ap_(name|password)[ \t]*[:=]", re.IGNORECASE)
BUSY = ("systemd-resolved", "dnsmasq", "dhcpd", "dhcpcd")
"""Services that may be in comitup's way; it looks for the same ones when it starts."""


# ------------------------------------------------------------------------------------------------------- its settings


def with_lines(conf: bytes, name: str, password: str) -> bytes:
    """Put Companion's lines at the end of comitup's settings, in place of those that were there.

    Raises:
        ConfigError: if one of the marks is missing.
    """
    rest = [ASIDE + line if OURS.match(line) else line for line in without(conf).splitlines(keepends=True)]
    if rest and not rest[-1].endswith(b"\n"):
        rest.append(b"\n")
    lines = (
        configtxt.BEGIN.decode(),
        "# No web_service: the table goes on while comitup asks for a Wi-Fi, on a port of its own.",
        f"ap_name: {name}",
        f"ap_password: {password}",
        configtxt.END.decode(),
    )
    return b"".join(rest) + b"\n" + "\n".join(lines).encode() + b"\n"


def without(conf: bytes) -> bytes:
    """Take Companion's lines out, and put the owner's back.

    Raises:
        ConfigError: if one of the marks is missing.
    """
    lines = configtxt.without(conf, CONF).splitlines(keepends=True)
    return b"".join(line.removeprefix(ASIDE) for line in lines)


def name_of(system: System) -> str | None:
    """Give the name of comitup's Wi-Fi, if it is we who have set it."""
    conf = system.read(CONF)
    found = re.search(r"^ap_name: (.+)$", conf.partition(configtxt.BEGIN.decode())[2], re.MULTILINE)
    return found[1] if found else None


# ------------------------------------------------------------------------------------------------------------ before


def refuse_its_port(wished: int | None) -> None:
    """Let the table have any port but that of comitup's page.

    Raises:
        SetupError: if it is that one.
    """
    if wished == PAGE_PORT:
        raise SetupError(
            f"comitup has its own page on port {PAGE_PORT} while it asks for a Wi-Fi: give the table another port, "
            f"such as --port {PORT}"
        )


def port_beside(system: System, wished: int | None, comitup: bool) -> int:
    """Give the port of the table's pages: the wished one, or that which is set; beside comitup never that of its page.

    `comitup` is whether it is asked for now; it may be here from before.

    Raises:
        SetupError: if the wished one is that of comitup's page, or another program has that.
    """
    port = wished or network.port(system)
    if not comitup and name_of(system) is None:
        return port
    refuse_its_port(wished)
    if checks.is_taken(system, PAGE_PORT, network.port(system)) and not _runs(system, SERVICES[1]):
        raise SetupError(
            f"another program answers on port {PAGE_PORT} (`sudo ss -ltnp sport = :{PAGE_PORT}` names it): a web "
            "server? comitup needs that port for its page. Take the program away, or take --hotspot instead"
        )
    return PORT if port == PAGE_PORT else port


def refuse_beside(system: System, hotspot: str | None) -> None:
    """See to it that not two programs want the Wi-Fi.

    Raises:
        SetupError: if our hotspot is wished for where comitup is.
    """
    said = system.ask("dpkg-query", "-W", "-f", "${Status}", PACKAGE) if hotspot else None
    if said is not None and said.endswith("ok installed"):
        raise SetupError(
            "comitup is installed here and has the Wi-Fi, so there can't be a hotspot beside it. Take it away (sudo "
            "apt-get purge comitup), then run this again; or keep it, with --comitup in place of --hotspot"
        )


# -------------------------------------------------------------------------------------------------------- set, taken


def set_up(system: System, record: dict[str, Any], name: str, password: str | None) -> None:
    """Have comitup ask for a Wi-Fi by one of this name, once its package is there.

    Raises:
        SetupError: if its settings can't be edited safely.
    """
    network.take_hotspot_back(system)
    known = network.own_wifi(system)
    password = password or (known[1] if known else network.made_up_password())
    at = system.at(CONF)
    before = at.read_bytes() if at.is_file() else b""
    former = name_of(system)
    record.setdefault("comitup_mode", system.mode(CONF))
    try:
        # A password is in it: comitup reads it as root.
        changed = system.write(CONF, with_lines(before, name, password), 0o600)
    except configtxt.ConfigError as error:
        raise SetupError(str(error)) from None
    network.set_own_wifi(system, name, password)
    if not system.booted():
        return
    if changed:
        system.try_run("systemctl", "--no-block", "restart", SERVICES[0])
        # Of the name before, or of the one that comitup made up when its package started it.
        _forget_wifi(system, former if former != name else None, made_up=former is None and _is_ours(record))
    network.see_whether_it_can(system)
    for service in BUSY:
        if _runs(system, f"{service}.service"):
            system.warn(
                f"{service} is running, and may keep comitup from giving phones their addresses. Unless you need it: "
                f"sudo systemctl disable --now {service}"
            )


def take_back(system: System, record: dict[str, Any]) -> None:
    """Have comitup's settings as they were; its package goes with the others if it came for us.

    Raises:
        SetupError: if its settings can't be edited safely.
    """
    name, at, changed = name_of(system), system.at(CONF), False
    if name is not None:
        try:
            body = without(at.read_bytes())
        except configtxt.ConfigError as error:
            raise SetupError(str(error)) from None
        # Empty: there was none.
        changed = system.write(CONF, body, record.get("comitup_mode", 0o644)) if body else system.remove(CONF)
    if _is_ours(record):
        # Its package leaves the page running.
        running = [service for service in SERVICES if _runs(system, service)]
        if running:
            system.try_run("systemctl", "stop", *running)
        for path in sorted(system.at("/var/log").glob(LOGS)):
            system.remove(f"/var/log/{path.name}")
    elif changed and system.booted():
        system.try_run("systemctl", "--no-block", "try-restart", SERVICES[0])
    if system.booted():
        _forget_wifi(system, name, made_up=_is_ours(record))


def _is_ours(record: dict[str, Any]) -> bool:
    return PACKAGE in record.get("packages", [])


def _runs(system: System, service: str) -> bool:
    return system.booted() and system.ask("systemctl", "is-active", service) is not None


def _forget_wifi(system: System, name: str | None, made_up: bool) -> None:
    """Take away what comitup has told NetworkManager of its own Wi-Fi: it leaves that behind."""
    said = system.ask("nmcli", "--terse", "--fields", "NAME", "connection") or ""
    for line in said.splitlines():
        if line == f"{name}-0000" or (made_up and re.fullmatch(r"comitup-\d{1,4}-0000", line)):
            system.try_run("nmcli", "connection", "delete", line)
