import fcntl
import os

import msgspec
import pytest

from companion.games import load_deck, load_mat
from companion.press.job import Order, press

GAME = "five-cards-collector"
PRINTED = {"a4": 28, "letter": 27}
"""How many cards of the deck are pressed on each paper: four sheets, of which the last has one card, and three."""


@pytest.fixture(scope="session")
def deck():
    return load_deck(GAME)


@pytest.fixture(scope="session")
def printed(deck):
    """The cards that are pressed on A4."""
    return deck.cards[: PRINTED["a4"]]


@pytest.fixture(scope="session")
def mat():
    return load_mat(GAME, 8)


@pytest.fixture(scope="session")
def pdfs(deck, mat, tmp_path_factory):
    """Folders of pressed PDFs by paper. The first of the tests' processes that wants them presses them for all."""
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folders = {paper: run / f"pressed-{paper}" for paper in PRINTED}
    with (run / "pressed").open("a+") as said:
        fcntl.flock(said, fcntl.LOCK_EX)
        said.seek(0)
        if not said.read():
            for paper, count in PRINTED.items():
                folders[paper].mkdir(exist_ok=True)
                some = msgspec.structs.replace(deck, cards=deck.cards[:count])
                press(GAME, some, mat, folders[paper], Order("pdf", paper, stickers=paper == "a4"))
            said.write("all of them\n")
    return folders
