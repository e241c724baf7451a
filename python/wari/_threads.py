"""Threads that work beside their caller, and the words where the system grants none."""

from __future__ import annotations

import threading
from collections.abc import Callable

from wari.errors import NotEnoughMemoryError

_REFUSED = "can't start new thread"  # what Python says
NO_THREADS = "thread: the system grants no more of them"


class NoThreadError(NotEnoughMemoryError):
    """The system grants no more threads, or no memory for one."""


def started(
    work: Callable[..., object], *arguments: object, name: str | None = None
) -> threading.Thread:
    """A daemon thread that does `work` from now on. Raises NoThreadError."""
    thread = threading.Thread(target=work, args=arguments, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        if not is_refusal(error):
            raise
        raise NoThreadError(NO_THREADS) from error
    return thread


def is_refusal(error: RuntimeError) -> bool:
    """Whether an error of the standard library means that there are no more threads."""
    return str(error) == _REFUSED
