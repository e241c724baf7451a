"""Games as OGN, the oware game notation: whole files, comments, variations.

>>> import wari
>>> game = wari.Game("abapa")
>>> game.push_all("FfEd")
>>> print(game.to_ogn({"South": "Ana", "North": "Brais"}).splitlines()[-1])
1. F f 2. E d *

Owns: records of games, reading from and writing to files and texts. Must not know: what the
notation looks like (see `wari._ogn`).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, TextIO

from wari._check import as_items, shown
from wari._files import checked_name, write_atomically
from wari._ogn.reader import bounded, first_of, opened
from wari._ogn.reader import records as _records
from wari._ogn.types import ROSTER, Line, Move, Note, OgnError
from wari._ogn.writer import text_of
from wari._reading import LONGEST_OGN_LINE, reading
from wari._reading import opened as opened_file
from wari.errors import InvalidValueError
from wari.ogn.record import Record
from wari.rules import Rules, rules_of

__all__ = [
    "ROSTER",
    "Line",
    "Move",
    "Note",
    "OgnError",
    "Record",
    "dumps",
    "first",
    "loads",
    "read",
    "write",
]


def read(
    source: str | PathLike[str] | Iterable[str],
    *,
    rules: Rules | str | None = None,
    errors: list[OgnError] | None = None,
) -> Iterator[Record]:
    """The games of a file, one at a time, so that a large file needs no memory.

    `source` is a path, an open text file or lines of text. `rules` are for games that name none or
    unknown ones; without it those that name none are read as abapa. Where `errors` is given, faults
    are added to it instead of raised, and reading goes on at the next tag that begins a line. What
    is irregular and can be read is in `Record.notes`. A line of more than four million characters
    ends the reading; a game of as many is a fault. A file is UTF-16 where it begins with that mark,
    else UTF-8, with Latin-1 in lines that are not. What would command a terminal is read escaped.

    >>> import io
    >>> [len(record.line.moves) for record in read(io.StringIO("1. F f * 1. A *"))]
    [2, 1]

    Raises OgnError (a ValueError) with line and column at the first fault, after the games before
    it; StorageError (an OSError) where the file cannot be read; InvalidValueError where it is a
    device or UTF-32, or where `source` can be neither.
    Source: docs/ogn.md.
    """
    fallback = None if rules is None else rules_of(rules)
    if isinstance(source, (str, bytes, PathLike)):
        name = checked_name(source)
        with reading(name), opened_file(name, errors="surrogateescape") as file:
            yield from _records(file_lines(file), Record, fallback, errors)
    else:
        yield from _records(_texts(source), Record, fallback, errors)


def loads(
    text: str, *, rules: Rules | str | None = None, errors: list[OgnError] | None = None
) -> list[Record]:
    """The games of a text; see `read`.

    >>> loads("1. F f 2. B b+1 *")[0].notes[0].text
    'b captures 0, not 1'

    Raises OgnError (a ValueError) with line and column; its `records` are the games before.
    """
    found: list[Record] = []
    try:
        found.extend(read(opened(text), rules=rules, errors=errors))
    except OgnError as error:
        error.records = found
        raise
    return found


def first(text: str, *, rules: Rules | str | None = None) -> Record:
    """The first game of a text.

    >>> first("1. F f * 1. A *").line.letters
    'Ff'

    Raises OgnError (a ValueError) with line and column, also where there is no game.
    """
    return first_of(text, Record, None if rules is None else rules_of(rules))


def dumps(records: Record | Iterable[Record]) -> str:
    """One record or several as text.

    >>> print(dumps(loads("{ hello } 1. F (E e) f { well } 2. B 25-23")).splitlines()[-1])
    { hello } 1. F (1. E e) f { well } 2. B 25-23

    Raises InvalidValueError for what cannot be read again: a comment with a closing brace, a tag
    with an impossible name, a letter, a mark, a count or a result of another form.
    """
    several = [records] if isinstance(records, Record) else list(as_items(records, "records"))
    for record in several:
        if not isinstance(record, Record):
            raise InvalidValueError(f"records: expected a Record, not {shown(record)}", "records")
    return "\n".join(map(text_of, several))


def write(records: Record | Iterable[Record], path: str | PathLike[str]) -> None:
    """Writes records to a file, whole or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(loads("1. F f * 1. A *"), f"{folder}/games.ogn")
    ...     [record.line.letters for record in read(f"{folder}/games.ogn")]
    ['Ff', 'A']

    Raises InvalidValueError as `dumps` does and for half a character (a lone surrogate), and
    StorageError (an OSError); an old file stays as it was then.
    """
    name = checked_name(path)
    try:
        data = dumps(records).encode()
    except UnicodeEncodeError as error:
        odd = error.object[error.start]
        raise InvalidValueError(f"records: {odd!a} is no character", "records") from error
    write_atomically(name, data)


def file_lines(file: TextIO, head: str = "") -> Iterator[str]:
    """The lines of a file that was opened with what lets odd bytes through; `head` is read already.

    Bytes that are no UTF-8 are read as Latin-1, as old programs wrote.
    """
    lines = _lines_after(head, file)
    return map(_decoded, lines) if file.errors == "surrogateescape" else lines


def _lines_after(head: str, file: TextIO) -> Iterator[str]:
    yield from bounded(io.StringIO(head + file.readline(LONGEST_OGN_LINE + 1)))
    yield from bounded(file)


def _texts(source: Any) -> Iterator[str]:
    """The lines of an open file, or whatever else gives texts."""
    is_file = isinstance(source, io.TextIOBase)
    for line in bounded(source) if is_file else as_items(source, "source"):
        if not isinstance(line, str):
            raise InvalidValueError(f"source: expected lines of text, not {shown(line)}", "source")
        yield line


def _decoded(line: str) -> str:
    """A line of a file, from the bytes where they are no UTF-8."""
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return line.encode("utf-8", "surrogateescape").decode("latin-1")
    return line
