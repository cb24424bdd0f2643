"""A match of a game made from a file: whose turn it is, what is said and typed, and what the table takes as it is."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.eye.view import Placement, TableView
from companion.games.from_file import FromFile
from companion.games.from_file.laying import Gather, Lay, Place, Take, TurnUp
from companion.games.from_file.rolling import Fill, Roll
from companion.games.from_file.saying import Claim, Enter, Out, RoundOver, Say
from companion.games.from_file.state import Setup, State
from companion.referee.difference import Seen, mismatches
from companion.referee.matching import explain
from companion.referee.questions import unobservable_choices
from companion.rules.kernel import TABLE, Action, Lies, Rolled, RuleError, Turns, fill


def begun(name: str, seats: int, **options: int) -> tuple[FromFile, State]:
    game = games.load(name)
    assert isinstance(game, FromFile)
    return game, game.setup(seats, options, Setup())


def played(game: FromFile, state: State, *actions: Action) -> State:
    for action in actions:
        state = game.play(state, action)
    return state


def seen(*pieces: tuple[str, str, int | None]) -> Seen:
    """Look at a table on which these pieces lie, as (piece, zone, slot)."""
    lying = (Placement(p, frozenset("F"), zone, slot, 0.0, 0.0, 0.0, n) for n, (p, zone, slot) in enumerate(pieces))
    return Seen(TableView(1, 0.0, tuple(lying)))


def understood(game: FromFile, state: State, *pieces: tuple[str, str, int | None]) -> list[list[Action]]:
    return [[step.action for step in one.steps] for one in explain(game, state, seen(*pieces)).complete]


def trick(*cards: str, first: int = 1) -> list[Action]:
    return [Lay(seat=(first - 1 + n) % len(cards) + 1, card=card) for n, card in enumerate(cards)]


# --------------------------------------------------------------------------------------------------------------- tricks


def test_who_has_the_card_that_begins_is_found_out_by_its_being_laid() -> None:
    game, state = begun("hearts", 4)
    assert game.actors(state) == (1, 2, 3, 4)
    assert understood(game, state, ("102", "play.3", None)) == [[Lay(seat=3, card="102")]]
    assert game.judge(state, Lay(seat=3, card="103")).reason == "the two of clubs is played first"
    assert game.actors(game.play(state, Lay(seat=3, card="102"))) == (4,)


def test_a_card_out_of_turn_is_told_of_and_whose_turn_it_is() -> None:
    game, state = begun("whist", 4)
    state = played(game, state, TurnUp(card="40D"), Lay(seat=1, card="105"))
    verdict = game.judge(state, Lay(seat=3, card="106"))
    assert (verdict.kind, verdict.reason) == ("illegal", "it is the turn of @2")


def test_the_trick_goes_to_the_highest_trump_and_may_be_taken_away() -> None:
    game, state = begun("whist", 4)
    state = played(game, state, TurnUp(card="40D"), *trick("105", "10D", "402", "101"))
    assert game.actors(state) == (TABLE,)
    assert game.describe(state, Gather()) == "The trick goes to @3."
    assert understood(game, state) == [[Gather()]]
    state = game.play(state, Gather())
    assert (game.actors(state), state.now.tricks[0].winner) == ((3,), 3)
    assert not mismatches(game.layout(state), seen())


def test_a_card_that_lay_in_a_trick_is_not_laid_again() -> None:
    game, state = begun("whist", 4)
    state = played(game, state, TurnUp(card="40D"), *trick("105", "10D", "102", "101"), Gather())
    assert game.judge(state, Lay(seat=4, card="105")).kind == "inconsistent"


def test_a_revoke_is_told_of_once_a_later_card_proves_it_and_is_never_stopped() -> None:
    game, state = begun("whist", 4)
    state = played(game, state, TurnUp(card="40D"), *trick("105", "20D", "102", "101"), Gather())
    assert state.now.revokes == ()
    state = played(game, state, *trick("203", "204", "205", "206", first=4), Gather())
    state = played(game, state, Lay(seat=3, card="108"), Lay(seat=4, card="109"), Lay(seat=1, card="10A"))
    proof = Lay(seat=2, card="10B")
    assert game.judge(state, proof).ok
    assert game.describe(state, proof).endswith("and did not follow suit in trick 1: that was a revoke.")
    state = game.play(state, proof)
    assert [(one.seat, one.trick) for one in state.now.revokes] == [(2, 1)]
    assert "@2 did not follow suit in trick 1." in game.view(state, 0).headline


def test_the_last_trick_may_be_claimed() -> None:
    game, state = begun("whist", 4)
    state = played(game, state, TurnUp(card="40D"), *trick("105", "10D", "102", "101"), Gather(), Claim(seat=2))
    assert (state.now.tricks[0].winner, game.actors(state)) == (2, (2,))
    assert set(state.now.taken[1]) == {"105", "10D", "102", "101"}
    assert not game.judge(state, Claim(seat=2)).ok


def test_bids_are_said_in_turn_before_a_card_is_played() -> None:
    game, state = begun("spades", 4)
    assert game.actors(state) == (1,)
    assert game.judge(state, Say(seat=2, what="bid", amount=3)).reason == "@1 is to say a number"
    assert game.judge(state, Lay(seat=1, card="105")).reason == "@1 has to say a number first"
    state = played(game, state, *(Say(seat=seat, what="bid", amount=3) for seat in (1, 2, 3, 4)))
    assert (game.actors(state), game.phase(state)) == ((1,), "trick")
    assert not game.judge(state, Say(seat=1, what="bid", amount=4)).ok


def test_a_bid_is_one_number_picker_on_the_phone() -> None:
    game, state = begun("spades", 4)
    may = {one.name: one for one in game.view(state, 1).may}
    assert [one.amount for one in may["say-bid"].actions] == list(range(14))  # type: ignore[attr-defined]
    assert len(may["enter-points"].actions) == 151


def test_without_a_camera_tricks_and_points_are_typed_and_the_round_is_added_up() -> None:
    game, state = begun("spades", 4)
    state = played(game, state, *(Say(seat=seat, what="bid", amount=3) for seat in (1, 2, 3, 4)))
    for seat, count in ((1, 4), (2, 3), (3, 3), (4, 3)):
        state = game.play(state, Enter(seat=seat, what="tricks", amount=count))
    state = played(game, state, Enter(seat=2, what="points", amount=-5), RoundOver(seat=1))
    assert [one.score for one in game.standing(state).seats] == [61, 55, 61, 55]
    assert (state.number, state.dealer) == (2, 1)
    assert [one.words for one in game.standing(state).seats] == ["deals this round", "", "", ""]


# ---------------------------------------------------------------------------------------------- as people lay, and rows


def test_what_is_laid_where_it_counts_is_taken_as_it_is_many_at_once() -> None:
    game, state = begun("gin-rummy", 2)
    cards = [(f"10{rank}", "melds.2", None) for rank in "123456789A"]
    assert understood(game, state, *cards) == [[Place(seat=2, zone="melds.2", cards=tuple(c for c, _, _ in cards))]]


def test_what_counts_is_remembered_though_it_is_taken_away_and_follows_where_it_goes() -> None:
    game, state = begun("gin-rummy", 2)
    state = game.play(state, Place(seat=1, zone="melds.1", cards=("101", "102")))
    assert not mismatches(game.layout(state), seen())
    state = game.play(state, Place(seat=2, zone="melds.2", cards=("102",)))
    assert [piece for piece in state.lies("melds.1") if piece] == ["101"]
    assert game.audit(state) == ()


def test_a_grid_knows_its_places() -> None:
    game, state = begun("golf", 2)
    expected = [[Place(seat=1, zone="grid.1", cards=("10D",), slot=4)]]
    assert understood(game, state, ("10D", "grid.1", 4)) == expected
    state = game.play(state, expected[0][0])
    assert state.lies("grid.1") == ("", "", "", "", "10D", "")
    state = game.play(state, Place(seat=1, zone="grid.1", cards=("105",), slot=4))
    assert state.lies("grid.1") == ("", "", "", "", "105", "")


def test_a_card_on_the_pile_that_ends_turns_ends_the_turn() -> None:
    game, state = begun("golf", 3)
    assert game.actors(state) == (1,)
    state = game.play(state, Place(seat=1, zone="discard", cards=("105",)))
    assert game.actors(state) == (2,)
    assert understood(game, state) == [[Take(seat=2, zone="discard", cards=("105",))]]


def test_who_laid_a_card_takes_and_a_cleared_row_is_a_sweep() -> None:
    game, state = begun("scopa", 2)
    assert game.actors(state) == (TABLE,)
    state = played(game, state, *(Place(zone="row", cards=(card,)) for card in ("101", "102", "103", "104")))
    state = game.play(state, Lay(seat=1, card="207"))
    left = [("102", "row", None), ("103", "row", None), ("104", "row", None)]
    assert understood(game, state, *left) == [[Take(seat=1, zone="row", cards=("101", "207"))]]
    state = game.play(state, Take(seat=1, zone="row", cards=("101", "102", "103", "104", "207")))
    assert (state.now.sweeps, len(state.now.taken[0]), game.actors(state)) == ((1, 0), 5, (2,))


def test_what_is_only_said_is_neither_looked_for_nor_asked() -> None:
    game, state = begun("cribbage", 2)
    assert unobservable_choices(game, state) == ()
    assert understood(game, state, ("105", "starter", None)) == [[Place(seat=TABLE, zone="starter", cards=("105",))]]
    unseen = {kind.type for kind in game.info.kinds if kind.unseen}
    assert unseen == {"enter", "claim", "out", "round-over"}


# ----------------------------------------------------------------------------------------- going out, dice, how it ends


def test_when_all_but_one_are_out_the_round_is_over() -> None:
    game, state = begun("president", 4)
    state = played(game, state, Out(seat=3), Out(seat=1), Out(seat=4))
    assert [one.score for one in game.standing(state).seats] == [1, 0, 2, 0]
    assert state.number == 2


def test_dice_are_kept_and_rolled_and_a_box_is_filled_once() -> None:
    game, state = begun("yacht", 2)
    state = game.play(state, Roll(seat=1), (Rolled(place="dice", values=(6, 6, 3, 3, 6)),))
    assert [need.count for need in game.needs(state, Roll(seat=1, keep=(6, 6, 6)))] == [2]
    assert game.judge(state, Roll(seat=1, keep=(5,))).kind == "inconsistent"
    labels = [game.describe(state, Fill(seat=1, box=box)) for box in ("full", "sixes", "yacht")]
    assert labels == ["@1 fills Full house: 24.", "@1 fills Sixes: 18.", "@1 fills Yacht: 0."]
    state = game.play(state, Fill(seat=1, box="full"))
    assert (game.actors(state), game.standing(state).seats[0].score) == ((2,), 24)
    assert not game.judge(replace(state, now=replace(state.now, turn=1, dice=(1,) * 5)), Fill(seat=1, box="full")).ok


def test_who_pegs_the_last_point_wins_at_once() -> None:
    game, state = begun("cribbage", 2, end=61)
    state = played(game, state, *(Enter(seat=2, what="pegged", amount=30) for _ in range(3)))
    assert state.outcome is not None
    assert state.outcome.winners == (2,)


def test_in_the_show_who_counts_first_has_it_first() -> None:
    game, state = begun("cribbage", 2, end=61)
    state = played(game, state, Enter(seat=1, what="points", amount=60), Enter(seat=2, what="points", amount=60))
    lying = {"hand.1": ("105", "205", "109", "10D"), "hand.2": ("106", "206", "302", "40D")}
    lying |= {"crib": ("104", "108", "20C", "30D"), "starter": ("301",)}
    state = played(game, state, *(Place(zone=zone, cards=cards) for zone, cards in lying.items()))
    state = game.play(state, RoundOver(seat=1))
    assert state.outcome is not None
    assert state.outcome.winners == (1,), "the dealer, seat 2, counts last"


def test_a_tie_is_played_on_where_the_file_says_so() -> None:
    game, state = begun("hearts", 4, end=20)
    for seat in (1, 2):
        state = game.play(state, Enter(seat=seat, what="points", amount=25))
    state = game.play(state, RoundOver(seat=1))
    assert (state.outcome, state.number) == (None, 2)
    state = played(game, state, Enter(seat=3, what="points", amount=1), RoundOver(seat=1))
    assert state.outcome is not None
    assert state.outcome.winners == (4,)


@pytest.mark.parametrize("name", ["hearts", "spades", "scopa", "golf"])
def test_the_host_chooses_how_many_rounds_are_played(name: str) -> None:
    game, state = begun(name, 4, rounds=2)
    state = played(game, state, RoundOver(seat=1), RoundOver(seat=2))
    assert state.outcome is not None
    assert (state.outcome.ending, len(state.past)) == ("rounds", 2)


# ---------------------------------------------------------------------------------------------------------- corrections


def test_the_host_corrects_where_cards_lie_and_whose_turn_it_is() -> None:
    game, state = begun("gin-rummy", 2)
    state = game.play(state, Place(seat=1, zone="melds.1", cards=("101", "102")))
    state = game.correct(state, (Lies("101", "melds.2"), Lies("102", "hand.1"), Turns(2)))
    lying = {zone: [piece for piece in pieces if piece] for zone, pieces in state.now.lying}
    assert (lying["melds.1"], lying["melds.2"], state.now.turn) == ([], ["101"], 2)
    with pytest.raises(RuleError, match="the deck has no card ZZZ"):
        game.correct(state, (Lies("ZZZ", "melds.2"),))


@pytest.mark.parametrize("name", games.from_files())
def test_what_fills_a_template_is_legal_and_a_refusal_says_why(name: str) -> None:
    game, state = begun(name, games.load(name).info.seats[1])
    for template in game.legal(state):
        hole: Any = getattr(template, "card", None)
        action = fill(template, card=min(hole.pieces)) if hasattr(hole, "pieces") else template
        assert game.judge(state, action).ok
    for seat in (1, 2):
        for may in game.view(state, seat).may:
            assert may.verdict.ok or (may.verdict.rule and may.verdict.reason and may.verdict.remedy)


def test_whose_pile_a_card_of_the_row_comes_to_says_who_takes_it_though_another_has_laid_meanwhile() -> None:
    game, state = begun("scopa", 2)
    state = played(game, state, *(Place(zone="row", cards=(card,)) for card in ("101", "102", "103", "104")))
    state = played(game, state, Lay(seat=1, card="201"), Lay(seat=2, card="202"))
    left = [(card, "row", None) for card in ("102", "103", "104", "201", "202")]
    (late,) = understood(game, state, *left, ("101", "taken.1", None))
    assert late == [Take(seat=1, zone="row", cards=("101",))]
    assert understood(game, state, *left) == [[Take(seat=2, zone="row", cards=("101",))]]
    state = played(game, state, *late, Take(seat=2, zone="row", cards=("202", "102")), Lay(seat=1, card="203"))
    assert (state.now.taken, state.now.amiss) == ((("101",), ("202", "102")), ())


def test_what_did_not_add_up_is_told_until_all_have_laid_once_more() -> None:
    game, state = begun("scopa", 2)
    state = played(game, state, *(Place(zone="row", cards=(card,)) for card in ("302", "405", "304", "20B")))
    state = played(game, state, Lay(seat=1, card="102"), Take(seat=1, zone="row", cards=("102", "405")))
    state = game.play(state, Lay(seat=2, card="201"))
    assert "does not come to" in game.view(state, 0).headline
    state = game.play(state, Lay(seat=1, card="202"))
    assert "does not come to" in game.view(state, 0).headline
    assert "does not come to" not in game.view(game.play(state, Lay(seat=2, card="203")), 0).headline


# -------------------------------------------------------------------------------------- what is told, and never stopped


def taken_from_row(first: str, *others: str) -> list[Action]:
    """Seat 1 lays a card and takes it with others of the row, a card at a time; seat 2 lays the next."""
    takes = [Take(seat=1, zone="row", cards=(card,)) for card in (first, *others)]
    return [Lay(seat=1, card=first), *takes, Lay(seat=2, card="201")]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (("107", "302", "405"), ""),
        (("10C", "405", "304"), ""),  # the queen is nine here
        (("107", "302", "304"), "What @1 took does not come to the seven of clubs: the two of hearts, the four"),
        (("10C", "405"), "What @1 took does not come to the queen of clubs: the five of spades."),
    ],
)
def test_cards_taken_from_the_row_come_to_the_card_that_was_laid(cards: tuple[str, ...], told: str) -> None:
    game, state = begun("scopa", 2)
    state = played(game, state, *(Place(zone="row", cards=(card,)) for card in ("302", "405", "304", "20B")))
    *before, last = taken_from_row(*cards)
    state = played(game, state, *before)
    assert "come to" not in game.view(state, 0).headline, "somebody may still take more"
    assert told in game.describe(state, last)
    assert bool(told) == ("come to" in game.describe(state, last))
    assert told in game.view(game.play(state, last), 0).headline
    assert game.judge(state, last).ok


def test_who_takes_cards_and_leaves_the_one_that_was_laid_is_told_of_at_the_rounds_end_at_the_latest() -> None:
    game, state = begun("scopa", 2)
    state = played(game, state, *(Place(zone="row", cards=(card,)) for card in ("302", "405", "304", "20B")))
    state = played(game, state, Lay(seat=1, card="102"), Take(seat=1, zone="row", cards=("302",)))
    assert game.describe(state, RoundOver(seat=1)).endswith(
        "@1 took the two of hearts, and left the two of clubs there."
    )


@pytest.mark.parametrize(("tenth", "told"), [("40B", True), ("401", False)])
def test_a_knock_with_more_than_ten_left_over_is_told_of_once_ten_cards_lie_there(tenth: str, told: bool) -> None:
    game, state = begun("gin-rummy", 2)
    melds = ("102", "202", "302", "105", "106", "107", "201", "203", "405")
    state = played(game, state, Enter(seat=1, what="knocks", amount=1), Place(seat=1, zone="melds.1", cards=melds))
    assert "knocked" not in game.view(state, 0).headline
    state = game.play(state, Place(seat=1, zone="melds.1", cards=(tenth,)))
    words = "@1: knocked with more than ten left over."
    assert (words in game.view(state, 0).headline) == told
    assert (words in game.describe(state, RoundOver(seat=2))) == told
    theirs = ("204", "308", "409", "20D", "30D", "10D", "303", "309", "40C", "30B")
    state = game.play(state, Place(seat=2, zone="melds.2", cards=theirs))
    assert game.judge(state, RoundOver(seat=2)).ok


def test_a_grid_of_which_cards_are_missing_is_told_of_at_the_rounds_end() -> None:
    game, state = begun("golf", 2)
    state = game.play(state, Place(seat=2, zone="grid.2", cards=("105",), slot=0))
    assert "fewer" not in game.view(state, 0).headline
    grid = [Place(seat=1, zone="grid.1", cards=(f"20{rank}",), slot=n) for n, rank in enumerate("123456")]
    state = played(game, state, *grid)
    assert "@2: fewer than six cards lie open." in game.view(state, 0).headline
    assert game.judge(state, RoundOver(seat=1)).reason == "@2: fewer than six cards lie open"


def test_hands_are_counted_where_the_file_says_how_many_cards_they_hold() -> None:
    game, state = begun("whist", 4)
    state = played(game, state, TurnUp(card="40D"), *trick("105", "10D", "102", "101"), Gather())
    state = game.play(state, Lay(seat=4, card="106"))
    counts = [part.value for part in game.view(state, 0).numbers if part.name.startswith("cards in hand")]
    assert counts == [12, 12, 12, 11]
    assert game.describe(state, RoundOver(seat=1)) == "Round 1 is over. 11 cards are left in each hand."
