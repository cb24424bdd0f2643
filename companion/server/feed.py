"""What is new for whom: one thread watches the table, documents and events are made once and shared by all streams.

A *moment* is a snapshot with what the server adds to it. Its *stamp* ("k3f9a1-57") counts moments within one run of
the server; the first half changes with every start, so that a phone that slept through a restart gets everything anew.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from jinja2 import Environment

from companion.referee.snapshot import LogLine, Snapshot
from companion.rules.kernel import TABLE, Seat
from companion.server.arrivals import Arrivals
from companion.server.documents import HOST, PUBLIC, Extras, audience_of, document
from companion.server.keys import Keys
from companion.server.parts import Parts
from companion.server.places import Document
from companion.server.table_api import TableService
from companion.server.words.speaking import untagged
from companion.text import plain

log = logging.getLogger(__name__)

PULSE = 0.5
"""Seconds between looks at what changes without a new snapshot: the pictures, the robots' speed, the box itself."""
ROLL_CALL = 5.0
"""Seconds that a new phone waits at most while the streams look whether theirs are still there."""
KEPT = 120
"""Documents, renderings and events that are kept for those who ask next: of four moments at a full table."""

T = TypeVar("T")
_Key = tuple[str | int, ...]


class Moment(msgspec.Struct, frozen=True):
    """A snapshot with what the server adds, numbered."""

    n: int
    snapshot: Snapshot
    extras: Extras


class Pictures(msgspec.Struct, frozen=True):
    """Versions of the camera's picture and the OLED's; -1 where there is none."""

    camera: int = -1
    oled: int = -1


