"""The simulated world: deck orders and hands, a table with pieces, a camera above it, robots that play."""

from companion.sim import collectible_world as collectible_world
