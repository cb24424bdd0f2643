"""What Home Assistant is told to find a table: one retained message of its sensors, and buttons if allowed."""

from __future__ import annotations

import msgspec

from companion.hall.messages import topic
from companion.text import plain
from companion.untyped import JsonObject

MOST_SEATS = 8
"""Seats that may have a score; those that the match has not are taken away."""
BUTTONS = {"next": "Done", "undo": "Undo"}
"""What a button sends on the topic `press`, which is the table's own button of that name, and what it is called."""
_OF_TURN = "(value_json.seats | selectattr('seat', 'eq', value_json.turn) | map(attribute='{}') | first)"


def discovery_topic(table: str) -> str:
    """Return the topic at which Home Assistant looks."""
    return f"homeassistant/device/companion-{table}/config"


def discovery(table: str, title: str, version: str, seats: int, buttons: bool) -> bytes:
    """Return the message for a table with so many seats."""
    state, own = topic(table, "snapshot"), f"companion-{table}"
    components: dict[str, JsonObject] = {}

    def add(name: str, platform: str, words: str, **more: str) -> None:
        components[name] = {
            "platform": platform,
            "name": words,
            "unique_id": f"{own}-{name}",
            "availability_topic": topic(table, "presence"),
            "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
            **more,
        }

    def sensor(name: str, words: str, value: str, **more: str) -> None:
        add(name, "sensor", words, state_topic=state, value_template=f"{{{{ {value} }}}}", **more)

    sensor("game", "Game", "value_json.title")
    sensor("phase", "Phase", "value_json.phase")
    sensor("turn", "Turn", f"{_OF_TURN.format('name')} | default('nobody')")
    sensor("colour", "Colour of the turn", f"{_OF_TURN.format('colour')} | default('none')")
    sensor("says", "Says", "value_json.text[:250]")
    sensor("bid", "Seconds for a bid", "value_json.clock or 0", unit_of_measurement="s", icon="mdi:timer-sand")
    sensor("roll", "Last roll", "(value_json.last_roll or []) | join(', ')", icon="mdi:dice-multiple")
    winners = "value_json.seats | selectattr('seat', 'in', value_json.winners) | map(attribute='name') | join(', ')"
    sensor("winners", "Winners", winners, icon="mdi:trophy")
    for seat in range(1, MOST_SEATS + 1):
        if seat <= seats:
            score = f"(value_json.seats | selectattr('seat', 'eq', {seat}) | map(attribute='score') | first)"
            sensor(f"score-{seat}", f"Score of seat {seat}", f"{score} | default(none)", state_class="measurement")
        else:
            components[f"score-{seat}"] = {"platform": "sensor"}
    add(
        "violation",
        "binary_sensor",
        "Against the rules",
        state_topic=state,
        device_class="problem",
        value_template="{{ 'ON' if value_json.violation else 'OFF' }}",
    )
    add(
        "call",
        "binary_sensor",
        "Calls the host",
        state_topic=topic(table, "call"),
        value_template="{{ 'ON' if value_json.open else 'OFF' }}",
    )
    for name, words in BUTTONS.items():
        if buttons:
            add(name, "button", words, command_topic=topic(table, "press"), payload_press=name)
        else:
            components[name] = {"platform": "button"}
    return msgspec.json.encode(
        {
            "device": {"identifiers": [own], "name": title, "manufacturer": "Companion", "sw_version": version},
            "origin": {"name": "companion", "sw_version": version},
            "components": components,
        },
        enc_hook=plain,
    )
