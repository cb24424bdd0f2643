"""Collectible: the steps of a turn, what of Send has begun and is done, and what waits for it. One test a rule."""

from __future__ import annotations

from typing import Any

from companion.games.collectible.auctions import Bid, Open
from companion.games.collectible.characters import Look, PlayCharacter, Roll, Swap
from companion.games.collectible.collecting import Draw
from companion.games.collectible.revealing import Pass, Reveal
from companion.games.collectible.sending import Discard, Done, Send, TakeBack
from companion.games.collectible.state import Agreed, State
from companion.games.collectible.two_players import Sell
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
    refused,
    showing,
    situation,
    sizes,
)

A, B, C, D, E, F = ART[:6]
PATRON, CRITIC, FORGER, DEALER = (character(effect) for effect in ("coins", "look", "swap", "draw"))
HATS = showing("Hat", 99)[-5:]


def drawn(**more: Any) -> State:
    """Collect: seat 1 has drawn a card, so that it has five in its gallery, or one more than `unknown` says."""
    return play(situation(**more), Draw(seat=1))


def plays(card: str, seat: int) -> PlayCharacter:
    return PlayCharacter(seat=seat, card=card)


# --------------------------------------------------------------------------------------------------- Send, and its end


def test_a5_moving_nothing_is_a_send_too_and_done_ends_it() -> None:
    state = play(drawn(), Done(seat=1))
    assert "is done sending" in refused(state, Send(seat=1, card=A))
    assert "is done sending" in refused(state, Done(seat=1))
    assert play(state, Pass(seat=1)).turn == 2


def test_only_the_owner_says_done_and_only_at_the_second_step() -> None:
    assert "first step" in refused(situation(), Done(seat=1))
    assert "it is the turn of @1" in refused(drawn(), Done(seat=2))


def test_a5_a_gallery_of_six_that_is_left_alone_is_brought_to_five_at_send_and_not_before() -> None:
    state = situation(unknown=(6, 4, 4))
    assert "first step" in refused(state, Discard(seat=1, card=A))
    state = drawn(unknown=(5, 4, 4))
    assert judge(state, plays(PATRON, 2)).ok, "the window before Send"
    assert refused(state, Pass(seat=1)) == "A5: @1 has 6 cards in the gallery, and 5 are the limit"
    state = play(state, Done(seat=1))
    assert GAME.view(state, 1).headline == "@1 has to discard: 6 cards in the gallery, and 5 are the limit."
    assert refused(state, Send(seat=1, card=A)).startswith("A5: @1 is done moving cards")
    assert not judge(state, Pass(seat=1)).ok
    assert play(state, Discard(seat=1, card=A), Pass(seat=1)).turn == 2


def test_a5_a_discard_comes_only_after_the_moving() -> None:
    state = play(drawn(unknown=(5, 4, 4)), Discard(seat=1, card=A))
    assert refused(state, Send(seat=1, card=B)).startswith("A5: @1 is done sending")
    state = play(drawn(unknown=(6, 4, 4)), Discard(seat=1, card=A))
    assert refused(state, Send(seat=1, card=B)).startswith("A5: @1 is done moving cards")
    state = play(drawn(unknown=(6, 4, 4)), Send(seat=1, card=A), Discard(seat=1, card=B), Pass(seat=1))
    assert (sizes(state)[0], state.players[0].auction, state.discard) == (5, {A}, (B,))


def test_a5_where_moving_would_do_nobody_has_to_discard() -> None:
    assert GAME.view(drawn(unknown=(5, 4, 4)), 0).headline == (
        "@1 moves or discards cards: 6 cards in the gallery, and 5 are the limit."
    )
    # Who is due is told which place has how many, and how many it may have.
    assert GAME.view(drawn(unknown=(5, 4, 4)), 1).call == "Gallery 6, limit 5: move or discard some"
    full = drawn(unknown=(5, 4, 4), auction={1: (A, B, C, D, E)})
    assert GAME.view(full, 0).headline.startswith("@1 has to discard: 6 cards in the gallery")


def test_a8_a_reveal_ends_send_and_needs_no_discard() -> None:
    other = next(piece for piece in ART if "Hat" not in COMPONENTS.themes[piece])
    assert play(drawn(unknown=(5, 0, 0)), (Reveal(seat=1), laid_open(1, *HATS, other))).outcome is not None


