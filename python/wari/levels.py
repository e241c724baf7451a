"""How strong the engine plays: nine levels, and the choice among moves at the low ones."""

import math
import random
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import NamedTuple, TypeVar

from wari.engine import Engine, Line, Tables
from wari.game import Game
from wari.limits import Limits
from wari.players import chance


class Level(NamedTuple):
    """Limits of the search, and how freely a move is chosen among the best."""

    limits: Limits
    temperature: float  # in seeds: a move that is worth that much less is chosen e times less often


# Up to level 6 only the depth limits the search, so that a game with a seed can be played again
# move by move. A person's blunders cost some seeds, hence temperatures of that size.
LEVELS = {
    1: Level(Limits(depth=1), 3.0),
    2: Level(Limits(depth=2), 2.0),
    3: Level(Limits(depth=3), 1.2),
    4: Level(Limits(depth=5), 0.7),
    5: Level(Limits(depth=7), 0.3),
    6: Level(Limits(depth=10), 0.0),
    7: Level(Limits(depth=16, time=1.0), 0.0),
    8: Level(Limits(time=2.0), 0.0),
    9: Level(Limits(time=5.0), 0.0),
}
DEFAULT_LEVEL = 4
LOW_LEVEL = 5  # up to here the endgame is not looked up in tables either
ROW = 6


def choose(lines: Sequence[Line], temperature: float, rng: random.Random) -> str:
    """The best move, or with a temperature T one by chance, of weight exp((value - best) / T)."""
    best = lines[0].score.value
    if temperature == 0:
        return lines[0].move
    weights = [math.exp((line.score.value - best) / temperature) for line in lines]
    return rng.choices([line.move for line in lines], weights)[0]


class LevelPlayer:
    """The engine at a level, as a `wari.players.Player`. A context manager: it holds threads.

    With `by_position` its choices by chance depend on the seed and the moves before only, else on
    the choices before them, too.
    """

    def __init__(
        self,
        level: int,
        seed: int | None,
        threads: int,
        hash_mb: int,
        tables: Tables | str | None,
        *,
        name: str | None = None,
        by_position: bool = False,
    ) -> None:
        self.level = level
        self.name = name or f"level {level}"
        self._seed = seed if by_position else None
        self._level = LEVELS[level]
        self._rng = random.Random(seed)
        used = None if level <= LOW_LEVEL else tables
        self._engine = Engine(threads=threads, hash_mb=hash_mb, tablebase=used)

    @property
    def takes_its_time(self) -> bool:
        """Whether a person notices that the engine thinks."""
        return self._level.limits.time is not None

    def __enter__(self) -> "LevelPlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases threads and memory."""
        self._engine.close()

    def new_game(self) -> None:
        """Forgets what was learnt."""
        self._engine.new_game()

    def prepare(self) -> None:
        """Makes a `stop` count that comes before a search, begun in another thread, runs."""
        self._engine.prepare()

    def stop(self) -> None:
        """Ends a running search soon. Any thread may call."""
        self._engine.stop()

    def choose(self, game: Game, limits: Limits) -> str:
        """A move in a game that goes on, within the limits of the level and those given."""
        own, temperature = self._level.limits, self._level.temperature
        both = replace(
            limits,
            depth=1 if len(game.legal_moves()) == 1 else _least(own.depth, limits.depth),
            time=_least(own.time, limits.time),
        )
        analysis = self._engine.analyse(game, limits=both, multipv=ROW if temperature > 0 else 1)
        rng = self._rng if self._seed is None else chance(self._seed, game)
        return choose(analysis.lines, temperature, rng)

    def agrees(self, game: Game, side: str) -> bool:
        """Whether to end here, each taking its own row: yes if play promises `side` no more."""
        pits = game.position.pits
        south = game.position.stores[0] + sum(pits[:ROW])
        north = game.position.stores[1] + sum(pits[ROW:])
        offered = south - north if side == "S" else north - south
        analysis = self._engine.analyse(game, limits=self._level.limits)
        value = analysis.lines[0].score.value
        return offered >= (value if game.position.side == side else -value)


_Number = TypeVar("_Number", int, float)


def _least(own: _Number | None, given: _Number | None) -> _Number | None:
    """The lower of two limits, each of which may be none."""
    return min((limit for limit in (own, given) if limit is not None), default=None)


class Engines:
    """The engines of a game: opponents, and one that advises. A context manager."""

    def __init__(
        self,
        seed: int | None,
        threads: int,
        hash_mb: int,
        tables: Tables | str | None = "auto",
    ) -> None:
        self._seeds = random.Random(seed)
        self._threads = threads
        self._hash_mb = hash_mb
        self._tables = tables
        self._stack = ExitStack()
        self._adviser: Engine | None = None

    def opponent(self, level: int | None) -> LevelPlayer | None:
        """An opponent of that level; None, a person, without one."""
        seed = self._seeds.getrandbits(63)
        if level is None:
            return None
        made = LevelPlayer(level, seed, self._threads, self._hash_mb, self._tables)
        return self._stack.enter_context(made)

    def adviser(self) -> Engine:
        """The engine that gives hints, at full strength."""
        if self._adviser is None:
            made = Engine(threads=self._threads, hash_mb=self._hash_mb, tablebase=self._tables)
            self._adviser = self._stack.enter_context(made)
        return self._adviser

    def __enter__(self) -> "Engines":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
