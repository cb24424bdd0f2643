"""What a round is worth: nothing that was not seen, nothing that can't be, nothing after the match; and put right."""

from __future__ import annotations

import pytest

from companion import games
from companion.games.from_file import FromFile
from companion.games.from_file.laying import Gather, Place, TurnUp
from companion.games.from_file.rolling import Fill, Roll
from companion.games.from_file.saying import Enter, Out, RoundOver, Say
from companion.games.from_file.scoring import Table
from companion.games.from_file.state import State
from companion.referee.lines import Session
from companion.rules.kernel import Points, Rolled, RuleError
from tests.games.from_file.test_playing import begun, played, trick
from tests.games.from_file.test_scores import counted, score_of

KNOCK, OVER = Enter(seat=1, what="knocks", amount=1), RoundOver(seat=1)
MELDS = ("102", "202", "302", "105", "106", "107", "10A", "20A", "30A", "405")
OTHERS = ("401", "402", "204", "308", "409", "20D", "30D", "10D", "303", "309")


def lay(**zones: tuple[str, ...]) -> list[Place]:
    """Lay cards; "melds_1" is seat 1's zone of melds."""
    return [Place(zone=zone.replace("_", "."), cards=cards) for zone, cards in zones.items()]


def scores(game: FromFile, state: State) -> list[int]:
    return [one.score for one in game.standing(state).seats]


def live(game: FromFile, state: State) -> list[int]:
    """What the round that is played comes to so far."""
    return [one.parts[0].value for one in game.standing(state).seats]


def type_tricks(*counts: int) -> list[Enter]:
    return [Enter(seat=seat, what="tricks", amount=count) for seat, count in enumerate(counts, 1)]


def bids(*amounts: int) -> list[Say]:
    return [Say(seat=seat, what="bid", amount=amount) for seat, amount in enumerate(amounts, 1)]


# ----------------------------------------------------------------------------------------------- what has not been seen


def test_a_knock_without_cards_is_not_gin() -> None:
    game, state = begun("gin-rummy", 2)
    state = game.play(state, KNOCK)
    assert live(game, state) == [0, 0]
    assert game.judge(state, OVER).reason == "@1 and @2: there are not ten cards"


def test_who_lays_nothing_does_not_undercut() -> None:
    game, state = begun("gin-rummy", 2)
    state = played(game, state, *lay(melds_1=MELDS), KNOCK)
    assert live(game, state) == [0, 0]
    assert "@2: there are not ten cards." in game.view(state, 0).headline
    assert not game.judge(state, OVER).ok


def test_only_one_knocks() -> None:
    game, state = begun("gin-rummy", 2)
    state = played(game, state, *lay(melds_1=MELDS, melds_2=OTHERS), KNOCK)
    verdict = game.judge(state, Enter(seat=2, what="knocks", amount=1))
    assert verdict.reason == "@1 has said that in this round: I knock"
    assert scores(game, game.play(state, OVER)) == [29, 0]


def test_a_round_in_which_nobody_said_who_knocked_waits_for_that() -> None:
    game, state = begun("gin-rummy", 2)
    state = played(game, state, *lay(melds_1=MELDS, melds_2=OTHERS))
    assert game.judge(state, OVER).reason == "Nobody has said who knocked"


def test_a_card_laid_off_on_a_run_stays_its_owners() -> None:
    game, state = begun("gin-rummy", 2)
    knocker = ("104", "105", "106", "10A", "20A", "30A", "40A", "204", "404", "401")
    other = ("107", "20D", "30D", "10C", "309", "208", "402", "303", "10B", "209")
    state = played(game, state, *lay(melds_1=knocker, melds_2=other), KNOCK)
    before = live(game, state)
    state = game.play(state, Place(seat=2, zone="melds.1", cards=("107",)))
    assert (before, live(game, state)) == ([62, 0], [62, 0])
    assert scores(game, game.play(state, OVER)) == [62, 0]


SHOW = {"starter": ("205",), "hand_1": ("10A", "20A", "301", "402"), "hand_2": ("105", "305", "405", "20B")}


