"""Takes a match up: after a restart from what is sound of its journal, after a fault from what is written down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee.chain import broken
from companion.referee.commands import Clock, Mode
from companion.referee.history import History, HistoryError, opening
from companion.referee.journal import Header, Journal, JournalError
from companion.referee.keeper import RecordKeeper
from companion.referee.progress import Before
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.referee.rolls import DiceCommitment, commitment_in
from companion.rules.kernel import AnyGame, RuleError
from companion.text import t

log = logging.getLogger(__name__)

T = TypeVar("T")

RECOVERED = t(
    "The companion made a mistake of its own, and goes on from what is written down. Look whether the table fits."
)


class FaultError(Exception):
    """A fault in the program itself; it is in the log already."""


def sound_records(game: AnyGame, journal: Journal, header: Header) -> tuple[list[Record], str]:
    """Return the records, and a sentence if there was damage: what does not fit is set aside, with all after it."""
    records, torn = journal.sound_records(header.id, game.action_type)
    loose = broken(header, records)
    if loose:
        records, torn = records[: loose - 1], loose
    history = History(game, opening(game, header))
    try:
        history.fold(records)
    except (RuleError, HistoryError) as error:
        log.error("record %d does not fit: %s", history.count + 1, error)
        records, torn = records[: history.count], history.count + 1
    if not torn:
        return records, ""
    journal.set_aside(header.id, torn)
    last = t("after record {torn}", torn=torn - 1) if torn > 1 else t("at its beginning")
    return records, (
        t(
            "The journal of this match was damaged {last}. It goes on from there; what came "
            "after it is set aside. Look whether the table fits.",
            last=last,
        )
    )


def dice_commitment(journal: Journal | None, header: Header, records: list[Record]) -> DiceCommitment:
    """Take up the secret that was committed to last, or make a new one; it is on disk before it is told of."""
    committed = header.commitment
    for record in records:
        committed = commitment_in(record) or committed
    if journal is None:
        return DiceCommitment()
    dice = DiceCommitment(journal.secret(header.id, committed))
    journal.keep_secret(header.id, dice.secret)
    return dice


class GuardedReferee:
    """A referee that a fault does not end: it is made anew from the journal. `view` is the last table view it saw."""

    def __init__(
        self,
        game: AnyGame,
        mat: Mat,
        header: Header,
        journal: Journal | None,
        keeper: RecordKeeper,
        time: Callable[[], float],
    ) -> None:
        self.game = game
        self.header = header
        self._mat = mat
        self._journal = journal
        self._keeper = keeper
        self._time = time
        self.view: TableView | None = None
        self.referee: Referee
        self._recover_from: int | None = None
        """Where the referee could not be made anew after a fault: how many records it surely goes on from."""

    def begin(self, records: list[Record], before: Before) -> None:
        """Make the referee. What follows by itself on the last record before a power cut it records at once."""
        self.referee = Referee(self.game, self._mat, self.header, records, self._keeper.keep, before)

    def take_up_again(self) -> None:
        """Make the referee anew if that failed before; JournalError if the journal can't be used now either."""
        if self._recover_from is not None:
            self.take_up(self._recover_from)

    def guard(self, do: Callable[[], T]) -> T:
        """Do something with the referee; a fault in it ends nothing.

        As long as no record was written the referee agrees with the journal and goes on; else it is made anew. Raises
        FaultError for a fault, JournalError if a record could not be written, RuleError if the rules refuse it.
        """
        if self._recover_from is not None:
            raise FaultError
        before, self._keeper.written = self.referee.progress.history.count, 0
        try:
            done = do()
            if self._agrees():
                return done
            log.error("record %d was written, and not taken in", self._keeper.written)
        except JournalError:
            raise
        except Exception as error:
            if isinstance(error, RuleError) and not self._keeper.written:
                raise
            log.exception("a fault in the program itself")
        if self._keeper.written:
            self.take_up(before)
        raise FaultError

    def _agrees(self) -> bool:
        """Return whether what was written is what people see.

        A line in the log is the last that a record makes; and a secret that was told with a roll must not be rolled
        with again.
        """
        if not self._keeper.written:
            return True
        shown = self.referee.snapshot
        return (
            shown.log[-1:] != ()
            and shown.log[-1].n == self._keeper.written
            and shown.dice.commitment == self._keeper.dice.commitment
        )

    def take_up(self, before: int) -> None:
        """Make the referee anew from the journal, as a restart would; its first `before` records surely work.

        If a newer one doesn't it is set aside as damaged: nobody was told of it. Raises JournalError if the journal
        can't be used; the next message tries again.
        """
        self._recover_from = before
        for view, most in ((self.view, None), (None, None), (None, before)):
            try:
                self.referee, self._recover_from = self._made_anew(view, most), None
                return
            except JournalError:
                raise
            except Exception:
                log.exception("the match could not be taken up again")

    def _made_anew(self, view: TableView | None, most: int | None) -> Referee:
        old, now = self.referee, self._time()
        records = self._keeper.unwritten
        if self._journal is not None:
            records = self._journal.records(self.header.id, self.game.action_type)
        if most is not None and len(records) > most:
            if self._journal is not None:
                self._journal.set_aside(self.header.id, most + 1)
            del records[most:]
        # The secret of the last roll may have been told with its record: it must not be rolled with again.
        self._keeper.dice = dice = dice_commitment(self._journal, self.header, records)
        version, kept = old.snapshot.version, old.progress.keep_clocks(old.snapshot.record, now)
        made = Referee(self.game, self._mat, self.header, records, self._keeper.keep, Before(version, now, kept, dice))
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
