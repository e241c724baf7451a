"""Any UCI oware engine, driven from Python."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TypeVar

from wari.errors import GameOverError
from wari.game import Game
from wari.limits import Clock, Limits
from wari.position import Position
from wari.rules import Rules
from wari.uci.core import ClientCore
from wari.uci.process import LineProcess, LineQueue
from wari.uci.protocol import Answer, Info, Option
from wari.uci.state_machine import search_options

T = TypeVar("T")


class _Blocking:
    """Waits by blocking: none of its coroutines ever suspends."""

    caller = "thread"

    def __init__(self) -> None:
        self._lock = threading.Lock()

    async def line(self, lines: LineQueue, end: float | None) -> str | None:
        return lines.get(end)

    async def write(self, process: LineProcess, line: str) -> None:
        process.write(line)

    async def call(self, function: Callable[[], T]) -> T:
        return function()

    async def acquire(self, seconds: float) -> bool:
        return self._lock.acquire(timeout=seconds)

    def release(self) -> None:
        self._lock.release()


def move_of(answer: Answer, game: Game) -> str:
    """The move of an answer. Raises GameOverError where there is none."""
    if answer.best_move is None:
        raise GameOverError(f"move: the game is over ({game.ending})", "", "game_over")
    return answer.best_move


def _run(work: Awaitable[T]) -> T:
    """The result of a coroutine that never suspends."""
    try:
        next(work.__await__())
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("a coroutine of the plain client has suspended")


class Client:
    """A UCI engine in a process of its own. Close it, or use it in a `with` block.

    `command` is a command line or a list of its words. `timeout` is the time in seconds that the
    engine has for what should be at once, and beyond a limit of time in a search. `options` are set
    at the start.

    >>> import sys, wari
    >>> with wari.uci.Client([sys.executable, "-m", "wari", "uci"]) as engine:
    ...     answer = engine.go(wari.Game("abapa"), depth=6)
    >>> answer.best_move in "ABCDEF", answer.info.depth
    (True, 6)

    >>> with wari.uci.Client([sys.executable, "-m", "wari", "uci"], options={"Hash": 8}) as engine:
    ...     engine.timeout = 5.0
    ...     engine.new_game()
    ...     engine.set_option("MultiPV", 2)
    ...     engine.is_ready()
    ...     len(engine.go(wari.Game("abapa"), depth=4).lines)
    ...     engine.name.split()[0], engine.options["Hash"].type, engine.pid > 0
    2
    ('wari', 'spin', True)
    >>> engine.close()

    Raises EngineDiedError when the process cannot be started or ends, EngineTimeoutError when it
    does not answer in time, EngineError for an answer that makes no sense; the process is ended
    then. InvalidValueError for an argument that cannot be, and BusyError while another thread waits
    for the engine: then nothing was sent.
    Source: docs/uci.md.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        options: Mapping[str, object] | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._core = ClientCore(command, timeout, options, cwd, env, _Blocking())
        self._core.launch()
        try:
            self._on_start()
            _run(self._core.handshake())
        except BaseException:
            self.close()
            raise

    def _on_start(self) -> None:
        """The process runs and can be closed by another thread, but has not answered `uci` yet."""

    @property
    def timeout(self) -> float:
        """Seconds for what should be at once, and beyond a limit of time in a search."""
        return self._core.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._core.timeout = seconds

    @property
    def name(self) -> str:
        """The engine's name for itself."""
        return self._core.machine.name

    @property
    def author(self) -> str:
        """Who the engine says wrote it.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     engine.author
        'the wari authors'
        """
        return self._core.machine.author

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine declared, by name."""
        return dict(self._core.machine.options)

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._core.process is not None
        return self._core.process.pid

    def is_ready(self) -> None:
        """Waits until the engine has done all that it was asked to. Raises EngineError."""
        _run(self._core.is_ready())

    def new_game(self) -> None:
        """`ucinewgame`: the next position belongs to another game. Raises EngineError."""
        _run(self._core.new_game())

    def set_option(self, name: str, value: object) -> None:
        """Sets an option.

        Raises InvalidValueError for one that the engine does not declare; EngineError.
        """
        _run(self._core.set_option(name, value))

    def check_rules(self, rules: Rules | str) -> None:
        """Refuses rules that the engine does not know, as far as its options say.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     engine.check_rules("awari")

        Raises EngineError, InvalidValueError for a text that is no rules; the engine hears nothing.
        """
        self._core.check_rules(rules)

    def go(
        self,
        position: Position | Game,
        *,
        timeout: float | None = None,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        clock: Clock | Mapping[str, float] | None = None,
        moves_to_go: int | None = None,
        infinite: bool = False,
        ponder: bool = False,
        moves: str = "",
    ) -> Answer:
        """Searches, and returns the move with the last info of every line.

        A Game is sent with its moves, so that the engine knows its history. The limits are a
        `wari.Limits`, or some of its fields by name; `clock` is the `wari.Clock` of the side to
        move, or the seconds of both by `S` and `N`, their increments by `S+` and `N+`. Without any
        limit, or with `infinite=True`, the engine searches until `stop()` from another thread.
        `timeout` is the time in seconds the whole search may take; without it, one with a limit of
        time has `self.timeout` more than that, and others have as long as they need.

        A search whose stream is still open in this thread is stopped before.

        Raises EngineError; BusyError while another thread waits for the engine; InvalidValueError,
        before anything is sent, for a position, a limit or a time-out that cannot be.
        """
        options = search_options(
            *(limits, depth, nodes, time, clock), moves_to_go, infinite, ponder, moves
        )
        return _run(self._core.go(position, timeout, options))

    def choose(self, game: Game, limits: Limits) -> str:
        """The engine's move, as a `wari.match.Player`; `go` gives more.

        The clock is that of the side to move; the engine hears of no other.

        >>> import sys, wari
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     engine.choose(Game("abapa"), wari.Limits(depth=4)) in Game("abapa").legal_moves()
        True

        Raises as `go` does, and GameOverError.
        """
        return move_of(self.go(game, limits=limits), game)

    def stream(
        self,
        position: Position | Game,
        *,
        timeout: float | None = None,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        clock: Clock | Mapping[str, float] | None = None,
        moves_to_go: int | None = None,
        infinite: bool = False,
        ponder: bool = False,
        moves: str = "",
    ) -> Iterator[Info | Answer]:
        """Yields each info of a search and, last, the Answer; takes what `go` takes.

        Leaving the loop stops the search, and so does the beginning of another one: what is left
        of the stream then raises CancelledError.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     *infos, answer = engine.stream(Position("abapa"), depth=6)
        >>> infos[-1].depth, answer.best_move == infos[-1].pv[0]
        (6, True)

        Raises as `go` does.
        """
        options = search_options(
            *(limits, depth, nodes, time, clock), moves_to_go, infinite, ponder, moves
        )
        items = self._core.stream(position, timeout, options)
        try:
            while True:
                yield _run(anext(items))
        except StopAsyncIteration:
            pass
        finally:
            _run(items.aclose())

    def stop(self) -> None:
        """Makes a search end soon; for other threads than the one that searches.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     for item in engine.stream(Position("abapa"), infinite=True):
        ...         if isinstance(item, Info):
        ...             engine.stop()
        >>> item.best_move in Position().legal_moves()
        True

        Raises EngineDiedError.
        """
        _run(self._core.send("stop"))

    def ponder_hit(self) -> None:
        """The reply pondered on was played; for other threads than the one that searches.

        >>> import sys
        >>> command = [sys.executable, "-m", "wari", "uci"]
        >>> with Client(command, options={"Ponder": "true"}) as engine:
        ...     for item in engine.stream(Position("abapa"), time=0.01, ponder=True):
        ...         if isinstance(item, Info):
        ...             engine.ponder_hit()
        >>> item.best_move in Position().legal_moves()
        True

        Raises EngineDiedError.
        """
        _run(self._core.send("ponderhit"))

    def close(self, force: bool = False) -> None:
        """Ends the process, by force if it does not end by itself; closing twice does no harm.

        With `force` it is not asked before. Other threads that wait for it get EngineDiedError.
        """
        _run(self._core.close(force))

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<wari.uci.Client {self.name!r}, process {self.pid}>"
