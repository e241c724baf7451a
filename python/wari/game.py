"""A game: a start, the moves since, the end; and its record as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from wari import _core
from wari._check import as_moves, as_text, shown
from wari._files import write_atomically
from wari._literals import EndingReason, RefusalReason
from wari._ogn.reader import first_of
from wari._ogn.types import GameText
from wari._ogn.writer import text_of
from wari._record import (
    BY_PLAYERS,
    FORMAT,
    VERSION,
    called_ending,
    check_result,
    moves_of,
    parse_json,
    read_record,
    result_of,
)
from wari.errors import InvalidValueError, WrongRulesError
from wari.position import Position, Result, result_from, wrap_position
from wari.rules import Rules, rules_of


class Game:
    """A game from its start to its end: moves, undo, repetition, agreement, resignation, time.

    `start` is a Position or its text; without it the game begins where the rules say. The rules are
    those of a Position given as `start`, else `rules`, else the default `wari`.

    >>> import wari
    >>> game = wari.Game(rules="abapa")
    >>> game.push("F")
    0
    >>> game.push_all("f E d")
    >>> game.moves, game.position.side
    (('F', 'f', 'E', 'd'), 'S')
    >>> game.pop()
    'd'

    Raises InvalidValueError (a ValueError) for unknown rules or a text that is no position, and
    WrongRulesError when `start` is a Position under other rules than `rules`.
    Source: "The end" and `repetition` in docs/rules.md.
    """

    __slots__ = ("_core", "_rules")
    __hash__ = None  # type: ignore[assignment]
    _core: _core.Game
    _rules: Rules

    def __init__(
        self, rules: Rules | str | None = None, start: Position | str | None = None
    ) -> None:
        if isinstance(start, Position):
            if rules is not None and rules_of(rules) != start.rules:
                raise WrongRulesError(f"rules: the start is under {start.rules}, not {rules}")
        else:
            chosen = rules_of("wari" if rules is None else rules)
            start = Position(chosen) if start is None else Position.parse(start, chosen)
        self._rules = start.rules
        self._core = _core.Game.begin(start._core)

    @classmethod
    def replay(
        cls,
        moves: str | Sequence[str],
        rules: Rules | str | None = None,
        start: Position | str | None = None,
        ending: str | None = None,
        loser: str | None = None,
    ) -> Game:
        """A game from its moves, as `push_all` takes them; `ending` is that by the players.

        >>> Game.replay("FfEd", rules="abapa", ending="resignation", loser="N").result.winner
        'S'

        Raises IllegalMoveError for a move that is refused, InvalidValueError for an argument that
        cannot be, and WrongRulesError as `Game` does.
        """
        game = cls(rules, start)
        game.push_all(moves)
        if ending is not None:
            game._call(ending, loser)
        return game

    def _call(self, ending: str, loser: str | None) -> None:
        """Ends the game as the players did. Raises InvalidValueError for any other ending."""
        ending = as_text(ending, "ending")
        if ending == "agreement":
            self.agree()
        elif ending == "resignation":
            self.resign(loser)
        elif ending == "time":
            self.lose_on_time(loser)
        else:
            known = ", ".join(BY_PLAYERS)
            raise InvalidValueError(
                f"ending: expected one of {known}, not {shown(ending)}", "ending"
            )

    # --- what is so now -------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules in force.

        >>> Game(start=Position("ouri")).rules.name
        'ouri'
        """
        return self._rules

    @property
    def start(self) -> Position:
        """The position before the first move.

        >>> Game.replay("FfEd").start == Position()
        True
        """
        return wrap_position(self._core.at(0), self._rules)

    @property
    def position(self) -> Position:
        """The position now."""
        return wrap_position(self._core.position(), self._rules)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played, in order; "-" is a pass."""
        return tuple(self._core.moves())

    @property
    def quiet_plies(self) -> int:
        """The moves since the last capture: as far back as a repetition can look.

        >>> Game.replay("FfEd").quiet_plies
        4
        """
        return self._core.quiet_plies()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, for any reason.

        >>> game = Game()
        >>> game.resign()
        >>> game.is_over, game.position.is_over
        (True, False)
        """
        return self._core.ending() is not None

    @property
    def ending(self) -> EndingReason | None:
        """The code of the reason for the end, or None; `wari.ENDINGS` has the words.

        >>> import wari
        >>> game = Game.replay("AaBbCcDdEeFf", "abapa", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
        >>> game.ending, wari.ENDINGS[game.ending]
        ('repetition', 'a position has come up for the second time')
        """
        return cast("EndingReason | None", self._core.ending())

    @property
    def result(self) -> Result | None:
        """The result, or None while the game goes on.

        >>> game = Game.replay("AaBbCcDdEeFf", "abapa", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
        >>> game.result
        wari.Result(south=24, north=24, winner=None, ending='repetition')
        """
        return result_from(self._core.outcome())

    def positions(self) -> Iterator[Position]:
        """Every position from the start to now, one more than there are moves.

        >>> [position.side for position in Game.replay("Ff").positions()]
        ['S', 'N', 'S']
        """
        for ply in range(len(self) + 1):
            yield wrap_position(self._core.at(ply), self._rules)

    def settled(self) -> Position:
        """The position after the final sharing, as `Position.settled`.

        >>> game = Game.replay("FfEd")
        >>> game.agree()
        >>> str(game.settled())
        '0-0-0-0-0-0-0-0-0-0-0-0-24-24-S'

        Raises InvalidValueError while the game goes on.
        """
        if not self.is_over:
            raise InvalidValueError(f"game: the game is not over after {len(self)} moves", "game")
        return wrap_position(self._core.settled(), self._rules)

    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves in letter order; ("-",) for a pass; none when the game is over.

        >>> Game.replay("F").legal_moves()
        ('a', 'b', 'c', 'd', 'e', 'f')
        """
        return self._core.legal_moves()

    def refusal(self, move: str) -> RefusalReason | None:
        """The code of the reason why a move may not be played now, or None when it is legal.

        >>> Game.replay("F").refusal("A")
        'not_your_pit'

        Raises InvalidValueError when `move` is no letter of a pit and no pass.
        """
        return cast("RefusalReason | None", self._core.refusal(as_text(move, "move")))

    # --- playing --------------------------------------------------------------------------------

    def push(self, move: str) -> int:
        """Plays a move and returns the seeds it captured.

        >>> game = Game(start="0-0-0-0-0-3-1-0-1-1-0-0-20-21-S")
        >>> game.push("F")
        2

        Raises IllegalMoveError with the reason (GameOverError after the end) and
        InvalidValueError when `move` is no letter of a pit and no pass; the game is unchanged then.
        """
        return self._core.push(as_text(move, "move"))

    def push_all(self, moves: str | Sequence[str]) -> None:
        """Plays moves such as `FfEd`, `F f E d` or `["F", "f"]`, or, when one is refused, none.

        A pass may be left out: it is put in where the side to move must pass.

        >>> game = Game(start="1-0-0-0-2-3-2-1-2-0-0-0-12-17-S")
        >>> game.push_all("FE")
        >>> game.moves
        ('F', '-', 'E')

        Raises IllegalMoveError or InvalidValueError naming the number of the move and the letter.
        """
        self._core.push_all(as_moves(moves))

    def pop(self) -> str:
        """Takes the last move back and returns it; an ending by the players goes with it.

        >>> game = Game.replay("FfEd")
        >>> game.resign()
        >>> game.pop(), game.is_over
        ('d', False)

        Raises NoHistoryError (an IndexError) when there is no move.
        """
        return self._core.pop()

    def agree(self) -> None:
        """The players agree to end the game: each takes the seeds of the own row.

        >>> game = Game()
        >>> game.agree()
        >>> print(game.result, game.ending)
        24-24 agreement

        Raises GameOverError when the game is over already.
        """
        self._core.agree()

    def resign(self, side: str | None = None) -> None:
        """A side, "S" or "N", gives up; without one, the side to move.

        The stores stay as they are, and the other side wins whatever they hold.

        >>> game = Game.replay("F")
        >>> game.resign()
        >>> game.result.winner, str(game.result)
        ('S', '0-0')

        Raises GameOverError when the game is over already, InvalidValueError for another side.
        """
        self._core.resign(self.position.side if side is None else as_text(side, "side"))

    def lose_on_time(self, side: str | None = None) -> None:
        """The time of a side, "S" or "N", is up; without one, of the side to move.

        Settled as a resignation.

        >>> game = Game()
        >>> game.lose_on_time("N")
        >>> game.result.winner, game.ending
        ('S', 'time')

        Raises GameOverError when the game is over already, InvalidValueError for another side.
        """
        self._core.lose_on_time(self.position.side if side is None else as_text(side, "side"))

    # --- records --------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The record: format, version, rules, start, moves, result (None while play goes on).

        >>> record = Game.replay("Ff", rules="abapa").to_dict()
        >>> record["start"], record["moves"], record["result"]
        ('4-4-4-4-4-4-4-4-4-4-4-4-0-0-S', 'Ff', None)
        """
        result = self.result
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": self._rules.to_dict(),
            "start": str(self.start),
            "moves": self._core.moves(),
            "result": None
            if result is None
            else {
                "south": result.south,
                "north": result.north,
                "winner": result.winner,
                "ending": result.ending,
            },
        }

    @classmethod
    def from_dict(cls, record: Any) -> Game:
        """The game of a record, played again from its start; other keys than ours are ignored.

        >>> Game.from_dict(Game.replay("Ff").to_dict() | {"moves": "FfE"}).moves
        ('F', 'f', 'E')

        Raises InvalidValueError naming the field that is wrong, and IllegalMoveError for a move
        that is refused. A result that the replay does not bear out is refused too.
        """
        rules, start, moves = moves_of(record)
        game = cls(rules, start)
        game.push_all(moves)
        stated = result_of(record)
        if stated is not None and not game.is_over:
            game._call(*called_ending(stated, len(game)))
        check_result(stated, game.result)
        return game

    def to_json(self) -> str:
        """The record as JSON text.

        >>> Game.from_json(Game.replay("FfEd").to_json()) == Game.replay("FfEd")
        True
        """
        return json.dumps(self.to_dict(), indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Game:
        """The game of a record as JSON text.

        >>> Game.from_json(Game.replay("Ff").to_json()).moves
        ('F', 'f')

        Raises InvalidValueError when the text is no JSON, else as `from_dict`.
        """
        return cls.from_dict(parse_json(text))

    def to_ogn(self, tags: Mapping[str, str] | None = None) -> str:
        """The game in oware game notation (see `wari.ogn` for comments and variations).

        `tags` are others than the game itself gives: Event, South, North, ...

        >>> print(Game.replay("FfEd", "abapa").to_ogn().splitlines()[-1])
        1. F f 2. E d *

        Raises InvalidValueError for a tag with an impossible name.
        """
        return text_of(GameText.of(self._core, self._rules, self.start, tags))

    @classmethod
    def from_ogn(cls, text: str) -> Game:
        """The first game of a text in oware game notation, without comments and variations.

        >>> Game.from_ogn('[Variant "Wari"] 1. F f { solid } 2. E *').moves
        ('F', 'f', 'E')

        Raises OgnError (an InvalidValueError) naming line and column, also where there is no game.
        """
        found = first_of(text, GameText)
        game = cls(found.rules, found.start)
        found.play_on(game._core)
        return game

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the record to a file: the whole of it, or, on failure, nothing at all.

        >>> import tempfile
        >>> game = Game.replay("FfEd")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     game.save(f"{folder}/game.json")
        ...     Game.load(f"{folder}/game.json") == game
        True

        Raises StorageError (an OSError), InvalidValueError for what can be no name of a file; a
        file that was there before is unchanged then.
        """
        write_atomically(path, self.to_json().encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """The game of a record in a file.

        >>> Game.load("nowhere.json")
        Traceback (most recent call last):
        wari.errors.StorageError: [Errno 2] No such file or directory: 'nowhere.json'

        Raises StorageError (an OSError) when the file cannot be read, InvalidValueError when it
        holds no record of a game or more than 16 MiB, and IllegalMoveError for a move that is
        refused.
        """
        return cls.from_dict(read_record(path))

    # --- as a Python object ---------------------------------------------------------------------

    def copy(self) -> Game:
        """A game of its own with the same moves and end.

        >>> game = Game.replay("Ff")
        >>> twin = game.copy()
        >>> twin.push_all("Ed")
        >>> len(game), len(twin)
        (2, 4)
        """
        twin = type(self).__new__(type(self))
        twin._core = self._core.copy()
        twin._rules = self._rules
        return twin

    def _state(self) -> tuple[str, str, str, str | None, str | None]:
        """The arguments of `replay` that make this game again."""
        ending = self.ending if self.ending in BY_PLAYERS else None
        result = self.result
        loser = None
        if ending in ("resignation", "time") and result is not None:
            loser = "N" if result.winner == "S" else "S"
        return (self._core.moves(), str(self._rules), str(self.start), ending, loser)

    def __len__(self) -> int:
        """The moves played, passes included."""
        return self._core.size()

    def __bool__(self) -> bool:
        """True: a game without moves is a game too."""
        return True

    def __eq__(self, other: object) -> bool:
        return self._core.equals(other._core) if isinstance(other, Game) else NotImplemented

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).replay, self._state())

    def __repr__(self) -> str:
        moves, rules, start, ending, loser = self._state()
        text = f"wari.Game.replay({moves!r}, rules={rules!r}"
        if start != str(Position(self._rules)):
            text += f", start={start!r}"
        if ending is not None:
            text += f", ending={ending!r}"
        if loser is not None:
            text += f", loser={loser!r}"
        return text + ")"
