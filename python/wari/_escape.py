"""Foreign text at the borders: names of files and what programs say, as it can be shown."""

from __future__ import annotations

import re

_COMMANDS = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u2028\u2029"  # separators of lines and paragraphs
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks of direction
    "\ufeff\ud800-\udfff]"  # the mark of the byte order, lone surrogates
)


def escape_control(text: str) -> str:
    r"""The text on one line, with nothing in it that commands a terminal or reverses what follows.

    Controls (C0, DEL, C1), the separators of lines and paragraphs, marks of direction and of the
    byte order, and the lone surrogates that stand for bytes of a file name that is not UTF-8 are
    written as Python writes them. Everything else stays, signs that this Python does not know, too.

    >>> print(escape_control("one\ntwo \x1b[31m \u202e \udcff, ñ 日本"))
    one\ntwo \x1b[31m \u202e \udcff, ñ 日本
    """
    if text.isprintable():
        return text
    return _COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)
