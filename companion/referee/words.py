"""Puts pieces, zones and differences into words, as people at the table would say them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.codes import BACK
from companion.eye.mat import Mat
from companion.referee.difference import BESIDE, FACE, Mismatch, Mismatches, visibly_differ
from companion.referee.history import Past
from companion.referee.record import Record
from companion.rules.cards import Deck, Piece
from companion.rules.kernel import AnyGame, Counts, Instead, Points, Seat, at
from companion.rules.layout import Back, Layout, Pile, Zone, owner_of
from companion.rules.wording import all_of
from companion.text import bare, join, number_of, small, stem_of, t, word


class Shift(NamedTuple):
    """Something to move, in words: the piece, where it lies (None: nobody knows), and where it goes (None: away)."""

    words: str
    piece: Piece
    source: Mismatch | None
    target: Mismatch | None


def _label(head: str) -> str:
    """Return what a mat calls a zone as a message: of "Crisis A 3" the number is none of the words."""
    stem, number = stem_of(head), number_of(head)
    return t("{head} {count}", head=word(stem), count=number) if f"{stem} {number}" == head else word(head)


class Words:
    """Names for the pieces of a deck and the zones of a mat. Seats stay `@2` until somebody's names are put in."""

    def __init__(self, deck: Deck, mat: Mat) -> None:
        self.called = deck.called()
        """Every piece as a sentence names it."""
        heads = {zone.name: (zone.label or zone.name).partition(":")[0] for zone in mat.zones}
        alike: dict[tuple[str, Seat], list[Zone]] = {}
        for name, head in heads.items():
            alike.setdefault((head, owner_of(name)), []).append(name)
        self._labels = {
            # Places that are called alike are counted as they stand on the mat.
            name: t("{head} {count}", head=word(head), count=n) if len(same) > 1 else _label(head)
            for (head, _), same in alike.items()
            for n, name in enumerate(same, 1)
        }

    def piece(self, piece: Piece) -> str:
        """Name a piece: "the red star"."""
        if piece == BACK:
            return t("a face-down card")
        if piece == FACE:
            return t("a card face up")
        return self.called.get(piece, t("the card {piece}", piece=piece))

    def zone(self, zone: Zone) -> str:
        """Name a zone: "the discard pile", "@2's collection"."""
        if zone == BESIDE:
            return t("a place beside the zones")
        label, owner = small(self._labels.get(zone, zone.partition(".")[0])), owner_of(zone)
        return t("{owner}'s {label}", owner=at(owner), label=label) if owner else t("the {title}", title=label)

    def copies(self, owed: Mismatches, surprises: Mismatches) -> Iterator[tuple[Mismatch, Mismatch]]:
        """Yield pairs of a piece that is owed to a zone and a surprising one lying there that has the same title."""
        for lost in owed:
            for there in surprises:
                if not there.extra or lost.extra or there.zone != lost.zone or there.piece == lost.piece:
                    continue
                if self.piece(there.piece) == self.piece(lost.piece):
                    yield lost, there

    def moves(self, wrong: Mismatches, under: Mismatches = frozenset()) -> tuple[str, ...]:
        """Return piece by piece what to move so that the table is as expected; what lies `under` others has to show."""
        return tuple(shift.words for shift in self.shifts(wrong, under))

    def shifts(self, wrong: Mismatches, under: Mismatches = frozenset()) -> tuple[Shift, ...]:
        """Return the same with the places that are meant."""
        found = self._turned(wrong)
        wrong = wrong.difference(item for shift in found for item in (shift.source, shift.target))
        extra = {item.piece: item for item in sorted(wrong) if item.extra}
        lost = [item for item in sorted(wrong) if not item.extra]
        buried = {item.zone for item in wrong if item.extra and item.piece != BACK}
        for item in lost:
            piece, zone = self.piece(item.piece), self.zone(item.zone)
            source = extra.pop(item.piece, None) if item.piece not in (BACK, FACE) else None
            if source is not None:
                found.append(
                    Shift(
                        t("move {piece} from {zone} to {zone2}", piece=piece, zone=self.zone(source.zone), zone2=zone),
                        item.piece,
                        source,
                        item,
                    )
                )
            elif item in under:
                words = t("let {piece} show on {zone}: something lies over it", piece=piece, zone=zone)
                found.append(Shift(words, item.piece, item, None))
            elif item.zone not in buried:
                # Under a card that should not be there the right one may still lie: taking that card off is enough.
                found.append(Shift(t("put {piece} on {zone}", piece=piece, zone=zone), item.piece, None, item))
        found.extend(Shift(self._away(item), item.piece, item, None) for item in extra.values())
        return tuple(found)

    def _turned(self, wrong: Mismatches) -> list[Shift]:
        """Return what lies where it should before a seat, but the wrong side up: it has only to be turned over."""
        found: list[Shift] = []
        lost = [item for item in sorted(wrong) if not item.extra and (owner_of(item.zone) or item.piece == FACE)]
        for extra in sorted(item for item in wrong if item.extra):
            for item in lost:
                if item.zone == extra.zone and (item.piece == BACK) != (extra.piece == BACK):
                    if item.piece != BACK:  # one stands for all that should lie face down there
                        lost.remove(item)
                    card = self.piece(item.piece if extra.piece == BACK and item.piece != FACE else extra.piece)
                    found.append(
                        Shift(
                            t("turn {card} over on {zone}", card=card, zone=self.zone(item.zone)),
                            extra.piece,
                            extra,
                            item,
                        )
                    )
                    break
        return found

    def _away(self, item: Mismatch) -> str:
        if item.piece == BACK:
            return t("clear the face-down cards from {zone}", zone=self.zone(item.zone))
        return t("take {piece} away from {zone}", piece=self.piece(item.piece), zone=self.zone(item.zone))


