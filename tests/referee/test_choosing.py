"""While somebody has to choose cards that go face down, that is what the match is shown to wait for."""

from __future__ import annotations

import msgspec
import pytest

from companion.devices import display_pages
from companion.referee.choosing import with_choices
from tests.server.desks import snapshot, view


def test_whoever_chooses_is_due_before_all_others() -> None:
    plain = snapshot(3)
    shown = with_choices(plain, {2: 2, 3: 0})
    public, first, second, third = shown.views
    assert (public.waiting, public.headline) == ((2,), f"{plain.names[2]} chooses 2 cards")
    assert (second.call, second.waiting, second.coach) == ("Choose 2 cards that go face down", (2,), "")
    assert (third.waiting, third.headline) == (public.waiting, public.headline)
    assert first == plain.views[1]  # may act besides


def test_a_person_who_is_due_by_the_rules_keeps_the_call() -> None:
    plain = snapshot(3)
    due = msgspec.structs.replace(view(3), waiting=(3,), call="Place a bottle")
    plain = msgspec.structs.replace(plain, views=(*plain.views[:3], due))
    shown = with_choices(plain, {2: 1})
    assert shown.views[3] == due
    assert shown.views[0].headline == f"{plain.names[2]} chooses a card"


@pytest.mark.parametrize(
    ("left", "words"),
    [
        ({1: 1, 2: 2}, "{1} and {2} choose cards"),
        ({1: 1, 2: 2, 3: 1}, "{1}, {2} and {3} choose cards"),
        ({1: 1, 2: 2, 3: 1, 4: 1}, "4 players choose cards"),
    ],
)
def test_several_who_choose_are_named_while_there_are_few(left: dict[int, int], words: str) -> None:
    plain = snapshot(4)
    names = ["", *(plain.names.get(seat, f"Seat {seat}") for seat in range(1, 5))]
    assert with_choices(plain, left).views[0].headline == words.format(*names)


def test_nothing_is_changed_where_nobody_chooses_or_the_match_is_over() -> None:
    plain = snapshot(3)
    assert with_choices(plain, {1: 0}) is plain
    over = msgspec.structs.replace(plain, phase="over")
    assert with_choices(over, {1: 1}) is over


def test_the_little_screen_says_it_too() -> None:
    shown = with_choices(snapshot(3), {2: 2})
    assert display_pages._awaited(shown, (2,), str) == "chooses 2 cards"
