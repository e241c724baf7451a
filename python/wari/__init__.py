"""wari: rules, analysis and tablebases for the mancala game Oware (Awari, Wari).

>>> import wari
>>> position = wari.Position()
>>> position.legal_moves()
('A', 'B', 'C', 'D', 'E', 'F')

Importing this package imports nothing outside the standard library.
"""

import sys as _sys
import typing as _typing

if _sys.argv[:1] == ["-m"] and _sys.orig_argv[-len(_sys.argv)] == "wari":  # `python -m wari`
    import wari_start as _wari_start  # noqa: F401

from wari._core import __version__
from wari._literals import (
    Bound,
    EndingReason,
    RefusalReason,
    Side,
    Source,
    TableKind,
    Verdict,
    VerifyLevel,
)
from wari.engine import EVALUATIONS, Analysis, Engine, Line, Score
from wari.errors import (
    BusyError,
    CancelledError,
    ClosedError,
    GameOverError,
    IllegalMoveError,
    InvalidValueError,
    MissingPackageError,
    MissingTableError,
    NoHistoryError,
    NotEnoughMemoryError,
    StorageError,
    TableFileError,
    WariError,
    WrongRulesError,
)
from wari.game import Game
from wari.limits import Clock, Limits
from wari.position import ENDINGS, PASS, PITS, REFUSALS, Position, Result
from wari.rules import AXES, PRESET_ORIGINS, PRESETS, Axis, Rules
from wari.solution import Solution
from wari.tablebase import (
    MAX_TABLE_SEEDS,
    BuildNeeds,
    BuildProgress,
    EntryCount,
    Tablebase,
    TableMove,
    TableProbe,
)

__all__ = [
    "AXES",
    "ENDINGS",
    "EVALUATIONS",
    "MAX_TABLE_SEEDS",
    "PASS",
    "PITS",
    "PRESETS",
    "PRESET_ORIGINS",
    "REFUSALS",
    "Analysis",
    "Axis",
    "Bound",
    "BuildNeeds",
    "BuildProgress",
    "BusyError",
    "CancelledError",
    "Clock",
    "ClosedError",
    "EndingReason",
    "Engine",
    "EntryCount",
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "InvalidValueError",
    "Limits",
    "Line",
    "MissingPackageError",
    "MissingTableError",
    "NoHistoryError",
    "NotEnoughMemoryError",
    "Position",
    "RefusalReason",
    "Result",
    "Rules",
    "Score",
    "Side",
    "Solution",
    "Source",
    "StorageError",
    "TableFileError",
    "TableKind",
    "TableMove",
    "TableProbe",
    "Tablebase",
    "Verdict",
    "VerifyLevel",
    "WariError",
    "WrongRulesError",
    "__version__",
]


_PARTS = ("bench", "match", "ogn", "review", "svg", "uci")

if _typing.TYPE_CHECKING:
    from wari import bench as bench
    from wari import match as match
    from wari import ogn as ogn
    from wari import review as review
    from wari import svg as svg
    from wari import uci as uci
else:

    def __getattr__(name: str) -> object:
        """The parts that are imported when they are first used."""
        if name in _PARTS:
            from importlib import import_module

            return import_module(f"wari.{name}")
        raise AttributeError(f"module 'wari' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, the parts among them."""
    return sorted({*__all__, *_PARTS, *(name for name in globals() if name.startswith("__"))})
