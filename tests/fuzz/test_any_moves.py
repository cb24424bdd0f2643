"""Anything that anybody may do, in any order, in every game: the match stays whole, and its records tell it again."""

from __future__ import annotations

import os
import random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from companion import games
from companion.referee import commands as say
from companion.referee.chain import broken
from companion.referee.history import History
from companion.referee.journal import Header
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.rules.kernel import AnyEdit, Facts
from companion.sim.world import world_of
from companion.text import plain
from tests.fuzz.values import plain_of, words_of
from tests.server.played import GAMES

SECONDS = float(os.environ.get("COMPANION_FUZZ", "0"))
EXAMPLES, STEPS = (3, 12) if SECONDS == 0 else (max(3, int(SECONDS / 20)), 40)
"""Of each game."""


class Anything(RuleBasedStateMachine):
    """People at a table in ledger mode who try everything; `name` is the game's."""

    name = GAMES[0]

    @initialize(seed=st.integers(0, 2**32), seats=st.integers(0, 10))
    def begin(self, seed: int, seats: int) -> None:
        self.game = games.load(self.name)
        low, high = self.game.info.seats
        seats = low + seats % (high - low + 1)
        self.rng = random.Random(seed)
        self.words = words_of(self.name)
        self.world = world_of(self.game, seats, {}, self.rng)
        self.header = Header(
            id="0190", at="", game=self.name, seats=seats, setup=msgspec.to_builtins(self.world.setup()), mode="ledger"
        )
        self.kept: list[Record] = []
        mat = games.load_mat(self.name, seats)
        self.referee = Referee(
            self.game, mat, self.header, sink=lambda record, candidates, zones: self.kept.append(record)
        )
        self.mat = mat

    def tell(self, command: say.Command) -> say.Reply:
        count = len(self.kept)
        before = self.referee.state
        reply = self.referee.command(command)
        if not reply.ok:
            assert reply.verdict is not None
            assert reply.verdict.reason
            assert reply.verdict.remedy
            assert len(self.kept) == count
            assert self.referee.state == before
        return reply

    @rule(choice=st.integers(0, 10**6), chance=st.integers(0, 2**32))
    def do_something_legal(self, choice: int, chance: int) -> None:
        rng = random.Random(chance)
        legal = list(self.game.legal(self.referee.state))
        if not legal:
            return
        template = legal[choice % len(legal)]
        filled = {
            field: rng.choice(sorted(value.pieces))
            for field in template.__struct_fields__
            if hasattr(value := getattr(template, field), "pieces") and hasattr(value, "owner")
        }
        action = msgspec.structs.replace(template, **filled)
        assert self.game.judge(self.referee.state, action).ok
        facts: list[Any] = []
        for need in self.game.needs(self.referee.state, action):
            pieces = rng.sample(sorted(need.pieces), min(need.count, len(need.pieces)))
            if need.kind == "rolled":
                told: Any = {"type": "rolled", "values": [rng.randint(1, need.sides) for _ in range(need.count)]}
            elif need.kind == "opened":
                told = {"type": "opened", "pieces": pieces}
            else:
                told = {"type": "shown", "piece": pieces[0]}
            facts.append({**told, "place": need.place})
        self.tell(say.Play(seat=action.seat, action=action, facts=msgspec.convert(facts, Facts)))

    @rule(chance=st.integers(0, 2**32))
    def do_anything(self, chance: int) -> None:
        rng = random.Random(chance)
        plain = plain_of(rng, self.game.action_type, self.words)
        try:
            action = msgspec.convert(plain, self.game.action_type)
            facts = msgspec.convert(plain_of(rng, Facts, self.words), Facts)
        except msgspec.ValidationError:
            return
        self.tell(say.Play(seat=action.seat, action=action, facts=facts))

    @rule(chance=st.integers(0, 2**32))
    def correct_anything(self, chance: int) -> None:
        plain = plain_of(random.Random(chance), tuple[AnyEdit, ...], self.words)
        try:
            edits = msgspec.convert(plain, tuple[AnyEdit, ...])
        except msgspec.ValidationError:
            return
        self.tell(say.Correct(edits=edits, by="host"))

    @rule(steps=st.integers(-1, 6))
    def undo(self, steps: int) -> None:
        self.tell(say.Undo(steps=steps, by="host"))

    @rule(steps=st.integers(-1, 6))
    def redo(self, steps: int) -> None:
        self.tell(say.Redo(steps=steps, by="host"))

    @rule(seat=st.integers(-1, 9))
    def be_done(self, seat: int) -> None:
        self.tell(say.Done(seat=seat))

    @rule(seat=st.integers(-1, 9), name=st.text(max_size=30))
    def be_called(self, seat: int, name: str) -> None:
        self.tell(say.Name(seat=seat, name=name))

    @rule(seat=st.integers(-1, 9), choice=st.sampled_from(("yes", "no", "0", "")), question=st.sampled_from(("1", "")))
    def answer(self, seat: int, choice: str, question: str) -> None:
        self.tell(say.Answer(question=question, choice=choice, seat=seat))

    @invariant()
    def nothing_is_lost(self) -> None:
        if hasattr(self, "referee"):
            assert self.game.audit(self.referee.state) == ()
            msgspec.json.encode(self.referee.snapshot, enc_hook=plain)

    def teardown(self) -> None:
        """What was written down tells the same match again."""
        if not hasattr(self, "referee"):
            return
        assert broken(self.header, self.kept) == 0
        history = History(
            self.game,
            self.game.setup(self.header.seats, {}, msgspec.convert(self.header.setup, self.game.setup_type)),
        )
        history.fold(self.kept)
        assert history.state == self.referee.state
        again = Referee(self.game, self.mat, self.header, self.kept)
        assert again.snapshot.record == self.referee.snapshot.record


@pytest.mark.parametrize("name", GAMES)
def test_whatever_people_do_the_match_stays_whole(name: str) -> None:
    machine = type("Anything", (Anything,), {"name": name})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
