"""Alarms: who did what, why not, and the move that mends it; the same words wherever they are shown."""

from __future__ import annotations

from functools import cache

import pytest

from companion import games
from companion.referee.difference import mismatches
from companion.referee.snapshot import Violation
from companion.referee.violations import violation
from companion.referee.whereabouts import Laid
from companion.rules.kernel import TABLE
from tests.referee.test_whereabouts import played

SEATS = 3


@cache
def alarms(name: str) -> list[Violation]:
    """Lay pieces, one at a time, where they do not belong, and list what is said about it."""
    game, words, history = played(name, SEATS, 30)  # type: ignore[no-untyped-call]
    mat, found = games.load_mat(name, SEATS), []
    for past in history.active[4::13]:
        layout = game.layout(past.state)
        for card in game.deck.cards[::7] if len(game.deck.cards) < 70 else game.deck.cards[::13]:
            for zone in mat.zones if len(mat.zones) < 20 else mat.zones[::2]:
                seen = Laid(layout)
                seen.order, seen.under = {(zone.name, card.piece): 99}, frozenset()
                before = mismatches(layout, seen)
                seen.faces[zone.name] = [*seen.faces.get(zone.name, []), (card.piece, -1)]
                seen.zones = seen.faces.keys() | seen.backs.keys()
                wrong = mismatches(layout, seen) - before
                if any(item.extra and item.piece == card.piece for item in wrong):
                    found.append(violation(game, past.state, seen, wrong, words)[0])
    return found


@pytest.mark.parametrize("name", games.packages())
def test_an_alarm_says_who_why_not_and_the_move_once(name: str) -> None:
    found = alarms(name)
    assert found
    for one in found:
        assert one.headline, one
        assert one.remedy, one
        assert one.reason.casefold() not in one.headline.casefold()
        assert one.remedy.casefold() not in one.reason.casefold()


@pytest.mark.parametrize("name", games.packages())
def test_who_is_not_due_is_named_and_told_to_take_the_piece_away_not_what_others_may_do(name: str) -> None:
    early = [one for one in alarms(name) if one.who != TABLE and TABLE not in one.due and one.who not in one.due]
    early = [one for one in early if one.headline.startswith(f"@{one.who}, not yet: it is ")]
    assert early
    for one in early:
        assert "it is the turn of" not in one.reason
        assert not one.remedy.startswith(("Wait", "First", "@"))
        assert one.moves[0][1:] in one.remedy
