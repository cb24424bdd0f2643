"""What is told of a table while no picture of it can be looked at: what lay there last, all of it covered."""

from __future__ import annotations

import msgspec

from companion.eye.eye import Eye
from companion.eye.mat import Mat
from companion.eye.view import TableView, Trouble


class LastView:
    """The last view that was told, by whatever eye: a new one knows nothing until it has looked."""

    def __init__(self, mat: Mat) -> None:
        self._coverable = mat.coverable
        self._view = TableView(0, 0.0, ())
        self._hidden = False

    def hidden(self, trouble: Trouble | None) -> TableView:
        """Return it while there is a trouble, or (None) while that is over and nobody has looked since."""
        self._hidden = True
        troubles = () if trouble is None else (trouble,)
        return msgspec.structs.replace(
            self._view, covered=self._coverable, touched=frozenset(), settled=False, troubles=troubles
        )

    def see(self, eye: Eye, view: TableView | None) -> TableView | None:
        """Take what an eye returned for a picture; return what to tell: after a trouble that all is as before, too."""
        if view is None and self._hidden and eye.view is not None:
            view = msgspec.structs.replace(eye.view, touched=frozenset())
        if view is not None:
            self._view, self._hidden = view, False
        return view
