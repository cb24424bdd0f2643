"""How a game goes, for people who never played it: what pages show of its rules, in short."""

from __future__ import annotations

import msgspec


class Term(msgspec.Struct, frozen=True):
    """A word of a game as its cards and pages write it, and what it means.

    A `printed` word is not translated; `short` is an abbreviation, which isn't either and from which pages link here.
    """

    word: str
    meaning: str
    printed: bool = False
    short: bool = False


class Guide(msgspec.Struct, frozen=True):
    """A game in short: its aim, a turn's steps and `choices`, its end, how points are counted, its words."""

    aim: str
    turn: tuple[str, ...]
    choices: tuple[Term, ...] = ()
    end: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()

    @property
    def abbreviations(self) -> tuple[str, ...]:
        """The words from which pages lead to their meaning."""
        return tuple(term.word for term in self.terms if term.short)
