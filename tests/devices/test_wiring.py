"""wiring.toml: the one that comes along is right, and clashes are told in plain sentences."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gpiozero.pins.mock import MockFactory
from typer.testing import CliRunner

from companion.cli.main import cli
from companion.devices.wiring import HEADER, Wiring, WiringError, config_txt, load, parse, table, wires
from companion.devices.wiring_diagram import draw
from companion.files import data


def test_the_wiring_that_comes_along_has_everything_and_no_clash() -> None:
    wiring = load()
    assert [what for what, _ in wiring.pins()] == [
        "button next",
        "button page",
        "button undo",
        "buzzer",
        "LED turn",
        "LED attention",
    ]
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
        ('[oled]\ntype = "ssd9999"', 'in [oled], type can be "ssd1306", "ssd1309" or "sh1106".'),
        ("[oled]\naddress = 0x80", "in [oled], address must be at most 119."),
        ("[oled]\nrotate = 1", "in [oled], rotate can be 0 or 2 (upside down)."),
        ('[buttons]\nnext = "GPIO17"', "in [buttons], next must be a whole number."),
        ("[buttons]\nok = 17", "in [buttons] there is no ok; there are: next, page, undo, hold_seconds."),
        ("[buzzer]\nkind = 'active'", "The buzzer needs its pin: say pin = 18"),
        ("[speaker]\npin = 4", "in the file there is no speaker; there are: oled, buttons, knob,"),
        ("[buttons\nnext = 17", "not proper TOML"),
        ("[oled]\nbus = 1", 'in [oled], bus can be "i2c" or "spi".'),
        ('[oled]\nbus = "spi"', "The OLED on SPI needs its DC line"),
        ("[oled]\ndc = 25", 'dc or reset, which belong to SPI: say bus = "spi", or leave them out.'),
        ('[oled]\nbus = "spi"\ndc = 9', "The OLED DC can't use GPIO 9: it is the data in line of the OLED's SPI bus."),
        ('[oled]\nbus = "spi"\ndc = 25\n[ring]\nleds = 16', "can't share the data line of the SPI bus"),
        ("[ring]\nleds = 16\n[buzzer]\npin = 7", "GPIO 7: it is the chip select 1 line of the LED ring's SPI bus."),
        ("[ring]\nleds = 16\nfirst = 17", "has 16 LEDs, so its first can't be number 17."),
        ("[ring]\nleds = 8\n[leds]\nseats = [5]", "leave out seats in [leds], or [ring]."),
        ("[ring]\nleds = 0", "in [ring], leds must be at least 1."),
        ("[leds]\nseats = [5, 6, 5]", "The LED seat 3 and the LED seat 1 can't both use GPIO 5."),
        ("[leds]\nseats = [4,5,6,7,8,9,10,11,12]", "in [leds], seats must have at most 8 entries."),
        ("[leds]\nseats = 5", "in [leds], seats must be a list of numbers ([5, 6, 13])."),
        ("[knob]\na = 6\nb = 13", "in [knob] the line press = … is missing."),
        ("[knob]\na = 6\nb = 6\npress = 19", "The knob B and the knob A can't both use GPIO 6."),
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


EVERYTHING = re.sub(r"^# (?=[\[a-z]+ ?[=\]])", "", data("firmware_config/wiring.toml").read_text(), flags=re.MULTILINE)
WITH_RING = re.sub(r"^(dc|reset|seats) = .*", "", EVERYTHING, flags=re.MULTILINE)
OVER_SPI = EVERYTHING.partition("[ring]")[0].replace('bus = "i2c"', 'bus = "spi"')


def test_what_the_file_offers_in_comments_can_be_switched_on() -> None:
    ring, over_spi = parse(WITH_RING), parse(OVER_SPI)
    assert ring.ring is not None
    assert ring.knob is not None
    assert over_spi.plan().buttons == {"next": 17, "page": 27, "undo": 22, "knob-a": 6, "knob-b": 13, "knob": 19}
    assert over_spi.plan().outputs == {
        "buzzer": (18, "switch"),
        "turn": (23, "switch"),
        "attention": (24, "switch"),
        "oled-dc": (25, "switch"),
        "oled-reset": (5, "switch"),
        "seat-1": (12, "switch"),
        "seat-2": (16, "switch"),
        "seat-3": (20, "switch"),
        "seat-4": (21, "switch"),
    }


def test_no_buzzer_is_no_buzzer() -> None:
    assert parse('[buzzer]\nkind = "none"').plan().outputs == {}
    assert parse('[buzzer]\npin = 18\nkind = "none"\n[leds]\nturn = 18').plan().outputs == {"turn": (18, "switch")}


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
    assert text + "\n" == config_txt(load())
    plan = load().plan()
    assert f"gpio={','.join(str(pin) for pin in sorted(plan.buttons.values()))}=ip,pu" in text
    assert f"gpio={plan.outputs['buzzer'][0]}=op,dl" in text


def test_config_txt_follows_the_wiring() -> None:
    over_spi = config_txt(parse(OVER_SPI))
    assert "dtparam=spi=on" in over_spi
    assert "i2c" not in over_spi
    assert "gpio=6,13,17,19,22,27=ip,pu" in over_spi
    ring = config_txt(parse(WITH_RING))
    assert "dtparam=spi=on" in ring
    assert "dtparam=i2c_arm=on" in ring
    assert "core_freq_min=500" in ring
    nothing = [line for line in config_txt(parse("")).splitlines() if line and not line.startswith("#")]
    assert nothing == ["camera_auto_detect=1", "dtparam=strict_gpiod"]


# --------------------------------------------------------------------------------------------------------- the drawing

SVG = "{http://www.w3.org/2000/svg}"
WIRINGS = {"as it comes": data("firmware_config/wiring.toml").read_text(), "spi": OVER_SPI, "ring": WITH_RING}


def test_the_drawing_in_the_docs_is_what_the_file_gives() -> None:
    assert (Path(__file__).parents[2] / "docs" / "images" / "wiring.svg").read_text() == draw(load())


def points(path: str) -> list[tuple[float, float]]:
    """List the corners of a path of M, L, H, V and Q."""
    x = y = 0.0
    found = []
    for letter, numbers in re.findall(r"([MLHVQ])([-\d. ]+)", path):
        at = [float(number) for number in numbers.split()]
        if letter == "H":
            x = at[0]
        elif letter == "V":
            y = at[0]
        else:
            x, y = at[-2:]
        found.append((x, y))
    return found


@pytest.mark.parametrize("name", list(WIRINGS))
def test_every_wire_goes_from_its_pin_to_its_part_in_a_colour_and_on_a_way_of_its_own(name: str) -> None:
    wiring = parse(WIRINGS[name])
    root = ElementTree.fromstring(draw(wiring))  # noqa: S314 - we made it
    every = [wire for wire in wires(wiring) if wire.place]
    lines = [
        (path.get("style"), points(path.get("d") or ""))
        for path in root.iter(f"{SVG}path")
        if path.get("class") == "wire"
    ]
    assert len(lines) == len(every)
    uprights: list[tuple[float, float, float]] = []
    for _, corners in lines:
        ups = [(x0, min(y0, y1), max(y0, y1)) for (x0, y0), (x1, y1) in pairwise(corners) if x0 == x1]
        for x, low, high in ups:
            assert all(x != other or high < a or low > b for other, a, b in uprights), "two wires lie on each other"
        uprights += ups
    ends = {(round(corners[-1][0]), round(corners[-1][1])) for _, corners in lines}
    assert len(ends) == len(every)
    said = {text.text for text in root.iter(f"{SVG}text")}
    assert {f"{wire.there} ({wire.place})" for wire in every} <= said
    assert not any("{" in (text or "") for text in said)
    # Nothing hangs out of the picture, and no part lies on another one.
    _, _, wide, high = map(float, (root.get("viewBox") or "").split())
    boxes = [
        tuple(float(rect.get(side) or 0) for side in ("x", "y", "width", "height"))
        for rect in root.iter(f"{SVG}rect")
        if rect.get("class") == "box"
    ]
    assert len(boxes) == len({wire.part for wire in every})
    for index, (x, y, w, h) in enumerate(boxes):
        assert 0 < x < x + w < wide
        assert 0 < y < y + h < high - 80
        assert all(x != a or y + h <= b or b + d <= y for a, b, _, d in boxes[:index])


def drawn_by(monkeypatch: pytest.MonkeyPatch, home: Path, *changes: tuple[str, str]) -> str:
    """Return the drawing with an owner's own parts: the file that comes along, changed."""
    own = home / "firmware_config" / "wiring.svg"
    own.parent.mkdir(exist_ok=True)
    text = data("firmware_config/wiring.svg").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    own.write_text(text)
    monkeypatch.setenv("COMPANION_DATA", str(home))
    return draw(parse(WIRINGS["as it comes"]))


