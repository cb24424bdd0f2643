"""The small language in which the deck file says what a collection card does (I10).

A card's effect is one clause or several, with semicolons between them; they happen in that order. A clause is a verb,
what it is about, and a number:

    crisis A +1              the crisis of a scenario
    crisis all -1            the crisis of all active scenarios
    response DH B +2         a collector's level on a response ladder
    response STATE all -1    the same in all scenarios
    gem NSA C military +1    a gem on a collector's space
    action +1                an extra action
    move +1                  a free move
    die +1                   a bonus die for that player's next roll
    skip +1                  that player's next ENGAGE places nothing
    expand B                 Crisis Expansion: the crisis rises by 1, or the scenario opens

"any" for scenario, collector or colour leaves the choice to who draws or plays the card.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

ANY, ALL = "any", "all"
VERBS = {
    "crisis": ("scenario",),
    "response": ("collector", "scenario"),
    "gem": ("collector", "scenario", "colour"),
    "action": (),
    "move": (),
    "die": (),
    "skip": (),
    "expand": ("scenario",),
}
"""The verbs, and what each is about."""
UPWARDS = frozenset({"action", "move", "die", "skip"})
"""Verbs whose number is at least 1."""
EVERYWHERE = frozenset({"crisis", "response"})
"""Verbs that can be about all scenarios."""


class Clause(msgspec.Struct, frozen=True, gc=False):
    """One thing that a card does, by this much. What a verb is not about is empty."""

    verb: str
    by: int
    scenario: str = ""
    collector: str = ""
    colour: str = ""


class EffectError(ValueError):
    """An effect that is not in the language; the message says which words, and what would be."""


def parse(text: str, scenarios: Iterable[str], collectors: Iterable[str], colours: Iterable[str]) -> tuple[Clause, ...]:
    """Read an effect.

    Raises:
        EffectError: if it is not in the language.
    """
    known = {"scenario": tuple(scenarios), "collector": tuple(collectors), "colour": tuple(colours)}
    clauses = tuple(_clause(part.strip(), known) for part in text.split(";"))
    if len(clauses) > 1 and any(clause.verb == "expand" for clause in clauses):
        raise EffectError(f"{text!r}: a Crisis Expansion does nothing else")
    return clauses


def _clause(text: str, known: dict[str, tuple[str, ...]]) -> Clause:
    verb, *rest = text.split() or [""]
    if verb not in VERBS:
        raise EffectError(f"{text!r}: there is no effect {verb!r}; there are {', '.join(VERBS)}")
    about = VERBS[verb]
    wanted = " ".join((verb, *(f"<{name}>" for name in about), *(() if verb == "expand" else ("<+n or -n>",))))
    if len(rest) != len(about) + (verb != "expand"):
        raise EffectError(f"{text!r}: it is written {wanted!r}")
    said = dict(zip(about, rest, strict=False))
    for name, word in said.items():
        others = () if verb == "expand" else (ANY, ALL) if name == "scenario" and verb in EVERYWHERE else (ANY,)
        if word not in (*known[name], *others):
            raise EffectError(f"{text!r}: there is no {name} {word!r}; there are {', '.join((*known[name], *others))}")
    return Clause(verb, 1 if verb == "expand" else _number(text, verb, rest[-1], wanted), **said)


def _number(text: str, verb: str, word: str, wanted: str) -> int:
    if word[:1] not in ("+", "-") or not word[1:].isdecimal() or not word[1:].isascii() or int(word[1:]) == 0:
        raise EffectError(f"{text!r}: {word!r} is no number like +1 or -2; it is written {wanted!r}")
    if verb in UPWARDS and word[0] == "-":
        raise EffectError(f"{text!r}: {verb} takes a number above 0, as in '{verb} +1'")
    return int(word)


# ------------------------------------------------------------------------------------------------------------ words


def told(clauses: Iterable[Clause]) -> str:
    """Say an effect as it is printed on its card, a sentence for each clause."""
    return " ".join(_told(clause) for clause in clauses)


def _told(clause: Clause) -> str:
    by = abs(clause.by)
    rises = "rises" if clause.by > 0 else "falls"
    match clause.verb:
        case "crisis":
            return f"The crisis {_where(clause)} {rises} by {by}."
        case "response":
            return f"The response of {_collector(clause)} {_where(clause)} {rises} by {by}."
        case "gem":
            colour = "" if clause.colour == ANY else f"{clause.colour} "
            kind = " of a colour of your choice" if clause.colour == ANY else ""
            does = "Add" if clause.by > 0 else "Remove"
            gems = f"{by} {colour}gem{'' if by == 1 else 's'}{kind}"
            return (
                f"{does} {gems} {'to' if clause.by > 0 else 'from'} the space of {_collector(clause)} {_where(clause)}."
            )
        case "action":
            return f"Take {by} extra action{'' if by == 1 else 's'} now."
        case "move":
            return f"Make {by} free move{'' if by == 1 else 's'} now."
        case "die":
            return f"Roll {by} bonus {'die' if by == 1 else 'dice'} the next time you roll."
        case "skip":
            return f"Your next {'' if by == 1 else f'{by} '}ENGAGE action{'' if by == 1 else 's'} will place nothing."
    return (
        f"Crisis Expansion: the crisis in {clause.scenario} rises by 1. If {clause.scenario} is not active, it opens."
    )


def _where(clause: Clause) -> str:
    if clause.scenario == ALL:
        return "in all scenarios"
    return "in a scenario of your choice" if clause.scenario == ANY else f"in {clause.scenario}"


def _collector(clause: Clause) -> str:
    return "a collector of your choice" if clause.collector == ANY else clause.collector
