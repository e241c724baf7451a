"""A whole match: every opening from both sides, several games at once, kept in an OGN file.

Owns: which games are played, their file, going on after an interruption. Must not know: how a game
is played, or how results are shown.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wari import ogn
from wari._check import shown
from wari._repr import evaluable
from wari.errors import InvalidValueError, WariError
from wari.game import Game
from wari.match.players import CancelledDuel, Duel, Pace, Player
from wari.match.statistics import Sprt, Summary, summarise
from wari.rules import Rules


@evaluable("wari.match")
@dataclass(frozen=True)
class Played:
    """A game of a match that is over.

    >>> played = Played(number=1, first_is_south=False, south=20, north=28, winner="N")
    >>> played.points, played.margin
    (1.0, 8)
    """

    number: int
    """From 0; an even one and the next are a pair."""
    first_is_south: bool
    """Whether the first player sat in the south."""
    south: int
    """South's seeds."""
    north: int
    """North's seeds."""
    winner: str | None
    """"S", "N", or None for a draw."""
    fault: str | None = None
    """What an engine did that ended the game, in words."""

    @property
    def points(self) -> float:
        """The first player's points."""
        if self.winner is None:
            return 0.5
        return float((self.winner == "S") == self.first_is_south)

    @property
    def margin(self) -> int:
        """The first player's seeds less the second's."""
        return (self.south - self.north) * (1 if self.first_is_south else -1)


