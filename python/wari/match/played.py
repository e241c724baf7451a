"""What a game of a match came to."""

from __future__ import annotations

from dataclasses import dataclass

from wari._repr import evaluable


@evaluable("wari.match")
@dataclass(frozen=True)
class Overruns:
    """The moves for which an engine took longer than it had, whether or not it lost by that.

    >>> Overruns().after(0.25).after(0.125)
    wari.match.Overruns(moves=2, longest=0.25)
    """

    moves: int = 0
    """How many."""
    longest: float = 0.0
    """The seconds beyond its time of the worst of them."""

    def after(self, over: float) -> Overruns:
        """These and another one, of so many seconds, which are kept to the millisecond.

        >>> Overruns().after(0.12345).longest
        0.123
        """
        return Overruns(self.moves + 1, max(self.longest, round(over, 3)))

    def __add__(self, other: Overruns) -> Overruns:
        return Overruns(self.moves + other.moves, max(self.longest, other.longest))


@evaluable("wari.match")
@dataclass(frozen=True)
class Played:
    """A game of a match that is over.

    >>> played = Played(number=1, first_is_south=False, south=20, north=28, winner="N")
    >>> played.points, played.margin, played.result
    (1.0, 8, '20-28')
    """

    number: int
    """From 0; an even one and the next are a pair."""
    first_is_south: bool
    """Whether the first player sat in the south."""
    south: int
    """South's seeds."""
    north: int
    """North's seeds."""
    winner: str | None
    """"S", "N", or None for a draw."""
    fault: str | None = None
    """What an engine did that ended the game, in words; a loss on time is a fault too."""
    overruns: tuple[Overruns, Overruns] = (Overruns(), Overruns())
    """The first player's and the second's."""

    @property
    def points(self) -> float:
        """The first player's points."""
        if self.winner is None:
            return 0.5
        return float((self.winner == "S") == self.first_is_south)

    @property
    def margin(self) -> int:
        """The first player's seeds less the second's."""
        return (self.south - self.north) * (1 if self.first_is_south else -1)

    @property
    def result(self) -> str:
        """The seeds, or `1-0` or `0-1` where a fault decided, whatever the stores held then.

        >>> Played(0, True, 12, 12, "N", "net: lost on time").result
        '0-1'
        """
        if self.fault is None:
            return f"{self.south}-{self.north}"
        return "1-0" if self.winner == "S" else "0-1"
