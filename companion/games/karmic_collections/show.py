"""What can be seen of a match of Karmic Collections: the layout of the table, scores, views, and sentences."""

from __future__ import annotations

from companion.games.karmic_collections import moves
from companion.games.karmic_collections.components import Box, dice_points, dice_words
from companion.games.karmic_collections.rulebook import dice_due
from companion.games.karmic_collections.spaces import DIE, SPACES, Space, amount
from companion.games.karmic_collections.steps import actors, opposite, out_of_turn, tied, waiting
from companion.games.karmic_collections.values import (
    NO_CARD,
    AnyAction,
    Conceal,
    Deal,
    Draw,
    EndTurn,
    First,
    Give,
    GiveDie,
    KeepOpen,
    Lot,
    Partner,
    Roll,
    Second,
    State,
    Take,
    TakeBlind,
    TakeDie,
    TurnUp,
)
from companion.rules.cards import Piece
from companion.rules.kernel import (
    LEGAL,
    TABLE,
    ActionKind,
    Facts,
    May,
    Part,
    Rolled,
    Seat,
    SeatStanding,
    Shelf,
    Standing,
    Verdict,
    View,
    at,
    fact_at,
)
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, OneOf, Pile, Zone
from companion.rules.shown import told
from companion.rules.wording import all_of

EMPTY = Pile(Empty())


def layout(box: Box, state: State) -> Layout:
    """Say what should lie where. Pawns that are not on an action are with their player; either of the two will do."""
    zones: dict[Zone, Area] = {"deck": Pile(Back()) if state.unseen else EMPTY}
    for space in SPACES:
        zones[space] = Pile(OneOf(frozenset(box.pawns[state.turn]))) if space in state.spaces else EMPTY
    for seat, player in enumerate(state.players, 1):
        forward = state.partner if seat == state.turn else TABLE
        hidden = state.concealed if seat == state.partner else frozenset[Piece]()
        zones[f"hand.{seat}"] = Loose(player.hand - hidden, backs=len(hidden))
        tokens = {other: box.tokens[seat, other] for other in state.seats if other != seat}
        up = frozenset(token for other, token in tokens.items() if other in player.up and other != forward)
        down = frozenset(token for other, token in tokens.items() if other not in player.up)
        zones[f"tokens.{seat}"], zones[f"paired.{seat}"] = Loose(up), Loose(down)
        zones[f"partner.{seat}"] = Pile(Exactly(tokens[forward])) if forward else EMPTY
    return Layout(zones)


def standing(box: Box, state: State) -> Standing:
    """Score cards, dice and coins: everything is public."""
    seats = []
    for seat, player in enumerate(state.players, 1):
        parts = (
            Part("cards", box.hand_points(player.hand)), Part("dice", dice_points(player.dice)),
            Part("coins", player.coins),
        )  # fmt: skip
        said = [box.sets_words(player.hand), dice_words(player.dice) and f"dice: {dice_words(player.dice)}"]
        seats.append(SeatStanding(seat, sum(part.value for part in parts), parts, "; ".join(filter(None, said))))
    return Standing(tuple(seats), state.outcome, box.goal)


# ------------------------------------------------------------------------------------------------------------ views


def view(box: Box, state: State, seat: Seat, kinds: tuple[ActionKind, ...]) -> View:
    """Return what a seat may see and do. Nothing in this game is secret but the order of the deck."""
    own = seat in state.seats
    legal = moves.legal(box, state) if own else []
    may: list[May] = []
    for kind in kinds if own else ():
        if kind.type in ("first", "second") and state.phase == kind.type and actors(box, state) == (seat,):
            may += _spaces(box, state, seat, kind)
        elif kind.type == "conceal" and any(isinstance(action, Conceal) for action in legal if action.seat == seat):
            may += _ways_to_conceal(box, seat, kind, legal)
        elif kind.type != "deal":
            may.append(_may(box, state, seat, kind, legal))
    headline = state.outcome.words if state.outcome else _headline(box, state, seat)
    return View(seat, headline, actors(box, state), tuple(may), _shelves(box, state, seat), _numbers(state, seat))


def _headline(box: Box, state: State, seat: Seat) -> str:
    if actors(box, state) == (seat,) and state.phase == "second":
        return f"Choose a {opposite(state)} action for {at(state.turn)}."
    return waiting(box, state)


def _spaces(box: Box, state: State, seat: Seat, kind: ActionKind) -> list[May]:
    """List the eight actions one by one: what each does, or which part of it fails and why (M4)."""
    found = []
    for name, space in SPACES.items():
        action: AnyAction = First(seat=seat, space=name) if kind.type == "first" else Second(seat=seat, space=name)
        verdict = moves.RULES[type(action)][0](box, state, action)
        words = f"{space.title} ({space.side}): {space.words}"
        found.append(May(kind.type, words, verdict, (action,) if verdict.ok else ()))
    return found


def _ways_to_conceal(box: Box, seat: Seat, kind: ActionKind, legal: list[AnyAction]) -> list[May]:
    """List one by one which cards may be concealed: of several best splits the owner picks (M3)."""
    ways = [action for action in legal if isinstance(action, Conceal) and action.seat == seat]
    return [May(kind.type, f"Conceal {box.names(way.cards)}", LEGAL, (way,)) for way in ways]


def _may(box: Box, state: State, seat: Seat, kind: ActionKind, legal: list[AnyAction]) -> May:
    actions = tuple(action for action in legal if action.seat == seat and type(action) is moves.TYPES[kind.type])
    return May(kind.type, kind.words, LEGAL if actions else why_not(box, state, seat, kind.type), actions)


