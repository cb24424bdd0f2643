"""A thread of a table: a fault that ends its work is logged and said, and the work begins anew."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

FIRST, LONGEST = 1.0, 20.0
"""Seconds until the work begins anew after a fault: at first, and at most; the pause doubles from fault to fault."""
PROVEN = 20.0
"""Seconds that the work has to go on until nothing is said any more, and the pauses start small again."""


class Steady(threading.Thread):
    """Works until the work returns; `words` tell people in one sentence that a fault ended it and it begins anew.

    Without a `vital` one the match goes on: no table is restarted for it.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], None],
        *,
        words: str = "",
        vital: bool = True,
        last: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.vital = vital
        self._work = work
        self._last = last
        self._words = words
        self._clock = clock
        self._over = False
        self._stopping = threading.Event()
        self._fault = -math.inf
        """When the work was last begun anew; infinite until that is done."""
        self._pause = FIRST

    def run(self) -> None:
        """Work, and begin anew after each fault."""
        try:
            while not self._over:
                self._once()
        finally:
            self._last()

    def _once(self) -> None:
        try:
            self._work()
            self._over = True
        except Exception:
            log.exception("the %s thread has ended; it is started anew", self.name)
            self._pause = min(2 * self._pause, LONGEST) if self._lately() else FIRST
            self._fault = math.inf
            self._over = self._stopping.wait(self._pause)
            # It has to prove itself from here on, however long the pause was.
            self._fault = self._clock()

    def end(self, timeout: float = 5.0) -> None:
        """Wait until the work has returned, which its owner has told it to do; it is not begun anew."""
        self._stopping.set()
        if self.is_alive() and self is not threading.current_thread():
            self.join(timeout)

    def _lately(self) -> bool:
        return self._clock() - self._fault < PROVEN

    @property
    def ailing(self) -> str:
        """Return for the log what is wrong with it; "" if nothing is, or it has ended as it should."""
        if self._over or self._stopping.is_set() or self.ident is None:
            return ""
        if not self.is_alive():
            return f"the {self.name} thread has ended"
        return f"the {self.name} thread had ended and was started anew" if self._lately() else ""

    @property
    def words(self) -> str:
        """Return the same for people."""
        return self._words if self.ailing else ""
