"""The game of docs/adding-a-game.md, added through the entry point as another package would."""

from __future__ import annotations

import importlib.metadata
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.codes import parse
from companion.eye.view import Placement, TableView
from companion.press import look, playing_cards
from companion.referee.difference import Seen, mismatches
from companion.referee.lines import Session
from companion.referee.matching import explain
from companion.referee.violations import violation
from companion.referee.words import Words
from companion.rules.kernel import Hole, Lies, RuleError, Turns, fill, fits, holes
from companion.rules.layout import Layout, Loose
from companion.sim import world
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.table.factory import make_eye
from companion.table.stages import view_stages
from tests.example_game import Sevens, views
from tests.example_game.rules import Lay, Pass, Setup
from tests.nights import at_night

POINTS = [
    importlib.metadata.EntryPoint("sevens", "tests.example_game:GAME", "companion.games"),
    importlib.metadata.EntryPoint("sevens", "tests.example_game.bots:BOTS", "companion.bots"),
    importlib.metadata.EntryPoint("sevens", "companion.press.playing_cards:ART", "companion.art"),
]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package, as far as its entry points go."""
    real = importlib.metadata.entry_points

    def entry_points(**wanted: Any) -> Any:
        return (*real(**wanted), *(point for point in POINTS if point.group == wanted.get("group")))

    monkeypatch.setattr(games.loader, "entry_points", entry_points)
    monkeypatch.setattr(world, "entry_points", entry_points)
    monkeypatch.setattr(look, "entry_points", entry_points)
    world.bots_of.cache_clear()
    look.art_of.cache_clear()


@pytest.fixture
def game() -> Sevens:
    found = games.load("sevens")
    assert isinstance(found, Sevens)
    return found


def seen(layout: Layout) -> Seen:
    """Look at a table on which everything lies as a layout says."""
    pieces = [
        (piece, zone) for zone, area in layout.zones.items() for piece in sorted(getattr(area, "pieces", frozenset()))
    ]
    assert all(isinstance(area, Loose) for area in layout.zones.values())
    view = TableView(
        1, 0.0, tuple(Placement(p, frozenset("F"), zone, None, 0.0, 0.0, 0.0, n) for n, (p, zone) in enumerate(pieces))
    )
    return Seen(view)


def grounds(game: Sevens, state: Any) -> list[Any]:
    """List every ground action that somebody could do, for all that is known."""
    found = []
    for template in game.legal(state):
        gaps = holes(template)
        found += [fill(template, card=piece) for piece in sorted(gaps[0][1].pieces)] if gaps else [template]
    return found


def playout(game: Sevens, seats: int, seed: int) -> list[tuple[Any, Any]]:
    """Play at random; give each state with the action done in it."""
    rng, state, past = random.Random(seed), game.setup(seats, {}, Setup(first=1 + seed % seats)), []
    while game.actors(state):
        action = rng.choice(grounds(game, state))
        past.append((state, action))
        state = game.play(state, action)
    past.append((state, None))
    return past


def test_a_game_of_another_package_is_found_with_the_deck_and_mat_it_brings(game: Sevens) -> None:
    assert "sevens" in games.packages()
    assert len(game.deck.cards) == 52
    assert {zone.name for zone in games.load_mat("sevens", 3).zones} == set(game.components.suits)
    assert all(parse(payload) for payload in games.code_book(game.deck, games.load_mat("sevens", 2)).payloads())
    with pytest.raises(games.GameError, match="no seating for 5 players"):
        games.load_mat("sevens", 5)


def test_its_cards_look_as_its_entry_point_says(game: Sevens) -> None:
    assert look.art_of(game.info.name) is playing_cards.ART


def test_the_owners_files_lie_over_those_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "card_codes" / "sevens"
    folder.mkdir(parents=True)
    there = Path(__file__).parent / "example_game"
    (folder / "deck.toml").write_text((there / "deck.toml").read_text().replace("Ace of clubs", "Clubs' ace"))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert games.load("sevens").deck.by_piece()["001"].title == "Clubs' ace"
    assert games.load_mat("sevens", 2).title == "Sevens"
    shutil.rmtree(folder)
    assert games.load("sevens").deck.by_piece()["001"].title == "Ace of clubs"


def test_a_package_without_a_deck_is_told_where_one_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = importlib.metadata.EntryPoint("bare", "tests.sim:GAME", "companion.games")
    gone = importlib.metadata.EntryPoint("gone", "no_such_package:GAME", "companion.games")
    monkeypatch.setattr(games.loader, "entry_points", lambda **_: (bare, gone))
    with pytest.raises(games.GameError, match=r"card_codes/bare/deck\.toml is not there"):
        games.load("bare")
    with pytest.raises(games.GameError, match=r"card_codes/gone/deck\.toml is not there"):
        games.load("gone")


def test_an_entry_point_may_name_a_module_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "Sevens", Sevens, raising=False)
    point = importlib.metadata.EntryPoint("sevens", "tests.example_game.views:Sevens", "companion.games")
    monkeypatch.setattr(games.loader, "entry_points", lambda **_: (point,))
    assert games.load("sevens").info.title == games.load_mat("sevens", 2).title == "Sevens"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_state_of_random_matches_adds_up(game: Sevens, seats: int) -> None:
    for seed in range(20):
        past = playout(game, seats, seed)
        assert all(game.audit(state) == () for state, _ in past)
        outcome = past[-1][0].outcome
        assert outcome.ending == "empty-hand"
        assert game.standing(past[-1][0]).seats[outcome.winners[0] - 1].words == "0 cards in hand"


@pytest.mark.parametrize("seats", [2, 4])
def test_what_fills_a_template_is_legal_and_nothing_else_is(game: Sevens, seats: int) -> None:
    for state, _ in playout(game, seats, 5):
        templates = list(game.legal(state))
        for seat in range(1, seats + 1):
            for action in (Pass(seat=seat), *(Lay(seat=seat, card=piece) for piece in game.components.place)):
                verdict = game.judge(state, action)
                assert verdict.ok == any(fits(template, action) for template in templates)
                assert verdict.ok or (verdict.rule and verdict.reason and verdict.remedy)


def test_every_card_laid_is_understood_from_the_table_alone(game: Sevens) -> None:
    kinds = {kind.type: kind.evidence for kind in game.info.kinds}
    laid = 0
    for state, action in playout(game, 3, 2):
        if action is None or kinds[action.__struct_config__.tag] != "A":
            continue
        after = game.play(state, action)
        found = explain(game, state, seen(game.layout(after)))
        assert [[step.action for step in one.steps] for one in found.complete] == [[action]]
        assert found.complete[0].state == after
        assert not mismatches(game.layout(after), seen(game.layout(after)))
        laid += 1
    assert laid > 30


def test_a_silent_pass_is_assumed_only_where_the_next_card_can_be_nobody_elses(game: Sevens) -> None:
    state = game.setup(3, {}, Setup())
    for action in (Lay(seat=1, card="007"), Pass(seat=2), Lay(seat=3, card="006"), Lay(seat=1, card="005")):
        state = game.play(state, action)
    for card, steps in (("008", [Pass(seat=2), Lay(seat=3, card="008")]), ("004", [Lay(seat=2, card="004")])):
        lying = seen(Layout({"clubs": Loose(state.laid | {card})}))
        assert [[step.action for step in one.steps] for one in explain(game, state, lying).complete] == [steps]


def test_a_card_that_does_not_fit_is_a_violation_with_the_card_that_would(game: Sevens) -> None:
    state = game.play(game.setup(2, {}, Setup()), Lay(seat=1, card="007"))
    lying = seen(Layout({"clubs": Loose(frozenset(("007", "00A")))}))
    surprises = mismatches(game.layout(state), lying)
    told, _ = violation(game, state, lying, surprises, Words(game.deck, games.load_mat("sevens", 2)))
    assert (told.kind, told.rule) == ("illegal", "Play")
    assert told.reason == "the ten of clubs does not fit yet"
    assert told.remedy == "Take it back; the six of clubs or the eight of clubs would do."
    assert told.moves == ("take the ten of clubs away from the row of clubs",)


def test_who_passed_with_a_card_that_fitted_is_found_out(game: Sevens) -> None:
    state = game.play(game.setup(2, {}, Setup()), Pass(seat=1))
    assert game.judge(game.play(state, Lay(seat=2, card="007")), Lay(seat=1, card="027")).kind == "inconsistent"
    verdict = game.judge(state, Pass(seat=2))
    assert verdict.kind == "illegal"
    assert "nobody else can hold" in verdict.reason


def test_a_correction_keeps_every_card_in_one_place(game: Sevens) -> None:
    state = game.play(game.setup(2, {}, Setup()), Pass(seat=1))
    there = game.correct(state, (Turns(1), Lies("007", "clubs")))
    assert (there.hands, there.turn, there.laid) == ((25, 26), 1, {"007"})
    assert game.correct(there, (Lies("007", "hand.2"),)).hands == (25, 27)
    with pytest.raises(RuleError, match="a row that does not reach it"):
        game.correct(state, (Lies("005", "clubs"),))
    assert game.end(state).outcome.winners == ()


def test_a_phone_is_shown_what_may_be_done_and_why_not(game: Sevens) -> None:
    state = game.setup(2, {}, Setup())
    mine, other = game.view(state, 1), game.view(state, 2)
    assert isinstance(mine.may[0].actions[0].card, Hole)
    assert [one.verdict.ok for one in mine.may] == [True, True]
    assert [one.verdict.reason for one in other.may] == ["it is the turn of @1", "it is the turn of @1"]


@pytest.mark.parametrize("seats", [*at_night(2, 3), 4])
def test_robots_play_it_before_the_referee(game: Sevens, seats: int) -> None:
    mat, report = games.load_mat("sevens", seats), Report()
    for seed in "abc":
        rehearse(game, mat, seats, {}, seed, view_stages(mat), report)
    assert report.divergences == []
    assert report.endings == {"empty-hand": 3}
    assert report.missing(game) == []


@pytest.mark.night
def test_it_can_be_refereed_by_lines_and_watched_by_the_eye(game: Sevens) -> None:
    mat = games.load_mat("sevens", 2)
    session = Session(game, mat, 2, {})
    assert b'"ok":true' in session.answer('{"setup": {}}')
    assert b'"ok":true' in session.answer('{"seat": 1, "action": {"type": "lay", "card": "007"}}')
    assert b"does not fit yet" in session.answer('{"seat": 2, "action": {"type": "lay", "card": "00A"}}')
    assert make_eye(game, mat).mat == mat
