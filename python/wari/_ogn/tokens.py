"""The words of an OGN file, one by one, with their places.

Holds one comment or one line of text at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wari._escape import escape_control
from wari._reading import LONGEST_COMMENT, LONGEST_GAME, LONGEST_OGN_LINE

MAX_CAPTURED = 999
"""Seeds of a capture, as far as a file has digits for them."""

RESULT = re.compile(r"[0-9]{1,3}-[0-9]{1,3}|1/2-1/2|\*")
LETTER = re.compile(r"[A-Fa-f-]")
MARK = re.compile(r"\$[0-9]+|[!?]+")

_TAG = re.compile(r'\[\s*(?P<name>[^\s\[\]"]+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\]')
_ESCAPED = re.compile(r"\\(.)")
_SPACES = re.compile(r"[\t-\r]+")
_END = r"(?=[\s{}()\[;]|$)"
_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("result", re.compile(rf"({RESULT.pattern}){_END}")),
    ("number", re.compile(r"[0-9]{1,6}(\.+|(?=\s|$))")),
    (
        "move",
        re.compile(
            rf"(?P<letter>{LETTER.pattern})(?:\+(?P<count>[0-9]{{0,3}}))?(?P<mark>[!?]*){_END}"
        ),
    ),
    ("mark", re.compile(rf"({MARK.pattern}){_END}")),
    ("number", re.compile(r"\.+")),
    ("open", re.compile(r"\(")),
    ("close", re.compile(r"\)")),
)


class Token(NamedTuple):
    """A word and its place."""

    kind: str
    """tag, comment, move, number, mark, open, close, result; fault for what is none of these."""
    text: str
    """A tag's value, a comment's text, a move's letter, what is wrong, or else the word itself."""
    line: int
    column: int
    name: str = ""
    """A tag's name; the marks stuck to a move; `tag` for a fault in a tag."""
    seeds: int | None = None
    """The seeds that a move says it captures; None where it says nothing."""
    apart: bool = False
    """Whether a blank line stands between it and the word before."""


def tidy(comment: str) -> str:
    """A comment with each run of white space made one space, since files wrap their lines.

    What would command a terminal is escaped.
    """
    return escape_control(" ".join(comment.split()))


def on_one_line(tag: str) -> str:
    """The text of a tag with white space as spaces and what would command a terminal escaped."""
    return escape_control(_SPACES.sub(" ", tag))


class Scanner:
    """Cuts lines into words; remembers an open comment from line to line.

    After a fault, or `skip()`, nothing more is given before the next line that begins with a tag.
    """

    def __init__(self) -> None:
        self._comment: list[str] = []
        self._opened: tuple[int, int] | None = None
        self._size = 0
        self._lost = False
        self._apart = False
        self._since = 0  # characters of the present game

    def skip(self) -> None:
        """Gives up the present game."""
        self._lost = True
        self._opened, self._comment = None, []
        self._since = 0

    def begin(self, token: Token) -> None:
        """A game begins with that word of the line that is being cut."""
        self._since = 1 - token.column

    def tokens(self, lines: Iterable[str]) -> Iterator[Token]:
        """The words of a text given line by line."""
        number = 0
        for number, line in enumerate(_readable(lines), 1):
            if line is None:
                yield Token("fault", "what stands here is no text", number, 1)
                return
            if len(line) > LONGEST_OGN_LINE:
                what = f"a line of more than {LONGEST_OGN_LINE} characters"
                yield Token("fault", what, number, 1)
                return
            if self._since > LONGEST_GAME:
                self.skip()
                yield Token("fault", f"a game of more than {LONGEST_GAME} characters", number, 1)
            # A mark of the byte order stands where a file begins that was put behind another one.
            text = line.rstrip("\r\n").lstrip("\ufeff")
            if self._opened is not None or not (text.startswith("%") or self._is_blank(text)):
                yield from self._words(number, text)
            self._since = 0 if self._lost else self._since + len(line)
        if self._opened is not None:
            yield Token("fault", "this comment is never closed", *self._opened)

    def _is_blank(self, line: str) -> bool:
        """Whether a line outside comments is empty; the next word says so."""
        blank = not line or line.isspace()
        self._apart = self._apart or blank
        return blank

    def _words(self, number: int, line: str) -> Iterator[Token]:
        if self._lost and line.startswith("["):
            self._lost = False
        at = 0
        while at < len(line) and not self._lost:
            if self._opened is not None:
                token, at = self._inside_comment(line, at)
            elif line[at].isspace():
                token, at = None, at + 1
            elif line[at] == "{":
                self._opened, self._size = (number, at + 1), 0
                token, at = None, at + 1
            else:
                token, at = _word(line, at, number)
            if token is not None:
                self._lost = self._lost or token.kind == "fault"
                apart, self._apart = self._apart, False
                yield token._replace(apart=True) if apart else token
        if self._opened is not None:
            self._comment.append("\n")

    def _inside_comment(self, line: str, at: int) -> tuple[Token | None, int]:
        """What an open comment takes of a line, and the comment itself where it is closed."""
        assert self._opened is not None
        end = line.find("}", at)
        part = line[at:] if end < 0 else line[at:end]
        self._comment.append(part)
        self._size += len(part) + 1
        if self._size > LONGEST_COMMENT:
            place, self._opened, self._comment = self._opened, None, []
            what = f"a comment of more than {LONGEST_COMMENT} characters"
            words = f"{what}: is its closing brace missing?"
            return Token("fault", words, *place), len(line)
        if end < 0:
            return None, len(line)
        token = Token("comment", tidy("".join(self._comment)), *self._opened)
        self._opened, self._comment = None, []
        return token, end + 1


def _word(line: str, at: int, number: int) -> tuple[Token, int]:
    """The word that begins at a character which is neither space nor an opening brace."""
    if line[at] == "[":
        return _tag(line, at, number)
    if line[at] == ";":
        return Token("comment", tidy(line[at + 1 :]).replace("}", ")"), number, at + 1), len(line)
    for kind, pattern in _WORDS:
        match = pattern.match(line, at)
        if match is None:
            continue
        if kind == "move":
            count = match["count"]
            said = int(count) if count else None
            token = Token(kind, match["letter"], number, at + 1, match["mark"], said)
        else:
            token = Token(kind, match[0], number, at + 1)
        return token, match.end()
    word = re.split(r"[\s{}()]", line[at:], maxsplit=1)[0] or line[at]
    shown = word if len(word) <= 20 else word[:20] + "..."
    what = f"expected a move, a comment or a result, not {shown!r}"
    return Token("fault", what, number, at + 1), len(line)


def _tag(line: str, at: int, number: int) -> tuple[Token, int]:
    match = _TAG.match(line, at)
    if match is None:
        what = 'expected a tag such as [South "Ana"]'
        return Token("fault", what, number, at + 1, name="tag"), len(line)
    value = on_one_line(_ESCAPED.sub(r"\1", match["value"]))
    return Token("tag", value, number, at + 1, on_one_line(match["name"])), match.end()


def _readable(lines: Iterable[str]) -> Iterator[str | None]:
    """The lines; None where bytes stand that are no text in the encoding they were opened with."""
    try:
        yield from lines
    except UnicodeDecodeError:
        yield None
