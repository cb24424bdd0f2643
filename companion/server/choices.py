"""What a seat may do, as plain data: each choice ready to be sent, or with the cards that may fill it."""

from __future__ import annotations

import msgspec

from companion.rules.cards import Piece
from companion.rules.dice import percent
from companion.rules.kernel import NO_PROSPECT, TABLE, Action, Hole, May, Need, illegal, name_seats
from companion.rules.layout import owner_of
from companion.server.card_documents import Cards, seat_name, verdict
from companion.server.places import Document, filled, key_of, lines
from companion.server.table_api import SessionService
from companion.text import TEXTS, join, t

SEAT_FIELDS = frozenset({"player", "victim", "from_seat", "to_seat", "owner", "partner"})
"""Fields of actions that hold a seat, by the names that games give them."""


def choice_document(
    may: May, cards: Cards, session: SessionService, hand: tuple[Piece, ...] | None, known: frozenset[Piece]
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
            # At a simulated table hands turn up or lay open what the action waits for.
            waits = () if _laid_by_hands(session, hand, session.match.needs(action)) else session.match.needs(action)
            needs = [need_document(need, cards) for need in waits]
            told = _told(action, cards, may.words)
            if may.pictures and may.pictures[n] and told["card"] is None:
                told["card"] = cards(may.pictures[n])
            # What the game itself says to tell its actions apart is better than fields and their values.
            words = label or ("" if may.labels and told["card"] else told["words"])
            one = {"action": raw, **told, "words": words, "needs": needs, **_prospect(may, n)}
            if told["card"] is None or not any(_alike(one, other) for other in ready):
                ready.append(one)
        elif len(fields) == 1:
            hole: Hole = getattr(action, fields[0])
            fitting = hole.pieces if hand is None else frozenset(p for p in hole.pieces if p in hand or cards.open(p))
            if fitting:
                alike = cards.alike(fitting, known)
                way = {"action": raw, "field": fields[0], "words": hole.words, "label": label, "cards": alike}
                open_.append({**way, **_prospect(may, n)})
    amount = _amount(ready)
    if amount and amount["low"] == amount["high"]:
        # Nothing is left to choose: one button says it all.
        ready[0]["words"], amount = may.labels[0] if may.labels else f"{amount['low']}", None
    plain = [one for one in ready if not one["needs"] and not one["card"]]
    single = [hole for hole in open_ if hole["label"] and len(hole["cards"]) == 1]
    by_label = [{**hole, **filled(hole, hole["cards"][0]), "words": hole["label"]} for hole in single]
    given = may.verdict
    if given.ok and not ready and not open_:
        # The rules only know that some hand could do it; this one can't.
        given = illegal("C2", t("none of your cards would do for that"), t("Do something else."))
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
        "sure": may.sure,
        "weight": _weight(may, session, hand),
    }


def _prospect(may: May, n: int) -> Document:
    """Lay out what the action `n` would lead to: `facts`, `price`, and `percent`, None where luck decides nothing."""
    one = may.prospects[n] if may.prospects else NO_PROSPECT
    return {"facts": one.words, "price": one.price, "percent": None if one.chance is None else percent(one.chance)}


def _weight(may: May, session: SessionService, hand: tuple[Piece, ...] | None) -> str:
    """Return how it stands out: strongly, too, if the hand is known and has what it takes."""
    proven = (
        may.weight == "weak" and hand is not None and any(session.match.bears_out(one, hand) for one in may.actions)
    )
    return "strong" if proven else may.weight


def _laid_by_hands(session: SessionService, hand: tuple[Piece, ...] | None, needs: tuple[Need, ...]) -> bool:
    """Return whether simulated hands do what an action waits for, for the person whose `hand` they know."""
    return session.sandbox is not None and hand is not None and all(need.kind != "rolled" for need in needs)


def _hides(may: May, cards: Cards, session: SessionService, hand: tuple[Piece, ...]) -> Document:
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


def _told(action: Action, cards: Cards, said: str = "") -> Document:
    """Distinguish one ground action from others of its kind: the card it names, and the rest of its fields in words.

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
            called, who = seat_name(cards.names, value), value
            words.append(t("from {called}", called=called) if name.startswith("from") else called)
        elif name in ("card", "piece") and isinstance(value, str):
            card = cards(value)
        elif isinstance(value, str | int) and not _named_in(said, value):
            words.append(t("{name} {value}", name=name, value=value))
    return {"words": join(", ", words), "card": card, "who": who}


def _named_in(said: str, value: str | int) -> bool:
    """Return whether a name ("deal-fates") stands in a sentence already; a number may stand there for anything."""
    return isinstance(value, str) and value.replace("-", " ").lower() in said.replace("-", " ").lower()


def need_document(need: Need, cards: Cards) -> Document:
    """Lay out a fact that an action waits for."""
    return {
        "place": need.place,
        "kind": need.kind,
        "words": name_seats(need.words, cards.names),
        "count": need.count,
        "sides": need.sides,
        "cards": [cards(piece) for piece in sorted(need.pieces)],
    }


def upkeep_documents(session: SessionService, cards: Cards) -> list[Document]:
    """Lay out what the table itself has to do and nobody chooses: people only say what came up."""
    return [
        {
            "action": msgspec.to_builtins(action, builtin_types=TEXTS),
            "needs": [need_document(need, cards) for need in session.match.needs(action)],
        }
        for action in session.match.upkeep()
    ]
