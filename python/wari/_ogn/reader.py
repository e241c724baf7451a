"""From the words of an OGN file to records, every move checked by the rules."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TextIO

from wari import _core
from wari._check import shown
from wari._ogn.tokens import RESULT, Scanner, Token
from wari._ogn.types import (
    UNFINISHED,
    UNKNOWN,
    GameTextKind,
    Line,
    Move,
    Note,
    OgnError,
    end_by_players,
    missing_tags,
    result_token,
    rules_of_variant,
)
from wari._reading import DEEPEST_VARIATION, LONGEST_OGN_LINE
from wari.errors import InvalidValueError
from wari.position import PASS, REFUSALS, Position
from wari.rules import Rules


def records(
    lines: Iterable[str],
    kind: type[GameTextKind],
    rules: Rules | None = None,
    errors: list[OgnError] | None = None,
) -> Iterator[GameTextKind]:
    """The games of a text given line by line, one at a time, as records of a kind.

    A fault is raised, or added to `errors`; then the game it is in is left out and reading goes on
    at the next line that begins with a tag.
    """
    scanner = Scanner()
    game = _Reading(kind, rules)
    for token in scanner.tokens(lines):
        begun = [token]
        try:
            if game.ends_before(token):
                begun = game.begun_before(token)
                finished, game = game, _Reading(kind, rules)
                scanner.begin(token)
                yield finished.finish()
            for one in begun:
                game.take(one)
        except OgnError as error:
            if errors is None:
                raise
            errors.append(error)
            game = _Reading(kind, rules)
            if token.kind == "tag":
                scanner.begin(token)
                for one in begun:
                    game.take(one)
            else:
                scanner.skip()
    try:
        if not game.is_empty:
            yield game.finish()
    except OgnError as error:
        if errors is None:
            raise
        errors.append(error)


def first_of(text: str, kind: type[GameTextKind], rules: Rules | None = None) -> GameTextKind:
    """The first game of a text. Raises OgnError, also where there is none."""
    record = next(records(bounded(opened(text)), kind, rules), None)
    if record is None:
        raise OgnError("there is no game here", 1, 1)
    return record


def opened(text: str) -> TextIO:
    """A text as a file. Raises InvalidValueError for what is no text."""
    if not isinstance(text, str):
        raise InvalidValueError(f"text: expected text, not {shown(text)}", "text")
    return io.StringIO(text, newline=None)


def bounded(file: TextIO) -> Iterator[str]:
    """The lines of a file; what is longer than any line of OGN is cut."""
    return iter(lambda: file.readline(LONGEST_OGN_LINE + 1), "")


@dataclass(slots=True)
class _Frame:
    """A line being read."""

    line: Line
    opened: Token | None = None
    replaced: str = ""
    """The move that a variation stands for, taken back; none where the line around it is lost."""
    base: int = 0
    """The plies of the game before the line."""
    lost: bool = False
    """Whether the rules have refused a move of it, so that nobody knows the position."""
    marks: list[str] = field(default_factory=list)
    """Those of the last move."""

    def seal(self) -> None:
        """The last move has all its marks."""
        if self.marks:
            self.line.moves[-1].marks = tuple(self.marks)
            self.marks = []


class _Reading(Generic[GameTextKind]):
    """One game while it is read. Variations are played on it and taken back."""

    def __init__(self, kind: type[GameTextKind], rules: Rules | None) -> None:
        self._fallback = rules
        self._record = kind()
        self._places: dict[str, Token] = {}
        self._apart: list[Token] = []  # tags and comments behind a blank line: whose, is not clear
        self._frames: list[_Frame] = []
        self._game = _core.Game.begin(Position()._core)
        self._done = False
        self._last: Token | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing of a game has been seen."""
        return not (self._places or self._frames or self._record.line.before)

    def ends_before(self, token: Token) -> bool:
        """Whether a word belongs to the next game."""
        depth = len(self._frames)
        if token.kind == "tag" or (token.kind == "fault" and token.name == "tag"):
            if depth > 1:
                self._unclosed()
            return depth == 1 or (token.kind == "tag" and self._is_given_again(token))
        if depth != 1:
            return False
        again = token.apart and token.text in ("1", "1.") and bool(self._frames[0].line.moves)
        return again or (self._done and token.kind not in ("comment", "open", "result"))

    def _is_given_again(self, token: Token) -> bool:
        """Whether tags behind a blank line repeat one from before it: they are of another game."""
        if token.apart:
            self._take_what_is_apart()
        return token.name in self._places and (token.apart or bool(self._apart))

    def begun_before(self, token: Token) -> list[Token]:
        """The words of the game that the token shows to have begun, the token last."""
        begun, self._apart = self._apart, []
        return [*begun, token]

    def _take_what_is_apart(self) -> None:
        held, self._apart = self._apart, []
        for token in held:
            self._put(token)

    def take(self, token: Token) -> None:
        """Adds a word. Raises OgnError where the game cannot be read on."""
        if token.kind == "fault":
            raise OgnError(token.text, token.line, token.column)
        if token.kind in ("tag", "comment"):
            if self._apart or (token.apart and self._places and not self._frames):
                self._apart.append(token)
            else:
                self._put(token)
            return
        if not self._frames:
            self._begin()
        self._last = token
        if token.kind == "move":
            self._move(token)
        elif token.kind == "mark":
            self._mark(token)
        elif token.kind == "open":
            self._open(token)
        elif token.kind == "close":
            self._close(token)
        elif token.kind == "result":
            self._result(token)

    def _put(self, token: Token) -> None:
        self._last = token
        if token.kind == "tag":
            self._tag(token)
        else:
            self._comment(token)

    def finish(self) -> GameTextKind:
        """The record. Raises OgnError where a variation is open, or the tags are wrong."""
        if not self._frames:
            self._begin()
        if len(self._frames) > 1:
            self._unclosed()
        self._frames[0].seal()
        record, game = self._record, self._game
        said = record.tags.get("Result", UNKNOWN)
        end_by_players(game, record.tags.get("Termination", ""), record.line.result or said)
        self._judge_result(result_token(game), said)
        if record.line.result is None:
            record.line.result = said if RESULT.fullmatch(said) else UNFINISHED
        record.tags |= missing_tags(record)
        return record

    def _note(self, token: Token | None, text: str) -> None:
        line, column = (token.line, token.column) if token is not None else (1, 1)
        self._record.notes.append(Note(line, column, text))

    def _tag(self, token: Token) -> None:
        if token.name in self._places:
            self._note(token, f"the tag {token.name} was there before; the first one counts")
            return
        self._places[token.name] = token
        self._record.tags[token.name] = token.text

    def _begin(self) -> None:
        """The tags are complete: finds the rules and the start."""
        self._take_what_is_apart()
        record = self._record
        record.rules = self._rules()
        fen = record.tags.get("FEN")
        try:
            record.start = (
                Position(record.rules) if fen is None else Position.parse(fen.strip(), record.rules)
            )
        except InvalidValueError as error:
            raise self._bad_tag("FEN", str(error)) from error
        self._game = _core.Game.begin(record.start._core)
        self._frames.append(_Frame(record.line))

    def _rules(self) -> Rules:
        tags = self._record.tags
        if "Rules" in tags:
            try:
                return Rules.parse(tags["Rules"])
            except InvalidValueError as error:
                raise self._bad_tag("Rules", str(error)) from error
        variant = tags.get("Variant", UNKNOWN)
        if variant in (UNKNOWN, ""):
            return self._fallback or Rules.preset("abapa")
        found = rules_of_variant(variant) or self._fallback
        if found is None:
            raise self._bad_tag("Variant", f"unknown rule set {variant!r}")
        return found

    def _bad_tag(self, name: str, message: str) -> OgnError:
        place = self._places[name]
        return OgnError(f"tag {name}: {message}", place.line, place.column)

    def _comment(self, token: Token) -> None:
        line = self._frames[-1].line if self._frames else self._record.line
        if line.moves:
            line.moves[-1].after.append(token.text)
        else:
            line.before.append(token.text)

    def _move(self, token: Token) -> None:
        frame = self._frames[-1]
        if frame.line.result is not None:
            raise OgnError("a move after the result", token.line, token.column)
        frame.seal()
        captured = token.seeds or 0
        if not frame.lost:
            self._pass_if_it_is_missing(frame, token.text)
            refusal = self._game.refusal(token.text)
            if refusal is None:
                captured = self._game.push(token.text)
                self._judge_count(token, captured)
            else:
                self._refused(frame, token, REFUSALS[refusal])
        frame.line.moves.append(Move(token.text, captured))
        frame.marks = [token.name] if token.name else []

    def _pass_if_it_is_missing(self, frame: _Frame, letter: str) -> None:
        if letter != PASS and self._game.legal_moves() == (PASS,):
            self._game.push(PASS)
            frame.line.moves.append(Move(PASS))

    def _refused(self, frame: _Frame, token: Token, why: str) -> None:
        message = f"{token.text} is not legal here: {why}"
        if len(self._frames) == 1:
            raise OgnError(message, token.line, token.column)
        self._note(token, f"in a variation {message}")
        frame.lost = True

    def _judge_count(self, token: Token, captured: int) -> None:
        if token.seeds is None and captured:
            self._note(token, f"{token.text} captures {captured}, and the count is missing")
        elif token.seeds is not None and token.seeds != captured:
            self._note(token, f"{token.text} captures {captured}, not {token.seeds}")

    def _mark(self, token: Token) -> None:
        frame = self._frames[-1]
        if frame.line.moves:
            frame.marks.append(token.text)
        else:
            self._note(token, f"{token.text!r} stands before the first move and is left out")

    def _open(self, token: Token) -> None:
        """A variation: it replaces the last move of the line it stands in."""
        frame = self._frames[-1]
        if not frame.line.moves:
            raise OgnError("a variation before the first move", token.line, token.column)
        if len(self._frames) > DEEPEST_VARIATION:
            what = f"more than {DEEPEST_VARIATION} variations inside each other"
            raise OgnError(what, token.line, token.column)
        variation = Line()
        frame.line.moves[-1].after.append(variation)
        inner = _Frame(variation, token, lost=frame.lost)
        if not frame.lost:
            inner.replaced, inner.base = self._game.pop(), self._game.size()
        self._frames.append(inner)

    def _close(self, token: Token) -> None:
        if len(self._frames) == 1:
            raise OgnError("a closing parenthesis without an opening one", token.line, token.column)
        frame = self._frames.pop()
        frame.seal()
        if frame.replaced:
            while self._game.size() > frame.base:
                self._game.pop()
            self._game.push(frame.replaced)

    def _result(self, token: Token) -> None:
        line = self._frames[-1].line
        if line.result is not None:
            self._note(token, f"a second result, {token.text}; the first one counts")
            return
        line.result = token.text
        self._done = self._done or len(self._frames) == 1

    def _judge_result(self, true: str, tag: str) -> None:
        written = self._record.line.result
        if written is None:
            self._note(self._last, "the result at the end is missing")
        elif tag not in (written, UNKNOWN):
            place = self._places["Result"]
            self._note(place, f"the tag Result says {tag}, the moves end with {written}")
        said = written or tag
        if said in (UNKNOWN, true):
            return
        if true == UNFINISHED:
            self._note(self._last, f"the result is given as {said}, and the game is not over")
        else:
            self._note(self._last, f"the result by the rules is {true}, not {said}")

    def _unclosed(self) -> None:
        opened = self._frames[-1].opened
        assert opened is not None
        raise OgnError("this variation is never closed", opened.line, opened.column)
