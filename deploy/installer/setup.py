"""`deploy/install`: makes a computer a box, and takes everything away again.

What was done that can't be told from the files afterwards (which packages were new, what the computer was called) is
written down in /etc/companion/installed.json before it is done.
"""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path
from typing import Any

from . import checks, configtxt, versions
from .system import SetupError, System
from .update import BACKUPS, RECORD, STATE, Health, go_to, keep_matches

USER = "companion"
NO_RECOMMENDS = ("-o", "APT::AutoRemove::RecommendsImportant=false", "-o", "APT::AutoRemove::SuggestsImportant=false")
"""What came along is to go also if another package recommends it: it was not missed before."""
GROUPS = ("video", "render", "i2c", "gpio", "spi")
NEEDED = ("python3-venv", "libzbar0", "avahi-daemon", "git")
FOR_THE_PI = ("python3-picamera2", "python3-libcamera", "python3-gpiozero", "python3-lgpio")
"""For the two helper processes, under the system's own Python. Some of them only Raspberry Pi OS has."""
FOR_A_HOTSPOT = ("network-manager", "dnsmasq-base")
ENVIRONMENT = "/etc/companion/companion.env"
CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
KEPT_CONFIG = ".before-companion"
MODULES = "/etc/modules-load.d/companion.conf"
SERVICE_FILE = "/etc/avahi/services/companion.service"
ADDRESS = "10.42.0.1"
HOTSPOT = "/etc/NetworkManager/system-connections/companion-hotspot.nmconnection"
EVERY_NAME = "/etc/NetworkManager/dnsmasq-shared.d/companion.conf"
"""On the hotspot every name leads to the table: it answers a phone that asks for the internet, so that it stays."""
COMMAND, UPDATE = "/usr/local/bin/companion", "/usr/local/sbin/companion-update"
COMPANION = f"""\
#!/bin/sh
# The box's own Companion. As root it works on the box's matches, as the user that the service runs as.
set -e
program={versions.CURRENT}/bin/companion
[ "$(id -u)" = 0 ] || exec "$program" "$@"
cd {STATE}
set -- COMPANION_STATE={STATE} "$program" "$@"
exec runuser -u {USER} -- env "$@"
"""
ANNOUNCED = """\
<?xml version="1.0" standalone='no'?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<!-- So that the table shows up among the websites of the network. -->
<service-group>
  <name replace-wildcards="yes">Companion on %h</name>
  <service><type>_http._tcp</type><port>80</port></service>
</service-group>
"""


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
    ) -> None:
        """Check them.

        Raises:
            SetupError: if one of them can't be.
        """
        self.name = checks.table_name(name) if name else None
        if hotspot:
            checks.hotspot(hotspot, password)
        elif password:
            raise SetupError("a hotspot's password needs a hotspot: --hotspot NAME")
        if country and not re.fullmatch(r"[A-Z]{2}", country):
            raise SetupError(f"{country!r} is no country: two capital letters, such as SE")
        if camera and not pin:
            raise SetupError("with --camera give --pin as well: the first page is not shown then")
        self.hotspot, self.password, self.country, self.camera, self.pin = hotspot, password, country, camera, pin


# --------------------------------------------------------------------------------------------------------- install


def install(system: System, source: Path, wishes: Wishes, health: Health = versions.healthy) -> None:
    """Make this computer a box; done twice it changes nothing the second time.

    Raises:
        SetupError: if a step does not work; what was done stays, and the next run goes on from there.
    """
    checks.check(system)
    name = versions.name_of(source)
    record = _record(system)
    if not (system.dry or system.staged):
        record["origin"] = _origin(system, source) or record.get("origin")
    _packages(system, record, bool(wishes.hotspot))
    _user(system, record)
    restart = versions.current(system) != name
    old = versions.current(system)
    versions.install_beside(system, source, name)
    real = not (system.dry or system.staged)
    deploy = versions.files_of(system, name) if real else source / "deploy"
    _commands(system)
    rebooting = _boot_config(system, source, name)
    _network(system, record, wishes)
    if wishes.pin:
        _settle(system, name, wishes)
    if restart:
        keep_matches(system, old)
    before = system.changed
    system.say("The service")
    if restart and real:
        _enable_after(system, name, deploy, old, health)
    else:
        versions.switch(system, name, deploy)
        _enable(system)
        if system.changed != before or not _answers(system):
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


