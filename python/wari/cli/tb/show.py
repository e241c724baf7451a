"""`wari tb list`: the tables in the cache."""

from typing import Any

import click

from wari import Tablebase, cache
from wari._escape import escape_control
from wari.cli import complain
from wari.cli.options import json_option
from wari.cli.screen import Screen, print_json, table
from wari.cli.tb.common import size_words


@click.command("list")
@json_option
def command(as_json: bool) -> None:
    """List the tables in the cache, what damaged files there are, and builds to be gone on with."""
    found = list(cache.stored())
    unfinished = cache.unfinished()
    if as_json:
        print_json(
            {
                "schema": "wari.tb.list",
                "version": 1,
                "folder": str(cache.folder()),
                "tables": [_as_json(one) for one in found],
                "unfinished": [str(path) for path in unfinished],
            }
        )
        return
    screen = Screen()
    rows = [
        _row(escape_control(one.path.name), one.table) for one in found if one.table is not None
    ]
    if rows:
        heads = ["rules", "kind", "seeds", "boards", "size", "file"]
        screen.lines(table(heads, rows, "llrrrl"))
    count = f"{len(rows) or 'no'} {'table' if len(rows) == 1 else 'tables'}"
    screen.say(f"{count} in {escape_control(str(cache.folder()))}")
    for path in unfinished:
        screen.say(
            f"unfinished: {escape_control(path.name)}; the same wari tb build goes on with it",
            "warn",
        )
    for one in found:
        if one.error is not None:
            complain(one.error, label="")


def _row(name: str, base: Tablebase) -> list[str]:
    boards = Tablebase.needs(base.seeds, base.rules).boards
    rules = cache.table_rules_text(base.rules)
    return [
        rules,
        base.kind,
        str(base.seeds),
        str(boards),
        size_words(base.file_bytes),
        escape_control(name),
    ]


def _as_json(one: cache.Stored) -> dict[str, Any]:
    base = one.table
    known: dict[str, Any] = {"path": str(one.path), "error": one.error}
    if base is None:
        return {**known, **dict.fromkeys(("rules", "kind", "seeds", "boards", "file_bytes"))}
    return {
        **known,
        "rules": cache.table_rules_text(base.rules),
        "kind": base.kind,
        "seeds": base.seeds,
        "boards": Tablebase.needs(base.seeds, base.rules).boards,
        "file_bytes": base.file_bytes,
    }
