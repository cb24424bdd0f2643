"""Servers as processes of their own, on this computer only, that end with the benchmark however it ends."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from companion.bench.figures import BenchError, optional
from companion.untyped import Foreign

HOST = "127.0.0.1"
PARENT = "COMPANION_BENCH_PID"
"""Environment variable with the id of the parent process, whose end ends the server, too."""
STOPPING = 10.0
"""Seconds that a server is given to stop by itself."""
STARTING = 60.0
"""Seconds after which a server that shows no page is given up."""


class Running(msgspec.Struct, frozen=True):
    """A server that has shown its first page, what that took on the clock and the processor (None without psutil), in
    ms.

    What it prints is in the file `said`, as long as it runs.
    """

    port: int
    pid: int
    first_page_ms: float
    first_page_cpu_ms: float | None
    said: Path


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return int(listener.getsockname()[1])


@contextmanager
def serving(command: Sequence[str], port: int) -> Iterator[Running]:
    """Run Python with these arguments until its page / can be had; stop it, and all its children, at the end.

    State is kept in a folder that is thrown away; devices are simulated.

    Raises:
        BenchError: if the process ends, or shows no page in a minute.
    """
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        settings = {**os.environ, "COMPANION_STATE": folder, "COMPANION_DEVICES": "simulated", PARENT: str(os.getpid())}
        said = Path(folder) / "said.txt"
        began = time.perf_counter()
        with said.open("wb") as out:
            process = subprocess.Popen(  # noqa: S603  (our own program)
                [sys.executable, *command], env=settings, stdout=out, stderr=out, start_new_session=True
            )
        try:
            _wait_for_page(process, port, said)
            waited = (time.perf_counter() - began) * 1000
            yield Running(port, process.pid, waited, cpu_ms(process.pid), said)
        finally:
            _stop(process)


def _wait_for_page(process: subprocess.Popen[bytes], port: int, said: Path) -> None:
    end = time.perf_counter() + STARTING
    while time.perf_counter() < end:
        if process.poll() is not None:
            last = said.read_text("utf-8", "replace").strip().splitlines()[-1:]
            raise BenchError(f"the server stopped with status {process.returncode}: {''.join(last)}")
        with suppress(OSError):  # nobody listens yet
            if get(port, "/") == 200:
                return
        time.sleep(0.01)
    raise BenchError(f"the server showed no page in {STARTING:g} seconds")


def get(port: int, path: str) -> int:
    """Request a page, read it whole, and return the status; raise OSError if nobody answers."""
    asking = http.client.HTTPConnection(HOST, port, timeout=STARTING)
    try:
        asking.request("GET", path)
        answer = asking.getresponse()
        answer.read()
        return answer.status
    except http.client.HTTPException as error:
        raise OSError(f"no proper answer: {error}") from None
    finally:
        asking.close()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process and what it started: its own session, so nothing else."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOPPING)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def family(pid: int) -> list[Foreign]:
    """Return a process and its children, as psutil knows them; none if it has ended, or without psutil."""
    psutil = optional("psutil")
    if psutil is None or not psutil.pid_exists(pid):
        return []
    return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]


def cpu_ms(pid: int) -> float | None:
    """Return the processor time (ms) that a process and its children have taken so far. None without psutil."""
    used = [process.cpu_times() for process in family(pid)]
    return sum(times.user + times.system for times in used) * 1000 if used else None


def memory_mb(pid: int) -> float | None:
    """Return the memory (MB) of a process and its children; what several share is counted once. None without psutil."""
    used = [process.memory_full_info() for process in family(pid)]
    return float(sum(getattr(info, "pss", info.rss) for info in used)) / 1e6 if used else None
