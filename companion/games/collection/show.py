"""What can be seen of a match of COLLECTION!: the layout of the table, ladders, scores, views, and sentences."""

from __future__ import annotations

from companion.games.collection import moves
from companion.games.collection.box import Box
from companion.games.collection.effects import Clause, told
from companion.games.collection.reporting import TOP_RESPONSE, attempt, met, uses
from companion.games.collection.resolve import TOP_CRISIS, chosen
from companion.games.collection.rulebook import choice_words, scenario_zone
from companion.games.collection.steps import due, out_of_turn, place_words, shown_at, waiting
from companion.games.collection.values import (
    CIRCLE,
    COLLECTORS,
    COLOURS,
    NO_CARD,
    OFF,
    SCENARIOS,
    AnyAction,
    Choose,
    Draw,
    Engage,
    Move,
    OpenScenario,
    Pass,
    PlayCard,
    Roll,
    Scenario,
    Start,
    State,
    TakeRole,
    UseReport,
)
from companion.rules.cards import Piece
from companion.rules.dice import counted as dice_counted
from companion.rules.kernel import (
    LEGAL,
    ActionKind,
    Facts,
    Ladder,
    May,
    Part,
    Rolled,
    RuleError,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    Verdict,
    View,
    at,
    fact_at,
)
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, Pile, Zone
from companion.rules.wording import all_of, counted, vowel

EMPTY, BACK = Pile(Empty()), Pile(Back())
NOTHING = Loose()


def layout(box: Box, state: State) -> Layout:
    """Say what should lie where: cards, pawns, coins and crisis gems. The other gems are only counted."""
    zones: dict[Zone, Area] = {
        "deck": BACK if state.unseen & box.cards else EMPTY,
        "scenarios": BACK if state.unseen - box.cards else EMPTY,
        "discard": _pile(state.discard),
    }
    for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True):
        _scenario(box, zones, letter, scenario)
    spaces: dict[Zone, frozenset[Piece]] = {}
    for seat, player in enumerate(state.players, 1):
        role = box.roles.get(player.role)
        zones[f"cards.{seat}"] = Loose(frozenset((*player.hand, *([role.card] if role else []))))
        if role is not None and player.on_board:
            zone = space_zone(SCENARIOS[player.scenario], COLLECTORS[player.collector])
            spaces[zone] = spaces.get(zone, frozenset()) | {role.pawn}
    zones.update((zone, Loose(pawns)) for zone, pawns in spaces.items())
    return Layout(zones)


def _scenario(box: Box, zones: dict[Zone, Area], letter: str, scenario: Scenario) -> None:
    """Lay a scenario: its card, face down once it is complete, its crisis gem, and the coins on its ladder."""
    card = EMPTY if not scenario.active else BACK if met(box, scenario) else Pile(Exactly(scenario.card))
    low = letter.lower()
    zones[scenario_zone(letter)] = card
    for level in range(1, TOP_CRISIS + 1):
        zones[f"crisis-{low}-{level}"] = EMPTY
    if scenario.active:
        zones[f"crisis-{low}-{scenario.crisis}"] = Pile(Exactly(box.gem[letter,]))
    for level in range(TOP_RESPONSE + 1):
        zones[f"response-{low}-{level}"] = NOTHING
    for level in {one for one in scenario.responses if one != OFF}:
        here = frozenset(
            box.coin[letter, name] for name, one in zip(COLLECTORS, scenario.responses, strict=True) if one == level
        )
        zones[f"response-{low}-{level}"] = Loose(here)
    for name in COLLECTORS:
        zones[space_zone(letter, name)] = NOTHING


def space_zone(letter: str, name: str) -> Zone:
    """Name the zone of a collector's space."""
    return f"space-{letter.lower()}-{name.lower()}"


def _pile(pieces: tuple[Piece, ...]) -> Pile:
    return Pile(Exactly(pieces[-1]), frozenset(pieces[:-1])) if pieces else EMPTY


def standing(box: Box, state: State) -> Standing:
    """Everybody wins or loses together: the score is the number of reports in the circles."""
    filed = sum(sum(scenario.reports) for scenario in state.scenarios)
    wanted = sum(sum(box.need[scenario.card]) for scenario in state.scenarios if scenario.active)
    seats = []
    for seat, player in enumerate(state.players, 1):
        parts = (Part("reports got", player.reported), Part("gems placed", player.placed))
        title = box.roles[player.role].title if player.role else "no role yet"
        seats.append(SeatStanding(seat, filed, parts, title))
    return Standing(tuple(seats), state.outcome, wanted or None)


# ------------------------------------------------------------------------------------------------------------ views


def view(box: Box, state: State, seat: Seat, kinds: tuple[ActionKind, ...]) -> View:
    """Return what a seat may see and do. Everything lies open in this game, so nothing in here is secret."""
    own = seat in state.seats
    legal = [action for action in moves.legal(box, state) if action.seat == seat] if own else []
    may = tuple(_may(box, state, seat, kind, legal) for kind in kinds if own and kind.type != "scenario")
    shelves, ladders = tuple(_shelves(box, state, seat)), tuple(_ladders(box, state))
    return View(seat, headline(box, state), due(state), may, shelves, _numbers(box, state, seat), ladders)


