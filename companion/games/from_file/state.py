"""A match of a game made from a file, at one moment."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from companion.rules.cards import Piece
from companion.rules.engine import Phase
from companion.rules.kernel import TABLE, Outcome, Seat
from companion.rules.layout import Zone
from companion.text import t

ANYBODY: Final[Seat] = TABLE
"""The turn where everybody may act, or nobody knows whose it is."""

PHASES = {
    "shown": Phase(call=t("Turn a card up for trumps")),
    "say": Phase(call=t("Say your number")),
    "trick": Phase(call=t("Lay a card to the trick")),
    "gather": Phase(),
    "deal": Phase(),
    "row": Phase(call=t("Lay a card in the row")),
    "free": Phase(),
    "dice": Phase(call=t("Roll the dice")),
    "over": Phase(),
}


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is decided before the first round: who begins it."""

    first: Seat = 1


class Trick(msgspec.Struct, frozen=True):
    """A trick that is complete: who took it, and the cards in the order in which they were laid."""

    winner: Seat
    cards: tuple[Piece, ...]


class Revoke(msgspec.Struct, frozen=True):
    """A seat that had a card of the suit led in a trick (from 1), and did not follow; proved in a later one."""

    seat: Seat
    trick: int
    card: Piece


class Amiss(msgspec.Struct, frozen=True):
    """Cards that a seat took from the row and that don't add up to the card it `laid`, after `laid_before` others."""

    seat: Seat
    laid: Piece
    taken: tuple[Piece, ...]
    laid_before: int


class Finished(msgspec.Struct, frozen=True):
    """A round that was scored: every block by name, seat by seat, and the points of each side."""

    blocks: tuple[tuple[str, tuple[int, ...]], ...]
    points: tuple[int, ...]


class Playing(msgspec.Struct, frozen=True):
    """What one round has come to so far.

    `lying` are the cards in zones, in the order in which they came or by place; `entered` what was typed; `laid` counts
    the cards laid in a row, `layer` laid the `last` one, and has taken the `capture` since; `voids` are the tricks in
    which seats did not follow, by suit; `closed` is how many tricks were taken when the talon was closed, if it was.
    """

    turn: Seat
    trick: tuple[tuple[Seat, Piece], ...] = ()
    tricks: tuple[Trick, ...] = ()
    shown: Piece = ""
    lying: tuple[tuple[Zone, tuple[Piece, ...]], ...] = ()
    taken: tuple[tuple[Piece, ...], ...] = ()
    laid: int = 0
    layer: Seat = TABLE
    taker: Seat = TABLE
    capture: tuple[Piece, ...] = ()
    last: Piece = ""
    amiss: tuple[Amiss, ...] = ()
    sweeps: tuple[int, ...] = ()
    closed: int = -1
    entered: tuple[tuple[str, tuple[int | None, ...]], ...] = ()
    out: tuple[Seat, ...] = ()
    dice: tuple[int, ...] = ()
    rolls: int = 0
    boxes: tuple[tuple[int | None, ...], ...] = ()
    voids: tuple[tuple[Seat, str, int], ...] = ()
    revokes: tuple[Revoke, ...] = ()


class State(msgspec.Struct, frozen=True):
    """A match: the rounds that were scored, and the one that is being played."""

    seats: int
    options: tuple[tuple[str, int], ...]
    dealer: Seat
    now: Playing
    past: tuple[Finished, ...] = ()
    outcome: Outcome | None = None

    @property
    def number(self) -> int:
        return len(self.past) + 1

    def option(self, name: str) -> int:
        return dict(self.options)[name]

    def said(self, name: str) -> tuple[int | None, ...]:
        return dict(self.now.entered).get(name, (None,) * self.seats)

    def lies(self, zone: Zone) -> tuple[Piece, ...]:
        return dict(self.now.lying).get(zone, ())

    def after(self, seat: Seat) -> Seat:
        return seat % self.seats + 1


def playing(state: State, **changes: object) -> State:
    """Return a state with another round."""
    return replace(state, now=replace(state.now, **changes))


def entered(state: State, name: str, seat: Seat, amount: int | None) -> State:
    """Return a state in which a seat has typed something."""
    said = list(state.said(name))
    said[seat - 1] = amount
    return playing(state, entered=tuple({**dict(state.now.entered), name: tuple(said)}.items()))


def lifted(state: State, pieces: tuple[Piece, ...]) -> State:
    """Return a state in which cards lie in no zone; a place that had one is empty ("")."""
    lying = tuple((zone, tuple("" if one in pieces else one for one in cards)) for zone, cards in state.now.lying)
    return playing(state, lying=lying)


def placed(state: State, zone: Zone, pieces: tuple[Piece, ...], slot: int = -1, slots: int = 0) -> State:
    """Return a state in which cards lie in a zone, or at a place of it, and nowhere else."""
    lying = dict(lifted(state, pieces).now.lying)
    if slots:
        row = list(lying.get(zone, ("",) * slots))
        row[slot] = pieces[0]
        lying[zone] = tuple(row)
    else:
        lying[zone] = (*(one for one in lying.get(zone, ()) if one), *pieces)
    return playing(state, lying=tuple(lying.items()))
