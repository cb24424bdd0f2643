"""The command line of `deploy/install`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from .setup import Wishes, install, uninstall
from .system import SetupError, System
from .update import alone, tell_failed

TOP = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="deploy/install", description="Make this computer a box: the table starts with it. Safe to run again."
    )
    parser.add_argument("--name", help="what the computer is called: table-3 is found as http://table-3.local/")
    parser.add_argument("--hotspot", metavar="NAME", help="a Wi-Fi of its own, where none that is known can be joined")
    parser.add_argument("--comitup", metavar="NAME", help="the same by Debian's comitup, whose page asks for a Wi-Fi")
    parser.add_argument("--hotspot-password", metavar="WORD", help="8 to 63 letters and digits; made up if left out")
    parser.add_argument("--wifi-country", metavar="XX", help="the country whose rules for Wi-Fi hold, such as SE")
    parser.add_argument("--port", type=int, metavar="N", help="the pages' port, if it shall not be 80")
    parser.add_argument("--pin", help="the host's PIN, 4 to 12 digits; without it the first page asks")
    parser.add_argument("--camera", help="with --pin: find (if left out), none, simulated, or as for companion serve")
    parser.add_argument("--source", type=Path, default=TOP, help="a checkout or a wheel; this checkout if left out")
    parser.add_argument("--origin", metavar="ADDRESS", help="where later versions come from; where this checkout does")
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="your public SSH key: later versions are signed with it"
    )
    parser.add_argument("--dry-run", action="store_true", help="tell everything that would be done, and do nothing")
    parser.add_argument("--uninstall", action="store_true", help="take everything away")
    fate = parser.add_mutually_exclusive_group()
    fate.add_argument("--keep-matches", dest="matches", action="store_const", const="keep", help="with --uninstall")
    fate.add_argument("--delete-matches", dest="matches", action="store_const", const="delete", help="with --uninstall")
    parser.add_argument(
        "--root", type=Path, default=Path("/"), help="write files below this folder, and only tell the commands"
    )
    asked = parser.parse_args(arguments)
    os.umask(0o022)
    system = System(asked.root.resolve(), asked.dry_run)
    try:
        wishes = Wishes(
            asked.name,
            asked.hotspot,
            asked.hotspot_password,
            asked.wifi_country,
            asked.camera,
            asked.pin,
            asked.port,
            asked.origin,
            asked.comitup,
            asked.key,
        )
        really = not (system.dry or system.staged) and system.is_root()
        with alone() if really else contextlib.nullcontext():
            if asked.uninstall:
                uninstall(system, asked.matches)
            else:
                install(system, asked.source.resolve(), wishes)
    except (SetupError, OSError) as error:
        tell_failed(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
