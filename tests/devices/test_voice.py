"""The box's own voice: what it says in every language, that nothing waits for it, and what it can't do said once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.appliance.settings import Settings, owner_for, write
from companion.bench.prepared import prepared
from companion.devices.service import DeviceError, PermanentError
from companion.devices.voice import LONGEST_S, Utterance, Voice, installed
from companion.referee.clock import Timer
from companion.referee.commands import Play
from companion.referee.snapshot import Snapshot, Violation
from companion.server.words.voice import say_in
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker
from companion.text import t
from tests.server.desks import snapshot, view
from tests.server.played import GAMES, PlayedDesk
from tests.waiting import until, within

WRONG = Violation("illegal", "4. Gameplay", t("it is the turn of {seat}", seat="Anna"), t("Take it back."))
ALL = 3


class Stub:
    """Speaks as long as it is told to, and remembers all."""

    def __init__(self, hangs: bool = False) -> None:
        self.said: list[Utterance] = []
        self.killed: list[Utterance] = []
        self.free = threading.Event()
        if not hangs:
            self.free.set()

    def __call__(self, utterance: Utterance) -> Stub.Speaking:
        self.said.append(utterance)
        return Stub.Speaking(self, utterance)

    class Speaking:
        def __init__(self, stub: Stub, utterance: Utterance) -> None:
            self.stub, self.utterance = stub, utterance

        def poll(self) -> int | None:
            return 0 if self.stub.free.is_set() else None

        def kill(self) -> None:
            self.stub.killed.append(self.utterance)

        def wait(self) -> int:
            return -9


def turn(name: str) -> Snapshot:
    return snapshot(views=(view(0, headline=f"It is the turn of {name}."), *snapshot().views[1:]))


def words(said: list[Utterance]) -> list[str]:
    return [one.words for one in said]


@pytest.fixture
def voice_of() -> Iterator[Callable[..., Voice]]:
    """Makes voices that speak in a thread, on the highest level, and have heard how a match stands."""
    made: list[Voice] = []

    def make(stub: Stub, level: int = ALL) -> Voice:
        voice = Voice(stub)
        made.append(voice)
        voice.set_level(level)
        until(lambda: voice.running)
        voice.hear(turn("Anna"))
        return voice

    yield make
    for voice in made:
        voice.stop()


@pytest.mark.night
@pytest.mark.parametrize("name", GAMES)
def test_in_every_language_it_says_what_is_no_secret(name: str) -> None:
    desk, tongues = PlayedDesk(name, 3), {}
    for language in ("en", "de", "sv"):
        tongues[language] = say_in(language), Voice(Stub()), Voice(Stub())
    said: dict[str, list[str]] = {language: [] for language in tongues}
    for _, *voices in tongues.values():
        for voice in voices:
            voice.level = ALL
    try:
        for _ in range(30):
            shown = desk.snapshot()
            # Nobody's own page: if anything of it was said, the other voice would say something else.
            public = msgspec.structs.replace(shown, views=shown.views[:1])
            for language, (tongue, voice, other) in tongues.items():
                voice.hear(shown, tongue, language)
                other.hear(public, tongue, language)
                assert voice.waiting == other.waiting
                if voice.waiting is not None:
                    assert voice.waiting.language == language
                    said[language].append(voice.waiting.words)
            if not desk.step():
                break
    finally:
        desk.close()
    assert len(set(said["en"])) > 10
    assert len(said["en"]) == len(said["de"]) == len(said["sv"])
    assert not set(said["en"]) & (set(said["de"]) | set(said["sv"]))


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", "It is the turn of Anna. Take it back."),
        ("de", "Anna ist dran. Nimm das zurück."),
        ("sv", "Det är Annas tur. Ta tillbaka det."),
    ],
)
def test_a_mistake_is_said_with_its_remedy(language: str, wanted: str, voice_of: Callable[..., Voice]) -> None:
    stub = Stub()
    voice = voice_of(stub, 1)
    wrong = msgspec.structs.replace(turn("Anna"), violation=WRONG)
    voice.hear(wrong, say_in(language), language)
    until(lambda: stub.said)
    assert stub.said == [Utterance(wanted, language, urgent=True)]


def test_what_waits_gives_way_to_what_is_newer(voice_of: Callable[..., Voice]) -> None:
    stub = Stub(hangs=True)
    voice = voice_of(stub)
    voice.hear(turn("Bo"))
    until(lambda: stub.said)
    for name in ("Cleo", "Dora", "Emil"):
        voice.hear(turn(name))
    stub.free.set()
    until(lambda: len(stub.said) == 2)
    assert words(stub.said) == ["It is the turn of Bo.", "It is the turn of Emil."]
    assert stub.killed == []


def test_a_mistake_interrupts(voice_of: Callable[..., Voice]) -> None:
    stub = Stub(hangs=True)
    voice = voice_of(stub)
    voice.hear(turn("Bo"))
    until(lambda: stub.said)
    voice.hear(msgspec.structs.replace(turn("Bo"), violation=WRONG))
    until(lambda: len(stub.said) == 2)
    assert words(stub.killed) == ["It is the turn of Bo."]
    assert stub.said[1].urgent


def test_switched_off_it_is_silent_at_once_and_later_does_not_tell_what_was(voice_of: Callable[..., Voice]) -> None:
    stub = Stub(hangs=True)
    voice = voice_of(stub)
    voice.hear(turn("Bo"))
    until(lambda: stub.said)
    voice.set_level(0)
    until(lambda: stub.killed)
    stub.free.set()
    voice.hear(turn("Cleo"))
    voice.set_level(ALL)
    assert voice.waiting is None
    voice.hear(turn("Dora"))
    until(lambda: len(stub.said) == 2)
    assert words(stub.said[1:]) == ["It is the turn of Dora."]


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", "5 seconds left to bid."),
        ("de", "Noch 5 Sekunden zum Bieten."),
        ("sv", "5 sekunder kvar att bjuda."),
    ],
)
def test_the_last_seconds_of_a_bid_are_said_once(language: str, wanted: str, voice_of: Callable[..., Voice]) -> None:
    stub = Stub()
    voice = voice_of(stub)
    now = turn("Anna")
    bid = msgspec.structs.replace(now, timer=Timer(seats=(1,), total=20, left=20, ends=time.monotonic()))
    for _ in range(3):
        voice.hear(bid, say_in(language), language)
    until(lambda: stub.said)
    voice.hear(turn("Bo"))
    until(lambda: len(stub.said) == 2)
    assert words(stub.said) == [wanted, "It is the turn of Bo."]


def test_a_voice_that_hangs_is_ended_and_said_in_one_sentence() -> None:
    stub = Stub(hangs=True)
    seconds = iter((0.0, LONGEST_S, LONGEST_S + 1))
    voice = Voice(stub, clock=lambda: next(seconds))
    voice.level = ALL
    with pytest.raises(DeviceError, match=r"hung, and was ended: look after its loudspeaker"):
        voice.utter(Utterance("Bo.", "en"))
    assert words(stub.killed) == ["Bo."]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What stands for espeak-ng, and does what a test writes into it."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    made = tmp_path / "espeak-ng"
    made.write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/asked\ncat >{tmp_path}/words\n', encoding="utf-8")
    made.chmod(0o755)
    return made


def real() -> Voice:
    voice = Voice()
    voice.level = ALL
    return voice


def test_words_go_to_the_program_in_its_language_and_never_as_an_option(program: Path) -> None:
    real().utter(Utterance("--help är på tur.", "sv"))
    assert (program.parent / "words").read_text(encoding="utf-8") == "--help är på tur."
    assert (program.parent / "asked").read_text(encoding="utf-8").split()[:2] == ["-v", "sv"]


@pytest.mark.parametrize("ends", ["exit 1", "kill -9 $$", "echo 'error: No such file or directory' >&2"])
def test_a_program_that_fails_is_a_sentence(ends: str, program: Path) -> None:
    program.write_text(f"#!/bin/sh\ncat >/dev/null\n{ends}\n", encoding="utf-8")
    with pytest.raises(DeviceError, match="look whether a loudspeaker is connected"):
        real().utter(Utterance("Bo.", "en"))


def test_a_program_that_ends_before_it_has_read_anything_is_the_same_sentence(program: Path) -> None:
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    more_than_a_pipe_takes = "word " * 100_000
    with pytest.raises(DeviceError, match="look whether a loudspeaker is connected"):
        real().utter(Utterance(more_than_a_pipe_takes, "en"))


def test_without_the_program_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not installed()
    with pytest.raises(PermanentError, match="sudo apt install espeak-ng"):
        real().utter(Utterance("Bo.", "en"))


@pytest.mark.night
def test_a_voice_that_could_not_speak_does_not_hold_up_who_tells_it(program: Path) -> None:
    program.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    voice = Voice()
    voice.set_level(ALL)
    voice.hear(turn("Anna"))
    for name in ("Bo", "Cleo") * 20:
        voice.hear(turn(name))
    voice.stop()
    assert voice.health.state == "off"


@pytest.mark.night
def test_a_table_speaks_as_its_settings_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    write(Settings(voice=1, language="sv"))
    game = games.load("five-cards-collector")
    header, steps = prepared(game, 3, 34)
    make_session = session_maker(game, games.load_mat(game.info.name, 3), None, NoCamera)
    table = Table(make_session, header, None, "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    stub = Stub()
    table.voice = Voice(stub)
    table.start()
    until(lambda: table.voice.running)
    for action, facts in steps:
        assert table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok
        if within(0.5, lambda: stub.said):
            break
    assert {one.language for one in stub.said} == {"sv"}
    assert "plats " in stub.said[0].words.lower()
    table.close()
    assert table.voice.health.state == "off"


def table_that_speaks() -> Table:
    """Return a table whose voice has something to say."""
    game = games.load("five-cards-collector")
    header, _ = prepared(game, 3, 34)
    make_session = session_maker(game, games.load_mat(game.info.name, 3), None, NoCamera)
    table = Table(make_session, header, None, "HTTP://10.42.0.1/J", owner_for=owner_for(False))
    table.voice.set_level(1)
    until(lambda: table.voice.running)
    table.voice.hear(turn("Anna"))
    table.voice.hear(turn("Bo"))
    return table


def test_a_table_says_of_its_voice_what_people_have_to_do_but_not_what_is_told_with_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("PATH", str(tmp_path))
    table = table_that_speaks()
    until(lambda: table.voice.health.state == "broken")
    assert "espeak-ng is not installed" in table.voice.health.words
    assert table.stopped() == ()
    table.close()


def test_a_table_says_that_its_voice_has_no_loudspeaker(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    table = table_that_speaks()
    until(table.stopped)
    assert table.stopped() == ("The table can't speak: look whether a loudspeaker is connected (aplay -l).",)
    table.close()
