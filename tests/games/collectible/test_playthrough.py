"""One whole match of Collectible as a readable page: what is legal and what is seen at every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.collectible.state import Setup, State
from companion.games.collectible.steps import CollectibleAction
from companion.rules.kernel import holes
from tests.games.collectible.situations import COMPONENTS, GAME
from tests.games.transcripts import Transcript, line, lying

PAGE = Transcript(GAME, Setup)


def views(state: State) -> Iterator[str]:
    """Write what everybody may see and do."""
    numbers = ", ".join(f"{part.name} {part.value}" for part in GAME.view(state, 0).numbers)
    yield f"   table    {'; '.join(lying(GAME.layout(state), COMPONENTS.name))} ({numbers})"
    for seat in GAME.actors(state):
        if not seat:
            continue
        view = GAME.view(state, seat)
        yield f"   seat {seat}   {view.headline}"
        may = [entry for entry in view.may if entry.verdict.ok]
        words = [
            entry.words
            if holes(entry.actions[0]) or len(entry.actions) == 1 or entry.name == "bid"
            else f"{entry.words} ({len(entry.actions)})"
            for entry in may
        ]
        yield f"     may {' | '.join(words)}"


def written(setup: Setup, played: list[Any]) -> Iterator[str]:
    """Write the page of a match."""
    state = GAME.setup(2, {}, setup)
    yield "Collectible with 2 players"
    yield line(setup)
    for n, record in enumerate(played, 1):
        action: CollectibleAction = record.action
        yield from ("", f"{n}. {GAME.describe(state, action, record.facts)}", line(record))
        state = GAME.play(state, action, record.facts)
        yield from views(state)
    assert state.outcome is not None
    yield from ("", state.outcome.words)
    yield from (f"@{seat.seat} {seat.score}: {seat.words}" for seat in GAME.standing(state).seats)


def test_the_playthrough_is_as_it_was_read() -> None:
    PAGE.check(written)
    assert len(PAGE.page.splitlines()) < 500


def test_the_playthrough_shows_most_kinds_of_action() -> None:
    assert len(PAGE.kinds()) >= 14
