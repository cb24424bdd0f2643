"""Collectible: character cards, when they are played and what the six do (A7). One test a rule, named by it."""

from __future__ import annotations

import pytest

from companion.games.collectible.auctions import Bid, NoBid, Open
from companion.games.collectible.characters import Close, Look, PlayCharacter, Roll, Swap
from companion.games.collectible.collecting import Draw
from companion.games.collectible.revealing import Pass
from companion.games.collectible.sending import Done, Send, TakeBack
from companion.games.collectible.state import Closed, Laid, State, Under
from companion.rules.kernel import Hole
from tests.games.collectible.situations import (
    ART,
    COMPONENTS,
    GAME,
    character,
    coins,
    dice,
    judge,
    play,
    refused,
    situation,
    sizes,
)

A, B, C, D, E, F = ART[:6]
PATRON, DEALER, FORGER = character("coins"), character("draw"), character("swap")
CRITIC, LAWYER, AUDITOR = character("look"), character("close"), character("rebate")


def plays(card: str, seat: int = 1) -> PlayCharacter:
    return PlayCharacter(seat=seat, card=card)


def test_effect_first_then_the_roll_under() -> None:
    state = play(situation(known={1: (PATRON,)}), plays(PATRON))
    assert coins(state) == [24, 20, 20]
    assert state.stage == (Laid(1, PATRON),)
    assert "not done yet" in refused(state, Draw(seat=1))
    state = play(state, (Roll(seat=1), dice(2, 6)))
    assert state.under == (Under(PATRON, 8),)
    assert (state.phase, state.stage) == ("collect", ())


@pytest.mark.parametrize("phase", ["collect", "send", "reveal"])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_after_any_step_before_the_next_one_even_during_someone_elses_turn(phase: str, seat: int) -> None:
    state = situation(step=phase)
    state = play(state, plays(PATRON, seat), (Roll(seat=seat), dice(1, 1)))
    assert (state.phase, state.turn) == (phase, 1)


def test_after_someone_puts_cards_up_for_auction_and_has_said_done() -> None:
    state = play(situation(step="send"), Send(seat=1, card=A), Done(seat=1))
    state = play(state, plays(PATRON, 2), (Roll(seat=2), dice(1, 1)))
    assert state.phase == "reveal"
    assert judge(state, Pass(seat=1)).ok
    assert "last step" in refused(state, Send(seat=1, card=B))


def test_not_ones_own_while_one_still_sends_and_has_too_many_cards() -> None:
    state = play(situation(unknown=(4, 4, 4), auction={1: (A, B, C, D, E)}, step="send"), Send(seat=1, card=F))
    assert "still sending cards to auction, with 6 cards in the auction" in refused(state, plays(PATRON, 1))


def test_not_during_an_auction_while_players_are_bidding() -> None:
    state = play(situation(auction={2: (A,)}), Open(seat=1, card=A))
    for seat in (1, 2, 3):
        assert "not played during an auction" in refused(state, plays(PATRON, seat))
    state = play(state, Bid(seat=1, amount=1), NoBid(seat=3))
    assert judge(state, plays(PATRON, 3)).ok


def test_a_character_in_an_auction_can_not_be_played_from_there() -> None:
    state = situation(auction={1: (PATRON,)})
    assert refused(state, plays(PATRON)) == (
        'A7: the character "Patron" can\'t be played from an auction: it lies in the auction of @1'
    )


def test_a_character_can_be_kept_bid_for_and_put_up_for_auction() -> None:
    state = play(situation(known={2: ()}, auction={2: (PATRON,)}), Open(seat=1, card=PATRON), Bid(seat=1, amount=1))
    state = play(state, NoBid(seat=3))
    assert PATRON in state.players[0].gallery.known
    assert judge(state, Send(seat=1, card=PATRON)).ok
    assert judge(state, plays(PATRON)).ok


def test_an_art_card_is_not_a_character() -> None:
    assert "is an art card" in refused(situation(known={1: (A,)}), plays(A))


def test_draw_two_cards_goes_to_the_gallery_even_above_five() -> None:
    state = play(situation(unknown=(5, 4, 4)), plays(DEALER))
    assert sizes(state) == [6, 4, 4]


def test_a10_draw_two_draws_one_where_there_is_one() -> None:
    state = play(situation(unknown=(36, 36, 35), deck=1), plays(DEALER))
    assert sizes(state)[0] == 36
    assert state.deck == 0


def test_a10_draw_two_goes_on_with_the_discards_where_the_talent_pile_ends() -> None:
    state = play(situation(deck=1), plays(DEALER))
    assert (sizes(state)[0], state.discard) == (5, ())


