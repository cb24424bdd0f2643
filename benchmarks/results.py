"""RESULTS.md: the newest run of each section, as tables."""

from __future__ import annotations

import re
from pathlib import Path

from companion.bench.figures import Row, Section, shown

RESULTS = Path(__file__).with_name("RESULTS.md")
_HEAD = """# What was measured

Each table is the newest run of its section: `python -m benchmarks SECTION --keep` writes it.
Times depend on the machine; compare the ratios.
"""


def keep(name: str, about: str, found: Section, file: Path = RESULTS) -> None:
    """Write a section's tables into `file`, in place of those of its last run. Sections stand in alphabetical order."""
    text = file.read_text(encoding="utf-8") if file.is_file() else _HEAD
    head, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    others = {part.split("\n", 1)[0].removeprefix("## "): part.rstrip() + "\n" for part in parts}
    others[name] = _told(name, about, found)
    body = "\n".join(others[key] for key in sorted(others))
    file.write_text(f"{head.rstrip()}\n\n{body}", encoding="utf-8")


def _told(name: str, about: str, found: Section) -> str:
    tables: dict[str, list[Row]] = {}
    for row in found.rows:
        tables.setdefault(row.table, []).append(row)
    parts = [f"## {name}\n\n{about[:1].upper()}{about[1:]}.\n"]
    for title, rows in tables.items():
        if title:
            parts.append(f"**{title}**\n")
        parts.append(_table(rows))
    parts += [f"{note}\n" for note in found.notes]
    return "\n".join(parts)


def _table(rows: list[Row]) -> str:
    columns = list(dict.fromkeys(figure for row in rows for figure in row.figures))
    budget = any(row.budget for row in rows)
    heads = ["", *(column.replace("_", " ") for column in columns), *(["budget"] if budget else [])]
    lines = [_line(heads), _line(["---"] * len(heads))]
    for row in rows:
        cells = [row.what + (f" ({row.note})" if row.note else ""), *(shown(row.figures.get(key)) for key in columns)]
        if budget:
            cells.append("" if row.budget is None else f"{row.budget.words}: {row.budget.gap or 'met'}")
        lines.append(_line(cells))
    return "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
