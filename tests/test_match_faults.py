"""Matches with engines that are silent, noisy or mortal, and with names that files cannot keep."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import wari
from cli_tools import CLEAN
from test_match import FAKE, WARI, fake, runs, small
from wari import ogn
from wari.match import EngineCommand, Pace, duel
from wari.uci import process

pytestmark = pytest.mark.process


def scripted(at_go: str, name: str) -> EngineCommand:
    """An engine that runs a line of Python at `go`."""
    program = f"""
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("uciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go": {at_go}
    elif word == "quit": break
"""
    return EngineCommand(name, (sys.executable, "-c", program))


def test_an_engine_that_says_nothing_loses_where_no_time_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once the patience is at an end, and so does one that never stops talking."""
    flood = "[time.sleep(0.001) or print('info depth 1', flush=True) for _ in iter(int, 1)]"
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    for at_go in ("pass", flood):
        match = small(fake(), scripted(at_go, "odd"), games=2)
        match.pace = Pace(depth=2, patience=0.25)
        summary = match.run()
        assert (summary.wins, summary.games) == (2, 2)
        faults = [game.fault or "" for game in match.played.values()]
        assert all("odd: " in fault and "bestmove in time" in fault for fault in faults)
    assert str(match.pace) == "2 plies a move"
    assert Pace().patience == 300


def test_the_patience_is_for_the_start_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some engines need seconds to begin; each has ten, however short the patience."""
    script = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": time.sleep(0.5); print("uciok", flush=True)
    elif word == "isready": time.sleep(0.5); print("readyok", flush=True)
    elif word == "go": print("bestmove Z", flush=True)
    elif word == "quit": break
"""
    slow = EngineCommand("slow", (sys.executable, "-c", script))
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    assert duel._AFTER_ITS_TIME == 10.0
    monkeypatch.setattr(duel, "_AFTER_ITS_TIME", 0.1)
    match = small(slow, fake(), games=1)
    match.pace = Pace(depth=2, patience=0.1)
    with pytest.raises(wari.uci.EngineTimeoutError, match="did not say uciok in time"):
        match.run()
    match.pace = Pace(depth=2, patience=30.0)
    assert match.run().games == 1
    assert "answered 'bestmove Z'" in (match.played[0].fault or "")
    monkeypatch.setattr(duel, "_AFTER_ITS_TIME", 30.0)
    match = small(slow, fake(), games=1)
    match.pace = Pace(depth=2, patience=0.1)
    assert match.run().games == 1


def test_silence_is_a_loss_on_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a resignation, in the file as well."""
    monkeypatch.setattr(process, "PATIENCE", 0.2)
    monkeypatch.setattr(duel, "_AFTER_ITS_TIME", 0.2)
    path = tmp_path / "games.ogn"
    match = small(scripted("pass", "silent"), fake(), games=1, path=path)
    match.pace = Pace(time=0.05, patience=20.0)
    match.run()
    record = ogn.first(path.read_text())
    assert record.tags["Termination"] == "time of South"
    assert record.tags["Result"] == match.played[0].result == "0-1"
    assert "did not say bestmove in time" in record.tags["Fault"]


def test_what_an_engine_said_last_is_kept_without_its_commands(tmp_path: Path) -> None:
    """Cut short and escaped, and so read again as it was counted."""
    words = "sys.stderr.write(chr(27) + '[31m' + 'x' * 5000 + chr(0x2028) + 'y'); sys.exit(3)"
    path = tmp_path / "games.ogn"
    match, again = (small(scripted(words, "odd"), fake(), 1, path) for _ in range(2))
    match.run()
    again.resume()
    assert again.played == match.played
    fault = match.played[0].fault or ""
    assert fault.isprintable()
    assert len(fault) == 500
    assert "\\x1b" not in path.read_text().replace("\\\\x1b", "")


def test_an_engine_that_dies_between_games_is_started_again() -> None:
    """It has lost nothing by that."""
    program = FAKE.read_text().replace('command == "isready":', 'command == "isready" and begin():')
    program = program.replace(
        "def main(",
        "def begin() -> bool:\n    global asked\n    asked += 1\n    "
        "return asked < 2 or sys.exit(9)\n\n\nasked = 0\n\n\ndef main(",
    )
    match = small(fake(), EngineCommand("mortal", (sys.executable, "-c", program)), games=4)
    summary = match.run()
    assert summary.games == 4
    assert {game.fault for game in match.played.values()} == {None}


@pytest.mark.process
def test_what_an_engine_says_last_commands_nothing_in_the_file(tmp_path: Path) -> None:
    """Its words are kept, escaped."""
    path = tmp_path / "games.ogn"
    at_go = "sys.exit(chr(27) + ']0;x' + chr(7) + chr(0x202E) + ' [end] \"x\" ')"
    match = small(fake(), scripted(at_go, "odd"), games=1, path=path)
    match.run()
    text = path.read_text(encoding="utf-8")
    assert r"\\x1b]0;x\\x07\\u202e [end]" in text
    assert all(line.isprintable() for line in text.splitlines())
    (record,) = wari.ogn.read(path)
    assert r"\x1b]0;x\x07\u202e [end] " in record.tags["Fault"]


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "\x00", "a\u2028b"], ids=ascii)
def test_names_that_no_file_gives_back_are_refused(name: str) -> None:
    """They could not be counted when the match goes on."""
    with pytest.raises(wari.InvalidValueError, match="^name: .* cannot be kept") as caught:
        small(fake(name=name), fake(name="b"))
    assert caught.value.field == "name"
    assert EngineCommand.parse("engine 'a\nb'").name == "engine 'a b'"


@pytest.mark.parametrize("name", ['x"]y', "a\\", " a", "\u00e9 {", "%x; $5"], ids=ascii)
def test_games_under_odd_names_are_counted_again(tmp_path: Path, name: str) -> None:
    """To the right side."""
    path = tmp_path / "games.ogn"
    match, again = (
        small(fake(name=name), fake("illegal move", "b"), games=2, path=path) for _ in range(2)
    )
    match.run()
    again.resume()
    assert again.summary == match.summary
    assert again.summary.wins == 2


@pytest.mark.parametrize("silent_at", ["uci", "go"])
def test_one_ctrl_c_ends_a_match_with_a_silent_engine(tmp_path: Path, silent_at: str) -> None:
    """At once: it is not waited for."""
    script = tmp_path / "silent.py"
    script.write_text(
        "import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n"
        f"    if word == {silent_at!r}: open(sys.argv[0] + '.heard', 'w').close()\n"
        "    elif word == 'uci': print('uciok', flush=True)\n"
        "    elif word == 'isready': print('readyok', flush=True)\n"
    )
    command = [*WARI, "wari", f"{sys.executable} {script}", "--games", "2", "--nodes", "100"]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=CLEAN
    )
    while not script.with_name("silent.py.heard").exists() and child.poll() is None:
        time.sleep(0.01)
    began = time.monotonic()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err.strip()) == (130, "wari: interrupted")
    assert time.monotonic() - began < 2
    assert not runs(str(script))