def test_a8_a_reveal_that_is_taken_back_leaves_the_discard_due() -> None:
    some = (*HATS[:4], PATRON, CRITIC)
    state = play(drawn(unknown=(5, 4, 4)), (Reveal(seat=1), laid_open(1, *some)))
    assert "is done moving cards" in refused(state, Send(seat=1, card=HATS[0]))
    assert not judge(state, Pass(seat=1)).ok
    assert play(state, Discard(seat=1, card=HATS[0]), Pass(seat=1)).turn == 2


# ------------------------------------------------------------------------------------------------ characters and Send


def test_a7_a_character_laid_between_two_moves_waits_until_send_is_done() -> None:
    state = play(drawn(), Send(seat=1, card=A), plays(PATRON, 2))
    assert coins(state) == [20, 20, 20]
    assert GAME.actors(state) == (1,)
    assert GAME.view(state, 0).headline == '@1 may go on moving cards; then the character "Patron" of @2 takes effect.'
    state = play(state, Send(seat=1, card=B), TakeBack(seat=1, card=A))
    assert coins(state) == [20, 20, 20]
    state = play(state, Done(seat=1))
    assert coins(state) == [20, 24, 20]
    state = play(state, (Roll(seat=2), dice(1, 1)))
    assert (judge(state, Pass(seat=1)).ok, judge(state, Send(seat=1, card=C)).ok) == (True, False)


def test_a7_several_that_wait_take_effect_in_turn_order() -> None:
    state = play(drawn(), Send(seat=1, card=A), plays(PATRON, 3), plays(CRITIC, 2), Done(seat=1))
    assert coins(state) == [20, 20, 20]
    state = play(state, Look(seat=2, partner=3), (Roll(seat=2), dice(1, 1)))
    assert coins(state) == [20, 20, 24]


def test_a7_what_waits_when_the_turn_is_passed_comes_before_the_next_turn() -> None:
    state = play(drawn(), Send(seat=1, card=A), plays(PATRON, 3), Pass(seat=1))
    assert (coins(state), GAME.actors(state)) == ([20, 20, 24], (3,))
    state = play(state, (Roll(seat=3), dice(1, 1)))
    assert (state.turn, GAME.actors(state)) == (2, (2,))


def test_a5_what_waits_when_the_last_turn_is_passed_comes_before_the_scoring() -> None:
    state = play(drawn(turns=2, agreed=Agreed(20, 5, 0, 1)), Send(seat=1, card=A), plays(PATRON, 3), Pass(seat=1))
    assert (coins(state), GAME.actors(state)) == ([20, 20, 24], (3,))
    assert play(state, (Roll(seat=3), dice(1, 1))).phase == "show"


def test_a7_what_waits_comes_before_a_reveal() -> None:
    state = play(drawn(unknown=(5, 4, 4)), Send(seat=1, card=A), plays(FORGER, 2))
    assert refused(state, Reveal(seat=1)) == 'A7: the character "Forger" of @2 was laid first'


def test_a7_ones_own_character_saves_no_card_from_the_discard() -> None:
    state = play(drawn(unknown=(6, 4, 4)), Send(seat=1, card=A))
    assert "still sending cards to auction, with 6 cards in the gallery" in refused(state, plays(PATRON, 1))
    assert judge(state, plays(PATRON, 2)).ok, "it waits"


def test_a7_nobody_else_ends_a_send_by_rolling_for_a_character_that_waits() -> None:
    state = play(drawn(), Send(seat=1, card=A), plays(PATRON, 2))
    verdict = judge(state, Roll(seat=2))
    assert (verdict.rule, verdict.reason) == ("A7", 'the character "Patron" waits until @1 is done sending cards')
    assert not judge(play(drawn(), Send(seat=1, card=A), plays(CRITIC, 2)), Look(seat=2, partner=3)).ok


# ------------------------------------------------------------------------------------------- journals from before done


def test_a_journal_from_before_done_is_replayed_where_a_character_ended_send() -> None:
    state = play(drawn(), Send(seat=1, card=A), plays(PATRON, 2), (Roll(seat=2), dice(1, 1)))
    assert coins(state) == [20, 24, 20]
    state = play(state, plays(DEALER, 1), (Roll(seat=1), dice(1, 1)))
    assert sizes(state)[0] == 5
    state = play(state, Pass(seat=1), Draw(seat=2), Send(seat=2, card=B), plays(CRITIC, 3), plays(FORGER, 1))
    state = play(state, Look(seat=3, partner=1), (Roll(seat=3), dice(1, 1)), Swap(seat=1, partner=2))
    assert play(state, (Roll(seat=1), dice(1, 1)), Pass(seat=2)).turn == 3


