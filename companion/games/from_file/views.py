"""What can be seen of a match: the layout of the table, the score, and every seat's view."""

from __future__ import annotations

from companion.games.from_file import flow
from companion.games.from_file.components import TRICKS, Components
from companion.games.from_file.saying import named
from companion.games.from_file.scoring import side_of, sides
from companion.games.from_file.state import ANYBODY, State
from companion.rules.kernel import TABLE, Part, Seat, SeatStanding, Shelf, Standing, View, at
from companion.rules.layout import (
    Anything,
    AnythingBut,
    Area,
    Empty,
    Exactly,
    Layout,
    Loose,
    Open,
    OpenSlots,
    Pile,
    Zone,
)
from companion.rules.wording import all_of
from companion.text import join, t, word

ANYTHING, NOTHING = Pile(Anything()), Pile(Empty())


def layout(components: Components, state: State) -> Layout:
    """Return what should lie where; where nothing counts, anything may lie."""
    zones: dict[Zone, Area] = {}
    for base, place in components.places.items():
        for zone in components.zones(base, state.seats):
            if place.kind != "tray":
                zones[zone] = ANYTHING if state.outcome else _area(components, state, base, zone)
    return Layout(zones)


def _area(components: Components, state: State, base: Zone, zone: Zone) -> Area:
    tricks, row, now = components.score.tricks, components.score.row, state.now
    lying = tuple(piece for piece in state.lies(zone) if piece)
    if tricks is not None and base == tricks.zone:
        card = next((card for seat, card in now.trick if zone == f"{base}.{seat}"), "")
        return Pile(Exactly(card)) if card else NOTHING
    if tricks is not None and base == tricks.shown:
        return Open(frozenset((now.shown,) if now.shown else ()))
    if row is not None and base == row.zone:
        return Loose(frozenset(lying))
    if row is not None and base == row.to:
        # Whose pile a card of the row is laid on says who takes it.
        return Pile(AnythingBut(frozenset(piece for piece in state.lies(row.zone) if piece)))
    if base == components.round.turn_ends:
        return Pile(Exactly(lying[-1]), frozenset(lying[:-1])) if lying else NOTHING
    if base not in components.free:
        return ANYTHING
    place = components.places[base]
    if place.kind == "slots":
        places = state.lies(zone) or ("",) * place.slots
        return OpenSlots(tuple(Exactly(piece) if piece else Empty() for piece in places))
    if tricks is not None:  # what is shown is played from there
        lying = tuple(piece for piece in lying if piece not in flow.gone(components, state))
    return Open(frozenset(lying))


def standing(components: Components, state: State) -> Standing:
    """Return the points over all rounds, with what the current or the last round comes to."""
    score = components.score
    none = (0,) * len(sides(score, state.seats))
    over = state.outcome is not None
    live = none if over else flow.worth(components, state).points
    before = flow.totals(state) or none
    sure = none if over else flow.worth(components, state, frozenset()).points
    seats, everybody = [], range(1, state.seats + 1)
    for seat in everybody:
        side = side_of(score, state.seats, seat)
        parts = [Part(t("round {number}", number=state.number), live[side], seat)] if not over else []
        if state.past:
            last = len(state.past)
            parts.append(Part(t("round {number}", number=last), state.past[-1].points[side], seat))
            parts += _blocks(components, state, seat)
        # What lies there counts when the round is over; what was typed or filled counts at once.
        deals = t("deals this round") if seat == state.dealer and not over and score.dice is None else ""
        seats.append(SeatStanding(seat, before[side] + sure[side], tuple(parts), deals))
    rounds = tuple(tuple(past.points[side_of(score, state.seats, seat)] for seat in everybody) for past in state.past)
    return Standing(tuple(seats), state.outcome, flow.goal_of(components, state), rounds=rounds)


def _blocks(components: Components, state: State, seat: Seat) -> list[Part]:
    values = dict(state.past[-1].blocks)
    return [
        Part(block.says or block.name, values[block.name][seat - 1], seat)
        for block in components.score.score
        if block.counts and not block.box and values.get(block.name, (0,) * state.seats)[seat - 1]
    ]


