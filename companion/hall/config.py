"""The hall's settings: `hall.toml`, which says where database and broker are."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from companion.files import state_dir


class Broker(msgspec.Struct, frozen=True, kw_only=True):
    """Where the broker is, and the hall's user there; `ca` is its authority's file ("": no TLS, on one machine)."""

    address: str = "127.0.0.1"
    port: int = 1883
    name: str = ""
    password: str = ""
    ca: str = ""


class HallConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of it. `folder` is where the broker's passwords and rights lie, which `add-table` writes."""

    database: str = "dbname=companion"
    broker: Broker = Broker()
    folder: str = ""
    public: str = ""
    """The broker's address as tables reach it, with its port: "hall.lan:8883"."""


class ConfigError(Exception):
    """The settings can't be used; the message says why and what to do."""


def default_path() -> Path:
    """Return where the settings lie, if nothing else is said."""
    system = Path("/etc/companion-hall/hall.toml")
    return system if system.exists() else state_dir() / "hall.toml"


def load(path: Path | None = None) -> HallConfig:
    """Read the settings; raise ConfigError if there are none, or they can't be read."""
    where = path or default_path()
    try:
        return msgspec.convert(tomllib.loads(where.read_text(encoding="utf-8")), HallConfig)
    except FileNotFoundError:
        raise ConfigError(
            f"there are no settings of a hall at {where}; deploy/hall makes them, --config names another file"
        ) from None
    except (OSError, UnicodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"the hall's settings {where} can't be read: {error}") from None
