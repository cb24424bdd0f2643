"""Keeping a match true to the table: what does not add up, corrections, the host's end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.five_cards_collector.components import Components
from companion.games.five_cards_collector.preparation import begin, turned_up
from companion.games.five_cards_collector.state import NO_CARD, NO_GOAL, UNREAD_GOAL, State
from companion.games.five_cards_collector.steps import over, wanted, with_hand, with_player, won
from companion.rules.cards import Piece
from companion.rules.corrections import (
    ENDED_BY_HOST,
    adds_up,
    apply_edits,
    bad,
    copies_swapped,
    in_one_place,
    lifted,
    seat_of,
    seat_there,
    sentences,
    shared_out,
)
from companion.rules.hands import Hand
from companion.rules.kernel import AnyEdit, Counts, Outcome, Seat, at
from companion.rules.layout import Zone
from companion.rules.wording import all_of, cards
from companion.text import t


def audit(components: Components, state: State) -> tuple[str, ...]:
    """Return one sentence for everything that does not add up."""
    return sentences([*_places(components, state), *_counts(components, state), *_zones(components, state)])


def _places(components: Components, state: State) -> Iterator[str]:
    lying = [*state.discard, *state.used, *state.unseen, *([state.in_use] if state.in_use else ())]
    for player in state.players:
        lying += [*player.collected, *player.hand.known]
    yield from in_one_place(lying, components.in_play(len(state.players)), components.name)
    goals = Counter(player.goal for player in state.players if player.goal not in (NO_GOAL, UNREAD_GOAL))
    yield from [
        t("{goal} lies before {count} players.", goal=components.name(goal), count=n)
        for goal, n in sorted(goals.items())
        if n > 1
    ]
    yield from [
        t("{goal} is no collection card.", goal=components.name(goal))
        for goal in sorted(goals)
        if goal not in components.goals
    ]
    if state.phase not in ("goals", "over") and goals.total() < len(state.players):
        yield t("there is a player without a collection card.")


def _counts(components: Components, state: State) -> Iterator[str]:
    """Check the numbers of unseen cards (in the deck, in hands, unread), and the limits of hands and passes."""
    hidden = state.deck + sum(player.hand.unknown for player in state.players) + state.unread
    if hidden != len(state.unseen):
        yield t(
            "the deck and the hands hold {cards} that nobody has seen; that should be {unseen}.",
            cards=cards(hidden),
            unseen=len(state.unseen),
        )
    if state.deck < 0:
        yield t("The deck has fewer than no cards.")
    for seat, player in enumerate(state.players, 1):
        if player.hand.unknown < 0:
            yield t("The hand of {seat} has fewer than no unknown cards.", seat=at(seat))
        if player.hand.size > room(state, seat):
            yield t(
                "{seat} holds {cards}; the limit is {room} (F4).",
                seat=at(seat),
                cards=cards(player.hand.size),
                room=room(state, seat),
            )
        if not 0 <= player.passes <= (components.two_player_passes if len(state.players) == 2 else 0):
            yield t("{seat} has made no move {passes} times (F8).", seat=at(seat), passes=player.passes)


def room(state: State, seat: Seat) -> int:
    """Return the most cards that a hand can hold: one less while a special in use is about to bring one (F4)."""
    return state.limit - (seat == state.turn and state.phase in ("take", "retrieve"))


def _zones(components: Components, state: State) -> Iterator[str]:
    """Check that piles and collections hold what belongs there, and that a choice due has a special in use."""
    yield from [
        t("{piece} lies in the discard pile.", piece=components.name(p))
        for p in state.discard
        if p not in components.symbols
    ]
    yield from [
        t("{piece} lies with the used specials.", piece=components.name(p))
        for p in state.used
        if p not in components.specials
    ]
    if not state.discard and state.phase not in ("goals", "turn-up", "over"):
        yield t("The discard pile is empty (F9).")
    for seat, player in enumerate(state.players, 1):
        belongs = frozenset().union(*(components.copies[p] for p in components.shows.get(player.goal, ())))
        yield from [
            t("{piece} does not belong to {seat}.", piece=components.name(p), seat=at(seat))
            for p in player.collected
            if p not in belongs
        ]
        twice = len(player.collected) - len({components.copies.get(p) for p in player.collected})
        if twice:
            yield t("{seat} has collected the same symbol twice.", seat=at(seat))
    if bool(state.in_use) != (state.phase in ("take", "retrieve", "take-over")):
        yield t(
            "The step {phase} does not go with {in_use} in use.",
            phase=state.phase,
            in_use=state.in_use or t("no special"),
        )
    if (state.outcome is not None) != (state.phase == "over"):
        yield t("The match is over without an outcome, or has one and goes on.")
    if state.turn not in state.seats or state.direction not in (1, -1) or not 0 <= state.idle <= len(state.players):
        yield t("The turn, the direction or the count of turns without a move is none that can be.")


def correct(components: Components, state: State, edits: tuple[AnyEdit, ...]) -> State:
    """Make the state agree with the edits (C8).

    A card that nobody had seen comes, unless Counts says otherwise, out of the hand that its new place suggests, if
    that can be; the deck makes up the difference. If only the deck is counted, the hands do. The end of the match is
    checked afterwards. Raises RuleError if an edit names no such card, place or seat, or the result does not add up.
    """
    counted = {edit.place for edit in edits if isinstance(edit, Counts)}
    state = apply_edits(
        state,
        edits,
        instead=lambda now, edit: copies_swapped(now, components.card, edit),
        lies=lambda now, edit: _lies(components, now, edit.piece, edit.zone, counted),
        counts=lambda now, edit: _count(now, edit.place, edit.count),
        turns=lambda now, edit: _turns(now, edit.seat),
    )
    if counted == {"deck"}:
        state = _share_out(state)
    elif "deck" not in counted:
        hidden = sum(player.hand.unknown for player in state.players) + state.unread
        state = replace(state, deck=len(state.unseen) - hidden)
    adds_up(audit(components, state))
    return _check_end(components, state)


def _lies(components: Components, state: State, piece: Piece, zone: Zone, counted: set[str]) -> State:
    area = zone.partition(".")[0]
    if piece in components.goals:
        if area != "goal":
            raise bad(
                t("{piece} is a collection card", piece=components.name(piece)),
                t("It lies in goal.1, goal.2 and so on."),
            )
        return _goal_lies(components, state, piece, seat_of(zone, state.seats, "collection.1"))
    if piece not in components.in_play(len(state.players)):
        raise bad(
            t("{piece} is not one of the cards that are shuffled", piece=components.name(piece)),
            t("Leave it in the box."),
        )
    if piece == state.in_use and zone == "used":
        return state  # On the table it lies there already.
    unread = state.unread and zone in ("discard", "used")
    unseen = piece in state.unseen
    # A card that comes to light in front of a player was in that hand, on a pile in the hand of the seat on turn;
    # an unread card that is read now was in no hand.
    suggested = (
        state.turn
        if area in ("discard", "used")
        else 0
        if zone == "deck"
        else seat_of(zone, state.seats, "collection.1")
    )
    state = _lift(state, piece)
    if unseen and suggested and not unread and f"hand.{suggested}" not in counted:
        hand = state.players[suggested - 1].hand
        if hand.unknown:
            less = Hand(hand.known, hand.unknown - 1)
            state = replace(state, players=with_hand(state.players, suggested, less))
    if (
        state.phase == "turn-up"
        and (unread or unseen)
        and zone == ("discard" if piece in components.symbols else "used")
    ):
        return turned_up(components, replace(state, unread=False), piece)
    return _put(state, piece, area, zone)


def _goal_lies(components: Components, state: State, goal: Piece, seat: Seat) -> State:
    players = tuple(
        replace(player, goal=NO_GOAL if n != seat and player.goal == goal else player.goal)
        for n, player in enumerate(state.players, 1)
    )
    players = with_player(players, seat, replace(players[seat - 1], goal=goal))
    return begin(replace(state, players=players))


def _lift(state: State, piece: Piece) -> State:
    """Take a card away from wherever it is; without the special in use its choice is due no more."""
    left = lifted(state, piece)
    return replace(left, phase="turn") if state.in_use and not left.in_use else left


def _put(state: State, piece: Piece, area: str, zone: Zone) -> State:
    if zone == "discard":
        return replace(state, discard=(*state.discard, piece))
    if zone == "used":
        return replace(state, used=(*state.used, piece))
    if zone == "deck":
        return replace(state, unseen=state.unseen | {piece})
    seat = seat_of(zone, state.seats, "collection.1")
    player = state.players[seat - 1]
    if area == "collection":
        player = replace(player, collected=(*player.collected, piece))
    elif area == "hand":
        player = replace(player, hand=Hand(player.hand.known | {piece}, player.hand.unknown))
    else:
        raise bad(
            t("no card lies in {zone!r}", zone=zone), t("Name discard, used, deck, hand.1, collection.1 and so on.")
        )
    return replace(state, players=with_player(state.players, seat, player))


def _count(state: State, place: str, count: int) -> State:
    if place == "deck":
        return replace(state, deck=count)
    if place.partition(".")[0] != "hand":
        raise bad(
            t("there are no unseen cards at {place!r}", place=place), t("Count the deck, hand.1, hand.2 and so on.")
        )
    seat = seat_of(place, state.seats, "collection.1")
    hand = state.players[seat - 1].hand
    return replace(state, players=with_hand(state.players, seat, Hand(hand.known, count)))


def _share_out(state: State) -> State:
    more = len(state.unseen) - state.deck - state.unread - sum(player.hand.unknown for player in state.players)
    refusal = bad(t("no hand can hold the cards that the deck lacks"), t("Count every hand, in the same step."))
    hands = shared_out([player.hand for player in state.players], more, lambda seat: room(state, seat), refusal)
    players = tuple(replace(player, hand=hand) for player, hand in zip(state.players, hands, strict=True))
    return replace(state, players=players)


def _turns(state: State, seat: Seat) -> State:
    """Start a turn of this seat; a special in use has done its work."""
    seat_there(seat, state.seats)
    if state.phase in ("goals", "turn-up", "over"):
        return replace(state, turn=seat)
    used = (*state.used, state.in_use) if state.in_use else state.used
    return replace(state, turn=seat, phase="turn", used=used, in_use=NO_CARD)


def _check_end(components: Components, state: State) -> State:
    """End the match after a correction, or resume it: all five win; a win that was corrected away is none (F7)."""
    complete = [
        n for n in state.seats if (player := state.players[n - 1]).collected and not wanted(components, player).pieces
    ]
    if state.outcome is not None:
        if state.outcome.ending != "five-collected" or set(state.outcome.winners) <= set(complete):
            return state
        state = replace(state, outcome=None, phase="turn")
    if len(complete) < 2:
        return won(state, complete[0]) if complete else state
    words = t("{seats} have collected all five cards and share the win.", seats=all_of(at(seat) for seat in complete))
    return over(state, Outcome(tuple(complete), "five-collected", "F7", words))


def end(state: State) -> State:
    """End the match without a winner (C8)."""
    if state.outcome is not None:
        return state
    return over(state, ENDED_BY_HOST)
