"""Finds out how matches ended: folds their records by their games' rules, which is the only thing that is believed."""

from __future__ import annotations

import logging

import msgspec

from companion.games import GameError
from companion.hall.arrivals import NAME, storable
from companion.hall.database import Connection, Row, rows, tell
from companion.hall.queries import UNSETTLED
from companion.hall.scoring import points
from companion.referee.journal import Header
from companion.rules.kernel import name_seats
from companion.rules.seats import told_apart
from companion.table.folding import TellError, taken_in
from companion.text import t

log = logging.getLogger(__name__)

AT_ONCE = 5
REST = 1.0
"""Seconds without a new record before a match is folded: its last ones come in a row."""


def lines_of(connection: Connection, table: str, match: str) -> list[bytes]:
    """Return a match's records, as the table wrote them."""
    found = connection.execute(
        "SELECT line FROM records WHERE table_name = %s AND match = %s ORDER BY n", (table, match)
    )
    return [row[0].encode() for row in found]


def names_of(header: Header, shown: dict[str, str]) -> dict[int, str]:
    """Return the seats' names as they were shown last, no two alike."""
    found = {
        **{seat: header.names.get(seat) or t("Seat {seat}", seat=seat) for seat in range(1, header.seats + 1)},
        **{int(seat): name for seat, name in shown.items() if 1 <= int(seat) <= header.seats},
    }
    return {**found, **told_apart(found, NAME)}


def settle(connection: Connection, rest: float = REST) -> int:
    """Fold the matches that are due; return how many. Several consumers may do it at once."""
    with connection.transaction():
        due = rows(connection, UNSETTLED, (rest, AT_ONCE))
        for row in due:
            _settle(connection, row)
        tell(connection, [name for row in due for name in (row["table_name"], "results")])
    connection.commit()
    return len(due)


def _settle(connection: Connection, row: Row) -> None:
    key = (row["table_name"], row["id"])
    header = msgspec.json.decode(row["header"], type=Header)
    over, words = False, ""
    connection.execute("DELETE FROM results WHERE table_name = %s AND match = %s", key)
    try:
        lines = lines_of(connection, *key)
        nameless = msgspec.structs.replace(header, names={}, colours={})
        game, _, _, state = taken_in([msgspec.json.encode(nameless), *lines])
        standing = game.standing(state)
    except GameError:
        words = t("This hall does not have the game's rules, so it does not know how the match ended.")
    except (TellError, msgspec.MsgspecError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        # Records from elsewhere may be anything; the rules were written for what their own table made.
        log.warning("match %s of %s can't be replayed: %s", key[1], key[0], error)
        words = t("This match can't be replayed by the game's rules.")
    else:
        if standing.outcome is not None:
            over = True
            names = names_of(header, row["names"])
            words = storable(name_seats(standing.outcome.words, names))
            won = standing.outcome.winners
            worth = points({one.seat: one.score for one in standing.seats}, won, game.info.ranking)
            connection.cursor().executemany(
                "INSERT INTO results (table_name, match, seat, name, score, won, points) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s)",
                [
                    (*key, one.seat, names[one.seat], _bounded(one.score), one.seat in won, worth[one.seat])
                    for one in standing.seats
                ],
            )
    connection.execute(
        "UPDATE matches SET settled = %s, due = false, over = %s, outcome = %s WHERE table_name = %s AND id = %s",
        (row["through"], over, words, *key),
    )


def _bounded(score: int) -> int:
    return max(-(10**9), min(10**9, score))
