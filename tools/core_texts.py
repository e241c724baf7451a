"""The core's words, for Babel to collect beside the texts of `wari play`.

Babel reads Python, not C++, so it asks this function, which asks the installed package;
`[tool.babel]` in pyproject.toml names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Found = tuple[int, str, str, list[str]]  # line, function, text, comments


def texts() -> Iterator[str]:
    """The words that the core has for its codes."""
    import wari

    yield from wari.ENDINGS.values()
    yield from wari.REFUSALS.values()
    yield from wari.PRESET_ORIGINS.values()
    for axis in wari.AXES.values():
        yield axis.question
        if axis.name != "seeds_per_pit":  # a number, which the commands put into words
            yield from axis.values.values()


def extract(*_: Any, **__: Any) -> Iterator[Found]:
    """What Babel calls for the file that stands for the core; it need not be read."""
    for text in texts():
        yield 1, "", text, []
