"""Every address of the application, taken from its own map, so that a new one is tried, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

SAMPLES: dict[str, tuple[Any, ...]] = {
    "seat": (1, 2),
    "n": (1, 0),
    "names": ("public", "host", "seat-1", "public,seat-1,pictures"),
    "audience": ("public", "host", "seat-1"),
    "match": (),
    "game": ("five-cards-collector",),
    "name": ("five-cards-collector", "cards.pdf"),
    "piece": ("00B", "000"),
    "paper": ("a4",),
    "when": ("before", "after"),
    "filename": ("companion.css",),
}
"""What stands in addresses, by the name of the argument; a match's id comes from the table."""


def rules(app: Flask) -> list[Rule]:
    """List the rules of an application, always in the same order."""
    return sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ())))


def methods(rule: Rule) -> list[str]:
    """List what a rule can be asked with, but for HEAD and OPTIONS."""
    return sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})


def paths(app: Flask, rule: Rule, match: str = "0190") -> Iterator[str]:
    """Yield an address of a rule for each sample of its arguments.

    Raises:
        KeyError: if an argument has no samples: say here what can stand there.
    """
    samples = {**SAMPLES, "match": (match,)}
    arguments = sorted(rule.arguments)
    most = max((len(samples[name]) for name in arguments), default=1)
    adapter = app.url_map.bind("companion.local")
    for i in range(most):
        values = {name: samples[name][i % len(samples[name])] for name in arguments}
        yield adapter.build(rule.endpoint, values, method=methods(rule)[0])


def calls(app: Flask, match: str = "0190") -> list[tuple[str, str, str]]:
    """List (method, rule, address) of everything that can be asked for."""
    return [
        (method, rule.rule, path) for rule in rules(app) for method in methods(rule) for path in paths(app, rule, match)
    ]
