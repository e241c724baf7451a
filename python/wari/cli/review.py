"""`wari review`: a game through the engine."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from wari import Engine, Game, InvalidValueError, ogn
from wari._files import write_atomically
from wari._reading import LONGEST_WHOLE, STANDARD_INPUT, opened, text_of
from wari.cli import BAD_INPUT, OK, complain
from wari.cli.options import (
    MAX_HASH_MB,
    MAX_NODES,
    MAX_THREADS,
    OneOf,
    json_option,
    seconds,
    shorten,
    whole_number,
)
from wari.cli.screen import Screen, print_json
from wari.cli.tables import chosen, tablebase_option
from wari.engine import MAX_DEPTH
from wari.review import Review, annotated, as_data, is_review, page, review, text_report

DEFAULT_SECONDS = 0.4
DEFAULT_HASH = 128
MOST_GAMES = 10_000  # at once: with the usual time they take three days
_HEAD = 1 << 16  # characters that show whether it is a JSON record
FORMATS = ("text", "ogn", "json", "html")

Reviewed = tuple[ogn.Record, Review]


@click.command
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--format",
    type=OneOf(FORMATS),
    metavar=f"[{'|'.join(FORMATS)}]",
    help="A report for the terminal (the default), an annotated OGN file, JSON, or a page.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Write to a file; its ending (.ogn, .json, .html) gives the format. -: standard output.",
)
@click.option(
    "--game", type=whole_number(1, 10**9), metavar="N", help="Only that game of the file."
)
@click.option("--time", type=seconds, help=f"Seconds a position [{DEFAULT_SECONDS}].")
@click.option("--nodes", type=whole_number(1, MAX_NODES), metavar="N", help="Nodes a position.")
@click.option("--depth", type=whole_number(1, MAX_DEPTH), metavar="N", help="Plies a position.")
@click.option(
    "--threads", type=whole_number(1, MAX_THREADS), metavar="N", help="Threads [those there are]."
)
@click.option(
    "--hash",
    "hash_mb",
    type=whole_number(1, MAX_HASH_MB),
    default=DEFAULT_HASH,
    metavar="MB",
    show_default=True,
    help="Memory of the transposition table.",
)
@tablebase_option
@json_option
def command(
    file: Path,
    format: str | None,  # noqa: A002 - the name in messages
    output: Path | None,
    game: int | None,
    time: float | None,
    nodes: int | None,
    depth: int | None,
    threads: int | None,
    hash_mb: int,
    tablebase: str,
    as_json: bool,
) -> int:
    """Play the games of FILE (OGN, or JSON of `wari play`) through the engine.

    When FILE is "-", they are read from standard input.

    Moves that give away seeds are named: inaccuracy (1 seed or more), mistake (2), blunder (4).
    Each is shown with the better line. Of a file with a fault the games before it are reviewed; the
    exit code is 2 then. A side that gives nothing away has an accuracy of 100 %.
    """
    if output is not None and str(output) == STANDARD_INPUT:
        output = None
    form = format or ("json" if as_json else format_of(output))
    limits: dict[str, Any] = {"time": time, "nodes": nodes, "depth": depth}
    if not any(limits.values()):
        limits["time"] = DEFAULT_SECONDS
    records, fault = read_games(file, game)
    if output is not None:
        check_output(output, form, file)
    found: list[Reviewed] = []
    cores = threads or min(os.cpu_count() or 1, MAX_THREADS)
    tables = chosen(tablebase).tables
    with (
        Engine(threads=cores, hash_mb=hash_mb, tablebase=tables) as engine,
        _progress(records) as report,
    ):
        for at, record in enumerate(records):
            judged = review(record.game(), engine, progress=_for_game(report, at), **limits)
            found.append((record, judged))
    put(form, found, output)
    if fault:
        complain(fault)
        return BAD_INPUT
    return OK


def read_games(path: Path, number: int | None = None) -> tuple[list[ogn.Record], str]:
    """The games of a file, or one of them; and the fault behind them, or "".

    Raises InvalidValueError naming the place in the file where there is no game before a fault.
    """
    records: list[ogn.Record] = []
    shown = "standard input" if _is_standard_input(path) else repr(str(path))
    fault = ""
    seen = 0
    try:
        for record in _games(path, bounded=number is None):
            seen += 1
            if number in (None, seen):
                records.append(record)
            if seen == number:
                break
            if len(records) > MOST_GAMES:
                words = f"holds more than {MOST_GAMES} games; --game N reviews one of them"
                raise InvalidValueError(f"file: {shown} {words}", "file")
    except OSError as error:
        words = error.strerror or str(error)
        raise InvalidValueError(f"file: {shown}: {words}", "file") from error
    except ogn.OgnError as error:
        fault = f"file: {shown}: {error}"
        if not records:
            raise InvalidValueError(fault, "file") from error
    if records:
        return records, fault
    if number is None or not seen:
        raise InvalidValueError(f"file: {shown} holds no game", "file")
    raise InvalidValueError(f"game: there are {seen}, not {number}", "game")


def _is_standard_input(path: Path) -> bool:
    return str(path) == STANDARD_INPUT


def _stat_of(path: Path) -> os.stat_result:
    return os.fstat(sys.stdin.fileno()) if _is_standard_input(path) else path.stat()


def _games(path: Path, *, bounded: bool) -> Iterator[ogn.Record]:
    """The games of a file one by one; it is opened once, since it may be a pipe.

    `bounded`: they are all kept, so that there cannot be any number of them.
    """
    most = LONGEST_WHOLE if bounded else 0
    source: AbstractContextManager[TextIOWrapper] = (
        nullcontext(
            text_of(sys.stdin.buffer, "standard input", errors="surrogateescape", most=most)
        )
        if _is_standard_input(path)
        else opened(path, errors="surrogateescape", most=most)
    )
    with source as file:
        head = file.read(_HEAD)
        if _is_json(head):
            yield ogn.Record.from_game(_game(head, file))
        else:
            yield from ogn.read(ogn.file_lines(file, head))


def _game(head: str, file: TextIOWrapper) -> Game:
    """The game of a JSON record, of which so much is read. Raises InvalidValueError."""
    text = head + file.read(LONGEST_WHOLE + 1 - len(head))
    if len(text) > LONGEST_WHOLE:
        raise InvalidValueError("file: it is longer than any game record", "file")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        words = f"file: it is no text (character {error.start} is not {file.encoding.upper()})"
        raise InvalidValueError(words, "file") from error
    return Game.from_json(text)


def _is_json(head: str) -> bool:
    """Whether this is a record of a game; an OGN file may begin with a brace as well."""
    text = head.lstrip("\ufeff \t\r\n")
    return text.startswith("{") and text[1:].lstrip().startswith('"')


def format_of(output: Path | None) -> str:
    """The format that a name's ending asks for."""
    ending = "" if output is None else output.suffix.lower().lstrip(".")
    return {"ogn": "ogn", "json": "json", "html": "html", "htm": "html"}.get(ending, "text")


