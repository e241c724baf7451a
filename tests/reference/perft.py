"""Counting the leaves of the move tree.

A finished game has no children; a pass is a ply like any other.
"""

from reference.position import Position, legal_moves, play
from reference.rules import Rules


def perft(rules: Rules, position: Position, depth: int) -> int:
    """The number of lines of exactly `depth` plies."""
    if depth == 0:
        return 1
    moves = legal_moves(rules, position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, play(rules, position, move).position, depth - 1) for move in moves)


def divide(rules: Rules, position: Position, depth: int) -> dict[str, int]:
    """For each legal move, the number of lines of `depth` plies that begin with it."""
    return {
        move: perft(rules, play(rules, position, move).position, depth - 1)
        for move in legal_moves(rules, position)
    }
