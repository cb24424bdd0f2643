"""Records hang together, and a damaged journal gives up nothing that can still be read."""

from __future__ import annotations

import sqlite3
from typing import Any, get_args

import msgspec
import pytest

from companion import games
from companion.cli.replay import verify
from companion.games.five_cards_collector.laying import Discard
from companion.games.five_cards_collector.passing import Nothing
from companion.referee.chain import broken, link, root
from companion.referee.commands import Correct, End, Name
from companion.referee.journal import Header, Journal, encode_record
from companion.referee.match import Match
from companion.referee.record import Proof, Record
from companion.rules.kernel import Lies, Rolled, Shown, Turns
from companion.table.folding import TellError
from tests.referee.table import GAME

MAT = games.load_mat(GAME.info.name, 3)


def header(match="0190"):
    return Header(id=match, at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")


def some_records(folder, count=6, match="0190"):
    """Have a match with so many records in a journal."""
    journal = Journal(folder)
    played = Match(GAME, MAT, header(match), journal)
    played.start()
    for n in range(count):
        assert played.command(Correct(edits=(Turns(n % 3 + 1),), by="host")).ok
    assert played.command(Name(seat=1, name="Anna")).ok
    played.close()
    return journal


def changed(journal, n, **changes):
    """Write over a record, as somebody might who wants another past."""
    row = journal._db.execute("SELECT record FROM records WHERE n = ?", (n,)).fetchone()
    record = msgspec.json.decode(row[0])
    record.update(changes)
    journal._db.execute("UPDATE records SET record = ? WHERE n = ?", (msgspec.json.encode(record), n))


def test_every_record_hangs_on_the_one_before_and_on_the_header(tmp_path):
    journal = some_records(tmp_path)
    (kept,) = journal.matches()
    records = journal.records(kept.id, GAME.action_type)
    before = root(kept)
    for record in records:
        assert record.chain == link(before, record)
        before = record.chain
    assert broken(kept, records) == 0
    assert broken(msgspec.structs.replace(kept, seats=4), records) == 1
    assert broken(kept, [*records[:2], *records[3:]]) == 4
    assert broken(kept, [*records[:3], msgspec.structs.replace(records[3], at="now"), *records[4:]]) == 4
    assert broken(kept, [*records[:3], msgspec.structs.replace(records[3], chain=""), *records[4:]]) == 4
    journal.close()


def test_a_match_from_before_the_chain_is_gone_on_with():
    old = [Record(n=1, id="1", at=""), Record(n=2, id="2", at="")]
    assert broken(header(), old) == 0
    third = Record(n=3, id="3", at="")
    before = root(header())
    for record in old:
        before = link(before, record)
    assert broken(header(), [*old, msgspec.structs.replace(third, chain=link(before, third))]) == 0


GOLDEN = Header(
    id="0190",
    at="2026-01-01T00:00:00Z",
    game="five-cards-collector",
    seats=3,
    options={"goals": 2},
    setup={"goals": ["001", "002", "003"], "turned_up": ["00V"]},
    names={1: "Ada"},
    colours={1: "blue"},
    commitment="00ff",
)
GOLDEN_RECORDS = [
    Record(
        n=1,
        id="a",
        at="2026-01-01T00:00:01Z",
        seat=1,
        action=Discard(seat=1, card="00U"),
        facts=(Shown(place="deck", piece="00W"),),
        chain="118730c2afb4f470088e0467904b417aa8b769f0885ce6e11ee1597045e8030c",
    ),
    Record(
        n=2,
        id="b",
        at="2026-01-01T00:00:02Z",
        kind="correction",
        edits=(Turns(2), Lies("00U", "deck")),
        by="host",
        chain="28d0f7e6d7640eb2d98be37270098cd360bf9f1212783572c1484e1cb23e49c3",
    ),
    Record(
        n=3,
        id="c",
        at="2026-01-01T00:00:03Z",
        seat=2,
        action=Nothing(seat=2),
        by="phone",
        facts=(Rolled(place="die", values=(3,)),),
        proof=Proof("ab", ((1, "x"),), "cd"),
        chain="a3dbd673ea6d9943c9fc0ef84f109223c3fb2c0d20746f46c4d42fd634ff7ea8",
    ),
    Record(
        n=4,
        id="d",
        at="2026-01-01T00:00:04Z",
        kind="undo",
        steps=2,
        by="button",
        assumed=True,
        commitment="ef",
        chain="91ad07c89821a8c8bd36ed7c4d4b360f1b82883eee2ef1344fac03cdc0416080",
    ),
]
"""A match and its hashes as they were on 22 November 2026; journals are full of such."""


def test_hashes_stay_what_they_were():
    assert root(GOLDEN) == "3290f7c25b66d02e330ef26af283d411d37e7ce1b791f54f2c12fe0a9e947ae6"
    assert broken(GOLDEN, GOLDEN_RECORDS) == 0
    for before, record in zip(["", *GOLDEN_RECORDS], GOLDEN_RECORDS, strict=False):
        assert link(before.chain if before else root(GOLDEN), record) == record.chain


class LaterHeader(Header, frozen=True, kw_only=True):
    lamp: str = "off"
    guests: tuple[str, ...] = ()
    scores: dict[str, int] = msgspec.field(default_factory=dict)


class LaterRecord(Record, frozen=True, kw_only=True):
    sure: float = 1.0


def test_a_field_that_a_later_version_adds_breaks_no_match_from_before():
    header = msgspec.json.decode(msgspec.json.encode(GOLDEN), type=LaterHeader)
    records = [LaterRecord(**{name: getattr(one, name) for name in one.__struct_fields__}) for one in GOLDEN_RECORDS]
    assert broken(header, records) == 0
    # Where it is not as if left out, it counts like any other.
    assert broken(msgspec.structs.replace(header, lamp="on"), records) == 1
    assert broken(msgspec.structs.replace(header, guests=("Bo",)), records) == 1
    assert broken(msgspec.structs.replace(header, scores={"Bo": 1}), records) == 1
    assert broken(header, [records[0], msgspec.structs.replace(records[1], sure=0.5), *records[2:]]) == 2


CARRIED = {
    "": "Counts.place.count Instead.piece.other Lies.piece.zone Opened.place.pieces Proof.secret.salts.next "
    "Rolled.place.values Shown.place.piece Turns.seat Unknown",
    "collectible": "Bid.seat.amount Close.seat.card Discard.seat.card Done.seat Draw.seat Hole.owner.pieces.words "
    "Look.seat.partner NoBid.seat Open.seat.card Pass.seat PlayCharacter.seat.card Reveal.seat Roll.seat "
    "Sell.seat.card Send.seat.card Show.seat.player Swap.seat.partner TakeBack.seat.card TurnUp.seat.player",
    "collection": "Choose.seat.scenario.collector.colour Draw.seat Engage.seat.colour Move.seat.scenario.collector "
    "OpenScenario.seat.scenario Pass.seat PlayCard.seat.card Roll.seat.colour Start.seat.collector "
    "TakeRole.seat.role UseReport.seat.use",
    "collectors": "Buy.seat.card CantPay.seat Fill.seat.slot Flow.seat Gain.seat.bottle GetSkill.seat.card Hide.seat "
    "Hole.owner.pieces.words MakeBid.seat.amount Offer.seat.card PassBid.seat PayCard.seat.card PayCoins.seat "
    "Place.seat.space.bottle Put.seat.role.card RaiseValue.seat.card Retrieve.seat.bottle.position Reveal.seat.card "
    "TakeBack.seat",
    "five-cards-collector": "Add.seat.card Discard.seat.card Draw.seat DrawGoal.seat.player Hole.owner.pieces.words "
    "Keep.seat Nothing.seat Retrieve.seat.card Stuck.seat Take.seat.victim TakeOver.seat.card.from_seat.to "
    "TurnUp.seat Use.seat.card",
    "karmic-collections": "Conceal.seat.cards Deal.seat.player Draw.seat EndTurn.seat First.seat.space Give.seat.card "
    "GiveDie.seat.value KeepOpen.seat Lot.seat Partner.seat.partner Roll.seat Second.seat.space Take.seat.card "
    "TakeBlind.seat TakeDie.seat.value TurnUp.seat",
}
"""What records carry, game by game, and its fields in their order; "" is what all of them may."""


def structs(kind: Any) -> dict[str, tuple[str, ...]]:
    """Find the structs in a type, with their fields."""
    found: dict[str, tuple[str, ...]] = {}
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        found[kind.__name__] = kind.__struct_fields__
        for field in msgspec.structs.fields(kind):
            found |= structs(field.type)
    for one in get_args(kind):
        found |= structs(one)
    return found


@pytest.mark.parametrize("name", CARRIED)
def test_what_records_carry_has_the_fields_that_it_had_when_they_were_hashed(name):
    """Kinds may be added. A field more would break every match that has one: `link` must leave it out first."""
    there = structs(games.load(name).action_type if name else Record)
    for one in CARRIED[name].split():
        kind, *fields = one.split(".")
        assert there[kind] == tuple(fields)


@pytest.mark.parametrize("what", ["changed", "torn", "gone", "against the rules"])
def test_a_damaged_record_and_all_after_it_are_set_aside_and_the_match_goes_on_before_it(tmp_path, what):
    journal = some_records(tmp_path)
    if what == "changed":
        changed(journal, 4, at="1999")
    elif what == "torn":
        journal._db.execute("UPDATE records SET record = ? WHERE n = 4", (b'{"n": 4, "id',))
    elif what == "gone":
        journal._db.execute("DELETE FROM records WHERE n = 4")
    else:
        row = journal._db.execute("SELECT record FROM records WHERE n = 3").fetchone()
        before = msgspec.json.decode(row[0])["chain"]
        bad = Record(n=4, id="4", at="", kind="undo", steps=9)
        bad = msgspec.structs.replace(bad, chain=link(before, bad))
        journal._db.execute("UPDATE records SET record = ? WHERE n = 4", (encode_record(bad),))
    match = Match(GAME, MAT, header(), journal)
    assert match.snapshot.record == 3
    assert "damaged after record 3" in match.snapshot.sentence
    kept = journal._db.execute("SELECT n FROM damaged ORDER BY n").fetchall()
    assert kept == [(n,) for n in (4, 5, 6) if what != "gone" or n != 4]
    match.start()
    assert match.command(End(by="host")).ok
    match.close()
    again = Match(GAME, MAT, header(), journal)
    assert (again.snapshot.record, again.snapshot.names[1]) == (4, "Anna")
    journal.close()


def test_a_journal_with_a_torn_page_is_kept_aside_and_what_can_be_read_goes_on(tmp_path):
    some_records(tmp_path, 60, "0190").close()
    journal = some_records(tmp_path, 60, "0191")
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.close()
    path = tmp_path / "journal.db"
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    page = sqlite3.connect(path).execute("SELECT rootpage FROM sqlite_master WHERE name = 'records'").fetchone()[0]
    # The last page of the records' tree: some of the second match's records.
    middle = len(data) // size // 2 * size
    spoiled = middle if middle // size != page - 1 else middle + size
    data[spoiled : spoiled + size] = b"\xa5" * size
    path.write_bytes(data)
    journal = Journal(tmp_path)
    assert "damaged" in journal.rescued
    assert list(tmp_path.glob("journal.damaged-*.db"))
    for match in ("0190", "0191"):
        if any(one.id == match for one in journal.matches()):
            played = Match(GAME, MAT, header(match), journal)
            played.start()
            assert played.command(End(by="host")).ok
            played.close()
    journal.close()
    assert Journal(tmp_path).rescued == ""


@pytest.mark.parametrize("spoiled", [b"", b"not a database at all" * 500])
def test_a_journal_that_is_none_any_more_does_not_keep_people_from_playing(tmp_path, spoiled):
    (tmp_path / "journal.db").write_bytes(spoiled)
    journal = Journal(tmp_path)
    assert bool(journal.rescued) == bool(spoiled)
    match = Match(GAME, MAT, header(), journal)
    match.start()
    assert match.command(End(by="host")).ok
    match.close()
    journal.close()


def test_verify_names_the_record_that_was_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    journal = some_records(tmp_path)
    assert list(verify("0190"))[-1] == "All of it is in order."
    changed(journal, 2, at="1999")
    journal.close()
    told = verify("0190")
    assert next(told).startswith("Record 2: it does not hang on the one before")
    with pytest.raises(TellError, match="1 thing is wrong"):
        list(told)
