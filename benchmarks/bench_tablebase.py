"""Tables: speed of building, verifying, packing and probing, and their size.

Usage: python benchmarks/bench_tablebase.py [--seeds 18] [--threads 1] [--rounds 3] [--rules awari]
       python benchmarks/bench_tablebase.py --probes

Each build runs in a process of its own, so that its peak memory is its own; times are medians.
Every answer that is timed is also checked: whole tables against the published counts of awari, and
a sample of boards of every table against the general rules.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import wari

PROBES = 1_000_000
PROBE_SEEDS = 14
COLD = 2000
ROUNDS = 7
SAMPLE = 300
PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "awari_values_by_seeds.csv"


class WrongAnswerError(Exception):
    """What was timed gave a wrong answer: its time is worth nothing."""


def published() -> dict[int, dict[int, int]]:
    """By seeds on the board, how many boards of awari have each value."""
    layers: dict[int, dict[int, int]] = {}
    with PUBLISHED.open(newline="") as file:
        for row in csv.DictReader(file):
            layer = layers.setdefault(int(row["seeds"]), {})
            layer[int(row["value"])] = int(row["positions"])
    return layers


def check_table(table: wari.Tablebase, threads: int) -> None:
    """Compare with what is published, and a sample of boards with their successors."""
    if table.fits("awari"):
        for seeds, counts in published().items():
            if seeds > table.seeds:
                continue
            found = {
                entry.mover: entry.boards for entry in table.stats([seeds], threads=threads)[seeds]
            }
            if found != counts:
                raise WrongAnswerError(f"layer {seeds} is not as published")
    random = np.random.default_rng(2)
    boards = random.multinomial(table.seeds, [1 / 12] * 12, size=SAMPLE)
    lower, upper = table.probe_many(boards)
    for board, low, high in zip(boards.tolist(), lower.tolist(), upper.tolist(), strict=True):
        if by_the_rules(table, board) != (low, high):
            raise WrongAnswerError(f"board {board}: {low} to {high}")


def by_the_rules(table: wari.Tablebase, board: list[int]) -> tuple[int, int]:
    """The bounds of a board from those of its successors: the best of each."""
    rules = table.rules.replace(majority=False, sowing="counterclockwise")
    here = wari.Position.from_counts(board, rules=rules)
    if here.result is not None:
        margin = int(here.result.margin("S"))
        return margin, margin
    bounds = []
    for move in here.legal_moves():
        after = here.play(move)
        if after.result is not None:
            gained = int(after.result.margin("S"))
            bounds.append((gained, gained))
            continue
        gained = after.stores[0] - after.stores[1]
        row = np.array([after.pits[6:] + after.pits[:6]], dtype=np.uint8)
        low, high = (int(bound[0]) for bound in table.probe_many(row))
        bounds.append((gained - high, gained - low))
    return max(low for low, _ in bounds), max(high for _, high in bounds)


def timed_build(rules: str, seeds: int, threads: int, whole: bool) -> dict[str, float]:
    """Build once in this process; with `whole` also verify, pack and write."""
    boards = wari.Tablebase.needs(seeds, rules).boards
    wall, cpu = time.perf_counter(), time.process_time()
    table = wari.Tablebase.build(seeds=seeds, rules=rules, threads=threads, verify=False)
    found = {
        "boards": boards,
        "build_cpu": time.process_time() - cpu,
        "build_wall": time.perf_counter() - wall,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    check_table(table, threads)
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
            check_table(wari.Tablebase.open(path), threads)
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


def check_same(answers: Sequence[Any], right: Sequence[Any]) -> None:
    """Compare the bounds of many boards."""
    if not all((a == b).all() for a, b in zip(answers, right, strict=True)):
        raise WrongAnswerError("a batch gave other answers")


def median_probe(table: wari.Tablebase, boards: Any, right: Sequence[Any]) -> float:
    """Seconds of CPU for one board of a batch: the median of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        answers = table.probe_many(boards)
        times.append((time.process_time() - start) / len(boards))
        check_same(answers, right)
    return statistics.median(times)


def show_probes(rules: str) -> None:
    """Print how long questions take: in memory, from a file once read, from a file unread."""
    table = wari.Tablebase.build(seeds=PROBE_SEEDS, rules=rules, verify=False)
    random = np.random.default_rng(1)
    boards = random.multinomial(PROBE_SEEDS, [1 / 12] * 12, size=PROBES).astype(np.uint8)
    check_table(table, 1)
    right = table.probe_many(boards)
    for threads in (1, 2):
        walls, cpus = [], []
        for _ in range(ROUNDS):
            wall, cpu = time.perf_counter(), time.process_time()
            answers = table.probe_many(boards, threads=threads)
            walls.append(time.perf_counter() - wall)
            cpus.append(time.process_time() - cpu)
            check_same(answers, right)
        wall, cpu = (PROBES / statistics.median(times) / 1e6 for times in (walls, cpus))
        print(f"batch, {threads} thread(s): {wall:.1f} million/s, {cpu:.1f} million/s of CPU")
    with tempfile.TemporaryDirectory() as folder:
        for packing in ("fast", "dense"):
            path = Path(folder) / f"{packing}.wtb"
            table.save(path, packing=packing)
            file = wari.Tablebase.open(path, cache_mb=0)  # every probe decodes its block
            cold = median_probe(file, boards[:COLD], [answer[:COLD] for answer in right])
            file = wari.Tablebase.open(path)
            check_same(file.probe_many(boards), right)
            warm = median_probe(file, boards, right)
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