@pytest.mark.parametrize(
    ("more", "missing"),
    [
        ({"crib": ("10B", "10C", "30C")}, "@2: there are not four cards in the crib"),
        ({"crib": ("10B", "10C", "30C", "40C"), "hand_1": ("10A",)}, "@1: there are not four cards in the hand"),
        ({"crib": ("10B", "10C", "30C", "40C"), "starter": ()}, "the starter has not been turned up"),
    ],
)
def test_the_show_counts_what_lies_there_whole(more: dict[str, tuple[str, ...]], missing: str) -> None:
    game, state = begun("cribbage", 2)
    zones = {zone: cards for zone, cards in {**SHOW, **more}.items() if cards}
    state = played(game, state, *lay(**zones))
    assert game.judge(state, OVER).reason.lower() == missing
    assert missing in game.view(state, 0).headline.lower()


def test_a_crib_of_three_counts_nothing_though_points_are_typed() -> None:
    game, state = begun("cribbage", 2)
    state = played(game, state, *lay(**SHOW, crib=("10B", "10C", "30C")), Enter(seat=1, what="points", amount=1))
    assert game.describe(state, OVER) == "Round 1 is over. @2: there are not four cards in the crib."
    assert scores(game, game.play(state, OVER)) == [7, 29]


def test_a_bid_of_nothing_is_not_made_while_nobody_has_taken_a_trick() -> None:
    for name, seats in (("oh-hell", 3), ("spades", 4)):
        game, state = begun(name, seats)
        up = [TurnUp(card="10D")] if name == "oh-hell" else []
        state = played(game, state, *up, *bids(*(0,) * seats))
        assert live(game, state) == [0] * seats
        assert game.describe(state, OVER) == "Round 1 is over. Nobody has taken a trick, or typed any."
        assert scores(game, game.play(state, OVER)) == [0] * seats


def test_hearts_are_counted_once_all_have_been_taken() -> None:
    game, state = begun("hearts", 4)
    state = played(game, state, *trick("102", "302", "103", "104"), Gather())
    verdict = game.judge(state, OVER)
    assert verdict.reason == "Not all hearts have been taken. Nobody has taken the queen of spades"
    assert game.judge(game.play(state, Enter(seat=2, what="points", amount=25)), OVER).ok


def test_a_president_needs_a_vice_president() -> None:
    game, state = begun("president", 4)
    assert game.judge(state, OVER).ok
    assert game.judge(game.play(state, Out(seat=2)), OVER).reason == "The first two are not out yet"
    assert game.judge(played(game, state, Out(seat=2), Out(seat=1)), OVER).ok


def test_a_scopa_counts_forty_cards() -> None:
    table = Table(2, cards={"taken.1": ("107",), "taken.2": ("10D",)}, sweeps=(0, 0))
    assert counted("scopa", score_of("scopa"), table).lacking == {"all": (1, 2)}


def test_a_yacht_is_over_when_every_box_is_filled() -> None:
    game, state = begun("yacht", 2)
    state = game.play(state, Roll(seat=1), (Rolled(place="dice", values=(6, 6, 3, 3, 6)),))
    state = game.play(state, Fill(seat=1, box="full"))
    assert game.judge(state, OVER).reason == "@1 has empty boxes. @2 has empty boxes"


@pytest.mark.parametrize("name", games.from_files())
def test_a_round_of_which_nobody_shows_anything_counts_nothing(name: str) -> None:
    game, state = begun(name, games.load(name).info.seats[1])
    state = game.play(state, OVER)
    assert set(scores(game, state)) == {0}


