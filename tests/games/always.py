"""What is always true of a game's rules, whatever people do: each game's property tests ask it of their own moments."""

from __future__ import annotations

import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.cards import Piece
from companion.rules.kernel import AnyEdit, AnyGame, Facts, Hole, RuleError, Undone, Verdict, fits, holes
from companion.sim.robots import choose
from companion.sim.world import World, world_of
from companion.text import plain

Step = tuple[Any, Any, Facts, Any]
"""The state before, an action, its facts, the state after."""
MATCHES = int(os.environ.get("COMPANION_MATCHES", "240"))
"""How many random matches a game plays; 10,000 in a long run."""
TODAY = int(time.time()) // 86_400
SEEDS = st.integers(TODAY * MATCHES, TODAY * MATCHES + MATCHES // 200)
"""Matches whose moments the property tests draw from: few, for each is played whole, and other ones every day."""


def match(
    game: AnyGame, seats: int, seed: int, options: dict[str, int], sensible: bool = False
) -> Iterator[tuple[World, Step]]:
    """Play a match against real hands: sensibly, or anything that the hands allow.

    Anything takes in what the table can't tell to be wrong. Kinds are drawn first, then cards, else what is rare stays
    rare.
    """
    rng = random.Random(seed)
    world = world_of(game, seats, options, rng)
    state = game.setup(seats, options, world.setup())
    world.deal(state)
    while game.actors(state):
        if sensible:
            action: Any = choose(game, state, world, rng)
        else:
            kinds: dict[type, list[Any]] = defaultdict(list)
            for template in game.legal(state):
                kinds[type(template)] += world.ground_actions(state, template)
            action = rng.choice(rng.choice([some for some in kinds.values() if some]))
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        yield world, (state, action, facts, after)
        state = after


class Played(NamedTuple):
    """A match from its first record to its last.

    `hands` are those after each record; `due` are the numbers of the states by what was due in them: a state's number
    is that of the records before it.
    """

    steps: tuple[Step, ...]
    hands: tuple[dict[int, set[Piece]], ...]
    due: tuple[tuple[int, ...], ...]

    def state(self, number: int) -> Any:
        """Return the state after so many records."""
        return self.steps[number - 1][3] if number else self.steps[0][0]


@lru_cache(maxsize=64)
def _played(
    game: AnyGame, seats: int, seed: int, options: tuple[tuple[str, int], ...], good: bool, by: Callable[[Any], str]
) -> Played:
    steps, hands = [], []
    due: dict[str, list[int]] = defaultdict(list)
    for world, step in match(game, seats, seed, dict(options), good):
        if not steps:
            due[by(step[0])].append(0)
        steps.append(step)
        hands.append({seat: set(hand) for seat, hand in world.hands.items()})
        due[by(step[3])].append(len(steps))
    return Played(tuple(steps), tuple(hands), tuple(tuple(due[kind]) for kind in sorted(due)))


@st.composite
def matches(
    draw: st.DrawFn,
    game: AnyGame,
    seats: tuple[int, int],
    options: Callable[[int, int], dict[str, int]] = lambda seats, seed: {},
    by: Callable[[Any], str] = lambda state: str(state.phase),
) -> Played:
    """Return a match for a number of seats between two; `options` makes its options, `by` says what is due."""
    number, seed = draw(st.integers(*seats)), draw(SEEDS)
    return _played(game, number, seed, tuple(options(number, seed).items()), draw(st.booleans()), by)


@st.composite
def moments(draw: st.DrawFn, played: st.SearchStrategy[Played]) -> Any:
    """Return a state out of a match; in which something rare is due as often as one in which something common is."""
    one = draw(played)
    return one.state(draw(st.sampled_from(draw(st.sampled_from(one.due)))))


def legal_means_filling_a_template(game: AnyGame, state: Any, actions: Iterable[Any]) -> None:
    """A ground action is legal if and only if it fills a template; what is not says why, and what to do."""
    templates = defaultdict(list)
    for template in game.legal(state):
        templates[type(template)].append(template)
    for action in actions:
        verdict = game.judge(state, action)
        filled = any(fits(template, action) for template in templates[type(action)])
        assert verdict.ok == filled, (action, verdict)
        if not verdict.ok:
            assert verdict.kind in ("illegal", "inconsistent"), action
            assert verdict.rule, action
            assert verdict.reason, action
            assert verdict.remedy, action


def every_template_can_be_played(game: AnyGame, state: Any, stride: int = 1) -> None:
    """Every template, with every (`stride`-th) card of its holes, leads to a state that adds up; the old one stays."""
    before = msgspec.msgpack.encode(state, enc_hook=plain)
    for template in game.legal(state):
        if game.needs(state, template):
            continue
        gaps = holes(template)
        for piece in sorted(gaps[0][1].pieces)[::stride] if gaps else ("",):
            action = replace(template, **{gaps[0][0]: piece}) if gaps else template
            after = game.play(state, action)
            assert game.audit(after) == (), action
            assert game.describe(state, action).endswith("."), action
    assert msgspec.msgpack.encode(state, enc_hook=plain) == before, "an earlier state was changed"


def a_match_is_true_to_its_world(
    game: AnyGame,
    played: Iterable[tuple[World, Step]],
    known: Callable[[Any], frozenset[Piece]],
    piles_unseen: bool = True,
) -> None:
    """Nothing is lost, what is known of a hand (`known` of a player) is in it, and the records alone tell it again.

    `piles_unseen`: no card of a hidden pile was ever seen (characters that were rolled under one were).
    """
    records: list[tuple[Any, Facts, Any]] = []
    state = None
    for world, (before, action, facts, after) in played:
        state = state or before
        records.append((action, facts, after))
        assert game.audit(after) == ()
        for seat, player in enumerate(after.players, 1):
            real = set(world.hands[seat])
            assert known(player) <= real
            assert real - known(player) <= after.unseen
        assert not piles_unseen or all(set(pile) <= after.unseen for pile in world.piles().values())
        assert [need.place for need in game.needs(before, action)] == [fact.place for fact in facts]
    for action, facts, after in records:
        sent = msgspec.json.encode((action, facts), enc_hook=plain)
        back, said = msgspec.json.decode(sent, type=tuple[game.action_type, Facts])  # type: ignore[name-defined]
        assert (back, said) == (action, facts)
        assert game.judge(state, back).ok
        state = game.play(state, back, said)
        assert state == after
    assert state is not None
    assert msgspec.json.decode(msgspec.json.encode(state, enc_hook=plain), type=type(state)) == state
    assert game.standing(state).outcome is state.outcome is not None


def recalled(game: AnyGame, state: Any, done: Iterable[tuple[Any, Facts]]) -> Any:
    """Return a state with what is recalled of it after these actions were done and taken back."""
    steps, now = [], state
    for action, facts in done:
        after = game.play(now, action, facts)
        steps.append(Undone(action, facts, now, after))
        now = after
    return game.recall(state, tuple(steps))


def what_undo_recalls_is_true(
    game: AnyGame, played: Played, at: int, steps: int, known: Callable[[Any], frozenset[Piece]]
) -> None:
    """C4: back before record `at` of a match, what is known then is in the hands, and nothing known is forgotten.

    Nor is what a hand showed before another card may have come into it: one came, its seat drew (and may have laid
    that one down), or a card of elsewhere became unseen.
    """
    undone = tuple(
        Undone(action, facts, before, after) for before, action, facts, after in played.steps[at : at + steps]
    )
    if not undone:
        return
    before = played.state(at)
    then = game.recall(before, undone)
    assert game.audit(then) == ()
    for seat, player in enumerate(then.players, 1):
        assert known(player) <= played.hands[at - 1][seat]
        assert known(player) >= known(before.players[seat - 1])
        for n, step in enumerate(undone, at):
            had, has = played.hands[n - 1][seat], played.hands[n][seat]
            drew = step.action.seat == seat and (game.left(step.after) or 0) < (game.left(step.before) or 0)
            hidden = step.after.unseen - step.before.unseen - known(step.before.players[seat - 1])
            if has - had or drew or hidden:
                break
            assert known(player) >= (had - has) & (step.before.unseen - step.after.unseen), step.action


def a_correction_holds_or_is_refused(game: AnyGame, state: Any, edits: tuple[AnyEdit, ...]) -> None:
    """C8: a correction leaves every piece in one place, and a match that goes on, or it is refused with a reason."""
    refused: Verdict | None = None
    try:
        after = game.correct(state, edits)
    except RuleError as error:
        refused, after = error.verdict, state
    assert refused is None or (refused.kind == "inconsistent" and refused.reason and refused.remedy)
    assert game.audit(after) == ()
    assert game.audit(game.end(after)) == ()
    assert bool(game.actors(after)) == (game.standing(after).outcome is None)
    for action in game.legal(after):
        if not holes(action) and not game.needs(after, action):
            assert game.audit(game.play(after, action)) == ()


def views_say_what_legal_says(game: AnyGame, state: Any) -> None:
    """A view can be made of every state for every seat, and offers exactly that seat's templates."""
    for seat in (0, *state.seats):
        view = game.view(state, seat)
        offered = [action for may in view.may for action in may.actions]
        due = [action for action in game.legal(state) if action.seat == seat and seat]
        assert sorted(map(repr, offered)) == sorted(map(repr, due))
        assert all(may.verdict.ok or may.verdict.remedy for may in view.may)
        cards = [getattr(action, "card", None) for action in offered]
        assert all(card.owner == seat for card in cards if isinstance(card, Hole))
        msgspec.json.encode(view, enc_hook=plain)


def silence_and_ends_are_legal(game: AnyGame, state: Any) -> None:
    """What is assumed of a silent turn, and what a clock at zero stands for, is legal; the host can end any match."""
    tacit = game.tacit(state)
    assert tacit is None or game.judge(state, tacit).ok
    timed = game.timed(state)
    for lapse in timed.lapses if timed else ():
        assert game.judge(state, lapse).ok
    ended = game.end(state)
    assert game.audit(ended) == ()
    assert game.actors(ended) == ()
