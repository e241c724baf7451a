"""The openings that a match is played from.

One opening a line: the rules, a space, the moves, and whatever follows; `#` begins a comment.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from typing import Any, TextIO, cast

from wari._check import shown
from wari._files import checked_name
from wari._reading import LONGEST_WHOLE, opened, reading, short_lines
from wari.errors import IllegalMoveError, InvalidValueError
from wari.game import Game
from wari.limits import count as checked
from wari.rules import Rules, rules_of


def read_openings(path: str | PathLike[str] | TextIO, rules: Rules | str) -> list[str]:
    """The openings of a file, or of an open text file, for some rules, each checked.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "openings.txt"
    ...     _ = path.write_text("abapa FfEd # balanced\\nwari Ff\\n")
    ...     read_openings(path, Rules.preset("abapa"))
    ['FfEd']

    Raises StorageError (an OSError), and InvalidValueError naming the line that is wrong, or where
    there is none, or where the file is longer than 16 MiB.
    """
    rules = rules_of(rules)
    name = "the list" if isinstance(path, io.TextIOBase) else checked_name(path)
    try:
        with reading(name), _opened(path) as file:
            found = _openings(short_lines(file, "openings"), rules)
    except UnicodeDecodeError as error:
        raise InvalidValueError(
            f"openings: {name} is no text (it is not {error.encoding.upper()})", "openings"
        ) from error
    if not found:
        raise InvalidValueError(f"openings: {name} has none for {rules}", "openings")
    return found


def _opened(path: Any) -> AbstractContextManager[TextIO]:
    if isinstance(path, io.TextIOBase):
        return nullcontext(cast(TextIO, path))
    return opened(checked_name(path), "openings", most=LONGEST_WHOLE)


def _openings(lines: Iterable[str], rules: Rules) -> list[str]:
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            if len(words) < 2:
                raise InvalidValueError("expected rules and moves", "openings")
            if Rules.parse(words[0]) == rules:
                if Game.replay(words[1], rules).is_over:
                    raise InvalidValueError("the game is over", "openings")
                found.append(words[1])
        except (InvalidValueError, IllegalMoveError) as error:
            raise InvalidValueError(f"openings: line {number}: {error}", "openings") from error
    return found


def random_openings(rules: Rules | str, count: int, seed: int = 1, plies: int = 8) -> list[str]:
    """Different random lines that do not end the game; fewer where there are not so many.

    >>> random_openings("abapa", 2) == random_openings("abapa", 2, seed=1, plies=8)
    True

    Raises InvalidValueError naming the argument.
    """
    if not isinstance(seed, int):
        raise InvalidValueError(f"seed: expected a whole number, not {shown(seed)}", "seed")
    lines = random_lines(rules_of(rules), random.Random(seed), checked("plies", plies, 1000))
    return [line for line, _ in zip(lines, range(checked("count", count)), strict=False)]


def random_lines(rules: Rules, rng: random.Random, plies: int) -> Iterator[str]:
    """Random lines that lead to different positions, until a thousand tries bring nothing new."""
    seen: set[str] = set()
    tries = 0
    while tries < 1000:
        game = Game(rules)
        while len(game) < plies and not game.is_over:
            game.push(rng.choice(game.legal_moves()))
        tries += 1
        if not game.is_over and str(game.position) not in seen:
            seen.add(str(game.position))
            tries = 0
            yield "".join(game.moves)
