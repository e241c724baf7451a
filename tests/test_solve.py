"""Proofs through Python: what they say, what they admit, how they go on.

Owns: what a user sees of `Engine.solve`. Must not know: how proofs are found.
"""

import itertools

import pytest
import wari

NINE = "1-2-1-0-1-2-1-1-2-1-0-1-0-0-S"


def test_a_margin_is_proved_and_seen_from_both_seats() -> None:
    """Thirteen seeds, tables of ten."""
    position = wari.Position.parse(NINE, "awari")
    turned = wari.Position.from_counts(
        position.pits[6:] + position.pits[:6], side="N", rules="awari"
    )
    with wari.Engine(hash_mb=8) as engine:
        for asked, move in ((position, "F"), (turned, "f")):
            solution = engine.solve(asked, nodes=3_000_000)
            assert (solution.lower, solution.upper, solution.move) == (9, 9, move)
            assert solution.verdict == "win"
            assert str(solution) == "win by 9"


def test_what_is_not_proved_is_not_said() -> None:
    """The start is beyond any proof; work goes on from call to call."""
    seen: list[wari.Solution] = []
    with wari.Engine(hash_mb=8) as engine:
        solution = engine.solve(wari.Position("awari"), nodes=50_000, progress=seen.append)
        assert solution.verdict == "unknown"
        assert solution.lower < 0 < solution.upper
        assert str(solution).startswith("unknown, between -")
        position = wari.Position.parse(NINE, "awari")
        exact = [engine.solve(position, nodes=10_000).exact for _ in range(20)]
        assert not exact[0]
        assert exact[-1]
    assert all(later.lower >= first.lower for first, later in itertools.pairwise(seen))


def test_winner_only_stops_early() -> None:
    """Who wins takes less than by how much."""
    position = wari.Position.parse("1-2-2-1-0-2-1-2-0-0-2-1-3-3-S", "awari")
    with wari.Engine(hash_mb=8) as engine:
        first = engine.solve(position, nodes=5_000_000, winner_only=True)
        assert first.verdict != "unknown"
        engine.new_game()
        assert engine.solve(position, nodes=5_000_000).nodes >= first.nodes


def test_ended_games_have_their_result() -> None:
    """By the board, by history, and after a majority stop the margin if played out."""
    with wari.Engine(hash_mb=8) as engine:
        over = engine.solve("0-0-0-0-0-0-0-0-0-0-0-0-30-18-N")
        assert (over.verdict, over.lower, over.ending) == ("loss", -12, "empty_board")
        game = wari.Game("abapa", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
        game.push_all("AaBbCcDdEeFf")
        assert engine.solve(game).verdict == "draw"
        stopped = wari.Position.parse("1-0-0-0-0-0-0-0-0-0-0-1-26-20-S", "awari")
        assert stopped.is_over
        assert engine.solve(stopped, nodes=100_000).verdict == "win"


def test_bad_input_names_its_field() -> None:
    """As for analyse."""
    with wari.Engine(hash_mb=8) as engine:
        with pytest.raises(wari.InvalidValueError) as caught:
            engine.solve(wari.Position(), time=0)
        assert caught.value.field == "time"
        with pytest.raises(wari.InvalidValueError) as caught:
            engine.solve(wari.Position(), nodes=-1)
        assert caught.value.field == "nodes"


def test_progress_may_raise() -> None:
    """The error reaches the caller."""

    def progress(solution: wari.Solution) -> None:
        raise RuntimeError(str(solution.lower))

    with (
        wari.Engine(hash_mb=8) as engine,
        pytest.raises(RuntimeError, match=r"^-?\d+$"),
    ):
        engine.solve(wari.Position("awari"), progress=progress)
