"""Phase 1 of Collectors, "Spend bottles", and the section "Actions": placing a bottle and what may follow it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.collectors.box import (
    AREA,
    AUCTION,
    BUY,
    NO_SUCH_SPACE,
    RAISE,
    SKILL,
    SPACES,
    SYMBOLS,
    Box,
    dollars,
)
from companion.games.collectors.rulebook import next_turn
from companion.games.collectors.steps import (
    PHASE_1,
    cost,
    draw,
    drawable,
    in_supply,
    lowest,
    moved,
    not_in_hand,
    number_of,
    out_of_turn,
    recycled,
    removed,
    taken,
    with_player,
)
from companion.games.collectors.values import (
    BOARD,
    NONE,
    UNREAD,
    Buy,
    Gain,
    GetSkill,
    Place,
    Player,
    RaiseValue,
    Space,
    State,
    TakeBack,
)
from companion.rules.cards import Piece
from companion.rules.hands import face_down, held, laid, least_worth
from companion.rules.kernel import LEGAL, TABLE, Facts, Seat, Verdict, at, illegal, inconsistent
from companion.rules.wording import cards

# --------------------------------------------------------------------------------------- Phase 1: the spaces


def judge_place(box: Box, state: State, action: Place) -> Verdict:
    """The space must be empty, its cost be paid, and its action be possible in full (K17)."""
    wrong = out_of_turn(box, state, action, "turn")
    if wrong:
        return wrong
    seat = action.seat
    number = number_of(box, seat, action.bottle)
    mine = [n for n, place in enumerate(state.players[seat - 1].bottles) if place in BOARD]
    if number not in mine or (not state.tracked and number != mine[0]):
        reason = f"{action.bottle} is no bottle on the player board of {at(seat)}"
        return inconsistent("C9", reason, f"Place the bottle {box.bottles[seat][mine[0]]}.")
    return judge_space(box, state, action.space)


def judge_space(box: Box, state: State, space: Space) -> Verdict:
    """Return whether the seat whose turn it is may place a bottle on a space."""
    if space not in AREA:
        return NO_SUCH_SPACE
    other = "Take the bottle back and choose another space."
    if taken(state, space):
        words = box.space(space, state.quarter)
        return illegal(PHASE_1, f"{words} is occupied, and an action space must be empty", other)
    if not state.tracked and (first := _alike(box, state, space)) != space:
        reason = f"{box.space(space, state.quarter)} is like {box.space(first, state.quarter)}, which is free"
        return illegal("K3", reason, "Where bottles carry no codes the first free one of spaces that are alike counts.")
    seal, coins = box.seal(space, state.quarter), state.players[state.turn - 1].coins
    if coins + seal.coins < 0:
        words = box.space(space, state.quarter)
        reason = f"{words} costs {dollars(-seal.coins)}, and {at(state.turn)} has {dollars(coins)}"
        return illegal("Phase 1; K3", reason, other)
    lacks = _lacks(box, state, space, coins + seal.coins)
    return illegal("K17", f"{box.space(space, state.quarter)} can't be used: {lacks}", other) if lacks else LEGAL


def _alike(box: Box, state: State, space: Space) -> Space:
    """Return the first free space that is alike: of the same area, with the same seal."""
    if AREA[space] == "work":
        return space
    seal = box.seal(space, state.quarter)
    like = (one for one in SPACES if AREA[one] == AREA[space] and box.seal(one, state.quarter) == seal)
    return next(one for one in like if not taken(state, one))


def _lacks(box: Box, state: State, space: Space, coins: int) -> str:
    """K17: say what the action of a space lacks, after seal and skill income; "" if it can be done in full.

    Unknown cards of the hand count as able.
    """
    area, player = AREA[space], state.players[state.turn - 1]
    size = player.hand.size
    if area == BUY:
        if state.unable < coins and not state.market and size:
            return ""  # everything is free as long as the market is empty
        if visible(box, state, coins) or by_hand(box, state, coins):
            return ""
        return f"there is no item that {dollars(coins)} can pay"
    if area == SKILL:
        return "" if size or any(state.skill_pool) else "there is no card in the skill pool or the hand"
    if area == RAISE:
        return "" if raisable(state) else "there is no card to place in the market pool"
    if area == AUCTION:
        return auction_lacks(state, coins + _skills(box, player, "auction-income") * box.auction_income)
    drawn = min(_skills(box, player, "work-card"), drawable(state))
    left = drawable(state) - drawn
    if space == "quarter" and state.quarter < 4:
        short = size + drawn < box.tucked
        return f"it takes {cards(box.tucked)} of the hand, and there are {size + drawn}" if short else ""
    wanted = 2 if space == "draw" else 1 if space in ("first", "income") else 0
    return f"{cards(wanted)} must be drawn, and only {left} can be" if left < wanted else ""


def auction_lacks(state: State, coins: int) -> str:
    """K17: say what an auction lacks that the seat whose turn it is starts with so many coins; "" if nothing."""
    size = state.players[state.turn - 1].hand.size
    if any(state.auction_pool):
        return "" if coins or size else "there is nothing left to open the auction with"
    return "" if size and (coins or size > 1) else "there is no card to auction, or nothing left to open with"


def _skills(box: Box, player: Player, skill: str) -> int:
    """Count the skill cards of one kind: each is used once (Special skills)."""
    return sum(box.skill[card] == skill for card in player.skills)


def spaces(box: Box, state: State) -> Iterator[Space]:
    """Yield the spaces on which the seat whose turn it is may place a bottle."""
    occupied = {place for player in state.players for place in player.bottles}
    for space in SPACES:
        if (space not in occupied or recycled(state, space)) and judge_space(box, state, space).ok:
            yield space


def play_place(box: Box, state: State, action: Place, facts: Facts) -> State:
    """Pay or gain the seal, then skill income, then the action itself (K7)."""
    seat, space, area = action.seat, action.space, AREA[action.space]
    number = number_of(box, seat, action.bottle)
    player = state.players[seat - 1]
    came = player.bottles[number]
    seal = box.seal(space, state.quarter)
    player = replace(moved(player, number, space), coins=player.coins + seal.coins)
    state = replace(state, players=with_player(state, seat, player), space=space, came=came)
    if area == "work":
        return next_turn(box, _work(box, state, seat, space))
    if area == AUCTION:
        # Whoever starts the auction, all who have the skill gain (Special skills; K7).
        players = tuple(
            replace(one, coins=one.coins + more)
            if (more := _skills(box, one, "auction-income") * box.auction_income)
            else one
            for one in state.players
        )
        return replace(state, players=players, phase="offer")
    if area == RAISE:
        return replace(state, phase="raise", left=seal.cards)
    return replace(state, phase="buy" if area == BUY else "skill")


def _work(box: Box, state: State, seat: Seat, space: Space) -> State:
    """Work: first the work skills, recycling included (K7), then what the space says."""
    player = state.players[seat - 1]
    coins = player.coins + _skills(box, player, "work-income") * box.work_income
    state = replace(state, players=with_player(state, seat, replace(player, coins=coins)))
    state = draw(state, seat, _skills(box, player, "work-card"))
    if recycled(state, space):
        return state  # The bottle is in the supply again; it lies on the space until the board is cleared.
    if space == "quarter":
        return _tuck(state, seat, box.tucked)
    state = draw(state, seat, 2 if space == "draw" else 1)
    if space == "first":
        return replace(state, next_first=seat)
    return _tuck(state, seat, 1) if space == "income" else state


def _tuck(state: State, seat: Seat, count: int) -> State:
    """Place cards of the hand face down at the right side of the player board."""
    player = state.players[seat - 1]
    hand, unseen = face_down(player.hand, state.unseen, count)
    player = replace(player, hand=hand, income=player.income + count)
    return replace(state, players=with_player(state, seat, player), unseen=unseen)


# ----------------------------------------------------------------------------------------------------- Buy item


def visible(box: Box, state: State, coins: int) -> tuple[Piece, ...]:
    """Return the cards of the item pool that so many coins can pay."""
    pool = (card for card in state.item_pool if card not in (NONE, UNREAD))
    return tuple(card for card in pool if cost(box, state.market, card) <= coins)


def by_hand(box: Box, state: State, coins: int) -> frozenset[Piece]:
    """Return the cards that may be in the hand and that so many coins can pay; none that was said not to be (K17)."""
    hand = state.players[state.turn - 1].hand
    able = held(hand, state.unseen) if coins > state.unable else hand.known
    dear = too_dear(box, state, coins)
    return frozenset(card for card in able if box.item[card] not in dear) if dear else able


def too_dear(box: Box, state: State, coins: int) -> frozenset[str]:
    """Return the kinds of items that cost more than so many coins (Buy item)."""
    symbols = [box.symbol[one] for one in state.market]
    return frozenset(symbol for symbol in SYMBOLS if symbols.count(symbol) > coins)


def judge_buy(box: Box, state: State, action: Buy) -> Verdict:
    """Pay $1 for each card in the market pool that has the same symbol as the item."""
    wrong = out_of_turn(box, state, action, "buy")
    if wrong:
        return wrong
    card, coins = action.card, state.players[action.seat - 1].coins
    if card not in state.item_pool or card in (NONE, UNREAD):
        remedy = "Put it back: an item comes from the item pool or out of the hand."
        absent = not_in_hand(box, state, action.seat, card, "Buy item", remedy)
        if absent:
            return absent
    price = cost(box, state.market, str(card))
    if price > coins:
        reason = f"{box.name(card)} costs {dollars(price)} in the market, and {at(action.seat)} has {dollars(coins)}"
        return illegal("Buy item", reason, "Put it back and choose an item that can be paid.")
    return LEGAL


def play_buy(box: Box, state: State, action: Buy, facts: Facts) -> State:
    """Tuck it under the player board from above."""
    card, seat = str(action.card), action.seat
    price = cost(box, state.market, card)
    state = _out(state, seat, card)
    player = state.players[seat - 1]
    player = replace(player, coins=player.coins - price, items=(*player.items, card))
    return next_turn(box, replace(state, players=with_player(state, seat, player)))


def _out(state: State, seat: Seat, card: Piece) -> State:
    """Take a card out of the pool it lies in, or else out of the hand."""
    if card in state.item_pool:
        return replace(state, item_pool=removed(state.item_pool, card))
    if card in state.skill_pool:
        return replace(state, skill_pool=removed(state.skill_pool, card))
    if card in state.auction_pool:
        return replace(state, auction_pool=removed(state.auction_pool, card))
    player = state.players[seat - 1]
    hand, unseen = laid(player.hand, state.unseen, card)
    return replace(state, players=with_player(state, seat, replace(player, hand=hand)), unseen=unseen)


def judge_take_back(box: Box, state: State, action: TakeBack) -> Verdict:
    """K17: bottle and seal are taken back if it turns out that no card of the hand can be paid.

    A claim that no hand could bear out is inconsistent (C9).
    """
    wrong = out_of_turn(box, state, action, "buy")
    if wrong:
        return wrong
    player, dear = state.players[action.seat - 1], too_dear(box, state, state.players[action.seat - 1].coins)
    open_ = visible(box, state, player.coins)
    if open_:
        return illegal("K17", f"{at(action.seat)} can pay {box.names(open_)}", f"Buy {box.names(open_)}.")
    known = [card for card in player.hand.known if box.item[card] not in dear]
    if known:
        reason = f"{at(action.seat)} is known to hold {box.names(known, 'and')}, and can pay that"
        return inconsistent("C9", reason, f"Buy {box.names(known)}.")
    if least_worth(player.hand, state.unseen, lambda card: box.item[card] not in dear):
        reason = f"whatever cards {at(action.seat)} holds, {dollars(player.coins)} can pay one of them"
        return inconsistent("C9", reason, "Buy one that can be paid.")
    return LEGAL


def play_take_back(box: Box, state: State, action: TakeBack, facts: Facts) -> State:
    """The turn begins anew; with so few coins nothing of this hand can be bought in it."""
    player = state.players[action.seat - 1]
    number = player.bottles.index(state.space)
    unable = player.coins
    player = replace(moved(player, number, state.came), coins=player.coins - box.seal(state.space, state.quarter).coins)
    return replace(
        state, players=with_player(state, action.seat, player), phase="turn", space="", came="", unable=unable
    )


# ---------------------------------------------------------------------------------------- Get skill; Special skills


def judge_skill(box: Box, state: State, action: GetSkill) -> Verdict:
    """Take one of the cards of the skill pool, or one of the hand."""
    wrong = out_of_turn(box, state, action, "skill")
    if wrong:
        return wrong
    if action.card in state.skill_pool and action.card not in (NONE, UNREAD):
        return LEGAL
    remedy = "Put it back: a skill comes from the skill pool or out of the hand."
    return not_in_hand(box, state, action.seat, action.card, "Get skill", remedy) or LEGAL


def play_skill(box: Box, state: State, action: GetSkill, facts: Facts) -> State:
    """Tuck it under the player board from the left."""
    card = str(action.card)
    return learned(box, _out(state, action.seat, card), action.seat, card)


def learned(box: Box, state: State, seat: Seat, card: Piece) -> State:
    """A skill works from now on; the bottle skill at once, if the supply has a bottle left (K5, K6)."""
    player = state.players[seat - 1]
    player = replace(player, skills=(*player.skills, card))
    state = replace(state, players=with_player(state, seat, player))
    if box.skill[card] == "bottle" and gainable(state, seat):
        return replace(state, phase="gain", actor=seat, lot=NONE)
    return next_turn(box, state)


def gainable(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the bottles (by number) that a seat can gain: those of its colour in the supply; one of them uncoded."""
    bottles = state.players[seat - 1].bottles
    supply = tuple(n for n, place in enumerate(bottles) if in_supply(state, place))
    return supply if state.tracked else supply[:1]


