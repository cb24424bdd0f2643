"""How far a match has come: its records and their log, and what people have set. Records are added here only."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.eye.mat import Mat
from companion.referee.chain import link, root
from companion.referee.clock import BidClock, Kept
from companion.referee.consequences import with_consequences
from companion.referee.course import reign
from companion.referee.difference import laid_from_hand
from companion.referee.history import History, Past, opening
from companion.referee.journal import Header, new_id, now
from companion.referee.play_clock import PlayClock
from companion.referee.record import Proof, Record
from companion.referee.rolls import DiceCommitment
from companion.referee.snapshot import Hint, LogLine
from companion.referee.throws import Throws
from companion.referee.words import Words, describe_record
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, AnyEdit, AnyGame, Facts, Seat
from companion.rules.layout import Zone
from companion.rules.seats import told_apart
from companion.text import join, t

MOST_TOLD = 3
"""Of so many steps back or forth the log says what they were; of more, how many."""

LOOKED_BACK = 40
"""Records whose consequences are told after a restart: at the largest table that is a round and a half."""

Sink = Callable[[Record, tuple[str, ...], frozenset[Zone]], None]
"""Takes a record, the candidates that were considered and the zones it changes; has the record on disk on return."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be recorded; the fields are those of a `Record`, but `candidates`: what else was considered."""

    kind: str = "action"
    action: Action | None = None
    by: str = "table"
    facts: Facts = ()
    assumed: bool = False
    edits: tuple[AnyEdit, ...] = ()
    steps: int = 0
    proof: Proof | None = None
    candidates: tuple[str, ...] = ()


class Before(msgspec.Struct, frozen=True):
    """What a referee goes on from: the snapshots' `version`, the bidding clock's `time` and rest, the `dice`."""

    version: int = 0
    time: float = 0.0
    kept: Kept | None = None
    dice: DiceCommitment | None = None


