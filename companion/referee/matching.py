"""Finds what people did: the shortest sequences of legal actions whose layouts explain what is seen.

A *surprise* is a mismatch that is neither expected nor owed. Every step that changes the layout must explain at least
one; an explanation leaves none. What an explanation still expects and is not there yet is its `todo`: the action is
under way. A step that leaves no trace is only taken as the game's `tacit` action, and marked as assumed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush

import msgspec

from companion.codes import BACK
from companion.referee.difference import FACE, Mismatch, Mismatches, Seen, mismatches, visibly_differ
from companion.rules.cards import Piece
from companion.rules.kernel import TABLE, Action, AnyGame, Facts, Found, Need, Opened, RuleError, Shown, fill, holes
from companion.rules.layout import Layout, Zone, owner_of

MAX_STEPS = 6
MAX_NODES = 500
MAX_SILENT = 2
"""Seats in a row whose turns may have passed without a trace; more is rather a mistake on the table."""
ANY_CARD = 4
"""Where more than one in so many cards of the deck will do, almost any card will."""


class Step(msgspec.Struct, frozen=True):
    """One action of an explanation. `tacit`: it left no trace and is assumed.

    `guess` is the template, where the card was not seen yet, or the action has to be said (evidence class C).
    """

    action: Action
    facts: Facts = ()
    tacit: bool = False
    guess: Action | None = None


class Explanation(msgspec.Struct, frozen=True):
    """A sequence of legal actions, the state it ends in, and what the table still has to follow (`todo`)."""

    steps: tuple[Step, ...]
    state: object
    todo: Mismatches
    hidden: bool = False
    """Whether something it changes lies in a covered zone, where it can't be seen."""
    read: Mismatches = frozenset()
    """What the table may follow with later: cards that were only laid there to be read, what a card demands."""

    @property
    def complete(self) -> bool:
        """Whether the table shows all of it."""
        return not self.todo - self.read and not self.hidden and not any(step.guess for step in self.steps)

    @property
    def to_be_said(self) -> bool:
        """Whether the table shows all of it, but for an action that has to be said."""
        guesses = [step.guess for step in self.steps if step.guess]
        return not self.todo - self.read and not self.hidden and bool(guesses) and not any(map(holes, guesses))


class Findings(msgspec.Struct, frozen=True):
    """What matching found: nothing to explain (`quiet`), or the shortest explanations, complete ones apart."""

    quiet: bool = False
    complete: tuple[Explanation, ...] = ()
    under_way: tuple[Explanation, ...] = ()
    surprises: Mismatches = frozenset()


class _Node(msgspec.Struct, frozen=True):
    state: object
    layout: Layout
    items: Mismatches
    steps: tuple[Step, ...]
    cost: int


