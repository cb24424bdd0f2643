"""Keeping a match true to the table: what does not add up, corrections, the host's end."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.karmic_collections.components import Components
from companion.games.karmic_collections.ending import counted
from companion.games.karmic_collections.setup import set_up
from companion.games.karmic_collections.spaces import CHIT, COIN, DIE, SPACES, STEPS, amount
from companion.games.karmic_collections.state import Bags, Player, State
from companion.games.karmic_collections.steps import (
    FRESH,
    begin_turn,
    feasible,
    lacking,
    opposite,
    proceed,
    stuck,
    with_player,
    without_dice,
)
from companion.rules.cards import Piece
from companion.rules.corrections import ENDED_BY_HOST, adds_up, bad, in_one_place, seat_of, seat_there, sentences
from companion.rules.kernel import TABLE, AnyEdit, Counts, Instead, Lies, Seat, Turns, at
from companion.rules.layout import Zone
from companion.rules.seats import numbered
from companion.text import t


def audit(components: Components, state: State) -> tuple[str, ...]:
    """Return one sentence for everything that does not add up."""
    wrong = [*_places(components, state), *_owned(components, state), *_phases(components, state), *_turn(state)]
    return sentences(wrong)


def _places(components: Components, state: State) -> list[str]:
    lying = [*state.unseen, *(piece for player in state.players for piece in player.hand)]
    return in_one_place(lying, components.all, components.name)


def _owned(components: Components, state: State) -> Iterator[str]:
    for seat, player in enumerate(state.players, 1):
        if player.coins < 0 or player.chits < 0:
            yield t("{seat} owes coins or chits.", seat=at(seat))
        if list(player.dice) != sorted(player.dice) or not all(1 <= value <= components.sides for value in player.dice):
            yield t("{seat} has dice that show {dice}.", seat=at(seat), dice=player.dice)
        if not player.up <= frozenset(state.seats) - {seat}:
            yield t("{seat} has partner tokens of players who are not there.", seat=at(seat))
    players, bags = state.players, state.bags
    for what, have, out in (
        (COIN, sum(player.coins for player in players), bags.coins),
        (DIE, sum(len(player.dice) for player in players), bags.dice),
        (CHIT, sum(player.chits for player in players), bags.chits),
    ):
        if have != out:
            yield t("the players have {amount}, and {out} came out of the bag.", amount=amount(have, what), out=out)


def _phases(components: Components, state: State) -> Iterator[str]:
    phase, playing = state.phase, state.phase in ("first", "second", "act", "end")
    if (state.outcome is not None) != (phase == "over"):
        yield t("the match is over without an outcome, or has one and goes on.")
    if (phase == "deal") != bool(lacking(components, state)) and phase in ("deal", "dice"):
        yield t("cards are dealt to nobody, or are still to be dealt.")
    if phase == "dice" and not without_dice(state):
        yield t("dice are waited for that have been rolled.")
    if (state.turn not in state.seats) != (phase in ("deal", "dice", "lot")) and phase != "over":
        yield t("it is nobody's turn.")
    if playing != (state.partner != TABLE) or (playing and state.partner == state.turn):
        yield t("a turn goes on without a karmic partner, or there is one and no turn.")
    if playing and state.partner not in state.players[state.turn - 1].up:
        yield t("the token of {partner} lies forward and is turned down.", partner=at(state.partner))
    if (phase == "tokens") != (phase in ("tokens", "partner") and not state.players[state.turn - 1].up):
        yield t("partner tokens wait to be turned up that are up, or the other way round.")


def _turn(state: State) -> Iterator[str]:
    sides = [SPACES[name].side for name in state.spaces if name in SPACES]
    if len(sides) != len(state.spaces) or len(sides) > 2 or len(set(sides)) != len(sides):
        yield t("the pawns are not on a light and a dark action.")
    if state.phase == "act" and (not sides or not 0 <= state.step < len(STEPS[state.spaces[-1]])):
        yield t("an action is performed that has no such step.")
    elif state.phase == "act" and (missing := stuck(state)) is not None:
        title, words = SPACES[state.spaces[-1]].title, missing.part.words
        yield t("{title} is under way, and the part {words!r} can't be done.", title=title, words=words)
    if not state.concealed <= (state.players[state.partner - 1].hand if state.partner else frozenset()):
        yield t("a card is concealed that its owner does not have.")


def correct(components: Components, state: State, edits: tuple[AnyEdit, ...]) -> State:
    """Make the state agree with the edits (C8); the end of the match is looked for at the end of the turn (M7).

    Cards, partner tokens, coins, chits and dice can be corrected; for a pawn, which tells which action was chosen,
    there is undo. Raises RuleError if an edit names no such piece, place or seat, or the result does not add up.
    """
    for edit in edits:
        if isinstance(edit, Lies):
            state = _lies(components, state, edit.piece, edit.zone)
        elif isinstance(edit, Counts):
            state = _count(components, state, edit.place, edit.count)
        elif isinstance(edit, Turns):
            state = _turns(state, edit.seat)
        elif not isinstance(edit, Instead) or not {edit.piece, edit.other} <= _twins(components, edit.piece):
            raise bad(t("those are not two pawns of one colour"), t("Say where the cards lie instead."))
    state = _settled(components, state)
    adds_up(audit(components, state))
    return state


def _settled(components: Components, state: State) -> State:
    """Settle after a correction: the set-up, what can be done now, and the points if they have been counted (M7)."""
    if state.phase in ("deal", "dice", "lot"):
        return set_up(components, replace(state, phase="deal", turn=TABLE))
    over = state.outcome is not None and state.outcome.ending == "goal"
    if over:
        following = state.turn % len(state.players) + 1
        again = counted(components, replace(state, phase="end", outcome=None), state.turn)
        return again if again.outcome else begin_turn(again, following)
    if state.phase in ("tokens", "partner"):
        return begin_turn(state, state.turn)
    if state.phase == "act" and stuck(state) is None:
        return proceed(components, state)
    possible = {"first": lambda: feasible(state), "second": lambda: feasible(state, (opposite(state),))}
    return replace(state, phase="end") if state.phase in possible and not possible[state.phase]() else state


def _twins(components: Components, piece: Piece) -> set[Piece]:
    return next((set(pair) for pair in components.pawns.values() if piece in pair), set())


def _lies(components: Components, state: State, piece: Piece, zone: Zone) -> State:
    area = zone.partition(".")[0]
    if piece in components.all:
        return _card_lies(components, state, piece, area, zone)
    if piece in components.stands:
        return _token_lies(components, state, piece, area, zone)
    twins = _twins(components, piece)
    if not twins:
        raise bad(
            t("{piece} is not one of the cards and tokens", piece=components.name(piece)), t("Leave it in the box.")
        )
    mine = state.turn in state.seats and piece in components.pawns[state.turn]
    if (mine and zone in state.spaces) or (area == "hand" and not (mine and state.spaces)):
        return state
    raise bad(t("a pawn tells which action was chosen"), t("Put it back, or undo the action that was not meant."))


def _card_lies(components: Components, state: State, piece: Piece, area: str, zone: Zone) -> State:
    if zone != "deck" and area != "hand":
        raise bad(
            t("no card can be put down in {zone!r} by a correction", zone=zone),
            t("Name deck, hand.1, hand.2 and so on."),
        )
    seat = seat_of(zone, state.seats, "hand.1") if area == "hand" else TABLE
    if seat and piece in state.players[seat - 1].hand:
        # What lies face up is not concealed any more.
        return replace(state, concealed=state.concealed - {piece})
    state = replace(state, unseen=state.unseen - {piece}, concealed=state.concealed - {piece})
    for owner, player in enumerate(state.players, 1):
        if piece in player.hand:
            state = with_player(state, owner, replace(player, hand=player.hand - {piece}))
    if not seat:
        return replace(state, unseen=state.unseen | {piece})
    player = state.players[seat - 1]
    return with_player(state, seat, replace(player, hand=player.hand | {piece}))


def _token_lies(components: Components, state: State, piece: Piece, area: str, zone: Zone) -> State:
    """Turn a partner token up or down; forward it is only when it was declared."""
    owner, other = components.stands[piece]
    if owner not in state.seats or other not in state.seats:
        raise bad(t("{piece} is of a player who is not there", piece=components.name(piece)), t("Leave it in the box."))
    forward = owner == state.turn and other == state.partner
    if forward or area == "partner":
        if forward and zone == f"partner.{owner}":
            return state
        raise bad(t("the token that lies forward tells the karmic partner"), t("Put it back, or undo the declaration."))
    if zone not in (f"tokens.{owner}", f"paired.{owner}"):
        raise bad(
            t("{piece} belongs to {owner}", piece=components.name(piece), owner=at(owner)),
            t("Name tokens.{owner} or paired.{owner}.", owner=owner),
        )
    player = state.players[owner - 1]
    up = player.up | {other} if area == "tokens" else player.up - {other}
    return with_player(state, owner, replace(player, up=up))


def _count(components: Components, state: State, place: str, count: int) -> State:
    """Count what a seat has: "coins.2", "chits.2", or "dice.2.5" for its dice that show 5."""
    area, _, rest = place.partition(".")
    if area not in ("coins", "chits", "dice"):
        raise bad(
            t("nothing is counted at {place!r}", place=place),
            t("Count coins.1, chits.1, or dice.1.6 for dice that show 6."),
        )
    seat = seat_of(".".join(place.split(".")[:2]), state.seats, "hand.1")
    player, bags = state.players[seat - 1], state.bags
    if area == "coins":
        changed, bags = replace(player, coins=count), replace(bags, coins=bags.coins + count - player.coins)
    elif area == "chits":
        changed, bags = replace(player, chits=count), replace(bags, chits=bags.chits + count - player.chits)
    else:
        changed, bags = _count_dice(components, player, bags, rest.partition(".")[2], count)
    return replace(with_player(state, seat, changed), bags=bags)


def _count_dice(components: Components, player: Player, bags: Bags, value: str, count: int) -> tuple[Player, Bags]:
    shown = numbered(value) or 0
    if not 1 <= shown <= components.sides:
        raise bad(
            t("no die shows {value!r}", value=value), t("Count dice.1.1 to dice.1.{sides}.", sides=components.sides)
        )
    dice = tuple(sorted((*(die for die in player.dice if die != shown), *(shown,) * count)))
    return replace(player, dice=dice), replace(bags, dice=bags.dice + len(dice) - len(player.dice))


def _turns(state: State, seat: Seat) -> State:
    """Start a turn of this seat. What is under way has to be brought to its end first."""
    seat_there(seat, state.seats)
    if state.phase not in ("tokens", "partner"):
        raise bad(t("something is going on that has to end first"), t("Bring it to its end, or undo it."))
    return begin_turn(state, seat)


def end(state: State) -> State:
    """End the match without a winner (C8); pawns go back, and hands lie face up."""
    if state.outcome is not None:
        return state
    return replace(state, phase="over", outcome=ENDED_BY_HOST, **FRESH)
