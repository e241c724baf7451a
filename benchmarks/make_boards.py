"""Makes benchmarks/boards.csv: 1,000 random reachable boards with the value of every move.

The values are those of the table of `awari` for 20 seeds, which is built first (about 15 s and half
a gigabyte).

    python benchmarks/make_boards.py > benchmarks/boards.csv
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from wari import Position, Rules, Tablebase

FEWEST, MOST = 16, 20
RULES = Rules.preset("awari").replace(majority=False)  # play goes on, so margins are whole


def random_boards(rng: random.Random, fewest: int = FEWEST, most: int = MOST) -> Iterator[Position]:
    """One board from each random game that gets to so few seeds, with a choice of moves."""
    while True:
        wanted = rng.randint(fewest, most)
        position = Position(RULES)
        while not position.is_over and sum(position.pits) > wanted:
            position = position.play(rng.choice(position.legal_moves()))
        if sum(position.pits) >= fewest and len(position.legal_moves()) > 1:
            yield Position.from_counts(position.pits, side=position.side, rules=RULES)


def value_of_moves(table: Tablebase, position: Position) -> dict[str, int]:
    """What the side to move nets by each of its moves."""
    own = position.side == "N"
    values = {}
    for move in position.legal_moves():
        after = position.play(move)
        gained = after.stores[own] - after.stores[not own]
        if after.is_over:
            result = after.result
            assert result is not None
            values[move] = result.margin(position.side)
        else:
            value = table.probe(after).value
            assert value is not None
            values[move] = gained - value
    return values


def main() -> None:
    """Writes the file to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    table = Tablebase.build(seeds=MOST, rules=RULES, verify=False)
    print("position,value,moves")
    seen: set[Position] = set()
    for position in random_boards(random.Random(options.seed)):
        if len(seen) == options.count:
            return
        if position in seen:
            continue
        seen.add(position)
        values = value_of_moves(table, position)
        assert max(values.values()) == table.probe(position).value
        told = " ".join(f"{move}:{value}" for move, value in values.items())
        print(f"{position},{max(values.values())},{told}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
