"""One JSON document for each audience: what it may know of a match at a moment, as plain data.

An audience is "public" (the table page and everybody who only looks on), "seat-1" and so on, or "host". Pages are
made from these documents and from nothing else, so what is not in here can't be on a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.referee.aloud import aloud
from companion.referee.colours import SHAPES, worn
from companion.referee.play_clock import minutes
from companion.referee.snapshot import LogLine, Question, Snapshot
from companion.rules.cards import Piece
from companion.rules.dice import chance_of_unevenness
from companion.rules.kernel import TABLE, Action, Hole, May, Need, Part, Seat, Shelf, Verdict, illegal, name_seats
from companion.rules.layout import Zone, owner_of
from companion.server.places import filled, key_of, lines, merged, number, offers
from companion.server.show import show
from companion.server.table_api import SessionService
from companion.text import TEXTS, sentence

Document = dict[str, Any]
PUBLIC, HOST = "public", "host"
LOG_LINES = {PUBLIC: 12, HOST: 30}
SEAT_LOG_LINES = 4
SEAT_FIELDS = frozenset({"player", "victim", "from_seat", "to_seat", "owner", "partner"})
"""Fields of actions that hold a seat, by the names that games give them."""


class Extras(msgspec.Struct, frozen=True):
    """What the server itself adds to a snapshot: seats that have a phone, the robots' speed, who asks to undo, ..."""

    taken: frozenset[Seat] = frozenset()
    speed: float | None = None
    undo_asked: Seat = TABLE
    hands: dict[Seat, tuple[Piece, ...]] = {}
    """Simulated hands of the seats that have a phone; each is for its own seat only."""
    choosing: dict[Seat, dict[Zone, int]] = {}
    """Where each seat's person has yet to lay cards of the simulated hand face down, and how many."""
    asking: frozenset[Seat] = frozenset()
    """Seats that another phone wants to take over."""
    muted: bool | None = None
    """Whether the buzzer was silenced; None without one."""
    health_issues: tuple[str, ...] = ()
    """What is wrong with the computer itself, a sentence each; for the host."""
    stopped: tuple[str, ...] = ()
    """What does not go on at the moment, a sentence each; for everybody."""
    coming: str = ""
    """The game of which robots begin a match soon."""
    table: str = ""
    """What the owner calls the table."""
    calling: tuple[Seat, ...] | None = None
    """The seats that call for the host; None where no hall would hear them."""
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
    view = snapshot.views[seat or TABLE]
    lines = LOG_LINES.get(audience, SEAT_LOG_LINES)
    cards = _Cards(session, snapshot.names)
    hand = extras.hands.get(seat) if seat else None
    known = frozenset(piece for shelf in view.shelves for piece in shelf.pieces)
    upkeep = _upkeep(session, cards) if audience == HOST or (seat is not None and snapshot.mode == "ledger") else []
    may = merged([_may(may, cards, session, hand, known) for may in view.may], cards)
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
        "name": _name(snapshot.names, seat) if seat else "",
        "badge": badge(snapshot, seat) if seat else None,
        "coach": view.coach,
        "holds": bool(view.holds) and hand is None,
        "headline": view.headline,
        "call": view.call,
        "waiting": list(view.waiting),
        "waiting_names": [_name(snapshot.names, one) for one in view.waiting if one != TABLE],
        "sentence": snapshot.sentence,
        "provisional": list(snapshot.provisional),
        "owed": list(snapshot.owed),
        "preparing": bool(session.preparing) and not snapshot.record,
        "show": show(snapshot, session.mat),
        "violation": msgspec.to_builtins(snapshot.violation, builtin_types=TEXTS),
        "question": _question(snapshot.question, seat, snapshot.names),
        "troubles": [
            *(msgspec.to_builtins(trouble, builtin_types=TEXTS) for trouble in snapshot.troubles),
            *({"kind": "stopped", "words": words} for words in extras.stopped),
        ],
        "scores": _scores(snapshot, extras),
        "goal": snapshot.standing.goal,
        "team": [msgspec.to_builtins(share, builtin_types=TEXTS) for share in snapshot.standing.team],
        "unit": snapshot.standing.unit,
        "shared": bool(snapshot.standing.team),
        "outcome": msgspec.to_builtins(snapshot.standing.outcome, builtin_types=TEXTS),
        "hand": None if hand is None else [cards(piece) for piece in hand],
        "choosing": [
            {"zone": zone, "count": count, "cards": [cards(piece) for piece in hand or ()]}
            for zone, count in (extras.choosing.get(seat, {}) if seat else {}).items()
        ],
        "may": may,
        "upkeep": upkeep,
        "offers": offers(may, [cards(piece) for piece in hand or ()]),
        "shelves": [_shelf(shelf, cards) for shelf in view.shelves],
        "numbers": [_number(part, snapshot, view.seat, cards.names) for part in view.numbers],
        "log": [_line(line, cards) for line in snapshot.log[-lines:]][::-1],
        "aloud": msgspec.to_builtins(aloud(snapshot), builtin_types=TEXTS),
        "auction": _auction(snapshot, seat),
        "clock": _clock(snapshot, seat),
        "ladders": [msgspec.to_builtins(ladder, builtin_types=TEXTS) for ladder in view.ladders],
        "throw": _throw(snapshot),
        "frozen": snapshot.frozen,
        "hint": _hint(snapshot, audience),
        "speed": extras.speed,
        "coming": extras.coming,
        "muted": extras.muted,
        "ailments": list(extras.health_issues) if audience == HOST else [],
        "robots": _robots(snapshot, extras),
        "calling": None if extras.calling is None else [_name(snapshot.names, one) for one in extras.calling],
        "calls": bool(extras.calling) and seat in (extras.calling or ()),
        "undo_asked": extras.undo_asked,
        "undo_asked_name": _name(snapshot.names, extras.undo_asked) if extras.undo_asked else "",
        "asking": [
            {"seat": one, "name": _name(snapshot.names, one), "badge": badge(snapshot, one)}
            for one in sorted(extras.asking)
            if audience == HOST
        ],
    }


