"""Which tables an engine asks: one, several, or small ones that are built when first needed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import final

from wari import _core
from wari._check import as_items, shown
from wari.errors import InvalidValueError
from wari.tablebase import Tablebase


@final
class Tables:
    """Tables for any rules: those given, and small ones, built when rules without one need them.

    >>> from wari import Engine, Position, Tablebase
    >>> tables = Tables([Tablebase.build(seeds=4, rules="awari")])
    >>> with Engine(hash_mb=8, tablebase=tables) as engine:
    ...     engine.analyse(Position.parse("1-0-0-0-0-1-1-0-0-0-0-0-0-0-S", "awari")).score.source
    'tablebase'
    """

    __slots__ = ("_core",)

    def __init__(self, tables: Iterable[Tablebase] = ()) -> None:
        self._core = _core.TableCache.empty()
        for table in as_items(tables, "tables"):
            if not isinstance(table, Tablebase):
                raise InvalidValueError(f"tables: expected tables, not {shown(table)}", "tables")
            self._core.add(table._core)


SMALL = Tables()
"""Shared by all engines: each small table is built once a process."""


def opened(tablebase: object) -> Tablebase | None:
    """The table that an argument `tablebase` means."""
    if tablebase is None or isinstance(tablebase, Tablebase):
        return tablebase
    if isinstance(tablebase, (str, os.PathLike)):
        return Tablebase.open(tablebase)
    raise InvalidValueError(
        f"tablebase: expected 'auto', a Tablebase, a path or None, not {shown(tablebase)}",
        "tablebase",
    )
