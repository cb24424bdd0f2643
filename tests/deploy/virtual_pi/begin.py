"""What the virtual Pi begins with: a picture of a table in the middle of a match, for its webcam, how many pieces show
on it, and a journal with a match that phones are in the middle of.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import cv2

from companion import games
from companion.bench.middle import play_to
from companion.bench.tables import fullest, in_sight, lay
from companion.referee.journal import Journal
from companion.table.factory import simulated_camera

GAME, SEATS = "five-cards-collector", 2


def main(folder: Path) -> None:
    """Write `table.png`, `pieces` and `state` into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    game, mat = games.load(GAME), games.load_mat(GAME, SEATS)
    dealt = fullest(game, mat, 200, tries=2)
    frame = simulated_camera(game, mat, lay(mat, dealt), size=(1920, 1080)).shoot()
    cv2.imwrite(str(folder / "table.png"), frame.gray)
    (folder / "pieces").write_text(f"{in_sight(mat, dealt)}\n")
    journal = Journal(folder / "state")
    play_to(GAME, SEATS, lambda game, state, records: records >= 20, seed=5, mode="ledger").keep(journal)
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
