"""Faults in the referee: what it understands, whom it hears, what is on disk, dice, the clock."""

from tests.faults.fault import Fault

FAULTS = (
    Fault(
        "the clock gives no grace",
        "referee/clock.py",
        "return None if self._ends is None else self._ends + GRACE",
        "return self._ends",
    ),
    Fault(
        "a computer that stood still gives more time than there was",
        "referee/clock.py",
        "self._ends = min(self._ends + seconds, now + self._total)",
        "self._ends = self._ends + seconds",
    ),
    Fault(
        "dice prefer small numbers",
        "referee/rolls.py",
        "fair = MOST_SIDES - MOST_SIDES % need.sides",
        "fair = MOST_SIDES",
    ),
    Fault(
        "a secret rolls twice",
        "referee/rolls.py",
        "self._secret, self._next = self._next, self._random(SECRET)",
        "self._next = self._random(SECRET)",
    ),
    Fault(
        "a record without a hash may stand among those that have one",
        "referee/chain.py",
        "if record.chain != hashed and (record.chain or begun):",
        "if record.chain != hashed and record.chain:",
    ),
    Fault(
        "a missing record is not noticed",
        "referee/journal.py",
        "if record.n != len(records) + 1:",
        "if record.n < len(records) + 1:",
    ),
    Fault(
        "a record may be told before it is on disk",
        "referee/journal.py",
        "PRAGMA synchronous=FULL",
        "PRAGMA synchronous=OFF",
    ),
    Fault(
        "the next secret is told before it is kept",
        "referee/keeper.py",
        "if self._journal is not None and record.proof is not None:",
        "if self._journal is not None and record.proof is None:",
    ),
    Fault(
        "a match taken up again is no longer stopped",
        "referee/recovery.py",
        "            old.progress.frozen,\n",
        "            False,\n",
    ),
    Fault(
        "under a trainer anybody does again",
        "referee/command_handlers.py",
        "if self._progress.header.trainer and isinstance(command, say.Undo | say.Redo):",
        "if self._progress.header.trainer and isinstance(command, say.Undo):",
    ),
    Fault(
        "anybody answers anybody's question",
        "referee/command_handlers.py",
        "if command.seat not in (TABLE, *asked.question.seats):",
        "if command.seat < TABLE:",
    ),
    Fault(
        "a roll may be entered anew",
        "referee/command_handlers.py",
        "if kept is not None and any(isinstance(fact, Rolled) and fact not in kept for fact in facts):",
        "if kept is not None and not facts:",
    ),
    Fault(
        "silence of a whole round is assumed",
        "referee/matching.py",
        "return len(silent | {step.action.seat}) <= MAX_SILENT",
        "return True",
    ),
    Fault(
        "what lies under a hand counts as seen",
        "referee/matching.py",
        "hidden = shows(layout, reached.layout, seen.covered)",
        "hidden = False",
    ),
)