def test_a_part_that_was_moved_in_an_editor_takes_its_wires_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert re.search(r'H264" ', draw(load()))
    part = '<g data-part="button next"'
    moved = drawn_by(monkeypatch, tmp_path, (part, part + ' transform="translate(-20,13)"'))
    # A wire of the button ends 20 to the left, 13 lower.
    assert re.search(r"[LQ] ?[-\d. ]+ 293.5H244\b", moved)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('data-pin="11"', "", 'has no data-pin="11": put it back.'),
        ('data-wire="OLED: SDA"', "", 'has no data-wire="OLED: SDA": put it back.'),
        ("</svg>", "", "firmware_config/wiring.svg is no SVG"),
    ],
)
def test_a_drawing_that_lacks_something_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, sentence: str
) -> None:
    with pytest.raises(WiringError, match=re.escape(sentence)):
        drawn_by(monkeypatch, tmp_path, (old, new))


def test_a_note_stands_with_its_part_only() -> None:
    assert "470 Ω" in draw(parse("[ring]\nleds = 16"))
    assert "short leg to ground" not in draw(parse("[ring]\nleds = 16"))
    assert "Buttons: no resistors" not in draw(parse("[ring]\nleds = 16"))


def test_the_command_lists_every_wire_draws_and_prints_config_txt(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["wiring", "--svg", str(tmp_path / "wiring.svg")])
    assert done.exit_code == 0
    assert "OLED: SDA                      GPIO 2     place 3" in done.stdout
    assert (tmp_path / "wiring.svg").read_text() == draw(load())
    (tmp_path / "own.toml").write_text(OVER_SPI)
    done = CliRunner().invoke(cli, ["wiring", "--config", "--file", str(tmp_path / "own.toml")])
    assert done.stdout == config_txt(parse(OVER_SPI))


def test_the_command_tells_what_can_not_be(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("[buttons]\nnext = 17\nundo = 17\n")
    done = CliRunner().invoke(cli, ["wiring", "--file", str(tmp_path / "own.toml")])
    assert done.exit_code == 2
    assert "The button undo and the button next can't both use GPIO 17." in done.stderr
    for words in (["--file", str(tmp_path / "none.toml")], ["--svg", str(tmp_path / "no" / "where.svg")]):
        done = CliRunner().invoke(cli, ["wiring", *words])
        assert done.exit_code == 2
        assert "can't be" in done.stderr
