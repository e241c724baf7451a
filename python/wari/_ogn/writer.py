"""Records as OGN text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wari._check import as_whole, shown
from wari._ogn.tokens import LETTER, MARK, MAX_CAPTURED, RESULT, on_one_line, tidy
from wari._ogn.types import ROSTER, UNFINISHED, GameText, Line, Move, check_tags, missing_tags
from wari._reading import DEEPEST_VARIATION, LONGEST_COMMENT
from wari.errors import InvalidValueError

WIDTH = 79
"""The longest line of moves; a longer word stands alone."""

_LONGEST = LONGEST_COMMENT - 4
"""Characters of a comment, so that with the spaces at its braces it can be read again."""


def text_of(record: GameText) -> str:
    """A record as text, ending in a newline."""
    check_tags(record.tags)
    tags = record.tags | missing_tags(record)
    others = sorted(name for name in tags if name not in ROSTER)
    head = [f'[{_name(name)} "{_value(tags[name])}"]' for name in (*ROSTER, *others)]
    words = _words(record.line)
    if record.line.result is None:
        words.append(UNFINISHED)
    return "\n".join([*head, "", *_wrapped(words), ""])


def _name(name: str) -> str:
    if not name or any(sign in '[]"' or sign.isspace() for sign in name):
        raise InvalidValueError(f"tags: {name!r} is no name of a tag", "tags")
    return on_one_line(_whole(name))


def _value(value: str) -> str:
    return on_one_line(_whole(value)).replace("\\", "\\\\").replace('"', '\\"')


def _whole(text: str) -> str:
    """The text if all of it is characters. Raises InvalidValueError for half of one."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        odd = error.object[error.start]
        raise InvalidValueError(f"records: {odd!a} is no character", "records") from error
    return text


def _words(line: Line) -> list[str]:
    """The words of a game, those of variations in parentheses."""
    words: list[str] = []
    unfinished = [_items(line, 0)]
    opened = ""  # the parenthesis that the next word begins with
    while unfinished:
        item = next(unfinished[-1], None)
        if isinstance(item, str):
            words.append(opened + item)
            opened = ""
        elif item is not None:
            if len(unfinished) > DEEPEST_VARIATION:
                words_of_error = f"line: more than {DEEPEST_VARIATION} variations inside each other"
                raise InvalidValueError(words_of_error, "line")
            unfinished.append(_items(*item))
            opened = "("
        else:
            unfinished.pop()
            if opened:
                words.append("()")
            elif unfinished:
                words[-1] += ")"
            opened = ""
    return words


def _items(line: Line, ply: int) -> Iterator[str | tuple[Line, int]]:
    """The words of a line whose first move is that ply of the game, and its variations so."""
    for comment in line.before:
        yield from _comment(comment)
    for number, move in enumerate(line.moves, ply):
        if number % 2 == 0:
            yield f"{number // 2 + 1}."
        yield from _move(move)
        for item in move.after:
            if isinstance(item, Line):
                yield item, number
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


def _comment(text: object) -> Iterator[str]:
    """`{ text }`; no line of it can begin with a sign that means something there."""
    if not isinstance(text, str):
        raise InvalidValueError(f"comment: expected text, not {shown(text)}", "comment")
    if "}" in text:
        raise InvalidValueError(
            f"comment: a closing brace cannot be written: {shown(text)}", "comment"
        )
    kept = tidy(_whole(text))
    if max(len(text), len(kept)) > _LONGEST:
        raise InvalidValueError(f"comment: longer than {_LONGEST} characters", "comment")
    together = ["{"]
    for word in kept.split():
        if word[:1] not in ("%", "["):
            yield " ".join(together)
            together.clear()
        together.append(word)
    yield " ".join(together)
    yield "}"


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
