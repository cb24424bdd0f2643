"""What the table shows: cards laid to a trick, into a row or as people like, and cards that are taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from companion.games.from_file import flow
from companion.games.from_file.components import Components
from companion.games.from_file.state import ANYBODY, State, lifted, placed, playing
from companion.rules.cards import Piece
from companion.rules.engine import Declared, RuledAction
from companion.rules.kernel import LEGAL, TABLE, Facts, Found, Hole, Seat, Verdict, at, illegal, inconsistent
from companion.rules.layout import Zone, owner_of
from companion.text import join, t

OVER = illegal("match", t("the match is over"), t("Begin a new one."))
A_CARD = t("a card")
INSTEAD = {
    "shown": t("a card has to be turned up first"),
    "trick": t("a trick is being played"),
    "dice": t("this is played with dice"),
}
"""What is due in a phase, said to somebody who does something else."""


class FileAction(RuledAction[Components, State], frozen=True, kw_only=True):
    """An action of a game made from a file."""

    nobodys: ClassVar[bool] = False
    """Whether nobody in particular may do it."""

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.outcome is not None:
            return OVER
        if not 0 <= seat <= state.seats or (seat == TABLE and not cls.nobodys):
            reason = t("there is no seat {seat}", seat=seat)
            return inconsistent("C3", reason, t("The seats are 1 to {players}.", players=state.seats))
        due = flow.phase(components, state)
        if cls.declared.phases and due not in cls.declared.phases:
            return illegal(due, _instead(components, state, due), t("Do that first."))
        return None


def _instead(components: Components, state: State, due: str) -> str:
    if due == "say":
        return t("{seat} has to say a number first", seat=at(flow.speaker(components, state)))
    if due == "gather":
        return t("{seat} takes the trick first", seat=at(flow.winner(components, state)))
    return INSTEAD.get(due) or t("that is not played here")


class TurnUp(FileAction, frozen=True, tag="turn-up", kw_only=True):
    """A card is turned up that shows the trumps."""

    declared = Declared(t("Turn up a card"), "A", "tricks", ("shown", "say", "trick"))
    upkeep = nobodys = True
    card: Piece

    def judge(self, components: Components, state: State) -> Verdict:
        """One card is turned up before the first is played."""
        if self.card not in components.pieces:
            return inconsistent("C2", t("the deck has no card {card}", card=self.card), t("Look at it again."))
        if state.now.shown or state.now.trick or state.now.tricks:
            return illegal("tricks", t("the trumps are known already"), t("Take it back."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return playing(state, shown=self.card)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{card:capital} is turned up.", card=components.name(self.card))


class Lay(FileAction, frozen=True, tag="lay", kw_only=True):
    """Lay a card to the trick, or into the row."""

    declared = Declared(t("Lay a card"), "A", "tricks", ("trick", "row"))
    card: Piece | Hole

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Lay]:
        left = components.pieces - flow.gone(components, state)
        able = _openers(components, state) or left
        turn = state.now.turn
        seats = range(1, state.seats + 1) if turn == ANYBODY else (turn,)
        return [cls(seat=seat, card=Hole(seat, able, A_CARD)) for seat in seats] if able else ()

    def judge(self, components: Components, state: State) -> Verdict:
        """One card a seat, in turn; no card is refused."""
        card, turn = str(self.card), state.now.turn
        if card not in components.pieces:
            return inconsistent("C2", t("the deck has no card {card}", card=card), t("Look at it again."))
        if turn not in (ANYBODY, self.seat):
            reason = t("it is the turn of {seat}", seat=at(turn))
            return illegal("tricks", reason, t("Take it back and wait for {seat}.", seat=at(turn)))
        if card in flow.gone(components, state):
            reason = t("{card} was played in this round already", card=components.name(card))
            return inconsistent("C2", reason, t("Look at it again."))
        openers = _openers(components, state)
        if openers and card not in openers:
            reason = t("{cards} is played first", cards=components.names(sorted(openers)))
            return illegal("round", reason, t("Take it back."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return _laid(components, state, self.seat, str(self.card))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        if isinstance(self.card, Hole):
            return t("{seat} lays {cards}.", seat=at(self.seat), cards=self.card.words)
        after = _laid(components, state, self.seat, self.card)
        seat, card = at(self.seat), components.name(self.card)
        if len(after.now.revokes) > len(state.now.revokes):
            return t(
                "{seat} lays {card}, and did not follow suit in trick {trick}: that was a revoke.",
                seat=seat,
                card=card,
                trick=after.now.revokes[-1].trick,
            )
        said = t("{seat} lays {cards}.", seat=seat, cards=card)
        if len(after.now.amiss) > len(state.now.amiss):
            return join(" ", (said, flow.amiss_words(components, after.now.amiss[-1])))
        return said

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Lay]:
        tricks = components.score.tricks
        if tricks is not None and zone.partition(".")[0] == tricks.zone and owner_of(zone):
            yield cls(seat=owner_of(zone), card=piece)
        if zone and zone == _row(components):
            yield cls(seat=state.now.turn, card=piece)


def _laid(components: Components, state: State, seat: Seat, card: Piece) -> State:
    row = _row(components)
    if not row:
        return flow.laid_to_trick(components, state, seat, card)
    after = placed(flow.captured(components, state), row, (card,))
    return playing(after, laid=state.now.laid + 1, layer=seat, last=card, turn=state.after(seat))


def _openers(components: Components, state: State) -> frozenset[Piece]:
    """Return the card that has to be played first, where its holder begins."""
    how = components.round
    first = components.score.tricks is not None and not state.now.tricks and not state.now.trick
    return frozenset((how.card,)) if how.first == "holder" and first else frozenset()


class Gather(FileAction, frozen=True, tag="gather", kw_only=True):
    """The trick is taken away."""

    declared = Declared(t("Take the trick away"), "A", "tricks", ("gather",))
    upkeep = nobodys = True

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return flow.gathered(components, state)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        if len(state.now.trick) < state.seats:
            return t("The trick is taken away.")
        return t("The trick goes to {seat}.", seat=at(flow.winner(components, state)))


class Place(FileAction, frozen=True, tag="place", kw_only=True):
    """Lay cards face up where people lay as they like, or those that lie in the row when a round begins."""

    declared = Declared(t("Lay cards"), "A", "table")
    nobodys = True
    zone: Zone
    cards: tuple[Piece, ...]
    slot: int = -1

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return False

    def judge(self, components: Components, state: State) -> Verdict:
        """Whatever lies there is taken as it is."""
        place, base = components.place(self.zone), self.zone.partition(".")[0]
        if place is None or place.own != bool(owner_of(self.zone)) or owner_of(self.zone) > state.seats:
            return inconsistent("C2", t("the mat has no zone {zone!r}", zone=self.zone), t("Lay it elsewhere."))
        if not self.cards or not components.pieces.issuperset(self.cards) or len(set(self.cards)) < len(self.cards):
            reason = t("these are no cards of the deck, or one of them twice")
            return inconsistent("C2", reason, t("Look at them again."))
        if base not in components.free and base not in (components.round.turn_ends, _row(components)):
            return illegal("table", t("what lies on {zone} does not count", zone=self.zone), t("Lay it elsewhere."))
        if place.kind == "slots" and (not 0 <= self.slot < place.slots or len(self.cards) != 1):
            reason = t("{zone} has no such place", zone=self.zone)
            return inconsistent("C2", reason, t("There are {places}.", places=place.slots))
        if base == _row(components) and (self.seat != TABLE or flow.phase(components, state) != "deal"):
            reason = t("{seat} lays the next card", seat=at(state.now.turn))
            return illegal("row", reason, t("Lay one card, in turn."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        place, now = components.place(self.zone), state.now
        slots = place.slots if place is not None and place.kind == "slots" else 0
        after = placed(state, self.zone, self.cards, self.slot, slots)
        base = self.zone.partition(".")[0]
        if base == _row(components):
            return playing(after, laid=now.laid + len(self.cards))
        if base == components.round.turn_ends and now.turn != ANYBODY:
            return playing(after, turn=state.after(now.turn))
        return after

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        if self.seat == TABLE:
            return t("{cards:capital} is laid down.", cards=components.names(self.cards))
        return t("{seat} lays {cards}.", seat=at(self.seat), cards=components.names(self.cards))


class Take(FileAction, frozen=True, tag="take", kw_only=True):
    """Take cards from the row, or the top card of a pile."""

    declared = Declared(t("Take cards"), "A", "row")
    nobodys = True
    zone: Zone
    cards: tuple[Piece, ...]

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return False

    def judge(self, components: Components, state: State) -> Verdict:
        """Who laid a card takes what lies in the row; from a pile anybody takes."""
        there = frozenset(state.lies(self.zone))
        base = self.zone.partition(".")[0]
        if base not in (_row(components), components.round.turn_ends) or not base:
            return illegal("row", t("nothing is taken from {zone}", zone=self.zone), t("Put it back."))
        if not self.cards or not there.issuperset(self.cards) or "" in self.cards:
            return inconsistent("C2", t("these cards do not lie there"), t("Look at them again."))
        if base == _row(components) and self.seat == TABLE:
            return illegal("row", t("nobody has laid a card yet"), t("Put it back."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        after, now = lifted(state, self.cards), state.now
        if self.zone.partition(".")[0] != _row(components):
            return after
        after = flow.took(after, self.seat, self.cards)
        sweeps = list(now.sweeps)
        if not any(after.lies(self.zone)) and now.laid < len(components.pieces):
            sweeps[self.seat - 1] += 1
        # Who takes late, when the next card was laid, has laid another one than the last.
        capture = (*now.capture, *self.cards) if self.seat == now.layer else now.capture
        return playing(after, taker=self.seat, sweeps=tuple(sweeps), capture=capture)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        cards = components.names(self.cards)
        if self.seat == TABLE:
            return t("Somebody takes {cards}.", cards=cards)
        return t("{seat} takes {cards}.", seat=at(self.seat), cards=cards)


def _row(components: Components) -> Zone:
    return components.score.row.zone if components.score.row is not None else ""


def freely(
    components: Components, state: State, came: tuple[Found, ...], gone: tuple[Found, ...]
) -> Iterable[FileAction]:
    """Yield the actions that explain cards which came or are gone, zone by zone, from the first."""
    tricks, row = components.score.tricks, _row(components)
    known = [one for one in came if one.piece in components.pieces]
    if tricks is not None and tricks.shown:
        yield from (TurnUp(card=one.piece) for one in known if one.zone == tricks.shown)
    laid = [one.piece for one in known if row and one.zone == row]
    taken = tuple(one.piece for one in gone if row and one.zone == row)
    if laid and flow.phase(components, state) == "deal":
        yield Place(zone=row, cards=(laid[0],))
    elif taken and not laid:
        to = components.score.row.to if components.score.row is not None else ""
        seen = [owner_of(one.zone) for one in known if one.zone.startswith(f"{to}.") and one.piece in taken]
        yield Take(seat=seen[0] if seen else state.now.layer, zone=row, cards=taken)
    elif not laid:
        yield from _beside_the_row(components, state, known, gone)


def _beside_the_row(
    components: Components, state: State, known: list[Found], gone: tuple[Found, ...]
) -> Iterable[FileAction]:
    ends = components.round.turn_ends
    for zone in dict.fromkeys(one.zone for one in known):
        base, place = zone.partition(".")[0], components.place(zone)
        if place is None or base not in (*components.free, ends):
            continue
        here = [one for one in known if one.zone == zone]
        seat = owner_of(zone) or state.now.turn
        if place.kind == "slots":
            yield Place(seat=seat, zone=zone, cards=(here[0].piece,), slot=here[0].slot)
        else:
            yield Place(seat=seat, zone=zone, cards=tuple(one.piece for one in here))
        return
    if ends and (picked := [one for one in gone if one.zone == ends]):
        yield Take(seat=state.now.turn, zone=ends, cards=(picked[0].piece,))
