"""The world of Collectible behind the backs of the cards, and robots that bid for what their collection lacks."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from companion.games.collectible import Collectible
from companion.games.collectible.auctions import Bid, NoBid, Open
from companion.games.collectible.characters import Close, Look, PlayCharacter, Roll, Swap
from companion.games.collectible.collecting import Draw
from companion.games.collectible.components import Components
from companion.games.collectible.revealing import Pass, Reveal, Show
from companion.games.collectible.sending import Discard, Done, Send, TakeBack
from companion.games.collectible.setup import TurnUp, place_of
from companion.games.collectible.state import Setup, State
from companion.games.collectible.steps import rolling
from companion.games.collectible.two_players import Sell
from companion.rules.cards import Piece
from companion.rules.kernel import Action, Facts, Game, Opened, Options, Rolled, Seat, Shown
from companion.sim.world import Bots, World, WorldError


class CollectibleWorld(World[State]):
    """The talent pile's order (the top card last) and the galleries; the robots choose swapped cards by chance."""

    effort = 1.7

    def __init__(self, game: Game[State], seats: int, options: Options, rng: random.Random) -> None:
        super().__init__(game, seats, options, rng)
        if not isinstance(game, Collectible):
            raise WorldError(f"{game.info.title} is not Collectible")
        self.components: Components = game.components

    def setup(self) -> Setup:
        return Setup(first=self.first)

    def deal(self, state: State) -> None:
        self.deal_hands(state.unseen, _sizes(state))
        self._check(state)

    def facts(self, state: State, action: Action) -> Facts:
        if isinstance(action, TurnUp):
            self.renew(state)
            return (Shown(place=place_of(action.player), piece=self.deck[-1]),)
        if isinstance(action, Roll):
            values = tuple(self.rng.randint(1, self.components.sides) for _ in range(self.components.dice))
            return (Rolled(place="dice", values=values),)
        if isinstance(action, Reveal | Show):
            seat = action.seat if isinstance(action, Reveal) else action.player
            return (Opened(place=f"reveal.{seat}", pieces=tuple(sorted(self.hands[seat]))),)
        return ()

    def apply(self, before: State, action: Action, after: State) -> None:
        hand = self.hands.get(action.seat, [])
        if isinstance(action, TurnUp):
            self.renew(before)
            self.deck.pop()
        elif isinstance(action, TakeBack):
            hand.append(action.card)
        elif isinstance(action, Send | Discard | Sell | PlayCharacter):
            if action.card in hand:
                hand.remove(str(action.card))
        elif before.block is not None and after.block is None:
            card = before.block.card
            winner = next(n for n, player in enumerate(after.players, 1) if card in player.gallery.known)
            self.hands[winner].append(card)
        if isinstance(action, Roll):
            self._tuck(before, after)
        if isinstance(action, Discard) and action.card in after.discard:
            before = replace(before, discard=after.discard)
        if after.phase == "roll" and after.stage and not after.leaving:
            self._resolve(action, after)
        self.draw_up_to(_sizes(after), before)
        self._check(after)

    def _tuck(self, before: State, after: State) -> None:
        drawn = len(self.deck) + 1 - after.deck
        depth = next(
            (tucked.depth + drawn for tucked in after.under if tucked.piece == rolling(before)), len(self.deck)
        )
        self.deck.insert(len(self.deck) - depth, rolling(before))

    def _resolve(self, action: Action, after: State) -> None:
        head = after.stage[0]
        if isinstance(action, Look | Close):
            return
        effect, hand = self.components.effect[head.piece], self.hands[head.seat]
        if effect == "swap" and hand:
            others = [seat for seat, held in self.hands.items() if held and seat != head.seat]
            partner = action.partner if isinstance(action, Swap) else others[0] if others else 0
            if partner:
                self._swap(hand, self.hands[partner])

    def _swap(self, hand: list[Piece], other: list[Piece]) -> None:
        mine, yours = hand.pop(self.rng.randrange(len(hand))), other.pop(self.rng.randrange(len(other)))
        hand.append(yours)
        other.append(mine)

    def rest(self, state: State) -> list[Piece]:
        return [*state.discard, *state.traded]

    def _check(self, state: State) -> None:
        right = state.deck == len(self.deck) and all(
            player.gallery.size == len(self.hands[seat]) and player.gallery.known.issubset(self.hands[seat])
            for seat, player in enumerate(state.players, start=1)
        )
        if not right or any(self.deck[-1 - tucked.depth] != tucked.piece for tucked in state.under):
            counted = [player.gallery.size for player in state.players]
            held = [len(hand) for hand in self.hands.values()]
            raise WorldError(
                f"the rules count galleries of {counted} and a talent pile of {state.deck}; there are {held} and "
                f"{len(self.deck)}, or a card is elsewhere than known"
            )


