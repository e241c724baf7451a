"""The client's side of UCI as a state machine that does no input or output (sans I/O)."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from wari._check import as_flag, shown
from wari._repr import evaluable
from wari.errors import InvalidValueError
from wari.game import Game
from wari.limits import Clock, Limits, count, letters, limits_of
from wari.limits import seconds as checked_seconds
from wari.position import Position
from wari.rules import AXES, Rules
from wari.uci.protocol import (
    Answer,
    EngineError,
    Info,
    Option,
    parse_best_move,
    parse_info,
    parse_option,
    position_line,
    rules_option,
    whole,
)

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """A line to the engine."""

    line: str


@dataclass(frozen=True)
class Receive:
    """A line from the engine, within the time left until the end that `Deadline` set."""


@dataclass(frozen=True)
class Deadline:
    """From now on the engine has so many seconds; None: as long as it likes."""

    seconds: float | None
    waiting_for: str


Step = Send | Receive | Deadline | Info
Steps = Generator[Step, str, T]
"""Steps to carry out; a Receive is answered with the line, an Info is for the caller's eyes."""


@evaluable("wari.uci")
@dataclass(frozen=True)
class SearchOptions:
    """What a client asks of a search: its limits, the clocks of both sides, the moves to look at.

    >>> SearchOptions(Limits(depth=9, time=0.5)).words("S")
    'go depth 9 movetime 500'

    Raises InvalidValueError naming the option that cannot be.
    """

    limits: Limits = field(default_factory=Limits)
    """The first limit reached ends the search; its clock is that of the side to move."""
    clocks: Mapping[str, float] | None = None
    """The seconds left of `S` and `N`, and their increments `S+` and `N+`."""
    moves_to_go: int | None = None
    """Moves until the clocks are set again; None: the rest of the game."""
    infinite: bool = False
    """Until `stop`."""
    ponder: bool = False
    """Time does not count until `ponder_hit`."""
    moves: str = ""
    """Search these moves only."""

    def __post_init__(self) -> None:
        """Checks all of it, so that nothing wrong is ever sent."""
        checked: dict[str, object] = {
            "limits": limits_of(self.limits),
            "clocks": None if self.clocks is None else _checked_clocks(self.clocks),
            "moves_to_go": None
            if self.moves_to_go is None
            else count("moves_to_go", self.moves_to_go),
            "moves": "" if self.moves == "" else "".join(letters(self.moves).split()),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        for name in ("infinite", "ponder"):
            as_flag(getattr(self, name), name)
        if self.limits.clock is not None and (
            self.clocks is not None or self.moves_to_go is not None
        ):
            name = "moves_to_go" if self.clocks is None else "clock"
            raise InvalidValueError(f"{name}: expected in `limits` or by itself, not both", name)

    def words(self, side: str) -> str:
        """The `go` command, when that side is to move."""
        words = ["go"]
        limits = self.limits
        for name, value in (("depth", limits.depth), ("nodes", limits.nodes)):
            if value is not None:
                words.append(f"{name} {value}")
        if limits.time is not None:
            words.append(f"movetime {max(1, _milliseconds(limits.time))}")
        clocks, to_go = self.clocks or {}, self.moves_to_go
        if limits.clock is not None:
            clocks = {side: limits.clock.remaining, f"{side}+": limits.clock.increment}
            to_go = limits.clock.moves_to_go or None
        for key, seconds in clocks.items():
            words.append(f"{_CLOCK_WORDS[key]} {_milliseconds(seconds)}")
        if to_go is not None:
            words.append(f"movestogo {to_go}")
        words += [name for name in ("infinite", "ponder") if getattr(self, name)]
        if self.moves:
            words.append(f"searchmoves {self.moves}")
        return " ".join(words)

    def check_in(self, position: Position) -> None:
        """Raises InvalidValueError where the options make no sense for a search there.

        >>> SearchOptions(clocks={"N": 60.0}).check_in(Position("abapa"))
        Traceback (most recent call last):
        wari.errors.InvalidValueError: clock: expected the seconds of S, who is to move
        """
        legal = position.legal_moves()
        for move in self.moves:
            if move not in legal:
                raise InvalidValueError(f"moves: {shown(move)} is not legal here", "moves")
        if self.infinite or self.limits != Limits():
            return
        if (self.clocks is not None or self.moves_to_go is not None) and (
            position.side not in (self.clocks or {})
        ):
            name = "moves_to_go" if self.clocks is None else "clock"
            side = position.side
            raise InvalidValueError(f"{name}: expected the seconds of {side}, who is to move", name)

    def expected(self, side: str) -> float | None:
        """The seconds in which the engine must have answered; None where no time limits it.

        >>> SearchOptions(Limits(depth=30, time=0.5), {"S": 60.0, "N": 0.2}).expected("N")
        0.2
        """
        if self.infinite or self.ponder:
            return None
        times = [] if self.limits.time is None else [self.limits.time]
        if self.limits.clock is not None:
            times.append(self.limits.clock.remaining)
        if self.clocks is not None and side in self.clocks:
            times.append(self.clocks[side])
        return min(times, default=None)


def search_options(
    limits: Limits | None,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    clock: Clock | Mapping[str, float] | None,
    moves_to_go: int | None = None,
    infinite: bool = False,
    ponder: bool = False,
    moves: str = "",
) -> SearchOptions:
    """From what a client's search takes by name; a `clock` is one, or those of both sides."""
    own, both = (clock, None) if isinstance(clock, Clock) else (None, clock)
    chosen = limits_of(limits, depth=depth, nodes=nodes, time=time, clock=own)
    return SearchOptions(chosen, both, moves_to_go, infinite, ponder, moves)


_CLOCK_WORDS = {"S": "wtime", "N": "btime", "S+": "winc", "N+": "binc"}
_LONGEST = 1e9  # seconds; a greater number may be more than an engine can read


def _checked_clocks(clock: object) -> dict[str, float]:
    """The clock; what is left may be nothing, as in a match where it has just run down."""
    if not isinstance(clock, Mapping):
        raise InvalidValueError(
            f"clock: expected seconds by S, N, S+ and N+, not {shown(clock)}", "clock"
        )
    for key in clock:
        if key not in _CLOCK_WORDS:
            raise InvalidValueError(f"clock: expected S, N, S+ or N+, not {shown(key)}", "clock")
    return {key: checked_seconds(f"clock {key}", left, zero=True) for key, left in clock.items()}


def _check_value(option: Option, text: str) -> None:
    """Refuses what an engine would; a combo may know more than it lists."""
    if option.type == "check" and text not in ("true", "false"):
        raise InvalidValueError(f"{option.name}: expected true or false, not {text!r}", option.name)
    if option.type == "spin":
        number = whole(text)
        small = number is not None and option.min is not None and number < option.min
        large = number is not None and option.max is not None and number > option.max
        if number is None or small or large:
            why = ", which is too large" if large else ", which is too small" if small else ""
            raise InvalidValueError(
                f"{option.name}: expected {_range(option)}, not {shown(text)}{why}", option.name
            )


def _range(option: Option) -> str:
    """The numbers that a spin may be; an engine may leave out either bound."""
    if option.min is None:
        return "a whole number" if option.max is None else f"a whole number up to {option.max}"
    if option.max is None:
        return f"a whole number from {option.min} on"
    return f"a whole number from {option.min} to {option.max}"


def _milliseconds(seconds: float) -> int:
    return round(min(seconds, _LONGEST) * 1000)


def _replies(position: Position | Game, move: str) -> tuple[str, ...]:
    """The moves that are legal after one."""
    if isinstance(position, Game):
        game = position.copy()
        game.push(move)
        return game.legal_moves()
    return position.play(move).legal_moves()


_MAX_OPTIONS = 1000
_MAX_LINES = 100
_MAX_BUFFERED = 1000  # lines of a search that are kept while something else is waited for


class StateMachine:
    """What the engine has reported so far, and the steps of every command."""

    def __init__(self) -> None:
        self.name = ""
        self.author = ""
        self.options: dict[str, Option] = {}
        self.searching = False
        self._buffered: deque[str] = deque(maxlen=_MAX_BUFFERED)
        self._rules: Rules | None = Rules.preset("abapa")

    def handshake(self, seconds: float) -> Steps[None]:
        """`uci` to `uciok`."""
        yield Deadline(seconds, "uciok")
        yield Send("uci")
        while True:
            line = yield Receive()
            words = line.split(maxsplit=2)
            if words[:1] == ["uciok"]:
                self._note_rules()
                return
            if words[:2] == ["id", "name"]:
                self.name = words[2] if len(words) > 2 else ""
            elif words[:2] == ["id", "author"]:
                self.author = words[2] if len(words) > 2 else ""
            elif words[:1] == ["option"]:
                option = parse_option(line)
                if option is not None and len(self.options) < _MAX_OPTIONS:
                    self.options[option.name] = option

    def _note_rules(self) -> None:
        """The rules that the engine plays before it gets others, if they have a known name."""
        for option in self.options.values():
            if option.name.lower() == "rules" and option.default:
                self._rules = None
                with contextlib.suppress(InvalidValueError):
                    self._rules = Rules.parse(option.default)

    def check_rules(self, rules: Rules) -> None:
        """Raises EngineError where the engine does not know the rules, as far as it says so."""
        if rules != self._rules:
            rules_option(rules, self.options)

    def ready(self, seconds: float) -> Steps[None]:
        """`isready` to `readyok`; what a search says meanwhile is kept for it."""
        yield Deadline(seconds, "readyok")
        yield Send("isready")
        while (line := (yield Receive())).strip() != "readyok":
            if self.searching:
                self._buffered.append(line)

    def new_game(self, seconds: float) -> Steps[None]:
        """Makes the engine forget, and waits until it has."""
        yield Send("ucinewgame")
        yield from self.ready(seconds)

    def set_option(self, name: str, value: object, seconds: float) -> Steps[None]:
        """Sets an option that the engine has declared; the case of its name does not matter."""
        known = {option.lower(): option for option in self.options}
        if not isinstance(name, str):
            raise InvalidValueError(f"option: expected a name, not {shown(name)}", "option")
        if name.lower() not in known:
            names = ", ".join(self.options) or "none"
            raise InvalidValueError(f"option: expected one of {names}, not {name!r}", "option")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        is_text = text.isascii() or text == text.encode("utf-8", "replace").decode()
        if not is_text or len(text.splitlines()) > 1 or text != text.rstrip("\r\n"):
            raise InvalidValueError(f"{name}: expected one line of text, not {shown(text)}", name)
        option = self.options[known[name.lower()]]
        _check_value(option, text)
        value = "" if option.type == "button" else f" value {text}"
        yield Send(f"setoption name {option.name}{value}")
        if name.lower() in ("rules", *AXES):
            self._rules = None
        yield from self.ready(seconds)

    def search(
        self,
        position: Position | Game,
        options: SearchOptions,
        seconds: float,
        patience: float | None,
    ) -> Steps[Answer]:
        """A search. The engine has `patience` seconds, or else its own limit and `seconds` more.

        Raises InvalidValueError and EngineError at once, before any step is taken.
        """
        if not isinstance(position, (Position, Game)):
            raise InvalidValueError(
                f"position: expected a Position or a Game, not {shown(position)}", "position"
            )
        now = position.position if isinstance(position, Game) else position
        if patience is not None:
            patience = checked_seconds("timeout", patience)
        options.check_in(now)
        own = options.expected(now.side)
        if patience is None and own is not None:
            patience = own + seconds
        command = None
        if position.rules != self._rules:
            command = rules_option(position.rules, self.options)
        return self._search(position, options.words(now.side), command, patience)

    def _search(
        self, position: Position | Game, go: str, rules: str | None, patience: float | None
    ) -> Steps[Answer]:
        """The steps of a search."""
        if rules is not None:
            yield Send(rules)
        self._rules = position.rules
        yield Send(position_line(position))
        yield Deadline(patience, "bestmove")
        self._buffered.clear()
        self.searching = True
        yield Send(go)
        lines: dict[int, Info] = {}
        while True:
            line = self._buffered.popleft() if self._buffered else (yield Receive())
            words = line.split(maxsplit=1)
            if words[:1] == ["info"]:
                info = parse_info(line)
                scored = info.cp is not None or info.mate is not None
                if scored and (info.multipv in lines or len(lines) < _MAX_LINES):
                    lines[info.multipv] = info
                yield info
            elif words[:1] == ["bestmove"]:
                self.searching = False
                break
        return self._answer(line, position, tuple(lines[number] for number in sorted(lines)))

    def _answer(self, line: str, position: Position | Game, lines: tuple[Info, ...]) -> Answer:
        legal = position.legal_moves()
        parsed = parse_best_move(line)
        if (
            parsed is None
            or (parsed[0] is None) != (not legal)
            or (legal and parsed[0] not in legal)
        ):
            now = position.position if isinstance(position, Game) else position
            raise EngineError(f"the engine answered {shown(line.strip())} in {now}")
        move, reply = parsed
        if move is None or reply not in _replies(position, move):
            reply = None
        return Answer(move, reply, lines)

    def halt(self, seconds: float) -> Steps[None]:
        """Ends a search whose answer nobody wants."""
        if not self.searching:
            return
        yield Deadline(seconds, "bestmove")
        yield Send("stop")
        line = ""
        while not line.startswith("bestmove"):
            line = self._buffered.popleft() if self._buffered else (yield Receive())
        self.searching = False
        self._buffered.clear()
        yield from self.ready(seconds)  # so that nothing of the old search is taken for a new one's
