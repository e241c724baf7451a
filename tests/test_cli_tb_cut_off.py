"""`wari tb build` cut off: by Ctrl-C, a kill, a full disk, a second builder."""

import fcntl
import os
import random
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import wari
from cli_tools import CLEAN, WARI, Run, Terminal, run

pytestmark = pytest.mark.process

SEEDS, MORE_SEEDS = 12, 13  # of a table in the default run, and in the slow one
BUILD = ("tb", "build", "--rules", "awari", "--no-verify")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that is there."""
    monkeypatch.setenv("WARI_CACHE", str(tmp_path))
    monkeypatch.setitem(CLEAN, "WARI_CACHE", str(tmp_path))
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [WARI, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CLEAN, text=True
    )


# --- Ctrl-C ---------------------------------------------------------------------------------------


def test_ctrl_c_keeps_what_is_finished_and_says_so(folder: Path) -> None:
    path = folder / "awari-value.wtb"
    with Terminal(*BUILD, "--seeds", "21", WARI_CACHE=str(folder), COLUMNS="200") as terminal:
        terminal.expect("layers 0 to 21")
        terminal.expect("million boards.")
        terminal.expect("building")
        terminal.expect("layer 1", seconds=60)
        for _ in range(4):  # the first one counts
            terminal.type("\x03")
            time.sleep(0.02)
        terminal.expect("the same command goes on from there")
        terminal.expect("wari: interrupted")
        assert terminal.code() == 130
        assert "Traceback" not in terminal.text
    assert names(folder) == [path.name]
    kept = wari.Tablebase.open(path)
    assert f"holds the layers up to {kept.seeds} seeds" in terminal.text
    assert 0 < kept.seeds < 21
    if kept.seeds <= MORE_SEEDS:
        kept.verify()
    assert run(*BUILD, "--seeds", str(kept.seeds)).out.count("nothing to build") == 1


def test_ctrl_c_in_the_first_moments_leaves_nothing(folder: Path) -> None:
    """Before a layer is done there is nothing to keep."""
    process = started(*BUILD, "--seeds", "21")
    lock = folder / "awari-value.wtb.lock"
    while not lock.exists() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.endswith("wari: interrupted\n")
    assert names(folder) in ([], ["awari-value.wtb"])
    if names(folder):
        assert wari.Tablebase.open(folder / "awari-value.wtb").seeds < 21


def test_the_bar_is_drawn_on_a_terminal_only(folder: Path) -> None:
    with Terminal("tb", "build", "--rules", "awari", "--seeds", "11", COLUMNS="120") as terminal:
        terminal.expect("building")
        terminal.expect("boards/s")
        terminal.expect("verifying")
        terminal.expect("verified (rebuilt) in")
        assert terminal.code() == 0
    assert run("tb", "verify", "--rules", "awari").err == ""
    assert names(folder) == ["awari-value.wtb"]


# --- kills ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kills", "seeds"), [(2, SEEDS), pytest.param(25, MORE_SEEDS, marks=pytest.mark.slow)]
)
def test_killed_at_random_moments(folder: Path, kills: int, seeds: int) -> None:
    """What is found afterwards opens and is right, or there is nothing; the next build finishes."""
    path = folder / "awari-value.wtb"
    began = time.monotonic()
    assert run(*BUILD, "--seeds", str(seeds)).code == 0
    seconds = time.monotonic() - began
    whole = path.read_bytes()
    moments = random.Random(kills)
    for _ in range(kills):
        path.unlink(missing_ok=True)
        process = started(*BUILD, "--seeds", str(seeds))
        time.sleep(moments.uniform(0.2, 1) * seconds)
        process.kill()
        process.communicate()
        if path.exists():
            table = wari.Tablebase.open(path, rules="awari")
            assert table.seeds == seeds
            table.verify()
    assert run(*BUILD, "--seeds", str(seeds)).code == 0
    assert path.read_bytes() == whole
    assert names(folder) == [path.name]


# --- a full disk ----------------------------------------------------------------------------------


def at_most(size: int) -> Callable[[], None]:
    """No file of the process grows larger: to a program this looks as a full disk does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def check_full(result: Run) -> None:
    assert result.code == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("wari: error: ")
    assert "cannot write: File too large" in result.err


@pytest.mark.parametrize("size", [1, 100, 20_000])
def test_a_full_disk_leaves_nothing(folder: Path, size: int) -> None:
    check_full(run(*BUILD, "--seeds", "11", first=at_most(size)))
    assert names(folder) == []


@pytest.mark.parametrize("size", [100, 10_000, 40_000])
def test_a_full_disk_leaves_the_old_file(folder: Path, size: int) -> None:
    path = folder / "awari-value.wtb"
    assert run(*BUILD, "--seeds", "8").code == 0
    before = path.read_bytes()
    check_full(run(*BUILD, "--seeds", "11", first=at_most(size)))
    assert path.read_bytes() == before
    assert names(folder) == [path.name]


# --- two at once ----------------------------------------------------------------------------------


def test_a_second_builder_is_refused_or_waits(folder: Path) -> None:
    lock = folder / "awari-value.wtb.lock"
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    refused = run(*BUILD, "--seeds", "6", "--no-wait")
    assert refused.code == 2
    assert refused.err == f"wari: error: {lock}: another process is building this table\n"
    waiting = started(*BUILD, "--seeds", "6")
    assert waiting.stderr is not None
    line = waiting.stderr.readline()
    busy = f"wari: {lock}: another process is building this table"
    assert line == f"{busy}; waiting for it (Ctrl-C to stop)\n"
    assert waiting.poll() is None
    lock.unlink()  # as the other builder does at its end
    os.close(descriptor)
    out, errors = waiting.communicate(timeout=60)
    assert (waiting.returncode, errors) == (0, "")
    assert "layers 0 to 6" in out
    assert names(folder) == ["awari-value.wtb"]


def test_who_waits_can_be_interrupted(folder: Path) -> None:
    lock = folder / "awari-value.wtb.lock"
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    waiting = started(*BUILD, "--seeds", "6")
    assert waiting.stderr is not None
    assert "waiting" in waiting.stderr.readline()
    waiting.send_signal(signal.SIGINT)
    _, errors = waiting.communicate(timeout=60)
    os.close(descriptor)
    assert (waiting.returncode, errors.strip()) == (130, "wari: interrupted")


def test_two_builders_make_one_table(folder: Path) -> None:
    both = [started(*BUILD, "--seeds", "12") for _ in range(2)]
    for process in both:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert "layers 0 to 12" in out
    assert names(folder) == ["awari-value.wtb"]
    wari.Tablebase.open(folder / "awari-value.wtb").verify()
