"""Robots play Karmic Collections before the referee: what it understood equals what they did, record by record."""

import pytest
from msgspec.structs import replace

from companion import games
from companion.games.karmic_collections import KarmicCollections
from companion.games.karmic_collections.choosing import Second
from companion.rules.kernel import LEGAL
from companion.rules.layout import Layout, Loose, OneOf, Pile
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.sim.stage import Lying, target_books
from companion.table.stages import view_stages
from tests.nights import at_night

GAME = games.load("karmic-collections")


def run(seats, seed, game=GAME, judge=None, restless=False):
    report = Report()
    mat = games.load_mat("karmic-collections", seats)
    rehearse(game, mat, seats, {}, seed, view_stages(mat, restless), report, judge)
    return report


@pytest.mark.parametrize("seats", [2, *at_night(4, 6)])
def test_what_the_referee_understood_is_what_the_robots_did(seats):
    report = run(seats, "a")
    assert report.divergences == []
    assert report.endings == {"goal": 1}
    assert report.moves > 40


@pytest.mark.night
def test_class_a_is_never_asked_and_b_at_most_once():
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    report = Report()
    for seed in "bc":
        report.add(run(3, seed))
    report.add(run(2, "d", restless=True))
    assert report.divergences == []
    for name, count in report.asked.items():
        if name != "finished":
            assert kinds[name] == "B", name
            assert count <= report.actions[name]
    assert all(kinds[name] in "BC" for name in report.tapped)
    assert report.missing(GAME) in ([], ["lot"], ["keep-open"])


class Greedy(KarmicCollections):
    """A broken rule: the second action may be of the same side."""

    def legal(self, state):
        found = list(super().legal(state))
        same = Second(seat=state.partner, space="focus-light")
        return [same] if state.phase == "second" and self.judge(state, same).ok else found

    def judge(self, state, action):
        verdict = super().judge(state, action)
        if isinstance(action, Second) and verdict.rule == "How to Play" and "focus-light" not in state.spaces:
            return LEGAL if state.players[state.turn - 1].chits > 1 else verdict
        return verdict

    def play(self, state, action, facts=()):
        if isinstance(action, Second) and self.judge(state, action).ok:
            return action.play(self.components, state, facts)
        return super().play(state, action, facts)


def test_a_deliberately_broken_rule_makes_the_run_fail():
    assert any(run(2, seed, game=Greedy(GAME.deck), judge=GAME).divergences for seed in "ab")


def test_a_broken_number_makes_the_run_fail():
    numbers = {**GAME.deck.numbers, "start_chits": 2}
    poor = KarmicCollections(replace(GAME.deck, numbers=numbers))
    assert run(2, "a", game=GAME, judge=poor).divergences


def test_robots_lay_one_of_several_pieces_and_cards_face_down_among_open_ones():
    layout = Layout(
        {
            "deal-fates": Pile(OneOf(frozenset({"P11", "P12"}))),
            "swap-fates": Pile(OneOf(frozenset({"P11", "P12"}))),
            "hand.2": Loose(frozenset({"101"}), backs=1),
        }
    )
    books = target_books(layout, {"hand.2": ("109",)}, {})
    assert books["hand.2"] == [Lying("101", "F"), Lying("109", "B")]
    assert {books[zone][0].piece for zone in ("deal-fates", "swap-fates")} == {"P11", "P12"}
    assert target_books(layout, {"hand.2": ("109",)}, books) == books
