"""Says what is wrong on the table: which rule, why, what to put back, and which legal action comes closest."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.codes import BACK
from companion.referee.difference import BESIDE, FACE, Mismatch, Mismatches, Seen
from companion.referee.matching import Explanation, card_goes, nearest
from companion.referee.snapshot import Violation
from companion.referee.words import Words
from companion.rules.kernel import (
    TABLE,
    Action,
    AnyEdit,
    AnyGame,
    Counts,
    Lies,
    Seat,
    Verdict,
    at,
    holes,
    inconsistent,
)
from companion.rules.wording import all_of
from companion.text import bare, capital, t


def violation(
    game: AnyGame, state: object, seen: Seen, surprises: Mismatches, words: Words, before: Mismatches = frozenset()
) -> tuple[Violation, Mismatches]:
    """Explain the newest mistake of a settled difference that no legal action explains, and what to move.

    What was said `before` is older than what was not.
    """
    newest = sorted(surprises - before or surprises, key=lambda item: _age(item, seen))
    judged = ((item, act, game.judge(state, act)) for item in newest for act in _meant(game, state, item))
    # What the table does when it is due is nobody's mistake when it is not.
    wrong = (one for one in judged if not one[2].ok and not (one[2].early and one[1].seat == TABLE))
    item, action, verdict = next(wrong, (newest[0], None, None))
    mistake = _mistake(item, surprises)
    goes = card_goes(game, state, seen, item) if verdict is None and item.extra else frozenset()
    moves, others = words.moves(goes or mistake, seen.under), words.moves(surprises - mistake, seen.under)
    who = action.seat if action is not None else TABLE
    headline, verdict = _worded(game, state, who, verdict or _plainly(item, moves, words, bool(goes)), moves)
    near = None if goes else nearest(game, state, seen, mistake)
    mend = near[1] - (surprises - mistake) if near else frozenset()
    told = Violation(
        kind=verdict.kind,
        rule=verdict.rule,
        reason=verdict.reason,
        remedy=verdict.remedy,
        moves=moves + others,
        nearest=game.describe(state, near[0]) if near else "",
        nearest_moves=words.moves(mend, seen.under),
        others=_so_many_more(len(others)),
        headline=headline,
        who=who,
        due=game.actors(state),
    )
    return told, mend or (goes or mistake) | (surprises - mistake)


def _worded(game: AnyGame, state: object, who: Seat, verdict: Verdict, moves: tuple[str, ...]) -> tuple[str, Verdict]:
    """Return the headline of an alarm, and its verdict with the move that mends it for a remedy.

    Who does something too soon is told what is due as the reason: what others do then mends nothing.
    """
    due, move = game.actors(state), capital(all_of(moves)) + "."
    person = at(who) if who != TABLE else ""
    if verdict.early and TABLE not in due and who not in due:
        whose = all_of(at(seat) for seat in due)
        if len(due) == 1:
            headline = t("{who}, not yet: it is {whose}'s turn", who=person, whose=whose)
        else:
            headline = t("{who}, not yet: it is the turn of {whose}", who=person, whose=whose)
    elif verdict.early:
        headline = t("{who}, not yet: something else comes first", who=person)
    elif not person:
        return t("The table is not as it should be"), verdict
    elif verdict.kind == "inconsistent":
        return t("{who}, that can't be", who=person), replace(verdict, remedy=move)
    else:
        return t("{who}, that is against the rules", who=person), verdict
    return headline, replace(verdict, reason=game.due(state) or verdict.reason, remedy=move)


def _meant(game: AnyGame, state: object, item: Mismatch) -> Iterator[Action]:
    """Yield what somebody may have meant by a surprise, legal or not, likeliest first; no card by its back."""
    for action in game.meant_by(state, item.piece, item.zone) if item.extra and item.zone != BESIDE else ():
        if not any(getattr(action, field) == BACK for field in action.__struct_fields__):
            yield action


def _age(item: Mismatch, seen: Seen) -> tuple[bool, int, Mismatch]:
    """Return the sort key of mistakes: what lies there first, the newest of it before; then what is gone."""
    return not item.extra, -seen.order.get((item.zone, item.piece), 0), item


def _mistake(item: Mismatch, surprises: Mismatches) -> Mismatches:
    """Return what one mistake has changed: where the piece lies, where it is gone from, and what it lies on."""
    same = {one for one in surprises if one.piece == item.piece and (item.piece not in (BACK, FACE) or one == item)}
    zones = {one.zone for one in same if one.extra}
    return frozenset(same | {one for one in surprises if not one.extra and one.zone in zones})


def _so_many_more(count: int) -> str:
    if count == 1:
        return t("One more thing on the table is not as it should be.")
    return t("{count} more things on the table are not as they should be.", count=count) if count else ""


def _plainly(item: Mismatch, moves: tuple[str, ...], words: Words, goes: bool) -> Verdict:
    """Return what is not as it should be, where no action comes to mind that people may have meant."""
    remedy = all_of(moves)
    remedy = capital(remedy) + "."
    if goes:
        right = t("it has to lie face up") if item.piece == BACK else t("it belongs elsewhere")
        card, zone = words.piece(item.piece), words.zone(item.zone)
        return inconsistent("C2", t("{card} lies on {zone}, and {right}", card=card, zone=zone, right=right), remedy)
    if item.extra and item.zone == BESIDE:
        return inconsistent("C2", t("{piece} lies beside the zones of the mat", piece=words.piece(item.piece)), remedy)
    if item.extra:
        reason = t(
            "{piece} lies on {zone}, and no action brings it there now",
            piece=words.piece(item.piece),
            zone=words.zone(item.zone),
        )
        return inconsistent("C2", reason, remedy)
    if item.piece == BACK:
        reason = t("there should still be cards on {zone}: somebody drew without telling", zone=words.zone(item.zone))
        return inconsistent("C2", reason, t("{remedy} Or the host says that the table is right.", remedy=remedy))
    reason = t(
        "{piece} is gone from {zone}, and no action takes it away now",
        piece=words.piece(item.piece),
        zone=words.zone(item.zone),
    )
    return inconsistent("C2", reason, remedy)


def unfinished(game: AnyGame, state: object, found: Explanation, words: Words) -> Violation:
    """Return that an action was begun and not brought to its end."""
    step = found.steps[-1]
    moves = words.moves(found.todo)
    told = bare(game.describe(state, step.guess or step.action, step.facts))
    to_say = step.guess is not None and not holes(step.guess)
    remedy = all_of([*moves, *([t("say so on the phone")] if to_say else [])])
    who = step.action.seat
    return Violation(
        headline=t("{who}, go on: this looks begun", who=at(who)) if who != TABLE else t("This looks begun"),
        who=who,
        due=game.actors(state),
        kind="unfinished",
        rule="C2",
        reason=t("it is not finished: {told}", told=told),
        remedy=(t("{remedy}, or put things back as they were.", remedy=capital(remedy))) if remedy else t("Go on."),
        moves=moves,
    )


def edits(wrong: Mismatches, turn: int) -> tuple[AnyEdit, ...]:
    """Return what to correct so that the state agrees with the table ("the table is right").

    A piece that is gone without lying elsewhere is taken to be in the hand of the seat whose zone it was in, or of the
    seat on turn.
    """
    lying = {item.piece for item in wrong if item.extra}
    found: list[AnyEdit] = []
    for item in sorted(wrong):
        if item.piece == BACK:
            if not item.extra:
                found.append(Counts(item.zone, 0))
        elif item.extra:
            found.append(Lies(item.piece, item.zone))
        elif item.piece not in lying and not any(other.extra and other.zone == item.zone for other in wrong):
            owner = item.zone.partition(".")[2]
            found.append(Lies(item.piece, f"hand.{owner or turn}"))
    return tuple(found)