def badge(snapshot: Snapshot, seat: Seat) -> Document:
    """Lay out what a seat's badge looks like: its number, its colour, and a shape for who can't tell the colour."""
    colour = worn(snapshot.colours, snapshot.seats)[seat]
    return {"seat": seat, "colour": colour, "shape": SHAPES.get(colour, "circle")}


def _line(line: LogLine, cards: _Cards) -> Document:
    """Lay out a line of the log; `laid` are the keys of the cards that came out of a hand with it."""
    return {**msgspec.to_builtins(line, builtin_types=TEXTS), "laid": [key_of(cards(piece)) for piece in line.laid]}


def cards_of(pieces: Iterable[Piece], session: SessionService) -> list[Document]:
    """Lay pieces out by kind and title, as people choose them; of copies that are alike one, with their number."""
    return _Cards(session, {}).alike(pieces)


def _hint(snapshot: Snapshot, audience: str) -> Document | None:
    """Lay out a hint for those it is meant for, and for the host."""
    hint = snapshot.hint
    if hint is None or (hint.seat != TABLE and audience not in (HOST, audience_of(hint.seat))):
        return None
    to = "everybody" if hint.seat == TABLE else _name(snapshot.names, hint.seat)
    return {"words": hint.words, "to": to, "seat": hint.seat}


def _robots(snapshot: Snapshot, extras: Extras) -> list[Document]:
    """Lay out the robots that sit in; who they play for is as public as what they do."""
    return [
        {
            "seat": seat,
            "name": _name(snapshot.names, seat),
            "badge": badge(snapshot, seat),
            "wants": name_seats(words, snapshot.names),
        }
        for seat, words in extras.robots.items()
        if 1 <= seat <= snapshot.seats
    ]


def _throw(snapshot: Snapshot) -> Document | None:
    """Lay out the dice of the last record, if it was a roll."""
    throws = snapshot.dice.throws
    if not throws or throws[-1].n != snapshot.record:
        return None
    return {"values": list(throws[-1].values), "sides": throws[-1].sides, "by": throws[-1].by}


