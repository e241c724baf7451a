"""The reference solvers against published values, each other, and the laws of tables."""

import csv
import itertools
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import published
import pytest
import recomputed
from cases_of_faults import HISTORY, HistoryCase
from published import Board
from reference import minimax
from reference.game import replay
from reference.position import Position, parse, turned
from reference.rules import AXES, PRESETS, Rules, changed
from reference.solver import (
    Force,
    board_of,
    boards,
    closure,
    ended,
    force_table,
    move_values,
    solve_forces,
    solve_values,
    steps,
    value_table,
)

KNOWN = [*published.BOARDS, *recomputed.BOARDS]

DATA = Path(__file__).parent / "data"
MOVEMENT = ("grand_slam", "feeding", "single_seeds", "stuck", "ends_when_emptied", "remainder")
SMALL = [board for board in KNOWN if board.moves and sum(board.pits) <= 5]
SMALL += [board for board in KNOWN if board.pits == (0, 0, 0, 0, 0, 2, 1, 2, 4, 0, 0, 0)]


@cache
def awari_values() -> dict[tuple[int, ...], int]:
    """The value of every board of up to five seeds, made once."""
    return value_table(PRESETS["awari"], 5)


def movement_rules() -> Iterator[Rules]:
    """Every combination of the axes a table depends on."""
    for values in itertools.product(*(AXES[name] for name in MOVEMENT)):
        yield changed(Rules(), **dict(zip(MOVEMENT, values, strict=True)))


def published_counts() -> dict[int, Counter[int]]:
    """For each number of seeds, how many boards have each value."""
    counts: dict[int, Counter[int]] = {}
    with (DATA / "awari_values_by_seeds.csv").open(encoding="ascii") as file:
        for row in csv.DictReader(file):
            counts.setdefault(int(row["seeds"]), Counter())[int(row["value"])] = int(
                row["positions"]
            )
    return counts


def no_leaf(rules: Rules, position: Position) -> int:
    """An evaluation for searches that must reach the end of every line."""
    raise AssertionError(f"the search was cut off at {position}")


# --- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [5, pytest.param(7, marks=pytest.mark.slow)])
def test_published_distribution(most: int) -> None:
    """Every board of up to so many seeds, against the published counts."""
    values = awari_values() if most == 5 else value_table(PRESETS["awari"], most)
    for seeds in range(most + 1):
        counts = Counter(value for board, value in values.items() if sum(board) == seeds)
        assert counts == published_counts()[seeds]


@pytest.mark.parametrize("board", SMALL, ids=lambda board: " ".join(map(str, board.pits)))
def test_published_values(board: Board) -> None:
    """The published boards that are small enough, move by move."""
    values = awari_values()
    if sum(board.pits) > 5:
        values = solve_values(PRESETS["awari"], [board.pits])
    assert values[board.pits] == board.value
    assert move_values(PRESETS["awari"], board.pits, values) == board.moves


def test_worked_12_majority_stops_play_but_not_the_value() -> None:
    """The game stops at 25-19; the values, and the search, go on to 29-19."""
    position = parse("0-0-0-0-0-0-0-0-4-0-0-0-25-19-N")
    board = board_of(PRESETS["awari"], position)
    assert solve_values(PRESETS["awari"], [board])[board] == -4
    assert list(minimax.search(PRESETS["awari"], position, 1).moves) == ["c"]


def test_chase_is_worth_nothing() -> None:
    """Two seeds that chase each other for ever: value 0 on the whole way, nothing forced."""
    board = (1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0)
    for preset in ("wari", "cairo", "nostarve", "abapa", "awari", "ouri"):
        assert set(solve_values(PRESETS[preset], [board]).values()) == {0}
        assert set(solve_forces(PRESETS[preset], [board]).values()) == {Force(0, 0)}


