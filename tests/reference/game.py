"""A game: moves in order, the `repetition` axis, undo, and the endings the players make.

Where the rules are silent, this is what the reference does:
a. A repetition compares pits and side to move with the positions since, and including, the one
   right after the last capture. A capture is any seed put into a store, so a slam that takes
   nothing is quiet.
b. A repetition is settled by the `repetition` axis alone, never by `remainder`.
c. Agreement gives each side its own row. Resignation and time add nothing; the other side wins
   whatever the stores.
d. An ending by the players is no ply: undo takes back the last move, and with it such an ending.
"""

from dataclasses import dataclass

from reference import position as positions
from reference.position import Pits, Position, Side
from reference.rules import Rules

Key = tuple[Pits, Side]


@dataclass(frozen=True)
class Ply:
    """One move played: the position after it, what it captured, and the ending it brought."""

    move: str
    position: Position
    captured: int
    ending: str | None


@dataclass(frozen=True)
class Result:
    """R6: final seeds, the winner (None for a draw) and the reason."""

    south: int
    north: int
    winner: Side | None
    reason: str


def key(position: Position) -> Key:
    """What a repetition compares (decision a)."""
    return (position.pits, position.side)


class Game:
    """A game from a start; a set-up position has no history."""

    def __init__(self, rules: Rules, start: Position | None = None) -> None:
        self.rules = rules
        self.start = positions.start(rules) if start is None else start
        self.plies: list[Ply] = []
        self._called: tuple[str, Side | None] | None = None

    @property
    def position(self) -> Position:
        """The position now."""
        return self.plies[-1].position if self.plies else self.start

    @property
    def ending(self) -> str | None:
        """Why the game is over, or None."""
        if self._called is not None:
            return self._called[0]
        return self.plies[-1].ending if self.plies else positions.ending(self.rules, self.start)

    def history(self) -> list[Key]:
        """The positions since the last capture: the one right after it and the present one too."""
        keys = [key(self.start)]
        for ply in self.plies:
            if ply.captured > 0:
                keys = []
            keys.append(key(ply.position))
        return keys

    def legal_moves(self) -> list[str]:
        """The legal moves now; none when the game is over for any reason."""
        return [] if self.ending is not None else positions.legal_moves(self.rules, self.position)

    def refusal(self, move: str) -> str | None:
        """Why a move may not be played now."""
        why_not = positions.refusal(self.rules, self.position, move)
        return "game_over" if self.ending is not None else why_not

    def push(self, move: str) -> Ply:
        """Play a move.

        The endings in order: the move's own, majority, empty board, repetition, stuck.
        """
        why_not = self.refusal(move)
        if why_not is not None:
            raise ValueError(f"{move} cannot be played: {why_not}")
        played = positions.play(self.rules, self.position, move)
        ending = played.ending
        recurs = played.captured == 0 and key(played.position) in self.history()
        if ending in (None, "stuck") and recurs:
            ending = "repetition"
        self.plies.append(Ply(move, played.position, played.captured, ending))
        return self.plies[-1]

    def undo(self) -> Ply:
        """Take back the last move, and an ending the players made after it (decision d)."""
        self._called = None
        return self.plies.pop()

    def agree(self) -> None:
        """The players agree to end the game: each takes its own row."""
        self._call("agreement", None)

    def resign(self, side: Side) -> None:
        """A side gives up: the other side wins."""
        self._call("resignation", positions.other(side))

    def time_out(self, side: Side) -> None:
        """A side's time is up: the other side wins."""
        self._call("time", positions.other(side))

    def _call(self, reason: str, winner: Side | None) -> None:
        if self.ending is not None:
            raise ValueError(f"the game is over: {self.ending}")
        self._called = (reason, winner)

    @property
    def result(self) -> Result | None:
        """R6: the result, or None while the game goes on."""
        reason = self.ending
        if reason is None:
            return None
        south, north = positions.result(self.rules, self.position, reason)
        winner: Side | None = "S" if south > north else "N" if north > south else None
        if self._called is not None and self._called[1] is not None:
            winner = self._called[1]
        return Result(south, north, winner, reason)

    def settled(self) -> Position:
        """The swept position of a finished game."""
        if self.ending is None:
            raise ValueError("the game is not over")
        return positions.settled(self.rules, self.position, self.ending)


def replay(rules: Rules, start: Position, moves: str) -> Game:
    """A game from its letters, spaces ignored; passes must be written."""
    game = Game(rules, start)
    for move in moves.replace(" ", ""):
        game.push(move)
    return game
