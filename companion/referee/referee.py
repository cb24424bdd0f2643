"""The referee: takes table views and commands one at a time, understands, judges, and remembers.

Its parts are the match so far (`progress`), the watch over the table (`watcher`), and what people may say
(`command_handlers`). `companion.referee.match` gives it a thread and a queue.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import TableView
from companion.referee.colours import worn
from companion.referee.command_handlers import CommandHandlers
from companion.referee.commands import Command, Reply
from companion.referee.journal import Header
from companion.referee.laying import LayingList
from companion.referee.lying import Lies
from companion.referee.pointing import Pointing
from companion.referee.progress import Before, Entry, MatchProgress, Sink
from companion.referee.publishing import NamedViews, named
from companion.referee.record import Record
from companion.referee.snapshot import Pointer, Snapshot
from companion.referee.watcher import TableWatch
from companion.rules.kernel import AnyGame

SHOWN_LOG = 60
"""So many lines of the log, the last ones, are published."""


class Referee:
    """Referees one match. Call it from one thread only; `snapshot` may be read from any.

    Every method may raise JournalError if a record can't be kept; the state is then as before.
    """

    def __init__(
        self,
        game: AnyGame,
        mat: Mat,
        header: Header,
        records: Iterable[Record] = (),
        sink: Sink | None = None,
        before: Before = Before(),  # noqa: B008 - it is frozen
    ) -> None:
        """Begin a match, or go on from its records (then nothing is inferred until the table is as expected)."""
        self.progress = MatchProgress(game, mat, header, records, sink, before)
        self.watch = TableWatch(self.progress)
        self._pointing = Pointing(game, mat, self.progress.words)
        self._lies = Lies(game, mat)
        self._laying = LayingList(self.progress, self._pointing)
        self._handlers = CommandHandlers(self.progress, self.watch)
        self._views = NamedViews(game, header.seats)
        self._version = before.version
        self._set_clock()
        if before.kept is not None and before.kept.n == self.progress.history.count:
            self.progress.clock.take_up(before.kept, before.time)
        if before.kept is not None and before.kept.play is not None:
            self.progress.play_clock.take_up(before.kept.play, before.time)
        self.snapshot = self._publish()

    @property
    def state(self) -> object:
        """The rules' state after the last record."""
        return self.progress.state

    def records(self) -> list[Record]:
        """List the records that count."""
        return [past.record for past in self.progress.history.active]

    def say(self, words: str) -> None:
        """Show a sentence until the next one."""
        self.progress.sentence = words
        self.snapshot = self._publish()

    def command(self, command: Command) -> Reply:
        """Do what a command asks, or say why not."""
        refused = self._handlers.refused(command)
        if refused is not None:
            return Reply(False, verdict=refused)
        before = self.progress.history.count
        reply = self._handlers.handle(command)
        if self.watch.view is not None and self.progress.mode != "ledger" and not self.progress.frozen:
            self.watch.interpret()
        self.snapshot = self._publish()
        if reply.ok and self.progress.history.count > before and not reply.record:
            reply = Reply(True, self.progress.history.count)
        return reply

    def on_view(self, view: TableView) -> None:
        """Take what the eye sees."""
        self.watch.see(view)
        self.snapshot = self._publish()

    def on_tick(self, time: float) -> None:
        """Let time pass (monotonic seconds); a half-done action may become worth a word."""
        if self.watch.tick(time):
            self.snapshot = self._publish()

    def on_clock(self, time: float) -> None:
        """Let the people's time pass (monotonic seconds): a decision whose clock has run out is taken (C5)."""
        progress, watch = self.progress, self.watch
        progress.clock_time = max(progress.clock_time, time)
        told = progress.play_clock.look(progress.clock_time)
        if told:
            self.say(told)
        timed = progress.clock.timed
        if timed is None or not progress.clock.lapsed(time):
            return
        before = watch.unlike()
        asked = {type(action) for action in progress.game.legal(self.state) if action.seat in timed.seats}
        for action in timed.lapses:
            if progress.game.judge(self.state, action).ok:
                progress.record(Entry(action=action, by="clock"))
        progress.missed = (timed.seats, frozenset(asked))
        watch.follow(before)
        if watch.view is not None and progress.mode != "ledger":
            watch.interpret()
        self.snapshot = self._publish()

    def _set_clock(self) -> None:
        progress = self.progress
        due = progress.game.actors(self.state)
        timed = progress.game.timed(self.state) if due else None
        held = self.watch.restoring or progress.frozen
        progress.clock.follow(timed, progress.clock_time, held)
        # A bid has a clock of its own.
        progress.play_clock.follow(due, progress.clock_time, held or timed is not None)

    def _pointers(self) -> tuple[Pointer, ...]:
        watch = self.watch
        if watch.view is None:
            return ()
        if watch.mind.violation is not None:
            # The arrows show what the remedy says.
            return self._pointing.shifts(watch.mind.mend, watch.view, watch.seen.under)
        if watch.asked is not None and (found := watch.wrong() - watch.owed):
            return self._pointing.asked_about(found, watch.view)
        return self._pointing.shifts(watch.owed, watch.view, watch.seen.under)

    def _publish(self) -> Snapshot:
        progress, watch = self.progress, self.watch
        self._version += 1
        self._set_clock()
        provisional: tuple[str, ...] = ()
        if watch.mind.found is not None:
            provisional = tuple(
                progress.game.describe(self.state, step.guess or step.action, step.facts)
                for step in watch.mind.found.steps
            )
        dead = progress.history.dead
        log = tuple(
            msgspec.structs.replace(line, undone=line.n in dead) if line.n in dead else line
            for line in progress.log[-SHOWN_LOG:]
        )
        owed: tuple[str, ...] = ()
        if watch.view is not None or watch.restoring:
            owed = progress.words.moves(watch.owed, watch.seen.under)
        game, header, names = progress.game, progress.header, progress.names
        log = self._views.follow(self.state, log, names)
        return Snapshot(
            match=header.id,
            version=self._version,
            game=game.info.name,
            title=game.info.title,
            code=game.info.code,
            seats=header.seats,
            names=dict(names),
            colours=worn(progress.colours, header.seats, game.colours(self.state)),
            coloured=game.info.coloured,
            mode=progress.mode,
            phase=watch.phase,
            turn=game.turn(self.state),
            record=progress.history.count,
            can_redo=bool(progress.history.undone),
            views=self._views.views,
            standing=self._views.standing,
            ranking=game.info.ranking,
            led=progress.led() if self._views.standing.outcome is not None else (),
            sentence=named(progress.sentence, names),
            provisional=named(provisional, names),
            ends=watch.mind.found is not None and watch.mind.found.complete,
            owed=named(owed, names),
            pointers=named(self._pointers(), names),
            on_table=self._lies.look(self.state, watch.view, watch.differing, seen=progress.mode != "ledger"),
            laying=named(self._laying.look(watch), names),
            mat=self._pointing.size,
            violation=named(watch.mind.violation, names),
            question=named(watch.asked.question, names) if watch.asked else None,
            troubles=watch.view.troubles if watch.view is not None else (),
            log=log,
            timer=named(progress.clock.timer(), names),
            play_timer=progress.play_clock.timer() if watch.phase != "over" else None,
            dice=progress.throws.show(dead, progress.dice.stirred if progress.dice is not None else ()),
            frozen=progress.frozen,
            hint=progress.hint,
        )
