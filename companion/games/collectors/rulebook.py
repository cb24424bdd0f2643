"""The rules of Collectors in the rulebook's order: set-up, the phases of a quarter, and scoring.

Every action has its pair here or in `actions` and `auctions`: `judge_…` (the truth, with the reason) and `play_…` (the
effect of a legal one). `Box` holds what the cards and the board say; `steps` what several rules share.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectors.box import BOTTLES, SYMBOLS, Box
from companion.games.collectors.steps import (
    SCORING,
    SETUP,
    actors,
    draw,
    drawable,
    lies_open,
    lowest,
    missing,
    number_of,
    on_board,
    out_of_turn,
    out_there,
    recycled,
    removed,
    renewed,
    waiting,
    with_player,
)
from companion.games.collectors.values import (
    BOX,
    NONE,
    UNREAD,
    Fill,
    Flow,
    Hand,
    Hide,
    Player,
    Retrieve,
    Reveal,
    Setup,
    State,
)
from companion.rules.cards import Piece
from companion.rules.hands import face_down
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Options,
    Outcome,
    Part,
    RuleError,
    Seat,
    Shown,
    Unknown,
    Verdict,
    at,
    fact_at,
    illegal,
    inconsistent,
)
from companion.rules.layout import Zone
from companion.rules.wording import all_of, so_many_players

# ------------------------------------------------------------------------------------------------------------ Setup


def prepare(box: Box, seats: int, options: Options, facts: Setup) -> State:
    """Deal three cards each, give two bottles, and coins by turn order: 2 for the first player, then 3, 4, 5.

    Raises:
        RuleError: if the number of seats, an option or a fact does not fit.
    """
    if not 2 <= seats <= 4:
        raise RuleError(illegal(SETUP, f"{so_many_players(seats)} can't play this", "Choose 2 to 4 players."))
    odd = sorted(set(options) - {"bottles"})
    if odd:
        raise RuleError(illegal(SETUP, f"there is no option {odd[0]!r}", "The only option is bottles."))
    tracked = options.get("bottles", 1)
    if tracked not in (0, 1):
        raise RuleError(
            illegal(SETUP, f"{tracked} says nothing about bottles", "Choose 1 (with codes) or 0 (without).")
        )
    if not 1 <= facts.first <= seats:
        raise RuleError(inconsistent("C3", f"there is no seat {facts.first} to start", f"Choose 1 to {seats}."))
    bottles = (*("12345"[: box.start_bottles]), *(BOX,) * (BOTTLES - box.start_bottles))
    auction_pool, item_pool_more, skill_pool_more = box.pools
    players = tuple(
        Player(
            Hand(frozenset(), box.hand),
            box.first_coins + (seat - facts.first) % seats,
            bottles=bottles,
        )
        for seat in range(1, seats + 1)
    )
    return State(
        players=players,
        tracked=bool(tracked),
        deck=len(box.pieces) - seats * box.hand,
        unseen=box.pieces,
        auction_pool=(NONE,) * auction_pool,
        item_pool=(NONE,) * (seats + item_pool_more),
        skill_pool=(NONE,) * (seats + skill_pool_more),
        turn=facts.first,
        first=facts.first,
        next_first=facts.first,
        phase="treasure",
    )


def judge_hide(box: Box, state: State, action: Hide) -> Verdict:
    """Each player picks one card and places it face down under the treasure chest."""
    wrong = out_of_turn(box, state, action, "treasure")
    if wrong and state.phase == "treasure" and action.seat in state.seats:
        return illegal(SETUP, f"{at(action.seat)} has hidden a treasure already", "Put the card back into the hand.")
    return wrong or LEGAL


def play_hide(box: Box, state: State, action: Hide, facts: Facts) -> State:
    """When all have hidden one, the pools are filled."""
    player = state.players[action.seat - 1]
    hand, unseen = face_down(player.hand, state.unseen, 1)
    player = replace(player, hand=hand, secrets=1)
    state = replace(state, players=with_player(state, action.seat, player), unseen=unseen)
    return state if actors(state) else refill(box, state)


# ------------------------------------------------------------------------------- Phase 2: fill pools (and Setup 6)

POOLS = ("auction", "item", "skill")
"""The pools in the order in which they are refilled (K9). A slot is called "auction-pool-1" and so on."""


def pool(state: State, name: str) -> tuple[str, ...]:
    """Return a pool by its name."""
    return state.auction_pool if name == "auction" else state.item_pool if name == "item" else state.skill_pool


def with_pool(state: State, name: str, slots: tuple[str, ...]) -> State:
    """Put other slots in place of a pool's."""
    if name == "auction":
        return replace(state, auction_pool=slots)
    return replace(state, item_pool=slots) if name == "item" else replace(state, skill_pool=slots)


