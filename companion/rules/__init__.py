"""The rules of the games: pure values and functions, without I/O, clock or randomness."""
