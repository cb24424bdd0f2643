"""What is looked at of the table's own Wi-Fi, in an emulated computer with three radios.

    python -m tests.deploy.virtual_pi.wifi DISK KERNEL FIRST [--way hotspot|comitup] [--only NAME,NAME] [--quick]

`DISK` is the installed disk, which is copied; `KERNEL` and `FIRST` what the computer starts with. Every check prints a
line: "ok", its name, and what was seen; or "NOT OK", and what was not.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import zxingcpp
from PIL import Image

from tests.deploy.virtual_pi.machine import BUS, LINES, Machine, make_checks, wait
from tests.deploy.virtual_pi.program import PAGE, WrongError, picture_of

SSID = "Table 3"
"""What the disk's installer was told."""
HOME = "home"
"""NetworkManager's name for the Wi-Fi at home."""
ROUTER = "192.168.77."
"""How addresses at home begin."""
RADIOS = "/opt/virtual-pi/radios"
PROBE = "http://connectivitycheck.gstatic.com/generate_204"
"""What a phone asks for to see whether there is an internet."""


class Way(NamedTuple):
    """How the table has a Wi-Fi of its own, by the documentation."""

    connection: str
    """NetworkManager's name for it."""
    address: str
    """Where the computer is in it."""
    table: str
    """Where the table's page is."""
    promised: float
    """Seconds after the start within which it is there."""


WAYS = {
    "hotspot": Way("companion-hotspot", "10.42.0.1", "http://10.42.0.1/", 120.0),
    "comitup": Way(f"{SSID}-0000", "10.41.0.1", "http://10.41.0.1:8080/", 300.0),
}


class Air:
    """A machine with its radios, and what a phone knows that was held before its display."""

    def __init__(self, machine: Machine, way: Way, quick: bool = False) -> None:
        """Have it; it is not on yet. `quick` is as a machine's."""
        self.machine = machine
        self.way = way
        self.quick = quick
        self.password = ""

    def clock(self) -> float:
        """Return the seconds that the computer has been on, by its own clock."""
        return float(self.machine.run("cut -d ' ' -f 1 /proc/uptime"))

    def joined(self, after: float = 0) -> str:
        """Return which Wi-Fi the table is in after some seconds, by NetworkManager's name; nothing while in none."""
        ask = "nmcli --terse --fields NAME,DEVICE,STATE connection show --active"
        said = self.machine.tried(f"sleep {after}; {ask}")[1]
        found = re.search(r"^(.+):wlan0:activated$", said, re.MULTILINE)
        return found[1] if found else ""

    def until_joined(self, name: str) -> float:
        """Wait until the table is in a Wi-Fi; return the seconds that it took, by its own clock.

        Raises:
            WrongError: if it never is.
        """
        began = self.clock()
        try:
            # Its clock would hardly go on while it is kept busy with being asked.
            wait(f"the table is in {name!r}", lambda: self.joined(after=4) == name)
        except WrongError as error:
            raise WrongError(f"{error} but in {self.joined()!r}: {self.log()}") from None
        return self.clock() - began

    def know_home(self) -> None:
        """Switch the router on, and have the table know its Wi-Fi."""
        self.machine.run("systemctl start virtual-pi-router.service")
        add = "nmcli connection add type wifi wifi-sec.key-mgmt wpa-psk wifi-sec.psk homesweethome ssid Home con-name"
        self.machine.run(f"nmcli --get-values connection.id connection show {HOME} || {add} {HOME}")

    def log(self) -> str:
        """Return the end of NetworkManager's log."""
        return self.machine.tried("journalctl --no-pager -o cat -u NetworkManager -n 25")[1]

    def by_phone(self, command: str, seconds: float = 60) -> str:
        """Run a command on the phone; return what it said.

        Raises:
            WrongError: if it fails.
        """
        return self.machine.run(f"ip netns exec phone {command}", seconds)

    def page(self, address: str, *options: str) -> tuple[int, str, str]:
        """Ask for a page by phone; return its status, where it leads to, and what it says."""
        how = shlex.join(("curl", "-s", "-m", "50", "-w", r"\n%{http_code} %{redirect_url}", *options, address))
        body, _, last = self.by_phone(how).rpartition("\n")
        status, _, leads = last.partition(" ")
        return int(status), leads, body

    def code(self, begins: str) -> str:
        """Turn the display's pages by its button until one has a code that begins so; return what it says.

        Raises:
            WrongError: if none has.
        """
        line = f"$(echo {LINES}{PAGE}/pull)"
        seen = []
        for _ in range(6):
            picture = Image.frombytes("1", (128, 64), picture_of(self.machine.sent("i2c")))
            # As a phone's camera sees it: large, with an edge around it.
            large = picture.convert("L").resize((512, 256), Image.Resampling.NEAREST)
            found = zxingcpp.read_barcodes(np.asarray(large), formats=zxingcpp.BarcodeFormat.QRCode)
            seen += [one.text for one in found]
            if seen and seen[-1].startswith(begins):
                return seen[-1]
            self.machine.run(f"echo pull-down >{line}; sleep 0.2; echo pull-up >{line}; sleep 3")
        raise WrongError(f"no code on the display begins with {begins!r}, but {seen}")


