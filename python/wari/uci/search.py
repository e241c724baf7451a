"""One `go`: its limits, the search in a thread of its own, and the one `bestmove` that ends it."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from wari._check import shown
from wari._threads import started
from wari.engine import MAX_DEPTH, Analysis, Engine, Line
from wari.game import Game
from wari.levels import LEVELS, choose
from wari.limits import MAX_NODES
from wari.position import ENDINGS, PASS
from wari.uci.protocol import CENTISEEDS, NO_MOVE, whole
from wari.uci.settings import FULL_STRENGTH, ROW, Settings

LONGEST = 10**9  # seconds
SHORTEST = 0.001
AFTER_NONSENSE = 1.0  # seconds to search where no limit of `go` could be read

_NUMBERS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo")
_FLAGS = ("infinite", "ponder")
_LEAST = {"depth": 1, "nodes": 1, "movetime": 1, "movestogo": 1}  # the others: 0
_MOST = {"depth": MAX_DEPTH, "nodes": MAX_NODES, "movestogo": 10_000}
_MOST_TIME = LONGEST * 1000  # milliseconds: the others

Say = Callable[[Iterable[str]], None]


@dataclass
class Go:
    """What a `go` command asks for, times in milliseconds."""

    numbers: dict[str, int]
    infinite: bool = False
    ponder: bool = False
    moves: str = ""
    complaints: tuple[str, ...] = ()

    @classmethod
    def parse(cls, words: Sequence[str]) -> Go:
        """Reads the words after `go`; what cannot be read is complained about and left out."""
        go = cls({})
        complaints: list[str] = []
        known = (*_NUMBERS, *_FLAGS, "searchmoves")
        at = 0
        while at < len(words):
            word, at = words[at], at + 1
            if word in _FLAGS:
                setattr(go, word, True)
            elif word in _NUMBERS:
                number = whole(words[at]) if at < len(words) else None
                if at < len(words) and words[at] not in known:
                    at += 1
                if number is None:
                    complaints.append(f"go: {word} needs a whole number")
                    continue
                least, most = _LEAST.get(word, 0), _MOST.get(word, _MOST_TIME)
                if number < least:
                    complaints.append(f"go: {word} needs {least} or more, not {number}")
                if number > most:
                    given = shown(words[at - 1])
                    complaints.append(f"go: {word} is too large, {most} is used instead of {given}")
                go.numbers[word] = min(number, most)
            elif word == "searchmoves":
                while at < len(words) and words[at] not in known:
                    go.moves += words[at]
                    at += 1
                if not go.moves:
                    complaints.append("go: searchmoves needs moves")
            else:
                complaints.append(f"go: unknown word {word!r}")
        go.complaints = tuple(complaints)
        return go

    def limits(self, side: str, overhead: int) -> dict[str, Any]:
        """The arguments of `Engine.analyse`; of each time so many milliseconds are kept back."""
        limits: dict[str, Any] = {}
        if "depth" in self.numbers:
            limits["depth"] = max(self.numbers["depth"], 1)
        if "nodes" in self.numbers:
            limits["nodes"] = max(self.numbers["nodes"], 1)
        if self.infinite:
            return limits
        if "movetime" in self.numbers:
            limits["time"] = _seconds(self.numbers["movetime"] - overhead)
        time, increment = ("wtime", "winc") if side == "S" else ("btime", "binc")
        if time in self.numbers:
            plus = self.numbers.get(increment, 0)
            limits["clock"] = (
                _seconds(self.numbers[time] - overhead),
                _seconds(plus) if plus > 0 else 0.0,
                max(self.numbers.get("movestogo", 0), 0),
            )
        if not limits and (self.numbers or self.complaints):
            limits["time"] = AFTER_NONSENSE
        return limits

    def lacks_clock(self, side: str) -> bool:
        """Whether there are words on clocks, but neither the clock of a side nor another limit."""
        own = {"depth", "nodes", "movetime", "wtime" if side == "S" else "btime"}
        return bool(self.numbers) and not self.infinite and own.isdisjoint(self.numbers)


def _seconds(milliseconds: int) -> float:
    return max(milliseconds / 1000, SHORTEST)


class Search:
    """A running search. It says exactly one `bestmove`, whatever happens."""

    def __init__(
        self, ready: Callable[[], Engine], game: Game, go: Go, settings: Settings, say: Say
    ) -> None:
        """Begins it; `ready` gives the engine, which may take its time, in the search's thread.

        Raises NoThreadError.
        """
        self._began = time.monotonic()
        self._ready = ready
        self._game = game
        self._go = go
        self._settings = settings
        self._say = say
        self._released = threading.Event()
        self._shown: object = None
        self._lock = threading.Lock()  # guards what follows
        self._engine: Engine | None = None
        self._asked: list[Callable[[Engine], object]] = []  # before there was an engine
        self._thread = started(self._run, name="wari-search")

    @property
    def is_running(self) -> bool:
        """Whether the best move has not been said yet."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Makes the search end; the answer comes at once."""
        self._released.set()
        self._ask(Engine.stop)

    def ponder_hit(self) -> None:
        """The clock runs from now; an answer that is ready may be said."""
        if not self._go.infinite:
            self._released.set()
        self._ask(Engine.ponder_hit)

    def _ask(self, what: Callable[[Engine], object]) -> None:
        """At once, or as soon as there is an engine."""
        with self._lock:
            if self._engine is None:
                self._asked.append(what)
            else:
                what(self._engine)

    def _prepared(self) -> Engine:
        """The engine, which has heard all that was asked meanwhile."""
        engine = self._ready()
        engine.prepare()
        with self._lock:
            self._engine = engine
            for what in self._asked:
                what(engine)
        return engine

    def _less_what_passed(self, limits: dict[str, Any]) -> None:
        """Takes the time since `go` off the limits; in pondering it does not count."""
        passed = 0.0 if self._go.ponder else time.monotonic() - self._began
        if "time" in limits:
            limits["time"] = max(limits["time"] - passed, SHORTEST)
        if "clock" in limits:
            left, increment, to_go = limits["clock"]
            limits["clock"] = (max(left - passed, SHORTEST), increment, to_go)

    def join(self) -> None:
        """Waits for the end."""
        self._thread.join()

    def _run(self) -> None:
        move, reply = None, None
        try:
            move, reply = self._think()
        except Exception as error:
            legal = self._game.legal_moves()
            move = legal[0] if legal else None
            self._say([f"info string {type(error).__name__}: {error}"])
        if self._go.infinite or self._go.ponder:
            self._released.wait()
        expected = "" if reply is None else f" ponder {reply}"
        self._say([f"bestmove {NO_MOVE if move is None else move}{expected}"])

    def _think(self) -> tuple[str | None, str | None]:
        game = self._game
        legal = game.legal_moves()
        if not legal:
            self._say([f"info string the game is over: {ENDINGS.get(game.ending or '', '')}"])
            return None, None
        engine = self._prepared()
        limits = self._go.limits(game.position.side, self._settings.overhead_ms)
        self._less_what_passed(limits)
        wanted = self._wanted_moves(legal)
        timed = "clock" in limits or "time" in limits
        weak = self._settings.level != FULL_STRENGTH
        analysis = engine.analyse(
            game,
            multipv=self._multipv(limits),
            moves=wanted or None,
            ponder=self._go.ponder,
            instant=timed,
            progress=self._show,
            current_move=self._show_move,
            **limits,
        )
        self._show(analysis)
        if not analysis.lines:
            return (wanted or legal)[0], None
        chosen = self._choose(analysis.lines) if weak else analysis.lines[0]
        reply = chosen.pv[1] if len(chosen.pv) > 1 and chosen.pv[1] != PASS else None
        return chosen.move, reply

    def _wanted_moves(self, legal: Sequence[str]) -> list[str]:
        """The legal ones of `searchmoves`; none: all."""
        for move in self._go.moves:
            if move not in legal:
                self._say([f"info string searchmoves: {move!r} is not legal here"])
        return [move for move in legal if move in self._go.moves]

    def _multipv(self, limits: dict[str, Any]) -> int:
        """The lines to ask for; a level adds its own limits."""
        if self._settings.level == FULL_STRENGTH:
            return self._settings.multipv
        level = LEVELS[self._settings.level]
        depth, seconds = level.limits.depth, level.limits.time
        if depth is not None:
            limits["depth"] = min(limits.get("depth", depth), depth)
        if seconds is not None and not self._go.infinite:
            limits["time"] = min(limits.get("time", seconds), seconds)
        return ROW if level.temperature > 0 else self._settings.multipv

    def _choose(self, lines: Sequence[Line]) -> Line:
        move = choose(lines, LEVELS[self._settings.level].temperature, random.Random())
        return next(line for line in lines if line.move == move)

    def _show(self, analysis: Analysis) -> None:
        """Says what was found, once."""
        now = (analysis.depth, analysis.lines)
        if now == self._shown:
            return
        self._shown = now
        self._say([info_line(analysis, n) for n in range(len(analysis.lines))])

    def _show_move(self, move: str, number: int, depth: int) -> None:
        """Says which move is being looked at; searches of less than a second never do."""
        self._say([f"info depth {depth} currmove {move} currmovenumber {number}"])


_BOUNDS = {"lower": " lowerbound", "upper": " upperbound"}


def info_line(analysis: Analysis, number: int) -> str:
    """The `info` of one line of an analysis."""
    line = analysis.lines[number]
    score = round(line.score.value * CENTISEEDS)
    return (
        f"info depth {line.depth} seldepth {analysis.seldepth} multipv {number + 1} "
        f"score cp {score}{_BOUNDS.get(line.score.bound, '')} "
        f"time {round(analysis.seconds * 1000)} nodes {analysis.nodes} nps {round(analysis.nps)} "
        f"hashfull {analysis.hashfull} tbhits {analysis.tbhits} pv {''.join(line.pv)}"
    )
