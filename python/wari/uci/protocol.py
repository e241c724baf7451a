"""The lines of the UCI dialect for oware, as values."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wari._check import shown
from wari._repr import evaluable
from wari.errors import InvalidValueError, WariError
from wari.game import Game
from wari.position import Position
from wari.rules import Rules

CENTISEEDS = 100
"""What this package writes as `score cp` for one seed."""

NO_MOVE = "0000"
"""The best move where the game is over."""

_HUGE_DIGITS = 30
HUGE = 10**_HUGE_DIGITS
"""More than any number of the protocol can mean."""


class EngineError(WariError):
    """A UCI engine did what no engine may do.

    >>> import wari
    >>> try:
    ...     wari.uci.Client("no-such-engine")
    ... except wari.uci.EngineError as error:
    ...     print(type(error).__name__)
    EngineDiedError
    """


class EngineTimeoutError(EngineError, TimeoutError):
    """A UCI engine did not answer in time; it was ended.

    >>> import sys, wari
    >>> sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    >>> wari.uci.Client(sleeper, timeout=0.1)
    Traceback (most recent call last):
    wari.uci.protocol.EngineTimeoutError: the engine ... did not say ... in time
    """


class EngineDiedError(EngineError):
    """A UCI engine could not be started, ended by itself, or was ended before.

    >>> import sys, wari
    >>> wari.uci.Client([sys.executable, "-c", "input(); raise SystemExit(3)"])
    Traceback (most recent call last):
    wari.uci.protocol.EngineDiedError: the engine ... has ended (code 3)
    """


@evaluable("wari.uci")
@dataclass(frozen=True)
class Option:
    """An option as an engine declares it.

    >>> parse_option("option name Style type combo default calm var calm var wild").choices
    ('calm', 'wild')
    """

    name: str
    type: str
    """check, spin, combo, string or button."""
    default: str | None = None
    """The value as text, "" for an empty one; None for a button."""
    min: int | None = None
    """The least value of a spin."""
    max: int | None = None
    """The greatest value of a spin."""
    choices: tuple[str, ...] = ()
    """The values of a combo."""


@evaluable("wari.uci")
@dataclass(frozen=True)
class Info:
    """What an engine says while it searches; None where it says nothing.

    >>> info = parse_info("info depth 9 multipv 2 score cp 150 time 20 nodes 4000 pv FfE")
    >>> info.multipv, info.cp / CENTISEEDS, info.pv
    (2, 1.5, ('F', 'f', 'E'))
    """

    depth: int | None = None
    """Plies."""
    seldepth: int | None = None
    """The deepest ply looked at."""
    multipv: int = 1
    """Which of several lines it is about, from 1, the best."""
    cp: int | None = None
    """The score, from the side to move, in the engine's own hundredths."""
    mate: int | None = None
    """Moves to a forced end, as the engine counts them."""
    bound: str = "estimate"
    """estimate, lower or upper, as `wari.Score.bound`; no word of the protocol says exact."""
    time: float | None = None
    """Seconds."""
    nodes: int | None = None
    """Positions visited."""
    nps: int | None = None
    """Nodes a second."""
    hashfull: int | None = None
    """Thousandths of the transposition table in use."""
    tbhits: int | None = None
    """Positions found in tables."""
    pv: tuple[str, ...] = ()
    """The expected moves."""
    currmove: str | None = None
    """The move in work."""
    string: str | None = None
    """Words for people."""
    refutation: tuple[str, ...] = ()
    """A move, and the line that refutes it."""
    currline: tuple[str, ...] = ()
    """The line in work; the number of a processor before it is left out."""
    currmovenumber: int | None = None
    """The place of `currmove` among the moves of the position, from 1."""


@evaluable("wari.uci")
@dataclass(frozen=True)
class Answer:
    """The end of a search: the move, and the last complete info of every line.

    >>> answer = Answer("F", ponder="f", lines=(Info(depth=9, cp=150), Info(depth=9, cp=20)))
    >>> answer.info.cp
    150
    """

    best_move: str | None
    """None where the game is over."""
    ponder: str | None = None
    """The reply that the engine expects."""
    lines: tuple[Info, ...] = field(default=())
    """The last info with a score for each line, best first."""

    @property
    def info(self) -> Info:
        """The best line; empty where the engine gave none."""
        return self.lines[0] if self.lines else Info()


def parse_moves(text: str) -> tuple[str, ...]:
    """The letters of a list of moves, spaces or not."""
    return tuple("".join(text.split()))


