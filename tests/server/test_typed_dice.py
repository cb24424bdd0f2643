"""Wherever the companion rolls, real dice may be rolled and typed in: in every game, also where a roll is a choice."""

from __future__ import annotations

import html
import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.kernel import Action
from companion.server.app import create_app, shut
from companion.sim.robots import choose
from companion.sim.world import world_of
from tests.server.desks import MatchDesk, _Furniture
from tests.server.phones import join, send

FORM = re.compile(r"data-facts='([^']*)'")


class RollDesk(MatchDesk):
    """A match kept by phones, played by robots until a seat may roll."""

    def __init__(self, folder: Path, name: str, seats: int) -> None:
        _Furniture.__init__(self)
        self.game = games.load(name)
        rng = random.Random(5)
        world = world_of(self.game, seats, {}, rng)
        setup = msgspec.to_builtins(world.setup())
        header = Header(id=new_id(), game=name, at=now(), seats=seats, mode="ledger", setup=setup, bid_seconds=0)
        state = self.game.setup(seats, {}, world.setup())
        world.deal(state)
        self._journal = Journal(folder)
        self._begin(header, self._journal)
        while not (rolls := self._rolls(state)):
            action = choose(self.game, state, world, rng)
            facts = world.facts(state, action)
            assert self.command(Play(seat=action.seat, action=action, facts=facts)).ok
            after = self.game.play(state, action, facts)
            world.apply(state, action, after)
            state = after
        self.state, self.rolls = state, rolls

    def _rolls(self, state: Any) -> list[Action]:
        """List the rolls that the first seat which may roll can choose from."""
        found = [
            one for one in self.game.legal(state) if [need.kind for need in self.game.needs(state, one)] == ["rolled"]
        ]
        return [one for one in found if one.seat == found[0].seat]

    @property
    def cards(self) -> Any:
        return self.game.deck.by_piece()

    def close(self) -> None:
        super().close()
        self._journal.close()


@pytest.mark.parametrize(("name", "seats"), [("collection", 4), ("karmic-collections", 3)])
def test_every_roll_may_be_rolled_or_typed(tmp_path: Path, name: str, seats: int) -> None:
    desk = RollDesk(tmp_path, name, seats)
    app = create_app(desk, close=desk.close)
    phone = app.test_client()
    seat = desk.rolls[-1].seat
    join(phone, seat, "Anna")
    page = phone.get(f"/seat/{seat}").get_data(as_text=True)
    forms = [json.loads(html.unescape(one)) for one in FORM.findall(page)]
    rolling = [{"do": "play", "seat": seat, "action": msgspec.to_builtins(action)} for action in desk.rolls]
    assert all(wish in forms for wish in rolling)
    assert page.count("Real dice") >= len(desk.rolls)
    (need,) = desk.game.needs(desk.state, desk.rolls[-1])
    wish = {**rolling[-1], "facts": [{"type": "rolled", "place": need.place, "values": [1] * need.count}]}
    assert send(phone, wish).status_code == 200
    assert desk.snapshot().dice.throws[-1].values == (1,) * need.count
    assert not desk.snapshot().dice.throws[-1].secret
    shut(app)


def test_a_ten_sided_die_that_shows_0_is_journaled_as_10_and_an_empty_field_is_no_die(tmp_path: Path) -> None:
    desk = RollDesk(tmp_path, "collection", 4)
    app = create_app(desk, close=desk.close)
    phone, action = app.test_client(), desk.rolls[0]
    join(phone, action.seat, "Anna")
    page = phone.get(f"/seat/{action.seat}").get_data(as_text=True)
    assert '<input type="number" min="0" max="10" required' in page
    (need,) = desk.game.needs(desk.state, action)
    fact = {"type": "rolled", "place": need.place, "values": [None] * need.count}
    wish = {"do": "play", "seat": action.seat, "action": msgspec.to_builtins(action), "facts": [fact]}
    answer = send(phone, wish)
    assert (answer.status_code, desk.snapshot().dice.throws) == (400, ())
    fact["values"] = [0] * need.count
    assert send(phone, wish).status_code == 200
    assert desk.snapshot().dice.throws[-1].values == (10,) * need.count
    shut(app)
