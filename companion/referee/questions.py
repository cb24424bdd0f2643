"""Makes the referee's questions: what each says, who may answer, and what every answer leads to."""

from __future__ import annotations

import msgspec

from companion.eye.view import Unread
from companion.referee.difference import visibly_differ
from companion.referee.journal import new_id
from companion.referee.matching import Explanation, Step
from companion.referee.snapshot import Choice, Question
from companion.referee.tray import Awaited, Thrown
from companion.rules.cards import Piece
from companion.rules.kernel import PIECE_FIELDS, TABLE, Action, AnyGame, Facts, Rolled, at, holes
from companion.rules.layout import Exactly, Layout, Pile
from companion.rules.wording import all_of
from companion.text import bare, t

MOST_CHOICES = 9
"""Explanations that are offered at most; more would be no help."""


class Asked(msgspec.Struct, frozen=True):
    """A question that is out, and what each answer leads to: steps to journal, or None to put things back."""

    question: Question
    answers: dict[str, Explanation | None]


def which(
    game: AnyGame, state: object, found: tuple[Explanation, ...], announced: tuple[Explanation, ...] = ()
) -> Asked:
    """Ask which of several explanations is right; of what was only `announced` the answer may be none."""
    choices, answers = [], dict[str, Explanation | None]()
    for i, one in enumerate((found or announced)[:MOST_CHOICES]):
        choices.append(Choice(str(i), describe(game, state, one)))
        answers[str(i)] = one
    if not found:
        choices.append(Choice("no", t("No, I take it back")))
        answers["no"] = None
    found = found or announced
    seats = tuple(sorted({step.action.seat for one in found for step in one.steps} - {TABLE}))
    return Asked(Question(new_id(), "which", t("What happened?"), seats, tuple(choices)), answers)


def finished(game: AnyGame, found: Explanation, seats: int) -> Asked:
    """Ask whether the match is over: an action that ends it is never taken for granted."""
    outcome = game.standing(found.state).outcome
    words = t("{words:bare}. Finished?", words=outcome.words) if outcome else t("Finished?")
    choices = (Choice("yes", t("Yes, the match is over")), Choice("no", t("No, I take it back")))
    question = Question(new_id(), "finished", words, tuple(range(1, seats + 1)), choices)
    return Asked(question, {"yes": found, "no": None})


def dice(game: AnyGame, state: object, action: Action, facts: Facts) -> Asked:
    """Ask whether dice in the tray show what the camera reads; who says no types what they show."""
    shown = all_of(str(value) for fact in facts if isinstance(fact, Rolled) for value in fact.values)
    found = Explanation((Step(action, facts),), game.play(state, action, facts), frozenset())
    choices = (Choice("yes", t("Yes")), Choice("no", t("No, I type what they show")))
    question = Question(new_id(), "dice", t("Do the dice show {shown}?", shown=shown), (action.seat,), choices)
    return Asked(question, {"yes": found, "no": None})


def last_die(game: AnyGame, state: object, roll: Awaited, thrown: Thrown) -> Asked:
    """Ask what the only die shows that the camera can't read; who says none of it types all or rolls again."""
    answers: dict[str, Explanation | None] = {}
    sides = roll.need.sides
    for value in range(1, sides + 1):
        facts = (Rolled(place=roll.need.place, values=tuple(sorted((*thrown.values, value)))),)
        step = Step(roll.action, facts)
        answers[str(value)] = Explanation((step,), game.play(state, roll.action, facts), frozenset())
    shows = {"10": t("0, which counts 10")} if sides == 10 else {}
    choices = (*(Choice(key, shows.get(key, key)) for key in answers), Choice("no", t("None of these")))
    read = all_of(str(value) for value in thrown.values)
    words = (
        t("The dice show {read}, and there is one that I can't read", read=read) if read else t("I can't read the die")
    )
    asked = t("{words}: {why}. What does it show?", words=words, why=_WHY[thrown.missing or Unread.UNCLEAR])
    return Asked(Question(new_id(), "dice", asked, (roll.action.seat,), choices), {**answers, "no": None})


