"""How a match goes from round to round: who is due, whose trick it is, when a round is over and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from companion.games.from_file.components import POINTS, TRICKS, Components
from companion.games.from_file.counting import TooMuchError
from companion.games.from_file.counting import worth as worth_of
from companion.games.from_file.score_file import Block
from companion.games.from_file.scoring import Scored, Table, scored, side_of, sides
from companion.games.from_file.state import ANYBODY, Amiss, Finished, Playing, Revoke, State, Trick, lifted, playing
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Outcome, Seat, at
from companion.rules.layout import Zone
from companion.rules.wording import all_of
from companion.text import bare, join, plural, sentence, t


def phase(components: Components, state: State) -> str:
    """Return the name of what is due."""
    score, now = components.score, state.now
    if state.outcome is not None:
        return "over"
    if score.dice is not None:
        return "dice"
    if speaker(components, state):
        return "shown" if _unshown(components, state) else "say"
    if score.tricks is not None:
        if len(now.trick) == state.seats:
            return "gather"
        return "shown" if _unshown(components, state) else "trick"
    if score.row is not None:
        return "deal" if now.laid < score.row.dealt else "row"
    return "free"


def _unshown(components: Components, state: State) -> bool:
    tricks = components.score.tricks
    return tricks is not None and bool(tricks.shown) and not state.now.shown and not any(state.said(TRICKS.name))


def speaker(components: Components, state: State) -> Seat:
    """Return the seat that has to say something before a card is played; TABLE if nobody has."""
    first = leads(components, state)
    for entry in components.before():
        said = state.said(entry.name)
        for n in range(state.seats):
            seat = (first - 1 + n) % state.seats + 1
            if said[seat - 1] is None:
                return seat
    return TABLE


def leads(components: Components, state: State) -> Seat:
    """Return the seat that begins a round: the dealer's left neighbour, unless the file says otherwise."""
    how = components.round.first
    if how == "dealer":
        return state.dealer
    if how == "winner" and state.past:
        best = components.score.ranking.best(state.past[-1].points)
        return state.past[-1].points.index(best) + 1
    return state.after(state.dealer)


def actors(components: Components, state: State) -> tuple[Seat, ...]:
    """List the seats that are due; `(TABLE,)` when the table is."""
    everybody = tuple(range(1, state.seats + 1))
    due = phase(components, state)
    if due == "over":
        return ()
    if due in ("shown", "gather", "deal"):
        return (TABLE,)
    if due == "say":
        return (speaker(components, state),)
    if due == "free" and components.round.ends == "out":
        return tuple(seat for seat in everybody if seat not in state.now.out)
    return everybody if state.now.turn == ANYBODY else (state.now.turn,)


def begin(components: Components, state: State) -> State:
    """Begin a round: nothing lies anywhere."""
    none, turn = ((),) * state.seats, leads(components, state)
    if components.score.tricks is not None and components.round.first == "holder":
        turn = ANYBODY
    if components.score.tricks is None and components.score.row is None and components.score.dice is None:
        turn = turn if components.round.turn_ends else ANYBODY
    boxes: tuple[tuple[int | None, ...], ...] = ((None,) * len(components.boxes),) * state.seats
    return replace(state, now=Playing(turn, taken=none, sweeps=(0,) * state.seats, boxes=boxes))


