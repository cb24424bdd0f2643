"""Players' names as they are kept, wherever they come from."""

import json
import re
import unicodedata

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.cli.replay import tell
from companion.referee.commands import Name
from companion.referee.journal import Header
from companion.referee.referee import Referee
from companion.rules.seats import LONGEST_NAME, clean_name, told_apart
from companion.table.folding import checked

NAMES = {
    "Ada": "Ada",
    "  Ada \n Lovelace ": "Ada Lovelace",
    "A\x1b[2J\x07B": "A[2JB",
    "\u202eadA": "adA",
    "N\x00UL": "NUL",
    "Bo\u200b": "Bo",
    "\u200b": "",
    "\ud800": "",
    "@2 wins": "2 wins",
    "\u0301": "",
    "Семён": "Семён",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "A" * 30: "A" * LONGEST_NAME,
}


@pytest.mark.parametrize(("typed", "kept"), NAMES.items(), ids=map(ascii, NAMES))
def test_a_name_keeps_what_can_be_seen_and_nothing_that_steers(typed, kept):
    assert clean_name(typed) == kept


@given(st.text(max_size=60))
@settings(max_examples=40)
def test_a_name_that_was_cleaned_stays_as_it_is(typed):
    name = clean_name(typed)
    assert clean_name(name) == name
    assert clean_name(name, 40) == name
    assert len(name) <= LONGEST_NAME
    assert not any(unicodedata.category(letter) == "Cc" for letter in name)


@pytest.mark.parametrize(("typed", "kept"), [pair for pair in NAMES.items() if "\ud800" not in pair[0]])
def test_a_name_that_is_typed_and_one_in_a_match_from_elsewhere_are_kept_alike(typed, kept):
    game = games.load("five-cards-collector")
    header = Header(id="0190", at="", game=game.info.name, seats=2, mode="ledger")
    table = Referee(game, games.load_mat(game.info.name, 2), header)
    reply = table.command(Name(seat=1, name=typed))
    assert reply.ok == bool(kept)
    assert table.snapshot.names.get(1, "") == kept
    taken = checked(msgspec.structs.replace(header, names={1: typed})).names.get(1, "")
    assert taken[:LONGEST_NAME] == kept


def test_a_file_with_escape_codes_in_it_does_not_reach_a_terminal(tmp_path):
    file = tmp_path / "match.jsonl"
    names = {"1": "Ada\x1b]0;pwn\x07", "2": "\x9b31mBo"}
    header = {
        "id": "0190",
        "at": "2026-11-01T18:00:00+00:00",
        "game": "five-cards-collector",
        "seats": 2,
        "names": names,
    }
    file.write_text(json.dumps(header))
    assert not re.search("[\x00-\x1f\x7f-\x9f]", "".join(tell(f"{file}", None)))


ALIKE = ("Ann", "ann", "Ａnn", "Ann 2", "A" * 24, "Bo", "")


@settings(max_examples=50)
@given(st.dictionaries(st.integers(1, 8), st.sampled_from(ALIKE), max_size=8))
def test_no_two_names_of_a_match_read_the_same(names: dict[int, str]) -> None:
    told = told_apart(names)
    assert set(told) == {seat for seat, name in names.items() if name}
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in told.values()}) == len(told)
    assert all(len(name) <= LONGEST_NAME for name in told.values())
    assert told_apart(told) == told


def test_a_name_that_another_seat_has_gets_a_number() -> None:
    assert told_apart({3: "Ann", 1: "Ann", 2: "ann"}) == {1: "Ann", 2: "ann 2", 3: "Ann 3"}
