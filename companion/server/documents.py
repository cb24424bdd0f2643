"""One JSON document for each audience: what it may know of a match at a moment, as plain data.

An audience is "public" (the table page and everybody who only looks on), "seat-1" and so on, or "host". Pages are
made from these documents and from nothing else, so what is not in here can't be on a page.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.eye.mat import Mat
from companion.eye.view import SIDES_READ
from companion.referee.aloud import aloud
from companion.referee.choosing import with_choices
from companion.referee.play_clock import minutes
from companion.referee.snapshot import LogLine, Question, Snapshot
from companion.referee.tray import tray_place
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, BoardArea, Part, Seat, Shelf, name_seats
from companion.rules.layout import Zone
from companion.server.arrivals import arrived_open
from companion.server.card_documents import Cards, badge, seat_name
from companion.server.choices import choice_document, upkeep_documents
from companion.server.drawing import drawn
from companion.server.places import Document, key_of, merged, number, offers
from companion.server.since import since_document
from companion.server.table_api import SessionService
from companion.text import TEXTS, t

PUBLIC, HOST = "public", "host"
LOG_LINES = {PUBLIC: 12, HOST: 30}
SEAT_LOG_LINES = 4


class Extras(msgspec.Struct, frozen=True):
    """What the server itself adds to a snapshot: seats that have a phone, the robots' speed, who asks to undo, ..."""

    taken: frozenset[Seat] = frozenset()
    speed: float | None = None
    undos: tuple[tuple[Seat, str, int], ...] = ()
    """Who asks the host to take back which step, in words, and how many steps go then."""
    hands: dict[Seat, tuple[Piece, ...]] = {}
    """Simulated hands of the seats that have a phone; each is for its own seat only."""
    new: dict[Seat, frozenset[Piece]] = {}
    """The cards of these hands that have come since the seat did something last."""
    choosing: dict[Seat, dict[Zone, int]] = {}
    """Where each seat's person has yet to lay cards of the simulated hand face down, and how many."""
    taking: dict[Seat, tuple[Zone, tuple[Piece, ...]]] = {}
    """What each seat's person may take for the card that was laid last, and where it goes."""
    together: tuple[tuple[Seat, ...], ...] = ()
    """The seats of each phone that has several."""
    asking: frozenset[Seat] = frozenset()
    """Seats that another phone wants to take over."""
    muted: bool | None = None
    """Whether the buzzer was silenced; None without one."""
    health_issues: tuple[str, ...] = ()
    """What is wrong with the computer itself, a sentence each; for the host."""
    stopped: tuple[str, ...] = ()
    """What does not go on at the moment, a sentence each; for everybody."""
    coming: str = ""
    begins: float = 0.0
    """The game of which robots begin a match soon."""
    table: str = ""
    """What the owner calls the table."""
    calling: tuple[Seat, ...] | None = None
    """The seats that call for the host; None where no hall would hear them."""
    attended: bool = False
    """Whether simulated hands lay what is due: then no person has to."""
    robots: dict[Seat, str] = {}
    """What each robot that sits in at a real table wants to have done for it; empty if nothing."""


def audience_of(seat: Seat) -> str:
    """Name the audience of a seat."""
    return f"seat-{seat}"


def seat_of(audience: str) -> Seat | None:
    """Return the seat of an audience "seat-3"; None for other audiences and for what is none."""
    head, _, number = audience.partition("-")
    return int(number) if head == "seat" and number.isascii() and number.isdigit() and len(number) < 3 else None


