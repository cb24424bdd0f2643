"""The example of docs/adding-a-game.md: Sevens, with robots that can play it."""

from companion.sim.world import Bots
from tests.example_game.robots import SevensWorld
from tests.example_game.rules import Sevens

GAME = Sevens
BOTS = Bots(SevensWorld)
