"""The one place where a table is put together: camera, eye, match, devices and server; and, for the demo, robots."""

from __future__ import annotations

import logging
import random
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import cv2
import msgspec
import numpy as np

from companion import games
from companion.devices.cameras import Camera, open_camera
from companion.devices.desk_set import Devices, build
from companion.devices.doctor import own_address
from companion.devices.pages import Invitation
from companion.devices.pins import SimulatedBoard
from companion.devices.service import PermanentError
from companion.eye import overlay
from companion.eye.mat import Mat, Rect
from companion.eye.view import Frame, TableView, Trouble
from companion.parts import make_eye, simulated_camera
from companion.paths import state_dir
from companion.referee.commands import Command, Reply
from companion.referee.journal import Evidence, Header, Journal, JournalError, new_id, now
from companion.referee.match import Match
from companion.referee.referee import MODES
from companion.referee.snapshot import Snapshot
from companion.rules.cards import Card, Piece
from companion.rules.kernel import TABLE, Action, Game, Need, RuleError, Seat, name_seats
from companion.rules.layout import Zone
from companion.sim.faults import NONE, RESTLESS
from companion.sim.performance import LiveStage, Performance
from companion.sim.table import SimTable
from companion.sim.world import WORLDS

log = logging.getLogger(__name__)

WANTED = 6.0
"""Seconds that pictures go on being drawn after somebody last asked for one."""
BETWEEN_PICTURES = 0.4
"""Seconds between two pictures for the table page, at least."""


class TableError(Exception):
    """A table that can't be put together; the message says why and what to do."""


class NoCamera(Camera):
    """Stands in where a match is kept by phones alone."""

    live = False

    def frames(self) -> Iterator[Frame]:
        """Give none."""
        return iter(())


