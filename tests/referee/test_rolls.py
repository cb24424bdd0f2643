"""The companion's dice (C6): committed to before, revealed after, stirred by players, kept (C4), and fair."""

import hashlib
import hmac
import json
import secrets
from itertools import count

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.cli.replay import verify
from companion.referee.commands import Correct, Play, Redo, Roll, Stir, Undo
from companion.referee.journal import Header, Journal
from companion.referee.keeper import RecordKeeper
from companion.referee.match import Match
from companion.referee.progress import Before
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.referee.rolls import DiceCommitment, commitment, values
from companion.rules.kernel import Counts, Need, Rolled
from companion.table.folding import TellError
from companion.text import plain
from tests.referee.rolling import GAME, until_roll

MAT = games.load_mat("collectible", 4)
SIX, TEN = Need("dice", "rolled", "dice", count=2, sides=6), Need("dice", "rolled", "dice", count=10, sides=10)


def numbered(start=0):
    """A source of secrets that counts: anything but random."""
    counter = count(start)
    return lambda size: next(counter).to_bytes(size, "big")


def referee(cup=None, names=None):
    header, records, action = until_roll()
    return Referee(GAME, MAT, header, records, before=Before(dice=cup or DiceCommitment(random=numbered()))), action


def roll(table, action, salt=""):
    return table.command(Roll(seat=action.seat, action=action, salt=salt))


# -------------------------------------------------------------------------------------------------- how they are made


def test_the_recipe_in_the_docs_makes_the_same_dice():
    secret, salts = b"s" * 32, ((1, "abc"), (3, "ä€"))
    text = json.dumps(["0190", 7, "dice", 2, 6, salts], separators=(",", ":"), ensure_ascii=False).encode()
    stream = hmac.new(secret, text + b"\n0", hashlib.sha256).digest()
    right = tuple([byte % 6 + 1 for byte in stream if byte < 252][:2])
    assert values(secret, "0190", 7, SIX, salts) == right
    assert commitment(secret) == hashlib.sha256(b"companion dice 1\n" + secret).hexdigest()


@given(st.binary(min_size=32, max_size=32), st.integers(1, 999), st.integers(1, 40), st.integers(2, 256))
def test_every_roll_has_the_right_number_of_possible_values(secret, record, dice, sides):
    rolled = values(secret, "0190", record, Need("dice", "rolled", "", count=dice, sides=sides), ())
    assert len(rolled) == dice
    assert all(1 <= value <= sides for value in rolled)


@pytest.mark.parametrize("sides", [0, 1, 257])
def test_dice_that_can_not_be_made_of_bytes_are_refused(sides):
    with pytest.raises(ValueError, match="2 to 256 sides"):
        values(b"s" * 32, "0190", 1, Need("dice", "rolled", "", sides=sides), ())


def test_match_record_place_and_salts_each_change_the_dice():
    plain = values(b"s" * 32, "0190", 7, TEN, ())
    other = Need("tray", "rolled", "dice", count=10, sides=10)
    for changed in (("0191", 7, TEN, ()), ("0190", 8, TEN, ()), ("0190", 7, other, ()), ("0190", 7, TEN, ((1, "x"),))):
        assert values(b"s" * 32, *changed) != plain


