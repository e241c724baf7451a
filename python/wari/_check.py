"""Checks of what users give, before the core is asked: types, and what no text of ours can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex, TypeVar

from wari.errors import InvalidValueError

_Function = TypeVar("_Function", bound=Callable[..., object])


def shown(value: object) -> str:
    """A value for an error message, cut short."""
    try:
        text = ascii(value)
    except ValueError:  # Python refuses to write out integers of thousands of digits
        text = "a huge number"
    return text if len(text) <= 60 else text[:57] + "..."


def as_text(value: object, field: str) -> str:
    """The value if it is ASCII text, the only kind that the core reads.

    Raises InvalidValueError naming the field.
    """
    if not isinstance(value, str):
        raise InvalidValueError(f"{field}: expected text, not {shown(value)}", field)
    if not value.isascii():
        odd = next(letter for letter in value if not letter.isascii())
        raise InvalidValueError(f"{field}: unexpected {odd!a} in {shown(value)}", field)
    return value


def as_moves(value: object, field: str = "moves") -> str:
    """Moves as one text: a text, or a sequence of texts such as `Game.moves`.

    Raises InvalidValueError naming the field.
    """
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return "".join(as_text(move, field) for move in value)
    return as_text(value, field)


def as_flag(value: object, field: str) -> bool:
    """The value if it is True or False. Raises InvalidValueError naming the field."""
    if not isinstance(value, bool):
        raise InvalidValueError(f"{field}: expected True or False, not {shown(value)}", field)
    return value


def as_function(value: _Function | None, field: str) -> _Function | None:
    """The value if it can be called, or None. Raises InvalidValueError naming the field."""
    if value is not None and not callable(value):
        raise InvalidValueError(f"{field}: expected a function, not {shown(value)}", field)
    return value


def as_items(values: Any, field: str) -> Iterator[Any]:
    """The items of a value. Raises InvalidValueError naming the field where it has none."""
    try:
        return iter(values)
    except TypeError:
        raise InvalidValueError(f"{field}: expected several, not {shown(values)}", field) from None


def as_whole(value: object) -> int | None:
    """The int that `value` is (NumPy integers too) if the core can be asked about it, or None."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        whole = value.__index__()
    except TypeError:  # an array of NumPy
        return None
    return whole if abs(whole) < 2**31 else None
