"""Saved games as files, with errors that name the command and the file.

Owns: what may be written over. Must not know: the format of a record.
"""

from pathlib import Path

from wari import Game, IllegalMoveError, InvalidValueError, StorageError
from wari.cli import os_words


def load_game(name: str) -> Game:
    """The game in a file. Raises InvalidValueError whatever is wrong with the file."""
    try:
        return Game.load(Path(name).expanduser())
    except OSError as error:
        words = os_words(error)
    except (InvalidValueError, IllegalMoveError) as error:
        words = str(error)
    raise InvalidValueError(f"load: {name!r}: {words}", "load")


def save_game(game: Game, name: str) -> None:
    """Write a game to a file, all of it or nothing; only a saved game is written over.

    Raises InvalidValueError; what was in the file is unchanged then.
    """
    path = Path(name).expanduser()
    if path.is_file():
        try:
            Game.load(path)
        except (InvalidValueError, IllegalMoveError):
            words = f"save: {name!r} is there and holds no saved game; it is left alone"
            raise InvalidValueError(words, "save") from None
        except OSError as error:
            raise InvalidValueError(f"save: {name!r}: {os_words(error)}", "save") from None
    try:
        game.save(path)
    except StorageError as error:
        raise InvalidValueError(f"save: {name!r}: {os_words(error)}", "save") from None
