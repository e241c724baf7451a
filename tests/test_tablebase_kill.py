"""Builds that are interrupted: killed, stopped by Ctrl-C, or met by a second builder.

It opens and holds what it should, or it is absent.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

import pytest
import wari

pytestmark = pytest.mark.process

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
# Ends the proof when it has begun: by a signal, or by leaving it no memory.
END_THE_PROOF = """
import os, resource, signal, sys, wari
path, seeds, how = sys.argv[1:]

def report(at):
    if not at.verifying:
        return
    if how != "no memory":
        os.kill(os.getpid(), getattr(signal, how))
        return
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size, size))

try:
    wari.Tablebase.build(int(seeds), path=path, threads=1, progress=report)
except MemoryError:
    sys.exit(9)
except KeyboardInterrupt:
    sys.exit(130)
"""
SEEDS, MORE_SEEDS = 12, 13  # of a table in the default run, and in the slow one
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


def build_seconds(tmp_path: Path, rules: str, seeds: int) -> float:
    started = time.monotonic()
    process = builder(tmp_path / "timed.wtb", rules, seeds=seeds)
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


@pytest.mark.parametrize(
    ("kills", "seeds"), [(2, SEEDS), pytest.param(20, MORE_SEEDS, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("rules", ["awari", "abapa"])
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX systems")
def test_killed_at_random_moments(tmp_path: Path, rules: str, kills: int, seeds: int) -> None:
    path = tmp_path / "killed.wtb"
    seconds = build_seconds(tmp_path, rules, seeds)
    moment = random.Random(kills)
    for _ in range(kills):
        process = builder(path, rules, seeds=seeds)
        time.sleep(moment.uniform(0, seconds))
        process.send_signal(signal.SIGKILL)
        ends(process)
        if path.exists():
            table = wari.Tablebase.open(path, rules=rules)
            assert table.seeds == seeds
            table.verify()
            path.unlink()
    # What was left behind does not disturb the next build, and the result is the same bytes.
    assert ends(builder(path, rules, seeds=seeds)) == (0, "")
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


# --- proofs that were not done --------------------------------------------------------------------


def proofs(path: Path, seeds: int) -> int:
    """How many reports on verifying a build of the file gives."""
    heard: list[wari.BuildProgress] = []
    table = wari.Tablebase.build(seeds, path=path, progress=heard.append)
    assert table.verified == "rebuilt"
    assert wari.Tablebase.open(path).verified == "rebuilt"
    return sum(at.verifying for at in heard)


@pytest.mark.skipif(sys.platform != "linux", reason="the size of the process is read from /proc")
@pytest.mark.parametrize(
    ("how", "code"), [("SIGKILL", -signal.SIGKILL), ("SIGINT", 130), ("no memory", 9)]
)
def test_a_proof_that_was_cut_off_is_done_by_the_next_build(
    tmp_path: Path, how: str, code: int
) -> None:
    path = tmp_path / "cut.wtb"
    command = [sys.executable, "-c", END_THE_PROOF, str(path), str(SEEDS), how]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (code, "")
    assert [entry.name for entry in tmp_path.iterdir() if entry.suffix != ".lock"]
    if path.exists():
        assert wari.Tablebase.open(path).verified is None
    assert proofs(path, SEEDS) > 0
    assert proofs(path, SEEDS) == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["cut.wtb"]


def test_an_unverified_table_is_verified_when_a_build_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "unverified.wtb"
    assert wari.Tablebase.build(7, path=path, verify=False).verified is None
    whole = path.read_bytes()
    assert wari.Tablebase.build(7, path=path, verify=False).verified is None
    assert path.read_bytes() == whole
    assert proofs(path, 5) > 0  # the whole file, no layer is lost
    assert wari.Tablebase.open(path).seeds == 7
    assert path.read_bytes()[:-32] == whole[:-32]
    larger = wari.Tablebase.build(8, path=path, verify=False)
    assert larger.verified is None
    assert proofs(path, 8) > 0


def test_a_saved_table_says_how_it_was_verified(tmp_path: Path) -> None:
    levels: tuple[Literal["rebuilt", "full"] | None, ...] = (None, "rebuilt", "full")
    for level in levels:
        path = tmp_path / f"{level}.wtb"
        wari.Tablebase.build(4, verify=level or False).save(path)
        assert wari.Tablebase.open(path).verified == level


def test_a_larger_unverified_table_is_not_lost_to_a_stop(tmp_path: Path) -> None:
    path = tmp_path / "kept.wtb"
    wari.Tablebase.build(9, path=path, verify=False)
    whole = path.read_bytes()

    def stop(at: wari.BuildProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wari.Tablebase.build(9, path=path, progress=stop)
    assert path.read_bytes() == whole
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept.wtb"]


def test_two_builders_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "both.wtb"
    first = builder(path)
    wait_for_lock(path)
    refused = builder(path, wait="no")
    waiting = builder(path)
    code, errors = ends(refused)
    assert code == 0 or "another process is building this table" in errors
    assert ends(first) == (0, "")
    assert ends(waiting) == (0, "")
    assert [entry.name for entry in tmp_path.iterdir()] == ["both.wtb"]
    assert wari.Tablebase.open(path).seeds == SEEDS
