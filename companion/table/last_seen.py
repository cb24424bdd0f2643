"""Where the pieces lay when the table rested last, on disk for an eye opened after a restart (`faces.recalled`)."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from companion.eye.view import Placement, TableView
from companion.files import written_whole

log = logging.getLogger(__name__)

NAME = "last-seen.json"
"""The file, in the folder of the journal: one for the match that was watched last."""


class _Kept(msgspec.Struct, frozen=True):
    match: str
    placements: tuple[Placement, ...]


class LastSeen:
    """What lay on the table of one match. Without a folder it is kept as long as the program runs."""

    def __init__(self, folder: Path | None, match: str) -> None:
        self._path = None if folder is None else folder / NAME
        self._match = match
        self.placements: tuple[Placement, ...] = ()
        """What lay there, in the last view of a table at rest."""
        if self._path is not None:
            try:
                kept = msgspec.json.decode(self._path.read_bytes(), type=_Kept)
            except (OSError, msgspec.DecodeError):
                return  # nothing is kept, or it was damaged: the table is looked at as if for the first time
            if kept.match == match:
                self.placements = kept.placements

    def see(self, view: TableView) -> None:
        """Keep what lies there, if the table rests and nothing is hidden."""
        if not view.settled or view.covered or view.placements == self.placements:
            return
        self.placements = view.placements
        if self._path is None:
            return
        try:
            with written_whole(self._path) as file:
                file.write(msgspec.json.encode(_Kept(self._match, self.placements)))
        except OSError as error:
            log.warning("where the cards lie can't be kept: %s", error)
