"""A referee that can be restarted from its journal in the middle of a match, as after a power cut."""

from __future__ import annotations

import tempfile
from pathlib import Path

from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee.commands import Command, Reply
from companion.referee.journal import Header, Journal
from companion.referee.progress import Before
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import AnyGame
from companion.rules.layout import Zone


class Resumable:
    """A referee with its journal. Call it from one thread only."""

    def __init__(self, game: AnyGame, mat: Mat, header: Header) -> None:
        self._game, self._mat, self._header = game, mat, header
        self._written: list[Record] = []
        self._referee = Referee(game, mat, header, sink=self._keep)

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._referee.snapshot

    @property
    def state(self) -> object:
        """The rules' state after the last record."""
        return self._referee.state

    def command(self, command: Command) -> Reply:
        """Execute a command, or return why not."""
        return self._referee.command(command)

    def records(self) -> list[Record]:
        """Return the records that count: those not undone."""
        return self._referee.records()

    def on_view(self, view: TableView) -> None:
        """Process a table view."""
        self._referee.on_view(view)

    def on_tick(self, time: float) -> None:
        """Process the passing of time (monotonic seconds)."""
        self._referee.on_tick(time)

    def restart(self) -> None:
        """Forget everything but what a journal keeps, and resume the match from that."""
        with tempfile.TemporaryDirectory() as folder:
            journal = Journal(Path(folder))
            journal.begin(self._header)
            for record in self._written:
                journal.append(self._header.id, record)
            journal.close()
            journal = Journal(Path(folder))
            header = journal.header(self._header.id)
            records, _ = journal.sound_records(header.id, self._game.action_type)
            journal.close()
        version = self._referee.snapshot.version
        self._referee = Referee(self._game, self._mat, header, records, self._keep, Before(version))

    def _keep(self, record: Record, candidates: tuple[str, ...], zones: frozenset[Zone]) -> None:
        self._written.append(record)
