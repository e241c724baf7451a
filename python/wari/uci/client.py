"""Any UCI oware engine, driven from Python.

Owns: whose turn it is to talk, and time-outs. Must not know: what is said (see dialogue), or how
lines travel (see process).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from wari._check import shown
from wari._limits import seconds as checked_seconds
from wari.errors import BusyError, CancelledError, InvalidValueError
from wari.game import Game
from wari.position import Position
from wari.rules import Rules, rules_of
from wari.uci.dialogue import Dialogue, Limits, Receive, Send, Step, Steps, Within
from wari.uci.process import LineProcess, arguments_of
from wari.uci.protocol import Answer, EngineError, Info, Option

T = TypeVar("T")


def checked_options(options: Mapping[str, object] | None) -> dict[str, object]:
    """Options to set at the start. Raises InvalidValueError."""
    if options is not None and not isinstance(options, Mapping):
        raise InvalidValueError(
            f"options: expected values by name, not {shown(options)}", "options"
        )
    return dict(options or {})


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
    for the engine: then the engine has been told nothing.
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
        self.timeout = checked_seconds("timeout", timeout)
        wanted = checked_options(options)
        self._dialogue = Dialogue()
        self._turn = threading.Lock()  # held while the engine's lines are read
        self._search: object = None  # the one that the lines belong to
        self._process = LineProcess(arguments_of(command), cwd, env)
        try:
            self._on_start()
            self._run(self._dialogue.greet(self.timeout))
            for name, value in wanted.items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    def _on_start(self) -> None:
        """The process runs and can be closed by another thread, but has not been greeted yet."""

    @property
    def name(self) -> str:
        """The engine's name for itself."""
        return self._dialogue.name

    @property
    def author(self) -> str:
        """Who the engine says wrote it.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     engine.author
        'the wari authors'
        """
        return self._dialogue.author

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine declared, by name."""
        return dict(self._dialogue.options)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def is_ready(self) -> None:
        """Waits until the engine has done all that it was told. Raises EngineError."""
        self._run(self._dialogue.ready(self.timeout))

    def new_game(self) -> None:
        """Tells the engine that the next position belongs to another game. Raises EngineError."""
        self._run(self._dialogue.new_game(self.timeout))

    def set_option(self, name: str, value: object) -> None:
        """Sets an option.

        Raises InvalidValueError for one that the engine does not declare; EngineError.
        """
        self._run(self._dialogue.set_option(name, value, self.timeout))

    def check_rules(self, rules: Rules | str) -> None:
        """Refuses rules that the engine does not know, as far as its options say.

        >>> import sys
        >>> with Client([sys.executable, "-m", "wari", "uci"]) as engine:
        ...     engine.check_rules("awari")

        Raises EngineError, InvalidValueError for a text that is no rules; the engine hears nothing.
        """
        self._dialogue.check_rules(rules_of(rules))

    def go(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
    ) -> Answer:
        """Searches, and returns the move with the last info of every line.

        A Game is told with its moves, so that the engine knows its history. The limits are those of
        `wari.uci.Limits`; without any, the engine searches until `stop()` from another thread.
        `timeout` is the time in seconds the whole search may take; without it, one with a limit of
        time has `self.timeout` more than that, and others have as long as they need.

        A search whose stream is still open in this thread is stopped before.

        Raises EngineError; BusyError while another thread waits for the engine; InvalidValueError,
        before anything is sent, for a position, a limit or a time-out that cannot be.
        """
        search = object()
        with self._taking_turn():
            try:
                return self._finish(self._begin(search, position, timeout, limits))
            finally:
                self._leave(search)

    def stream(
        self, position: Position | Game, *, timeout: float | None = None, **limits: Any
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
        search = object()
        with self._taking_turn():
            try:
                infos = self._infos(self._begin(search, position, timeout, limits))
                info, answer = _next(infos)
            except BaseException:
                self._leave(search)
                raise
        try:
            while info is not None:
                yield info
                with self._taking_up(search):
                    info, answer = _next(infos)
        finally:
            # Who waits for the engine now, even this very thread, has ended the search or will.
            if self._turn.acquire(blocking=False):
                try:
                    self._leave(search)
                finally:
                    self._turn.release()
        assert answer is not None
        yield answer

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
        self._process.send("stop")

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
        self._process.send("ponderhit")

    def close(self, force: bool = False) -> None:
        """Ends the process, by force if it does not end by itself; closing twice does no harm.

        With `force` it is not asked before. Other threads that wait for it get EngineDiedError.
        """
        self._process.end(force)

    @contextlib.contextmanager
    def _taking_turn(self) -> Iterator[None]:
        """Nobody else talks to the engine meanwhile. Raises BusyError while another thread does."""
        if not self._turn.acquire(blocking=False):
            raise BusyError("engine: another thread waits for its answer")
        try:
            yield
        finally:
            self._turn.release()

    @contextlib.contextmanager
    def _taking_up(self, search: object) -> Iterator[None]:
        """As soon as nobody else talks. Raises CancelledError where another search has begun."""
        while not self._turn.acquire(timeout=0.1):
            if self._search is not search:
                raise CancelledError("search: another one has begun")
        try:
            if self._search is not search:
                raise CancelledError("search: another one has begun")
            yield
        finally:
            self._turn.release()

    def _begin(
        self,
        search: object,
        position: Position | Game,
        timeout: float | None,
        limits: Mapping[str, Any],
    ) -> Steps[Answer]:
        """The steps of a search, after the end of one that was left open."""
        steps = self._dialogue.search(position, Limits(**limits), self.timeout, timeout)
        self._finish(self._dialogue.halt(self.timeout))
        self._search = search
        return steps

    def _leave(self, search: object) -> None:
        """Ends a search that is not over, unless another one has ended it."""
        if self._search is search and self._dialogue.searching and self._process.is_running:
            with contextlib.suppress(EngineError):
                self._finish(self._dialogue.halt(self.timeout))

    def _run(self, steps: Steps[T]) -> T:
        """Carries out steps without looking at infos."""
        with self._taking_turn():
            return self._finish(steps)

    def _finish(self, steps: Steps[T]) -> T:
        infos = self._infos(steps)
        while True:
            try:
                next(infos)
            except StopIteration as end:
                result: T = end.value
                return result

    def _infos(self, steps: Steps[T]) -> Generator[Info, None, T]:
        """Carries out steps; gives the infos. An engine that fails is ended."""
        end: float | None = None
        what = ""
        try:
            step: Step = next(steps)
            while True:
                reply = ""
                if isinstance(step, Send):
                    self._process.send(step.line)
                elif isinstance(step, Within):
                    end = None if step.seconds is None else time.monotonic() + step.seconds
                    what = step.waiting_for
                elif isinstance(step, Receive):
                    reply = self._process.receive(end, what)
                else:
                    yield step
                step = steps.send(reply)
        except StopIteration as stop:
            result: T = stop.value
            return result
        except EngineError:
            self._process.end()
            raise

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


def _next(infos: Generator[Info, None, T]) -> tuple[Info, None] | tuple[None, T]:
    """The next info, or else the result."""
    try:
        return next(infos), None
    except StopIteration as end:
        return None, end.value