def _packages(system: System, record: dict[str, Any], hotspot: bool) -> None:
    """Install what is missing, and remember what was new."""
    system.say("Debian packages")
    wanted = [*NEEDED, *(FOR_A_HOTSPOT if hotspot else ())]
    missing = [name for name in wanted if not _has(system, name)]
    on_arm = checks.architecture(system) == "arm64"
    maybe = [name for name in FOR_THE_PI if on_arm and not _has(system, name)]
    if not missing and not maybe:
        return
    if not system.try_run("apt-get", "update", "--quiet") and missing:
        raise SetupError(
            "the list of packages can't be fetched. Is there a network? Plug in a cable, or join a Wi-Fi (nmtui), then "
            "run this again"
        )
    maybe = [name for name in maybe if system.dry or system.staged or _offered(system, name)]
    if not missing and not maybe:
        return
    before = _installed(system)
    # Noted first: if the plug is pulled in the middle it is still known what to take away.
    record["packages"] = sorted({*record.get("packages", []), *missing, *maybe})
    record.setdefault("packages_before", sorted(before))
    _keep_record(system, record)
    system.run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *missing, *maybe)


def _has(system: System, name: str) -> bool:
    return "ok installed" in (system.ask("dpkg-query", "-W", "-f", "${Status}", name) or "")


def _offered(system: System, name: str) -> bool:
    said = system.ask("apt-cache", "policy", name) or ""
    found = re.search(r"Candidate: (\S+)", said)
    return found is not None and found[1] != "(none)"


def _installed(system: System) -> set[str]:
    said = system.ask("dpkg-query", "-W", "-f", "${Package} ${Status}\n") or ""
    return {line.split()[0] for line in said.splitlines() if line.endswith("ok installed")}


def _user(system: System, record: dict[str, Any]) -> None:
    """Have the user, in those of the groups that there are."""
    system.say("The user that it runs as")
    if not system.has_user(USER):
        record["user"] = True
        _keep_record(system, record)
        system.run(
            "useradd", "--system", "--user-group", "--home-dir", STATE, "--no-create-home", "--shell",
            "/usr/sbin/nologin", "--comment", "Companion", USER,
        )  # fmt: skip
    there = system.groups()
    absent = [name for name in GROUPS if name in there and USER not in there[name]]
    if absent:
        system.run("usermod", "--append", "--groups", ",".join(absent), USER)
    if not system.at(STATE).is_dir():
        system.run("install", "-d", "-o", USER, "-g", USER, "-m", "700", STATE)


def _commands(system: System) -> None:
    system.say("The commands companion and companion-update")
    system.write(COMMAND, COMPANION, 0o755)
    system.link(UPDATE, f"{versions.TOOLS}/companion-update")


def _boot_config(system: System, source: Path, name: str) -> bool:
    """Put Companion's lines into config.txt; tell whether they count only after a restart."""
    path = next((one for one in CONFIG_FILES if system.at(one).is_file()), None)
    if path is None:
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
    changed = system.write(path, after, system.at(path).stat().st_mode & 0o777)
    # The bus is there by config.txt, its device by this module.
    return system.write(MODULES, "i2c-dev\n") or changed


def _fragment(system: System, source: Path, name: str) -> bytes:
    """Give the lines for config.txt: those that fit the owner's wiring, else those of the wiring as it comes."""
    program = f"{versions.HOME}/{name}/bin/companion"
    said = system.ask("env", f"COMPANION_STATE={STATE}", program, "wiring", "--config") if not system.dry else None
    if said and "=" in said:
        return said.encode()
    if source.is_dir():
        return (source / "firmware_config" / "config.txt").read_bytes()
    return (versions.files_of(system, name).parent / "firmware_config" / "config.txt").read_bytes()


