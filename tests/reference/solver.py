"""Exact values of small boards, in the two kinds the tables come in.

A board is twelve counts from the side to move, in sowing order: its own six pits, then the
other side's. `majority` is off, the `repetition` axis is not looked at (the kind of table takes
its place), and neither is `sowing`, which sowing order makes one and the same.

Both kinds are solved layer by layer in the number of seeds. A move that captures leads to a
layer that is known; a move or position that ends the game has its settlement; all others stay
in the layer: quiet.

Why the value iteration is right. Let v[k](P) be the value when the game is cut off after k more
quiet plies in this layer and the cut is worth 0. So v[0] is 0 everywhere (but for ended
boards), and v[k+1](P) is the best over P's moves of: settlement, or capture plus the known
rest, or minus v[k] of the successor. In the true game, where play for ever is worth 0, let the
value of P be V > 0.
- The mover can force the play out of the layer for at least V, and, the layer being finite,
  within some number K of plies; the cut then never happens for k >= K, so v[k](P) >= V.
- The other side can play for ever among boards from which no more than V can be forced.
  Whatever happens on such a way (leaving the layer, or the cut worth 0 < V) gives the mover at
  most V, so v[k](P) <= V for all k.
V < 0 is the same with the sides changed, and with V = 0 both hold 0. So v[k] becomes V and
stays there. Once two rounds agree on the whole layer all later ones do, since each is made from
the one before alone; the iteration stops there, and what it stops at is V. Starting from 0
matters: from elsewhere, values that agree with their successors and are still wrong (two seeds
that chase each other) could survive.

Why the force iteration is right. The same with a cut that gives the asking side nothing, so its
share is between 0 and n: g[0] = h[0] = 0 and g[k+1](P) = best over the moves of (settlement, or
captured seeds plus h of the successor), h[k+1](P) = worst over the moves of (settlement, or g
of the successor). Both can only rise with k, since both steps are monotone and begin at the
bottom. What can be forced at all can be forced within some number of plies; what cannot be, the
other side can deny, for ever if need be.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reference import position as positions
from reference.position import Position
from reference.rules import Rules, changed

Board = tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """What one move does: an end with its settlement, or seeds captured and the board after it."""

    move: str
    captured: int
    successor: Board | None  # from the other side's seat; None where the game ends
    shares: tuple[int, int]  # where it ends: all the seeds each side gets, the mover's first


@dataclass(frozen=True)
class Force:
    """What can be forced: `mover` is g, `other` is h."""

    mover: int
    other: int


# --- boards and their moves ---------------------------------------------------------------------


def boards(seeds: int, pits: int = 12) -> Iterator[Board]:
    """All ways to lay a number of seeds into the pits, in lexicographic order."""
    if pits == 0:
        if seeds == 0:
            yield ()
        return
    for first in range(seeds + 1):
        for rest in boards(seeds - first, pits - 1):
            yield (first, *rest)


def board_of(rules: Rules, position: Position) -> Board:
    """A position's board: its pits from the side to move, in sowing order."""
    if position.side == "N":
        position = positions.turned(position)
    own, opposite = position.pits[:6], position.pits[6:]
    return own + opposite if rules.sowing == "counterclockwise" else own[::-1] + opposite[::-1]


def _plain(rules: Rules) -> Rules:
    """The rules as a table sees them."""
    return changed(rules, majority=False, sowing="counterclockwise")


def ended(rules: Rules, board: Board) -> tuple[int, int] | None:
    """The settlement of a board that is over before any move, the side to move first."""
    rules, position = _plain(rules), Position(board)
    reason = positions.ending(rules, position)
    return None if reason is None else positions.result(rules, position, reason)


def steps(rules: Rules, board: Board) -> list[Step]:
    """Every legal move of a board, the pass included; none where it has ended."""
    rules, position = _plain(rules), Position(board)
    found = []
    for move in positions.legal_moves(rules, position):
        after, captured, reason = positions.play(rules, position, move)
        if reason is None:
            found.append(Step(move, captured, board_of(rules, after), (0, 0)))
        else:
            shares = positions.result(rules, after, reason)
            found.append(Step(move, captured, None, shares))
    return found