# ----------------------------------------------------------------------------------------------- a phone at the table


def opens(air: Air) -> str:
    """After a start without a known Wi-Fi the table's own is there in the time that is promised."""
    air.machine.start(quick=air.quick)
    air.until_joined(air.way.connection)
    took = air.clock()
    if took > air.way.promised:
        raise WrongError(f"{took:.0f} s after the start")
    air.by_phone("ip link set wlan1 up")
    name = re.compile(rf"SSID: {SSID}$.*?\* Authentication suites: ([^\n]+)", re.MULTILINE | re.DOTALL)
    one = wait("a phone sees it", lambda: name.search(air.by_phone("iw dev wlan1 scan")))
    assert isinstance(one, re.Match)
    if not one[1].startswith("PSK"):
        raise WrongError(f"it wants {one[1]}")
    return f"{took:.0f} s after the start, by the computer's own clock; a phone sees it, secured by {one[1].strip()}"


def display_says_how(air: Air) -> str:
    """The display has a code by which phones join, and one with the table's address there."""
    air.machine.until(f"test $(head -c 1 {BUS}/i2c | wc -c) = 1")
    found = re.fullmatch(r"WIFI:T:WPA;S:(.+);P:(.+);;", air.code("WIFI:"))
    if found is None or found[1] != SSID:
        raise WrongError(f"{found}")
    air.password = found[2]
    join = str(
        wait("the code leads to the table there", lambda: air.way.address in (code := air.code("HTTP")) and code)
    )
    return f"the code for {found[1]!r} with a password of {len(air.password)} signs, and {join}"


def wrong_password(air: Air) -> str:
    """Who has a wrong password is not let in."""
    status, said = air.machine.tried(f"{RADIOS} join '{SSID}' {air.password[::-1]}x", 90)
    air.machine.run(f"{RADIOS} leave")
    if status != 2:
        raise WrongError(said)
    return said


def phone_joins(air: Air) -> str:
    """A phone joins with the password of the display's code, and gets an address."""
    status, said = air.machine.tried(f"{RADIOS} join '{SSID}' {air.password}", 90)
    address = re.search(r"address ([\d.]+), names from ([\d.]+)$", said, re.MULTILINE)
    if status or address is None or address[2] != air.way.address:
        raise WrongError(f"{said}: {air.log()}")
    return f"it is {address[1]}"


def page_is_there(air: Air) -> str:
    """The table's page is at the address that the documentation has."""
    status, _, body = air.page(air.way.table, "-L")
    title = re.search(r"<title>(.*?)</title>", body, re.DOTALL)
    if status != 200 or title is None:
        raise WrongError(f"{status}: {body[:300]}")
    if air.page(f"{air.way.table}J", "-L")[0] != 200:
        raise WrongError("what the display's code leads to is not there")
    return f"{title[1].strip()!r}"


