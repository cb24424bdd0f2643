"""What ten more games need: cards drawn after tricks, suit followed late, melds shown, and what all type at the end."""

from __future__ import annotations

import pytest

from companion import games
from companion.games.from_file import FromFile, flow
from companion.games.from_file.checking import check
from companion.games.from_file.counting import Budget, group, whole
from companion.games.from_file.laying import Gather, Lay, Place, Take, TurnUp
from companion.games.from_file.saying import Enter, RoundOver
from companion.games.from_file.scoring import faces_of
from companion.games.from_file.state import State
from companion.games.loader import places
from companion.referee.difference import mismatches
from companion.rules.kernel import RuleError
from tests.games.from_file.test_playing import begun, played, seen, trick, understood

OVER = RoundOver(seat=1)


def led(game: FromFile, state: State, *cards: str) -> State:
    """Lay cards in turn, from whoever's turn it is, and take each trick away."""
    for card in cards:
        state = game.play(state, Lay(seat=state.now.turn, card=card))
        state = game.play(state, Gather()) if game.phase(state) == "gather" else state
    return state


FIVE = ("101", "10B", "201", "20B", "301", "30B", "401", "40B", "10A", "10C")
"""Five tricks of Schnapsen, the first card of each taking it."""


# ------------------------------------------------------------------------------------------------------------ drawing


def test_after_a_trick_everybody_draws_its_winner_first() -> None:
    game, state = begun("briscola", 2)
    state = played(game, state, TurnUp(card="40D"), *trick("105", "107"))
    assert "draws" not in game.due(state)
    state = game.play(state, Gather())
    assert game.due(state) == "Everybody draws a card, @2 first. It is the turn of @2."


def test_a_round_in_which_cards_are_drawn_has_as_many_tricks_as_the_deck_gives() -> None:
    game, state = begun("briscola", 2)
    state = game.play(state, TurnUp(card="40D"))
    cards = sorted(game.components.pieces)
    state = led(game, state, *cards[:38])
    assert (len(state.past), len(state.now.tricks)) == (0, 19)
    assert len(led(game, state, *cards[38:]).past) == 1


def test_a_hand_is_full_until_the_talon_is_empty() -> None:
    game, state = begun("briscola", 2)
    state = game.play(state, TurnUp(card="40D"))
    held = []
    for first, second in zip(*[iter(sorted(game.components.pieces))] * 2, strict=True):
        held.append(game.components.held(state, len(state.now.tricks)))
        state = led(game, state, first, second)
    assert held == [3] * 18 + [2, 1]


def test_drawing_needs_the_number_of_cards_in_a_hand() -> None:
    text = games.loader._text("briscola", "score.toml").replace("hand = 3, ", "")
    kinds = {one.kind for one in check(text, games.load_deck("briscola"), places("briscola"))}
    assert "draws" in kinds


# ------------------------------------------------------------------------------------------------------ following late


@pytest.mark.parametrize(("tricks_before", "follows"), [(0, False), (4, False), (5, True)])
def test_suit_is_followed_once_the_talon_is_empty(tricks_before: int, follows: bool) -> None:
    game, state = begun("schnapsen", 2)
    state = led(game, game.play(state, TurnUp(card="40D")), *FIVE[: 2 * tricks_before])
    assert flow.follows(game.components, state) is follows
    assert ("The talon is empty" in game.due(state)) is follows


def test_who_closes_the_talon_makes_everybody_follow_suit_and_ends_the_drawing() -> None:
    game, state = begun("schnapsen", 2)
    state = led(game, game.play(state, TurnUp(card="40D")), *FIVE[:2])
    assert game.components.held(state, 1) == 5
    state = game.play(state, Enter(seat=1, what="closed", amount=1))
    assert flow.follows(game.components, state)
    assert (game.components.tricks(state), game.components.draws(state)) == (6, 0)
    assert "draws" not in game.due(state)


def test_what_was_not_followed_while_there_was_a_talon_is_no_revoke() -> None:
    game, state = begun("schnapsen", 2)
    state = game.play(state, TurnUp(card="40D"))
    state = led(game, state, "101", "20B", "10A", "10B")
    assert state.now.revokes == ()


@pytest.mark.parametrize(
    ("hand", "able"),
    [
        (("10A", "10B", "40B"), ["10A"]),  # higher than the queen
        (("10B", "40B"), ["10B"]),  # none is higher, but suit is followed
        (("40B", "201"), ["40B"]),  # a trump
        (("20B", "201"), ["20B", "201"]),
    ],
)
def test_who_must_beat_lays_a_higher_card_or_a_trump(hand: tuple[str, ...], able: list[str]) -> None:
    game, state = begun("schnapsen", 2)
    state = led(game, game.play(state, TurnUp(card="40D")), *FIVE[:8], "20A", "20C")
    state = game.play(state, Lay(seat=1, card="10C"))
    assert flow.able(game.components, state, hand) == able


# --------------------------------------------------------------------------------------------------------------- melds


def faces(*pieces: str) -> list[dict[str, str]]:
    every = faces_of(games.load_deck("pinochle"))
    return [dict(every[piece]) for piece in pieces]


