"""wiring.toml: the one that comes along is right, and clashes are told in plain sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from companion.devices.wiring import HEADER, Wiring, WiringError, load, parse, table
from companion.paths import data


def test_the_wiring_that_comes_along_has_everything_and_no_clash() -> None:
    wiring = load()
    assert [what for what, _ in wiring.pins()] == [
        "button next", "button page", "button undo", "buzzer", "LED turn", "LED attention",
    ]  # fmt: skip
    assert wiring.oled is not None
    assert (wiring.oled.type, wiring.oled.address) == ("ssd1306", 0x3C)
    plan = wiring.plan()
    assert plan.buttons == {"next": 17, "page": 27, "undo": 22}
    assert plan.outputs == {"buzzer": (18, "switch"), "turn": (23, "switch"), "attention": (24, "switch")}


def test_an_empty_file_means_that_nothing_is_wired() -> None:
    wiring = parse("")
    assert wiring == Wiring()
    assert wiring.pins() == ()


def test_a_passive_buzzer_is_a_tone() -> None:
    assert parse('[buzzer]\npin = 12\nkind = "passive"').plan().outputs == {"buzzer": (12, "tone")}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[buttons]\nnext = 17\nundo = 17", "The button undo and the button next can't both use GPIO 17."),
        ("[buzzer]\npin = 22\n[leds]\nturn = 22", "The LED turn and the buzzer can't both use GPIO 22."),
        ("[oled]\n[buttons]\nnext = 2", "The button next can't use GPIO 2: it is the data line of the OLED's I²C bus."),
        ("[oled]\n[leds]\nturn = 3", "The LED turn can't use GPIO 3: it is the clock line of the OLED's I²C bus."),
        ("[buttons]\npage = 28", "The button page can't use GPIO 28: the header has GPIO 2 to 27 only."),
        ("[buttons]\npage = -1", "The button page can't use GPIO -1: the header has GPIO 2 to 27 only."),
        ("[buzzer]\npin = 0", "The buzzer can't use GPIO 0: it is kept for the memory of add-on boards."),
        ('[oled]\ntype = "ssd9999"', "$.oled.type"),
        ("[oled]\naddress = 0x80", "$.oled.address"),
        ("[oled]\nrotate = 1", "$.oled.rotate"),
        ('[buttons]\nnext = "GPIO17"', "$.buttons.next"),
        ("[buttons]\nok = 17", "unknown field `ok`"),
        ("[buzzer]\nkind = 'active'", "missing required field `pin`"),
        ("[speaker]\npin = 4", "unknown field `speaker`"),
        ("[buttons\nnext = 17", "not proper TOML"),
    ],
)
def test_what_can_not_be_is_told(text: str, sentence: str) -> None:
    with pytest.raises(WiringError, match=re.escape(sentence)):
        parse(text)


def test_every_clash_is_told_at_once_with_the_pins_that_are_free() -> None:
    with pytest.raises(WiringError) as caught:
        parse("[oled]\n[buttons]\nnext = 2\npage = 40\nundo = 17\n[buzzer]\npin = 17")
    words = str(caught.value)
    assert words.count("can't") == 3
    free = re.search(r"free ones are ([\d, ]+)\.", words)
    assert free
    assert not {"2", "3", "17"} & set(free[1].split(", "))


def test_without_an_oled_its_pins_are_free() -> None:
    assert parse("[buttons]\nnext = 2").plan().buttons == {"next": 2}


def test_the_owners_wiring_lies_over_the_one_that_comes_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "firmware_config").mkdir()
    (tmp_path / "firmware_config" / "wiring.toml").write_text("[buttons]\nnext = 5\n")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert load().plan().buttons == {"next": 5}


def test_the_places_on_the_header_agree_with_gpiozeros_boards() -> None:
    board = MockFactory(revision="c03111").board_info  # a Pi 4
    places = {
        int(info.name.removeprefix("GPIO")): number
        for number, info in board.headers["J8"].pins.items()
        if info.name.startswith("GPIO")
    }
    assert {pin: places[pin] for pin in HEADER} == HEADER


def test_the_documentation_lists_every_wire_of_the_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "wiring.md").read_text()
    for part, where, place in table(load()):
        assert f"| {part} | {where} | {place} |" in page


def test_every_line_of_config_txt_is_explained_and_agrees_with_the_wiring() -> None:
    lines = data("firmware_config/config.txt").read_text().splitlines()
    settings = [n for n, line in enumerate(lines) if line and not line.startswith("#")]
    assert settings
    assert all(lines[n - 1].startswith("# ") for n in settings)
    text = "\n".join(lines)
    plan = load().plan()
    assert f"gpio={','.join(str(pin) for pin in sorted(plan.buttons.values()))}=ip,pu" in text
    assert f"gpio={plan.outputs['buzzer'][0]}=op,dl" in text
