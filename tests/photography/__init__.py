"""Photographs of laid tables by a path tracer, with their truth: `python -m tests.photography`."""
