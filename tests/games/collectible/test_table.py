"""Collectible as it is seen: the layout of the table, what a card laid down means, views, words and corrections."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.codes import BACK
from companion.eye.view import Placement, TableView
from companion.games import load_mat
from companion.games.collectible.auctions import Bid, NoBid, Open
from companion.games.collectible.bots import CollectibleWorld
from companion.games.collectible.characters import PlayCharacter, Roll
from companion.games.collectible.collecting import Draw
from companion.games.collectible.revealing import Pass, Reveal, Show
from companion.games.collectible.sending import Discard, Send, TakeBack
from companion.games.collectible.setup import TurnUp
from companion.games.collectible.state import Closed, Setup, State, Under
from companion.games.collectible.two_players import Sell
from companion.referee.difference import Seen
from companion.referee.matching import explain
from companion.rules.kernel import UNKNOWN, Counts, Facts, Instead, Lies, May, RuleError, Shown, Turns, holes
from companion.rules.layout import Back, Empty, Exactly, Layout, Loose, Pile, Slots
from companion.sim.robots import choose
from companion.sim.stage import target_books
from tests.games.always import recalled
from tests.games.collectible.situations import (
    ART,
    COMPONENTS,
    GAME,
    character,
    coins,
    dice,
    judge,
    laid_open,
    play,
    showing,
    situation,
    sizes,
    turned,
)

A, B, C, D, E, F = ART[:6]
PATRON, CRITIC = character("coins"), character("look")


def may(state: State, seat: int) -> dict[str, May]:
    return {entry.name: entry for entry in GAME.view(state, seat).may}


# ----------------------------------------------------------------------------------------------------------- layout


def test_the_layout_says_what_lies_where() -> None:
    state = situation(2, auction={1: (A,), 2: (B, C)}, phantom=(D, E, F), traded=(ART[7],), discard=(ART[8], ART[9]))
    assert GAME.layout(state).zones == {
        "deck": Pile(Back()),
        "discard": Pile(Exactly(ART[9]), frozenset({ART[8]})),
        "block": Slots((Empty(),)),
        "traded": Pile(Exactly(ART[7])),
        "phantom": Loose(frozenset({D, E, F})),
        "auction.1": Loose(frozenset({A})),
        "stage.1": Pile(Empty()),
        "reveal.1": Loose(),
        "auction.2": Loose(frozenset({B, C})),
        "stage.2": Pile(Empty()),
        "reveal.2": Loose(),
    }
    assert "phantom" not in GAME.layout(situation(3)).zones
    assert GAME.layout(situation(unknown=(36, 36, 36))).zones["deck"] == Pile(Empty())


def test_every_zone_is_on_the_mat() -> None:
    for seats in range(2, 7):
        zones = {zone.name for zone in load_mat("collectible", seats).zones if zone.kind != "tray"}
        assert set(GAME.layout(situation(seats)).zones) == zones


def test_a_card_that_is_bid_for_lies_on_the_block() -> None:
    state = play(situation(auction={2: (A, B)}), Open(seat=1, card=A))
    zones = GAME.layout(state).zones
    assert (zones["block"], zones["auction.2"]) == (Slots((Exactly(A),)), Loose(frozenset({B})))


def test_a_character_lies_before_its_player_until_the_dice_are_rolled() -> None:
    state = play(situation(), PlayCharacter(seat=3, card=PATRON))
    assert GAME.layout(state).zones["stage.3"] == Pile(Exactly(PATRON))
    assert GAME.layout(play(state, (Roll(seat=3), dice(1, 1)))).zones["stage.3"] == Pile(Empty())


def test_a_second_character_of_a_seat_lies_on_its_first() -> None:
    first, second = character("coins"), character("rebate")
    state = situation(4, known={1: (CRITIC,), 3: (first, second)})
    state = play(state, *(PlayCharacter(seat=seat, card=card) for seat, card in ((1, CRITIC), (3, first), (3, second))))
    assert GAME.layout(state).zones["stage.3"] == Pile(Exactly(second), frozenset({first}))


def test_a_character_that_is_discarded_or_traded_lies_on_that_pile_until_the_dice_are_rolled() -> None:
    state = play(situation(unknown=(6, 4, 4), step="send", discard=(A,)), Discard(seat=1, card=PATRON))
    assert GAME.layout(state).zones["discard"] == Pile(Exactly(PATRON), frozenset({A}))
    state = play(situation(2, phantom_coins=1), Sell(seat=1, card=PATRON))
    assert GAME.layout(state).zones["traded"] == Pile(Exactly(PATRON))
    assert GAME.layout(play(state, (Roll(seat=1), dice(1, 1)))).zones["traded"] == Pile(Empty())


def test_galleries_laid_open_lie_there_to_the_end() -> None:
    hats = showing("Hat", 5)
    state = play(situation(unknown=(5, 1, 1), step="reveal"), (Reveal(seat=1), laid_open(1, *hats)))
    assert GAME.layout(state).zones["reveal.1"] == Loose(frozenset(hats))


def test_a_card_that_is_turned_up_and_not_read_yet_shows_an_unknown_face() -> None:
    state = play(GAME.setup(2, {}, Setup()), (TurnUp(player=0), Shown(place="phantom", piece=UNKNOWN)))
    assert GAME.layout(state).zones["phantom"] == Loose(unknown=1)


# --------------------------------------------------------------------------------------------------------- matching


def seen(layout: Layout, more: dict[str, tuple[str, ...]]) -> Seen:
    """Return what a layout expects as seen, with more cards in some zones."""
    placements: list[Placement] = []
    for zone, lying in target_books(layout, {}, {}).items():
        shown = [item.piece for item in (lying[-1:] if isinstance(layout.zones[zone], Pile) else lying)]
        backs = isinstance(area := layout.zones[zone], Pile) and isinstance(area.top, Back)
        for piece in [*shown, *([BACK] if backs else []), *more.get(zone, ())]:
            face = "B" if piece == BACK else "F"
            slot = 0 if zone == "block" else None
            placements.append(Placement(piece, frozenset(face), zone, slot, 0.0, 0.0, 0.0, order=len(placements)))
    return Seen(TableView(1, 0.0, tuple(placements), frozenset(), frozenset(), True))


def understood(state: State, then: State, **more: tuple[str, ...]) -> list[Any]:
    """Return the only complete explanation of what a later state, and more cards, look like."""
    (found,) = explain(GAME, state, seen(GAME.layout(then), more)).complete
    return [step.action for step in found.steps]


def test_whole_matches_are_understood_from_the_table_wherever_it_shows() -> None:
    """Class A: an action that changes the layout and needs nothing said has one explanation, itself."""
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    understood_, rng = set(), random.Random(5)
    for seats in (2, 3, 4, 2):
        world = CollectibleWorld(GAME, seats, {"auction": 1}, rng)
        state = GAME.setup(seats, {"auction": 1}, world.setup())
        world.deal(state)
        while GAME.actors(state):
            action: Any = choose(GAME, state, world, rng)
            facts: Facts = world.facts(state, action)
            after = GAME.play(state, action, facts)
            tag = str(action.__struct_config__.tag)
            if kinds[tag] == "A":
                more = {fact.place: fact.pieces for fact in facts if fact.place.startswith("reveal")}  # type: ignore[union-attr]
                more = {
                    place: () if GAME.layout(after).zones[place] != Loose() else some for place, some in more.items()
                }
                assert understood(state, after, **more) == [action]
                understood_.add(tag)
            world.apply(state, action, after)
            state = after
    assert understood_ >= {"turn-up", "open", "send", "discard", "character", "reveal", "show"}


def test_a_silent_turn_is_inferred_from_the_next_seats_action() -> None:
    state = situation()
    then = play(state, Draw(seat=1), Pass(seat=1), Draw(seat=2), Send(seat=2, card=A))
    assert understood(state, then) == [Draw(seat=1), Pass(seat=1), Draw(seat=2), Send(seat=2, card=A)]


def test_a_card_that_is_gone_from_the_block_is_not_sold_by_that() -> None:
    state = play(situation(auction={2: (A,)}), Open(seat=1, card=A), Bid(seat=1, amount=3))
    then = play(state, NoBid(seat=3))
    assert explain(GAME, state, seen(GAME.layout(then), {})).complete == ()


def test_a_card_that_is_gone_from_an_auction_is_not_bought_by_that() -> None:
    state = situation(2, auction={2: (A,)})
    then = play(state, Open(seat=1, card=A), Bid(seat=1, amount=1))
    found = understood(state, then)
    assert found == [Draw(seat=1), Pass(seat=1), Draw(seat=2), TakeBack(seat=2, card=A)], "its owner may have taken it"


@pytest.mark.parametrize(
    ("zone", "action"),
    [
        ("block", Open(seat=1, card=A)),
        ("stage.2", PlayCharacter(seat=2, card=A)),
        ("discard", Discard(seat=1, card=A)),
        ("traded", Sell(seat=1, card=A)),
        ("auction.2", Send(seat=2, card=A)),
        ("phantom", TurnUp(player=0)),
        ("reveal.1", Reveal(seat=1)),
    ],
)
def test_what_somebody_may_have_meant_by_laying_a_card(zone: str, action: Any) -> None:
    assert list(GAME.meant_by(situation(2), A, zone)) == [action]


def test_a_draw_reaches_for_the_talent_pile() -> None:
    assert GAME.touches(situation(), Draw(seat=1)) == {"deck"}
    assert GAME.touches(situation(), PlayCharacter(seat=1, card=character("draw"))) == {"deck"}
    assert GAME.touches(situation(), PlayCharacter(seat=1, card=PATRON)) == frozenset()


def test_what_leaves_no_trace_is_a_draw_then_a_pass_and_in_an_auction_a_pass() -> None:
    state = situation(auction={2: (A,)})
    assert GAME.tacit(state) == Draw(seat=1)
    assert GAME.tacit(play(state, Draw(seat=1))) == Pass(seat=1)
    assert GAME.tacit(situation(unknown=(6, 4, 4), step="send")) is None
    bidding = play(state, Open(seat=1, card=A))
    assert GAME.tacit(bidding) is None
    assert GAME.tacit(play(bidding, Bid(seat=1, amount=1))) == NoBid(seat=3)


# ----------------------------------------------------------------------------------------------------- views, words


def test_the_view_says_what_may_be_done_and_why_not() -> None:
    state = situation(auction={2: (A,)}, coins=(5, 20, 20), closed=())
    assert may(state, 1)["draw"].verdict.ok
    assert may(state, 1)["bid"].verdict.reason == "no auction is going on"
    assert "sell" not in may(state, 1)
    state = play(state, Open(seat=1, card=A))
    assert may(state, 1)["bid"].words == "Bid: 1 to 5"
    assert GAME.view(state, 0).headline == f"Waiting for @1 to open: {COMPONENTS.name(A)}."


def test_the_view_shows_closed_cards_coins_and_what_was_rolled_under() -> None:
    state = situation(auction={2: (A,)}, closed=(Closed(A, 3),), under=(Under(PATRON, 4),))
    view = GAME.view(state, 1)
    shelves = {shelf.title: shelf for shelf in view.shelves}
    assert shelves["The auction of @2"].words == f"closed: {COMPONENTS.name(A)} until the turn of @3"
    assert shelves["Rolled under the talent pile"].words == 'the character "Patron" under 4 cards'
    assert {"your coins": 20, "coins of @2": 20, "talent pile": 95}.items() <= {
        part.name: part.value for part in view.numbers
    }.items()


def test_sentences_say_what_happens() -> None:
    state = situation(auction={2: (A,)})
    bidding = play(state, Open(seat=1, card=A), Bid(seat=1, amount=2))
    rolling = play(situation(), PlayCharacter(seat=1, card=PATRON))
    plays = PlayCharacter(seat=2, card=PATRON)
    said = [
        (state, Open(seat=1, card=A), (), f"@1 opens a bid for {COMPONENTS.name(A)} of the auction of @2."),
        (bidding, NoBid(seat=3), (), f"@3 passes; @1 gets {COMPONENTS.name(A)} for 2 coins."),
        (rolling, Roll(seat=1), (dice(3, 5),), '@1 rolls 8: the character "Patron" goes under the top 8 cards.'),
        (state, plays, (), '@2 plays the character "Patron", who takes coins from the supply.'),
        (state, Draw(seat=1), (), "@1 draws a card."),
    ]
    for before, action, facts, words in said:
        assert GAME.describe(before, action, facts) == words


# -------------------------------------------------------------------------------------------------------- mending


def test_c8_the_host_corrects_cards_coins_and_the_turn() -> None:
    state = situation(auction={2: (A,)})
    after = GAME.correct(state, (Lies(A, "auction.3"), Lies(B, "auction.1"), Counts("coins.1", 12), Turns(2)))
    assert [sorted(player.auction) for player in after.players] == [[B], [], [A]]
    assert coins(after) == [12, 20, 20]
    assert sizes(after) == [3, 4, 4], "what comes to light before a player was in that gallery"
    assert after.turn == 2


def test_c8_an_auction_whose_card_is_somewhere_else_has_not_been() -> None:
    state = play(situation(auction={2: (A,)}), Open(seat=1, card=A), Bid(seat=1, amount=3))
    after = GAME.correct(state, (Lies(A, "auction.2"),))
    assert (after.phase, after.block, coins(after)) == ("collect", None, [20, 20, 20])


def test_c8_a_gap_of_the_phantom_auction_that_is_bid_for_is_no_gap_yet() -> None:
    """Else it would have four cards when the host ends the match and the card goes back (A9)."""
    state = situation(2)
    card, *_ = sorted(state.phantom)
    state = play(state, Open(seat=1, card=card), Bid(seat=1, amount=3))
    with pytest.raises(RuleError, match="The phantom auction has 4 cards; it has 3"):
        GAME.correct(state, (Lies(B, "phantom"),))
    assert GAME.audit(GAME.end(state)) == ()


def test_c8_what_would_lose_or_double_a_card_is_refused() -> None:
    for edit in (
        Lies("ZZZ", "discard"),
        Lies(PATRON, "discard"),
        Lies(A, "stage.1"),
        Lies(A, "auction.7"),
        Counts("hand.1", 200),
        Counts("coins.1", -1),
        Counts("auction.1", 2),
        Turns(9),
    ):
        with pytest.raises(RuleError) as caught:
            GAME.correct(situation(), (edit,))
        assert caught.value.verdict.rule == "C8"


def test_c8_of_two_copies_the_one_that_lies_there_is_taken() -> None:
    twin = character("coins", 2)
    state = play(situation(), PlayCharacter(seat=1, card=PATRON))
    assert GAME.correct(state, (Instead(PATRON, twin),)).stage[0].piece == twin
    with pytest.raises(RuleError, match="not two copies"):
        GAME.correct(state, (Instead(PATRON, CRITIC),))


def test_c8_the_end_is_checked_after_a_correction() -> None:
    state = play(situation(2, unknown=(5, 2), step="reveal"), (Reveal(seat=1), laid_open(1, *showing("Hat", 5))))
    state = play(state, (Show(player=2), laid_open(2, ART[-6], ART[-7])))
    dear = sorted(COMPONENTS.showing["Star"] & state.unseen, key=lambda piece: -COMPONENTS.value[piece])[:4]
    after = GAME.correct(state, tuple(Lies(piece, "reveal.2") for piece in dear))
    assert state.outcome is not None
    assert after.outcome is not None
    assert (state.outcome.winners, after.outcome.winners) == ((1,), (2,))


def test_an_empty_talent_pile_tells_how_many_cards_the_galleries_hold() -> None:
    state = situation(unknown=(30, 30, 30), deck=2)
    ((edit,),) = GAME.anchors(state)
    after = GAME.correct(state, (edit,))
    assert after.deck == 0
    assert sum(sizes(after)) == 92


def test_c4_a_card_once_seen_stays_known() -> None:
    state = situation(step="send")
    undone = ((Send(seat=1, card=A), ()), (TakeBack(seat=1, card=A), ()), (Pass(seat=1), ()))
    assert recalled(GAME, state, undone).players[0].gallery.known == {A}
    drawn = ((Draw(seat=1), ()), (Send(seat=1, card=B), ()))
    assert recalled(GAME, situation(), drawn).players[0].gallery.known == frozenset(), "it may be the card drawn"


def test_c8_the_host_ends_the_match_without_a_winner() -> None:
    state = GAME.end(play(situation(auction={2: (A,)}), Open(seat=1, card=A)))
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ending) == ((), "ended-by-host")
    assert state.players[1].auction == {A}
    assert not judge(state, Draw(seat=1)).ok
    assert GAME.audit(GAME.end(play(situation(), PlayCharacter(seat=1, card=PATRON)))) == ()


def test_what_was_turned_up_stays_where_it_came_up() -> None:
    state = GAME.setup(2, {}, Setup())
    (need,) = GAME.needs(state, TurnUp(player=0))
    assert need.stays
    three = play(state, *((TurnUp(player=0), turned("phantom", piece)) for piece in (A, B, C)))
    assert len(understood(state, three)) == 3, "in whatever order they came, it is one explanation"


def test_what_a_way_asks_for_is_not_said_twice() -> None:
    state = situation()
    assert may(state, 1)["character"].words == "Play a character"
    assert "a character" in {hole.words for action in may(state, 1)["character"].actions for _, hole in holes(action)}
