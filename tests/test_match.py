"""Matches: every game counted once, whatever happens to the engines or to the match itself."""

from __future__ import annotations

import json
import math
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import wari
from cli_tools import CLEAN, Terminal
from wari import ogn
from wari.match import (
    Match,
    Pace,
    Player,
    Sprt,
    Summary,
    random_openings,
    read_openings,
    summarise,
)
from wari.match.statistics import elo_of, expected_score

ABAPA = wari.Rules.preset("abapa")
FAKE = Path(__file__).with_name("fake_engine.py")
WARI = [sys.executable, "-m", "wari", "match"]


def fake(fault: str = "", name: str = "fake") -> Player:
    """The fake engine with a fault."""
    return Player(name, (sys.executable, str(FAKE), fault))


def small(first: Player, second: Player, games: int = 4, path: Path | None = None) -> Match:
    """A match of a few quick games."""
    openings = random_openings(ABAPA, 10)
    return Match(first, second, Pace(depth=2), ABAPA, openings, games, path)


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


def test_openings_that_are_no_text_are_told(tmp_path: Path) -> None:
    """From Python and on the command line."""
    path = tmp_path / "openings.txt"
    path.write_bytes(b"\x7fELF\x02\x01\x01\x00\xff\xfe\n")
    with pytest.raises(wari.InvalidValueError, match="openings: .* is no text"):
        read_openings(path, ABAPA)
    done = subprocess.run(
        [*WARI, "wari", "wari", "--openings", str(path)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is no text" in done.stderr


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


def test_players_as_text() -> None:
    """Ours with options, or any command."""
    ours = Player.parse("wari Hash=1", options={"Threads": "2"})
    assert ours.options == {"Hash": "1", "Threads": "2"}
    assert ours.command[-2:] == ("wari", "uci")
    assert Player.parse("wari uci --x").command == ("wari", "uci", "--x")
    for text in ("", "  ", "'open"):
        with pytest.raises(wari.InvalidValueError, match="engine"):
            Player.parse(text)


# --- matches -------------------------------------------------------------------------------------


def test_every_opening_is_played_from_both_sides(tmp_path: Path) -> None:
    """And the file has what was counted."""
    path = tmp_path / "games.ogn"
    match = small(fake(name="a"), fake(name="b"), games=4, path=path)
    told: list[int] = []
    summary = match.run(lambda played: told.append(played.number))
    assert told == [0, 1, 2, 3]
    # The two are the same program, so each pair is worth a half.
    assert match.pair_scores() == [0.5, 0.5]
    assert (summary.score, summary.margin) == (0.5, 0.0)
    records = list(ogn.read(path))
    assert [record.tags["South"] for record in records] == ["a", "b", "a", "b"]
    assert [record.notes for record in records] == [[]] * 4
    for record, opening in zip(records, (0, 0, 1, 1), strict=True):
        assert record.line.letters.startswith(match.openings[opening])


def test_games_at_once_are_the_same_games() -> None:
    """Three pairs of engines."""
    one, three = (small(fake(name="a"), fake(name="b"), games=9) for _ in range(2))
    three.concurrency = 3
    one.run()
    three.run()
    assert three.played == one.played


@pytest.mark.parametrize("fault", ["illegal move", "dies in a search", "no move"])
def test_an_engine_at_fault_loses_and_the_match_goes_on(tmp_path: Path, fault: str) -> None:
    """With the reason in the file."""
    path = tmp_path / "games.ogn"
    match = small(fake(), fake(fault, "bad"), path=path)
    summary = match.run()
    assert (summary.wins, summary.games) == (4, 4)
    for record in ogn.read(path):
        assert "bad: " in record.tags["Fault"]
        assert record.tags["Termination"].startswith("resignation of ")
    again = small(fake(), fake(fault, "bad"), path=path)
    again.resume()
    assert again.played == match.played


def test_an_engine_that_cannot_be_started_ends_the_match() -> None:
    """With its error."""
    with pytest.raises(wari.uci.EngineDiedError, match="out of seeds"):
        small(fake(), fake("dies at uci", "bad")).run()


def test_a_slow_engine_loses_on_time() -> None:
    """By its own clock."""
    match = small(fake("is slow", "slow"), fake(), games=2)
    match.pace = Pace(clock=(0.2, 0.0), grace=0.05)
    summary = match.run()
    assert (summary.losses, summary.games) == (2, 2)
    assert {game.fault for game in match.played.values()} == {None}


def test_the_sequential_test_ends_a_match() -> None:
    """As soon as it is decided."""
    match = small(fake("illegal move", "bad"), fake(), games=20)
    match.sprt = Sprt(0, 300)
    summary = match.run()
    assert match.verdict == "elo0"
    assert summary.games < 20


@pytest.mark.parametrize(
    ("games", "second", "message"), [(0, "b", "games"), (21, "b", "1 to 20"), (2, "a", "name")]
)
def test_impossible_matches_are_refused(games: int, second: str, message: str) -> None:
    """More games than openings would repeat some."""
    with pytest.raises(wari.InvalidValueError, match=message):
        small(fake(name="a"), fake(name=second), games)


def test_a_file_that_is_not_of_this_match_is_left_alone(tmp_path: Path) -> None:
    """Of another match, of no match, or no game at all."""
    path = tmp_path / "games.ogn"
    small(fake(name="a"), fake(name="b"), games=1, path=path).run()
    ours = path.read_text()
    other = small(fake(name="a"), fake(name="b"), games=1, path=path)
    other.pace = Pace(depth=3)
    for text in (ours, ours + "\n" + wari.Game("abapa").to_ogn() + "\n" + ours, "hello", "F f *"):
        path.write_text(text)
        with pytest.raises(wari.InvalidValueError, match="file"):
            other.run()
        assert path.read_text() == text


def test_a_file_cut_off_anywhere_is_taken_up_again(tmp_path: Path) -> None:
    """At every place of its last game."""
    path = tmp_path / "games.ogn"
    match = small(fake(name="a"), fake(name="b"), games=2, path=path)
    match.run()
    text = path.read_text()
    second = text.index("[Variant", 1)
    for end in (*range(0, second - 2, 7), *range(second - 1, len(text) - 1, 7)):
        path.write_text(text[:end])
        again = small(fake(name="a"), fake(name="b"), games=2, path=path)
        again.resume()
        assert set(again.played) <= {0, 1}, end
        assert (0 in again.played) or end < second - 1, end
        assert (1 not in again.played) or end > len(text) - 30, end
        assert [again.played[n] for n in again.played] == [match.played[n] for n in again.played]
    path.write_text(text[: second + 300])
    again = small(fake(name="a"), fake(name="b"), games=2, path=path)
    again.run()
    assert path.read_text() == text


# --- the command ---------------------------------------------------------------------------------


def games_in(path: Path) -> list[ogn.Record]:
    """The whole games of a file."""
    return list(ogn.read(path, errors=[])) if path.exists() else []


def test_a_match_killed_half_way_is_resumed(tmp_path: Path) -> None:
    """Twenty games between two processes of `wari uci`: all distinct, and the totals are right."""
    path = tmp_path / "games.ogn"
    command = [*WARI, "wari Hash=1", "wari Hash=2", "--name1", "wari", "--games", "20"]
    command += ["--depth", "3", "--json", "--output", str(path)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while len(games_in(path)) < 8 and child.poll() is None:
        time.sleep(0.01)
    child.kill()
    child.wait()
    before = games_in(path)
    assert 8 <= len(before) < 20
    with path.open("a") as file:
        file.write("\n" + path.read_text()[:300])
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    report = json.loads(done.stdout)
    records = games_in(path)
    assert records[: len(before)] == before
    assert sorted(int(record.tags["Round"]) for record in records) == list(range(1, 21))
    assert len({(record.line.letters, record.tags["South"]) for record in records}) == 20
    wins = sum(
        result.winner is not None
        and record.tags["South" if result.winner == "S" else "North"] == "wari"
        for record in records
        if (result := record.game().result)
    )
    draws = sum(result.winner is None for r in records if (result := r.game().result))
    assert (report["wins"], report["draws"], report["games"]) == (wins, draws, 20)
    assert report["score"] == pytest.approx((wins + draws / 2) / 20)


@pytest.mark.parametrize("times", [1, 5])
def test_ctrl_c_ends_the_match_and_its_engines(tmp_path: Path, times: int) -> None:
    """With the results so far and exit code 130; pressed again meanwhile, it changes nothing."""
    path = tmp_path / "games.ogn"
    command = [*WARI, f"{sys.executable} {FAKE}", "wari", "--games", "200", "--time", "0.02"]
    child = subprocess.Popen(
        [*command, "--output", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(games_in(path)) < 2 and child.poll() is None:
        time.sleep(0.01)
    for _ in range(times):
        child.send_signal(signal.SIGINT)
        time.sleep(0.02)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, err.strip()) == (130, "wari: interrupted")
    assert "score  " in out
    deadline = time.monotonic() + 10
    while runs(str(FAKE)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not runs(str(FAKE))


def runs(text: str) -> bool:
    """Whether a process with that text in its command line runs."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text.encode() in entry.read_bytes():
                return True
        except OSError:
            continue
    return False


def test_the_report_and_the_exit_code_of_a_test(tmp_path: Path) -> None:
    """Aligned lines; 1 where the first engine is not stronger."""
    openings = tmp_path / "openings.txt"
    openings.write_text("".join(f"abapa {line}\n" for line in random_openings(ABAPA, 40)))
    bad = f"{sys.executable} {FAKE} 'illegal move'"
    good = f"{sys.executable} {FAKE}"
    options = ("--name1", "one", "--name2", "two", "--depth", "1")
    for first, second, code in ((bad, good, 1), (good, bad, 0)):
        done = subprocess.run(
            [*WARI, first, second, *options, "--openings", str(openings), "--sprt", "0,300"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (done.returncode, done.stderr) == (code, "")
        lines = done.stdout.splitlines()
        assert lines[0].startswith("game    1  one ")
        names = [line.split()[0] for line in lines if not line.startswith("game ")]
        assert names == ["match", "rules", "games", "score", "elo", "seeds", "faults", "sprt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wari"], "second"),
        (["wari", "'"], "engine"),
        (["wari", "wari", "--clock", "0+1"], "clock: expected seconds such as 60+0.5"),
        (["wari", "wari", "--sprt", "5,0"], "sprt: expected two Elo"),
        (["wari", "wari", "--set1", "Hash"], "NAME=VALUE"),
        (["wari", "wari", "--rules", "kalah"], "kalah"),
        (["wari Hash=x", "wari", "--games", "2"], "Hash"),
        (["/no/such/engine", "wari", "--games", "2"], "cannot start '/no/such/engine'"),
        (["true", "wari", "--games", "2"], "the engine 'true' has ended (code 0)"),
        (["wari", "true", "--games", "2"], "the engine 'true' has ended (code 0)"),
        ([f"{sys.executable} -c pass", "wari", "--games", "2", "--nodes", "9"], "has ended (code"),
        (["wari", f"{sys.executable} -c pass", "--games", "2", "--nodes", "9"], "has ended (code"),
    ],
)
def test_bad_arguments_are_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    """As for every command."""
    done = subprocess.run(
        [*WARI, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("wari: error: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_a_reader_that_goes_away_ends_the_match() -> None:
    """Quietly, as other programs do, though an engine that goes away is told."""
    command = [*WARI, f"{sys.executable} {FAKE}", "wari", "--games", "200", "--depth", "1"]
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**CLEAN, "PYTHONUNBUFFERED": "1"},
    )
    assert child.stdout is not None
    assert child.stderr is not None
    assert child.stdout.readline().startswith(b"game    1")
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(60) == -signal.SIGPIPE


def test_a_terminal_gets_a_live_table() -> None:
    """Instead of a line for each game; Ctrl-C ends it."""
    good = f"{sys.executable} {FAKE}"
    options = ("--name1", "one", "--name2", "two", "--time", "0.01")
    with Terminal("match", good, good, *options, "--games", "1000") as terminal:
        terminal.expect(" of 1000")
        terminal.expect(" of 1000")
        assert "game    1" not in terminal.text
        terminal.type("\x03")
        assert terminal.code() == 130
        assert "wari: interrupted" in terminal.text
