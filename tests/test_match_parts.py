"""What matches are made of: statistics, openings, players as text."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
import wari
from wari.cli import main
from wari.match import EngineCommand, Pace, Sprt, Summary, random_openings, read_openings, summarise
from wari.match.statistics import elo_of, expected_score

ABAPA = wari.Rules.preset("abapa")

# --- statistics ----------------------------------------------------------------------------------


def test_elo_and_score_are_inverse() -> None:
    """Between the limits."""
    for elo in (-700, -3, 0, 50, 400):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)
    assert (elo_of(0.0), elo_of(1.0)) == (-2000, 2000)


def test_a_summary_counts() -> None:
    """Wins, draws, losses, seeds; nothing is known before the first game."""
    assert summarise([], []) == Summary()
    summary = summarise([1, 1, 0.5, 0], [1.0, 0.25], [10, 4, 0, -2])
    assert (summary.wins, summary.draws, summary.losses, summary.games) == (2, 1, 1, 4)
    assert (summary.score, summary.margin) == (0.625, 3.0)
    assert summary.elo_low < summary.elo < summary.elo_high


def simulated(rng: random.Random, score: float, pairs: int) -> list[float]:
    """Pairs of games with draws, whose mean is `score`."""
    draw = 0.2
    weights = (score - draw / 2, draw, 1 - score - draw / 2)
    return [sum(rng.choices((1.0, 0.5, 0.0), weights, k=2)) / 2 for _ in range(pairs)]


def test_the_interval_holds_the_truth_in_95_of_100_matches() -> None:
    """By simulation, within what chance allows."""
    rng = random.Random(8)
    for truth in (0.5, 0.8):
        inside = 0
        for _ in range(1000):
            pairs = simulated(rng, truth, 60)
            games = [score for score in pairs for _ in range(2)]
            summary = summarise(games, pairs)
            inside += abs(summary.score - truth) <= summary.error
        assert 925 <= inside <= 975


def test_the_sequential_test_errs_as_seldom_as_it_says() -> None:
    """By simulation: about 5 % either way."""
    rng = random.Random(9)
    test = Sprt(0, 50)
    for elo, wrong in ((0, "elo1"), (50, "elo0")):
        errors = 0
        for _ in range(200):
            pairs: list[float] = []
            while (verdict := test.verdict(pairs)) is None:
                pairs += simulated(rng, expected_score(elo), 10)
            errors += verdict == wrong
        assert errors <= 20
    assert test.bounds == pytest.approx((-math.log(19), math.log(19)))
    assert test.ratio([]) == 0.0


# --- openings and players ------------------------------------------------------------------------


def test_openings_of_a_file(tmp_path: Path) -> None:
    """Of the rules asked for only; comments and further words are skipped."""
    path = tmp_path / "openings.txt"
    path.write_text("# some\n\nabapa FfEd 0.25 # even\nwari Ff\nabapa Aa\n")
    assert read_openings(path, ABAPA) == ["FfEd", "Aa"]
    assert read_openings(path, wari.Rules()) == ["Ff"]
    with pytest.raises(wari.InvalidValueError, match="has none for ouri"):
        read_openings(path, wari.Rules.preset("ouri"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("abapa", "rules and moves"),
        ("kalah Ff", "kalah"),
        ("abapa FF", "move 2"),
        ("abapa Fx", "x"),
    ],
)
def test_a_wrong_line_of_openings_is_named(tmp_path: Path, line: str, message: str) -> None:
    """By its number."""
    path = tmp_path / "openings.txt"
    path.write_text(f"abapa Ff\n{line}\n")
    with pytest.raises(wari.InvalidValueError, match=f"openings: line 2: .*{message}"):
        read_openings(path, ABAPA)


def test_openings_that_are_no_text_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From Python and on the command line."""
    path = tmp_path / "openings.txt"
    path.write_bytes(b"\x7fELF\x02\x01\x01\x00\xff\xfe\n")
    with pytest.raises(wari.InvalidValueError, match="openings: .* is no text"):
        read_openings(path, ABAPA)
    assert main(["match", "wari", "wari", "--openings", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "is no text" in err


def test_random_openings_lead_to_different_positions() -> None:
    """And are the same for the same seed."""
    lines = random_openings(ABAPA, 300, seed=4)
    positions = {wari.Game.replay(line, ABAPA).position for line in lines}
    assert len(positions) == 300
    assert lines == random_openings(ABAPA, 300, seed=4) != random_openings(ABAPA, 300, seed=5)
    assert len(random_openings(ABAPA, 300, plies=2)) == 36


def test_the_openings_of_the_benchmarks_are_different_and_go_on() -> None:
    """For both rule sets that matches are played under."""
    path = Path(__file__).parents[1] / "benchmarks" / "openings.txt"
    for name in ("abapa", "wari"):
        rules = wari.Rules.preset(name)
        lines = read_openings(path, rules)
        assert len(lines) >= 100
        assert len({wari.Game.replay(line, rules).position for line in lines}) == len(lines)


def test_engines_as_text() -> None:
    """Ours with options, or any command."""
    ours = EngineCommand.parse("wari Hash=1", options={"Threads": "2"})
    assert ours.options == {"Hash": "1", "Threads": "2"}
    assert ours.command[-2:] == ("wari", "uci")
    assert EngineCommand.parse("wari uci --x").command == ("wari", "uci", "--x")
    for text in ("", "  ", "'open"):
        with pytest.raises(wari.InvalidValueError, match="engine"):
            EngineCommand.parse(text)


def test_a_pace_that_cannot_be() -> None:
    """The error names the number."""
    assert Pace(time_margin=0).time_margin == 0.0
    with pytest.raises(wari.InvalidValueError, match="^time_margin: expected a number of seconds"):
        Pace(time_margin=-0.1)
    with pytest.raises(wari.InvalidValueError, match="^patience: expected a number of seconds"):
        Pace(patience=0)