class Feed:
    """Watches a table and tells everybody what is new. `start` it in the process that serves, `close` it at the end."""

    def __init__(self, table: TableService, templates: Environment, keys: Keys) -> None:
        """Watch a table; `keys` tell which seats have a phone, and which another phone wants to take over."""
        self._table = table
        self._templates = templates
        self._keys = keys
        self._epoch = secrets.token_hex(3)
        self._newer = threading.Condition()
        self._undo_asked: dict[Seat, tuple[str, LogLine]] = {}
        self._arrivals = Arrivals()
        snapshot = table.snapshot()
        self._moment = Moment(1, snapshot, self._extras(snapshot))
        self._version = self._moment.snapshot.version
        self._pictures = Pictures()
        self._oled: bytes | None = None
        self._camera: dict[bool, tuple[int, bytes | None]] = {}
        self._watchers = 0
        self._streams = 0
        self._waiting = 0
        self._roll_call = 0
        self._present = 0
        self._making = threading.RLock()
        self._made: OrderedDict[_Key, Any] = OrderedDict()  # of what type, its key says
        self._moments: OrderedDict[int, Moment] = OrderedDict({1: self._moment})
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="feed", daemon=True)

    # ------------------------------------------------------------------------------------------------- watching

    def start(self) -> None:
        """Start to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and let every stream end."""
        self._closing.set()
        with self._newer:
            self._newer.notify_all()

    @property
    def closing(self) -> bool:
        """Whether the server is about to stop."""
        return self._closing.is_set()

    @property
    def moment(self) -> Moment:
        """The newest moment."""
        return self._moment

    @property
    def pictures(self) -> Pictures:
        """The newest pictures' versions."""
        return self._pictures

    def _watch(self) -> None:
        while not self._closing.is_set():
            try:
                snapshot = self._table.wait(self._version, PULSE)
                self.refresh(snapshot)
                self._look_at_pictures()
            except Exception:
                # Whatever a table does, the pages must go on: the next look may be well again.
                log.exception("the table could not be read")
                self._closing.wait(PULSE)

    def refresh(self, snapshot: Snapshot | None = None) -> None:
        """Publish a new moment if anything changed."""
        with self._newer:
            old = self._moment
            snapshot = snapshot if snapshot is not None else self._table.snapshot()
            if snapshot.match == old.snapshot.match and snapshot.version < self._version:
                return
            self._version = snapshot.version
            if msgspec.structs.replace(snapshot, version=old.snapshot.version) == old.snapshot:
                # A referee before a camera may publish ten times a second what is all the same.
                snapshot = old.snapshot
            extras = self._extras(snapshot)
            if snapshot is old.snapshot and extras == old.extras:
                return
            if snapshot.match != old.snapshot.match:
                with self._making:
                    self._made.clear()
            self._moment = Moment(old.n + 1, snapshot, extras)
            self._moments[self._moment.n] = self._moment
            while len(self._moments) > 32:
                self._moments.popitem(last=False)
            self._newer.notify_all()

    def _extras(self, snapshot: Snapshot) -> Extras:
        """Gather what changes without a new snapshot."""
        session, devices, next_match = self._table.session, self._table.devices, self._table.next_match
        sandbox, owner, taken = session.sandbox, self._table.owner, self._keys.taken()
        hands = {seat: hand for seat in taken if (hand := session.hand(seat)) is not None}
        coming, begins = ("", 0.0) if next_match is None else next_match.coming()
        return Extras(
            taken=taken,
            together=self._keys.together(),
            speed=session.speed(),
            levels={seat: level for seat, level in session.levels().items() if seat not in session.awaited() | taken},
            undos=self._undos(snapshot.match),
            hands=hands,
            new=self._arrivals.follow(snapshot, hands),
            choosing={} if sandbox is None else {seat: dict(sandbox.choosing(seat)) for seat in taken},
            taking={} if sandbox is None else {seat: sandbox.taking(seat) for seat in taken},
            attended=sandbox is not None and sandbox.attended(),
            asking=self._keys.asking(),
            muted=devices.muted,
            health_issues=devices.health_sentences(),
            stopped=self._table.stopped(),
            filming=self._table.phone.holder if self._table.phone is not None else "",
            coming=coming,
            begins=begins,
            table=owner.now.name if owner is not None else "",
            calling=self._table.hall.calling if self._table.hall.told else None,
            robots=self._table.stand_ins.there(),
        )

    def ask_undo(self, seat: Seat, after: int | None) -> bool:
        """Note that a seat asks the host to take back the last step up to a record (None: the newest).

        Returns whether there is such a step. It stands until the host has answered, or the match is another.
        """
        snapshot = self._table.snapshot()
        there = {one.n for one in self._table.session.match.records() if after is None or one.n <= after}
        meant = [line for line in snapshot.log if line.n in there]
        if meant:
            self._undo_asked[seat] = snapshot.match, meant[-1]
            self.refresh()
        return bool(meant)

    def refuse_undo(self, seat: Seat) -> None:
        """Forget what a seat asked to take back; seat 0: what all did."""
        for one in tuple(self._undo_asked) if seat == TABLE else (seat,):
            self._undo_asked.pop(one, None)
        self.refresh()

    def _undos(self, match: str) -> tuple[tuple[Seat, str, int], ...]:
        """Return what seats ask to take back, and how many steps go with it; what is taken back nobody asks for."""
        there = [one.n for one in self._table.session.match.records()] if self._undo_asked else []
        for seat, (of, line) in tuple(self._undo_asked.items()):
            if of != match or line.n not in there:
                self._undo_asked.pop(seat, None)
        asked = tuple(self._undo_asked.items())
        return tuple((seat, line.words, sum(n >= line.n for n in there)) for seat, (_, line) in asked)

    def _look_at_pictures(self) -> None:
        if self._watchers == 0:
            return
        self._table.session.camera_loop.want_pictures()
        oled = self._table.devices.oled_png()
        shown = self._pictures.oled
        if oled != self._oled:
            self._oled, shown = oled, -1 if oled is None else shown + 1
        pictures = Pictures(self._table.session.camera_loop.picture_version, shown)
        if pictures != self._pictures:
            with self._newer:
                self._pictures = pictures
                self._newer.notify_all()

    def camera(self, small: bool = False) -> bytes | None:
        """Return the camera's picture, asked for once a version however many look on.

        A match that has none yet shows the last one of the match before: pages ask for what they were told of.
        """
        version = self._table.session.camera_loop.picture_version
        before, picture = self._camera.get(small, (None, None))
        if before != version:
            picture = self._table.session.camera_loop.picture(small) or picture
            self._camera[small] = (version, picture)
        return picture

    def wait(self, n: int, pictures: Pictures | None, call: int, timeout: float) -> int:
        """Sleep until there is a moment after `n`, or newer pictures (None: they don't matter), or it is time.

        It wakes earlier for a roll call after `call`, the last one that the stream answered. Returns the number of the
        newest; if that is another the stream looks whether its phone is there, then leaves or says `present`.
        """
        with self._newer:

            def wake() -> bool:
                news = self._moment.n > n or (pictures is not None and self._pictures != pictures)
                return news or self._roll_call != call or self.closing

            self._newer.wait_for(wake, timeout)
            return self._roll_call

    def present(self, call: int) -> None:
        """Answer a roll call: this stream's phone is still there."""
        with self._newer:
            if call == self._roll_call:
                self._present += 1
                if self._waiting:
                    self._newer.notify_all()

    # -------------------------------------------------------------------------------------------------- streams

    def look_round(self) -> None:
        """Let every stream look at once whether its phone is still there, and may still hear what it hears."""
        with self._newer:
            self._roll_call += 1
            self._present = 0
            self._newer.notify_all()

    def enter(self, most: int, pictures: bool) -> bool:
        """Count one more stream; refuse it if there are `most` already, once those that are gone have left.

        A phone that leaves is else only noticed when something can't be sent to it.
        """
        with self._newer:
            if self._streams >= most and not self.closing:
                self._waiting += 1
                self._roll_call += 1
                self._present = 0
                self._newer.notify_all()

                def looked() -> bool:
                    return self._streams < most or self._present >= self._streams or self.closing

                self._newer.wait_for(looked, ROLL_CALL)
                self._waiting -= 1
            if self._streams >= most or self.closing:
                return False
            self._streams += 1
            self._watchers += pictures
        return True

    def leave(self, pictures: bool) -> None:
        """Count one stream less."""
        with self._newer:
            self._streams -= 1
            self._watchers -= pictures
            if self._waiting:
                self._newer.notify_all()

    # --------------------------------------------------------------------------------------------- what was made

    def stamp(self, moment: Moment) -> str:
        """Return a moment's stamp."""
        return f"{self._epoch}-{moment.n}"

    def known(self, stamp: str) -> Moment | None:
        """Find the moment of a stamp; None if it is too long ago, or of another run."""
        epoch, _, number = stamp.partition("-")
        if epoch != self._epoch or not number.isascii() or not number.isdigit() or len(number) > 12:
            return None
        return self._moments.get(int(number))

    def audiences(self) -> frozenset[str]:
        """List the audiences there are."""
        seats = range(1, self._moment.snapshot.seats + 1)
        return frozenset((PUBLIC, HOST, *(audience_of(seat) for seat in seats)))

    def document(self, audience: str, moment: Moment) -> Document:
        """Return an audience's document of a moment.

        Raises:
            KeyError: if there is no such audience.
        """

        def make() -> Document:
            current = moment
            if self._table.snapshot().match != moment.snapshot.match:
                # Another match has just been put up: what the old one's cards are the table can no longer say.
                self.refresh()
                current = self._moment
            return document(audience, current.snapshot, current.extras, self._table.session)

        return self._once(("document", audience, moment.n), make)

    def document_bytes(self, audience: str, moment: Moment) -> bytes:
        """Return the document as JSON."""
        return self._once(
            ("bytes", audience, moment.n),
            lambda: msgspec.json.encode(self.document(audience, moment), order="sorted", enc_hook=plain),
        )

    def parts(self, audience: str, moment: Moment) -> Parts:
        """Return the parts of an audience's pages, in the language that its name has ("seat-1@sv")."""

        def make() -> Parts:
            base, language = untagged(audience)
            return Parts(self._templates, self.document(base, moment), language)

        return self._once(("parts", audience, moment.n), make)

    def changes(self, audience: str, since: Moment | None, moment: Moment) -> bytes | None:
        """Return as JSON the parts that changed since a moment (all, if None); None if none did."""

        def make() -> bytes | None:
            parts = self.parts(audience, moment)
            # What was sent then is only known while it is kept: it can't be made again, the table has moved on.
            before: Parts | None = None if since is None else self._made.get(("parts", audience, since.n))
            sent = {name: str(html) for name, html in parts.items() if before is None or before[name] != html}
            if not sent:
                return None
            return msgspec.json.encode(
                {"audience": audience, "stamp": self.stamp(moment), "parts": sent}, enc_hook=plain
            )

        return self._once(("changes", audience, -1 if since is None else since.n, moment.n), make)

    def _once(self, key: _Key, make: Callable[[], T]) -> T:
        """Make something once, however many ask for it at the same time."""
        try:
            made: T = self._made[key]
        except KeyError:
            with self._making:
                if key not in self._made:
                    self._made[key] = make()
                    while len(self._made) > KEPT:
                        self._made.popitem(last=False)
                made = self._made[key]
        return made
