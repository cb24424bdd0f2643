"""Whether an action is legal, and if not: by which rule, why, and what to do about it."""

from __future__ import annotations

import msgspec

from companion.rules.seats import Seat
from companion.text import t


class Verdict(msgspec.Struct, frozen=True):
    """Legal, or why not: `kind` is "legal", "illegal" (not now) or "inconsistent" (it can't be: rulings C2, C9).

    An illegal one always has a rule (rulebook section or ruling id), a reason with the right number, and a remedy.
    `early`: it is refused because something else, or somebody else, is due; its remedy says what.
    """

    kind: str
    rule: str = ""
    reason: str = ""
    remedy: str = ""
    early: bool = False

    @property
    def ok(self) -> bool:
        """Whether it is legal."""
        return self.kind == "legal"


LEGAL = Verdict("legal")


def illegal(rule: str, reason: str, remedy: str) -> Verdict:
    """Return the verdict that an action is against the rules now."""
    return Verdict("illegal", rule, reason, remedy)


def inconsistent(rule: str, reason: str, remedy: str) -> Verdict:
    """Return the verdict that something can't be: a card seen twice, a claim that no state allows."""
    return Verdict("inconsistent", rule, reason, remedy)


def no_such_seat(seat: Seat, players: int) -> Verdict:
    """Return the verdict that an action names a seat which is not there (C3)."""
    return inconsistent("C3", t("there is no seat {seat}", seat=seat), t("Name 1 to {players}.", players=players))


class RuleError(Exception):
    """An action was played that `judge` rejects, or facts are missing. Carries the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(t("{reason} ({rule})", reason=verdict.reason, rule=verdict.rule))
        self.verdict = verdict

    @classmethod
    def illegal(cls, rule: str, reason: str, remedy: str) -> RuleError:
        """Return the error for what is against the rules now."""
        return cls(illegal(rule, reason, remedy))

    @classmethod
    def inconsistent(cls, rule: str, reason: str, remedy: str) -> RuleError:
        """Return the error for what can't be."""
        return cls(inconsistent(rule, reason, remedy))
