"""Values of a wrong type, everywhere: a WariError that names the argument, never a bare one."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import wari
from wari.bench import bench
from wari.match import EngineCommand

START = wari.Position()
OVER: Any = wari.Position.parse("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S", "abapa")
np: Any = pytest.importorskip("numpy")
ANY: Any = wari  # so that wrong calls can be written
ANY_BENCH: Any = bench
ANY_ENGINE: Any = EngineCommand
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
        ("current_move: expected a function, not 'A'", {"current_move": "A"}),
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
        ("full_width: expected True or False, not", lambda it: ANY.Engine(full_width=it)),
        ("full_width: expected True or False, not", lambda it: ANY_BENCH(full_width=it)),
        ("verify: expected True or False", lambda it: ANY.Tablebase.build(seeds=2, verify=it)),
        ("level: expected 'rebuilt' or 'full'", lambda it: ANY.Tablebase.build(seeds=1).verify(it)),
        ("wait: expected True or False", lambda it: ANY.Tablebase.build(seeds=2, wait=it)),
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
        ("engine: expected text, not None", lambda: ANY_ENGINE.parse(None)),
        ("tables: expected several, not 5", lambda: ANY.engine.Tables(5)),
    ],
)
def test_single_values_where_several_are_wanted(message: str, call: Any) -> None:
    """And keys that are no text."""
    check(message, call)


# --- files ---------------------------------------------------------------------------------------

READERS: list[Call] = [wari.Game.load, lambda name: list(wari.ogn.read(name))]
WRITERS: list[Call] = [wari.Game("abapa").save, lambda name: wari.ogn.write([], name)]


@pytest.mark.parametrize("wrong", ["", "a\0b", b"a\0b", "\ud800"], ids=ascii)
@pytest.mark.parametrize("call", [*READERS, *WRITERS])
def test_what_can_be_no_name_of_a_file(call: Call, wrong: Any) -> None:
    """Refused before the system is asked."""
    check(f"path: {wrong!a} cannot be the name of a file", lambda: call(wrong))


@pytest.mark.parametrize("wrong", [None, 1.5, 1, ARRAY], ids=repr)
@pytest.mark.parametrize("call", [READERS[0], *WRITERS])
def test_what_is_no_path(call: Call, wrong: Any) -> None:
    """Numbers too, which the system would take for open files."""
    check("path: expected a path, not", lambda: call(wrong))


@pytest.mark.parametrize("call", READERS)
def test_what_the_system_refuses_is_a_storage_error(call: Call, tmp_path: Path) -> None:
    """With its number and the name of the file."""
    for path, code in ((tmp_path / "nowhere", errno.ENOENT), (tmp_path, errno.EISDIR)):
        with pytest.raises(wari.StorageError) as caught:
            call(path)
        assert (caught.value.errno, caught.value.filename) == (code, str(path))
        assert caught.value.strerror == os.strerror(code)


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system takes no such names")
def test_names_of_files_that_are_no_text_can_be_used(tmp_path: Path) -> None:
    """As the system gives them; bytes too."""
    game = wari.Game.replay("Ff", "abapa")
    for name in ("\udcff.json", "\udcff.ogn"):
        path = tmp_path / name
        wari.ogn.write(wari.ogn.Record.from_game(game), path)
        assert next(wari.ogn.read(os.fsencode(path))).game() == game  # type: ignore[arg-type]
        game.save(path)
        assert wari.Game.load(path) == game


# --- game notation -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("source: expected several, not None", lambda: list(ANY.ogn.read(None))),
        ("source: expected lines of text, not b'1. F'", lambda: list(ANY.ogn.read([b"1. F"]))),
        ("text: expected text, not 1.5", lambda: ANY.ogn.loads(1.5)),
        ("text: expected text, not b'1. F'", lambda: ANY.ogn.loads(b"1. F")),
        ("text: expected text, not None", lambda: ANY.ogn.first(None)),
        ("text: expected text, not 1.5", lambda: ANY.Game.from_ogn(1.5)),
        ("records: expected a Record, not 'x'", lambda: ANY.ogn.dumps(["x"])),
        ("records: expected several, not None", lambda: ANY.ogn.dumps(None)),
        ("game: expected a Game, not 'x'", lambda: ANY.ogn.Record.from_game("x")),
        ("tags: expected texts by name, not 5", lambda: ANY.Game().to_ogn(5)),
        ("tags: expected text, not None", lambda: ANY.Game().to_ogn({"South": None})),
        ("tags: expected text, not 5", lambda: ANY.Game().to_ogn({5: "x"})),
        ("tags: expected text, not 5", lambda: ANY.ogn.dumps(ANY.ogn.Record({"South": 5}))),
    ],
)
def test_what_is_no_game_notation(message: str, call: Any) -> None:
    """Texts, records and tags."""
    check(message, call)


def test_half_a_character_is_not_written(tmp_path: Path) -> None:
    """And the file stays as it was."""
    path = tmp_path / "x.ogn"
    path.write_text("old")
    record = wari.ogn.Record.from_game(wari.Game(), {"South": "\ud800"})
    check("records: '\\ud800' is no character", lambda: wari.ogn.write(record, path))
    assert path.read_text() == "old"


# --- pictures ------------------------------------------------------------------------------------

NAN = float("nan")


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        *(("size: expected a whole number", {"size": it}) for it in (NAN, 1.5, None, "5", True, 0)),
        ("arrows: expected several, not None", {"arrows": None}),
        ("move: expected the letter of a pit, not 5", {"arrows": [5]}),
        ("move: expected the letter of a pit, not 1.5", {"last_move": 1.5}),
        ("move: expected the letter of a pit, not array", {"last_move": ARRAY}),
        ("values: expected them by pit, not 1.5", {"values": 1.5}),
        ("values: expected a number or text, not None", {"values": {"A": None}}),
        ("values: expected a number or text, not nan", {"values": {"A": NAN}}),
        ("values: expected a number or text, not 1000", {"values": {"A": 10**400}}),
        ("move: expected the letter of a pit, not 5", {"values": {5: 1}}),
    ],
)
def test_boards(message: str, arguments: dict[str, Any]) -> None:
    """What is drawn on them."""
    check(message, lambda: wari.svg.board(START, **arguments))


@pytest.mark.parametrize("wrong", [None, "4-4-4", wari.Game(), ARRAY], ids=repr)
def test_only_a_position_is_a_board(wrong: Any) -> None:
    """A game has many."""
    check("position: expected a Position, not", lambda: wari.svg.board(wrong))


@pytest.mark.parametrize(
    "wrong", [None, 5, "abc", b"A", ["a"], [True], [[1.0]], [10**400]], ids=repr
)
def test_scores_are_numbers(wrong: Any) -> None:
    """Bytes are none."""
    check("scores: expected", lambda: wari.svg.plot(wrong))


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("size: expected a whole number", {"size": NAN}),
        ("title: expected text, not 5", {"title": 5}),
        ("marks: expected several, not 5", {"marks": 5}),
        ("marks: expected a ply", {"marks": [5]}),
        ("marks: expected a ply", {"marks": [(0, "blunder", "")]}),
        ("marks: expected a ply", {"marks": [ANY.svg.Mark("0", "blunder")]}),
        ("marks: expected a ply", {"marks": [ANY.svg.Mark(0.0, "blunder")]}),
        ("marks: expected a ply", {"marks": [ANY.svg.Mark(0, 5)]}),
        ("marks: expected a ply", {"marks": [ANY.svg.Mark(0, "blunder", 5)]}),
    ],
)
def test_plots(message: str, arguments: dict[str, Any]) -> None:
    """What is noted in them."""
    check(message, lambda: wari.svg.plot([1.0], **arguments))


def test_numbers_of_numpy_can_be_drawn() -> None:
    """And scores may come one by one."""
    scores = np.array([1.0, -2.5])
    assert wari.svg.plot(scores) == wari.svg.plot([1.0, -2.5]) == wari.svg.plot(iter([1.0, -2.5]))
    values = {"A": np.float32(1.5), "B": np.int64(2)}
    assert wari.svg.board(START, values=values) == wari.svg.board(START, values={"A": 1.5, "B": 2})


@pytest.mark.parametrize("wrong", ["FfEd", None, START, ARRAY], ids=repr)
def test_only_a_game_can_be_reviewed(engine: wari.Engine, wrong: Any) -> None:
    check("game: expected a Game", lambda: ANY.review.review(wrong, engine, depth=1))


@pytest.mark.parametrize("wrong", [None, 5, b"info", ["info"]], ids=repr)
def test_only_text_is_an_info(wrong: Any) -> None:
    check("line: expected text", lambda: ANY.uci.parse_info(wrong))


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.5, float("nan"), "0.05", None], ids=repr)
def test_chances_of_a_test_of_matches(wrong: Any) -> None:
    check("alpha: expected a number between", lambda: ANY.match.Sprt(alpha=wrong))
    check("beta: expected a number between", lambda: ANY.match.Sprt(beta=wrong))


def test_openings(tmp_path: Path) -> None:
    openings = ANY.match.random_openings
    for wrong in (0, -1, "x", None, 1.5, ARRAY):
        check("count: expected a whole", partial(openings, "wari", wrong))
        check("plies: expected a whole", partial(openings, "wari", 1, plies=wrong))
    check("seed: expected a whole", lambda: openings("wari", 1, "x"))
    check("rules: expected Rules", lambda: openings(5, 1))
    check("path: expected a path", lambda: ANY.match.read_openings(5, "wari"))
    with pytest.raises(wari.StorageError):
        ANY.match.read_openings(tmp_path / "nowhere.txt", "wari")


def test_formats_of_reviews(tmp_path: Path) -> None:
    check("form: expected text, json", lambda: ANY.review.is_review(tmp_path, "pdf"))
