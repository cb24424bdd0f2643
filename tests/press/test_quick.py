"""What a family prints tonight: one file, on one side, with covers instead of backs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zxingcpp
from typer.testing import CliRunner

from companion import games
from companion.cli.main import cli
from companion.codes import BACK, parse
from companion.press.faces import shape_for
from companion.press.raster import render
from companion.press.sheets import PAPERS, card_sheets
from companion.referee.difference import Mismatch, Seen, mismatches
from companion.referee.violations import violation
from companion.referee.words import Words
from companion.rules.layout import Back, Layout, Loose, Pile, Slots, Strips
from companion.sim.robots import choose
from companion.sim.world import world_of
from tests.games.collection.test_table import view_of

GAMES = ["collection", "collectors", "collectible", "five-cards-collector", "karmic-collections"]


def printed(name: str, paper: str = "a4", first: int | None = None) -> list[str]:
    """Return the pieces on the sheets of the `first` pieces (all if None), once a sheet; "000" for each cover."""
    game = games.load(name)
    deck = msgspec.structs.replace(game.deck, cards=game.deck.cards[:first])
    mat = games.load_printed_mat(name, game.info.seats[1])
    found: list[str] = []
    covers = sum(place.face == "B" for place in shape_for(mat, None).codes)
    for sheet in card_sheets(deck, mat, PAPERS[paper], quick=True):
        codes = [parse(code.text) for code in zxingcpp.read_barcodes(render(sheet, 6.0).convert("L"))]
        pieces = [code.piece for code in codes if code is not None]
        found += [*{one for one in pieces if one != BACK}, *[BACK] * (pieces.count(BACK) // covers)]
    return found


def backs(layout: Layout) -> int:
    """Count the backs that a layout shows."""
    count = 0
    for area in layout.zones.values():
        match area:
            case Pile(top=top):
                count += isinstance(top, Back)
            case Slots(places=places) | Strips(places=places):
                count += sum(isinstance(place, Back) for place in places)
            case Loose(backs=few):
                count += few
    return count


def most_backs(name: str, seats: int, seed: int) -> int:
    """Let robots play a match by the rules alone, and return the most backs that lay there at once."""
    game, rng = games.load(name), random.Random(seed)
    world = world_of(game, seats, {}, rng)
    state: Any = game.setup(seats, dict(world.options), world.setup())
    world.deal(state)
    most = 0
    for _ in range(1500):
        most = max(most, backs(game.layout(state)))
        if not game.actors(state):
            break
        action = choose(game, state, world, rng)
        after = game.play(state, action, world.facts(state, action))
        world.apply(state, action, after)
        state = after
    return most


@pytest.mark.parametrize(("first", "covers"), [(10, 8), (12, 6 + 9)])
def test_every_piece_is_printed_once_and_the_last_sheet_is_filled_with_covers(first: int, covers: int) -> None:
    pieces = printed("five-cards-collector", first=first)
    deck = games.load_deck("five-cards-collector")
    assert sorted(one for one in pieces if one != BACK) == sorted(card.piece for card in deck.cards[:first])
    assert pieces.count(BACK) == covers


@pytest.mark.night
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", GAMES)
def test_there_are_covers_for_all_backs_that_lie_there_at_once(name: str, paper: str) -> None:
    low, high = games.load(name).info.seats
    covers = printed(name, paper).count(BACK)
    assert max(most_backs(name, seats, seed) for seats in range(low, high + 1) for seed in range(3)) <= covers


@pytest.mark.parametrize("name", GAMES)
def test_a_cover_that_is_left_where_a_deck_has_run_out_is_said_to_lie_there(name: str) -> None:
    game, rng = games.load(name), random.Random(3)
    world = world_of(game, 3, {}, rng)
    state: Any = game.setup(3, dict(world.options), world.setup())
    world.deal(state)
    out = msgspec.structs.replace(state, **({"deck": 0} if hasattr(state, "deck") else {"unseen": frozenset()}))
    covered = Layout({**game.layout(state).zones, "deck": Pile(Back())})
    seen = Seen(view_of(covered))
    words = Words(game.deck, games.load_mat(name, 3))
    told, mend = violation(game, out, seen, mismatches(game.layout(out), seen), words)
    assert Mismatch("deck", BACK, True) in mend
    assert "face-down card" in told.reason


@pytest.mark.parametrize(("name", "sheets"), [("hearts", 9), ("collectible", 24)])
def test_the_steps_are_told_in_the_terminal_and_stand_on_the_first_page(name: str, sheets: int, tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["press", name, "--quick", "--out", str(tmp_path)])
    assert told.exit_code == 0
    assert f"1. Print all {sheets} sheets on one side" in told.stdout
    assert ("Sheet 2 stands for a mat" in told.stdout) == (name == "hearts")
    pdf = (tmp_path / "quick.pdf").read_bytes()
    assert pdf.count(b"/Type /Page\n") == sheets
    assert b"/Duplex /Simplex" in pdf


@pytest.mark.parametrize("more", [["--no-codes"], ["--stickers"], ["--format", "png"]])
def test_what_does_not_go_with_a_quick_print_is_refused(more: list[str], tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["press", "hearts", "--quick", "--out", str(tmp_path), *more])
    assert told.exit_code == 2
    assert not list(tmp_path.iterdir())


def test_a_mat_alone_is_no_quick_print(tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["press", "tricks", "--quick", "--out", str(tmp_path)])
    assert told.exit_code == 2