def test_a_journal_from_before_done_is_replayed_where_cards_were_moved_after_a_discard() -> None:
    state = play(drawn(unknown=(6, 4, 4)), Discard(seat=1, card=A), Send(seat=1, card=B), Send(seat=1, card=C))
    state = play(state, TakeBack(seat=1, card=B), Pass(seat=1))
    assert (state.turn, state.discard, state.players[0].auction) == (2, (A,), {C})


# -------------------------------------------------------------------------------------------------- a skipped Collect


def test_a3_collecting_is_skipped_only_after_its_window_on_the_state_that_the_window_leaves() -> None:
    nothing = situation(unknown=(4, 50, 53), auction={2: (A,)}, coins=(0, 20, 20))
    assert nothing.deck == 0
    assert judge(nothing, Pass(seat=1)).ok
    assert play(nothing, Send(seat=1, card=B)).players[0].auction == {B}
    state = play(nothing, plays(PATRON, 1))
    assert coins(state)[0] == 4
    assert judge(play(state, (Roll(seat=1), dice(1, 1))), Open(seat=1, card=A)).ok
    assert "first step" in refused(play(state, (Roll(seat=1), dice(1, 1))), Pass(seat=1))


def test_a9_cards_are_traded_at_the_start_of_a_turn_although_nothing_can_be_collected() -> None:
    state = situation(2, unknown=(51, 54), coins=(0, 20), phantom_coins=2)
    assert state.deck == 0
    state = play(state, Sell(seat=1, card=A))
    assert "first step" in refused(state, Pass(seat=1)), "a coin to open with, and a discard to draw"
    assert play(state, Draw(seat=1)).step == "send"


def test_what_can_not_be_collected_is_not_asked_for() -> None:
    empty = {"unknown": (4, 50, 53), "auction": {2: (A,)}}
    assert GAME.view(situation(**empty), 0).headline == (  # type: ignore[arg-type]
        "@1 lays a card of another auction on the block to bid for it."
    )
    assert GAME.view(situation(unknown=(4, 50, 54)), 0).headline == (
        "@1 can collect nothing; @1 may move cards, then reveals or passes."
    )


# ------------------------------------------------------------------------------------------------ what to do instead


def test_who_bids_without_an_auction_is_told_what_is_due() -> None:
    state = drawn(auction={2: (A,)})
    verdict = judge(state, Bid(seat=2, amount=1))
    assert (verdict.reason, verdict.remedy) == (
        "no auction is going on",
        "@1 may move cards; then @1 reveals or passes.",
    )


# ----------------------------------------------------------------------------------------------------------- taken back


def test_c4_what_came_in_by_a_character_that_waited_is_not_remembered_as_held_before() -> None:
    state = play(drawn(), Send(seat=1, card=A), plays(DEALER, 3))
    undone = ((Done(seat=1), ()), (Roll(seat=3), (dice(1, 1),)), (plays(PATRON, 3), ()))
    assert recalled(GAME, state, undone).players[2].gallery.known == frozenset(), "it may be one of the two drawn"
    assert recalled(GAME, state, ((Send(seat=1, card=B), ()), *undone)).players[0].gallery.known == {B}


def test_c4_nor_what_came_in_by_the_second_of_two_characters() -> None:
    state = play(situation(), plays(CRITIC, 2), plays(DEALER, 3), Look(seat=2, partner=1))
    undone = ((Roll(seat=2), (dice(1, 1),)), (Roll(seat=3), (dice(1, 1),)), (plays(PATRON, 3), ()))
    assert recalled(GAME, state, undone).players[2].gallery.known == frozenset()


def test_c4_nor_what_came_in_by_a_swap_that_waited_for_the_dice_of_a_discarded_character() -> None:
    moved = (Draw(seat=1), Send(seat=1, card=A), TakeBack(seat=1, card=A), plays(FORGER, 2))
    state = play(situation(2, unknown=(5, 5)), *moved, Done(seat=1), Discard(seat=1, card=PATRON))
    undone = ((Roll(seat=1), (dice(1, 1),)), (Roll(seat=2), (dice(1, 1),)), (plays(CRITIC, 2), ()))
    assert recalled(GAME, state, undone).players[1].gallery.known == frozenset(), "it may be the one of the swap"
