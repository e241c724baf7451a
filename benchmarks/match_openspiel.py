"""Our engine against OpenSpiel's alpha-beta and MCTS, abapa, the same time a move.

Needs `pip install open_spiel==2.0.2`. OpenSpiel's Oware plays abapa.

    python benchmarks/match_openspiel.py --games 20 --time 0.2
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
from wari import Engine, Game, Rules
from wari.match import read_openings, summarise

OPENINGS = Path(__file__).with_name("openings.txt")
RULES = Rules.preset("abapa")


class OutOfTime(Exception):  # noqa: N818 - not an error
    """The time for a move is over."""


class AlphaBeta:
    """OpenSpiel's alpha-beta search, one ply deeper each time until the time is over.

    Leaves are worth the seeds captured, a hundredth each, so that a won game is worth more.
    """

    name = "alpha-beta"

    def __init__(self, game: Any) -> None:
        self._game = game
        self.depths: list[int] = []

    def move(self, state: Any, seconds: float) -> int:
        """The best action of the deepest search that was finished."""
        deadline = time.monotonic() + seconds
        player = state.current_player()

        def value(leaf: Any) -> float:
            if time.monotonic() > deadline:
                raise OutOfTime
            seeds = leaf.observation_tensor(0)[12:14]
            return 0.48 * float(seeds[player] - seeds[1 - player])

        best = state.legal_actions()[0]
        depth = 0
        try:
            while depth < 60:
                _, best = alpha_beta_search(self._game, state, value, depth + 1, player)
                depth += 1
        except OutOfTime:
            pass
        self.depths.append(depth)
        return int(best)


class Mcts:
    """OpenSpiel's C++ MCTS bot, its simulations set so that a move takes the time."""

    name = "MCTS"

    def __init__(self, game: Any, seconds: float, seed: int = 1) -> None:
        self._game = game
        self._seed = seed
        self.simulations = self._calibrated(seconds)
        self._bot = self._new(self.simulations)

    def _new(self, simulations: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed)
        return pyspiel.MCTSBot(
            self._game, evaluator, 2.0, simulations, 1000, True, self._seed, False
        )

    def _calibrated(self, seconds: float) -> int:
        """The simulations that take that long at the start."""
        trial = 2000
        began = time.process_time()
        self._new(trial).step(self._game.new_initial_state())
        return max(10, round(trial * seconds / (time.process_time() - began)))

    def move(self, state: Any, seconds: float) -> int:
        """Its choice."""
        del seconds
        return int(self._bot.step(state))


def play(opening: str, engine: Engine, bot: AlphaBeta | Mcts, ours: str, seconds: float) -> Game:
    """A game from an opening; both are asked for the same time a move."""
    game = Game(RULES)
    state = pyspiel.load_game("oware").new_initial_state()
    engine.new_game()
    while not game.is_over:
        if len(game) < len(opening):
            letter = opening[len(game)]
        elif game.position.side == ours:
            found = engine.analyse(game, time=seconds).best_move
            assert found is not None
            letter = found
        else:
            letter = "ABCDEF"[bot.move(state, seconds)]
            letter = letter if game.position.side == "S" else letter.lower()
        game.push(letter)
        if not state.is_terminal():
            state.apply_action("ABCDEF".index(letter.upper()))
    return game


def against(bot: AlphaBeta | Mcts, openings: list[str], games: int, seconds: float) -> int:
    """Games against a bot, both sides of each opening; the number lost."""
    points: list[float] = []
    margins: list[int] = []
    with Engine(threads=1, hash_mb=64) as engine:
        for number in range(games):
            ours = "SN"[number % 2]
            game = play(openings[number // 2], engine, bot, ours, seconds)
            result = game.result
            assert result is not None
            points.append(0.5 if result.winner is None else float(result.winner == ours))
            margins.append(result.margin(ours))
            print(f"{bot.name} game {number + 1}: {points[-1]:g} ({margins[-1]:+d})", flush=True)
    pairs = [(a + b) / 2 for a, b in zip(points[::2], points[1::2], strict=False)]
    summary = summarise(points, pairs, margins)
    print(
        f"against {bot.name}: {summary.wins} won, {summary.draws} drawn, {summary.losses} lost, "
        f"{summary.margin:+.1f} seeds a game"
    )
    return summary.losses


def main() -> int:
    """Plays both bots; 1 where a game was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="against each of the two")
    parser.add_argument("--time", type=float, default=0.2, help="seconds a move")
    options = parser.parse_args()
    oware = pyspiel.load_game("oware")
    openings = read_openings(OPENINGS, RULES)
    minimax, mcts = AlphaBeta(oware), Mcts(oware, options.time)
    lost = against(minimax, openings, options.games, options.time)
    print(f"alpha-beta searched {sum(minimax.depths) / len(minimax.depths):.1f} plies on average")
    lost += against(mcts, openings, options.games, options.time)
    print(f"MCTS made {mcts.simulations} simulations a move")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
