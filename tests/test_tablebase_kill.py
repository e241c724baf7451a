"""Builds that are interrupted: killed, stopped by Ctrl-C, or met by a second builder.

Owns: what is found on the disk afterwards. It opens and holds what it should, or it is absent.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import wari

BUILD = """
import sys, wari
try:
    print("ready", flush=True)
    wari.Tablebase.build(seeds=int(sys.argv[2]), rules=sys.argv[3], path=sys.argv[1], verify=False,
                         wait=sys.argv[4] == "wait")
except KeyboardInterrupt:
    sys.exit(130)
except wari.BusyError as error:
    sys.exit(f"busy: {error}")
"""
SEEDS = 13
LONG = 18  # seeds of a table that takes seconds


def builder(
    path: Path, rules: str = "awari", wait: str = "wait", seeds: int = SEEDS
) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", BUILD, str(path), str(seeds), rules, wait]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def build_seconds(tmp_path: Path, rules: str) -> float:
    started = time.monotonic()
    process = builder(tmp_path / "timed.wtb", rules)
    assert ends(process) == (0, "")
    return time.monotonic() - started


def wait_for_lock(path: Path) -> None:
    """Until a builder is at work on the file, or has done it."""
    deadline = time.monotonic() + 60
    while not Path(f"{path}.lock").exists() and not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def ends(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=300)
    return process.returncode, errors


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", ["awari", "abapa"])
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX systems")
def test_killed_at_random_moments(tmp_path: Path, rules: str, kills: int) -> None:
    path = tmp_path / "killed.wtb"
    seconds = build_seconds(tmp_path, rules)
    moment = random.Random(kills)
    for _ in range(kills):
        process = builder(path, rules)
        time.sleep(moment.uniform(0, seconds))
        process.send_signal(signal.SIGKILL)
        ends(process)
        if path.exists():
            table = wari.Tablebase.open(path, rules=rules)
            assert table.seeds == SEEDS
            table.verify()
            path.unlink()
    # What was left behind does not disturb the next build, and the result is the same bytes.
    assert ends(builder(path, rules)) == (0, "")
    assert path.read_bytes() == (tmp_path / "timed.wtb").read_bytes()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["killed.wtb", "timed.wtb"]


def test_finished_layers_survive_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "resumed.wtb"
    wari.Tablebase.build(seeds=9, path=path, verify=False)
    path.rename(tmp_path / "resumed.wtb.part")  # as a killed build leaves it, but for its end mark
    heard: list[wari.BuildProgress] = []
    wari.Tablebase.build(seeds=10, path=path, progress=heard.append, verify=False)
    assert heard[0].layer == 10


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is of POSIX systems")
def test_ctrl_c_leaves_whole_layers_only(tmp_path: Path) -> None:
    path = tmp_path / "stopped.wtb"
    process = builder(path, seeds=LONG)
    wait_for_lock(path)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert ends(process) == (130, "")
    assert {entry.name for entry in tmp_path.iterdir()} <= {"stopped.wtb"}
    if path.exists():
        wari.Tablebase.open(path, rules="awari").verify()


def test_two_builders_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "both.wtb"
    first = builder(path)
    wait_for_lock(path)
    told = builder(path, wait="no")
    waiting = builder(path)
    code, errors = ends(told)
    assert code == 0 or "another process is building this table" in errors
    assert ends(first) == (0, "")
    assert ends(waiting) == (0, "")
    assert [entry.name for entry in tmp_path.iterdir()] == ["both.wtb"]
    assert wari.Tablebase.open(path).seeds == SEEDS
