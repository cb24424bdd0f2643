"""Runs inside the emulated box, as root: does what the checks outside ask, a command a line, and says what came of it.

    {"run": "a command for sh", "seconds": 60}  →  {"status": 0, "said": "its output"}

It uses the standard library alone, under the system's Python.
"""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

PORT = Path("/dev/virtio-ports/checks")


def run(wish: dict[str, object]) -> dict[str, object]:
    """Run a command; return its status and what it said."""
    command, seconds = str(wish["run"]), float(str(wish["seconds"]))
    try:
        done = subprocess.run(["/bin/bash", "-c", command], capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"status": 124, "said": f"not within {seconds:.0f} s"}
    return {"status": done.returncode, "said": (done.stdout + done.stderr).decode(errors="replace")}


def main() -> None:
    """Answer until the machine ends."""
    while not PORT.exists():
        time.sleep(0.2)
    with PORT.open("r+b", buffering=0) as port:
        port.write(b'{"here": true}\n')
        waiting = b""
        while True:
            waiting += port.read(4096) or b""
            while b"\n" in waiting:
                line, _, waiting = waiting.partition(b"\n")
                answer = json.dumps(run(json.loads(line))).encode() + b"\n"
                # The kernel takes 32 KB at a time.
                while answer:
                    answer = answer[port.write(answer) or 0 :]


if __name__ == "__main__":
    main()