def judge_gain(box: Box, state: State, action: Gain) -> Verdict:
    """Immediately gain a new bottle of the own colour."""
    wrong = out_of_turn(box, state, action, "gain")
    if wrong:
        return wrong
    free = gainable(state, action.seat)
    if number_of(box, action.seat, action.bottle) not in free:
        reason = f"{action.bottle} is no bottle of {at(action.seat)} in the supply"
        return inconsistent("K6", reason, f"Take the bottle {box.bottles[action.seat][free[0]]}.")
    return LEGAL


def play_gain(box: Box, state: State, action: Gain, facts: Facts) -> State:
    """It goes to the lowest free position and can be used this quarter (K6)."""
    player = state.players[action.seat - 1]
    free = next(place for place in "12345" if place not in player.bottles)
    player = moved(player, number_of(box, action.seat, action.bottle), free)
    return next_turn(box, replace(state, players=with_player(state, action.seat, player), actor=TABLE))


# -------------------------------------------------------------------------------------------------- Raise value


def raisable(state: State) -> bool:
    """Return whether there is a card that could be placed in the market pool (K12)."""
    hand = state.players[state.turn - 1].hand
    return bool(hand.size or lowest_of(state))


def lowest_of(state: State) -> tuple[Piece, ...]:
    """Return the lowest cards of skill and auction pool, which may be placed in the market pool."""
    return tuple(one for one in (lowest(state.skill_pool), lowest(state.auction_pool)) if one not in (NONE, UNREAD))


def judge_raise(box: Box, state: State, action: RaiseValue) -> Verdict:
    """A card of the hand, or the card in the lowest position of the skill pool or of the auction pool (K12)."""
    wrong = out_of_turn(box, state, action, "raise")
    if wrong:
        return wrong
    fit = lowest_of(state)
    if action.card in fit:
        return LEGAL
    if action.card in (*state.skill_pool, *state.auction_pool) and action.card not in (NONE, UNREAD):
        reason = f"{box.name(action.card)} is not in the lowest position of its pool"
        return illegal("Raise value; K12", reason, f"Put it back and take {box.names(fit)}, or a card of the hand.")
    remedy = "Put it back: take the lowest card of the skill or the auction pool, or a card of the hand."
    return not_in_hand(box, state, action.seat, action.card, "Raise value; K12", remedy) or LEGAL


def play_raise(box: Box, state: State, action: RaiseValue, facts: Facts) -> State:
    """Tuck it under its icon; if fewer cards exist than the space asks for, place what there is (K12)."""
    card = str(action.card)
    state = _out(state, action.seat, card)
    state = replace(state, market=(*state.market, card), left=state.left - 1)
    return state if state.left and raisable(state) else next_turn(box, state)
