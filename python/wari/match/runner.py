"""A whole match: every opening from both sides, several games at once, kept in an OGN file."""

from __future__ import annotations

import contextlib
import hashlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wari import ogn
from wari._check import shown
from wari._files import held
from wari._reading import reading
from wari._repr import evaluable
from wari._threads import started
from wari.errors import BusyError, InvalidValueError, WariError
from wari.game import Game
from wari.match.duel import CancelledDuel, Duel, Pace
from wari.match.log import Settings, append_game, games_of, text_of
from wari.match.played import Overruns, Played
from wari.match.specs import GivenPlayer, PlayerSpec, spec_of
from wari.match.statistics import Sprt, Summary, summarise
from wari.players import Player
from wari.rules import Rules


@evaluable("wari.match")
@dataclass
class Match:
    """A match between two players from a list of openings.

    A player is an `EngineCommand`, a `LevelSpec`, a `RandomSpec`, or any `Player` of the caller's,
    which the match does not close; with one of those there is one game at a time.

    `games` are played in pairs, both sides of each opening; there are at most two for each opening,
    so that no game is played twice. With `path`, every game is added to that OGN file as it ends,
    and those already in it are not played again; no other process can play a match with it
    meanwhile. With `sprt` the match ends when the test does.

    >>> import tempfile
    >>> from wari.match import EngineCommand, RandomSpec, random_openings
    >>> def match(path):
    ...     players = EngineCommand.parse("wari", "net"), RandomSpec(seed=1)
    ...     rules = Rules.preset("abapa")
    ...     lines = random_openings(rules, 1)
    ...     return Match(*players, Pace(nodes=50), rules, lines, games=2, path=path)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first, again = (match(Path(folder) / "games.ogn") for _ in range(2))
    ...     summary = first.run()
    ...     again.resume()
    >>> summary.games, again.summary == summary, again.fingerprint == first.fingerprint
    (2, True, True)
    >>> len(again.pair_scores()), again.verdict, again.overruns[0].moves
    (1, None, 0)

    Raises InvalidValueError naming the field that cannot be.
    """

    first: PlayerSpec | Player
    second: PlayerSpec | Player
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
        specs = self._specs
        if self.concurrency > 1 and any(isinstance(spec, GivenPlayer) for spec in specs):
            raise InvalidValueError(
                "concurrency: expected 1 where a player is given, who plays one game at a time",
                "concurrency",
            )
        if self.first.name == self.second.name:
            raise InvalidValueError(f"name: both engines are {self.first.name!r}", "name")
        for spec in specs:
            _check_name(spec.name)

    @property
    def fingerprint(self) -> str:
        """A short text that is another one for other engines, another pace or other rules."""
        parts = [
            *(spec.identity for spec in self._specs),
            f"{self.pace}, {self.pace.time_margin:g} s over",
            str(self.rules),
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    @property
    def overruns(self) -> tuple[Overruns, Overruns]:
        """The first player's and the second's, of all games."""
        games = [game.overruns for game in self.played.values()]
        first, second = (sum((game[seat] for game in games), Overruns()) for seat in (0, 1))
        return first, second

    @property
    def _specs(self) -> tuple[PlayerSpec, PlayerSpec]:
        return spec_of(self.first), spec_of(self.second)

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

        Raises InvalidValueError where the file holds another match or a game that is not as it was
        written, BusyError where another process plays a match with it, OSError.
        """
        with self._alone():
            self._resume()

    def _resume(self) -> None:
        if self.path is not None and self.path.exists():
            self.played |= games_of(self.path, self._settings)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else plays a match with the file meanwhile."""
        with contextlib.ExitStack() as stack:
            if self.path is not None:
                if self.path.exists() and not self.path.is_file():
                    raise InvalidValueError(f"file: {self.path} is no file of games", "file")
                with reading(str(self.path)):
                    is_ours = stack.enter_context(held(self.path))
                if not is_ours:
                    raise BusyError(f"file: {self.path}: another match is played with it")
            yield

    @property
    def _settings(self) -> Settings:
        return Settings(
            self.first.name,
            self.second.name,
            self.rules,
            str(self.pace),
            self.openings,
            self.games,
            self.fingerprint,
        )

    def run(self, report: Callable[[Played], object] | None = None) -> Summary:
        """Plays what is left; `report` is called with each game, from the calling thread.

        Raises EngineError where an engine cannot be started or does not know the rules, OSError
        where the file cannot be written (BusyError where another match is played with it),
        NotEnoughMemoryError where the system grants no thread, and what `resume` raises. Whatever
        ends it, engines are ended and the games before are in the file.
        """
        with self._alone():
            self._resume()
            self._run(report)
        return self.summary

    def _run(self, report: Callable[[Played], object] | None) -> None:
        """Plays what is left, several games at once."""
        left: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(self.games):
            if number not in self.played:
                left.put(number)
        news: queue.SimpleQueue[tuple[Played, Game] | BaseException | None] = queue.SimpleQueue()
        duels = [Duel(*self._specs, self.pace) for _ in range(self.concurrency)]
        workers: list[threading.Thread] = []
        all_done = False
        try:
            for duel in duels:
                workers.append(started(self._work, duel, left, news, name="wari-match"))
            all_done = self._collect(len(workers), news, report)
        finally:
            for duel in duels if not all_done else ():
                duel.stop()
            for worker in workers:
                worker.join()

    def _collect(
        self,
        working: int,
        news: queue.SimpleQueue[tuple[Played, Game] | BaseException | None],
        report: Callable[[Played], object] | None,
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
                if self.path is not None:
                    append_game(self.path, text_of(self._settings, played, game))
                self.played[played.number] = played
                if report is not None:
                    report(played)
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
                ends = (result.south, result.north, result.winner)
                played = Played(number, first_is_south, *ends, fault, duel.overruns)
                news.put((played, game))
        except (queue.Empty, CancelledDuel):
            news.put(None)
        except BaseException as error:
            news.put(error)
        finally:
            duel.close()


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
