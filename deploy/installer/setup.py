"""`deploy/install`: makes a computer a box, and takes everything away again.

What was done that can't be told from the files afterwards (which packages were new, what the computer was called) is
written down in /etc/companion/installed.json before it is done.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from . import checks, comitup, configtxt, network, packages, versions
from .system import SetupError, System
from .update import BACKUPS, KEY, RECORD, STATE, USER, Health, go_to, keep_matches

COMMENT = "Companion"
"""Stands beside the user's name in the list of users."""
GROUPS = ("video", "render", "i2c", "gpio", "spi", "audio")
CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
KEPT_CONFIG = ".before-companion"
MOVED = b"moved to /boot/firmware"
"""Stands in a /boot/config.txt that counts no longer."""
OWN_WIRING = f"{STATE}/data/firmware_config/wiring.toml"
MODULES = "/etc/modules-load.d/companion.conf"
LOADED = ("videodev", "i2c-dev", "spidev", "snd")
WATCHDOG = "/etc/systemd/system.conf.d/companion.conf"
WATCHED = """\
# A Pi whose system hangs is started again by its own clockwork. It counts to 15 seconds at most.
[Manager]
RuntimeWatchdogSec=15
"""
COMMAND, UPDATE = "/usr/local/bin/companion", "/usr/local/sbin/companion-update"


class Wishes:
    """What the owner wants: names, hotspot, settings. What is None stays as it is."""

    def __init__(
        self,
        name: str | None = None,
        hotspot: str | None = None,
        password: str | None = None,
        country: str | None = None,
        camera: str | None = None,
        pin: str | None = None,
        port: int | None = None,
        origin: str | None = None,
        comitup: str | None = None,
        key: Path | None = None,
    ) -> None:
        """Check them.

        Raises:
            SetupError: if one of them can't be.
        """
        self.name = checks.table_name(name) if name else None
        if hotspot and comitup:
            raise SetupError(
                "--hotspot and --comitup are two ways to a Wi-Fi of its own: choose one. comitup asks phones for a "
                "Wi-Fi to join; the hotspot is for the table alone"
            )
        wifi = hotspot or comitup
        if wifi:
            checks.hotspot(wifi, password)
        elif password:
            raise SetupError("a hotspot's password needs a hotspot: --hotspot NAME (or --comitup NAME)")
        if country and not re.fullmatch(r"[A-Z]{2}", country):
            raise SetupError(f"{country!r} is no country: two capital letters, such as SE")
        if camera and not pin:
            raise SetupError("with --camera give --pin as well: the first page is not shown then")
        if port is not None and not 0 < port < 65536:
            raise SetupError(f"{port} is no port: 80, or another number up to 65535")
        self.hotspot, self.password, self.country = hotspot, password, country
        self.camera, self.pin = camera, checks.pin(pin) if pin else None
        self.port, self.origin, self.comitup = port, origin, comitup
        self.key = checks.public_key(key) if key else None


# --------------------------------------------------------------------------------------------------------- install


