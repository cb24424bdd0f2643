"""The section "Two-player game" of Collectible: trading for the phantom auctioneer's coins (A9)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectible.components import Components
from companion.games.collectible.places import card_words, gallery_hole, not_held, put_away, with_coins
from companion.games.collectible.state import PHANTOM, TWO_PLAYERS, State
from companion.games.collectible.steps import CollectibleAction
from companion.rules.cards import Piece
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Hole, Seat, Verdict, at, illegal
from companion.rules.layout import Zone
from companion.text import t


class Sell(CollectibleAction, frozen=True, tag="sell", kw_only=True):
    """Discard a card from your gallery or auction for one of the phantom auctioneer's coins (A9)."""

    declared = Declared(
        t("Trade a card for a coin of the phantom auctioneer"), "A", "Two-player game; A9", ("collect",)
    )
    card: Piece | Hole

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        """Before your bidding step, while the phantom auctioneer has coins (A9)."""
        if len(state.players) > 2:
            return illegal(TWO_PLAYERS, t("only with two players cards are traded for coins"), t("Take it back."))
        if cls.is_due(components, state, seat) and not state.phantom_coins:
            return illegal("A9", t("the phantom auctioneer has no coin"), t("Take it back."))
        return super().not_now(components, state, seat)

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        return illegal("A9", t("there is no card to trade"), t("Draw or bid."))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Sell]:
        if not state.phantom_coins or len(state.players) > 2:
            return ()
        able: list[Piece | Hole] = [*gallery_hole(state, state.turn), *sorted(state.players[state.turn - 1].auction)]
        return [cls(seat=state.turn, card=card) for card in able]

    def judge(self, components: Components, state: State) -> Verdict:
        """You may discard cards from your gallery or auction and then take one of their coins for each."""
        if self.card in state.players[self.seat - 1].auction:
            return LEGAL
        return not_held(components, state, self.seat, self.card) or LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """The card is discarded; a character is rolled under, and earns a coin too."""
        card = str(self.card)
        state = with_coins(with_coins(put_away(state, self.seat, card), PHANTOM, -1), self.seat, 1)
        if card in components.characters:
            return replace(state, leaving=card, amid="roll")
        return replace(state, traded=(*state.traded, card))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} trades {card} for a coin of the phantom auctioneer.",
            seat=at(self.seat),
            card=card_words(components, self.card),
        )

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[Sell]:
        return [cls(seat=state.turn, card=piece)] if zone == "traded" else ()