def slot_zone(name: str, index: int) -> Zone:
    """Name the slot of a pool as the mat does: "item-pool-1" is the leftmost of the item pool."""
    return f"{name}-pool-{index + 1}"


def refill(box: Box, state: State) -> State:
    """Now refill all pools except the market pool from the deck: auction, item, skill; what can't be drawn is lost."""
    empty = [slot_zone(name, n) for name in POOLS for n, card in enumerate(pool(state, name)) if card == NONE]
    due = tuple(empty[: drawable(state)])
    return replace(state, phase="fill", due=due) if due else filled(box, state)


def judge_fill(box: Box, state: State, action: Fill) -> Verdict:
    """A card of the deck comes up in each slot that is due, in any order."""
    wrong = out_of_turn(box, state, action, "fill")
    if wrong:
        return wrong
    if action.slot not in state.due:
        return illegal("K9", f"no card is due at {action.slot}", waiting(box, state))
    return LEGAL


def can_come_up(state: State, slot: Zone) -> frozenset[Piece]:
    """Return the cards that can come up: those of the paid pile, once they are the deck, else all that are unseen."""
    if slot == "paid" and state.lot != UNREAD:
        return frozenset((state.lot,))
    if slot != "paid" and not state.deck and slot not in unread(state):
        return frozenset(state.paid)
    return state.unseen


def unread(state: State) -> tuple[Zone, ...]:
    """List the slots in which a card lies that has not been read yet."""
    return tuple(slot_zone(name, n) for name in POOLS for n, card in enumerate(pool(state, name)) if card == UNREAD)


def play_fill(box: Box, state: State, action: Fill, facts: Facts) -> State:
    """A card that has not been read yet stays due; when it is read, no other is taken from the deck."""
    slot = action.slot
    fact = fact_at(facts, slot)
    if not isinstance(fact, Shown):
        raise missing("C9", f"which card came up at {slot}")
    piece = UNREAD if isinstance(fact.piece, Unknown) else str(fact.piece)
    if piece != UNREAD and piece not in can_come_up(state, slot):
        reason = f"{box.name(piece)} can't have come up at {slot}: it is known to be elsewhere"
        raise RuleError(inconsistent("C2", reason, "Look again which card it is."))
    due = state.due if piece == UNREAD else tuple(one for one in state.due if one != slot)
    if slot == "paid":
        if piece == UNREAD:
            return state
        state = replace(state, paid=(*state.paid, piece), unseen=state.unseen - {piece}, lot=NONE, due=due)
        return next_turn(box, state)
    name, _, number = slot.partition("-pool-")
    slots, index = pool(state, name), int(number) - 1
    if slots[index] != UNREAD:
        state = renewed(state)
        state = replace(state, deck=state.deck - 1)
    unseen = state.unseen if piece == UNREAD else state.unseen - {piece}
    state = with_pool(state, name, (*slots[:index], piece, *slots[index + 1 :]))
    state = replace(state, unseen=unseen, due=due)
    return state if due else filled(box, state)


def filled(box: Box, state: State) -> State:
    """Go on when the pools are full: with the first quarter, or with phase 3."""
    state = replace(state, due=())
    if not state.begun:
        return start_quarter(box, replace(state, begun=True))
    return retrieving(box, state)


