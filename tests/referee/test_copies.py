"""Equal cards without codes: which copy lies where is a matter of the rules."""

import msgspec
import pytest

from companion import games
from companion.eye.view import Placement, TableView
from companion.referee.copies import bound
from companion.rules.hands import Hand

GAME = games.load("five-cards-collector")
ALIKE = tuple(sorted({tuple(sorted(group)) for group in GAME.components.copies.values() if len(group) > 1}))
FIRST, SECOND = next(group[:2] for group in ALIKE if group[0] in GAME.components.symbols)


def state_of(*discard, hand=(), unknown=5, seats=2):
    """Return the turn of seat 1, which may hold any card that is not known elsewhere."""
    goals = sorted(GAME.components.goals)[:seats]
    state = GAME.setup(seats, {}, GAME.setup_type(goals=tuple(goals), turned_up=(discard[0],)))
    first = msgspec.structs.replace(state.players[0], hand=Hand(frozenset(hand), unknown))
    unseen = state.unseen.difference(discard, hand)
    return msgspec.structs.replace(state, players=(first, *state.players[1:]), discard=discard, unseen=unseen)


def view_of(state, *cards, under=()):
    """Return a view of the goals that lie there, and of (piece, zone), the first laid lowest."""
    goals = [(player.goal, f"goal.{seat}") for seat, player in enumerate(state.players, 1)]

    def placed(some):
        return tuple(
            Placement(piece, frozenset("F"), zone, None, 100.0 * n, 100.0, 0.0, n)
            for n, (piece, zone) in enumerate(some, 1)
        )

    backs = [("000", "deck")]
    return TableView(1, 1.0, placed([*goals, *backs, *cards]), under=placed(under), alike=ALIKE)


def names(state, view, zone):
    return [placement.piece for placement in bound(GAME, state, view).placements if placement.zone == zone]


def other_than(*pieces, matching):
    """Return a card that may be laid on another and looks like none of some."""
    return min(
        GAME.components.matching[matching].pieces - frozenset().union(*(GAME.components.copies[p] for p in pieces))
    )


def test_what_lies_where_a_copy_should_lie_is_that_copy():
    state = state_of(FIRST)
    assert names(state, view_of(state, (SECOND, "discard")), "discard") == [FIRST]


def test_what_is_new_is_the_copy_that_can_have_come():
    other = other_than(FIRST, matching=FIRST)
    for known, laid in ((FIRST, SECOND), (SECOND, FIRST)):
        # One lies deep in the pile, so that it is the other that came from the hand, whatever the eye calls it.
        state = state_of(known, other)
        for called in (FIRST, SECOND):
            view = view_of(state, (called, "discard"), under=((other, "discard"),))
            assert names(state, view, "discard") == [laid]


def test_a_known_card_of_the_hand_goes_before_an_unknown_one():
    other = other_than(FIRST, matching=FIRST)
    state = state_of(other, hand=(SECOND,), unknown=0)
    view = view_of(state, (other, "discard"), (FIRST, "discard"))
    assert names(state, view, "discard") == [other, SECOND]


def test_a_known_card_of_the_hand_goes_before_an_unknown_one_that_it_may_hold_too():
    other = other_than(FIRST, matching=FIRST)
    state = state_of(other, hand=(SECOND,))
    view = view_of(state, (other, "discard"), (FIRST, "discard"))
    assert names(state, view, "discard") == [other, SECOND]


def test_with_codes_every_card_keeps_its_name():
    state = state_of(FIRST)
    view = msgspec.structs.replace(view_of(state, (SECOND, "discard")), alike=())
    assert bound(GAME, state, view) is view


@pytest.mark.parametrize("top", [FIRST, SECOND])
def test_a_card_that_shows_again_when_the_one_on_it_is_taken_is_not_a_new_one(top):
    other = other_than(FIRST, matching=FIRST)
    swap = min(piece for piece, effect in GAME.components.effect.items() if effect == "pile-swap")
    goals = tuple(sorted(GAME.components.goals)[:3])
    state = GAME.setup(3, {}, GAME.setup_type(goals=goals, turned_up=(FIRST,)))
    state = msgspec.structs.replace(
        state, discard=(top, other), unseen=state.unseen - {other, FIRST, SECOND} | {FIRST, SECOND} - {top}
    )
    view = view_of(state, (swap, "used"), (FIRST, "discard"), under=((other, "discard"),))
    assert names(state, view, "discard") == [top]


