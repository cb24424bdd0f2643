"""The table of commands in docs/commands.md, made from what `--help` says: `python -m docs.commands` renews it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from companion.cli.main import cli

PAGE = Path(__file__).parent / "commands.md"
BEGIN, END = "<!-- made by python -m docs.commands -->\n", "<!-- end -->\n"


def commands(group: Any, name: str = "companion") -> Iterator[tuple[str, Any]]:
    """Yield every command with its whole name, those of a group in its place."""
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


def table() -> str:
    """Return a row for each command: its name with its arguments, the first sentence of its help, its options."""
    rows = ["| Command | What it does | Options |", "| --- | --- | --- |"]
    for name, command in commands(typer.main.get_command(cli)):
        given = [part for part in command.params if part.param_type_name == "argument"]
        words = " ".join(
            [name, *((part.metavar or part.name).strip("[]{}").upper().replace("|", "\\|") for part in given)]
        )
        options = [
            next(option for option in part.opts if option.startswith("--"))
            for part in command.params
            if part.param_type_name == "option" and not part.hidden
        ]
        told = re.split(r"(?<=[.;]) ", " ".join((command.help or "").split()))[0].rstrip(".:;")
        rows.append(f"| `{words}` | {told} | {' '.join(f'`{option}`' for option in options)} |")
    return "\n".join(rows) + "\n"


def renewed(page: str) -> str:
    """Return the page with the table of today."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
