"""Tournaments in the database: who plays, in which rounds, at which tables, and how it stands."""

from __future__ import annotations

import secrets
from itertools import combinations

import msgspec

from companion.hall.database import Connection, Row, rows, tell, tell_event
from companion.hall.forgetting import Forgotten, plain
from companion.hall.messages import Seating
from companion.hall.pairing import Field, PairingError, pair
from companion.hall.queries import ARRIVED, EVENTS, LOCKED_EVENT, ONE_EVENT, PODS, SEATINGS
from companion.hall.scoring import WHOLE, points, ranking_of
from companion.text import capital, said, t

BYES = 0
"""The pod of those who have a bye."""
LARGEST_POD = 8


class EventError(Exception):
    """Something that can't be done in a tournament; the message says why."""


class Entrant(msgspec.Struct, frozen=True):
    """Somebody in a tournament, and how he or she stands; points are of `WHOLE` a round."""

    id: int
    name: str
    joined: int
    left_after: int | None
    lot: int
    played: int = 0
    points: int = 0
    wins: int = 0
    opponents: float = 0.0
    """The tie-break: what the opponents reached a round, on average."""


class Place(msgspec.Struct, frozen=True):
    """Who sits where, and what came of it."""

    seat: int
    entrant: int
    name: str
    score: int | None
    points: int | None


class Pod(msgspec.Struct, frozen=True):
    """A table of a round."""

    round: int
    pod: int
    table: str | None
    match: str | None
    why: str
    places: tuple[Place, ...]

    @property
    def done(self) -> bool:
        """Whether there is a result."""
        return all(one.points is not None for one in self.places)


class Event(msgspec.Struct, frozen=True):
    """A tournament."""

    id: int
    name: str
    game: str
    pod: int
    smallest: int
    largest: int
    tables: tuple[str, ...]
    round: int
    over: bool


def events(connection: Connection) -> list[Event]:
    """Return all tournaments, the newest first."""
    found = rows(connection, EVENTS)
    return [msgspec.convert(row, Event) for row in found]


def event(connection: Connection, number: int, *, lock: bool = False) -> Event:
    """Return a tournament; `lock` keeps others from changing it meanwhile. Raises EventError if there is none."""
    found = rows(connection, LOCKED_EVENT if lock else ONE_EVENT, (min(number, 2**31 - 1),))
    if not found:
        raise EventError(t("There is no such tournament."))
    return msgspec.convert(found[0], Event)


def open_event(
    connection: Connection, name: str, game: str, pod: int, seats: tuple[int, int], tables: list[str]
) -> int:
    """Begin a tournament of a game for `seats` (least, most); raise EventError if it is not for so many."""
    smallest, largest = max(2, seats[0]), min(LARGEST_POD, seats[1])
    if not smallest <= pod <= largest:
        raise EventError(
            t(
                "This game is for {smallest} to {largest} players at a table, not {pod}.",
                smallest=smallest,
                largest=largest,
                pod=pod,
            )
        )
    row = connection.execute(
        "INSERT INTO events (name, game, pod, smallest, largest, tables) VALUES (%s, %s, %s, %s, %s, %s) RETURNING id",
        (Forgotten(connection).without(name), game, pod, smallest, largest, tables),
    ).fetchone()
    return int(row[0]) if row else 0


def enter(connection: Connection, number: int, name: str) -> int:
    """Let somebody in, new or back, from the next round on; raise EventError if the name is here, or empty."""
    forgotten = Forgotten(connection)
    found = event(connection, number, lock=True)
    if not name or forgotten.has(name):
        raise EventError(t("That name can't be entered."))
    here = next((one for one in entrants(connection, number) if plain(one.name) == plain(name)), None)
    if here is not None:
        if here.left_after is None:
            raise EventError(t("{name} is in already; add something to tell the two apart.", name=name))
        connection.execute("UPDATE entrants SET left_after = NULL WHERE event = %s AND id = %s", (number, here.id))
        return here.id
    row = connection.execute(
        "INSERT INTO entrants (event, id, name, joined, lot) SELECT %s, coalesce(max(id), 0) + 1, %s, %s, %s "
        "FROM entrants WHERE event = %s RETURNING id",
        (number, name, found.round + 1, secrets.randbelow(2**31), number),
    ).fetchone()
    tell_event(connection, number)
    return int(row[0]) if row else 0


