"""Cards, seats and verdicts as plain data, the smallest parts of the documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.referee.colours import SHAPES, worn
from companion.referee.snapshot import Snapshot
from companion.rules.cards import Piece
from companion.rules.kernel import Seat, Verdict, name_seats
from companion.server.places import Document, key_of
from companion.server.table_api import SessionService
from companion.text import sentence, t


class Cards:
    """Looks cards up, and keeps what it found for this document."""

    def __init__(self, session: SessionService, names: Mapping[Seat, str]) -> None:
        """Look up in the deck and the mat of a session."""
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
                found = {
                    "piece": piece,
                    "kind": "card",
                    "title": t("Card {piece}", piece=piece),
                    "traits": {},
                    "text": "",
                }
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


def cards_of(pieces: Iterable[Piece], session: SessionService) -> list[Document]:
    """Lay pieces out by kind and title, as people choose them; of copies that are alike one, with their number."""
    return Cards(session, {}).alike(pieces)


def in_order(hand: Iterable[Piece], session: SessionService) -> tuple[Piece, ...]:
    """Sort a hand as the deck is: by suit and rank, or whatever its cards have; what the deck has not comes last."""
    order = {piece: n for n, piece in enumerate(session.cards)}
    return tuple(sorted(hand, key=lambda piece: order.get(piece, len(order))))


def copied(source: object, fields: str, /, **more: object) -> Document:
    """Lay out some fields of a source, and what there is `more` to it."""
    return {**{name: getattr(source, name) for name in fields.split()}, **more}


def seat_name(names: Mapping[Seat, str], seat: Seat) -> str:
    """Return what a seat is called: its player's name, or its number."""
    return names.get(seat, t("Seat {seat}", seat=seat))


def badge(snapshot: Snapshot, seat: Seat) -> Document:
    """Lay out what a seat's badge looks like: its number, its colour, and a shape for who can't tell the colour."""
    colour = worn(snapshot.colours, snapshot.seats)[seat]
    return {"seat": seat, "colour": colour, "shape": SHAPES.get(colour, "circle")}


def verdict(given: Verdict | None, names: Mapping[Seat, str]) -> Document | None:
    """Lay out a verdict with the players' names in it."""
    if given is None:
        return None
    spoken = {name: name_seats(getattr(given, name), names) for name in ("reason", "remedy")}
    return {"kind": given.kind, "rule": given.rule, **{name: sentence(words) for name, words in spoken.items()}}