def dice(snapshot: Snapshot) -> Document:
    """Lay out all dice of a match (C6): each throw, the commitment to the next, and how even they came."""
    throws = [
        {
            **msgspec.to_builtins(throw, builtin_types=TEXTS),
            "name": _name(snapshot.names, throw.seat),
            "words": name_seats(throw.words, snapshot.names),
            "salts": [{"name": _name(snapshot.names, seat), "salt": salt} for seat, salt in throw.salts],
        }
        for throw in snapshot.dice.throws
    ]
    kinds = sorted({throw.sides for throw in snapshot.dice.throws if throw.sides})
    return {
        "commitment": snapshot.dice.commitment,
        "stirred": [_name(snapshot.names, seat) for seat in snapshot.dice.stirred],
        "throws": throws[::-1],
        "spreads": [_spread(snapshot, sides) for sides in kinds],
    }


def _spread(snapshot: Snapshot, sides: int) -> Document:
    """Count how often each side came, in all throws that were made (an undone one was made too)."""
    once = {(throw.n, throw.values): throw for throw in snapshot.dice.throws if throw.sides == sides and not throw.kept}
    values = [value for throw in once.values() for value in throw.values]
    counts = [values.count(side) for side in range(1, sides + 1)]
    return {
        "sides": sides,
        "dice": len(values),
        "expected": len(values) / sides,
        "counts": [{"side": side, "count": count} for side, count in enumerate(counts, 1)],
        "most": max(counts),
        "chance": chance_of_unevenness(counts),
    }


def _auction(snapshot: Snapshot, seat: Seat | None) -> Document | None:
    """Lay out the decision that a clock runs against: price, leader, who is asked, and what is left of the time."""
    timer = snapshot.timer
    if timer is None:
        return None
    return {
        "price": timer.price,
        "leader": timer.leader,
        "leader_name": _name(snapshot.names, timer.leader) if timer.leader != TABLE else "",
        "leader_badge": badge(snapshot, timer.leader) if timer.leader != TABLE else None,
        "names": [_name(snapshot.names, one) for one in timer.seats],
        "words": timer.words,
        "mine": seat in timer.seats,
        "total": timer.total,
        "left": timer.left,
        "ends": timer.ends,
        "paused": timer.paused,
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
        "name": _name(snapshot.names, timer.seat) if timer.seat != TABLE else "",
        "mine": bool(seat) and timer.seat == seat,
        "total": timer.total,
        "left": timer.left,
        "shown": minutes(timer.left),
        "ends": timer.ends,
        "paused": timer.paused,
        "over": timer.over,
        "others": [
            {"name": _name(snapshot.names, one), "shown": minutes(left)} for one, left in each if one != timer.seat
        ],
    }


class _Cards:
    """Looks cards up, and keeps what it found for this document."""

    def __init__(self, session: SessionService, names: Mapping[Seat, str]) -> None:
        self._cards = session.cards
        self._mat = session.mat
        self.names = names
        self._found: dict[Piece, Document] = {}

    def __call__(self, piece: Piece) -> Document:
        """Lay a card out as data; a piece that the deck does not have is only called by its number."""
        found = self._found.get(piece)
        if found is None:
            try:
                card = self._cards[piece]
                found = {name: getattr(card, name) for name in ("piece", "kind", "title", "traits", "text")}
            except KeyError:
                found = {"piece": piece, "kind": "card", "title": f"Card {piece}", "traits": {}, "text": ""}
            self._found[piece] = found
        return found

    def open(self, piece: Piece) -> bool:
        """Return whether no hand hides a piece: a token, which has no back."""
        return self._mat.shape_of(self(piece)["kind"]) != self._mat.shape_of("back")

    def alike(self, pieces: Iterable[Piece], known: frozenset[Piece] = frozenset()) -> list[Document]:
        """Lay pieces out by kind and title; of copies that are alike the first stands for all, with their number.

        One that is `known` to be there comes before those that only may be: else it would seem to stay behind.
        """
        kinds: dict[tuple[str, str], list[Piece]] = {}
        for piece in sorted(pieces, key=lambda one: (one not in known, one)):
            card = self(piece)
            kinds.setdefault((card["kind"], card["title"]), []).append(piece)
        return [{**self(copies[0]), "copies": len(copies), "key": key_of(self(copies[0]))} for copies in kinds.values()]


def _name(names: Mapping[Seat, str], seat: Seat) -> str:
    return names.get(seat, f"Seat {seat}")


