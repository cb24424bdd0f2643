"""Desks for the server's tests: one with a real match and a drawn camera; one that shows what it is told."""

from __future__ import annotations

import io
import threading
import time
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image, ImageDraw

from companion import games
from companion.eye.mat import Mat
from companion.referee.clock import GRACE
from companion.referee.commands import Command, Play, Reply
from companion.referee.course import Course, course
from companion.referee.journal import Evidence, Header, Journal, new_id, now
from companion.referee.match import Match
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.referee.snapshot import LogLine, Snapshot
from companion.rules.kernel import (
    LEGAL,
    Action,
    May,
    Need,
    Outcome,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    View,
    illegal,
)
from companion.server.hall_api import HallDesk
from companion.server.table_api import ServedError
from companion.table.print_queue import Printed
from tests.referee.bidding import GAME as GAME_OF_BIDS
from tests.referee.bidding import until_bidding
from tests.referee.rolling import GAME as GAME_OF_DICE
from tests.referee.rolling import until_roll

GAME = "five-cards-collector"
DECK = games.load_deck(GAME).by_piece()
NAMES = {1: "Anna", 2: "Bo", 3: "Cleo", 4: "Dan", 5: "Eva", 6: "Finn", 7: "Gro", 8: "Hal"}
PIN = "482913"


