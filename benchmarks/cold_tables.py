"""What a table file costs a search that has to unpack it first, and what it gains afterwards.

Each position is searched in a process of its own, so that every file is cold, several times on new
engines and the same open file: the first is the cold one. Nodes are counted by the second of
processor time.

    python benchmarks/cold_tables.py --seeds 16 20 22 --folder tables --time 1
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import wari

RULES = "awari"
# Of more seeds than the tables: 26 to 41.
POSITIONS = (
    "0-1-1-2-5-2-2-0-4-0-3-9-11-8-N",
    "1-0-6-1-0-3-2-1-0-7-3-2-11-11-S",
    "3-2-0-1-5-0-0-4-3-2-6-1-11-10-S",
    "0-2-3-4-1-1-3-0-5-3-2-2-11-11-N",
    "6-6-1-1-0-2-8-2-1-0-7-1-7-6-S",
)


def file_of(folder: Path, seeds: int) -> Path:
    """The table of so many seeds, built if it is not there."""
    path = folder / f"{RULES}-{seeds}.wtb"
    if not path.exists():
        wari.Tablebase.build(seeds, RULES, threads=1, verify=False, path=path)
    return path


def searched(path: Path | None, seeds: int, position: str, limit: float, times: int) -> list[Any]:
    """Depth, nodes and processor time of each search."""
    table = (
        wari.Tablebase.open(path, cache_mb=1 << 14)
        if path is not None
        else wari.Tablebase.build(seeds, RULES, threads=1, verify=False)
        if seeds
        else None
    )
    found = []
    for _ in range(times):
        with wari.Engine(tablebase=table) as engine:
            began = time.process_time()
            analysis = engine.analyse(wari.Position.parse(position, RULES), time=limit)
            spent = time.process_time() - began
        score = None if analysis.score is None else analysis.score.value
        found.append((analysis.depth, analysis.nodes, spent, analysis.best_move, score))
    return found


def main() -> None:
    """Measures each kind of table, in memory and as a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[16, 20])
    parser.add_argument("--folder", type=Path, required=True, help="where the table files are kept")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for each search")
    parser.add_argument("--searches", type=int, default=3)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        path, seeds, position = json.loads(options.one)
        where = None if path is None else Path(path)
        print(json.dumps(searched(where, seeds, position, options.time, options.searches)))
        return
    kinds: list[tuple[str, str | None, int]] = [("none", None, 0), ("10, in memory", None, 10)]
    for seeds in options.seeds:
        kinds.append((f"{seeds}, a file", str(file_of(options.folder, seeds)), seeds))
    for name, path, seeds in kinds:
        rows = []
        for position in POSITIONS:
            one = json.dumps([path, seeds, position])
            done = subprocess.run(
                [sys.executable, __file__, *sys.argv[1:], "--one", one],
                check=True,
                capture_output=True,
                text=True,
            )
            rows.append(json.loads(done.stdout))
        for number in range(options.searches):
            at = [row[number] for row in rows]
            speed = statistics.mean(nodes / spent for _, nodes, spent, _, _ in at) / 1e6
            depth = statistics.mean(depth for depth, *_ in at)
            spent = statistics.mean(spent for _, _, spent, _, _ in at)
            print(
                f"{name:14} search {number + 1}: depth {depth:5.1f}, {speed:6.2f} million nodes a "
                f"second, {spent:.2f} s of processor time"
            )


if __name__ == "__main__":
    main()
