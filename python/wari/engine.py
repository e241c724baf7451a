"""The engine: analyses positions and games under limits, and plays."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Generator, Iterable, Sequence
from types import TracebackType
from typing import Any, final

from wari import _core
from wari._check import as_flag, as_function, as_text, shown
from wari._ending import helpers
from wari._files import checked_name
from wari._request import game_of, positions_of, reporter
from wari._tables import SMALL, opened
from wari._tables import Tables as Tables
from wari._threads import started
from wari.analysis import Analysis as Analysis
from wari.analysis import Line as Line
from wari.analysis import Score as Score
from wari.analysis import analysis_of
from wari.errors import ClosedError, GameOverError, InvalidValueError
from wari.game import Game
from wari.limits import MAX_DEPTH as MAX_DEPTH
from wari.limits import (
    MAX_HASH_MB,
    MAX_THREADS,
    Clock,
    Limits,
    count,
    for_core,
    letters,
    limits_of,
    without_clock,
)
from wari.position import Position
from wari.solution import Solution, solution_of
from wari.tablebase import Tablebase

EVALUATIONS: tuple[str, ...] = tuple(_core.evaluations())
"""The ways to value a position at the horizon of the search, the best one last."""

AUTO_TABLE_SEEDS: int = _core.AUTO_TABLE_SEEDS
"""The seeds up to which `tablebase="auto"` knows."""


Progress = Callable[[Analysis], object]
CurrentMove = Callable[[str, int, int], object]


@final
class Engine:
    """Searches positions. It holds memory and threads: close it, or use it in a `with` block.

    `threads` search together; with one, results are the same every time. `hash_mb` is the memory
    for what was learnt, in MiB. `tablebase="auto"` means the endgame tables of up to 10 seeds,
    built in a moment when first needed; a `Tablebase` or the path of a table file takes that one,
    and positions must then be played by its rules; `Tables` are for engines that meet several
    rules; None searches without. `evaluation` is one of
    `EVALUATIONS`. `full_width=True` searches every line to exactly the depth asked for, nothing
    longer or shorter, for comparisons.

    >>> from wari import Position
    >>> with Engine(hash_mb=8, evaluation="material") as engine:
    ...     analysis = engine.analyse(Position.parse("0-0-0-0-0-2-1-2-4-0-0-0-20-19-S", "awari"))
    >>> analysis.best_move, str(analysis.score), analysis.score.bound
    ('F', '=+10.00', 'exact')

    Raises InvalidValueError naming the argument, NotEnoughMemoryError; StorageError and
    TableFileError for a table file that cannot be opened.
    Source: docs/search.md, which names the ideas and what each is worth.
    """

    __slots__ = ("_core", "_latest", "_options", "_tablebase")

    def __init__(
        self,
        *,
        threads: int = 1,
        hash_mb: int = 64,
        tablebase: Tablebase | Tables | str | os.PathLike[str] | None = "auto",
        evaluation: str | None = None,
        full_width: bool = False,
    ) -> None:
        chosen = EVALUATIONS[-1] if evaluation is None else as_text(evaluation, "evaluation")
        several = SMALL if isinstance(tablebase, str) and tablebase == "auto" else tablebase
        self._tablebase = None if isinstance(several, Tables) else opened(several)
        self._core: _core.Engine | None = _core.Engine.create(
            count("threads", threads, MAX_THREADS),
            count("hash_mb", hash_mb, MAX_HASH_MB),
            chosen,
            several._core if isinstance(several, Tables) else None,
            None if self._tablebase is None else self._tablebase._core,
            as_flag(full_width, "full_width"),
        )
        self._latest: Analysis | None = None
        self._options = {"threads": threads, "hash_mb": hash_mb, "evaluation": chosen}

    @property
    def tablebase(self) -> Tablebase | None:
        """The one table that the engine was given, or None.

        >>> with Engine(hash_mb=8, tablebase=Tablebase.build(seeds=4)) as engine:
        ...     engine.tablebase
        <wari.Tablebase value awari seeds=4>
        """
        return self._tablebase

    @property
    def latest(self) -> Analysis | None:
        """What the last `analyse` found; also where Ctrl-C or an error in `progress` cut it off.

        >>> def enough(analysis):
        ...     if analysis.depth == 3:
        ...         raise RuntimeError("enough")
        >>> with Engine(hash_mb=8) as engine:
        ...     engine.analyse(Position(), progress=enough)
        Traceback (most recent call last):
        RuntimeError: enough
        >>> engine.latest.depth, engine.latest.finished
        (3, False)
        """
        return self._latest

    # --- searching ------------------------------------------------------------------------------

    def analyse(
        self,
        position: Position | Game | str,
        *,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        clock: Clock | tuple[float, float, int] | None = None,
        multipv: int = 1,
        moves: str | Sequence[str] | None = None,
        ponder: bool = False,
        instant: bool = False,
        progress: Progress | None = None,
        current_move: CurrentMove | None = None,
    ) -> Analysis:
        """Searches until the first limit is reached, until `stop()`, or until all is proved.

        A `Game` brings its history, so that repetitions count. The limits are a `wari.Limits`, or
        some of its fields by name: `depth` is in plies, `time` in seconds; `clock` is a
        `wari.Clock` or a tuple of what the side to move has left, its increment, and the moves to
        go (0: the rest of the game), and the engine shares it out: where nothing can change the
        move (it is the only one, or the tables have the last word) it takes none; `instant=True`
        asks for the same with other limits, at the cost of a less deep score. `multipv` asks for
        that many moves with their values, `moves` for these only, and then the score of
        the analysis is that of the best of them. While `ponder` is on, time does not count until
        `ponder_hit()`. `progress` is called with each deeper analysis, and after a second
        `current_move` with the move being searched, its number from 1, and the depth.

        >>> import wari
        >>> with Engine(hash_mb=8) as engine:
        ...     len(engine.analyse(wari.Position(), depth=8, multipv=6).lines)
        6

        Raises InvalidValueError naming the argument, IllegalMoveError for a move in `moves` that
        is not legal, WrongRulesError where the engine's one table is for other rules, BusyError
        when another search of this engine runs, ClosedError when the engine is closed, and
        KeyboardInterrupt on Ctrl-C; what was found until then is `latest`.
        """
        game = game_of(position)
        root = game.position
        ends = limits_of(limits, depth=depth, nodes=nodes, time=time, clock=clock)

        def keep(found: _core.Analysis) -> None:
            self._latest = analysis_of(root, found)

        found = self._running().analyse(
            game._core,
            **for_core(ends),
            ponder=as_flag(ponder, "ponder"),
            instant=as_flag(instant, "instant") or ends.clock is not None,
            multipv=count("multipv", multipv),
            moves=letters(moves),
            progress=reporter(progress, root, analysis_of),
            current_move=as_function(current_move, "current_move"),
            cut_off=keep,
        )
        self._latest = latest = analysis_of(root, found)
        return latest

    def stream(
        self,
        position: Position | Game | str,
        *,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        clock: Clock | tuple[float, float, int] | None = None,
        multipv: int = 1,
        moves: str | Sequence[str] | None = None,
        ponder: bool = False,
        instant: bool = False,
        current_move: CurrentMove | None = None,
    ) -> Generator[Analysis, None, None]:
        """Yields each deeper analysis as it is found; takes what `analyse` takes but `progress`.

        Leaving the loop stops the search.

        >>> import wari
        >>> with Engine(hash_mb=8) as engine:
        ...     [analysis.depth for analysis in engine.stream(wari.Position(), depth=3)]
        [1, 2, 3]

        Raises as `analyse` does.
        """
        found: queue.SimpleQueue[Analysis | BaseException | None] = queue.SimpleQueue()
        game = game_of(position).copy() if isinstance(position, Game) else position
        self._running()

        def work() -> None:
            try:
                analysis = self.analyse(
                    game,
                    limits=limits,
                    depth=depth,
                    nodes=nodes,
                    time=time,
                    clock=clock,
                    multipv=multipv,
                    moves=moves,
                    ponder=ponder,
                    instant=instant,
                    progress=found.put,
                    current_move=current_move,
                )
                found.put(analysis)
                found.put(None)
            except BaseException as error:
                found.put(error)

        worker = started(work, name="wari-stream")
        helpers.add(worker)
        try:
            while (item := found.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            while worker.is_alive():  # again and again: it may not have begun to search yet
                self.stop()
                worker.join(0.01)

    def play(
        self,
        game: Game,
        *,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        clock: Clock | tuple[float, float, int] | None = None,
        moves: str | Sequence[str] | None = None,
        instant: bool = False,
        progress: Progress | None = None,
        current_move: CurrentMove | None = None,
    ) -> str:
        """Searches, plays the best move in the game and returns it; a forced one at once.

        Takes what `analyse` takes but `multipv` and `ponder`.

        >>> import wari
        >>> game = wari.Game("abapa")
        >>> with Engine(hash_mb=8) as engine:
        ...     move = engine.play(game, depth=6)
        >>> game.moves == (move,)
        True

        Raises GameOverError when the game is over, else as `analyse` does.
        """
        if not isinstance(game, Game):
            raise InvalidValueError(f"game: expected a Game, not {shown(game)}", "game")
        legal = game.legal_moves()
        if not legal:
            raise GameOverError(f"move: the game is over ({game.ending})", "", "game_over")
        ends = limits_of(limits, depth=depth, nodes=nodes, time=time, clock=clock)
        if len(legal) == 1:
            move: str | None = legal[0]
        else:
            move = self.analyse(
                game,
                limits=ends,
                moves=moves,
                instant=instant,
                progress=progress,
                current_move=current_move,
            ).best_move
        assert move is not None  # the game goes on, so there is a move
        game.push(move)
        return move

    def analyse_many(
        self,
        positions: Iterable[Position | str] | Any,
        *,
        rules: str = "wari",
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        multipv: int = 1,
        progress: Callable[[int], object] | None = None,
    ) -> list[Analysis]:
        """Searches each position by itself, all of them spread over the engine's threads.

        The limits are those of `analyse`, for each position, without a clock.
        `positions` are positions, texts, or a NumPy array of integers of shape (N, 12) with counts
        A..F a..f, South to move, stores empty; texts and arrays are under `rules`. `progress` is
        called with the number done, at last with all. The results are in order; with depth or
        nodes as limit they depend neither on the number of threads nor on each other. Each thread
        has a table of its own, of `hash_mb` MiB or 64 at most.

        >>> import wari
        >>> with Engine(hash_mb=8) as engine:
        ...     [a.depth for a in engine.analyse_many([wari.Position()] * 2, depth=2)]
        [2, 2]

        Raises as `analyse` does; InvalidValueError when there is no limit.
        """
        batch = list(positions_of(positions, rules))
        found = self._running().analyse_many(
            [position._core for position in batch],
            **without_clock(limits_of(limits, depth=depth, nodes=nodes, time=time)),
            multipv=count("multipv", multipv),
            progress=as_function(progress, "progress"),
        )
        return [analysis_of(*pair) for pair in zip(batch, found, strict=True)]

    def solve(
        self,
        position: Position | Game | str,
        *,
        limits: Limits | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        winner_only: bool = False,
        progress: Callable[[Solution], object] | None = None,
    ) -> Solution:
        """Proves who wins and by how much, as far as the limits allow, and says no more.

        The limits are those of `analyse` without a clock. Called again, it goes on from what it
        has proved. `winner_only` ends as soon as it is known who wins. `progress` is called with
        each better Solution.

        >>> import wari
        >>> with Engine(hash_mb=8) as engine:
        ...     print(engine.solve("1-1-1-1-1-2-1-1-0-0-0-0-12-12-S", time=30.0))
        win by 9

        Raises as `analyse` does.
        """
        game = game_of(position)
        root = game.position
        ends = limits_of(limits, depth=depth, nodes=nodes, time=time)
        found = _core.solve(
            self._running(),
            game._core,
            **without_clock(ends),
            winner_only=as_flag(winner_only, "winner_only"),
            progress=reporter(progress, root, solution_of),
        )
        return solution_of(root, found)

    def save_proof(self, path: str | os.PathLike[str]) -> None:
        """Keeps in a file what `solve` has proved of its last position, and what it goes on from.

        The file is as large as what was learnt: `hash_mb` MiB and a third at most. It takes the
        place of an earlier proof at once or not at all, and of no other file.

        >>> import tempfile, wari
        >>> hard = wari.Position.parse("1-2-1-0-1-2-1-1-2-1-0-1-0-0-S", "awari")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Engine(hash_mb=8) as engine:
        ...         first = engine.solve(hard, nodes=20_000)
        ...         engine.save_proof(f"{folder}/hard.proof")
        ...     with Engine(hash_mb=8) as engine:
        ...         again = engine.load_proof(f"{folder}/hard.proof")
        ...         print(first.exact, again == hard, engine.solve(again, nodes=5_000_000))
        False True win by 9

        Raises InvalidValueError when nothing was solved by search yet or `path` is no name of a
        file, StorageError, TableFileError for a file that holds no proof, BusyError.
        """
        _core.save_proof(self._running(), checked_name(path))

    def load_proof(self, path: str | os.PathLike[str]) -> Position:
        """Takes up what `save_proof` kept, and returns the position it is about.

        `solve` of that position, with the same moves before it, goes on from there; what is
        learnt about it helps with other positions of the same rules, too. The engine may have
        other tables, and any size that has room for all that the file holds. The bytes are checked
        against damage, not against ill will: a proof is worth what its source is worth.

        Raises InvalidValueError when `path` is no name of a file, StorageError, TableFileError for
        a file that is damaged or no proof, NotEnoughMemoryError that names the `hash_mb` needed,
        BusyError. See `save_proof`.
        """
        rules, position = _core.load_proof(self._running(), checked_name(path))
        return Position.parse(position, rules)

    # --- while a search runs, from another thread ------------------------------------------------

    def stop(self) -> None:
        """Ends the running search soon; it returns the best found so far. Any thread may call.

        >>> with Engine(hash_mb=8) as engine:
        ...     analysis = engine.analyse(Position(), progress=lambda _: engine.stop())
        >>> analysis.finished, analysis.best_move in Position().legal_moves()
        (False, True)
        """
        if self._core is not None:
            self._core.stop()

    def ponder_hit(self) -> None:
        """The move pondered on was played: the clock of the search runs from now.

        >>> with Engine(hash_mb=8) as engine:
        ...     analysis = engine.analyse(
        ...         Position(), time=0.01, ponder=True, progress=lambda _: engine.ponder_hit()
        ...     )
        >>> analysis.finished
        False

        Raises ClosedError when the engine is closed.
        """
        self._running().ponder_hit()

    def prepare(self) -> None:
        """Makes a `stop()` count that comes before a search, begun in another thread, runs.

        >>> import threading
        >>> with Engine(hash_mb=8) as engine:
        ...     engine.prepare()
        ...     search = threading.Thread(target=engine.analyse, args=[Position()])
        ...     engine.stop()
        ...     search.start()
        ...     search.join()

        Raises ClosedError when the engine is closed.
        """
        self._running().prepare()

    # --- the engine itself -----------------------------------------------------------------------

    def new_game(self) -> None:
        """Forgets everything learnt, so that later results do not depend on earlier searches.

        >>> with Engine(hash_mb=8) as engine:
        ...     first = engine.analyse(Position(), depth=8).nodes
        ...     engine.new_game()
        ...     engine.analyse(Position(), depth=8).nodes == first
        True

        Raises BusyError while a search runs, ClosedError when the engine is closed.
        """
        self._running().new_game()

    def close(self) -> None:
        """Stops a running search and gives the memory back. Closing twice does no harm.

        >>> engine = Engine(hash_mb=8)
        >>> engine.close()
        >>> engine.new_game()
        Traceback (most recent call last):
        wari.errors.ClosedError: engine: it is closed
        """
        self.stop()
        self._core = None

    def _running(self) -> _core.Engine:
        if self._core is None:
            raise ClosedError("engine: it is closed")
        return self._core

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._options.items())
        return f"wari.Engine({given})"