def test_a10_draw_two_is_illegal_where_there_is_nothing_to_draw() -> None:
    state = situation(unknown=(36, 36, 36), deck=0)
    assert refused(state, plays(DEALER)) == "A10: the talent pile and the discard pile are empty"
    (hole,) = (action.card for action in GAME.legal(state) if isinstance(action, PlayCharacter) and action.seat == 1)
    assert isinstance(hole, Hole)
    assert DEALER not in hole.pieces


def test_swap_with_a_seat_of_your_choice_and_nobody_knows_which_cards() -> None:
    state = play(situation(known={1: (FORGER, A), 2: (B,)}), plays(FORGER))
    assert state.phase == "choose"
    state = play(state, Swap(seat=1, partner=2))
    assert sizes(state) == [5, 5, 4]
    assert {A, B} <= state.unseen
    assert (state.players[0].gallery.known, state.players[1].gallery.known) == (frozenset(), frozenset())


def test_the_only_card_of_a_gallery_is_the_one_that_is_swapped() -> None:
    state = situation(2, unknown=(0, 3), known={1: (FORGER, A), 2: (B,)})
    state = play(state, plays(FORGER))
    assert state.phase == "roll", "with one other player there is nothing to choose"
    assert state.players[1].gallery.known == {A}
    assert sizes(state) == [1, 4]


def test_swap_needs_another_card_in_each_gallery() -> None:
    alone = situation(unknown=(0, 4, 4), known={1: (FORGER,)})
    assert "another card in the gallery of @1" in refused(alone, plays(FORGER))
    empty = situation(unknown=(4, 0, 0), known={1: (FORGER,)})
    assert not judge(empty, plays(FORGER)).ok
    state = play(situation(unknown=(4, 0, 4, 4), seats=4, known={1: (FORGER,)}), plays(FORGER))
    assert "the gallery of @2 is empty" in refused(state, Swap(seat=1, partner=2))
    assert "another player" in refused(state, Swap(seat=1, partner=1))


def test_look_at_a_gallery_leaves_everything_as_it_is() -> None:
    state = play(situation(known={1: (CRITIC,)}), plays(CRITIC))
    after = play(state, Look(seat=1, partner=3))
    assert after.players == state.players
    assert after.unseen == state.unseen
    assert not judge(situation(unknown=(4, 0, 0), known={1: (CRITIC,)}), plays(CRITIC)).ok


def test_close_any_auctions_card_until_the_start_of_your_next_turn() -> None:
    state = situation(auction={1: (A,), 2: (B,), 3: (C,)}, known={3: (LAWYER,)})
    state = play(state, plays(LAWYER, 3), Close(seat=3, card=B), (Roll(seat=3), dice(1, 1)))
    assert refused(state, Open(seat=1, card=B)) == f"A7: {COMPONENTS.name(B)} is closed until the next turn of @3"
    assert judge(state, Open(seat=1, card=C)).ok
    state = play(state, Draw(seat=1), Pass(seat=1), Draw(seat=2), Pass(seat=2))
    assert state.closed == ()


def test_closing_ends_when_the_card_leaves() -> None:
    state = situation(auction={1: (A,)}, step="send", closed=(Closed(A, 3),))
    state = play(state, TakeBack(seat=1, card=A))
    assert state.closed == ()
    state = play(state, Send(seat=1, card=A))
    assert state.closed == ()


def test_the_phantoms_cards_can_be_closed_too() -> None:
    state = situation(2, known={2: (LAWYER,)}, phantom=(A, B, C))
    state = play(state, plays(LAWYER, 2), Close(seat=2, card=A))
    assert "is closed" in refused(play(state, (Roll(seat=2), dice(1, 1))), Open(seat=1, card=A))


def test_close_is_illegal_without_a_card_to_close() -> None:
    assert "no card in any auction" in refused(situation(known={1: (LAWYER,)}), plays(LAWYER))
    assert not judge(situation(known={1: (LAWYER,)}, auction={2: (A,)}, closed=(Closed(A, 3),)), plays(LAWYER)).ok


def rebate(price: int, cards: tuple[str, ...]) -> list[int]:
    state = situation(auction={2: (A, B)}, known={1: cards})
    for card in cards:
        state = play(state, plays(card), (Roll(seat=1), dice(1, 1)))
    state = play(state, Open(seat=1, card=A), Bid(seat=1, amount=price), NoBid(seat=3))
    assert state.players[0].rebates == 0
    return coins(state)