class Table:
    """A table with its camera. It is a `companion.server.desk.Desk`; `start` it, and `close` it."""

    simulated = False

    def __init__(
        self, game: Game[Any], mat: Mat, header: Header, journal: Journal | None, camera: Any, url: str
    ) -> None:
        """Put the parts together; `camera` has `frames()` and `close()`.

        Raises:
            TableError: if the set-up does not fit the game.
        """
        self.game = game
        self.mat = mat
        self.camera = camera
        self.join_url = url
        self.host_pin = f"{secrets.randbelow(10**6):06}"
        self.eye = make_eye(game, mat)
        try:
            self.match = Match(game, mat, header, journal, self._pictures)
        except RuleError as error:
            raise TableError(name_seats(f"{error}", {})) from None
        self.devices: Devices = build(invitation=Invitation(url))
        self.devices.on_button = self._on_button
        self._journal = journal
        self._cards = game.deck.by_piece()
        self._closed = threading.Event()
        self._frames = threading.Condition()
        self._frame_count = 0
        self._before: Frame | None = None
        self._after: Frame | None = None
        self._picture: bytes | None = None
        self._picture_version = 0
        self._asked_for_picture = 0.0
        self._trouble: Trouble | None = None
        self._threads = [
            threading.Thread(target=self._look, name="eye", daemon=True),
            threading.Thread(target=self._follow, name="devices", daemon=True),
        ]

    @property
    def buttons(self) -> tuple[str, ...]:
        """The buttons that the page offers where there are no real ones."""
        return ("next", "page", "undo") if isinstance(self.devices.board, SimulatedBoard) else ()

    def start(self) -> None:
        """Start the match, the devices and the camera."""
        self.match.start()
        self.devices.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop everything, in reverse order."""
        self._closed.set()
        self.camera.close()
        with self._frames:
            self._frames.notify_all()
        self.devices.close()
        self.match.close()
        if self._journal is not None:
            self._journal.close()

    # ------------------------------------------------------------------------------------------------- threads

    def _look(self) -> None:
        """Take frames, let the eye see them, hand its views to the match; a lost camera does not stop the match."""
        ticked = 0.0
        while not self._closed.is_set():
            try:
                for frame in self.camera.frames():
                    if self._trouble is not None:
                        self.tell_trouble(None)
                    view = self.eye.see(frame)
                    if view is not None:
                        if view.settled:
                            self._after = frame
                        self.match.see(view)
                    elif frame.time - ticked >= 1.0:
                        ticked = frame.time
                        self.match.tick(frame.time)
                    self._draw(view is not None)
                    with self._frames:
                        self._frame_count += 1
                        self._frames.notify_all()
                if not getattr(self.camera, "live", True):
                    return
            except PermanentError as error:
                self.tell_trouble(Trouble("camera-lost", f"{error}"))
                return
            except OSError as error:
                self.tell_trouble(Trouble("camera-lost", f"The camera gives no pictures: {error}"))
                self._closed.wait(0.1)

    def tell_trouble(self, trouble: Trouble | None) -> None:
        """Show that the camera is in trouble (None: no longer); the match waits for it without losing anything."""
        if trouble == self._trouble:
            return
        self._trouble = trouble
        if trouble is not None:
            log.warning("%s", trouble.words)
        last = self.eye.view or TableView(0, 0.0, ())
        troubles = (trouble,) if trouble is not None else ()
        self.match.see(msgspec.structs.replace(last, settled=False, troubles=troubles))

    def _draw(self, changed: bool) -> None:
        """Draw the table page's picture now and then, while somebody looks at it."""
        now_ = time.monotonic()
        if now_ - self._asked_for_picture > WANTED and self._picture is not None:
            return
        if (not changed and now_ - self._drawn < BETWEEN_PICTURES * 3) or now_ - self._drawn < BETWEEN_PICTURES:
            return
        picture = overlay.draw(self.eye, width=1152, labels=False)
        if picture is not None:
            self._drawn = now_
            self._picture = _jpeg(picture, 72)
            self._picture_version += 1

    _drawn = 0.0

    def _follow(self) -> None:
        """Show every snapshot on the devices."""
        version = -1
        while not self._closed.is_set():
            snapshot = self.match.wait(version, 1.0)
            if snapshot.version != version:
                version = snapshot.version
                self.devices.show(snapshot)

    def _on_button(self, press: str) -> None:
        command = self.devices.command(press)
        if command is not None:
            reply = self.command(command)
            if not reply.ok and reply.verdict is not None:
                self.devices.sound("violation")

    def _pictures(self, zones: frozenset[Zone]) -> tuple[bytes | None, bytes | None]:
        """Cut the zones that a record changed out of the pictures before and after it."""
        before, after = self._before, self._after
        self._before = after
        rects = [zone.rect for zone in self.mat.zones if zone.name in zones]
        return self._crop(before, rects), self._crop(after, rects)

    def _crop(self, frame: Frame | None, rects: list[Rect]) -> bytes | None:
        calibration = self.eye.calibration
        if frame is None or calibration is None or not rects:
            return None
        corners = np.array([(r.x + dx * r.w, r.y + dy * r.h) for r in rects for dx in (0, 1) for dy in (0, 1)])
        pixels = calibration.to_px(corners)
        high, wide = frame.gray.shape
        x0, y0 = (max(0, int(v) - 12) for v in pixels.min(axis=0))
        x1, y1 = min(wide, int(pixels[:, 0].max()) + 12), min(high, int(pixels[:, 1].max()) + 12)
        if x1 <= x0 or y1 <= y0:
            return None
        cut = frame.gray[y0:y1, x0:x1]
        scale = min(1.0, 520 / (x1 - x0))
        return _jpeg(cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), 75)

    def next_frame(self, timeout: float = 2.0) -> bool:
        """Wait for a frame to be seen; False once the table is closed."""
        with self._frames:
            count = self._frame_count
            while self._frame_count == count and not self._closed.is_set():
                self._frames.wait(timeout)
        return not self._closed.is_set()

    # ---------------------------------------------------------------------------------------------------- desk

    def snapshot(self) -> Snapshot:
        """Give the newest snapshot."""
        return self.match.snapshot

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a newer snapshot."""
        return self.match.wait(version, timeout)

    def command(self, command: Command) -> Reply:
        """Send a command to the match."""
        return self.match.command(command)

    def decode_action(self, raw: Any) -> Action:
        """Turn parsed JSON into an action of the game."""
        action: Action = msgspec.convert(raw, self.game.action_type)
        return action

    def upkeep(self) -> tuple[Action, ...]:
        """List what the table itself has to do now."""
        state = self.match.state
        return tuple(self.game.legal(state)) if self.game.actors(state) == (TABLE,) else ()

    def needs(self, action: Action) -> tuple[Need, ...]:
        """List the facts that an action waits for."""
        return self.game.needs(self.match.state, action)

    def card(self, piece: Piece) -> Card:
        """Find what is printed on a piece."""
        return self._cards[piece]

    def picture(self) -> bytes | None:
        """Give the last picture, and have more drawn for a while."""
        self._asked_for_picture = time.monotonic()
        return self._picture

    def picture_version(self) -> int:
        """Give the last picture's number."""
        return self._picture_version

    def oled_png(self) -> bytes | None:
        """Give what the OLED shows."""
        return self.devices.oled_png()

    def evidence(self, n: int) -> Evidence | None:
        """Tell why a record was understood so."""
        return self.match.evidence(n)

    def press(self, button: str) -> None:
        """Press a simulated button."""
        self.devices.press(button)

    def speed(self) -> float | None:
        """Nobody plays here but people."""
        return None

    def set_speed(self, speed: float) -> None:
        """Nobody plays here but people."""

    def seated(self, seat: Seat, person: bool) -> None:
        """Nobody steps aside here."""

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """The companion does not know what people hold."""
        return None


