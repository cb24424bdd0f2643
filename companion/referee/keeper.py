"""Writes a match's records to disk before anybody is told of them; keeps evidence and clock, which may fail."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.referee.clock import Kept
from companion.referee.journal import Evidence, Journal, JournalError
from companion.referee.record import Record
from companion.referee.rolls import DiceCommitment
from companion.rules.layout import Zone

log = logging.getLogger(__name__)

CLOCK_KEPT = 5.0
"""Seconds: so often what a running clock has left is written down, so much at most comes back after a power cut."""
Pictures = Callable[[frozenset[Zone]], tuple[bytes | None, bytes | None]]
"""Returns small JPEG pictures of zones before and after the last change."""


class RecordKeeper:
    """Keeps the records of one match, in the journal if there is one."""

    def __init__(self, journal: Journal | None, match: str, pictures: Pictures | None, dice: DiceCommitment) -> None:
        """Keep the records of a match by its id; `dice` has the secret that the companion rolls with next."""
        self._journal = journal
        self._match = match
        self._pictures = pictures
        self._listeners: list[Callable[[Record], None]] = []
        self.dice = dice
        self.unwritten: list[Record] = []
        """The records of a match without a journal."""
        self.written = 0
        """The last record that was written for the message in hand, or 0."""

    def listen(self, listener: Callable[[Record], None]) -> None:
        """Call a function with every record from now on, after it is on disk."""
        self._listeners.append(listener)

    def evidence(self, n: int) -> Evidence | None:
        """Return why a record was understood as it was."""
        return None if self._journal is None else self._journal.evidence(self._match, n)

    def keep(self, record: Record, candidates: tuple[str, ...], zones: frozenset[Zone]) -> None:
        """Write a record to disk, then its evidence, and call the listeners; JournalError if the record fails."""
        if self._journal is not None and record.proof is not None:
            self._journal.keep_secret(self._match, self.dice.coming)
        self._write(record)
        if self._journal is not None and record.by != "table":
            self._move_on()
        elif self._journal is not None:
            try:
                before, after = self._pictures(zones) if self._pictures else (None, None)
                self._journal.keep(self._match, record.n, Evidence(before, after, candidates))
            except JournalError as error:
                log.warning("the pictures of record %d are not kept: %s", record.n, error)
            except Exception:
                # The record is on disk: nothing may keep it from counting.
                log.exception("the pictures of record %d are not kept", record.n)
        for listener in self._listeners:
            try:
                listener(record)
            except Exception:
                # The record counts: an error of a listener must not abort what follows from it.
                log.exception("a listener failed with record %d", record.n)

    def _move_on(self) -> None:
        try:
            if self._pictures is not None:
                self._pictures(frozenset())
        except Exception:
            log.exception("the picture of the table as it is now is not kept")

    def _write(self, record: Record) -> None:
        was, self.written = self.written, record.n
        try:
            if self._journal is not None:
                self._journal.append(self._match, record)
            else:
                self.unwritten.append(record)
        except JournalError:
            self.written = was
            raise


class ClockKeeper:
    """Writes down now and then what the clocks have left: a restart goes on from there."""

    def __init__(self, journal: Journal | None, match: str, kept: Kept | None) -> None:
        """Keep the clock of a match by its id; `kept` is what is on disk already."""
        self._journal = journal
        self._match = match
        self._last: tuple[Kept | None, float] = (kept, -CLOCK_KEPT)

    def keep(self, kept: Kept | None, now: float, closing: bool) -> None:
        """Write down what the clocks have left, if it is time, or the match is `closing`."""
        if self._journal is None:
            return
        before, when = self._last
        if kept is None or kept == before:
            return
        same = before is not None and _same(before, kept)
        if same and not closing and now - when < CLOCK_KEPT:
            return
        try:
            self._journal.keep_clock(self._match, kept)
            self._last = (kept, now)
        except Exception as error:
            log.warning("the clock is not kept: %r", error)


def _same(before: Kept, kept: Kept) -> bool:
    if (before.n, before.paused) != (kept.n, kept.paused) or kept.left > before.left:
        return False
    old, new = before.play, kept.play
    if old is None or new is None:
        return old is new
    said = (old.seat, old.turned, old.paused) == (new.seat, new.turned, new.paused)
    return said and all(b <= a for a, b in zip(old.left, new.left, strict=False))
