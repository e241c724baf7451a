"""Perft: the published numbers, and trees that are full of slams, laps, passes and hungry rows.

The speed is a benchmark's business.
"""

import random

import pytest
import wari
from bridge import core_position, core_rules
from recomputed import DIVIDE_9, PERFT
from reference import perft as counting
from reference import position as positions
from reference.position import Position, parse
from reference.rules import PRESETS, Rules, single_axis_changes

# Positions where the rules bite, and what bites there.
SETUPS = {
    "slam of three pits": "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S",
    "slam round the board's end": "2-1-1-2-2-2-3-0-0-8-0-1-13-13-N",
    "lap into an empty row": "9-0-0-1-18-1-0-0-0-0-0-0-19-0-S",
    "lap of twelve": "12-0-0-0-0-0-0-0-0-0-0-1-18-17-S",
    "two laps": "23-0-0-0-0-0-1-0-0-0-0-1-12-11-S",
    "pits above 31": "34-0-0-0-0-1-1-0-0-0-0-33-6-5-S",
    "north must pass": "1-1-0-3-1-1-0-0-0-0-0-0-20-21-N",
    "south must feed": "1-1-0-3-1-1-0-0-0-0-0-0-20-21-S",
    "every move is a slam": "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S",
    "single seeds": "2-0-1-1-0-1-1-0-2-1-1-1-19-18-S",
    "few seeds": "0-1-0-2-0-1-1-0-2-0-0-1-20-20-N",
    "a row of threats": "1-2-1-2-1-6-1-2-1-2-1-2-13-13-S",
    "hoards": "0-0-1-1-17-2-1-1-2-2-1-15-2-3-N",
}


@pytest.mark.parametrize("preset", PRESETS)
def test_published_numbers(preset: str) -> None:
    """Depth 10 here; deeper ones under `slow`."""
    start = wari.Position(preset)
    leaves = PERFT[preset][:10]
    assert [start.perft(depth) for depth in range(len(leaves) + 1)] == [1, *leaves]


@pytest.mark.slow
@pytest.mark.parametrize("preset", [name for name in PERFT if len(PERFT[name]) > 10])
def test_published_numbers_to_the_end(preset: str) -> None:
    """Depths 11 to 13, where the slam rules distinguish the presets."""
    start = wari.Position(preset)
    for depth, leaves in enumerate(PERFT[preset], start=1):
        assert start.perft(depth) == leaves


def test_divide() -> None:
    """The published split of depth 9; the parts sum to the whole."""
    start = wari.Position("abapa")
    assert start.divide(9) == DIVIDE_9
    assert sum(DIVIDE_9.values()) == PERFT["abapa"][8]
    assert start.divide(1) == dict.fromkeys("ABCDEF", 1)
    over = wari.Position.parse("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S")
    assert over.divide(3) == {}
    assert (over.perft(0), over.perft(1)) == (1, 0)
    stuck = wari.Position.parse(SETUPS["north must pass"])
    assert stuck.divide(1) == {"-": 1}


def depth_for(rules: Rules, position: Position, leaves: int) -> int:
    """The deepest tree of at most so many leaves, 12 plies at most."""
    core = core_position(core_rules(rules), position)
    depth = 1
    while depth < 12 and 0 < core.perft(depth + 1) <= leaves:
        depth += 1
    return depth


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("setup", SETUPS)
def test_setups(setup: str, preset: str) -> None:
    """Core against reference, by root move."""
    rules, position = PRESETS[preset], parse(SETUPS[setup])
    depth = depth_for(rules, position, 2_000)
    core = core_position(core_rules(rules), position)
    if not core.is_over:
        assert core.divide(depth) == counting.divide(rules, position, depth)


def random_position(rng: random.Random) -> Position:
    """A middle game or an ending, with a hoard now and then."""
    pits = [0] * 12
    for _ in range(rng.randrange(4, 40)):
        pits[rng.choice((rng.randrange(12), 2, 9))] += 1
    return Position(tuple(pits), (24, 24), rng.choice(("S", "N")))


def check_random_trees(seeds: range, leaves: int) -> None:
    """Random positions under every preset and a change of one axis."""
    for seed in seeds:
        rng = random.Random(seed)
        rules = PRESETS[rng.choice(list(PRESETS))]
        if seed % 2:
            rules = rng.choice(list(single_axis_changes(rules)))
        position = random_position(rng)
        if positions.ending(rules, position) is not None:
            continue
        depth = depth_for(rules, position, leaves)
        core = core_position(core_rules(rules), position)
        assert core.divide(depth) == counting.divide(rules, position, depth)


def test_random_trees() -> None:
    check_random_trees(range(60), leaves=500)


@pytest.mark.slow
def test_many_random_trees() -> None:
    check_random_trees(range(1_000, 1_400), leaves=5_000)


def test_the_setups_bite() -> None:
    """Each set-up position really meets what it is there for."""
    rules = PRESETS["abapa"]
    for setup in ("slam of three pits", "slam round the board's end", "every move is a slam"):
        position = parse(SETUPS[setup])
        moves = positions.legal_moves(rules, position)
        assert any(positions.makes_slam(rules, position, move) for move in moves), setup
    assert positions.legal_moves(PRESETS["wari"], parse(SETUPS["north must pass"])) == ["-"]
    for setup in ("lap of twelve", "two laps", "pits above 31", "hoards"):
        assert max(parse(SETUPS[setup]).pits) >= 12, setup
