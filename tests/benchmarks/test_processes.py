import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import phone_table, phones
from companion.bench import processes, start
from companion.bench.figures import BenchError, optional
from companion.rules.kernel import TABLE


def gone(pid: int) -> bool:
    """Whether a process has ended; one that is dead and not buried by its parent yet has."""
    psutil = optional("psutil")
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_server_is_stopped_at_the_end_with_all_it_started() -> None:
    port = processes.free_port()
    serve = (
        "import subprocess, sys; "
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
        f"from http.server import SimpleHTTPRequestHandler as Pages, test; test(Pages, port={port}, bind='127.0.0.1')"
    )
    psutil = optional("psutil")
    with processes.serving(["-c", serve], port) as running:
        family = [running.pid, *(child.pid for child in psutil.Process(running.pid).children())]
        assert processes.get(port, "/") == 200
        assert (processes.memory_mb(running.pid) or 0) > 1
    assert len(family) == 2
    end = time.monotonic() + 5
    while not all(map(gone, family)) and time.monotonic() < end:
        time.sleep(0.02)
    assert all(map(gone, family))


def test_a_server_that_ends_by_itself_is_an_error_with_its_last_words() -> None:
    refuse = ["-c", "raise SystemExit('no port')"]
    with pytest.raises(BenchError, match="status 1: no port"), processes.serving(refuse, processes.free_port()):
        pass


def test_players_follow_a_plan_that_both_processes_know() -> None:
    first, other = (phone_table.plan(8, 25) for _ in range(2))
    assert first == other
    assert len(first) == 25
    assert any(action.seat != TABLE for action, _ in first)


@pytest.mark.night
def test_phones_hear_of_every_action_and_the_memory_is_told() -> None:
    section = phones.measure(counts=(3,), events=10, turns=1)
    row, alone, beside = section.rows
    assert [alone.what, beside.what] == ["8 phones, no robot", "8 phones, a robot thinks"]
    assert beside.budget is not None
    assert row.what == "3 phones"
    assert row.figures["events"] == 10
    assert row.budget is None, "the budget is for 200 phones"
    figures = row.figures
    assert 0 < figures["p50_ms"] <= figures["last_p50_ms"] <= figures["last_p99_ms"]
    assert figures["memory_mb"] > 10
    assert figures["kb_an_event"] > 0.1


@pytest.mark.night
def test_a_seat_that_is_refused_is_said() -> None:
    port = processes.free_port()
    with processes.serving(["-m", "benchmarks.phone_table", str(port), "2"], port):
        phones.Players(port, [], seats=2)
        with pytest.raises(BenchError, match="seat 1 could not be taken: the server answered 409"):
            phones.Players(port, [], seats=2)


@pytest.mark.night
def test_the_demo_is_started_and_its_page_timed() -> None:
    section = start.measure(starts=1)
    (row,) = section.rows
    assert row.figures["runs"] == 1
    assert row.figures["median_ms"] == row.figures["min_ms"] == row.figures["max_ms"]
    assert row.figures["cpu_ms"] > 0
    assert row.budget is not None
    assert row.budget.limit == 3.0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.night
def test_a_benchmark_that_is_stopped_or_killed_leaves_no_server(how: signal.Signals, tmp_path: Path) -> None:
    psutil = optional("psutil")
    command = [sys.executable, "-c", "from companion.bench import run; run('start', True)"]
    with subprocess.Popen(
        command, env={**os.environ, "TMPDIR": str(tmp_path)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as bench:
        whole = psutil.Process(bench.pid)
        end = time.monotonic() + 20
        while not (family := whole.children(recursive=True)) and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1.0)  # the server is on its way up
        family = whole.children(recursive=True)
        bench.send_signal(how)
        bench.wait(20)
    assert family
    assert psutil.wait_procs(family, timeout=20)[1] == []
