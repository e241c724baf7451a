"""The bench: a search of fixed positions that says whether the search is the same, and how fast."""

from __future__ import annotations

from typing import NamedTuple

from wari import _core
from wari._check import as_flag, as_text, as_whole, shown
from wari._repr import evaluable
from wari.errors import InvalidValueError


@evaluable("wari.bench")
class BenchEntry(NamedTuple):
    """One position of the bench and what its search took.

    >>> entry = bench("material", deeper=-10)[0]
    >>> entry.rules, entry.best in "ABCDEFabcdef", entry.nodes > 0
    ('awari', True, True)
    """

    rules: str
    """The rules as text."""
    position: str
    """The position as text."""
    depth: int
    """The plies searched."""
    nodes: int
    """The positions made and visited: the same on every machine."""
    seconds: float
    """Processor time."""
    best: str
    """The best move."""


def bench(
    evaluation: str | None = None, *, full_width: bool = False, deeper: int = 0
) -> list[BenchEntry]:
    """Searches fixed positions to fixed depths, on one thread and without tables.

    The sum of the nodes is the signature of the search. `deeper` is added to each depth.

    >>> sum(entry.nodes for entry in bench("material", deeper=-10)) > 1000
    True

    Raises InvalidValueError for an unknown evaluation or a depth below 1.
    """
    chosen = _core.evaluations()[-1] if evaluation is None else as_text(evaluation, "evaluation")
    more = as_whole(deeper)
    if more is None or not -12 <= more <= 12:
        raise InvalidValueError(
            f"deeper: expected a whole number from -12 to 12, not {shown(deeper)}", "deeper"
        )
    return [
        BenchEntry(*entry) for entry in _core.bench(chosen, as_flag(full_width, "full_width"), more)
    ]