def names_lead_here(air: Air) -> str:
    """Every name leads to the table, also by the network's own way of asking; and no address leads anywhere else."""
    for name in ("example.com", "table-3.local", "a.name.that.nobody.has"):
        said = air.by_phone(f"/opt/virtual-pi/busybox nslookup -type=a {name}")
        if said.split()[-1] != air.way.address:
            raise WrongError(f"{name}: {said}")
    said = air.by_phone("/usr/bin/python3 -B /opt/virtual-pi/multicast.py table-3.local")
    if said != air.way.address:
        raise WrongError(f"table-3.local by multicast: {said!r}")
    return f"example.com and others are {air.way.address}; table-3.local is, asked by multicast too"


def phone_stays(air: Air) -> str:
    """A phone that looks for the internet is led to a page; who stays is told that all is well, and the phone stays."""
    status, leads, _ = air.page(PROBE)
    if (status, leads) != (302, f"{air.way.table}welcome"):
        raise WrongError(f"first: {status} {leads}")
    if air.page(leads)[0] != 200 or air.page(leads, "-X", "POST", "-H", f"Origin: {air.way.table[:-1]}")[0] != 200:
        raise WrongError("the page is not there")
    status, leads, _ = air.page(PROBE)
    if status != 204:
        raise WrongError(f"afterwards: {status} {leads}")
    return "led to /welcome; after a tap on the page it gets the 204 that it asks for"


def others_page_asks(air: Air) -> str:
    """comitup's page comes up on the phone that asks for the internet, and names the Wi-Fi that is there."""
    air.machine.run("systemctl start virtual-pi-router.service")
    status, leads, _ = air.page(PROBE)
    if (status, leads) != (302, f"http://{air.way.address}/"):
        raise WrongError(f"{status} {leads}")
    wait("the page names the Wi-Fi at home", lambda: "ssid=Home" in air.page(leads)[2])
    return f"{PROBE} leads to {leads}, which names it"


def chosen_is_joined(air: Air) -> str:
    """The Wi-Fi that is chosen on comitup's page is joined, its own goes away, and the display knows."""
    status, _, body = air.page(f"http://{air.way.address}/connect", "-d", "ssid=Home&password=homesweethome")
    if status != 200:
        raise WrongError(f"{status} {body[:300]}")
    took = air.until_joined("Home")
    join = str(wait("the code leads to the table there", lambda: ROUTER in (code := air.code("HTTP")) and code))
    return f"joined {took:.0f} s after it was chosen; the display's code: {join}"


def doctor_names_it(air: Air) -> str:
    """`companion doctor` names the Wi-Fi that is on."""
    found = json.loads(air.machine.tried("companion doctor --json", 240)[1])
    network = next(one for one in found["findings"] if one["name"] == "network")
    if network["state"] != "ok" or f'its own Wi-Fi "{SSID}" is on' not in network["words"]:
        raise WrongError(f"{network}")
    return str(network["words"])


# --------------------------------------------------------------------------------------------------- the Wi-Fi at home


def learnt_while_open(air: Air) -> str:
    """A Wi-Fi that the owner tells the table of while a phone is in its own does not throw the phone out."""
    air.know_home()
    air.machine.run("sleep 240", 600)
    if air.joined() != air.way.connection or air.page(f"{air.way.table}health")[0] != 200:
        raise WrongError(f"it is in {air.joined()!r}: {air.log()}")
    return "after four minutes the phone has its page still"


def home_comes_back(air: Air) -> str:
    """When nobody is in the hotspot, the table joins the Wi-Fi at home that is there again; the display knows."""
    air.know_home()
    air.machine.run(f"{RADIOS} leave")
    took = air.until_joined(HOME)
    join = str(wait("the code leads to the table at home", lambda: ROUTER in (code := air.code("HTTP")) and code))
    return f"joined {took:.0f} s after the phone had left; the display's code: {join}"


def home_goes(air: Air) -> str:
    """When the Wi-Fi at home goes, the hotspot opens; and when it is there again, it is joined."""
    air.machine.run("systemctl stop virtual-pi-router.service")
    opened = air.until_joined(air.way.connection)
    air.machine.run("systemctl start virtual-pi-router.service")
    return f"the hotspot {opened:.0f} s after it had gone; joined {air.until_joined(HOME):.0f} s after it was back"


