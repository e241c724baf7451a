"""What the sides of a match are: engines by their command, levels, chance, or a player at hand."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from wari._check import shown
from wari._repr import evaluable
from wari.errors import InvalidValueError
from wari.game import Game
from wari.levels import LEVELS, LevelPlayer
from wari.limits import Limits
from wari.players import Player, RandomPlayer
from wari.uci.client import Client, move_of

OWN = "wari"
"""The name of our own engine, of the package that runs the match."""

RANDOM = "random"
_LEVEL = re.compile(r"level:(.*)", re.DOTALL)
_HASH_MB = 16  # for a level

Began = Callable[[Player], object]


@runtime_checkable
class PlayerSpec(Protocol):
    """What a match needs to start a player, as often as one is needed.

    >>> spec = RandomSpec(seed=7)
    >>> isinstance(spec, PlayerSpec), isinstance(spec.start(), PlayerSpec)
    (True, False)
    >>> spec.name, spec.identity
    ('random', 'random random seed 7')

    Raises what starting a player raises: EngineError, NotEnoughMemoryError.
    """

    @property
    def name(self) -> str:
        """As it stands in game files and results."""

    @property
    def identity(self) -> str:
        """A text that is another one for another player."""

    def start(self, began: Began | None = None, timeout: float = 10.0) -> Player:
        """A player, ready to play; `began` gets it before it is ready, so that it can be closed."""


@evaluable("wari.match")
@dataclass(frozen=True)
class EngineCommand:
    """An engine of a match: a command that speaks UCI, and its options.

    >>> EngineCommand.parse("wari Threads=2 Evaluation=material").options
    {'Threads': '2', 'Evaluation': 'material'}
    >>> EngineCommand.parse("/opt/engine --uci", name="other").command
    ('/opt/engine', '--uci')
    >>> EngineCommand("other", ("/opt/engine",)).identity
    "other ('/opt/engine',) []"
    """

    name: str
    """As it stands in game files and results."""
    command: tuple[str, ...]
    """The program and its arguments."""
    options: dict[str, str] = field(default_factory=dict)
    """UCI options by name, set at the start."""

    @classmethod
    def parse(
        cls, text: str, name: str | None = None, options: dict[str, str] | None = None
    ) -> EngineCommand:
        """`wari` with `Option=value` words, or the command line of another engine.

        Raises InvalidValueError for a text that is neither.
        """
        if not isinstance(text, str):
            raise InvalidValueError(f"engine: expected text, not {shown(text)}", "engine")
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise InvalidValueError(f"engine: {text!r}: {error}", "engine") from error
        if not words:
            raise InvalidValueError("engine: expected a command, not ''", "engine")
        set_options: dict[str, str] = {}
        command = tuple(words)
        if words[0] == OWN and all("=" in word for word in words[1:]):
            set_options = dict(word.split("=", 1) for word in words[1:])
            command = (sys.executable, "-m", "wari", "uci")
        return cls(name or " ".join(text.split()), command, set_options | (options or {}))

    @property
    def identity(self) -> str:
        """A text that is another one for another engine."""
        return f"{self.name} {self.command} {sorted(self.options.items())}"

    def start(self, began: Began | None = None, timeout: float = 10.0) -> UciPlayer:
        """The engine, ready to play; `began` gets its client before it is ready.

        It has `timeout` seconds for each answer that should come at once: `uciok`, `readyok`.

        Raises EngineError, InvalidValueError for a wrong option.

        >>> with EngineCommand.parse("wari Hash=8").start() as engine:
        ...     engine.go(Game("abapa"), depth=2).info.depth
        2
        """
        return UciPlayer(self, began, timeout)


class UciPlayer(Client):
    """The client of an engine in a match, which gives it the time that the match grants."""

    def __init__(self, engine: EngineCommand, began: Began | None, timeout: float) -> None:
        self._began = began
        self.clocks: dict[str, float] | None = None  # as in `wari.uci.SearchOptions`
        self.move_timeout: float | None = None  # seconds for the next move
        super().__init__(engine.command, timeout=timeout, options=engine.options)

    def _on_start(self) -> None:
        began, self._began = self._began, None
        if began is not None:
            began(self)

    def choose(self, game: Game, limits: Limits) -> str:
        """The engine's move; it hears of both clocks."""
        answer = self.go(
            game,
            timeout=self.move_timeout,
            depth=limits.depth,
            nodes=limits.nodes,
            time=limits.time,
            clock=self.clocks,
        )
        return move_of(answer, game)


