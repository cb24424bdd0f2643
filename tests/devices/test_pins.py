"""Pins: gpiozero on its mock factory, the child under another Python for real, and children that misbehave."""

from __future__ import annotations

import importlib.machinery
import queue
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from companion.devices import pins, pins_child
from companion.devices.pins import ChildBoard, GpiozeroBoard, PinService, Plan, SimulatedBoard, find
from companion.devices.service import Backoff, DeviceError, PermanentError

from .test_oled import until

PLAN = Plan({"next": 17, "undo": 22}, {"buzzer": (18, "switch"), "turn": (23, "switch")})
CHILD = (sys.executable, "-I", str(Path(pins_child.__file__)))
Edges = list[tuple[str, bool, float]]


@pytest.fixture
def mock() -> Iterator[Callable[[type[MockPin]], MockFactory]]:
    """Put a mock factory in place of the pins, and whatever was there back afterwards."""
    saved = gpiozero.Device.pin_factory

    def make(pin_class: type[MockPin] = MockPin) -> MockFactory:
        gpiozero.Device.pin_factory = MockFactory(pin_class=pin_class)
        return gpiozero.Device.pin_factory

    yield make
    gpiozero.Device.pin_factory.reset()
    gpiozero.Device.pin_factory = saved


def test_a_button_pulls_its_pin_to_ground_and_tells_both_edges(mock: Callable[..., MockFactory]) -> None:
    factory, edges = mock(), []
    board = GpiozeroBoard()
    assert board.open(PLAN, lambda *edge: edges.append(edge)) == {}
    pin = factory.pin(17)
    assert pin.pull == "up"
    pin.drive_low()
    pin.drive_high()
    assert [edge[:2] for edge in edges] == [("next", True), ("next", False)]
    assert edges[0][2] <= edges[1][2]
    board.close()


def test_every_bounce_reaches_our_own_debouncing(mock: Callable[..., MockFactory]) -> None:
    factory, edges = mock(), []
    board = GpiozeroBoard()
    board.open(PLAN, lambda *edge: edges.append(edge))
    for _ in range(4):
        factory.pin(22).drive_low()
        factory.pin(22).drive_high()
    assert len(edges) == 8
    board.close()


def test_a_button_held_down_at_the_start_is_told(mock: Callable[..., MockFactory]) -> None:
    factory, edges = mock(), []
    factory.pin(17).pull = "down"
    board = GpiozeroBoard()
    # The mock pin keeps its level when the button sets the pull-up, as a real one held to ground does.
    factory.pin(17)._set_pull = lambda value: None
    factory.pin(17)._pull = "up"
    board.open(PLAN, lambda *edge: edges.append(edge))
    assert [edge[:2] for edge in edges] == [("next", True)]
    board.close()


def test_outputs_switch_their_pins_and_are_off_after_closing(mock: Callable[..., MockFactory]) -> None:
    factory = mock()
    board = GpiozeroBoard()
    board.open(PLAN, lambda *edge: None)
    buzzer = factory.pin(18)
    board.write("buzzer", 1760.0)
    assert buzzer.state
    board.write("buzzer", 0)
    assert not buzzer.state
    board.write("buzzer", 1)
    board.close()
    assert buzzer.function == "input"  # gpiozero lets a pin go by making it an input, which drives nothing


KEEPING = f"""
import runpy, sys, types
log = open(sys.argv[1], "w")
class Line:
    def __init__(self, pin): self.pin = pin
    def __setattr__(self, name, value):
        self.__dict__[name] = value
        if name == "value": print(self.pin, "high" if value else "low", file=log, flush=True)
    def close(self): print(self.pin, "let go", file=log, flush=True)
class Input(Line): is_pressed = False
class Device:
    pin_factory = None
    def ensure_pin_factory(): pass
sys.modules["gpiozero"] = types.SimpleNamespace(
    Device=Device, DigitalOutputDevice=Line, PWMOutputDevice=Line, Button=Input)
runpy.run_path({str(Path(pins_child.__file__))!r}, run_name="__main__")
"""
"""The child with pins that write down what happens to them; a Pi's keep their level when they are let go."""


