"""What is worth keeping while a match goes on: parts of a game's pictures, megabytes that no other game uses."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

_forgetting: list[Callable[[], None]] = []


def kept(most: int | None = None) -> Callable[[Function], Function]:
    """Keep what a function returned for its latest `most` arguments (None: for all of them), until `forget`."""

    def keep(function: Function) -> Function:
        keeping = lru_cache(most)(function)
        _forgetting.append(keeping.cache_clear)
        return cast(Function, keeping)

    return keep


def forget() -> None:
    """Let go of all that is kept; for whoever asks again it is made anew."""
    for clear in _forgetting:
        clear()
