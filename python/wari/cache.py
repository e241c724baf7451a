"""The folder where tables are kept: where it is, what its files are called, which of them to use.

A rule set has one file, which a later and larger build extends. Its name says which rules it is
for, but what counts is what the file itself says: a table under any other name is found as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wari._escape import escape_control
from wari._files import expanded
from wari._reading import head_of
from wari.engine import AUTO_TABLE_SEEDS, Tables
from wari.errors import StorageError, TableFileError
from wari.rules import PRESETS, Rules, rules_of
from wari.tablebase import Tablebase

VARIABLE = "WARI_CACHE"
"""The environment variable that names another folder."""

SUFFIX = ".wtb"
"""The ending of a table file's name."""

UNFINISHED = (".part", ".part.new")
"""What is put behind the name while it is being built; a later build goes on from the first."""

_MAGIC = b"\x89WARITB\n"  # what a table file begins with, see docs/tablebase-format.md
_UNPACKED = 4  # times the size of a file, from above
_LEAST_ROOM_MB = 256
_UNFINISHED = tuple(SUFFIX + ending for ending in UNFINISHED)


@dataclass(frozen=True)
class Stored:
    """A file of the cache: its table, or what is wrong with it."""

    path: Path
    table: Tablebase | None
    error: str | None


def folder() -> Path:
    """The folder, which may not be there yet: `WARI_CACHE`, or where the system keeps caches.

    >>> import os
    >>> from unittest import mock
    >>> with mock.patch.dict(os.environ, WARI_CACHE="tables"):
    ...     print(folder())
    tables
    """
    named = os.environ.get(VARIABLE)
    if named:
        return expanded(named)
    from platformdirs import user_cache_path

    return user_cache_path("wari", appauthor=False)


def table_rules_text(rules: Rules | str) -> str:
    """The shortest text for rules, leaving out the axes that no table depends on.

    >>> table_rules_text("abapa,majority=false,seeds_per_pit=3")
    'abapa'
    >>> table_rules_text(Rules.preset("abapa").replace(repetition="split"))
    'abapa,repetition=split'
    """
    given = rules_of(rules)
    texts = []
    for name in PRESETS:
        preset = Rules.preset(name)
        same = given.replace(
            majority=preset.majority, sowing=preset.sowing, seeds_per_pit=preset.seeds_per_pit
        )
        changes = {a: v for a, v in same.to_dict().items() if v != preset.to_dict()[a]}
        texts.append(",".join([name, *(f"{a}={str(v).lower()}" for a, v in changes.items())]))
    return min(texts, key=lambda text: (text.count(","), len(text)))


def path_for(rules: Rules | str) -> Path:
    """Where the table of these rules belongs.

    >>> path_for("awari").name, path_for("wari,majority=false").name
    ('awari-value.wtb', 'wari-force.wtb')
    """
    return folder() / f"{table_rules_text(rules)}-{Tablebase.kind_of(rules)}{SUFFIX}"


def stored() -> Iterator[Stored]:
    """Every table file of the cache, by name; a damaged one comes with what is wrong with it.

    Raises StorageError when the folder cannot be read.
    """
    where = folder()
    try:
        paths = sorted(path for path in where.iterdir() if path.name.endswith(SUFFIX))
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(error.errno, error.strerror, os.fspath(where)) from error
    for path in paths:
        try:
            yield Stored(path, opened(path), None)
        except (StorageError, TableFileError) as error:
            yield Stored(path, None, str(error))


def opened(path: str | os.PathLike[str]) -> Tablebase:
    """The table of a file, with room to keep all of it unpacked where a quarter of memory will do.

    Raises StorageError, TableFileError.
    """
    try:
        packed = os.stat(path).st_size  # noqa: PTH116 - a text is as good as a Path
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # opening it raises the error
        packed = memory = 0
    room = min(_UNPACKED * packed, memory // 4) >> 20
    return Tablebase.open(path, cache_mb=max(_LEAST_ROOM_MB, room))


def unfinished() -> list[Path]:
    """What builds that were killed have left: a later build of the same rules goes on from it."""
    try:
        return sorted(path for path in folder().iterdir() if path.name.endswith(_UNFINISHED))
    except OSError:
        return []


def is_ours(path: str | os.PathLike[str]) -> bool:
    """Whether the file is a table, damaged or not, or what an unfinished build has left.

    Only its beginning is looked at. A build that was cut off may have left no more than a part of
    that, or nothing.
    """
    file = Path(path)
    try:
        if not file.is_file():
            return False
        begins = head_of(file, len(_MAGIC))
    except (OSError, ValueError):
        return False
    if file.name.endswith(_UNFINISHED):
        return _MAGIC.startswith(begins)
    return begins == _MAGIC


def largest(rules: Rules | str) -> Tablebase | None:
    """The table for these rules that knows most seeds; None where there is none.

    Damaged files are passed over. Raises StorageError when the folder cannot be read.
    """
    fitting = [s.table for s in stored() if s.table is not None and s.table.fits(rules)]
    return max(fitting, key=lambda table: table.seeds, default=None)


@dataclass(frozen=True)
class Choice:
    """The tables that an engine gets, and which of them answers for which rules."""

    tables: Tables | None
    known: tuple[Tablebase, ...] = ()
    complaints: tuple[str, ...] = ()
    """What is wrong with files that were passed over."""

    def table(self, rules: Rules) -> Tablebase | None:
        """The table file for these rules; None where the small tables in memory answer, or none."""
        return next((table for table in self.known if table.fits(rules)), None)

    def words(self, rules: Rules) -> str:
        """What is looked up under these rules."""
        if self.tables is None:
            return "no tablebase"
        table = self.table(rules)
        if table is None:
            return f"tablebase of up to {AUTO_TABLE_SEEDS} seeds, in memory"
        return f"tablebase of up to {table.seeds} seeds, {escape_control(str(table.path))}"

    def as_json(self, rules: Rules) -> dict[str, Any] | None:
        """The same for JSON."""
        if self.tables is None:
            return None
        table = self.table(rules)
        return {
            "kind": Tablebase.kind_of(rules),
            "seeds": AUTO_TABLE_SEEDS if table is None else table.seeds,
            "path": None if table is None else table.path,
        }


def choice(least: int = AUTO_TABLE_SEEDS) -> Choice:
    """The largest table of each rule set; the small tables in memory serve all other rules.

    Tables of fewer than `least` seeds are not worth it: those in memory know more.
    """
    best: dict[str, Tablebase] = {}
    complaints = []
    try:
        for one in stored():
            if one.table is None:
                complaints.append(f"cache: {one.error}; this table is not used")
                continue
            key = str(one.table.rules)
            if one.table.seeds >= max(least, best[key].seeds + 1 if key in best else 0):
                best[key] = one.table
    except StorageError as error:
        complaints.append(f"cache: {error.filename}: {error.strerror}; no table there is used")
    return Choice(Tables(best.values()), tuple(best.values()), tuple(complaints))
