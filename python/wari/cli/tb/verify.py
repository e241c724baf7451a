"""`wari tb verify`: is a table right?"""

import time
from typing import Any

import click

from wari import Rules, Tablebase, TableFileError, cache
from wari._escape import escape_control
from wari._files import expanded
from wari._literals import VerifyLevel
from wari.cli import NO, OK, complain
from wari.cli.options import complete_file, json_option, maybe_rules_options
from wari.cli.screen import Screen, print_json
from wari.cli.tb.common import (
    level_option,
    memory_option,
    named_table,
    progress,
    threads_option,
    time_words,
)


@click.command("verify")
@click.argument("path", required=False, shell_complete=complete_file)
@level_option("--level")
@threads_option
@memory_option
@json_option
@maybe_rules_options
def command(
    rules: Rules | None,
    path: str | None,
    level: VerifyLevel,
    threads: int,
    memory: int | None,
    as_json: bool,
) -> int:
    """Verify the table in PATH, the one for --rules, or all in the cache.

    Every layer is solved again from nothing, by the builder's method, and all entries are compared.
    Besides, entries are compared with those of their successors by the general rules of the game:
    of every board of up to 10 seeds and of every 509th above, with --level full of every board.
    Exit code 1 and the first wrong place when a table is damaged or wrong.
    """
    found: list[dict[str, Any]] = []
    for where, table in _meant(path, rules):
        try:
            opened = Tablebase.open(where) if table is None else table
            began = time.perf_counter()
            with progress("verifying") as (report,):
                opened.verify(level, threads=threads, memory=memory, progress=report)
        except TableFileError as error:
            complain(str(error))
            found.append({"path": where, "verified": False, "error": str(error)})
            continue
        seconds = time.perf_counter() - began
        found.append({**_good(where, opened, seconds), "level": level})
        if not as_json:
            _say(opened, level, seconds)
    if as_json:
        print_json({"schema": "wari.tb.verify", "version": 1, "tables": found})
    elif not found:
        Screen().say(f"no tables in {escape_control(str(cache.folder()))}")
    return OK if all(one["verified"] for one in found) else NO


def _meant(path: str | None, rules: Rules | None) -> list[tuple[str, Tablebase | None]]:
    """Paths, with the table where it could be opened."""
    if path is None and rules is None:
        return [(str(one.path), one.table) for one in cache.stored()]
    try:
        table = named_table(path, rules)
    except TableFileError:
        return [(str(expanded(path or "")), None)]
    return [(table.path or "", table)]


def _good(where: str, table: Tablebase, seconds: float) -> dict[str, Any]:
    return {
        "path": where,
        "verified": True,
        "error": None,
        "rules": cache.table_rules_text(table.rules),
        "kind": table.kind,
        "seeds": table.seeds,
        "boards": Tablebase.needs(table.seeds, table.rules).boards,
        "seconds": round(seconds, 6),
    }


def _say(table: Tablebase, level: VerifyLevel, seconds: float) -> None:
    boards = Tablebase.needs(table.seeds, table.rules).boards
    name = escape_control(str(table.path))
    Screen().say(
        f"{name}: {cache.table_rules_text(table.rules)}, {table.kind} table, layers 0 to "
        f"{table.seeds}: {boards} boards verified ({level}, {time_words(seconds)})"
    )
