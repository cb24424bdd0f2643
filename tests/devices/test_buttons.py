"""Buttons: debounced by time, long presses told apart, and what a press means."""

from __future__ import annotations

import queue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.buttons import Button, Buttons, meaning
from companion.referee.commands import Answer, Done, GoOn, Undo
from companion.referee.snapshot import Choice, Question, Violation

from .snapshots import snapshot


def feed(edges: list[tuple[float, bool]], until: float, settle: float = 0.025, hold: float = 1.0) -> list[str]:
    """Return the presses of a button that gets edges at times in ms and is looked at exactly when it is due."""
    button = Button("next", settle, hold)
    found: list[str] = []

    def look(now: float) -> None:
        while button.due() <= now:
            press = button.look(button.due())
            if press:
                found.append(press)

    for at, pressed in edges:
        look(at / 1000)
        button.edge(pressed, at / 1000)
    look(until / 1000)
    return found


def test_a_clean_press_is_one_press_when_it_is_let_go() -> None:
    assert feed([(0, True)], 900) == []
    assert feed([(0, True), (100, False)], 900) == ["next"]


def test_a_bouncing_contact_is_one_press() -> None:
    bounce = [(0, True), (2, False), (3, True), (7, False), (8, True)]
    release = [(150, False), (152, True), (153, False), (160, True), (161, False)]
    assert feed(bounce + release, 900) == ["next"]


def test_a_spike_on_a_long_wire_is_no_press() -> None:
    assert feed([(0, True), (4, False), (500, True), (510, False)], 2000) == []


def test_two_quick_presses_are_two() -> None:
    assert feed([(0, True), (60, False), (140, True), (200, False)], 900) == ["next", "next"]


def test_holding_is_told_while_still_held_and_the_release_adds_nothing() -> None:
    assert feed([(0, True)], 999) == []
    assert feed([(0, True)], 1000) == ["next:hold"]
    assert feed([(0, True), (5000, False)], 9000) == ["next:hold"]


def test_just_under_a_second_is_short() -> None:
    assert feed([(0, True), (970, False)], 2000) == ["next"]


def test_a_press_that_goes_on_is_told_once_more() -> None:
    button = Button("page", hold=1.0, long=6.0)
    button.edge(True, 0.0)
    assert [button.look(now) for now in (0.03, 1.0, 1.1, 5.9, 6.0, 99.0)] == [
        None,
        "page:hold",
        None,
        None,
        "page:long",
        None,
    ]
    button.edge(False, 100.0)
    assert button.look(101.0) is None


@given(st.lists(st.floats(0.1, 24.0), max_size=30).filter(lambda gaps: len(gaps) % 2 == 0))
def test_however_long_a_contact_bounces_it_is_one_press(gaps: list[float]) -> None:
    at, edges, pressed = 0.0, [(0.0, True)], True
    for gap in gaps:
        at, pressed = at + gap, not pressed
        edges.append((at, pressed))
    edges.append((at + 100, False))
    assert feed(edges, at + 5000, hold=10.0) == ["next"]


def test_edges_that_arrive_late_through_a_pipe_count_with_their_own_times() -> None:
    pressed: list[str] = []
    buttons = Buttons(pressed.append)
    buttons.setup()
    # All four arrive at once, long after they happened.
    for name, down, at in (("undo", True, 1.0), ("undo", False, 1.1), ("undo", True, 2.0), ("undo", False, 3.5)):
        buttons.take(name, down, at)
    buttons.look(10.0)
    assert pressed == ["undo", "undo:hold"]


def test_two_buttons_do_not_mix() -> None:
    pressed: list[str] = []
    buttons = Buttons(pressed.append)
    buttons.setup()
    for name, down, at in (("next", True, 0.0), ("page", True, 0.05), ("next", False, 0.2), ("page", False, 0.3)):
        buttons.take(name, down, at)
    buttons.look(1.0)
    assert pressed == ["next", "page"]


def test_a_spike_does_not_count_because_another_button_woke_us_meanwhile() -> None:
    pressed: list[str] = []
    buttons = Buttons(pressed.append)
    buttons.setup()
    edges = (("undo", True, 0.000), ("next", True, 0.002), ("undo", False, 0.004), ("page", True, 0.006))
    for name, down, at in edges:
        buttons.take(name, down, at)
    buttons.take("next", False, 0.2)
    buttons.take("page", False, 0.2)
    buttons.look(9.0)
    assert sorted(pressed) == ["next", "page"]


def test_the_service_takes_edges_and_whole_presses_in_order() -> None:
    pressed: queue.Queue[str] = queue.Queue()
    buttons = Buttons(pressed.put, settle=0.001, hold=0.05)
    buttons.start()
    try:
        buttons.press("undo:hold")
        assert pressed.get(timeout=5) == "undo:hold"
        buttons.edge("next", True, buttons._clock())
        assert pressed.get(timeout=5) == "next:hold"
    finally:
        buttons.stop()
    assert buttons.health.state == "off"


def test_a_listener_that_fails_does_not_take_the_buttons_along() -> None:
    pressed: queue.Queue[str] = queue.Queue()

    def listen(press: str) -> None:
        if press == "next":
            raise RuntimeError("the listener's own fault")
        pressed.put(press)

    buttons = Buttons(listen)
    buttons.start()
    try:
        buttons.press("next")
        buttons.press("page")
        assert pressed.get(timeout=5) == "page"
    finally:
        buttons.stop()


@pytest.mark.parametrize("name", ["", "power", "next:long", "hold"])
def test_a_button_that_is_not_there_is_refused_with_the_list(name: str) -> None:
    with pytest.raises(ValueError, match="knob:up, next, next:hold, page"):
        Buttons(print).press(name)


# ------------------------------------------------------------------------------------------------------------ meaning

QUESTION = Question("q7", "which", "Which?", (1,), (Choice("a", "This"), Choice("b", "That")))


def test_next_ends_the_turn() -> None:
    assert meaning("next", snapshot()) == Done(by="button", seat=0)


def test_next_answers_the_question_with_its_first_choice() -> None:
    assert meaning("next", snapshot(question=QUESTION)) == Answer(by="button", question="q7", choice="a", seat=0)


def test_next_does_not_wave_a_violation_through() -> None:
    assert meaning("next", snapshot(violation=Violation("illegal", "F7", "No.", "Back."))) is None


def test_undo_has_to_be_held() -> None:
    assert meaning("undo", snapshot()) is None
    assert meaning("undo:hold", snapshot()) == Undo(by="button", steps=1)


def test_undo_works_after_the_end_but_next_does_not() -> None:
    assert meaning("undo:hold", snapshot(phase="over")) == Undo(by="button")
    assert meaning("next", snapshot(phase="over")) is None


@pytest.mark.parametrize("phase", ["setting-up", "restoring"])
def test_going_on_from_here_has_to_be_held(phase: str) -> None:
    assert meaning("next", snapshot(phase=phase)) is None
    assert meaning("next:hold", snapshot(phase=phase)) == GoOn(by="button")


def test_holding_next_in_the_middle_of_a_game_does_nothing() -> None:
    assert meaning("next:hold", snapshot()) is None


@pytest.mark.parametrize("press", ["next", "page", "undo", "undo:hold"])
def test_without_a_match_no_press_asks_anything(press: str) -> None:
    assert meaning(press, None) is None


def test_turning_pages_asks_nothing_of_the_referee() -> None:
    assert meaning("page", snapshot()) is None
    assert meaning("page:hold", snapshot()) is None
