"""`wari solve`: who wins a position and by how much, proved."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from typing import Any

import click

from wari import Game, InvalidValueError, NotEnoughMemoryError, Rules
from wari._files import checked_name, expanded, held
from wari.cli import NO, OK, ending_in_good_order, os_words
from wari.cli.board import Span
from wari.cli.options import (
    MAX_NODES,
    complete_file,
    engine_options,
    json_option,
    moves_option,
    rules_options,
    seconds,
    set_up,
    whole_number,
)
from wari.cli.screen import Screen, print_json
from wari.cli.tables import chosen, tablebase_option
from wari.engine import MAX_DEPTH, Engine
from wari.solution import Solution

DEFAULT_SECONDS = 10.0
KEEP_SECONDS = 300.0  # a stretch of work between two times that a proof is kept


@click.command("solve")
@click.argument("position", required=False)
@moves_option
@click.option(
    "--time",
    type=seconds,
    default=DEFAULT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Give up after that long.",
)
@click.option("--nodes", type=whole_number(1, MAX_NODES), metavar="N", help="Give up after that.")
@click.option("--winner-only", is_flag=True, help="Stop when it is known who wins.")
@click.option(
    "--proof",
    "proof",
    metavar="FILE",
    shell_complete=complete_file,
    help="Go on from what is proved in FILE, where there is one, and keep there what is found: "
    "every five minutes, at the end, on Ctrl-C and on SIGTERM.",
)
@engine_options
@tablebase_option
@json_option
@rules_options
def command(
    rules: Rules,
    position: str | None,
    moves: str,
    time: float,
    nodes: int | None,
    winner_only: bool,
    proof: str | None,
    threads: int,
    hash_mb: int,
    tablebase: str,
    as_json: bool,
) -> int:
    """Prove who wins POSITION (default: the start), and the margin.

    Says only what is proved, with the bounds it has; the exit code is 1 while it is not known who
    wins. Ctrl-C ends the work and prints what is known.
    """
    game = set_up(rules, position, moves)
    tables = chosen(tablebase, rules)
    screen = Screen()
    last: list[Solution] = []
    ended: BaseException | None = None
    with (
        ending_in_good_order(),
        Engine(threads=threads, hash_mb=hash_mb, tablebase=tables.tables) as engine,
        _Kept(proof, engine) as kept,
        screen.live(wanted=not as_json) as live,
    ):

        def progress(solution: Solution) -> None:
            last[:] = [solution]
            if live is not None:
                live.update(screen.text([[Span(_sentence(solution))]]), refresh=True)

        kept.take_up(game)
        try:
            _Work(engine, game, winner_only, progress).run(time, nodes, kept)
        except (KeyboardInterrupt, SystemExit) as error:
            ended = error
            if last:
                kept.put_down(last[0])
    with suppress(OSError) if isinstance(ended, SystemExit) else nullcontext():
        if as_json:
            data = _json(str(game.position), str(game.rules), last[0] if last else None)
            print_json({**data, "tablebase": tables.as_json(rules)})
        elif last:
            screen.say(_sentence(last[0]))
            screen.say(tables.words(rules))
    if ended is not None:
        raise ended
    return OK if last and last[0].verdict != "unknown" else NO


class _Kept:
    """The file of `--proof`, ours alone while this is entered; nothing where there is no name."""

    def __init__(self, name: str | None, engine: Engine) -> None:
        self._path = None if name is None else expanded(checked_name(name))
        self._engine = engine
        self._lock = ExitStack()

    def __enter__(self) -> "_Kept":
        if self._path is not None:
            with _file_errors(str(self._path)):
                alone = self._lock.enter_context(held(self._path))
            if not alone:
                raise InvalidValueError(f"proof: {self._path}: in use by another process", "proof")
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    @property
    def wanted(self) -> bool:
        """Whether there is a file."""
        return self._path is not None

    def take_up(self, game: Game) -> None:
        """Goes on from the file, if it is there. Raises InvalidValueError where it cannot."""
        if self._path is None or not self._path.exists():
            return
        with _file_errors():
            about = self._engine.load_proof(self._path)
        if about != game.position:
            raise InvalidValueError(
                f"proof: {self._path} is about {about} under the rules {about.rules}", "proof"
            )

    def put_down(self, found: Solution) -> None:
        """Keeps what is proved, unless the game was over before."""
        if self._path is not None and found.ending is None:
            with _file_errors():
                self._engine.save_proof(self._path)


class _Work:
    """The limits of a proof, counted over the stretches that it is done in."""

    def __init__(
        self, engine: Engine, game: Game, winner_only: bool, report: Callable[[Solution], None]
    ) -> None:
        self._engine = engine
        self._game = game
        self._winner_only = winner_only
        self._report = report
        self._before = (0, 0.0)  # nodes and seconds of the stretches that are done

    def run(self, time: float, nodes: int | None, kept: _Kept) -> None:
        """Works until a limit is reached or all is proved; what is proved is kept on the way."""
        while True:
            done_nodes, done_seconds = self._before
            left = time - done_seconds
            found = self._engine.solve(
                self._game,
                time=min(left, KEEP_SECONDS) if kept.wanted else left,
                nodes=None if nodes is None else nodes - done_nodes,
                winner_only=self._winner_only,
                progress=self._progress,
            )
            self._progress(found)
            kept.put_down(found)
            self._before = (done_nodes + found.nodes, done_seconds + found.seconds)
            if found.exact or (self._winner_only and found.verdict != "unknown"):
                return
            if self._before[1] >= time or (nodes is not None and self._before[0] >= nodes):
                return
            if not kept.wanted or found.depth >= MAX_DEPTH:
                return

    def _progress(self, found: Solution) -> None:
        nodes, spent = self._before
        self._report(replace(found, nodes=nodes + found.nodes, seconds=spent + found.seconds))


@contextmanager
def _file_errors(name: str = "") -> Iterator[None]:
    """What is wrong with the file becomes an error of the option; the core's words name it."""
    try:
        yield
    except NotEnoughMemoryError as error:
        words = str(error).removeprefix("hash_mb: ")
        raise InvalidValueError(f"hash: {words}", "hash") from error
    except OSError as error:
        words = f"{name}: {os_words(error)}" if name else os_words(error)
        raise InvalidValueError(f"proof: {words}", "proof") from error


def _sentence(solution: Solution) -> str:
    mover = {"S": "South", "N": "North"}[solution.position.side] if solution.position else ""
    best = f", with {solution.move}" if solution.move and solution.lower > 0 else ""
    return (
        f"{mover} to move: {solution}{best} "
        f"(depth {solution.depth}, {solution.nodes} nodes, {solution.seconds:.2f} s)"
    )


def _json(position: str, rules: str, solution: Solution | None) -> dict[str, Any]:
    head: dict[str, Any] = {
        "schema": "wari.solve",
        "version": 1,
        "position": position,
        "rules": rules,
    }
    if solution is None:
        return {**head, "verdict": "unknown"}
    return {
        **head,
        "verdict": solution.verdict,
        "lower": solution.lower,
        "upper": solution.upper,
        "move": solution.move,
        "ending": solution.ending,
        "depth": solution.depth,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
    }