def install(system: System, source: Path, wishes: Wishes, health: Health = versions.healthy) -> None:
    """Make this computer a box; done twice it changes nothing the second time.

    Raises:
        SetupError: if a step does not work; what was done stays, and the next run goes on from there.
    """
    checks.check(system)
    comitup.refuse_beside(system, wishes.hotspot)
    port = comitup.port_beside(system, wishes.port, bool(wishes.comitup))
    checks.port_is_free(system, port, versions.port(system))
    name = versions.name_of(source)
    record = _record(system)
    real = not (system.dry or system.staged)
    if real:
        record["origin"] = wishes.origin or versions.origin_of(system, source) or record.get("origin")
    if wishes.key:
        system.say("The owner's key for updates")
        system.write(KEY, wishes.key)
    extra = packages.FOR_A_HOTSPOT if wishes.hotspot else packages.FOR_COMITUP if wishes.comitup else ()
    packages.provide(system, record, extra, lambda: _keep_record(system, record))
    _user(system, record)
    old = versions.current(system)
    restart = versions.install_beside(system, source, name) or old != name
    deploy = versions.files_of(system, name) if real else source / "deploy"
    _commands(system)
    rebooting = _boot_config(system, source, name)
    _modules(system)
    before = system.changed, system.read(network.ENVIRONMENT)
    network.set_port(system, port)
    moved = system.changed != before[0]
    _network(system, record, wishes)
    # What the service shows of its Wi-Fi it is told when it starts.
    moved = moved or system.read(network.ENVIRONMENT) != before[1]
    if wishes.pin:
        _settle(system, name, wishes)
    if restart:
        keep_matches(system, old, name)
    so_far = system.changed
    system.say("The service")
    if restart and real:
        _enable_after(system, name, deploy, old, health)
    else:
        versions.switch(system, name, deploy)
        _enable(system)
        if moved or system.changed != so_far or not _answers(system):
            versions.restart(system)
    versions.prune(system)
    _keep_record(system, record)
    _tell(system, wishes, rebooting)


def _enable_after(system: System, name: str, deploy: Path, old: str | None, health: Health) -> None:
    if old is None:
        # Nothing to go back to: it has to be enabled before it is started.
        versions.switch(system, name, deploy)
        _enable(system)
        versions.restart(system)
        wrong = health() if system.booted() else None
        if wrong is not None:
            raise SetupError(f"it is installed, but it is not well: {wrong}. Look: sudo journalctl -u companion")
        return
    go_to(system, name, deploy, old, health)
    _enable(system)


def _enable(system: System) -> None:
    enabled = system.at(f"{versions.UNIT_FOLDER}/multi-user.target.wants/companion.service")
    if enabled.is_symlink() and not system.dry:
        return
    system.run("systemctl", "enable", "--quiet", "companion.service", "companion.socket", "companion-poweroff.path")
    if system.booted():
        system.run("systemctl", "daemon-reload")
        system.run("systemctl", "start", "companion.socket", "companion-poweroff.path")


def _answers(system: System) -> bool:
    return not system.booted() or system.ask("systemctl", "is-active", "companion.service") is not None


def _user(system: System, record: dict[str, Any]) -> None:
    """Have the user, in those of the groups that there are."""
    system.say("The user that it runs as")
    if not system.has_user(USER):
        record["user"] = True
        _keep_record(system, record)
        system.run(
            "useradd",
            "--system",
            "--user-group",
            "--home-dir",
            STATE,
            "--no-create-home",
            "--shell",
            "/usr/sbin/nologin",
            "--comment",
            COMMENT,
            USER,
        )
    there = system.groups()
    absent = [name for name in GROUPS if name in there and USER not in there[name]]
    if absent:
        system.run("usermod", "--append", "--groups", ",".join(absent), USER)
    if not system.at(STATE).is_dir():
        system.run("install", "-d", "-o", USER, "-g", USER, "-m", "700", STATE)


def _commands(system: System) -> None:
    system.say("The commands companion and companion-update")
    system.link(COMMAND, f"{versions.TOOLS}/companion")
    system.link(UPDATE, f"{versions.TOOLS}/companion-update")


def _boot_config(system: System, source: Path, name: str) -> bool:
    """Put Companion's lines into config.txt; tell whether they count only after a restart."""
    path = next((one for one in CONFIG_FILES if _counts(system, one)), None)
    if path is None:
        if "Raspberry Pi" in system.read("/proc/device-tree/model"):
            system.warn(
                "this is a Raspberry Pi, but its boot partition is not there: display and buttons can't be set up in "
                "config.txt. Mount it (sudo mount /boot/firmware), then run this again"
            )
        else:
            system.say("No config.txt here: not a Raspberry Pi, nothing to set")
        return False
    system.say(f"Companion's lines in {path}")
    before = system.at(path).read_bytes()
    try:
        after, left_out = configtxt.with_lines(before, _fragment(system, source, name))
    except configtxt.ConfigError as error:
        raise SetupError(str(error)) from None
    for words in left_out:
        system.warn(words)
    if configtxt.BEGIN not in before and not system.at(path + KEPT_CONFIG).exists():
        system.write(path + KEPT_CONFIG, before, 0o755)
    return system.write(path, after, system.at(path).stat().st_mode & 0o777)


