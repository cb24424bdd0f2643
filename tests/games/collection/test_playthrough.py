"""One whole match of COLLECTION! as a readable page: what is legal and what is seen at every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.games.collection.state import Setup, State
from companion.rules.kernel import Facts
from companion.rules.layout import Back, Exactly, Layout, Loose, Pile
from tests.games import always
from tests.games.collection.situations import COMPONENTS, GAME
from tests.games.transcripts import Transcript, line

PAGE = Transcript(GAME, Setup)
SEATS, SEED = 3, 24
"""The match of the page: a short one in which everything happens."""


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


def written(setup: Setup, played: list[Any]) -> Iterator[str]:
    """Write the page of a match."""
    state = GAME.setup(SEATS, {}, setup)
    yield f"COLLECTION! with {SEATS} players"
    yield line(setup)
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
        yield line(record)
        yield f"   {GAME.describe(state, record.action, record.facts)}"
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


def fresh() -> tuple[Setup, list[tuple[Any, Facts]]]:
    """Play the match that a new page shows."""
    steps = [step for _, step in always.match(GAME, SEATS, SEED, {}, sensible=True)]
    return Setup(first=steps[0][0].turn), [(action, facts) for _, action, facts, _ in steps]


def test_the_page_is_what_the_rules_say() -> None:
    PAGE.check(written, fresh)


def test_the_page_shows_every_kind_of_action() -> None:
    assert PAGE.kinds() == {kind.type for kind in GAME.info.kinds}
    assert len(PAGE.page.splitlines()) < 2000
