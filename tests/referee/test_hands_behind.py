"""Hands that are behind the phones: what was announced is awaited without a word for a while, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion import games
from companion.codes import BACK
from companion.eye.view import Placement, TableView
from companion.games.collection.cards import Draw, PlayCard
from companion.referee.commands import Play, Undo
from companion.referee.journal import Header
from companion.referee.referee import Referee
from companion.referee.watcher import UNDER_WAY
from companion.rules.layout import Pile, Slots, Strips
from companion.sim.robots import choose
from companion.sim.stage import Books, target_books
from companion.sim.world import world_of
from tests.games.collection.situations import GAME as COLLECTION
from tests.games.collection.situations import does, drew, play
from tests.games.collection.test_table import table, view_of

GAMES = ["collection", "collectors", "collectible", "five-cards-collector", "karmic-collections"]


class Hands:
    """A match in which all is said on phones, and hands lay it later: as they have got on in each zone."""

    def __init__(self, name: str, seed: int) -> None:
        self.game, self.rng = games.load(name), random.Random(seed)
        self.world = world_of(self.game, 3, {}, self.rng)
        setup = msgspec.to_builtins(self.world.setup())
        header = Header(id="a", at="2026-01-01T00:00:00Z", game=name, seats=3, options=dict(self.world.options))
        self.referee = Referee(self.game, games.load_mat(name, 3), msgspec.structs.replace(header, setup=setup))
        self.state: Any = self.referee.state
        self.world.deal(self.state)
        self.books: Books = {}
        self.frame, self.records = 0, 0
        self.show(self.laid())

    def laid(self) -> dict[str, list[Placement]]:
        """Return how all lies when the hands have done what is said."""
        layout = self.game.layout(self.state)
        self.books = target_books(layout, self.world.piles(), self.books)
        found = {}
        for zone, lying in self.books.items():
            area = layout.zones.get(zone)
            several = isinstance(area, Slots | Strips) and len(area.places) > 1
            seen = lying[-1:] if isinstance(area, Pile) else lying
            found[zone] = [
                Placement(
                    BACK if one.face == "B" else one.piece,
                    frozenset(one.face),
                    zone,
                    i if several else None,
                    10.0 * i,
                    0.0,
                    0.0,
                    order=i,
                )
                for i, one in enumerate(seen)
            ]
        return found

    def show(self, lying: dict[str, list[Placement]]) -> None:
        self.frame += 1
        self.referee.on_view(
            TableView(self.frame, self.frame * 0.05, tuple(one for pile in lying.values() for one in pile))
        )

    def say(self) -> dict[str, list[Placement]]:
        """Tap the next action; return how the table lies after it."""
        action = choose(self.game, self.state, self.world, self.rng)
        facts = self.world.facts(self.state, action)
        assert self.referee.command(Play(seat=action.seat, action=action, facts=facts, by="phone")).ok
        for record in self.referee.records()[self.records :]:
            assert record.action is not None
            after = self.game.play(self.state, record.action, record.facts)
            self.world.apply(self.state, record.action, after)
            self.state, self.records = after, self.records + 1
        return self.laid()


@pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.night), pytest.param(3, marks=pytest.mark.night)]
)
@pytest.mark.parametrize("name", GAMES)
def test_what_phones_have_announced_is_no_alarm_while_hands_are_still_about_it(name: str, seed: int) -> None:
    hands = Hands(name, seed)
    lies = hands.laid()
    for _ in range(16):
        steps = [lies]
        while len(steps) < 4 and hands.game.actors(hands.state):
            steps.append(hands.say())
        zones = sorted(set().union(*steps))
        ways = [[zone for zone in zones if steps[n].get(zone) != steps[n - 1].get(zone)] for n in range(1, len(steps))]
        moves = [(zone, n) for n, changed in enumerate(ways, 1) for zone in changed]
        hands.rng.shuffle(moves)
        at = dict.fromkeys(zones, 0)
        for zone, _ in moves:
            at[zone] = min(n for place, n in [*moves, (zone, len(ways))] if place == zone and n > at[zone])
            hands.show({place: steps[n].get(place, []) for place, n in at.items()})
            assert hands.referee.snapshot.violation is None
            assert len(hands.referee.records()) == hands.records
        lies = steps[-1]
        hands.show(lies)
        assert not hands.referee.snapshot.owed


def drawn_and_played() -> tuple[Referee, Any, str, Any]:
    """Draw a blue card on the phone and play it at once: the referee, its match before, the card, and in between."""
    referee, state = table()
    card = does("die +1")
    between = play(state, (Draw(seat=1), drew(card)))
    for action, facts in ((Draw(seat=1), (drew(card),)), (PlayCard(seat=1, card=card), ())):
        assert referee.command(Play(seat=1, action=action, facts=facts, by="phone")).ok
    return referee, state, card, between


def at_time(view: TableView, time: float) -> TableView:
    return msgspec.structs.replace(view, frame=int(time * 10), time=time)


def test_a_blue_card_that_is_laid_where_it_was_drawn_to_after_it_was_played_is_awaited_for_six_seconds() -> None:
    referee, _, card, between = drawn_and_played()
    referee.on_view(at_time(view_of(COLLECTION.layout(between)), 2.0))
    assert referee.snapshot.violation is None
    assert [words.split()[0] for words in referee.snapshot.owed] == ["move"]
    referee.on_tick(1.0 + UNDER_WAY - 0.1)
    assert referee.snapshot.violation is None
    referee.on_tick(1.0 + UNDER_WAY)
    assert referee.snapshot.violation is not None
    assert card in {one.piece for one in referee.snapshot.pointers}


def test_any_other_difference_alarms_at_once_meanwhile() -> None:
    referee, state, card, between = drawn_and_played()
    other = does("die +2")
    for zone, piece in (("cards.2", card), ("cards.1", other)):
        stray = Placement(piece, frozenset("F"), zone, None, 0.0, 0.0, 0.0, order=99)
        view = at_time(view_of(COLLECTION.layout(state)), 2.0)
        referee.on_view(msgspec.structs.replace(view, placements=(*view.placements, stray)))
        assert referee.snapshot.violation is not None, zone
        referee.on_view(at_time(view_of(COLLECTION.layout(between)), 2.5))
        assert referee.snapshot.violation is None


def test_what_is_taken_back_is_not_awaited_any_more() -> None:
    referee, state, _, between = drawn_and_played()
    assert referee.command(Undo(steps=2, by="host")).ok
    referee.on_view(at_time(view_of(COLLECTION.layout(state)), 2.0))
    assert referee.snapshot.phase == "playing"
    referee.on_view(at_time(view_of(COLLECTION.layout(between)), 2.5))
    assert referee.snapshot.owed == ()
    assert referee.records()[-1].action == Draw(seat=1)