# --------------------------------------------------------------------------------------------------- sums that can't be


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((6, 6, 6, 6), "24 are counted: @1 typed 6, @2 typed 6, @3 typed 6 and @4 typed 6"),
        ((4,), "4 are counted: @1 typed 4, @2 took 0, @3 took 0 and @4 took 0"),
        ((0, 0, 0, 0), "0 are counted: @1 typed 0, @2 typed 0, @3 typed 0 and @4 typed 0"),
    ],
)
def test_tricks_that_do_not_come_to_the_hand_are_said_with_who_typed_them(counts: tuple[int, ...], words: str) -> None:
    game, state = begun("spades", 4)
    state = played(game, state, *bids(4, 3, 2, 3), *type_tricks(*counts))
    verdict = game.judge(state, OVER)
    assert (verdict.kind, verdict.reason) == ("inconsistent", f"There are 13 tricks in this round, and {words}")
    assert (words in game.view(state, 0).headline) == (len(counts) == 4), "who has typed nothing yet may still do so"
    assert not game.judge(game.play(state, Enter(seat=1, what="points", amount=1)), OVER).ok


def test_tricks_that_were_typed_do_not_close_a_round_with_those_that_were_seen() -> None:
    game, state = begun("oh-hell", 3)
    state = played(game, state, *[RoundOver(seat=1)] * 6, TurnUp(card="10D"), *bids(1, 0, 0), *type_tricks(1))
    state = played(game, state, *trick("102", "103", "104"), Gather())
    assert state.number == 7
    assert game.judge(state, OVER).reason.endswith("2 are counted: @1 typed 1, @2 took 0 and @3 took 1")
    assert played(game, state, *type_tricks(0), OVER).number == 8


def test_nobody_takes_or_bids_more_tricks_than_a_hand_has() -> None:
    game, state = begun("whist", 4)
    assert game.judge(state, Enter(seat=1, what="tricks", amount=30)).reason == "30 is not 0 to 13"
    game, state = begun("oh-hell", 3)
    state = played(game, state, *[RoundOver(seat=1)] * 6, TurnUp(card="10D"))
    assert game.judge(state, Say(seat=1, what="bid", amount=7)).reason == "7 is not 0 to 1"
    may = {one.name: one for one in game.view(state, 1).may}
    assert may["say-bid"].labels == ("0", "1")


def test_the_dealer_may_not_make_it_even_where_the_host_says_so() -> None:
    for chosen in (0, 1):
        game, state = begun("oh-hell", 3, uneven=chosen)
        state = played(game, state, TurnUp(card="10D"), *bids(3, 2))
        assert game.judge(state, Say(seat=3, what="bid", amount=2)).ok == (not chosen)
        assert game.judge(state, Say(seat=3, what="bid", amount=3)).ok
        may = {one.name: one for one in game.view(state, 3).may}
        assert ("2" in may["say-bid"].labels) == (not chosen)


@pytest.mark.parametrize(("own", "expected"), [(0, [-60, 63]), (1, [-139, 63])])
def test_the_tricks_of_a_failed_nil_help_the_partner_unless_the_host_says_no(own: int, expected: list[int]) -> None:
    game, state = begun("spades", 4, own=own)
    state = played(game, state, *bids(4, 3, 0, 3), *type_tricks(3, 4, 1, 5), OVER)
    assert scores(game, state)[:2] == expected


# -------------------------------------------------------------------------------------------------------------- at once


def cribbage_at(seats: int, *totals: int) -> tuple[FromFile, State]:
    """Begin the second round of a match with these points, which seat 1 deals."""
    game, state = begun("cribbage", seats)
    for seat, total in enumerate(totals, 1):
        state = played(game, state, *(Enter(seat=seat, what="points", amount=n) for n in (60, total - 60)))
    return game, game.play(state, OVER)


def test_heels_end_the_match_as_soon_as_the_starter_lies_there() -> None:
    game, state = cribbage_at(2, 119, 119)
    state = played(game, state, *lay(starter=("10B",)))
    assert state.outcome is not None
    assert (state.outcome.winners, scores(game, state)) == ((1,), [121, 119])


def test_heels_count_at_once_and_are_not_counted_again() -> None:
    game, state = cribbage_at(2, 100, 60)
    state = played(game, state, *lay(starter=("10B",)))
    assert scores(game, state) == [102, 60]
    rest = {"hand_1": ("102", "204", "306", "408"), "hand_2": ("202", "104", "406", "308"), "crib": SHOW["hand_1"]}
    state = played(game, state, *lay(**rest), OVER)
    assert dict(state.past[-1].blocks)["heels"] == (2, 0)


