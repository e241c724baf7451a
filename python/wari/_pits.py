"""The letters of moves.

Owns: them. Must not know: positions.
"""

PITS = "ABCDEFabcdef"
"""The letters of the pits in sowing order (counterclockwise): South's, then North's."""

PASS = "-"
"""The move of a side that must pass."""
