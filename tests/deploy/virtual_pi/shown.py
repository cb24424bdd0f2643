"""What a webcam is shown: a match of robots, photographed before the virtual Pi starts.

A photograph that never changes would be a camera that hangs; so each is taken several times, each with its own noise.
"""

from __future__ import annotations

import random
from pathlib import Path

import cv2
import msgspec

from companion import games
from companion.eye.view import TableView
from companion.referee.commands import Answer, Command, Play, Reply
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.kernel import Seat
from companion.sim.camera import SimulatedCamera
from companion.sim.camera_stage import CameraStage
from companion.sim.rehearsal import Rehearsal
from companion.sim.report import Report
from companion.sim.resumable import Resumable
from companion.sim.stage import Move
from companion.sim.table import SimTable
from companion.sim.world import world_of
from companion.table.factory import make_eye, simulated_camera

GAME, SEATS, SEED = "five-cards-collector", 2, 41
"""A short match: an emulated processor needs a second or two for each of its 52 records."""
SIZE = 1280, 720
"""At 960 × 540 no mat is found, and an emulated processor needs long enough for these."""
COPIES = 3
"""Photographs of one arrangement, so that there is noise in what is shown."""
QUALITY = 92


class Step(msgspec.Struct, omit_defaults=True):
    """Something that happens: an arrangement is shown, or a seat wishes or answers something on its phone.

    Before the next step the match has so many `records`, and what `lies` there face up is known by its title.
    """

    shown: str = ""
    wish: dict[str, object] = {}
    records: int = 0
    lies: list[str] = []


class Course(msgspec.Struct):
    """What happens, and what is to come of it: the actions with their facts."""

    steps: list[Step]
    actions: list[object]


class Photographed(CameraStage):
    """Lays pieces without hands, and photographs what lies there then."""

    def __init__(self, camera: SimulatedCamera, referee: Noted, folder: Path) -> None:
        """Create it; the photographs come into `folder`."""
        super().__init__(camera, make_eye(referee.game, referee.mat), referee.on_view, referee.on_tick)
        self._referee, self._folder = referee, folder

    def _carry(self, moves: list[Move], seat: Seat) -> None:
        self._carrier.make_room(moves)
        for move in moves:
            self.apply(move)
            self._carrier.at_once(move)
        number = f"{len(self._referee.steps):03}"
        self._referee.happens(Step(shown=number))
        for copy in range(COPIES):
            picture = self.camera.shoot().gray
            path = self._folder / f"{number}-{copy}.jpg"
            cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


class Noted(Resumable):
    """A referee that notes what happens."""

    def __init__(self, header: Header) -> None:
        """Create it for a match that begins."""
        self.game, self.mat = games.load(header.game), games.load_mat(header.game, header.seats)
        super().__init__(self.game, self.mat, header)
        self.steps: list[Step] = []
        self._titles = {card.piece: card.title for card in self.game.deck.cards}
        self._lies: list[str] = []

    def happens(self, step: Step | None) -> None:
        """Note a step (None: no more come), and what had come of the one before."""
        if self.steps:
            self.steps[-1].records, self.steps[-1].lies = len(self.records()), self._lies
        if step is not None:
            self.steps.append(step)

    def on_view(self, view: TableView) -> None:
        """Note what lies there, and process the view."""
        if view.settled:
            self._lies = sorted(self._titles[one.piece] for one in view.placements if one.piece in self._titles)
        super().on_view(view)

    def command(self, command: Command) -> Reply:
        """Note a wish or an answer, and execute it."""
        match command:
            case Play(seat=seat, action=action, facts=facts):
                wish = {"do": "play", "seat": seat, "action": action, "facts": facts}
            case Answer(choice=choice, seat=seat):
                wish = {"do": "answer", "seat": seat, "choice": choice}
            case _:
                raise TypeError(f"nobody at a webcam's table does this: {command}")
        self.happens(Step(wish=msgspec.to_builtins(wish)))
        return super().command(command)


def photograph(folder: Path) -> None:
    """Write a state folder `watched` with a match that begins, and all of that match as photographs in `shown`, with
    `course.json` beside them.

    Raises:
        DivergenceError: if the match is not understood outside either.
    """
    shown = folder / "shown"
    shown.mkdir()
    game, rng = games.load(GAME), random.Random(f"shown {SEED}")
    world = world_of(game, SEATS, {}, rng)
    setup = msgspec.to_builtins(world.setup())
    header = Header(id=new_id(), at=now(), game=GAME, seats=SEATS, mode="assist", setup=setup)
    journal = Journal(folder / "watched")
    journal.begin(header)
    journal.close()
    referee = Noted(header)
    camera = simulated_camera(game, referee.mat, SimTable(SEED), size=SIZE, fps=2.0)
    Rehearsal(game, world, referee, Photographed(camera, referee, shown), rng, Report()).play()
    referee.happens(None)
    actions = msgspec.to_builtins([(record.action, record.facts) for record in referee.records()])
    (shown / "course.json").write_bytes(msgspec.json.encode(Course(referee.steps, actions)))