def test_a_meld_counts_as_often_as_all_its_parts_are_there() -> None:
    parts = [{"rank": ["12"]}, {"rank": ["13"]}]
    assert whole(faces("10C", "10D", "20C"), "suit", parts, Budget()) == 1
    assert whole(faces("10C", "60D", "10D", "60C", "20D"), "suit", parts, Budget()) == 2
    assert whole(faces("10C", "20D"), "suit", parts, Budget()) == 0


def test_the_group_that_is_worth_most_is_not_the_largest_one() -> None:
    worths = {"1": 11, "13": 10}
    assert group(faces("109", "10A", "201"), "suit", {**worths, "9": 2, "10": 3}, Budget()) == 11


def test_what_was_shown_is_played_from_there_and_still_counts() -> None:
    game, state = begun("schnapsen", 2)
    state = game.play(state, TurnUp(card="40D"))
    state = led(game, state, *FIVE[:2])
    state = played(game, state, *(Place(seat=1, zone="hand.1", cards=(card,)) for card in ("20C", "20D")))
    assert understood(game, state, ("20C", "play.1", None), ("20D", "hand.1", None), ("40D", "trump", None)) == [
        [Lay(seat=1, card="20C")]
    ]
    state = led(game, state, "20C", "20B")
    assert flow.worth(game.components, state).blocks["pairs"] == (20, 0)
    assert not mismatches(game.layout(state), seen(("20D", "hand.1", None), ("40D", "trump", None)))
    assert game.audit(state) == ()


def test_parts_belong_to_a_meld_that_is_whole_alone() -> None:
    text = games.loader._text("pinochle", "score.toml").replace('op = "whole", says = "Flush"', 'op = "count"', 1)
    kinds = {one.kind for one in check(text, games.load_deck("pinochle"), places("pinochle"))}
    assert "parts" in kinds


# ----------------------------------------------------------------------------------------------------------- the row


@pytest.mark.parametrize(
    ("laid", "taken", "right"),
    [
        ("108", ("208", "105", "203"), True),  # an eight, and five with three
        ("108", ("105", "204"), False),
        ("10D", ("20D", "30D"), True),
        ("10D", ("10A", "203"), False),  # a king takes kings alone
        ("108", (), False),
    ],
)
def test_casino_takes_groups_that_each_come_to_the_card_and_pictures_their_own(
    laid: str, taken: tuple[str, ...], right: bool
) -> None:
    game, _ = begun("casino", 2)
    assert flow.comes_to(game.components, laid, taken) is right


def test_scopa_takes_one_card_or_one_sum() -> None:
    game, _ = begun("scopa", 2)
    assert not flow.comes_to(game.components, "107", ("207", "303", "104"))
    assert flow.comes_to(game.components, "107", ("303", "104"))


def test_casino_tells_of_a_picture_taken_with_a_sum() -> None:
    game, state = begun("casino", 2)
    state = played(game, state, *(Place(zone="row", cards=(card,)) for card in ("10A", "203", "301", "402")))
    state = played(game, state, Lay(seat=1, card="10D"))
    state = played(game, state, *(Take(seat=1, zone="row", cards=(card,)) for card in ("10D", "10A", "203")))
    state = game.play(state, Lay(seat=2, card="409"))
    assert [one.laid for one in state.now.amiss] == ["10D"]


# -------------------------------------------------------------------------------------------- what all type at the end


def test_a_round_waits_until_all_have_typed_what_is_due_at_its_end() -> None:
    game, state = begun("big-two", 4)
    state = played(game, state, *(Enter(seat=seat, what="left", amount=seat - 1) for seat in (1, 2, 3)))
    with pytest.raises(RuleError, match="@4: not typed yet: Cards left in my hand"):
        game.play(state, OVER)
    state = played(game, state, Enter(seat=4, what="left", amount=10), OVER)
    assert state.past[0].points == (0, 1, 2, 30)


def test_what_one_types_at_the_end_is_waited_for_until_one_has() -> None:
    game, state = begun("skat", 3)
    state = game.play(state, Enter(seat=1, what="won", amount=0))
    with pytest.raises(RuleError, match="Nobody has typed: I play alone"):
        game.play(state, OVER)


def test_numbers_with_names_are_offered_and_told_by_them() -> None:
    game, state = begun("skat", 3)
    may = {one.name: one for one in game.view(state, 1).may}
    assert may["enter-game"].labels[:3] == ("diamonds", "hearts", "spades")
    assert game.describe(state, Enter(seat=1, what="game", amount=5)) == "@1: I play alone, grand."


def test_every_number_has_a_name_or_none_has() -> None:
    text = games.loader._text("skat", "score.toml").replace('names = ["lost", "won"]', 'names = ["lost"]')
    assert {one.kind for one in check(text, games.load_deck("skat"), places("skat"))} == {"names"}


def test_what_closes_the_talon_is_an_entry() -> None:
    text = games.loader._text("schnapsen", "score.toml").replace('closes = "closed"', 'closes = "shut"')
    assert {one.kind for one in check(text, games.load_deck("schnapsen"), places("schnapsen"))} == {"closes"}
