"""A match with a thread of its own: the single writer. Views, commands and the clock come through one queue.

Everybody else reads immutable snapshots; `wait` sleeps until there is a newer one.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee import packing
from companion.referee.chain import broken
from companion.referee.clock import LOOKS, STALLED, Kept
from companion.referee.commands import Clock, Command, Mode, Name, Reply
from companion.referee.history import History, HistoryError, opening
from companion.referee.journal import Evidence, Header, Journal, JournalError
from companion.referee.progress import Before
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.referee.rolls import DiceCommitment, commitment_in
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import Game, RuleError, illegal, inconsistent
from companion.rules.layout import Zone
from companion.steady import Steady

log = logging.getLogger(__name__)

T = TypeVar("T")

CLOCK_KEPT = 5.0
"""Seconds: so often what a running clock has left is written down, so much at most comes back after a power cut."""
FULL = 5.0
"""Seconds that a view or a tick waits for room in the queue: an eye must not wait for ever for a thread that hangs."""
AGAIN = 0.25
"""Seconds before a decision that the clock could not write down is tried again."""
MATCH_CLOSED = illegal("C8", "this match has been put away", "Look again.")
"""What is said to who wishes something of a match that was taken down meanwhile."""
FAULT = inconsistent("fault", "the companion made a mistake of its own", "Look what counts now, then try again.")
"""What is said to who wished something that a fault in the program got in the way of."""
RECOVERED = (
    "The companion made a mistake of its own, and goes on from what is written down. Look whether the table fits."
)
"""The same to everybody, where the match was taken up again."""
HELD_UP = "The computer stood still for a while; the clock gives that time back."
Pictures = Callable[[frozenset[Zone]], tuple[bytes | None, bytes | None]]
"""Gives small JPEG pictures of zones before and after the last change."""


class _FaultError(Exception):
    """A fault in the program itself; it is in the log already."""


class _Message(NamedTuple):
    """Something for the match's thread, and when it came (the people's time)."""

    at: float
    kind: str
    what: Any
    answer: Future[Reply] | None


class Match:
    """One match at one table. `start` it, put views in, send commands, read `snapshot`; `close` ends the thread."""

    def __init__(
        self,
        game: Game[Any],
        mat: Mat,
        header: Header,
        journal: Journal | None,
        pictures: Pictures | None = None,
        version: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin the match of a header, or resume it if the journal knows it. Snapshots count on from `version`.

        `clock` gives the people's time (monotonic seconds), by which bids are timed.
        """
        self.game = game
        self.header = header
        self._mat = mat
        self._journal = journal
        self._unwritten: list[Record] = []
        """The records of a match without a journal."""
        self._written = 0
        """The last record that was written for the message in hand, or 0."""
        self._recover_from: int | None = None
        """Where the referee could not be made anew after a fault: how many records it surely goes on from."""
        self._view: TableView | None = None
        self._pictures = pictures
        self.clock = clock
        records: list[Record] = []
        damage = ""
        kept: Kept | None = None
        known: Header | None = None
        if journal is not None:
            known = next((one for one in journal.matches() if one.id == header.id), None)
            if known is not None:
                self.header = header = known
                records, damage = self._sound(journal, header)
                kept = journal.clock(header.id)
        self._dice = dice = self._dice_commitment(records)
        if known is None:
            self.header = header = msgspec.structs.replace(header, commitment=dice.commitment)
            if journal is not None:
                journal.begin(header)
        self._inbox: queue.Queue[_Message] = queue.Queue(maxsize=1000)
        self._newer = threading.Condition()
        self._closed = False
        self._ended = threading.Event()
        # Taking a match up may write a record at once: what follows by itself on the last one before a power cut.
        self._listeners: list[Callable[[Record], None]] = []
        self._referee = Referee(game, mat, header, records, self._keep, Before(version, clock(), kept, dice))
        damage = damage or (journal.rescued if journal is not None else "")
        if damage:
            self._referee.say(damage)
        self._clock_kept: tuple[Kept | None, float] = (kept, -CLOCK_KEPT)
        self._snapshot = self._referee.snapshot
        words = "The referee stumbled over a fault; it begins again by itself."
        self.thread = Steady("match", self._work, words=words, last=self._turn_away)

    def _sound(self, journal: Journal, header: Header) -> tuple[list[Record], str]:
        """Read the records up to the first that is damaged or does not fit; it and all after it are set aside.

        Gives the records, and a sentence for people if there was damage.
        """
        records, torn = journal.sound_records(header.id, self.game.action_type)
        loose = broken(header, records)
        if loose:
            records, torn = records[: loose - 1], loose
        history = History(self.game, opening(self.game, header))
        try:
            history.fold(records)
        except (RuleError, HistoryError) as error:
            log.error("record %d does not fit: %s", history.count + 1, error)
            records, torn = records[: history.count], history.count + 1
        if not torn:
            return records, ""
        journal.set_aside(header.id, torn)
        last = f"after record {torn - 1}" if torn > 1 else "at its beginning"
        return records, (
            f"The journal of this match was damaged {last}. It goes on from there; what came after it is set aside. "
            "Look whether the table fits."
        )

    def _dice_commitment(self, records: list[Record]) -> DiceCommitment:
        """Take up the secret that was committed to last, or make a new one; it is on disk before it is told of."""
        committed = self.header.commitment
        for record in records:
            committed = commitment_in(record) or committed
        if self._journal is None:
            return DiceCommitment()
        commitment = DiceCommitment(self._journal.secret(self.header.id, committed))
        self._journal.keep_secret(self.header.id, commitment.secret)
        return commitment

    def start(self) -> None:
        """Start the thread. From now on this is the match that is played here."""
        if self._journal is not None:
            try:
                self._journal.put_up(self.header.id)
            except JournalError as error:
                # Only a restart would go on with another one; what is told people here is in the journal all the same.
                log.warning("which match is played is not kept: %s", error)
        self.thread.start()

    def close(self) -> None:
        """Let the thread finish what is in the queue, and end it; who waits for a snapshot wakes."""
        self._closed = True
        if self.thread.is_alive():
            with suppress(queue.Full):
                self._post("stop", None, timeout=FULL)
            self.thread.end()
        with self._newer:
            self._newer.notify_all()

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    @property
    def state(self) -> Any:
        """The rules' state after the last record; immutable."""
        return self._referee.state

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a snapshot newer than `version`, at most `timeout` seconds; give the newest."""
        with self._newer:
            self._newer.wait_for(lambda: self._snapshot.version > version or self._closed, timeout)
        return self._snapshot

    def listen(self, listener: Callable[[Record], None]) -> None:
        """Have a function called (on the match's thread) with every record, after it is on disk."""
        self._listeners.append(listener)

    def see(self, view: TableView) -> None:
        """Hand in what the eye sees."""
        self._hand_in("view", view)

    def tick(self, time: float) -> None:
        """Let time pass (monotonic seconds)."""
        self._hand_in("tick", time)

    def command(self, command: Command, timeout: float = 10.0) -> Reply:
        """Send a command and wait for the reply.

        Raises:
            TimeoutError: if the match does not answer in time.
        """
        answer: Future[Reply] = Future()
        try:
            self._post("command", command, answer, timeout)
        except queue.Full:
            raise TimeoutError from None
        if self._ended.is_set():
            self._turn_away()
        return answer.result(timeout)

    def answers(self, timeout: float) -> bool:
        """Return whether the thread works off a message within so many seconds: it must neither have ended nor hang."""
        answer: Future[Reply] = Future()
        try:
            self._inbox.put(_Message(self.clock(), "ask", None, answer), timeout=timeout)
            return answer.result(timeout).ok
        except (queue.Full, TimeoutError):
            return False

    def evidence(self, n: int) -> Evidence | None:
        """Return why a record was understood as it was."""
        return None if self._journal is None else self._journal.evidence(self.header.id, n)

    def _post(self, kind: str, what: Any, answer: Future[Reply] | None = None, timeout: float | None = None) -> None:
        # The moment of arrival counts for the clock, however long the thread has to do before.
        self._inbox.put(_Message(self.clock(), kind, what, answer), timeout=timeout)

    def _hand_in(self, kind: str, what: Any) -> None:
        """Post what the eye has. Where nobody takes it any more it is dropped: the eye's thread has to go on."""
        if self._ended.is_set():
            return
        try:
            self._post(kind, what, timeout=FULL)
        except queue.Full:
            log.error("the match does not take what the eye sees")

    def _work(self) -> None:
        going, looked = True, self.clock()
        while going:
            try:
                message = self._inbox.get(timeout=self._patience())
            except queue.Empty:
                message = _Message(self.clock(), "clock", None, None)
            looked = self._stood_still(looked)
            going = message.kind != "stop"
            reply = self._take(message) if going else None
            self._keep_clock(not going)
            if self._referee.snapshot is not self._snapshot:
                with self._newer:
                    self._snapshot = self._referee.snapshot
                    self._newer.notify_all()
            # Whoever is answered must find what came of it in the snapshot.
            if message.answer is not None and reply is not None:
                message.answer.set_result(reply)

    def _turn_away(self) -> None:
        """Answer whoever tapped just when the match was taken down: nobody else will."""
        # Set before the queue is emptied: who puts something in later sees it, and empties it again.
        self._ended.set()
        while True:
            try:
                message = self._inbox.get_nowait()
            except queue.Empty:
                return
            if message.answer is not None:
                message.answer.set_result(Reply(False, verdict=MATCH_CLOSED))

    def _patience(self) -> float | None:
        """Return the seconds until the clock needs a look; None while it stands still."""
        due = self._referee.progress.clock.due
        return None if due is None else max(AGAIN, min(due - self.clock(), LOOKS))

    def _stood_still(self, looked: float) -> float:
        """Give back what the clock lost since it was last `looked` at; give the time of this look."""
        now = self.clock()
        if now - looked > STALLED and self._referee.progress.clock.give_back(now - looked - STALLED, now):
            with suppress(_FaultError):
                self._guard(lambda: self._referee.say(HELD_UP))
        return now

    def _take(self, message: _Message) -> Reply | None:
        if message.kind == "ask":
            return Reply(True)
        try:
            if self._recover_from is not None:
                self._take_up(self._recover_from)
            # The clock is looked at before each message: a fault in that must keep nobody from playing.
            with suppress(_FaultError):
                # What came in before the time was up, or within the grace, is older than the clock's decision.
                self._guard(lambda: self._referee.on_clock(message.at))
            return self._guard(lambda: self._open(message))
        except _FaultError:
            return Reply(False, verdict=FAULT)
        except JournalError as error:
            # The state is as before; the next view or command tries again.
            log.error("not recorded: %s", error)
            return Reply(False, verdict=inconsistent("journal", f"{error}", "Try again then."))
        except RuleError as error:
            log.exception("the rules refused what the referee understood")
            return Reply(False, verdict=error.verdict)

    def _open(self, message: _Message) -> Reply | None:
        if message.kind == "view":
            self._view = message.what
            self._referee.on_view(message.what)
        elif message.kind == "tick":
            self._referee.on_tick(message.what)
        elif message.kind == "command":
            return self._command(message.what)
        return Reply(True)

    def _guard(self, do: Callable[[], T]) -> T:
        """Have something done by the referee; a fault in it ends nothing.

        As long as no record was written what the referee knows agrees with the journal: it is gone on with. Else
        nobody knows how much of the record it took in before the fault, and it is made anew.

        Raises:
            _FaultError: if there was a fault.
            JournalError: if a record could not be written.
            RuleError: if the rules refuse what the referee understood.
        """
        if self._recover_from is not None:
            raise _FaultError
        before, self._written = self._referee.progress.history.count, 0
        try:
            done = do()
            if self._agrees():
                return done
            log.error("record %d was written, and not taken in", self._written)
        except JournalError:
            raise
        except Exception as error:
            if isinstance(error, RuleError) and not self._written:
                raise
            log.exception("a fault in the program itself")
        if self._written:
            self._take_up(before)
        raise _FaultError

    def _agrees(self) -> bool:
        """Return whether what was written is what people see.

        A line in the log is the last that a record makes; and after each record people know which secret the dice are
        rolled with next: one that was told with a roll must not be rolled with again.
        """
        if not self._written:
            return True
        shown = self._referee.snapshot
        return (
            shown.log[-1:] != () and shown.log[-1].n == self._written and shown.dice.commitment == self._dice.commitment
        )

    def _take_up(self, before: int) -> None:
        """Make the referee anew from what is written down, as a restart would; `before` records surely go.

        What was written since may be what it can't do with. Then that is set aside as damaged: nobody was told of it.

        Raises:
            JournalError: if it can't be read or written now; it is tried again with the next message.
        """
        self._recover_from = before
        for view, most in ((self._view, None), (None, None), (None, before)):
            try:
                self._referee, self._recover_from = self._made_anew(view, most), None
                return
            except JournalError:
                raise
            except Exception:
                log.exception("the match could not be taken up again")

    def _made_anew(self, view: TableView | None, most: int | None) -> Referee:
        old, now = self._referee, self.clock()
        records = self._unwritten
        if self._journal is not None:
            records = self._journal.records(self.header.id, self.game.action_type)
        if most is not None and len(records) > most:
            if self._journal is not None:
                self._journal.set_aside(self.header.id, most + 1)
            del records[most:]
        # The secret of the last roll may have been told with its record: it must not be rolled with again.
        self._dice = dice = self._dice_commitment(records)
        version, kept = old.snapshot.version, old.progress.clock.keep(old.snapshot.record, now)
        made = Referee(self.game, self._mat, self.header, records, self._keep, Before(version, now, kept, dice))
        # What no record tells, but people have said.
        made.progress.names, made.progress.colours, made.progress.frozen = (
            old.progress.names,
            old.progress.colours,
            old.progress.frozen,
        )
        if made.progress.mode != old.progress.mode:
            made.command(Mode(mode=old.progress.mode, by="host"))
        if made.progress.clock.seconds != old.progress.clock.seconds:
            made.command(Clock(seconds=old.progress.clock.seconds, by="host"))
        if view is not None:
            made.on_view(view)
        made.say(RECOVERED)
        return made

    def _keep_clock(self, last: bool) -> None:
        """Write down now and then, and at the end, what the clock has left: a restart goes on from there."""
        if self._journal is None:
            return
        now = self.clock()
        kept = self._referee.progress.clock.keep(self._referee.progress.history.count, now)
        before, when = self._clock_kept
        if kept is None or kept == before:
            return
        same = before is not None and (before.n, before.paused) == (kept.n, kept.paused) and kept.left <= before.left
        if same and not last and now - when < CLOCK_KEPT:
            return
        try:
            self._journal.keep_clock(self.header.id, kept)
            self._clock_kept = (kept, now)
        except Exception as error:
            log.warning("the clock is not kept: %r", error)

    def _command(self, command: Command) -> Reply:
        if not isinstance(command, Name):
            return self._referee.command(command)
        names, colours = dict(self._referee.progress.names), dict(self._referee.progress.colours)
        try:
            reply = self._referee.command(command)
            if reply.ok and self._journal is not None:
                if self._referee.progress.names[command.seat] != names.get(command.seat):
                    self._journal.name(self.header.id, command.seat, self._referee.progress.names[command.seat])
                names = dict(self._referee.progress.names)
                if command.colour and command.colour != colours.get(command.seat):
                    self._journal.colour(self.header.id, command.seat, command.colour)
        except Exception as error:
            # What is not written would be gone after a restart: it is taken back before anybody sees it.
            self._referee.progress.names, self._referee.progress.colours = names, colours
            if isinstance(error, JournalError):
                self._referee.say(f"{error}")
            raise
        return reply

    def records(self) -> list[Record]:
        """List the records that count."""
        return self._referee.records()

    def head(self) -> tuple[int, str]:
        """Return how many records there are, undone ones too, and the last one's hash: to be noted down."""
        return self._referee.progress.head

    def back(self, n: int) -> packing.Step:
        """Say what going back to just after record `n` means (0: to the beginning).

        Raises:
            HistoryError: if there is no such record, or it does not count any more.
        """
        return packing.back(self.game, self._referee.progress.words, self._referee.progress.history, n)

    def lies(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """List zone by zone what should lie where; seats are `@2`."""
        return packing.lies(self._referee.progress.words, self.game.layout(self.state))

    def _keep(self, record: Record, candidates: tuple[str, ...], zones: frozenset[Zone]) -> None:
        """Have a record on disk before anybody is told; then keep the evidence, which may fail without harm."""
        if self._journal is not None and record.proof is not None:
            self._journal.keep_secret(self.header.id, self._dice.coming)
        self._write(record)
        if self._journal is not None and record.by == "table":
            try:
                before, after = self._pictures(zones) if self._pictures else (None, None)
                self._journal.keep(self.header.id, record.n, Evidence(before, after, candidates))
            except JournalError as error:
                log.warning("the pictures of record %d are not kept: %s", record.n, error)
            except Exception:
                # The record is on disk: nothing may keep it from counting.
                log.exception("the pictures of record %d are not kept", record.n)
        for listener in self._listeners:
            try:
                listener(record)
            except Exception:
                log.exception("somebody who was told of record %d failed", record.n)

    def _write(self, record: Record) -> None:
        was, self._written = self._written, record.n
        try:
            if self._journal is not None:
                self._journal.append(self.header.id, record)
            else:
                self._unwritten.append(record)
        except JournalError:
            self._written = was
            raise
