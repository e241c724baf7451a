"""The engine through Python: limits, stops, pondering, streams, batches, bad input."""

import math
import os
import random
import signal
import threading
import time
from typing import Any

import pytest
import wari
from bridge import random_position
from reference import position as positions
from reference.rules import PRESETS
from wari.levels import LevelPlayer
from wari.limits import Limits

# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "limits"),
    [
        *(("depth", {"depth": bad}) for bad in (0, -1, 10**9, 2**70, 1.5, "3", True, math.nan)),
        *(("nodes", {"nodes": bad}) for bad in (0, -5, 2**70, 1e6, "x")),
        *(("time", {"time": bad}) for bad in (0, -1, math.nan, math.inf, "1", 10**400, None)[:6]),
        ("multipv", {"multipv": 0, "depth": 1}),
        ("clock", {"clock": (0, 1, 0)}),
        ("clock", {"clock": 5}),
        ("increment", {"clock": (5, -1, 0)}),
        ("moves_to_go", {"clock": (5, 1, -1)}),
        ("moves", {"depth": 1, "moves": ""}),
        ("moves", {"depth": 1, "moves": "X"}),
    ],
)
def test_bad_limits_name_their_field(
    engine: wari.Engine, field: str, limits: dict[str, object]
) -> None:
    """A clear error, never a search."""
    with pytest.raises(wari.InvalidValueError) as caught:
        engine.analyse(wari.Position(), **limits)  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("field", "options"),
    [
        *(("threads", {"threads": bad}) for bad in (0, -1, 10**6, 1.5)),
        *(("hash_mb", {"hash_mb": bad}) for bad in (0, -1, 2**40)),
        ("evaluation", {"evaluation": "magic"}),
        ("tablebase", {"tablebase": 5}),
        *(("full_width", {"full_width": bad}) for bad in ("no", "", 0, 1, None, math.nan)),
    ],
)
def test_bad_options_name_their_field(field: str, options: dict[str, object]) -> None:
    """As for limits."""
    with pytest.raises(wari.InvalidValueError) as caught:
        wari.Engine(**options)  # type: ignore[arg-type]
    assert caught.value.field == field


def test_moves_restrict_the_search(engine: wari.Engine) -> None:
    """Only the moves named; an illegal one is refused."""
    found = engine.analyse(wari.Position(), depth=5, multipv=6, moves="CE")
    assert sorted(line.move for line in found.lines) == ["C", "E"]
    with pytest.raises(wari.IllegalMoveError):
        engine.analyse(wari.Position(), depth=5, moves=["a"])


def test_nodes_are_kept_within_a_hundredth(engine: wari.Engine) -> None:
    """And give the same answer each time."""
    found = engine.analyse(wari.Position(), nodes=100_000)
    assert 100_000 <= found.nodes <= 101_000
    engine.new_game()
    assert engine.analyse(wari.Position(), nodes=100_000).lines == found.lines
    with wari.Engine(threads=2, hash_mb=8) as two:
        assert 100_000 <= two.analyse(wari.Position(), nodes=100_000).nodes <= 101_000


@pytest.mark.process
@pytest.mark.parametrize(
    ("limits", "most"),
    [
        ({"time": 0.1}, 0.1),
        ({"clock": (0.3, 0.0, 1)}, 0.3),
        ({"clock": (1.0, 0.0, 0)}, 0.4),
        ({"clock": (2.0, 0.1, 40)}, 0.4),
    ],
)
def test_time_is_kept(engine: wari.Engine, limits: dict[str, Any], most: float) -> None:
    """By the processor time of the search, which no other load makes longer."""
    begin = time.thread_time()
    engine.analyse(wari.Position(), **limits)
    assert time.thread_time() - begin <= most


FORCED = wari.Position.parse("0-0-0-0-0-9-5-5-4-5-5-5-5-5-S", "abapa")


def test_a_forced_move_takes_no_time_of_a_clock() -> None:
    """Nor of an opponent's patience; an analysis that is asked for takes what it is given."""
    begin = time.monotonic()
    with wari.Engine(hash_mb=8, tablebase=None) as plain:
        assert plain.analyse(FORCED, clock=(60.0, 0.0, 0)).best_move == "F"
    with LevelPlayer(9, 1, threads=1, hash_mb=8, tables=None) as opponent:
        assert opponent.choose(wari.Game(start=FORCED), Limits()) == "F"
    assert time.monotonic() - begin < 1.5


