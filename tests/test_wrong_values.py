"""Values of a wrong type, everywhere: a WariError that names the argument, never a bare one.

Owns: what any caller can get wrong with any function. Must not know: what right values do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import wari

START = wari.Position()
OVER: Any = wari.Position.parse("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S", "abapa")
ANY: Any = wari  # so that wrong calls can be written
ARRAY: Any = np.array([1, 2])

Call = Callable[[Any], object]


def check(message: str, call: Callable[[], object]) -> None:
    """The call must raise an InvalidValueError whose message begins so, and name the field."""
    with pytest.raises(wari.InvalidValueError, match="^" + re.escape(message)) as caught:
        call()
    assert caught.value.field == message.split(":")[0]


@pytest.mark.parametrize("wrong", ["x", None, START, ARRAY], ids=repr)
def test_only_a_game_can_be_played_in(engine: wari.Engine, wrong: Any) -> None:
    """Not even a position, which would not change."""
    check("game: expected a Game, not", lambda: engine.play(wrong))


@pytest.mark.parametrize(
    ("message", "limits"),
    [
        ("moves: expected letters of pits, not 1.5", {"moves": 1.5}),
        ("moves: expected letters of pits, not array", {"moves": ARRAY}),
        ("depth: expected a whole number", {"depth": ARRAY}),
        ("nodes: expected a whole number", {"nodes": ARRAY}),
        ("time: expected a number of seconds", {"time": ARRAY}),
        ("multipv: expected a whole number", {"multipv": ARRAY}),
        ("ponder: expected True or False, not array", {"ponder": ARRAY}),
        ("ponder: expected True or False, not 'no'", {"ponder": "no"}),
        ("progress: expected a function, not 5", {"progress": 5}),
    ],
)
def test_limits(engine: wari.Engine, message: str, limits: dict[str, Any]) -> None:
    """Of a search."""
    check(message, lambda: engine.analyse(START, **{"depth": 1, **limits}))


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("positions: expected several, not None", lambda e: e.analyse_many(None, depth=1)),
        ("progress: expected", lambda e: e.analyse_many([START], depth=1, progress=5)),
        ("progress: expected", lambda e: e.solve(START, depth=1, progress=5)),
        ("winner_only: expected True", lambda e: e.solve(START, depth=1, winner_only=1)),
    ],
)
def test_batches_and_proofs(engine: wari.Engine, message: str, call: Call) -> None:
    """The engine's other searches."""
    check(message, lambda: call(engine))


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("hash_mb: expected a whole number", lambda it: ANY.Engine(hash_mb=it)),
        ("threads: expected a whole number", lambda it: ANY.Engine(threads=it)),
        ("tablebase: expected 'auto'", lambda it: ANY.Engine(tablebase=it)),
        ("tables: expected tables, not", lambda it: ANY.engine.Tables(it)),
        ("side: expected 'S' or 'N', not array", lambda it: OVER.result.margin(it)),
        ("depth: expected a whole number", START.perft),
        ("depth: expected a whole number", START.divide),
        ("seeds: expected a whole number", lambda it: ANY.Tablebase.build(seeds=it)),
        ("ending: expected text, not array", lambda it: ANY.Game.replay("Ff", ending=it)),
        ("format: expected 'wari-game'", lambda it: ANY.Game.from_dict({"format": it})),
        ("rules: expected values by axis, not array", ANY.Rules.from_dict),
    ],
)
def test_arrays_where_one_value_is_wanted(message: str, call: Call) -> None:
    """As they come from NumPy by mistake."""
    check(message, lambda: call(ARRAY))


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("rules: expected values by axis, not None", lambda: ANY.Rules.from_dict(None)),
        ("rules: expected text, not 5", lambda: ANY.Rules.from_dict({5: 1})),
        ("tables: expected several, not 5", lambda: ANY.engine.Tables(5)),
    ],
)
def test_single_values_where_several_are_wanted(message: str, call: Any) -> None:
    """And keys that are no text."""
    check(message, call)
