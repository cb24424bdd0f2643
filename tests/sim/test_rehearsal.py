"""Robots play whole matches before the referee: what it understood equals what they did, record by record."""

import io

import pytest
from rich.console import Console

from companion import games
from companion.cli.simulate import Order, at_least, simulate
from companion.games.five_cards_collector import FiveCardsCollector
from companion.games.five_cards_collector.laying import Discard
from companion.rules.kernel import LEGAL, Hole
from companion.sim import rehearsal
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.table.stages import view_stages
from tests.nights import at_night

GAME = games.load("five-cards-collector")


def run(seats, seed, game=GAME, judge=None):
    report = Report()
    mat = games.load_mat("five-cards-collector", seats)
    rehearse(game, mat, seats, {}, seed, view_stages(mat), report, judge)
    return report


@pytest.mark.parametrize("seats", [2, *at_night(3, 4, 6, 8)])
def test_what_the_referee_understood_is_what_the_robots_did(seats):
    report = run(seats, "a")
    assert report.divergences == []
    assert sum(report.endings.values()) == 1
    assert report.moves > 50


@pytest.mark.night
def test_class_a_is_never_asked_and_b_at_most_once():
    report = run(4, "b")
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    for name, count in report.asked.items():
        if name != "finished":
            assert kinds[name] == "B", name
            assert count <= report.actions[name]
    assert all(kinds[name] in "BC" for name in report.tapped)


class Lenient(FiveCardsCollector):
    """A broken rule: any symbol may be discarded on any other."""

    def legal(self, state):
        symbols = frozenset(card.piece for card in self.deck.of_kind("symbol"))
        for template in super().legal(state):
            if isinstance(template, Discard):
                yield Discard(seat=template.seat, card=Hole(template.seat, symbols, "any symbol"))
            else:
                yield template

    def judge(self, state, action):
        verdict = super().judge(state, action)
        return LEGAL if isinstance(action, Discard) and verdict.rule == "4. Gameplay" else verdict

    def play(self, state, action, facts=()):
        if isinstance(action, Discard) and self.judge(state, action).ok:
            return action.play(self.components, state, facts)
        return super().play(state, action, facts)


def test_a_deliberately_broken_rule_makes_the_run_fail():
    report = run(3, "c", game=Lenient(GAME.deck), judge=GAME)
    assert len(report.divergences) == 1
    assert "was not understood" in report.divergences[0] or "violation" in report.divergences[0]


def test_a_broken_count_makes_the_run_fail():
    numbers = {**GAME.deck.numbers, "hand_limit": 8}
    import msgspec

    eight = FiveCardsCollector(msgspec.structs.replace(GAME.deck, numbers=numbers))
    assert run(3, "d", game=eight, judge=GAME).divergences


def test_the_run_says_what_happened_and_fails_with_a_divergence():
    said = io.StringIO()
    console = Console(file=said, width=200)
    assert simulate(GAME, Order(2), console=console)
    assert "Divergences: 0" in said.getvalue()
    assert "Class A" in said.getvalue()
    assert "Flawless matches: 1 of 1; with 95 % confidence at least 5 % of all" in said.getvalue()
    broken = Lenient(GAME.deck)
    assert not simulate(broken, Order(3), judge=GAME, console=console)
    assert "Divergences: 1" in said.getvalue()


@pytest.mark.parametrize(
    ("flawless", "matches", "bound"), [(60, 60, 0.951), (59, 60, 0.923), (0, 10, 0.0), (2, 2, 0.224)]
)
def test_the_share_of_flawless_matches_has_a_lower_bound(flawless, matches, bound):
    assert at_least(flawless, matches) == pytest.approx(bound, abs=0.001)


@pytest.mark.night
def test_a_match_through_rendered_frames_with_faults_is_understood(monkeypatch):
    # A whole one takes minutes: `companion simulate --through-camera --faults` plays as many as one likes.
    monkeypatch.setattr(rehearsal, "LONGEST", 40)
    said = io.StringIO()
    console = Console(file=said, width=200)
    good = simulate(GAME, Order(2, {"hand_limit": 7}, seed=4, through_camera=True, faults=True), console=console)
    assert "40 moves" in said.getvalue()
    assert good, said.getvalue()