# --- what is asked between prepare() and a search -------------------------------------------------


def test_what_was_asked_is_taken_by_the_next_search_only(engine: wari.Engine) -> None:
    """Also where that was over at once, was refused, or was of another kind."""
    over = wari.Position.parse("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", "wari")
    start = wari.Position()

    def refused() -> None:
        with pytest.raises(wari.IllegalMoveError):
            engine.analyse(start, depth=5, moves=["a"])

    def batch() -> None:
        with pytest.raises(wari.CancelledError):
            engine.analyse_many([start], nodes=10_000_000)

    def endless_proof() -> None:
        assert not engine.solve(start).exact

    for first in (lambda: engine.analyse(over), refused, batch, endless_proof):
        engine.prepare()
        engine.stop()
        first()
        assert engine.analyse(start, depth=6).depth == 6
    for _ in range(20):  # a stream that is refused, or left at once
        with pytest.raises(wari.InvalidValueError):
            list(engine.stream(start, depth=0))
        engine.stop()
        assert engine.analyse(start, depth=5).depth == 5
        for _analysis in engine.stream(start):
            break
        assert engine.analyse(start, depth=5).depth == 5


@pytest.mark.parametrize("pause", [0.0, 0.003, 0.01, 0.1])
def test_a_proof_stops_at_any_moment(engine: wari.Engine, pause: float) -> None:
    """Also in the ordinary search that it begins with."""
    engine.new_game()
    engine.prepare()
    threading.Timer(pause, engine.stop).start()
    begin = time.monotonic()
    assert not engine.solve(wari.Position()).exact
    assert time.monotonic() - begin < 1.0


def test_nothing_is_forgotten_while_a_search_runs(engine: wari.Engine) -> None:
    """By another thread, or from the search's own progress."""

    def forget(_: wari.Analysis) -> None:
        engine.new_game()

    with pytest.raises(wari.BusyError):
        engine.analyse(wari.Position(), depth=4, progress=forget)
    engine.new_game()


def test_stop_from_another_thread(engine: wari.Engine) -> None:
    """Also one that comes before the search has begun, when it was prepared."""
    timer = threading.Timer(0.1, engine.stop)
    timer.start()
    found = engine.analyse(wari.Position())
    assert found.lines
    assert not found.finished
    engine.prepare()
    engine.stop()
    assert engine.analyse(wari.Position()).lines
    engine.stop()  # idle: it must not stop the next search
    assert engine.analyse(wari.Position(), depth=6).depth == 6


def test_pondering_waits_for_the_hit(engine: wari.Engine) -> None:
    """No limit of time counts before it."""
    threading.Timer(0.3, engine.ponder_hit).start()
    found = engine.analyse(wari.Position(), time=0.05, ponder=True)
    assert found.seconds >= 0.3


def test_ctrl_c_stops_the_search(engine: wari.Engine) -> None:
    """Within 50 ms and some slack; the engine can be used again."""
    sent: list[float] = []

    def press() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.2, press).start()
    with pytest.raises(KeyboardInterrupt):
        engine.analyse(wari.Position())
    assert time.monotonic() - sent[0] < 0.5
    assert engine.analyse(wari.Position(), depth=3).depth == 3


@pytest.mark.process
def test_the_current_move_is_told_after_a_second(engine: wari.Engine) -> None:
    """Its number counts from 1 at each depth; an error in the function ends the search."""
    seen: list[tuple[int, int, str]] = []
    began = time.monotonic()

    def current_move(move: str, number: int, depth: int) -> None:
        assert time.monotonic() - began > 0.95
        seen.append((depth, number, move))

        if len(seen) == 3:
            raise RuntimeError("enough")

    engine.new_game()
    engine.analyse(wari.Position(), time=0.1, current_move=current_move)
    assert seen == []
    began = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        engine.analyse(wari.Position(), current_move=current_move)
    assert engine.latest is not None
    assert {move for _, _, move in seen} <= set("ABCDEF")
    assert all(1 <= number <= 6 and depth <= engine.latest.depth + 1 for depth, number, _ in seen)
    assert [depth for depth, _, _ in seen] == sorted(depth for depth, _, _ in seen)


def test_an_error_in_progress_ends_the_search(engine: wari.Engine) -> None:
    """And reaches the caller."""

    def progress(analysis: wari.Analysis) -> None:
        raise RuntimeError(f"depth {analysis.depth}")

    with pytest.raises(RuntimeError, match="depth 1"):
        engine.analyse(wari.Position(), progress=progress)


