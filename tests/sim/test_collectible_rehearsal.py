"""Robots play Collectible before the referee: what it understood equals what they did, record by record."""

import random

import msgspec
import pytest

from companion import games
from companion.games.collectible import Collectible
from companion.games.collectible.collecting import Draw
from companion.games.collectible.revealing import Pass
from companion.games.collectible.sending import Send
from companion.referee.commands import Play
from companion.referee.journal import Header
from companion.referee.referee import Referee
from companion.rules.kernel import LEGAL
from companion.sim.rehearsal import Rehearsal, rehearse
from companion.sim.report import Report
from companion.sim.stage import HAND, Move, ViewStage
from companion.sim.world import world_of
from companion.table.stages import view_stages
from tests.nights import at_night

GAME = games.load("collectible")


def run(seats, seed, options=None, game=GAME, judge=None):
    report = Report()
    mat = games.load_mat("collectible", seats)
    rehearse(game, mat, seats, options or {}, seed, view_stages(mat), report, judge)
    return report


@pytest.mark.parametrize(("seats", "options"), [(3, {"auction": 1}), *at_night((2, {}), (4, {}), (6, {"rounds": 2}))])
def test_what_the_referee_understood_is_what_the_robots_did(seats, options):
    report = run(seats, "e", options)
    assert report.divergences == []
    assert sum(report.endings.values()) == 1
    assert report.moves > 20


@pytest.mark.night
def test_class_a_is_never_asked_and_b_at_most_once():
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    report = Report()
    for seed in "abc":
        report.add(run(3, seed))
    assert report.divergences == []
    for name, count in report.asked.items():
        if name != "finished":
            assert kinds[name] == "B", name
            assert count <= report.actions[name]
    assert all(kinds[name] in "BC" for name in report.tapped)


def test_what_a_seat_has_laid_it_did_before_what_it_says():
    rng = random.Random("send")
    mat, world = games.load_mat("collectible", 3), world_of(GAME, 3, {}, rng)
    setup = msgspec.to_builtins(world.setup())
    referee = Referee(GAME, mat, Header(id="m", at="", game="collectible", seats=3, options={}, setup=setup))
    stage = ViewStage(mat, referee.on_view, rng)
    rehearsal = Rehearsal(GAME, world, referee, stage, rng, Report())
    rehearsal._lay()
    seat = world.first
    assert referee.command(Play(seat=seat, action=Draw(seat=seat))).ok
    card = next(piece for piece in world.hands[seat] if piece not in GAME.components.characters)
    stage.apply(Move(card, HAND, f"auction.{seat}", "F"))
    stage._show(False, frozenset())
    assert referee.command(Play(seat=seat, action=Pass(seat=seat))).ok
    done = [type(record.action) for record in referee.records()]
    assert done == [Draw, Send, Pass]


class Greedy(Collectible):
    """A broken rule: the turn may be passed on with too many cards."""

    def legal(self, state):
        found = super().legal(state)
        silent = Pass(seat=state.turn)
        return [*found, silent] if state.phase == "send" and silent not in found else found

    def judge(self, state, action):
        verdict = super().judge(state, action)
        return LEGAL if isinstance(action, Pass) and verdict.rule == "A5" else verdict

    def play(self, state, action, facts=()):
        if isinstance(action, Pass) and self.judge(state, action).ok:
            return self.settle(action.play(self.components, state, facts))
        return super().play(state, action, facts)


def test_a_deliberately_broken_rule_makes_the_run_fail():
    assert any(run(3, seed, game=Greedy(GAME.deck), judge=GAME).divergences for seed in "abcdef")


def test_a_broken_number_makes_the_run_fail():
    numbers = {**GAME.deck.numbers, "gallery_limit": 6}
    six = Collectible(msgspec.structs.replace(GAME.deck, numbers=numbers))
    assert run(3, "d", game=six, judge=GAME).divergences