@pytest.mark.parametrize("how", ["its parent is gone", "SIGTERM", "SIGINT"])
def test_outputs_are_low_before_they_are_let_go_however_the_child_ends(tmp_path: Path, how: str) -> None:
    command = [sys.executable, "-c", KEEPING, str(tmp_path / "log")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write('{"buttons": {"next": 17}, "outputs": {"led": [4, "switch"]}}\n{"write": ["led", 1]}\n')
        child.stdin.write('{"settle": 1}\n')
        child.stdin.flush()
        while "settled" not in child.stdout.readline():
            pass
        if how.startswith("SIG"):
            child.send_signal(getattr(signal, how))
        else:
            child.stdin.close()
        assert child.wait(20) == 0
    of_the_led = [line for line in (tmp_path / "log").read_text().splitlines() if line.startswith("4 ")]
    assert of_the_led == ["4 high", "4 low", "4 let go"]


def test_a_passive_buzzer_gets_its_tone(mock: Callable[..., MockFactory]) -> None:
    factory = mock(MockPWMPin)
    board = GpiozeroBoard()
    assert board.open(Plan({}, {"buzzer": (18, "tone")}), lambda *edge: None) == {}
    board.write("buzzer", 880.0)
    assert (factory.pin(18).frequency, factory.pin(18).state) == (880.0, 0.5)
    board.write("buzzer", 0)
    assert factory.pin(18).state == 0
    board.close()


def test_one_pin_that_can_not_be_used_does_not_take_the_others_along(mock: Callable[..., MockFactory]) -> None:
    factory = mock()
    board = GpiozeroBoard()
    faults = board.open(Plan({"next": 17}, {"buzzer": (18, "tone"), "turn": (23, "switch")}), lambda *edge: None)
    assert list(faults) == ["buzzer"]  # a plain mock pin can't do tones
    assert "pin 18" in faults["buzzer"]
    board.write("buzzer", 880)
    board.write("turn", 1)
    assert factory.pin(23).state
    board.close()


def test_no_pin_factory_is_a_permanent_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonesuch")
    with pytest.raises(PermanentError, match="nonesuch"):
        GpiozeroBoard().open(PLAN, lambda *edge: None)


# ----------------------------------------------------------------------------------------------------------- the child


def test_the_real_child_opens_pins_answers_and_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    board = ChildBoard(CHILD)
    assert board.open(PLAN, lambda *edge: None) == {}
    process = board._process
    assert process is not None
    board.write("turn", 1)
    board._send(ping=7)
    assert board._next() == {"pong": 7}
    board.close()
    assert process.returncode == 0


def test_a_line_that_something_waits_for_is_set_when_the_child_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The display's DC line must have its level before the bytes go out."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    service = PinService(ChildBoard(CHILD), PLAN, lambda *edge: None)
    with pytest.raises(DeviceError, match="not open"):
        service.set_now("turn", 1, patience=0.01)
    service.start()
    try:
        threads = [threading.Thread(target=service.set_now, args=("turn", n % 2)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert not any(thread.is_alive() for thread in threads)
        board = service.board
        assert isinstance(board, ChildBoard)
        assert board._asked == 8
        assert board._done.empty()
    finally:
        service.stop()
    with pytest.raises(DeviceError, match="not open"):
        service.set_now("turn", 1, patience=0.01)


def test_a_child_that_does_not_say_that_it_is_done_is_a_fault(tmp_path: Path) -> None:
    board = ChildBoard(fake(tmp_path, 'say(ready="x", faults={})\nsys.stdin.read()'))
    board.open(PLAN, lambda *edge: None)
    board._patience = 0.05
    with pytest.raises(DeviceError, match="did not answer"):
        board.settle()
    board.close()


def test_the_real_child_names_the_pin_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    board = ChildBoard(CHILD)
    faults = board.open(Plan({"next": 17}, {"buzzer": (18, "tone")}), lambda *edge: None)
    board.close()
    assert list(faults) == ["buzzer"]


def test_a_child_without_a_pin_factory_is_a_permanent_fault_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonesuch")
    board = ChildBoard(CHILD)
    with pytest.raises(PermanentError, match="install python3-gpiozero"):
        board.open(PLAN, lambda *edge: None)
    board.close()


def test_a_python_that_is_not_there_is_a_permanent_fault() -> None:
    with pytest.raises(PermanentError, match="can't be started"):
        ChildBoard(("/nonexistent/python3",)).open(PLAN, lambda *edge: None)


def fake(tmp_path: Path, body: str) -> tuple[str, ...]:
    """Write a child that misbehaves: `body` runs after the set-up line was read, with `say` to speak."""
    script = tmp_path / "child.py"
    script.write_text(
        "import json, sys, pathlib, signal\n"
        "def say(**m): print(json.dumps(m), flush=True)\n"
        "plan = json.loads(sys.stdin.readline())\n" + body
    )
    return (sys.executable, "-I", str(script))


def test_pins_whose_chip_comes_late_are_tried_again(tmp_path: Path) -> None:
    late = (
        "say(broken=\"error: 'can not open gpiochip'\", passes=not (pathlib.Path(__file__).parent / 'chip').exists())"
    )
    body = (
        f'if (pathlib.Path(__file__).parent / "chip").exists(): say(ready="x", faults={{}}); sys.stdin.read()\n{late}'
    )
    board = ChildBoard(fake(tmp_path, body))
    pins = PinService(board, PLAN, lambda *edge: None, backoff=Backoff(0.01))
    assert pins.attempt() < 1
    assert pins.health.state == "waiting"
    assert "group gpio" in pins.health.words
    (tmp_path / "chip").touch()
    pins.start()
    until(lambda: pins.running)
    pins.stop()


def test_what_only_a_person_can_mend_is_told_from_what_may_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = type("error", (Exception,), {"__module__": "lgpio"})
    none = type("BadPinFactory", (ImportError,), {})
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", types.ModuleType("lgpio"))
    sys.modules["lgpio"].__spec__ = importlib.machinery.ModuleSpec("lgpio", None)
    assert pins_child.passes(closed("can not open gpiochip"))
    assert pins_child.passes(PermissionError("/dev/gpiochip0"))
    assert pins_child.passes(none("Unable to load any default pin factory!"))
    assert not pins_child.passes(ModuleNotFoundError("gpiozero"))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonesuch")
    assert not pins_child.passes(none("Unable to find pin factory 'nonesuch'"))


def test_edges_come_through_the_pipe_with_their_times(tmp_path: Path) -> None:
    got: queue.Queue[tuple[str, bool, float]] = queue.Queue()
    body = 'say(ready="x", faults={})\nsay(edge=["next", True, 1.5])\nsay(edge=["next", False, 1.75])\nsys.stdin.read()'
    board = ChildBoard(fake(tmp_path, body))
    board.open(PLAN, lambda *edge: got.put(edge))
    assert [got.get(timeout=5), got.get(timeout=5)] == [("next", True, 1.5), ("next", False, 1.75)]
    board.close()


def test_nonsense_from_the_child_is_skipped(tmp_path: Path) -> None:
    got: queue.Queue[tuple[str, bool, float]] = queue.Queue()
    body = (
        'print("PinFactoryFallback: warning")\nsay(ready="x", faults={})\nprint("[1,2")\nprint(\'{"edge": [1]}\')\n'
        'say(edge=["undo", True, 2.0])\nsys.stdin.read()'
    )
    board = ChildBoard(fake(tmp_path, body))
    board.open(PLAN, lambda *edge: got.put(edge))
    assert got.get(timeout=5) == ("undo", True, 2.0)
    board.close()


def test_a_child_that_dies_is_started_again_and_the_lights_come_back(tmp_path: Path) -> None:
    # It dies once, after the first ping; the second time it lives and writes down what it is told.
    body = (
        f"mark = pathlib.Path({str(tmp_path / 'mark')!r}); told = pathlib.Path({str(tmp_path / 'told')!r})\n"
        "first = not mark.exists(); mark.touch()\n"
        'say(ready="x", faults={})\n'
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if first: print('Segmentation fault'); sys.exit(139)\n"
        "    if 'write' in m: told.open('a').write(line)\n"
        "    if 'ping' in m: say(pong=m['ping'])\n"
    )
    service = PinService(
        ChildBoard(fake(tmp_path, body), beat=0.05), PLAN, lambda *edge: None, backoff=Backoff(0.01, 0.05)
    )
    service.write("turn", 1)
    service.write("buzzer", 880, keep=False)
    service.start()
    try:
        until(lambda: (tmp_path / "told").exists() and service.running)
        assert service.health.failures >= 1
        assert (tmp_path / "told").read_text() == '{"write": ["turn", 1]}\n'
    finally:
        service.stop()


def test_why_a_child_ended_is_told(tmp_path: Path) -> None:
    board = ChildBoard(fake(tmp_path, "raise SystemExit('lgpio: chip is busy')"))
    with pytest.raises(DeviceError, match="status 1 lgpio: chip is busy"):
        board.open(PLAN, lambda *edge: None)
    board.close()


def test_a_child_that_hangs_is_noticed_and_ended(tmp_path: Path) -> None:
    board = ChildBoard(fake(tmp_path, 'say(ready="x", faults={})\nsys.stdin.close()\nsignal.pause()'), beat=0.01)
    board.open(PLAN, lambda *edge: None)
    board._patience = 0.05
    process = board._process
    with pytest.raises(DeviceError, match="did not answer"):
        board.watch(threading.Event())
    board.close()
    assert process is not None
    assert process.returncode == -9


# -------------------------------------------------------------------------------------------------------- the service


def test_what_was_written_before_the_board_is_open_is_set_when_it_is() -> None:
    board = SimulatedBoard()
    service = PinService(board, PLAN, lambda *edge: None)
    service.write("turn", 1)
    assert board.written == []
    service.setup()
    assert board.levels == {"buzzer": 0.0, "turn": 1}
    service.teardown()
    assert board.levels == {"buzzer": 0.0, "turn": 0.0}


def test_a_write_that_fails_does_not_reach_whoever_blinks() -> None:
    class Broken(SimulatedBoard):
        def write(self, name: str, value: float) -> None:
            raise DeviceError("gone")

    service = PinService(Broken(), PLAN, lambda *edge: None)
    service.setup()
    service.write("turn", 1)


def test_a_computer_that_is_no_pi_has_no_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.delenv("COMPANION_PINS", raising=False)
    monkeypatch.setattr(pins, "on_a_pi", lambda: False)
    assert find() is None


def test_a_pi_without_lgpio_in_this_python_uses_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.delenv("COMPANION_PINS", raising=False)
    monkeypatch.setattr(pins, "on_a_pi", lambda: True)
    monkeypatch.setattr(pins.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(pins, "SYSTEM_PYTHON", sys.executable)
    assert find() == "child"
    monkeypatch.setattr(pins.importlib.util, "find_spec", lambda name: object())
    assert find() == "gpiozero"


def test_the_owner_chooses_the_board_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_PINS", "child")
    assert find() == "child"
    monkeypatch.setenv("COMPANION_PINS", "wires")
    with pytest.raises(PermanentError, match="gpiozero, child, simulated"):
        find()


def test_the_child_imports_nothing_of_companion() -> None:
    source = Path(pins_child.__file__).read_text()
    assert "from companion" not in source
    assert "import companion" not in source
