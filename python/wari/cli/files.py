"""Saved games as files: JSON records, or OGN where the name ends in `.ogn`."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from wari import Game, IllegalMoveError, InvalidValueError, ogn
from wari._files import expanded, write_atomically
from wari._record import read_record
from wari.cli import os_words, players
from wari.cli.language import mark, tr
from wari.cli.options import shorten
from wari.cli.players import Players

REASONS = (  # the system's words that people meet; it speaks English
    mark("No such file or directory"),
    mark("Permission denied"),
    mark("Is a directory"),
    mark("Not a directory"),
    mark("File name too long"),
    mark("No space left on device"),
    mark("Read-only file system"),
)


def load_game(name: str) -> tuple[Game, Players | None]:
    """The game in a file, the first one of an OGN file, and who played it if it says so.

    Raises InvalidValueError whatever is wrong with the file or its name.
    """
    with file_errors("load", name):
        path = path_of(name)
        try:
            if not _is_ogn(path):
                data = read_record(path)
                return Game.from_dict(data), players.from_record(data)
            record = next(ogn.read(path), None)
            if record is not None:
                return record.game(), players.from_tags(record.tags)
        except (InvalidValueError, IllegalMoveError) as error:
            words = tr("no game can be read from it: {words}", words=error)
            raise InvalidValueError(words) from error
        raise InvalidValueError(tr("there is no game in it"))


def save_game(game: Game, name: str, seated: Players) -> None:
    """Write a game to a file, all of it or nothing; only a saved game is written over.

    Raises InvalidValueError; what was in the file is unchanged then.
    """
    with file_errors("save", name):
        path = path_of(name)
        kept = not path.is_file() or _holds_a_saved_game(path)
    if not kept:
        words = tr("{name} is there and holds no saved game; it is left alone", name=repr(name))
        raise InvalidValueError(f"save: {words}", "save")
    with file_errors("save", name):
        if _is_ogn(path):
            ogn.write(ogn.Record.from_game(game, players.to_tags(seated)), path)
        else:
            data = game.to_dict() | {"seats": players.to_record(seated)}
            write_atomically(path, (json.dumps(data, indent=2) + "\n").encode())


@contextmanager
def file_errors(command: str, name: str) -> Iterator[None]:
    """Whatever is wrong with a file becomes an error that names the command and the file."""
    try:
        yield
        return
    except OSError as error:
        words = tr(os_words(error))
        if command != "load" and error.errno is not None:
            reason = tr(os.strerror(error.errno))
            words = tr("the file cannot be written and is as it was: {reason}", reason=reason)
    except (InvalidValueError, IllegalMoveError) as error:
        words = str(error)
    raise InvalidValueError(f"{command}: {shorten(name, 160)!r}: {words}", command)


def path_of(name: str) -> Path:
    """The path of that name. Raises InvalidValueError where no file can be called so."""
    if "\0" in name:
        raise InvalidValueError(tr("the name contains a NUL"))
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise InvalidValueError(tr("no file can have this name")) from None
    return expanded(name)


def _is_ogn(path: Path) -> bool:
    return path.suffix.lower() == ".ogn"


def _holds_a_saved_game(path: Path) -> bool:
    """Whether the file is one that `save_game` may have written: one game without comments."""
    try:
        if not _is_ogn(path):
            Game.load(path)
            return True
        records = list(islice(ogn.read(path), 2))
    except (InvalidValueError, IllegalMoveError):
        return False
    if len(records) != 1:
        return False
    line = records[0].line
    return not line.before and not any(move.after or move.marks for move in line.moves)
