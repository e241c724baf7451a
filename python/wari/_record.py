"""Game records as plain dictionaries: their format, and the checks of what is in them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from wari._check import shown
from wari._files import checked_name
from wari._reading import reading, whole_text
from wari.errors import InvalidValueError
from wari.position import ENDINGS, Position, Result, result_from
from wari.rules import Rules, rules_of

FORMAT = "wari-game"
"""The value of "format" in every game record."""

VERSION = 1
"""The version of the game record that this package writes and reads."""

BY_PLAYERS = ("agreement", "resignation", "time")
"""The endings that no rule makes."""


class Opening(NamedTuple):
    """What a record says of its game but for the end."""

    rules: Rules
    start: Position
    moves: str


def read_record(path: str | os.PathLike[str]) -> Any:
    """The value of a file of JSON. Raises StorageError, and InvalidValueError where it is none."""
    name = checked_name(path)
    with reading(name), Path(name).open("rb") as file:
        return parse_json(whole_text(file, name, what="game record"))


def parse_json(text: str) -> Any:
    """The value of a JSON text. Raises InvalidValueError where it is none."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise InvalidValueError("record: the JSON is nested too deeply", "record") from error
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"record: not JSON ({error}): {shown(text)}", "record") from error


def moves_of(record: Any) -> Opening:
    """Rules, start and moves of a record. Raises InvalidValueError naming the field at fault."""
    if not isinstance(record, dict):
        raise InvalidValueError(f"record: expected a JSON object, not {shown(record)}", "record")
    if not isinstance(record.get("format"), str) or record["format"] != FORMAT:
        found = shown(record["format"]) if "format" in record else "a record without a format"
        raise InvalidValueError(f"format: expected {FORMAT!r}, not {found}", "format")
    version = _field(record, "version", int)
    if version != VERSION:
        raise InvalidValueError(
            f"version: this package reads version {VERSION}, not {shown(version)}", "version"
        )
    rules = _rules(record)
    start = Position.parse(_field(record, "start", str), rules)
    return Opening(rules, start, _field(record, "moves", str))


def _field(record: dict[str, Any], name: str, kind: type) -> Any:
    words = {int: "a whole number", str: "text", dict: "a JSON object"}
    if name not in record:
        raise InvalidValueError(f"{name}: missing in the record", name)
    if type(record[name]) is not kind:
        raise InvalidValueError(f"{name}: expected {words[kind]}, not {shown(record[name])}", name)
    return record[name]


def _rules(record: dict[str, Any]) -> Rules:
    """The rules of a record: an object with every axis, or their text."""
    if isinstance(record.get("rules"), str):
        return rules_of(record["rules"])
    return Rules.from_dict(_field(record, "rules", dict))


def called_ending(result: Result, plies: int) -> tuple[str, str | None]:
    """The ending that the players called, and who lost by it; the moves alone end no game here.

    Raises InvalidValueError where the result is of another kind.
    """
    if result.ending not in BY_PLAYERS:
        raise InvalidValueError(
            f"result: the record says {result} by {result.ending}, but after its "
            f"{plies} moves the game goes on",
            "result",
        )
    loser = None if result.ending == "agreement" else "N" if result.winner == "S" else "S"
    return result.ending, loser


def check_result(stated: Result | None, replayed: Result | None) -> None:
    """Raises InvalidValueError where a record states another result than its moves give."""
    if replayed != stated:
        raise InvalidValueError(
            f"result: the record says {_words(stated)}, but the moves give {_words(replayed)}",
            "result",
        )


def result_of(record: dict[str, Any]) -> Result | None:
    """The result that a record states. Raises InvalidValueError where it states none."""
    if "result" not in record:
        raise InvalidValueError("result: missing in the record", "result")
    if record["result"] is None:
        return None
    fields = _field(record, "result", dict)
    south, north, winner, ending = map(fields.get, ("south", "north", "winner", "ending"))
    counts = type(south) is int and type(north) is int
    words = isinstance(ending, str) and ending in ENDINGS and winner in ("S", "N", None)
    if not counts or not words or "winner" not in fields:
        raise InvalidValueError(
            f"result: expected south, north, winner and ending, not {shown(fields)}", "result"
        )
    return result_from((south, north, winner, ending))


def _words(result: Result | None) -> str:
    if result is None:
        return "that the game goes on"
    winner = {"S": "won by South", "N": "won by North", None: "a draw"}[result.winner]
    return f"{result} by {result.ending}, {winner}"