def table(components: Components, state: State) -> Table:
    """Return what the round has left behind so far, as it is scored."""
    now, score = state.now, components.score
    cards: dict[Zone, tuple[Piece, ...]] = dict(now.lying)
    to = score.tricks.to if score.tricks else score.row.to if score.row else ""
    if to:
        cards |= {f"{to}.{seat}": pieces for seat, pieces in enumerate(now.taken, 1)}
    if score.tricks is not None and score.tricks.shown and now.shown:
        cards[score.tricks.shown] = (now.shown,)
    typed = state.said(TRICKS.name)
    won = [trick.winner for trick in now.tricks[components.practice(state) :]]
    counts = tuple(won.count(seat) for seat in range(1, state.seats + 1))
    tricks = tuple(count if said is None else said for count, said in zip(counts, typed, strict=True))
    if not now.tricks and not _typed(state, TRICKS.name):
        tricks = ()
    last = now.tricks[-1].winner if now.tricks else TABLE
    carried: dict[str, tuple[int, ...]] = {}
    for past in state.past:
        for name, values in past.blocks:
            before = carried.get(name, (0,) * state.seats)
            carried[name] = tuple(a + b for a, b in zip(before, values, strict=True))
    return Table(state.seats, state.dealer, cards, tricks, last, now.sweeps, dict(now.entered), now.out, (), carried)


@lru_cache(maxsize=32)
def worth(components: Components, state: State, only: frozenset[Seat] | None = None) -> Scored:
    """Return what the round is worth so far, at its end to the seats of `only` alone; 0 if it can't be counted."""
    size = len(sides(components.score, state.seats))
    try:
        result = scored(
            components.score, components.faces, table(components, state), dict(state.options), components.early, only
        )
    except TooMuchError:
        none = {block.name: (0,) * state.seats for block in components.score.score}
        result = Scored(none, (0,) * size)
    points = list(result.points)
    typed = state.said(POINTS.name)
    for seat in range(1, state.seats + 1):
        filled = sum(value or 0 for value in state.now.boxes[seat - 1])
        points[side_of(components.score, state.seats, seat)] += (typed[seat - 1] or 0) + filled
    return replace(result, points=tuple(points))


