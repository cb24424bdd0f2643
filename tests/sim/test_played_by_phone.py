"""What a person's phone may play at the simulated table: cards of the own hand, and cards that lie there for all."""

import random
from types import SimpleNamespace

import pytest

from companion import games
from companion.games.collection.cards import Draw as CollectionDraw
from companion.games.collection.cards import Pass
from companion.games.collectors.actions import Buy
from companion.games.karmic_collections.card_actions import Draw
from companion.referee.commands import Play
from companion.rules.kernel import holes
from companion.server.documents import Extras, audience_of, document
from companion.sim.performance import Performance, UnfinishedError
from companion.sim.robots import choose
from companion.sim.world import hidden_in, world_of
from tests.games.collection.situations import GAME as COLLECTION
from tests.games.collection.situations import does, drew, play, situation
from tests.server.played import PlayedDesk


def table_where_somebody_may_buy():
    """Play until a seat may buy an item; return that as the demo's table sees it, and the seat."""
    game, rng = games.load("collectors"), random.Random(1)
    world = world_of(game, 3, {}, rng)
    state = game.setup(3, {}, world.setup())
    world.deal(state)
    while not (mine := [one.seat for one in game.legal(state) if isinstance(one, Buy) and holes(one)]):
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after
    cards, seat = game.deck.by_piece(), mine[0]
    lying = [SimpleNamespace(piece=piece, face="F") for piece in state.item_pool if piece]
    performance = SimpleNamespace(
        game=game,
        state=state,
        referee=SimpleNamespace(state=state),
        world=world,
        records_behind=lambda: 0,
        persons={seat},
        hand=lambda _: world.hands[seat],
        secret=frozenset(cards[piece].kind for piece in hidden_in(world)),
        _live=SimpleNamespace(shared=SimpleNamespace(pieces=lambda: lying)),
    )
    return performance, seat, [one.piece for one in lying]


def test_a_card_that_lies_in_the_pool_is_bought_from_the_phone():
    performance, seat, pool = table_where_somebody_may_buy()
    command = Play(seat=seat, action=Buy(seat=seat, card=pool[0]))
    assert Performance.checked(performance, command) == command


def test_a_card_that_neither_lies_there_nor_is_in_the_hand_is_refused():
    performance, seat, pool = table_where_somebody_may_buy()
    cards = performance.game.deck.by_piece()
    titles = {cards[piece].title for piece in (*pool, *performance.hand(seat))}
    other = next(card for card in cards.values() if card.kind == cards[pool[0]].kind and card.title not in titles)
    refused = Performance.checked(performance, Play(seat=seat, action=Buy(seat=seat, card=other.piece)))
    assert "simulated hand" in refused.verdict.reason


def test_a_card_that_has_to_be_drawn_is_drawn_for_the_person_by_one_tap():
    game, rng = games.load("karmic-collections"), random.Random(1)
    world = world_of(game, 4, {}, rng)
    state = game.setup(4, {}, world.setup())
    world.deal(state)
    while not (mine := [one for one in game.legal(state) if isinstance(one, Draw)]):
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after
    behind = [0]
    performance = SimpleNamespace(
        game=game,
        state=state,
        referee=SimpleNamespace(state=state),
        world=world,
        persons={mine[0].seat},
        hand=lambda _: (),
        secret=frozenset(),
        records_behind=lambda: behind[0],
        _live=SimpleNamespace(shared=SimpleNamespace(pieces=list)),
    )
    tapped = Play(seat=mine[0].seat, action=mine[0], after=7)
    drawn = Performance.checked(performance, tapped)
    assert [fact.piece for fact in drawn.facts] == [world.deck[-1]]
    assert drawn.after == 7
    # While the robots have not followed yet they don't know which card is the top one: the page tries again.
    behind[0] = 1
    with pytest.raises(UnfinishedError, match="wait a moment"):
        Performance.checked(performance, tapped)


@pytest.mark.parametrize("said", [False, True])
def test_a_card_is_drawn_right_after_the_player_before_who_has_not_said_that_the_turn_is_over(said):
    """Nobody had said then which card came up: the robots' state was that of the turn before."""
    state = play(situation(), (CollectionDraw(seat=1), drew(does("die +1"))))
    after = play(state, Pass(seat=1))
    top = does("die +2")
    performance = SimpleNamespace(
        game=COLLECTION,
        state=state,
        referee=SimpleNamespace(state=after if said else state),
        world=SimpleNamespace(facts=lambda state, action: (drew(top),) if state == after else ()),
        persons={2},
        records_behind=lambda: int(said),
    )
    tapped = Play(seat=2, action=CollectionDraw(seat=2))
    if said:
        with pytest.raises(UnfinishedError):
            Performance.checked(performance, tapped)
        performance.records_behind = lambda: 0
    assert Performance.checked(performance, tapped).facts == (drew(top),)


def test_the_page_has_one_button_for_a_card_to_be_drawn_at_a_simulated_table_and_a_form_at_a_real_one():
    desk = PlayedDesk("karmic-collections", 4)
    while not (mine := [one for one in desk.game.legal(desk.state) if isinstance(one, Draw)]):
        assert desk.step()
    seat = mine[0].seat
    hands = {seat: ()}

    def drawing(sandbox):
        desk.sandbox = sandbox
        doc = document(audience_of(seat), desk.snapshot(), Extras(hands=hands if sandbox else {}), desk)
        return next(one for one in doc["may"] if one["name"] == "draw")["choices"][0]["needs"]

    assert [need["kind"] for need in drawing(None)] == ["shown"]
    assert drawing(SimpleNamespace(hand=lambda _: ())) == []