def document(audience: str, snapshot: Snapshot, extras: Extras, session: SessionService) -> Document:
    """Make the document of an audience. A seat's has nothing in it that only another seat may know.

    Raises:
        KeyError: if there is no such audience in this match.
    """
    seat = seat_of(audience)
    if seat is None and audience not in (PUBLIC, HOST):
        raise KeyError(audience)
    if seat is not None and not 1 <= seat <= snapshot.seats:
        raise KeyError(audience)
    snapshot = with_choices(snapshot, {one: sum(left.values()) for one, left in extras.choosing.items()})
    view = snapshot.views[seat or TABLE]
    lines = LOG_LINES.get(audience, SEAT_LOG_LINES)
    cards = Cards(session, snapshot.names)
    hand = in_order(extras.hands.get(seat), session) if seat else None
    known = frozenset(piece for shelf in view.shelves for piece in shelf.pieces)
    upkeep = (
        upkeep_documents(session, cards) if audience == HOST or (seat is not None and snapshot.mode == "ledger") else []
    )
    may = merged([choice_document(may, cards, session, hand, known) for may in view.may], cards)
    question = _question(snapshot.question, seat, snapshot.names)
    # What simulated hands lay for everybody is shown to who looks on, and asked of nobody.
    idle = extras.attended and audience != PUBLIC and snapshot.violation is None and question is None
    return {
        "audience": audience,
        "version": snapshot.version,
        "match": snapshot.match,
        "game": snapshot.game,
        "title": snapshot.title,
        "table": extras.table,
        "mode": snapshot.mode,
        "phase": snapshot.phase,
        "record": snapshot.record,
        "can_redo": snapshot.can_redo,
        "ends": snapshot.ends,
        "seat": seat or TABLE,
        "name": seat_name(snapshot.names, seat) if seat else "",
        "badge": badge(snapshot, seat) if seat else None,
        "coach": view.coach,
        "holds": bool(view.holds) and hand is None,
        "headline": view.headline,
        "call": view.call,
        "waiting": list(view.waiting),
        "waiting_names": [seat_name(snapshot.names, one) for one in view.waiting if one != TABLE],
        "sentence": snapshot.sentence,
        "provisional": list(snapshot.provisional),
        "owed": [] if idle else list(snapshot.owed),
        "preparing": bool(session.preparing) and not snapshot.record,
        "guide": session.guide is not None,
        "abbreviations": [] if session.guide is None else list(session.guide.abbreviations),
        "drawn": drawn(msgspec.structs.replace(snapshot, pointers=()) if idle else snapshot, session),
        "violation": msgspec.to_builtins(snapshot.violation, builtin_types=TEXTS),
        "question": question,
        "question_above": _above(question, seat, may),
        "troubles": [
            *(msgspec.to_builtins(trouble, builtin_types=TEXTS) for trouble in snapshot.troubles),
            *({"kind": "stopped", "words": words} for words in extras.stopped),
        ],
        "scores": _scores(snapshot, extras),
        "one_phone": [[seat_name(snapshot.names, seat) for seat in seats] for seats in extras.together],
        "goal": snapshot.standing.goal,
        "rounds": snapshot.standing.rounds,
        "team": [msgspec.to_builtins(share, builtin_types=TEXTS) for share in snapshot.standing.team],
        "unit": snapshot.standing.unit,
        "shared": bool(snapshot.standing.team),
        "outcome": msgspec.to_builtins(snapshot.standing.outcome, builtin_types=TEXTS),
        "hand": None if hand is None else [cards(piece) for piece in hand],
        "hand_title": view.hand or t("Your hand"),
        "new": sorted(arrived_open(snapshot, seat) | extras.new.get(seat, frozenset())) if seat else [],
        "choosing": [
            {"zone": zone, "count": count, "cards": [cards(piece) for piece in hand or ()]}
            for zone, count in (extras.choosing.get(seat, {}) if seat else {}).items()
        ],
        "taking": [
            {"zone": zone, "cards": [cards(piece) for piece in pieces]}
            for one, (zone, pieces) in extras.taking.items()
            if one == seat and pieces
        ],
        "may": may,
        "upkeep": upkeep,
        "offers": offers(may, [cards(piece) for piece in hand or ()]),
        "shelves": [_shelf(shelf, cards) for shelf in view.shelves],
        "areas": [_area(area, snapshot, cards) for area in snapshot.views[TABLE].areas] if seat else [],
        "numbers": [_number(part, snapshot) for part in view.numbers],
        "log": [_line(line, cards) for line in snapshot.log[-lines:]][::-1],
        "since": since_document(snapshot, seat, cards) if seat else None,
        "aloud": msgspec.to_builtins(aloud(snapshot), builtin_types=TEXTS),
        "auction": _auction(snapshot, seat),
        "clock": _clock(snapshot, seat),
        "ladders": [msgspec.to_builtins(ladder, builtin_types=TEXTS) for ladder in view.ladders],
        "throw": _throw(snapshot),
        "tray": _tray(session.mat) if hand is None and snapshot.mode != "ledger" else None,
        "frozen": snapshot.frozen,
        "hint": _hint(snapshot, audience),
        "speed": extras.speed,
        "coming": extras.coming,
        "begins": extras.begins,
        "muted": extras.muted,
        "health_issues": list(extras.health_issues) if audience == HOST else [],
        "robots": _robots(snapshot, extras),
        "calling": None if extras.calling is None else [seat_name(snapshot.names, one) for one in extras.calling],
        "calls": bool(extras.calling) and seat in (extras.calling or ()),
        "undos": [
            {"seat": one, "name": seat_name(snapshot.names, one), "words": words, "steps": steps}
            for one, words, steps in extras.undos
        ],
        "asking": [
            {"seat": one, "name": seat_name(snapshot.names, one), "badge": badge(snapshot, one)}
            for one in sorted(extras.asking)
            if audience == HOST
        ],
    }


