"""How well the engine plays where the truth is known: published games, boards of 16 to 20 seeds.

Rules `awari`; the engine has tables of up to 10 seeds unless told otherwise; each position is
searched afresh, without history.

    python benchmarks/strength.py games --time 1        # tests/data/awari_games_1_to_4.csv
    python benchmarks/strength.py games --nodes 8000000 --table-seeds 24
    python benchmarks/strength.py boards --time 0.01 --evaluation material  # boards.csv
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass
from pathlib import Path

from wari import EVALUATIONS, Engine, Position, Tablebase

HERE = Path(__file__).parent
GAMES = HERE.parent / "tests" / "data" / "awari_games_1_to_4.csv"
BOARDS = HERE / "boards.csv"
RULES = "awari"


@dataclass(frozen=True)
class Limits:
    """What a position is searched with."""

    time: float | None
    nodes: int | None


class Searches:
    """Searches positions one by one and adds up what they cost."""

    def __init__(self, engine: Engine, limits: Limits) -> None:
        self._engine = engine
        self._limits = limits
        self.nodes = 0
        self.depths = 0
        self.count = 0
        self.cpu = 0.0

    def best(self, position: Position) -> tuple[str, float]:
        """The engine's move, and the net seeds that it expects from here on."""
        self._engine.new_game()
        start = time.process_time()
        found = self._engine.analyse(position, time=self._limits.time, nodes=self._limits.nodes)
        self.cpu += time.process_time() - start
        self.nodes += found.nodes
        self.depths += found.depth
        self.count += 1
        south, north = position.stores
        ahead = south - north if position.side == "S" else north - south
        assert found.best_move is not None
        assert found.score is not None
        return found.best_move, found.score.value - ahead

    def __str__(self) -> str:
        return (
            f"{self.count} searches, mean depth {self.depths / self.count:.1f}, "
            f"{self.nodes / self.cpu / 1e6:.1f} million nodes/s, {self.cpu:.0f} s of CPU"
        )


def play_games(searches: Searches, show: bool) -> str:
    """The positions of the published games."""
    wrong = wrong_again = right = same = 0
    error = 0.0
    with GAMES.open(newline="") as file:
        for row in csv.DictReader(file):
            position = Position.parse(row["position"], RULES)
            move, value = searches.best(position)
            error += abs(value - int(row["value"]))
            if row["optimal"] == "no":
                wrong += 1
                fails = move not in row["best_if_not"]
                wrong_again += fails
            elif row["optimal"] == "yes":
                right += 1
                fails = move != row["played"]
                same += not fails
            else:  # the end of a game: nothing was played
                fails = False
            if show and fails:
                known = row["best_if_not"] or row["played"]
                print(f"{position} known {known} {row['value']}, engine {move} {value:+.2f}")
    return (
        f"not optimal in {wrong_again} of the {wrong} positions where the move played was not, "
        f"the optimal move played in {same} of the {right} where it was, "
        f"mean error of the value {error / searches.count:.3f} seeds"
    )


def play_boards(searches: Searches, count: int) -> str:
    """The boards whose every move has a known value."""
    best = lost = 0
    error = 0.0
    with BOARDS.open(newline="") as file:
        for row, _ in zip(csv.DictReader(file), range(count), strict=False):
            position = Position.parse(row["position"], RULES)
            values = {text[0]: int(text[2:]) for text in row["moves"].split()}
            move, value = searches.best(position)
            lost += int(row["value"]) - values[move]
            best += values[move] == int(row["value"])
            error += abs(value - int(row["value"]))
    return (
        f"a best move in {100 * best / searches.count:.1f} % of {searches.count} boards, "
        f"{lost / searches.count:.4f} seeds lost a move, mean error of the value "
        f"{error / searches.count:.3f} seeds"
    )


def main() -> None:
    """Reads the options and prints one line of results for each evaluation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("games", "boards"))
    parser.add_argument("--time", type=float, help="seconds a move")
    parser.add_argument("--nodes", type=int, help="nodes a move")
    parser.add_argument("--evaluation", nargs="+", default=[EVALUATIONS[-1]], choices=EVALUATIONS)
    parser.add_argument("--table-seeds", type=int, default=10, help="0: no tables")
    parser.add_argument("--hash", type=int, default=256, help="MiB")
    parser.add_argument("--count", type=int, default=1000, help="boards to look at")
    parser.add_argument("--show", action="store_true", help="the positions not found (games)")
    options = parser.parse_args()
    if options.time is None and options.nodes is None:
        parser.error("give --time or --nodes")
    table = None
    if options.table_seeds > 0:
        table = Tablebase.build(seeds=options.table_seeds, rules=RULES, verify=False)
    limits = Limits(options.time, options.nodes)
    for evaluation in options.evaluation:
        with Engine(hash_mb=options.hash, tablebase=table, evaluation=evaluation) as engine:
            searches = Searches(engine, limits)
            if options.what == "games":
                found = play_games(searches, options.show)
            else:
                found = play_boards(searches, options.count)
        print(f"{evaluation}: {found}; {searches}", flush=True)


if __name__ == "__main__":
    main()