def test_what_shows_is_named_before_what_lay_under_it():
    state = state_of(other_than(FIRST, matching=FIRST))
    first = msgspec.structs.replace(state.players[0], collected=(FIRST,))
    state = msgspec.structs.replace(state, players=(first, state.players[1]), unseen=state.unseen - {FIRST})
    view = view_of(state, (SECOND, "collection.1"), under=((FIRST, "collection.1"),))
    assert names(state, view, "collection.1") == [FIRST]


def test_more_cards_than_copies_keep_the_names_that_the_eye_gave_them():
    state = state_of(other_than(FIRST, matching=FIRST))
    nowhere = [(piece, "table") for piece in (FIRST, SECOND, FIRST)]
    seen = names(state, view_of(state, *nowhere), "table")
    assert len(seen) == 3
    assert set(seen) <= set(GAME.components.copies[FIRST])
    assert {FIRST, SECOND} <= set(seen)


def test_a_card_that_is_laid_on_its_copy_is_known_by_the_place_that_it_left():
    special = min(piece for piece, effect in GAME.components.effect.items() if effect == "take-over")
    state = state_of(FIRST)
    first = msgspec.structs.replace(state.players[0], collected=(SECOND,))
    state = msgspec.structs.replace(
        state,
        players=(first, state.players[1]),
        unseen=state.unseen - {SECOND, special},
        phase="take-over",
        in_use=special,
    )
    both = view_of(state, (special, "used"), (FIRST, "discard"), (SECOND, "collection.1"))
    gone = view_of(state, (special, "used"), (FIRST, "discard"))
    assert names(state, both, "discard") == [FIRST]
    # A hand may still hold it.
    assert names(state, msgspec.structs.replace(gone, settled=False), "discard") == [FIRST]
    assert names(state, gone, "discard") == [SECOND]


def test_a_copy_that_was_believed_under_another_card_is_the_one_that_is_seen_elsewhere():
    special = min(piece for piece, effect in GAME.components.effect.items() if effect == "take-over")
    top = other_than(FIRST, matching=FIRST)
    state = state_of(FIRST, top)
    second = msgspec.structs.replace(state.players[1], collected=(SECOND,))
    state = msgspec.structs.replace(
        state,
        players=(state.players[0], second),
        unseen=state.unseen - {SECOND, special},
        phase="take-over",
        in_use=special,
    )
    taken = view_of(
        state, (special, "used"), (top, "discard"), (FIRST, "collection.1"), under=((SECOND, "collection.2"),)
    )
    assert names(state, taken, "collection.1") == [SECOND]
    assert bound(GAME, state, taken).under == ()


def test_a_card_that_is_taken_off_its_copy_is_known_by_what_else_was_laid():
    special = min(piece for piece, effect in GAME.components.effect.items() if effect == "pile-swap")
    state = state_of(FIRST, SECOND, seats=3)
    view = view_of(state, (SECOND, "discard"), (special, "used"))
    assert names(state, view, "discard") == [FIRST]
    # The hand that lays the special card may not have taken the other yet.
    assert names(state, msgspec.structs.replace(view, settled=False), "discard") == [SECOND]


def test_what_lay_under_the_top_of_a_pile_that_is_taken_is_no_new_card():
    top = other_than(FIRST, matching=FIRST)
    special = min(piece for piece, effect in GAME.components.effect.items() if effect == "retrieve")
    state = state_of(FIRST, top)
    state = msgspec.structs.replace(state, unseen=state.unseen - {special}, phase="retrieve", in_use=special)
    # The eye still believes the copy there, from before the pile was shuffled.
    view = view_of(state, (special, "used"), (FIRST, "discard"), under=((SECOND, "discard"), (top, "discard")))
    assert names(state, view, "discard") == [FIRST]
