"""Whatever way records come, each is there once, in order, checked; what does not fit is kept aside."""

from __future__ import annotations

import random
import threading

import msgspec
import pytest

from companion.hall.database import connect, migrate, rows
from companion.hall.local import LocalDatabase
from companion.referee.chain import carried, link, link_line
from companion.referee.journal import decode_record
from tests.hall.lines import kept, made, part, sent


def test_a_line_hangs_on_the_one_before_as_its_record_does():
    match = made(3)
    for line in match.lines:
        record = decode_record(line.encode(), type(None))
        bare, carries = carried(line.encode())
        assert carries == record.chain
        assert link_line("f" * 64, bare) == link("f" * 64, record)


def test_records_that_come_late_doubled_or_forged_are_there_once_in_order_or_aside(database: LocalDatabase):
    match, forged = made(12), made(3)
    lines = (forged.lines[0], forged.lines[1].replace('"by":"host"', '"by":"phone"'), forged.lines[2])
    with connect(database.address) as connection:
        # Out of order: what is early waits, and nothing of it is said to be there.
        assert [one.through for one in sent(connection, part(match, 5, 8))] == [0]
        assert [one.through for one in sent(connection, part(match, 1, 2))] == [2]
        # Missing: 3 and 4 are; a doubled message changes nothing.
        assert [one.through for one in sent(connection, part(match, 1, 2), part(match, 9, 12))] == [2]
        assert [one.through for one in sent(connection, part(match, 3, 6))] == [12]
        assert kept(connection, match) == list(match.lines)
        assert rows(connection, "SELECT * FROM waiting") == []
        # Forged: what came before it stays, the rest is refused and kept for a person to see.
        (answer,) = sent(connection, part(forged, 1, 3, lines=lines))
        assert (answer.through, bool(answer.refused)) == (1, True)
        assert kept(connection, forged) == [forged.lines[0]]
        assert [row["n"] for row in rows(connection, "SELECT n FROM aside")] == [2]
        assert sent(connection, part(forged, 2, 3))[0].refused


@pytest.mark.night
def test_another_record_under_a_number_that_is_there_is_refused(database: LocalDatabase):
    match = made(4)
    with connect(database.address) as connection:
        sent(connection, part(match, 1, 4))
        changed = match.lines[2].replace('"by":"host"', '"by":"phone"')
        (answer,) = sent(connection, part(match, 3, 3, lines=(changed,)))
        assert (answer.through, bool(answer.refused)) == (4, True)
        assert kept(connection, match) == list(match.lines)


@pytest.mark.night
def test_a_header_that_fits_no_root_begins_nothing(database: LocalDatabase):
    match, other = made(2), made(2)
    with connect(database.address) as connection:
        (answer,) = sent(connection, part(match, 1, 2, root="0" * 64))
        assert (answer.through, bool(answer.refused)) == (0, True)
        assert rows(connection, "SELECT * FROM matches") == []
        sent(connection, part(match, 1, 2))
        (answer,) = sent(connection, part(match, 1, 1, lines=other.lines[:1]))
        assert answer.refused


@pytest.mark.night
def test_names_that_come_again_with_the_header_take_the_place_of_the_old(database: LocalDatabase):
    match = made(2)
    with connect(database.address) as connection:
        sent(connection, part(match, 1, 2))
        renamed = {**msgspec.to_builtins(match.header), "names": {"1": "Eve", "2": "Bo"}}
        assert sent(connection, part(match, 1, 1, header=renamed))[0].through == 2
        (row,) = rows(connection, "SELECT header FROM matches")
        assert '"Eve"' in row["header"]
        assert '"Ada"' not in row["header"]


@pytest.mark.night
def test_two_consumers_that_have_parts_of_the_same_matches_lose_and_double_nothing(database: LocalDatabase):
    matches = [made(60) for _ in range(6)]
    rng = random.Random(1)
    parts = [part(match, n, n + 2) for match in matches for n in range(1, 60, 3)] * 2
    rng.shuffle(parts)
    failed: list[BaseException] = []

    def work(mine):
        try:
            with connect(database.address) as connection:
                for i in range(0, len(mine), 7):
                    sent(connection, *mine[i : i + 7])
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=work, args=(parts[n::2],)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with connect(database.address) as connection:
        for match in matches:
            assert kept(connection, match) == list(match.lines)


@pytest.mark.night
def test_a_hall_that_was_restored_says_that_it_has_less(database: LocalDatabase):
    match = made(9)
    with connect(database.address) as connection:
        sent(connection, part(match, 1, 9))
        connection.execute("DELETE FROM records WHERE n > 4")
        connection.execute(
            "UPDATE matches SET through = 4, head = %s", (decode_record(match.lines[3].encode(), type(None)).chain,)
        )
        connection.commit()
        assert sent(connection, part(match, 9, 9))[0].through == 4
        presence = sent(connection, b'{"v":1,"online":true}', what="presence")
        assert [one.through for one in presence] == [4]
        assert sent(connection, part(match, 5, 8))[0].through == 9
        assert kept(connection, match) == list(match.lines)


@pytest.mark.night
def test_the_schema_is_applied_once_and_a_newer_one_is_left_alone(database: LocalDatabase):
    from companion.hall.database import DatabaseError

    with connect(database.address) as connection:
        assert migrate(connection) == []
        connection.execute("INSERT INTO applied (n, name) VALUES (999, 'from the future')")
        connection.commit()
        with pytest.raises(DatabaseError, match="newer Companion"):
            migrate(connection)
        connection.execute("DELETE FROM applied WHERE n = 999")
        connection.commit()
