"""A whole match as a readable page that carries its own records: the lines that begin with ">".

Set COMPANION_REGEN=1 to write a page anew after a rule or a sentence was changed on purpose, and read the difference
before committing it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.rules.kernel import AnyGame, Facts
from companion.rules.layout import Exactly, Layout, Loose, Pile, Slots

PAGES = Path(__file__).parent / "playthroughs"


class Transcript:
    """The page of a game's match. `setup` is the type of its first record, None if the page begins with an action."""

    def __init__(self, game: AnyGame, setup: type | None) -> None:
        self.path = PAGES / f"{game.info.name}.txt"
        self._setup = setup
        self.record = msgspec.defstruct(
            "Record", [("action", game.action_type), ("facts", Facts, ())], omit_defaults=True
        )
        """A record of the page: an action with its facts."""

    @property
    def page(self) -> str:
        """The page as it was read last."""
        return self.path.read_text(encoding="utf-8")

    def records(self) -> tuple[Any, list[Any]]:
        """Read set-up (None if there is none) and records out of the page."""
        lines = [line.removeprefix("> ") for line in self.page.splitlines() if line.startswith("> ")]
        setup = None if self._setup is None else msgspec.json.decode(lines.pop(0), type=self._setup)
        return setup, [msgspec.json.decode(line, type=self.record) for line in lines]

    def kinds(self) -> set[str]:
        """Name the kinds of action that occur on the page."""
        return {str(record.action.__struct_config__.tag) for record in self.records()[1]}

    def check(
        self,
        written: Callable[[Any, list[Any]], Iterable[str]],
        fresh: Callable[[], tuple[Any, list[tuple[Any, Facts]]]] | None = None,
    ) -> None:
        """Compare the page with what the rules say of its records; `fresh` plays the match that a new page shows."""
        if os.environ.get("COMPANION_REGEN"):
            setup, played = self.records()
            if fresh is not None:
                setup, steps = fresh()
                played = [self.record(action=action, facts=facts) for action, facts in steps]
            self.path.write_text("\n".join(written(setup, played)) + "\n", encoding="utf-8")
        assert "\n".join(written(*self.records())) + "\n" == self.page


def line(record: Any) -> str:
    """Write a set-up or a record as the page carries it."""
    return "> " + msgspec.json.encode(record).decode()


def lying(layout: Layout, name: Callable[[str], str]) -> Iterator[str]:
    """Write a layout, a zone at a time, its pieces by name; empty places are left out."""
    for zone, area in layout.zones.items():
        if isinstance(area, Pile):
            top = area.top
            below = f" on {len(area.below)}" if area.below else ""
            what = name(top.piece) + below if isinstance(top, Exactly) else type(top).__name__.lower()
        elif isinstance(area, Slots):
            what = " ".join(name(place.piece) if isinstance(place, Exactly) else "empty" for place in area.places)
        else:
            assert isinstance(area, Loose)
            what = ", ".join(name(piece) for piece in sorted(area.pieces))
        if what and what != "empty":
            yield f"{zone}: {what}"
