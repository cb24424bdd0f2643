"""A match with a thread of its own, the single writer; everybody else reads immutable snapshots."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import NamedTuple, TypeVar

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee import whereabouts
from companion.referee.clock import LOOKS, STALLED, Kept
from companion.referee.commands import Command, Name, Reply
from companion.referee.history import opening
from companion.referee.journal import Evidence, Header, Journal, JournalError
from companion.referee.keeper import ClockKeeper, Pictures, RecordKeeper
from companion.referee.progress import Before
from companion.referee.record import Record
from companion.referee.recovery import FaultError, GuardedReferee, dice_commitment, sound_records
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from companion.referee.steady import Steady
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, AnyGame, Need, RuleError, illegal, inconsistent
from companion.rules.layout import Zone
from companion.text import said, t

log = logging.getLogger(__name__)

T = TypeVar("T")

FULL = 5.0
"""Seconds that a view or a tick waits for room in the queue: an eye must not wait for ever for a thread that hangs."""
AGAIN = 0.25
"""Seconds before a decision that the clock could not write down is tried again."""
MATCH_CLOSED = illegal("C8", t("this match has been put away"), t("Look again."))
FAULT = inconsistent("fault", t("the companion made a mistake of its own"), t("Look what counts now, then try again."))
HELD_UP = t("The computer stood still for a while; the clock gives that time back.")


_What = TableView | Command | float | None


class _Message(NamedTuple):
    """Something for the match's thread, and when it came (the people's time)."""

    at: float
    kind: str
    what: _What
    answer: Future[Reply] | None


class Match:
    """One match at one table. `start` it, put views in, send commands, read `snapshot`; `close` ends the thread."""

    def __init__(
        self,
        game: AnyGame,
        mat: Mat,
        header: Header,
        journal: Journal | None,
        pictures: Pictures | None = None,
        version: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin the match of a header, or resume it if the journal knows it.

        Snapshots count on from `version`; `clock` returns the people's monotonic seconds, by which bids are timed.
        """
        self.game = game
        self.clock = clock
        self._journal = journal
        records: list[Record] = []
        damage = ""
        kept: Kept | None = None
        known: Header | None = None
        if journal is not None:
            known = next((one for one in journal.matches() if one.id == header.id), None)
            if known is not None:
                header = known
                records, damage = sound_records(game, journal, header)
                kept = journal.clock(header.id)
        dice = dice_commitment(journal, header, records)
        if known is None:
            opening(game, header)  # of a match that can't be set up nothing is written down
            header = msgspec.structs.replace(header, commitment=dice.commitment)
            if journal is not None:
                journal.begin(header)
        self.header = header
        self._inbox: queue.Queue[_Message] = queue.Queue(maxsize=1000)
        self._newer = threading.Condition()
        self._closed = False
        self._ended = threading.Event()
        self._keeper = RecordKeeper(journal, header.id, pictures, dice)
        self._clock_keeper = ClockKeeper(journal, header.id, kept)
        self._guarded = GuardedReferee(game, mat, header, journal, self._keeper, clock)
        self._guarded.begin(records, Before(version, clock(), kept, dice))
        damage = damage or (journal.rescued if journal is not None else "")
        if damage:
            self._referee.say(damage)
        self._snapshot = self._referee.snapshot
        words = t("The referee stumbled over a fault; it begins again by itself.")
        self.thread = Steady("match", self._work, words=words, last=self._turn_away)

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
    def _referee(self) -> Referee:
        """The referee there is now: after a fault it is another."""
        return self._guarded.referee

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    @property
    def state(self) -> object:
        """The rules' state after the last record; immutable."""
        return self._referee.state

    def decode_action(self, raw: object) -> Action:
        """Turn parsed JSON into an action of the game.

        Raises:
            ValueError: or a msgspec error, if it is no action of this game; the message says what is wrong.
        """
        action: Action = msgspec.convert(raw, self.game.action_type)
        return action

    def upkeep(self) -> tuple[Action, ...]:
        """List what the table itself has to do now (actions of seat 0, which wait for facts), else nothing."""
        state = self.state
        if self.game.actors(state) != (TABLE,):
            return ()
        # What seats may do meanwhile (roll while cards are dealt, say) they are offered themselves.
        return tuple(action for action in self.game.legal(state) if action.seat == TABLE)

    def needs(self, action: Action) -> tuple[Need, ...]:
        """List the facts that a legal ground action waits for."""
        return self.game.needs(self.state, action)

    def bears_out(self, action: Action, hand: tuple[Piece, ...]) -> bool:
        """Return whether a person's hand bears out what an action claims of it."""
        return self.game.bears_out(self.state, action, frozenset(hand))

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Sleep until there is a snapshot newer than `version`, at most `timeout` seconds; return the newest."""
        with self._newer:
            self._newer.wait_for(lambda: self._snapshot.version > version or self._closed, timeout)
        return self._snapshot

    def listen(self, listener: Callable[[Record], None]) -> None:
        """Call a function (on the match's thread) with every record from now on, after it is on disk."""
        self._keeper.listen(listener)

    def see(self, view: TableView) -> None:
        """Hand in what the eye sees."""
        self._hand_in("view", view)

    def tick(self, time: float) -> None:
        """Let time pass (monotonic seconds)."""
        self._hand_in("tick", time)

    def command(self, command: Command, timeout: float = 10.0) -> Reply:
        """Send a command and wait for the reply; TimeoutError if the match does not answer in time."""
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
        return self._keeper.evidence(n)

    def _post(self, kind: str, what: _What, answer: Future[Reply] | None = None, timeout: float | None = None) -> None:
        # The moment of arrival counts for the clock, however long the thread has to do before.
        self._inbox.put(_Message(self.clock(), kind, what, answer), timeout=timeout)

    def _hand_in(self, kind: str, what: _What) -> None:
        """Post what the eye has, or drop it where nobody takes it any more: the eye's thread has to go on."""
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
            progress = self._referee.progress
            self._clock_keeper.keep(progress.keep_clocks(progress.history.count, now := self.clock()), now, not going)
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
        due = self._referee.progress.clock_due
        return None if due is None else max(AGAIN, min(due - self.clock(), LOOKS))

    def _stood_still(self, looked: float) -> float:
        """Return to the clock what it lost since it was last `looked` at, and return the time of this look."""
        now = self.clock()
        if now - looked > STALLED and self._referee.progress.give_back(now - looked - STALLED, now):
            with suppress(FaultError):
                self._guarded.guard(lambda: self._referee.say(HELD_UP))
        return now

    def _take(self, message: _Message) -> Reply | None:
        if message.kind == "ask":
            return Reply(True)
        try:
            self._guarded.take_up_again()
            # The clock is looked at before each message: a fault in that must keep nobody from playing.
            with suppress(FaultError):
                # What came in before the time was up, or within the grace, is older than the clock's decision.
                self._guarded.guard(lambda: self._referee.on_clock(message.at))
            return self._guarded.guard(lambda: self._open(message))
        except FaultError:
            return Reply(False, verdict=FAULT)
        except JournalError as error:
            # The state is as before; the next view or command tries again.
            log.error("not recorded: %s", error)
            return Reply(False, verdict=inconsistent("journal", said(error), t("Try again then.")))
        except RuleError as error:
            log.exception("the rules refused what the referee understood")
            return Reply(False, verdict=error.verdict)

    def _open(self, message: _Message) -> Reply | None:
        what = message.what
        if isinstance(what, TableView):
            self._guarded.view = what
            self._referee.on_view(what)
        elif isinstance(what, Command):
            return self._command(what)
        elif what is not None:
            self._referee.on_tick(what)
        return Reply(True)

    def _command(self, command: Command) -> Reply:
        if not isinstance(command, Name):
            return self._referee.command(command)
        names, colours = dict(self._referee.progress.names), dict(self._referee.progress.colours)
        try:
            reply = self._referee.command(command)
            if reply.ok and self._journal is not None:
                named = self._referee.progress.names.get(command.seat, "")
                if named != names.get(command.seat, ""):
                    self._journal.name(self.header.id, command.seat, named)
                names = dict(self._referee.progress.names)
                if command.colour and command.colour != colours.get(command.seat):
                    self._journal.colour(self.header.id, command.seat, command.colour)
        except Exception as error:
            # What is not written would be gone after a restart: it is taken back before anybody sees it.
            self._referee.progress.names, self._referee.progress.colours = names, colours
            if isinstance(error, JournalError):
                self._referee.say(said(error))
            raise
        return reply

    def records(self) -> list[Record]:
        """List the records that count."""
        return self._referee.records()

    def head(self) -> tuple[int, str]:
        """Return how many records there are, undone ones too, and the last one's hash: to be noted down."""
        return self._referee.progress.head

    def back(self, n: int) -> whereabouts.Step:
        """Return what going back to just after record `n` (0: the beginning) means; HistoryError if it has gone."""
        return whereabouts.back(self.game, self._referee.progress.words, self._referee.progress.history, n)

    def counting(self, number: int = 0) -> Mapping[Zone, tuple[Piece, ...]]:
        """Return what lies where cards count, now or when a round was closed (from 1); {} if nobody says that."""
        state = self._referee.progress.history.closing(number).before if number else self.state
        return self.game.counting(state)

    def lies(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """List zone by zone what should lie where; seats are `@2`."""
        return whereabouts.lies(self._referee.progress.words, self.game.layout(self.state))