def why_not(box: Box, state: State, seat: Seat, tag: str) -> Verdict:
    """Say why a seat can do nothing of a kind now."""
    samples: dict[str, AnyAction] = {
        "roll": Roll(seat=seat), "lot": Lot(seat=seat), "turn-up": TurnUp(seat=seat),
        "partner": Partner(seat=seat, partner=seat), "first": First(seat=seat, space=""),
        "second": Second(seat=seat, space=""), "draw": Draw(seat=seat), "conceal": Conceal(seat=seat, cards=()),
        "keep-open": KeepOpen(seat=seat), "take": Take(seat=seat, card=NO_CARD), "take-blind": TakeBlind(seat=seat),
        "give": Give(seat=seat, card=NO_CARD), "take-die": TakeDie(seat=seat, value=0),
        "give-die": GiveDie(seat=seat, value=0), "end-turn": EndTurn(seat=seat),
    }  # fmt: skip
    action = samples[tag]
    verdict = moves.RULES[type(action)][0](box, state, action)
    return verdict if not verdict.ok else out_of_turn(box, state, action)


def _shelves(box: Box, state: State, seat: Seat) -> tuple[Shelf, ...]:
    """A row for every hand, its sets first; your own comes first, then clockwise."""
    count = len(state.players)
    order = [(seat + n - 1) % count + 1 for n in range(count)] if seat in state.seats else state.seats
    shelves = []
    for owner in order:
        hand = state.players[owner - 1].hand
        words = box.sets_words(hand)
        if state.concealed and owner == state.partner:
            words += f". Face down: {box.names(state.concealed)}"
        title = "Your cards" if owner == seat else f"Cards of {at(owner)}"
        shelves.append(Shelf(title, tuple(piece for ranks in box.split(hand) for piece in ranks), words=words))
    return tuple(shelves)


def _numbers(state: State, seat: Seat) -> tuple[Part, ...]:
    """Dice one by one, coins and chits of everybody; your own come first."""
    own = [seat] if seat in state.seats else []
    numbers = []
    for one in own + [other for other in state.seats if other != seat]:
        player = state.players[one - 1]

        def named(what: str, one: Seat = one) -> str:
            return f"your {what}" if one == seat else f"{what} of {at(one)}"

        dice = {value: player.dice.count(value) for value in sorted(set(player.dice))}
        numbers += [Part(named(f"dice showing {value}"), number) for value, number in dice.items()]
        numbers += [Part(named("coins"), player.coins), Part(named("chits"), player.chits)]
    return (*numbers, Part("deck", len(state.unseen)))


# ------------------------------------------------------------------------------------------------------------ words


def tell(box: Box, state: State, action: AnyAction, facts: Facts = ()) -> str:
    """Say in one sentence what an action does."""
    who, partner = at(action.seat), at(state.partner)
    match action:
        case Deal(player=player):
            return f"{at(player)} is dealt {told(box.name, facts, f'hand.{player}')}."
        case Roll():
            return f"{who} rolls {_rolled(box, state, facts)}."
        case Lot():
            fact, lowest = fact_at(facts, "dice"), tied(box, state)
            value = fact.values[0] if isinstance(fact, Rolled) and len(fact.values) == 1 else 0
            first = f": {at(lowest[value - 1])} goes first" if 1 <= value <= len(lowest) else ""
            return f"Chance decides who goes first{first}."
        case TurnUp():
            return f"{who} turns all partner tokens up."
        case Partner(partner=other):
            return f"{who} declares {at(other)} the karmic partner of this turn{_skipped(box, state, action)}."
        case First(space=name):
            return f"{who} plays {_space(name)}."
        case Second(space=name):
            return f"{who} chooses {_space(name)} for {at(state.turn)}."
        case Draw():
            return f"{who} draws {told(box.name, facts, f'hand.{action.seat}')}."
        case Conceal(cards=cards):
            return f"{who} conceals {box.names(cards)}."
        case KeepOpen():
            return f"{who} keeps all cards open."
    return _tell_rest(box, action, facts, partner)


def _tell_rest(box: Box, action: AnyAction, facts: Facts, partner: str) -> str:
    who = at(action.seat)
    match action:
        case Take(card=card):
            return f"{who} takes {box.name(card)} of {partner}."
        case TakeBlind():
            return f"{who} picks a concealed card of {partner}: {told(box.name, facts, f'hand.{action.seat}')}."
        case Give(card=card):
            return f"{who} gives {partner} {box.name(card)}."
        case TakeDie(value=value):
            return f"{who} takes a die showing {value} of {partner}."
        case GiveDie(value=value):
            return f"{who} gives {partner} a die showing {value}."
    return f"{who} reclaims the pawns and turns the token of {partner} down."


def _space(name: str) -> str:
    space: Space | None = SPACES.get(name)
    return f"{space.title} ({space.words})" if space else f"the action {name!r}"


def _skipped(box: Box, state: State, action: Partner) -> str:
    """Say that no action can be done with this partner (M5)."""
    judge, play = moves.RULES[Partner]
    if not judge(box, state, action).ok or play(box, state, action, ()).phase != "end":
        return ""
    return "; no action can be done, so both are skipped"


def _rolled(box: Box, state: State, facts: Facts) -> str:
    fact = fact_at(facts, "dice")
    if isinstance(fact, Rolled):
        return all_of(map(str, fact.values))
    return amount(dice_due(box, state) or 1, DIE)
