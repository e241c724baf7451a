"""One game between two players, and the time that they have."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

from wari._check import shown
from wari._escape import escape_control
from wari._repr import evaluable
from wari.errors import IllegalMoveError, InvalidValueError
from wari.game import Game
from wari.limits import Clock, Limits, clock_of, seconds
from wari.match.played import Overruns
from wari.match.specs import GivenPlayer, PlayerSpec, UciPlayer, spec_of
from wari.players import Player
from wari.uci.client import Client
from wari.uci.protocol import EngineError, EngineTimeoutError

_AFTER_ITS_TIME = 10.0  # seconds for an engine that has lost on time to answer after all
_LONGEST_FAULT = 500  # characters
_LEAST_LEFT = 0.001  # seconds; a clock that has run down shows as much


@evaluable("wari.match")
@dataclass(frozen=True)
class Pace:
    """How long a move may take: a time or a number of nodes or plies each, or a clock a game.

    >>> print(Pace(time=0.5), "|", Pace(clock=(60, 0.5)))
    0.5 s a move | 60+0.5 s

    Raises InvalidValueError naming what cannot be.
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
        """Checks every limit."""
        for name, zero in (("time_margin", True), ("patience", False)):
            object.__setattr__(self, name, seconds(name, getattr(self, name), zero=zero))
        for name, value in vars(self.limits).items():
            object.__setattr__(self, name, value)

    @property
    def limits(self) -> Limits:
        """The limits of the first move.

        >>> Pace(clock=(60, 0.5), depth=9).limits.clock.increment
        0.5
        """
        return Limits(self.depth, self.nodes, self.time, _game_clock(self.clock))

    def limits_with(self, left: float) -> Limits:
        """The limits of a move, where the clock of the side to move shows `left` seconds.

        >>> Pace(clock=(60, 0.5)).limits_with(12.5).clock
        wari.Clock(remaining=12.5, increment=0.5, moves_to_go=0)
        """
        limits = self.limits
        if limits.clock is None:
            return limits
        return replace(limits, clock=replace(limits.clock, remaining=max(left, _LEAST_LEFT)))

    def clocks(self, left: dict[str, float]) -> dict[str, float] | None:
        """Both clocks where they show so many seconds, as `wari.uci.SearchOptions.clocks`; or None.

        >>> Pace(clock=(60, 0.5)).clocks({"S": 9.0, "N": 8.0})
        {'S': 9.0, 'N': 8.0, 'S+': 0.5, 'N+': 0.5}
        """
        if (clock := self.limits.clock) is None:
            return None
        return {"S": left["S"], "N": left["N"], "S+": clock.increment, "N+": clock.increment}

    def __str__(self) -> str:
        """As it stands in game files."""
        words = [f"{self.time:g} s a move"] if self.time is not None else []
        words += [f"{self.nodes} nodes a move"] if self.nodes is not None else []
        words += [f"{self.depth} plies a move"] if self.depth is not None else []
        clock = self.limits.clock
        words += [f"{clock.remaining:g}+{clock.increment:g} s"] if clock is not None else []
        return ", ".join(words) or "no limit"


def _game_clock(clock: Any) -> Clock | None:
    """The clock of a game, perhaps given as (seconds, increment)."""
    if clock is None or isinstance(clock, Clock):
        return clock
    try:
        remaining, increment = clock
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"clock: expected (seconds, increment), not {shown(clock)}", "clock"
        ) from None
    return clock_of((remaining, increment, 0))


