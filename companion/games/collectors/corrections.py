"""Keeping a match true to the table: what does not add up, corrections, the host's end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.collectors.components import AREA, BOTTLES, Components
from companion.games.collectors.quarter import POOLS, income, pool, refill, slot_zone, start_quarter, unread, with_pool
from companion.games.collectors.scoring import scored
from companion.games.collectors.spaces import auction_lacks
from companion.games.collectors.state import BOARD, BOX, NONE, UNREAD, Player, State
from companion.games.collectors.steps import actors, on_board, places, recycled, with_player
from companion.rules.cards import Piece
from companion.rules.corrections import (
    ENDED_BY_HOST,
    adds_up,
    apply_edits,
    bad,
    in_one_place,
    lifted,
    seat_of,
    seat_there,
    sentences,
    shared_out,
    without_limit,
)
from companion.rules.hands import Hand
from companion.rules.kernel import AnyEdit, Counts, Seat, at
from companion.rules.layout import Zone
from companion.rules.wording import cards
from companion.text import t


def audit(components: Components, state: State) -> tuple[str, ...]:
    """Return one sentence for everything that does not add up."""
    return sentences([*_cards(components, state), *_counts(state), *_bottles(components, state), *_turn(state)])


def _cards(components: Components, state: State) -> list[str]:
    lying = [card for pieces in places(components, state).values() for card in pieces]
    return in_one_place([*lying, *state.unseen], components.pieces, components.name)


def _counts(state: State) -> Iterator[str]:
    hidden = state.deck + len(unread(state)) + (state.lot == UNREAD)
    hidden += sum(player.hand.unknown + player.income + player.secrets for player in state.players)
    if hidden != len(state.unseen):
        yield t("{cards} lie hidden, but {unseen} have not been seen.", cards=cards(hidden), unseen=len(state.unseen))
    if state.deck < 0:
        yield t("The deck has fewer than no cards.")
    for seat, player in enumerate(state.players, 1):
        if min(player.hand.unknown, player.income, player.secrets, player.coins) < 0:
            yield t("{seat} has fewer than no cards or coins.", seat=at(seat))


def _bottles(components: Components, state: State) -> Iterator[str]:
    for seat, player in enumerate(state.players, 1):
        strange = [place for place in player.bottles if place and place not in BOARD and place not in AREA]
        if strange or len(player.bottles) != BOTTLES:
            yield t("The bottles of {seat} are not where bottles can be.", seat=at(seat))
        on = [place for place in player.bottles if place in BOARD]
        if len(on) != len(set(on)):
            yield t("Two bottles of {seat} are on one position.", seat=at(seat))
    spaces = Counter(p for player in state.players for p in player.bottles if p in AREA and not recycled(state, p))
    yield from [
        t("There are {count} bottles on {space}.", count=count, space=components.space(space))
        for space, count in spaces.items()
        if count > 1
    ]


def _turn(state: State) -> Iterator[str]:
    if (state.outcome is not None) != (state.phase == "over"):
        yield t("The match is over without an outcome, or has one and goes on.")
    if state.phase != "over" and not actors(state):
        yield t("Nobody is due, and the match is not over.")
    seats = state.seats
    if state.turn not in seats or state.first not in seats or state.next_first not in seats:
        yield t("The turn, or the 1st player token, is at a seat that is not there.")
    if state.phase == "turn" and not on_board(state.players[state.turn - 1]):
        yield t("It is the turn of {turn}, who has no bottle (K14).", turn=at(state.turn))
    if state.phase == "offer" and (lacks := auction_lacks(state, state.players[state.turn - 1].coins)):
        yield f"{lacks}."
    bids = state.phase in ("bid", "pay", "put") or state.due == ("paid",)
    if bids != (state.lot != NONE and state.auction is not None):
        yield t("There is an auction without a card, or a card without an auction.")


def correct(components: Components, state: State, edits: tuple[AnyEdit, ...]) -> State:
    """Make the state agree with the edits (C8).

    A card that nobody had seen comes, unless Counts says otherwise, out of the hand that its new place suggests; the
    deck makes up the difference. Counts also sets coins ("coins.2"), cards face down ("income.2", "treasure.2") and the
    quarter ("quarter"). Where nobody is due any more in a step that ends by itself, the match goes on. Raises RuleError
    if an edit names no such card, place or seat, or the result does not add up.
    """
    counted = {edit.place for edit in edits if isinstance(edit, Counts)}
    state = apply_edits(
        state,
        edits,
        instead=lambda now, edit: _change_places(components, now, edit.piece, edit.other),
        lies=lambda now, edit: _lies(components, now, edit.piece, edit.zone, counted),
        counts=lambda now, edit: _count(now, edit.place, edit.count),
        turns=lambda now, edit: _turns(components, now, edit.seat),
    )
    if counted == {"deck"}:
        state = _share_out(state)
    elif "deck" not in counted:
        state = replace(state, deck=len(state.unseen) - _hidden(state))
    following = {"treasure": refill, "retrieve": income, "reveal": scored}.get(state.phase)
    if following is not None and not actors(state):
        state = following(components, state)
    adds_up(audit(components, state))
    return scored(components, state) if state.outcome and state.outcome.ending == "points" else state


def _hidden(state: State) -> int:
    hands = sum(player.hand.unknown + player.income + player.secrets for player in state.players)
    return hands + len(unread(state)) + (state.lot == UNREAD)


def _lies(components: Components, state: State, piece: Piece, zone: Zone, counted: set[str]) -> State:
    if piece in components.owner:
        return _bottle_lies(components, state, piece, zone)
    if piece not in components.pieces:
        raise bad(t("{piece} is none of the cards", piece=components.name(piece)), t("Leave it in the box."))
    unseen = piece in state.unseen
    area = zone.partition(".")[0]
    suggested = seat_of(zone, state.seats, "items.1") if "." in zone else 0
    if area in ("auctioned", "paid", "open") or area.startswith("market"):
        suggested = state.actor or state.turn
    state = lifted(state, piece, slots=("auction_pool", "item_pool", "skill_pool"), keep=("twins",))
    if unseen and suggested and f"hand.{suggested}" not in counted:
        player = state.players[suggested - 1]
        if player.hand.unknown:
            hand = Hand(player.hand.known, player.hand.unknown - 1)
            state = replace(state, players=with_player(state, suggested, replace(player, hand=hand)))
    return _put(components, state, piece, zone)


def _put(components: Components, state: State, piece: Piece, zone: Zone) -> State:
    area = zone.partition(".")[0]
    if area == "deck":
        return replace(state, unseen=state.unseen | {piece})
    if area == "paid":
        return replace(state, paid=(*state.paid, piece))
    if area == "market" or area.startswith("market-"):
        return replace(state, market=(*state.market, piece))
    if area == "auctioned" and state.lot == NONE and state.auction is not None:
        return replace(state, lot=piece)
    for name in POOLS:
        slots = pool(state, name)
        index = next((n for n in range(len(slots)) if slot_zone(name, n) == zone), None)
        if index is not None:
            if slots[index] not in (NONE, UNREAD):
                reason = t("{slot} lies there already", slot=components.name(slots[index]))
                raise bad(reason, t("Say where that card is, too."))
            due = tuple(slot for slot in state.due if slot != zone)
            state = with_pool(state, name, (*slots[:index], piece, *slots[index + 1 :]))
            if state.phase == "fill" and not due:
                reason = t("the last card of a pool comes up by itself")
                raise bad(reason, t("Lay it there, or name it as it comes up."))
            return replace(state, due=due)
    seat = seat_of(zone, state.seats, "items.1")
    player = state.players[seat - 1]
    if area == "items":
        player = replace(player, items=(*player.items, piece))
    elif area == "skills":
        player = replace(player, skills=(*player.skills, piece))
    elif area == "hand":
        player = replace(player, hand=Hand(player.hand.known | {piece}, player.hand.unknown))
    else:
        raise bad(
            t("no card lies in {zone!r}", zone=zone),
            t("Name a slot of a pool, market, paid, deck, items.1, skills.1, hand.1."),
        )
    return replace(state, players=with_player(state, seat, player))


def _bottle_lies(components: Components, state: State, piece: Piece, zone: Zone) -> State:
    seat = components.owner[piece]
    area, _, owner = zone.partition(".")
    place = area.removeprefix("bottle-") if area.startswith("bottle-") and owner == f"{seat}" else area
    if place == "supply" or area == "hand":
        place = BOX
    elif place not in BOARD and place not in AREA:
        raise bad(
            t("no bottle of {seat} lies in {zone!r}", seat=at(seat), zone=zone),
            t("Name bottle-1.1 to bottle-5.1, a space, or supply."),
        )
    if seat not in state.seats:
        raise bad(t("nobody plays with {piece}", piece=components.name(piece)), t("Leave it in the box."))
    number = components.bottles[seat].index(piece)
    player = state.players[seat - 1]
    bottles = (*player.bottles[:number], place, *player.bottles[number + 1 :])
    state = replace(state, players=with_player(state, seat, replace(player, bottles=bottles)))
    if state.phase == "turn" and not on_board(state.players[state.turn - 1]):
        return start_quarter(components, replace(state, first=state.first))
    return state


def _change_places(components: Components, state: State, piece: Piece, other: Piece) -> State:
    """Exchange two bottles of a colour, which are alike; no two cards are."""
    seat = components.owner.get(piece, 0)
    if seat not in state.seats or components.owner.get(other) != seat:
        raise bad(
            t("{piece} and {other} are not two bottles of one colour", piece=piece, other=other),
            t("Say which cards lie where instead."),
        )
    tokens, player = components.bottles[seat], state.players[seat - 1]
    first, second = tokens.index(piece), tokens.index(other)
    places = list(player.bottles)
    places[first], places[second] = places[second], places[first]
    return replace(state, players=with_player(state, seat, replace(player, bottles=tuple(places))))


def _count(state: State, place: str, count: int) -> State:
    if place == "deck":
        return replace(state, deck=count)
    if place == "quarter":
        if not 1 <= count <= 4:
            raise bad(t("there is no quarter {count}", count=count), t("The quarters are 1 to 4."))
        return replace(state, quarter=count)
    area = place.partition(".")[0]
    if area not in ("hand", "coins", "income", "treasure"):
        raise bad(
            t("nothing is counted at {place!r}", place=place),
            t("Count the deck, hand.1, coins.1, income.1 or treasure.1."),
        )
    seat = seat_of(place, state.seats, "items.1")
    player = state.players[seat - 1]
    if area == "hand":
        player = replace(player, hand=Hand(player.hand.known, count))
    elif area == "coins":
        player = replace(player, coins=count)
    else:
        player = replace(player, income=count) if area == "income" else replace(player, secrets=count)
    return replace(state, players=with_player(state, seat, player))


def _share_out(state: State) -> State:
    short = len(state.unseen) - state.deck - _hidden(state)
    refusal = bad(t("no hand can give the cards that the deck has too many"), t("Count every hand, in the same step."))
    hands = shared_out([player.hand for player in state.players], short, without_limit, refusal)
    players = tuple(replace(player, hand=hand) for player, hand in zip(state.players, hands, strict=True))
    return replace(state, players=players)


def _turns(components: Components, state: State, seat: Seat) -> State:
    seat_there(seat, state.seats)
    if state.phase not in ("turn", "buy", "skill", "raise", "offer"):
        raise bad(t("another step is due than a turn"), t("Finish it first."))
    if not on_board(state.players[seat - 1]):
        raise bad(t("{seat} has no bottle to place", seat=at(seat)), t("Give the turn to a seat with a bottle (K14)."))
    return replace(state, turn=seat, phase="turn", space="", came="", left=0, unable=None)


def end(state: State) -> State:
    """End the match without a winner (C8); a card up for auction goes to the paid pile."""
    if state.outcome is not None:
        return state
    players, lot = state.players, state.lot
    paid = (*state.paid, *state.laid, *((lot,) if lot not in (NONE, UNREAD) else ()))
    if lot == UNREAD:
        # Nobody knows it: it goes back to the hand of whoever offered it.
        player: Player = state.players[state.turn - 1]
        hand = Hand(player.hand.known, player.hand.unknown + 1)
        players = with_player(state, state.turn, replace(player, hand=hand))
    return replace(
        state,
        players=players,
        paid=paid,
        laid=(),
        lot=NONE,
        auction=None,
        due=(),
        phase="over",
        outcome=ENDED_BY_HOST,
    )
