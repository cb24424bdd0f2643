"""What phones, buttons and the host may say: each command judged, recorded, and followed up on the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.referee import commands as say
from companion.referee.clock import BidClock
from companion.referee.colours import COLOURS
from companion.referee.commands import LONGEST, MODES
from companion.referee.difference import mismatches
from companion.referee.history import HistoryError
from companion.referee.journal import JournalError
from companion.referee.matching import Findings
from companion.referee.play_clock import PlayClock
from companion.referee.progress import Entry, MatchProgress
from companion.referee.record import Proof, Record
from companion.referee.snapshot import Hint, LogLine
from companion.referee.tray import awaited
from companion.referee.violations import edits
from companion.referee.watcher import TableWatch
from companion.referee.words import describe_undo
from companion.rules.dice import entered
from companion.rules.kernel import (
    TABLE,
    Action,
    Facts,
    Points,
    Rolled,
    RuleError,
    Seat,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.seats import apart, clean_name
from companion.rules.wording import all_of
from companion.text import bare, join, said, t

LONGEST_HINT = 300
"""Characters of a hint."""
_NO_CLOCK = illegal("C5", t("no clock is running"), t("Wait for a bid, or choose a clock for the next match."))


class CommandHandlers:
    """Does what commands ask of one match, or says why not."""

    def __init__(self, progress: MatchProgress, watch: TableWatch) -> None:
        self._progress = progress
        self._game = progress.game
        self._watch = watch
        self._handlers: dict[type[say.Command], Callable[[Any], say.Reply | None]] = {  # each takes its own kind
            say.Play: self._play,
            say.Roll: self._roll,
            say.Stir: self._stir,
            say.Throw: self._throw,
            say.Answer: self._answer,
            say.Done: self._done,
            say.Undo: self._undo,
            say.Redo: self._redo,
            say.Adopt: self._adopt,
            say.GoOn: self._go_on,
            say.Correct: self._correct,
            say.Reopen: self._reopen,
            say.End: self._end,
            say.Mode: self._change_mode,
            say.Name: self._rename,
            say.Pause: self._pause,
            say.Extend: self._extend,
            say.Clock: self._change_clock,
            say.TurnGlass: self._turn_glass,
            say.Freeze: self._freeze,
            say.Hint: self._give_hint,
            say.Advise: self._tell_of_advice,
        }

    def refused(self, command: say.Command) -> Verdict | None:
        """Return why a command is not even looked at: the match is held, or it came too late."""
        return self._held_back(command) or self._is_stale(command)

    def handle(self, command: say.Command) -> say.Reply:
        """Do what a command asks, or say why not."""
        try:
            return self._handlers[type(command)](command) or say.Reply(True)
        except RuleError as error:
            return say.Reply(False, verdict=error.verdict)
        except HistoryError as error:
            too_many = getattr(command, "steps", 1) > 1
            remedy = t("Choose a smaller number.") if too_many else t("Go on from here.")
            return say.Reply(False, verdict=illegal("C4", said(error), remedy))
        except JournalError as error:
            self._progress.sentence = said(error)
            return say.Reply(False, verdict=inconsistent("journal", said(error), t("Nothing is lost: try again then.")))

    def _last_record(self) -> Record | None:
        active = self._progress.history.active
        return active[-1].record if active else None

    def _held_back(self, command: say.Command) -> Verdict | None:
        """Refuse what nobody but the host may do now: anything while the match is frozen; undo, under a trainer."""
        if command.by == "host":
            return None
        if self._progress.frozen and not isinstance(command, say.Name):
            return illegal("host", t("the host has stopped the match for a moment"), t("Wait until it goes on."))
        if self._progress.header.trainer and isinstance(command, say.Undo | say.Redo):
            return illegal(
                "trainer", t("here only the trainer takes steps back"), t("Tell the trainer what went wrong.")
            )
        return None

    def _is_stale(self, command: say.Command) -> Verdict | None:
        """Refuse a command that was sent before its sender saw a record that changes what it would do.

        A seat's action is stale after a newer record of that seat or any change by the host, or when others have
        changed its meaning; what steers, after any record.
        """
        if command.after is None or command.after >= self._progress.history.count:
            return None
        since = [line for line in self._progress.log if line.n > command.after]
        if isinstance(command, say.Play | say.Roll | say.Done):
            last = self._last_record()
            if not isinstance(command, say.Done):
                state, action = self._progress.state, command.action
                if last is not None and last.action == action and not self._game.judge(state, action).ok:
                    # It has been done, by the table, the clock or another tap: `_act` says so, or why not twice.
                    return None
                history = self._progress.history
                seen = (past.state for past in reversed(history.active) if past.record.n <= command.after)
                if self._game.meaning(next(seen, history.first), action) != self._game.meaning(state, action):
                    return self._overtaken(since)
            # What the table does (dealing to several seats) has no order; what was said already the rules refuse.
            own = command.seat if command.seat != TABLE else -1
            since = [line for line in since if line.seat == own or line.n <= self._progress.steered]
        elif not isinstance(command, say.Undo | say.Redo | say.Adopt | say.Correct):
            return None
        return self._overtaken(since) if since else None

    @staticmethod
    def _overtaken(since: list[LogLine]) -> Verdict:
        reason = t("somebody was quicker; meanwhile: {words}", words=bare(since[-1].words))
        return illegal("C7", reason, t("Look again, then tap once more if you still want to."))

    def _play(self, command: say.Play[Action]) -> say.Reply:
        return self._act(command.action, command.by, lambda: (self._kept(command), None), command.seat)

    def _roll(self, command: say.Roll[Action]) -> say.Reply:
        """A seat acts, and the companion rolls the dice for it (C6); a roll once made is kept (C4)."""
        action = command.action

        def throw() -> tuple[Facts, Proof | None]:
            needs, kept = self._game.needs(self._progress.state, action), self._progress.kept_roll(action)
            if self._progress.dice is None or not needs or any(need.kind != "rolled" for need in needs):
                raise RuleError.illegal(
                    "C6", t("there are no dice here that the companion rolls"), t("Enter what you see.")
                )
            if kept is not None:
                return kept, None
            if self._progress.dice.commitment != self._progress.throws.commitment:
                # The secret of the last commitment is not here: tell of another before it is used.
                self._progress.record(Entry(kind="correction", by=command.by))
            if command.salt:
                self._progress.dice.stir(command.seat, command.salt)
            return self._progress.dice.roll(self._progress.header.id, self._progress.history.count + 1, needs)

        reply = self._act(action, command.by, throw, command.seat)
        if reply.ok and self._progress.dice is not None and self._progress.history.active[-1].record.proof is not None:
            self._progress.dice.rolled()
        return reply

    def _throw(self, command: say.Throw[Action]) -> None:
        verdict = self._game.judge(self._progress.state, command.action)
        if not verdict.ok:
            raise RuleError(verdict)
        roll = awaited(self._game, self._progress.state, command.action)
        tray = self._watch.tray
        if roll is None or roll.need.sides != tray.sides or self._watch.view is None or self._progress.mode == "ledger":
            raise RuleError.illegal("C6", t("the camera reads no such dice here"), t("Type what they show."))
        tray.throw(roll, self._watch.view)
        count = roll.need.count
        self._progress.sentence = (
            t("{seat} rolls 1 die in the tray, {place}.", seat=at(command.seat), place=tray.place)
            if count == 1
            else t(
                "{seat} rolls {count} dice in the tray, {place}.", seat=at(command.seat), count=count, place=tray.place
            )
        )

    def _stir(self, command: say.Stir) -> None:
        if self._progress.dice is None:
            raise RuleError.illegal("C6", t("the companion rolls no dice here"), t("Roll your own."))
        self._progress.dice.stir(command.seat, command.salt)

    def _kept(self, command: say.Play[Action]) -> Facts:
        """Take dice that were entered; if they were rolled before for the same thing they stand (C4)."""
        facts = entered(self._game.needs(self._progress.state, command.action), command.facts)
        kept = self._progress.kept_roll(command.action)
        if kept is not None and any(isinstance(fact, Rolled) and fact not in kept for fact in facts):
            rolled = all_of(str(value) for fact in kept if isinstance(fact, Rolled) for value in fact.values)
            remedy = t("Enter {rolled}; if that was wrong the host can correct the state.", rolled=rolled)
            raise RuleError.illegal(
                "C4", t("this was rolled before, {rolled}, and a roll once made is kept", rolled=rolled), remedy
            )
        return facts

    def _act(self, action: Action, by: str, throw: Callable[[], tuple[Facts, Proof | None]], seat: Seat) -> say.Reply:
        past = self._progress.history.active
        if action in self._game.moot(self._progress.state, (past[-1].before, past[-1].record.action) if past else None):
            return say.Reply(True)
        if self._progress.mode == "strict" and self._watch.mind.violation is not None and seat != TABLE:
            told = self._watch.mind.violation
            return say.Reply(False, verdict=illegal(told.rule, told.reason, told.remedy))
        self._before_phone(action, by)
        verdict = self._game.judge(self._progress.state, action)
        if not verdict.ok:
            last = self._last_record()
            if last is not None and last.action == action and last.by in ("table", "clock"):
                # The table, or the clock, was quicker than the phone: it is said twice and done once.
                return say.Reply(True, last.n)
            return say.Reply(False, verdict=self._late(action) or verdict)
        before = self._watch.unlike()
        facts, proof = throw()
        record = self._progress.record(Entry(action=action, facts=facts, by=by, proof=proof))
        self._watch.follow(before)
        return say.Reply(True, record.n)

    def _late(self, action: Action) -> Verdict | None:
        """Explain a bid that came after the clock had taken the decision (C5)."""
        seats, kinds = self._progress.missed
        if action.seat not in seats or type(action) not in kinds:
            return None
        reason = t("the time was up before that came in: {words}", words=bare(self._progress.log[-1].words))
        return illegal("C5", reason, t("Ask the host to take it back if that is not fair."))

    def _before_phone(self, action: Action, by: str) -> None:
        """Commit what the table already shows, or the silent end of the turn before, if this action follows on it."""
        found = self._watch.mind.found
        follows = found is not None and found.complete and self._game.judge(found.state, action).ok
        own = found is not None and all(step.action.seat == action.seat for step in found.steps)
        if self._game.judge(self._progress.state, action).ok and not (follows and own):
            return
        if found is not None and follows:
            self._watch.commit(found, Findings())
            return
        tacit = self._game.tacit(self._progress.state)
        past = self._last_record()
        if tacit is None or past is None or past.seat != tacit.seat or tacit.seat == action.seat:
            return
        if self._game.judge(self._game.play(self._progress.state, tacit), action).ok:
            self._progress.record(Entry(action=tacit, assumed=True, by=by))

    def _answer(self, command: say.Answer) -> say.Reply:
        asked = self._watch.asked
        if asked is None or asked.question.id != command.question:
            raise RuleError.illegal("C7", t("that question is no longer open"), t("Look again."))
        if command.seat not in (TABLE, *asked.question.seats):
            who = all_of(at(seat) for seat in asked.question.seats)
            raise RuleError.illegal("C7", t("that question is for {who}", who=who), t("Leave the answer to them."))
        if command.choice not in asked.answers:
            raise RuleError.illegal("C7", t("that is none of the answers"), t("Choose one that is shown."))
        found = asked.answers[command.choice]
        self._watch.asked = None
        if found is None and asked.question.kind == "dice":
            self._watch.tray.again(self._watch.view)
            self._progress.sentence = t("Type what the dice show, or roll again.")
            return say.Reply(True)
        if found is None:
            self._watch.restore(t("It is taken back."))
            return say.Reply(True)
        before = self._watch.unlike()
        for step in found.steps:
            self._progress.record(Entry(action=step.action, facts=step.facts, by=command.by, assumed=step.tacit))
        self._watch.follow(before)
        return say.Reply(True, self._progress.history.count)

    def _done(self, command: say.Done) -> say.Reply:
        """End a turn: what the table shows counts, or what left no trace is assumed."""
        found = self._watch.mind.found
        if found is not None and found.complete:
            self._watch.commit(found, Findings())
            return say.Reply(True, self._progress.history.count)
        actors = self._game.actors(self._progress.state)
        if not actors:
            raise RuleError.illegal("C7", t("the match is over"), t("Begin a new one."))
        if command.seat not in (TABLE, *actors):
            who = all_of(at(seat) for seat in actors)
            reason = t("it is the turn of {turn}, not of {seat}", turn=who, seat=at(command.seat))
            raise RuleError.illegal("C7", reason, t("Wait for {who}.", who=who))
        tacit = self._game.tacit(self._progress.state)
        if tacit is None:
            reason = t("there is something to decide first")
            raise RuleError.illegal("C7", reason, t("Look at what the companion asks."))
        before = self._watch.unlike()
        self._progress.record(Entry(action=tacit, by=command.by, assumed=True))
        self._watch.follow(before)
        return say.Reply(True, self._progress.history.count)

    def _undo(self, command: say.Undo) -> say.Reply:
        past = self._progress.history.active[-command.steps :]
        states = [one.state for one in self._progress.history.active[-command.steps - 1 : -1]]
        states = [self._progress.history.first] * (len(past) - len(states)) + states
        record = self._progress.record(Entry(kind="undo", steps=command.steps, by=command.by))
        self._watch.restore(describe_undo(self._game, list(zip(states, past, strict=True))))
        return say.Reply(True, record.n)

    def _redo(self, command: say.Redo) -> say.Reply:
        record = self._progress.record(Entry(kind="redo", steps=command.steps, by=command.by))
        self._watch.restore(t("Done again."))
        return say.Reply(True, record.n)

    def _adopt(self, command: say.Adopt) -> say.Reply:
        wrong = mismatches(self._game.layout(self._progress.state), self._watch.seen)
        if not wrong:
            raise RuleError.illegal("C8", t("the table is as expected"), t("There is nothing to correct."))
        turn = (self._game.actors(self._progress.state) or (1,))[0] or 1
        return self._correct(say.Correct(edits=edits(wrong, turn), by=command.by))

    def _correct(self, command: say.Correct) -> say.Reply:
        record = self._progress.record(Entry(kind="correction", edits=command.edits, by=command.by))
        self._watch.follow()
        self._watch.restoring = False
        return say.Reply(True, record.n)

    def _reopen(self, command: say.Reopen) -> say.Reply:
        closing = self._progress.history.closing(command.round)
        if closing.record.action is None:
            raise RuleError.illegal("C8", t("that round was not played to its end"), t("Type its points instead."))
        before = self._game.correct(closing.before, command.edits)
        after = self._game.play(before, closing.record.action, closing.record.facts)
        now, then = (self._game.standing(state).rounds[command.round - 1] for state in (after, self._progress.state))
        seats = enumerate(zip(now, then, strict=True), 1)
        changed = tuple(Points(seat, command.round, new) for seat, (new, old) in seats if new != old)
        return self._correct(say.Correct(edits=changed, by=command.by)) if changed else say.Reply(True)

    def _go_on(self, command: say.GoOn) -> None:
        """Take the table as it is: what is still owed stays owed, but nothing waits for it."""
        self._watch.restoring = False
        self._progress.sentence = t("Going on from here.")
        self._watch.follow()

    def _end(self, command: say.End) -> say.Reply:
        record = self._progress.record(Entry(kind="end", by=command.by))
        self._watch.follow()
        return say.Reply(True, record.n)

    def _change_mode(self, command: say.Mode) -> None:
        if command.mode not in MODES:
            reason = t("there is no mode called {mode}", mode=command.mode)
            raise RuleError.illegal("mode", reason, t("Choose {seats}.", seats=join(", ", MODES)))
        self._progress.mode = command.mode
        self._watch.mind.forget()
        if self._progress.mode == "ledger":
            self._watch.restoring, self._watch.owed = False, frozenset()

    def _known(self, seat: Seat) -> None:
        seats = self._progress.header.seats
        if not 1 <= seat <= seats:
            reason = t("there is no seat {seat}: the seats are 1 to {players}", seat=seat, players=seats)
            raise RuleError.inconsistent("C3", reason, t("Choose one of them."))

    def _rename(self, command: say.Name) -> None:
        self._known(command.seat)
        name = clean_name(command.name)
        if not name and command.by == "table":
            self._progress.names.pop(command.seat, None)
            return
        if not name:
            raise RuleError.illegal("C3", t("a name needs a letter"), t("Type a name."))
        info = self._progress.game.info
        if command.colour and info.coloured:
            reason = t("in {title} the pieces give the seats their colours", title=info.title)
            raise RuleError.illegal("C3", reason, t("Play the pieces of your seat."))
        worn_by = {colour: seat for seat, colour in self._progress.colours.items()}
        if command.colour and command.colour not in COLOURS:
            reason = t("there is no colour called {colour}", colour=command.colour[:20])
            raise RuleError.inconsistent("C3", reason, t("Choose {seats}.", seats=all_of(COLOURS)))
        if worn_by.get(command.colour, command.seat) != command.seat:
            reason = t("{player} has {amount} already", player=at(worn_by[command.colour]), amount=command.colour)
            raise RuleError.illegal("C3", reason, t("Choose another colour."))
        every = range(1, self._progress.header.seats + 1)
        others = [self._progress.names.get(seat, f"Seat {seat}") for seat in every if seat != command.seat]
        self._progress.names[command.seat] = apart(name, others)
        if command.colour:
            self._progress.colours[command.seat] = command.colour

    def _pause(self, command: say.Pause) -> None:
        self._clock().pause(self._progress.clock_time, command.paused)

    def _clock(self) -> BidClock | PlayClock:
        if self._progress.clock.timed is not None:
            return self._progress.clock
        if not self._progress.play_clock.runs:
            raise RuleError(_NO_CLOCK)
        return self._progress.play_clock

    def _turn_glass(self, command: say.TurnGlass) -> None:
        if not self._progress.play_clock.turn_over(self._progress.clock_time):
            raise RuleError.illegal("clock", t("there is no sand glass in this match"), t("Play on."))

    def _extend(self, command: say.Extend) -> None:
        clock, n = self._clock(), command.seconds
        if not 1 <= n <= LONGEST:
            reason = t("the clock can be extended by 1 to {longest} seconds, not {seconds}", longest=LONGEST, seconds=n)
            raise RuleError.inconsistent("C5", reason, t("Choose another number."))
        clock.extend(command.seconds, self._progress.clock_time)

    def _change_clock(self, command: say.Clock) -> None:
        n = command.seconds
        if not 0 <= n <= LONGEST:
            reason = t("a bid may take 0 (no clock) to {longest} seconds, not {seconds}", longest=LONGEST, seconds=n)
            raise RuleError.inconsistent("C5", reason, t("Choose another number."))
        self._progress.clock.change(command.seconds, self._progress.clock_time)

    def _freeze(self, command: say.Freeze) -> None:
        self._progress.frozen = command.frozen

    def _tell_of_advice(self, command: say.Advise) -> None:
        self._known(command.seat)
        self._progress.sentence = t("{seat} asked what a robot would do.", seat=at(command.seat))

    def _give_hint(self, command: say.Hint) -> None:
        if command.seat != TABLE:
            self._known(command.seat)
        words = " ".join(command.words.split())[:LONGEST_HINT]
        self._progress.hint = Hint(command.seat, words) if words else None