def explain(  # noqa: C901 - one search, whose every way out is a line
    game: AnyGame,
    state: object,
    seen: Seen,
    owed: Mismatches = frozenset(),
    touched: frozenset[Zone] = frozenset(),
    *,
    guess: bool = False,
) -> Findings:
    """Return what explains the surprises; with `guess`, also actions recognised by a part (never complete)."""
    layout = game.layout(state)
    items = mismatches(layout, seen)
    surprises = items - owed
    if not surprises:
        return Findings(quiet=True)
    complete: list[Explanation] = []
    under_way: list[Explanation] = []
    best: int | None = None
    counter = itertools.count()
    start = _Node(state, layout, items, (), 0)
    if game.actors(state) == (TABLE,) and len(surprises) > 2:
        # Upkeep that is laid out at once has an order that nobody sees, and a search would try them all.
        start = _each_for_itself(game, start, seen, surprises)
        if start.steps and not start.items & surprises:
            hidden = visibly_differ(layout, start.layout, seen.covered)
            whole = Explanation(start.steps, start.state, start.items - owed, hidden)
            return Findings(False, (whole,) * whole.complete, (whole,) * (not whole.complete), surprises)
    queue: list[tuple[int, int, _Node]] = [(0, next(counter), start)]
    nodes = 0
    while queue and nodes < MAX_NODES:
        cost, _, node = heappop(queue)
        if len(node.steps) - len(start.steps) >= MAX_STEPS or (best is not None and cost > best):
            continue
        for step, after in _moves(game, node, seen, surprises, guess):
            nodes += 1
            if not _follows(node.steps, step):
                continue
            reached = _reach(game, node, step, after, seen, cost + 1)
            # A card read where it came up has been explained, even if the rules then send it elsewhere.
            read = _read(step.facts)
            left = (reached.items & surprises) - read
            if step.tacit:
                heappush(queue, (reached.cost, next(counter), reached))
                continue
            if not (node.items & surprises) - left or (best is not None and reached.cost > best):
                continue
            if left:
                heappush(queue, (reached.cost, next(counter), reached))
                continue
            hidden = visibly_differ(layout, reached.layout, seen.covered)
            todo = reached.items - owed
            demanded = game.demands(node.state, step.action)
            read |= {item for item in todo if item.piece in demanded}
            found = Explanation(reached.steps, reached.state, todo, hidden, frozenset(read))
            if found.complete:
                if best is None or reached.cost < best:
                    best, complete = reached.cost, []
                _add(complete, found, seen)
            else:
                _add(under_way, found, seen)
    if not complete and not under_way:
        node = _each_for_itself(game, _Node(state, layout, items, (), 0), seen, surprises)
        complete = [Explanation(node.steps, node.state, frozenset())] if node.steps else []
    if touched:
        complete = _ranked(game, state, complete, touched)
    fewest = min((len(one.steps) for one in under_way), default=0)
    return Findings(False, tuple(complete), tuple(one for one in under_way if len(one.steps) == fewest), surprises)


def _each_for_itself(game: AnyGame, node: _Node, seen: Seen, surprises: Mismatches) -> _Node:
    """Follow what each seat did by itself where several, or upkeep, are due in any order (C7).

    Seven players who lay a card at once would be too many steps for a search, and one mistake would hide the rest. An
    action counts if it explains something, lacks nothing, and is its seat's only one that does; of upkeep, which may do
    many things, the only one that explains this. The rest stay surprises.
    """
    if len(game.actors(node.state)) < 2 and game.actors(node.state) != (TABLE,):
        return node
    while True:
        ways: dict[int, list[_Node]] = {}
        upkeep: list[_Node] = []
        for step, after in _moves(game, node, seen, surprises, False):
            reached = _reach(game, node, step, after, seen, node.cost + 1)
            if not step.tacit and step.guess is None and reached.items < node.items:
                (upkeep if step.action.seat == TABLE else ways.setdefault(step.action.seat, [])).append(reached)
        explained = Counter(item for way in upkeep for item in node.items - way.items)
        clear = [way for way in upkeep if all(explained[item] == 1 for item in node.items - way.items)]
        clear += [some[0] for some in ways.values() if len(some) == 1]
        if not clear:
            return node
        for step, after in itertools.chain.from_iterable(_play(game, node.state, way.steps[-1]) for way in clear):
            reached = _reach(game, node, step, after, seen, node.cost + 1)
            node = reached if reached.items < node.items else node


def _follows(steps: tuple[Step, ...], step: Step) -> bool:
    """Return whether a step may come next: silence is inferred only from another seat's action.

    Else whole rounds of silence, and the card that is turned up after them, would explain any card on the pile.
    """
    silent: set[int] = set()
    for past in reversed(steps):
        if not past.tacit:
            break
        silent.add(past.action.seat)
    if step.tacit:
        return len(silent | {step.action.seat}) <= MAX_SILENT
    return not silent or step.action.seat != TABLE


def _ranked(game: AnyGame, state: object, found: list[Explanation], touched: frozenset[Zone]) -> list[Explanation]:
    """Put first, of explanations equally short, the one that the zones a hand was seen in speak for."""

    def speaks(one: Explanation) -> bool:
        return any(game.touches(state, step.action) & touched for step in one.steps)

    return sorted(found, key=lambda one: not speaks(one))