def _network(system: System, record: dict[str, Any], wishes: Wishes) -> None:
    """Set the computer's name, tell the network of the table, and have a hotspot, as far as wished."""
    system.say("The network")
    system.write(SERVICE_FILE, ANNOUNCED)
    if wishes.name and wishes.name != system.read("/etc/hostname").strip():
        record.setdefault("hostname", system.read("/etc/hostname"))
        record.setdefault("hosts", system.read("/etc/hosts"))
        _keep_record(system, record)
        _hostname(system, wishes.name)
    if wishes.country:
        if system.ask("which", "raspi-config"):
            system.try_run("raspi-config", "nonint", "do_wifi_country", wishes.country)
        else:
            system.warn("there is no raspi-config here: the Wi-Fi's country is not set")
    if wishes.hotspot:
        _hotspot(system, wishes.hotspot, wishes.password)


def _hostname(system: System, name: str) -> None:
    hosts = system.read("/etc/hosts")
    line = f"127.0.1.1\t{name}"
    if re.search(r"^127\.0\.1\.1\s", hosts, re.MULTILINE):
        hosts = re.sub(r"^127\.0\.1\.1\s.*$", line, hosts, flags=re.MULTILINE)
    else:
        hosts += ("" if hosts.endswith("\n") or not hosts else "\n") + line + "\n"
    system.write("/etc/hostname", name + "\n", _mode(system, "/etc/hostname"))
    system.write("/etc/hosts", hosts, _mode(system, "/etc/hosts"))
    if system.booted():
        system.run("hostnamectl", "set-hostname", name)
        system.try_run("systemctl", "try-restart", "avahi-daemon.service")


def _mode(system: System, path: str) -> int:
    """Give a file's mode, so that it is kept."""
    at = system.at(path)
    return at.stat().st_mode & 0o777 if at.exists() else 0o644


def _hotspot(system: System, name: str, password: str | None) -> None:
    """Have a Wi-Fi of the table's own, used where none that is known can be joined."""
    before = system.read(HOTSPOT)
    kept = re.search(r"^psk=(.+)$", before, re.MULTILINE)
    # Letters and digits that nobody takes for one another.
    made = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(10))
    password = password or (kept[1] if kept else made)
    system.write(
        HOTSPOT,
        "\n".join(
            (
                "# Companion's own Wi-Fi. A known Wi-Fi comes first: this one's priority is the lowest.",
                "[connection]", "id=companion-hotspot", "type=wifi", "autoconnect=true", "autoconnect-priority=-100",
                "", "[wifi]", "mode=ap", "band=bg", f"ssid={name}", "",
                "[wifi-security]", "key-mgmt=wpa-psk", "proto=rsn", "pairwise=ccmp", "group=ccmp", f"psk={password}",
                "",
                "# Phones get their address from here.",
                "[ipv4]", "method=shared", f"address1={ADDRESS}/24", "", "[ipv6]", "method=disabled", "",
            )
        ),
        0o600,
    )  # fmt: skip
    system.write(EVERY_NAME, f"# Companion's hotspot leads to the table and nowhere else.\naddress=/#/{ADDRESS}\n")
    kept_lines = [line for line in system.read(ENVIRONMENT).splitlines() if not line.startswith("COMPANION_WIFI")]
    kept_lines += [f'COMPANION_WIFI="{name}"', f'COMPANION_WIFI_PASSWORD="{password}"']
    system.write(ENVIRONMENT, "\n".join(kept_lines) + "\n", 0o640, USER)
    if system.booted():
        system.try_run("nmcli", "connection", "load", HOTSPOT)


def _settle(system: System, name: str, wishes: Wishes) -> None:
    if system.at(f"{STATE}/box.json").exists():
        return
    system.say("The settings that the first page asks for")
    if system.dry or system.staged:
        system.say("  $ companion settle --pin …")
        return
    command = ("settle", "--pin", wishes.pin or "", "--camera", wishes.camera or "find")
    program = f"{versions.HOME}/{name}/bin/companion"
    system.run("runuser", "-u", USER, "--", "env", f"COMPANION_STATE={STATE}", program, *command, quiet=True)


def _origin(system: System, source: Path) -> str | None:
    """Tell where a checkout came from, so that companion-update can fetch a tag; without anybody's password."""
    if source.is_file():
        return None
    said = (system.ask("git", "-c", "safe.directory=*", "-C", str(source), "remote", "get-url", "origin") or "").strip()
    return re.sub(r"(?<=://)[^/@]*@", "", said) or None


