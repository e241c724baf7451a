"""The arguments of an engine's calls, as the core takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from wari._check import as_function, as_items, shown
from wari.errors import InvalidValueError
from wari.game import Game
from wari.position import Position
from wari.rules import rules_of

_Found = TypeVar("_Found")
_Value = TypeVar("_Value")


def game_of(position: Position | Game | str) -> Game:
    """A game that ends at the position. Raises InvalidValueError naming it."""
    if isinstance(position, Game):
        return position
    if isinstance(position, str):
        return Game(start=Position.parse(position))
    if isinstance(position, Position):
        return Game(start=position)
    raise InvalidValueError(
        f"position: expected a Position, a Game or text, not {shown(position)}", "position"
    )


def positions_of(positions: Any, rules: str) -> Iterator[Position]:
    """Positions of a batch; texts and arrays are under `rules`. Raises InvalidValueError."""
    if getattr(positions, "ndim", None) is not None:
        if positions.ndim != 2 or positions.shape[1] != 12:
            raise InvalidValueError(
                f"positions: expected shape (N, 12), not {positions.shape}", "positions"
            )
        chosen = rules_of(rules)
        for counts in positions.tolist():
            yield Position.from_counts(counts, rules=chosen)
        return
    for position in as_items(positions, "positions"):
        yield position if isinstance(position, Position) else Position.parse(position, rules)


def reporter(
    progress: Callable[[_Value], object] | None,
    root: Position,
    value_of: Callable[[Position, _Found], _Value],
) -> Callable[[_Found], None] | None:
    """A callback for the core that gives `progress` each result as a Python value."""
    call = as_function(progress, "progress")
    if call is None:
        return None

    def report(found: _Found) -> None:
        call(value_of(root, found))

    return report
