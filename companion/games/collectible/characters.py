"""The section "Character cards" of Collectible: when one may be played, its effect (A7), and the dice (A6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Self

from msgspec.structs import replace

from companion.games.collectible import places
from companion.games.collectible.components import CHOICES, EFFECTS, Components
from companion.games.collectible.state import (
    AMID_SEND,
    CHARACTERS,
    NO_CARD,
    PHANTOM,
    WINDOWS,
    Closed,
    Gallery,
    Laid,
    State,
)
from companion.games.collectible.steps import CollectibleAction, over_limits, roller, rolling, waiting, within_limits
from companion.games.collectible.talent_pile import draw, drawable, tuck
from companion.rules.cards import Piece
from companion.rules.dice import rolled
from companion.rules.engine import Declared
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Hole,
    Need,
    Rolled,
    Seat,
    Verdict,
    at,
    fact_at,
    illegal,
    inconsistent,
    no_such_seat,
)
from companion.rules.layout import Zone, owner_of
from companion.rules.wording import any_of, cards
from companion.text import plural, t


def may_be_played(components: Components, state: State, seat: Seat) -> bool:
    """Return whether a seat may play a character now, if it has one that can do something (A7).

    "You can play character cards after any step, before the next step starts – even during someone else's turn", "but
    not during an auction while players are bidding", nor after a reveal.
    """
    if state.amid:
        # Several may be declared before one takes effect; its dice, bids and a gap to fill come to their end first.
        return state.amid == "choose"
    if state.step in AMID_SEND:
        # The character is laid and waits until Send is over: playing it doesn't save another card from the discard.
        return seat != state.turn or within_limits(components, state, seat)
    return state.step in WINDOWS


def without_target(state: State, seat: Seat) -> tuple[str, ...]:
    """List the effects that have no possible target for a seat that would play such a character now (A7)."""
    return (*_without_gallery(state, seat), *_without_card(state))


def _without_card(state: State) -> tuple[str, ...]:
    """List the effects that need a card: one in an auction that is not closed yet, or one to draw (A10)."""
    closed = state.closed_cards
    open_ = state.phantom - closed or any(player.auction - closed for player in state.players)
    return (*(() if open_ else ("close",)), *(() if drawable(state) else ("draw",)))


def _without_gallery(state: State, seat: Seat) -> tuple[str, ...]:
    """List the effects that need another gallery with cards; "swap needs another card in each gallery"."""
    for other, player in enumerate(state.players, 1):
        if player.gallery.size and other != seat:
            # The character itself may be the only card of its own gallery.
            return () if state.players[seat - 1].gallery.size > 1 else ("swap",)
    return ("swap", "look")


def partners(state: State, seat: Seat) -> tuple[Seat, ...]:
    """List the other seats whose galleries hold cards."""
    return tuple(n for n, player in enumerate(state.players, 1) if n != seat and player.gallery.size)


def closable(state: State) -> tuple[Piece, ...]:
    """List the cards in all auctions that are not closed yet."""
    closed = state.closed_cards
    rows = (places.auction_row(state, owner) for owner in (PHANTOM, *state.seats))
    return tuple(piece for row in rows for piece in sorted(row - closed))


class PlayCharacter(CollectibleAction, frozen=True, tag="character", kw_only=True):
    """Play a character card of your gallery. Where it leaves a choice, Swap, Look or Close follows; then Roll."""

    declared = Declared(t("Play a character"), "A", "Character cards; A7", ("collect", "send", "reveal", "choose"))
    card: Piece | Hole

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        return seat in state.seats and may_be_played(components, state, seat)

    @classmethod
    def out_of_turn(cls, components: Components, state: State, seat: Seat) -> Verdict:
        if state.outcome is not None or seat not in state.seats or state.phase in ("deal", "fill"):
            return super().out_of_turn(components, state, seat)
        if state.phase == "bidding":
            reason = t("characters are not played during an auction while players are bidding")
            return illegal(CHARACTERS, reason, t("Take it back until the auction is over."))
        if state.phase == "show":
            return illegal("A7", t("after a reveal no character is played"), t("Take it back."))
        if state.phase == "roll":
            reason = t("{rolling} is not under the talent pile yet", rolling=components.name(rolling(state)))
            return illegal("A7", reason, waiting(components, state))
        over = over_limits(components, state, state.turn)
        reason = t("{turn} is still sending cards to auction, with {over}", turn=at(state.turn), over=over)
        return illegal("A7", reason, t("Take it back until that step is over."))

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        return illegal(CHARACTERS, t("there can be no character with a possible target in the gallery"), t("Go on."))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[PlayCharacter]:
        unseen, no_card = state.unseen & components.characters, _without_card(state)
        for seat, player in enumerate(state.players, 1):
            gallery = player.gallery
            if (
                not (gallery.unknown or gallery.known)
                or not may_be_played(components, state, seat)
                or _chooses(state, seat)
            ):
                continue
            able = gallery.known & components.characters if gallery.known else frozenset[Piece]()
            if gallery.unknown:
                able |= unseen
            for effect in (*_without_gallery(state, seat), *no_card):
                able -= components.doing[effect]
            if able:
                yield cls(seat=seat, card=Hole(seat, able, t("a character")))

    def judge(self, components: Components, state: State) -> Verdict:
        """You can play character cards of your gallery, which have to be able to do something (A7)."""
        seat, card = self.seat, self.card
        if _chooses(state, seat):
            # The order of one's own characters is the order in which one plays them.
            reason = t("{piece} of {seat} is not done yet", piece=components.name(state.stage[0].piece), seat=at(seat))
            return illegal(CHARACTERS, reason, waiting(components, state))
        if places.auctioneer_of(state, card) is not None:
            where = places.whereabouts(components, state, card)
            reason = t("{card} can't be played from an auction: {where}", card=components.name(card), where=where)
            return illegal("A7", reason, t("Put it back; a character is played from the gallery."))
        absent = places.not_held(components, state, seat, card)
        if absent is not None:
            return absent
        if card not in components.characters:
            return illegal(
                CHARACTERS, t("{card} is an art card, not a character", card=components.name(card)), t("Take it back.")
            )
        effect = components.effect[str(card)]
        if effect not in without_target(state, seat):
            return LEGAL
        reason = {
            "swap": t("swapping takes another card in the gallery of {seat} and a card in another one", seat=at(seat)),
            "look": t("there is no card in any other gallery"),
            "close": t("there is no card in any auction that is not closed"),
            "draw": t("the talent pile and the discard pile are empty"),
        }[effect]
        return illegal("A10" if effect == "draw" else "A7", reason, t("Take it back and keep it for later."))

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """It takes effect when it is laid (`turns.go_on`), or when Send is over; several in turn order (A7)."""
        seat, card = self.seat, str(self.card)
        state = places.take_out(state, seat, card)
        before = [laid for laid in state.stage if _place(state, laid.seat) <= _place(state, seat)]
        return replace(state, stage=(*before, Laid(seat, card), *state.stage[len(before) :]), amid="")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        card = self.card
        seat = at(self.seat)
        if isinstance(card, Hole) or card not in components.effect:
            return t("{seat} plays {card}.", seat=seat, card=places.card_words(components, card))
        effect = EFFECTS[components.effect[card]]
        return t("{seat} plays {card}, who {effect}.", seat=seat, card=components.name(card), effect=effect)

    @classmethod
    def meant_by(cls, components: Components, state: State, piece: Piece, zone: Zone) -> Iterable[PlayCharacter]:
        return [cls(seat=owner_of(zone), card=piece)] if zone.startswith("stage.") else ()


def _chooses(state: State, seat: Seat) -> bool:
    return state.amid == "choose" and seat == state.stage[0].seat


def _place(state: State, seat: Seat) -> int:
    return (seat - state.turn) % len(state.players)


def resolve(components: Components, state: State) -> State:
    """Resolve the first of the laid characters, or wait for its choice; then its dice are due.

    Where only one choice is possible it is taken; where there is none any more, nothing happens.
    """
    head = state.stage[0]
    effect = components.effect[head.piece]
    if effect in CHOICES:
        targets = choices(components, state)
        if len(targets) > 1:
            return replace(state, amid="choose")
        return _chosen(components, state, targets[0]) if targets else replace(state, amid="roll")
    if effect == "coins":
        state = places.out_of_supply(state, head.seat, components.supply_coins)
    elif effect == "draw":
        state = draw(state, head.seat, components.drawn_cards)
    else:
        player = state.players[head.seat - 1]
        state = places.with_player(state, head.seat, replace(player, rebates=player.rebates + 1))
    return replace(state, amid="roll")


def choices(components: Components, state: State) -> tuple[Seat | Piece, ...]:
    """List what the character that resolves may choose: a seat, or a card to close."""
    head = state.stage[0]
    effect = components.effect[head.piece]
    if effect == "close":
        return closable(state)
    if effect == "swap" and not state.players[head.seat - 1].gallery.size:
        return ()
    return partners(state, head.seat)


def _chosen(components: Components, state: State, target: Seat | Piece) -> State:
    head = state.stage[0]
    if isinstance(target, str):
        state = replace(state, closed=(*state.closed, Closed(target, head.seat)))
    elif components.effect[head.piece] == "swap":
        state = swapped(state, head.seat, target)
    return replace(state, amid="roll")


def swapped(state: State, seat: Seat, partner: Seat) -> State:
    """Swap a card of two galleries, face down: known cards of both become unseen (C1, C2).

    The only card of a gallery is the one that is given, so where it goes is known if the card is.
    """
    own, other = state.players[seat - 1].gallery, state.players[partner - 1].gallery
    gone = frozenset().union(*(gallery.known for gallery in (own, other) if gallery.size > 1))
    state = places.with_gallery(state, seat, _after_swap(own, other))
    state = places.with_gallery(state, partner, _after_swap(other, own))
    return replace(state, unseen=state.unseen | gone)


def _after_swap(own: Gallery, other: Gallery) -> Gallery:
    known = other.known if other.size == 1 else frozenset()
    return Gallery(known, own.size - len(known))


class Choice(CollectibleAction, frozen=True, kw_only=True):
    """The one choice that a character leaves, which takes effect."""

    effect: ClassVar[str]

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        return _chooses(state, seat) and components.effect[state.stage[0].piece] == cls.effect

    @classmethod
    def out_of_turn(cls, components: Components, state: State, seat: Seat) -> Verdict:
        if seat not in state.seats or (state.phase != "choose" and state.phase not in WINDOWS):
            return super().out_of_turn(components, state, seat)
        if state.phase == "choose":
            head = state.stage[0]
            return illegal(
                CHARACTERS,
                t("{piece} of {seat} is due", piece=components.name(head.piece), seat=at(head.seat)),
                waiting(components, state),
            )
        if state.stage:
            return _not_yet(components, state)
        return illegal(CHARACTERS, t("no character that allows it has been played"), t("Play one first."))


class WithPartner(Choice, frozen=True, kw_only=True):
    """The choice of another seat, whose gallery it is about."""

    partner: Seat

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[Self]:
        if components.effect[state.stage[0].piece] == cls.effect:
            for seat in partners(state, state.stage[0].seat):
                yield cls(seat=state.stage[0].seat, partner=seat)

    def judge(self, components: Components, state: State) -> Verdict:
        """It takes a gallery that is not empty (A7)."""
        if self.partner not in state.seats:
            return no_such_seat(self.partner, len(state.players))
        remedy = t("Choose {seat}.", seat=any_of(at(seat) for seat in partners(state, self.seat)))
        if self.partner == self.seat:
            return illegal("A7", t("it takes the gallery of another player"), remedy)
        if not state.players[self.partner - 1].gallery.size:
            return illegal("A7", t("the gallery of {partner} is empty", partner=at(self.partner)), remedy)
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return _chosen(components, state, self.partner)

    def label(self, components: Components, state: State) -> str:
        return at(self.partner)


class Swap(WithPartner, frozen=True, tag="swap", kw_only=True):
    """Swap a gallery card with this seat: both choose one of their own, face down (A7)."""

    declared = Declared(t("Choose whom to swap with"), "B", "Character cards; A7", ("choose",))
    effect = "swap"

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} and {partner} swap a gallery card.", seat=at(self.seat), partner=at(self.partner))


class Look(WithPartner, frozen=True, tag="look", kw_only=True):
    """Look at this seat's gallery (A7)."""

    declared = Declared(t("Choose whose gallery to look at"), "B", "Character cards; A7", ("choose",))
    effect = "look"

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} looks at the gallery of {partner}.", seat=at(self.seat), partner=at(self.partner))


