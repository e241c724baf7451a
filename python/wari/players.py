"""Who can choose a move in a game: engines, programs, levels and chance, behind one protocol."""

from __future__ import annotations

import random
from typing import Protocol, runtime_checkable

from wari._check import shown
from wari.engine import Engine
from wari.errors import GameOverError, InvalidValueError
from wari.game import Game
from wari.limits import Limits


@runtime_checkable
class Player(Protocol):
    """What `wari.match` and `wari play` need of a player; any class with these methods is one.

    `wari.uci.Client`, `EnginePlayer`, `RandomPlayer` and the levels of `wari play` are players.

    >>> class First:
    ...     name = "the first legal move"
    ...     def new_game(self): pass
    ...     def choose(self, game, limits): return game.legal_moves()[0]
    ...     def stop(self): pass
    ...     def close(self): pass
    >>> isinstance(First(), Player), First().choose(Game("abapa"), Limits(depth=1))
    (True, 'A')
    >>> player = First()
    >>> player.new_game()
    >>> player.stop()
    >>> player.close()
    >>> player.name
    'the first legal move'
    """

    @property
    def name(self) -> str:
        """As it stands in game files and results."""

    def new_game(self) -> None:
        """The next position belongs to another game."""

    def choose(self, game: Game, limits: Limits) -> str:
        """A legal move of the side to move in a game that goes on; the game is not changed."""

    def stop(self) -> None:
        """Makes a `choose` that runs in another thread end soon, with any move."""

    def close(self) -> None:
        """Releases what the player holds. Closing twice does no harm."""


class EnginePlayer:
    """An engine as a player. It is closed with the player.

    >>> player = EnginePlayer(Engine(hash_mb=8), name="shallow")
    >>> player.new_game()
    >>> player.choose(Game("abapa"), Limits(depth=2)) in Game("abapa").legal_moves()
    True
    >>> player.stop()
    >>> player.close()
    >>> player.name
    'shallow'

    `choose` raises what `Engine.play` raises.
    """

    def __init__(self, engine: Engine, name: str = "wari") -> None:
        if not isinstance(engine, Engine):
            raise InvalidValueError(f"engine: expected an Engine, not {shown(engine)}", "engine")
        self._engine = engine
        self.name = name

    def new_game(self) -> None:
        """Forgets what was learnt."""
        self._engine.new_game()

    def choose(self, game: Game, limits: Limits) -> str:
        """The best move that the engine finds. Raises GameOverError, ClosedError."""
        return self._engine.play(game.copy(), limits=limits)

    def stop(self) -> None:
        """Ends the search soon; for other threads."""
        self._engine.stop()

    def close(self) -> None:
        """Closes the engine."""
        self._engine.close()


class RandomPlayer:
    """Plays any legal move. With a seed, the same one each time after the same moves.

    >>> player = RandomPlayer(seed=7)
    >>> player.new_game()
    >>> game = Game("abapa")
    >>> player.choose(game, Limits()) == RandomPlayer(seed=7).choose(game, Limits())
    True
    >>> player.stop()
    >>> player.close()
    >>> player.name
    'random'

    Raises InvalidValueError for a seed that is no whole number.
    """

    def __init__(self, seed: int | None = None, name: str = "random") -> None:
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise InvalidValueError(f"seed: expected a whole number, not {shown(seed)}", "seed")
        self._seed = random.SystemRandom().getrandbits(63) if seed is None else seed
        self.name = name

    def new_game(self) -> None:
        """Nothing is kept from one game to the next."""

    def choose(self, game: Game, limits: Limits) -> str:
        """Any legal move, at once. Raises GameOverError."""
        if game.is_over:
            raise GameOverError(f"move: the game is over ({game.ending})", "", "game_over")
        return chance(self._seed, game).choice(game.legal_moves())

    def stop(self) -> None:
        """There is nothing to wait for."""

    def close(self) -> None:
        """There is nothing to release."""


def chance(seed: int, game: Game) -> random.Random:
    """Random numbers for one decision: the same after the same moves from the same start."""
    return random.Random(f"{seed} {game.rules} {game.start} {''.join(game.moves)}")
