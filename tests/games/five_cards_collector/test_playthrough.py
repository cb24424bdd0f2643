"""One whole match of Five Cards Collector as a readable page: what is legal and what is seen at every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.five_cards_collector.state import Setup, State
from companion.games.five_cards_collector.steps import FiveCardsAction
from companion.rules.kernel import holes
from tests.games.five_cards_collector.situations import COMPONENTS, GAME
from tests.games.transcripts import Transcript, line, lying

PAGE = Transcript(GAME, Setup)


def views(state: State) -> Iterator[str]:
    """Write what everybody may see and do."""
    numbers = ", ".join(f"{part.name} {part.value}" for part in GAME.view(state, 0).numbers)
    yield f"   table    {'; '.join(lying(GAME.layout(state), COMPONENTS.name))} ({numbers})"
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


def written(setup: Setup, played: list[Any]) -> Iterator[str]:
    """Write the page of a match."""
    seats = len(setup.goals)
    state = GAME.setup(seats, {}, setup)
    yield f"Five Cards Collector with {seats} players"
    yield line(setup)
    for n, record in enumerate(played, 1):
        action: FiveCardsAction = record.action
        yield from ("", f"{n}. {GAME.describe(state, action, record.facts)}", line(record))
        state = GAME.play(state, action, record.facts)
        yield from views(state)
    assert state.outcome is not None
    yield from ("", state.outcome.words)
    yield from (f"@{seat.seat} {seat.score}: {seat.words}" for seat in GAME.standing(state).seats)


def test_the_playthrough_is_as_it_was_read() -> None:
    PAGE.check(written)
    assert len(PAGE.page.splitlines()) < 400


def test_the_playthrough_shows_most_kinds_of_action() -> None:
    assert len(PAGE.kinds()) >= 9
