"""From the command to the first page: the real program, as a process of its own."""

from __future__ import annotations

from companion.bench.figures import Row, Section, at_most, median
from companion.bench.processes import HOST, free_port, serving

RUN = """
import os, runpy, signal, threading, time
def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)
threading.Thread(target=end_with, args=(int(os.environ["COMPANION_BENCH_PID"]),), daemon=True).start()
runpy.run_module("companion", run_name="__main__")
"""
"""The child runs the program as `python -m companion` does; it also stops if the benchmark is killed."""


def measure(starts: int = 5, game: str = "five-cards-collector") -> Section:
    """Measure repeated starts of `companion demo` until its first page."""
    times: list[float] = []
    cpu: list[float] = []
    for _ in range(starts):
        port = free_port()
        with serving(["-c", RUN, "demo", game, "--host", HOST, "--port", str(port), "--seed", "1"], port) as running:
            times.append(running.first_page_ms)
            if running.first_page_cpu_ms is not None:
                cpu.append(running.first_page_cpu_ms)
    seconds = median(times) / 1000
    row = Row(
        "companion demo, start to first page",
        {
            "median_ms": median(times),
            "cpu_ms": median(cpu) if cpu else None,
            "min_ms": min(times),
            "max_ms": max(times),
            "runs": starts,
        },
        at_most("under 3 s", seconds, 3.0, " s"),
    )
    missing = () if cpu else ("psutil is not installed: no processor time.",)
    return Section((row,), ("The whole page / was read; a new process each time, its files in the cache.", *missing))