def chi_square(sides, rolls, secret):
    counts = [0] * sides
    need = Need("dice", "rolled", "dice", count=100, sides=sides)
    for record in range(rolls // 100):
        for value in values(secret, "fair", record, need, ()):
            counts[value - 1] += 1
    expected = rolls / sides
    return sum((seen - expected) ** 2 / expected for seen in counts)


@pytest.mark.parametrize(("sides", "limit"), [(6, 15.09), (10, 21.67)])
def test_100_000_rolls_are_even_by_the_chi_square_test(sides, limit):
    """The limits are the 99 % points of chi-square with 5 and 9 degrees of freedom; the secret is fixed."""
    assert chi_square(sides, 100_000, b"a fixed secret for this test ...") < limit


@pytest.mark.parametrize(("sides", "limit"), [(6, 35.89), (10, 45.08)])
def test_live_rolls_fail_only_below_a_chance_of_one_in_a_million(sides, limit):
    """The limits are the points of chi-square with 5 and 9 degrees of freedom that chance passes once in 10⁶."""
    assert chi_square(sides, 20_000, secrets.token_bytes(32)) < limit


# ------------------------------------------------------------------------------------------------------ in the referee


def test_the_commitment_is_known_before_the_roll_and_its_secret_is_told_with_it():
    table, action = referee()
    roll(table, action)  # the first roll only tells of the commitment, which no header had
    before = table.snapshot.dice.commitment
    table.command(Undo(steps=1))
    record = next(past.record for past in reversed(table.progress.history.undone) if past.record.proof)
    assert commitment(bytes.fromhex(record.proof.secret)) == commitment((0).to_bytes(32, "big"))
    assert before == record.proof.next


def test_what_players_throw_in_is_part_of_the_roll():
    rolled = set()
    for salt in ("", "a", "b", "c"):
        table, action = referee()
        others = [seat for seat in range(1, 5) if seat != action.seat]
        assert table.command(Stir(seat=others[0], salt="other")).ok
        assert table.snapshot.dice.stirred == (others[0],)
        assert roll(table, action, salt).ok
        record = table.records()[-1]
        assert dict(record.proof.salts).get(action.seat, "") == salt
        assert dict(record.proof.salts)[others[0]] == "other"
        assert table.snapshot.dice.stirred == ()
        rolled.add(record.facts)
    assert len(rolled) > 1


def test_c4_a_roll_once_made_is_kept_for_the_same_action_from_the_same_state():
    table, action = referee()
    roll(table, action, "first")
    facts = table.records()[-1].facts
    table.command(Undo(steps=1))
    assert roll(table, action, "second").ok
    record = table.records()[-1]
    assert record.facts == facts
    assert record.proof is None
    assert table.snapshot.dice.throws[0].undone
    assert not table.snapshot.dice.throws[1].undone


@pytest.mark.parametrize("there_and_back", [False, True])
def test_c4_corrections_that_change_nothing_make_no_new_roll(there_and_back):
    table, action = referee()
    roll(table, action)
    facts = table.records()[-1].facts
    table.command(Undo(steps=1))
    coins = table.state.players[1].coins
    for wrong in (coins + 1, coins) if there_and_back else ():
        assert table.command(Correct(edits=(Counts("coins.2", wrong),), by="host")).ok
    assert table.command(Correct(edits=(), by="host")).ok
    assert roll(table, action).ok
    assert table.records()[-1].facts == facts


@pytest.mark.parametrize("steps", [3, 6])
def test_c4_any_way_back_to_the_same_line_of_records_gives_the_same_dice(steps):
    """Steps are taken back and done again, not redone: their records are new ones, and the line of them is the same."""
    table, action = referee()
    roll(table, action)
    facts, gone = table.records()[-1].facts, [one for one in table.records()[-steps:-1] if one.kind == "action"]
    table.command(Undo(steps=steps))
    for record in gone:
        again = Play(seat=record.seat, action=record.action, facts=record.facts)
        assert not record.seat or table.command(again).ok  # what the table does follows by itself
        assert table.command(Correct(edits=(), by="host")).ok
    assert roll(table, action).ok
    assert table.records()[-1].facts == facts


def test_c4_a_correction_that_is_taken_back_and_made_again_makes_no_new_roll():
    table, action = referee()
    coins = table.state.players[1].coins
    correct = Correct(edits=(Counts("coins.2", coins + 1),), by="host")
    table.command(correct)
    roll(table, action)
    facts = table.records()[-1].facts
    table.command(Undo(steps=2))
    for other in (coins + 5, coins + 1):  # another way to the same state
        table.command(Correct(edits=(Counts("coins.2", other),), by="host"))
    assert roll(table, action).ok
    assert table.records()[-1].facts == facts


def test_c4_after_a_correction_that_changed_something_it_is_a_new_roll():
    table, action = referee()
    roll(table, action)
    table.command(Undo(steps=1))
    assert table.command(Correct(edits=(Counts("coins.2", table.state.players[1].coins + 1),), by="host")).ok
    assert roll(table, action).ok
    assert table.records()[-1].proof is not None


def test_c4_other_dice_are_not_entered_for_a_roll_that_was_made():
    table, action = referee()
    roll(table, action)
    facts = table.records()[-1].facts
    table.command(Undo(steps=1))
    other = Rolled(place="dice", values=tuple(value % 6 + 1 for value in facts[0].values))
    reply = table.command(Play(seat=action.seat, action=action, facts=(other,)))
    assert reply.verdict.rule == "C4"
    assert " and ".join(map(str, facts[0].values)) in reply.verdict.reason
    assert table.command(Play(seat=action.seat, action=action, facts=facts)).ok


def test_a_new_roll_uses_a_new_secret():
    table, action = referee()
    roll(table, action)
    first = table.records()[-1].proof
    table.command(Undo(steps=2))
    table.command(Redo(steps=1))
    assert table.progress.dice.commitment == first.next


def test_c9_entered_dice_of_a_wrong_number_are_refused():
    table, action = referee()
    reply = table.command(Play(seat=action.seat, action=action, facts=(Rolled(place="dice", values=(1, 2, 3)),)))
    assert (reply.verdict.kind, reply.verdict.rule) == ("inconsistent", "C9")


def test_a_roll_entered_twice_counts_once():
    table, action = referee()
    facts = (Rolled(place="dice", values=(3, 4)),)
    assert table.command(Play(seat=action.seat, action=action, facts=facts)).ok
    count = table.progress.history.count
    assert not table.command(Play(seat=action.seat, action=action, facts=facts)).ok
    assert table.progress.history.count == count


def test_without_a_cup_or_without_dice_there_is_nothing_to_roll():
    header, records, action = until_roll()
    bare = Referee(GAME, MAT, header, records)
    assert roll(bare, action).verdict.rule == "C6"
    assert not bare.command(Stir(seat=1, salt="x")).ok
    before = Referee(GAME, MAT, header, records[:-1], before=Before(dice=DiceCommitment()))
    assert roll(before, records[-1].action).verdict.rule == "C6"


def test_the_secret_of_the_next_roll_is_in_no_snapshot():
    table, action = referee(DiceCommitment(b"\x07" * 32, numbered()))
    roll(table, action)
    shown = msgspec.json.encode(table.snapshot, enc_hook=plain).decode()
    assert table.progress.dice.secret.hex() not in shown
    assert table.progress.dice.coming.hex() not in shown


# --------------------------------------------------------------------------------------- in the journal, and verified


@pytest.fixture
def played(tmp_path, monkeypatch):
    """A match in the journal in which the companion has rolled; gives the header and the file's lines."""
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    header, records, action = until_roll()
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, header, journal)
    match.start()
    for record in records:
        assert match.command(Play(seat=record.seat, action=record.action, facts=record.facts)).ok
    assert match.command(Roll(seat=action.seat, action=action, salt="pepper")).ok
    match.command(Undo(steps=1))
    assert match.command(Roll(seat=action.seat, action=action)).ok
    match.close()
    lines = list(journal.export(header.id))
    journal.close()
    return header, lines


