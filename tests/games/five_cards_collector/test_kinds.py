"""Five Cards Collector: what happens seldom, in every way in which it can: decks that end, ties, the fifth card."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.five_cards_collector.drawing import Draw
from companion.games.five_cards_collector.passing import Nothing
from companion.games.five_cards_collector.specials import TakeOver
from tests.games.five_cards_collector.situations import COMPONENTS, GAME, adds, judge, pieces, play, situation, uses

SPECIALS = ("retrieve", "draw-from-hand", "view-hand")
FEW = st.integers(0, 3)


@settings(max_examples=40)
@given(deck=FEW, under=FEW, used=FEW, held=st.integers(0, 6))
def test_f4_a_deck_that_ends_amid_draw_three_is_made_anew_of_both_piles(
    deck: int, under: int, used: int, held: int
) -> None:
    """The top of the discard pile stays, and so does the card in use."""
    before = situation(
        hands=(held, 0, 0), known={1: ("draw-three",)}, used=SPECIALS[:used], deck=deck,
        discard=(*("blue star", "green star", "yellow star")[:under], "red star"), gone=True,
    )  # fmt: skip
    assert (before.deck, len(before.discard), len(before.used)) == (deck, under + 1, used)
    there = deck + under + used
    assert judge(before, uses("draw-three")).ok == bool(there)
    if not there:
        return
    after = play(before, uses("draw-three"))
    drawn = min(3, 7 - held, there)
    assert after.players[0].hand.size == held + drawn
    assert after.discard[-1] == before.discard[-1]
    renewed = drawn > deck
    assert len(after.discard) == (1 if renewed else under + 1)
    assert after.used == (() if renewed else before.used) + pieces("draw-three")
    assert after.deck == there - drawn - (0 if renewed else under + used)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 4), min_size=3, max_size=4))
def test_f10_where_nobody_moves_the_most_collected_cards_win_and_ties_are_shared(collected: list[int]) -> None:
    state = situation(len(collected), hands=(0,) * len(collected), deck=0, gone=True)
    players = [
        replace(player, collected=COMPONENTS.shows[player.goal][:count])
        for player, count in zip(state.players, collected, strict=True)
    ]
    state = replace(state, players=tuple(players))
    for seat in state.seats:
        state = GAME.play(state, Nothing(seat=seat))
    assert state.outcome is not None
    best = tuple(seat for seat, count in enumerate(collected, 1) if count == max(collected))
    assert (state.outcome.ending, state.outcome.winners) == ("nobody-moves", best)


@settings(max_examples=20)
@given(way=st.sampled_from(["add", "drawn", "taken over"]), last=st.integers(0, 4))
def test_f7_the_fifth_card_wins_at_once_at_whatever_step_and_whoever_had_it(way: str, last: int) -> None:
    five = ("red star", "blue moon", "green leaf", "yellow key", "violet shell")
    four, fifth = tuple(word for n, word in enumerate(five) if n != last), five[last]
    state = situation(known={1: ("take-over",)}, collected={1: four}, discard=("red moon",))
    if way == "taken over":
        (theirs,) = pieces(fifth)
        players = (state.players[0], replace(state.players[1], collected=(theirs,)), state.players[2])
        state = replace(state, players=players, unseen=state.unseen - {theirs}, deck=state.deck - 1)
        state = play(state, uses("take-over"))
        state = GAME.play(state, TakeOver(seat=1, card=theirs, from_seat=2, to="own"))
    else:
        state = play(play(state, Draw(seat=1)) if way == "drawn" else state, adds(fifth))
    assert state.outcome is not None
    assert (state.outcome.winners, GAME.actors(state)) == ((1,), ())
