"""One whole match of Collectors as a readable page: who is due, what is legal and what lies on the table each time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.collectors.auctions import MakeBid
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import Setup, State
from companion.games.collectors.steps import CollectorsAction
from companion.rules.kernel import Facts
from companion.rules.layout import Exactly, Layout, Loose, OneOf, Pile
from tests.games import always
from tests.games.collectors.situations import COMPONENTS, GAME
from tests.games.transcripts import Transcript, line

PAGE = Transcript(GAME, Setup)


def changes(was: Layout, now: Layout) -> str:
    """Write what of a layout has changed."""
    said = []
    for zone, area in now.zones.items():
        if was.zones.get(zone) == area:
            continue
        if isinstance(area, Loose):
            names = [COMPONENTS.name(piece) for piece in sorted(area.pieces)]
            names += [f"{area.backs} face down"] if area.backs else []
            said.append(f"{zone}: {', '.join(names) or 'empty'}")
        elif isinstance(area, Pile):
            top = area.top
            shown = (
                COMPONENTS.name(top.piece)
                if isinstance(top, Exactly)
                else "either of two"
                if isinstance(top, OneOf)
                else ""
            )
            said.append(f"{zone}: {shown or type(top).__name__.lower()}")
    return "; ".join(said)


def legal(state: State) -> str:
    """Write what is legal: the kinds, with spaces and bids."""
    kinds: dict[str, list[str]] = {}
    for action in GAME.legal(state):
        more = action.space if isinstance(action, Place) else f"{action.amount}" if isinstance(action, MakeBid) else ""
        kinds.setdefault(str(action.__struct_config__.tag), []).append(more)
    return ", ".join(f"{kind} {' '.join(more)}".strip() for kind, more in kinds.items())


def written(setup: Setup, played: list[Any]) -> Iterator[str]:
    """Write the page."""
    yield "Collectors, two players, bottles with codes."
    yield line(setup)
    state = GAME.setup(2, {}, setup)
    for number, record in enumerate(played, 1):
        action: CollectorsAction = record.action
        scores = ", ".join(
            f"@{seat.seat} {seat.score} ({seat.words}, {state.players[seat.seat - 1].hand.size} in hand)"
            for seat in GAME.standing(state).seats
        )
        yield ""
        yield f"{number}. {GAME.view(state, 0).headline}"
        yield f"   legal: {legal(state)}"
        yield f"   {scores}"
        yield line(record)
        after = GAME.play(state, action, record.facts)
        yield f"   {GAME.describe(state, action, record.facts)}"
        if seen := changes(GAME.layout(state), GAME.layout(after)):
            yield f"   table: {seen}"
        state = after
    outcome = GAME.standing(state).outcome
    yield ""
    yield outcome.words if outcome else "The match goes on."
    for seat in GAME.standing(state).seats:
        yield f"@{seat.seat}: {', '.join(f'{part.name} {part.value}' for part in seat.parts)}"


def fresh() -> tuple[Setup, list[tuple[CollectorsAction, Facts]]]:
    """Play the match that a new page shows."""
    steps = [step for _, step in always.match(GAME, 2, 12, {}, sensible=True)]
    return Setup(first=steps[0][0].first), [(action, facts) for _, action, facts, _ in steps]


def test_the_page_is_what_the_rules_say() -> None:
    PAGE.check(written, fresh)


def test_the_page_shows_a_whole_match_with_every_area() -> None:
    page, (_, played) = PAGE.page, PAGE.records()
    spaces = {record.action.space.partition("-")[0] for record in played if isinstance(record.action, Place)}
    assert {"buy", "skill", "auction", "raise"} <= spaces
    assert "wins with" in page or "share the win" in page