def altered(lines, tmp_path, change):
    """Write the export with its first roll changed."""
    told = [json.loads(line) for line in lines]
    change(told, next(one for one in told if "proof" in one))
    path = tmp_path / "altered.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in told))
    return str(path)


def test_verify_finds_a_match_in_order(played):
    header, _ = played
    *_, counts, _, verdict = verify(header.id)
    assert "1 roll of the companion proved, 1 kept after an undo" in counts
    assert verdict == "All of it is in order; a roll was taken back once."


def other_dice(told, roll):
    wrong = [value % 6 + 1 for value in roll["facts"][0]["values"]]
    for one in told:
        if one.get("facts") == roll["facts"] and one is not roll:
            one["facts"] = [{**roll["facts"][0], "values": wrong}]
    roll["facts"] = [{**roll["facts"][0], "values": wrong}]


def other_secret(told, roll):
    roll["proof"]["secret"] = "00" * 32


def other_salt(told, roll):
    secret, right = bytes.fromhex(roll["proof"]["secret"]), tuple(roll["facts"][0]["values"])
    salts = (((1, str(n)),) for n in range(99))
    roll["proof"]["salts"] = next(one for one in salts if values(secret, "0190", roll["n"], SIX, one) != right)


def other_commitment(told, roll):
    told[0]["commitment"] = "00" * 32


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_dice, "is written"),
        (other_secret, "committed to"),
        (other_salt, "is written"),
        (other_commitment, "committed to"),
    ],
)
def test_verify_finds_what_was_tampered_with(played, tmp_path, change, words):
    _, lines = played
    told = verify(altered(lines, tmp_path, change))
    assert words in next(told)
    with pytest.raises(TellError, match="wrong with this match"):
        list(told)


def test_no_export_carries_the_secret_of_the_next_roll(played, tmp_path):
    header, lines = played
    journal = Journal(tmp_path)
    committed = json.loads(next(line for line in reversed(lines) if b"proof" in line))["proof"]["next"]
    secret = journal.secret(header.id, committed)
    journal.close()
    assert secret is not None
    assert secret.hex().encode() not in b"".join(lines)


def test_the_secret_of_the_next_roll_is_on_disk_before_anybody_hears_its_commitment(tmp_path):
    """Also where two rolls come one right after the other, with no record between them."""
    journal, cup = Journal(tmp_path), DiceCommitment(random=numbered())
    header, _, action = until_roll()
    journal.begin(header)
    keeper, kept = RecordKeeper(journal, header.id, None, cup), []
    keeper.listen(lambda record: kept.append(journal.secret(header.id, record.proof.next) == cup.coming))
    for n in (1, 2):
        facts, proof = cup.roll(header.id, n, (SIX,))
        keeper.keep(Record(n=n, id=f"{n}", at=header.at, action=action, facts=facts, proof=proof), (), frozenset())
        cup.rolled()
    journal.close()
    assert kept == [True, True]


def test_a_restart_goes_on_with_the_secret_that_was_committed_to(played, tmp_path):
    header, _ = played
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, header, journal)
    assert match._keeper.dice.commitment == match.snapshot.dice.commitment
    journal.close()


def test_a_match_that_goes_on_elsewhere_commits_anew_and_says_so(played, tmp_path):
    _, lines = played
    journal = Journal(tmp_path / "elsewhere")
    known = msgspec.json.decode(lines[0], type=Header)
    records, action = until_roll()[1:]
    journal.take(known, records)
    match = Match(GAME, MAT, known, journal)
    match.start()
    assert match.command(Roll(seat=action.seat, action=action)).ok
    last, before = match.records()[-1], match.records()[-2]
    match.close()
    assert before.commitment == commitment(bytes.fromhex(last.proof.secret))
    assert any("new secret" in line.words for line in match.snapshot.log)
    journal.close()