def picture(words: str, size: tuple[int, int], kind: str) -> bytes:
    """Draw a picture that says something."""
    image = Image.new("RGB", size, "#1d4d40")
    ImageDraw.Draw(image).text((12, 12), words, fill="white", font_size=size[1] // 8)
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


class Unprinted(Printed):
    """Takes orders and prints nothing: all of a deck's sheets take most of a minute."""

    def _work(self, game: str, paper: str) -> None:
        """Leave them to be made."""


class _Furniture:
    """What both desks have beside a match."""

    join_url = "HTTP://10.42.0.1:8000/J"
    host_pin = PIN
    simulated = False
    page_buttons: tuple[str, ...] = ()
    cards: Any = DECK
    sandbox: Any = None
    preparing: Any = ()
    lays: frozenset[str] = frozenset()
    guide: Any = None
    sight: Any = None
    prints: Any = Unprinted()
    matches: Any = None
    phone: Any = None
    aiming: Any = None
    owner: Any = None
    maker: Any = None

    def __init__(self) -> None:
        # It is all of its parts itself.
        self.session = self.devices = self.stand_ins = self.next_match = self.camera_loop = self.match = self
        self.hall = HallDesk()
        self.shot = 1
        self.pressed: list[str] = []
        self.sat: list[tuple[Seat, bool]] = []
        self.robots_there: dict[Seat, str] = {}
        self.thinking: list[Seat] = []
        self.pace: float | None = None
        self.people: frozenset[Seat] = frozenset()
        self.muted: bool | None = None
        self.ills: tuple[str, ...] = ()
        self.soon, self.when = "", 0.0
        self.stood: tuple[str, ...] = ()
        self.hands: dict[Seat, tuple[str, ...]] = {}
        self.plays: dict[Seat, str] = {}
        self.reasons: dict[int, str] = {}
        self.why: dict[int, Evidence] = {}

    @cached_property
    def mat(self) -> Mat:
        seen: Snapshot = self.snapshot()  # type: ignore[attr-defined]
        return games.load_mat(seen.game, max(2, seen.seats))

    def clock(self) -> float:
        return time.monotonic()

    def want_pictures(self) -> None:
        pass

    def picture(self, small: bool = False) -> bytes | None:
        return picture(f"camera {self.shot}", (960, 540), "JPEG")

    @property
    def picture_version(self) -> int:
        return self.shot

    def oled_png(self) -> bytes | None:
        return picture(f"oled {self.shot}", (128, 64), "PNG")

    def evidence(self, n: int) -> Evidence | None:
        return self.why.get(n)

    def debrief(self) -> bytes:
        return b"%PDF-1.3 a few pages"

    def press(self, button: str) -> None:
        self.pressed.append(button)

    def mute(self, muted: bool) -> None:
        self.muted = muted

    def health_sentences(self) -> tuple[str, ...]:
        return self.ills

    def stopped(self) -> tuple[str, ...]:
        return self.stood

    def speed(self) -> float | None:
        return self.pace

    def set_speed(self, speed: float) -> None:
        self.pace = speed

    def levels(self) -> dict[Seat, str]:
        return self.plays

    def set_level(self, seat: Seat, level: str) -> None:
        self.plays[seat] = level

    def reason(self, n: int) -> str:
        return self.reasons.get(n, "")

    def advice(self, seat: Seat) -> str:
        if not self.simulated:
            raise ServedError("Not here.")
        return f"A robot would do this: @{seat} draws."

    def awaited(self) -> frozenset[Seat]:
        return self.people

    def coming(self) -> tuple[str, float]:
        return self.soon, self.when if self.soon else 0.0

    def stay(self) -> None:
        self.soon = ""

    def there(self) -> dict[Seat, str]:
        return dict(sorted(self.robots_there.items()))

    def sit(self, seat: Seat, robot: bool) -> None:
        if robot:
            self.robots_there[seat] = ""
        else:
            self.robots_there.pop(seat, None)

    def reject_suggestion(self, seat: Seat) -> None:
        self.thinking.append(seat)

    def counting(self, number: int = 0) -> dict[str, tuple[str, ...]]:
        return {}

    def hand(self, seat: Seat) -> tuple[str, ...] | None:
        return self.hands.get(seat)

    def set_occupied(self, seat: Seat, person: bool) -> None:
        self.sat.append((seat, person))


class MatchDesk(_Furniture):
    """A real match of Five Cards Collector, without a camera (ledger) or before one that never sees anything."""

    def __init__(self, seats: int = 3, mode: str = "ledger", *, prepared: bool = True) -> None:
        super().__init__()
        self.game = games.load(GAME)
        goals = tuple(f"00{n}" for n in range(1, seats + 1))
        setup = {"first": 1, "goals": goals, "turned_up": ("00B",)} if prepared else {"first": 1}
        header = Header(
            id=new_id(),
            game=GAME,
            at=now(),
            seats=seats,
            options={},
            mode=mode,
            setup=setup,
            names={seat: f"Seat {seat}" for seat in range(1, seats + 1)},
        )
        self._begin(header, None)

    def _begin(self, header: Header, journal: Journal | None, **more: Any) -> None:
        self.match = Match(self.game, games.load_mat(header.game, header.seats), header, journal, **more)
        self.match.start()

    def close(self) -> None:
        self.match.close()

    def course(self) -> Course:
        return course(self.game, self.match.header, self.match.records(), self.match.snapshot.names)

    def snapshot(self) -> Snapshot:
        return self.match.snapshot

    def wait(self, version: int, timeout: float) -> Snapshot:
        return self.match.wait(version, timeout)

    def command(self, command: Command) -> Reply:
        return self.match.command(command)


class BiddingDesk(MatchDesk):
    """A match of Collectible, kept by phones, in which four seats may bid. Its clock goes when it is told to."""

    def __init__(self, folder: Path, bid_seconds: int = 20) -> None:
        _Furniture.__init__(self)
        self.game = GAME_OF_BIDS
        self.time = 1000.0
        header, records = until_bidding(seats=5, bidders=4, bid_seconds=bid_seconds)
        self._journal = Journal(folder)
        self._journal.take(header, records)
        self.bidders = [one.seat for one in self._state(header, records).block.auction.bidders]
        self._begin(header, self._journal, clock=lambda: self.time)

    def _state(self, header: Header, records: list[Record]) -> Any:
        return Referee(self.game, games.load_mat(header.game, header.seats), header, records).state

    @property
    def cards(self) -> Any:
        return self.game.deck.by_piece()

    def close(self) -> None:
        super().close()
        self._journal.close()

    @property
    def auctioneer(self) -> Seat:
        return self.match.state.block.owner

    def pass_time(self, seconds: float) -> None:
        """Let time pass as it does: the match looks at its clock every second."""
        while seconds > 0:
            self.time += min(1.0, seconds)
            seconds -= 1.0
            self.match.tick(0.0)
            assert self.match.answers(60)

    def lapse(self) -> None:
        """Let the time of the one who is asked run out, and wait until the match has seen it."""
        count = self.snapshot().record
        self.pass_time(20 + GRACE)
        while self.snapshot().record == count:
            self.match.wait(self.snapshot().version, 1.0)


class RollingDesk(MatchDesk):
    """A match of Collectible, kept by phones, in which seat `seat` has to roll two dice."""

    def __init__(self, folder: Path) -> None:
        _Furniture.__init__(self)
        self.game = GAME_OF_DICE
        header, records, action = until_roll()
        self.seat: Seat = action.seat
        self._journal = Journal(folder)
        self._begin(header, self._journal)
        for record in records:
            assert self.command(Play(seat=record.seat, action=record.action, facts=record.facts)).ok

    @property
    def cards(self) -> Any:
        return self.game.deck.by_piece()

    def close(self) -> None:
        super().close()
        self._journal.close()


class ShowDesk(_Furniture):
    """Shows the snapshots it is told to show, and keeps the commands it gets."""

    def __init__(self, seats: int = 3, **changes: Any) -> None:
        super().__init__()
        self.commands: list[Command] = []
        self.reply = Reply(True, 1)
        self.late = False
        self._newer = threading.Condition()
        self._snapshot = snapshot(seats, **changes)
        self.game = games.load(GAME)

    def close(self) -> None:
        pass

    def show(self, **changes: Any) -> Snapshot:
        """Publish the next snapshot."""
        with self._newer:
            version = changes.pop("version", self._snapshot.version + 1)
            self._snapshot = msgspec.structs.replace(self._snapshot, version=version, **changes)
            self._newer.notify_all()
            return self._snapshot

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def wait(self, version: int, timeout: float) -> Snapshot:
        with self._newer:
            self._newer.wait_for(lambda: self._snapshot.version > version, timeout)
            return self._snapshot

    def command(self, command: Command) -> Reply:
        if self.late:
            raise TimeoutError
        self.commands.append(command)
        return self.reply

    def decode_action(self, raw: Any) -> Action:
        action: Action = msgspec.convert(raw, self.game.action_type)
        return action

    def upkeep(self) -> tuple[Action, ...]:
        return ()

    def needs(self, action: Action) -> tuple[Need, ...]:
        return ()

    def records(self) -> list[Any]:
        """List what counts of the log, as far as it is shown."""
        return [line for line in self._snapshot.log if not line.undone]

    def bears_out(self, action: Action, hand: tuple[str, ...]) -> bool:
        return False


def view(seat: Seat, headline: str = "It is the turn of Anna.", **more: Any) -> View:
    """Make a seat's view: seat 1 may draw, and may not discard."""
    may: tuple[May, ...] = ()
    if seat == 1:
        draw: Action = msgspec.convert({"type": "draw", "seat": seat}, games.load(GAME).action_type)
        barred = illegal("C2", "only a red card would do", "Draw a card")
        may = (May("draw", "Draw a card", LEGAL, (draw,)), May("discard", "Discard a symbol card", barred))
    shelves = (Shelf(f"Collection of {NAMES[seat or 1]}", ("00B", "00N"), ("00Z", "01B", "01N"), "Collection 1"),)
    plain: dict[str, Any] = {"may": may, "shelves": shelves}
    return View(seat, headline, (1,), **{**plain, **more})


def snapshot(seats: int = 3, **changes: Any) -> Snapshot:
    """Make a snapshot; `changes` go over it."""
    plain: dict[str, Any] = {
        "match": "0198",
        "version": 1,
        "game": GAME,
        "title": "Five Cards Collector",
        "seats": seats,
        "names": {seat: NAMES[seat] for seat in range(1, seats + 1)},
        "mode": "assist",
        "phase": "playing",
        "record": 2,
        "views": tuple(view(seat) for seat in range(seats + 1)),
        "standing": Standing(tuple(SeatStanding(seat, seat % 3 + 1) for seat in range(1, seats + 1)), goal=5),
        "sentence": "Bo discards the red star.",
        "log": (
            LogLine(1, "2026-11-20T18:30:00Z", 1, "Anna draws a card.", "phone"),
            LogLine(2, "2026-11-20T18:31:00Z", 2, "Bo discards the red star.", "table"),
        ),
    }
    return Snapshot(**{**plain, **changes})


WON = Outcome((2,), "collected", "F7", "Bo has collected all five and wins.")
