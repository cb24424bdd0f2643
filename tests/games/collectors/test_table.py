"""Collectors as the table shows it: what should lie where, what is understood from it, and what may have been meant."""

from __future__ import annotations

import random
from typing import Any

from companion.eye.view import Placement, TableView
from companion.games.collectors.actions import Buy, GetSkill, RaiseValue
from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.paying import PayCoins, Put
from companion.games.collectors.quarter import Flow, Retrieve
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import State
from companion.referee.difference import Seen, mismatches
from companion.referee.matching import explain
from companion.rules.layout import Back, Exactly, Loose, OneOf, Pile
from companion.sim.stage import target_books
from tests.games.collectors.situations import (
    AWAY,
    COMPONENTS,
    GAME,
    card,
    judge,
    places,
    play,
    raises,
    situation,
    token,
)


def table(state: State, *moves: tuple[str, str], covered: str = "", order: int = 0) -> Seen:
    """Return the table of a state as seen after some pieces were moved: (piece, zone); "" takes one away."""
    gone = dict(moves)
    placements = []
    for zone, lying in target_books(GAME.layout(state), {}, {}).items():
        area = GAME.layout(state).zones[zone]
        backs = area.backs if isinstance(area, Loose) else isinstance(area, Pile) and isinstance(area.top, Back)
        placements += [Placement("000", frozenset("B"), zone, None, 0, 0, 0, 0)] * backs
        placements += [
            Placement(item.piece, frozenset("F"), zone, None, 0, 0, 0, 0) for item in lying if item.piece not in gone
        ]
    placements += [
        Placement(piece, frozenset("F"), zone, None, 0, 0, 0, n) for n, (piece, zone) in enumerate(moves, 1) if zone
    ]
    return Seen(TableView(1, 0.1, tuple(placements), frozenset({covered} - {""})))


def understood(state: State, seen: Seen) -> list[Any]:
    """Return the actions of the one complete explanation."""
    found = explain(GAME, state, seen).complete
    assert len(found) == 1, found
    return [step.action for step in found[0].steps]


def test_what_lies_as_it_should_surprises_nobody() -> None:
    state = situation(
        item_pool=("penguin", "", "movie"), market=("music", "figures"), items={1: ("penguin",)}, income={2: 3}
    )
    assert mismatches(GAME.layout(state), table(state)) == frozenset()


def test_a_bottle_on_a_space_is_the_choice_of_that_space() -> None:
    state = situation(item_pool=("penguin", "", ""))
    bottle = COMPONENTS.bottles[1][1]
    assert understood(state, table(state, (bottle, "buy-2"))) == [Place(seat=1, space="buy-2", bottle=bottle)]


def test_bottle_and_item_moved_in_one_go_are_two_actions() -> None:
    state = situation(item_pool=("penguin", "", ""))
    item, bottle = state.item_pool[0], token(state)
    assert understood(state, table(state, (bottle, "buy-1"), (item, "items.1"))) == [
        Place(seat=1, space="buy-1", bottle=bottle),
        Buy(seat=1, card=item),
    ]


def test_the_quarter_tile_is_under_way_until_two_cards_are_tucked() -> None:
    state = situation()
    found = explain(GAME, state, table(state, (token(state), "quarter")))
    assert found.complete == ()
    assert [story.steps[0].action for story in found.under_way] == [places(state, "quarter")]


def test_a_card_of_the_hand_is_a_skill_where_it_lies_among_the_skills() -> None:
    state = situation()
    state = play(state, places(state, "skill-1"))
    assert understood(state, table(state, (card("/work-card"), "skills.1"))) == [
        GetSkill(seat=1, card=card("/work-card"))
    ]


def test_the_winner_who_places_the_card_has_paid_with_coins() -> None:
    state = situation(auction_pool=("movie", "", "", ""))
    lot = state.auction_pool[0]
    state = play(state, places(state, "auction-3"), Offer(seat=1, card=lot), MakeBid(seat=1, amount=2), PassBid(seat=2))
    assert GAME.tacit(state) == PayCoins(seat=1)
    assert understood(state, table(state, (lot, "items.1"))) == [
        PayCoins(seat=1),
        Put(seat=1, role="item", card=lot),
    ]


