"""Zones are called by their names in every language, not by the English words that are printed on a mat."""

from __future__ import annotations

import pytest

from companion import games
from companion.referee.words import Words
from companion.server.words.catalogue import catalogue
from companion.server.words.voice import Voice
from tests.nights import at_night


@pytest.mark.parametrize("language", ["sv", "de"])
@pytest.mark.parametrize("name", [*games.packages(), *at_night(*games.from_files())])
def test_every_zone_of_a_mat_is_called_by_a_name_in_the_language(name: str, language: str) -> None:
    game, voice = games.load(name), Voice(language, catalogue(language))
    mat = games.load_mat(name, game.info.seats[1])
    words = Words(game.deck, mat)
    assert all(voice(words.zone(zone.name)) for zone in mat.zones)
    assert not voice.missed


@pytest.mark.parametrize(("language", "called"), [("sv", "slänghögen"), ("de", "der Ablagestapel")])
def test_the_discard_pile_is_called_so(language: str, called: str) -> None:
    words = Words(games.load("five-cards-collector").deck, games.load_mat("five-cards-collector", 3))
    assert Voice(language, catalogue(language))(words.zone("discard")) == called


def test_the_number_of_a_zone_is_none_of_its_words() -> None:
    words = Words(games.load("collection").deck, games.load_mat("collection", 4))
    assert Voice("de", catalogue("de"))(words.zone("crisis-b-3")) == "Krise B 3"