def closure(rules: Rules, wanted: Iterable[Board]) -> set[Board]:
    """The boards wanted and all that can arise from them."""
    found: set[Board] = set()
    waiting = list(wanted)
    while waiting:
        board = waiting.pop()
        if board in found:
            continue
        found.add(board)
        waiting += [step.successor for step in steps(rules, board) if step.successor is not None]
    return found


def _layers(found: Iterable[Board]) -> list[list[Board]]:
    """The boards by their number of seeds, fewest first."""
    by_seeds: dict[int, list[Board]] = {}
    for board in found:
        by_seeds.setdefault(sum(board), []).append(board)
    return [by_seeds[seeds] for seeds in sorted(by_seeds)]


# --- value: net seeds for the mover, play for ever worth 0 --------------------------------------


def solve_values(rules: Rules, wanted: Iterable[Board]) -> dict[Board, int]:
    """The value of the boards wanted and of all that can arise from them."""
    values: dict[Board, int] = {}
    for layer in _layers(closure(rules, wanted)):
        moves = {board: steps(rules, board) for board in layer}
        settled = {board: ended(rules, board) for board in layer}
        for board in layer:
            shares = settled[board]
            values[board] = 0 if shares is None else shares[0] - shares[1]
        open_boards = [board for board in layer if settled[board] is None]
        while True:
            again = {board: best_value(moves[board], values) for board in open_boards}
            if all(again[board] == values[board] for board in open_boards):
                break
            values.update(again)
    return values


def move_value(step: Step, values: dict[Board, int]) -> int:
    """What a move is worth to the mover, given the values of the boards after it."""
    if step.successor is None:
        return step.shares[0] - step.shares[1]
    return step.captured - values[step.successor]


def best_value(moves: list[Step], values: dict[Board, int]) -> int:
    """The best move's value."""
    return max(move_value(step, values) for step in moves)


def value_table(rules: Rules, seeds: int) -> dict[Board, int]:
    """The value of every board of up to so many seeds."""
    return solve_values(rules, (board for n in range(seeds + 1) for board in boards(n)))


def move_values(rules: Rules, board: Board, values: dict[Board, int]) -> dict[str, int]:
    """The value of each legal move of a board."""
    return {step.move: move_value(step, values) for step in steps(rules, board)}


# --- force: what a side can be sure of, play for ever worth nothing to it ------------------------


def solve_forces(rules: Rules, wanted: Iterable[Board]) -> dict[Board, Force]:
    """What both sides can force from the boards wanted and from all that can arise from them."""
    forces: dict[Board, Force] = {}
    for layer in _layers(closure(rules, wanted)):
        moves = {board: steps(rules, board) for board in layer}
        settled = {board: ended(rules, board) for board in layer}
        for board in layer:
            forces[board] = Force(*(settled[board] or (0, 0)))
        open_boards = [board for board in layer if settled[board] is None]
        while True:
            again = {board: best_force(moves[board], forces) for board in open_boards}
            if all(again[board] == forces[board] for board in open_boards):
                break
            forces.update(again)
    return forces


def best_force(moves: list[Step], forces: dict[Board, Force]) -> Force:
    """g and h of a board, given those of the boards after it."""
    for_mover = []
    for_other = []
    for step in moves:
        if step.successor is None:
            for_mover.append(step.shares[0])
            for_other.append(step.shares[1])
        else:
            for_mover.append(step.captured + forces[step.successor].other)
            for_other.append(forces[step.successor].mover)
    return Force(max(for_mover), min(for_other))


def force_table(rules: Rules, seeds: int) -> dict[Board, Force]:
    """What both sides can force from every board of up to so many seeds."""
    return solve_forces(rules, (board for n in range(seeds + 1) for board in boards(n)))