def _scores(snapshot: Snapshot, extras: Extras) -> list[Document]:
    waiting = snapshot.views[TABLE].waiting
    winners = snapshot.standing.outcome.winners if snapshot.standing.outcome else ()
    return [
        {
            "seat": one.seat,
            "name": _name(snapshot.names, one.seat),
            "badge": badge(snapshot, one.seat),
            "score": one.score,
            "parts": [_part(part) for part in one.parts],
            "words": one.words,
            "due": one.seat in waiting,
            "won": one.seat in winners,
            "taken": one.seat in extras.taken,
        }
        for one in snapshot.standing.seats
    ]


def _number(part: Part, snapshot: Snapshot, own: Seat, names: Mapping[Seat, str]) -> Document:
    """Lay out a number, and whose it is. A `detail` says more of what a team's circle shows."""
    detail = any(part.name in share.details for share in snapshot.standing.team)
    return {**number(part, _whose(part, snapshot, own), names), "detail": detail}


def _whose(part: Part, snapshot: Snapshot, own: Seat) -> Seat:
    """Find whose a number is, in a game that says it in its name only; nobody's (0) such as the deck's."""
    if part.seat:
        return part.seat
    if own and part.name.startswith("your "):
        return own
    seats = range(1, snapshot.seats + 1)
    return next((seat for seat in seats if part.name.endswith(f" of {_name(snapshot.names, seat)}")), TABLE)


def _part(part: Part) -> Document:
    return {"name": part.name, "value": part.value}


def _question(question: Question | None, seat: Seat | None, names: Mapping[Seat, str]) -> Document | None:
    """A question is asked aloud at the table, so everybody may read it; `mine` says whether this seat may answer."""
    if question is None:
        return None
    return {
        "id": question.id,
        "kind": question.kind,
        "words": question.words,
        "names": [_name(names, one) for one in question.seats],
        "mine": seat in question.seats,
        "choices": [{"key": choice.key, "words": choice.words} for choice in question.choices],
    }


def _shelf(shelf: Shelf, cards: _Cards) -> Document:
    return {
        "title": shelf.title,
        "words": shelf.words,
        "cards": [cards(piece) for piece in shelf.pieces],
        "wanted": [cards(piece) for piece in shelf.wanted],
        "seat": shelf.seat,
    }


# ------------------------------------------------------------------------------------------------- what one may do


def _may(
    may: May, cards: _Cards, session: SessionService, hand: tuple[Piece, ...] | None, known: frozenset[Piece]
) -> Document:
    """Lay out one thing a seat may do.

    `choices` are the actions that a tap can do: `action` is ready to be sent (with `needs` still to be filled in),
    `words` and `card` tell it from the others. `holes` are the ways to lay a card for it: `action` with the field
    `field` to be filled by the piece of one of `cards` (`label` tells it from other ways); where the hand is known, by
    a card of it. `amount` stands for
    choices that differ in a number alone: the lowest and highest, and the action with the lowest. `hides`: one of
    `cards` is laid face down in `zone`, and the action does not say which; no cards: one lies there by now.
    """
    ready: list[Document] = []
    open_: list[Document] = []
    for n, action in enumerate(may.actions):
        raw = msgspec.to_builtins(action, builtin_types=TEXTS)
        label = may.labels[n] if may.labels else ""
        fields = [name for name in action.__struct_fields__ if isinstance(getattr(action, name), Hole)]
        if not fields:
            needs = [_need(need, cards) for need in session.needs(action)]
            told = _told(action, cards, may.words)
            if may.pictures and may.pictures[n] and told["card"] is None:
                told["card"] = cards(may.pictures[n])
            # What the game itself says to tell its actions apart is better than fields and their values.
            words = label or ("" if may.labels and told["card"] else told["words"])
            one = {"action": raw, **told, "words": words, "needs": needs}
            if told["card"] is None or not any(_alike(one, other) for other in ready):
                ready.append(one)
        elif len(fields) == 1:
            hole: Hole = getattr(action, fields[0])
            fitting = hole.pieces if hand is None else frozenset(p for p in hole.pieces if p in hand or cards.open(p))
            if fitting:
                alike = cards.alike(fitting, known)
                open_.append({"action": raw, "field": fields[0], "words": hole.words, "label": label, "cards": alike})
    amount = _amount(ready)
    plain = [one for one in ready if not one["needs"] and not one["card"]]
    single = [hole for hole in open_ if hole["label"] and len(hole["cards"]) == 1]
    by_label = [{**filled(hole, hole["cards"][0]), "words": hole["label"]} for hole in single]
    given = may.verdict
    if given.ok and not ready and not open_:
        # The rules only know that some hand could do it; this one can't.
        given = illegal("C2", "none of your cards would do for that", "Do something else.")
    return {
        "name": may.name,
        "words": may.words,
        "allowed": given.ok,
        "verdict": verdict(given, cards.names),
        "choices": [] if amount else ready,
        "amount": amount,
        "holes": open_,
        "lines": [] if amount else lines([*plain, *by_label]),
        "sets": None,
        "hides": _hides(may, cards, session, hand or ()) if may.hides and session.sandbox is not None else None,
        "idle": may.idle,
        "onward": may.onward,
        "aside": may.aside,
    }


