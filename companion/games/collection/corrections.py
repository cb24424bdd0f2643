"""Keeping a match true to the table: what does not add up, corrections, the host's end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.collection.board import TOP_CRISIS, TOP_RESPONSE, at_level, with_player, with_scenario
from companion.games.collection.components import Components
from companion.games.collection.effects import place_words
from companion.games.collection.resolve import begin_turn, choices, setting_up, settle
from companion.games.collection.state import COLLECTORS, COLOURS, NOWHERE, OFF, SCENARIOS, Gems, Scenario, State
from companion.games.collection.steps import due, not_active, split_zone
from companion.rules.cards import Piece
from companion.rules.corrections import adds_up, bad, in_one_place, seat_of, seat_there, sentences
from companion.rules.kernel import AnyEdit, Counts, Instead, Lies, Outcome, Seat, Turns, at
from companion.rules.layout import Zone
from companion.rules.seats import numbered
from companion.text import plural, t, word


def audit(components: Components, state: State) -> tuple[str, ...]:
    """Return one sentence for everything that does not add up."""
    wrong = [*_cards(components, state), *_players(components, state), *_phases(components, state)]
    for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True):
        wrong += _board(components, letter, scenario)
    return sentences(wrong)


def _cards(components: Components, state: State) -> Iterator[str]:
    everything = components.cards | components.need.keys()
    lying = [*state.unseen, *state.discard, *(scenario.card for scenario in state.scenarios if scenario.active)]
    for player in state.players:
        lying += player.hand
    yield from in_one_place(lying, everything, components.name)
    held = [piece for player in state.players for piece in player.hand]
    open_ = [scenario.card for scenario in state.scenarios if scenario.active]
    yield from [
        t("{card} is red, and only blue cards are held.", card=components.name(piece))
        for piece in held
        if piece in components.red
    ]
    yield from [
        t("{card} is no collection card.", card=components.name(piece))
        for piece in state.discard
        if piece not in components.cards
    ]
    yield from [
        t("{card} is no scenario card.", card=components.name(piece)) for piece in open_ if piece not in components.need
    ]


def _players(components: Components, state: State) -> Iterator[str]:
    chosen = Counter(player.role for player in state.players if player.role)
    yield from [
        t("there are {times} times the {role}.", times=n, role=components.roles[role].title)
        for role, n in chosen.items()
        if n > 1
    ]
    left = len(state.players) - chosen.total()
    if sum(role not in chosen for role in components.needed) > left:
        yield t("a role that every match needs is missing.")
    for seat, player in enumerate(state.players, 1):
        if player.on_board and not state.scenarios[player.scenario].active:
            yield t("{seat} stands in a scenario that is not active.", seat=at(seat))
        if player.on_board and not player.role:
            yield t("{seat} stands on the board without a role.", seat=at(seat))
        if min(player.dice, player.skips, player.placed, player.reported) < 0:
            yield t("{seat} has fewer than no dice, skips, gems or reports.", seat=at(seat))


def _board(components: Components, letter: str, scenario: Scenario) -> Iterator[str]:
    """Check that ladders stay on their levels, and that no circle holds more than it needs."""
    if not scenario.active:
        if scenario == Scenario():
            return
        yield t("scenario {scenario} is not active, and something lies there.", scenario=letter)
        return
    if not 1 <= scenario.crisis <= TOP_CRISIS:
        yield t(
            "the crisis in {scenario} is at {level}; the ladder goes from 1 to {top}.",
            scenario=letter,
            level=scenario.crisis,
            top=TOP_CRISIS,
        )
    for name, level, gems in zip(COLLECTORS, scenario.responses, scenario.gems, strict=True):
        place = place_words(letter, name)
        if not OFF <= level <= TOP_RESPONSE:
            yield t(
                "{place} is at {level}; the ladder goes from 0 to {top}.", place=place, level=level, top=TOP_RESPONSE
            )
        if min(gems) < 0 or (level == OFF and any(gems)):
            yield t("{place} has fewer than no gems, or gems without a coin on the ladder.", place=place)
    need = components.need.get(scenario.card, (0, 0, 0))
    for colour, have, most in zip(COLOURS, scenario.reports, need, strict=True):
        if not 0 <= have <= most:
            yield t(
                "the circle of {scenario} has {have} {colour} reports; the scenario needs {most}.",
                scenario=letter,
                have=have,
                colour=word(colour),
                most=most,
            )


def _phases(components: Components, state: State) -> Iterator[str]:
    if state.turn not in state.seats:
        yield t("it is nobody's turn.")
        return
    if (state.outcome is not None) != (state.phase == "over"):
        yield t("the match is over without an outcome, or has one and goes on.")
    over = state.phase == "over"
    if not over and not due(state):
        yield t("Nobody is due, and the match is not over.")
    if bool(state.opening) != (state.phase == "open") and not over:
        yield t("a scenario waits for its card and is not due, or the other way round.")
    if bool(state.report) != (state.phase == "report") and not over:
        yield t("a report waits for its use and is not due, or the other way round.")
    effect = state.effect
    if state.phase in ("choose", "free") and effect is None:
        yield t("something of a card is due that no card says.")
    if state.phase == "choose" and effect is not None and len(choices(state, effect)) < 2:
        yield t("a choice is due that leaves nothing to choose.")
    if state.actions < 0:
        yield t("{seat} has fewer than no actions.", seat=at(state.turn))
    if state.phase in ("act", "close") and not all(player.on_board for player in state.players):
        yield t("a pawn is not on the board.")
    reached = [
        letter for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True) if scenario.crisis >= TOP_CRISIS
    ]
    if reached and not over:
        yield t("the crisis in {scenario} is at {level}, and the match goes on.", scenario=reached[0], level=TOP_CRISIS)


def correct(components: Components, state: State, edits: tuple[AnyEdit, ...]) -> State:
    """Make the state agree with the edits (C8); the end of the match is looked for after it.

    Pieces lie where `Lies` says; engagement gems, reports and actions are counted. What a card or a report still has to
    do is done later, as it would have been. Raises RuleError if an edit names no such piece, place or seat, or the
    result does not add up.
    """
    for edit in edits:
        if isinstance(edit, Instead):
            reason = t("{piece} and {other} are not two copies of one piece", piece=edit.piece, other=edit.other)
            raise bad(reason, t("Say which piece lies where."))
        if isinstance(edit, Lies):
            state = _lies(components, state, edit.piece, edit.zone)
        elif isinstance(edit, Counts):
            state = _counts(state, edit.place, edit.count)
        elif isinstance(edit, Turns):
            state = _turns(components, state, edit)
    state = _goes_on(components, state)
    adds_up(audit(components, state))
    return state


def _goes_on(components: Components, state: State) -> State:
    if state.outcome is not None and state.outcome.ending in ("victory", "defeat"):
        state = replace(state, outcome=None, phase="act")
    if state.outcome is not None:
        return state
    return settle(components, state)


def _place(zone: Zone) -> tuple[str, int, str]:
    """Split a zone like "space-b-dh" into its kind, the scenario counted from 0, and the rest; NOWHERE for others."""
    kind, letter, name = split_zone(zone)
    return kind, SCENARIOS.index(letter) if letter in SCENARIOS else NOWHERE, name


def _seat(state: State, zone: Zone) -> Seat:
    if zone.partition(".")[0] not in ("cards", "hand"):
        return 0
    return seat_of(zone, state.seats, "cards.1")


def _lies(components: Components, state: State, piece: Piece, zone: Zone) -> State:
    if piece in components.pawn_of:
        return _pawn(components, state, components.pawn_of[piece], zone)
    if piece in components.role_of:
        return _role(components, state, components.role_of[piece], _seat(state, zone))
    if piece in components.place_of:
        return _token(components, state, piece, zone)
    if piece in components.need:
        return _scenario(state, piece, zone)
    if piece in components.cards:
        return _card(components, state, piece, zone)
    raise bad(t("{piece} is not one of the pieces", piece=components.name(piece)), t("Leave it in the box."))


def _pawn(components: Components, state: State, role: str, zone: Zone) -> State:
    kind, number, name = _place(zone)
    seat = next((n for n, player in enumerate(state.players, 1) if player.role == role), 0)
    if not seat:
        raise bad(t("nobody is the {role}", role=components.roles[role].title), t("Take that pawn away."))
    if kind != "space" or number == NOWHERE or name not in COLLECTORS:
        raise bad(t("a pawn stands on a space, not on {zone!r}", zone=zone), t("Name one, as in space-a-dh."))
    if not state.players[seat - 1].on_board:
        raise bad(t("the pawn of {seat} is put on the board by its player", seat=at(seat)), t("Let the player do so."))
    player = replace(state.players[seat - 1], scenario=number, collector=COLLECTORS.index(name))
    return with_player(state, seat, player)


def _role(components: Components, state: State, role: str, seat: Seat) -> State:
    if not seat:
        reason = t("the card of the {role} lies before its player", role=components.roles[role].title)
        raise bad(reason, t("Name the seat, as in cards.1."))
    was = state.players[seat - 1].role
    if not was:
        raise bad(t("{seat} has not chosen a role", seat=at(seat)), t("Let the player choose."))
    for other, player in enumerate(state.players, 1):
        if player.role == role:
            state = with_player(state, other, replace(player, role=was))
    return with_player(state, seat, replace(state.players[seat - 1], role=role))


def _token(components: Components, state: State, piece: Piece, zone: Zone) -> State:
    """Move a crisis gem or a coin to another level; a coin may also be taken off its ladder ("supply")."""
    letter, *of = components.place_of[piece]
    kind, number, name = _place(zone)
    mine = SCENARIOS.index(letter)
    scenario = state.scenarios[mine]
    ladder = "response" if of else "crisis"
    level = numbered(name) if kind == ladder and number == mine else OFF if of and zone == "supply" else None
    if not scenario.active:
        raise bad(not_active(letter), t("Say first which scenario card lies there."))
    if level is None and of:
        reason = t("this coin stands on the response ladder of {scenario}", scenario=letter)
        raise bad(reason, t("Name a level, as in response-a-3."))
    if level is None:
        reason = t("this gem stands on the crisis ladder of {scenario}", scenario=letter)
        raise bad(reason, t("Name a level, as in crisis-a-3."))
    if not of:
        return with_scenario(state, mine, replace(scenario, crisis=level))
    collector = COLLECTORS.index(of[0])
    return with_scenario(state, mine, at_level(scenario, collector, level))


def _scenario(state: State, piece: Piece, zone: Zone) -> State:
    kind, number, _ = _place(zone)
    if kind != "scenario" or number == NOWHERE or state.scenarios[number].card == piece:
        if kind == "scenario" and number != NOWHERE:
            return state
        raise bad(t("a scenario card lies in its scenario"), t("Name one, as in scenario-b."))
    if piece not in state.unseen:
        raise bad(t("that scenario card lies in another scenario"), t("Say first which card lies there."))
    before = state.scenarios[number]
    unseen = state.unseen - {piece} | ({before.card} if before.active else set())
    after = replace(before, card=piece, crisis=before.crisis or 1)
    pending = state.pending[1:] if state.opening == SCENARIOS[number] else state.pending
    return replace(with_scenario(state, number, after), unseen=unseen, pending=pending)


def _card(components: Components, state: State, piece: Piece, zone: Zone) -> State:
    for seat, player in enumerate(state.players, 1):
        if piece in player.hand:
            state = with_player(state, seat, replace(player, hand=tuple(p for p in player.hand if p != piece)))
    discard = tuple(p for p in state.discard if p != piece)
    state = replace(state, unseen=state.unseen - {piece}, discard=discard)
    seat = _seat(state, zone)
    if seat:
        player = state.players[seat - 1]
        return with_player(state, seat, replace(player, hand=(*player.hand, piece)))
    if zone == "discard":
        return replace(state, discard=(*state.discard, piece))
    if zone == "deck":
        return replace(state, unseen=state.unseen | {piece})
    raise bad(t("no collection card can lie on {zone!r}", zone=zone), t("Name discard, deck, cards.1 and so on."))


def _counts(state: State, place: str, count: int) -> State:
    """Count engagement gems ("gems-a-dh-political"), reports ("reports-a-political"), or actions ("actions")."""
    if place == "actions" and state.phase in ("act", "close"):
        return replace(state, actions=count)
    kind, number, name = _place(place)
    collector, _, colour = name.partition("-") if kind == "gems" else ("", "", name)
    colour = colour.lower()
    right = kind in ("gems", "reports") and number != NOWHERE and colour in COLOURS
    if not right or (kind == "gems" and collector not in COLLECTORS):
        raise bad(
            t("nothing is counted at {place!r}", place=place),
            t("Count gems-a-dh-political, reports-a-political, actions and so on."),
        )
    scenario = state.scenarios[number]
    if not scenario.active:
        raise bad(not_active(SCENARIOS[number]), t("Count nothing there."))
    if kind == "reports":
        return with_scenario(state, number, replace(scenario, reports=_set(scenario.reports, colour, count)))
    which = COLLECTORS.index(collector)
    gems = (*scenario.gems[:which], _set(scenario.gems[which], colour, count), *scenario.gems[which + 1 :])
    return with_scenario(state, number, replace(scenario, gems=gems))


def _set(gems: Gems, colour: str, count: int) -> Gems:
    political, military, economic = (count if gem == colour else n for gem, n in zip(COLOURS, gems, strict=True))
    return political, military, economic


def _turns(components: Components, state: State, edit: Turns) -> State:
    """Start a turn of this seat. What a card or a report still has to do has to be brought to its end first."""
    seat_there(edit.seat, state.seats)
    if setting_up(state):
        return replace(state, turn=edit.seat)
    if state.phase not in ("act", "close"):
        raise bad(t("something is going on that has to end first"), t("Bring it to its end."))
    return begin_turn(components, state, edit.seat, state.turns)


def end(state: State) -> State:
    """End the match without a winner (C8)."""
    if state.outcome is not None:
        return state
    words = plural(
        "The host has ended the match after {count} turn; nobody wins.",
        "The host has ended the match after {count} turns; nobody wins.",
        count=state.turns,
    )
    return replace(state, phase="over", outcome=Outcome((), "ended-by-host", "C8", words))
