"""`--tablebase`: which tables a command uses, and how it says so."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wari import InvalidValueError, Rules, Tablebase, TableFileError, cache
from wari._files import expanded
from wari.cache import Choice
from wari.cli import complain, os_words
from wari.cli.options import complete_file
from wari.engine import AUTO_TABLE_SEEDS, Tables

Function = TypeVar("Function", bound=Callable[..., Any])

AUTO, NONE = "auto", "none"


def tablebase_option(function: Function) -> Function:
    """`--tablebase`; the command receives `tablebase`, a text for `chosen`."""
    return click.option(
        "--tablebase",
        default=AUTO,
        metavar="[PATH|auto|none]",
        shell_complete=complete_file,
        help="A table file; auto (the default): the largest of the cache that fits the rules, else "
        f"tables of up to {AUTO_TABLE_SEEDS} seeds in memory; none.",
    )(function)


def chosen(tablebase: str, rules: Rules | None = None, least: int = AUTO_TABLE_SEEDS) -> Choice:
    """The tables that `--tablebase` asks for; `rules`, if given, are those a file must be for.

    Tables of the cache with fewer than `least` seeds are not worth it: those in memory know more.
    What is wrong with the cache is reported on standard error, and the tables in memory take its
    place; what is wrong with a file that was named is an error.
    """
    if tablebase == NONE:
        return Choice(None)
    if tablebase != AUTO:
        table = opened(tablebase, rules)
        return Choice(Tables([table]), (table,))
    found = cache.choice(least)
    for complaint in found.complaints:
        complain(complaint, label="")
    return found


def opened(name: str, rules: Rules | None = None, field: str = "tablebase") -> Tablebase:
    """The table in a file. Raises InvalidValueError or TableFileError naming option and file."""
    try:
        table = cache.opened(expanded(name))
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