def _hides(may: May, cards: _Cards, session: SessionService, hand: tuple[Piece, ...]) -> Document:
    left = session.sandbox.hand(owner_of(may.hides)) if session.sandbox is not None else hand
    return {"zone": may.hides, "cards": [cards(piece) for piece in hand] if len(left) == len(hand) else []}


def _alike(one: Document, other: Document) -> bool:
    """Return whether two choices read the same, about copies of one card: then one of them is enough."""
    return bool(other["card"]) and one["words"] == other["words"] and key_of(one["card"]) == key_of(other["card"])


def _amount(ready: list[Document]) -> Document | None:
    """Sum up actions that differ only in their `amount`, each number from the lowest to the highest; else None.

    A page starts with 0, or what is nearest to it.
    """
    actions = [one["action"] for one in ready]
    amounts = sorted(action["amount"] for action in actions if isinstance(action.get("amount"), int))
    if not actions or len(amounts) != len(actions) or any(one["needs"] for one in ready):
        return None
    rest = {tuple(sorted((name, repr(value)) for name, value in one.items() if name != "amount")) for one in actions}
    low, high = amounts[0], amounts[-1]
    if len(rest) > 1 or amounts != list(range(low, high + 1)):
        return None
    start = min(high, max(low, 0))
    return {"low": low, "high": high, "start": start, "action": {**actions[0], "amount": start}}


def _told(action: Action, cards: _Cards, said: str = "") -> Document:
    """Tell one ground action from others of its kind: the card it names, and the rest of its fields in words.

    What is `said` already is not said again.
    """
    words: list[str] = []
    card: Document | None = None
    who = TABLE
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if name == "seat" or value == "":
            continue
        if name in SEAT_FIELDS and isinstance(value, int):
            called, who = _name(cards.names, value), value
            words.append(f"from {called}" if name.startswith("from") else called)
        elif name in ("card", "piece") and isinstance(value, str):
            card = cards(value)
        elif isinstance(value, str | int) and not _named_in(said, value):
            words.append(f"{name} {value}")
    return {"words": ", ".join(words), "card": card, "who": who}


def _named_in(said: str, value: str | int) -> bool:
    """Return whether a name ("deal-fates") stands in a sentence already; a number may stand there for anything."""
    return isinstance(value, str) and value.replace("-", " ").lower() in said.replace("-", " ").lower()


def _need(need: Need, cards: _Cards) -> Document:
    return {
        "place": need.place,
        "kind": need.kind,
        "words": name_seats(need.words, cards.names),
        "count": need.count,
        "sides": need.sides,
        "cards": [cards(piece) for piece in sorted(need.pieces)],
    }


def _upkeep(session: SessionService, cards: _Cards) -> list[Document]:
    """Lay out what the table itself has to do and nobody chooses: people only say what came up."""
    return [
        {
            "action": msgspec.to_builtins(action, builtin_types=TEXTS),
            "needs": [_need(need, cards) for need in session.needs(action)],
        }
        for action in session.upkeep()
    ]


def verdict(given: Verdict | None, names: Mapping[Seat, str]) -> Document | None:
    """Lay out a verdict with the players' names in it."""
    if given is None:
        return None
    spoken = {name: name_seats(getattr(given, name), names) for name in ("reason", "remedy")}
    return {"kind": given.kind, "rule": given.rule, **{name: sentence(words) for name, words in spoken.items()}}
