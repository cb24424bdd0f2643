"""Sounds that can be told apart and muted; lights that say who is to move and what needs attention."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest

from companion.devices.buzzer import PATTERNS, Buzzer, heard
from companion.devices.lights import BLINKS, Lights, states
from companion.devices.pins import PinService, Plan, SimulatedBoard
from companion.eye.view import Trouble
from companion.referee.snapshot import Question, Violation
from companion.rules.kernel import Outcome, SeatStanding, Standing

from .snapshots import snapshot
from .test_oled import until

VIOLATION = Violation("illegal", "F7", "No.", "Back.")
QUESTION = Question("q1", "which", "Which?", (1,), ())
PLAN = Plan({}, {"buzzer": (18, "switch"), "turn": (23, "switch"), "attention": (24, "switch")})


def desk() -> tuple[PinService, SimulatedBoard]:
    board = SimulatedBoard()
    service = PinService(board, PLAN, lambda *edge: None)
    service.setup()
    return service, board


def rhythm(name: str) -> tuple[tuple[float, float], ...]:
    return tuple((on, off) for on, off, _ in PATTERNS[name])


# ------------------------------------------------------------------------------------------------------------- sounds


def test_a_pattern_is_played_note_by_note_with_its_times() -> None:
    service, board = desk()
    waits: list[tuple[float, float]] = []

    def wait(seconds: float) -> bool:
        waits.append((board.levels["buzzer"], seconds))
        return False

    Buzzer(service, wait=wait).sound("violation")
    assert waits == [(880.0, 0.35), (0, 0.12), (587.0, 0.5)]
    assert board.levels["buzzer"] == 0


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations(PATTERNS, 2)))
def test_any_two_sounds_differ_by_rhythm_alone(one: str, two: str) -> None:
    # An active buzzer has one pitch. Either the number of beeps differs, or their length does, by more than double.
    first, second = rhythm(one), rhythm(two)
    if len(first) == len(second):
        longer, shorter = sorted((sum(on for on, _ in first), sum(on for on, _ in second)), reverse=True)
        assert longer > 2 * shorter


def test_every_sound_is_over_within_two_seconds() -> None:
    for name in PATTERNS:
        assert sum(on + off for on, off in rhythm(name)) < 2.0


def test_muted_nothing_sounds_and_a_sounding_pattern_ends() -> None:
    service, board = desk()
    buzzer = Buzzer(service)

    def wait(seconds: float) -> bool:
        buzzer.mute(True)
        return False

    buzzer._wait = wait
    buzzer.sound("over")
    assert [value for _, value in board.written if value] == [1047.0]
    assert board.levels["buzzer"] == 0
    buzzer.play("over")
    assert buzzer._queue.empty()


def test_a_wait_that_is_broken_off_leaves_the_buzzer_silent() -> None:
    service, board = desk()

    def wait(seconds: float) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Buzzer(service, wait=wait).sound("turn")
    assert board.levels["buzzer"] == 0


def test_sounds_that_come_too_fast_are_dropped_not_saved_up() -> None:
    service, _ = desk()
    buzzer = Buzzer(service)
    for _ in range(50):
        buzzer.play("turn")
    assert buzzer._queue.qsize() <= 3


def test_an_unknown_sound_is_refused_with_the_list() -> None:
    with pytest.raises(ValueError, match="last-seconds"):
        Buzzer(desk()[0]).play("yodel")


def test_the_service_plays_and_stops() -> None:
    service, board = desk()
    buzzer = Buzzer(service)
    buzzer.start()
    until(lambda: buzzer.running)
    buzzer.play("click")
    until(lambda: ("buzzer", 0) in board.written)
    buzzer.stop()
    assert buzzer.health.state == "off"
    assert board.levels["buzzer"] == 0


@pytest.mark.parametrize(
    ("before", "after", "sound"),
    [
        (None, snapshot(), "turn"),
        (snapshot(), snapshot(), None),
        (snapshot(waiting=(1,)), snapshot(waiting=(2,)), "turn"),
        (snapshot(waiting=(1, 2)), snapshot(waiting=(2,)), None),
        (snapshot(), snapshot(violation=VIOLATION), "violation"),
        (snapshot(violation=VIOLATION), snapshot(violation=VIOLATION), None),
        (snapshot(violation=VIOLATION), snapshot(violation=Violation("illegal", "F8", "No!", "Back.")), "violation"),
        (snapshot(violation=VIOLATION), snapshot(), None),
        (snapshot(), snapshot(violation=msgspec.structs.replace(VIOLATION, quiet=True)), None),
        (snapshot(), snapshot(question=QUESTION), "question"),
        (snapshot(question=QUESTION), snapshot(question=QUESTION), None),
        (snapshot(waiting=(1,)), snapshot(waiting=(2,), violation=VIOLATION), "violation"),
        (snapshot(), snapshot(phase="over"), "over"),
        (None, snapshot(phase="over"), None),
        (snapshot(), snapshot(phase="restoring", waiting=(2,)), None),
        (snapshot(phase="setting-up"), snapshot(), "turn"),
    ],
)
def test_a_change_makes_the_most_urgent_sound_only(before: object, after: object, sound: str | None) -> None:
    assert heard(before, after) == sound  # type: ignore[arg-type]


def test_the_docs_have_a_table_of_all_sounds_with_their_rhythms() -> None:
    def sign(seconds: float) -> str:
        signs = ((0.05, "∙"), (0.15, "▪"), (0.3, "━"), (0.45, "━━"), (9, "━━━"))
        return next(sign for most, sign in signs if seconds < most)

    page = (Path(__file__).parents[2] / "docs" / "wiring.md").read_text()
    table = page.partition("| Sound | Rhythm | Means |")[2].partition("\n\n")[0]
    told = [row.split("|")[2].strip() for row in table.splitlines()[2:]]
    assert sorted(told) == sorted(" ".join(sign(on) for on, _, _ in notes) for notes in PATTERNS.values())


# ------------------------------------------------------------------------------------------------------------- lights


@pytest.mark.parametrize(
    ("now", "turn", "attention"),
    [
        (None, "off", "off"),
        (snapshot(), "on", "off"),
        (snapshot(waiting=()), "off", "off"),
        (snapshot(waiting=(0,)), "off", "off"),
        (snapshot(owed=("Draw a card",)), "slow", "off"),
        (snapshot(violation=VIOLATION, question=QUESTION), "on", "fast"),
        (snapshot(question=QUESTION), "on", "on"),
        (snapshot(troubles=(Trouble("dark", "Too dark."),)), "on", "slow"),
        (snapshot(phase="over", violation=VIOLATION), "off", "off"),
    ],
)
def test_lights_say_who_is_to_move_and_what_needs_attention(now: object, turn: str, attention: str) -> None:
    found = states(now)  # type: ignore[arg-type]
    assert (found["turn"], found["attention"]) == (turn, attention)


OVER = Standing((SeatStanding(1, 5), SeatStanding(2, 1), SeatStanding(3, 0)), Outcome((1,), "goal", "F7", "Won."))


@pytest.mark.parametrize(
    ("now", "seats"),
    [
        (None, "---"),
        (snapshot(), "+--"),
        (snapshot(waiting=(2, 3)), "-++"),
        (snapshot(violation=VIOLATION), "!!!"),
        (snapshot(question=QUESTION), "~--"),
        (snapshot(question=msgspec.structs.replace(QUESTION, seats=())), "~~~"),
        (snapshot(phase="over", standing=OVER), "~--"),
    ],
)
def test_the_led_of_every_seat_says_whose_turn_it_is_wherever_one_sits(now: object, seats: str) -> None:
    found = states(now)  # type: ignore[arg-type]
    signs = {"off": "-", "on": "+", "fast": "!", "slow": "~"}
    assert "".join(signs[found[f"seat-{seat}"]] for seat in (1, 2, 3)) == seats
    assert {found[f"seat-{seat}"] for seat in range(4, 9)} == {"off"}


def test_a_blink_has_two_halves_and_steady_lights_need_no_waking() -> None:
    service, board = desk()
    lights = Lights(service)
    assert lights.step({"turn": "on", "attention": "off"}, True) is None
    assert board.levels == {"buzzer": 0.0, "turn": 1.0, "attention": 0.0}
    assert lights.step({"turn": "on", "attention": "fast"}, True) == BLINKS["fast"][0]
    assert board.levels["attention"] == 1.0
    assert lights.step({"turn": "on", "attention": "fast"}, False) == BLINKS["fast"][1]
    assert board.levels["attention"] == 0.0
    assert board.levels["turn"] == 1.0


def test_one_light_shows_attention_before_the_turn() -> None:
    lights = Lights(desk()[0], ("turn",))
    lights.show({"turn": "on", "attention": "fast"})
    assert lights._states == {"turn": "fast"}
    lights.show({"turn": "on", "attention": "off"})
    assert lights._states == {"turn": "on"}


def test_the_service_follows_changes_blinks_and_leaves_the_lights_off() -> None:
    service, board = desk()
    lights = Lights(service)
    lights.start()
    lights.show({"turn": "on", "attention": "off"})
    until(lambda: board.levels["turn"] == 1.0)
    lights.show({"turn": "off", "attention": "fast"})
    until(lambda: [value for name, value in board.written if name == "attention"].count(1.0) >= 2)
    lights.stop()
    assert board.levels == {"buzzer": 0.0, "turn": 0.0, "attention": 0.0}
