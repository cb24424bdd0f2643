"""What the hall's pages show: read from the database, and made fit to be shown."""

from __future__ import annotations

from datetime import UTC, date, datetime

import msgspec

from companion.hall.database import Connection, Row, rows
from companion.hall.messages import Snapshot
from companion.hall.queries import MATCHES, PLAYERS, TABLES
from companion.hall.sentences import heard
from companion.hall.settling import names_of
from companion.referee.colours import SHAPES, worn
from companion.referee.journal import Header
from companion.text import t

PAGE = 30
"""Matches on a page."""
STUCK = 120
"""Seconds after which somebody looks whether waiting records are stuck."""


class SeatCard(msgspec.Struct, frozen=True):
    """A seat as the wall shows it."""

    seat: int
    name: str
    colour: str
    shape: str
    score: int | None
    turn: bool
    won: bool
    robot: bool


class TableCard(msgspec.Struct, frozen=True):
    """A table as the wall shows it."""

    name: str
    title: str
    online: bool
    since: datetime
    call: str
    call_since: datetime | None
    game: str
    game_title: str
    phase: str
    text: str
    violation: str
    match: str
    over: bool
    clock: int | None
    seats: tuple[SeatCard, ...]
    trouble: str
    waits: str
    """Who is to play here next: a tournament's name and round; empty if nobody."""
    round: str
    """Which round of which tournament is played here; empty if none."""

    @property
    def calls(self) -> bool:
        """Whether it calls for the host."""
        return bool(self.call)


def wall(connection: Connection, names: list[str] | None = None) -> list[TableCard]:
    """Return tables as the wall shows them (all, or those named): those that call for the host first, by name."""
    cards = [_card(row) for row in rows(connection, TABLES, (names, names))]
    return sorted(cards, key=lambda card: (not card.calls, by_number(card.title or card.name)))


def by_number(title: str) -> tuple[str, int, str]:
    """Sort "Table 10" behind "Table 9"."""
    head = title.rstrip("0123456789")
    digits = title[len(head) :]
    return head.casefold(), int(digits[:9] or 0), title


def _card(row: Row) -> TableCard:
    snapshot = _read(row["snapshot"])
    over = snapshot.over
    colours = worn(
        {one.seat: one.colour for one in snapshot.seats}, max((one.seat for one in snapshot.seats), default=0)
    )
    plays = not over and ", ".join(one.name for one in snapshot.seats) == row["names"]
    trouble = ""
    if row["refused"]:
        trouble = t("Records of this table do not fit.")
    elif row["dropped_at"] is not None and (datetime.now(UTC) - row["dropped_at"]).total_seconds() < STUCK:
        trouble = t("This table sends more than it may.")
    return TableCard(
        name=row["name"],
        title=row["title"] or row["name"],
        online=row["online"],
        since=row["since"],
        call=(row["call_text"] or t("Please come.")) if row["call_open"] else "",
        call_since=row["call_since"],
        game=snapshot.game,
        game_title=snapshot.title,
        phase=snapshot.phase,
        text=heard(snapshot.text_said, snapshot.text),
        violation=heard(snapshot.violation_said, snapshot.violation or ""),
        match=snapshot.match or "",
        over=over,
        clock=None if snapshot.clock is None else round(snapshot.clock),
        seats=tuple(
            SeatCard(
                seat=one.seat,
                name=one.name,
                colour=colours.get(one.seat, ""),
                shape=SHAPES.get(colours.get(one.seat, ""), "circle"),
                score=one.score,
                turn=not over and snapshot.turn == one.seat,
                won=over and one.seat in snapshot.winners,
                robot=one.robot,
            )
            for one in snapshot.seats
        ),
        trouble=trouble,
        waits=t("{event} ({round}): {names}", event=row["event"], round=row["round"], names=row["names"])
        if row["event"] and not plays
        else "",
        round=t("{event}, round {round}", event=row["event"], round=row["round"]) if plays else "",
    )


def _read(kept: str | None) -> Snapshot:
    """Read a snapshot that is kept; an earlier version's that can't be read is nothing."""
    try:
        return msgspec.json.decode(kept or b"{}", type=Snapshot)
    except msgspec.MsgspecError:
        return Snapshot()


class MatchRow(msgspec.Struct, frozen=True):
    """A match as lists show it; `seats` are name, score (None: not over) and whether the seat won."""

    table: str
    table_title: str
    id: str
    game: str
    at: datetime
    records: int
    over: bool
    outcome: str
    refused: str
    waiting: int
    seats: tuple[tuple[str, int | None, bool], ...]


def matches(
    connection: Connection, table: str | None = None, match: str | None = None, page: int = 0
) -> list[MatchRow]:
    """Return a page of matches, the newest first: of all tables or one."""
    found = rows(connection, MATCHES, (table, table, match, match, PAGE, page * PAGE))
    return [_match(row) for row in found]


def _match(row: Row) -> MatchRow:
    header = msgspec.json.decode(row["header"], type=Header)
    names = names_of(header, row["names"])
    results = {int(seat): one for seat, one in row["results"].items()}
    return MatchRow(
        table=row["table_name"],
        table_title=row["title"] or row["table_name"],
        id=row["id"],
        game=row["game"],
        at=row["at"],
        records=row["through"],
        over=row["over"],
        outcome=row["outcome"],
        refused=row["refused"],
        waiting=row["early"],
        seats=tuple((name, *results.get(seat, (None, False))) for seat, name in names.items()),
    )


class Player(msgspec.Struct, frozen=True):
    """Somebody over many matches. `points` is the sum of the shares of opponents beaten, of 1 a match."""

    name: str
    played: int
    won: int
    points: float
    games: tuple[tuple[str, int, int], ...]
    last: date


def players(
    connection: Connection, game: str = "", starts: date | None = None, ends: date | None = None, most: int = 500
) -> list[Player]:
    """Return who played in matches that are over: most points first, then most wins, then fewest matches."""
    found = rows(connection, PLAYERS, (game, game, starts, starts, ends, ends, most))
    return [
        Player(row["name"], row["played"], row["won"], row["points"], tuple(map(tuple, row["games"])), row["last"])
        for row in found
    ]


def leagues(connection: Connection, league: int | None = None) -> list[Row]:
    """Return the leagues, or one of them."""
    return rows(
        connection, "SELECT * FROM leagues WHERE %s::int IS NULL OR id = %s ORDER BY starts DESC, id", (league, league)
    )


def asides(connection: Connection, table: str) -> list[Row]:
    """Return what did not fit of a table, the newest first."""
    return rows(connection, "SELECT * FROM aside WHERE table_name = %s ORDER BY id DESC LIMIT 50", (table,))