def leave(connection: Connection, number: int, entrant: int) -> None:
    """Let somebody go: he or she is in no further round."""
    connection.execute(
        "UPDATE entrants SET left_after = e.round FROM events e WHERE e.id = event AND event = %s AND entrants.id = %s",
        (number, entrant),
    )
    tell_event(connection, number)


def close_event(connection: Connection, number: int) -> None:
    """End a tournament: it stands as it stands."""
    connection.execute("UPDATE events SET over = true WHERE id = %s", (number,))
    tell_event(connection, number)


def entrants(connection: Connection, number: int) -> list[Entrant]:
    """Return who is or was in, by their standing: points, then the opponents' average, then wins, then the lot."""
    people = [
        msgspec.convert(row, Entrant)
        for row in rows(
            connection, "SELECT id, name, joined, left_after, lot FROM entrants WHERE event = %s", (number,)
        )
    ]
    total: dict[int, list[int]] = {one.id: [] for one in people}
    against: dict[int, list[int]] = {one.id: [] for one in people}
    ranking = ranking_of(event(connection, number).game)
    for pod in pods(connection, number):
        for place in pod.places:
            if place.points is not None:
                total[place.entrant].append(place.points)
        if pod.pod != BYES and pod.done:
            for one in pod.places:
                own = ranking.side(one.seat, len(pod.places))
                against[one.entrant] += [other.entrant for other in pod.places if other.seat not in own]
    average = {one: sum(got) / len(got) if got else 0.0 for one, got in total.items()}
    standing = [
        msgspec.structs.replace(
            one,
            played=len(total[one.id]),
            points=sum(total[one.id]),
            wins=total[one.id].count(WHOLE),
            opponents=sum(average[other] for other in against[one.id]) / max(1, len(against[one.id])),
        )
        for one in people
    ]
    return sorted(standing, key=lambda one: (-one.points, -round(one.opponents, 6), -one.wins, one.lot))


def pods(connection: Connection, number: int) -> list[Pod]:
    """Return the tables of all rounds, the last round first."""
    return [msgspec.convert(row, Pod) for row in rows(connection, PODS, (number,)) if row["places"]]


def field(
    connection: Connection, number: int, upcoming: int, before: int | None = None
) -> tuple[Field, dict[int, int]]:
    """Return who is to be paired for a round, as it stood before it, and how often each has had a bye."""
    there = {
        one.id: 0
        for one in entrants(connection, number)
        if one.joined <= upcoming and (one.left_after is None or one.left_after >= upcoming)
    }
    met: dict[tuple[int, int], int] = {}
    sat: dict[tuple[int, int], int] = {}
    byes: dict[int, int] = {}
    for pod in pods(connection, number):
        if pod.round >= (before or upcoming):
            continue
        for place in pod.places:
            if place.entrant in there:
                there[place.entrant] += place.points or 0
            if pod.pod == BYES:
                byes[place.entrant] = byes.get(place.entrant, 0) + 1
            else:
                sat[place.entrant, place.seat] = sat.get((place.entrant, place.seat), 0) + 1
        if pod.pod != BYES:
            for both in combinations(sorted(one.entrant for one in pod.places), 2):
                met[both] = met.get(both, 0) + 1
    return Field(there, met, sat), byes


def next_round(connection: Connection, number: int) -> int:
    """Pair the next round; return its number. Raises EventError if a result is missing, or too few play."""
    one = event(connection, number, lock=True)
    if one.over:
        raise EventError(t("This tournament is over."))
    missing = [pod for pod in pods(connection, number) if pod.round == one.round and not pod.done]
    if missing:
        raise EventError(
            t("Results of this round are missing: {missing}. Enter them, or wait for the tables.", missing=len(missing))
        )
    try:
        found = pair(*_of(one, field(connection, number, one.round + 1)))
    except PairingError as error:
        raise EventError(capital(said(error)) + ".") from None
    upcoming = one.round + 1
    connection.execute(
        "INSERT INTO rounds (event, n, repeats, apart, seats_again, proven) VALUES (%s, %s, %s, %s, %s, %s)",
        (number, upcoming, found.cost.repeats, found.cost.apart, found.cost.seats_again, found.proven),
    )
    for n, seated in enumerate(found.pods, 1):
        where = one.tables[n - 1] if n <= len(one.tables) else None
        _sit(connection, (number, upcoming, n), where, seated)
    if found.byes:
        _sit(connection, (number, upcoming, BYES), None, found.byes, WHOLE)
    connection.execute("UPDATE events SET round = %s WHERE id = %s", (upcoming, number))
    tell_event(connection, number)
    return upcoming