@evaluable("wari.match")
@dataclass(frozen=True)
class LevelSpec:
    """A level of `wari play`, in this process. Its choices depend on the seed and the moves before.

    >>> LevelSpec(3, seed=1).name
    'level:3'
    >>> LevelSpec(3).identity
    'level:3 level 3 seed 1'
    >>> player = LevelSpec(3).start()
    >>> player.choose(Game("abapa"), Limits()) in Game("abapa").legal_moves()
    True
    >>> player.close()

    Raises InvalidValueError for a level that there is not.
    """

    level: int
    """1 to 9."""
    seed: int = 1
    """Of the choices by chance of levels 1 to 5."""
    name: str = ""
    """As it stands in game files and results; empty: `level:N`."""

    def __post_init__(self) -> None:
        """Checks the level and completes the name."""
        if type(self.level) is not int or self.level not in LEVELS:
            least, most = min(LEVELS), max(LEVELS)
            raise InvalidValueError(
                f"level: expected {least} to {most}, not {shown(self.level)}", "level"
            )
        object.__setattr__(self, "name", self.name or f"level:{self.level}")

    @property
    def identity(self) -> str:
        """A text that is another one for another level, name or seed."""
        return f"{self.name} level {self.level} seed {self.seed}"

    def start(self, began: Began | None = None, timeout: float = 10.0) -> LevelPlayer:
        """The level, ready to play. Raises NotEnoughMemoryError."""
        player = LevelPlayer(
            self.level, self.seed, 1, _HASH_MB, "auto", name=self.name, by_position=True
        )
        if began is not None:
            began(player)
        return player


@evaluable("wari.match")
@dataclass(frozen=True)
class RandomSpec:
    """A player of any legal moves. Its choices depend on the seed and the moves before.

    >>> RandomSpec(seed=7).identity
    'random random seed 7'
    >>> player = RandomSpec().start()
    >>> player.name
    'random'
    """

    seed: int = 1
    name: str = RANDOM
    """As it stands in game files and results."""

    @property
    def identity(self) -> str:
        """A text that is another one for another name or seed."""
        return f"{self.name} random seed {self.seed}"

    def start(self, began: Began | None = None, timeout: float = 10.0) -> RandomPlayer:
        """The player."""
        player = RandomPlayer(self.seed, self.name)
        if began is not None:
            began(player)
        return player


@dataclass(frozen=True)
class GivenPlayer:
    """A player that the caller has made, and will close."""

    player: Player

    @property
    def name(self) -> str:
        """The player's own."""
        return self.player.name

    @property
    def identity(self) -> str:
        """A text that is another one for another name or class."""
        return f"{self.name} {type(self.player).__qualname__}"

    def start(self, began: Began | None = None, timeout: float = 10.0) -> Player:
        """The player."""
        if began is not None:
            began(self.player)
        return self.player


def parse_player(
    text: str, name: str | None = None, options: dict[str, str] | None = None, seed: int = 1
) -> EngineCommand | LevelSpec | RandomSpec:
    """`level:N`, `random`, or an engine as `EngineCommand.parse` takes it.

    >>> parse_player("level:3", seed=5)
    wari.match.LevelSpec(level=3, seed=5, name='level:3')
    >>> parse_player("random").name, parse_player("wari").name
    ('random', 'wari')

    Raises InvalidValueError for a text that is none of these, and for options of what has none.
    """
    word = text.strip() if isinstance(text, str) else ""
    level = _LEVEL.fullmatch(word)
    if level is None and word != RANDOM:
        return EngineCommand.parse(text, name, options)
    if options:
        raise InvalidValueError(f"set: {word} has no options", "set")
    if level is None:
        return RandomSpec(seed, name or RANDOM)
    least, most = min(LEVELS), max(LEVELS)
    if level[1] not in map(str, LEVELS):
        raise InvalidValueError(
            f"engine: expected level:{least} to level:{most}, not {shown(word)}", "engine"
        )
    return LevelSpec(int(level[1]), seed, name or "")


def spec_of(side: PlayerSpec | Player) -> PlayerSpec:
    """What starts a side of a match; a player that is given is there already."""
    if isinstance(side, PlayerSpec):
        return side
    if isinstance(side, Player):
        return GivenPlayer(side)
    raise InvalidValueError(
        f"player: expected a Player or a PlayerSpec, not {shown(side)}", "player"
    )
