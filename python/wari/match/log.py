"""The file of a match: its games in OGN, in the order in which they ended.

A game is written in one piece at the end of the file. What a crash leaves is a beginning of it, the
last thing in the file; it is taken out and the game played again. Anything else that is not as it
was written is refused: no game is counted that may have been another one.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from wari import ogn
from wari._check import shown
from wari._files import append, cut
from wari.errors import InvalidValueError
from wari.game import Game
from wari.match.played import Overruns, Played
from wari.rules import Rules

_LONGEST_GAME = 4_000_000
"""Bytes; more than the longest opening and game take."""

_BEGINS = b'[Variant "'
_CHECK = re.compile(rb'^\[Check "([0-9a-f]{16})"\]\n', re.MULTILINE)
_MATCH = re.compile(rb'^\[Match "([^"]*)"\]\n', re.MULTILINE)
_RESULT = re.compile(rb"[0-9]{1,3}-[0-9]{1,3}")
_OVERRUNS = re.compile(r"([0-9]{1,9}), at most ([0-9]{1,9}\.[0-9]{3}) s")


@dataclass(frozen=True)
class Settings:
    """What the games of a match have in common."""

    first: str
    second: str
    rules: Rules
    pace: str
    openings: Sequence[str]
    games: int
    fingerprint: str
    """Of the rules, the pace and both engines with their options."""

    @property
    def event(self) -> str:
        """The Event tag."""
        return f"{self.first} against {self.second}"

    def tags(self, number: int) -> dict[str, str]:
        """The tags of a game that are known before it is played."""
        south, north = (self.first, self.second)[:: 1 if number % 2 == 0 else -1]
        return {
            "Event": self.event,
            "Round": str(number + 1),
            "South": south,
            "North": north,
            "Match": self.fingerprint,
            "Opening": self.openings[number // 2],
            "Pace": self.pace,
        }


def text_of(settings: Settings, played: Played, game: Game) -> str:
    """A game as it stands in the file."""
    tags = settings.tags(played.number)
    tags |= {"Date": datetime.date.today().strftime("%Y.%m.%d"), "Plies": str(len(game))}
    if played.fault is not None:
        tags["Fault"] = played.fault
    sides = ("South", "North")[:: 1 if played.first_is_south else -1]
    for side, over in zip(sides, played.overruns, strict=True):
        if over.moves:
            tags[f"{side}Overruns"] = f"{over.moves}, at most {over.longest:.3f} s"
    return game.to_ogn(tags | {"Check": _sum(game.to_ogn(tags).encode())})


def append_game(path: Path, text: str) -> None:
    """Adds a game to the file, and makes sure that it is there. Raises OSError."""
    append(path, text.encode(), between=b"\n")


def games_of(path: Path, settings: Settings) -> dict[int, Played]:
    """The games in the file; one that was cut off in writing is taken out of it.

    Raises InvalidValueError where the file is of another match or a game is not as it was written,
    and leaves it as it is; OSError.
    """
    found: dict[int, Played] = {}
    whole = 0  # bytes up to the end of the last game that is whole
    for place in _places(path):
        if place.is_last and _is_cut_off(place, settings):
            break
        played = _Reading(place, settings).played()
        if played.number in found:
            place.damaged(f"Round {played.number + 1} was there before")
        found[played.number] = played
        whole = place.end
    cut(path, whole)
    return found


@dataclass(frozen=True)
class _Place:
    """What stands between the beginning of a game and that of the next."""

    path: Path
    number: int
    """Of the game in the file, from 1."""
    line: int
    """Where it begins, from 1."""
    data: bytes
    end: int
    """Where its text ends, in bytes from the beginning of the file."""
    is_last: bool

    def damaged(self, what: str) -> NoReturn:
        """Raises InvalidValueError: this game is not as it was written."""
        raise InvalidValueError(
            f"file: {self.path}, line {self.line}: game {self.number} is damaged: {what}", "file"
        )

    def foreign(self, what: str) -> NoReturn:
        """Raises InvalidValueError: this game belongs to another match."""
        raise InvalidValueError(
            f"file: {self.path}, line {self.line}: game {self.number} is of another match: {what}",
            "file",
        )


def _places(path: Path) -> Iterator[_Place]:
    """The games of a file as they stand there; each is held in memory alone."""
    with path.open("rb") as file:
        lines: list[bytes] = []
        number = first = 1
        size = begin = at = 0
        blank = False
        while line := file.readline(_LONGEST_GAME):
            if lines and blank and _begins(line):
                yield _place(path, number, first, begin, lines, is_last=False)
                number, first, begin, size = number + 1, at + 1, begin + size, 0
                lines = []
            lines.append(line)
            size, at = size + len(line), at + 1
            blank = not line.strip()
            if size > _LONGEST_GAME:
                _place(path, number, first, begin, [], is_last=True).damaged(
                    f"it has more than {_LONGEST_GAME} bytes"
                )
        if lines:
            yield _place(path, number, first, begin, lines, is_last=True)


def _begins(line: bytes) -> bool:
    """Whether a game begins there, or does so as far as the file goes."""
    return line.startswith(_BEGINS) or (
        not line.endswith(b"\n") and _BEGINS.startswith(line.rstrip(b"\0"))
    )


def _place(
    path: Path, number: int, line: int, begin: int, lines: list[bytes], *, is_last: bool
) -> _Place:
    """The text without empty lines at its end, or the zeros that a crash may leave there."""
    data = b"".join(lines)
    text = data.rstrip(b"\r\n\0")
    newline = next((one for one in (b"\n", b"\r\n") if data.startswith(one, len(text))), b"")
    shown_as = (text + newline).replace(b"\r\n", b"\n")
    return _Place(path, number, line, shown_as, begin + len(text + newline), is_last)


def _is_cut_off(place: _Place, settings: Settings) -> bool:
    """Whether this is the beginning of a game of ours and nothing else."""
    data = place.data
    if data.endswith(b"\n"):  # only whole words can be there, and no result
        try:
            ogn.loads(data.decode())
        except (InvalidValueError, UnicodeDecodeError):
            return False
        if any(map(_RESULT.fullmatch, data.partition(b"\n\n")[2].split())):
            return False
    elif _is_as_written(data.rpartition(b"\n")[0].rstrip(b"\n") + b"\n"):
        return False  # something else stands behind a game that is whole
    match = _MATCH.search(data)
    if match is not None:
        return match[1] == settings.fingerprint.encode()
    head = _head(settings)
    if place.number > 1 or head.startswith(data) or data.startswith(head):
        return True
    raise InvalidValueError(f"file: {place.path} holds no game of this match", "file")


def _head(settings: Settings) -> bytes:
    """What the first game of a file begins with: the tags Variant and Event."""
    lines = Game(settings.rules).to_ogn({"Event": settings.event}).splitlines(keepends=True)
    return "".join(lines[:2]).encode()


class _Reading:
    """One game of the file, judged."""

    def __init__(self, place: _Place, settings: Settings) -> None:
        self._place = place
        self._settings = settings

    def played(self) -> Played:
        """The game. Raises InvalidValueError where it is not as it was written, or not ours."""
        place, settings = self._place, self._settings
        if not place.data.startswith(_BEGINS):
            if place.number == 1:
                raise InvalidValueError(f"file: {place.path} holds no game of this match", "file")
            place.damaged("it does not begin with the tag Variant")
        record = self._record()
        tags = record.tags
        if not _is_as_written(place.data):
            place.damaged(self._damage(record))
        if tags.get("Match") != settings.fingerprint:
            place.foreign(self._difference(tags))
        number = _number(tags)
        result = record.game().result
        if number is None or result is None:
            place.damaged("it has no Round" if number is None else "it is not over")
        if number >= settings.games:
            raise InvalidValueError(
                f"games: {place.path} has game {number + 1} already, ask for as many at least",
                "games",
            )
        if tags.get("Opening") != settings.openings[number // 2]:
            there, ours = tags.get("Opening", ""), settings.openings[number // 2]
            place.foreign(
                f"it begins with {shown(there)}, here game {number + 1} with {shown(ours)}"
            )
        sides = ("South", "North")[:: 1 if number % 2 == 0 else -1]
        first, second = (_overruns(tags.get(f"{side}Overruns")) for side in sides)
        return Played(
            number,
            number % 2 == 0,
            result.south,
            result.north,
            result.winner,
            tags.get("Fault"),
            (first, second),
        )

    def _record(self) -> ogn.Record:
        place = self._place
        try:
            records = ogn.loads(place.data.decode())
        except UnicodeDecodeError:
            place.damaged("it is no text")
        except ogn.OgnError as error:
            line = place.line + error.line - 1
            place.damaged(f"line {line}, column {error.column}: {error.reason}")
        if len(records) != 1:
            place.damaged(f"there are {len(records)} games, or words after the result")
        return records[0]

    def _damage(self, record: ogn.Record) -> str:
        """What is not as it was written, as far as that can be known."""
        tags = record.tags
        result = record.game().result
        expected = self._settings.tags(self._likely_number(tags))
        expected["Plies"] = str(len(record.line.moves))
        if result is not None:
            expected["Result"] = ogn.Record.from_game(record.game()).tags["Result"]
        for name, value in expected.items():
            if tags.get(name) != value:
                return f"{name} is {shown(tags.get(name, ''))}, not {shown(value)}"
        if "Check" not in tags:
            return "the tag Check is missing"
        return "its moves, or a tag that only the game determines, were changed"

    def _likely_number(self, tags: dict[str, str]) -> int:
        """Which game it was: as its Round says, unless opening and seats say together another."""
        settings = self._settings
        openings = list(settings.openings)
        by_round = _number(tags)
        if by_round is not None and by_round < 2 * len(openings):
            ours = settings.tags(by_round)
            seated = any(tags.get(side) == ours[side] for side in ("South", "North"))
            if seated and tags.get("Opening") == ours["Opening"]:
                return by_round
        if tags.get("Opening") in openings:
            is_odd = tags.get("South") == settings.second or tags.get("North") == settings.first
            return 2 * openings.index(tags["Opening"]) + int(is_odd)
        return min(by_round or 0, 2 * len(openings) - 1)

    def _difference(self, tags: dict[str, str]) -> str:
        """In what a game of another match differs from ours."""
        settings = self._settings
        ours = {"Event": settings.event, "Pace": settings.pace}
        for name, value in ours.items():
            if tags.get(name) != value:
                return f"{name} is {shown(tags.get(name, ''))}, here {shown(value)}"
        return "its rules, or the engines' commands or options, are others"


def _is_as_written(data: bytes) -> bool:
    """Whether the check sum of a game is that of all the rest of it."""
    found = _CHECK.findall(data)
    return len(found) == 1 and _sum(_CHECK.sub(b"", data)) == found[0].decode()


def _number(tags: dict[str, str]) -> int | None:
    """The number that the Round tag gives, from 0."""
    said = tags.get("Round", "")
    return int(said) - 1 if re.fullmatch(r"[1-9][0-9]{0,8}", said) else None


def _overruns(text: str | None) -> Overruns:
    found = _OVERRUNS.fullmatch(text or "")
    return Overruns() if found is None else Overruns(int(found[1]), float(found[2]))


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
