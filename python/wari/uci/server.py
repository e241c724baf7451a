"""`wari uci`: our engine as a program that a GUI drives.

The main thread reads and answers; a search, with the making of its engine, has a thread of its own,
so that an answer never waits.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import BinaryIO

from wari._core import __version__
from wari._threads import NoThreadError
from wari.engine import Engine
from wari.errors import IllegalMoveError, InvalidValueError, WariError
from wari.game import Game
from wari.position import Position
from wari.uci.process import text_of
from wari.uci.search import Go, Search
from wari.uci.settings import Settings, option_lines

LONGEST_LINE = 1 << 16
"""Bytes of a command; a game of thousands of moves fits."""

ENDLESS_LINE = 1 << 26
"""Bytes without a line's end after which the program ends: no GUI speaks there."""

_TINY = "0-0-0-0-0-1-1-0-0-0-0-0-0-0-S"  # searched to have the tables of the rules ready


def serve(reader: BinaryIO | None = None, writer: BinaryIO | None = None) -> None:
    """Answers commands until `quit` or the end of the input.

    Raises InvalidValueError where a line has no end, NoThreadError where no search can be started.
    """
    server = Server(writer or sys.stdout.buffer)
    try:
        for line in _lines(reader or sys.stdin.buffer):
            if line is None:
                server.say([f"info string a line of more than {LONGEST_LINE} bytes is left out"])
            elif not server.obey(line):
                break
    except (InvalidValueError, NoThreadError) as error:
        server.say([f"info string {error}; this is the end"])
        raise
    finally:
        server.close()


def _lines(reader: BinaryIO) -> Iterator[str | None]:
    """The lines of the input; None for one that is too long.

    Raises InvalidValueError at one that has no end.
    """
    while data := reader.readline(LONGEST_LINE):
        if data.endswith(b"\n") or len(data) < LONGEST_LINE:
            yield text_of(data)
            continue
        length = len(data)
        while data and not data.endswith(b"\n") and length < ENDLESS_LINE:
            data = reader.readline(LONGEST_LINE)
            length += len(data)
        if length >= ENDLESS_LINE:
            raise InvalidValueError(f"input: {length} bytes without the end of a line", "input")
        yield None


