"""The simulated world: deck orders and hands, a table with pieces, a camera above it, robots that play."""
