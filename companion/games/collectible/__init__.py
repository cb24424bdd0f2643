"""Collectible: what is the game's own beside its rules."""
