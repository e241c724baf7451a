"""`--tablebase`: which tables a command uses, and how it says so.

Owns: the option, the choice, the words for it. Must not know: what tables hold, or any command.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from wari import InvalidValueError, Rules, StorageError, Tablebase, TableFileError, cache
from wari.cli import complain, os_words
from wari.engine import AUTO_TABLE_SEEDS, Tables

Function = TypeVar("Function", bound=Callable[..., Any])

AUTO, NONE = "auto", "none"


def tablebase_option(function: Function) -> Function:
    """`--tablebase`; the command receives `tablebase`, a text for `chosen`."""
    return click.option(
        "--tablebase",
        default=AUTO,
        metavar="[PATH|auto|none]",
        help="A table file; auto (the default): the largest of the cache that fits the rules, else "
        f"tables of up to {AUTO_TABLE_SEEDS} seeds in memory; none.",
    )(function)


@dataclass(frozen=True)
class Choice:
    """The tables that an engine gets, and which of them answers for which rules."""

    tables: Tables | None
    known: tuple[Tablebase, ...] = ()

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
        return f"tablebase of up to {table.seeds} seeds, {table.path}"

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


def chosen(tablebase: str, rules: Rules | None = None, least: int = AUTO_TABLE_SEEDS) -> Choice:
    """The tables that `--tablebase` asks for; `rules`, if given, are those a file must be for.

    Tables of the cache with fewer than `least` seeds are not worth it: those in memory know more.
    What is wrong with the cache is told on standard error, and the tables in memory take its place;
    what is wrong with a file that was named is an error.
    """
    if tablebase == NONE:
        return Choice(None)
    if tablebase != AUTO:
        table = opened(tablebase, rules)
        return Choice(Tables([table]), (table,))
    best: dict[str, Tablebase] = {}
    for table in _of_the_cache():
        key = str(table.rules)
        if table.seeds >= max(least, best[key].seeds + 1 if key in best else 0):
            best[key] = table
    return Choice(Tables(best.values()), tuple(best.values()))


def opened(name: str, rules: Rules | None = None, field: str = "tablebase") -> Tablebase:
    """The table in a file. Raises InvalidValueError or TableFileError naming option and file."""
    try:
        table = Tablebase.open(Path(name).expanduser())
    except TableFileError:
        raise
    except OSError as error:
        raise InvalidValueError(f"{field}: {name!r}: {os_words(error)}", field) from None
    if rules is not None and not table.fits(rules):
        built = cache.table_rules_text(table.rules)
        raise InvalidValueError(
            f"{field}: {name!r} was built for the rules {built}, not for {rules}", field
        )
    return table


def _of_the_cache() -> list[Tablebase]:
    """The tables of the cache that can be opened."""
    try:
        stored = list(cache.stored())
    except StorageError as error:
        complain(f"cache: {error.filename}: {os_words(error)}", label="")
        return []
    for one in stored:
        if one.error is not None:
            complain(f"cache: {one.error}; this table is not used", label="")
    return [one.table for one in stored if one.table is not None]
