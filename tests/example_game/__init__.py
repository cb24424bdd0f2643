"""The example of docs/adding-a-game.md: Sevens, with robots that can play it."""

from companion.sim.world import WORLDS
from tests.example_game.robots import SevensWorld
from tests.example_game.rules import Sevens

WORLDS["sevens"] = SevensWorld
GAME = Sevens