def flowed(state: State) -> State:
    """Move the cards from one pool to another, in the order of phase 2; recycled bottles leave the board.

    1. The lowest card of the skill pool goes to the market, the rest close up. 2. The leftmost card of the item pool
    goes to the lowest free position of the skill pool, until that is full or the item pool empty; the rest close up.
    3. The lowest card of the auction pool goes to the market, the rest close up.
    """
    skill, item, auction, market = state.skill_pool, state.item_pool, state.auction_pool, state.market
    if low := lowest(skill):
        market, skill = (*market, low), removed(skill, low)
    items = [card for card in item if card]
    skills = [card for card in skill if card]
    while items and len(skills) < len(skill):
        skills.append(items.pop(0))
    if low := lowest(auction):
        market, auction = (*market, low), removed(auction, low)
    auctions = [card for card in auction if card]
    return replace(
        state,
        players=_cleared(state),
        market=market,
        skill_pool=(*skills, *(NONE,) * (len(skill) - len(skills))),
        item_pool=(*items, *(NONE,) * (len(item) - len(items))),
        auction_pool=(*auctions, *(NONE,) * (len(auction) - len(auctions))),
    )


def _cleared(state: State) -> tuple[Player, ...]:
    """Take recycled bottles off the board: they are in the supply (K4)."""
    return tuple(
        replace(player, bottles=tuple(BOX if recycled(state, place) else place for place in player.bottles))
        for player in state.players
    )


def judge_flow(box: Box, state: State, action: Flow) -> Verdict:
    """Cards move once all players have passed."""
    return out_of_turn(box, state, action, "flow") or LEGAL


def play_flow(box: Box, state: State, action: Flow, facts: Facts) -> State:
    """Then the pools are refilled."""
    after = flowed(state)
    pair = frozenset(after.market[len(state.market) :])
    return refill(box, replace(after, twins=(*state.twins, pair)) if len(pair) == 2 else after)


# ----------------------------------------------------------------------------------------- Phase 3: retrieve bottles


def retrieving(box: Box, state: State) -> State:
    """Each player takes the bottles back. Without codes on them, what leaves no choice needs no word."""
    state = replace(state, phase="retrieve")
    if not state.tracked:
        for seat in state.seats:
            while (out := out_there(state, seat)) and len(free := free_positions(state, seat)) in (1, len(out)):
                state = _returned(state, seat, out[0], free[0])
    return state if actors(state) else income(box, state)


