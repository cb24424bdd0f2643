import msgspec
import pytest

from companion.games import load_deck, load_mat
from companion.press.job import Order, press

GAME = "five-cards-collector"
PRINTED = {"a4": None, "letter": 27}
"""How many cards of the deck are pressed on each paper; None: all."""


@pytest.fixture(scope="session")
def deck():
    return load_deck(GAME)


@pytest.fixture(scope="session")
def mat():
    return load_mat(GAME, 8)


@pytest.fixture(scope="session")
def pdfs(deck, mat, tmp_path_factory):
    """Folders of pressed PDFs by paper."""
    folders = {}
    for paper, count in PRINTED.items():
        folders[paper] = tmp_path_factory.mktemp(paper)
        some = msgspec.structs.replace(deck, cards=deck.cards[:count])
        press(GAME, some, mat, folders[paper], Order("pdf", paper, stickers=paper == "a4"))
    return folders
