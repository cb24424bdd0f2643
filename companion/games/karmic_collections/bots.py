"""The world of Karmic Collections behind the backs of the cards, and robots that look for the most points."""

from __future__ import annotations

import random

from companion.games.karmic_collections import KarmicCollections
from companion.games.karmic_collections.card_actions import Conceal, Draw, Give, Take, TakeBlind
from companion.games.karmic_collections.choosing import First, Partner, Second
from companion.games.karmic_collections.components import Components, dice_points
from companion.games.karmic_collections.dice_actions import GiveDie, TakeDie
from companion.games.karmic_collections.setup import Deal, Lot, Roll
from companion.games.karmic_collections.state import Player, Setup, State
from companion.games.karmic_collections.steps import without
from companion.rules.cards import Piece
from companion.rules.kernel import Action, Facts, Game, Options, Rolled, Shown
from companion.sim.world import Bots, Level, World, WorldError


class KarmicWorld(World[State]):
    """The deck's order (the top card last), and which concealed card is which; all else lies open."""

    HIDDEN = ("hands", "deck", "concealed")
    OPEN = True
    effort = 1.7

    def __init__(self, game: Game[State], seats: int, options: Options, rng: random.Random) -> None:
        super().__init__(game, seats, options, rng)
        if not isinstance(game, KarmicCollections):
            raise WorldError(f"{game.info.title} is not Karmic Collections")
        self.components: Components = game.components
        self.deck = sorted(self.components.all)
        self.concealed: dict[str, tuple[Piece, ...]] = {}
        rng.shuffle(self.deck)

    def setup(self) -> Setup:
        return Setup()

    def deal(self, state: State) -> None:
        self._check(state)

    def facts(self, state: State, action: Action) -> Facts:
        if isinstance(action, Deal | Draw):
            seat = action.player if isinstance(action, Deal) else action.seat
            return (Shown(place=f"hand.{seat}", piece=self.deck[-1]),)
        if isinstance(action, TakeBlind):
            return (Shown(place=f"hand.{action.seat}", piece=self.rng.choice(sorted(state.concealed))),)
        if isinstance(action, Roll | Lot):
            (need,) = self.game.needs(state, action)
            return (Rolled(place="dice", values=tuple(self.rng.randint(1, need.sides) for _ in range(need.count))),)
        return ()

    def apply(self, before: State, action: Action, after: State) -> None:
        """Take what was drawn off the deck; hands are what the state says."""
        if isinstance(action, Deal | Draw):
            self.deck.pop()
        self.hands = {seat: sorted(player.hand) for seat, player in enumerate(after.players, 1)}
        self.concealed = {f"hand.{after.partner}": tuple(sorted(after.concealed))} if after.concealed else {}
        self._check(after)

    def _check(self, state: State) -> None:
        if frozenset(self.deck) != state.unseen:
            raise WorldError(f"the rules count {len(state.unseen)} cards in the deck; there are {len(self.deck)}")

    def piles(self) -> dict[str, tuple[Piece, ...]]:
        return {"deck": tuple(self.deck), **self.concealed}


SHARP = 3.0
"""How much likelier a robot makes what is worth a point more."""
CARD, DIE, CHIT = 0.45, 0.35, 0.3
"""What a robot counts for a card, a die and a chit beside their points: they may score later."""

# Roughly what each of the eight actions is worth to the player who performs it, and to the partner, in points.
WORTH = {
    "deal-fates": (1.2, 0.6),
    "focus-light": (0.7, 0.5),
    "roll-fortunes": (0.6, 0.6),
    "balance-chakra": (1.0, 0.2),
    "benevolent-burglar": (0.9, -0.5),
    "merciful-mugger": (0.8, -0.4),
    "exchange-fortunes": (0.7, -0.1),
    "swap-fates": (0.8, -0.1),
}


def worth(components: Components, player: Player) -> float:
    """Return what a player's things are worth: points, and a little for what may score later."""
    sure = components.hand_points(player.hand) + dice_points(player.dice) + player.coins
    return sure + CARD * len(player.hand) + DIE * len(player.dice) + CHIT * min(player.chits, 5)


def _weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    """Prefer what makes the most points, costs the fewest, and what suits oneself when choosing for others."""
    if not isinstance(world, KarmicWorld):
        return 1.0
    return float(SHARP ** _gain(world.components, state, action))


def _gain(components: Components, state: State, action: Action) -> float:
    if isinstance(action, First | Second):
        mine, theirs = WORTH[action.space]
        return 2 * mine if isinstance(action, First) else 2 * theirs - mine
    if isinstance(action, Partner):
        # The robot robs the player who is ahead.
        return worth(components, state.players[action.partner - 1]) / 3
    if isinstance(action, Take | Give):
        player = state.players[action.seat - 1]
        hand = player.hand | {action.card} if isinstance(action, Take) else player.hand - {action.card}
        others = state.players[state.partner - 1].hand ^ {action.card}
        return 2.0 * components.hand_points(hand) - components.hand_points(others)
    if isinstance(action, TakeDie | GiveDie):
        taking = isinstance(action, TakeDie)
        dice, theirs_ = state.players[action.seat - 1].dice, state.players[state.partner - 1].dice
        mine_ = (*dice, action.value) if taking else without(dice, action.value)
        left = without(theirs_, action.value) if taking else (*theirs_, action.value)
        return 2.0 * dice_points(mine_) - dice_points(left)
    # A concealed card is a chance for the thief, a point of a set a loss for the owner: most conceal.
    if isinstance(action, TakeBlind):
        player = state.players[action.seat - 1]
        return 2.0 * components.hand_points(player.hand)
    return 1.0 if isinstance(action, Conceal) else 0.0


def _standing(game: Game[State], state: State, world: World[State]) -> list[float]:
    """Return how each seat stands: by what its things are worth."""
    return [0.6 * worth(world.components, player) for player in state.players] if isinstance(world, KarmicWorld) else []


LEVELS = {"easy": Level(0, 0.3, 0.7), "normal": Level(8, 0.001, 50.0)}
"""Much is luck here, and the weights alone are little better than chance: normal robots search a little."""
BOTS = Bots(KarmicWorld, _weigh, _standing, LEVELS)
