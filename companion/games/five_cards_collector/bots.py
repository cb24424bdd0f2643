"""The world of Five Cards Collector behind the backs of the cards, and robots that collect."""

from __future__ import annotations

import random
from collections.abc import Iterable

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.laying import Add, Discard
from companion.games.five_cards_collector.passing import Nothing, Stuck
from companion.games.five_cards_collector.preparation import DrawGoal, TurnUp
from companion.games.five_cards_collector.specials import Retrieve, Take, TakeOver, Use
from companion.games.five_cards_collector.state import Setup, State
from companion.rules.cards import Piece
from companion.rules.kernel import Action, Facts, Game, Opened, Options, Shown, holes
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


def _weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    """Collect; use specials early; draw while there is room; throw away what is of no use."""
    hand = world.hands.get(action.seat, [])
    if isinstance(action, Add):
        return 60.0
    if isinstance(action, TakeOver):
        if action.to == "own":
            return 60.0
        return 0.2 if action.from_seat == action.seat else 3.0
    if isinstance(action, Use):
        return 1.5
    if isinstance(action, Draw):
        return 8.0
    if isinstance(action, Discard):
        # A full hand can't draw: make room, but not before.
        return 8.0 if len(hand) >= state.limit or state.phase == "drawn" else 3.0
    if isinstance(action, Retrieve):
        return 20.0 if _belongs(game, state, action.seat, action.card) else 0.3
    if isinstance(action, Take):
        return float(state.players[action.victim - 1].hand.size)
    if isinstance(action, Stuck):
        # Robots bluff now and then: a claim that is wrong only lays the hand open (F8).
        return 8.0
    if isinstance(action, Nothing) and len(state.players) == 2:
        return 4.0
    return 1.0 if isinstance(action, Keep) else 0.15


def _belongs(game: Game[State], state: State, seat: int, card: str) -> bool:
    """Return whether a card would be collected: the rules' own answer, as if it were that seat's turn."""
    shelves = game.view(state, seat).shelves
    cards = game.deck.by_piece()
    wanted = {cards[piece].title for shelf in shelves for piece in shelf.wanted}
    return cards[card].title in wanted


BOTS = Bots(FiveCardsCollectorWorld, _weigh)
