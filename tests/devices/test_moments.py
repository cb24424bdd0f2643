"""Dice and notices on the display: shown for a moment, over whatever is there, and gone by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.devices import device_manager, display_pages, moments
from companion.devices.device_manager import AGAIN, BRIEFLY, READING, Devices
from companion.devices.display_pages import Invitation
from companion.devices.oled import Oled
from companion.devices.pins import SimulatedBoard
from companion.devices.vitals import HealthIssue
from companion.devices.wiring import load
from companion.referee.colours import COLOURS
from companion.referee.snapshot import Dice, Snapshot, Throw, Violation

from .snapshots import LONG, snapshot

POWER = HealthIssue("power", "Weak power", "The Pi gets too little voltage.", "Use its own power supply.")
HEAT = HealthIssue("heat", "Too hot", "The Pi is at 83 °C and slows down.", "Give it air.")


def throw(*values: int, sides: int = 6, seat: int = 1, n: int = 7) -> Throw:
    return Throw(n=n, seat=seat, sides=sides, values=values, words="@1 rolls", by="companion")


def after(*throws: Throw, **more: object) -> Snapshot:
    return snapshot(dice=Dice(throws=throws), **more)


@pytest.fixture
def now() -> list[float]:
    return [1000.0]


@pytest.fixture
def desk(now: list[float]) -> Iterator[Devices]:
    made = Devices(Oled(), SimulatedBoard(), load(), Invitation("HTTP://X/J"), clock=lambda: now[0])
    made._follow(snapshot())
    yield made
    made.close()


def shows(desk: Devices, page: display_pages.Page) -> bool:
    return desk.oled.picture().tobytes() == page[0].tobytes()


def dark_pixels(page: display_pages.Page) -> int:
    """Count the dark pixels inside the lit dice, under the bar."""
    bits = np.asarray(page[0].convert("L"))[17:] > 0
    rows, columns = np.flatnonzero(bits.any(axis=1)), np.flatnonzero(bits.any(axis=0))
    return int((~bits[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]).sum())


def test_the_pips_of_a_die_are_as_many_as_its_value() -> None:
    counts = [dark_pixels(moments.dice(snapshot(), throw(value))) for value in range(1, 7)]
    corners = 2 * counts[0] - counts[1]
    pip = counts[1] - counts[0]
    assert counts == [corners + pip * value for value in range(1, 7)]
    assert pip > 40


@pytest.mark.parametrize("count", range(1, 13))
@pytest.mark.parametrize("sides", [6, 10, 20])
def test_up_to_twelve_dice_fit_and_every_value_changes_the_picture(count: int, sides: int) -> None:
    values = tuple((n * 3) % sides + 1 for n in range(count))
    page = moments.dice(snapshot(), throw(*values, sides=sides))
    assert len(page) == 1
    for index in range(count):
        other = (*values[:index], values[index] % sides + 1, *values[index + 1 :])
        assert moments.dice(snapshot(), throw(*other, sides=sides))[0].tobytes() != page[0].tobytes()


def test_more_dice_are_counted_and_long_names_fit() -> None:
    assert moments.dice(snapshot(), throw(*(6,) * 13))
    for seat, _ in enumerate(LONG, 1):
        assert moments.dice(snapshot(8), throw(3, 4, seat=seat))[0].size == (128, 64)
    assert moments.dice(snapshot(), throw(3, seat=0))[0].tobytes() != moments.dice(snapshot(), throw(3))[0].tobytes()


def test_only_dice_rolled_just_now_are_new() -> None:
    assert moments.rolled(snapshot(), after(throw(3))) == throw(3)
    assert moments.rolled(after(throw(3)), after(throw(3), version=2)) is None
    assert moments.rolled(None, after(throw(3))) is None  # a match gone on with
    assert moments.rolled(snapshot(), after(throw(3, n=5))) is None
    assert moments.rolled(after(throw(3)), snapshot()) is None


def test_dice_are_shown_for_a_moment_then_the_turn(desk: Devices, now: list[float]) -> None:
    rolled = after(throw(3, 5), waiting=(2,))
    desk._follow(rolled)
    assert shows(desk, moments.dice(rolled, throw(3, 5)))
    left = desk._beat()
    assert left == pytest.approx(READING)
    now[0] += READING
    assert desk._beat() is None
    assert shows(desk, display_pages.turn(rolled))


def test_what_people_have_to_act_on_comes_before_the_dice(desk: Devices) -> None:
    wrong = after(throw(3), violation=Violation("illegal", "F7", "No.", "Back."))
    desk._follow(wrong)
    assert shows(desk, display_pages.alert(wrong))
    desk._follow(after(throw(3), throw(4, n=7)))
    desk._follow(wrong)
    assert shows(desk, display_pages.alert(wrong))


def test_the_page_button_ends_a_notice_first(desk: Devices) -> None:
    desk._follow(after(throw(3)))
    desk._pressed("page")
    assert shows(desk, display_pages.turn(after(throw(3))))
    desk._pressed("page")
    assert shows(desk, display_pages.scores(after(throw(3))))


# --------------------------------------------------------------------------------------------------------------- sound


def test_holding_page_switches_the_sound_off_and_on_and_says_so(desk: Devices, now: list[float]) -> None:
    for muted in (True, False):
        desk._pressed("page:hold")
        assert desk.buzzer.muted is muted
        assert shows(desk, moments.sound(muted))
        now[0] += BRIEFLY
        desk._beat()
        assert shows(desk, display_pages.turn(snapshot()))
    assert moments.sound(True)[0].tobytes() != moments.sound(False)[0].tobytes()


def test_muting_twice_is_muting_once(desk: Devices) -> None:
    desk.mute(False)
    assert shows(desk, display_pages.turn(snapshot()))


# ------------------------------------------------------------------------------------------------------- the box itself


def test_a_health_issue_is_shown_once_and_not_again_for_an_hour(desk: Devices, now: list[float]) -> None:
    page = moments.notice(POWER.title, POWER.words, POWER.remedy)
    desk.tell((POWER,))
    assert shows(desk, page)
    assert desk.health_issues == (POWER,)
    now[0] += 60
    desk._beat()
    desk.tell(())
    desk.tell((POWER,))
    assert shows(desk, display_pages.turn(snapshot()))
    now[0] += AGAIN
    desk.tell(())
    desk.tell((POWER,))
    assert shows(desk, page)


def test_a_second_health_issue_is_news(desk: Devices, now: list[float]) -> None:
    desk.tell((POWER,))
    now[0] += 60
    desk.tell((POWER, HEAT))
    assert shows(desk, moments.notice(HEAT.title, HEAT.words, HEAT.remedy))


def test_a_box_is_asked_to_switch_off_by_its_own_system(
    desk: Devices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    desk._pressed("page:hold")
    desk._pressed("page:long")
    assert (tmp_path / "poweroff").exists()
    assert not desk.buzzer.muted
    assert shows(desk, moments.notice("Switching off", "Pull the plug when the Pi's green lamp stays dark."))


def test_any_other_computer_is_switched_off_by_its_owner(
    desk: Devices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert not device_manager.wish_power_off()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "gone"))
    assert not device_manager.wish_power_off()
    desk._pressed("page:long")
    assert shows(desk, moments.notice("Switch off", "Switch this computer off as you always do."))


def test_while_people_gather_the_display_invites(desk: Devices) -> None:
    desk._follow(snapshot(game="gathering", phase="over"))
    assert shows(desk, display_pages.join("HTTP://X/J"))


def test_who_sits_down_is_shown_for_a_moment_in_the_shape_of_the_seats_badge(desk: Devices, now: list[float]) -> None:
    named = snapshot(names={2: "Eve"}, colours={1: "blue", 2: "orange", 3: "green"})
    desk._follow(named)
    assert desk.oled.picture().tobytes() == moments.seated(named, 2)[0].tobytes()
    now[0] += BRIEFLY + 0.1
    desk._beat()
    assert desk.oled.picture().tobytes() != moments.seated(named, 2)[0].tobytes()
    shapes = {moments.seated(snapshot(colours={2: colour}), 2)[0].tobytes() for colour in COLOURS}
    assert len(shapes) == len(COLOURS)


def test_a_match_that_begins_with_its_names_is_nobody_sitting_down() -> None:
    assert moments.arrived(None, snapshot()) == 0
    assert moments.arrived(snapshot(match="other"), snapshot()) == 0
    assert moments.arrived(snapshot(), snapshot(names={1: "Ada", 2: "Bo"})) == 0
    assert moments.arrived(snapshot(), snapshot(names={3: "Eve"})) == 3
