"""The options of `wari uci`: what they are called, what they may be, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from wari._check import shown
from wari._files import expanded
from wari.cache import choice, opened
from wari.engine import EVALUATIONS, Engine, Tables
from wari.errors import InvalidValueError
from wari.levels import LOW_LEVEL
from wari.limits import MAX_HASH_MB, MAX_THREADS
from wari.rules import AXES, PRESETS, Rules
from wari.tablebase import Tablebase
from wari.uci.protocol import whole

DEFAULT_RULES = "abapa"
"""What every other program that speaks this dialect plays; no GUI says so, all assume it."""

ROW = 6
OVERHEAD = 5  # milliseconds: a search ends a little late, and pipes take their time
MAX_OVERHEAD = 60_000
FULL_STRENGTH = 0
LEVELS = 9
_AUTO = 64
_AUTOMATIC = ("", "auto")
_NO_TABLE = "none"


@dataclass(frozen=True)
class Settings:
    """A value for every option."""

    hash_mb: int = _AUTO
    threads: int = 1
    ponder: bool = False
    use_leaves: bool = True
    table_path: str = ""
    multipv: int = 1
    level: int = FULL_STRENGTH
    evaluation: str = EVALUATIONS[-1]
    full_width: bool = False
    overhead_ms: int = OVERHEAD
    rules: Rules = Rules.preset(DEFAULT_RULES)  # noqa: RUF009 - immutable

    def changed(self, name: str, value: str) -> Settings:
        """These settings after `setoption`. Raises InvalidValueError for a wrong name or value."""
        key = _key(name)
        if key == "rules":
            return replace(self, rules=Rules.parse(value))
        if key in _AXES:
            return replace(self, rules=self.rules.replace(**{_AXES[key]: _axis(_AXES[key], value)}))
        if key == _WEAKER and value.lower() == "true":
            raise InvalidValueError(f"{name}: the option Level makes the engine weaker", name)
        if key in _WITHOUT_EFFECT:
            return self
        if key not in _OPTIONS:
            raise InvalidValueError(f"option: there is no {name!r}", "option")
        field, _, read = _OPTIONS[key]
        new: dict[str, Any] = {field: read(name, value)}
        return replace(self, **new)

    def new_engine(self) -> tuple[Engine, tuple[str, ...]]:
        """An engine as these settings want it, and remarks on its tables.

        Raises WariError or MemoryError.
        """
        tables: Tablebase | Tables | None = None
        remarks: tuple[str, ...] = ()
        if self.use_leaves and not self._is_weak() and self.table_path != _NO_TABLE:
            if self.names_table:
                tables = opened(expanded(self.table_path))
            else:
                found = choice()
                tables, remarks = found.tables, found.complaints
                if found.table(self.rules) is not None:
                    remarks += (found.words(self.rules),)
        engine = Engine(
            threads=self.threads,
            hash_mb=self.hash_mb,
            tablebase=tables,
            evaluation=self.evaluation,
            full_width=self.full_width,
        )
        return engine, remarks

    @property
    def names_table(self) -> bool:
        """Whether TablePath is the name of a file."""
        return self.table_path not in (*_AUTOMATIC, _NO_TABLE)

    def engine_key(self) -> tuple[object, ...]:
        """What an engine is made from: where this changes, a new engine is needed."""
        memory = (self.hash_mb, self.threads, self.evaluation, self.full_width)
        return (*memory, self.use_leaves, self.table_path, self.rules, self._is_weak())

    def _is_weak(self) -> bool:
        """Whether the level is one of those that look nothing up in tables."""
        return FULL_STRENGTH < self.level <= LOW_LEVEL


def _key(name: str) -> str:
    return "".join(name.lower().replace("_", " ").split())


_AXES = {_key(axis): axis for axis in AXES}


_WEAKER = _key("UCI_LimitStrength")
_WITHOUT_EFFECT = frozenset(
    map(
        _key,
        (
            *("OwnBook", "DrawSearch", "UCI_AnalyseMode", "UCI_Opponent", "UCI_EngineAbout"),
            *("UCI_ShowCurrLine", "UCI_ShowRefutations", "UCI_LimitStrength", "UCI_Elo"),
        ),
    )
)
"""What GUIs set unasked and what changes nothing here: there is no book, and nothing to show."""


def _check(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise InvalidValueError(f"{name}: expected true or false, not {value!r}", name)
    return value.lower() == "true"


def _spin(least: int, most: int) -> Callable[[str, str], int]:
    def read(name: str, value: str) -> int:
        number = whole(value)
        if number is None or not least <= number <= most:
            size = "" if number is None else "large" if number > most else "small"
            why = size and f", which is too {size}"
            raise InvalidValueError(
                f"{name}: expected a whole number from {least} to {most}, not {shown(value)}{why}",
                name,
            )
        return number

    return read


def _evaluation(name: str, value: str) -> str:
    if value not in EVALUATIONS:
        known = ", ".join(EVALUATIONS)
        raise InvalidValueError(f"{name}: expected one of {known}, not {value!r}", name)
    return value


def _string(_: str, value: str) -> str:
    return "" if value == "<empty>" else value


def _axis(axis: str, value: str) -> str | bool | int:
    known = {str(one).lower(): one for one in AXES[axis].values}
    if value.lower() not in known:
        raise InvalidValueError(f"{axis}: expected one of {', '.join(known)}, not {value!r}", axis)
    return known[value.lower()]


_OPTIONS: dict[str, tuple[str, str, Callable[[str, str], Any]]] = {
    _key(name): (field, f"option name {name} type {kind}", read)
    for name, field, kind, read in (
        ("Hash", "hash_mb", f"spin default {_AUTO} min 1 max {MAX_HASH_MB}", _spin(1, MAX_HASH_MB)),
        ("Threads", "threads", f"spin default 1 min 1 max {MAX_THREADS}", _spin(1, MAX_THREADS)),
        ("Ponder", "ponder", "check default false", _check),
        ("UseLeaves", "use_leaves", "check default true", _check),
        ("TablePath", "table_path", "string default <empty>", _string),
        ("MultiPV", "multipv", f"spin default 1 min 1 max {ROW}", _spin(1, ROW)),
        ("Level", "level", f"spin default 0 min 0 max {LEVELS}", _spin(0, LEVELS)),
        (
            "Evaluation",
            "evaluation",
            f"combo default {EVALUATIONS[-1]} var {' var '.join(EVALUATIONS)}",
            _evaluation,
        ),
        ("FullWidth", "full_width", "check default false", _check),
        (
            "Move Overhead",
            "overhead_ms",
            f"spin default {OVERHEAD} min 0 max {MAX_OVERHEAD}",
            _spin(0, MAX_OVERHEAD),
        ),
    )
}


def option_lines() -> list[str]:
    """The declaration of every option."""
    lines = [line for _, line, _ in _OPTIONS.values()]
    lines.append(
        f"option name Rules type combo default {DEFAULT_RULES} var {' var '.join(PRESETS)}"
    )
    usual = Rules.preset(DEFAULT_RULES).to_dict()
    for axis in AXES.values():
        default = str(usual[axis.name]).lower()
        values = [str(value).lower() for value in axis.values]
        if values == ["false", "true"]:
            kind = f"check default {default}"
        elif values[0].isdigit():
            kind = f"spin default {default} min {values[0]} max {values[-1]}"
        else:
            kind = f"combo default {default} var {' var '.join(values)}"
        lines.append(f"option name {axis.name} type {kind}")
    return lines
