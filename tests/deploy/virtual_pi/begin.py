"""What the virtual Pi begins with: a match that phones are in the middle of, and one that a webcam is to watch."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from benchmarks.middle import play_to
from companion.referee.journal import Journal
from tests.deploy.virtual_pi.shown import photograph


def main(folder: Path) -> None:
    """Write `state`, a state folder, into a folder; `watched` and `shown` are for the webcam."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    journal = Journal(folder / "state")
    play_to("five-cards-collector", 4, lambda game, state, records: records >= 20, seed=5, mode="ledger").keep(journal)
    journal.close()
    photograph(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