def check_output(output: Path, form: str, file: Path | None = None) -> None:
    """Only a review is written over, and never `file`. Raises InvalidValueError where it is not."""
    if not output.is_file() or not output.stat().st_size:
        return
    name = shorten(str(output), 160)
    if file is not None and os.path.samestat(output.stat(), _stat_of(file)):
        words = "is the file that is reviewed; it is left alone"
        raise InvalidValueError(f"output: {name!r} {words}", "output")
    if not is_review(output, form):
        words = f"is there and holds no review as {form}; it is left alone"
        raise InvalidValueError(f"output: {name!r} {words}", "output")


def put(form: str, found: list[Reviewed], output: Path | None) -> None:
    """Writes the reviews."""
    screen = Screen()
    if form == "json" and output is None:
        print_json(_as_json(found))
        return
    if form == "json":
        import json

        text = json.dumps(_as_json(found), indent=2) + "\n"
    elif form == "ogn":
        text = ogn.dumps(annotated(*one) for one in found)
    elif form == "html":
        text = page(found)
    else:
        plain = output is None and not screen.unicode
        reports = ["\n".join(text_report(*one, ascii_only=plain)) + "\n" for one in found]
        text = "\n".join(reports)
    if output is not None:
        write_atomically(output, text.encode())
    elif form == "text" or screen.terminal:
        screen.say(text.rstrip("\n"))
    else:
        click.echo(text.encode(), nl=False)  # a file for another program: as it is, in UTF-8


def _as_json(found: Iterable[Reviewed]) -> dict[str, Any]:
    games = [as_data(*one) for one in found]
    return {"schema": "wari.review", "version": 1, "games": games}


Report = Callable[[int, int, int], None]


@contextmanager
def _progress(records: list[ogn.Record]) -> Iterator[Report]:
    """A bar on standard error where a person looks; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _at, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        total = sum(len(record.line.moves) for record in records)
        before = [0]
        for record in records:
            before.append(before[-1] + len(record.line.moves))
        task = bar.add_task("plies", total=total)
        yield lambda at, done, _total: bar.update(task, completed=before[at] + done)


def _for_game(report: Report, at: int) -> Callable[[int, int], None]:
    return lambda done, total: report(at, done, total)
