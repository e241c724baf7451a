"""The openings that a match is played from.

Owns: the format of their file, and random ones. Must not know: how they are judged balanced.

One opening a line: the rules, a space, the moves, and whatever follows; `#` begins a comment.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

from wari._check import shown
from wari._files import checked_name, reading, refuse_device, short_lines
from wari._limits import count as checked
from wari.errors import IllegalMoveError, InvalidValueError
from wari.game import Game
from wari.rules import Rules, rules_of


def read_openings(path: str | PathLike[str], rules: Rules | str) -> list[str]:
    """The openings of a file for some rules, each checked.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "openings.txt"
    ...     _ = path.write_text("abapa FfEd # balanced\\nwari Ff\\n")
    ...     read_openings(path, Rules.preset("abapa"))
    ['FfEd']

    Raises StorageError (an OSError), and InvalidValueError naming the line that is wrong, or where
    there is none.
    """
    name, rules = checked_name(path), rules_of(rules)
    try:
        with reading(name), Path(name).open(encoding="utf-8-sig") as file:
            refuse_device(file, name, "openings")
            found = _openings(short_lines(file, "openings"), rules)
    except UnicodeDecodeError as error:
        raise InvalidValueError(
            f"openings: {name} is no text (it is not UTF-8)", "openings"
        ) from error
    if not found:
        raise InvalidValueError(f"openings: {name} has none for {rules}", "openings")
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