def in_order(hand: tuple[Piece, ...] | None, session: SessionService) -> tuple[Piece, ...] | None:
    """Sort a hand as the deck is: by suit and rank, or whatever its cards have; what the deck has not comes last."""
    if hand is None:
        return None
    order = {piece: n for n, piece in enumerate(session.cards)}
    return tuple(sorted(hand, key=lambda piece: order.get(piece, len(order))))


def _line(line: LogLine, cards: Cards) -> Document:
    """Lay out a line of the log; `laid` are the keys of the cards that came out of a hand with it."""
    return {**msgspec.to_builtins(line, builtin_types=TEXTS), "laid": [key_of(cards(piece)) for piece in line.laid]}


def _hint(snapshot: Snapshot, audience: str) -> Document | None:
    """Lay out a hint for those it is meant for, and for the host."""
    hint = snapshot.hint
    if hint is None or (hint.seat != TABLE and audience not in (HOST, audience_of(hint.seat))):
        return None
    to = "everybody" if hint.seat == TABLE else seat_name(snapshot.names, hint.seat)
    return {"words": hint.words, "to": to, "seat": hint.seat}


def _robots(snapshot: Snapshot, extras: Extras) -> list[Document]:
    """Lay out the robots that sit in; who they play for is as public as what they do."""
    return [
        {
            "seat": seat,
            "name": seat_name(snapshot.names, seat),
            "badge": badge(snapshot, seat),
            "wants": name_seats(words, snapshot.names),
        }
        for seat, words in extras.robots.items()
        if 1 <= seat <= snapshot.seats
    ]


def _tray(mat: Mat) -> Document | None:
    """Lay out where dice are rolled for the camera; None where the mat has no tray."""
    return (
        None
        if mat.tray is None
        else {"sides": mat.tray.sides, "read": mat.tray.sides in SIDES_READ, "place": tray_place(mat)}
    )


def _throw(snapshot: Snapshot) -> Document | None:
    """Lay out the dice of the last record, if it was a roll."""
    throws = snapshot.dice.throws
    if not throws or throws[-1].n != snapshot.record:
        return None
    return {"values": list(throws[-1].values), "sides": throws[-1].sides, "by": throws[-1].by}


def _auction(snapshot: Snapshot, seat: Seat | None) -> Document | None:
    """Lay out the decision that a clock runs against: price, leader, who is asked, and what is left of the time."""
    timer = snapshot.timer
    if timer is None:
        return None
    return {
        "price": timer.price,
        "leader": timer.leader,
        "leader_name": seat_name(snapshot.names, timer.leader) if timer.leader != TABLE else "",
        "leader_badge": badge(snapshot, timer.leader) if timer.leader != TABLE else None,
        "names": [seat_name(snapshot.names, one) for one in timer.seats],
        "words": timer.words,
        "mine": seat in timer.seats,
        "total": timer.total,
        "left": timer.left,
        "ends": timer.ends,
        "paused": timer.paused,
        "lapse": timer.lapse,
    }


