"""Keeping a match true to the table: what does not add up, corrections, the host's end."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.collectible.auctions import TERMS
from companion.games.collectible.components import Components, coins
from companion.games.collectible.places import auction_row, with_auction, with_coins, with_gallery
from companion.games.collectible.scoring import laid_open
from companion.games.collectible.setup import turned_up
from companion.games.collectible.state import AMID_SEND, NO_CARD, PHANTOM, Gallery, State
from companion.games.collectible.steps import lacking
from companion.games.collectible.turns import begin_turn
from companion.rules import auction
from companion.rules.auction import Bidder
from companion.rules.cards import Piece
from companion.rules.corrections import (
    ENDED_BY_HOST,
    adds_up,
    apply_edits,
    bad,
    copies_swapped,
    in_one_place,
    seat_of,
    seat_there,
    sentences,
    shared_out,
    without_limit,
)
from companion.rules.kernel import AnyEdit, Counts, Seat, at
from companion.rules.layout import Zone
from companion.rules.wording import cards
from companion.text import t


def audit(components: Components, state: State) -> tuple[str, ...]:
    """Return one sentence for everything that does not add up."""
    wrong = [*_places(components, state), *_counts(state), *_phases(components, state)]
    return sentences(wrong)


def _places(components: Components, state: State) -> Iterator[str]:
    lying = [*state.unseen, *state.discard, *state.traded, *state.phantom]
    tucked = [under.piece for under in state.under]
    lying += [*tucked, *state.waiting_characters]
    lying += [state.block.card] if state.block else []
    for player in state.players:
        lying += [*player.gallery.known, *player.auction]
    yield from in_one_place(lying, components.all, components.name)
    yield from [
        t("{piece} has been discarded, and characters are rolled under (A6).", piece=components.name(piece))
        for piece in (*state.discard, *state.traded)
        if piece in components.characters
    ]
    yield from [
        t("{piece} is no character.", piece=components.name(piece))
        for piece in (*tucked, *state.waiting_characters)
        if piece not in components.characters
    ]
    rows = state.phantom.union(*(player.auction for player in state.players))
    yield from [
        t("{piece} is closed and lies in no auction.", piece=components.name(shut.piece))
        for shut in state.closed
        if shut.piece not in rows
    ]


def _counts(state: State) -> Iterator[str]:
    hidden = state.deck - len(state.under) + sum(player.gallery.unknown for player in state.players) + len(state.unread)
    if hidden != len(state.unseen):
        yield t(
            "the talent pile and the galleries hold {cards} that nobody has seen; that should be {unseen}.",
            cards=cards(hidden),
            unseen=len(state.unseen),
        )
    depths = [under.depth for under in state.under]
    if state.deck < 0 or depths != sorted(set(depths)) or (depths and not 0 <= depths[0] <= depths[-1] < state.deck):
        yield t("the talent pile can't hold what lies under its cards.")
    for seat, player in enumerate(state.players, 1):
        if player.gallery.unknown < 0 or player.coins < 0 or player.rebates < 0:
            yield t("{seat} has fewer than no cards or coins.", seat=at(seat))
    out = sum(player.coins for player in state.players) + state.phantom_coins
    due = state.agreed.coins * len(state.players) + state.granted
    if out != due or state.phantom_coins < 0:
        yield t("there are {coins} about, and there should be {due}.", coins=coins(out), due=due)
    if len(state.players) > 2 and (state.phantom or state.phantom_coins or state.traded):
        yield t("only two players have a phantom auctioneer.")


def _phases(components: Components, state: State) -> Iterator[str]:
    """Check that what is due goes with what lies on the table."""
    if (state.block is not None) != (state.phase == "bidding"):
        yield t("an auction goes on without a card on the block, or there is a card and no auction.")
    at_work = bool(state.stage) and state.step not in AMID_SEND
    if (at_work or bool(state.leaving)) != (state.phase in ("choose", "roll")):
        yield t("a character waits for nothing, or is waited for and not there.")
    if at_work and state.leaving:
        yield t("two characters wait for the dice.")
    # The card on the block is still the phantom's: its gap is filled when the auction closes.
    phantom = len(state.phantom) + (state.block is not None and state.block.owner == PHANTOM)
    if phantom > components.phantom_cards:
        yield t(
            "the phantom auction has {cards}; it has {phantom_cards} (A9).",
            cards=cards(phantom),
            phantom_cards=components.phantom_cards,
        )
    if state.phase in ("deal", "fill") and not lacking(components, state):
        yield t("a card is to be turned up where none is lacking.")
    if (state.outcome is not None) != (state.phase == "over"):
        yield t("the match is over without an outcome, or has one and goes on.")
    if state.turn not in state.seats:
        yield t("it is nobody's turn.")
    shown = [seat for seat, player in enumerate(state.players, 1) if player.shown]
    if shown and state.phase not in ("show", "over"):
        yield t("the gallery of {shown} lies open before the match is over.", shown=at(shown[0]))
    yield from [
        t("the gallery of {seat} lies open and has cards that nobody knows.", seat=at(seat))
        for seat in shown
        if state.players[seat - 1].gallery.unknown
    ]


def correct(components: Components, state: State, edits: tuple[AnyEdit, ...]) -> State:
    """Make the state agree with the edits (C8).

    A card that nobody had seen comes, unless Counts says otherwise, out of the gallery that its new place suggests, if
    that can be; the talent pile makes up the difference. If only the pile is counted, the galleries do. A card that is
    taken off the block or a character's place ends what was going on with it. Raises RuleError if an edit names no such
    card, place or seat, or the result does not add up.
    """
    counted = {edit.place.replace("gallery.", "hand.") for edit in edits if isinstance(edit, Counts)}
    state = apply_edits(
        state,
        edits,
        instead=lambda now, edit: copies_swapped(now, components.card, edit),
        lies=lambda now, edit: _lies(components, now, edit.piece, edit.zone, counted),
        counts=lambda now, edit: _count(now, edit.place, edit.count),
        turns=lambda now, edit: _turns(components, now, edit.seat),
    )
    if "deck" in counted and not any(place.startswith("hand.") for place in counted):
        state = _share_out(state)
    elif "deck" not in counted:
        hidden = sum(player.gallery.unknown for player in state.players) + len(state.unread)
        state = replace(state, deck=len(state.unseen) + len(state.under) - hidden)
    state = _settled(components, state)
    adds_up(audit(components, state))
    return state


def _settled(components: Components, state: State) -> State:
    """Settle after a correction: what is not lacking is not due, what lies too deep is at the bottom."""
    deep = tuple(under for under in state.under if under.depth < state.deck)
    if deep != state.under:
        # Nobody can say any more where it is.
        gone = frozenset(under.piece for under in state.under if under not in deep)
        state = replace(state, under=deep, unseen=state.unseen | gone)
    if state.phase in ("deal", "fill") and not lacking(components, state):
        state = begin_turn(components, state, state.turn) if state.step == "deal" else replace(state, amid="")
    if state.outcome is not None and state.outcome.ending in ("revealed", "rounds"):
        state = replace(state, step="show", outcome=None)
    return laid_open(components, state) if state.step == "show" else state


def _lies(components: Components, state: State, piece: Piece, zone: Zone, counted: set[str]) -> State:
    if piece not in components.all:
        raise bad(t("{piece} is not one of the cards", piece=components.name(piece)), t("Leave it in the box."))
    area = zone.partition(".")[0]
    if zone == "block" and state.block and state.block.card == piece:
        return state
    unread = PHANTOM if zone == "phantom" else seat_of(zone, state.seats, "auction.1") if area == "auction" else None
    if piece in state.unseen and unread is not None and unread in state.unread:
        return turned_up(components, state, unread, piece)
    unseen = piece in state.unseen
    state = _lift(state, piece)
    if zone == "deck":
        return replace(state, unseen=state.unseen | {piece})
    suggested = seat_of(zone, state.seats, "auction.1") if "." in zone else PHANTOM if zone == "phantom" else state.turn
    if unseen and suggested and f"hand.{suggested}" not in counted:
        gallery = state.players[suggested - 1].gallery
        if gallery.unknown:
            state = with_gallery(state, suggested, Gallery(gallery.known, gallery.unknown - 1))
    return _put(components, state, piece, area, zone)


def _put(components: Components, state: State, piece: Piece, area: str, zone: Zone) -> State:
    if zone in ("discard", "traded") and piece in components.characters:
        raise bad(
            t("{piece} is a character, which is not discarded", piece=components.name(piece)),
            t("Put it into the talent pile (deck)."),
        )
    if zone == "discard":
        return replace(state, discard=(*state.discard, piece))
    if zone == "traded" and len(state.players) == 2:
        return replace(state, traded=(*state.traded, piece))
    if zone == "phantom" and len(state.players) == 2:
        return with_auction(state, PHANTOM, state.phantom | {piece})
    if area == "auction":
        seat = seat_of(zone, state.seats, "auction.1")
        return with_auction(state, seat, auction_row(state, seat) | {piece})
    if area in ("hand", "gallery") or (area == "reveal" and state.phase in ("show", "over")):
        seat = seat_of(zone, state.seats, "auction.1")
        gallery = state.players[seat - 1].gallery
        return with_gallery(state, seat, Gallery(gallery.known | {piece}, gallery.unknown))
    remedy = t("Name discard, deck, phantom, hand.1, auction.1 and so on.")
    raise bad(t("no card can be put down in {zone!r} by a correction", zone=zone), remedy)


def _lift(state: State, piece: Piece) -> State:
    for seat, player in enumerate(state.players, 1):
        if piece in player.gallery.known:
            state = with_gallery(state, seat, Gallery(player.gallery.known - {piece}, player.gallery.unknown))
        if piece in player.auction:
            state = with_auction(state, seat, player.auction - {piece})
    if piece in state.phantom:
        state = with_auction(state, PHANTOM, state.phantom - {piece})
    if state.block is not None and state.block.card == piece:
        state = replace(state, block=None, step="collect", amid="")
    stage = tuple(laid for laid in state.stage if laid.piece != piece)
    waits = state.stage[:1] != stage[:1] or state.leaving == piece
    leaving = NO_CARD if state.leaving == piece else state.leaving
    if waits and state.amid:
        # The effect of the next one is still to come; a correction leaves it at that.
        state = replace(state, amid="roll" if stage and state.step not in AMID_SEND else "")
    return replace(
        state,
        stage=stage,
        leaving=leaving,
        unseen=state.unseen - {piece},
        under=tuple(under for under in state.under if under.piece != piece),
        discard=tuple(p for p in state.discard if p != piece),
        traded=tuple(p for p in state.traded if p != piece),
    )


def _count(state: State, place: str, count: int) -> State:
    """Count unseen cards ("deck", "hand.2") or coins ("coins.2", "coins.0" for the phantom auctioneer)."""
    area = place.partition(".")[0]
    if place == "deck":
        return replace(state, deck=count)
    if area == "coins":
        seat = PHANTOM if place == "coins.0" and len(state.players) == 2 else seat_of(place, state.seats, "auction.1")
        change = count - (state.phantom_coins if seat == PHANTOM else state.players[seat - 1].coins)
        state = replace(with_coins(state, seat, change), granted=state.granted + change)
        if state.block is None:
            return state
        bids = auction.with_means(TERMS, state.block.auction, Bidder(seat, count, coins(count)))
        return replace(state, block=replace(state.block, auction=bids))
    if area not in ("hand", "gallery"):
        raise bad(t("nothing is counted at {place!r}", place=place), t("Count the deck, hand.1, coins.1 and so on."))
    seat = seat_of(place, state.seats, "auction.1")
    return with_gallery(state, seat, Gallery(state.players[seat - 1].gallery.known, count))


def _share_out(state: State) -> State:
    if state.deck == 0 and state.under:
        gone = frozenset(under.piece for under in state.under)
        state = replace(state, under=(), unseen=state.unseen | gone)
    hidden = sum(player.gallery.unknown for player in state.players) + len(state.unread)
    more = len(state.unseen) + len(state.under) - state.deck - hidden
    refusal = bad(t("no gallery can have held the cards that the talent pile has too many"), t("Count the galleries."))
    galleries = shared_out([player.gallery for player in state.players], more, without_limit, refusal)
    players = tuple(replace(player, gallery=gallery) for player, gallery in zip(state.players, galleries, strict=True))
    return replace(state, players=players)


def _turns(components: Components, state: State, seat: Seat) -> State:
    """Start a turn of this seat. An auction, a character or upkeep has to be brought to its end first."""
    seat_there(seat, state.seats)
    if state.step == "deal":
        return replace(state, turn=seat)
    if state.phase not in ("collect", "send", "reveal") or state.stage:
        raise bad(
            t("something is going on that has to end first"), t("Bring it to its end, or say where its card lies.")
        )
    return begin_turn(components, state, seat)


def end(state: State) -> State:
    """End the match without a winner (C8); a card on the block goes back to its auction."""
    if state.outcome is not None:
        return state
    if state.block is not None:
        block = state.block
        state = with_auction(replace(state, block=None), block.owner, auction_row(state, block.owner) | {block.card})
    waiting = state.waiting_characters
    state = replace(
        state, stage=(), leaving=NO_CARD, deck=state.deck + len(waiting), unseen=state.unseen.union(waiting)
    )
    return replace(state, step="over", amid="", outcome=ENDED_BY_HOST)
