"""Where a table tells what it plays, as its owner has settled it: a broker (MQTT 5), an address to call (webhook).

Nothing is told to anybody unless an address is named. What does not fit gets a sentence, by its field.
"""

from __future__ import annotations

import ssl
from typing import Literal
from urllib.parse import unquote, urlsplit

import msgspec

from companion.hall.messages import is_table
from companion.text import t

Naming = Literal["full", "initials", "colours"]
NAMINGS: tuple[Naming, ...] = ("full", "initials", "colours")
"""How people's names are told: as they are, their first letters, or only the colours of their seats."""
PORT, TLS_PORT = 1883, 8883
LONGEST_PASSWORD = 200
LONGEST_CA = 20_000
"""Letters of certificates: a chain of five is shorter."""
LONGEST_ADDRESS = 200


class Broker(msgspec.Struct, frozen=True, kw_only=True):
    """The broker of a hall, or of a house: `address` is "host:port"; empty, or not `on`: nothing is told.

    `name` is the table's user and a part of its topics; `ca` the certificates (PEM) beside the system's; `buttons` lets
    who may write there press the table's buttons.
    """

    address: str = ""
    on: bool = True
    tls: bool = False
    name: str = ""
    password: str = ""
    ca: str = ""
    names: str = "initials"
    home_assistant: bool = False
    buttons: bool = False

    @property
    def told(self) -> bool:
        """Whether anything is told."""
        return self.on and bool(self.address)

    @property
    def place(self) -> tuple[str, int]:
        """The broker's host and port."""
        host, _, port = self.address.rpartition(":")
        return host.strip("[]"), int(port)


def taken_apart(given: Broker) -> Broker:
    """Return settings with "mqtts://table-4:password@hall.local:8883" taken apart, which `hall add-table` prints."""
    address = given.address.strip()
    if "://" in address:
        parts = urlsplit(address)
        if parts.scheme not in ("mqtt", "mqtts"):
            return msgspec.structs.replace(given, address=address)
        try:
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return msgspec.structs.replace(given, address=address)
        tls = parts.scheme == "mqtts"
        host = f"[{host}]" if ":" in host else host
        return msgspec.structs.replace(
            given,
            address=f"{host}:{port or (TLS_PORT if tls else PORT)}" if host else address,
            tls=tls,
            name=unquote(parts.username or "") or given.name,
            password=unquote(parts.password or "") or given.password,
        )
    if address and ":" not in address.rpartition("]")[2]:
        address = f"{address}:{TLS_PORT if given.tls else PORT}"
    return msgspec.structs.replace(given, address=address)


def unfit(given: Broker, webhook: str = "") -> dict[str, str]:
    """Return for each value that does not fit, by its field, what would: in a sentence."""
    said = {}
    if given.address and not _is_address(given.address):
        said["address"] = t("a broker's address is a name or number, a colon and a port: hall.local:8883")
    if given.name and not is_table(given.name):
        said["broker_name"] = t(
            "the table's name at the broker has small letters a to z, digits and hyphens, 32 at most: table-4"
        )
    elif given.address and not given.name:
        said["broker_name"] = t("type the name that the table has at the broker: table-4")
    if len(given.password) > LONGEST_PASSWORD or "\0" in given.password:
        said["password"] = t("a password has at most {longest_password} letters", longest_password=LONGEST_PASSWORD)
    if wrong := _wrong_certificates(given.ca):
        said["ca"] = wrong
    if given.names not in NAMINGS:
        said["names"] = t("choose how people's names are told")
    if given.buttons and not given.home_assistant:
        said["buttons"] = t("buttons are told with what Home Assistant finds: switch that on, too")
    if webhook and not _is_webhook(webhook):
        said["webhook"] = t("such an address begins with http:// or https:// and has no spaces")
    return said


def _is_address(address: str) -> bool:
    host, colon, port = address.rpartition(":")
    if not colon or len(address) > LONGEST_ADDRESS or not (port.isascii() and port.isdigit() and len(port) < 6):
        return False
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    return (
        0 < int(port) < 65536
        and bool(bare)
        and all(one.isalnum() or one in ".-_:%" for one in bare)
        and (":" not in bare or bare != host)
    )


def _is_webhook(address: str) -> bool:
    if len(address) > LONGEST_ADDRESS or not address.isprintable() or " " in address:
        return False
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _wrong_certificates(ca: str) -> str:
    if not ca:
        return ""
    if len(ca) > LONGEST_CA:
        return t("that is more than a broker's certificates: paste only those of the authority")
    try:
        ssl.create_default_context(cadata=ca)
    except (ssl.SSLError, ValueError):
        return t("that is no certificate: paste the whole of it, from -----BEGIN CERTIFICATE----- on")
    return ""
