"""`companion watch`: camera or recorded frames go in, what eye and referee make of them comes out as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.devices.cameras import open_camera
from companion.devices.service import PermanentError
from companion.eye.mat import Mat
from companion.referee.journal import Header, new_id, now
from companion.referee.record import Record
from companion.referee.referee import Referee
from companion.rules.kernel import AnyGame, RuleError, name_seats
from companion.table.factory import make_eye, taught_decks


class WatchError(Exception):
    """The frames or the set-up can't be used; the message says why."""


def watch(
    game: AnyGame, mat: Mat, seats: int, options: Mapping[str, int], frames: str, setup: object
) -> Iterator[dict[str, object]]:
    """Yield a document, with the frame's number, for every changed table view, record, violation and question.

    Raises:
        WatchError: if there are no frames there or the set-up does not fit the game.
    """
    header = Header(
        id=new_id(), at=now(), game=game.info.name, seats=seats, options=dict(options), setup=setup, mode="assist"
    )
    kept: list[Record] = []
    try:
        referee = Referee(game, mat, header, sink=lambda record, *_: kept.append(record))
    except msgspec.ValidationError as error:
        raise WatchError(f"the set-up does not fit {game.info.title}: {error}") from None
    except RuleError as error:
        raise WatchError(name_seats(f"{error}", {})) from None
    eye = make_eye(game, mat, taught_decks(game.info.name))
    said: dict[str, object] = {"violation": None, "question": None}
    try:
        camera = open_camera(frames)
    except PermanentError as error:
        raise WatchError(f"{error}") from None
    try:
        for frame in camera.frames():
            view = eye.see(frame)
            if view is not None:
                yield {"frame": frame.number, "view": view}
                referee.on_view(view)
            else:
                referee.on_tick(frame.time)
            for record in kept:
                yield {"frame": frame.number, "record": record}
            kept.clear()
            for key in said:
                what = getattr(referee.snapshot, key)
                if what is not None and what != said[key]:
                    yield {"frame": frame.number, key: what}
                said[key] = what
    except PermanentError as error:
        raise WatchError(f"{error}") from None
    finally:
        camera.close()
