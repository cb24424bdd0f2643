"""What is still to be laid before people can play: at the set-up, and where upkeep has cards come up."""

from __future__ import annotations

from companion.codes import BACK
from companion.eye.view import TableView
from companion.referee.difference import FACE, Mismatch, Seen, mismatches
from companion.referee.pointing import Pointing
from companion.referee.progress import MatchProgress
from companion.referee.snapshot import Lack, Laying
from companion.referee.watcher import TableWatch
from companion.rules.kernel import TABLE, AnyGame, RuleError, Shown
from companion.rules.layout import Zone

MOST = 60
"""Cards that are counted ahead, at most."""


class LayingList:
    """Follows one match. What it lists lies open to everybody: a card that lies face down is a back."""

    def __init__(self, progress: MatchProgress, pointing: Pointing) -> None:
        self._progress, self._pointing = progress, pointing
        self._ahead: tuple[object, tuple[Zone, ...]] = None, ()
        first = mismatches(progress.game.layout(progress.state), Seen(TableView(0, 0.0, ())))
        self._first = sum(not item.extra for item in first)

    def look(self, watch: TableWatch) -> Laying | None:
        """Return what is still to be laid; None where nothing is, or something has to be put right before."""
        progress = self._progress
        if progress.mode == "ledger" or watch.restoring or watch.mind.violation is not None:
            return None
        if self._ahead[0] is not progress.state:
            self._ahead = progress.state, tuple(_ahead(progress.game, progress.state))
        found = watch.mind.found.steps if watch.mind.found is not None else ()
        come = [fact.place for step in found for fact in step.facts if isinstance(fact, Shown)]
        due = list(self._ahead[1])
        for place in come:
            if place in due:
                due.remove(place)
        laid, items = len(self._ahead[1]) - len(due), [Mismatch(place, FACE, False) for place in due]
        for past in reversed(progress.history.active):
            if past.record.seat != TABLE:
                break
            laid += any(isinstance(fact, Shown) for fact in past.record.facts)
        if not progress.history.count:
            missing = sorted(item for item in watch.owed if not item.extra)
            laid += self._first - len(missing)
            items = missing + items
        if not items:
            return None
        return Laying(laid, laid + len(items), tuple(self._lack(item) for item in items))

    def _lack(self, item: Mismatch) -> Lack:
        piece = "" if item.piece == FACE else item.piece
        words = self._pointing.words.zone(item.zone)
        return Lack(words, item.zone, piece, item.piece == BACK)


def _ahead(game: AnyGame, state: object) -> list[Zone]:
    """List where cards come up until it is somebody's turn: as many as if each were one of those that may come."""
    places: list[Zone] = []
    used: set[str] = set()
    while game.actors(state) == (TABLE,) and len(places) < MOST:
        for template in game.legal(state):
            needs = game.needs(state, template) if template.seat == TABLE else ()
            if len(needs) == 1 and needs[0].kind == "shown" and (fitting := needs[0].pieces - used):
                break
        else:
            return places
        used.add(piece := min(fitting))
        try:
            state = game.play(state, template, (Shown(place=needs[0].place, piece=piece),))
        except RuleError:
            return places
        places.append(needs[0].place)
    return places
