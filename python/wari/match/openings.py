"""The openings that a match is played from.

Owns: the format of their file, and random ones. Must not know: how they are judged balanced.

One opening a line: the rules, a space, the moves, and whatever follows; `#` begins a comment.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

from wari._files import refuse_device, short_lines
from wari.errors import IllegalMoveError, InvalidValueError
from wari.game import Game
from wari.rules import Rules


def read_openings(path: str | PathLike[str], rules: Rules) -> list[str]:
    """The openings of a file for some rules, each checked.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "openings.txt"
    ...     _ = path.write_text("abapa FfEd # balanced\\nwari Ff\\n")
    ...     read_openings(path, Rules.preset("abapa"))
    ['FfEd']

    Raises OSError, and InvalidValueError naming the line that is wrong, or where there is none.
    """
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            refuse_device(file, path, "openings")
            found = _openings(short_lines(file, "openings"), rules)
    except UnicodeDecodeError as error:
        raise InvalidValueError(
            f"openings: {os.fspath(path)} is no text (it is not UTF-8)", "openings"
        ) from error
    if not found:
        raise InvalidValueError(f"openings: {path} has none for {rules}", "openings")
    return found


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


def random_openings(rules: Rules, count: int, seed: int = 1, plies: int = 8) -> list[str]:
    """Different random lines that do not end the game; fewer where there are not so many.

    >>> random_openings(Rules.preset("abapa"), 2) == random_openings(Rules.preset("abapa"), 2)
    True
    """
    lines = random_lines(rules, random.Random(seed), plies)
    return [line for line, _ in zip(lines, range(count), strict=False)]


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
