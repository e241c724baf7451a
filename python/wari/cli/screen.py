"""Where the output goes: a terminal in colour, or plain text for pipes, files and NO_COLOR."""

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TextIO

import click

from wari._escape import escape_control
from wari.cli.board import Line, Span, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

STYLES = {
    "": "",
    "frame": "dim",
    "empty": "dim",
    "seeds": "bold",
    "store": "bold cyan",
    "last": "bold yellow",
    "taken": "bold magenta",
    "cursor": "bold yellow",
    "value": "cyan",
    "mover": "bold green",
    "legal": "bold green",
    "letter": "",
    "name": "bold",
    "arrow": "dim",
    "head": "bold",
    "good": "bold green",
    "warn": "yellow",
}
ASCII = str.maketrans("╭╮╰╯┬┴├┤┼│─▶←→…", "+++++++++|-><>.")


class Screen:
    """Prints styled lines to a stream, in colour where a person looks at them."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stdout if stream is None else stream
        self.terminal = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.colour = self.terminal and not os.environ.get("NO_COLOR")
        self.unicode = _can_write(self.stream, "╭▶←→")
        self._console: Console | None = None

    def lines(self, lines: Iterable[Line], *, fit: bool = False) -> None:
        """Print styled lines; with `fit`, a terminal cuts what is too wide for it."""
        rows = list(lines)
        if self.colour:
            self._rich().print(self.text(rows, fit=fit), soft_wrap=not fit)
        else:
            for text in plain(rows):
                self.stream.write(self._fit(text) + "\n")
        self.stream.flush()

    def say(self, text: str = "", style: str = "", *, wrap: bool = False) -> None:
        """Print one or more lines of one style, as they are; or broken at the terminal's edge."""
        if wrap and self.terminal:
            text = textwrap.fill(text, shutil.get_terminal_size().columns)
        self.lines([[Span(part, style)] for part in text.split("\n")])

    def text(self, lines: Iterable[Line], *, fit: bool = True) -> "Text":
        """The lines as a rich text."""
        from rich.text import Text

        text = Text(no_wrap=True, overflow="ellipsis" if fit else "ignore")
        for number, line in enumerate(lines):
            text.append("\n" if number else "")
            for span in line:
                text.append(self._fit(span.text), STYLES[span.style])
        return text

    def live(self, wanted: bool = True) -> "AbstractContextManager[Live | None]":
        """A context for progress that is redrawn in place: a rich Live; None without a terminal."""
        if not (self.terminal and wanted):
            return nullcontext()
        from rich.live import Live

        return Live(console=self._rich(), transient=True, auto_refresh=False)

    def _rich(self) -> "Console":
        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self.stream, highlight=False, no_color=not self.colour)
        return self._console

    def _fit(self, text: str) -> str:
        """The text in characters that the stream can write, and that command nothing."""
        encoding = _encoding(self.stream)
        known = escape_control(text if self.unicode else text.translate(ASCII))
        return known.encode(encoding, "replace").decode(encoding)


def _can_write(stream: TextIO, text: str) -> bool:
    try:
        text.encode(_encoding(stream))
    except UnicodeEncodeError:
        return False
    return True


def _encoding(stream: TextIO) -> str:
    return getattr(stream, "encoding", None) or "ascii"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> list[Line]:
    """Columns side by side; those whose letter in `right` is "r" are set flush right."""
    every = [list(heads), *[list(row) for row in rows]]
    widths = [max(len(row[i]) for row in every) for i in range(len(heads))]
    out: list[Line] = []
    for number, row in enumerate(every):
        cells = [
            cell.rjust(width) if right[i : i + 1] == "r" else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        out.append([Span("  ".join(cells).rstrip(), "head" if number == 0 else "")])
    return out


def print_json(data: dict[str, Any], *, compact: bool = False) -> None:
    """Print one JSON object to standard output: indented, or on a line of its own."""
    click.echo(json.dumps(data, indent=None if compact else 2, allow_nan=False))
