"""One JSON document for each audience: what it may know of a match at a moment, as plain data.

An audience is "public" (the table page and everybody who only looks on), "seat-1" and so on, or "host". Pages are
made from these documents and from nothing else, so what is not in here can't be on a page.

A document is made of parts: a struct each, with a function that lays it out, and a field of `Page`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec.structs import asdict, astuple

from companion.eye.view import SIDES_READ, Trouble
from companion.referee.aloud import Line, aloud
from companion.referee.choosing import with_choices
from companion.referee.play_clock import PlayTimer, minutes
from companion.referee.snapshot import Laying, Question, Snapshot, Violation
from companion.referee.tray import tray_place
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, BoardArea, Ladder, Outcome, Seat, View, name_seats
from companion.rules.layout import Zone
from companion.server.arrivals import arrived_open
from companion.server.card_documents import Cards, badge, copied, in_order, seat_name
from companion.server.choices import choice_document, upkeep_documents
from companion.server.drawing import Drawn, drawn
from companion.server.places import Document, key_of, merged, number, offers
from companion.server.since import since_document
from companion.server.stage import StagePart, auction_document, stage_part
from companion.server.table_api import SessionService
from companion.server.wall import WallPart, wall_part
from companion.text import TEXTS, t, word

PUBLIC, HOST = "public", "host"
LOG_LINES = {PUBLIC: 12, HOST: 30}
SEAT_LOG_LINES = 4
P = TypeVar("P", bound=msgspec.Struct)


class Extras(msgspec.Struct, frozen=True):
    """What the server itself adds to a snapshot: seats that have a phone, the robots' speed, who asks to undo, ..."""

    taken: frozenset[Seat] = frozenset()
    speed: float | None = None
    levels: dict[Seat, str] = {}
    """How well the robot at each seat that no person has plays."""
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
    filming: str = ""
    """Whose phone is the camera; "" while none is."""
    calling: tuple[Seat, ...] | None = None
    """The seats that call for the host; None where no hall would hear them."""
    attended: bool = False
    """Whether simulated hands lay what is due, and nobody else need."""
    robots: dict[Seat, str] = {}
    """What each robot that sits in at a real table wants to have done for it; empty if nothing."""


def audience_of(seat: Seat) -> str:
    """Name the audience of a seat."""
    return f"seat-{seat}"


def seat_of(audience: str) -> Seat | None:
    """Return the seat of an audience "seat-3"; None for other audiences and for what is none."""
    head, _, number = audience.partition("-")
    return int(number) if head == "seat" and number.isascii() and number.isdigit() and len(number) < 3 else None


class Scene(msgspec.Struct, frozen=True):
    """Whom a document is for (`seat` is `TABLE` for who has none), and all that it may be made from.

    `hand` is the seat's own simulated one.
    """

    audience: str
    seat: Seat
    snapshot: Snapshot
    view: View
    extras: Extras
    session: SessionService
    cards: Cards
    hand: tuple[Piece, ...] | None

    def own(self, seats: Iterable[Seat]) -> bool:
        """Return whether this audience is one of some seats."""
        return self.seat != TABLE and self.seat in seats

    def name(self, seat: Seat) -> str:
        """Return what a seat is called; "" for the table."""
        return seat_name(self.snapshot.names, seat) if seat != TABLE else ""

    def who(self, seat: Seat) -> Document:
        """Lay out a seat by its number, name and badge."""
        return {"seat": seat, "name": self.name(seat), "badge": self.badge(seat)}

    def names(self, seats: Iterable[Seat]) -> list[str]:
        """Return what seats are called."""
        return [seat_name(self.snapshot.names, seat) for seat in seats]

    def badge(self, seat: Seat) -> Document | None:
        """Lay out a seat's badge; None for the table."""
        return badge(self.snapshot, seat) if seat != TABLE else None

    def laid(self, pieces: Iterable[Piece]) -> list[Document]:
        """Lay cards out."""
        return [self.cards(piece) for piece in pieces]


def made(part: type[P], source: object, **more: object) -> P:
    """Make a part: what is not in `more` it has from `source`, under the same name."""
    return part(**{name: more[name] if name in more else getattr(source, name) for name in part.__struct_fields__})


class MatchPart(msgspec.Struct, frozen=True, kw_only=True):
    """The match as everybody knows it, and what its game has: steps to set it up, a guide, a tray."""

    match: str
    version: int
    game: str
    title: str
    mode: str
    phase: str
    record: int
    can_redo: bool
    ends: bool
    frozen: bool
    sentence: str
    provisional: tuple[str, ...]
    preparing: bool
    guide: bool
    abbreviations: tuple[str, ...]
    tray: Document | None


