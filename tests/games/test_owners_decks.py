"""Deck files that an owner has edited: what does not fit is named when the game is loaded, in every game."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import games
from companion.files import data

NUMBERS = [(name, number) for name in games.packages() for number in games.load_deck(name).numbers]
ODD = [
    ("collectible", 'effect = "coins"', 'effect = "steal"', "it has the effect 'steal'"),
    ("collectible", 'themes = "Animal, Hat, Flower"', 'themes = "Animal, Hat, Robot"', "it shows the theme 'Robot'"),
    ("collection", 'effect = "response DH all -1"', 'effect = "response DH al -1"', "there is no scenario 'al'"),
    ("collectors", 'cash = "2"', 'cash = "3"', "it needs a cash value of 1 or 2"),
    ("collectors", 'item = "penguin"', 'item = "stamp"', "it shows stamp"),
    ("five-cards-collector", 'effect = "draw-three"', 'effect = "draw-four"', "it has the effect 'draw-four'"),
    ("five-cards-collector", "red star, blue moon", "pink star, blue moon", "it shows 'pink star'"),
    ("karmic-collections", 'rank = "7"', 'rank = "²"', "it needs a rank from 1 to 13, not '²'"),
]


@pytest.mark.parametrize(("name", "number"), NUMBERS)
def test_a_number_that_is_missing_is_missed_when_the_game_is_loaded(name: str, number: str) -> None:
    """Not in the middle of a match, nor when it begins."""
    game = games.load(name)
    numbers = {name: value for name, value in game.deck.numbers.items() if name != number}
    with pytest.raises(ValueError, match=r"has no (number|points)"):
        type(game)(replace(game.deck, numbers=numbers))  # type: ignore[call-arg]


@pytest.mark.parametrize(("name", "was", "now", "says"), ODD)
def test_a_card_that_does_not_fit_is_named_with_its_line(
    name: str, was: str, now: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = data(f"card_codes/{name}/deck.toml").read_text(encoding="utf-8")
    before, found, after = text.partition(was)
    assert found
    folder = tmp_path / "card_codes" / name
    folder.mkdir(parents=True)
    (folder / "deck.toml").write_text(f"{before}{now}{after}", encoding="utf-8")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    with pytest.raises(games.GameError) as caught:
        games.load(name)
    said = str(caught.value)
    assert says in said
    line = int(said.partition("deck.toml, line ")[2].partition(":")[0])
    piece = text.splitlines()[line - 1].partition('piece = "')[2][:3]
    assert f"({piece}): " in said
    assert before.count("\n") - 8 < line <= before.count("\n") + 1