def test_stream_yields_and_stops(engine: wari.Engine) -> None:
    """Each iteration once; leaving the loop ends the search."""
    depths = [analysis.depth for analysis in engine.stream(wari.Position(), depth=6)]
    assert depths == [1, 2, 3, 4, 5, 6]
    for analysis in engine.stream(wari.Position()):
        if analysis.depth == 4:
            break
    assert engine.analyse(wari.Position(), depth=3).depth == 3
    with pytest.raises(wari.InvalidValueError):
        list(engine.stream(wari.Position(), depth=0))


def test_one_search_at_a_time(engine: wari.Engine) -> None:
    """A second one is refused, not mixed in."""
    stream = engine.stream(wari.Position())
    next(stream)
    with pytest.raises(wari.BusyError):
        engine.analyse(wari.Position(), depth=1)
    stream.close()


def test_close() -> None:
    """A closed engine says so."""
    engine = wari.Engine(hash_mb=1)
    engine.close()
    engine.close()
    with pytest.raises(wari.ClosedError, match="engine: it is closed"):
        engine.analyse(wari.Position(), depth=1)


# --- batches --------------------------------------------------------------------------------------


def test_batches_are_in_order_and_do_not_depend_on_threads() -> None:
    """NumPy arrays, texts and positions; progress counts up to the end."""
    numpy = pytest.importorskip("numpy")
    rng = random.Random(1)
    rules = PRESETS["awari"]
    batch = [random_position(rng, 14, rules) for _ in range(30)]
    boards = numpy.array(
        [p.pits if p.side == "S" else positions.turned(p).pits for p in batch], dtype=numpy.uint8
    )
    seen: list[int] = []
    with (
        wari.Engine(hash_mb=8) as one,
        wari.Engine(threads=3, hash_mb=8) as three,
    ):
        found = one.analyse_many(boards, rules="awari", nodes=3000, progress=seen.append)
        again = three.analyse_many(boards, rules="awari", nodes=3000)
        assert [a.lines for a in found] == [a.lines for a in again]
        for analysis, board in zip(found, boards, strict=True):
            assert analysis.position.pits == tuple(board)
            single = wari.Position.from_counts(board, rules="awari")
            assert analysis.position == single
        assert seen == sorted(seen)
        assert seen[-1] == len(batch)
        with pytest.raises(wari.InvalidValueError):
            one.analyse_many([wari.Position()])
        with pytest.raises(wari.InvalidValueError):
            one.analyse_many(boards[:, :5], depth=1)
        over = one.analyse_many(["0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"], depth=1)
        assert over[0].ending == "empty_board"
        assert one.analyse_many([], depth=1) == []

        def fail(_: int) -> None:
            raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            one.analyse_many(boards, nodes=2_000_000, progress=fail)


def test_a_batch_tells_its_end() -> None:
    """Every time, however the threads fall out."""
    with wari.Engine(threads=2, hash_mb=2, tablebase=None) as engine:
        for _ in range(20):
            seen: list[int] = []
            engine.analyse_many([wari.Position()] * 20, depth=3, progress=seen.append)
            assert seen[-1] == 20


def test_an_answer_depends_on_nothing_else_in_a_batch() -> None:
    """Not on the threads, nor on boards of many seeds, also where the table fills."""
    few = [wari.Position(), wari.Position("awari")]
    many = wari.Position.parse("8-8-8-8-8-8-8-8-8-8-8-8-0-0-S", "abapa,seeds_per_pit=8")

    def nodes(threads: int, batch: list[wari.Position]) -> list[int]:
        with wari.Engine(threads=threads, hash_mb=2, evaluation="material") as engine:
            return [found.nodes for found in engine.analyse_many(batch, depth=16)][:2]

    alone = nodes(1, few)
    assert alone == nodes(2, few) == nodes(3, [*few, many])


def test_a_table_fills_on_boards_of_many_seeds_too() -> None:
    """Where an entry has no room for its age, what is kept counts."""
    many = wari.Position.parse("8-8-8-8-8-8-8-8-8-8-8-8-0-0-S", "abapa,seeds_per_pit=8")
    with wari.Engine(hash_mb=8) as engine:
        full = [engine.analyse(many, nodes=1_000_000).hashfull for _ in range(2)]
    assert 50 < full[0] < full[1]
