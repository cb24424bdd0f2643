"""One whole match of COLLECTION! as a readable page: what is legal and what is seen at every step.

The page carries its own records (the lines that begin with ">"). Set COMPANION_REGEN=1 to write it anew after a rule
or a sentence was changed on purpose, and read the difference before committing it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.games.collection.state import Setup, State
from companion.rules.kernel import Facts
from companion.rules.layout import Back, Exactly, Layout, Loose, Pile
from tests.games.collection.situations import COMPONENTS, GAME

PAGE = Path(__file__).parents[1] / "playthroughs" / "collection.txt"


class Played(msgspec.Struct, omit_defaults=True):
    """A record of the page."""

    action: GAME.action_type  # type: ignore[name-defined]
    facts: Facts = ()


def records(page: str) -> tuple[Setup, list[Played]]:
    """Read set-up and records out of a page."""
    lines = [line.removeprefix("> ") for line in page.splitlines() if line.startswith("> ")]
    return msgspec.json.decode(lines[0], type=Setup), [msgspec.json.decode(line, type=Played) for line in lines[1:]]


def changed(before: Layout, after: Layout) -> Iterator[str]:
    """Write what lies in the zones that have changed."""
    for zone, area in after.zones.items():
        if before.zones.get(zone) != area:
            yield f"{zone}: {lying(area)}"
    yield from (f"{zone}: nothing" for zone in before.zones.keys() - after.zones.keys())


def lying(area: Any) -> str:
    """Write what lies in a zone."""
    if isinstance(area, Pile):
        if isinstance(area.top, Exactly):
            return COMPONENTS.card[area.top.piece].title
        return "face down" if isinstance(area.top, Back) else "nothing"
    assert isinstance(area, Loose)
    return ", ".join(COMPONENTS.card[piece].title for piece in sorted(area.pieces)) or "nothing"


def watched(state: State) -> str:
    """Write the ladders that people watch."""
    ladders = [
        f"{ladder.title} {ladder.value}{'!' if ladder.value >= (ladder.alarm or 99) else ''}"
        for ladder in GAME.view(state, 0).ladders
    ]
    return "; ".join(ladders)


def write(seats: int, setup: Setup, played: list[Played]) -> Iterator[str]:
    """Write the page of a match."""
    state = GAME.setup(seats, {}, setup)
    yield f"COLLECTION! with {seats} players"
    yield "> " + msgspec.json.encode(setup).decode()
    turn = 0
    for n, record in enumerate(played, 1):
        if state.phase == "act" and state.turns != turn:
            turn = state.turns
            yield f"\n--- turn {turn}: {watched(state)}"
        seat = state.turn if GAME.actors(state) == (state.turn,) else 0
        kinds = Counter(str(action.__struct_config__.tag) for action in GAME.legal(state))
        yield f"\n{n}. {GAME.view(state, seat).headline}"
        yield "   may: " + ", ".join(kind if count == 1 else f"{kind} ({count})" for kind, count in kinds.items())
        rolls = [may.words for may in GAME.view(state, seat).may if may.name == "roll" and may.actions]
        yield from (f"   {words}" for words in rolls)
        yield "> " + msgspec.json.encode(record).decode()
        yield f"   {GAME.tell(state, record.action, record.facts)}"
        after = GAME.play(state, record.action, record.facts)
        moves = "; ".join(changed(GAME.layout(state), GAME.layout(after)))
        if moves:
            yield f"   table: {moves}"
        state = after
    assert state.outcome is not None
    yield f"\n{state.outcome.words}"
    for standing in GAME.standing(state).seats:
        parts = ", ".join(f"{part.name} {part.value}" for part in standing.parts)
        yield f"@{standing.seat} ({standing.words}): {parts}"


def test_the_page_is_what_the_rules_say() -> None:
    if os.environ.get("COMPANION_REGEN"):
        from tests.games.collection.test_properties import match

        steps = [step for _, step in match(3, SEED, sensible=True)]
        fresh = [Played(action=action, facts=facts) for _, action, facts, _ in steps]
        PAGE.write_text("\n".join(write(3, Setup(first=steps[0][0].turn), fresh)) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    assert "\n".join(write(3, *records(page))) + "\n" == page


SEED = 24
"""The match of the page: a short one in which everything happens."""


def test_the_page_shows_every_kind_of_action() -> None:
    page = PAGE.read_text(encoding="utf-8")
    kinds: set[Any] = {str(record.action.__struct_config__.tag) for record in records(page)[1]}
    assert kinds == {kind.type for kind in GAME.info.kinds}
    assert len(page.splitlines()) < 2000
