"""A simulated table that no camera looks at, and what its page tells of what lies there."""

import random

from companion import games
from companion.sim.performance import LiveStage, Performance
from companion.sim.sandbox import SharedTable
from companion.sim.table import spot_in
from companion.sim.world import world_of
from companion.table.virtual_hands import Sandbox
from tests.server.desks import GAME, MatchDesk


class HandsDesk(MatchDesk):
    """A match before a simulated table that no camera looks at; time passes when a test lets it."""

    simulated = True

    def __init__(self, game=GAME):
        super().__init__(3, "assist")
        self.match.clock = lambda: 5.0
        rules, self.mat, self.now = games.load(game), games.load_mat(game, 3), 0.0
        rng = random.Random(4)
        self.world = world_of(rules, 3, {}, rng)
        self.table = SharedTable(1, lambda: self.now)
        stage = LiveStage(self.table, self.mat, lambda: True, lambda: True)
        self.performance = Performance(rules, self.world, self.match, stage, rng)
        self.performance.persons.update((1, 2))
        self.sandbox = Sandbox(rules, self.mat, self.table, self.performance, self.command)
        for piece in self.world.piles().get("deck", ()):
            self.put(piece, "deck", "B")

    def put(self, piece, zone, face="F"):
        spot = spot_in(self.mat.zone(zone), 0)
        self.table.put(piece, face, spot.x, spot.y, spot.rotation)

    def wait(self, version, timeout):
        return self.match.wait(version, min(timeout, 0.05))

    def pass_time(self, seconds=6.0):
        for _ in range(int(seconds * 10)):
            self.table.advance(0.1)


def look(client):
    return client.get("/simulated/things").get_json()


def top_of(client, zone):
    return [thing for thing in look(client)["things"] if thing["zone"] == zone][-1]


def at(mat, zone):
    x, y = mat.zone(zone).rect.centre
    return {"x": x, "y": y}