def _of(one: Event, known: tuple[Field, dict[int, int]]) -> tuple[Field, int, int, int, dict[int, int]]:
    return known[0], one.pod, one.smallest, one.largest, known[1]


def _sit(
    connection: Connection,
    pod: tuple[int, int, int],
    table: str | None,
    seated: tuple[int, ...],
    worth: int | None = None,
) -> None:
    connection.execute("INSERT INTO pods (event, round, pod, table_name) VALUES (%s, %s, %s, %s)", (*pod, table))
    connection.cursor().executemany(
        "INSERT INTO places (event, round, pod, seat, entrant, points) VALUES (%s, %s, %s, %s, %s, %s)",
        [(*pod, seat, one, worth) for seat, one in enumerate(seated, 1)],
    )


def take_back_round(connection: Connection, number: int) -> None:
    """Take the last round back, if nothing of it has been played; raise EventError if something has."""
    one = event(connection, number, lock=True)
    if any(pod.match or (pod.pod != BYES and pod.done) for pod in pods(connection, number) if pod.round == one.round):
        raise EventError(t("This round has results already."))
    connection.execute("DELETE FROM rounds WHERE event = %s AND n = %s", (number, one.round))
    connection.execute("UPDATE events SET round = greatest(0, round - 1) WHERE id = %s", (number,))
    tell_event(connection, number)


def exchange(connection: Connection, number: int, first: int, second: int, why: str) -> None:
    """Let two change places in the last round, by hand; raise EventError if one is not in it, or has a result."""
    why = Forgotten(connection).without(why)
    one = event(connection, number, lock=True)
    sitting = {
        place.entrant: (pod, place)
        for pod in pods(connection, number)
        if pod.round == one.round
        for place in pod.places
    }
    if first not in sitting or second not in sitting or first == second:
        raise EventError(t("Choose two different players of this round."))
    (pod_a, a), (pod_b, b) = sitting[first], sitting[second]
    if any(pod.done and pod.pod != BYES for pod in (pod_a, pod_b)):
        raise EventError(t("One of their tables has a result already."))
    move = "UPDATE places SET pod = %s, seat = %s, points = %s WHERE event = %s AND round = %s AND entrant = %s"
    with connection.transaction():
        connection.execute("SET CONSTRAINTS ALL DEFERRED")
        connection.execute(move, (pod_b.pod, b.seat, b.points, number, one.round, first))
        connection.execute(move, (pod_a.pod, a.seat, a.points, number, one.round, second))
    connection.execute(
        "UPDATE pods SET why = %s WHERE event = %s AND round = %s AND pod = ANY(%s)",
        (why, number, one.round, [pod_a.pod, pod_b.pod]),
    )
    tell_event(connection, number)


def enter_result(
    connection: Connection, number: int, round_: int, pod: int, scores: dict[int, int], winners: set[int], why: str
) -> None:
    """Let the host say a result: scores by entrant, and who won, with their partners.

    If nobody is named the best have won; a game that is played together is lost then.

    Raises:
        EventError: if a score is missing, or no reason is given.
    """
    why = Forgotten(connection).without(why)
    ranking = ranking_of(event(connection, number, lock=True).game)
    found = next((one for one in pods(connection, number) if (one.round, one.pod) == (round_, pod)), None)
    if found is None or found.pod == BYES:
        raise EventError(t("There is no such table in this tournament."))
    if not why:
        raise EventError(t("Say why: everybody can read it beside the result."))
    if set(scores) != {place.entrant for place in found.places}:
        raise EventError(t("A score is missing."))
    by_seat, seats = {place.seat: scores[place.entrant] for place in found.places}, len(scores)
    won = {one for place in found.places if place.entrant in winners for one in ranking.side(place.seat, seats)}
    if not won and ranking.sides != "all":
        won = {seat for seat, score in by_seat.items() if score == ranking.best(by_seat.values())}
    worth = points(by_seat, won, ranking)
    got = {place.entrant: (scores[place.entrant], worth[place.seat]) for place in found.places}
    _store(connection, (number, round_, pod), got)
    connection.execute(
        "UPDATE pods SET why = %s WHERE event = %s AND round = %s AND pod = %s", (why, number, round_, pod)
    )
    tell_event(connection, number)


