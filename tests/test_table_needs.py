"""The memory that tables need, as promised before a build and as measured."""

import subprocess
import sys
from pathlib import Path

import pytest
import wari

pytestmark = pytest.mark.process

# Prints what a build added to the process, in bytes: the peak after it less the peak before it,
# read from /proc since ru_maxrss of a new process begins with the peak of the one that started it.
MEASURE = """
import re, sys, wari

def peak():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", file.read())[1]) * 1024

path, rules, seeds, threads, verify, packing = sys.argv[1:]
before = peak()
wari.Tablebase.build(int(seeds), rules, path=path or None, threads=int(threads),
                     verify=verify == "proved", packing=packing)
print(peak() - before)
"""
MIB = 1 << 20


def measured(path: Path | None, rules: str, seeds: int, threads: int, proof: str, pack: str) -> int:
    where = "" if path is None else str(path)
    command = [sys.executable, "-c", MEASURE, where, rules, str(seeds), str(threads), proof, pack]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(found.stdout)


def check(path: Path | None, rules: str, seeds: int, threads: int, proof: str, pack: str) -> None:
    needs = wari.Tablebase.needs(
        seeds,
        rules,
        threads=threads,
        verify=proof == "proved",
        file=path is not None,
        packing=pack,
    )
    used = measured(path, rules, seeds, threads, proof, pack)
    assert used <= needs.memory <= 1.5 * used, (needs.memory / MIB, used / MIB)
    if path is not None:
        assert path.stat().st_size <= needs.disk


measures = pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from /proc")


def rest(*values: object) -> object:
    """A case for the slow run."""
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.process
@measures
@pytest.mark.parametrize("proof", ["proved", rest("not proved")])
@pytest.mark.parametrize("kept", [rest("file"), "memory"])
@pytest.mark.parametrize(
    ("rules", "seeds"),
    [
        *(("awari", 14), rest("awari", 15), rest("awari", 17)),
        *(("abapa", 13), rest("abapa", 14), rest("abapa", 16)),
    ],
)
def test_needs_bound_the_measured_peak(
    tmp_path: Path, rules: str, seeds: int, kept: str, proof: str
) -> None:
    check(tmp_path / "a.wtb" if kept == "file" else None, rules, seeds, 1, proof, "auto")


@pytest.mark.process
@measures
@pytest.mark.parametrize("rules", ["awari", rest("abapa")])
@pytest.mark.parametrize("packing", [rest("auto"), "dense"])
@pytest.mark.parametrize("seeds", [13, rest(14)])
def test_needs_bound_the_peak_of_two_threads(
    tmp_path: Path, rules: str, packing: str, seeds: int
) -> None:
    check(tmp_path / "a.wtb", rules, seeds, 2, "proved", packing)


@measures
@pytest.mark.slow
@pytest.mark.parametrize("rules", [*wari.PRESETS, "awari,grand_slam=forbidden", "cairo,stuck=pass"])
@pytest.mark.parametrize("kept", ["file", "memory"])
def test_needs_bound_the_peak_of_every_preset(tmp_path: Path, rules: str, kept: str) -> None:
    check(tmp_path / "a.wtb" if kept == "file" else None, rules, 16, 2, "proved", "auto")


@pytest.mark.parametrize("kept", ["file", "memory"])
@pytest.mark.parametrize("proof", [True, False])
def test_too_little_memory_is_refused_before_any_work(
    tmp_path: Path, kept: str, proof: bool
) -> None:
    path = tmp_path / "a.wtb" if kept == "file" else None
    needs = wari.Tablebase.needs(10, threads=1, verify=proof, file=path is not None)
    options = {"threads": 1, "verify": proof, "path": path}
    with pytest.raises(wari.NotEnoughMemoryError, match=r"memory: \d+ MiB are needed"):
        wari.Tablebase.build(10, memory=needs.memory - 1, **options)  # type: ignore[arg-type]
    assert list(tmp_path.glob("*.wtb*")) == []
    table = wari.Tablebase.build(10, memory=needs.memory, **options)  # type: ignore[arg-type]
    assert table.seeds == 10


def test_a_proof_of_its_own_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    for table in (
        wari.Tablebase.build(12, verify=False),
        wari.Tablebase.build(12, verify=False, path=path),
    ):
        with pytest.raises(wari.NotEnoughMemoryError, match=r"memory: \d+ MiB are needed, 4 MiB"):
            table.verify(threads=1, memory=4 * MIB)
        table.verify(threads=1, memory=wari.Tablebase.needs(12, threads=1).memory)


def test_what_is_asked_for_counts() -> None:
    plain = wari.Tablebase.needs(16, threads=1, verify=False, file=False).memory
    assert wari.Tablebase.needs(16, threads=1, verify=True, file=False).memory > plain
    assert wari.Tablebase.needs(16, threads=1, verify=False, file=True).memory > plain
    assert wari.Tablebase.needs(16, threads=2, verify=False, file=False).memory > plain
    with pytest.raises(wari.InvalidValueError, match="threads"):
        wari.Tablebase.needs(16, threads=0)
    with pytest.raises(wari.InvalidValueError, match="packing"):
        wari.Tablebase.needs(16, packing="loose")
