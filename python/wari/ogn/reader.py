"""From the words of an OGN file to records, every move checked by the rules.

Owns: where a game begins and ends, how variations nest, what is odd and what is a fault. Must not
know: what words look like (see tokens), or files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wari.errors import InvalidValueError
from wari.game import Game
from wari.ogn.tokens import MAX_NESTING, RESULT, Scanner, Token
from wari.ogn.types import (
    UNFINISHED,
    UNKNOWN,
    Line,
    Move,
    Note,
    OgnError,
    Record,
    end_by_players,
    missing_tags,
    result_token,
    rules_of_variant,
)
from wari.position import PASS, REFUSALS, Position
from wari.rules import Rules

MAX_GAME = 4_000_000
"""Characters in the words of one game."""


def records(
    lines: Iterable[str], rules: Rules | None = None, errors: list[OgnError] | None = None
) -> Iterator[Record]:
    """The games of a text given line by line, one at a time.

    A fault is raised, or added to `errors`; then the game it is in is left out and reading goes on
    at the next line that begins with a tag.
    """
    scanner = Scanner()
    game = _Reading(rules)
    for token in scanner.tokens(lines):
        try:
            if game.ends_before(token):
                finished, game = game, _Reading(rules)
                yield finished.finish()
            game.take(token)
        except OgnError as error:
            if errors is None:
                raise
            errors.append(error)
            game = _Reading(rules)
            if token.kind == "tag":
                game.take(token)
            else:
                scanner.skip()
    try:
        if not game.is_empty:
            yield game.finish()
    except OgnError as error:
        if errors is None:
            raise
        errors.append(error)


@dataclass(slots=True)
class _Frame:
    """A line being read, and the game along it; no game after a move that the rules refuse."""

    line: Line
    game: Game | None
    opened: Token | None


class _Reading:
    """One game while it is read."""

    def __init__(self, rules: Rules | None) -> None:
        self._fallback = rules
        self._record = Record()
        self._places: dict[str, Token] = {}
        self._frames: list[_Frame] = []
        self._done = False
        self._size = 0
        self._last: Token | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing of a game has been seen."""
        return not (self._places or self._frames or self._record.line.before)

    def ends_before(self, token: Token) -> bool:
        """Whether a word belongs to the next game."""
        if token.kind == "tag" or (token.kind == "fault" and token.name == "tag"):
            if len(self._frames) > 1:
                self._unclosed()
            return bool(self._frames)
        more = ("comment", "open", "result")
        return self._done and len(self._frames) == 1 and token.kind not in more

    def take(self, token: Token) -> None:
        """Adds a word. Raises OgnError where the game cannot be read on."""
        self._last = token
        if token.kind == "fault":
            raise OgnError(token.text, token.line, token.column)
        self._size += len(token.text) + 1
        if self._size > MAX_GAME:
            what = f"a game of more than {MAX_GAME} characters"
            raise OgnError(what, token.line, token.column)
        if token.kind == "tag":
            self._tag(token)
        elif token.kind == "comment":
            self._comment(token)
        else:
            if not self._frames:
                self._begin()
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

    def finish(self) -> Record:
        """The record. Raises OgnError where a variation is open, or the tags are wrong."""
        if not self._frames:
            self._begin()
        if len(self._frames) > 1:
            self._unclosed()
        record = self._record
        game = self._frames[0].game
        assert game is not None
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
        record = self._record
        record.rules = self._rules()
        fen = record.tags.get("FEN")
        try:
            record.start = (
                Position(record.rules) if fen is None else Position.parse(fen.strip(), record.rules)
            )
        except InvalidValueError as error:
            raise self._bad_tag("FEN", str(error)) from error
        self._frames.append(_Frame(record.line, Game(record.rules, record.start), None))

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
        marks = (token.name,) if token.name else ()
        captured = token.seeds or 0
        if frame.game is not None:
            self._pass_if_it_is_missing(frame, token.text)
            refusal = frame.game.refusal(token.text)
            if refusal is None:
                captured = frame.game.push(token.text)
                self._judge_count(token, captured)
            else:
                self._refused(frame, token, REFUSALS[refusal])
        frame.line.moves.append(Move(token.text, captured, marks))

    def _pass_if_it_is_missing(self, frame: _Frame, letter: str) -> None:
        game = frame.game
        if game is not None and letter != PASS and game.legal_moves() == (PASS,):
            game.push(PASS)
            frame.line.moves.append(Move(PASS))

    def _refused(self, frame: _Frame, token: Token, why: str) -> None:
        message = f"{token.text} is not legal here: {why}"
        if len(self._frames) == 1:
            raise OgnError(message, token.line, token.column)
        self._note(token, f"in a variation {message}")
        frame.game = None

    def _judge_count(self, token: Token, captured: int) -> None:
        if token.seeds is None and captured:
            self._note(token, f"{token.text} captures {captured}, and the count is missing")
        elif token.seeds is not None and token.seeds != captured:
            self._note(token, f"{token.text} captures {captured}, not {token.seeds}")

    def _mark(self, token: Token) -> None:
        moves = self._frames[-1].line.moves
        if moves:
            moves[-1].marks = (*moves[-1].marks, token.text)
        else:
            self._note(token, f"{token.text!r} stands before the first move and is left out")

    def _open(self, token: Token) -> None:
        """A variation: it replaces the last move of the line it stands in."""
        frame = self._frames[-1]
        if not frame.line.moves:
            raise OgnError("a variation before the first move", token.line, token.column)
        if len(self._frames) > MAX_NESTING:
            raise OgnError(
                f"more than {MAX_NESTING} variations inside each other", token.line, token.column
            )
        game = None
        if frame.game is not None:
            game = frame.game.copy()
            game.pop()
        variation = Line()
        frame.line.moves[-1].after.append(variation)
        self._frames.append(_Frame(variation, game, token))

    def _close(self, token: Token) -> None:
        if len(self._frames) == 1:
            raise OgnError("a closing parenthesis without an opening one", token.line, token.column)
        self._frames.pop()

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
