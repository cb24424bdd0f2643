"""A process killed in the middle of a match: whether any announced record is lost, and how soon the match is back.

Whole matches of every game are played from a prepared list of actions, in a process that is killed (SIGKILL) after a
random time, again and again, until the match is over. After each kill the journal is opened, checked and gone on with.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import shutil
import signal
import struct
import tempfile
import time
from pathlib import Path

from companion import games
from companion.bench.figures import Figure, Row, Section, at_most
from companion.bench.prepared import Step, prepared
from companion.referee.chain import broken
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal
from companion.referee.match import Match
from companion.rules.kernel import AnyGame

LONGEST = 0.1
"""Seconds: a kill comes at most so long after the process has begun to play."""
EARLY = 0.2
"""The share of kills that come sooner: while the journal is opened and the match taken up again."""
COUNTS = ("matches", "kills", "records", "lost")
TIMES = ("longest_resume_ms", "longest_resume_cpu_ms")
_NUMBER = struct.Struct("<I")


class LostError(Exception):
    """An announced record was lost; the message says which."""


def _play(game: AnyGame, header: Header, steps: list[Step], folder: Path, told: int) -> None:
    """Continue the match and print each record's number once it is announced; runs until the process is killed."""
    journal = Journal(folder)
    match = Match(game, games.load_mat(header.game, header.seats), header, journal)
    match.start()
    os.write(told, _NUMBER.pack(0))
    for action, facts in steps[len(match.records()) :]:
        reply = match.command(Play(seat=action.seat, action=action, facts=facts))
        if not reply.ok:
            os._exit(3)
        os.write(told, _NUMBER.pack(reply.record))
    match.close()
    journal.close()


def _killed_after(
    game: AnyGame, header: Header, steps: list[Step], folder: Path, seconds: float, early: bool = False
) -> tuple[int, bool]:
    """Play in a process of its own for so long (`early`: setting up included), then kill it.

    Returns the last number printed and whether the process was killed.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        with contextlib.suppress(BaseException):
            os.close(read)
            _play(game, header, steps, folder, write)
            status = 0
        os._exit(status)
    os.close(write)
    if not early:
        select.select([read], [], [], 60)
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with os.fdopen(read, "rb") as pipe:
        numbers = pipe.read()
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) != 0:
        raise LostError(f"a match of {header.game} could not be gone on with")
    whole = len(numbers) // _NUMBER.size
    last = _NUMBER.unpack_from(numbers, (whole - 1) * _NUMBER.size)[0] if whole else 0
    return last, os.WIFSIGNALED(status)


def _resumed(game: AnyGame, header: Header, steps: list[Step], folder: Path, told: int) -> tuple[int, float, float]:
    """Open the journal again; return the number of records, and the time until the match was back.

    That in seconds by the clock, and in seconds of the processor.

    Raises:
        LostError: if a record is missing that was told of, or one is not what was played.
    """
    start, busy = time.perf_counter(), time.process_time()
    journal = Journal(folder)
    try:
        match = Match(game, games.load_mat(header.game, header.seats), header, journal)
        seconds, busy = time.perf_counter() - start, time.process_time() - busy
        records = match.records()
        if len(records) < told:
            raise LostError(f"record {told} of {header.game} was told of, and there are {len(records)}")
        if journal.rescued or broken(match.header, records):
            raise LostError(f"the journal of {header.game} was damaged")
        if [(record.action, record.facts) for record in records] != steps[: len(records)]:
            raise LostError(f"the records of {header.game} are not what was played")
        return len(records), seconds, busy
    finally:
        journal.close()


def measure(readings: int = 100, seed: int = 1) -> Section:
    """Measure `readings` kills, about equally many in each game: the one with the fewest kills is played next."""
    rng = random.Random(seed)
    names = games.packages()
    rows: dict[str, dict[str, float]] = {
        name: {**dict.fromkeys(COUNTS, 0), **dict.fromkeys(TIMES, 0.0)} for name in names
    }
    losses: list[str] = []
    kills = 0
    while kills < readings:
        # A match of one game is over after three kills, one of another takes a hundred.
        name = min(names, key=lambda label: rows[label]["kills"])
        game, sums = games.load(name), rows[name]
        low, high = game.info.seats
        header, steps = prepared(game, rng.randint(low, high), rng.randrange(10**9))
        folder = Path(tempfile.mkdtemp(prefix="companion-kills-"))
        count = 0
        try:
            while count < len(steps) and kills < readings:
                seconds, early = rng.uniform(0.0, LONGEST), rng.random() < EARLY
                told, killed = _killed_after(game, header, steps, folder, seconds, early)
                kills += killed
                sums["kills"] += killed
                count, seconds, busy = _resumed(game, header, steps, folder, told)
                sums["longest_resume_cpu_ms"] = max(sums["longest_resume_cpu_ms"], busy * 1000)
                sums["longest_resume_ms"] = max(sums["longest_resume_ms"], seconds * 1000)
        except LostError as error:
            sums["lost"] += 1
            losses.append(str(error))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        sums["matches"] += 1
        sums["records"] += count
    every: dict[str, Figure] = {key: sum(row[key] for row in rows.values()) for key in COUNTS}
    every |= {key: max(row[key] for row in rows.values()) for key in TIMES}
    worst = max(row["longest_resume_ms"] for row in rows.values()) / 1000
    told_rows = [Row(name, dict(row)) for name, row in rows.items()]
    whole = Row("all games", every, at_most("resumed under 1 s each", worst, 1.0, " s"))
    notes = (
        "Killed at random moments, set-up of the process included; every kill is followed by opening the journal.",
    )
    return Section((*told_rows, whole), (*notes, *losses))
