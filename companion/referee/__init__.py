"""Table views and commands in, records out: the one that understands, judges and remembers."""
