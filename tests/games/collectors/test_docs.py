"""The page docs/games/collectors.md says what the rules declare."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.games.collectors.state import Setup
from companion.rules.kernel import AnyFact
from tests.games.collectors.situations import GAME
from tests.games.pages import page

PAGE = page("collectors")


def test_the_set_up_and_the_facts_on_the_page_can_be_read() -> None:
    texts = re.findall(r"`(\{.*?\})`", PAGE)
    assert msgspec.json.decode(texts[0], type=Setup).first == 1
    facts: list[Any] = [msgspec.json.decode(text, type=AnyFact) for text in texts[1:]]
    assert [fact.place for fact in facts] == ["item-pool-2", "open"]


def test_the_endings_and_zones_on_the_page_are_those_of_the_game() -> None:
    assert "Endings: `points`, `ended-by-host`." in PAGE
    zones = set(re.findall(r"`([a-zA-Z.-]+)`", PAGE.partition("Zones: ")[2]))
    real = GAME.layout(GAME.setup(4, {}, Setup())).zones
    plain = {re.sub(r"^bottle-\d", "bottle-P", re.sub(r"^market-.*", "market-SYMBOL", zone)) for zone in real}
    assert zones == {re.sub(r"\d", "N", zone) for zone in plain}