def _record(system: System) -> dict[str, Any]:
    try:
        found = json.loads(system.read(RECORD) or "{}")
    except ValueError:
        raise SetupError(f"{RECORD} is damaged: move it away, then run this again") from None
    return found if isinstance(found, dict) else {}


def _keep_record(system: System, record: dict[str, Any]) -> None:
    system.write(RECORD, json.dumps(record, indent=1, sort_keys=True) + "\n")


def _tell(system: System, wishes: Wishes, rebooting: bool) -> None:
    name = wishes.name or system.read("/etc/hostname").strip() or "this computer"
    if system.dry:
        system.say("Nothing was changed: this was only to tell.")
        return
    system.say(f"Done. Open http://{name}.local/ on a phone or computer in the same network.")
    found = re.search(r'COMPANION_WIFI="(.*)"\nCOMPANION_WIFI_PASSWORD="(.*)"', system.read(ENVIRONMENT))
    if found:
        system.say(
            f"Away from home its own Wi-Fi is called {found[1]}, password {found[2]}; there it is http://{ADDRESS}/"
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
    for path in (COMMAND, UPDATE, MODULES, SERVICE_FILE, ENVIRONMENT, versions.HOME):
        system.remove(path)
    _take_config_back(system)
    _take_network_back(system, record)
    if matches != "keep":
        system.remove(STATE)
        if (record.get("user") or system.dry) and system.has_user(USER):
            system.say("The user")
            system.run("userdel", USER)
    else:
        system.say(f"Matches and settings stay in {STATE}, and with them the user {USER}")
        system.remove(BACKUPS)
    _take_packages_away(system, record)
    system.remove(RECORD)
    system.remove_if_empty("/etc/companion")
    system.remove("/run/companion-install.lock")
    system.say(
        "Nothing was changed: this was only to tell." if system.dry else "Done: nothing of Companion is left here."
    )


def _take_config_back(system: System) -> None:
    for path in CONFIG_FILES:
        at = system.at(path)
        if at.is_file() and not at.is_symlink():
            try:
                system.write(path, configtxt.without(at.read_bytes()), at.stat().st_mode & 0o777)
            except configtxt.ConfigError as error:
                raise SetupError(str(error)) from None
        system.remove(path + KEPT_CONFIG)


def _take_network_back(system: System, record: dict[str, Any]) -> None:
    if system.at(HOTSPOT).exists():
        if system.booted():
            system.try_run("nmcli", "connection", "delete", "companion-hotspot")
        system.remove(HOTSPOT)
    system.remove(EVERY_NAME)
    if "hostname" in record:
        for path, body in (("/etc/hosts", record.get("hosts", "")), ("/etc/hostname", record["hostname"])):
            # Empty: there was none.
            system.write(path, body, _mode(system, path)) if body else system.remove(path)
        if system.booted() and record["hostname"].strip():
            system.run("hostnamectl", "set-hostname", record["hostname"].strip())


def _take_packages_away(system: System, record: dict[str, Any]) -> None:
    """Remove what was installed for Companion, and of what came along only that which nobody else needs by now."""
    packages = [name for name in record.get("packages", []) if _has(system, name)]
    if not packages:
        return
    system.say("Debian packages that were installed for it")
    said = system.ask("apt-get", "--simulate", *NO_RECOMMENDS, "purge", "--auto-remove", *packages) or ""
    before = set(record.get("packages_before", []))
    goes = re.findall(r"^Purg (\S+)", said, re.MULTILINE)
    # Never what was here before, nor what somebody has put on top since then.
    extra = [name for name in goes if name not in packages]
    ours = [name for name in extra if name not in before and not _by_hand(system, name)]
    if set(extra) - set(ours):
        packages = [name for name in packages if not _would_take(system, name, set(extra) - set(ours))]
    if packages:
        system.run("apt-get", "purge", "--yes", "--quiet", *packages, *ours)


def _by_hand(system: System, name: str) -> bool:
    return bool((system.ask("apt-mark", "showmanual", name) or "").strip())


def _would_take(system: System, name: str, others: set[str]) -> bool:
    """Tell whether removing a package takes others with it that are not ours."""
    said = system.ask("apt-get", "--simulate", "purge", name) or ""
    return bool(others & set(re.findall(r"^Purg (\S+)", said, re.MULTILINE)))