def _add(found: list[Explanation], one: Explanation, seen: Seen) -> None:
    """Add an explanation, unless one ends in an equal state.

    The same actions that differ only in the order of cards on a pile count as one: the table shows which came first.
    """
    for n, other in enumerate(found):
        if other.state == one.state:
            return
        acts, others = ({step.action for step in each.steps} for each in (one, other))
        if acts == others and _unordered(one.state) == _unordered(other.state):
            found[n] = min(other, one, key=lambda each: _came(each, seen))
            return
    found.append(one)


def _unordered(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        return tuple(_unordered(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, tuple):
        return tuple(sorted(value)) if all(isinstance(each, str) for each in value) else tuple(map(_unordered, value))
    return value


def _came(one: Explanation, seen: Seen) -> list[int]:
    """List when the cards of an explanation's steps came to the table, in the order of the steps."""
    came = {piece: order for (_, piece), order in seen.order.items()}
    return [came.get(getattr(step.action, "card", ""), 0) for step in one.steps]


def _reach(game: AnyGame, node: _Node, step: Step, after: object, seen: Seen, cost: int) -> _Node:
    layout = game.layout(after)
    items = node.items if layout == node.layout else mismatches(layout, seen)
    return _Node(after, layout, items, (*node.steps, step), cost)


def _moves(game: AnyGame, node: _Node, seen: Seen, surprises: Mismatches, guess: bool) -> Iterator[tuple[Step, object]]:
    if game.timed(node.state) is not None:
        # Bids and passes are said, never seen: a card gone from the block tells neither who got it nor the price.
        return
    tacit = game.tacit(node.state)
    said = {kind.type for kind in game.info.kinds if kind.evidence == "C"}
    unseen = game.info.unseen
    shown = {item.piece for item in node.items & surprises if item.extra}
    lost = {item.piece for item in node.items & surprises if not item.extra}
    for action in game.freely(node.state, *_found(node.items & surprises)):
        yield from _play(game, node.state, Step(action))
    for template in game.legal(node.state):
        if str(template.__struct_config__.tag) in unseen:
            continue
        if template == tacit:
            # Even the silent action may show, as a draw does that renews the deck; then it is as good as any.
            for step, after in _play(game, node.state, Step(template, tacit=True)):
                shown_ = visibly_differ(node.layout, game.layout(after))
                yield (Step(template) if shown_ else step), after
            continue
        for action, template_left in _ground(template, shown | lost, guess):
            if str(action.__struct_config__.tag) in said:
                # What it leaves on the table announces it; it counts when it is said, else it would count twice.
                template_left = template
            for facts in _facts(game.needs(node.state, action), seen, shown):
                yield from _play(game, node.state, Step(action, facts, guess=template_left))


def _found(items: Mismatches) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
    named = [item for item in sorted(items) if item.piece not in (BACK, FACE)]
    came = tuple(Found(item.piece, item.zone, item.slot) for item in named if item.extra)
    return came, tuple(Found(item.piece, item.zone, item.slot) for item in named if not item.extra)


def _play(game: AnyGame, state: object, step: Step) -> Iterator[tuple[Step, object]]:
    try:
        yield step, game.play(state, step.action, step.facts)
    except RuleError:
        # Facts off the table may not fit (a hand laid open in part): then this is not what happened.
        return


def _ground(template: Action, pieces: set[Piece], guess: bool) -> Iterator[tuple[Action, Action | None]]:
    """Fill the holes of a template with pieces that surprise; with `guess`, one stand-in where none fits."""
    gaps = holes(template)
    if not gaps:
        yield template, None
        return
    chosen: list[list[Piece]] = []
    guessed = False
    for _, hole in gaps:
        fitting = sorted(hole.pieces & pieces)
        if not fitting:
            if not guess:
                return
            guessed, fitting = True, [min(hole.pieces)]
        chosen.append(fitting)
    for combination in itertools.product(*chosen):
        filled = fill(template, **{name: piece for (name, _), piece in zip(gaps, combination, strict=True)})
        yield filled, template if guessed else None


def _read(facts: Facts) -> set[Mismatch]:
    found = set()
    for fact in facts:
        if isinstance(fact, Shown) and isinstance(fact.piece, str):
            found.add(Mismatch(fact.place, fact.piece, True))
        elif isinstance(fact, Opened):
            found.update(Mismatch(fact.place, piece, True) for piece in fact.pieces)
    return found


def _facts(needs: tuple[Need, ...], seen: Seen, shown: set[Piece]) -> Iterator[Facts]:
    """Read the facts that an action waits for off the table; nothing if one of them is not there.

    Any surprising card may have come up there and gone on already, unless the card stays where it comes up.
    """
    choices: list[list[Shown | Opened]] = []
    for need in needs:
        lying = seen.pieces(need.place)
        if need.kind == "shown":
            fitting = sorted(need.pieces.intersection(lying if need.stays else shown.union(lying)))
            choices.append([Shown(place=need.place, piece=piece) for piece in fitting])
        elif need.kind == "opened" and len(lying) == need.count:
            choices.append([Opened(place=need.place, pieces=tuple(sorted(lying)))])
        else:
            return
    for combination in itertools.product(*choices):
        yield tuple(combination)


def nearest(game: AnyGame, state: object, seen: Seen, surprises: Mismatches) -> tuple[Action, Mismatches] | None:
    """Find the legal action closest to what is seen, and the mismatches left; None if none has to do with it."""
    best: tuple[int, Action, Mismatches] | None = None
    pieces = {item.piece for item in surprises}
    unseen = game.info.unseen
    for template in game.legal(state):
        if str(template.__struct_config__.tag) in unseen or _of_another_hand(game, template, surprises):
            continue
        for action, left in _ground(template, pieces, True):
            if game.needs(state, action):
                continue
            try:
                after = game.play(state, action)
            except RuleError:
                continue
            items = mismatches(game.layout(after), seen)
            meant = holes(template) and left is None
            distance = len({item.piece for item in items})
            if (meant or surprises - items) and (best is None or distance < best[0]):
                best = (distance, left or action, items)
    return None if best is None else (best[1], best[2])


def card_goes(game: AnyGame, state: object, seen: Seen, item: Mismatch) -> Mismatches:
    """Return what to mend so that a legal action explains a card that came up or lies face down; else nothing."""
    for action, facts, piece in itertools.islice(_with_a_card(game, state, item.piece), MAX_NODES):
        try:
            items = mismatches(game.layout(game.play(state, action, facts)), seen)
        except RuleError:
            continue
        there = frozenset(one for one in items if one.piece == piece and not one.extra)
        if item.piece != BACK and there:
            return there | {item}
        if any(one.zone == item.zone for one in there):
            return frozenset((item, Mismatch(item.zone, FACE, False)))
    return frozenset()


def _with_a_card(game: AnyGame, state: object, piece: Piece) -> Iterator[tuple[Action, Facts, Piece]]:
    """Yield the legal actions with which a card comes up, or (one face down, `BACK`) is laid out of a hand."""
    for template in game.legal(state):
        gaps = holes(template)
        if len(gaps) == 1 and piece == BACK:
            yield from ((fill(template, **{gaps[0][0]: one}), (), one) for one in sorted(gaps[0][1].pieces))
        for need in () if gaps else game.needs(state, template):
            fitting = need.pieces if piece == BACK else need.pieces & {piece}
            yield from ((template, (Shown(place=need.place, piece=one),), one) for one in sorted(fitting))


def _of_another_hand(game: AnyGame, template: Action, surprises: Mismatches) -> bool:
    """Return whether a card before another seat is more likely that seat's own than the one that is missing here.

    Where the rules single out few cards for a seat, one of these was meant, wherever it lies; where almost any will do,
    only the place says whose card it was.
    """
    before = {owner_of(item.zone) for item in surprises if item.extra} - {TABLE, template.seat}
    return bool(before) and any(ANY_CARD * len(hole.pieces) > len(game.deck.cards) for _, hole in holes(template))
