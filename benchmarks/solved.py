"""How much `solve` proves beyond its tables, and that nothing it proves is wrong.

Rules `awari`; random reachable boards of 13 to 16 seeds without history, an engine with tables of
up to 12 seeds, the table of 16 seeds as judge.

    python benchmarks/solved.py --boards 200 --time 10
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time

from make_boards import RULES, random_boards
from wari import Engine, Position, Tablebase

FEWEST, MOST = 13, 16


def main() -> int:
    """Prints the shares; 1 when a proof contradicts the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--time", type=float, default=10.0, help="seconds a board")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    judge = Tablebase.build(seeds=MOST, rules=RULES, verify=False)
    small = Tablebase.build(seeds=FEWEST - 1, rules=RULES, verify=False)
    boards: dict[Position, int] = {}
    for position in random_boards(random.Random(options.seed), FEWEST, MOST):
        if len(boards) == options.boards:
            break
        value = judge.probe(position).value
        assert value is not None
        boards[position] = value
    exact = decided = contradictions = 0
    seconds = []
    with Engine(tablebase=small, hash_mb=64) as engine:
        for position, value in boards.items():
            engine.new_game()
            start = time.process_time()
            found = engine.solve(position, time=options.time)
            seconds.append(time.process_time() - start)
            wrong = not found.lower <= value <= found.upper
            if wrong:
                print(f"{position}: value {value}, but found {found}")
            contradictions += wrong
            exact += found.exact
            decided += found.verdict != "unknown"
    share = 100 / len(boards)
    print(
        f"{len(boards)} boards, {options.time:g} s each: value proved for {exact * share:.1f} %, "
        f"win, draw or loss for {decided * share:.1f} %, {contradictions} contradictions; "
        f"CPU median {statistics.median(seconds):.3f} s, mean {statistics.mean(seconds):.2f} s"
    )
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
