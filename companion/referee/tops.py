"""Cards that came up from a deck and were taken back: each is known to lie there until a shuffle (ruling C10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.rules.cards import Piece
from companion.rules.kernel import AnyGame, Shown, Undone, fact_at
from companion.rules.layout import Zone


class Top(NamedTuple):
    """A card that came up: how many were left of its deck, with it, what could have come up, and which it was."""

    left: int
    pieces: frozenset[Piece]
    piece: Piece


class Tops:
    """What is known of the decks of a match. `instead`: the card that another came up for just now, or ""."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._known: list[Top] = []
        self._unread: dict[Zone, int] = {}
        """Where a card lies that came up and was not read yet, and how many were left."""
        self.instead: Piece = ""

    def taken_back(self, gone: Iterable[Undone]) -> None:
        """Remember what came up in steps that were taken back, the oldest first, until a shuffle."""
        self.instead = ""
        for step in gone:
            if self._hides(step):
                return
            for top in self._came_up(step):
                others = (one for one in self._known if one.left != top.left or one.piece not in top.pieces)
                self._known = [top, *others]

    def came(self, step: Undone) -> None:
        """Compare what comes up in a step with what is known to lie there."""
        self.instead = ""
        if self._known and self._hides(step):
            self._known = []
        for top in self._came_up(step):
            for one in self._known:
                if one.left == top.left and one.piece in top.pieces <= one.pieces:
                    self._known.remove(one)
                    if one.piece != top.piece:
                        self._known, self.instead = [], one.piece  # Nothing else that was known holds any more.
                    break

    def _hides(self, step: Undone) -> bool:
        """Return whether cards that were seen became unseen: they may have been shuffled into the deck."""
        return not self._game.unseen(step.after) <= self._game.unseen(step.before)

    def _came_up(self, step: Undone) -> Iterator[Top]:
        """Yield the cards that came up from a deck; one that was read later came up when it was laid there."""
        action, facts = step.action, step.facts
        if action is None or not any(isinstance(fact, Shown) for fact in facts):
            return
        before, after = self._game.left(step.before), self._game.left(step.after)
        for need in self._game.needs(step.before, action):
            fact = fact_at(facts, need.place)
            if not isinstance(fact, Shown):
                continue
            drawn = before is None or after is None or after < before
            left = (before or len(need.pieces)) if drawn else self._unread.pop(need.place, 0)
            if not isinstance(fact.piece, str):
                self._unread[need.place] = left
            elif left:
                yield Top(left, need.pieces, fact.piece)
