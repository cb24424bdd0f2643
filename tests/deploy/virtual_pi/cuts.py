"""The plug of the emulated box is pulled, again and again, and each time its disk is looked at."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from companion import games
from companion.referee.journal_reader import read_only
from tests.deploy.virtual_pi.bench import STATE, Bench
from tests.deploy.virtual_pi.people import CUT, GAME
from tests.deploy.virtual_pi.program import WrongError

UNDER_WAY, EARLY = 1.0, 0.2
"""Seconds that a step is under way when the plug is pulled, at most; the share of cuts while the computer starts."""
SUPERBLOCK_END = 2048
MODIFIED = "***** FILE SYSTEM WAS MODIFIED *****"
TORN = "Superblock checksum does not match superblock"
COUNTED = (
    *("Free blocks count wrong", "Free inodes count wrong", "Directories count wrong"),
    *("Padding at end of", "Block bitmap differences:  +"),
)
"""What e2fsck says of a superblock of which a half was written, and of what is counted anew after that: the copy of it
knows the groups of blocks as they were when the file system was made."""
BARE = " ".join(
    (
        "fstab=no rw",
        *(f"systemd.mask={name}.service" for name in ("systemd-udev-trigger", "systemd-udevd", "systemd-logind")),
        *(f"systemd.mask={name}.service" for name in ("avahi-daemon", "dbus", "systemd-modules-load")),
        *(f"systemd.mask={name}.socket" for name in ("systemd-udevd-control", "systemd-udevd-kernel", "avahi-daemon")),
        *(f"systemd.mask={name}.service" for name in ("modprobe@configfs", "modprobe@drm", "modprobe@fuse")),
    )
)
"""What the computer starts without while its plug is pulled: all of it costs an emulated processor seconds."""


def power_cuts(bench: Bench, cuts: int) -> str:
    """The plug is pulled at random; file system and journal are whole, nothing that was told is lost, play goes on."""
    at_stake = lost = early = 0
    takes = 60.0
    if bench.machine.is_on():
        bench.shut_down()
    with ThreadPoolExecutor(1) as looking:
        looks: list[Future[bool]] = []
        for n in range(1, cuts + 1):
            bench.machine.switch_on(BARE, quick=True)
            if bench.rng.random() < EARLY:
                early += 1
                time.sleep(bench.rng.uniform(0.0, takes))
            else:
                began = time.monotonic()
                bench.table(bench.machine.has_crashed)
                takes = time.monotonic() - began
                left = len(bench.people.steps) - bench.people.told
                _play_on(bench, bench.rng.randint(0, max(0, left // (cuts - n + 2) - 2)))
            told = bench.people.told
            under_way, gone = bench.machine.pull(bench.rng)
            at_stake, lost = at_stake + under_way, lost + gone
            print(f"   cut {n}: {gone} of {under_way} writes lost; {told} records were told of", flush=True)
            # A copy is looked at while the computer starts again: it shall put its card in order by itself.
            looks.append(looking.submit(whole, bench, _copy(bench, f"cut-{n}"), told))
            _raise_first(looks, False)
        _raise_first(looks, True)
    torn = sum(look.result() for look in looks)
    # Chance tears few superblocks: once on purpose, then it starts all the same.
    tear(bench.machine.image)
    if not whole(bench, _copy(bench, "torn"), bench.people.told):
        raise WrongError("the superblock is not torn")
    bench.machine.switch_on(quick=bench.quick)
    bench.table(bench.machine.has_crashed)
    return (
        f"{cuts} cuts, {early} of them while it started; {lost} of {at_stake} writes lost, {torn} superblocks torn and "
        f"another on purpose; {bench.play()} records, all of them as they were played"
    )


def _copy(bench: Bench, name: str) -> Path:
    copy = bench.folder / name
    subprocess.run(["cp", "--sparse=always", bench.machine.image, copy], check=True)
    return copy


def tear(disk: Path) -> None:
    """Have the second sector of a disk's superblock, with its checksum, be of another write than the first."""
    with disk.open("r+b") as image:
        image.seek(SUPERBLOCK_END - 4)
        checksum = image.read(4)
        image.seek(SUPERBLOCK_END - 4)
        image.write(bytes(byte ^ 0xFF for byte in checksum))


