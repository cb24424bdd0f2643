"""Cards that come up on the table: which card it was, for the rules and for sentences."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.cards import Piece
from companion.rules.kernel import Facts, RuleError, Shown, Unknown, fact_at
from companion.rules.layout import Zone
from companion.text import t

Name = Callable[[Piece], str]


def came_up(name: Name, place: Zone, facts: Facts, can_be: frozenset[Piece]) -> Piece | Unknown:
    """Return the card that came up at a place, maybe unread yet; RuleError if it is missing (C9) or impossible (C2)."""
    fact = fact_at(facts, place)
    if not isinstance(fact, Shown):
        raise RuleError.inconsistent(
            "C9", t("nobody has said which card came up at {place}", place=place), t("Show or name the card.")
        )
    if not isinstance(fact.piece, Unknown) and fact.piece not in can_be:
        reason = t(
            "{piece} can't have come up at {place}: it is known to be elsewhere, or not in play",
            piece=name(fact.piece),
            place=place,
        )
        raise RuleError.inconsistent("C2", reason, t("Look again which card it is."))
    return fact.piece


def name_shown(name: Name, facts: Facts, place: Zone, otherwise: str = t("a card")) -> str:
    """Return the name of the card that came up at a place; `otherwise` if nobody has said or read it."""
    fact = fact_at(facts, place)
    return otherwise if not isinstance(fact, Shown) or isinstance(fact.piece, Unknown) else name(fact.piece)
