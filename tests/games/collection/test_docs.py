"""The page docs/games/collection.md says what the rules declare."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.games.collection.effects import VERBS, parse
from companion.games.collection.state import COLLECTORS, COLOURS, SCENARIOS, Setup
from companion.rules.kernel import AnyFact
from tests.games.collection.situations import COMPONENTS, GAME, situation
from tests.games.pages import page, rows

PAGE = page("collection")


def test_the_page_lists_the_whole_language_of_effects() -> None:
    effects = [row[0].strip("`") for row in rows("collection", "The cards")]
    assert [type(parse(text, SCENARIOS, COLLECTORS, COLOURS)[0]) for text in effects] == list(VERBS.values())


def test_the_set_up_and_the_facts_on_the_page_can_be_read() -> None:
    texts = re.findall(r"`(\{.*?\})`", PAGE)
    assert GAME.setup(3, {}, msgspec.json.decode(texts[0], type=Setup)).turn == 3
    facts: list[Any] = [msgspec.json.decode(text, type=AnyFact) for text in texts[1:]]
    assert [fact.place for fact in facts] == ["scenario-a", "dice", "discard"]


def test_roles_endings_and_zones_on_the_page_are_those_of_the_game() -> None:
    assert f"Roles: {', '.join(COMPONENTS.roles)}." in PAGE
    assert "Endings: `victory`, `defeat`, `ended-by-host`." in PAGE
    zones = set(re.findall(r"`([a-zN.0-9-]+)`", PAGE.partition("Zones: ")[2]))
    ours = {re.sub(r"\.\d", ".N", zone) for zone in GAME.layout(situation()).zones}
    assert zones <= ours
    kinds = {zone.partition("-")[0] for zone in ours}
    assert {zone.partition("-")[0] for zone in zones} == kinds


def test_i10_the_balance_on_the_page_is_inside_the_band() -> None:
    (four,) = [row for row in re.findall(r"\| (\d) \| (\d+) \| (\d+) % \| (\d+)–(\d+) % \|", PAGE) if row[0] == "4"]
    _, matches, won, least, most = map(int, four)
    assert matches >= 400
    assert 35 <= least <= won <= most <= 65
