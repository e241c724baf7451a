"""Saved games as files: JSON records, or OGN where the name ends in `.ogn`.

Owns: the choice of the format, what may be written over, errors that name the command and the file.
Must not know: the formats themselves.
"""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from wari import Game, IllegalMoveError, InvalidValueError, StorageError, ogn
from wari._files import expanded
from wari.cli import os_words
from wari.cli.language import tr


def load_game(name: str) -> Game:
    """The game in a file, the first one of an OGN file.

    Raises InvalidValueError whatever is wrong with the file.
    """
    path = expanded(name)
    try:
        if not _is_ogn(path):
            return Game.load(path)
        record = next(ogn.read(path), None)
        if record is not None:
            return record.game()
        words = tr("there is no game in it")
    except OSError as error:
        words = os_words(error)
    except (InvalidValueError, IllegalMoveError) as error:
        words = str(error)
    raise InvalidValueError(f"load: {name!r}: {words}", "load")


def save_game(game: Game, name: str, tags: Mapping[str, str] | None = None) -> None:
    """Write a game to a file, all of it or nothing; only a saved game is written over.

    `tags` go into an OGN file. Raises InvalidValueError; what was in the file is unchanged then.
    """
    path = expanded(name)
    if path.is_file():
        try:
            kept = _holds_a_saved_game(path)
        except OSError as error:
            raise InvalidValueError(f"save: {name!r}: {os_words(error)}", "save") from None
        if not kept:
            words = tr("{name} is there and holds no saved game; it is left alone", name=repr(name))
            raise InvalidValueError(f"save: {words}", "save")
    try:
        if _is_ogn(path):
            ogn.write(ogn.Record.from_game(game, tags), path)
        else:
            game.save(path)
    except StorageError as error:
        raise InvalidValueError(f"save: {name!r}: {os_words(error)}", "save") from None


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
