"""`companion bench`: figures against peers and against the budgets of the design, in the same run.

Times depend on the machine and its other load, so compare the ratios. Nothing here is a test.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import signal
import sys
import threading

import msgspec
from rich.console import Console

from companion.bench.figures import WIDTH, BenchError, Section, machine, plain, tell

SECTIONS = {
    "eye": "what is read on bad days, by condition and size, against the libraries",
    "identities": "how near the reader that knows the deck comes to saying what is not there",
    "dice": "pips read by the camera: right, wrong and declined",
    "faces": "cards known by their faces, without codes: one change, a cold table, and what the usual ways make of it",
    "reading": "ninety codes in cold whole frames, against the libraries",
    "table": "the whole eye on photographs of laid tables, and what readers find alone",
    "frames": "what a frame costs in which nothing, or one card, changed",
    "rules": "random playouts, against python-chess",
    "balance": "how often robots win a co-operative game, against the band of its ruling",
    "phones": "from an event to the last phone",
    "pages": "first paint and first visit on a slow processor; what an event sends and paints",
    "screens": "how many screens high the pages are, in every game at its largest number of seats",
    "load": "200 phones, five events a second; an evening of matches in one process: what it takes, what it leaves",
    "kills": "a process killed in the middle of matches: what is lost, and how soon it is back",
    "match": "from a card on the table to the journal, and back from it",
    "start": "from the command to the first page",
}
"""The sections, in the order in which they run, and what each is about. Section `x` is the function `measure` of the
module `x` here, or else in `development`, which only a checkout has: peers, crowds, kills and photographs.
"""

__all__ = ["SECTIONS", "BenchError", "measure", "run"]


def measure(section: str, **options: object) -> Section:
    """Measure one section. `options` are those of its function `measure`.

    Raises:
        BenchError: if there is none of that name, it knows no such option, or it can't be measured here.
    """
    if section not in SECTIONS:
        raise BenchError(f"there is no section {section}; there are: {', '.join(SECTIONS)}")
    # Only the section that is asked for loads its peers.
    module = importlib.import_module(module_of(section))
    known = inspect.signature(module.measure).parameters
    for name in options:
        if name not in known:
            raise BenchError(f"the section {section} {_lacks(name)}")
    found: Section = module.measure(**options)
    return found


def module_of(section: str) -> str:
    """Name the module of a section.

    Raises:
        BenchError: if it is not installed.
    """
    for name in (f"companion.bench.{section}", f"companion.bench.development.{section}"):
        with contextlib.suppress(ModuleNotFoundError):
            if importlib.util.find_spec(name) is not None:
                return name
    raise BenchError(f"{section} is for a checkout of the program; what is installed here has {', '.join(installed())}")


def installed() -> list[str]:
    """Name the sections that can be measured wherever the program is installed."""
    return [name for name in SECTIONS if importlib.util.find_spec(f"companion.bench.{name}") is not None]


def _lacks(name: str) -> str:
    return "takes no folders" if name == "folders" else f"has no option --{_option(name)}"


def _option(name: str) -> str:
    return name.replace("_", "-")


def run(section: str | None, as_json: bool, **options: object) -> None:
    """Measure one section, or all of them, and print tables, or one JSON document: {"section": {"rows": […]}}.

    `options` are those of the one section; None stands for one that was not given.

    Raises:
        BenchError: if there is no such section, it has no such option, or the one that was asked for can't be measured
            here. Of all of them, one that can't be is said, and the others go on.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if section is None and given:
        raise BenchError(f"--{_option(next(iter(given)))} belongs to one section; name it: {', '.join(SECTIONS)}")
    if threading.current_thread() is threading.main_thread():
        # Told to stop, it still ends the servers that it started.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    chosen = list(SECTIONS) if section is None else [section]
    # A log or a pipe has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    documents = {}
    for name in chosen:
        on = machine()
        with Console(stderr=True).status(f"{name}: {SECTIONS.get(name, '')}"):
            try:
                found = measure(name, **given)
            except BenchError as error:
                if section is not None:
                    raise
                found = Section((), (f"Not measured: {error}.",))
        found = msgspec.structs.replace(found, notes=(*found.notes, f"Measured on {on}."))
        documents[name] = plain(found)
        if not as_json:
            tell(console, f"{name}: {SECTIONS[name]}", found)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(documents) + b"\n")
        sys.stdout.buffer.flush()
