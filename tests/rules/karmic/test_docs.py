"""The page docs/games/karmic-collections.md says what the rules declare."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from companion.rules.karmic import Setup, moves
from companion.rules.kernel import AnyFact
from tests.rules.karmic.situations import GAME, situation

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "karmic-collections.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Read the first table under a heading, without its head."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_page_lists_every_kind_of_action_with_its_evidence_class() -> None:
    declared = [[kind.words, f"`{kind.type}`", kind.evidence, kind.rule] for kind in GAME.info.kinds]
    assert rows("What the companion can tell by itself") == declared


def test_every_action_type_is_a_declared_kind() -> None:
    assert set(moves.TYPES) == {kind.type for kind in GAME.info.kinds}


def test_the_page_lists_the_fields_of_every_action() -> None:
    listed: dict[str, set[str]] = {}
    for row in rows("For scripts"):
        fields = set(re.findall(r"`([a-z_]+)`", row[1]))
        listed.update(dict.fromkeys(re.findall(r"`([a-z-]+)`", row[0]), fields))
    assert listed == {name: set(kind.__struct_fields__) - {"seat"} for name, kind in moves.TYPES.items()}


def test_the_set_up_and_the_facts_on_the_page_can_be_read() -> None:
    texts = re.findall(r"`(\{.*?\})`", PAGE)
    assert msgspec.json.decode(texts[0], type=Setup) == Setup()
    facts: list[Any] = [msgspec.json.decode(text, type=AnyFact) for text in texts[1:]]
    assert [fact.place for fact in facts] == ["hand.2", "dice", "hand.1"]


def test_the_endings_and_zones_on_the_page_are_those_of_the_game() -> None:
    assert "Endings: `goal`, `ended-by-host`." in PAGE
    assert "There are no options." in PAGE
    assert GAME.info.options == ()
    zones = set(re.findall(r"`([a-zN.-]+)`", PAGE.partition("Zones: ")[2]))
    assert zones == {re.sub(r"\d", "N", zone) for zone in GAME.layout(situation("A", "K")).zones}