def _store(connection: Connection, pod: tuple[int, int, int], got: dict[int, tuple[int, int]]) -> None:
    connection.cursor().executemany(
        "UPDATE places SET score = %s, points = %s WHERE event = %s AND round = %s AND pod = %s AND entrant = %s",
        [(*both, *pod, one) for one, both in got.items()],
    )


def take_results(connection: Connection) -> int:
    """Enter the results of matches at pods' tables since they were paired; return how many.

    The first finished match of the game with so many seats counts. Names say who sat where, or seats if a table hides
    names. What the host has said is not touched.
    """
    taken = 0
    with connection.transaction():
        for row in rows(connection, ARRIVED):
            key = (row["event"], row["round"], row["pod"])
            pod = next(one for one in pods(connection, row["event"]) if (one.round, one.pod) == key[1:])
            by_name = {plain(name): (score, worth) for _, name, score, worth in row["results"]}
            by_seat = {seat: (score, worth) for seat, _, score, worth in row["results"]}
            named = len(by_name) == len(pod.places) and all(plain(one.name) in by_name for one in pod.places)
            got = {
                one.entrant: by_name[plain(one.name)] if named else by_seat.get(one.seat, (0, 0)) for one in pod.places
            }
            if all((one.score, one.points) == tuple(got[one.entrant]) for one in pod.places):
                continue
            _store(connection, key, got)
            connection.execute(
                "UPDATE pods SET match = %s WHERE event = %s AND round = %s AND pod = %s", (row["id"], *key)
            )
            tell_event(connection, row["event"])
            tell(connection, [row["table_name"]])
            taken += 1
    connection.commit()
    return taken


def seatings(connection: Connection) -> dict[str, Seating | None]:
    """Return who is to play at each table; None where nobody is."""
    found: dict[str, Seating | None] = {row[0]: None for row in connection.execute("SELECT name FROM tables")}
    for row in rows(connection, SEATINGS):
        found[row["table_name"]] = Seating(
            event=row["name"], round=row["round"], game=row["game"], names=tuple(name[:80] for name in row["names"])
        )
    connection.commit()
    return found


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why somebody sat where in one round.

    `points` are those before it, `others` the tablemates with theirs, `again` former meetings, `seat_before` rounds on
    this seat, `byes_before` those without a table; `rated` is the whole round.
    """

    round: int
    pod: Pod
    mine: Place
    points: int
    others: list[tuple[str, int]]
    again: dict[str, int]
    seat_before: int
    byes_before: int
    rated: Row


def reasons(connection: Connection, number: int, entrant: int) -> list[Reason]:
    """Explain round by round why somebody sat where: points of all at the table then, who met again, the seat."""
    found = []
    rated = {row["n"]: row for row in rows(connection, "SELECT * FROM rounds WHERE event = %s", (number,))}
    for pod in pods(connection, number):
        mine = next((one for one in pod.places if one.entrant == entrant), None)
        if mine is None:
            continue
        before, byes = field(connection, number, pod.round)
        others = [one for one in pod.places if one.entrant != entrant]
        again = {one.name: before.met.get((min(entrant, one.entrant), max(entrant, one.entrant)), 0) for one in others}
        found.append(
            Reason(
                round=pod.round,
                pod=pod,
                mine=mine,
                points=before.points.get(entrant, 0),
                others=[(one.name, before.points.get(one.entrant, 0)) for one in others],
                again={name: often for name, often in again.items() if often},
                seat_before=before.sat.get((entrant, mine.seat), 0),
                byes_before=byes.get(entrant, 0),
                rated=rated[pod.round],
            )
        )
    return found
