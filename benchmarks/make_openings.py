"""Makes benchmarks/openings.txt: short random lines that the engine finds balanced.

Run it again after the search has changed much; the lines then differ, so results before and after
are not from the same openings.

    python benchmarks/make_openings.py > benchmarks/openings.txt
"""

from __future__ import annotations

import argparse
import random

from wari import Engine, Game, Rules
from wari.match.openings import random_lines


def main() -> None:
    """Writes the lines to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="lines for each rule set")
    parser.add_argument("--depth", type=int, default=12, help="plies to search")
    parser.add_argument("--seeds", type=float, default=1.0, help="the largest score to accept")
    parser.add_argument("--rules", nargs="+", default=["abapa", "wari"])
    options = parser.parse_args()
    print(
        f"# Rules, moves, the score for the side to move after a search of {options.depth} plies."
    )
    print("# Made by benchmarks/make_openings.py.")
    with Engine(threads=1, hash_mb=64) as engine:
        for name in options.rules:
            rules = Rules.parse(name)
            found = 0
            for plies in (6, 8, 10, 12):
                lines = random_lines(rules, random.Random(plies), plies)
                for line in lines:
                    if found >= options.count * (plies // 2 - 2) // 4:
                        break
                    engine.new_game()
                    score = engine.analyse(Game.replay(line, rules), depth=options.depth).score
                    if score is not None and abs(score.value) <= options.seeds:
                        print(f"{name} {line} {score.value:+.2f}")
                        found += 1


if __name__ == "__main__":
    main()
