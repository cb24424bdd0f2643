"""For the checks inside the virtual Pi: a webcam that the kernel knows, and what the program makes of its pictures."""

from __future__ import annotations

import fcntl
import html
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from companion import games
from companion.referee.journal_reader import read_only
from tests.deploy.virtual_pi.program import LOG, SLOW, STATE, Served, WrongError, serving, until
from tests.deploy.virtual_pi.shown import GAME, SEATS, SIZE, Course, Step

DEVICE = Path("/dev/video0")
S_FMT, G_FMT = 0xC0D05605, 0xC0D05604
"""VIDIOC_S_FMT and VIDIOC_G_FMT."""
CAPTURE, OUTPUT, PROGRESSIVE, SRGB = 1, 2, 1, 8
"""V4L2_BUF_TYPE_VIDEO_CAPTURE and _OUTPUT, V4L2_FIELD_NONE, V4L2_COLORSPACE_SRGB."""
REMOVE = ["rmmod", "v4l2loopback"]
MJPG = int.from_bytes(b"MJPG", "little")
LARGEST = 1 << 20
"""Bytes that a picture may have."""
EVERY, SELDOM = 0.5, 4.0
"""Seconds from one picture to the next: of a webcam whose pictures an emulated processor can do with, and a slow one's.
"""
PAUSE = 3.0
"""Seconds that an arrangement is shown of which nothing becomes a record."""
UNDERSTOOD = 4 * SLOW
"""Seconds in which a table is understood that was never seen before: the mat is looked for in all of the picture."""


class Webcam:
    """A webcam that sees one arrangement after another; it can be unplugged."""

    def __init__(self, kept: Path) -> None:
        """Have it; `kept` has its module and what it sees."""
        self._module = kept / "modules" / "v4l2loopback.ko"
        self._shown = kept / "begin" / "shown"
        self._pictures: list[bytes] = []
        self.every = EVERY
        """Seconds from one picture to the next."""
        self._feeding: threading.Thread | None = None
        self._unplugged = threading.Event()

    def show(self, number: str) -> None:
        """Have it see an arrangement from now on."""
        self._pictures = [path.read_bytes() for path in sorted(self._shown.glob(f"{number}-*.jpg"))]

    def plug(self) -> None:
        """Plug it in."""
        subprocess.run(["insmod", self._module, "video_nr=0", "exclusive_caps=0", "max_buffers=2"], check=True)
        until("the kernel has it", DEVICE.exists)
        self._unplugged.clear()
        self._feeding = threading.Thread(target=self._feed, daemon=True)
        self._feeding.start()

    def _feed(self) -> None:
        camera = os.open(DEVICE, os.O_RDWR)
        try:
            told = struct.pack("<I4xIIIIIIII", OUTPUT, *SIZE, MJPG, PROGRESSIVE, 0, LARGEST, SRGB, 0)
            fcntl.ioctl(camera, S_FMT, bytearray(told.ljust(208, b"\0")))
            for copy in itertools.count():
                os.write(camera, self._pictures[copy % len(self._pictures)])
                if self._unplugged.wait(self.every):
                    return
        finally:
            os.close(camera)

    def unplug(self) -> None:
        """Unplug it: its module goes as soon as nobody has it open any more, and its device with it."""
        self._unplugged.set()
        if self._feeding is not None:
            self._feeding.join()
            until("it is gone", lambda: not subprocess.call(REMOVE, stderr=subprocess.DEVNULL))
        self._feeding = None


class Watched:
    """A table with a webcam over it, and what happens there."""

    def __init__(self, served: Served, webcam: Webcam, course: Course) -> None:
        """Have it; the phones have their seats, one of them is the host's."""
        self.served, self.webcam, self.course = served, webcam, course
        cookies = [self._entered("/join", name=f"Player {seat}", seat=seat) for seat in range(1, SEATS + 1)]
        pin = re.search(r"host PIN (\d+)", LOG.read_text(errors="replace"))
        self._cookies = "; ".join([*cookies, self._entered("/host/enter", pin=pin[1] if pin else "")])

    def _entered(self, path: str, **form: object) -> str:
        """Send a form that leads to another page; return the cookies that come with that."""

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_: object) -> None:
                return None

        try:
            urllib.request.build_opener(Stay).open(
                f"http://127.0.0.1:8080{path}", urlencode(form).encode(), timeout=SLOW
            )
        except urllib.error.HTTPError as answer:
            if answer.code == 303:
                return "; ".join(cookie.split(";")[0] for cookie in answer.headers.get_all("Set-Cookie", []))
        raise WrongError(f"{path} does not let anybody in")

    def page(self, path: str) -> str:
        """Return a page as the host sees it."""
        asked = urllib.request.Request(f"http://127.0.0.1:8080{path}", headers={"Cookie": self._cookies})
        with urllib.request.urlopen(asked, timeout=SLOW) as answer:  # noqa: S310 (our own program)
            return str(answer.read().decode())

    def wish(self, wish: dict[str, object]) -> None:
        """Wish something on a phone.

        Raises:
            WrongError: if the table says no.
        """
        if wish["do"] == "answer":
            question = until("the question is asked", lambda: self.served.state()["question"])
            assert isinstance(question, dict)
            wish = {**wish, "question": question["id"]}
        headers = {"Cookie": self._cookies, "X-Companion": "1", "Content-Type": "application/json"}
        asked = urllib.request.Request("http://127.0.0.1:8080/command", json.dumps(wish).encode(), headers)
        try:
            urllib.request.urlopen(asked, timeout=SLOW).close()  # noqa: S310 (our own program)
        except urllib.error.HTTPError as answer:
            raise WrongError(f"{wish}: {answer.read()[:300]!r}") from None

    def take(self, step: Step, seconds: float = SLOW) -> float:
        """Have a step happen; return how long it took until it was understood.

        Raises:
            WrongError: if it was not.
        """
        began, before = time.monotonic(), self.served.record()
        if step.wish:
            self.wish(step.wish)
        else:
            self.webcam.show(step.shown)
            if step.records == before:
                time.sleep(PAUSE)
        until(f"record {step.records} is there", lambda: self.served.record() >= step.records, seconds)
        return time.monotonic() - began

    def troubles(self) -> list[str]:
        """Return what people are told to be wrong with the camera."""
        told = self.served.state()["troubles"]
        assert isinstance(told, list)
        return [one["words"] for one in told if one["kind"] == "camera-lost"]