def describe_record(game: AnyGame, before: object, record: Record) -> str:
    """Return in one sentence what a record did; `before` is the state it was made in."""
    if record.action is not None:
        return game.describe(before, record.action, record.facts)
    if record.commitment and record.kind == "correction" and not record.edits:
        return t("The companion made a new secret for its dice.")
    if put_right := [edit for edit in record.edits if isinstance(edit, Points)]:
        one = put_right[0]
        return t(
            "Put right: {seat} has {points} in round {round}.", seat=at(one.seat), points=one.points, round=one.round
        )
    if any(isinstance(edit, Instead) for edit in record.edits):
        return t("It was the other one of two cards that are alike.")
    if any(isinstance(edit, Counts) for edit in record.edits):
        return t("Somebody had drawn unseen: the cards in the hands are counted anew.")
    return {
        "undo": t("{steps} taken back.", steps=record.steps),
        "redo": t("{steps} done again.", steps=record.steps),
        "end": t("The host ended the match."),
        "correction": t("Corrected: the table is right."),
    }.get(record.kind, record.kind)


def describe_undo(game: AnyGame, undone: list[tuple[object, Past]]) -> str:
    """Return what was taken back (state, past), last first, and what of it no camera can watch being undone.

    A hidden draw is put back by hand, and a shuffle can't be: then the host goes on from the table as it is.
    """
    actions = [(state, past, past.record.action) for state, past in undone if past.record.action is not None]
    told = [game.describe(state, action, past.record.facts) for state, past, action in reversed(actions)]
    words = t("Taken back: {tolds}", tolds=join(" ", told))
    hidden = [
        bare(describe_record(game, state, past.record))
        for state, past, action in reversed(actions)
        if not visibly_differ(game.layout(state), game.layout(past.state)) and game.touches(state, action)
    ]
    if hidden:
        words += t(" What went to a hand unseen goes back the same way, face down: {hidden}.", hidden=all_of(hidden))
    if any(_shuffled(game.layout(state), game.layout(past.state)) for state, past, _ in actions):
        words += t(' What was shuffled stays shuffled: the host says "go on from here".')
    return words


def _shuffled(before: Layout, after: Layout) -> bool:
    def open_cards(layout: Layout) -> int:
        return sum(len(area.below) for area in layout.zones.values() if isinstance(area, Pile))

    decks = [area for area in after.zones.values() if isinstance(area, Pile) and isinstance(area.top, Back)]
    return bool(decks) and open_cards(after) < open_cards(before) - 1
