"""Small situations of COLLECTION!: a state in one readable call; cards by what they do."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games import load_deck
from companion.games.collection import Collection
from companion.games.collection.effects import CrisisExpansion
from companion.games.collection.state import COLLECTORS, COLOURS, OFF, SCENARIOS, Gems, Player, Scenario, State
from companion.rules.kernel import Facts, Rolled, Shown
from tests.games.on_paper import OnPaper

GAME = Collection(load_deck("collection"))
COMPONENTS = GAME.components
PAPER = OnPaper(GAME)
judge, refused, play = PAPER.judge, PAPER.refused, PAPER.play
COUNTRIES = sorted(COMPONENTS.need)
"""The scenario cards; the first asks for 4 political, 3 military and 3 economic reports."""
EXPANSIONS = {
    letter: [piece for piece in sorted(COMPONENTS.red) if COMPONENTS.effect[piece] == (CrisisExpansion(1, letter),)]
    for letter in SCENARIOS
}
ROLES = {
    3: ("political", "military", "economic"),
    4: ("political", "military", "economic", "collection"),
    7: ("political", "military", "economic", "collection", "leadership", "weapons", "targeting"),
}


def does(effect: str) -> str:
    """Find the first collection card with this effect in the deck file."""
    return next(card.piece for card in GAME.deck.cards if card.traits.get("effect") == effect)


def gems(political: int = 0, military: int = 0, economic: int = 0) -> Gems:
    return political, military, economic


def scenario(
    card: int = 0,
    crisis: int = 1,
    levels: dict[str, int] | None = None,
    engaged: dict[str, Gems] | None = None,
    reports: Gems = (0, 0, 0),
) -> Scenario:
    """Make an active scenario: `levels` are the coins on the ladder; a collector with gems is at 3 if not named."""
    engaged = engaged or {}
    there = {**dict.fromkeys(engaged, 3), **(levels or {})}
    return Scenario(
        COUNTRIES[card],
        crisis,
        tuple(there.get(name, OFF) for name in COLLECTORS),
        tuple(engaged.get(name, (0, 0, 0)) for name in COLLECTORS),
        reports,
    )


def situation(
    roles: tuple[str, ...] = ROLES[3],
    at: tuple[str, ...] = (),
    a: Scenario | None = None,
    b: Scenario | None = None,
    c: Scenario | None = None,
    hands: dict[int, tuple[str, ...]] | None = None,
    dice: dict[int, int] | None = None,
    skips: dict[int, int] | None = None,
    discard: tuple[str, ...] = (),
    deck: tuple[str, ...] | None = None,
    **more: Any,
) -> State:
    """Make a state in the middle of seat 1's turn. `at` says where pawns stand, "DH" or "B DH"; DH, if left out.

    `deck`, if given, are the collection cards left in it; the others have been discarded before `discard`.
    """
    places = [place.rpartition(" ") for place in (at or ("DH",) * len(roles))]
    players = tuple(
        Player(
            role,
            SCENARIOS.index(letter or "A"),
            COLLECTORS.index(name),
            (hands or {}).get(seat, ()),
            (dice or {}).get(seat, 0),
            (skips or {}).get(seat, 0),
        )
        for seat, (role, (letter, _, name)) in enumerate(zip(roles, places, strict=True), 1)
    )
    scenarios = (a or scenario(), b or Scenario(), c or Scenario())
    lying = (
        {scenario.card for scenario in scenarios} | {p for hand in (hands or {}).values() for p in hand} | set(discard)
    )
    rest = COMPONENTS.cards - lying
    if deck is not None:
        discard = (*sorted(rest - set(deck)), *discard)
        rest = frozenset(deck)
    settings: dict[str, Any] = {"turn": 1, "phase": "act", "actions": 2, **more}
    state = State(players, scenarios, rest | (COMPONENTS.need.keys() - lying), discard=discard, **settings)
    assert GAME.audit(state) == ()
    return state


def threw(*values: int) -> Rolled:
    return Rolled(place="dice", values=values)


def drew(piece: str) -> Shown:
    return Shown(place="discard", piece=piece)


def opened(letter: str, card: int) -> Shown:
    return Shown(place=f"scenario-{letter.lower()}", piece=COUNTRIES[card])


def levels(state: State, letter: str = "A") -> dict[str, int]:
    """Return the levels of the collectors that are on a ladder."""
    there = state.scenarios[SCENARIOS.index(letter)].responses
    return {name: level for name, level in zip(COLLECTORS, there, strict=True) if level != OFF}


def crises(state: State) -> list[int]:
    return [scenario.crisis for scenario in state.scenarios]


def engagement(state: State, name: str, letter: str = "A") -> Gems:
    return state.scenarios[SCENARIOS.index(letter)].gems[COLLECTORS.index(name)]


def moved(state: State, seat: int, place: str) -> State:
    """Put a pawn elsewhere."""
    letter, _, name = place.rpartition(" ")
    number, collector = SCENARIOS.index(letter or "A"), COLLECTORS.index(name)
    players = list(state.players)
    players[seat - 1] = replace(players[seat - 1], scenario=number, collector=collector)
    return replace(state, players=tuple(players))


__all__ = [
    "COLOURS",
    "COMPONENTS",
    "COUNTRIES",
    "EXPANSIONS",
    "GAME",
    "ROLES",
    "Facts",
    "crises",
    "does",
    "drew",
    "engagement",
    "gems",
    "judge",
    "levels",
    "moved",
    "opened",
    "play",
    "refused",
    "scenario",
    "situation",
    "threw",
]
