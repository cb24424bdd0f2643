"""The world of Five Cards Collector behind the backs of the cards, and robots that collect."""

from __future__ import annotations

import random
from collections.abc import Iterable

from companion.games.five_cards_collector import FiveCardsCollector
from companion.games.five_cards_collector.components import TAKING, Components
from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.passing import Stuck
from companion.games.five_cards_collector.preparation import DrawGoal, TurnUp
from companion.games.five_cards_collector.specials import Retrieve, Take, TakeOver, Use
from companion.games.five_cards_collector.state import Setup, State
from companion.games.five_cards_collector.steps import wanted
from companion.rules.cards import Piece
from companion.rules.kernel import Action, Facts, Game, Opened, Options, Seat, Shown, holes
from companion.sim.world import Bots, World, WorldError


class FiveCardsCollectorWorld(World[State]):
    """Deck order and hands of Five Cards Collector, and the card just drawn."""

    HIDDEN = ("hands", "deck", "drawn")

    def __init__(self, game: Game[State], seats: int, options: Options, rng: random.Random) -> None:
        super().__init__(game, seats, options, rng)
        self.goals = rng.sample([card.piece for card in game.deck.of_kind("goal")], seats)
        self._effect = {card.piece: card.traits["effect"] for card in game.deck.of_kind("special")}
        self.drawn: Piece | None = None

    def setup(self) -> Setup:
        return Setup(first=self.first)

    def deal(self, state: State) -> None:
        sizes = dict(enumerate(_sizes(state), start=1))
        self.deal_hands(state.unseen, sizes)
        self._check(list(sizes.values()), state)

    def ground_actions(self, state: State, template: Action) -> Iterable[Action]:
        """After a draw only the card just drawn can follow (F3)."""
        possible = super().ground_actions(state, template)
        if state.phase != "drawn" or not holes(template):
            return possible
        return [action for action in possible if getattr(action, "card", None) == self.drawn]

    def facts(self, state: State, action: Action) -> Facts:
        if isinstance(action, DrawGoal):
            return (Shown(place=f"goal.{action.player}", piece=self.goals[action.player - 1]),)
        if isinstance(action, TurnUp):
            return (Shown(place="discard", piece=self.deck[-1]),)
        if isinstance(action, Stuck):
            return (Opened(place=f"open.{action.seat}", pieces=tuple(sorted(self.hands[action.seat]))),)
        return ()

    def apply(self, before: State, action: Action, after: State) -> None:
        hand = self.hands.get(action.seat, [])
        sizes = _sizes(after)
        if isinstance(action, Draw):
            self.draw_up_to(dict(enumerate(sizes, start=1)), before)
        elif isinstance(action, TurnUp):
            self.deck.pop()
        elif isinstance(action, Add | Discard):
            hand.remove(str(action.card))
        elif isinstance(action, Use):
            hand.remove(str(action.card))
            if self._effect[str(action.card)] == "pile-swap":
                hand.append(before.discard[-1])
            self.draw_up_to(dict(enumerate(sizes, start=1)), before)
        elif isinstance(action, Take):
            taken = self.rng.choice(self.hands[action.victim])
            self.hands[action.victim].remove(taken)
            hand.append(taken)
        elif isinstance(action, Retrieve):
            hand.append(action.card)
        self.drawn = hand[-1] if after.phase == "drawn" else None
        self._check(sizes, after)

    def rest(self, state: State) -> list[Piece]:
        """Return all discarded cards but the top one, and the used specials (F4), without one in use."""
        return [*state.discard[:-1], *state.used]

    def _check(self, counted: list[int], state: State) -> None:
        held = [len(hand) for hand in self.hands.values()]
        if counted != held or state.deck != len(self.deck):
            raise WorldError(
                f"the rules count hands of {counted} and a deck of {state.deck}; there are {held} and {len(self.deck)}"
            )


def _sizes(state: State) -> list[int]:
    return [len(player.hand.known) + player.hand.unknown for player in state.players]


SURELY = 1e6
"""The weight of what is done whenever it can be: collecting."""
MAKING_ROOM = 2
"""Cards short of the limit from which a robot would rather lay a card than keep the one it drew."""


def _weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    """Collect whatever can be; draw while there is room; keep what is wanted, and what others want, out of the pile."""
    components, seat = _components(game), action.seat
    if isinstance(action, Add):
        return SURELY
    if isinstance(action, TakeOver):
        if action.to == "own":
            return SURELY * (1 + len(state.players[action.from_seat - 1].collected))
        return 1e-3 if action.from_seat == seat else 10.0 * 3 ** len(state.players[action.from_seat - 1].collected)
    if isinstance(action, Use):
        return _using(components, state, seat, str(action.card))
    if isinstance(action, Draw):
        return 40.0
    if isinstance(action, Discard):
        return _discarding(components, state, world.hands[seat], action)
    if isinstance(action, Retrieve):
        return SURELY if action.card in _wanted(components, state, seat) else 1.0
    if isinstance(action, Take):
        victim = state.players[action.victim - 1]
        return victim.hand.size * 2.0 ** len(victim.collected)
    return 5.0 if isinstance(action, Keep) else 1e-3 if isinstance(action, Stuck) else 0.1


def _using(components: Components, state: State, seat: Seat, card: Piece) -> float:
    """Weigh a special by what it finds."""
    effect, wanted = components.effect[card], _wanted(components, state, seat)
    others = [player.collected for who, player in enumerate(state.players, 1) if who != seat]
    if effect == "take-over":
        if any(not wanted.isdisjoint(collected) for collected in others):
            return SURELY / 2000
        most = max(map(len, others))
        # With two, what one loses is as good as what the other gains.
        return 500.0 if most and len(others) == 1 else 20.0 * most if most > 2 else 0.01
    if effect == "retrieve":
        return SURELY / 4000 if not wanted.isdisjoint(state.discard) else 0.01
    if effect == "pile-swap":
        return SURELY / 4000 if state.discard[-1] in wanted else 0.01
    if effect == "draw-three":
        room = state.limit - state.players[seat - 1].hand.size + 1
        return (0.1, 0.5, 50.0, 300.0)[min(3, room)]
    return 30.0 if effect in TAKING else 0.1


def _discarding(components: Components, state: State, hand: list[Piece], action: Discard) -> float:
    card, seat = str(action.card), action.seat
    if card in _wanted(components, state, seat):
        return 2.0 if len(components.copies[card].intersection(hand)) > 1 else 1e-5
    rivals = sum(card in _wanted(components, state, who) for who in state.seats if who != seat)
    full = state.limit - state.players[seat - 1].hand.size < MAKING_ROOM
    return (30.0 if full else 3.0) / (1 + rivals)


def _wanted(components: Components, state: State, seat: Seat) -> frozenset[Piece]:
    return wanted(components, state.players[seat - 1]).pieces


def _components(game: Game[State]) -> Components:
    return game.components if isinstance(game, FiveCardsCollector) else Components(game.deck)


BOTS = Bots(FiveCardsCollectorWorld, _weigh)
