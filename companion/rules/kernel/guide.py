"""How a game goes, for who never played it: what pages tell of its rules, in short and in words of their own."""

from __future__ import annotations

import msgspec


class Term(msgspec.Struct, frozen=True):
    """A word of a game as its cards and pages write it, and what it means.

    `printed`: it stays as it stands on the cards, in any language. `short`: an abbreviation, which stays, too, and from
    which pages lead here.
    """

    word: str
    meaning: str
    printed: bool = False
    short: bool = False


class Guide(msgspec.Struct, frozen=True):
    """A game in short: its aim, the steps of a turn in their order, when it ends, how points are counted, its words.

    `choices` are what is chosen from on a turn, each with what it does.
    """

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