def headline(box: Box, state: State) -> str:
    """Say what is going on in one sentence."""
    return state.outcome.words if state.outcome else waiting(box, state)


def _ladders(box: Box, state: State) -> list[Ladder]:
    """Show the crisis of every active scenario, then the responses of those collectors that are on a ladder."""
    active = [(letter, one) for letter, one in zip(SCENARIOS, state.scenarios, strict=True) if one.active]
    found = [
        Ladder(
            f"Crisis in {box.country(letter, scenario.card)}", scenario.crisis, 1, TOP_CRISIS, box.alarm,
            "complete" if met(box, scenario) else "", letter,
        )
        for letter, scenario in active
    ]  # fmt: skip
    for letter, scenario in active:
        found += [
            Ladder(place_words(letter, name), level, 0, TOP_RESPONSE, words=_gem_words(gems))
            for name, level, gems in zip(COLLECTORS, scenario.responses, scenario.gems, strict=True)
            if level != OFF
        ]
    return found


def _gem_words(gems: tuple[int, ...]) -> str:
    there = [f"{count} {colour}" for colour, count in zip(COLOURS, gems, strict=True) if count]
    return f"engagement: {', '.join(there)}" if there else "no engagement"


def _shelves(box: Box, state: State, seat: Seat) -> list[Shelf]:
    shelves = []
    for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True):
        if scenario.active:
            wanted = [
                f"{colour} {have} of {need}"
                for colour, have, need in zip(COLOURS, scenario.reports, box.need[scenario.card], strict=True)
            ]
            words = "complete" if met(box, scenario) else f"reports: {', '.join(wanted)}"
            shelves.append(Shelf(f"Scenario {letter}", (scenario.card,), words=words))
    for other in sorted(state.seats, key=lambda one: one != seat):
        player = state.players[other - 1]
        where = place_words(SCENARIOS[player.scenario], COLLECTORS[player.collector]) if player.on_board else ""
        extra = [counted(player.dice, "bonus die", "bonus dice")] if player.dice else []
        extra += [f"{counted(player.skips, 'ENGAGE', 'ENGAGE actions')} will place nothing"] if player.skips else []
        title = "Your cards" if other == seat else f"Cards of {at(other)}"
        if player.role:
            role = box.roles[player.role].card
            shelves.append(Shelf(title, (role, *player.hand), words=", ".join([where, *extra] if where else extra)))
    if state.discard:
        top = state.discard[-1]
        words = f"{counted(len(state.discard), 'card')}, on top {box.name(top)}"
        shelves.append(Shelf("Discard pile", (top,), words=words))
    return shelves


def _numbers(box: Box, state: State, seat: Seat) -> tuple[Part, ...]:
    numbers = [Part("actions left", state.actions)] if state.phase in ("act", "close") else []
    for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True):
        if scenario.active:
            numbers += [
                Part(f"{colour} reports {letter} still needs", need - have)
                for colour, have, need in zip(COLOURS, scenario.reports, box.need[scenario.card], strict=True)
                if need > have
            ]
    return (*numbers, Part("collection deck", len(state.unseen & box.cards)), Part("discard pile", len(state.discard)))


def _may(box: Box, state: State, seat: Seat, kind: ActionKind, legal: list[AnyAction]) -> May:
    actions = tuple(action for action in legal if type(action) is moves.TYPES[kind.type])
    if not actions:
        return May(kind.type, kind.words, why_not(box, state, seat, kind.type))
    words = kind.words
    if kind.type == "roll":
        odds = [f"{one.colour} {odds_words(box, state, one)}" for one in actions if isinstance(one, Roll)]
        words = f"{kind.words}: {'; '.join(odds)}"
    return May(kind.type, words, LEGAL, actions)


def odds_words(box: Box, state: State, roll: Roll) -> str:
    """Say the whole chance of a roll, and who helps: "4 dice, below 6: 94 % (a die from the military analyst)"."""
    one = attempt(box, state, roll.seat, roll.colour)
    helps = [
        f"{all_of([*(['a die'] if each.dice else []), *(['a level'] if each.level else [])])} from {at(each.seat)}"
        for each in one.helps
    ]
    return f"{one.words} ({', '.join(helps)})" if helps else one.words


def why_not(box: Box, state: State, seat: Seat, tag: str) -> Verdict:
    """Say why a seat can do nothing of a kind now."""
    player = state.players[seat - 1]
    colour = box.roles[player.role].colours[0] if player.role else COLOURS[0]
    if tag == "play" and state.phase in ("act", "close") and seat == state.turn:
        return Verdict("illegal", "6", f"no blue card lies before {at(seat)}", "Go on without.")
    here = COLLECTORS[player.collector] if player.on_board else COLLECTORS[0]
    samples: dict[str, AnyAction] = {
        "role": TakeRole(seat=seat, role=next(iter(box.roles))),
        "start": Start(seat=seat, collector=here),
        "move": Move(seat=seat, scenario=SCENARIOS[0], collector=here),
        "engage": Engage(seat=seat, colour=colour),
        "roll": Roll(seat=seat, colour=colour),
        "report": UseReport(seat=seat, use=CIRCLE),
        "draw": Draw(seat=seat),
        "play": PlayCard(seat=seat, card=NO_CARD),
        "choose": Choose(seat=seat, scenario=SCENARIOS[0]),
        "pass": Pass(seat=seat),
    }
    verdict = moves.RULES[type(samples[tag])][0](box, state, samples[tag])
    return verdict if not verdict.ok else out_of_turn(box, state, samples[tag])


