"""Where data lies: the packaged folders, the checkout's, and an owner's edits over both; and where state is kept."""

from __future__ import annotations

import os
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def state_dir() -> Path:
    """Return the folder for journals, settings and recordings: `COMPANION_STATE`, else the user's state folder."""
    named = os.environ.get("COMPANION_STATE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "companion"


def owner_dir() -> Path:
    """Return the folder whose files lie over the packaged ones: `COMPANION_DATA`, else `data` in the state folder."""
    named = os.environ.get("COMPANION_DATA")
    return Path(named) if named else state_dir() / "data"


def data(name: str) -> Path:
    """Find a data file or folder such as "card_codes/five-cards-collector/deck.toml".

    An owner's own file comes first, then the packaged one, then the checkout's.

    Raises:
        FileNotFoundError: if it is in none of them.
    """
    tried = [root / name for root in _roots()]
    for path in tried:
        if path.exists():
            return path
    raise FileNotFoundError(f"{name} is not there; looked in " + ", ".join(str(path.parent) for path in tried))


def everywhere(folder: str, pattern: str) -> list[Path]:
    """List the files of a data folder that fit a pattern, an owner's own before the packaged ones."""
    return [path for root in _roots() for path in sorted((root / folder).glob(pattern))]


def _roots() -> list[Path]:
    return [owner_dir(), _HERE / "data", _HERE.parent]
