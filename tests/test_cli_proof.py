"""`wari solve --proof`: nothing that was proved is lost, whatever happens to the run."""

import os
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest
import wari
from cli_tools import CLEAN, WARI, call, let_work
from wari._files import held

SMALL = "1-2-1-0-1-2-1-1-2-1-0-1-0-0-S"
LONG = ("--rules", "awari", "--tablebase", "none")


def solve(path: Path, *more: str, position: str = SMALL) -> tuple[int, str, str]:
    """One short stretch of work on a proof."""
    words = ("solve", position, *LONG, "--proof", str(path), "--hash", "8", *more)
    done = call(*words)
    return done.code, done.out, done.err


def test_a_proof_goes_on_through_a_link_and_keeps_its_mode(tmp_path: Path) -> None:
    """The file that the link leads to is written, and nobody may read it who might not before."""
    kept, link = tmp_path / "kept.proof", tmp_path / "link.proof"
    link.symlink_to(kept.name)
    assert solve(link, "--nodes", "2000")[0] == 1
    assert link.is_symlink()
    assert kept.is_file()
    before = kept.read_bytes()
    kept.chmod(0o600)
    code, out, _ = solve(link, "--nodes", "5000000")
    assert (code, out.startswith("South to move: win by ")) == (0, True)
    assert link.is_symlink()
    assert kept.read_bytes() != before
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.proof", "link.proof"]


def test_a_new_proof_has_the_mode_of_new_files(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    path = tmp_path / "new.proof"
    solve(path, "--nodes", "2000")
    assert path.stat().st_mode == plain.stat().st_mode


def test_less_memory_than_a_proof_needs_is_refused(tmp_path: Path) -> None:
    """With the number that is enough, and the file stays as it was."""
    path = tmp_path / "large.proof"
    start = wari.Position("awari")
    with wari.Engine(hash_mb=16, tablebase=None) as engine:
        engine.solve(start, nodes=600_000)
        engine.save_proof(path)
    before = path.read_bytes()
    code, out, err = solve(path, "--hash", "1", "--nodes", "1000", position=str(start))
    assert (code, out) == (2, "")
    assert err.startswith(f"wari: error: hash: {path} holds what takes ")
    assert path.read_bytes() == before
    enough = err.split()[-2]
    assert 2 < int(enough) <= 16
    code, out, err = solve(path, "--hash", enough, "--nodes", "1000", position=str(start))
    assert (code, err) == (1, "")
    assert path.stat().st_size >= len(before)
    with (
        wari.Engine(hash_mb=int(enough) // 2, tablebase=None) as engine,
        pytest.raises(wari.NotEnoughMemoryError, match=rf"^hash_mb: .* {enough} MiB"),
    ):
        engine.load_proof(path)


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_keeps_what_is_proved(tmp_path: Path, number: int) -> None:
    """And while the work goes on, no second process touches the file."""
    path = tmp_path / "long.proof"
    words = [WARI, "solve", *LONG, "--proof", str(path), "--time", "60", "--hash", "8"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=CLEAN, text=True) as process:
        try:
            end = time.monotonic() + 30
            while not Path(f"{path}.in-use").exists() and time.monotonic() < end:
                time.sleep(0.05)
            let_work(process, 0.4)
            other = solve(path, "--nodes", "1000", position=str(wari.Position("awari")))
            assert other == (2, "", f"wari: error: proof: {path}: in use by another process\n")
            process.send_signal(number)
            out, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == (130 if number == signal.SIGINT else 128 + number)
    assert out.startswith("South to move: unknown")
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    with wari.Engine(hash_mb=8, tablebase=None) as engine:
        assert engine.load_proof(path) == wari.Position("awari")


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    """A file that is left by a kill locks nothing; a folder that is not there is reported."""
    path = tmp_path / "one.proof"
    Path(f"{path}.in-use").touch()
    with held(path) as ours, held(path) as twice:
        assert (ours, twice) == (True, False)
    assert list(tmp_path.iterdir()) == []
    code, _, err = solve(tmp_path / "none" / "x.proof")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("wari: error: proof: ")


@pytest.mark.skipif(os.name != "posix", reason="modes are those of Unix")
def test_games_are_never_readable_by_others_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private file is private from its first byte on; a new one has the mode of new files."""
    path, plain = tmp_path / "game.json", tmp_path / "plain"
    plain.touch()
    game = wari.Game("abapa")
    game.save(path)
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o600)
    modes: list[int] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        modes.append(os.fstat(descriptor).st_mode & 0o777)
        sync(descriptor)

    opened: list[int] = []
    open_ = os.open

    def open_noted(name: str, flags: int, mode: int = 0o777) -> int:
        opened.append(mode)
        return open_(name, flags, mode)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "open", open_noted)
    game.save(path)
    assert (opened[0], modes[0]) == (0o600, 0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
