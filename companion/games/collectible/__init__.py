"""Collectible: the declaration of the game, and the game as everybody else uses it.

`components` is what is on the cards, `state` a match at one moment. An action is one class with its rule: `setup`
(turning cards up), `collecting` and `auctions`, `two_players`, `sending`, `characters`, `revealing`. What they share:
`steps` (whose turn it is), `places` and `talent_pile` (where cards are), `turns`, `scoring`. `views` says what can be
seen, `corrections` keeps a match true; `before_done` reads old journals.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectible import (
    auctions,
    before_done,
    characters,
    collecting,
    corrections,
    guide,
    revealing,
    sending,
    setup,
    steps,
    turns,
    two_players,
    views,
)
from companion.games.collectible.auctions import TERMS, Bid, Bidding, NoBid, Open, on_block
from companion.games.collectible.characters import Close, Look, PlayCharacter, Roll, Swap
from companion.games.collectible.collecting import Draw
from companion.games.collectible.components import Components
from companion.games.collectible.revealing import Pass, Reveal, Show
from companion.games.collectible.sending import Discard, Done, Send, TakeBack
from companion.games.collectible.setup import TurnUp
from companion.games.collectible.state import PHASES, Setup, State
from companion.games.collectible.steps import CollectibleAction, may_end
from companion.games.collectible.talent_pile import drawable
from companion.games.collectible.two_players import Sell
from companion.rules import auction
from companion.rules.cards import Deck
from companion.rules.engine import RuleBased, actions_in, tag_of, union_of
from companion.rules.kernel import (
    Action,
    AnyEdit,
    Counts,
    Facts,
    Info,
    Options,
    RuleError,
    Sale,
    Seat,
    Timed,
    Undone,
    View,
)
from companion.rules.layout import Zone
from companion.text import t


class Collectible(RuleBased[Components, State]):
    """The rules of Collectible for one deck."""

    kinds = actions_in(setup, collecting, auctions, two_players, sending, characters, revealing)
    # The order on which seeded matches of robots depend; characters, which seats that are not due may play, come last.
    legal_order = (
        *(TurnUp, Draw, Open, NoBid, Bid, Sell, Send, Discard, TakeBack, Done, Pass, Reveal),
        *(Swap, Look, Close, Roll, PlayCharacter, Show),
    )
    phases = PHASES
    heaps = frozenset(("discard", "traded", "closed", "unread"))
    waiting = t("Your gallery stays secret: cards in it that share a theme make a collection.")
    action_type = union_of(kinds)
    setup_type = Setup

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck, Components(deck), views, corrections)
        self.hidden = self.components.all
        self.info = Info(
            name="collectible",
            title=deck.title,
            code=deck.code,
            seats=(2, 6),
            options=setup.options(self.components),
            kinds=self.declared(),
            rulebook="collectible.md",
            preparing=setup.PREPARING,
            guide=guide.guide(self.components),
            words=t("Bid for art, and reveal the most valuable collection of one theme."),
        )

    def setup(self, seats: int, options: Options, facts: Setup) -> State:
        """Deal to the galleries; what lies face up in auctions comes as upkeep."""
        return self.settle(setup.prepare(self.components, seats, options, facts))

    def settle(self, state: State) -> State:
        return turns.go_on(self.components, state)

    def play(self, state: State, action: Action, facts: Facts = ()) -> State:
        """Apply a ground action; one of a journal from before "done" as it was meant then."""
        try:
            return super().play(state, action, facts)
        except RuleError:
            then = before_done.state_then(self.components, state, action)
            if then is state or not self.judge(then, action).ok:
                raise
        return super().play(then, action, facts)

    def exchanged(self, step: Undone) -> tuple[Seat, ...]:
        """Return the seats between which a swap took effect (A7): then its character's dice are due."""
        was, now = (s.stage[:1] if s.amid == "roll" and not s.leaving else () for s in (step.before, step.after))
        if not now or now == was or self.components.effect[now[0].piece] != "swap":
            return ()
        possible = characters.choices(self.components, step.after)
        others = (step.action.partner,) if isinstance(step.action, Swap) else tuple(map(int, possible))
        return (now[0].seat, *others) if others else ()

    def canonical(self, state: State) -> object:
        """Return what a state is; a turn that was passed has ended, though a character waits for its dice."""
        if state.step == "passed":
            state = replace(turns.end_turn(self.components, state), amid=state.amid)
        return super().canonical(state)

    def actors(self, state: State) -> tuple[Seat, ...]:
        return steps.actors(state)

    def due(self, state: State) -> str:
        return steps.waiting(self.components, state)

    def view(self, state: State, seat: Seat) -> View:
        """Return what a seat may see and do; only two players have a phantom auctioneer to trade with (A9)."""
        view = super().view(state, seat)
        if len(state.players) == 2:
            return view
        return replace(view, may=tuple(may for may in view.may if may.name != tag_of(Sell)))

    def coach(self, state: State, seat: Seat) -> str:
        counted = views.coach(self.components, state) if seat in self.actors(state) else ""
        return counted or super().coach(state, seat)

    def call(self, state: State, seat: Seat) -> str:
        return views.call(self.components, state) or super().call(state, seat)

    def timed(self, state: State) -> Timed | None:
        return auctions.timed(state)

    def moot(self, state: State, last: tuple[State, Action | None] | None = None) -> tuple[Action, ...]:
        bids = state.block.auction if state.block else None
        if bids is None and last is not None and isinstance(last[1], Bidding):
            bids = last[1].bids_after(on_block(last[0]).auction)
        return tuple(NoBid(seat=seat) for seat in auction.unasked(TERMS, bids)) if bids else ()

    def sale(self, before: State, action: Action, after: State) -> Sale | None:
        return auctions.sale(before, action)

    def tacit(self, state: State) -> CollectibleAction | None:
        """Return what leaves no trace: a card drawn, the turn passed on, a bid that is not raised."""
        seat = state.turn
        if state.phase == "collect" and drawable(state):
            return Draw(seat=seat)
        if may_end(state):
            silent = Pass(seat=seat)
            return silent if self.judge(state, silent).ok else None
        if state.block is not None and state.block.auction.bids:
            return NoBid(seat=state.block.auction.turn)
        return None

    def touches(self, state: State, action: Action) -> frozenset[Zone]:
        draws = isinstance(action, Draw) or (
            isinstance(action, PlayCharacter) and self.components.effect.get(str(action.card)) == "draw"
        )
        return frozenset(("deck",)) if draws else frozenset()

    def anchors(self, state: State) -> Iterable[tuple[AnyEdit, ...]]:
        if state.deck and state.phase in ("collect", "send", "reveal"):
            yield (Counts("deck", 0),)


GAME = Collectible