class MatchProgress:
    """Records, log and settings of one match; `head` is how many records, and the last one's hash.

    Every method may raise JournalError if a record can't be kept; the state is then as before.
    """

    def __init__(
        self, game: AnyGame, mat: Mat, header: Header, records: Iterable[Record], sink: Sink | None, before: Before
    ) -> None:
        self.game = game
        self.mat = mat
        self.header = header
        self.words = Words(game.deck, mat)
        self.names: dict[Seat, str] = told_apart(header.names)
        self.colours: dict[Seat, str] = dict(header.colours)
        self.mode = header.mode
        self.frozen = False
        self.hint: Hint | None = None
        self.clock = BidClock(header.bid_seconds)
        self.play_clock = PlayClock(header.timing, header.seats)
        self.clock_time = before.time
        self.sentence = ""
        """What is said of the match now."""
        self.history = History(game, opening(game, header))
        self.log: list[LogLine] = []
        self.head = (0, root(header))
        self.steered = 0
        """The last record that was no action: undo, correction, end."""
        self.missed: tuple[tuple[Seat, ...], frozenset[type]] = ((), frozenset())
        """The seats for which the clock has decided last, and the kinds of actions that they could have chosen."""
        self.dice = before.dice
        self.throws = Throws(game, header.commitment)
        self.touched: frozenset[Zone] = frozenset()
        """Zones that a hand was seen in, as far as that may tell something."""
        self.forgiven: frozenset[Zone] = frozenset()
        """Zones in which a hand tells nothing: the draw before explains it."""
        self._reached_by = TABLE
        self._led: tuple[int, tuple[int, ...]] = (-1, ())
        self._sink = sink
        for record in records:
            self.append(record)
        # What came of it is asked of the newest only, so that to go on with a long match takes no longer.
        for past in self.history.active[-LOOKED_BACK:]:
            self._tell_consequences(past)

    @property
    def state(self) -> object:
        """The rules' state after the last record."""
        return self.history.state

    def kept_roll(self, action: Action) -> Facts | None:
        """Return the facts of a roll for this action from this state that was taken back (C4), if there is one."""
        return next(iter(self.throws.made(self.state, action, self.history)), None)

    def led(self) -> tuple[int, ...]:
        """Count seat by seat after how many records it led alone."""
        if self._led[0] != self.history.count:
            stood = (self.game.standing(past.state).seats for past in self.history.active)
            scores = (tuple(one.score for one in seats) for seats in stood)
            self._led = self.history.count, reign(self.game.info.ranking, scores, self.header.seats)
        return self._led[1]

    @property
    def clock_due(self) -> float | None:
        """The next moment at which a clock has something to say; None while all stand still."""
        return min((due for due in (self.clock.due, self.play_clock.due) if due is not None), default=None)

    def give_back(self, seconds: float, now: float) -> bool:
        """Add to the clocks seconds that nobody had; return whether one runs."""
        return any([self.clock.give_back(seconds, now), self.play_clock.give_back(seconds, now)])

    def keep_clocks(self, n: int, now: float) -> Kept | None:
        """Return what the clocks need for a restart, after record `n`; None if nothing is measured."""
        kept, play = self.clock.keep(n, now), self.play_clock.keep(now)
        return kept if play is None else msgspec.structs.replace(kept or Kept(n, 0.0), play=play)

    def record(self, entry: Entry) -> Record:
        """Make a record, have it on disk, then let it count."""
        told = self.throws.commitment
        anew = self.dice.commitment if self.dice is not None and self.dice.commitment != told else ""
        said = {name: getattr(entry, name) for name in entry.__struct_fields__ if name != "candidates"}
        seat = TABLE if entry.action is None else entry.action.seat
        record = Record(n=self.history.count + 1, id=new_id(), at=now(), seat=seat, commitment=anew, **said)
        record = msgspec.structs.replace(record, chain=link(self.head[1], record))
        after = self.history.after(record)
        if self._sink is not None:
            was, then = self.game.layout(self.state).zones, self.game.layout(after).zones
            changed = frozenset(zone for zone in was.keys() | then.keys() if was.get(zone) != then.get(zone))
            self._sink(record, entry.candidates, changed)
        self.append(record)
        if record.action is not None:
            self._tell_consequences(self.history.active[-1])
        return record

    def _tell_consequences(self, past: Past) -> None:
        n = past.record.n - 1
        self.log[n] = with_consequences(self.game, self.log[n], past, self.words.called)

    def _told_again(self, steps: list[Past], kind: str) -> str:
        """Return in the words of the log what an undo or a redo was about; "" for many steps."""
        if not 1 <= len(steps) <= MOST_TOLD:
            return ""
        told = [self.log[past.record.n - 1].words for past in steps]
        if kind == "undo":
            return t("Taken back: {tolds}", tolds=join(" ", reversed(told)))
        return t("Done again: {tolds}", tolds=join(" ", told))

    def append(self, record: Record) -> None:
        """Let a record count that is on disk."""
        # Only what was done is told by the state before it; to make that after each step back takes long.
        before = self.state if record.action is not None else None
        gone = self.history.active[-record.steps :] if record.kind == "undo" else []
        self.history.append(record)
        back = self.history.active[-record.steps :] if record.kind == "redo" else []
        laid: tuple[Piece, ...] = ()
        if record.action is not None:
            laid = laid_from_hand(self.game.layout(before), record.action)
            touched = self.game.touches(before, record.action)
            if touched:
                self.forgiven, self._reached_by = touched, record.seat
            elif record.seat not in (TABLE, self._reached_by):
                self.forgiven = frozenset()
        self.missed = ((), frozenset())
        self.head = (record.n, record.chain or link(self.head[1], record))
        if record.kind != "action":
            self.steered = record.n
        words = self._told_again([*gone, *back], record.kind) or describe_record(self.game, before, record)
        needs = self.game.needs(before, record.action) if record.facts and record.action is not None else ()
        self.throws.note(before, self.history, record, words, needs)
        if there := self.history.tops.instead:
            there = self.words.piece(there)
            words = t("{words} Before it was taken back, {card} had come up there.", words=words, card=there)
        self.touched = frozenset()
        self.log.append(LogLine(record.n, record.at, record.seat, words, record.by, record.assumed, laid=laid))
        self.sentence = words