def test_of_the_coins_paid_in_the_next_auction_you_win_the_supply_returns_up_to_five() -> None:
    assert rebate(9, (AUDITOR,)) == [16, 29, 20]
    assert rebate(3, (AUDITOR,)) == [20, 23, 20]


def test_two_rebates_add_up() -> None:
    assert rebate(12, (AUDITOR, character("rebate", 2))) == [18, 32, 20]


def test_the_rebate_is_no_credit_while_bidding_and_waits_for_the_next_win() -> None:
    state = play(situation(auction={2: (A,)}, coins=(4, 20, 20)), plays(AUDITOR), (Roll(seat=1), dice(1, 1)))
    state = play(state, Open(seat=1, card=A))
    assert "at most 4" in refused(state, Bid(seat=1, amount=5))
    state = play(state, Bid(seat=1, amount=1), Bid(seat=3, amount=2), NoBid(seat=1))
    assert state.players[0].rebates == 1


def test_several_declared_before_one_resolves_go_in_turn_order_from_the_active_seat() -> None:
    state = situation(4, turn=2, auction={2: (A,), 3: (B,)}, known={1: (LAWYER,), 3: (CRITIC,), 4: (PATRON,)})
    state = play(state, plays(LAWYER, 1), plays(CRITIC, 3))
    assert [card.seat for card in state.stage] == [3, 1], "seat 3 comes before seat 1, as it is the turn of seat 2"
    state = play(state, plays(PATRON, 4))
    assert [card.seat for card in state.stage] == [3, 4, 1]
    assert coins(state) == [20, 20, 20, 20], "the patron waits for the critic"
    state = play(state, Look(seat=3, partner=1), (Roll(seat=3), dice(1, 1)))
    assert coins(state) == [20, 20, 20, 24]
    state = play(state, (Roll(seat=4), dice(1, 1)))
    assert state.phase == "choose"
    assert "whose" not in refused(state, Look(seat=1, partner=2))
    state = play(state, Close(seat=1, card=B), (Roll(seat=1), dice(1, 1)))
    assert state.phase == "collect"


def test_one_declared_earlier_in_turn_order_resolves_first() -> None:
    state = situation(4, turn=2, auction={2: (A,), 3: (B,)}, known={1: (LAWYER,), 3: (PATRON,)})
    state = play(state, plays(LAWYER, 1), plays(PATRON, 3))
    assert coins(state)[2] == 24
    state = play(state, (Roll(seat=3), dice(1, 1)))
    assert state.phase == "choose"


def test_a_player_chooses_the_order_of_their_own_by_playing_them_in_it() -> None:
    state = play(situation(known={1: (CRITIC, PATRON)}), plays(CRITIC))
    assert "is not done yet" in refused(state, plays(PATRON))
    state = play(state, Look(seat=1, partner=2), (Roll(seat=1), dice(1, 1)), plays(PATRON))
    assert coins(state)[0] == 24


def test_an_effect_that_has_lost_its_target_does_nothing() -> None:
    """Seat 3 declares a swap, and then plays the other card of its gallery before the swap resolves."""
    state = situation(4, unknown=(4, 4, 0, 4), known={1: (CRITIC,), 3: (FORGER, PATRON)})
    state = play(state, plays(CRITIC), plays(FORGER, 3), plays(PATRON, 3))
    state = play(state, Look(seat=1, partner=2), (Roll(seat=1), dice(1, 1)))
    assert (state.phase, state.stage[0].piece) == ("roll", FORGER)
    assert sizes(state) == [4, 4, 0, 4]


def test_where_only_one_choice_is_left_it_is_taken() -> None:
    state = situation(unknown=(4, 4, 0), known={1: (FORGER,), 3: (PATRON,)})
    state = play(state, plays(FORGER), plays(PATRON, 3))
    assert state.phase == "roll", "only seat 2 has cards still"


def test_none_after_a_reveal_and_none_before_the_auctions_are_complete() -> None:
    assert "not complete yet" in refused(situation(2, phantom=(A, B), amid="fill"), plays(PATRON))


def test_only_the_one_who_played_it_rolls_the_dice() -> None:
    state: State = play(situation(), plays(PATRON, 3))
    assert "not done yet" in refused(state, Roll(seat=1))
    assert refused(situation(), Roll(seat=1)) == "A6: no character waits to be put under the talent pile"


def test_dice_that_no_character_waits_for_can_be_told() -> None:
    assert GAME.describe(situation(), Roll(seat=1), (dice(1, 2),)) == "@1 rolls two dice."
