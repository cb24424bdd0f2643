"""Compares the drawn table with the simulated table's truth, two seconds after it came to rest.

`python -m benchmarks.drawn [MOMENTS] [GAME…]` plays matches with faults until so many moments were compared, and prints
what differs: piece, face, more than 6 mm or 5 degrees. Places that something covers are left out.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

from companion import games
from companion.codes import BACK
from companion.eye.mat import Mat
from companion.referee.snapshot import Snapshot
from companion.server.drawing import Thing, drawn
from companion.server.table_api import SessionService
from companion.sim.camera_stage import CameraStage
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.sim.resumable import Resumable
from companion.sim.stage import Stage
from companion.sim.table import Laid
from companion.table.factory import hints
from companion.table.stages import camera_stages

AFTER = 2.0
"""Seconds at rest after which the drawing has to be right."""
FAR, TURNED = 6.0, 5.0
"""Millimetres and degrees that a piece may be drawn off."""


class _EnoughError(Exception):
    """So many moments were compared as were asked for."""


def differences(snapshot: Snapshot, session: SessionService, lying: tuple[Laid, ...]) -> list[str]:
    """Return what is drawn otherwise than it lies, a sentence each. Of a pile its top is compared."""
    table = drawn(snapshot, session)
    if table is None:
        return ["there is no drawing"]
    left = [one for one in table.things if one.state != "due" and one.kind != "die" and one.zone not in table.covered]
    found = []
    for laid in _showing(session.mat, lying):
        zone = session.mat.zone_at(laid.x, laid.y)
        if zone is not None and zone.name in table.covered:
            continue
        face = laid.piece if laid.face == "F" else BACK
        alike = [one for one in left if one.face == face]
        best = min(alike, key=lambda one: _off(one, laid), default=None)
        where = f"{face} in {zone.name if zone else 'no zone'} at {laid.x:.0f} {laid.y:.0f} {laid.rotation:.0f}°"
        if best is None:
            found.append(f"{where} is not drawn")
            continue
        left.remove(best)
        turned = abs((best.turn - laid.rotation + 180) % 360 - 180)
        if _off(best, laid) > FAR or turned > TURNED:
            found.append(f"{where} is drawn at {best.x:.0f} {best.y:.0f} {best.turn:.0f}°")
    piles = {zone.name for zone in session.mat.zones if zone.kind == "pile"}
    found += [
        f"{one.face or '?'} is drawn in {one.zone}, and nothing lies there" for one in left if one.zone not in piles
    ]
    return found


def _off(one: Thing, laid: Laid) -> float:
    return math.hypot(one.x - laid.x, one.y - laid.y)


def _showing(mat: Mat, lying: tuple[Laid, ...]) -> list[Laid]:
    """Return what shows: all that lies, but of a pile only its top."""
    tops: dict[str, Laid] = {}
    shown = []
    for laid in lying:
        zone = mat.zone_at(laid.x, laid.y)
        if zone is not None and zone.kind == "pile":
            tops[zone.name] = laid
        else:
            shown.append(laid)
    return [*shown, *tops.values()]


def moments(name: str, count: int, *, seats: int = 0, seed: str = "1", faults: bool = True) -> Iterator[list[str]]:
    """Yield what differs at so many moments of matches of a game, one after another."""
    game = games.load(name)
    low, high = game.info.seats
    seats = seats or min(max(3, low), high)
    mat = games.load_mat(name, seats)
    session = cast(SessionService, SimpleNamespace(mat=mat, cards=game.deck.by_piece(), lays=game.info.lays))
    make = camera_stages(game, mat, faults)
    found: list[list[str]] = []

    def watched(referee: Resumable, rng: random.Random) -> Stage:
        stage = cast(CameraStage, make(referee, rng))
        stage.hint = lambda eye: hints(game, referee.state).give(eye)  # as at a table
        rest = stage.rest

        def rest_longer() -> None:
            rest()
            at, until = stage.table.time, stage.table.time + AFTER
            while at < until and not stage.table.busy:
                stage._step()
                at = stage.table.time
            if stage.table.busy or not stage._resting() or referee.snapshot.troubles:
                return
            found.append(differences(referee.snapshot, session, stage.table.pieces()))
            if len(found) >= count:
                raise _EnoughError

        stage.rest = rest_longer  # type: ignore[method-assign]
        return stage

    for match in range(count):
        try:
            rehearse(game, mat, seats, {}, f"{seed}-{match}", watched, Report())
        except _EnoughError:
            break
    yield from found


def main(count: int = 200, *names: str) -> None:
    """Compare, and print what differs."""
    for name in names or games.packages():
        wrong = 0
        for n, one in enumerate(moments(name, count), start=1):
            wrong += bool(one)
            for words in one:
                print(f"{name}, moment {n}: {words}")
        print(f"{name}: {wrong} of {count} moments differ")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["200"])[0]), *sys.argv[2:])