def webcam_read(watched: Watched) -> str:
    """The webcam is opened in the size and kind that were asked for, and the table before it is understood."""
    told = bytearray(struct.pack("<I", CAPTURE).ljust(208, b"\0"))
    device = os.open(DEVICE, os.O_RDWR)
    fcntl.ioctl(device, G_FMT, told)
    os.close(device)
    width, height, kind = struct.unpack_from("<III", told, 8)
    if (width, height, kind) != (*SIZE, MJPG):
        raise WrongError(f"{width} × {height}, {kind:#x}")
    # The first arrangement is a mat with a deck: nothing to tell of yet.
    first = next(n for n, step in enumerate(watched.course.steps) if step.records)
    seconds = 0.0
    for step in watched.course.steps[: first + 1]:
        seconds += watched.take(step, UNDERSTOOD)
    if not watched.served.ask("/camera.jpg"):
        raise WrongError("there is no picture for people")
    del watched.course.steps[: first + 1]
    return f"{width} × {height}, MJPG; the first record after {seconds:.0f} s"


def webcam_codes(watched: Watched) -> str:
    """In the middle of the match the host's page has what lies there, and nothing else."""
    half = len(watched.course.steps) // 2
    taken = [watched.take(step) for step in watched.course.steps[:half]]
    lies = watched.course.steps[half - 1].lies
    del watched.course.steps[:half]

    def seen() -> bool:
        page = watched.page("/host/eye/now")
        found = re.findall(r"<li><span><b>(.*?)</b>", page[page.find("What lies there") :])
        titles = sorted(title for one in found if (title := html.unescape(one).lower()) != "a face-down card")
        return titles == sorted(title.lower() for title in lies)

    until(f"{lies} on the page", seen)
    return f"{len(lies)} cards by their titles, after {len(taken)} steps of {max(taken):.0f} s at most"


def webcam_match(watched: Watched) -> str:
    """Every arrangement that is shown becomes the record that it was, and so does every wish, to the end."""
    taken = [watched.take(step) for step in watched.course.steps]
    return f"{len(taken)} steps, {sum(taken) / len(taken):.1f} s each, {max(taken):.0f} s at most"


def webcam_slow(watched: Watched) -> str:
    """A webcam that gives a picture every four seconds is not taken for one that is gone."""
    watched.webcam.every = SELDOM
    end = time.monotonic() + 0.5 * SLOW
    while time.monotonic() < end:
        if told := watched.troubles():
            raise WrongError(f"{told}")
        time.sleep(1)
    watched.webcam.every = EVERY
    return f"no complaint in {0.5 * SLOW:.0f} s"


def webcam_unplugged(watched: Watched) -> str:
    """A webcam that is unplugged is told of; plugged in again, it is read as before."""
    watched.webcam.unplug()
    told = until("it is told", watched.troubles)
    watched.webcam.plug()
    until("nothing is wrong any more", lambda: not watched.troubles())
    assert isinstance(told, list)
    return f"{told[0]!r}, and back"


def webcam_records(watched: Watched) -> str:
    """The journal has the match as it was played, record by record."""
    watched.served.end()
    with read_only(STATE) as journal:
        (header,) = journal.matches()
        records = journal.records(header.id, games.load(GAME).action_type)
    actions = json.loads(msgspec.json.encode([(record.action, record.facts) for record in records]))
    if actions != watched.course.actions:
        raise WrongError(f"{actions}, not {watched.course.actions}")
    return f"{len(records)} records, as they were played"


@contextmanager
def watched(kept: Path) -> Iterator[Watched]:
    """Have a table with a webcam over it, at the beginning of a match that it watches."""
    shutil.rmtree(STATE, ignore_errors=True)
    shutil.copytree(kept / "begin" / "watched", STATE)
    course = msgspec.json.decode((kept / "begin" / "shown" / "course.json").read_bytes(), type=Course)
    webcam = Webcam(kept)
    webcam.show(course.steps[0].shown)
    webcam.plug()
    camera = f"device:0?width={SIZE[0]}&height={SIZE[1]}"
    try:
        with serving("--resume", "last", "--camera", camera) as served:
            yield Watched(served, webcam, course)
    finally:
        webcam.unplug()
