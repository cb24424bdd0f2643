"""What can be seen of a match of COLLECTION!: the layout of the table, ladders, scores, and views."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec.structs import replace

from companion.games.collection.board import TOP_CRISIS, TOP_RESPONSE, met
from companion.games.collection.components import Components
from companion.games.collection.effects import place_words
from companion.games.collection.setup import scenario_zone
from companion.games.collection.state import COLLECTORS, COLOURS, OFF, SCENARIOS, Gems, Player, Scenario, State
from companion.games.collection.steps import due, standing_on, waiting
from companion.rules.cards import Piece
from companion.rules.kernel import (
    TABLE,
    Column,
    Event,
    Ladder,
    Mark,
    Part,
    Post,
    Seat,
    SeatStanding,
    Share,
    Shelf,
    Standing,
    View,
    at,
)
from companion.rules.kernel.wall import Hue, MarkShape
from companion.rules.layout import Area, Back, Empty, Exactly, Layout, Loose, Pile, Zone, open_pile
from companion.rules.wording import cards
from companion.text import join, plural, t, word

EMPTY, BACK = Pile(Empty()), Pile(Back())
NOTHING = Loose()
LOOKS: tuple[tuple[Hue, MarkShape], ...] = (("blue", "circle"), ("red", "triangle"), ("green", "hexagon"))
"""What gems and reports of each of the COLOURS look like on the board (3)."""


def layout(components: Components, state: State) -> Layout:
    """Return what should lie where: cards, pawns, coins and crisis gems. The other gems are only counted."""
    zones: dict[Zone, Area] = {
        "deck": BACK if state.unseen & components.cards else EMPTY,
        "scenarios": BACK if state.unseen - components.cards else EMPTY,
        "discard": open_pile(state.discard),
    }
    for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True):
        _scenario(components, zones, letter, scenario)
    spaces: dict[Zone, frozenset[Piece]] = {}
    for seat, player in enumerate(state.players, 1):
        role = components.roles.get(player.role)
        zones[f"cards.{seat}"] = Loose(frozenset((*player.hand, *([role.card] if role else []))))
        if role is not None and player.on_board:
            zone = space_zone(SCENARIOS[player.scenario], COLLECTORS[player.collector])
            spaces[zone] = spaces.get(zone, frozenset()) | {role.pawn}
    zones.update((zone, Loose(pawns)) for zone, pawns in spaces.items())
    return Layout(zones)


def _scenario(components: Components, zones: dict[Zone, Area], letter: str, scenario: Scenario) -> None:
    card = EMPTY if not scenario.active else BACK if met(components, scenario) else Pile(Exactly(scenario.card))
    low = letter.lower()
    zones[scenario_zone(letter)] = card
    for level in range(1, TOP_CRISIS + 1):
        zones[f"crisis-{low}-{level}"] = EMPTY
    if scenario.active:
        zones[f"crisis-{low}-{scenario.crisis}"] = Pile(Exactly(components.gem[letter,]))
    for level in range(TOP_RESPONSE + 1):
        zones[f"response-{low}-{level}"] = NOTHING
    for level in {response for response in scenario.responses if response != OFF}:
        here = frozenset(
            components.coin[letter, name]
            for name, response in zip(COLLECTORS, scenario.responses, strict=True)
            if response == level
        )
        zones[f"response-{low}-{level}"] = Loose(here)
    for name in COLLECTORS:
        zones[space_zone(letter, name)] = NOTHING


def space_zone(letter: str, name: str) -> Zone:
    """Return the zone of a collector's space."""
    return f"space-{letter.lower()}-{name.lower()}"


def standing(components: Components, state: State) -> Standing:
    """Return the score that all share: the number of reports in the circles."""
    filed = sum(sum(scenario.reports) for scenario in state.scenarios)
    wanted = sum(sum(components.need[scenario.card]) for scenario in state.scenarios if scenario.active)
    seats = []
    for seat, player in enumerate(state.players, 1):
        parts = (
            Part(t("reports got"), player.reported, amount=True),
            Part(t("gems placed"), player.placed, amount=True),
        )
        title = components.roles[player.role].title if player.role else t("no role yet")
        seats.append(SeatStanding(seat, filed, parts, title))
    circles = tuple(
        Share(
            letter,
            sum(scenario.reports),
            sum(components.need[scenario.card]),
            tuple(_wanted(letter, colour) for colour in COLOURS),
        )
        for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True)
        if scenario.active
    )
    return Standing(tuple(seats), state.outcome, wanted or None, circles, t("reports"))


def view(components: Components, state: State, seat: Seat) -> View:
    """Return what a seat may see. Everything lies open in this game, so nothing in here is secret."""
    return View(
        seat,
        headline(state),
        due(state),
        shelves=tuple(_shelves(components, state, seat)),
        numbers=_numbers(components, state),
        ladders=tuple(_ladders(components, state)),
        columns=() if seat != TABLE else tuple(_columns(components, state)),
    )


def headline(state: State) -> str:
    """Return one sentence that describes what is going on."""
    return state.outcome.words if state.outcome else waiting(state)


def call(state: State) -> str:
    """Return what is left to do on a turn, for who is on it; "" where that is not about actions."""
    left = state.actions
    if state.phase == "act" and left:
        return plural("Your turn: {count} action, then draw", "Your turn: {count} actions, then draw", count=left)
    if state.phase == "close" and left:
        return plural("Your turn: {count} action left", "Your turn: {count} actions left", count=left)
    return ""