def _modules(system: System) -> None:
    """Have the devices' modules loaded before the service starts, and a Pi started again that hangs.

    Which kinds of devices a service may use is settled when it starts: what is plugged in later would be refused.
    """
    system.say("Modules of camera, display and lights")
    if system.write(MODULES, "".join(f"{name}\n" for name in LOADED)) and system.booted():
        system.try_run("modprobe", "--all", *LOADED)
    if "Raspberry Pi" in system.read("/proc/device-tree/model"):
        system.write(WATCHDOG, WATCHED)


def _counts(system: System, path: str) -> bool:
    """Tell whether this is a config.txt that the Pi reads."""
    at = system.at(path)
    return at.is_file() and MOVED not in at.read_bytes()


def _fragment(system: System, source: Path, name: str) -> bytes:
    """Give the lines for config.txt: those that fit the owner's wiring, else those of the wiring as it comes."""
    program = f"{versions.HOME}/{name}/bin/companion"
    said = system.ask("env", f"COMPANION_STATE={STATE}", program, "wiring", "--config") if not system.dry else None
    if said and "=" in said:
        return said.encode()
    if system.at(OWN_WIRING).exists() and not system.dry:
        system.warn(
            "your wiring.toml does not fit, so config.txt gets the lines of the wiring as it comes. "
            "`sudo companion wiring` says what is wrong; mend it, then run this again"
        )
    if source.is_dir():
        return (source / "firmware_config" / "config.txt").read_bytes()
    return (versions.files_of(system, name).parent / "firmware_config" / "config.txt").read_bytes()


def _network(system: System, record: dict[str, Any], wishes: Wishes) -> None:
    """Set the computer's name, tell the network of the table, and have a hotspot, as far as wished."""
    system.say("The network")
    network.announce(system)
    if wishes.name and wishes.name != system.read("/etc/hostname").strip():
        record.setdefault("hostname", system.read("/etc/hostname"))
        record.setdefault("hosts", system.read("/etc/hosts"))
        record["name"] = wishes.name
        _keep_record(system, record)
        network.set_name(system, wishes.name)
    if wishes.country:
        network.set_country(system, wishes.country)
    if wishes.hotspot:
        network.set_hotspot(system, wishes.hotspot, wishes.password)
    if wishes.comitup:
        comitup.set_up(system, record, wishes.comitup, wishes.password)


def _settle(system: System, name: str, wishes: Wishes) -> None:
    if system.at(f"{STATE}/box.json").exists():
        return
    system.say("The settings that the first page asks for")
    if system.dry or system.staged:
        system.say("  $ companion settle --pin …")
        return
    command = ("settle", "--pin", wishes.pin or "", "--camera", wishes.camera or "find")
    program = f"{versions.HOME}/{name}/bin/companion"
    start = ("runuser", "-u", USER, "--", "env", f"COMPANION_STATE={STATE}", program)
    system.run(*start, *command, quiet=True, secret=wishes.pin or "")


def _record(system: System) -> dict[str, Any]:
    try:
        found = json.loads(system.read(RECORD) or "{}")
    except ValueError:
        raise SetupError(f"{RECORD} is damaged: move it away, then run this again") from None
    except PermissionError:  # a dry run of somebody else's
        found = {}
    return found if isinstance(found, dict) else {}


def _keep_record(system: System, record: dict[str, Any]) -> None:
    # Only root reads it: a password may stand in the origin's address.
    system.write(RECORD, json.dumps(record, indent=1, sort_keys=True) + "\n", 0o600)


