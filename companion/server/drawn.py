"""Keeps what takes long to draw, so that equal questions are drawn once: a match's picture, its pages to print."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

MOST = 12
"""Pictures and PDFs that are kept: some 100 kB each."""


class Drawn:
    """The last few things that were drawn. Every method may be called from any thread."""

    def __init__(self) -> None:
        """Begin with nothing drawn."""
        self._drawing = threading.Lock()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """Return what is kept under a key, which names all that the drawing depends on; else have it drawn.

        One thing is drawn at a time. If `draw` raises an error it is passed on, and nothing is kept.
        """
        with self._drawing:
            if key not in self._kept:
                self._kept[key] = draw()
                if len(self._kept) > MOST:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]
