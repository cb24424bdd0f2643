"""What the virtual Pi begins with: a journal with a match that phones are in the middle of."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from companion.bench.development.middle import play_to
from companion.referee.journal import Journal


def main(folder: Path) -> None:
    """Write `state`, a state folder, into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    journal = Journal(folder / "state")
    play_to("five-cards-collector", 4, lambda game, state, records: records >= 20, seed=5, mode="ledger").keep(journal)
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
