"""The sections "Set Up" (3) and "Generating New Scenarios" (4): roles, scenario cards, and pawns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.games.collection.board import with_player, with_scenario
from companion.games.collection.components import Components
from companion.games.collection.effects import place_words
from companion.games.collection.resolve import begin_turn, settle
from companion.games.collection.state import COLLECTORS, SCENARIOS, SETUP, NewScenario, Player, Scenario, Setup, State
from companion.games.collection.steps import CollectionAction, due, shown_at, split_zone, unknown_place, waiting
from companion.rules.cards import Piece
from companion.rules.engine import Declared, first_fits, seats_fit
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Need,
    Option,
    Options,
    Prospect,
    RuleError,
    Seat,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.layout import Preparing, Zone, owner_of
from companion.rules.wording import all_of, any_of
from companion.text import plural, t

OPTIONS = (Option("first", t("Seat of the first player; 0 is by chance"), 0, 0, 7, SETUP, seat=True),)
"""Play begins with whichever player wants to go first (3, C3)."""


SOURCES = {
    "DH": t("military agents"),
    "DO": t("CIA abroad"),
    "NGA": t("pictures from above"),
    "NSA": t("wires and radio"),
    "OSE": t("open to everybody"),
    "STATE": t("diplomats"),
}
"""What the collectors are, in few words, for who places a pawn."""

PREPARING = (
    Preparing(t("Everybody chooses a role; among you are a political, a military and an economic analyst.")),
    Preparing(t("Shuffle the scenario cards and the collection cards; lay both face down."), ("scenarios", "deck")),
    Preparing(
        t("Turn up the top scenario for Scenario A, and put its crisis gem on level 1."), ("scenario-a", "crisis-a-1")
    ),
    Preparing(t("Everybody puts their pawn on a space of Scenario A."), ("space-a",)),
)


def prepare(components: Components, seats: int, chosen: Options, facts: Setup) -> State:
    """Shuffle both decks; the rest follows on the table. RuleError if seats, an option or a role does not fit."""
    seats_fit(seats, 3, 7, "2")
    for name, value in chosen.items():
        if name != "first":
            raise RuleError.illegal(SETUP, t("there is no option {name!r}", name=name), t("There is first."))
        if not 0 <= value <= seats:
            reason = t("there is no seat {first} to start", first=value)
            raise RuleError.illegal(SETUP, reason, t("Choose 0 to {seats}.", seats=seats))
    first = chosen.get("first", 0) or facts.first
    first_fits(first, seats)
    if facts.roles and len(facts.roles) != seats:
        reason = plural(
            "{count} role for {seats} players", "{count} roles for {seats} players", count=len(facts.roles), seats=seats
        )
        raise RuleError.inconsistent("2.1", reason, t("Name one for each seat, or none."))
    state = State(
        players=(Player(),) * seats,
        scenarios=(Scenario(),) * len(SCENARIOS),
        unseen=components.cards | components.need.keys(),
        turn=first,
    )
    for seat, role in enumerate(facts.roles, 1):
        choice = TakeRole(seat=seat, role=role)
        verdict = choice.judge(components, state)
        if not verdict.ok:
            raise RuleError(verdict)
        state = choice.play(components, state, ())
    return settle(components, state)


# ------------------------------------------------------------------------------------------------------- 3. Set Up


class TakeRole(CollectionAction, frozen=True, tag="role", kw_only=True):
    """Choose your analytic role: lay its card before you."""

    declared = Declared(t("Choose your role"), "A", "2.1, 3; I13", ("roles",))
    section = SETUP
    too_soon = t("roles are chosen before the first turn")
    role: str

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.phase == "roles" and seat in state.seats and state.players[seat - 1].role:
            title = components.roles[state.players[seat - 1].role].title
            reason = t("{seat} is the {role} already", seat=at(seat), role=title)
            return illegal("2.1", reason, t("Keep that role."))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[TakeRole]:
        names = roles_open(components, state)
        for seat in due(state):
            for name in names:
                yield cls(seat=seat, role=name)

    def judge(self, components: Components, state: State) -> Verdict:
        """Each player chooses a role: one of each kind, and the three that every match needs among them (2.1, I13)."""
        return role_refused(components, state, self.role) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        state = with_player(state, self.seat, replace(state.players[self.seat - 1], role=self.role))
        if not all(player.role for player in state.players) or state.scenarios[0].active:
            return state
        return replace(state, pending=(NewScenario(SCENARIOS[0]),))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        roles = components.roles
        title = roles[self.role].title if self.role in roles else self.role
        return t("{seat} is the {role}.", seat=at(self.seat), role=title)

    def label(self, components: Components, state: State) -> str:
        return components.roles[self.role].title

    def pictured(self, components: Components, state: State) -> Piece:
        return components.roles[self.role].card

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[TakeRole]:
        owner = owner_of(zone)
        return [cls(seat=owner, role=components.role_of[piece])] if piece in components.role_of and owner else ()


def roles_open(components: Components, state: State) -> tuple[str, ...]:
    """List the roles that the next seat may choose (2.1, I13)."""
    taken = {player.role for player in state.players}
    return tuple(
        name for name in components.roles if name not in taken and role_refused(components, state, name) is None
    )


def role_refused(components: Components, state: State, name: str) -> Verdict | None:
    """Return why a role can't be chosen now; None if it can."""
    if name not in components.roles:
        names = any_of(roles_open(components, state))
        return inconsistent("2.1", t("there is no role {name!r}", name=name), t("Choose {roles}.", roles=names))
    taken = {player.role: seat for seat, player in enumerate(state.players, 1) if player.role}
    left = [role for role in components.needed if role not in taken]
    if name in taken:
        reason = t(
            "{seat} is the {role}, and there is only one of each kind",
            seat=at(taken[name]),
            role=components.roles[name].title,
        )
        titles = any_of(components.roles[role].title for role in roles_open(components, state))
        return illegal("2.1", reason, t("Choose {roles}.", roles=titles))
    if name not in components.needed and len(left) >= len(state.players) - len(taken):
        missing = [t("the {card}", card=components.roles[role].title) for role in left]
        reason = plural(
            "{roles} is needed in every match, and nobody else is left to be it",
            "{roles} are needed in every match, and nobody else is left to be it",
            count=len(left),
            roles=all_of(missing),
        )
        return illegal("2.1", reason, t("Choose {roles}.", roles=any_of(missing)))
    if len(state.players) == 4 and name not in components.needed and name != "collection":
        reason = t("with four players the fourth is the {role}", role=components.roles["collection"].title)
        titles = any_of(components.roles[role].title for role in (*left, "collection"))
        return illegal("I13", reason, t("Choose {roles}.", roles=titles))
    return None