class Server:
    """The state between commands: settings, game, engine, and the search that runs."""

    def __init__(self, writer: BinaryIO) -> None:
        self._writer = writer
        self._lock = threading.Lock()
        self._settings = Settings()
        self._game = Game(self._settings.rules)
        self._engine: Engine | None = None
        self._engine_key: object = None
        self._hash_mb = self._settings.hash_mb  # that the system granted
        self._forget = False
        self._search: Search | None = None
        self._debug = False
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": self._is_ready,
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._position,
            "go": self._go,
            "ponderhit": self._ponder_hit,
            "stop": self._stop,
        }

    def say(self, lines: Iterable[str]) -> None:
        """Lines to the GUI, together."""
        data = "".join(f"{_printable(line)}\n" for line in lines).encode()
        with self._lock, contextlib.suppress(BrokenPipeError, ValueError):
            self._writer.write(data)
            self._writer.flush()

    def obey(self, line: str) -> bool:
        """Carries a command out; False for `quit`. Whatever it holds, it raises no error.

        But NoThreadError, where the system does not let a search be started.
        """
        words = _words(line)
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self._commands.get(words[0])
        if command is None:
            self._complain(f"unknown command {words[0]!r}")
            return True
        try:
            command(words[1:])
        except NoThreadError:
            raise
        except (WariError, MemoryError, OSError) as error:
            self._complain(f"{words[0]}: {error}")
        return True

    def close(self) -> None:
        """Ends the search, with its best move, and the engine."""
        self._end_search()
        if self._engine is not None:
            self._engine.close()

    def _complain(self, text: str) -> None:
        short = text if len(text) <= 200 else text[:200] + "..."
        self.say([f"info string {short}"])

    def _uci(self, _: list[str]) -> None:
        self.say([f"id name wari {__version__}", "id author the wari authors", *option_lines()])
        self.say(["uciok"])

    def _set_debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise InvalidValueError("expected on or off", "debug")
        self._debug = words == ["on"]

    def _is_ready(self, _: list[str]) -> None:
        """At once while a search runs; else after the engine has been made ready."""
        try:
            if self._search is None or not self._search.is_running:
                self._ready_engine(self._settings, self._must_forget())
        finally:
            self.say(["readyok"])

    def _set_option(self, words: list[str]) -> None:
        if words[:1] != ["name"] or len(words) < 2:
            raise InvalidValueError("expected name and value", "setoption")
        at = words.index("value") if "value" in words else len(words)
        before = self._settings.rules
        self._settings = self._settings.changed(" ".join(words[1:at]), " ".join(words[at + 1 :]))
        if self._settings.rules != before:
            self._game = Game(self._settings.rules)

    def _new_game(self, _: list[str]) -> None:
        self._forget = True
        self._game = Game(self._settings.rules)

    def _position(self, words: list[str]) -> None:
        """Sets the position, or, where anything is wrong, leaves the one before."""
        try:
            self._game = self._game_of(words)
        except (InvalidValueError, IllegalMoveError) as error:
            raise InvalidValueError(f"{error}; the position before stays", "position") from error
        if self._debug:
            now = self._game
            self.say([f"info string position {now.position} rules {now.rules}"])

    def _game_of(self, words: list[str]) -> Game:
        at = words.index("moves") if "moves" in words else len(words)
        kind, start_text, moves = words[:1], "".join(words[1:at]), "".join(words[at + 1 :])
        if kind == ["startpos"] and not start_text:
            start = Position(self._settings.rules)
        elif kind == ["fen"]:
            start = Position.parse(start_text, self._settings.rules)
        else:
            raise InvalidValueError("expected startpos or fen, then moves", "position")
        game = Game(self._settings.rules, start)
        game.push_all(moves)
        return game

    def _go(self, words: list[str]) -> None:
        go = Go.parse(words)
        for complaint in go.complaints:
            self._complain(complaint)
        side = self._game.position.side
        if go.lacks_clock(side):
            name = {"S": "South", "N": "North"}[side]
            self._complain(f"go: no clock of {name}, who is to move; one second is used")
        self._end_search()
        if self._debug:
            self.say([f"info string limits {go.limits(side, self._settings.overhead_ms)}"])
        forget = bool(self._game.legal_moves()) and self._must_forget()
        self._search = Search(
            partial(self._ready_engine, self._settings, forget),
            self._game.copy(),
            go,
            self._settings,
            self.say,
        )

    def _must_forget(self) -> bool:
        forget, self._forget = self._forget, False
        return forget

    def _ponder_hit(self, _: list[str]) -> None:
        if self._search is None or not self._search.is_running:
            raise InvalidValueError("no search runs", "ponderhit")
        self._search.ponder_hit()

    def _stop(self, _: list[str]) -> None:
        if self._search is not None:
            self._search.stop()

    def _end_search(self) -> None:
        if self._search is not None:
            self._search.stop()
            self._search.join()
            self._search = None

    def _ready_engine(self, settings: Settings, forget: bool) -> Engine:
        """The engine as the settings want it. Never at once from two threads."""
        key = settings.engine_key()
        if self._engine is None or self._engine_key != key:
            if self._engine is not None:
                self._engine.close()
                self._engine = None
            self._engine = self._any_engine(settings)
            self._engine_key = key
        elif forget:
            self._engine.new_game()
        return self._engine

    def _any_engine(self, settings: Settings) -> Engine:
        """A new engine; settings that the system does not grant are reported and left out."""
        try:
            engine = self._new_engine(settings)
        except MemoryError:
            if self._hash_mb >= settings.hash_mb:
                raise
            self._complain(
                f"Hash: {settings.hash_mb} MiB of memory are not available; "
                f"{self._hash_mb} are used"
            )
            return self._any_engine(replace(settings, hash_mb=self._hash_mb))
        except (WariError, OSError) as error:
            if not settings.names_table:
                raise
            self._complain(f"TablePath: {error}; the usual tables are used")
            return self._any_engine(replace(settings, table_path=""))
        self._hash_mb = settings.hash_mb
        return engine

    def _new_engine(self, settings: Settings) -> Engine:
        """An engine with its tables ready, so that no search waits for them."""
        engine, remarks = settings.new_engine()
        for remark in remarks:
            self._complain(remark)
        engine.analyse(Position.parse(_TINY, settings.rules), depth=1)
        return engine


def _words(line: str) -> list[str]:
    """The words of a command; the value of an option is one word, with its spaces."""
    words = line.split()
    if words[:1] == ["setoption"] and "value" in words:
        words = line.rstrip().split(maxsplit=words.index("value") + 1)
    return words


def _printable(line: str) -> str:
    """One line, whatever it holds."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line)