def test_a_recycled_bottle_lies_on_its_space_until_the_board_is_cleared() -> None:
    state = situation()
    bottle = token(state)
    state = play(state, places(state, "recycle"))
    assert GAME.layout(state).zones["recycle"] == Loose(frozenset((bottle,)))
    state = play(situation(bottles={**AWAY, 2: ("income", "recycle", "", "", "")}, phase="flow"), Flow())
    assert GAME.layout(state).zones["recycle"] == Loose()


def test_without_codes_nobody_expects_bottles() -> None:
    zones = GAME.layout(situation(tracked=False)).zones
    assert not any(zone.startswith(("buy", "bottle")) for zone in zones)


def test_pools_flow_in_whatever_order_people_move_the_cards() -> None:
    state = situation(phase="flow", bottles=AWAY, skill_pool=("penguin", "movie", ""), item_pool=("music", "", ""))
    moves = dict(mover(state, play(state, Flow())))
    for seed in range(4):
        shuffled = list(moves.items())
        random.Random(seed).shuffle(shuffled)
        part = explain(GAME, state, table(state, *shuffled[:-1]))
        assert part.complete == ()
        assert [story.steps[0].action for story in part.under_way] == [Flow()]
        assert understood(state, table(state, *shuffled)) == [Flow()]


def mover(before: State, after: State) -> list[tuple[str, str]]:
    """Return the zone of every card of a layout."""

    def lying(state: State) -> dict[str, str]:
        books = target_books(GAME.layout(state), {}, {})
        return {item.piece: zone for zone, pile in books.items() for item in pile}

    was, now = lying(before), lying(after)
    return [(piece, zone) for piece, zone in now.items() if was.get(piece) != zone]


def test_two_cards_that_come_to_one_pile_of_the_market_together_may_lie_either_way() -> None:
    state = situation(
        phase="flow", bottles=AWAY, skill_pool=("penguin//music", "", ""), auction_pool=("movie//music", "", "", "")
    )
    after = play(state, Flow())
    pair = frozenset(after.market)
    assert GAME.layout(after).zones["market-music"] == Pile(OneOf(pair), pair)
    raised = play(situation(), places(situation(), "raise-3"), raises(card("penguin//music")))
    assert GAME.layout(raised).zones["market-music"] == Pile(Exactly(card("penguin//music")))


def test_all_bottles_come_back_in_one_go() -> None:
    state = situation(phase="retrieve", bottles={1: ("draw", "first", "buy-1", "", ""), 2: ("1", "2", "", "", "")})
    one, two, three = COMPONENTS.bottles[1][:3]
    seen = table(state, (one, "bottle-2.1"), (two, "bottle-1.1"), (three, "bottle-5.1"))
    assert understood(state, seen) == [
        Retrieve(seat=1, bottle=two, position=1),
        Retrieve(seat=1, bottle=one, position=2),
        Retrieve(seat=1, bottle=three, position=5),
    ]


def test_what_somebody_may_have_meant_is_judged_by_the_rule() -> None:
    state = situation(
        coins=(1, 5), skill_pool=("penguin", "movie", ""), item_pool=("music", "", ""), market=("//music",)
    )
    bottle = token(state)
    (meant,) = GAME.meant_by(state, bottle, "buy-5")
    assert judge(state, meant).rule == "Phase 1; K3"
    raising = play(state, places(state, "raise-3"))
    (meant,) = GAME.meant_by(raising, state.skill_pool[1], "market-penguin")
    assert isinstance(meant, RaiseValue)
    assert judge(raising, meant).rule == "Raise value; K12"
    buying = play(state, places(state, "buy-1"))
    (meant,) = GAME.meant_by(buying, state.item_pool[0], "items.1")
    assert judge(buying, meant).rule == "Buy item"


def test_a_drawing_space_lets_a_hand_reach_into_the_deck() -> None:
    state = situation()
    assert GAME.touches(state, places(state, "draw")) == {"deck"}
    assert GAME.touches(state, places(state, "recycle")) == frozenset()