def home_refuses(air: Air) -> str:
    """When the known Wi-Fi is there and can't be joined, the hotspot opens again after each try, until it can."""
    air.machine.run(f"systemctl stop virtual-pi-router.service; nmcli connection modify {HOME} wifi-sec.psk {'x' * 12}")
    air.until_joined(air.way.connection)
    air.machine.run("systemctl start virtual-pi-router.service")
    # As its timer does.
    look = "systemctl start companion-rejoin.service"
    air.machine.run(look, 240)
    if "this did not work: nmcli" not in air.machine.run("journalctl --no-pager -b -o cat -u companion-rejoin"):
        raise WrongError(f"it was not tried: {air.log()}")
    again = air.until_joined(air.way.connection)
    air.machine.run(f"nmcli connection modify {HOME} wifi-sec.psk homesweethome")
    air.machine.run(look, 240)
    took = air.until_joined(HOME)
    return f"open again {again:.0f} s after a try in vain; with the right password joined {took:.0f} s after the next"


def home_comes_first(air: Air) -> str:
    """After a start with the known Wi-Fi there, that is joined, and the hotspot never opens."""
    air.machine.run("systemctl enable --quiet virtual-pi-router.service")
    air.machine.restarted(lambda: air.machine.run("(sleep 1; systemctl reboot) >/dev/null 2>&1 &"))
    air.until_joined(HOME)
    took = air.clock()
    said = air.machine.tried('journalctl --no-pager -b -o cat -u NetworkManager | grep -c "connection \'companion-hot"')
    if int(said[1]):
        raise WrongError(f"the hotspot was opened first: {air.log()}")
    return f"{took:.0f} s after the start"


# -------------------------------------------------------------------------------------------------------- switched off


def off_is_said(air: Air) -> str:
    """A Wi-Fi that is switched off is said by the installer, with what helps."""
    state = "nmcli --terse --fields TYPE,STATE device | grep -q ^wifi:unavailable"
    air.machine.run("rfkill block wifi")
    air.machine.until(state)
    status, said = air.machine.tried(f"/src/deploy/install --hotspot '{SSID}'", 600)
    air.machine.run("rfkill unblock wifi")
    words = "the Wi-Fi is switched off, so there will be no hotspot"
    if status or words not in said:
        raise WrongError(f"{status}: {said[-600:]}")
    air.machine.until(f"! {state}")
    again = air.machine.run(f"/src/deploy/install --hotspot '{SSID}'", 600)
    if words in again:
        raise WrongError(f"it is on, and: {again[-600:]}")
    return f"{words!r}; not when it is on"


CHECKS: dict[str, tuple[Callable[[Air], str], ...]] = {
    "hotspot": (
        opens,
        display_says_how,
        wrong_password,
        phone_joins,
        page_is_there,
        names_lead_here,
        phone_stays,
        doctor_names_it,
        learnt_while_open,
        home_comes_back,
        home_goes,
        home_refuses,
        home_comes_first,
        off_is_said,
    ),
    "comitup": (
        opens,
        display_says_how,
        wrong_password,
        phone_joins,
        page_is_there,
        doctor_names_it,
        others_page_asks,
        chosen_is_joined,
    ),
}
"""In this order: each goes on with the computer as the one before has left it."""


def main() -> int:
    """Make the checks; return how many of them are not ok."""
    options = argparse.ArgumentParser()
    for name in ("disk", "kernel", "first"):
        options.add_argument(name, type=Path)
    options.add_argument("--way", choices=WAYS, default="hotspot")
    options.add_argument("--only", default="")
    options.add_argument("--quick", action="store_true")
    given = options.parse_args()
    wanted = {check.__name__: check for check in CHECKS[given.way]}
    only = set(given.only.split(",")) - {""} or set(wanted)
    # Who ends this ends the computer with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="companion-wifi-", dir=given.disk.parent) as folder:
        image = Path(folder) / "disk"
        subprocess.run(["cp", "--sparse=always", given.disk, image], check=True)
        machine = Machine(Path(folder), image, given.kernel, given.first, cable=False)
        air = Air(machine, WAYS[given.way], given.quick)
        try:
            checks = {name: partial(check, air) for name, check in wanted.items() if name in only}
            return make_checks(machine, checks)
        finally:
            machine.end()


if __name__ == "__main__":
    sys.exit(min(main(), 1))