class Close(Choice, frozen=True, tag="close", kw_only=True):
    """Close a card in an auction: nobody can open a bid on it."""

    declared = Declared(t("Choose which card to close"), "B", "Character cards; A7", ("choose",))
    effect = "close"
    card: Piece

    @classmethod
    def options(cls, components: Components, state: State) -> Iterator[Close]:
        if components.effect[state.stage[0].piece] == cls.effect:
            for card in closable(state):
                yield cls(seat=state.stage[0].seat, card=card)

    def judge(self, components: Components, state: State) -> Verdict:
        """Close any auction's card, the phantom's too (A7)."""
        if self.card in closable(state):
            return LEGAL
        if self.card in state.closed_cards:
            return illegal(
                "A7", t("{card} is closed already", card=components.name(self.card)), t("Choose another card.")
            )
        where = places.whereabouts(components, state, self.card)
        return inconsistent(
            "C2",
            t("{card} is in no auction: {where}", card=components.name(self.card), where=where),
            t("Look again which card it is."),
        )

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Until the start of your next turn or until it leaves."""
        return _chosen(components, state, self.card)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t("{seat} closes {card} until their next turn.", seat=at(self.seat), card=components.name(self.card))

    def label(self, components: Components, state: State) -> str:
        return places.whose_auction(state, self.card)


def _not_yet(components: Components, state: State) -> Verdict:
    reason = t(
        "{piece} waits until {turn} is done sending cards",
        piece=components.name(state.stage[0].piece),
        turn=at(state.turn),
    )
    return illegal("A7", reason, waiting(components, state))


class Roll(CollectibleAction, frozen=True, tag="roll", kw_only=True):
    """Roll two dice and put the character under so many cards, once its effect is done. Needs Rolled at "dice"."""

    declared = Declared(
        t("Roll two dice and put the character under so many cards"), "C", "Character cards; A6", ("roll",)
    )

    @classmethod
    def is_due(cls, components: Components, state: State, seat: Seat) -> bool:
        """Return whether this seat's character is done, or this seat has discarded one."""
        return state.phase == "roll" and seat == roller(state)

    @classmethod
    def out_of_turn(cls, components: Components, state: State, seat: Seat) -> Verdict:
        if seat not in state.seats or (state.phase != "choose" and state.phase not in WINDOWS):
            return super().out_of_turn(components, state, seat)
        if state.phase == "choose":
            return illegal("A7", t("the effect comes first, then the dice"), waiting(components, state))
        if state.stage:
            return _not_yet(components, state)
        return illegal("A6", t("no character waits to be put under the talent pile"), t("Keep the dice for later."))

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Roll]:
        return [cls(seat=roller(state))]

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        return (
            Need(
                "dice",
                "rolled",
                plural("{count} die", "{count} dice", count=components.dice),
                count=components.dice,
                sides=components.sides,
            ),
        )

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Put it under that many cards from the top of the talent pile: with an eight under the top eight cards."""
        depth = sum(rolled(facts, "dice", components.dice, components.sides))
        state = tuck(state, rolling(state), depth)
        if state.leaving:
            return replace(state, leaving=NO_CARD, amid="")
        return replace(state, stage=state.stage[1:], amid="")

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        fact = fact_at(facts, "dice")
        depth = sum(fact.values) if isinstance(fact, Rolled) else 0
        known = depth and (state.leaving or state.stage)
        if not known:
            return t("{seat} rolls two dice.", seat=at(self.seat))
        return t(
            "{seat} rolls {depth}: {card} goes under the top {cards}.",
            seat=at(self.seat),
            depth=depth,
            card=components.name(rolling(state)),
            cards=cards(depth),
        )
