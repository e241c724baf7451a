"""The exceptions of wari.

The extension module raises these very classes.
"""

from __future__ import annotations


class WariError(Exception):
    """Whatever goes wrong in wari, apart from misuse of Python itself (TypeError).

    >>> import wari
    >>> for wrong in (lambda: wari.Rules.parse("kalah"), lambda: wari.Game().pop()):
    ...     try:
    ...         wrong()
    ...     except wari.WariError as error:
    ...         print(type(error).__name__)
    InvalidValueError
    NoHistoryError
    """


class InvalidValueError(WariError, ValueError):
    """A value from outside is malformed or out of range.

    >>> import wari
    >>> try:
    ...     wari.Position.parse("4-4-x-4-4-4-4-4-4-4-4-4-0-0-S")
    ... except wari.InvalidValueError as error:
    ...     print(error.field, "|", error)
    C | C: expected a count of 0 to 96 seeds, not 'x'
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field
        """The name of the field at fault."""


class IllegalMoveError(WariError, ValueError):
    """A move that the rules refuse here.

    >>> import wari
    >>> try:
    ...     wari.Position().play("a")
    ... except wari.IllegalMoveError as error:
    ...     print(error.move, error.reason, "|", error)
    a not_your_pit | move: a is not legal here: that pit belongs to the other side
    """

    def __init__(self, message: str, move: str = "", reason: str = "") -> None:
        super().__init__(message)
        self.move = move
        """The move as it was given."""
        self.reason = reason
        """The code of the reason: game_over, not_your_pit, empty_pit, single_seed, must_feed,
        slam_forbidden or cannot_pass."""


class GameOverError(IllegalMoveError):
    """A move, an agreement or a resignation after the end of the game.

    >>> import wari
    >>> game = wari.Game()
    >>> game.agree()
    >>> game.push("F")
    Traceback (most recent call last):
    wari.errors.GameOverError: move: F is not legal here: the game is over
    """


class NoHistoryError(WariError, IndexError):
    """There is no move to take back.

    >>> import wari
    >>> wari.Game().pop()
    Traceback (most recent call last):
    wari.errors.NoHistoryError: game: there is no move to take back
    """


class MissingTableError(WariError, LookupError):
    """No tablebase covers the position.

    >>> import wari
    >>> wari.Tablebase.build(seeds=4).probe(wari.Position("awari"))
    Traceback (most recent call last):
    wari.errors.MissingTableError: board: 48 seeds on it, the table ends at 4
    """


class WrongRulesError(WariError, ValueError):
    """A table or a position belongs to other rules.

    >>> import wari
    >>> wari.Game("abapa", wari.Position("awari"))
    Traceback (most recent call last):
    wari.errors.WrongRulesError: rules: the start is under awari, not abapa
    """


class StorageError(WariError, OSError):
    """The operating system refused to read or write a file.

    >>> import wari
    >>> try:
    ...     wari.Game.load("nowhere.json")
    ... except OSError as error:
    ...     print(type(error).__name__, error.filename)
    StorageError nowhere.json
    """


class TableFileError(WariError, OSError):
    """A table file, or a file of proofs, is damaged, truncated or foreign.

    >>> import tempfile, wari
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     wari.Tablebase.open(file.name)
    Traceback (most recent call last):
    wari.errors.TableFileError: ...
    """


class BusyError(WariError, OSError):
    """Another process holds what is needed.

    >>> import wari
    >>> def again(analysis):
    ...     engine.analyse(wari.Position(), depth=1)
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     engine.analyse(wari.Position(), depth=2, progress=again)
    Traceback (most recent call last):
    wari.errors.BusyError: engine: another search is running
    """


class NotEnoughMemoryError(WariError, MemoryError):
    """More memory or disk is needed than is allowed or free.

    >>> import wari
    >>> wari.Tablebase.build(seeds=16, memory=1_000_000)
    Traceback (most recent call last):
    wari.errors.NotEnoughMemoryError: ...
    """


class CancelledError(WariError):
    """The work was stopped before it was done.

    >>> import wari
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     engine.analyse_many([wari.Position()], depth=99, progress=lambda _: engine.stop())
    Traceback (most recent call last):
    wari.errors.CancelledError: engine: the batch was stopped
    """


class ClosedError(WariError, ValueError):
    """The engine was closed before it was asked.

    >>> import wari
    >>> engine = wari.Engine(hash_mb=8)
    >>> engine.close()
    >>> engine.analyse(wari.Position(), depth=1)
    Traceback (most recent call last):
    wari.errors.ClosedError: engine: it is closed
    """


class MissingPackageError(WariError, ImportError):
    """What was asked for needs a package that is not installed; the message says how to install it.

    >>> import wari
    >>> issubclass(wari.MissingPackageError, ImportError)
    True
    """


__all__ = [
    "BusyError",
    "CancelledError",
    "ClosedError",
    "GameOverError",
    "IllegalMoveError",
    "InvalidValueError",
    "MissingPackageError",
    "MissingTableError",
    "NoHistoryError",
    "NotEnoughMemoryError",
    "StorageError",
    "TableFileError",
    "WariError",
    "WrongRulesError",
]