# ------------------------------------------------------------------------------------------------------------ words


def tell(box: Box, state: State, action: AnyAction, facts: Facts = ()) -> str:
    """Say in one sentence what an action does."""
    who = at(action.seat)
    match action:
        case TakeRole(role=role):
            return f"{who} is the {box.roles[role].title if role in box.roles else role}."
        case OpenScenario(scenario=letter):
            piece = _card(box, facts, scenario_zone(letter), frozenset(box.need))
            return f"{piece[:1].upper()}{piece[1:]} opens as scenario {letter}."
        case Start(collector=name):
            return f"{who} starts on {place_words(SCENARIOS[0], name)}."
        case Move(scenario=letter, collector=name):
            free = ", free of an action" if state.phase == "free" else ""
            return f"{who} moves to {place_words(letter, name)}{free}."
        case Engage():
            return _tell_engage(box, state, action)
        case Roll():
            return _tell_roll(box, state, action, facts)
        case UseReport(use=use):
            return f"{who} uses the {state.report or 'new'} report {_use_words(state, action.seat, use)}."
        case Draw():
            return _tell_draw(box, state, action, facts)
        case PlayCard(card=card):
            return f"{who} plays {_with_effect(box, card)}"
        case Choose():
            return _tell_choice(state, action)
    return f"{who} lets the next player go on."


def _use_words(state: State, seat: Seat, use: str) -> str:
    player = state.players[seat - 1] if seat in state.seats else None
    letter = SCENARIOS[player.scenario] if player and player.on_board else "the scenario"
    return f"for the reports circle of {letter}" if use == CIRCLE else f"to reduce the crisis in {letter}"


def _where(state: State, seat: Seat) -> str:
    player = state.players[seat - 1] if seat in state.seats else None
    return (
        place_words(SCENARIOS[player.scenario], COLLECTORS[player.collector]) if player and player.on_board else "space"
    )


def _tell_engage(box: Box, state: State, action: Engage) -> str:
    who, where = at(action.seat), _where(state, action.seat)
    player = state.players[action.seat - 1] if action.seat in state.seats else None
    if player and player.skips:
        return f"{who} engages {where}; by a card it places nothing."
    return f"{who} places {'an' if vowel(action.colour) else 'a'} {action.colour} gem on {where}."


def _tell_roll(box: Box, state: State, action: Roll, facts: Facts) -> str:
    said = f"{at(action.seat)} rolls for {'an' if vowel(action.colour) else 'a'} {action.colour} report"
    if not moves.RULES[Roll][0](box, state, action).ok:
        return f"{said}."
    roll, fact = attempt(box, state, action.seat, action.colour), fact_at(facts, "dice")
    if not isinstance(fact, Rolled) or not fact.values:
        return f"{said} at {_where(state, action.seat)}: {odds_words(box, state, action)}."
    values = dice_counted(fact.values, roll.sides)
    dice = " ".join(map(str, values))
    if min(values) >= roll.level:
        return f"{said}: {dice}; none is below {roll.level}."
    possible = uses(box, state, action.seat, action.colour)
    use = f", used {_use_words(state, action.seat, possible[0])}" if len(possible) == 1 else ""
    return f"{said}: {dice}; {min(values)} is below {roll.level}: a report{use}."


def _tell_draw(box: Box, state: State, action: Draw, facts: Facts) -> str:
    who = at(action.seat)
    again = ", after the discards are shuffled," if not state.unseen & box.cards else ""
    try:
        piece = shown_at(box, "discard", facts, box.cards)
    except RuleError:
        return f"{who} draws{again} a collection card."
    held = "" if piece in box.red else " It may be held."
    return f"{who} draws{again} {_with_effect(box, piece)}{held}"


def _card(box: Box, facts: Facts, place: str, can_be: frozenset[Piece]) -> str:
    try:
        return box.name(shown_at(box, place, facts, can_be))
    except RuleError:
        return "a scenario card"


def _with_effect(box: Box, piece: Piece) -> str:
    effect = box.effect.get(piece)
    return f"{box.name(piece)}: {told(effect)}" if effect else f"{box.name(piece)}."


def _tell_choice(state: State, action: Choose) -> str:
    who = at(action.seat)
    if not state.todo:
        return f"{who} chooses {action.scenario}."
    clause: Clause = chosen(state.todo[0], action)
    effect = told((clause,))
    said = choice_words(state.todo[0], action)
    return f"{who} chooses {said}: {effect[:1].lower()}{effect[1:]}"
