"""Which files a review may be written over: reviews of the same format."""

from __future__ import annotations

import re
from pathlib import Path

from wari import ogn
from wari._check import shown
from wari._reading import head_of
from wari.errors import IllegalMoveError, InvalidValueError

GENERATOR = "wari review"
"""What the head of a page names as its generator."""

ANNOTATOR = "wari"
"""Who annotated a game, in its tags."""

_HEAD = 4096
_BEGINNINGS = {
    "text": re.compile(r"South( against North| \().*\n[0-9]{1,9} plies, "),
    "json": re.compile(r'\{\s*"schema": "wari\.review",'),
    "html": re.compile(rf'<!DOCTYPE html>\n(?:.*\n){{1,5}}<meta name="generator" .*"{GENERATOR}">'),
}

_SIDES = re.compile(r"(South|\)) against North(,| \()")


def is_review(path: Path, form: str) -> bool:
    """Whether the file holds a review in that format: text, json, html or ogn.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "game.ogn"
    ...     ogn.write(ogn.loads('[Annotator "wari"] 1. F f *'), path)
    ...     is_review(path, "ogn"), is_review(path, "html")
    (True, False)

    Raises OSError where it cannot be read, InvalidValueError for another format.
    """
    if form == "ogn":
        return _is_annotated(path)
    if form not in _BEGINNINGS:
        raise InvalidValueError(
            f"form: expected text, json, html or ogn, not {shown(form)}", "form"
        )
    head = head_of(path, 4 * _HEAD).decode("utf-8", "replace")[:_HEAD]
    if form == "text" and not _SIDES.search(head.partition("\n")[0]):
        return False
    return _BEGINNINGS[form].match(head) is not None


def _is_annotated(path: Path) -> bool:
    """Whether every game of an OGN file is one that we annotated."""
    try:
        annotators = {record.tags.get("Annotator") for record in ogn.read(path)}
    except (InvalidValueError, IllegalMoveError):
        return False
    return annotators == {ANNOTATOR}
