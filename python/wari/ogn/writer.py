"""Records as OGN text.

Owns: the order of tags, the numbers of moves, the wrapping of lines. Must not know: rules, files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wari.errors import InvalidValueError
from wari.ogn.types import ROSTER, UNFINISHED, Line, Record, check_tags, missing_tags

WIDTH = 79
"""The longest line of moves; a longer word stands alone."""


def text_of(record: Record) -> str:
    """A record as text, ending in a newline."""
    check_tags(record.tags)
    tags = record.tags | missing_tags(record)
    others = sorted(name for name in tags if name not in ROSTER)
    head = [f'[{_name(name)} "{_value(tags[name])}"]' for name in (*ROSTER, *others)]
    words = list(_words(record.line, 0))
    if record.line.result is None:
        words.append(UNFINISHED)
    return "\n".join([*head, "", *_wrapped(words), ""])


def _name(name: str) -> str:
    if not name or any(sign in '[]"' or sign.isspace() for sign in name):
        raise InvalidValueError(f"tags: {name!r} is no name of a tag", "tags")
    return name


def _value(value: str) -> str:
    return " ".join(re.split(r"[\r\n]+", value)).replace("\\", "\\\\").replace('"', '\\"')


def _words(line: Line, ply: int) -> Iterator[str]:
    """The words of a line whose first move is that ply of the game."""
    for comment in line.before:
        yield from _comment(comment)
    for number, move in enumerate(line.moves, ply):
        if number % 2 == 0:
            yield f"{number // 2 + 1}."
        # The first sign stands at the move; two signs together would be read as one.
        marks = list(move.marks)
        stuck = marks.pop(0) if marks and not marks[0].startswith("$") else ""
        yield move.letter + (f"+{move.captured}" if move.captured else "") + stuck
        yield from marks
        for item in move.after:
            if isinstance(item, str):
                yield from _comment(item)
            else:
                inner = list(_words(item, number)) or [""]
                inner[0] = "(" + inner[0]
                inner[-1] += ")"
                yield from inner
    if line.result is not None:
        yield line.result


def _comment(text: str) -> list[str]:
    """`{ text }`; no line of it can begin with a sign that means something there."""
    if "}" in text:
        raise InvalidValueError(f"comment: a closing brace cannot be written: {text!r}", "comment")
    words = ["{"]
    for word in text.split():
        if word[0] in "%[":
            words[-1] += " " + word
        else:
            words.append(word)
    return [*words, "}"]


def _wrapped(words: list[str]) -> list[str]:
    lines: list[str] = []
    now = ""
    for word in words:
        if now and len(now) + 1 + len(word) > WIDTH:
            lines.append(now)
            now = word
        else:
            now = f"{now} {word}" if now else word
    return [*lines, now]
