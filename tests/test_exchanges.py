"""What is more than one file is there whole, as it was or as it is to be, whenever the power is cut."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion import games
from companion.appliance.backup import _copied, undo_cut_restore
from companion.eye.faces import storing
from companion.eye.faces.deck import TaughtDeck, TaughtFace
from companion.files import exchanged, held, written_whole
from companion.games import custom_board
from companion.server.maker_api import Draft
from companion.table.made_games import MadeGames
from tests.nights import every

STEPS = ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link")
"""The interpreter's audit events at which the power is cut."""
Work = Callable[[], object]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    return tmp_path


def cut(work: Work, state: Path, step: int) -> bool:
    """Do something in a process that is killed before a step; return whether it came that far."""
    child = os.fork()
    if child == 0:
        left = step

        def hook(event: str, about: tuple[object, ...]) -> None:
            nonlocal left
            left -= event in STEPS and (event != "open" or f"{about[0]}".startswith(f"{state}"))
            if left < 0:
                os._exit(9)

        sys.addaudithook(hook)
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def files(home: Path) -> dict[str, bytes]:
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def maker() -> MadeGames:
    return MadeGames(lambda: "", lambda: None, lambda name: None)


def draft(without: tuple[str, ...]) -> Draft:
    scopa = maker().draft("scopa")
    return Draft(title="Our game", mat=scopa.mat, without=without, score=scopa.score)


def deck(*seeds: int) -> TaughtDeck:
    made = TaughtDeck("ours", "Ours", 15.0, 15.0)
    for seed in seeds:
        view = np.random.default_rng(seed).integers(0, 255, (30, 30, 3), dtype=np.uint8)
        made = made.with_face(TaughtFace(f"card {seed}", (f"00{seed}",), (view,)))
    return made


def board(x: float) -> custom_board.Own:
    return custom_board.Own(zone=(custom_board.OwnZone(seats=2, name="deck", x=x, y=1, w=30, h=40),))


KINDS: dict[str, tuple[Work, Work]] = {
    "a game that is made": (lambda: None, lambda: maker().keep(draft(("8",)))),
    "a game that is changed": (lambda: maker().keep(draft(("8",))), lambda: maker().keep(draft(("8", "9")), over=True)),
    "a game that is deleted": (lambda: maker().keep(draft(("8",))), lambda: maker().remove("our-game")),
    "a deck that is taught": (lambda: storing.save(deck(1, 2, 3)), lambda: storing.save(deck(2, 3, 4))),
    "a deck that is deleted": (lambda: storing.save(deck(1, 2)), lambda: storing.remove("ours")),
    "zones": (lambda: custom_board.write("collectors", board(1)), lambda: custom_board.write("collectors", board(2))),
}


@pytest.mark.parametrize(("before", "work"), every(6, KINDS.values()), ids=KINDS)
def test_what_is_more_than_one_file_is_whole_after_a_cut_at_any_step(
    state: Path, tmp_path_factory: pytest.TempPathFactory, before: Work, work: Work
) -> None:
    before()
    was, kept = files(state), shutil.copytree(state, tmp_path_factory.mktemp("before") / "kept")
    ways: list[dict[str, bytes]] = []
    killed = True
    while killed:
        shutil.rmtree(state)
        shutil.copytree(kept, state)
        killed = cut(work, state, len(ways))
        assert not any(name.startswith(".") for name in (*games.from_files(), *storing.taught()))
        undo_cut_restore(state)
        ways.append(files(state))
        assert not list((state / "data").glob("*/.*"))
    assert ways[0] == was
    assert ways[-1] != was
    assert all(way in (was, ways[-1]) for way in ways)


def test_a_folder_that_can_not_be_exchanged_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a").write_text("before")
    plain = Path.rename

    def rename(path: Path, to: Path) -> Path:
        if path.name == ".one.new":
            raise OSError(5, "Input/output error")
        return plain(path, to)

    monkeypatch.setattr(Path, "rename", rename)
    with (
        pytest.raises(OSError, match="Input"),
        exchanged(tmp_path / "one") as fresh,
        written_whole(fresh / "a") as file,
    ):
        file.write(b"after")
    assert files(tmp_path) == {"one/a": b"before"}
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_backup_waits_until_a_folder_is_exchanged(state: Path, tmp_path: Path) -> None:
    storing.save(deck(1))
    copied = threading.Thread(target=_copied, args=(state, tmp_path / "copies"))
    with held(storing.decks_folder()):
        copied.start()
        copied.join(0.2)
        assert copied.is_alive()
    copied.join(10)
    assert not copied.is_alive()


def test_what_a_cut_restore_had_unpacked_goes_at_the_next_start(state: Path) -> None:
    (state / ".restoring-1" / "fresh").mkdir(parents=True)
    undo_cut_restore(state)
    assert not (state / ".restoring-1").exists()
