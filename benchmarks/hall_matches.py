"""Whole matches by robots as a table's journal would have them: header and chained lines, by the rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from companion import games
from companion.bench.prepared import prepared
from companion.hall.messages import Records
from companion.referee.chain import link, root
from companion.referee.journal import Header, encode_record, new_id, now
from companion.referee.record import Record
from companion.untyped import JsonObject

LONGEST = 2000
"""Actions of a match: every game of robots is over before."""
IN_A_MESSAGE = 50


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match: its header, and its records' lines."""

    header: Header
    lines: tuple[str, ...]

    def messages(self, many: int = IN_A_MESSAGE) -> Iterator[Records]:
        """Yield it as a table sends it, so many records a message."""
        plain: JsonObject = json.loads(msgspec.json.encode(self.header))
        hung = root(self.header)
        for i in range(0, len(self.lines), many):
            yield Records(
                match=self.header.id,
                root=hung,
                first=i + 1,
                lines=self.lines[i : i + many],
                header=None if i else plain,
            )


def played(game: str, seats: int, seed: int, names: tuple[str, ...] = (), longest: int = LONGEST) -> PlayedMatch:
    """Let robots play a match, at most so many actions of it."""
    header, steps = prepared(games.load(game), seats, seed, longest)
    header = msgspec.structs.replace(header, id=new_id(), names=dict(enumerate(names, 1)))
    before, lines = root(header), []
    for n, (action, facts) in enumerate(steps, 1):
        record = Record(n=n, id=new_id(), at=now(), seat=action.seat, action=action, facts=facts)
        before = link(before, record)
        lines.append(encode_record(msgspec.structs.replace(record, chain=before)).decode())
    return PlayedMatch(header, tuple(lines))
