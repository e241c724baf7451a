"""Foreign text at the borders: names of files and what programs say, as it can be shown.

Owns: which characters are never shown or kept as they are. Must not know: whose text it is.
"""

from __future__ import annotations

_HARMLESS = "\u00a0\u202f\u3000\u200c\u200d"
"""No signs of their own, but needed inside names: wide spaces, joiners."""


def escape_control(text: str) -> str:
    r"""The text on one line, with nothing in it that commands a terminal or reverses what follows.

    Controls (C0, DEL, C1), the separators of lines and paragraphs, marks of direction, and the lone
    surrogates that stand for bytes of a file name that is not UTF-8 are written as Python writes
    them. All that is a sign of its own stays, and so do spaces and joiners.

    >>> print(escape_control("one\ntwo \x1b[31m \u202e \udcff, ñ 日本"))
    one\ntwo \x1b[31m \u202e \udcff, ñ 日本
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _HARMLESS else ascii(letter)[1:-1]
        for letter in text
    )
