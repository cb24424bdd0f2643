"""One whole match of Karmic Collections as a readable page: what is legal and what is seen at every step.

The page carries its own records (the lines that begin with ">"). Set COMPANION_REGEN=1 to write it anew after a rule
or a sentence was changed on purpose, and read the difference before committing it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.games.karmic_collections.state import Setup, State
from companion.rules.kernel import Facts
from companion.rules.layout import Exactly, Layout, Loose, OneOf, Pile
from tests.games.karmic_collections.situations import COMPONENTS, GAME

PAGE = Path(__file__).parents[1] / "playthroughs" / "karmic-collections.txt"
SEATS = 3


class Played(msgspec.Struct, omit_defaults=True):
    """A record of the page."""

    action: GAME.action_type  # type: ignore[name-defined]
    facts: Facts = ()


def records(page: str) -> list[Played]:
    """Read the records out of a page."""
    return [msgspec.json.decode(line[2:], type=Played) for line in page.splitlines() if line.startswith("> ")]


def seen(layout: Layout) -> Iterator[str]:
    """Write a layout, a zone at a time; hands are written elsewhere, empty places and the deck left out."""
    for zone, area in layout.zones.items():
        what = ""
        if isinstance(area, Pile) and isinstance(area.top, Exactly):
            what = COMPONENTS.name(area.top.piece)
        elif isinstance(area, Pile) and isinstance(area.top, OneOf):
            what = COMPONENTS.name(min(area.top.pieces))
        elif isinstance(area, Loose) and zone.startswith("hand"):
            what = f"{area.backs} face down" if area.backs else ""
        elif isinstance(area, Loose) and zone.startswith("paired"):
            what = ", ".join(COMPONENTS.name(piece) for piece in sorted(area.pieces))
        if what:
            yield f"{zone}: {what}"


def views(state: State) -> Iterator[str]:
    """Write what everybody may see and do."""
    yield f"   table    {'; '.join(seen(GAME.layout(state))) or 'nothing but hands and tokens'}"
    for seat, player in zip(GAME.standing(state).seats, state.players, strict=True):
        dice = " ".join(map(str, player.dice))
        parts = ", ".join(f"{part.name} {part.value}" for part in seat.parts)
        yield f"   @{seat.seat} {seat.score} ({parts}; {player.chits} chits; dice {dice}): {seat.words}"
    for seat_ in GAME.actors(state):
        if seat_:
            view = GAME.view(state, seat_)
            may = [f"{entry.words} ({len(entry.actions)})" for entry in view.may if entry.verdict.ok]
            yield f"   seat {seat_}   {view.headline}"
            yield f"     may {' | '.join(may)}"
            yield from (
                f"     not {entry.verdict.reason}"
                for entry in view.may
                if not entry.verdict.ok and entry.verdict.rule == "M4"
            )


def write(played: list[Played]) -> str:
    """Write the page of a match."""
    state = GAME.setup(SEATS, {}, Setup())
    lines = [f"Karmic Collections with {SEATS} players"]
    for n, record in enumerate(played, 1):
        action: Any = record.action
        lines += ["", f"{n}. {GAME.tell(state, action, record.facts)}", "> " + msgspec.json.encode(record).decode()]
        state = GAME.play(state, action, record.facts)
        if state.phase not in ("deal", "dice"):
            lines += views(state)
    assert state.outcome is not None
    lines += ["", state.outcome.words]
    return "\n".join(lines) + "\n"


def test_the_playthrough_is_as_it_was_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    again = write(records(page))
    if os.environ.get("COMPANION_REGEN"):
        PAGE.write_text(again, encoding="utf-8")
        page = again
    assert again == page
    assert len(page.splitlines()) < 1500


def test_the_playthrough_shows_most_kinds_of_action() -> None:
    kinds: set[Any] = {record.action.__struct_config__.tag for record in records(PAGE.read_text(encoding="utf-8"))}
    assert len(kinds) >= 15