@evaluable("wari.match")
@dataclass
class Match:
    """A match between two engines from a list of openings.

    `games` are played in pairs, both sides of each opening; there are at most two for each opening,
    so that no game is played twice. With `path`, every game is added to that OGN file as it ends,
    and those already in it are not played again. With `sprt` the match ends when the test does.

    >>> import tempfile
    >>> from wari.match import random_openings
    >>> def match(path):
    ...     players = Player.parse("wari", "net"), Player.parse("wari Evaluation=material", "plain")
    ...     rules = Rules.preset("abapa")
    ...     lines = random_openings(rules, 1)
    ...     return Match(*players, Pace(nodes=50), rules, lines, games=2, path=path)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first, again = (match(Path(folder) / "games.ogn") for _ in range(2))
    ...     summary = first.run()
    ...     again.resume()
    >>> summary.games, again.summary == summary, again.fingerprint == first.fingerprint
    (2, True, True)
    >>> len(again.pair_scores()), again.verdict
    (1, None)

    Raises InvalidValueError naming the field that cannot be.
    """

    first: Player
    second: Player
    pace: Pace
    rules: Rules
    openings: Sequence[str]
    games: int
    path: Path | None = None
    concurrency: int = 1
    sprt: Sprt | None = None
    played: dict[int, Played] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path is not None:
            self.path = Path(self.path)
        most = 2 * len(self.openings)
        if not 1 <= self.games <= most:
            raise InvalidValueError(
                f"games: expected 1 to {most}, two for each opening, not {self.games}", "games"
            )
        if self.concurrency < 1:
            raise InvalidValueError(
                f"concurrency: expected 1 or more, not {self.concurrency}", "concurrency"
            )
        if self.first.name == self.second.name:
            raise InvalidValueError(f"name: both engines are {self.first.name!r}", "name")
        for player in self._players:
            _check_name(player.name)

    @property
    def fingerprint(self) -> str:
        """A short text that is another one for another match."""
        parts = [
            *(f"{p.name} {p.command} {sorted(p.options.items())}" for p in self._players),
            str(self.pace),
            str(self.rules),
            *self.openings,
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    @property
    def _players(self) -> tuple[Player, Player]:
        return self.first, self.second

    @property
    def summary(self) -> Summary:
        """The results so far."""
        played = [self.played[number] for number in sorted(self.played)]
        return summarise(
            [game.points for game in played], self.pair_scores(), [game.margin for game in played]
        )

    def pair_scores(self) -> list[float]:
        """The first player's score, 0 to 1, of every pair that is complete."""
        return [
            (self.played[number].points + self.played[number + 1].points) / 2
            for number in sorted(self.played)
            if number % 2 == 0 and number + 1 in self.played
        ]

    @property
    def verdict(self) -> str | None:
        """How the sequential test ended: elo0 or elo1, or None."""
        return None if self.sprt is None else self.sprt.verdict(self.pair_scores())

    def resume(self) -> None:
        """Counts the games in the file. A game that was cut off in writing is taken out of it.

        Raises InvalidValueError where the file holds another match, OSError.
        """
        if self.path is None or not self.path.exists():
            return
        if not self._begins_like_ours():
            raise InvalidValueError(f"file: {self.path} holds no game of this match", "file")
        whole: list[ogn.Record] = []
        errors: list[ogn.OgnError] = []
        cut_off = False
        for record in ogn.read(self.path, errors=errors):
            if cut_off or record.tags.get("Match", self.fingerprint) != self.fingerprint:
                raise InvalidValueError(f"file: {self.path} holds another match", "file")
            played = _played(record, self.first.name)
            if played is None:
                cut_off = True
            elif played.number not in self.played:
                self.played[played.number] = played
                whole.append(record)
        ogn.write(whole, self.path)

    def _head(self) -> str:
        """What the first game of the file begins with."""
        lines = Game(self.rules).to_ogn({"Event": self._event}).splitlines(keepends=True)
        return "".join(lines[:2])

    @property
    def _event(self) -> str:
        return f"{self.first.name} against {self.second.name}"

    def _begins_like_ours(self) -> bool:
        """Whether the file is ours, even one that was cut off in its first game."""
        assert self.path is not None
        head = self._head()
        with self.path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(len(head))
        return head.startswith(text)

    def run(self, tell: Callable[[Played], object] | None = None) -> Summary:
        """Plays what is left; `tell` hears of each game, from the calling thread.

        Raises EngineError where an engine cannot be started, OSError where the file cannot be
        written. Whatever ends it, engines are ended and the games before are in the file.
        """
        self.resume()
        left: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(self.games):
            if number not in self.played:
                left.put(number)
        news: queue.SimpleQueue[tuple[Played, Game] | BaseException | None] = queue.SimpleQueue()
        duels = [Duel(*self._players, self.pace) for _ in range(self.concurrency)]
        workers = [
            threading.Thread(target=self._work, args=(duel, left, news), daemon=True)
            for duel in duels
        ]
        for worker in workers:
            worker.start()
        all_done = False
        try:
            all_done = self._collect(len(workers), news, tell)
        finally:
            for duel in duels if not all_done else ():
                duel.stop()
            for worker in workers:
                worker.join()
        return self.summary

    def _collect(
        self,
        working: int,
        news: queue.SimpleQueue[tuple[Played, Game] | BaseException | None],
        tell: Callable[[Played], object] | None,
    ) -> bool:
        """Takes in games until the workers are done, then True, or the test is decided."""
        while working and self.verdict is None:
            item = news.get()
            if item is None:
                working -= 1
            elif isinstance(item, BaseException):
                raise item
            else:
                played, game = item
                self._write(played, game)
                self.played[played.number] = played
                if tell is not None:
                    tell(played)
        return not working

    def _work(
        self,
        duel: Duel,
        left: queue.SimpleQueue[int],
        news: queue.SimpleQueue[tuple[Played, Game] | BaseException | None],
    ) -> None:
        """One worker: plays games until none is left."""
        try:
            while True:
                number = left.get_nowait()
                game = Game.replay(self.openings[number // 2], self.rules)
                first_is_south = number % 2 == 0
                fault = duel.play(game, first_is_south)
                result = game.result
                assert result is not None
                played = Played(
                    number, first_is_south, result.south, result.north, result.winner, fault
                )
                news.put((played, game))
        except (queue.Empty, CancelledDuel):
            news.put(None)
        except BaseException as error:
            news.put(error)
        finally:
            duel.close()

    def _write(self, played: Played, game: Game) -> None:
        """Adds a game to the file, and makes sure that it is there."""
        if self.path is None:
            return
        south, north = self._players if played.first_is_south else reversed(self._players)
        tags = {
            "Event": self._event,
            "Date": datetime.date.today().strftime("%Y.%m.%d"),
            "Round": str(played.number + 1),
            "South": south.name,
            "North": north.name,
            "Match": self.fingerprint,
            "Opening": self.openings[played.number // 2],
            "Pace": str(self.pace),
            "Plies": str(len(game)),
        }
        if played.fault is not None:
            tags["Fault"] = played.fault
        with self.path.open("a", encoding="utf-8") as file:
            if file.tell():
                file.write("\n")
            file.write(game.to_ogn(tags))
            file.flush()
            os.fsync(file.fileno())


def _check_name(name: str) -> None:
    """Refuses what a file of games would not give back, so that it could not be counted again."""
    try:
        kept = ogn.first(Game().to_ogn({"South": name})).tags.get("South") == name
    except WariError:
        kept = False
    if not kept or not name.isprintable():
        raise InvalidValueError(
            f"name: {shown(name)} cannot be kept in a file of games; choose another", "name"
        )


def _played(record: ogn.Record, first: str) -> Played | None:
    """The game of a record, or None where it was cut off."""
    game = record.game()
    number = record.tags.get("Round", "")
    if game.result is None or record.tags.get("Plies") != str(len(game)):
        return None
    if record.line.result != str(game.result) or not number.isdigit() or number == "0":
        return None
    return Played(
        int(number) - 1,
        record.tags["South"] == first,
        game.result.south,
        game.result.north,
        game.result.winner,
        record.tags.get("Fault"),
    )