# -------------------------------------------------------------------------------------- 4. Generating New Scenarios


class OpenScenario(CollectionAction, frozen=True, tag="scenario", kw_only=True):
    """The top scenario card goes to a scenario, a crisis gem to level one; upkeep. Needs Shown at "scenario-a"."""

    declared = Declared(t("Turn up a scenario card"), "A", "3, 4; I11", ("open",))
    upkeep = True
    too_soon = t("no scenario card is due")
    moves_tokens = True
    scenario: str

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[OpenScenario]:
        return [cls(scenario=state.opening)]

    def judge(self, components: Components, state: State) -> Verdict:
        """The top scenario card goes to scenario A, later to one that a card opens (3, 4)."""
        wanted = state.opening
        if self.scenario == wanted:
            return LEGAL
        wrong = unknown_place(self.scenario, COLLECTORS[0])
        if wrong is not None:
            return wrong
        reason = t("the card is for scenario {scenario}, not {other}", scenario=wanted, other=self.scenario)
        return illegal("4", reason, waiting(state))

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        place, pieces = scenario_zone(self.scenario), state.unseen & components.need.keys()
        words = t("the scenario card of {scenario}", scenario=self.scenario)
        return (Need(place, "shown", words, pieces, stays=True),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        piece = shown_at(components, scenario_zone(self.scenario), facts, state.unseen & components.need.keys())
        number = SCENARIOS.index(self.scenario)
        state = with_scenario(state, number, replace(state.scenarios[number], card=piece, crisis=1))
        return replace(state, pending=state.pending[1:], unseen=state.unseen - {piece})

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        try:
            card = components.name(
                shown_at(components, scenario_zone(self.scenario), facts, frozenset(components.need))
            )
        except RuleError:
            card = t("a scenario card")
        return t("{card:capital} opens as scenario {scenario}.", card=card, scenario=self.scenario)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[OpenScenario]:
        kind, letter, _ = split_zone(zone)
        return [cls(scenario=letter)] if piece in components.need and kind == "scenario" else ()


def scenario_zone(letter: str) -> Zone:
    """Return the zone of a scenario's card."""
    return f"scenario-{letter.lower()}"


class Start(CollectionAction, frozen=True, tag="start", kw_only=True):
    """Put your pawn on a space of scenario A."""

    declared = Declared(t("Put your pawn on the board"), "A", "3; I3", ("start",))
    section = SETUP
    too_soon = t("pawns are put on the board before the first turn")
    collector: str

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        if state.phase == "start" and seat in state.seats and state.players[seat - 1].on_board:
            reason = t("the pawn of {seat} stands on the board already", seat=at(seat))
            return illegal("I3", reason, t("Leave it there."))
        return super().not_now(components, state, seat)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Start]:
        return [cls(seat=seat, collector=name) for seat in due(state) for name in COLLECTORS]

    def judge(self, components: Components, state: State) -> Verdict:
        """Every player starts on a space of their choice in scenario A (I3)."""
        return unknown_place(SCENARIOS[0], self.collector) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        player = replace(state.players[self.seat - 1], scenario=0, collector=COLLECTORS.index(self.collector))
        state = with_player(state, self.seat, player)
        return (
            begin_turn(components, state, state.turn, 0) if all(player.on_board for player in state.players) else state
        )

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} starts on {place}.", seat=at(self.seat), place=place_words(SCENARIOS[0], self.collector))

    def label(self, components: Components, state: State) -> str:
        return place_words(SCENARIOS[0], self.collector)

    def prospect(self, components: Components, state: State) -> Prospect:
        """Return what the collector is: its abbreviation alone says nothing to whoever reads it first."""
        return Prospect(SOURCES[self.collector])

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Start]:
        kind, letter, name = split_zone(zone)
        seat = seat_of_pawn(components, state, piece)
        if kind != "space" or not seat or state.players[seat - 1].on_board or letter != SCENARIOS[0]:
            return ()
        return [cls(seat=seat, collector=name)]


def seat_of_pawn(components: Components, state: State, piece: Piece) -> Seat:
    """Return the seat whose pawn a piece is; 0 if it is none, or of a role that nobody has."""
    role = components.pawn_of.get(piece)
    return next((seat for seat, player in enumerate(state.players, 1) if role and player.role == role), 0)
