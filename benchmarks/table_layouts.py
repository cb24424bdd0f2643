"""What lies on a photographed table: the middle of a match as robots play it, and what lies where nobody means it to.

Millimetres as in `companion.eye.mat`, rotations in degrees clockwise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import msgspec

from benchmarks.middle import Dealt, in_sight, moments
from companion.codes import BACK
from companion.eye.mat import Mat, Shape, ZonePlace
from companion.rules.kernel import AnyGame
from companion.sim.camera_stage import Carrier
from companion.sim.rows import Rows
from companion.sim.stage import HAND, Move, moves_between
from companion.sim.table import Hand, Laid, SimTable, elbow

ENOUGH = 18
"""Pieces that show on a table at least, as far as there are rows to lay them in."""


class Piece(msgspec.Struct, frozen=True):
    """A piece that shows: its face, centre (mm), rotation; `under` other cards lie beneath it as a pile."""

    piece: str
    face: str
    x: float
    y: float
    rotation: float
    under: int = 0


class Layer:
    """Lays a moment of a match on a simulated table, move by move, `off` times as inaccurately as people do."""

    def __init__(self, mat: Mat, rng: random.Random, off: float, strip: float = 0.0) -> None:
        """Create it with an empty table; of each card of a row `strip` mm show, or as much as the mat means."""
        self.table = SimTable()
        self._mat, self._rng, self._off, self._strip = mat, rng, off, strip
        self._carrier = Carrier(self.table, mat, strip)

    def put(self, piece: str, zone: ZonePlace) -> None:
        """Put a card into a zone, if there is room; it may come out of a pile."""
        spots = Rows(self._mat, zone, self._strip)
        lying = {laid.piece: (laid.x, laid.y) for laid in self.table.pieces() if zone.rect.holds(laid.x, laid.y)}
        if len(lying) < len(spots.spots):
            if self.table.where(piece) is not None:
                self.table.lift(piece)
            self._at_once(Move(piece, HAND, zone.name, "F"))

    def _at_once(self, move: Move) -> None:
        self._carrier.at_once(move)
        if move.target != HAND:
            dx, dy, turn = (self._rng.gauss(0, 1.3 * self._off) for _ in range(3))
            self.table.nudge(move.piece, dx, dy, 1.5 * turn)

    def show(self, dealt: Dealt) -> None:
        """Lay the table as it is at a moment."""
        moves = moves_between({}, dealt.books)
        self._carrier.make_room(moves)
        for move in moves:
            self._at_once(move)


def middle_of_a_match(game: AnyGame, mat: Mat, rng: random.Random) -> Dealt:
    """Return a moment in the middle of a robots' match at which many pieces show."""
    played = list(moments(game, mat, 260, rng.randrange(1 << 20)))
    shown = [in_sight(mat, moment) for moment in played]
    late = range(len(played) // 4, max(len(played) // 4 + 1, len(played) * 3 // 4))
    full = sorted(late, key=lambda n: -shown[n])[: max(1, len(late) // 2)]
    return played[rng.choice(sorted(full))]


def fill_up(game: AnyGame, mat: Mat, layer: Layer, rng: random.Random) -> None:
    """Lay cards of the box and the deck into players' rows until a game of few cards shows as many as the others do."""
    there = {laid.piece for laid in layer.table.pieces() if laid.face != "B"}
    kinds = mat.shapes[0].kinds
    spare = [card.piece for card in game.deck.cards if card.piece not in there and card.kind in kinds]
    rows = [z for z in mat.zones if z.kind == "loose" and mat.shape_in(z) is mat.shapes[0] and z.slots > 1]
    rng.shuffle(spare)
    while rows and len(spare) > 8 and len(shown_pieces(mat, layer.table.pieces())) < ENOUGH:
        zone = rng.choice(rows)
        for _ in range(rng.randint(1, 4)):
            layer.put(spare.pop(), zone)


def shown_pieces(mat: Mat, lying: Sequence[Laid]) -> tuple[Piece, ...]:
    """Return the pieces as a scene has them: of a pile the uppermost, which knows how many lie beneath it."""
    pieces: list[Piece] = []
    tops: dict[str, int] = {}
    for laid in lying:
        zone = mat.zone_at(laid.x, laid.y)
        piece = Piece(
            BACK if laid.face == "B" else laid.piece,
            laid.face,
            round(laid.x, 1),
            round(laid.y, 1),
            round(laid.rotation % 360, 1),
        )
        if zone is not None and zone.kind == "pile" and math.dist((laid.x, laid.y), zone.rect.centre) < 8:
            if zone.name in tops:
                before = pieces[tops[zone.name]]
                pieces[tops[zone.name]] = msgspec.structs.replace(piece, under=before.under + 1)
                continue
            tops[zone.name] = len(pieces)
        pieces.append(piece)
    return tuple(pieces)


def astray(game: AnyGame, mat: Mat, table: SimTable, rng: random.Random, count: int) -> None:
    """Put pieces where nobody means them to lie: across a line or a label, on bare mat, half over others."""
    there = {laid.piece for laid in table.pieces()}
    spare = [card.piece for card in game.deck.cards if card.piece not in there]
    rng.shuffle(spare)
    for _ in range(count):
        loose = [laid for laid in table.pieces() if laid.face != "B" and not _in_pile(mat, laid)]
        if spare and (rng.random() < 0.6 or not loose):
            piece = spare.pop()
            face = "F"
        elif loose:
            laid = rng.choice(loose)
            piece, face = laid.piece, laid.face
            table.lift(piece)
        else:
            return
        shape = mat.shape_of(game.deck.by_piece()[piece].kind)
        for _ in range(30):
            x, y, turn = _astray(mat, table, rng, shape)
            if not _leans(mat, table, x, y, max(shape.w, shape.h) / 2):
                table.put(piece, face, x, y, turn)
                break


def _in_pile(mat: Mat, laid: Laid) -> bool:
    zone = mat.zone_at(laid.x, laid.y)
    return zone is not None and zone.kind == "pile"


def _leans(mat: Mat, table: SimTable, x: float, y: float, reach: float) -> bool:
    """Return whether a piece there would lean against a high pile, which is not drawn."""
    piles = [zone.rect for zone in mat.zones if zone.kind == "pile"]
    lying = table.pieces()
    high = [rect for rect in piles if sum(rect.holds(laid.x, laid.y) for laid in lying) > 3]
    return any(
        abs(x - rect.centre[0]) < rect.w / 2 + reach and abs(y - rect.centre[1]) < rect.h / 2 + reach for rect in high
    )


def _astray(mat: Mat, table: SimTable, rng: random.Random, shape: Shape) -> tuple[float, float, float]:
    """Return a random place and rotation for a piece of a shape."""
    zones = [zone for zone in mat.zones if zone.kind != "tray"]
    way = rng.choice(("line", "label", "bare", "over"))
    turn = rng.choice((0.0, 90.0, 180.0, 270.0)) + rng.gauss(0, 12)
    x, y = mat.w / 2, mat.h / 2
    if way == "line":
        zone = rng.choice(zones)
        x, y = rng.choice(((zone.rect.x, zone.rect.centre[1]), (zone.rect.centre[0], zone.rect.y)))
    elif way == "label":
        worded = [zone for zone in zones if zone.words is not None] or zones
        place = rng.choice(worded)
        x, y = (place.words or place.rect).centre
    elif way == "over" and table.pieces():
        under = rng.choice(table.pieces())
        side, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.35, 0.8) * min(shape.w, shape.h)
        x, y = under.x + far * math.cos(side), under.y + far * math.sin(side)
    else:
        for _ in range(60):
            x, y = rng.uniform(0, mat.w), rng.uniform(0, mat.h)
            if mat.zone_at(x, y) is None:
                break
    x, y = x + rng.gauss(0, 6), y + rng.gauss(0, 6)
    edge = mat.frame + max(shape.w, shape.h) / 2
    return min(max(x, edge), mat.w - edge), min(max(y, edge), mat.h - edge), turn


def resting_hand(mat: Mat, seats: int, rng: random.Random) -> Hand:
    """Rest a hand on the table, as far in as a player's who is about to lay a card."""
    seat = rng.randint(1, seats)
    from_x, from_y = elbow(mat, seat)
    zones: list[ZonePlace] = [zone for zone in mat.zones if zone.name.endswith(f".{seat}")] or list(mat.zones)
    zone = rng.choice(zones if rng.random() < 0.6 else list(mat.zones))
    x, y = zone.rect.centre
    x, y = x + rng.gauss(0, 25), y + rng.gauss(0, 25)
    from_x += rng.gauss(0, 60) if from_y < 0 or from_y > mat.h else 0.0
    return Hand(
        round(x, 1), round(y, 1), round(from_x, 1), round(from_y, 1), round(rng.uniform(9, 16), 1), rng.randrange(4)
    )
