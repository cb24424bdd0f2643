"""COLLECTION!: what is true in every state of every match, whatever people do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from companion.games.collection.board import met
from companion.games.collection.cards import Choose, Draw, Pass, PlayCard
from companion.games.collection.engaging import Engage
from companion.games.collection.moving import Move
from companion.games.collection.reports import UseReport
from companion.games.collection.rolling import Roll
from companion.games.collection.setup import OpenScenario, Start, TakeRole
from companion.games.collection.state import COLLECTORS, COLOURS, SCENARIOS, Player, State
from companion.rules.kernel import AnyEdit
from tests.games.always import MATCHES, match
from tests.games.collection.situations import COMPONENTS, GAME
from tests.games.properties import Examples, Properties, edits_of, tallied
from tests.nights import at_night

PIECES = [*(card.piece for card in GAME.deck.cards), "ZZZ", ""]


class TestCollection(Properties):
    game = GAME
    seats = (3, 7)
    examples = Examples(legal=30, templates=25, undo=15, corrections=40, views=20)
    whole = range(3, 8)

    @staticmethod
    def known(player: Player) -> frozenset[str]:
        return frozenset(player.hand)

    @staticmethod
    def everything(state: State, actor: int) -> Iterator[Any]:
        """Yield all ground actions that this actor could name."""
        yield from (PlayCard(seat=actor, card=piece) for piece in PIECES)
        yield from (TakeRole(seat=actor, role=role) for role in (*COMPONENTS.roles, "spy", ""))
        yield from (UseReport(seat=actor, use=use) for use in ("circle", "crisis", ""))
        for letter in (*SCENARIOS, "all", "D", ""):
            yield OpenScenario(seat=actor, scenario=letter)
            for name in (*COLLECTORS, "CIA", ""):
                yield Move(seat=actor, scenario=letter, collector=name)
                yield from (
                    Choose(seat=actor, scenario=letter, collector=name, colour=colour) for colour in (*COLOURS, "")
                )
        yield from (Start(seat=actor, collector=name) for name in (*COLLECTORS, "CIA"))
        for colour in (*COLOURS, "blue", ""):
            yield Engage(seat=actor, colour=colour)
            yield Roll(seat=actor, colour=colour)
        yield from (Draw(seat=actor), Pass(seat=actor))

    @staticmethod
    def edits(state: State) -> st.SearchStrategy[AnyEdit]:
        low = [letter.lower() for letter in SCENARIOS]
        places = ["deck", "discard", "supply", "actions", "scenarios", *(f"cards.{n}" for n in (*state.seats, 9))]
        places += [
            f"{what}-{letter}-{n}" for what in ("crisis", "response") for letter in low for n in (0, 1, 5, 10, 11)
        ]
        places += [f"space-{letter}-{name.lower()}" for letter in low for name in COLLECTORS[:3]]
        places += [f"scenario-{letter}" for letter in low] + [f"reports-{letter}-military" for letter in low]
        places += [f"gems-{letter}-{name.lower()}-political" for letter in low for name in COLLECTORS[:2]]
        return edits_of(PIECES, places)


def ladders_only_move_as_the_rules_say(before: State, action: Any, after: State) -> None:
    """No circle loses a report, no gem goes but by a card, a completed circle stays complete."""
    for was, then in zip(before.scenarios, after.scenarios, strict=True):
        assert all(a <= b for a, b in zip(was.reports, then.reports, strict=True))
        assert not met(COMPONENTS, was) or met(COMPONENTS, then)
        assert 0 <= then.crisis <= 10
        if not isinstance(action, Draw | PlayCard | Choose):
            assert all(a <= b for x, y in zip(was.gems, then.gems, strict=True) for a, b in zip(x, y, strict=True))
            assert then.crisis <= max(was.crisis, 1)


@pytest.mark.parametrize("matches", [40, *at_night(MATCHES)])
def test_random_matches_end_in_every_way_and_every_kind_of_action_happens(matches: int) -> None:
    """No card is ever lost; whoever plays, the match ends."""
    played = (match(GAME, 3 + n % 5, n, {}, n % 4 == 0) for n in range(matches))
    endings = tallied(GAME, played, ladders_only_move_as_the_rules_say)
    assert endings["victory"] + endings["defeat"] == matches
    assert endings["victory"] > matches / 20
