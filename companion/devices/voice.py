"""Says aloud, by espeak-ng if installed, what everybody in the room may know: each utterance a child process."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import msgspec

from companion.devices.canvas import Say, english
from companion.devices.service import Clock, DeviceError, PermanentError, Service
from companion.referee.aloud import BID, Line, aloud, news
from companion.referee.clock import LAST, Timer
from companion.referee.snapshot import Snapshot
from companion.text import join, sentence, t

PROGRAM = "espeak-ng"
LONGEST_S = 30.0
"""Seconds that an utterance may take: the longest ones take half of it."""
LOOK_S = 0.1
"""Seconds between looks at an utterance that is being spoken."""
WORDS_A_MINUTE = 150


class Speaking(Protocol):
    """An utterance that is being spoken; `subprocess.Popen` is one."""

    def poll(self) -> int | None:
        """Return None while it is spoken, then 0; another number if it could not be."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self) -> int:
        """Wait for its end."""


class Utterance(msgspec.Struct, frozen=True):
    """What is to be said, in a language ("de"). An `urgent` one interrupts what is being said."""

    words: str
    language: str
    urgent: bool = False


Speak = Callable[[Utterance], Speaking]
"""Begins to speak. It may raise an OSError."""


def installed() -> bool:
    """Return whether this computer can speak."""
    return shutil.which(PROGRAM) is not None


class _Espeak:
    """espeak-ng, speaking. Without a loudspeaker it says so, and ends as if all were well."""

    def __init__(self, utterance: Utterance) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it has ended)
        command = [PROGRAM, "-v", utterance.language, "-s", str(WORDS_A_MINUTE), "--stdin"]
        self._child = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._said
        )
        assert self._child.stdin is not None  # noqa: S101 (asked for)
        # A program that ends before it has read anything says by its code what is wrong, not by a broken pipe.
        with suppress(BrokenPipeError), self._child.stdin as words:
            words.write(utterance.words.encode())

    def poll(self) -> int | None:
        code = self._child.poll()
        if code is None:
            return None
        with self._said as said:
            said.seek(0)
            return code or int(b"error:" in said.read())

    def kill(self) -> None:
        self._child.kill()

    def wait(self) -> int:
        self._said.close()
        return self._child.wait()


class Voice(Service):
    """Speaks what is new, in its own thread. Only the newest utterance waits: an old one would come too late."""

    def __init__(self, speak: Speak = _Espeak, *, clock: Clock = time.monotonic) -> None:
        super().__init__("voice", clock=clock)
        self.level = 0
        self._speak = speak
        self._changed = threading.Condition()
        self._next: Utterance | None = None
        self._lines: tuple[Line, ...] | None = None
        self._timer: Timer | None = None
        self._warned: float | None = None
        self._say: Say = english
        self._language = "en"

    def set_level(self, level: int) -> None:
        """Set how much is said from now on, as `Line.level` counts; 0: nothing. A voice installed since is found."""
        if level == self.level:
            return
        with self._changed:
            self.level = level
            self._next = None
            self._changed.notify()
        if level:
            self.start()

    def hear(self, snapshot: Snapshot, say: Say = english, language: str = "") -> None:
        """Note what is new, to be said soon, and return at once; what the first snapshot shows is not new."""
        lines = aloud(snapshot)
        with self._changed:
            fresh = news(self._lines, lines, self.level)
            self._lines, self._timer = lines, snapshot.timer
            self._say, self._language = say, language or "en"
            if fresh:
                words = join(" ", (say(sentence(line.words)) for line in fresh))
                self._next = Utterance(words, self._language, any(line.kind == "wrong" for line in fresh))
            self._changed.notify()

    @property
    def waiting(self) -> Utterance | None:
        """What is to be said next."""
        return self._next

    def setup(self) -> None:
        """Drop what waited while it was off."""
        with self._changed:
            self._next = None

    def run(self) -> None:
        """Speak what comes, and of a bid's time that it runs out."""
        while not self.stopping.is_set():
            with self._changed:
                if self._next is None and not self.stopping.is_set():
                    self._changed.wait(self._before_last_seconds())
                if self._next is None and self._before_last_seconds() == 0:
                    self._warn()
                utterance, self._next = self._next, None
            if utterance is not None:
                self.utter(utterance)

    def utter(self, utterance: Utterance) -> None:
        """Speak to the end, unless interrupted by a mistake; raise DeviceError, permanent if nothing here can speak."""
        try:
            speaking = self._speak(utterance)
        except FileNotFoundError:
            raise PermanentError(
                t("The table can't speak: espeak-ng is not installed (sudo apt install espeak-ng).")
            ) from None
        except OSError as error:
            raise DeviceError(t("The table can't speak: {strerror}.", strerror=error.strerror)) from None
        end = self._clock() + LONGEST_S
        while (code := speaking.poll()) is None:
            late = self._clock() > end
            if late or self.stopping.is_set() or not self.level or self._interrupted():
                speaking.kill()
                speaking.wait()
                if late:
                    raise DeviceError(
                        t("The table's voice hung, and was ended: look after its loudspeaker (aplay -l).")
                    )
                return
            self.stopping.wait(LOOK_S)
        if code:
            raise DeviceError(t("The table can't speak: look whether a loudspeaker is connected (aplay -l)."))

    def wake(self) -> None:
        """Wake `run`."""
        with self._changed:
            self._changed.notify()

    def _interrupted(self) -> bool:
        with self._changed:
            return self._next is not None and self._next.urgent

    def _before_last_seconds(self) -> float | None:
        """Return the seconds until a bid's time becomes urgent; None if no time runs, or that was said."""
        timer = self._timer
        if timer is None or timer.ends is None or timer.ends == self._warned or self.level < BID:
            return None
        return max(0.0, timer.remaining(self._clock()) - LAST)

    def _warn(self) -> None:
        assert self._timer is not None  # noqa: S101 (its time runs)
        self._warned = self._timer.ends
        self._next = Utterance(self._say(t("{last:.0f} seconds left to bid.", last=LAST)), self._language)