def free_positions(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the positions that may be filled now: the leftmost, the second, then any that is free (K5)."""
    free = tuple(place for place in "12345" if place not in state.players[seat - 1].bottles)
    return free[:1] if free and free[0] in "12" else free


def _returned(state: State, seat: Seat, number: int, position: str) -> State:
    bottles = state.players[seat - 1].bottles
    player = replace(state.players[seat - 1], bottles=(*bottles[:number], position, *bottles[number + 1 :]))
    return replace(state, players=with_player(state, seat, player))


def judge_retrieve(box: Box, state: State, action: Retrieve) -> Verdict:
    """Two bottles go to the two leftmost positions, the rest to positions of their owner's choice."""
    wrong = out_of_turn(box, state, action, "retrieve")
    if wrong:
        return wrong
    out = out_there(state, action.seat)
    number = number_of(box, action.seat, action.bottle)
    if number not in out or (not state.tracked and number != out[0]):
        mine = box.bottles[action.seat][out[0]]
        reason = f"{action.bottle} is no bottle of {at(action.seat)} that comes back now"
        return inconsistent("C9", reason, f"Take the bottle {mine}.")
    free = free_positions(state, action.seat)
    if str(action.position) not in free:
        reason = f"the bottle goes to position {free[0]} first" if len(free) == 1 else f"{action.position} is not free"
        return illegal("Phase 3; K5", reason, f"Put it on position {' or '.join(free)}.")
    return LEGAL


def play_retrieve(box: Box, state: State, action: Retrieve, facts: Facts) -> State:
    """When all bottles are back, everybody gets income."""
    number = number_of(box, action.seat, action.bottle)
    state = _returned(state, action.seat, number, str(action.position))
    return state if actors(state) else income(box, state)


# ----------------------------------------------------------------------------------------------- Phase 4: get income


def income_coins(box: Box, player: Player) -> int:
    """One coin for each tucked income card, and what positions without a bottle give (K5)."""
    return player.income + sum(coins for place, coins in box.positions.items() if place not in player.bottles)


def income(box: Box, state: State) -> State:
    """All take their coins; cards are drawn clockwise from the first player where position 3 is not covered (K9)."""
    players = tuple(replace(player, coins=player.coins + income_coins(box, player)) for player in state.players)
    state = replace(state, players=players)
    for turn in range(len(players)):
        seat = (state.first - 1 + turn) % len(players) + 1
        if "3" not in state.players[seat - 1].bottles:
            state = draw(state, seat, 1)
    return remove_tile(box, state)


# ------------------------------------------------------------------------------------- Phase 5: remove a quarter tile


def remove_tile(box: Box, state: State) -> State:
    """The next quarter begins; whenever there are no new quarter tiles to remove the game ends (K18)."""
    if state.quarter < 4:
        return start_quarter(box, replace(state, quarter=state.quarter + 1, first=state.next_first))
    state = replace(state, phase="reveal")
    return state if actors(state) else scored(box, state)


def start_quarter(box: Box, state: State) -> State:
    """Phase 1 begins with the first player."""
    return _turn(box, state, state.first)


def next_turn(box: Box, state: State) -> State:
    """Go on clockwise with the next player who has a bottle; when nobody has, phase 1 is over (K14)."""
    return _turn(box, state, state.turn % len(state.players) + 1)


def _turn(box: Box, state: State, seat: Seat) -> State:
    count = len(state.players)
    for turn in range(count):
        one = (seat - 1 + turn) % count + 1
        if on_board(state.players[one - 1]):
            return replace(
                state, turn=one, phase="turn", space="", came="", left=0, unable=-1, lot=NONE, auction=None, actor=0,
                price=0, laid=(), failed=(),
            )  # fmt: skip
    state = replace(state, phase="flow", space="", came="", left=0, unable=-1, lot=NONE, auction=None, actor=0, price=0,
                    laid=(), failed=())  # fmt: skip
    if not state.tracked:
        state = replace(state, players=_cleared(state))  # nobody could see it
    return state if flowed(state) != state else refill(box, state)


# ---------------------------------------------------------------------------------------------------------- Scoring


def judge_reveal(box: Box, state: State, action: Reveal) -> Verdict:
    """All players reveal their hidden items and tuck them with the rest."""
    wrong = out_of_turn(box, state, action, "reveal")
    if wrong:
        return wrong
    if action.card not in state.unseen:
        remedy = "Put it back: reveal a card that lay face down under your board."
        wrong = lies_open(box, state, action.card, SCORING, remedy)
        if wrong:
            return wrong
        reason = f"{box.name(action.card)} can't be a secret item of {at(action.seat)}"
        return inconsistent("C2", f"{reason}: it is known to be elsewhere", "Look again which card it is.")
    return LEGAL


def play_reveal(box: Box, state: State, action: Reveal, facts: Facts) -> State:
    """With the last one the match is over."""
    player, card = state.players[action.seat - 1], str(action.card)
    player = replace(player, items=(*player.items, card), secrets=player.secrets - 1)
    state = replace(state, players=with_player(state, action.seat, player), unseen=state.unseen - {card})
    return state if actors(state) else scored(box, state)


def parts(box: Box, state: State, seat: Seat) -> tuple[Part, Part, Part]:
    """Count the points: items, coins, skills (K15)."""
    player = state.players[seat - 1]
    in_market = [box.symbol[card] for card in state.market]
    mine = [box.item[card] for card in player.items]
    items = sum(in_market.count(item) for item in mine)
    skills = 0
    for card in player.skills:
        skill = box.skill[card]
        if skill == "vp-all":
            skills += box.vp_all if set(SYMBOLS) <= set(mine) else 0
        elif skill.startswith("vp-"):
            skills += mine.count(skill.removeprefix("vp-"))
    return Part("items", items), Part("coins", player.coins // box.coins_a_point), Part("skills", skills)


def scored(box: Box, state: State) -> State:
    """The player with the most points wins; in a tie the one with the most cards in hand, else it is shared."""
    points = {seat: sum(part.value for part in parts(box, state, seat)) for seat in state.seats}
    most = max(points.values())
    best = [seat for seat in state.seats if points[seat] == most]
    hands = {seat: state.players[seat - 1].hand.size for seat in best}
    winners = tuple(seat for seat in best if hands[seat] == max(hands.values()))
    names = all_of(at(seat) for seat in winners)
    words = f"{names} {'wins' if len(winners) == 1 else 'share the win'} with {most} points"
    if len(best) > 1:
        words += f"; the tie goes to the most cards in hand, {hands[winners[0]]}"
    return replace(state, phase="over", outcome=Outcome(winners, "points", "Scoring", words + "."))