def totals(state: State, more: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the points of every side over all rounds that were scored, and `more`."""
    rounds = [past.points for past in state.past] + ([more] if more else [])
    return tuple(map(sum, zip(*rounds, strict=True)))


def cleared(components: Components, state: State) -> State:
    """Return the state when nothing more is taken: who took last has what still lies in the row."""
    row, state = components.score.row, captured(components, state)
    if row is None or state.now.taker == TABLE:
        return state
    rest = state.lies(row.zone)
    return lifted(took(state, state.now.taker, rest), rest)


def close(components: Components, state: State) -> State:
    """Score the round, and begin the next one, or end the match."""
    state = cleared(components, state)
    state = replace(state, past=(*state.past, in_order(components, state)))
    outcome = ended(components, state)
    if outcome is not None:
        return replace(state, outcome=outcome, now=begin(components, state).now)
    return begin(components, replace(state, dealer=state.after(state.dealer)))


def in_order(components: Components, state: State) -> Finished:
    """Return the round as it counts: where points end the match at once, nobody counts on after who has them.

    The dealer counts last. What was typed, or counted when it was shown, everybody has had before.
    """
    goal, before, result = goal_of(components, state), totals(state), worth(components, state)
    if components.score.match.at_once and goal is not None:
        only: frozenset[Seat] = frozenset()
        for n in range(state.seats):
            side = side_of(components.score, state.seats, state.dealer + n + 1)
            only |= {*sides(components.score, state.seats)[side]}
            result = worth(components, state, only)
            if (before[side] if before else 0) + result.points[side] >= goal:
                break
    return Finished(tuple(result.blocks.items()), result.points)


def goal_of(components: Components, state: State) -> int | None:
    """Return the points that end the match; None where rounds end it."""
    return None if state.option(ROUNDS) else _number(state, components.score.match.points)


def ended(components: Components, state: State) -> Outcome | None:
    """Return how the match ended with the rounds that were scored; None if it goes on."""
    end, score = components.score.match, components.score
    points, goal = totals(state), goal_of(components, state)
    rounds = state.option(ROUNDS) or _number(state, end.rounds)
    full = rounds is not None and len(state.past) >= rounds
    reached = goal is not None and max(points) >= goal
    if not full and not reached:
        return None
    best = score.ranking.best(points)
    winners = [n for n, value in enumerate(points) if value == best]
    if len(winners) > 1 and end.ties == "on" and not full:
        return None
    seats = tuple(sorted(seat for n in winners for seat in sides(score, state.seats)[n]))
    return won(seats, best if len(winners) > 1 else points[winners[0]], "points" if reached else "rounds")


ROUNDS = "rounds"
"""The option for how many rounds are played, whatever the file says."""


def _number(state: State, number: int | str | None) -> int | None:
    return state.option(number) if isinstance(number, str) else number


def won(seats: tuple[Seat, ...], points: int, ending: str) -> Outcome:
    """Return the outcome that these seats win."""
    who = all_of(at(seat) for seat in seats)
    if points == 1:
        words = plural("{who} wins with one point.", "{who} win with one point.", count=len(seats), who=who)
    else:
        words = plural(
            "{who} wins with {points} points.",
            "{who} win with {points} points.",
            count=len(seats),
            who=who,
            points=points,
        )
    return Outcome(seats, ending, "match", words)


def reached_at_once(components: Components, state: State) -> State:
    """End the match if somebody has the points already, where the file says that they end it at once."""
    goal = goal_of(components, state)
    if not components.score.match.at_once or goal is None or state.outcome is not None:
        return state
    result = worth(components, state, frozenset())
    over = replace(state, past=(*state.past, Finished(tuple(result.blocks.items()), result.points)))
    if max(totals(over)) < goal or (outcome := ended(components, over)) is None:
        return state
    return replace(over, outcome=outcome)


def unlikely(components: Components, state: State, live: bool = False) -> str:
    """Return who typed what if tricks don't add up, else ""; `live`: unless more typing can put it right."""
    hand, tricks = components.tricks(state) - components.practice(state), table(components, state).tricks
    typed, count = state.said(TRICKS.name), sum(tricks)
    odd = components.counts_tricks and hand and tricks and count != hand
    if not odd or (live and count < hand and None in typed):
        return ""
    who = all_of(
        t("{seat} took {count}", seat=at(seat), count=count)
        if typed[seat - 1] is None
        else t("{seat} typed {count}", seat=at(seat), count=count)
        for seat, count in enumerate(tricks, 1)
    )
    return t("There are {hand} tricks in this round, and {count} are counted: {who}.", hand=hand, count=count, who=who)


def unseen(components: Components, state: State) -> tuple[tuple[str, ...], bool]:
    """Return a sentence for all that the score needs and has not seen, and whether it has seen any of that."""
    score, boxes = worth(components, state), state.now.boxes
    needs = [block for block in components.score.score if block.needs is not None]
    found = [_message(block, score.lacking[block.name]) for block in needs if score.lacking.get(block.name)]
    if components.counts_tricks and not table(components, state).tricks:
        found.append(t("Nobody has taken a trick, or typed any."))
    late = [entry for entry in components.score.entry if entry.due == "end"]
    for entry in late:
        missing = [seat for seat, amount in enumerate(state.said(entry.name), 1) if amount is None]
        if entry.alone and len(missing) == state.seats:
            found.append(t("Nobody has typed: {what}.", what=bare(entry.words)))
        elif missing and not entry.alone:
            who = all_of(at(seat) for seat in missing)
            found.append(t("{seats}: not typed yet: {what}.", seats=who, what=bare(entry.words)))
    found += [t("{seat} has empty boxes.", seat=at(n)) for n, mine in enumerate(boxes, 1) if None in mine]
    filled = any(box is not None for mine in boxes for box in mine)
    begun = [block for block in components.score.score if block.needs is not None or (late and block.counts)]
    some = filled or any(_typed(state, entry.name) for entry in late)
    return tuple(found), some or any(any(score.blocks[block.name]) for block in begun)


def unsettled(components: Components, state: State) -> str:
    """Return why a round can't be added up yet; "" if it can.

    What nobody shows at all counts nothing; what was shown in part is shown by all, or points are typed instead.
    """
    found, some = unseen(components, state := cleared(components, state))
    return unlikely(components, state) or (join(" ", found) if some and not _typed(state, POINTS.name) else "")


def _typed(state: State, what: str) -> bool:
    return what in dict(state.now.entered)


def comes_to(components: Components, laid: Piece, taken: Iterable[Piece]) -> bool:
    """Whether cards that were taken from the row come to the one that was laid, in groups where there are several."""
    row, rest = components.score.row, [card for card in taken if card != laid]
    if row is None or not rest:
        return False
    rank = components.faces[laid].get("rank", "")
    ranks = [components.faces[card].get("rank", "") for card in rest]
    if rank in row.alike or not {*row.alike}.isdisjoint(ranks):
        return {*ranks} == {rank} and (row.several or len(rest) == 1)
    table = components.score.worth[row.adds]
    values = [worth_of(components.faces[card], table) for card in rest]
    wanted = worth_of(components.faces[laid], table)
    return parted(values, wanted) if row.several else sum(values) == wanted


def parted(values: list[int], wanted: int) -> bool:
    """Whether numbers can be parted into groups that each come to the one that is wanted."""
    if not values:
        return True
    first, rest = values[0], values[1:]
    for chosen in product((False, True), repeat=len(rest)):
        inside = [value for value, into in zip(rest, chosen, strict=True) if into]
        if first + sum(inside) == wanted:
            return parted([value for value, into in zip(rest, chosen, strict=True) if not into], wanted)
    return False


def captured(components: Components, state: State) -> State:
    """Return the state when all has been taken that goes with a card laid in the row; what does not add up is noted."""
    row, now = components.score.row, state.now
    if row is None or not row.adds or not now.capture:
        return playing(state, capture=())
    wrong = now.last not in now.capture or not comes_to(components, now.last, now.capture)
    found = (Amiss(now.layer, now.last, now.capture, now.laid),) if wrong and now.last else ()
    return playing(state, capture=(), amiss=(*now.amiss, *found))


def amiss_words(components: Components, amiss: Amiss) -> str:
    """Return in words what was taken and does not add up."""
    taken = components.names(card for card in amiss.taken if card != amiss.laid)
    if amiss.laid not in amiss.taken:
        return t(
            "{seat} took {cards}, and left {card} there.",
            seat=at(amiss.seat),
            cards=taken,
            card=components.name(amiss.laid),
        )
    return t(
        "What {seat} took does not come to {card}: {cards}.",
        seat=at(amiss.seat),
        card=components.name(amiss.laid),
        cards=taken or t("nothing"),
    )


def messages(components: Components, state: State, live: bool = False) -> tuple[str, ...]:
    """Return the file's messages about the round and what is unseen; `live`: only those due before the end."""
    if state.outcome is not None:
        return ()
    state = state if live else cleared(components, state)
    score, (missing, some) = worth(components, state), unseen(components, state)
    found, begun = [], not live and (some or not _typed(state, POINTS.name))
    for block in components.score.score:
        seats = [seat for seat, value in enumerate(score.blocks[block.name], 1) if value]
        if block.needs is not None:
            begun = begun or (block.whose == "seat" and len(score.lacking.get(block.name, "")) < state.seats and some)
        elif block.tells and seats and (not live or block.told == "any"):
            found.append(_message(block, seats))
    wrong = unlikely(components, state, live) if live else ""
    return (*found, *((wrong,) if wrong else ()), *(missing if begun else ()))


def _message(block: Block, seats: Iterable[Seat]) -> str:
    tells = block.tells or t("not seen yet: {what}", what=block.says or block.name)
    if block.whose == "all":
        return sentence(tells)
    return t("{seats}: {tells}.", seats=all_of(at(seat) for seat in seats), tells=tells)


def trump(components: Components, state: State) -> str:
    """Return the suit of the trumps; "" if there are none, or none were turned up."""
    tricks = components.score.tricks
    if tricks is None:
        return ""
    return components.suit(state.now.shown) if tricks.shown and state.now.shown else tricks.trump


def winner(components: Components, state: State) -> Seat:
    """Return the seat that takes the trick that lies there."""
    led = components.suit(state.now.trick[0][1])
    power = trump(components, state)
    return max(state.now.trick, key=lambda one: components.strength(one[1], led, power))[0]


def drawing(components: Components, state: State) -> str:
    """Return who draws after a trick, and that suit is followed from now on; "" if there is nothing to say."""
    tricks, now = components.score.tricks, state.now
    if tricks is None or not tricks.draws or now.trick or not now.tricks or now.closed >= 0:
        return ""
    drawn = components.whole_deck(state.seats) - components.hand(state.number)
    if len(now.tricks) > drawn:
        return ""
    said = t("Everybody draws a card, {seat} first.", seat=at(now.turn))
    if len(now.tricks) < drawn or tricks.follow != "late":
        return said
    return join(" ", (said, t("The talon is empty: from now on suit is followed.")))


def follows(components: Components, state: State) -> bool:
    """Whether suit has to be followed now."""
    tricks = components.score.tricks
    return tricks is not None and (not components.draws(state) if tricks.follow == "late" else tricks.follow)


def able(components: Components, state: State, hand: Iterable[Piece]) -> list[Piece]:
    """Return the cards of a hand that may be laid to the trick: of the suit led, and higher where it must be beaten."""
    tricks, cards, trick = components.score.tricks, list(hand), state.now.trick
    if tricks is None or not trick or not follows(components, state):
        return cards
    led, power = components.suit(trick[0][1]), trump(components, state)
    found = [card for card in cards if components.suit(card) == led]
    if not tricks.beat:
        return found or cards
    found = found or [card for card in cards if components.suit(card) == power] or cards
    best = max(components.strength(card, led, power) for _, card in trick)
    return [card for card in found if components.strength(card, led, power) > best] or found


def laid_to_trick(components: Components, state: State, seat: Seat, card: Piece) -> State:
    """Return the state after a card was laid to the trick; a revoke is only noticed later."""
    now = state.now
    voids, revokes = now.voids, now.revokes
    suit, this = components.suit(card), len(now.tricks) + 1
    # Who draws may hold a card of the suit later, and proves nothing.
    proof = next((n for who, void, n in voids if who == seat and void == suit and n < this), 0)
    if proof:
        revokes = (*revokes, Revoke(seat, proof, card))
        voids = tuple(one for one in voids if one[:2] != (seat, suit))
    must = follows(components, state) and not components.draws(state)
    if must and now.trick and suit != (led := components.suit(now.trick[0][1])):
        voids = (*voids, (seat, led, this))
    turn = state.after(seat)
    return playing(state, trick=(*now.trick, (seat, card)), turn=turn, voids=voids, revokes=revokes)


def gathered(components: Components, state: State) -> State:
    """Return the state after a trick was taken away: its winner leads the next one, or the round is over."""
    seat, now = winner(components, state), state.now
    cards = tuple(card for _, card in now.trick)
    state = took(playing(state, trick=(), tricks=(*now.tricks, Trick(seat, cards)), turn=seat), seat, cards)
    # Tricks that were typed, and don't fit, are put right first.
    last = len(state.now.tricks) == components.tricks(state)
    if components.round.ends == "hands" and last and not unlikely(components, state):
        return close(components, state)
    return state


def took(state: State, seat: Seat, cards: tuple[Piece, ...]) -> State:
    """Return the state after a seat took cards."""
    taken = list(state.now.taken)
    taken[seat - 1] = (*taken[seat - 1], *(card for card in cards if card))
    return playing(state, taken=tuple(taken))


def gone(components: Components, state: State) -> frozenset[Piece]:
    """Return the cards that can't be laid any more in this round; what is shown in a game with tricks can be."""
    now, laid = state.now, (card for _, card in state.now.trick)
    lying = (cards for _, cards in now.lying if components.score.tricks is None)
    return frozenset(laid).union(*(trick.cards for trick in now.tricks), *lying, *now.taken)
