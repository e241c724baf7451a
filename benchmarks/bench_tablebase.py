"""Tables: speed of building, proving, packing and probing, and their size.

Usage: python benchmarks/bench_tablebase.py [--seeds 18] [--threads 1] [--rounds 3] [--rules awari]
       python benchmarks/bench_tablebase.py --probes

Owns: the figures that the project promises for tables. Each build runs in a process of its own, so
that its peak memory is its own; times are medians. Every answer that is timed is also checked.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import wari

PROBES = 1_000_000
PROBE_SEEDS = 14
COLD = 2000


def timed_build(rules: str, seeds: int, threads: int, whole: bool) -> dict[str, float]:
    """Build once in this process; with `whole` also prove, pack and write."""
    boards = wari.Tablebase.needs(seeds, rules).boards
    wall, cpu = time.perf_counter(), time.process_time()
    table = wari.Tablebase.build(seeds=seeds, rules=rules, threads=threads, verify=False)
    found = {
        "boards": boards,
        "build_cpu": time.process_time() - cpu,
        "build_wall": time.perf_counter() - wall,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if not whole:
        return found
    wall, cpu = time.perf_counter(), time.process_time()
    table.verify(threads=threads)
    found["verify_cpu"] = time.process_time() - cpu
    found["verify_wall"] = time.perf_counter() - wall
    with tempfile.TemporaryDirectory() as folder:
        for packing in ("fast", "dense"):
            path = Path(folder) / f"{packing}.wtb"
            wall, cpu = time.perf_counter(), time.process_time()
            table.save(path, packing=packing, threads=threads)
            found[f"{packing}_cpu"] = time.process_time() - cpu
            found[f"{packing}_wall"] = time.perf_counter() - wall
            found[f"{packing}_bits"] = path.stat().st_size * 8 / boards
    return found


def builds(rules: str, seeds: int, threads: int, rounds: int, whole: bool) -> dict[str, float]:
    """The medians of several builds, each in a process of its own."""
    command = [sys.executable, __file__, "--rules", rules, "--seeds", str(seeds)]
    command += ["--threads", str(threads), "--once"] + (["--whole"] if whole else [])
    found = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(rounds)
    ]
    return {key: statistics.median(one[key] for one in found) for key in found[0]}


def show_builds(rules: str, seeds: int, threads: int, rounds: int, whole: bool) -> None:
    """Print speeds in millions of boards a second, of CPU and of wall time."""
    found = builds(rules, seeds, threads, rounds, whole)
    boards = found["boards"]
    print(
        f"{rules}, layers 0..{seeds}, {boards:.0f} boards, {threads} thread(s), median of {rounds}"
    )
    for step in ("build", "verify", "fast", "dense"):
        if f"{step}_cpu" not in found:
            continue
        cpu, wall = found[f"{step}_cpu"], found[f"{step}_wall"]
        size = f", {found[f'{step}_bits']:.3f} bits a board" if f"{step}_bits" in found else ""
        what = f"pack and write, {step}" if size else step
        print(
            f"  {what}: {cpu:.2f} s CPU, {wall:.2f} s wall,"
            f" {boards / cpu / 1e6:.1f} and {boards / wall / 1e6:.1f} million boards/s{size}"
        )
    print(f"  peak memory of the build: {found['peak_mib']:.0f} MiB")


def show_probes(rules: str) -> None:
    """Print how long questions take: in memory, from a file once read, from a file unread."""
    table = wari.Tablebase.build(seeds=PROBE_SEEDS, rules=rules, verify=False)
    random = np.random.default_rng(1)
    boards = random.multinomial(PROBE_SEEDS, [1 / 12] * 12, size=PROBES).astype(np.uint8)
    right = table.probe_many(boards)[0]
    for threads in (1, 2):
        walls, cpus = [], []
        for _ in range(7):
            wall, cpu = time.perf_counter(), time.process_time()
            table.probe_many(boards, threads=threads)
            walls.append(time.perf_counter() - wall)
            cpus.append(time.process_time() - cpu)
        wall, cpu = (PROBES / statistics.median(times) / 1e6 for times in (walls, cpus))
        print(f"batch, {threads} thread(s): {wall:.1f} million/s, {cpu:.1f} million/s of CPU")
    with tempfile.TemporaryDirectory() as folder:
        for packing in ("fast", "dense"):
            path = Path(folder) / f"{packing}.wtb"
            table.save(path, packing=packing)
            file = wari.Tablebase.open(path, cache_mb=0)  # every probe decodes its block
            start = time.process_time()
            answers = file.probe_many(boards[:COLD])[0]
            cold = (time.process_time() - start) / COLD
            assert (answers == right[:COLD]).all()
            file = wari.Tablebase.open(path)
            file.probe_many(boards)
            start = time.process_time()
            answers = file.probe_many(boards)[0]
            warm = (time.process_time() - start) / PROBES
            assert (answers == right).all()
            print(f"file, {packing}: cold {cold * 1e6:.1f} us, warm {warm * 1e9:.0f} ns a board")


def main() -> None:
    """Read the options and print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="awari")
    parser.add_argument("--seeds", type=int, default=18)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--probes", action="store_true")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--whole", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        found = timed_build(options.rules, options.seeds, options.threads, options.whole)
        print(json.dumps(found))
    elif options.probes:
        show_probes(options.rules)
    else:
        whole = not options.build_only
        show_builds(options.rules, options.seeds, options.threads, options.rounds, whole)


if __name__ == "__main__":
    main()
