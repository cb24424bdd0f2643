"""One whole match of Karmic Collections as a readable page: what is legal and what is seen at every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.karmic_collections.state import Setup, State
from companion.rules.layout import Exactly, Layout, Loose, OneOf, Pile
from tests.games.karmic_collections.situations import COMPONENTS, GAME
from tests.games.transcripts import Transcript, line

PAGE = Transcript(GAME, None)
SEATS = 3


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


def written(_: None, played: list[Any]) -> Iterator[str]:
    """Write the page of a match."""
    state = GAME.setup(SEATS, {}, Setup())
    yield f"Karmic Collections with {SEATS} players"
    for n, record in enumerate(played, 1):
        action: Any = record.action
        yield from ("", f"{n}. {GAME.describe(state, action, record.facts)}", line(record))
        state = GAME.play(state, action, record.facts)
        if state.phase not in ("deal", "dice"):
            yield from views(state)
    assert state.outcome is not None
    yield from ("", state.outcome.words)


def test_the_playthrough_is_as_it_was_read() -> None:
    PAGE.check(written)
    assert len(PAGE.page.splitlines()) < 1500


def test_the_playthrough_shows_most_kinds_of_action() -> None:
    assert len(PAGE.kinds()) >= 15