def test_values_agree_with_successors() -> None:
    """Every value is the best of its moves, or the settlement of an ended board."""
    values = awari_values()
    for board in (board for seeds in range(5) for board in boards(seeds)):
        value = values[board]
        shares = ended(PRESETS["awari"], board)
        moves = move_values(PRESETS["awari"], board, values)
        assert value == (max(moves.values()) if shares is None else shares[0] - shares[1])


@pytest.mark.parametrize("preset", PRESETS)
def test_minimax_to_the_end_equals_the_table(preset: str) -> None:
    """With halves at a repetition and no history, the full search and the table must agree."""
    rules = changed(PRESETS[preset], repetition="split")
    for board, value in value_table(rules, 2).items():
        found = minimax.search(rules, Position(board), 40, evaluate=no_leaf)
        assert found.value == value
        other = minimax.search(rules, turned(Position(board)), 40, evaluate=no_leaf)
        assert other.value == value


# --- forces -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seeds", "share"), [(2, 83.3), (4, 72.8)])
def test_published_exact_shares(seeds: int, share: float) -> None:
    """The share of exact boards under abapa, among those with an empty opponent pit."""
    forces = force_table(PRESETS["abapa"], seeds)
    layer = [board for board in forces if sum(board) == seeds and 0 in board[6:]]
    exact = [board for board in layer if forces[board].mover + forces[board].other == seeds]
    assert round(100 * len(exact) / len(layer), 1) == share


@pytest.mark.parametrize("preset", PRESETS)
def test_minimax_to_the_end_lies_within_the_forces(preset: str) -> None:
    """Whatever a repetition is worth, the mover gets g at least and the other side h at least."""
    for repetition, (board, force) in itertools.product(
        ("owner", "split"), force_table(PRESETS[preset], 2).items()
    ):
        rules = changed(PRESETS[preset], repetition=repetition)
        found = minimax.search(rules, Position(board), 40, evaluate=no_leaf)
        seeds = sum(board)
        assert 2 * force.mover - seeds <= found.value <= seeds - 2 * force.other


def check_values_lie_within_forces(rules: Rules, seeds: int) -> None:
    """2g - n <= value <= n - 2h on every board."""
    forces = force_table(rules, seeds)
    for board, value in value_table(rules, seeds).items():
        force = forces[board]
        assert force.mover + force.other <= sum(board)
        assert 2 * force.mover - sum(board) <= value <= sum(board) - 2 * force.other


@pytest.mark.parametrize(
    ("every", "seeds"),
    [(20, 2), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((10, 2), (3, 3)))],
)
def test_values_lie_within_forces(every: int, seeds: int) -> None:
    """A part of the combinations of axes."""
    for rules in itertools.islice(movement_rules(), 0, None, every):
        check_values_lie_within_forces(rules, seeds)


# --- history, and the boards themselves ---------------------------------------------------------


@pytest.mark.parametrize("case", HISTORY, ids=lambda case: f"{case.preset} {case.moves}")
def test_history_changes_the_truth(case: HistoryCase) -> None:
    """The table cannot know that an earlier position of the game may recur."""
    rules = changed(PRESETS[case.preset], majority=False)
    game = replay(rules, parse(case.position), case.moves)
    assert game.ending is None
    board = board_of(rules, game.position)
    force = solve_forces(rules, [board])[board]
    assert solve_values(rules, [board])[board] == case.table
    assert 2 * force.mover - sum(board) == case.table == sum(board) - 2 * force.other
    found = minimax.search(rules, game.position, 40, game.history(), no_leaf)
    assert found.value == case.truth


def test_board_of() -> None:
    """North sees its own pits first, and clockwise sowing runs from F to A."""
    position = parse("1-2-3-4-5-6-7-8-9-10-11-12-0-0-N")
    assert board_of(Rules(), position) == (7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6)
    clockwise = changed(Rules(), sowing="clockwise")
    assert board_of(clockwise, position) == (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
    assert len(list(boards(4))) == 1365
    assert set(closure(Rules(), [(0,) * 12])) == {(0,) * 12}
    assert steps(Rules(), (0,) * 12) == []
