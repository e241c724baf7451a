"""How strong each level of `wari play` is: against its neighbour, level 1 against chance and greed.

Both sides of each opening of `benchmarks/openings.txt`. Levels that think for seconds may be
hurried, all by the same factor.

    python benchmarks/levels.py --games 40 --hurry 10
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from wari import Game, Rules
from wari.levels import LEVELS, LevelPlayer
from wari.limits import Limits
from wari.match import read_openings, summarise
from wari.players import Player, RandomPlayer

OPENINGS = Path(__file__).with_name("openings.txt")
HASH_MB = 16


class GreedyPlayer(RandomPlayer):
    """The largest capture; the first of equals."""

    def choose(self, game: Game, limits: Limits) -> str:
        """Looks one move ahead."""

        def gain(move: str) -> int:
            side = "SN".index(game.position.side)
            return game.position.play(move).stores[side] - game.position.stores[side]

        return max(game.legal_moves(), key=gain)


def compare(name: str, players: tuple[Player, Player], openings: list[str], rules: Rules) -> None:
    """Plays each opening twice and prints what the second player got."""
    points: list[float] = []
    margins: list[int] = []
    for number in range(2 * len(openings)):
        game = Game.replay(openings[number // 2], rules)
        stronger = "SN"[number % 2]
        while not game.is_over:
            game.push(players[game.position.side == stronger].choose(game, Limits()))
        result = game.result
        assert result is not None
        points.append(0.5 if result.winner is None else float(result.winner == stronger))
        margins.append(result.margin(stronger))
    pairs = [(a + b) / 2 for a, b in zip(points[::2], points[1::2], strict=True)]
    found = summarise(points, pairs, margins)
    print(
        f"{name}: {100 * found.score:.1f} % +- {100 * found.error:.1f} of {found.games} games, "
        f"{found.margin:+.1f} seeds a game",
        flush=True,
    )


def main() -> None:
    """Prints a line for each pair of neighbours."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="for each pair")
    parser.add_argument("--rules", default="abapa")
    parser.add_argument("--hurry", type=float, default=1.0, help="divides the levels' seconds")
    parser.add_argument("--from-level", type=int, default=1, choices=range(1, 10))
    options = parser.parse_args()
    rules = Rules.parse(options.rules)
    openings = read_openings(OPENINGS, rules)[: options.games // 2]
    for number, entry in LEVELS.items():
        if entry.limits.time is not None:
            hurried = replace(entry.limits, time=entry.limits.time / options.hurry)
            LEVELS[number] = entry._replace(limits=hurried)
    if options.from_level == 1:
        with LevelPlayer(1, 1, 1, HASH_MB, "auto") as first:
            compare("chance, then level 1", (RandomPlayer(1), first), openings, rules)
            compare("greed, then level 1", (GreedyPlayer(), first), openings, rules)
    for level in range(options.from_level, max(LEVELS)):
        with (
            LevelPlayer(level, 1, 1, HASH_MB, "auto") as lower,
            LevelPlayer(level + 1, 2, 1, HASH_MB, "auto") as upper,
        ):
            name = f"level {level}, then level {level + 1}"
            compare(name, (lower, upper), openings, rules)


if __name__ == "__main__":
    main()