_INFO_WORDS = frozenset(
    (
        *("depth", "seldepth", "time", "nodes", "pv", "multipv", "score", "currmove"),
        *("currmovenumber", "hashfull", "nps", "tbhits", "sbhits", "cpuload", "string"),
        *("refutation", "currline"),
    )
)
_NUMBERS = (
    *("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "currmovenumber"),
)


def parse_info(line: str) -> Info:
    """An `info` line; what is malformed in it is left out.

    >>> info = parse_info("info depth 9 score cp -150 upperbound time 20 pv FfE")
    >>> info.depth, info.cp, info.bound, info.time, info.pv
    (9, -150, 'upper', 0.02, ('F', 'f', 'E'))

    Raises InvalidValueError for what is no text.
    Source: docs/uci.md.
    """
    if not isinstance(line, str):
        raise InvalidValueError(f"line: expected text, not {shown(line)}", "line")
    info = Info()
    for name, values in _fields(line.split()[1:]):
        if name == "string":
            info = replace(info, string=" ".join(values))
        elif name in ("pv", "refutation", "currline"):
            numbered = name == "currline" and values and whole(values[0]) is not None
            moves: dict[str, Any] = {name: parse_moves("".join(values[1 if numbered else 0 :]))}
            info = replace(info, **moves)
        elif name == "currmove" and values:
            info = replace(info, currmove=values[0])
        elif name == "score":
            info = _with_score(info, values)
        elif values and (number := whole(values[0])) is not None and abs(number) < HUGE:
            if name == "time":
                info = replace(info, time=number / 1000)
            elif name in _NUMBERS:
                changed: dict[str, Any] = {name: number}
                info = replace(info, **changed)
    return info


def _fields(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The fields of an info line with their words; the text of `string` goes to the end."""
    name: str | None = None
    values: list[str] = []
    for number, word in enumerate(words):
        if word not in _INFO_WORDS:
            values.append(word)
            continue
        if name is not None:
            yield name, values
        if word == "string":
            yield word, list(words[number + 1 :])
            return
        name, values = word, []
    if name is not None:
        yield name, values


def _with_score(info: Info, values: Sequence[str]) -> Info:
    for at, word in enumerate(values):
        number = whole(values[at + 1]) if at + 1 < len(values) else None
        if number is not None and abs(number) >= HUGE:
            continue
        if word == "cp" and number is not None:
            info = replace(info, cp=number)
        elif word == "mate" and number is not None:
            info = replace(info, mate=number)
        elif word in ("lowerbound", "upperbound"):
            info = replace(info, bound=word.removesuffix("bound"))
    return info


def whole(text: str) -> int | None:
    """The whole number that a word is, or None; one beyond HUGE either way counts as that."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0") or "0"
    number = int(digits) if len(digits) <= _HUGE_DIGITS else HUGE
    return -number if text.startswith("-") else number


def parse_option(line: str) -> Option | None:
    """An `option` line, or None where it makes no sense.

    The name runs to the word `type` before a type that there is, so it may hold other words of the
    protocol, as the default of a string and the values of a combo may.

    >>> parse_option("option name Hash type spin default 64 min 1 max 4096").max
    4096
    >>> parse_option("option name Limit by max nodes to type spin default 5 min 1 max 10").name
    'Limit by max nodes to'
    """
    words = line.split()[1:]
    types = [n for n in range(2, len(words) - 1) if words[n] == "type"]
    at = next((n for n in types if words[n + 1] in _TYPES), min(types, default=None))
    if at is None or words[0] != "name":
        return None
    name, kind, rest = " ".join(words[1:at]), words[at + 1], words[at + 2 :]
    if kind == "button":
        return Option(name, kind)
    if kind not in ("check", "spin", "combo"):
        return Option(name, kind, _default(rest[1:]) if rest[:1] == ["default"] else None)
    values = _values(rest, ("default", "var") if kind == "combo" else ("default", "min", "max"))
    found = {key: value for key, value in reversed(values) if key != "var"}  # the first one counts
    return Option(
        name,
        kind,
        _default(found["default"]) if "default" in found else None,
        whole(" ".join(found.get("min", ()))),
        whole(" ".join(found.get("max", ()))),
        tuple(" ".join(value) for key, value in values if key == "var"),
    )


_TYPES = ("check", "spin", "combo", "button", "string")


def _default(words: Sequence[str]) -> str:
    text = " ".join(words)
    return "" if text == "<empty>" else text


def _values(words: Sequence[str], keys: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The values after some words; what follows `var` is one, and `default` after `default`."""
    values: list[tuple[str, list[str]]] = []
    for word in words:
        taken = values and not values[-1][1] and values[-1][0] in ("var", word)
        if word in keys and not taken:
            values.append((word, []))
        elif values:
            values[-1][1].append(word)
    return values


def parse_best_move(line: str) -> tuple[str | None, str | None] | None:
    """The move and the reply expected in a `bestmove` line; None where there is no move in it."""
    words = line.split()[1:]
    if not words:
        return None
    move = None if words[0] in (NO_MOVE, "(none)") else words[0]
    ponder = words[2] if len(words) > 2 and words[1] == "ponder" else None
    return move, ponder


def position_line(position: Position | Game) -> str:
    """The `position` command for a position, or a game from its start with all its moves."""
    start, moves = position, ""
    if isinstance(position, Game):
        start, moves = position.start, "".join(position.moves)
    usual = str(start) == str(Position())
    command = "position startpos" if usual else f"position fen {start}"
    return f"{command} moves {moves}" if moves else command


def rules_option(rules: Rules, options: dict[str, Option]) -> str | None:
    """The `setoption` command that makes an engine play by rules; None where none is needed.

    Raises EngineError where the engine does not know them; one without an option for rules plays
    abapa.
    """
    name = next((option for option in options if option.lower() == "rules"), None)
    if name is not None:
        if not _knows(options[name], rules, options):
            known = ", ".join(options[name].choices)
            raise EngineError(f"this engine knows the rules {known}, so not {rules}")
        return f"setoption name {name} value {rules}"
    if rules.replace(seeds_per_pit=4).name != "abapa":
        raise EngineError(f"this engine knows no other rules than abapa, so not {rules}")
    return None


def _knows(option: Option, rules: Rules, options: Iterable[str]) -> bool:
    """Whether an engine lists rules, or rules of which it has an option for each difference."""
    axes = {"_".join(name.lower().replace("_", " ").split()) for name in options}
    for choice in option.choices:
        with contextlib.suppress(InvalidValueError):
            listed, wanted = Rules.parse(choice.lower()).to_dict(), rules.to_dict()
            if all(wanted[axis] == listed[axis] or axis in axes for axis in wanted):
                return True
    return not option.choices
