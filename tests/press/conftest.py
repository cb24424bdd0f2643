import pytest

from companion.games import load_deck, load_mat
from companion.press.job import Order, press

GAME = "five-cards-collector"


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
    for paper in ("a4", "letter"):
        folders[paper] = tmp_path_factory.mktemp(paper)
        press(GAME, deck, mat, folders[paper], Order("pdf", paper, stickers=paper == "a4"))
    return folders