def _clock(snapshot: Snapshot, seat: Seat | None) -> Document | None:
    """Lay out the clock that is played against: whose time runs, what is left, of everybody where each has his own."""
    timer = snapshot.play_timer
    if timer is None or (snapshot.timer is not None and snapshot.timer.total):
        return None
    each = enumerate(timer.each, 1)
    return {
        "kind": timer.kind,
        "seat": timer.seat,
        "name": seat_name(snapshot.names, timer.seat) if timer.seat != TABLE else "",
        "mine": bool(seat) and timer.seat == seat,
        "total": timer.total,
        "left": timer.left,
        "shown": minutes(timer.left),
        "ends": timer.ends,
        "paused": timer.paused,
        "over": timer.over,
        "others": [
            {"name": seat_name(snapshot.names, one), "shown": minutes(left)} for one, left in each if one != timer.seat
        ],
    }


def _scores(snapshot: Snapshot, extras: Extras) -> list[Document]:
    waiting, outcome = snapshot.views[TABLE].waiting, snapshot.standing.outcome
    scores, winners = {one.seat: one.score for one in snapshot.standing.seats}, outcome.winners if outcome else ()
    places = snapshot.ranking.places(scores, winners) if outcome else {}
    return [
        {
            "seat": one.seat,
            "name": seat_name(snapshot.names, one.seat),
            "badge": badge(snapshot, one.seat),
            "score": one.score,
            "parts": [_part(part) for part in one.parts],
            "words": one.words,
            "due": one.seat in waiting,
            "won": one.seat in winners,
            "place": places.get(one.seat, 0),
            "taken": one.seat in extras.taken,
        }
        for one in snapshot.standing.seats
    ]


def _number(part: Part, snapshot: Snapshot) -> Document:
    """Lay out a number, and whose it is. A `detail` says more of what a team's circle shows."""
    return {**number(part), "detail": any(part.name in share.details for share in snapshot.standing.team)}


def _part(part: Part) -> Document:
    return {"name": part.name, "value": part.value, "amount": part.amount}


def _question(question: Question | None, seat: Seat | None, names: Mapping[Seat, str]) -> Document | None:
    """A question is asked aloud at the table, so everybody may read it; `mine` says whether this seat may answer."""
    if question is None:
        return None
    return {
        "id": question.id,
        "kind": question.kind,
        "words": question.words,
        "names": [seat_name(names, one) for one in question.seats],
        "mine": seat in question.seats,
        "choices": [{"key": choice.key, "words": choice.words} for choice in question.choices],
    }


def _above(question: Document | None, seat: Seat | None, may: list[Document]) -> bool:
    """Return whether a question stands above all else: not what others are asked, nor what `may` offers already."""
    if question is None or seat is None:
        return question is not None
    return question["mine"] and not (question["kind"] == "choice" and any(one["allowed"] for one in may))


def _area(area: BoardArea, snapshot: Snapshot, cards: Cards) -> Document:
    """Lay out an area of the board, place by place; everybody may see who stands there."""
    return {
        "title": area.title,
        "words": area.words,
        "places": [
            {
                "label": place.label,
                "words": place.words,
                "price": place.price,
                "cards": [cards(piece) for piece in place.pieces],
                "badges": [badge(snapshot, one) for one in place.seats],
            }
            for place in area.places
        ],
    }


def _shelf(shelf: Shelf, cards: Cards) -> Document:
    return {
        "title": shelf.title,
        "words": shelf.words,
        "cards": [cards(piece) for piece in shelf.pieces],
        "wanted": [cards(piece) for piece in shelf.wanted],
        "seat": shelf.seat,
        "known": shelf.known,
    }
