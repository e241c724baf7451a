"""How values are written so that `eval(repr(value)) == value` after `import wari`."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from reprlib import recursive_repr
from typing import Any, TypeVar

_Kind = TypeVar("_Kind", bound=type[Any])


def evaluable(home: str) -> Callable[[_Kind], _Kind]:
    """Decorates a dataclass or a named tuple that users find as `home.Name`.

    >>> from typing import NamedTuple
    >>> @evaluable("wari.svg")
    ... class Point(NamedTuple):
    ...     x: float
    >>> Point(float("inf"))
    wari.svg.Point(x=float('inf'))
    """

    def decorate(kind: _Kind) -> _Kind:
        names = getattr(kind, "_fields", None) or tuple(kind.__dataclass_fields__)

        def written(self: Any) -> str:
            mine = type(self)
            place = home if mine is kind else mine.__module__
            given = ", ".join(f"{name}={_written(getattr(self, name))}" for name in names)
            return f"{place}.{mine.__qualname__}({given})"

        written.__name__, written.__qualname__ = "__repr__", f"{kind.__qualname__}.__repr__"
        kind.__repr__ = recursive_repr()(written)  # type: ignore[assignment]
        return kind

    return decorate


def _written(value: object) -> str:
    """The repr of a field; of a path its text, of a number what is an expression, too."""
    if isinstance(value, os.PathLike):
        return repr(os.fspath(value))
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    return repr(value)