def match_part(scene: Scene) -> MatchPart:
    """Lay out the match."""
    session, snapshot = scene.session, scene.snapshot
    tray = session.mat.tray if scene.hand is None and snapshot.mode != "ledger" else None
    return made(
        MatchPart,
        snapshot,
        preparing=bool(session.preparing) and not snapshot.record,
        guide=session.guide is not None,
        abbreviations=() if session.guide is None else session.guide.abbreviations,
        tray=copied(tray, "sides", read=tray.sides in SIDES_READ, place=tray_place(session.mat)) if tray else None,
    )


class SeatPart(msgspec.Struct, frozen=True, kw_only=True):
    """Whose page it is, and what is told there alone."""

    audience: str
    seat: Seat
    name: str
    badge: Document | None
    coach: str
    holds: bool
    hand: list[Document] | None
    hand_title: str
    new: list[Piece]
    choosing: list[Document]
    taking: list[Document]


def seat_part(scene: Scene) -> SeatPart:
    """Lay out a seat and its hand: what of it is new, what goes face down, what may be taken for the card laid last."""
    seat, view, extras, hand = scene.seat, scene.view, scene.extras, scene.hand
    (zone, pieces), mat = extras.taking.get(seat, ("", ())), scene.session.mat
    return SeatPart(
        audience=scene.audience,
        **scene.who(seat),
        coach=view.coach,
        holds=bool(view.holds) and hand is None,
        hand=None if hand is None else scene.laid(hand),
        hand_title=view.hand or t("Your hand"),
        new=sorted(arrived_open(scene.snapshot, seat) | extras.new.get(seat, frozenset())) if seat else [],
        choosing=[
            {"zone": zone, "place": word(mat.zone(zone).label), "count": count, "cards": scene.laid(hand or ())}
            for zone, count in extras.choosing.get(seat, {}).items()
        ],
        taking=[{"zone": zone, "cards": scene.laid(pieces)}] if pieces else [],
    )


class TurnPart(msgspec.Struct, frozen=True, kw_only=True):
    """Who is due and what for, what lies on the table, and what is still to be done there."""

    headline: str
    call: str
    waiting: tuple[Seat, ...]
    waiting_names: list[str]
    owed: tuple[str, ...]
    drawn: Drawn
    laying: Document | None


def turn_part(scene: Scene) -> TurnPart:
    """Lay out the turn. What simulated hands lay for everybody is shown to who looks on, and asked of nobody."""
    snapshot, waiting = scene.snapshot, scene.view.waiting
    asked = snapshot.violation is not None or snapshot.question is not None
    idle = scene.extras.attended and scene.audience != PUBLIC and not asked
    return made(
        TurnPart,
        scene.view,
        waiting_names=scene.names(one for one in waiting if one != TABLE),
        owed=() if idle else snapshot.owed,
        drawn=drawn(msgspec.structs.replace(snapshot, pointers=()) if idle else snapshot, scene.session),
        laying=_laying(scene, snapshot.laying) if snapshot.laying else None,
    )


def _laying(scene: Scene, laying: Laying) -> Document:
    """Lay out what is still to be laid, the same for everybody, and who does it: whose turn it is or comes, if they
    have hands: a robot at the simulated table, whose hands lay all that is due, and a person elsewhere.
    """
    snapshot, extras = scene.snapshot, scene.extras
    handless = scene.session.awaited() if extras.attended else extras.robots.keys()
    turns = [(max(snapshot.turn, 1) + n - 1) % snapshot.seats + 1 for n in range(snapshot.seats)]
    dealer = next((seat for seat in turns if seat not in handless), turns[0])
    lacks = [copied(one, "words zone piece down") for one in laying.lacks]
    return copied(laying, "laid of", **scene.who(dealer), mine=scene.own((dealer,)), lacks=lacks)


class ChoicePart(msgspec.Struct, frozen=True, kw_only=True):
    """What may be done; `offers` are the same by card."""

    may: list[Document]
    upkeep: list[Document]
    offers: dict[Piece, list[Document]]


def choice_part(scene: Scene) -> ChoicePart:
    """Lay out what this audience may do, and what the table itself has to, for who may say what came up."""
    view, session, cards = scene.view, scene.session, scene.cards
    known = frozenset(piece for shelf in view.shelves for piece in shelf.pieces)
    may = merged([choice_document(may, cards, session, scene.hand, known) for may in view.may], cards)
    says = scene.audience == HOST or (scene.seat != TABLE and scene.snapshot.mode == "ledger")
    return ChoicePart(
        may=may,
        upkeep=upkeep_documents(session, cards) if says else [],
        offers=offers(may, scene.laid(scene.hand or ())),
    )


