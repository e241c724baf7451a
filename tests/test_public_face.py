"""What meets a person at the prompt: names, limits, moves in every form, Ctrl-C, threads."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
import wari
from wari.limits import MAX_HASH_MB, MAX_THREADS

EASY = "1-1-1-1-1-2-1-1-0-0-0-0-12-12-S"

# --- names ---------------------------------------------------------------------------------------


def test_dir_lists_what_is_public_and_nothing_else() -> None:
    parts = {"bench", "match", "ogn", "review", "svg", "uci"}
    named = {name for name in dir(wari) if not name.startswith("__")}
    assert named == parts | {name for name in wari.__all__ if not name.startswith("__")}
    assert all(hasattr(wari, name) for name in dir(wari))


def test_type_checkers_know_the_parts() -> None:
    """Each comment here is an error to mypy, should it have nothing to ignore."""
    assert wari.svg.__name__ == "wari.svg"
    with pytest.raises(AttributeError):
        wari.svg.boardd  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        wari.review.reviewed  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        wari.enginee  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("words", "alias"), [(wari.ENDINGS, wari.EndingReason), (wari.REFUSALS, wari.RefusalReason)]
)
def test_the_types_of_words_name_those_of_the_core(words: dict[str, str], alias: object) -> None:
    assert set(words) == set(get_args(alias))


# --- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("field", "most"), [("threads", MAX_THREADS), ("hash_mb", MAX_HASH_MB)])
@pytest.mark.parametrize("wrong", [0, -1, "most + 1", 2**31])
def test_the_limit_in_the_message_is_the_limit(field: str, most: int, wrong: int | str) -> None:
    value = most + 1 if isinstance(wrong, str) else wrong
    with pytest.raises(wari.InvalidValueError) as caught:
        wari.Engine(**{field: value})  # type: ignore[arg-type]
    assert str(caught.value) == (f"{field}: expected a whole number from 1 to {most}, not {value}")


def test_a_closed_engine_says_that_it_is_closed(tmp_path: Path) -> None:
    engine = wari.Engine(hash_mb=8)
    engine.close()
    calls: list[Callable[[], object]] = [
        lambda: engine.analyse(wari.Position()),
        lambda: next(engine.stream(wari.Position())),
        lambda: engine.play(wari.Game()),
        lambda: engine.analyse_many([wari.Position()], depth=1),
        lambda: engine.solve(EASY),
        lambda: engine.save_proof(tmp_path / "proof"),
        lambda: engine.load_proof(tmp_path / "proof"),
        engine.new_game,
        engine.prepare,
    ]
    for call in calls:
        with pytest.raises(wari.ClosedError, match="engine: it is closed"):
            call()
    assert not issubclass(wari.ClosedError, wari.CancelledError)
    engine.stop()
    engine.close()


# --- moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moves", ["FfEd", "F f E d", ["F", "f", "E", "d"], ("F", "f", "E", "d"), ["Ff", "Ed"]]
)
def test_moves_in_every_form(moves: str | list[str] | tuple[str, ...]) -> None:
    game = wari.Game.replay(moves)
    assert game.moves == ("F", "f", "E", "d")
    assert wari.Game.replay(game.moves, game.rules, game.start) == game
    again = wari.Game()
    again.push_all(moves)
    again.push_all([])
    assert again == game


def test_moves_with_passes() -> None:
    start = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"
    game = wari.Game.replay("FE", start=start)
    assert game.moves == ("F", "-", "E")
    assert wari.Game.replay(game.moves, start=start) == game


@pytest.mark.parametrize("wrong", [None, 7, b"Ff", [1], ["F", None], [["F"]], {"F"}, ["é"]])
def test_what_is_no_list_of_moves(wrong: object) -> None:
    game = wari.Game()
    for call in (game.push_all, wari.Game.replay):
        with pytest.raises(wari.InvalidValueError, match="^moves: "):
            call(wrong)  # type: ignore[arg-type]
    assert game.moves == ()
    with pytest.raises(wari.IllegalMoveError):
        game.push_all(["F", "F"])
    assert game.moves == ()


# --- Ctrl-C --------------------------------------------------------------------------------------


def test_what_was_found_before_ctrl_c_is_kept() -> None:
    with wari.Engine(hash_mb=8) as engine:
        assert engine.latest is None
        first = engine.analyse(wari.Position(), depth=3)
        assert engine.latest == first

        def interrupt(analysis: wari.Analysis) -> None:
            if analysis.depth == 5:
                signal.raise_signal(signal.SIGINT)

        with pytest.raises(KeyboardInterrupt):
            engine.analyse(wari.Position("abapa"), progress=interrupt)
        found = engine.latest
        assert found is not None
        assert found.position == wari.Position("abapa")
        assert found.depth >= 5
        assert found.lines
        assert not found.finished
        assert engine.analyse(wari.Position(), depth=2) == engine.latest
    assert engine.latest is not None


@pytest.mark.process
def test_ctrl_c_from_outside_keeps_it_too() -> None:
    with wari.Engine(hash_mb=8) as engine:
        timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            engine.analyse(wari.Position())
        timer.join()
        assert engine.latest is not None
        assert engine.latest.best_move


# --- threads -------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads in /proc")
def test_no_call_starts_more_threads_than_are_of_use(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/task"))  # noqa: PTH208
    most = max(8, 2 * (os.cpu_count() or 1))
    seen: dict[str, int] = {}

    def look(name: str) -> Callable[[object], None]:
        def count(_: object) -> None:
            now = len(os.listdir("/proc/self/task")) - before  # noqa: PTH208
            seen[name] = max(seen.get(name, 0), now)

        return count

    many = MAX_THREADS
    with wari.Engine(hash_mb=1, threads=many, tablebase=None) as engine:
        engine.analyse(wari.Position(), depth=12, progress=look("analyse"))
        batch = [wari.Position()] * 40
        engine.analyse_many(batch, nodes=20_000, progress=look("analyse_many"))
        hard = "1-2-1-0-1-2-1-1-2-1-0-1-0-0-S"
        engine.solve(hard, nodes=20_000, progress=look("solve"))
    table = wari.Tablebase.build(seeds=8, threads=many, verify=False, progress=look("build"))
    table.verify(threads=many, progress=look("verify"))
    assert set(seen) == {"analyse", "analyse_many", "solve", "build", "verify"}
    assert max(seen.values()) <= most, seen
    assert seen["analyse_many"] > 1
