"""Who played a saved game: people and levels, in records and in the tags of OGN."""

from collections.abc import Mapping
from typing import Any

from wari import InvalidValueError
from wari._check import shown
from wari.levels import LEVELS

Players = dict[str, int | None]  # by side: the engine's level, or None for a person
NAMES = {"S": "south", "N": "north"}
HUMAN, PROGRAM = "human", "program"


def to_record(players: Players) -> dict[str, Any]:
    """The value of `seats` in a JSON record."""
    return {
        NAMES[side]: {"type": HUMAN} if level is None else {"type": PROGRAM, "level": level}
        for side, level in players.items()
    }


def from_record(record: Mapping[str, Any]) -> Players | None:
    """The players of a JSON record, None where it does not say. Raises InvalidValueError."""
    seats = record.get("seats")
    if seats is None:
        return None
    if not isinstance(seats, dict):
        raise InvalidValueError(f"seats: expected a JSON object, not {shown(seats)}", "seats")
    return {side: _seat(name, seats.get(name)) for side, name in NAMES.items()}


def _seat(name: str, seat: Any) -> int | None:
    """One side of a record."""
    field = f"seats.{name}"
    kind = seat.get("type") if isinstance(seat, dict) else None
    if kind == HUMAN:
        return None
    if kind != PROGRAM:
        words = f"{field}: expected a type, {HUMAN!r} or {PROGRAM!r}, not {shown(seat)}"
        raise InvalidValueError(words, field)
    return _level(f"{field}.level", seat.get("level"))


def _level(field: str, level: Any) -> int:
    if type(level) is not int or level not in LEVELS:
        words = f"{field}: expected {min(LEVELS)} to {max(LEVELS)}, not {shown(level)}"
        raise InvalidValueError(words, field)
    return level


def to_tags(players: Players) -> dict[str, str]:
    """The tags of an OGN file: who is a person, how strong the engine was."""
    tags = {}
    for side, level in players.items():
        name = NAMES[side].capitalize()
        tags[f"{name}Type"] = HUMAN if level is None else PROGRAM
        if level is not None:
            tags |= {name: f"wari, level {level}", f"{name}Level": f"{level}"}
    return tags


def from_tags(tags: Mapping[str, str]) -> Players | None:
    """The players that the tags name; None where they are others than ours.

    Raises InvalidValueError for a level that is none.
    """
    found: Players = {}
    for side, name in NAMES.items():
        kind, level = (tags.get(name.capitalize() + what) for what in ("Type", "Level"))
        if kind == HUMAN:
            found[side] = None
        elif kind == PROGRAM and level is not None:
            whole = int(level) if level.isascii() and level.isdigit() and len(level) < 4 else level
            found[side] = _level(f"{name.capitalize()}Level", whole)
        else:
            return None
    return found
