"""`companion doctor --walk`: asks in the terminal, and keeps what came of it in a file."""

from __future__ import annotations

from pathlib import Path

import typer

from companion.cli.common import fail
from companion.devices.cameras import open_camera
from companion.devices.device_manager import build
from companion.devices.doctor import Finding, fit, service_runs
from companion.devices.found_camera import find_camera
from companion.devices.walk import WRONG, Step, Walk, own_voice, report
from companion.devices.wiring import WiringError, load

ENDS = "Ctrl+D ends the walk; what is left is then not tried."


def walk_through(findings: list[Finding], camera: str, file: Path) -> bool:
    """Lead through the parts and write the report; return whether all was well.

    Raises:
        typer.Exit: if Companion itself runs here, or the report can't be written.
    """
    if service_runs():
        raise fail(
            "Companion runs and has camera, display and pins itself. Stop it first: "
            "sudo systemctl stop companion.socket companion; afterwards the same with start."
        )
    try:
        wiring = load()
    except WiringError as error:
        raise fail(f"{error}") from None
    try:
        # Before anything is tried: nobody should press fifty times for a report that can't be kept.
        file.touch()
    except OSError as error:
        raise fail(f"{file} can't be written: {error.strerror}. Name another file with --report.") from None
    there = camera != "find" or find_camera() is not None
    walk = Walk(
        build(wiring=wiring),
        wiring,
        (lambda tell: open_camera(camera, tell)) if there else None,
        _ask,
        voice=own_voice(),
    )
    typer.echo(ENDS)
    steps: list[Step] = []
    for step in walk.steps():
        typer.echo(f"{step.state}: {step.name}: {step.words}")
        steps.append(step)
    try:
        remark = _ask("Was anything odd? A sentence for the report, or nothing.")
    except EOFError:
        remark = ""
    file.write_text(report(findings, steps, remark), encoding="utf-8")
    typer.echo(f"The report is in {file.resolve()}: please send it with what you found.")
    return fit(findings) and all(step.state != WRONG for step in steps)


def _ask(words: str) -> str:
    typer.echo(f"\n{words}")
    return input("> ").strip()