def due(components: Components, state: State) -> str:
    """Return what is due, as a sentence."""
    phase = flow.phase(components, state)
    if state.outcome is not None:
        return state.outcome.words
    if phase == "say":
        return t("{seat} says a number.", seat=at(flow.speaker(components, state)))
    if phase == "shown":
        return t("Turn a card up for trumps.")
    if phase == "gather":
        return t("The trick goes to {seat}: take it away.", seat=at(flow.winner(components, state)))
    if phase == "deal":
        row = components.score.row
        return t("Lay {count} cards in the row.", count=row.dealt if row else 0)
    if phase == "trick" and state.now.turn == ANYBODY:
        return t("Whoever has {card} begins.", card=components.name(components.round.card))
    if phase == "trick" and (drawing := flow.drawing(components, state)):
        return join(" ", (drawing, t("It is the turn of {turn}.", turn=at(state.now.turn))))
    if state.now.turn != ANYBODY:
        return t("It is the turn of {turn}.", turn=at(state.now.turn))
    return t("Round {number}: play, and tap when it is over.", number=state.number)


def headline(components: Components, state: State) -> str:
    """Return what is going on in a sentence, and what in this round breaks what the file declares."""
    words = due(components, state)
    if state.now.revokes and not state.outcome:
        last = state.now.revokes[-1]
        revoke = t("{seat} did not follow suit in trick {trick}.", seat=at(last.seat), trick=last.trick)
        return join(" ", (words, revoke))
    if state.now.amiss and not state.outcome and state.now.laid - state.now.amiss[-1].laid_before <= state.seats:
        return join(" ", (words, flow.amiss_words(components, state.now.amiss[-1])))
    messages = flow.messages(components, state, live=True)
    return join(" ", (words, *messages)) if messages else words


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what everybody may see; nothing that lies here is secret."""
    return View(
        seat,
        headline(components, state),
        flow.actors(components, state),
        shelves=tuple(_shelves(components, state)),
        numbers=tuple(_numbers(components, state)),
    )


def _shelves(components: Components, state: State) -> list[Shelf]:
    found = []
    if state.now.trick:
        who = all_of(at(seat) for seat, _ in state.now.trick)
        found.append(Shelf(t("Trick"), tuple(card for _, card in state.now.trick), words=t("Laid by {who}", who=who)))
    if state.now.shown:
        found.append(Shelf(t("Trumps"), (state.now.shown,)))
    for zone, pieces in state.now.lying:
        shown = tuple(piece for piece in pieces if piece)
        base, _, seat = zone.partition(".")
        if shown and base != components.round.turn_ends:
            title = word(base.replace("_", " ").capitalize())
            if seat:
                title = t("{zone} of {seat}", zone=title, seat=at(int(seat)))
            found.append(Shelf(title, shown, seat=int(seat or TABLE)))
    return found


def _numbers(components: Components, state: State) -> list[Part]:
    won = state.outcome is not None and bool(state.outcome.winners)
    found = [Part(t("round"), state.number - won)]
    table = flow.table(components, state)
    for seat in range(1, state.seats + 1):
        for name, entry in components.entries.items():
            said = state.said(name)[seat - 1]
            if said is not None and name != TRICKS.name:
                what = t("{what}, {name}", what=entry.words, name=named(entry, said)) if entry.names else entry.words
                found.append(Part(t("{what} of {seat}", what=what, seat=at(seat)), said, seat, what=what))
        if components.score.tricks is not None:
            name = t("tricks of {seat}", seat=at(seat))
            found.append(Part(name, table.tricks[seat - 1] if table.tricks else 0, seat, what=t("tricks")))
            if components.hand(state.number) and state.outcome is None:
                left = components.held(state, len(state.now.tricks) + any(one == seat for one, _ in state.now.trick))
                name = t("cards in hand of {who}", who=at(seat))
                found.append(Part(name, left, seat, what=t("cards in hand"), thing="hand"))
        elif components.score.row is not None:
            name = t("cards taken by {seat}", seat=at(seat))
            found.append(Part(name, len(state.now.taken[seat - 1]), seat, what=t("cards taken")))
    if state.now.dice:
        found += [Part(t("die {number}", number=n), value) for n, value in enumerate(state.now.dice, 1)]
    return found
