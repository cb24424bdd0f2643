"""What `companion verify` says of a match, and which matches from elsewhere are taken in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.cli.replay import imported, verify
from companion.referee.chain import head, short
from companion.referee.commands import Correct, Play, Redo, Roll, Undo
from companion.referee.journal import Header, Journal
from companion.referee.match import Match
from companion.table import folding
from companion.table.folding import TellError
from tests.referee.rolling import GAME, until_roll

Lines = list[dict[str, Any]]
MAT = games.load_mat("collectible", 4)
NO_HEX = "salt and pepper"


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lines:
    """An exported match in which the companion has rolled and a step was taken back and done again; no journal has it.

    What a test changes in it is imported into, and verified beside, an empty journal.
    """
    header, records, action = until_roll()
    journal = Journal(tmp_path / "there")
    match = Match(GAME, MAT, header, journal)
    match.start()
    for record in records:
        assert match.command(Play(seat=record.seat, action=record.action, facts=record.facts)).ok
    assert match.command(Roll(seat=action.seat, action=action, salt="pepper")).ok
    assert match.command(Undo(steps=1)).ok
    assert match.command(Redo(steps=1)).ok
    match.close()
    told = [json.loads(line) for line in journal.export(header.id)]
    journal.close()
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "here"))
    return told


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Lines], Path]:
    def write(told: Lines) -> Path:
        path = tmp_path / "match.jsonl"
        path.write_text("\n".join(json.dumps(one) for one in told))
        return path

    return write


def stripped(told: Lines, *fields: str) -> Lines:
    return [told[0], *({key: value for key, value in one.items() if key not in fields} for one in told[1:])]


def verdict(path: Path) -> str:
    return list(verify(str(path)))[-1]


# --------------------------------------------------------------------------------------------------- what verify says


def test_of_a_match_whose_last_records_are_gone_the_count_and_the_hash_tell(lines: Lines, written: Any) -> None:
    whole = list(verify(str(written(lines))))
    cut = list(verify(str(written(lines[:-2]))))
    n, hashed = len(lines) - 1, short(lines[-1]["chain"])
    assert whole[-3].startswith(f"{n} records, ")
    assert whole[-2].startswith(f"The last record's hash is {hashed}. Note it down")
    assert cut[-3].startswith(f"{n - 2} records, ")
    assert hashed not in cut[-2]


def test_of_a_match_without_records_it_is_not_said_that_it_is_in_order(lines: Lines, written: Any) -> None:
    assert verdict(written(lines[:1])) == "It has no records: there is nothing to check."


def test_a_match_whose_chain_was_stripped_and_proved_dice_replaced_is_not_said_to_be_in_order(
    lines: Lines, written: Any
) -> None:
    told = stripped(lines, "chain", "proof")
    roll = next(one for one in told if one.get("facts"))
    roll["facts"][0]["values"] = [6, 6]
    said = verdict(written(told))
    assert said.startswith(f"Nothing in it is wrong, but {len(told) - 1} records carry no hash and 1 roll was not made")
    assert "nobody can see whether anything was changed there" in said


def test_a_chain_that_was_made_anew_without_the_proofs_proves_no_dice(lines: Lines, written: Any) -> None:
    said = verdict(written(stripped(lines, "chain", "proof")))
    assert "in order" not in said


def test_the_verdict_says_how_often_rolls_were_taken_back(lines: Lines, written: Any) -> None:
    assert verdict(written(lines)) == "All of it is in order; a roll was taken back once."


def test_a_match_from_before_a_roll_was_known_by_its_line_still_verifies_and_shows_what_was_rolled_anew() -> None:
    """Two steps were taken back and done again, the roll came out otherwise, and was kept once."""
    *_, counts, _, said = verify(str(Path(__file__).parents[1] / "fixtures" / "rerolled.jsonl"))
    assert "2 rolls of the companion proved, 1 kept after an undo, 0 rolled at the table" in counts
    assert said == ("All of it is in order; rolls were taken back 2 times, and 1 was then made anew, with other dice.")


def test_a_secret_that_is_no_hex_is_said_in_a_sentence(lines: Lines, written: Any) -> None:
    next(one for one in lines if "proof" in one)["proof"]["secret"] = NO_HEX
    told = verify(str(written(lines)))
    assert "its secret is none" in next(told)
    with pytest.raises(TellError, match="wrong with this match"):
        list(told)


def test_the_head_is_the_last_records_hash(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, Header(id="0190", at="", game="collectible", seats=4, mode="ledger"), journal)
    match.start()
    assert match.command(Correct(edits=(), by="host")).ok
    match.close()
    records = journal.records("0190", GAME.action_type)
    assert head(match.header, records) == records[-1].chain
    journal.close()


# ---------------------------------------------------------------------------------------------- what is taken in


def changed_record(told: Lines) -> None:
    told[3]["by"] = "robot"


def other_dice(told: Lines) -> None:
    roll = next(one for one in told if "proof" in one)
    roll["facts"][0]["values"] = [value % 6 + 1 for value in roll["facts"][0]["values"]]
    for one in told[1:]:
        one.pop("chain", None)


def no_hex(told: Lines) -> None:
    next(one for one in told if "proof" in one)["proof"]["secret"] = NO_HEX


def begun_at(at: str) -> Callable[[Lines], None]:
    return lambda told: told[0].update(at=at)


def written_at(at: str) -> Callable[[Lines], None]:
    return lambda told: told[2].update(at=at)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed_record, "does not hang on the one before"),
        (other_dice, "is written"),
        (no_hex, "its secret is none"),
        (begun_at("0001-01-01T00:00:00+14:00"), "date"),
        (begun_at("9999-12-31T23:59:59-14:00"), "date"),
        (begun_at("2026-13-41"), "date"),
        (written_at("0001-01-01T00:00:00+14:00"), "record 2"),
        (written_at("soon"), "record 2"),
    ],
)
def test_a_match_from_elsewhere_is_checked_before_it_is_taken_in(
    lines: Lines, written: Any, tmp_path: Path, change: Callable[[Lines], None], words: str
) -> None:
    change(lines)
    with pytest.raises(TellError, match=words):
        imported(written(lines))
    journal = Journal(tmp_path / "here")
    assert journal.matches() == []
    journal.close()


def test_a_match_from_elsewhere_that_is_sound_is_taken_in(lines: Lines, written: Any) -> None:
    assert imported(written(lines)).endswith(f"{len(lines) - 1} records")


@pytest.mark.parametrize("where", [lambda told: told[0], lambda told: told[3], lambda told: told[3]["action"]])
def test_what_no_record_has_is_not_dropped_without_a_word(
    lines: Lines, written: Any, where: Callable[[Lines], Any]
) -> None:
    where(lines)["note"] = {"more": 1}
    with pytest.raises(TellError, match="note"):
        imported(written(lines))
    with pytest.raises(TellError, match=r"note|wrong with this match"):
        list(verify(str(written(lines))))


def test_a_mark_before_an_exported_match_says_nothing(lines: Lines, written: Any) -> None:
    path = written(lines)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert imported(path).endswith(f"{len(lines) - 1} records")


@pytest.mark.parametrize(("bound", "most"), [("MOST_RECORDS", 5), ("MOST_BRANCHES", 0)])
def test_a_match_from_elsewhere_has_no_more_records_and_branches_than_people_make(
    lines: Lines, written: Any, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    monkeypatch.setattr(folding, bound, most)
    with pytest.raises(TellError, match=f"more than {most}"):
        imported(written(lines))