class Duel:
    """Two players that play one game after another; an engine that fails is started anew.

    >>> from wari.match import EngineCommand, RandomSpec
    >>> duel = Duel(EngineCommand.parse("wari Hash=8"), RandomSpec(), Pace(nodes=100))
    >>> game = Game("abapa", "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S")
    >>> fault = duel.play(game, first_is_south=True)
    >>> duel.stop()
    >>> duel.close()
    >>> fault, game.is_over, duel.overruns[0].moves
    (None, True, 0)
    """

    def __init__(self, first: PlayerSpec | Player, second: PlayerSpec | Player, pace: Pace) -> None:
        self._specs = (spec_of(first), spec_of(second))
        self._pace = pace
        self._players: list[Player | None] = [None, None]
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
                player = self._ready(seat)
                if isinstance(player, Client):
                    player.check_rules(game.rules)
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
            players = [player for player in self._players if player is not None]
        for player in players:
            _interrupt(player)

    def close(self) -> None:
        """Ends both players, but for those that the caller has made."""
        for seat in (0, 1):
            self._drop(seat)

    def _play(self, game: Game, seats: dict[str, int]) -> str | None:
        left = dict.fromkeys("SN", clock.remaining if (clock := self._pace.limits.clock) else 0.0)
        while not game.is_over:
            if self._stopped:
                raise CancelledDuel
            side = game.position.side
            name = self._specs[seats[side]].name
            try:
                over = self._move(game, seats[side], left)
            except (EngineError, _WrongMoveError) as error:
                if self._stopped:
                    raise CancelledDuel from error
                self._drop(seats[side])
                end = game.lose_on_time if isinstance(error, EngineTimeoutError) else game.resign
                end(side)
                return escape_control(f"{name}: {error}")[:_LONGEST_FAULT]
            if over > self._pace.time_margin:
                game.lose_on_time(side)
                return escape_control(f"{name}: lost on time, {over:.3f} s over")
        return None

    def _ready(self, seat: int) -> Player:
        """A player ready for a new game; one that has failed since the last is started anew."""
        player = self._players[seat]
        if player is not None:
            try:
                player.new_game()
                return player
            except EngineError:
                self._drop(seat)
        player = self._player(seat)
        player.new_game()
        return player

    def _move(self, game: Game, seat: int, left: dict[str, float]) -> float:
        """One move, unless it comes too late; the seconds that it took beyond its time, or 0."""
        pace, side = self._pace, game.position.side
        if game.legal_moves() == ("-",):
            game.push("-")
            return 0.0
        limits = pace.limits_with(left[side])
        own = (limits.time, None if limits.clock is None else left[side])
        allowed = min((time for time in own if time is not None), default=math.inf)
        player = self._player(seat)
        if isinstance(player, UciPlayer):
            late = pace.time_margin + min(_AFTER_ITS_TIME, pace.patience)
            player.move_timeout = pace.patience if math.isinf(allowed) else allowed + late
            player.clocks = pace.clocks(left)
        began = time.monotonic()
        move = player.choose(game, limits)
        took = time.monotonic() - began
        over = max(took - allowed, 0.0)
        if over > 0:
            self._overruns[seat] = self._overruns[seat].after(over)
        if over <= pace.time_margin:
            if limits.clock is not None:
                left[side] = max(left[side] - took, 0.0) + limits.clock.increment
            try:
                game.push(move)
            except (IllegalMoveError, InvalidValueError) as error:
                raise _WrongMoveError(str(error)) from error
        return over

    def _player(self, seat: int) -> Player:
        player = self._players[seat]
        if player is None:

            def began(new: Player) -> None:
                with self._lock:
                    self._players[seat] = new
                    if not self._stopped:
                        return
                _interrupt(new)

            try:
                player = self._specs[seat].start(began, max(_AFTER_ITS_TIME, self._pace.patience))
            except BaseException:
                self._drop(seat)
                raise
        return player

    def _drop(self, seat: int) -> None:
        if isinstance(self._specs[seat], GivenPlayer):
            return
        with self._lock:
            player, self._players[seat] = self._players[seat], None
        if player is not None:
            with contextlib.suppress(EngineError):
                player.close()


def _interrupt(player: Player) -> None:
    """Ends what a player does, from another thread; an engine of ours by force."""
    if isinstance(player, UciPlayer):
        player.close(force=True)
    else:
        with contextlib.suppress(EngineError):
            player.stop()


class _WrongMoveError(Exception):
    """A player chose what is no legal move."""


class CancelledDuel(Exception):  # noqa: N818 - not an error
    """`Duel.stop` was called in the middle of a game."""
