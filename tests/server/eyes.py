"""A desk with a real match and a real eye that looks at a drawn table, frame by frame, when it is told to."""

from __future__ import annotations

from collections.abc import Iterator

from companion.devices.camera_base import Camera
from companion.eye.view import Frame
from companion.sim.table import SimTable, spot_in
from companion.table.camera_loop import CameraLoop
from companion.table.camera_view import CameraSight
from companion.table.factory import make_eye, simulated_camera
from companion.table.overrides import Overrides
from tests.server.desks import MatchDesk

STAR, MOON, LEAF, GOAL = "00B", "00N", "00Z", "001"
"""A red star, a blue moon a green leaf and a collection card of the deck, by their numbers."""
SIZE = (1920, 1080)


class _Still(Camera):
    """Gives no frames by itself."""

    live = False

    def frames(self) -> Iterator[Frame]:
        return iter(())


class EyeDesk(MatchDesk):
    """Three seats; in the discard pile a star, before seat 1 its goal, a moon and a leaf in its collection."""

    def __init__(self, *, simulated: bool = True) -> None:
        super().__init__(3, "assist")
        self.simulated = simulated
        self.told = Overrides(self.match.see)
        self.camera_loop = CameraLoop(
            self.mat, _Still, lambda: make_eye(self.game, self.mat), self.told.see, lambda time: self.match.tick(time)
        )
        self.sight = CameraSight(self.game, self.mat, self.camera_loop, self.told)
        self.table = SimTable(1)
        self.camera = simulated_camera(self.game, self.mat, self.table, size=SIZE, seed=3)
        self.lay(STAR, "discard")
        self.lay(GOAL, "goal.1")
        self.lay(MOON, "collection.1", 0)
        self.lay(LEAF, "collection.1", 1)
        self.camera_loop._eye = self.eye = make_eye(self.game, self.mat)
        self.watch(1.6)

    def lay(self, piece: str, zone: str, index: int = 0) -> None:
        """Lay a card, without a hand."""
        spot = spot_in(self.mat.zone(zone), index)
        self.table.put(piece, "F", spot.x, spot.y, spot.rotation)

    def watch(self, seconds: float) -> None:
        """Let frames pass, and the match take what is seen of them; then nothing of the pages is kept."""
        for _ in range(round(seconds * self.camera.fps)):
            frame = self.camera.shoot()
            view = self.eye.see(frame)
            if view is not None:
                self.told.see(view)
        self.sight._changed()

    def forget(self) -> None:
        """Forget all that was told."""
        for one in self.told.corrections:
            self.told.forget(one.n)
        self.sight._changed()

    def matched(self) -> dict[str, str | None]:
        """Give what lies where as the match was told last: piece and zone."""
        view = self.told.view
        assert view is not None
        return {one.piece: one.zone for one in view.placements}
