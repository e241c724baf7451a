"""What the engine makes of tables at the root: its move, what it says, how long it takes."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import wari
from wari.game import Game

SEEDS = 10
RULES = ("abapa", "wari", "wari,majority=false", "awari")
LIMITS: list[dict[str, Any]] = [{"depth": 1}, {"depth": 8}, {"nodes": 2000}]
FLOORS_LOST = (
    ("wari,majority=false", "2-1-1-0-0-0-1-0-2-0-0-3-19-19-S", 2),
    ("wari,majority=false", "0-0-1-1-0-1-1-0-3-4-0-1-18-18-S", 6),
    ("wari,majority=false", "1-2-2-0-0-2-1-0-0-0-1-1-19-19-S", 2),
    ("cairo,majority=false", "2-1-1-0-0-0-1-0-2-0-0-3-19-19-S", 2),
    ("cairo,majority=false", "0-1-1-1-0-0-0-0-1-1-4-2-18-19-S", 2),
    ("cairo,majority=false", "1-2-2-0-0-2-1-0-0-0-1-1-19-19-S", 2),
)
_tables: dict[str, wari.Tablebase] = {}


def table_of(seeds: int, rules: str) -> wari.Tablebase:
    """Built once for all rules that share it."""
    for table in _tables.values():
        if table.seeds == seeds and table.fits(rules):
            return table
    _tables[f"{rules} {seeds}"] = wari.Tablebase.build(seeds, rules, threads=1, verify=False)
    return _tables[f"{rules} {seeds}"]


@pytest.fixture(scope="module", autouse=True)
def _forget() -> Iterator[None]:
    yield
    _tables.clear()


def board(rng: random.Random, seeds: int, rules: str) -> wari.Position | None:
    """A random one on which the game goes on and there is a choice."""
    pits = [0] * 12
    for _ in range(seeds):
        pits[rng.randrange(12)] += 1
    north = (48 - seeds) // 2
    position = wari.Position.from_counts(pits, (48 - seeds - north, north), "S", rules)
    return position if len(position.legal_moves()) > 1 else None


def future(position: wari.Position, value: float) -> float:
    """What a score says of the seeds on the board."""
    south, north = position.stores
    return value - (south - north if position.side == "S" else north - south)


def floors(table: wari.Tablebase, position: wari.Position) -> dict[str, Any]:
    """What each move keeps for sure of the seeds on the board, as the table says."""
    found = {}
    own = 0 if position.side == "S" else 1
    for move in position.legal_moves():
        after = position.play(move)
        won = after.stores[own] - position.stores[own]
        lost = after.stores[1 - own] - position.stores[1 - own]
        going = after.ending in (None, "majority")
        found[move] = won - lost - (table.probe(after).upper if going else 0)
    return found


def check_floor(table: wari.Tablebase, position: wari.Position, analysis: wari.Analysis) -> None:
    """The move is sure of as much as any, and the score says no less than the table."""
    sure = floors(table, position)
    assert analysis.best_move is not None
    assert sure[analysis.best_move] == max(sure.values()), (position, analysis.lines)
    probe = table.probe(position)
    score = analysis.score
    assert score is not None
    worth = future(position, score.value)
    assert probe.lower <= worth <= probe.upper, (position, score, probe)
    if score.source == "tablebase":
        assert score.bound != "estimate" or score.tags == ("history_ignored",), (position, score)
        assert score.bound != "lower" or worth == probe.lower, (position, score, probe)
        assert score.bound != "upper" or worth == probe.upper, (position, score, probe)


# --- which move ---------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [*LIMITS, {"depth": 12}], ids=str)
@pytest.mark.parametrize("multipv", [1, 2, 6])
def test_no_move_is_played_below_another_ones_floor(limits: dict[str, Any], multipv: int) -> None:
    """F alone was searched to -12 while C and E are sure of -8."""
    table = table_of(SEEDS, "abapa")
    position = wari.Position.parse("0-0-2-0-1-2-1-0-2-1-0-1-18-20-S", "abapa")
    with wari.Engine(hash_mb=4, tablebase=table) as engine:
        found = engine.analyse(position, multipv=multipv, **limits)
    check_floor(table, position, found)
    assert str(found.score) == ">=-8.00"


def test_what_is_sure_comes_before_an_equal_estimate() -> None:
    """The move a was estimated at 7 and sure of 3; d is sure of 7."""
    table = table_of(11, "wari")
    position = wari.Position.parse("0-0-0-2-0-0-1-2-2-4-0-0-4-4-N", "wari,majority=false")
    with wari.Engine(hash_mb=4, tablebase=table) as engine:
        for multipv in (1, 6):
            found = engine.analyse(position, nodes=10_000, multipv=multipv)
            assert (found.best_move, str(found.score)) == ("d", ">=+7.00")


@pytest.mark.parametrize("rules", RULES)
def test_floors_of_many_roots(rules: str) -> None:
    """The move chosen is sure of as much as any other, with one line and with two."""
    table = table_of(SEEDS, rules)
    rng = random.Random(24)
    asked = 0
    with wari.Engine(hash_mb=1, tablebase=table) as engine:
        while asked < 30:
            position = board(rng, rng.randint(3, SEEDS), rules)
            if position is None:
                continue
            asked += 1
            for limits in LIMITS:
                engine.new_game()
                check_floor(table, position, engine.analyse(position, **limits))
            check_floor(table, position, engine.analyse(position, depth=1, multipv=2))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_floors_of_a_thousand_roots(rules: str) -> None:
    """As above, up to 12 seeds."""
    table = table_of(12, rules)
    rng = random.Random(25)
    with wari.Engine(hash_mb=1, tablebase=table) as engine:
        for _ in range(1000):
            position = board(rng, rng.randint(3, 12), rules)
            if position is None:
                continue
            for limits in LIMITS:
                engine.new_game()
                check_floor(table, position, engine.analyse(position, **limits))


def play_out(rules: str, start: str, table: wari.Tablebase, opponent: wari.Engine) -> float:
    """The margin of the side to move, which has the table and 200 nodes a move."""
    game = Game(rules, start)
    side = game.position.side
    with wari.Engine(hash_mb=1, tablebase=table) as engine:
        while game.legal_moves():
            if game.position.side == side:
                engine.play(game, nodes=200)
            else:
                opponent.play(game, nodes=1000)
    assert game.result is not None
    return game.result.margin(side)


@pytest.mark.parametrize(("rules", "start", "sure"), FLOORS_LOST)
def test_what_is_sure_is_collected(rules: str, start: str, sure: int) -> None:
    """These games were once played on to less than the first position was sure of."""
    table = table_of(12, rules)
    for other in (table, None):
        with wari.Engine(hash_mb=1, tablebase=other) as opponent:
            assert play_out(rules, start, table, opponent) >= sure


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*RULES, "cairo,majority=false"])
def test_won_positions_lose_nothing_that_is_sure(rules: str) -> None:
    """200 games from positions of 10 to 14 seeds that are won for sure."""
    table = table_of(14, rules)
    rng = random.Random(14)
    played = 0
    while played < 200:
        position = board(rng, rng.randint(10, 14), rules)
        if position is None:
            continue
        probe = table.probe(position)
        sure = probe.lower - future(position, 0)
        if sure <= 0 or probe.mover == 0:
            continue
        played += 1
        for other in (table, None):
            with wari.Engine(hash_mb=1, tablebase=other) as opponent:
                got = play_out(rules, str(position), table, opponent)
            assert got >= sure or "majority=false" not in rules, (position, got, sure)
            assert got > 0, (position, got, sure)


# --- how long -----------------------------------------------------------------------------------

DEAR = ("wari", "0-0-1-1-2-0-3-1-1-1-2-0-18-18-S", 12)
"""The distance to the next capture is found by solving all boards of 12 seeds once more."""


def test_limits_and_stops_hold_while_a_table_looks_for_its_distance() -> None:
    """They cost a part of what finding it does, which is done once, where time is no limit."""
    rules, text, seeds = DEAR
    position = wari.Position.parse(text, rules)
    table = wari.Tablebase.build(seeds, rules, threads=1, verify=False)

    def asked(stopped: bool = False, **limits: Any) -> tuple[float, wari.Analysis]:
        with wari.Engine(hash_mb=1, tablebase=table) as engine:
            engine.prepare()
            if stopped:
                engine.stop()
            began = time.process_time()
            found = engine.analyse(position, **limits)
            return time.process_time() - began, found

    short = [asked(time=0.01), asked(clock=(0.1, 0.0, 0)), asked(clock=(0.01, 0.0, 1))]
    short.append(asked(stopped=True))
    first, again = asked(nodes=200), asked(nodes=200)
    assert max(spent for spent, _ in short) < first[0] / 4
    assert again[0] < first[0] / 4
    assert again[1].lines == first[1].lines
    for _, found in [*short, first]:
        check_floor(table, position, found)


def test_small_tables_are_not_built_for_a_search_that_was_stopped() -> None:
    """And there is a move all the same."""
    tables = wari.engine.Tables()
    with wari.Engine(hash_mb=1, tablebase=tables) as engine:
        engine.prepare()
        engine.stop()
        found = engine.analyse(wari.Position("ouri"))
        assert found.best_move is not None
        assert found.depth == 1


# --- where nothing can change the move ----------------------------------------------------------


def test_no_clock_is_spent_where_a_table_has_the_last_word() -> None:
    """A is sure of -4, and the others are worth -8."""
    position = wari.Position.parse("1-0-2-0-0-1-0-1-0-2-0-1-20-20-S")
    with wari.Engine(hash_mb=4, tablebase=table_of(SEEDS, "wari")) as engine:
        asked: list[dict[str, Any]] = [{"clock": (3600, 0, 1)}, {"time": 3600, "instant": True}]
        for limits in asked:
            found = engine.analyse(position, **limits)
            assert found.best_move == "A"
            assert found.nodes <= 20_100
            assert found.depth >= 8
        assert engine.analyse(position, nodes=30_000).nodes >= 30_000


@pytest.mark.parametrize("depth", [16, 18, 20])
def test_a_forced_move_keeps_the_last_score(depth: int) -> None:
    """It was that of a look one ply ahead."""
    game = Game("wari", "1-1-1-0-1-3-0-0-0-0-0-0-19-22-S")
    with wari.Engine(hash_mb=16, tablebase=table_of(SEEDS, "wari")) as engine:
        deep = engine.analyse(game, depth=depth)
        forced = engine.analyse(game, clock=(3600.0, 0.0, 0))
        assert forced.best_move == "F"
        assert forced.score == deep.score
        assert forced.lines[0].depth == depth
        assert len(forced.pv) > 1
        assert forced.nodes <= 20_100
        engine.new_game()
        assert engine.analyse(game, clock=(3600.0, 0.0, 0)).lines[0].depth > 12


# --- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["abapa", "awari"])
def test_what_is_unpacked_changes_no_answer(rules: str, tmp_path: Path) -> None:
    """With depth or nodes as limit a file answers as memory does: cold, warm, never kept."""
    table = table_of(SEEDS, rules)
    path = tmp_path / "t.wtb"
    table.save(path, threads=1)
    warm = wari.Tablebase.open(path)
    files = (warm, warm, wari.Tablebase.open(path, cache_mb=0))
    position = wari.Position.parse("0-1-2-0-1-2-1-0-2-1-1-1-18-18-S", rules)
    asked: list[dict[str, Any]] = [{"depth": 9}, {"nodes": 3000}]
    for limits in asked:
        with wari.Engine(hash_mb=1, tablebase=table) as engine:
            expected = engine.analyse(position, **limits)
        for file in files:
            with wari.Engine(hash_mb=1, tablebase=file) as engine:
                found = engine.analyse(position, **limits)
            assert (found.lines, found.nodes) == (expected.lines, expected.nodes)


def test_under_a_clock_few_blocks_are_unpacked(tmp_path: Path) -> None:
    """Many threads and a file that keeps nothing: the answers stay those that the table allows."""
    path = tmp_path / "t.wtb"
    table = table_of(SEEDS, "awari")
    table.save(path, threads=1)
    position = wari.Position.parse("0-1-2-0-1-2-1-0-2-1-1-1-18-18-S", "awari")
    file = wari.Tablebase.open(path, cache_mb=0)
    with wari.Engine(hash_mb=1, threads=2, tablebase=file) as engine:
        stopper = threading.Timer(0.1, engine.stop)
        stopper.start()
        found = engine.analyse(position)
        stopper.join()
    assert found.depth > 4
    assert found.best_move in position.legal_moves()
