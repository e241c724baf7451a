"""What every position has: the letters of its pits, and how many seeds at most."""

from wari import _core

MAX_SEEDS: int = _core.MAX_SEEDS
"""The most seeds that pits and stores hold together."""

PITS = "ABCDEFabcdef"
"""The letters of the pits in sowing order (counterclockwise): South's, then North's."""

PASS = "-"
"""The move of a side that must pass."""
