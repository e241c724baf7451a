"""`wari.Limits` and `wari.Clock`: checked when they are made, taken by everything that searches."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import wari
from wari import limits
from wari.levels import LEVELS
from wari.match import Pace
from wari.uci import SearchOptions

HUGE = 10**30


@pytest.mark.parametrize(
    ("field", "kind", "values"),
    [
        *(("depth", wari.Limits, {"depth": bad}) for bad in (0, -1, 901, HUGE, 1.5, True, "3")),
        *(("nodes", wari.Limits, {"nodes": bad}) for bad in (0, 2**62 + 1, HUGE, 1e6, "x")),
        *(("time", wari.Limits, {"time": bad}) for bad in (0, -1, math.nan, math.inf, True, "1")),
        *(("clock", wari.Limits, {"clock": bad}) for bad in (5, (1, 0, 0), "60+1")),
        *(("remaining", wari.Clock, {"remaining": bad}) for bad in (0, -1, math.nan, None)),
        ("increment", wari.Clock, {"remaining": 1, "increment": -0.1}),
        ("moves_to_go", wari.Clock, {"remaining": 1, "moves_to_go": -1}),
        ("moves_to_go", wari.Clock, {"remaining": 1, "moves_to_go": 1.5}),
        *(("depth", Pace, {"depth": bad}) for bad in (0, HUGE)),
        ("time", Pace, {"time": -1}),
        ("clock", Pace, {"clock": 5}),
    ],
)
def test_a_limit_that_cannot_be_is_named(field: str, kind: Any, values: dict[str, Any]) -> None:
    with pytest.raises(wari.InvalidValueError, match=f"^{field}: expected") as caught:
        kind(**values)
    assert caught.value.field == field


def test_the_largest_limits_are_those_of_the_core() -> None:
    largest = wari.Limits(depth=limits.MAX_DEPTH, nodes=limits.MAX_NODES)
    with wari.Engine(hash_mb=8) as engine:
        over = "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"
        assert engine.analyse(over, limits=largest).lines == ()
        most = limits.MAX_NODES + 1
        with pytest.raises(wari.InvalidValueError, match="^nodes: expected 1 to "):
            engine._running().analyse_many(
                [wari.Position()._core],
                depth=None,
                nodes=most,
                seconds=None,
                multipv=1,
                progress=None,
            )


Search = Callable[..., object]


def searches(engine: wari.Engine) -> list[Search]:
    """Everything that takes limits, asked about the start."""
    return [
        lambda **given: engine.analyse(wari.Position(), **given),
        lambda **given: list(engine.stream(wari.Position(), **given)),
        lambda **given: engine.play(wari.Game(), **given),
        lambda **given: engine.analyse_many([wari.Position()], **given),
        lambda **given: engine.solve(wari.Position(), **given),
        lambda **given: wari.review.review(wari.Game.replay("F"), engine, **given),
    ]


@pytest.mark.parametrize("at", range(6))
def test_limits_as_one_value_are_those_by_name(at: int) -> None:
    with wari.Engine(hash_mb=8, evaluation="material", tablebase=None) as engine:
        search = searches(engine)[at]
        found: list[Any] = []
        for given in ({"depth": 3, "nodes": 400}, {"limits": wari.Limits(depth=3, nodes=400)}):
            engine.new_game()
            found.append(search(**given))
        assert str(found[0]).split("seconds")[0] == str(found[1]).split("seconds")[0]


@pytest.mark.parametrize("at", range(6))
def test_a_limit_that_is_given_twice_is_named(at: int) -> None:
    with wari.Engine(hash_mb=8) as engine:
        search = searches(engine)[at]
        for name, value in (("depth", 2), ("nodes", 5), ("time", 0.1)):
            with pytest.raises(wari.InvalidValueError, match="not both") as caught:
                search(limits=wari.Limits(depth=3), **{name: value})
            assert caught.value.field == name
        with pytest.raises(wari.InvalidValueError, match="^limits: expected wari.Limits, not 5"):
            search(limits=5)


def test_work_without_a_clock_refuses_one() -> None:
    timed = wari.Limits(depth=1, clock=wari.Clock(60))
    with wari.Engine(hash_mb=8) as engine:
        for call in (
            lambda: engine.solve(wari.Position(), limits=timed),
            lambda: engine.analyse_many([wari.Position()], limits=timed),
        ):
            with pytest.raises(wari.InvalidValueError, match="^clock: "):
                call()


def test_a_clock_and_a_tuple_are_the_same() -> None:
    with wari.Engine(hash_mb=8) as engine:
        for clock in (wari.Clock(0.05, 0.0, 1), (0.05, 0.0, 1)):
            assert engine.analyse(wari.Position(), clock=clock, depth=2).depth <= 2
        with pytest.raises(wari.InvalidValueError, match="^clock: expected in `limits`"):
            engine.analyse(wari.Position(), limits=wari.Limits(depth=1), clock=wari.Clock(1))


def test_the_clock_of_a_side_as_another_engine_gets_it() -> None:
    options = SearchOptions(wari.Limits(clock=wari.Clock(60, 0.5, 3)))
    assert options.words("N") == "go btime 60000 binc 500 movestogo 3"
    assert options.expected("N") == 60
    for twice in ({"clocks": {"S": 1.0}}, {"moves_to_go": 3}):
        with pytest.raises(wari.InvalidValueError, match="not both"):
            SearchOptions(options.limits, **twice)


def test_levels_and_paces_hold_limits() -> None:
    assert LEVELS[7].limits == wari.Limits(depth=16, time=1.0)
    assert Pace(depth=3, clock=(60, 1)).limits == wari.Limits(depth=3, clock=wari.Clock(60, 1))
