"""Records as OGN text.

Owns: the order of tags, the numbers of moves, the wrapping of lines. Must not know: rules, files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wari._check import as_whole, shown
from wari.errors import InvalidValueError
from wari.ogn.tokens import LETTER, MARK, MAX_CAPTURED, MAX_COMMENT, MAX_NESTING, RESULT
from wari.ogn.types import ROSTER, UNFINISHED, Line, Move, Record, check_tags, missing_tags

WIDTH = 79
"""The longest line of moves; a longer word stands alone."""

LONGEST_COMMENT = MAX_COMMENT - 4
"""Characters, so that with the spaces at its braces it can be read again."""


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


def _words(line: Line, ply: int, depth: int = 0) -> Iterator[str]:
    """The words of a line whose first move is that ply of the game, so deep inside variations."""
    if depth > MAX_NESTING:
        words = f"line: more than {MAX_NESTING} variations inside each other"
        raise InvalidValueError(words, "line")
    for comment in line.before:
        yield from _comment(comment)
    for number, move in enumerate(line.moves, ply):
        if number % 2 == 0:
            yield f"{number // 2 + 1}."
        yield from _move(move)
        for item in move.after:
            if isinstance(item, Line):
                inner = list(_words(item, number, depth + 1)) or [""]
                inner[0] = "(" + inner[0]
                inner[-1] += ")"
                yield from inner
            else:
                yield from _comment(item)
    if line.result is not None:
        yield _good(line.result, RESULT, "result", "a result such as 26-22 or *")


def _move(move: Move) -> list[str]:
    """A move with its marks; the first sign stands at it, two together would be read as one."""
    captured = as_whole(move.captured)
    if captured is None or not 0 <= captured <= MAX_CAPTURED:
        words = f"captured: expected 0 to {MAX_CAPTURED} seeds, not {shown(move.captured)}"
        raise InvalidValueError(words, "captured")
    marks = [_good(mark, MARK, "marks", "signs such as !? or $4") for mark in move.marks]
    stuck = marks.pop(0) if marks and not marks[0].startswith("$") else ""
    letter = _good(move.letter, LETTER, "letter", "A to F, a to f or -")
    return [letter + (f"+{captured}" if captured else "") + stuck, *marks]


def _good(text: object, form: re.Pattern[str], field: str, expected: str) -> str:
    """The text if it is of a form that can be read again. Raises InvalidValueError."""
    if not isinstance(text, str) or not form.fullmatch(text):
        raise InvalidValueError(f"{field}: expected {expected}, not {shown(text)}", field)
    return text


def _comment(text: object) -> list[str]:
    """`{ text }`; no line of it can begin with a sign that means something there."""
    if not isinstance(text, str):
        raise InvalidValueError(f"comment: expected text, not {shown(text)}", "comment")
    if "}" in text:
        raise InvalidValueError(f"comment: a closing brace cannot be written: {text!r}", "comment")
    if len(text) > LONGEST_COMMENT:
        raise InvalidValueError(f"comment: longer than {LONGEST_COMMENT} characters", "comment")
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
