"""The two sides of a match: engines in processes, and their clocks.

Owns: how an engine is named and started, and how one game is played. Must not know: matches.
"""

from __future__ import annotations

import contextlib
import math
import shlex
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from wari._check import shown
from wari._escape import escape_control
from wari._repr import evaluable
from wari.errors import InvalidValueError
from wari.game import Game
from wari.limits import Clock, Limits, clock_of, seconds
from wari.match.played import Overruns
from wari.uci import Client, EngineError, EngineTimeoutError

_AFTER_ITS_TIME = 10.0  # seconds for an engine that has lost on time to answer after all
_LONGEST_FAULT = 500  # characters

OWN = "wari"
"""The name of our own engine, of the package that runs the match."""


@evaluable("wari.match")
@dataclass(frozen=True)
class Player:
    """An engine of a match: a command that speaks UCI, and its options.

    >>> Player.parse("wari Threads=2 Evaluation=material").options
    {'Threads': '2', 'Evaluation': 'material'}
    >>> Player.parse("/opt/engine --uci", name="other").command
    ('/opt/engine', '--uci')
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
    ) -> Player:
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

    def start(
        self, began: Callable[[Client], object] | None = None, timeout: float = 10.0
    ) -> Client:
        """The engine, ready to play; `began` hears of its process before it is ready.

        It has `timeout` seconds for each answer that should come at once: `uciok`, `readyok`.

        Raises EngineError, InvalidValueError for a wrong option.

        >>> with Player.parse("wari Hash=8").start() as engine:
        ...     engine.go(Game("abapa"), depth=2).info.depth
        2
        """
        return _Announced(self.command, self.options, began, timeout)


class _Announced(Client):
    """A client that another thread can close while it still greets its engine."""

    def __init__(
        self,
        command: tuple[str, ...],
        options: dict[str, str],
        began: Callable[[Client], object] | None,
        timeout: float,
    ) -> None:
        self._began = began
        super().__init__(command, timeout=timeout, options=options)

    def _on_start(self) -> None:
        began, self._began = self._began, None
        if began is not None:
            began(self)


@evaluable("wari.match")
@dataclass(frozen=True)
class Pace:
    """How long a move may take: a time or a number of nodes or plies each, or a clock a game.

    >>> print(Pace(time=0.5), "|", Pace(clock=(60, 0.5)))
    0.5 s a move | 60+0.5 s

    Raises InvalidValueError naming a limit, a margin or a patience that cannot be.
    """

    time: float | None = None
    """Seconds a move."""
    nodes: int | None = None
    """Positions visited a move."""
    depth: int | None = None
    """Plies a move."""
    clock: Clock | tuple[float, float] | None = None
    """The clock of a game: a `wari.Clock`, or the seconds a game and the increment a move."""
    time_margin: float = 0.1
    """Seconds that a move may take beyond its time or the clock; more of them lose the game."""
    patience: float = 300.0
    """Seconds for a move where no time is set, and, if they are more than ten, for the start."""

    def __post_init__(self) -> None:
        """Checks the limits, and the seconds that no engine hears of."""
        for name, value in vars(self.limits).items():
            object.__setattr__(self, name, value)
        for name, zero in (("time_margin", True), ("patience", False)):
            object.__setattr__(self, name, seconds(name, getattr(self, name), zero=zero))

    @property
    def limits(self) -> Limits:
        """The limits of the first move.

        >>> Pace(clock=(60, 0.5), depth=9).limits.clock.increment
        0.5
        """
        return Limits(self.depth, self.nodes, self.time, _game_clock(self.clock))

    def __str__(self) -> str:
        """As it stands in game files."""
        words = [f"{self.time:g} s a move"] if self.time is not None else []
        words += [f"{self.nodes} nodes a move"] if self.nodes is not None else []
        words += [f"{self.depth} plies a move"] if self.depth is not None else []
        clock = self.limits.clock
        words += [f"{clock.remaining:g}+{clock.increment:g} s"] if clock is not None else []
        return ", ".join(words) or "no limit"


def _game_clock(clock: object) -> Clock | None:
    """The clock of a game, perhaps given as (seconds, increment)."""
    if clock is None or isinstance(clock, Clock):
        return clock
    try:
        remaining, increment = tuple(clock)  # type: ignore[arg-type, var-annotated]
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"clock: expected (seconds, increment), not {shown(clock)}", "clock"
        ) from None
    return clock_of((remaining, increment, 0))


class Duel:
    """Two engines that play one game after another; one that fails is started anew.

    >>> plain = Player.parse("wari Evaluation=material Hash=8", "plain")
    >>> duel = Duel(Player.parse("wari Hash=8", "net"), plain, Pace(nodes=100))
    >>> game = Game("abapa", "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S")
    >>> fault = duel.play(game, first_is_south=True)
    >>> duel.stop()
    >>> duel.close()
    >>> fault, game.is_over, duel.overruns[0].moves
    (None, True, 0)
    """

    def __init__(self, first: Player, second: Player, pace: Pace) -> None:
        self._players = (first, second)
        self._pace = pace
        self._clients: list[Client | None] = [None, None]
        self._overruns = [Overruns(), Overruns()]
        self._lock = threading.Lock()  # guards what follows
        self._stopped = False

    def play(self, game: Game, first_is_south: bool) -> str | None:
        """Plays a game to its end; the words for a fault that ended it, or None.

        Raises EngineError where an engine cannot be started or does not know the rules, and
        CancelledDuel after `stop`.
        """
        seats = {"S": 0 if first_is_south else 1, "N": 1 if first_is_south else 0}
        self._overruns = [Overruns(), Overruns()]
        try:
            for seat in (0, 1):
                self._ready(seat)
                self._client(seat).check_rules(game.rules)
            return self._play(game, seats)
        except EngineError as error:
            if self._stopped:
                raise CancelledDuel from error
            raise

    @property
    def overruns(self) -> tuple[Overruns, Overruns]:
        """The first player's and the second's in the last game."""
        first, second = self._overruns
        return first, second

    def stop(self) -> None:
        """Ends both engines by force, and so what `play` waits for; from another thread."""
        with self._lock:
            self._stopped = True
            clients = [client for client in self._clients if client is not None]
        for client in clients:
            client.close(force=True)

    def close(self) -> None:
        """Ends both engines."""
        for seat in (0, 1):
            self._drop(seat)

    def _play(self, game: Game, seats: dict[str, int]) -> str | None:
        left = dict.fromkeys("SN", clock.remaining if (clock := self._pace.limits.clock) else 0.0)
        while not game.is_over:
            if self._stopped:
                raise CancelledDuel
            side = game.position.side
            name = self._players[seats[side]].name
            try:
                over = self._move(game, seats[side], left)
            except EngineError as error:
                if self._stopped:
                    raise
                self._drop(seats[side])
                end = game.lose_on_time if isinstance(error, EngineTimeoutError) else game.resign
                end(side)
                return escape_control(f"{name}: {error}")[:_LONGEST_FAULT]
            if over > self._pace.time_margin:
                game.lose_on_time(side)
                return escape_control(f"{name}: lost on time, {over:.3f} s over")
        return None

    def _ready(self, seat: int) -> None:
        """An engine ready for a new game; one that has failed since the last is started anew."""
        if self._clients[seat] is not None:
            try:
                self._client(seat).new_game()
                return
            except EngineError:
                self._drop(seat)
        self._client(seat).new_game()

    def _move(self, game: Game, seat: int, left: dict[str, float]) -> float:
        """One move, unless it comes too late; the seconds that it took beyond its time, or 0."""
        pace, side = self._pace, game.position.side
        clock = pace.limits.clock
        limits = replace(pace.limits, clock=None)
        clocks: dict[str, float] | None = None
        if clock is not None:
            plus = clock.increment
            clocks = {"S": left["S"], "N": left["N"], "S+": plus, "N+": plus}
        legal = game.legal_moves()
        if legal == ("-",):
            game.push("-")
            return 0.0
        own = (pace.time, None if clock is None else left[side])
        allowed = min((time for time in own if time is not None), default=math.inf)
        late = pace.time_margin + min(_AFTER_ITS_TIME, pace.patience)
        timeout = pace.patience if math.isinf(allowed) else allowed + late
        began = time.monotonic()
        answer = self._client(seat).go(game, timeout=timeout, limits=limits, clock=clocks)
        took = time.monotonic() - began
        over = max(took - allowed, 0.0)
        if over > 0:
            self._overruns[seat] = self._overruns[seat].after(over)
        if over <= pace.time_margin:
            if clock is not None:
                left[side] = max(left[side] - took, 0.0) + clock.increment
            assert answer.best_move is not None
            game.push(answer.best_move)
        return over

    def _client(self, seat: int) -> Client:
        client = self._clients[seat]
        if client is None:

            def began(new: Client) -> None:
                with self._lock:
                    self._clients[seat] = new
                    if not self._stopped:
                        return
                new.close(force=True)

            try:
                client = self._players[seat].start(began, max(_AFTER_ITS_TIME, self._pace.patience))
            except BaseException:
                self._drop(seat)
                raise
        return client

    def _drop(self, seat: int) -> None:
        with self._lock:
            client, self._clients[seat] = self._clients[seat], None
        if client is not None:
            with contextlib.suppress(EngineError):
                client.close()


class CancelledDuel(Exception):  # noqa: N818 - not an error
    """`Duel.stop` was called in the middle of a game."""
