"""Full-width minimax, no pruning and no table.

Values are final store differences in seeds, from the side to move, after settlement. `majority` is
switched off, for it never changes a value. A position that recurs in the line, or in the history
given, ends the line as the `repetition` axis says; a finished position is worth its result, any
other leaf what the evaluation says.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from reference import position as positions
from reference.game import Key, key
from reference.position import Position, Side
from reference.rules import Rules, changed

Evaluation = Callable[[Rules, Position], int]


@dataclass(frozen=True)
class Analysis:
    """The value of a position and of each legal move, both from the side to move in it."""

    value: int
    moves: dict[str, int] = field(default_factory=dict)


def difference(stores: tuple[int, int], side: Side) -> int:
    """A side's store minus the other's."""
    south, north = stores
    return south - north if side == "S" else north - south


def store_difference(rules: Rules, position: Position) -> int:
    """The default evaluation: what has been won so far, from the side to move."""
    return difference(position.stores, position.side)


def search(
    rules: Rules,
    position: Position,
    depth: int,
    history: Iterable[Key] = (),
    evaluate: Evaluation = store_difference,
) -> Analysis:
    """Search `depth` plies.

    `history` holds the positions since the last capture, with or without the present one.
    """
    rules = changed(rules, majority=False)
    reason = positions.ending(rules, position)
    if reason is not None:
        return Analysis(difference(positions.result(rules, position, reason), position.side))
    if depth == 0:
        return Analysis(evaluate(rules, position))
    seen = frozenset(history) | {key(position)}
    moves = {
        move: -_after(rules, position, move, depth - 1, seen, evaluate)
        for move in positions.legal_moves(rules, position)
    }
    return Analysis(max(moves.values()), moves)


def _after(
    rules: Rules,
    position: Position,
    move: str,
    depth: int,
    seen: frozenset[Key],
    evaluate: Evaluation,
) -> int:
    """The value after a move, from the side to move then."""
    played = positions.play(rules, position, move)
    reply = played.position
    if played.captured > 0:
        seen = frozenset()
    reason = played.ending
    if reason in (None, "stuck") and key(reply) in seen:
        reason = "repetition"
    if reason is not None:
        return difference(positions.result(rules, reply, reason), reply.side)
    return search(rules, reply, depth, seen, evaluate).value
