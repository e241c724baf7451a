"""How text comes in, from files, pipes and standard input: its encoding and its bounds."""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, AnyStr

from wari.errors import InvalidValueError, StorageError

LONGEST_WHOLE = 16 * 2**20
"""Bytes of what is kept whole: a JSON record, a list of openings, the games of one review. A record
of a million moves needs one sixteenth of it."""

LONGEST_LINE = 100_000
"""Characters in a line of a list: more than any position, opening or command takes."""

LONGEST_OGN_LINE = 4_000_000
"""Characters in a line of OGN; past that it is no text, and reading ends."""

LONGEST_GAME = 4_000_000
"""Characters in one game of OGN, white space included."""

LONGEST_COMMENT = 1_000_000
"""Characters in one comment of OGN; past that its closing brace must be missing."""

DEEPEST_VARIATION = 100
"""Variations of OGN inside variations."""

STANDARD_INPUT = "-"
"""What names it on a command line."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """What the system refuses while a file is read becomes a StorageError (an OSError)."""
    try:
        yield
    except OSError as error:
        raise StorageError(error.errno, error.strerror or str(error), name) from error


def refuse_device(file: IO[AnyStr], name: str | os.PathLike[str], field: str = "file") -> None:
    """Raises InvalidValueError where what was opened is a device, which may never end."""
    mode = os.fstat(file.fileno()).st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise InvalidValueError(f"{field}: {os.fspath(name)} is a device, no file", field)


@contextmanager
def opened(
    name: str | os.PathLike[str], field: str = "file", *, errors: str = "strict", most: int = 0
) -> Iterator[io.TextIOWrapper]:
    """A file as text; see `text_of`. Raises OSError, InvalidValueError where it is a device."""
    with Path(name).open("rb") as file:
        refuse_device(file, name, field)
        yield text_of(file, os.fspath(name), field, errors=errors, most=most)


def head_of(path: str | os.PathLike[str], size: int) -> bytes:
    """The first bytes of a file, as many as there are. Raises OSError."""
    with Path(path).open("rb") as file:
        return file.read(size)


def text_of(
    file: IO[bytes], name: str, field: str = "file", *, errors: str = "strict", most: int = 0
) -> io.TextIOWrapper:
    """A stream of bytes as text: UTF-16 where it begins with that mark, else UTF-8.

    `errors` are those of UTF-8; in UTF-16 halves of characters are let through unless it is strict.
    With `most`, InvalidValueError is raised where there are more bytes. Raises InvalidValueError
    for UTF-32, and for UTF-16 without a mark.
    """
    head = file.read(2)  # no more: a line of one character and its end are answered at once
    if head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"\0\0"):
        head += file.read(2)
    encoding = _encoding(head, name, field)
    if encoding == "utf-16" and errors != "strict":
        errors = "surrogatepass"
    again = io.BufferedReader(_Again(head, file, most, name, field))
    return io.TextIOWrapper(again, encoding=encoding, errors=errors)


def whole_text(file: IO[bytes], name: str, field: str = "file", what: str = "text") -> str:
    """All of a stream of bytes as text, at most LONGEST_WHOLE of them.

    Raises InvalidValueError where there are more, or where they are no text.
    """
    data = file.read(LONGEST_WHOLE + 1)
    if len(data) > LONGEST_WHOLE:
        raise InvalidValueError(
            f"{field}: {name} is longer than any {what} ({LONGEST_WHOLE} bytes)", field
        )
    encoding = _encoding(data[:4], name, field)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        wanted = "UTF-16" if encoding == "utf-16" else "UTF-8"
        words = f"is no text (byte {error.start} is not {wanted})"
        raise InvalidValueError(f"{field}: {name} {words}", field) from error


def short_lines(file: IO[str], field: str) -> Iterator[str]:
    """The lines of a file or a stream. Raises InvalidValueError at one that is too long."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise InvalidValueError(
                f"{field}: line {number} is longer than {LONGEST_LINE} characters", field
            )
        yield line


def _encoding(head: bytes, name: str, field: str) -> str:
    """What a text is written in that begins so. Raises InvalidValueError for what is not read."""
    odd = ""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        odd = "UTF-32"
    elif head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    elif len(head) > 1 and head[:2].count(0) == 1:
        odd = "UTF-16 without a mark of the byte order"
    if odd:
        raise InvalidValueError(f"{field}: {name} is {odd}; save it as UTF-8", field)
    return "utf-8-sig"


class _Again(io.RawIOBase):
    """A stream from its beginning, of which something was read already; with a bound."""

    def __init__(self, head: bytes, file: Any, most: int, name: str, field: str) -> None:
        self._head = head
        self._file = file
        self._left = most or None
        self._most = most
        self._name = name
        self._field = field

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """What is there now, as much as fits."""
        data = self._head[: len(buffer)] or self._file.read1(len(buffer))
        self._head = self._head[len(buffer) :]
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                words = f"{self._field}: {self._name} is longer than {self._most} bytes"
                raise InvalidValueError(words, self._field)
        buffer[: len(data)] = data
        return len(data)
