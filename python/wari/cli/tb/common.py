"""What the commands about tables share: a table by path or rules, progress bars, sizes in words."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from wari import BuildProgress, InvalidValueError, Rules, Tablebase, cache
from wari.cli.options import MAX_THREADS, number_of, whole_number
from wari.cli.tables import AUTO, chosen, opened
from wari.engine import AUTO_TABLE_SEEDS
from wari.tablebase import VERIFY_LEVELS

GIB = 1 << 30

Report = Callable[[BuildProgress], object]


def threads_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--threads`; the command receives `threads`, those of the machine when none were given."""
    return click.option(
        "--threads",
        type=whole_number(1, MAX_THREADS),
        default=lambda: min(os.cpu_count() or 1, MAX_THREADS),
        metavar="N",
        help="Threads to work with. Default: those of the machine.",
    )(function)


def level_option(name: str) -> Callable[..., Any]:
    """How a table is verified; the command receives `level`."""
    return click.option(
        name,
        "level",
        type=click.Choice(VERIFY_LEVELS),
        default=VERIFY_LEVELS[0],
        show_default=True,
        help="How thoroughly: see docs/tablebases.md.",
    )


def memory_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--memory`; the command receives `memory`, bytes or None."""
    return click.option(
        "--memory",
        type=gibibytes,
        metavar="GB",
        help="The most memory to use. Default: what is free.",
    )(function)


def gibibytes(value: Any) -> int:
    """An option type: memory in units of 2^30 bytes, as bytes."""
    text = str(value)
    number = number_of(text)
    if 0 < number <= 1 << 20:
        return max(1, int(number * GIB))
    wanted = f"a number of GB above 0 and at most {1 << 20}"
    raise click.BadParameter(f"expected {wanted}, not {text[:60]!r}")


def table_for(tablebase: str, rules: Rules, seeds: int = 0) -> Tablebase:
    """The table of `--tablebase` for these rules; where auto finds none of `seeds` seeds, one in
    memory.

    Raises InvalidValueError when the option is "none" or the file does not fit.
    """
    choice = chosen(tablebase, rules, least=0)
    if choice.tables is None:
        raise InvalidValueError("tablebase: expected a PATH or auto here, not 'none'", "tablebase")
    table = choice.table(rules)
    if table is None or (tablebase == AUTO and table.seeds < seeds):
        return Tablebase.build(max(AUTO_TABLE_SEEDS, seeds), rules, verify=False)
    return table


def named_table(path: str | None, rules: Rules | None, field: str = "path") -> Tablebase:
    """A table file by its path, or the one that the cache holds for the rules.

    Raises InvalidValueError when there is none.
    """
    if path is not None:
        return opened(path, rules, field)
    assert rules is not None
    table = cache.largest(rules)
    if table is None:
        name = cache.table_rules_text(rules)
        raise InvalidValueError(
            f"rules: {cache.folder()} holds no table for {name}; "
            f"wari tb build --rules {name} makes one",
            "rules",
        )
    return table


def size_words(size: float) -> str:
    """Bytes in words: 512 bytes, 14.2 KiB, 1.3 GiB."""
    if size < 1024:
        return f"{size:.0f} bytes"
    for unit in ("KiB", "MiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.1f} {unit}"
    return f"{size / 1024:.1f} GiB"


def time_words(seconds: float) -> str:
    """A time in words: 0.42 s, 12 s, 3 min 5 s, 2 h 10 min."""
    if seconds < 10:
        return f"{seconds:.2f} s"
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    if whole < 6000:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def signed(value: int) -> str:
    """A value with its sign: +3, 0, -2."""
    return f"{value:+d}" if value else "0"


@contextmanager
def progress(*steps: str) -> Iterator[tuple[Report | None, ...]]:
    """A bar for each step on standard error where a person looks; None elsewhere.

    A bar is there from its first progress to that of the next one.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield (None,) * len(steps)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[words]}"),
    )
    colour = not os.environ.get("NO_COLOR")
    console = Console(stderr=True, no_color=not colour, highlight=False)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        tasks = [bar.add_task(step, total=1.0, words="", visible=False) for step in steps]

        def show(task: TaskID, at: BuildProgress) -> None:
            speed = f"{at.boards_per_second / 1e6:.1f} million boards/s"
            left = f"{time_words(at.seconds_left)} left" if at.boards < at.total else ""
            words = f"layer {at.layer} of {at.seeds}, {speed}, {left}".rstrip(", ")
            done = at.boards / at.total if at.total else 1.0
            for other in tasks:
                bar.update(other, visible=other == task)
            bar.update(task, completed=done, words=words, refresh=True)

        yield tuple(partial(show, task) for task in tasks)
