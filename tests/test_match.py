"""Matches between processes: every game counted once, whatever happens to engines or the match."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import wari
from cli_tools import CLEAN, Terminal, call
from wari import ogn
from wari.cli import main
from wari.match import (
    EngineCommand,
    Match,
    Overruns,
    Pace,
    PlayerSpec,
    Sprt,
    random_openings,
)

pytestmark = pytest.mark.process

ABAPA = wari.Rules.preset("abapa")
FAKE = Path(__file__).with_name("fake_engine.py")
WARI = [sys.executable, "-m", "wari", "match"]


def fake(fault: str = "", name: str = "fake") -> EngineCommand:
    """The fake engine with a fault."""
    return EngineCommand(name, (sys.executable, str(FAKE), fault))


def small(first: PlayerSpec, second: PlayerSpec, games: int = 4, path: Path | None = None) -> Match:
    """A match of a few quick games."""
    openings = random_openings(ABAPA, 10)
    return Match(first, second, Pace(depth=2), ABAPA, openings, games, path)


# --- matches -------------------------------------------------------------------------------------


def test_every_opening_is_played_from_both_sides(tmp_path: Path) -> None:
    """And the file has what was counted."""
    path = tmp_path / "games.ogn"
    match = small(fake(name="a"), fake(name="b"), games=4, path=path)
    reported: list[int] = []
    summary = match.run(lambda played: reported.append(played.number))
    assert reported == [0, 1, 2, 3]
    # The two are the same program, so each pair is worth a half.
    assert match.pair_scores() == [0.5, 0.5]
    assert (summary.score, summary.margin) == (0.5, 0.0)
    records = list(ogn.read(path))
    assert [record.tags["South"] for record in records] == ["a", "b", "a", "b"]
    assert [record.notes for record in records] == [[]] * 4
    for record, opening in zip(records, (0, 0, 1, 1), strict=True):
        assert record.line.letters.startswith(match.openings[opening])


@pytest.mark.parametrize("games", [5, pytest.param(9, marks=pytest.mark.slow)])
def test_games_at_once_are_the_same_games(games: int) -> None:
    """Three pairs of engines."""
    one, three = (small(fake(name="a"), fake(name="b"), games) for _ in range(2))
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
    match.pace = Pace(clock=(0.2, 0.0), time_margin=0.05)
    summary = match.run()
    assert (summary.losses, summary.games) == (2, 2)
    for game in match.played.values():
        assert re.fullmatch(r"slow: lost on time, 0\.\d{3} s over", game.fault or "")
        assert game.overruns[0].longest > 0.05
        assert game.result == ("0-1" if game.first_is_south else "1-0")
    assert match.overruns[0].longest > 0.05
    assert match.overruns[0].moves == sum(game.overruns[0].moves for game in match.played.values())
    assert match.overruns[1] == sum((g.overruns[1] for g in match.played.values()), Overruns())
    assert match.overruns[1].longest < 0.05


def test_overruns_are_counted_and_lose_beyond_the_margin(tmp_path: Path) -> None:
    """Every move takes more than a microsecond; the file keeps the count."""
    for margin, lost in ((30.0, False), (0.0, True)):
        path = tmp_path / f"{margin}.ogn"
        match, again = (small(fake(name="a"), fake(name="b"), 2, path) for _ in range(2))
        match.pace = again.pace = Pace(time=1e-6, time_margin=margin)
        match.run()
        again.resume()
        assert again.played == match.played
        assert again.overruns == match.overruns
        for record, game in zip(ogn.read(path), match.played.values(), strict=True):
            assert record.notes == []
            own = len(record.line.moves) - 8  # the opening has eight plies
            assert sum(over.moves for over in game.overruns) == (1 if lost else own)
            assert (game.fault is not None) == lost
            if lost:
                assert record.tags["Termination"] == "time of South"
                assert record.tags["Result"] == record.line.result == game.result == "0-1"
                assert re.fullmatch(r"[ab]: lost on time, \d\.\d{3} s over", record.tags["Fault"])
        assert match.summary.score == 0.5
        assert match.overruns != (Overruns(), Overruns())


def test_overruns_and_lost_games_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """In the table and in JSON."""
    command = ["match", f"{sys.executable} {FAKE}", f"{sys.executable} {FAKE} ''"]
    command += ["--name1", "a", "--name2", "b", "--games", "2", "--time", "1e-6"]
    assert main([*command, "--time-margin", "0"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^game    1  a 0-1 b  0/1  a: lost on time, \d\.\d{3} s over$", out, re.M)
    assert re.search(r"^game    2  b 0-1 a  1/2  b: lost on time, \d\.\d{3} s over$", out, re.M)
    assert re.search(r"^faults 2 games ended by an engine's fault$", out, re.M)
    late = (
        r"^late   a 1 moves \(at most \d\.\d{3} s over\), b 1 moves \(at most \d\.\d{3} s over\)$"
    )
    assert re.search(late, out, re.M)
    assert main([*command, "--time-margin", "0", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [over["moves"] for over in report["overruns"]] == [1, 1]
    assert [game["result"] for game in report["games_played"]] == ["0-1", "0-1"]
    assert len(report["faults"]) == 2


@pytest.mark.parametrize("stranger", [0, 1])
def test_rules_that_an_engine_does_not_know_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stranger: int
) -> None:
    """Before the first game, whichever it is; no game counts for the other one."""
    engines = [f"{sys.executable} {FAKE} 'knows rules'", f"{sys.executable} {FAKE}"]
    path = tmp_path / "games.ogn"
    names = ["--name1", "one", "--name2", "two", "--depth", "1", "--output", str(path)]
    first, second = engines[:: -1 if stranger == 0 else 1]
    assert main(["match", first, second, "--rules", "wari", "--games", "2", *names]) == 2
    out, err = capsys.readouterr()
    assert (out, path.exists()) == ("", False)
    assert err == "wari: error: this engine knows no other rules than abapa, so not wari\n"


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


def begun(path: Path) -> int:
    """The games that begin in a file."""
    return path.read_bytes().count(b"[Variant ") if path.exists() else 0


@pytest.mark.parametrize("games", [12, pytest.param(20, marks=pytest.mark.slow)])
def test_a_match_killed_half_way_is_resumed(tmp_path: Path, games: int) -> None:
    """Games between two processes of `wari uci`: all distinct, and the totals are right."""
    path = tmp_path / "games.ogn"
    command = [*WARI, "wari Hash=1", "wari Hash=2", "--name1", "wari", "--games", str(games)]
    command += ["--depth", "2", "--json", "--output", str(path)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while begun(path) < games // 2 - 1 and child.poll() is None:
        time.sleep(0.01)
    child.kill()
    child.wait()
    before = games_in(path)
    assert games // 2 - 2 <= len(before) < games
    with path.open("a") as file:
        file.write("\n" + path.read_text()[:300])
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    report = json.loads(done.stdout)
    records = games_in(path)
    assert records[: len(before)] == before
    assert sorted(int(record.tags["Round"]) for record in records) == list(range(1, games + 1))
    assert len({(record.line.letters, record.tags["South"]) for record in records}) == games
    wins = sum(
        result.winner is not None
        and record.tags["South" if result.winner == "S" else "North"] == "wari"
        for record in records
        if (result := record.game().result)
    )
    draws = sum(result.winner is None for r in records if (result := r.game().result))
    assert (report["wins"], report["draws"], report["games"]) == (wins, draws, games)
    assert report["score"] == pytest.approx((wins + draws / 2) / games)


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
    while begun(path) < 2 and child.poll() is None:
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
    script = tmp_path / "bad.py"
    script.write_text(
        "import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n"
        "    if word == 'quit': break\n"
        "    said = {'uci': 'uciok', 'isready': 'readyok', 'go': 'bestmove Z'}.get(word)\n"
        "    if said: print(said, flush=True)\n"
    )
    bad = f"{sys.executable} -I {script}"
    good = f"{sys.executable} {FAKE}"
    options = ("--name1", "one", "--name2", "two", "--depth", "1")
    for first, second, code in ((bad, good, 1), (good, bad, 0)):
        done = call(
            "match", first, second, *options, "--openings", str(openings), "--sprt", "0,300"
        )
        assert (done.code, done.err) == (code, "")
        lines = done.out.splitlines()
        assert lines[0].startswith("game    1  one ")
        names = [line.split()[0] for line in lines if not line.startswith("game ")]
        assert names == ["match", "rules", "games", "score", "elo", "seeds", "faults", "sprt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wari"], "second: missing; usage: wari match [OPTIONS] FIRST SECOND"),
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
    done = call("match", *arguments)
    assert done.code == 2
    assert done.err.startswith("wari: error: ")
    assert done.err.count("\n") == 1
    assert message in done.err


def test_a_reader_that_goes_away_ends_the_match() -> None:
    """Quietly, as other programs do, though an engine that goes away is sent lines."""
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
