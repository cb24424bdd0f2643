"""The set-up of Collectible, and the cards that are turned up into auctions then and for the phantom auctioneer."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.collectible.components import Components
from companion.games.collectible.places import auction_of, auction_row, with_auction
from companion.games.collectible.state import PHANTOM, SETUP, TWO_PLAYERS, Agreed, Gallery, Player, Setup, State
from companion.games.collectible.steps import CollectibleAction, lacking, waiting
from companion.games.collectible.talent_pile import can_come_up, lift, shuffled
from companion.games.collectible.turns import begin_turn
from companion.rules.cards import Piece
from companion.rules.engine import Declared, first_fits, seats_fit
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Need,
    Option,
    Options,
    RuleError,
    Seat,
    Unknown,
    Verdict,
    illegal,
    no_such_seat,
)
from companion.rules.layout import Preparing, Zone
from companion.rules.shown import came_up, name_shown
from companion.text import capital, t


def options(components: Components) -> tuple[Option, ...]:
    """Return the options: the rulebook gives no set-up, so all of it can be chosen (A1), and when to score (A8)."""
    return (
        Option("coins", t("Coins each"), components.start_coins, 1, 99, SETUP),
        Option("gallery", t("Cards each in the gallery"), components.start_gallery, 0, components.gallery_limit, SETUP),
        Option("auction", t("Cards each in the auction"), components.start_auction, 0, components.auction_limit, SETUP),
        Option("first", t("Seat of the first player; 0 is by chance"), 0, 0, 6, SETUP, seat=True),
        Option("rounds", t("Score after so many rounds; 0 is only when somebody reveals"), 0, 0, 99, "A8"),
    )


PREPARING = (
    Preparing(t("Shuffle the cards and deal everybody five; the rest is the talent pile."), ("deck",)),
    Preparing(t("Everybody takes 20 coins.")),
    Preparing(t("With two players, turn up three cards for an auction that is nobody's."), ("phantom",), seats=2),
)


def prepare(components: Components, seats: int, chosen: Options, facts: Setup) -> State:
    """Deal to the galleries; auctions are filled as upkeep. RuleError if seats, an option or a fact do not fit."""
    seats_fit(seats, 2, 6, "Players")
    agreed = _agreed(components, chosen)
    first = agreed["first"] or facts.first
    first_fits(first, seats)
    dealt = Gallery(frozenset(), agreed["gallery"])
    state = State(
        players=(Player(dealt, frozenset(), agreed["coins"]),) * seats,
        agreed=Agreed(agreed["coins"], agreed["gallery"], agreed["auction"], agreed["rounds"]),
        deck=len(components.all) - seats * agreed["gallery"],
        unseen=components.all,
        turn=first,
        step="deal",
    )
    return _dealt(components, state)


def _agreed(components: Components, chosen: Options) -> dict[str, int]:
    known = {option.name: option for option in options(components)}
    for name, value in chosen.items():
        option = known.get(name)
        if option is None:
            raise RuleError.illegal(
                SETUP, t("there is no option {name!r}", name=name), t("There are {names}.", names=", ".join(known))
            )
        if not option.low <= value <= option.high:
            reason = t("{value} is not possible for the option {name}", value=value, name=name)
            raise RuleError.illegal(option.rule, reason, t("Choose {low} to {high}.", low=option.low, high=option.high))
    return {name: chosen.get(name, option.default) for name, option in known.items()}


def _dealt(components: Components, state: State) -> State:
    """Go on to the first turn once nothing is lacking in an auction."""
    return state if lacking(components, state) else begin_turn(components, state, state.turn)


class TurnUp(CollectibleAction, frozen=True, tag="turn-up", kw_only=True):
    """The talent pile's top card goes face up into an auction. Needs Shown at "phantom" or "auction.N"."""

    declared = Declared(t("Turn up a card into an auction"), "A", "Two-player game; A1, A9", ("deal", "fill"))
    upkeep = True
    player: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[TurnUp]:
        return [cls(player=seat) for seat in lacking(components, state)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Put three cards in the phantom auction, and fill its gaps from the talent pile (A9); at set-up see A1."""
        if self.player in lacking(components, state):
            return LEGAL
        if self.player not in (PHANTOM, *state.seats):
            return no_such_seat(self.player, len(state.players))
        return illegal(
            TWO_PLAYERS,
            t("no card is due for {auction_of}", auction_of=auction_of(self.player)),
            waiting(components, state),
        )

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        pieces = state.unseen if self.player in state.unread else can_come_up(state)
        words = t("the card turned up from the talent pile")
        return (Need(place_of(self.player), "shown", words, pieces, stays=True),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """An unread card stays due; when it is read, no other is taken from the pile."""
        seat = self.player
        unread = seat in state.unread
        piece = came_up(components.name, place_of(seat), facts, state.unseen if unread else can_come_up(state))
        if not unread:
            state = lift(shuffled(state))
        if isinstance(piece, Unknown):
            return state if unread else replace(state, unread=(*state.unread, seat))
        return turned_up(components, state, seat, piece)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        piece = name_shown(components.name, facts, place_of(self.player))
        return t("{card} is turned up into {auction}.", card=capital(piece), auction=auction_of(self.player))

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[TurnUp]:
        return [cls(player=PHANTOM)] if zone == "phantom" else ()


def turned_up(components: Components, state: State, seat: Seat, piece: Piece) -> State:
    """Lay a card that was turned up into its auction, and go on if that was the last one."""
    unread = tuple(other for other in state.unread if other != seat)
    state = replace(state, unread=unread, unseen=state.unseen - {piece})
    state = with_auction(state, seat, auction_row(state, seat) | {piece})
    if state.step == "deal":
        return _dealt(components, state)
    return state if lacking(components, state) else replace(state, amid="")


def place_of(seat: Seat) -> str:
    """Return the zone of an auction."""
    return "phantom" if seat == PHANTOM else f"auction.{seat}"
