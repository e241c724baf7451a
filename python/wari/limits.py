"""When a search ends, checked before anybody is asked to search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wari import _core
from wari._check import as_moves, as_whole, shown
from wari._repr import evaluable
from wari.errors import InvalidValueError

MAX_DEPTH: int = _core.MAX_DEPTH
"""The largest depth that can be asked for."""

MAX_NODES: int = _core.MAX_NODES
"""The largest number of nodes that can be asked for."""

MAX_THREADS: int = _core.MAX_THREADS
"""The most threads that can be asked for."""

MAX_HASH_MB: int = _core.MAX_HASH_MB
"""The largest transposition table, in MiB, that can be asked for."""


@evaluable("wari")
@dataclass(frozen=True)
class Clock:
    """The clock of the side to move. Times are in seconds.

    >>> Clock(60, increment=0.5)
    wari.Clock(remaining=60.0, increment=0.5, moves_to_go=0)

    Raises InvalidValueError naming the field that cannot be.
    """

    remaining: float
    """What is left, above 0."""
    increment: float = 0.0
    """What each move adds."""
    moves_to_go: int = 0
    """The moves until the clock is set again; 0: the rest of the game."""

    def __post_init__(self) -> None:
        """Checks the fields."""
        moves = as_whole(self.moves_to_go)
        if moves is None or moves < 0:
            raise InvalidValueError(
                f"moves_to_go: expected a whole number, 0 or more, not {shown(self.moves_to_go)}",
                "moves_to_go",
            )
        object.__setattr__(self, "remaining", seconds("remaining", self.remaining))
        object.__setattr__(self, "increment", seconds("increment", self.increment, zero=True))
        object.__setattr__(self, "moves_to_go", moves)


@evaluable("wari")
@dataclass(frozen=True)
class Limits:
    """When a search ends: at the first limit reached; without any, when all is proved.

    >>> limits = Limits(depth=12, clock=Clock(60, 0.5))
    >>> limits.depth, limits.nodes, limits.clock.remaining
    (12, None, 60.0)
    >>> Limits(depth=0)
    Traceback (most recent call last):
    wari.errors.InvalidValueError: depth: expected a whole number from 1 to 900, not 0

    Raises InvalidValueError naming the field that cannot be.
    """

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Positions made and visited."""
    time: float | None = None
    """Seconds for this search."""
    clock: Clock | None = None
    """The clock of the side to move, of which the engine takes a share."""

    def __post_init__(self) -> None:
        """Checks the fields."""
        checked = {
            "depth": None if self.depth is None else count("depth", self.depth, MAX_DEPTH),
            "nodes": None if self.nodes is None else count("nodes", self.nodes, MAX_NODES),
            "time": None if self.time is None else seconds("time", self.time),
        }
        if not isinstance(self.clock, Clock | None):
            raise InvalidValueError(
                f"clock: expected a wari.Clock, not {shown(self.clock)}", "clock"
            )
        for name, value in checked.items():
            object.__setattr__(self, name, value)


def limits_of(
    limits: Limits | None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    clock: Clock | tuple[float, float, int] | None = None,
) -> Limits:
    """The limits that a call was given, as one value or one by one.

    Raises InvalidValueError naming a limit that cannot be, or one that is given besides `limits`.
    """
    if limits is None:
        return Limits(depth, nodes, time, None if clock is None else clock_of(clock))
    if not isinstance(limits, Limits):
        raise InvalidValueError(f"limits: expected wari.Limits, not {shown(limits)}", "limits")
    for name, value in (("depth", depth), ("nodes", nodes), ("time", time), ("clock", clock)):
        if value is not None:
            raise InvalidValueError(f"{name}: expected in `limits` or by itself, not both", name)
    return limits


def for_core(limits: Limits) -> dict[str, Any]:
    """The limits by the names that the core knows."""
    clock = limits.clock
    return {
        "depth": limits.depth,
        "nodes": limits.nodes,
        "seconds": limits.time,
        "clock": None if clock is None else (clock.remaining, clock.increment, clock.moves_to_go),
    }


def without_clock(limits: Limits) -> dict[str, Any]:
    """The limits for the core of work that no clock ends. Raises InvalidValueError for one."""
    if limits.clock is not None:
        raise InvalidValueError("clock: expected none, as this is no move of a game", "clock")
    return {name: value for name, value in for_core(limits).items() if name != "clock"}


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


def clock_of(clock: Clock | tuple[float, float, int]) -> Clock:
    """A clock, perhaps given as (seconds left, increment, moves to go)."""
    if isinstance(clock, Clock):
        return clock
    try:
        remaining, increment, to_go = clock
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"clock: expected (seconds left, increment, moves to go), not {shown(clock)}", "clock"
        ) from None
    return Clock(seconds("clock", remaining), increment, to_go)


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
