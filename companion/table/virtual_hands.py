"""The simulated table in a browser: people's hands on a `SharedTable`."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from companion.eye.mat import Mat, ZonePlace
from companion.referee.commands import Command, Play, Reply
from companion.referee.words import Words
from companion.rules.cards import Piece
from companion.rules.kernel import AnyGame, Seat
from companion.rules.layout import Zone
from companion.server.camera_api import PlanZone
from companion.server.table_api import SandboxError, ServedError, Thing
from companion.sim.goals import DECK, Goal, goals
from companion.sim.performance import Performance
from companion.sim.rows import Rows
from companion.sim.sandbox import SHOWN, SharedTable
from companion.sim.sandbox import Thing as Found
from companion.sim.stage import moves_between, target_books
from companion.sim.table import Laid, Spot, TableError, elbow
from companion.text import said, t


class Sandbox:
    """What people do with their hands at a simulated table. It is a `companion.server.table_api.Sandbox`."""

    def __init__(
        self,
        game: AnyGame,
        mat: Mat,
        table: SharedTable,
        performance: Performance,
        command: Callable[[Command], Reply],
    ) -> None:
        """Let people at a table; `command` is for a draw, which nothing on the table shows."""
        self._game = game
        self._mat = mat
        self._table = table
        self._performance = performance
        self._command = command
        self._cards = game.deck.by_piece()
        self._dragged: dict[Piece, Seat] = {}
        self._goals: dict[Seat, tuple[object, object, dict[Piece, list[Goal]]]] = {}
        """What was found last for a seat, and in which state for which pieces."""
        self._lock = threading.Lock()
        words = Words(game.deck, mat)
        self.places = tuple(
            PlanZone(
                zone.name, words.zone(zone.name), zone.rect.x, zone.rect.y, zone.rect.w, zone.rect.h, zone.rotation
            )
            for zone in mat.zones
        )

    def things(self) -> list[Thing]:
        """List what can be seen on the table, from the bottom up; of what lies face down nobody learns what it is."""
        found = self._table.things()
        heights: dict[Zone, int] = {}
        shown: list[Thing] = []
        for one in reversed(found):
            place = None if one.held else self._mat.zone_at(one.laid.x, one.laid.y)
            height = 0
            if place is not None and place.kind == "pile":
                height = heights[place.name] = heights.get(place.name, 0) + 1
            if height <= SHOWN:
                shown.append(self._thing(one, place))
        return [
            thing if thing.held else msgspec.structs.replace(thing, count=heights.get(thing.zone, 0))
            for thing in reversed(shown)
        ]

    def _thing(self, one: Found, place: ZonePlace | None) -> Thing:
        up = one.laid.face == "F"
        card = self._cards[one.laid.piece]
        shape = self._mat.shape_of(card.kind if up else "back")
        return Thing(
            tag=one.tag,
            piece=card.piece if up else "",
            title=card.title if up else "",
            face=one.laid.face,
            x=round(one.laid.x, 1),
            y=round(one.laid.y, 1),
            rotation=round(one.laid.rotation, 1),
            w=shape.w,
            h=shape.h,
            zone=place.name if place is not None else "",
            held=one.held,
            turns=self._has_back(card.piece),
        )

    def hand(self, seat: Seat) -> tuple[Piece, ...]:
        """Return the cards that a person's seat has in the hand; for that person only."""
        return self._performance.cards_in_hand(seat) if seat in self._performance.persons else ()

    def choosing(self, seat: Seat) -> dict[Zone, int]:
        """Return in which zones a person's seat has yet to lay cards of its hand face down, and how many."""
        if seat not in self._performance.persons:
            return {}
        underway = len(self._performance.hand(seat)) - len(self.hand(seat))
        found = {zone: count - underway for zone, count in self._performance.choosing(seat).items()}
        return {zone: count for zone, count in found.items() if count > 0}

    def box(self) -> list[Thing]:
        """List what lies beside the table for everybody: pieces that are never in a hand; of those alike the first."""
        open_ = [card.piece for card in self._game.deck.cards if card.kind not in self._performance.secret]
        alike: dict[tuple[str, str], list[Piece]] = {}
        for piece in self._table.away(open_):
            alike.setdefault((self._cards[piece].kind, self._cards[piece].title), []).append(piece)
        return [
            msgspec.structs.replace(self._thing(Found("", Laid(heap[0], "F", 0, 0)), None), count=len(heap))
            for heap in alike.values()
        ]

    def goals(self, seat: Seat) -> dict[str, list[Goal]]:
        """Return for each card of a person's hand, and each tag, where the rules let it go; "" is the hand."""
        if seat not in self._performance.persons:
            return {}
        if not self._performance.laying and (due := self.choosing(seat)):
            return {piece: [(zone, "B") for zone in due] for piece in self.hand(seat)}
        if self._performance.laying or self._otherwise(""):
            return {}  # robots lay what is due; or what was laid waits for the eye, or has to be put right
        if self._table.brings(self._performance.hand(seat)):
            return {}  # a card is on its way to the table: nobody lays another before it lies
        state, lying = self._performance.state, self._table.pieces()
        hand = frozenset(self.hand(seat))
        zones = {one.piece: zone.name for one in lying if (zone := self._mat.zone_at(one.x, one.y)) is not None}
        open_ = {one.piece: zones.get(one.piece, "") for one in lying if one.face == "F"}
        open_ |= {one.piece: "" for one in self.box()}
        known = self._goals.get(seat)
        if known is None or known[0] is not state or known[1] != (hand, open_):
            known = self._goals[seat] = state, (hand, open_), goals(self._game, state, seat, hand, open_)
        found = dict(known[2])
        decks = [one.piece for one in lying if zones.get(one.piece) == DECK]
        if DECK not in found and self._performance.drawing(seat, DECK) is not None:
            found[DECK] = [("", "B")]
        drawn = found.pop(DECK, None)
        if decks and drawn is not None:
            found[decks[-1]] = drawn
        return {self._table.tag_of(piece) or piece: some for piece, some in found.items()}

    def served(self) -> bool:
        """Return whether robots lay what is due, or are about to: people need not lift a hand."""
        behind = self._performance.records_behind() > 0 and not self._performance.lost
        return self._performance.laying or behind

    def taking(self, seat: Seat) -> tuple[Zone, tuple[Piece, ...]]:
        """Return which open cards a person may take for the card that was laid last, and where they go."""
        performance = self._performance
        theirs = seat in performance.persons and not performance.records_behind() and not performance.laying
        if not theirs or performance.world.takes_yet(performance.state) != seat:
            return "", ()
        return performance.world.taking(performance.state)

    def objection(self, piece: Piece, seat: Seat, zone: Zone) -> str:
        """Return in a sentence what speaks against a card of a person's hand that is laid in a zone; "" if nothing."""
        if piece not in self._performance.hand(seat) or self._performance.records_behind():
            return ""
        against = self._performance.world.objection(self._performance.state, seat, piece, zone)
        if against is None:
            return ""
        return t("{reason}. {remedy}", reason=against.reason, remedy=t("Take it back, and follow the suit."))

    def attended(self) -> bool:
        """Return whether robots play or lay something at this moment: what is owed meanwhile nobody else has to do."""
        return self._performance.busy or self.served()

    def slide(self, tag: str, seat: Seat, x: float, y: float, rotation: float, face: str, held: bool, by: Seat) -> str:
        """Move a piece of the table, or a card of a `seat`'s hand (`held`: over the table); return its tag.

        Raises:
            SandboxError: if it is not there, or has no such face; the message says so.
        """
        with self._lock, _InWords():
            piece = self._piece(tag, seat)
            self._turned(piece, face)
            spot = Spot(min(x, self._mat.w), min(y, self._mat.h), rotation % 360)
            origin = elbow(self._mat, seat or by)
            if held or self._table.holds(piece):
                self._table.hold(piece, spot, face, origin)
                if not held:
                    self._table.release(piece)
            else:
                self._table.fetch(piece, spot, face, origin)
            return self._table.tag_of(piece)

    def place(self, tag: str, seat: Seat, zone: Zone, face: str, by: Seat) -> None:
        """Lay a piece in a zone, at the first free place.

        Raises:
            SandboxError: if there is no such piece or zone.
            ServedError: if robots lay something: they would take it for astray.
        """
        if self._performance.laying:
            raise ServedError(t("The table is being laid: wait a moment."))
        with self._lock, _InWords():
            piece = self._piece(tag, seat)
            self._turned(piece, face)
            try:
                there = self._mat.zone(zone)
            except KeyError:
                raise SandboxError(t("There is no such place on this mat.")) from None
            spot = self._free(there, piece)
            self._table.fetch(piece, spot, face, elbow(self._mat, seat or by))

    def take(self, tag: str, seat: Seat) -> str:
        """Take a piece into a seat's hand, or beside the table if it belongs in none; return why a draw was refused.

        A card from a face-down pile is drawn by the rules too, if it may be.

        Raises:
            SandboxError: if it is not there.
        """
        with self._lock, _InWords():
            piece = self._lying(tag)
            there = self._table.from_where(piece)
            zone = self._mat.zone_at(there.x, there.y) if there is not None else None
            down = there is not None and there.face == "B"
            secret = self._cards[piece].kind in self._performance.secret
            if secret and not seat:
                raise SandboxError(t("Take a seat first: only who sits at the table has a hand."))
            self._table.fetch(piece, None, "B" if down else "F", elbow(self._mat, seat))
            if secret:
                # A face-down card goes back into the hand that it belongs to, whoever cleared it away.
                self._performance.take((down and self._performance.holder(piece)) or seat, piece)
        if not down or zone is None or piece in self._performance.hand(seat):
            return ""
        action = self._performance.drawing(seat, zone.name)
        if action is None or self._otherwise(zone.name):
            return ""
        reply = self._command(Play(seat=seat, action=action, by="phone"))
        return (
            ""
            if reply.ok or reply.verdict is None
            else t("{reason}. {remedy}", reason=reply.verdict.reason, remedy=reply.verdict.remedy)
        )

    def _otherwise(self, zone: Zone) -> bool:
        """Return whether anything but one zone is not as expected: the card may be drawn for it ("Draw 3 cards")."""
        if self._performance.records_behind():
            return True
        state, books = self._performance.state, self._performance.lying()
        then = target_books(self._game.layout(state), self._performance.world.piles(), books)
        return any(zone not in (move.source, move.target) for move in moves_between(books, then))

    def tidy(self) -> None:
        """Let the robots lay everything as the referee expects it."""
        self._performance.tidy.set()

    def _piece(self, tag: str, seat: Seat) -> Piece:
        if not seat:
            beside = tag in self._cards and self._cards[tag].kind not in self._performance.secret
            return tag if beside and self._beside(tag) else self._lying(tag)
        # Who drags a card out of the hand names it by the card until it lies.
        if tag in self.hand(seat) or (self._dragged.get(tag) == seat and self._table.holds(tag)):
            self._dragged[tag] = seat
            return tag
        raise SandboxError(t("That card is not in your hand any more."))

    def _lying(self, tag: str) -> Piece:
        """Find a piece by its tag; what lies open everybody may name by itself."""
        open_ = (one.piece for one in self._table.pieces() if one.face == "F")
        return tag if tag in open_ else self._table.piece_of(tag)

    def _beside(self, piece: Piece) -> bool:
        return self._table.holds(piece) or bool(self._table.away([piece]))

    def _turned(self, piece: Piece, face: str) -> None:
        if face == "B" and not self._has_back(piece):
            raise SandboxError(t("That piece has no other side."))

    def _has_back(self, piece: Piece) -> bool:
        return self._mat.shape_of(self._cards[piece].kind) == self._mat.shape_of("back")

    def _free(self, zone: ZonePlace, piece: Piece) -> Spot:
        """Find where in a zone there is room for a piece."""
        lying = [one for one in self._table.pieces() if one.piece != piece and zone.rect.holds(one.x, one.y)]
        return Rows(self._mat, zone).free({one.piece: (one.x, one.y) for one in lying})


class _InWords:
    """Turns what a table says into a sentence for people."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> None:
        if isinstance(error, TableError):
            raise SandboxError(t("{words:capital}: see what lies there now.", words=said(error))) from None
