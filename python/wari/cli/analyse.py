"""`wari analyse`: value and line of every move, of one position or of a list."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from wari import Game, Rules, WariError
from wari._reading import STANDARD_INPUT, short_lines, text_of
from wari.cache import Choice
from wari.cli import BAD_INPUT, OK, complain
from wari.cli.board import draw
from wari.cli.options import (
    MAX_NODES,
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
from wari.cli.words import analysis_json, analysis_table, result_sentence
from wari.engine import MAX_DEPTH, Analysis, Engine

DEFAULT_SECONDS = 3.0
ROW = 6  # pits in a row: more moves there never are


@click.command("analyse")
@click.argument("position", required=False)
@moves_option
@click.option("--depth", type=whole_number(1, MAX_DEPTH), metavar="N", help="Search N plies deep.")
@click.option("--nodes", type=whole_number(1, MAX_NODES), metavar="N", help="Search N nodes.")
@click.option(
    "--time",
    type=seconds,
    metavar="SECONDS",
    help=f"Search that long. Default when no limit is given: {DEFAULT_SECONDS:g}.",
)
@click.option(
    "--multipv",
    type=whole_number(1, ROW),
    metavar="K",
    help="Give the K best moves only; fewer moves go deeper. Default: all.",
)
@engine_options
@tablebase_option
@json_option
@rules_options
def command(
    rules: Rules,
    position: str | None,
    moves: str,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    multipv: int | None,
    threads: int,
    hash_mb: int,
    tablebase: str,
    as_json: bool,
) -> int:
    """Give the value and the line of every move in POSITION (default: the start).

    POSITION is A-B-C-D-E-F-a-b-c-d-e-f-storeS-storeN-T, with T the side to move, S or N. With
    several limits the first one reached ends the search. When POSITION is "-", positions are read
    from standard input, one a line, each with moves behind it if wanted.
    """
    if depth is None and nodes is None and time is None:
        time = DEFAULT_SECONDS
    limits = {"depth": depth, "nodes": nodes, "time": time, "multipv": multipv or ROW}
    if position == STANDARD_INPUT:
        if moves:
            raise click.UsageError(
                "moves: expected behind each position when they are read from '-'"
            )
        tables = chosen(tablebase, rules)
        with Engine(threads=threads, hash_mb=hash_mb, tablebase=tables.tables) as engine:
            return _filter(engine, tables, rules, limits, as_json)
    game = set_up(rules, position, moves)
    tables = chosen(tablebase, rules)
    with Engine(threads=threads, hash_mb=hash_mb, tablebase=tables.tables) as engine:
        _one(engine, tables, game, limits, as_json)
    return OK


def _searched(
    engine: Engine,
    game: Game,
    limits: dict[str, Any],
    show: Callable[[Analysis], object] | None = None,
) -> tuple[Analysis | None, bool]:
    """The analysis of a position, if it has moves; on Ctrl-C the best that is known, and True."""
    last: list[Analysis] = []

    def progress(analysis: Analysis) -> None:
        last[:] = [analysis]
        if show is not None:
            show(analysis)

    interrupted = False
    try:
        if not game.is_over:
            progress(engine.analyse(game, progress=progress, **limits))
    except KeyboardInterrupt:
        interrupted = True
    return (last[0] if last else None), interrupted


def _one(engine: Engine, tables: Choice, game: Game, limits: dict[str, Any], as_json: bool) -> None:
    """Analyse one position and print it; on Ctrl-C print the best that is known, then go on up."""
    screen = Screen()
    if not as_json:
        _show_position(screen, game, tables)
    with screen.live(wanted=not as_json and not game.is_over) as live:

        def show(analysis: Analysis) -> None:
            if live is not None:
                live.update(screen.text(analysis_table(analysis, game.position.side)), refresh=True)

        analysis, interrupted = _searched(engine, game, limits, show)
    if as_json:
        common = {"limits": limits, "tablebase": tables.as_json(game.rules)}
        print_json({**analysis_json(game, analysis), **common})
    elif analysis is not None:
        screen.lines(analysis_table(analysis, game.position.side), fit=True)
    if interrupted:
        raise KeyboardInterrupt


def _show_position(screen: Screen, game: Game, tables: Choice) -> None:
    position = game.position
    last = game.moves[-1] if game.moves else ""
    screen.lines(
        draw(
            position,
            last=last,
            legal=game.legal_moves(),
            clockwise=game.rules.sowing == "clockwise",
            over=game.is_over,
        )
    )
    screen.say()
    screen.say(f"position {position}, rules {game.rules}")
    if game.result is not None:
        screen.say(f"The game is over. {result_sentence(game.result)}", "good")
    else:
        screen.say(tables.words(game.rules))


def _filter(
    engine: Engine, tables: Choice, rules: Rules, limits: dict[str, Any], as_json: bool
) -> int:
    """A position a line from standard input; a bad line costs only itself.

    On Ctrl-C the best that is known of the one being searched is printed.
    """
    screen = Screen()
    common = {"limits": limits, "tablebase": tables.as_json(rules)}
    code = OK
    for number, line in enumerate(_input_lines(), 1):
        words = line.split(maxsplit=1)
        if not words or words[0].startswith("#"):
            continue
        try:
            game = set_up(rules, words[0], "".join(words[1:]))
        except WariError as error:
            complain(f"line {number}: {error}")
            code = BAD_INPUT
            continue
        engine.new_game()  # what stands on other lines must not matter
        analysis, interrupted = _searched(engine, game, limits)
        if as_json:
            data = {**analysis_json(game, analysis), **common, "line": number}
            print_json(data, compact=True)
        else:
            _show_line(screen, number, game, analysis)
        if interrupted:
            raise KeyboardInterrupt
    return code


def _show_line(screen: Screen, number: int, game: Game, analysis: Analysis | None) -> None:
    screen.say(f"line {number}: position {game.position}, rules {game.rules}")
    if game.result is not None:
        screen.say(f"The game is over. {result_sentence(game.result)}", "good")
    if analysis is not None:
        screen.lines(analysis_table(analysis, game.position.side))
    screen.say()


def _input_lines() -> Iterator[str]:
    """The lines of standard input; bytes that are no text become a sign that no position holds."""
    yield from short_lines(text_of(sys.stdin.buffer, "-", errors="replace"), "position")