_WHY = {
    Unread.LEANS: t("it leans on something"),
    Unread.NO_MARK: t("a 6 or a 9 whose mark doesn't show"),
    Unread.UNCLEAR: t("it is covered, a lamp is mirrored in it, or its picture is unclear"),
}


def choice(game: AnyGame, state: object, actions: tuple[Action, ...]) -> Asked:
    """Ask for a choice that leaves no trace on the table; an answer's key is the action's number in `legal`."""
    words = [game.describe(state, action) for action in actions]
    apart = _apart(words, actions, game.layout(state))
    choices, answers = [], {}
    for i, (action, said) in enumerate(zip(actions, words, strict=True)):
        choices.append(Choice(str(i), bare(said) + apart.get(i, "")))
        answers[str(i)] = Explanation((Step(action),), game.play(state, action), frozenset())
    seats = tuple(sorted({action.seat for action in actions}))
    asked = t("{seats}: which one?", seats=all_of(at(seat) for seat in seats))
    return Asked(Question(new_id(), "choice", asked, seats, tuple(choices)), dict(answers))


def _apart(words: list[str], actions: tuple[Action, ...], layout: Layout) -> dict[int, str]:
    """Return for actions that read the same, by number, which of the cards that are alike each of them is about.

    People see which one is on top of a pile; only where that does not help they are numbered.
    """
    alike: dict[str, list[int]] = {}
    for i, said in enumerate(words):
        alike.setdefault(said, []).append(i)
    piles = [area for area in layout.zones.values() if isinstance(area, Pile) and isinstance(area.top, Exactly)]
    apart: dict[int, str] = {}
    for same in alike.values():
        if len(same) == 1:
            continue
        apart |= {i: t(" (number {count} of {same} alike)", count=n, same=len(same)) for n, i in enumerate(same, 1)}
        tops = {i: pile for i in same for pile in piles if _piece(actions[i]) in _top(pile)}
        if len(tops) != 1:
            continue
        ((top, pile),) = tops.items()
        apart[top] = t(" (the one on top)")
        below = [i for i in same if _piece(actions[i]) in pile.below]
        if len(below) == len(same) - 1:
            apart |= {
                i: t(" (number {count} of {below} further down)", count=n, below=len(below))
                for n, i in enumerate(below, 1)
            }
        if len(below) == 1:
            apart[below[0]] = t(" (the one further down)")
    return apart


def _piece(action: Action) -> Piece:
    named = (getattr(action, name, "") for name in PIECE_FIELDS)
    return next((value for value in named if isinstance(value, str) and value), "")


def _top(pile: Pile) -> tuple[Piece, ...]:
    return (pile.top.piece,) if isinstance(pile.top, Exactly) else ()


def unobservable_choices(game: AnyGame, state: object) -> tuple[Action, ...]:
    """List the actions in which a seat must choose and the table can't show it; empty if it can.

    Upkeep, choices among unseen cards, bids against a clock, turns that may pass in silence, and what people say when
    they like don't count; nor does what seats that are not due may do.
    """
    actors = game.actors(state)
    if not actors or actors == (TABLE,) or game.tacit(state) is not None or game.timed(state) is not None:
        return ()
    actions = tuple(action for action in game.legal(state) if action.seat in actors)
    unseen = game.info.unseen
    if any(str(action.__struct_config__.tag) in unseen for action in actions):
        return ()
    if any(holes(action) or game.needs(state, action) for action in actions):
        return ()
    layout = game.layout(state)
    if all(visibly_differ(layout, game.layout(game.play(state, action))) for action in actions):
        return ()
    return actions


def describe(game: AnyGame, state: object, found: Explanation) -> str:
    """Return an explanation in one sentence."""
    said = [bare(game.describe(state, step.action, step.facts)) for step in found.steps]
    return all_of([*said[:1], *(one[:1].lower() + one[1:] for one in said[1:])]) + "."
