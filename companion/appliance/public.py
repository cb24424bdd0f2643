"""What a table says of a match to a hall: what all in the room may know, with names as the host allows. No I/O."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from companion.appliance.broker_settings import Naming
from companion.hall import messages
from companion.hall.sentences import changed, heard, told
from companion.referee.colours import worn
from companion.referee.journal import Header
from companion.referee.snapshot import Snapshot
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import TABLE, Seat
from companion.rules.seats import told_apart
from companion.server.hall_api import Seating
from companion.text import plain as as_plain
from companion.untyped import JsonObject

MOST_TEXT, MOST_NAME = 400, 80
"""Letters, as `companion.hall.messages` allows them."""


class PublicTable(Protocol):
    """The table, as far as anybody outside is told of it. Every method may be called from any thread."""

    @property
    def folder(self) -> Path:
        """Where its journal lies."""

    @property
    def title(self) -> str:
        """What its owner calls it."""

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Wait at most so many seconds for a newer snapshot, or newly choosing seats; return the newest."""

    def clock(self) -> float:
        """Return the people's time, by which snapshots say when a bid's time is up."""

    def robots(self) -> Collection[int]:
        """Return the seats that robots play."""

    def calls(self) -> str:
        """Return why the table calls for the host, in a sentence; "" if it does not."""

    def press(self, button: str) -> None:
        """Press one of the table's buttons."""

    def seated(self, seating: Seating | None) -> None:
        """Take in who is to play here, as the hall says; None: nobody is named."""


def told_names(names: Mapping[Seat, str], colours: Mapping[Seat, str], how: Naming) -> dict[Seat, str]:
    """Return what each named seat is called outside the room, no two alike: its name, its initials, or its colour."""
    if how == "full":
        return told_apart(names, MOST_NAME)
    if how == "initials":
        return told_apart({seat: _initials(name) for seat, name in names.items()})
    return {seat: colours.get(seat, f"seat {seat}").capitalize() for seat in names}


def _initials(name: str) -> str:
    return " ".join(f"{word[0]}." for word in re.findall(r"\w+", name)[:3]) or "?"


def header_told(header: Header, how: Naming) -> JsonObject:
    """Return a match's header as plain values, its names as the host allows; no hash counts them."""
    colours = worn(header.colours, header.seats)
    told = msgspec.structs.replace(header, names=told_names(header.names, colours, how))
    plain: JsonObject = msgspec.to_builtins(told, str_keys=True, enc_hook=as_plain)
    return plain


def snapshot_told(snapshot: Snapshot, how: Naming, robots: Collection[Seat], now: float) -> messages.Snapshot:
    """Return how it stands as a message; `now` is the people's time, by which a bid's clock is measured."""
    if snapshot.game == GATHERING:
        return messages.Snapshot(title=snapshot.title[:MOST_NAME], phase="gathering")
    view = snapshot.views[TABLE]
    colours = worn(snapshot.colours, snapshot.seats)
    names = {seat: snapshot.names.get(seat, "") for seat in range(1, snapshot.seats + 1)}
    called = told_names({seat: name for seat, name in names.items() if name}, colours, how)
    outcome = snapshot.standing.outcome
    timer, throws = snapshot.timer, snapshot.dice.throws
    due = [seat for seat in view.waiting if seat != TABLE]
    scores = {one.seat: one.score for one in snapshot.standing.seats}

    def say(words: str) -> tuple[str, messages.Said | None]:
        plain = shortened(without_names(words, snapshot.names, called))
        said = changed(told(words), lambda part: without_names(part, snapshot.names, called))
        return plain, said if heard(said, plain) is not plain else None

    text, text_said = say(outcome.words if outcome is not None and outcome.words else view.headline)
    violation, violation_said = say(snapshot.violation.reason) if snapshot.violation is not None else (None, None)
    return messages.Snapshot(
        match=snapshot.match,
        game=snapshot.game[:MOST_NAME],
        title=snapshot.title[:MOST_NAME],
        phase=snapshot.phase,
        turn=due[0] if due and outcome is None else None,
        text=text,
        text_said=text_said,
        seats=tuple(
            messages.SeatView(
                seat=seat,
                name=called.get(seat, f"Seat {seat}")[:MOST_NAME],
                colour=colours[seat],
                score=scores.get(seat),
                robot=seat in robots,
            )
            for seat in names
        ),
        clock=round(timer.remaining(now), 1) if timer is not None and timer.total > 0 else None,
        over=outcome is not None,
        winners=outcome.winners if outcome is not None else (),
        violation=violation,
        violation_said=violation_said,
        last_roll=throws[-1].values[:32] if throws else None,
    )


def without_names(words: str, names: Mapping[Seat, str], called: Mapping[Seat, str]) -> str:
    """Put seats' public names for their own in a sentence; those that are also plain words are changed, too."""
    changed = {name: called.get(seat, "") for seat, name in names.items() if name and called.get(seat) != name}
    if not changed:
        return words
    longest = sorted(changed, key=len, reverse=True)
    # A name may begin or end with what is no letter, so \b would not do; "Lars's" and "Annas" are found as well.
    found = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?=s?(?!\w))", re.IGNORECASE)
    lower = {name.casefold(): other for name, other in changed.items()}
    return found.sub(lambda hit: lower.get(hit[1].casefold(), "?"), words)


def shortened(words: str) -> str:
    """Return words as plain English that is not longer than a message may have it."""
    words = str(words)
    return words if len(words) <= MOST_TEXT else words[: MOST_TEXT - 1] + "…"
