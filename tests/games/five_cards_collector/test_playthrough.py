"""One whole match of Five Cards Collector as a readable page: what is legal and what is seen at every step.

The page carries its own records (the lines that begin with ">"). Set COMPANION_REGEN=1 to write it anew after a rule
or a sentence was changed on purpose, and read the difference before committing it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.games.five_cards_collector.state import Setup, State
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.kernel import Facts, holes
from companion.rules.layout import Exactly, Layout, Loose, Pile, Slots
from tests.games.five_cards_collector.situations import COMPONENTS, GAME

PAGE = Path(__file__).parents[1] / "playthroughs" / "five-cards-collector.txt"


class Played(msgspec.Struct, omit_defaults=True):
    """A record of the page."""

    action: GAME.action_type  # type: ignore[name-defined]
    facts: Facts = ()


def records(page: str) -> tuple[Setup, list[Played]]:
    """Read set-up and records out of a page."""
    lines = [line.removeprefix("> ") for line in page.splitlines() if line.startswith("> ")]
    return msgspec.json.decode(lines[0], type=Setup), [msgspec.json.decode(line, type=Played) for line in lines[1:]]


def seen(layout: Layout) -> str:
    """Write a layout in one line; empty places are left out."""
    words = []
    for zone, area in layout.zones.items():
        if isinstance(area, Pile):
            top = area.top
            below = f" on {len(area.below)}" if area.below else ""
            what = COMPONENTS.name(top.piece) + below if isinstance(top, Exactly) else type(top).__name__.lower()
        elif isinstance(area, Slots):
            what = " ".join(COMPONENTS.name(p.piece) if isinstance(p, Exactly) else "empty" for p in area.places)
        else:
            assert isinstance(area, Loose)
            what = ", ".join(COMPONENTS.name(piece) for piece in sorted(area.pieces))
        if what and what != "empty":
            words.append(f"{zone}: {what}")
    return "; ".join(words)


def views(state: State) -> Iterator[str]:
    """Write what everybody may see and do."""
    numbers = ", ".join(f"{part.name} {part.value}" for part in GAME.view(state, 0).numbers)
    yield f"   table    {seen(GAME.layout(state))} ({numbers})"
    for seat in GAME.actors(state):
        view = GAME.view(state, seat)
        yield f"   seat {seat}   {view.headline}"
        may = [entry for entry in view.may if entry.verdict.ok]
        yield from (f"     may {entry.words}" for entry in may if holes(entry.actions[0]))
        rest = [entry.words for entry in may if not holes(entry.actions[0])]
        if rest:
            yield f"     may {' | '.join(rest)}"
        reasons: dict[str, list[str]] = {}
        for entry in view.may:
            if not entry.verdict.ok:
                reasons.setdefault(f"{entry.verdict.reason} ({entry.verdict.rule})", []).append(entry.name)
        yield "     not " + " | ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())


def write(seats: int, setup: Setup, played: list[Played]) -> str:
    """Write the page of a match."""
    state = GAME.setup(seats, {}, setup)
    lines = [f"Five Cards Collector with {seats} players", "> " + msgspec.json.encode(setup).decode()]
    for n, record in enumerate(played, 1):
        action: FiveCardsAction = record.action
        lines += ["", f"{n}. {GAME.tell(state, action, record.facts)}", "> " + msgspec.json.encode(record).decode()]
        state = GAME.play(state, action, record.facts)
        lines += views(state)
    assert state.outcome is not None
    lines += ["", state.outcome.words]
    lines += [f"@{seat.seat} {seat.score}: {seat.words}" for seat in GAME.standing(state).seats]
    return "\n".join(lines) + "\n"


def test_the_playthrough_is_as_it_was_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    setup, played = records(page)
    again = write(len(setup.goals), setup, played)
    if os.environ.get("COMPANION_REGEN"):
        PAGE.write_text(again, encoding="utf-8")
        page = again
    assert again == page
    assert len(page.splitlines()) < 400


def test_the_playthrough_shows_most_kinds_of_action() -> None:
    kinds: set[Any] = {record.action.__struct_config__.tag for record in records(PAGE.read_text(encoding="utf-8"))[1]}
    assert len(kinds) >= 9
