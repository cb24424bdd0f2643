"""What a debrief of COLLECTION! tells beside what was done: rolls and their chances, reports, engagements, help."""

from __future__ import annotations

from companion.games.collection.box import Box
from companion.games.collection.reporting import Help, attempt
from companion.games.collection.values import AnyAction, Engage, Roll, State
from companion.rules.dice import counted
from companion.rules.kernel import Facts, Remark, Rolled, at, fact_at


def remarks(box: Box, state: State, action: AnyAction, facts: Facts) -> tuple[Remark, ...]:
    """Remark on engaging (6.1) and on rolling for reporting (6.2, I6); on nothing else."""
    if isinstance(action, Engage):
        return (Remark("engagements", action.seat, ""),)
    if not isinstance(action, Roll):
        return ()
    tried = attempt(box, state, action.seat, action.colour)
    found = [Remark("rolls", action.seat, f"The chance was {tried.words}.")]
    found += [
        Remark("help", one.seat, f"{at(one.seat)} helps with {_gift(one)}.", action.seat, one.dice + one.level)
        for one in tried.helps
    ]
    fact = fact_at(facts, "dice")
    if isinstance(fact, Rolled) and any(value < tried.level for value in counted(fact.values, tried.sides)):
        found.append(Remark("reports", action.seat, ""))
    return tuple(found)


def _gift(help_: Help) -> str:
    gifts = (["a die"] if help_.dice else []) + (["a level"] if help_.level else [])
    return " and ".join(gifts)
