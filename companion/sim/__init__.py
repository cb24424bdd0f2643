"""The simulated world: deck orders and hands, a table with pieces, a camera above it, robots that play."""

from companion.sim import collectible_world as collectible_world
from companion.sim import collection_world as collection_world
from companion.sim import collectors_world as collectors_world
from companion.sim import five_cards_world as five_cards_world
from companion.sim import karmic_world as karmic_world
