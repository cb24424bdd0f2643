"""What is looked at inside an emulated computer with a Pi's processor and 512 MB: a webcam's table, and its memory."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.deploy.virtual_pi.camera import Watched, watched, webcam_read, webcam_records
from tests.deploy.virtual_pi.program import Checks, Served, WrongError

KEPT = Path("/kept")
OURS = {"pins_child.py": "the pins' child", "companion": "the table"}
"""What the program's processes are called, by a word of their command."""
LEAST_MB = 100.0
"""Of memory that has to be left: below that a Pi begins to swap."""


def pss(folder: Path) -> float:
    """Return what a process takes of the memory (MB), what it shares counted in part."""
    words = (folder / "smaps_rollup").read_text().split()
    return int(words[words.index("Pss:") + 1]) / 1024


def taken(served: Served) -> dict[str, float]:
    """Return what each process of the program takes (MB)."""
    found: dict[str, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            name = next((name for word, name in OURS.items() if word in command and "checks" not in command), "")
            if not name or "virtual_pi" in command:
                continue
            if int(folder.name) == served.process.pid:
                name = "gunicorn's main process"
            found[name] = found.get(name, 0.0) + pss(folder)
        except OSError:
            # It has ended meanwhile.
            continue
    return found


def of_kernel(file: str, *names: str) -> list[int]:
    """Return numbers of a file of the kernel's, by their names."""
    lines = (line.replace(":", " ").split() for line in Path("/proc", file).read_text().splitlines())
    numbers = {words[0]: int(words[1]) for words in lines}
    return [numbers[name] for name in names]


def memory(table: Watched) -> str:
    """Nothing is killed for want of memory, hardly anything is read back from the disk, and enough is left."""
    parts = taken(table.served)
    whole, free = (kb / 1024 for kb in of_kernel("meminfo", "MemTotal", "MemAvailable"))
    back, out, killed = of_kernel("vmstat", "pswpin", "pswpout", "oom_kill")
    each = ", ".join(f"{name} {mb:.0f}" for name, mb in sorted(parts.items()))
    words = (
        f"{sum(parts.values()):.0f} MB in all ({each}; PSS), {free:.0f} of {whole:.0f} MB available (the checks have "
        f"{pss(Path('/proc/self')):.0f}), swapped out {out} and in {back} pages, {killed} killed"
    )
    if killed or free < LEAST_MB:
        raise WrongError(words)
    return words


def webcam_moves(table: Watched, most: int) -> str:
    """The first moves become the records that they were."""
    course = table.course
    last = next((n for n, step in enumerate(course.steps) if step.records >= most), len(course.steps) - 1)
    took = [table.take(step) for step in course.steps[: last + 1]]
    del course.actions[course.steps[last].records :]
    return f"{len(took)} steps, {sum(took) / len(took):.1f} s each, {max(took):.0f} s at most"


def main() -> int:
    """Make the checks; return how many of them are not ok."""
    check = Checks()
    with watched(KEPT) as table:
        check(memory, table)
        check(webcam_read, table)
        check(memory, table)
        check(webcam_moves, table, int(os.environ["RECORDS"]))
        check(memory, table)
        check(webcam_records, table)
    return check.said()


if __name__ == "__main__":
    sys.exit(main())