def _raise_first(looks: list[Future[bool]], wait: bool) -> None:
    """Raise what a look at a disk has found, of those that are done, or all of them if it may wait."""
    for n, look in enumerate(looks, start=1):
        if wait or look.done():
            try:
                look.result()
            except WrongError as error:
                raise WrongError(f"after cut {n}: {error}") from None


def _play_on(bench: Bench, steps: int) -> None:
    """Play so many steps at people's pace, and another one that is under way when the plug is pulled."""
    bench.sit()
    for _ in range(steps):
        bench.play()
        time.sleep(bench.rng.uniform(0.0, 0.5))

    def last() -> None:
        with contextlib.suppress(*CUT):
            bench.play()

    # Half of the time it goes in the middle of what the card is writing.
    amid, card = bench.rng.random() < 0.5, bench.machine.card
    if amid:
        card.stop_after(bench.rng.randint(1, 6))
    threading.Thread(target=last, daemon=True).start()
    card.stopped.wait(60 if amid else bench.rng.uniform(0.0, UNDER_WAY))


def put_in_order(disk: Path) -> bool:
    """Put the file system on a disk in order, as its first files do; return whether its superblock was torn.

    Two sectors are a superblock. If one of them alone was written there is a copy of it, and the file system's own
    journal has the rest; only what is free has to be counted anew.

    Raises:
        WrongError: if more than that is wrong.
    """
    done = subprocess.run(["e2fsck", "-f", "-p", disk], capture_output=True, text=True, check=False)
    # 1 is "put in order", as after every cut: what the file system's own journal has is done.
    if done.returncode in (0, 1):
        return False
    if TORN in done.stdout + done.stderr:
        done = subprocess.run(["e2fsck", "-f", "-y", disk], capture_output=True, text=True, check=False)
        if done.returncode == 1 and not mended(done.stdout):
            return True
    raise WrongError(f"the file system: {done.stdout[-500:]}{done.stderr[-500:]}")


def mended(said: str) -> list[str]:
    """Return what e2fsck says that it has mended besides counting anew what is free."""
    _, _, passes = said.partition("Pass 1:")
    lines = (line.removesuffix("Fix? yes").strip() for line in passes.splitlines()[1:])
    told = [
        line for line in lines if line and not line.startswith("Pass ") and not line.endswith((MODIFIED, " blocks"))
    ]
    return [line for line in told if not line.startswith(COUNTED) or " -" in line]


def whole(bench: Bench, copy: Path, told: int) -> bool:
    """See whether the file system on a copy is whole, and its journal; return whether its superblock was torn.

    Raises:
        WrongError: if they are not, or the journal has not what was told of, or something else.
    """
    torn = put_in_order(copy)
    taken = bench.folder / f"{copy.name}-state"
    taken.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump {STATE} {taken}", copy], capture_output=True, check=True)
    copy.unlink()
    match, state = bench.people.header.id, taken / "companion"
    with sqlite3.connect(state / "journal.db") as db:
        (sound,) = db.execute("PRAGMA integrity_check").fetchone()
    if sound != "ok":
        raise WrongError(f"the journal: {sound}")
    said = subprocess.run(
        [sys.executable, "-m", "companion", "verify", match],
        capture_output=True,
        text=True,
        env={**os.environ, "COMPANION_STATE": str(state)},
        check=False,
    )
    if said.returncode:
        raise WrongError(f"verify: {said.stdout[-300:]}{said.stderr[-300:]}")
    with read_only(state) as reader:
        records = reader.records(match, games.load(GAME).action_type)
    if len(records) < told:
        raise WrongError(f"record {told} was told of, and there are {len(records)}")
    if [(record.action, record.facts) for record in records] != bench.people.steps[: len(records)]:
        raise WrongError("the records are not what was played")
    how = "was put in order from its second superblock" if torn else "is whole"
    print(f"   {copy.name}: the file system {how}, and the journal is whole: {len(records)} records", flush=True)
    return torn