def _sizes(state: State) -> dict[Seat, int]:
    return {seat: player.gallery.size for seat, player in enumerate(state.players, start=1)}


EACH = 9
"""Points that a robot counts for every card on the way to five of a theme, beside their value."""
ENOUGH = 60
"""Points for which a robot reveals; with less it rather goes on collecting."""
CHARACTER = 4
"""What a robot gives for a character."""


def promise(components: Components, hand: Iterable[Piece]) -> int:
    """Return how promising a gallery is: the value of its best theme, of which five cards count."""
    return _promise(components, frozenset(hand))


@lru_cache(maxsize=16384)
def _promise(components: Components, hand: frozenset[Piece]) -> int:
    best = 0
    for showing in components.showing.values():
        some = sorted((components.value[piece] for piece in hand if piece in showing), reverse=True)[
            : components.collection
        ]
        best = max(best, sum(some) + EACH * len(some))
    return best


def worth(components: Components, hand: list[Piece], card: Piece) -> int:
    """Return what a card adds to a gallery; for a card in the gallery, what would be lost without it."""
    if card in components.characters:
        return CHARACTER
    without = [piece for piece in hand if piece != card]
    return promise(components, [*without, card]) - promise(components, without)


def limit(components: Components, state: State, hand: list[Piece], card: Piece) -> int:
    """Return how much a robot would pay: more for what it lacks, less when coins run out."""
    value = worth(components, hand, card)
    rich = max(player.coins for player in state.players)
    return 1 + value // 2 + (rich > 25) * 2


def _weigh(game: Game[State], state: State, world: World[State], action: Action) -> float:
    """Collect one theme, bid for what it lacks, put the rest up for auction, reveal five."""
    if not isinstance(world, CollectibleWorld):
        return 1.0
    components, hand = world.components, world.hands.get(action.seat, [])
    if isinstance(action, Bid) and state.block is not None:
        above = action.amount - state.block.auction.price
        if action.amount > limit(components, state, hand, state.block.card):
            return 0.01
        return 12.0 / above**2
    if isinstance(action, NoBid) and state.block is not None:
        enough = state.block.auction.price >= limit(components, state, hand, state.block.card)
        return 20.0 if enough else 0.7
    if isinstance(action, Open):
        return 0.02 + max(0, worth(components, hand, action.card) - 3) / 4
    if isinstance(action, Send | Discard | TakeBack | Sell):
        return _moving(components, state, hand, action)
    if isinstance(action, Reveal):
        if not components.common(frozenset(hand), 0, frozenset()):
            return 0.03
        return 60.0 if components.best(hand).score >= ENOUGH else 2.0
    if isinstance(action, PlayCharacter):
        return 2.0 if action.seat == state.turn else 0.4
    if isinstance(action, Done):
        return 8.0 if state.stage else 0.5
    return 8.0 if isinstance(action, Draw | Pass) else 1.0


def _moving(components: Components, state: State, hand: list[Piece], action: Send | Discard | TakeBack | Sell) -> float:
    """A card is moved away if it adds nothing, and taken back if it does."""
    value, player = worth(components, hand, str(action.card)), state.players[action.seat - 1]
    if isinstance(action, TakeBack):
        return 2.0 if value > EACH else 0.05
    if isinstance(action, Sell):
        return 5.0 if value <= CHARACTER and player.coins < 20 else 0.05
    if isinstance(action, Send) and len(player.auction) >= components.auction_limit:
        return 0.05
    if isinstance(action, Discard) and state.step != "discarding" and len(player.auction) < components.auction_limit:
        # After it nothing can be moved any more.
        return 1.0
    if action.card in player.auction:
        return 2.0
    return 6.0 if value <= 0 else 1.0 if action.card in components.characters else 0.1


def _standing(game: Game[State], state: State, world: World[State]) -> list[float]:
    """Return how each seat stands: by what its gallery promises, its coins, and its characters."""
    if not isinstance(world, CollectibleWorld):
        return [0.0 for _ in state.players]
    found = []
    for seat, player in enumerate(state.players, 1):
        hand = world.hands[seat]
        characters = len(world.components.characters.intersection(hand))
        found.append(promise(world.components, hand) / 12 + player.coins / 12 + characters / 4)
    return found


BOTS = Bots(CollectibleWorld, _weigh, _standing)
