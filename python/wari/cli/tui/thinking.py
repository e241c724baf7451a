"""Searches beside the screen: one thread each, that can be called off at any moment."""

import threading
from collections.abc import Callable
from typing import Any, Protocol

from wari import CancelledError
from wari._threads import NoThreadError, started

Deliver = Callable[..., Any]  # calls a function in the thread of the screen


class Searcher(Protocol):
    """What can be stopped: an engine, or an opponent that has one."""

    def prepare(self) -> None:
        """Makes a `stop` count that comes before the search runs."""

    def stop(self) -> None:
        """Ends the search soon."""


class Thinker:
    """One search at a time; the answer of one that was called off is never heard."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._lock = threading.Lock()  # an engine runs one search at a time
        self._number = 0  # of the search that is wanted
        self._own = threading.local()  # `number` is that of the search of the thread
        self._searcher: Searcher | None = None
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is waited for."""
        return self._searcher is not None

    def start(
        self,
        searcher: Searcher,
        work: Callable[[], object],
        done: Callable[[Any], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """Do `work` in a thread, then call `done` with what it returned, in the screen's thread."""
        self.call_off()
        self._searcher = searcher
        number = self._number

        def run() -> None:
            self._own.number = number
            with self._lock:
                if number != self._number:
                    return
                searcher.prepare()
                if number != self._number:  # from here on a stop counts
                    return
                try:
                    found, report = work(), done
                except Exception as error:
                    found, report = error, failed
            self._hand_over(number, report, found)

        try:
            self._thread = started(run, name="wari-thinks")
        except NoThreadError as error:
            self._searcher = None
            failed(error)

    def go_on(self) -> None:
        """For a work of several searches, between them. Raises CancelledError once called off."""
        if self._searcher is None or self._own.number != self._number:
            raise CancelledError

    def call_off(self) -> None:
        """Stop, and forget the answer."""
        self._number += 1
        if self._searcher is not None:
            self._searcher.stop()
            self._searcher = None

    def end(self, seconds: float = 5.0) -> None:
        """Stop and wait for the thread."""
        self.call_off()
        if self._thread is not None:
            self._thread.join(seconds)

    def _hand_over(self, number: int, report: Callable[[Any], object], found: object) -> None:
        def arrive() -> None:
            if number == self._number:
                self._searcher = None
                report(found)

        if number == self._number:
            self._deliver(arrive)
