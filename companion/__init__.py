"""Companion: a referee for card games on a real table, watched by a camera."""
