"""The limits of a search as people give them, checked before the core is asked.

Owns: the words for limits that cannot be. Must not know: how a search keeps them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wari import _core
from wari._check import as_moves, as_whole, shown
from wari.errors import InvalidValueError

MAX_DEPTH: int = _core.MAX_DEPTH
"""The largest depth that can be asked for."""

MAX_THREADS: int = _core.MAX_THREADS
"""The most threads that can be asked for."""

MAX_HASH_MB: int = _core.MAX_HASH_MB
"""The most memory for what a search learns, in MiB, that can be asked for."""

MAX_NODES = 2**62
"""The largest number of nodes that can be asked for."""


def checked_limits(
    depth: int | None,
    nodes: int | None,
    time: float | None,
    clock: tuple[float, float, int] | None,
) -> dict[str, Any]:
    """The limits by the names that the core knows.

    Raises InvalidValueError naming the one at fault.
    """
    return {
        "depth": None if depth is None else count("depth", depth, MAX_DEPTH),
        "nodes": None if nodes is None else count("nodes", nodes, MAX_NODES),
        "seconds": None if time is None else seconds("time", time),
        "clock": None if clock is None else _clock(clock),
    }


def count(name: str, value: int, most: int = 2**31 - 1) -> int:
    """A whole number from 1 to `most`."""
    whole = value if type(value) is int else as_whole(value)
    if whole is None or not 1 <= whole <= most:
        raise InvalidValueError(
            f"{name}: expected a whole number from 1 to {most}, not {shown(value)}", name
        )
    return whole


def seconds(name: str, value: float, *, zero: bool = False) -> float:
    """A time above 0, or, with `zero`, from 0."""
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or number < 0 or (number == 0 and not zero):
        least_words = "0 or more" if zero else "above 0"
        raise InvalidValueError(
            f"{name}: expected a number of seconds, {least_words}, not {shown(value)}", name
        )
    return number


def _clock(clock: tuple[float, float, int]) -> tuple[float, float, int]:
    try:
        remaining, increment, to_go = clock
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"clock: expected (seconds left, increment, moves to go), not {shown(clock)}", "clock"
        ) from None
    moves = as_whole(to_go)
    if moves is None or moves < 0:
        raise InvalidValueError(
            f"moves_to_go: expected a whole number, 0 or more, not {shown(to_go)}", "moves_to_go"
        )
    return (seconds("clock", remaining), seconds("increment", increment, zero=True), moves)


def letters(moves: str | Sequence[str] | None) -> str:
    """Moves to look at, as one text; none: all of them. Raises InvalidValueError."""
    if moves is None:
        return ""
    if not isinstance(moves, (str, Sequence)):
        raise InvalidValueError(f"moves: expected letters of pits, not {shown(moves)}", "moves")
    text = as_moves(moves)
    if not text.strip():
        raise InvalidValueError("moves: expected at least one move", "moves")
    return text
