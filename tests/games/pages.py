"""Reads the games' pages under docs/games."""

from __future__ import annotations

from itertools import dropwhile, takewhile
from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs" / "games"


def page(name: str) -> str:
    """Read a game's page."""
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def rows(name: str, heading: str) -> list[list[str]]:
    """Read the first table under a heading of a game's page, without its head."""
    section = page(name).partition(f"## {heading}\n")[2].partition("\n## ")[0].splitlines()
    table = list(takewhile(_in_table, dropwhile(lambda line: not _in_table(line), section)))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def _in_table(line: str) -> bool:
    return line.startswith("|")
