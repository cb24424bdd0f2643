"""The page docs/games/collectible.md says what the rules declare."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.games.collectible.state import Setup
from companion.rules.kernel import AnyFact
from tests.games.collectible.situations import COMPONENTS, GAME, situation
from tests.games.pages import page

PAGE = page("collectible")


def test_the_set_up_and_the_facts_on_the_page_can_be_read() -> None:
    texts = re.findall(r"`(\{.*?\})`", PAGE)
    assert msgspec.json.decode(texts[0], type=Setup).first == 3
    facts: list[Any] = [msgspec.json.decode(text, type=AnyFact) for text in texts[1:]]
    assert [fact.place for fact in facts] == ["phantom", "dice", "reveal.1", "reveal.2"]


def test_the_endings_zones_and_characters_on_the_page_are_those_of_the_game() -> None:
    assert "Endings: `revealed`, `rounds`, `ended-by-host`." in PAGE
    zones = set(re.findall(r"`([a-zN.]+)`", PAGE.partition("Zones: ")[2]))
    assert zones == {re.sub(r"\d", "N", zone) for zone in GAME.layout(situation(2)).zones}
    assert all(f"*{COMPONENTS.card[piece].title}*" in PAGE for piece in COMPONENTS.characters)
