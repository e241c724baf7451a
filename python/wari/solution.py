"""What has been proved of a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from wari import _core
from wari._literals import EndingReason, Verdict
from wari._repr import evaluable
from wari.position import Position


@evaluable("wari")
@dataclass(frozen=True)
class Solution:
    """Bounds of the final margin of the side to move: own store minus the other's, in seeds.

    >>> solution = Solution(None, lower=2, upper=9)
    >>> str(solution), solution.verdict, solution.exact
    ('win by 2 to 9', 'win', False)
    """

    position: Position | None
    """The position asked about."""
    lower: int
    """Proved: at least so many seeds."""
    upper: int
    """Proved: at most so many seeds."""
    move: str | None = None
    """A move that gets the lower bound, or None where no search had to find one."""
    ending: EndingReason | None = None
    """Why the game is over, or None."""
    depth: int = 0
    """The plies looked ahead."""
    nodes: int = 0
    """The positions made and visited."""
    seconds: float = 0.0
    """The time taken."""

    @property
    def exact(self) -> bool:
        """Whether the margin is known."""
        return self.lower == self.upper

    @property
    def verdict(self) -> Verdict:
        """ "win", "draw" or "loss" for the side to move; "unknown" where it is not proved."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper == 0 else "unknown"

    def __str__(self) -> str:
        """The verdict with the margin as far as it is proved."""
        if self.verdict == "draw":
            return "draw"
        if self.verdict == "unknown":
            return f"unknown, between {self.lower:+d} and {self.upper:+d}"
        low, high = sorted((abs(self.lower), abs(self.upper)))
        return f"{self.verdict} by {low}" if low == high else f"{self.verdict} by {low} to {high}"


def solution_of(position: Position, found: _core.Solution) -> Solution:
    """The Python value of a core one."""
    return Solution(
        position=position,
        lower=found.lower,
        upper=found.upper,
        move=found.move,
        ending=cast("EndingReason | None", found.ending),
        depth=found.depth,
        nodes=found.nodes,
        seconds=found.seconds,
    )
