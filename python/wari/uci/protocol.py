"""The lines of the UCI dialect for oware, as values.

Owns: what an option, an info and a best move look like, and how a position is told. Must not know:
processes, engines, time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wari._repr import evaluable
from wari.errors import WariError
from wari.game import Game
from wari.position import Position
from wari.rules import Rules

CENTISEEDS = 100
"""What this package writes as `score cp` for one seed."""

NO_MOVE = "0000"
"""The best move where the game is over."""


class EngineError(WariError):
    """A UCI engine did what no engine may do."""


class EngineTimeoutError(EngineError, TimeoutError):
    """A UCI engine did not answer in time; it was ended."""


class EngineDiedError(EngineError):
    """A UCI engine could not be started, ended by itself, or was ended before."""


@evaluable("wari.uci")
@dataclass(frozen=True)
class Option:
    """An option as an engine declares it."""

    name: str
    type: str
    """check, spin, combo, string or button."""
    default: str | None = None
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()
    """The values of a combo."""


@evaluable("wari.uci")
@dataclass(frozen=True)
class Info:
    """What an engine says while it searches; None where it says nothing."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int = 1
    cp: int | None = None
    """The score, from the side to move, in the engine's own hundredths."""
    mate: int | None = None
    bound: str = "estimate"
    """estimate, lower or upper, as `wari.Score.bound`; no word of the protocol says exact."""
    time: float | None = None
    """Seconds."""
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    tbhits: int | None = None
    pv: tuple[str, ...] = ()
    currmove: str | None = None
    string: str | None = None


@evaluable("wari.uci")
@dataclass(frozen=True)
class Answer:
    """The end of a search: the move, and the last complete info of every line."""

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
_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits")


def parse_info(line: str) -> Info:
    """An `info` line; what is malformed in it is left out.

    >>> info = parse_info("info depth 9 score cp -150 upperbound time 20 pv FfE")
    >>> info.depth, info.cp, info.bound, info.time, info.pv
    (9, -150, 'upper', 0.02, ('F', 'f', 'E'))
    """
    info = Info()
    for name, values in _fields(line.split()[1:]):
        if name == "string":
            info = replace(info, string=" ".join(values))
        elif name == "pv":
            info = replace(info, pv=parse_moves("".join(values)))
        elif name == "currmove" and values:
            info = replace(info, currmove=values[0])
        elif name == "score":
            info = _with_score(info, values)
        elif values and (number := whole(values[0])) is not None:
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
        if word == "cp" and number is not None:
            info = replace(info, cp=number)
        elif word == "mate" and number is not None:
            info = replace(info, mate=number)
        elif word in ("lowerbound", "upperbound"):
            info = replace(info, bound=word.removesuffix("bound"))
    return info


def whole(text: str) -> int | None:
    """The whole number that a word is, or None."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


def parse_option(line: str) -> Option | None:
    """An `option` line, or None where it makes no sense.

    >>> parse_option("option name Hash type spin default 64 min 1 max 4096").max
    4096
    """
    parts: dict[str, list[str]] = {}
    choices: list[list[str]] = []
    now: list[str] = []
    for word in line.split()[1:]:
        if word == "var":
            now = []
            choices.append(now)
        elif word in ("name", "type", "default", "min", "max") and word not in parts:
            now = parts.setdefault(word, [])
        else:
            now.append(word)
    texts = {name: " ".join(words) for name, words in parts.items()}
    if not texts.get("name") or not texts.get("type"):
        return None
    default = texts.get("default")
    return Option(
        texts["name"],
        texts["type"],
        None if default is None else "" if default == "<empty>" else default,
        whole(texts.get("min", "")),
        whole(texts.get("max", "")),
        tuple(map(" ".join, choices)),
    )


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
    told = "position startpos" if usual else f"position fen {start}"
    return f"{told} moves {moves}" if moves else told


def rules_option(rules: Rules, options: dict[str, Option]) -> str | None:
    """The `setoption` command that makes an engine play by rules; None where none is needed.

    Raises EngineError where the engine knows only its own rules, which are abapa.
    """
    name = next((option for option in options if option.lower() == "rules"), None)
    if name is not None:
        return f"setoption name {name} value {rules}"
    if rules.replace(seeds_per_pit=4).name != "abapa":
        raise EngineError(f"this engine knows no other rules than abapa, so not {rules}")
    return None