def _tell(system: System, wishes: Wishes, rebooting: bool) -> None:
    name = wishes.name or system.read("/etc/hostname").strip() or "this computer"
    if system.dry:
        system.say("Nothing was changed: this was only to tell.")
        return
    port = network.port(system)
    where = "" if port == network.USUAL_PORT else f":{port}"
    system.say(f"Done. Open http://{name}.local{where}/ on a phone or computer in the same network.")
    wifi = network.own_wifi(system)
    if wifi is not None and comitup.name_of(system) is not None:
        system.say(
            f"Where no Wi-Fi that it knows can be joined, it opens one called {wifi[0]}, password {wifi[1]}: on a "
            f"phone in it a page comes up that asks for one to join. There the table is http://{comitup.ADDRESS}{where}/"
        )
    elif wifi is not None:
        system.say(
            f"Away from home its own Wi-Fi is called {wifi[0]}, password {wifi[1]}; there it is "
            f"http://{network.ADDRESS}{where}/"
        )
    if rebooting:
        system.say(
            "config.txt has changed: restart once (sudo reboot), then the display and the buttons are there, too."
        )


# -------------------------------------------------------------------------------------------------------- uninstall


def uninstall(system: System, matches: str | None) -> None:
    """Take everything away. `matches` is "keep" or "delete", and has to be said if there are any.

    Raises:
        SetupError: if there are matches and nobody has said what shall become of them.
    """
    if not system.is_root() and not system.dry and not system.staged:
        raise SetupError("this needs root: sudo deploy/install --uninstall")
    record = _record(system)
    if system.at(f"{STATE}/journal.db").exists() and matches is None:
        raise SetupError(
            f"there are matches in {STATE}. Say what shall become of them: --keep-matches or --delete-matches "
            "(`sudo companion backup - > matches.zip` keeps them in a file)"
        )
    system.say("The service")
    units = [unit for unit in versions.UNITS if system.at(f"{versions.UNIT_FOLDER}/{unit}").exists()]
    if units:
        wanted = [unit for unit in units if unit != "companion-poweroff.service"]
        system.try_run("systemctl", "disable", "--quiet", *(("--now",) if system.booted() else ()), *wanted)
        for unit in units:
            system.remove(f"{versions.UNIT_FOLDER}/{unit}")
    system.remove(versions.BACKOFF)
    system.remove_if_empty(str(Path(versions.BACKOFF).parent))
    if system.booted():
        system.run("systemctl", "daemon-reload")
        system.try_run("systemctl", "reset-failed")
    system.say("Files")
    for path in (COMMAND, UPDATE, MODULES, WATCHDOG, versions.HOME):
        system.remove(path)
    system.remove_if_empty(str(Path(WATCHDOG).parent))
    _take_config_back(system)
    comitup.take_back(system, record)
    network.take_back(system, record)
    if matches != "keep":
        system.remove(STATE)
        if (record.get("user") or _made_by_us(system)) and system.has_user(USER):
            system.say("The user")
            system.run("userdel", USER)
    else:
        system.say(f"Matches and settings stay in {STATE}, and with them the user {USER}")
        system.remove(BACKUPS)
    packages.take_away(system, record)
    system.remove(RECORD)
    system.remove(KEY)
    system.remove_if_empty("/etc/companion")
    system.remove("/run/companion-install.lock")
    system.say(
        "Nothing was changed: this was only to tell." if system.dry else "Done: nothing of Companion is left here."
    )


def _made_by_us(system: System) -> bool:
    """Tell the user's origin by its entry: the record of it went when the matches were kept before."""
    entries = (line.split(":") for line in system.read("/etc/passwd").splitlines())
    return any(entry[0] == USER and entry[4:6] == [COMMENT, STATE] for entry in entries)


def _take_config_back(system: System) -> None:
    for path in CONFIG_FILES:
        at = system.at(path)
        if at.is_file() and not at.is_symlink():
            try:
                system.write(path, configtxt.without(at.read_bytes()), at.stat().st_mode & 0o777)
            except configtxt.ConfigError as error:
                raise SetupError(str(error)) from None
        system.remove(path + KEPT_CONFIG)