class AlarmPart(msgspec.Struct, frozen=True, kw_only=True):
    """What has to be looked at first."""

    violation: Violation | None
    question: Document | None
    question_above: bool
    troubles: tuple[Trouble, ...]
    hint: Document | None


def alarm_part(scene: Scene, may: list[Document]) -> AlarmPart:
    """Lay out what is wrong, asked and hinted. A hint is for those it is meant for, and for the host."""
    snapshot, asked, hint = scene.snapshot, scene.snapshot.question, scene.snapshot.hint
    mine = asked is not None and scene.own(asked.seats)
    offered = asked is not None and asked.kind == "choice" and any(one["allowed"] for one in may)
    hinted = hint is not None and (hint.seat in (TABLE, scene.seat) or scene.audience == HOST)
    return AlarmPart(
        violation=snapshot.violation,
        question=_question(scene, asked) if asked else None,
        # It stands above all else: not what others are asked, nor what the choices offer already.
        question_above=asked is not None and (scene.seat == TABLE or (mine and not offered)),
        troubles=(*snapshot.troubles, *(Trouble("stopped", words) for words in scene.extras.stopped)),
        hint=copied(hint, "words seat", to=scene.name(hint.seat) or "everybody") if hint and hinted else None,
    )


def _question(scene: Scene, asked: Question) -> Document:
    choices = [copied(choice, "key words") for choice in asked.choices]
    return copied(asked, "id words", names=scene.names(asked.seats), mine=scene.own(asked.seats), choices=choices)


class BoardPart(msgspec.Struct, frozen=True, kw_only=True):
    """What lies and is counted on the table, as this audience sees it."""

    shelves: list[Document]
    areas: list[Document]
    numbers: list[Document]
    ladders: tuple[Ladder, ...]
    throw: Document | None


def board_part(scene: Scene) -> BoardPart:
    """Lay out the table. A number with a `detail` says more of what a team's circle shows."""
    snapshot, view, throws = scene.snapshot, scene.view, scene.snapshot.dice.throws
    details = {name for share in snapshot.standing.team for name in share.details}
    return BoardPart(
        shelves=[
            copied(shelf, "title words seat known", cards=scene.laid(shelf.pieces), wanted=scene.laid(shelf.wanted))
            for shelf in view.shelves
        ],
        areas=[_area(scene, area) for area in snapshot.views[TABLE].areas] if scene.seat else [],
        numbers=[{**number(part), "detail": part.name in details} for part in view.numbers],
        ladders=view.ladders,
        throw=copied(throws[-1], "values sides by") if throws and throws[-1].n == snapshot.record else None,
    )


def _area(scene: Scene, area: BoardArea) -> Document:
    places = [
        copied(one, "label words price", cards=scene.laid(one.pieces), badges=[scene.badge(seat) for seat in one.seats])
        for one in area.places
    ]
    return copied(area, "title words", places=places)


class StandingPart(msgspec.Struct, frozen=True, kw_only=True):
    """How it stands."""

    scores: list[Document]
    goal: int | None
    rounds: tuple[tuple[int, ...], ...]
    team: list[Document]
    unit: str
    shared: bool
    outcome: Outcome | None


def standing_part(scene: Scene) -> StandingPart:
    """Lay out the scores, and who has won."""
    snapshot, standing = scene.snapshot, scene.snapshot.standing
    winners = standing.outcome.winners if standing.outcome else ()
    points = {one.seat: one.score for one in standing.seats}
    places = snapshot.ranking.places(points, winners) if standing.outcome else {}
    scores = [
        copied(
            one,
            "score words",
            **scene.who(one.seat),
            parts=[copied(part, "name value amount") for part in one.parts],
            due=one.seat in snapshot.views[TABLE].waiting,
            won=one.seat in winners,
            place=places.get(one.seat, 0),
            taken=one.seat in scene.extras.taken,
        )
        for one in standing.seats
    ]
    team = [copied(share, "title value goal") for share in standing.team]
    return made(StandingPart, standing, scores=scores, team=team, shared=bool(team))