def _ladders(components: Components, state: State) -> list[Ladder]:
    active = [
        (letter, scenario) for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True) if scenario.active
    ]
    found = [
        Ladder(
            t("Crisis {place}", place=components.country(letter, scenario.card)),
            scenario.crisis,
            1,
            TOP_CRISIS,
            components.alarm,
            t("complete") if met(components, scenario) else "",
            letter,
        )
        for letter, scenario in active
    ]
    for letter, scenario in active:
        found += [
            Ladder(place_words(letter, name), level, 0, TOP_RESPONSE, words=_gem_words(gems))
            for name, level, gems in zip(COLLECTORS, scenario.responses, scenario.gems, strict=True)
            if level != OFF
        ]
    return found


def _columns(components: Components, state: State) -> Iterator[Column]:
    """Yield the active scenarios: the crisis, the reports filed and wanted, and every collector with who is there."""
    standing = [(player.scenario, player.collector) for player in state.players]
    for number, (letter, scenario) in enumerate(zip(SCENARIOS, state.scenarios, strict=True)):
        if scenario.active:
            need = components.need[scenario.card]
            posts = (
                Post(
                    name,
                    None if level == OFF else level,
                    TOP_RESPONSE,
                    tuple(mark for mark in _marks(gems) if mark.value),
                    tuple(seat for seat in state.seats if standing[seat - 1] == (number, n)),
                )
                for n, (name, level, gems) in enumerate(zip(COLLECTORS, scenario.responses, scenario.gems, strict=True))
            )
            yield Column(
                letter,
                components.card[scenario.card].title,
                sum(scenario.reports),
                sum(need),
                scenario.crisis,
                TOP_CRISIS,
                components.alarm,
                _marks(scenario.reports, need),
                tuple(posts),
            )


def _marks(counts: Gems, goals: Gems = (0, 0, 0)) -> tuple[Mark, ...]:
    return tuple(
        Mark(word(name), *look, count, goal)
        for name, look, count, goal in zip(COLOURS, LOOKS, counts, goals, strict=True)
    )


@lru_cache(4096)
def _gem_words(gems: Gems) -> str:
    there = [
        plural("{count} {colour}", "{count} {colour}", count=count, colour=word(colour))
        for colour, count in zip(COLOURS, gems, strict=True)
        if count
    ]
    return t("engagement: {gems}", gems=join(", ", there)) if there else t("no engagement")


def _shelves(components: Components, state: State, seat: Seat) -> list[Shelf]:
    shelves = []
    for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True):
        if scenario.active:
            need = components.need[scenario.card]
            words = t("complete") if met(components, scenario) else _reports(scenario.reports, need)
            shelves.append(Shelf(t("Scenario {letter}", letter=letter), (scenario.card,), words=words))
    for other in sorted(state.seats, key=lambda other: other != seat):
        player = state.players[other - 1]
        where = standing_on(state, other)
        extra = _to_come(player)
        title = t("Your cards") if other == seat else t("Cards of {owner}", owner=at(other))
        if player.role:
            role = components.roles[player.role].card
            words = join(", ", [t("on {place}", place=where), *extra] if where else extra)
            shelves.append(Shelf(title, (role, *player.hand), words=words, seat=other))
    if state.discard:
        top = state.discard[-1]
        words = t("{cards}, on top {top}", cards=cards(len(state.discard)), top=components.name(top))
        shelves.append(Shelf(t("Discard pile"), (top,), words=words))
    return shelves


@lru_cache(1024)
def _reports(reports: Gems, need: Gems) -> str:
    """Describe how many reports are in a circle: "reports: political 1 of 4, military 2 of 3, economic 0 of 3"."""
    wanted = (
        t("{colour} {have} of {need}", colour=word(colour), have=have, need=most)
        for colour, have, most in zip(COLOURS, reports, need, strict=True)
    )
    return t("reports: {reports}", reports=join(", ", wanted))


def _to_come(player: Player) -> list[str]:
    found = []
    if player.dice:
        found.append(plural("{count} bonus die", "{count} bonus dice", count=player.dice))
    if player.skips:
        found.append(
            plural("{count} ENGAGE will place nothing", "{count} ENGAGE actions will place nothing", count=player.skips)
        )
    return found


@cache
def _wanted(letter: str, colour: str) -> str:
    return t("{colour} reports {scenario} still needs", colour=word(colour), scenario=letter)


def _numbers(components: Components, state: State) -> tuple[Part, ...]:
    numbers = [Part(t("actions left"), state.actions)] if state.phase in ("act", "close") else []
    for letter, scenario in zip(SCENARIOS, state.scenarios, strict=True):
        if scenario.active:
            numbers += [
                Part(_wanted(letter, colour), need - have)
                for colour, have, need in zip(COLOURS, scenario.reports, components.need[scenario.card], strict=True)
                if need > have
            ]
    return (
        *numbers,
        Part(t("collection deck"), len(state.unseen & components.cards), thing="deck"),
        Part(t("discard pile"), len(state.discard)),
    )


def in_crisis(event: Event) -> Event:
    """Return an event with what it means for the crises: all is lost when one of them reaches its top (5)."""
    rises = [step for step in event.steps if step.key.startswith("ladder-")]
    if not rises:
        return event
    worst = max(rises, key=lambda step: step.after)
    place, left = worst.key.removeprefix("ladder-"), worst.high - worst.after
    up, down = t("Crisis in {place} rises", place=place), t("Crisis in {place} falls", place=place)
    more = plural("{count} more step and all is lost", "{count} more steps and all is lost", count=left)
    return replace(event, change=up if worst.after > worst.before else down, more=more)
