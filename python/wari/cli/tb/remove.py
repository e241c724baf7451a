"""`wari tb remove`: tables that are no longer wanted."""

import os
import time
from contextlib import ExitStack
from pathlib import Path

import click

from wari import InvalidValueError, Rules, cache
from wari._escape import escape_control
from wari._files import BUILDING, expanded, held, holder, remove
from wari.cli import OK, complain, os_words
from wari.cli.options import complete_file, json_option, maybe_rules_options
from wari.cli.screen import Screen, print_json
from wari.cli.tables import opened
from wari.cli.tb.common import size_words

PAUSE = 0.05  # seconds between two looks whether a build has ended


@click.command("remove")
@click.argument("path", required=False, shell_complete=complete_file)
@click.option("--all", "everything", is_flag=True, help="Every table file of the cache.")
@click.option("--wait", is_flag=True, help="Wait for a process that builds one of them now.")
@json_option
@maybe_rules_options
def command(
    rules: Rules | None, path: str | None, everything: bool, wait: bool, as_json: bool
) -> int:
    """Remove the table in PATH, that of --rules from the cache, or every one there (--all).

    What an unfinished build of it has left goes too. Files that are no tables are left alone.
    While another process builds one of the tables none is removed; with --wait it is waited for.
    """
    if sum((path is not None, rules is not None, everything)) != 1:
        raise click.UsageError("path: expected one of PATH, --rules and --all")
    removed = []
    with ExitStack() as locks:
        locked: set[Path] = set()
        files = _meant(path, rules)
        while missing := {_table_of(file) for file in files} - locked:
            for table in sorted(missing):
                _take(table, locks, wait=wait)
            locked |= missing
            files = _meant(path, rules, again=True)  # a build that was waited for has changed them
        for file in files:
            size = file.stat().st_size
            try:
                remove(file)
            except OSError as error:
                raise InvalidValueError(f"remove: {file}: {os_words(error)}", "remove") from None
            removed.append({"path": str(file), "file_bytes": size})
            if not as_json:
                Screen().say(f"removed {escape_control(str(file))} ({size_words(size)})")
    if as_json:
        print_json({"schema": "wari.tb.remove", "version": 1, "removed": removed})
    elif not removed:
        Screen().say(f"no tables in {escape_control(str(cache.folder()))}")
    return OK


def _table_of(file: Path) -> Path:
    """The table that a file belongs to: itself, or the one that it was to become."""
    name = str(file)
    for ending in reversed(cache.UNFINISHED):
        name = name.removesuffix(ending)
    return Path(os.path.realpath(name))


def _take(table: Path, locks: ExitStack, *, wait: bool) -> None:
    """Locks a table until the locks are closed. Raises InvalidValueError while it is built."""
    waiting = False
    while True:
        try:
            ours = locks.enter_context(held(table, BUILDING))
        except OSError as error:
            raise InvalidValueError(f"remove: {table}: {os_words(error)}", "remove") from None
        if ours:
            return
        number = holder(table, BUILDING)
        process = "another process" if number is None else f"process {number}"
        words = f"{table}: {process} is building this table"
        if not wait:
            raise InvalidValueError(
                f"remove: {words}; nothing was removed, --wait waits for it", "remove"
            )
        if not waiting:
            complain(f"{words}; waiting for it (Ctrl-C to stop)", label="")
            waiting = True
        time.sleep(PAUSE)


def _meant(path: str | None, rules: Rules | None, *, again: bool = False) -> list[Path]:
    """The files to remove, all of which are there. Raises InvalidValueError.

    `again`: what was said before is not said again.
    """
    if path is not None:
        file = expanded(path)
        if file.parent.resolve() != cache.folder().resolve() or not _is_of_the_cache(file):
            opened(path, field="path")  # elsewhere only what is a table for certain
        return [file, *_beside(file)]
    if rules is None:
        return _all(quiet=again)
    fitting = [one.path for one in cache.stored() if one.table and one.table.fits(rules)]
    own = cache.path_for(rules)
    if cache.is_ours(own) and own not in fitting:
        fitting.append(own)  # a damaged one
    files = sorted({*fitting, *(part for file in (*fitting, own) for part in _beside(file))})
    if not files:
        name = cache.table_rules_text(rules)
        raise InvalidValueError(f"rules: {cache.folder()} holds no table for {name}", "rules")
    return files


def _all(*, quiet: bool) -> list[Path]:
    """Every table of the cache and what builds have left; what is neither is reported."""
    found = [*(one.path for one in cache.stored()), *cache.unfinished()]
    for file in found:
        if not cache.is_ours(file) and not quiet:
            complain(f"{file} is no table; it is left alone", label="")
    return [file for file in found if cache.is_ours(file)]


def _is_of_the_cache(file: Path) -> bool:
    return file.name.endswith((cache.SUFFIX, *cache.UNFINISHED)) and cache.is_ours(file)


def _beside(file: Path) -> list[Path]:
    """What builds of this file have left."""
    parts = [file.with_name(file.name + ending) for ending in cache.UNFINISHED]
    return [part for part in parts if cache.is_ours(part)]