def test_who_counts_after_the_winner_counts_no_more() -> None:
    game, state = cribbage_at(2, 110, 110)
    zones = {"starter": ("205",), "hand_2": ("10A", "20A", "30A", "402"), "hand_1": ("105", "305", "405", "20B")}
    state = played(game, state, *lay(**zones, crib=("10B", "10C", "30C", "40C")), OVER)
    assert state.outcome is not None
    assert (state.outcome.winners, scores(game, state)) == ((2,), [110, 122])
    assert [part.name for part in game.standing(state).seats[0].parts] == ["round 2"]


def test_three_players_places_follow_the_order_of_the_show() -> None:
    game, state = cribbage_at(3, 118, 109, 112)
    zones = {"starter": ("205",), "hand_2": ("104", "204", "309", "40D"), "hand_3": ("10A", "20A", "30A", "402")}
    state = played(game, state, *lay(**zones, hand_1=("105", "305", "405", "20B"), crib=("10B", "10C", "30C", "40C")))
    state = game.play(state, OVER)
    assert state.outcome is not None
    assert (state.outcome.winners, scores(game, state)) == ((3,), [118, 113, 124])


# ------------------------------------------------------------------------------------------------------------ put right


def test_points_of_a_closed_round_are_put_right_and_what_came_since_stays() -> None:
    game, state = begun("hearts", 4)
    for amount in (20, 7):
        state = played(game, state, Enter(seat=2, what="points", amount=amount), OVER)
    state = game.play(state, Enter(seat=3, what="points", amount=4))
    state = game.correct(state, (Points(seat=2, round=1, points=2),))
    assert scores(game, state) == [0, 9, 4, 0]
    assert game.standing(state).rounds == ((0, 2, 0, 0), (0, 7, 0, 0))


def test_partners_have_what_is_put_right_together() -> None:
    game, state = begun("whist", 4)
    state = game.correct(game.play(state, OVER), (Points(seat=3, round=1, points=3),))
    assert scores(game, state) == [3, 0, 3, 0]


def test_a_match_goes_on_or_ends_as_the_round_that_is_put_right_has_it() -> None:
    game, state = begun("whist", 4)
    over = played(game, state, *type_tricks(11, 0, 2, 0), OVER)
    assert over.outcome is not None
    goes_on = game.correct(over, (Points(seat=1, round=1, points=2),))
    assert (goes_on.outcome, goes_on.number, goes_on.dealer) == (None, 2, 1)
    again = game.correct(goes_on, (Points(seat=2, round=1, points=6),))
    assert again.outcome is not None
    assert again.outcome.winners == (2, 4)


@pytest.mark.parametrize("edit", [Points(seat=1, round=2, points=1), Points(seat=9, round=1, points=1)])
def test_only_a_round_that_is_closed_is_put_right(edit: Points) -> None:
    game, state = begun("whist", 4)
    with pytest.raises(RuleError, match="is closed"):
        game.correct(game.play(state, OVER), (edit,))


def test_a_game_without_rounds_refuses_to_put_one_right() -> None:
    game = games.load("collectible")
    state = game.setup(2, {}, game.setup_type())
    with pytest.raises(RuleError, match="no rounds"):
        game.correct(state, (Points(seat=1, round=1, points=1),))


def test_a_round_is_put_right_by_a_line() -> None:
    session = Session(games.load("whist"), games.load_mat("whist", 4), 4, {})
    lines = ['{"setup": {}}', '{"action": {"type": "round-over", "seat": 1}}']
    lines += ['{"correct": [{"edit": "points", "seat": 1, "round": 1, "points": 3}]}', '{"ask": "standing"}']
    answers = [session.answer(line) for line in lines]
    assert answers[2] == b'{"ok":true,"record":2}'
    assert b'"rounds":[[3,0,3,0]]' in answers[3]
    assert b"does not fit" in session.answer('{"correct": [{"edit": "points"}]}')
