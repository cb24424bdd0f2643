"""Every game's page under docs/games says what its rules declare. What only one has is in that game's own tests."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion import games
from tests.games.pages import page, rows


def types(game: Any) -> dict[str, Any]:
    """Return every action type by its tag."""
    kinds = game.kinds if hasattr(game, "kinds") else game._moves.RULES
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


@pytest.mark.parametrize("name", games.packages())
def test_the_page_lists_every_kind_of_action_with_its_evidence_class(name: str) -> None:
    kinds = games.load(name).info.kinds
    declared = [[kind.words, f"`{kind.type}`", kind.evidence, kind.rule] for kind in kinds]
    assert rows(name, "What the companion can tell by itself") == declared
    assert {kind.evidence for kind in kinds} <= {"A", "B", "C"}


@pytest.mark.parametrize("name", games.packages())
def test_every_action_type_is_a_declared_kind(name: str) -> None:
    game = games.load(name)
    assert set(types(game)) == {kind.type for kind in game.info.kinds}


@pytest.mark.parametrize("name", games.packages())
def test_the_page_lists_every_option_with_its_default(name: str) -> None:
    options = games.load(name).info.options
    listed = [(row[0].strip("`"), int(row[2]), row[3]) for row in rows(name, "Options")]
    assert listed == [(option.name, option.default, option.rule) for option in options]
    assert ("There are no options." in page(name)) == (not options)


@pytest.mark.parametrize("name", games.packages())
def test_the_page_lists_the_fields_of_every_action(name: str) -> None:
    listed: dict[str, set[str]] = {}
    for row in rows(name, "For scripts"):
        fields = set(re.findall(r"`([a-z_]+)`", row[1]))
        listed.update(dict.fromkeys(re.findall(r"`([a-z-]+)`", row[0]), fields))
    kinds = types(games.load(name))
    assert listed == {tag: set(kind.__struct_fields__) - {"seat"} for tag, kind in kinds.items()}
