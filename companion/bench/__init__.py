"""`companion bench`: figures of this machine, against peers and against the budgets of the design, in the same run.

Times depend on the machine and its other load, so compare the ratios. Nothing here is a test.
"""

from __future__ import annotations

import importlib
import inspect
import signal
import sys
import threading
from collections.abc import Mapping

import msgspec
from rich.console import Console

from companion.bench.figures import WIDTH, BenchError, Section, machine, plain, tell

SECTIONS = {
    "eye": "what is read on bad days, by condition and size, against the libraries",
    "frames": "what a frame costs in which nothing, or one card, changed",
    "match": "from a card on the table to the journal, and back from it",
    "start": "from the command to the first page",
}
"""The sections that an owner runs on a Pi, in order; section `x` is the function `measure` of the module `x`."""
IN_A_CHECKOUT = (
    *("balance", "dice", "faces", "identities", "kills", "load", "pace"),
    *("pages", "phone_words", "phones", "reading", "robots", "rules", "screens", "table"),
)
"""Sections that compare with peers, need crowds or photographs: `python -m benchmarks`, in a checkout."""

__all__ = ["IN_A_CHECKOUT", "SECTIONS", "BenchError", "measure", "run"]


def measure(
    section: str, sections: Mapping[str, str] = SECTIONS, package: str = __name__, **options: object
) -> Section:
    """Measure one of the `sections`, modules of `package`, with the `options` of its function `measure`.

    Raises:
        BenchError: if there is none of that name, it knows no such option, or it can't be measured here.
    """
    if section not in sections:
        if section in IN_A_CHECKOUT:
            raise BenchError(f"{section} is measured in a checkout of the program: python -m benchmarks {section}")
        raise BenchError(f"there is no section {section}; there are: {', '.join(sections)}")
    # Only the section that is asked for loads its peers.
    module = importlib.import_module(f"{package}.{section}")
    known = inspect.signature(module.measure).parameters
    for name in options:
        if name not in known:
            raise BenchError(f"the section {section} {_lacks(name)}")
    found: Section = module.measure(**options)
    return found


def _lacks(name: str) -> str:
    return "takes no folders" if name == "folders" else f"has no option --{_option(name)}"


def _option(name: str) -> str:
    return name.replace("_", "-")


def run(
    section: str | None,
    as_json: bool,
    sections: Mapping[str, str] = SECTIONS,
    package: str = __name__,
    **options: object,
) -> dict[str, Section]:
    """Measure one section, or all of them, and print tables, or one JSON document: {"section": {"rows": […]}}.

    `options` are those of the one section (None: not given). Return what was measured.

    Raises:
        BenchError: if the named section, or its option, does not exist or can't be measured; of all, others go on.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if section is None and given:
        raise BenchError(f"--{_option(next(iter(given)))} belongs to one section; name it: {', '.join(sections)}")
    if threading.current_thread() is threading.main_thread():
        # Told to stop, it still ends the servers that it started.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    chosen = list(sections) if section is None else [section]
    # A log or a pipe has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    measured: dict[str, Section] = {}
    for name in chosen:
        on = machine()
        with Console(stderr=True).status(f"{name}: {sections.get(name, '')}"):
            try:
                found = measure(name, sections, package, **given)
            except BenchError as error:
                if section is not None:
                    raise
                found = Section((), (f"Not measured: {error}.",))
        found = msgspec.structs.replace(found, notes=(*found.notes, f"Measured on {on}."))
        measured[name] = found
        if not as_json:
            tell(console, f"{name}: {sections[name]}", found)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode({name: plain(found) for name, found in measured.items()}) + b"\n")
        sys.stdout.buffer.flush()
    return measured
