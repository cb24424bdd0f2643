"""The page docs/games/karmic-collections.md says what the rules declare."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.games.karmic_collections.state import Setup
from companion.rules.kernel import AnyFact
from tests.games.karmic_collections.situations import GAME, situation
from tests.games.pages import page

PAGE = page("karmic-collections")


def test_the_set_up_and_the_facts_on_the_page_can_be_read() -> None:
    texts = re.findall(r"`(\{.*?\})`", PAGE)
    assert msgspec.json.decode(texts[0], type=Setup) == Setup()
    facts: list[Any] = [msgspec.json.decode(text, type=AnyFact) for text in texts[1:]]
    assert [fact.place for fact in facts] == ["hand.2", "dice", "hand.1"]


def test_the_endings_and_zones_on_the_page_are_those_of_the_game() -> None:
    assert "Endings: `goal`, `ended-by-host`." in PAGE
    zones = set(re.findall(r"`([a-zN.-]+)`", PAGE.partition("Zones: ")[2]))
    assert zones == {re.sub(r"\d", "N", zone) for zone in GAME.layout(situation("A", "K")).zones}
