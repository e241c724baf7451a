"""Reading a game record: everything in it is checked, and its result against the replay.

Owns: the reading of the format that `Game.to_dict` writes, and of files that hold it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wari._check import shown
from wari.errors import InvalidValueError
from wari.position import ENDINGS, Position, Result
from wari.rules import Rules, rules_of

if TYPE_CHECKING:
    from wari.game import Game


def read_record(path: str | os.PathLike[str]) -> Any:
    """The value of a file of JSON. Raises StorageError, and InvalidValueError where it is none."""
    from wari._files import checked_name
    from wari._reading import reading, whole_text

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


def game_from_record(cls: type[Game], record: Any) -> Game:
    """The game of a record. Raises InvalidValueError or IllegalMoveError, naming the field."""
    from wari.game import FORMAT, VERSION

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
    game = cls(rules, start)
    game.push_all(_field(record, "moves", str))
    _end(game, record)
    return game


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


def _end(game: Game, record: dict[str, Any]) -> None:
    """Ends the game as the record says, and compares the result with the replay's."""
    if "result" not in record:
        raise InvalidValueError("result: missing in the record", "result")
    stated = _result(record)
    if stated is not None and not game.is_over:
        if stated.ending not in ("agreement", "resignation", "time"):
            raise InvalidValueError(
                f"result: the record says {stated} by {stated.ending}, but after its "
                f"{len(game)} moves the game goes on",
                "result",
            )
        loser = None if stated.ending == "agreement" else "N" if stated.winner == "S" else "S"
        game._call(stated.ending, loser)
    if game.result != stated:
        raise InvalidValueError(
            f"result: the record says {_words(stated)}, but the moves give {_words(game.result)}",
            "result",
        )


def _result(record: dict[str, Any]) -> Result | None:
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
    return Result(south, north, winner, ending)


def _words(result: Result | None) -> str:
    if result is None:
        return "that the game goes on"
    winner = {"S": "won by South", "N": "won by North", None: "a draw"}[result.winner]
    return f"{result} by {result.ending}, {winner}"