class ClockPart(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks; one that is played against is not shown while a decision's runs."""

    auction: Document | None
    clock: Document | None


def clock_part(scene: Scene) -> ClockPart:
    """Lay out the clocks."""
    asked, play = scene.snapshot.timer, scene.snapshot.play_timer
    return ClockPart(
        auction=auction_document(scene.snapshot, asked, scene.seat, scene.cards) if asked else None,
        clock=_clock(scene, play) if play and not (asked and asked.total) else None,
    )


def _clock(scene: Scene, timer: PlayTimer) -> Document:
    """Lay out the clock that is played against: whose time runs, what is left, of everybody where each has his own."""
    others = [(seat, left) for seat, left in enumerate(timer.each, 1) if seat != timer.seat]
    return copied(
        timer,
        "kind seat total left ends paused over",
        name=scene.name(timer.seat),
        mine=scene.own((timer.seat,)),
        shown=minutes(timer.left),
        others=[{"name": scene.name(seat), "shown": minutes(left)} for seat, left in others],
    )


class LogPart(msgspec.Struct, frozen=True, kw_only=True):
    """What happened, newest first; for a seat since its last turn; and what may be said aloud."""

    log: list[Document]
    since: Document | None
    aloud: tuple[Line, ...]


def log_part(scene: Scene) -> LogPart:
    """Lay out what happened."""
    snapshot, cards = scene.snapshot, scene.cards
    lines = snapshot.log[-LOG_LINES.get(scene.audience, SEAT_LOG_LINES) :]
    shown = "n at seat words by assumed undone"
    return LogPart(
        log=[copied(line, shown, laid=[key_of(card) for card in scene.laid(line.laid)]) for line in reversed(lines)],
        since=since_document(snapshot, scene.seat, cards) if scene.seat else None,
        aloud=aloud(snapshot),
    )


class RoomPart(msgspec.Struct, frozen=True, kw_only=True):
    """What the server adds: phones, robots, the box itself."""

    table: str
    filming: str
    speed: float | None
    levels: list[Document]
    coming: str
    begins: float
    muted: bool | None
    health_issues: list[str]
    robots: list[Document]
    calling: list[str] | None
    calls: bool
    one_phone: list[list[str]]
    undos: list[Document]
    asking: list[Document]


def room_part(scene: Scene) -> RoomPart:
    """Lay out the room. Whom a robot plays for is as public as what it does."""
    extras, calling, host = scene.extras, scene.extras.calling, scene.audience == HOST
    return made(
        RoomPart,
        extras,
        health_issues=list(extras.health_issues) if host else [],
        levels=[{**scene.who(seat), "level": level} for seat, level in sorted(extras.levels.items())],
        robots=[
            {**scene.who(seat), "wants": name_seats(words, scene.snapshot.names)}
            for seat, words in extras.robots.items()
            if 1 <= seat <= scene.snapshot.seats
        ],
        calling=None if calling is None else scene.names(calling),
        calls=scene.own(calling or ()),
        one_phone=[scene.names(seats) for seats in extras.together],
        undos=[{**scene.who(seat), "words": words, "steps": steps} for seat, words, steps in extras.undos],
        asking=[scene.who(seat) for seat in sorted(extras.asking)] if host else [],
    )


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A document in its parts. Templates read a field by its name alone, so no two parts have one of the same name."""

    match: MatchPart
    seat: SeatPart
    turn: TurnPart
    choices: ChoicePart
    alarm: AlarmPart
    board: BoardPart
    wall: WallPart
    standing: StandingPart
    clocks: ClockPart
    stage: StagePart
    log: LogPart
    room: RoomPart


def document(audience: str, snapshot: Snapshot, extras: Extras, session: SessionService) -> Document:
    """Return an audience's `Page` as plain data. A seat's has nothing in it that only another seat may know.

    Raises:
        KeyError: if there is no such audience in this match.
    """
    seat = seat_of(audience)
    if audience not in (PUBLIC, HOST) if seat is None else not 1 <= seat <= snapshot.seats:
        raise KeyError(audience)
    snapshot = with_choices(snapshot, {one: sum(left.values()) for one, left in extras.choosing.items()})
    hand = in_order(extras.hands[seat], session) if seat in extras.hands else None
    cards = Cards(session, snapshot.names)
    scene = Scene(audience, seat or TABLE, snapshot, snapshot.views[seat or TABLE], extras, session, cards, hand)
    page = Page(
        match=match_part(scene),
        seat=seat_part(scene),
        turn=turn_part(scene),
        choices=(choices := choice_part(scene)),
        alarm=alarm_part(scene, choices.may),
        board=board_part(scene),
        wall=wall_part(scene, audience == PUBLIC),
        standing=standing_part(scene),
        clocks=clock_part(scene),
        stage=stage_part(snapshot, cards, wall=audience == PUBLIC),
        log=log_part(scene),
        room=room_part(scene),
    )
    return {name: _plain(value) for part in astuple(page) for name, value in asdict(part).items()}


def _plain(value: object) -> object:
    """Return a value as templates read it: lists, dicts and the drawn table are so already, and copying takes long."""
    if isinstance(value, msgspec.Struct | tuple) and not isinstance(value, Drawn):
        return msgspec.to_builtins(value, builtin_types=TEXTS)
    return value
