"""What still runs when the interpreter ends, or forks.

Python waits for all threads but daemons. Those that are in a call of the core are asked to end it,
and get SystemExit, as in every call that they begin after that.
"""

from __future__ import annotations

import atexit
import os
import threading
from weakref import WeakSet

from wari import _core

helpers: WeakSet[threading.Thread] = WeakSet()
"""Daemon threads that do nothing but a call of the core: they are waited for."""


def _end() -> None:
    _core.end_calls()
    for helper in tuple(helpers):
        helper.join()


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_core.forget_calls)