class DemoTable(Table):
    """The simulated table: robots play on it, photographed by the simulated camera; people may take their seats."""

    simulated = True

    def __init__(
        self, game: Game[Any], mat: Mat, journal: Journal | None, url: str, seed: int, speed: float, faults: bool
    ) -> None:
        """Deal a match for the number of seats that the mat is laid for."""
        self._rng = random.Random(seed)
        table = SimTable(seed)
        camera = simulated_camera(
            game, mat, table, faults=RESTLESS if faults else NONE, seed=seed, speed=max(0.05, speed)
        )
        camera.show_colour = True
        world = WORLDS[game.info.name](game, mat.seats, {}, self._rng)
        header = Header(
            id=new_id(),
            at=now(),
            game=game.info.name,
            seats=mat.seats,
            setup=msgspec.to_builtins(world.setup()),
            names=dict(enumerate(ROBOTS[: mat.seats], start=1)),
        )
        super().__init__(game, mat, header, journal, camera, url)
        stage = LiveStage(table, mat, self.next_frame, self._resting)
        self.performance = Performance(game, world, self.match, stage, self._rng)
        self._speed = speed
        self._threads.append(threading.Thread(target=self.performance.run, name="robots", daemon=True))

    def _resting(self) -> bool:
        return self.eye.view is not None and self.eye.view.settled

    def command(self, command: Command) -> Reply:
        """Send a command to the match, if a person's card is among those in the simulated hand."""
        checked = self.performance.checked(command)
        return checked if isinstance(checked, Reply) else super().command(checked)

    def speed(self) -> float | None:
        """Give how fast the robots play."""
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Make the robots play so fast; 0 lets them wait."""
        self._speed = min(8.0, max(0.0, speed))
        if self._speed > 0:
            self.camera.speed = self._speed
            self.performance.paused.clear()
        else:
            self.camera.speed = 1.0
            self.performance.paused.set()

    def seated(self, seat: Seat, person: bool) -> None:
        """Let a robot step aside for a person, or come back."""
        (self.performance.persons.add if person else self.performance.persons.discard)(seat)

    def hand(self, seat: Seat) -> tuple[Piece, ...] | None:
        """Give the simulated cards that a person's seat holds."""
        return self.performance.hand(seat) if seat in self.performance.persons else None


ROBOTS = ("Ada", "Bo", "Cleo", "Dag", "Eve", "Finn", "Gro", "Hal")
"""What the robots of the demo are called."""


def _jpeg(picture: Any, quality: int) -> bytes:
    """Pack a picture; RGB or gray."""
    if picture.ndim == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def join_url(host: str, port: int) -> str:
    """Give the address at which phones join: short, and in capitals for a small code."""
    address = (own_address() or "127.0.0.1") if host in ("0.0.0.0", "::") else host  # noqa: S104
    return f"HTTP://{address}/J" if port == 80 else f"HTTP://{address}:{port}/J"


def _journal() -> Journal:
    try:
        return Journal(state_dir())
    except JournalError as error:
        raise TableError(f"{error}") from None


def serve_table(
    game: Game[Any],
    seats: int,
    options: Mapping[str, int],
    camera: str | None,
    host: str,
    port: int,
    resume: str | None,
    mode: str,
) -> None:
    """Referee a real table until stopped. Without a camera named it is the first one, or in a ledger none.

    Raises:
        TableError: if there is no such mode. What turns out later (no journal, no camera, no match to resume) is said,
            and the process ends.
    """
    if mode not in MODES:
        raise TableError(f"there is no mode called {mode}; choose {', '.join(MODES)}")

    def make() -> Table:
        journal = _journal()
        header = Header(id=new_id(), at=now(), game=game.info.name, seats=seats, options=dict(options), mode=mode)
        if resume is not None:
            try:
                header = journal.header(resume)
            except JournalError as error:
                raise TableError(f"{error}") from None
        rules = game if header.game == game.info.name else games.load(header.game)
        mat = games.load_mat(header.game, header.seats)
        built: list[Table] = []

        def tell(trouble: Trouble | None) -> None:
            for table in built:
                table.tell_trouble(trouble)

        try:
            named = "0" if camera is None else camera
            eyes = NoCamera() if camera is None and header.mode == "ledger" else open_camera(named, tell)
        except PermanentError as error:
            raise TableError(f"{error}") from None
        built.append(Table(rules, mat, header, journal, eyes, join_url(host, port)))
        return built[0]

    _serve(make, host, port)


def serve_demo(game: Game[Any], seats: int, host: str, port: int, seed: int | None, speed: float, faults: bool) -> None:
    """Let robots play on the simulated table until stopped."""
    chosen = secrets.randbelow(10**6) if seed is None else seed

    def make() -> Table:
        mat = games.load_mat(game.info.name, seats)
        return DemoTable(game, mat, _journal(), join_url(host, port), chosen, speed, faults)

    _serve(make, host, port)


def _serve(make: Callable[[], Table], host: str, port: int) -> None:
    from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

    from companion.server.app import create_app
    from companion.server.serve import run

    def make_app() -> Any:
        try:
            table = make()
        except (TableError, games.GameError) as error:
            sentence = str(error)
            print(sentence[:1].upper() + sentence[1:], file=sys.stderr, flush=True)
            # The status by which gunicorn knows that starting again would not help.
            raise SystemExit(Arbiter.WORKER_BOOT_ERROR) from None
        table.start()
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
        print(f"The table is at http://{shown}:{port}/   (host PIN {table.host_pin})", flush=True)
        return create_app(table, key_file=state_dir() / "seats.json", close=table.close)

    run(make_app, host, port)
