"""What Home Assistant finds: its templates, read by Jinja as it reads them, say of real messages what they should."""

from __future__ import annotations

import json
from typing import Any

import jinja2
import msgspec
import pytest

from companion.appliance.home_assistant import MOST_SEATS, discovery, discovery_topic
from companion.hall.messages import Call, Presence, SeatView, Snapshot

SEATS = (SeatView(seat=1, name="Ada", colour="blue", score=3), SeatView(seat=2, name="Bo", colour="orange", score=5))
PLAYING = Snapshot(match="m", title="Collectors", phase="playing", turn=2, text="Bo bids.", seats=SEATS, clock=7.5)


def found(seats: int = 2, buttons: bool = False) -> dict[str, Any]:
    parts: dict[str, Any] = json.loads(discovery("t4", "Table 4", "0.1", seats, buttons))["components"]
    return parts


def shows(name: str, message: msgspec.Struct) -> str:
    value = json.loads(msgspec.json.encode(message))
    return jinja2.Template(found()[name]["value_template"]).render(value_json=value)


@pytest.mark.parametrize(
    ("name", "playing", "gathering"),
    [
        ("turn", "Bo", "nobody"),
        ("colour", "orange", "none"),
        ("phase", "playing", ""),
        ("bid", "7.5", "0"),
        ("roll", "", ""),
        ("score-1", "3", "None"),
        ("violation", "OFF", "OFF"),
        ("winners", "", ""),
        ("says", "Bo bids.", ""),
    ],
)
def test_a_sensor_says_what_is_played_and_bears_that_nothing_is(name: str, playing: str, gathering: str) -> None:
    assert shows(name, PLAYING) == playing
    assert shows(name, Snapshot()) == gathering


def test_what_ended_and_what_is_wrong_is_shown() -> None:
    over = msgspec.structs.replace(PLAYING, over=True, turn=None, winners=(1, 2), last_roll=(3, 5), violation="No.")
    assert shows("winners", over) == "Ada, Bo"
    assert shows("roll", over) == "3, 5"
    assert shows("violation", over) == "ON"
    assert shows("call", Call(open=True)) == "ON"
    online = found()["turn"]["availability_template"]
    assert jinja2.Template(online).render(value_json=msgspec.to_builtins(Presence(online=False))) == "offline"


def test_there_are_scores_for_the_seats_and_buttons_only_if_allowed() -> None:
    assert len([one for one in found(3) if one.startswith("score") and "state_topic" in found(3)[one]]) == 3
    assert found(3)[f"score-{MOST_SEATS}"] == {"platform": "sensor"}, "that takes it away"
    assert found()["undo"] == {"platform": "button"}
    assert found(buttons=True)["undo"]["command_topic"] == "companion/t4/press"
    assert discovery_topic("t4") == "homeassistant/device/companion-t4/config"
