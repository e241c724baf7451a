"""`wari solve`: who wins a position and by how much, proved.

Owns: its options and output. Must not know: how anything is proved.
"""

from typing import Any

import click

from wari import Rules
from wari.cli import NO, OK
from wari.cli.board import Span
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
from wari.engine import Engine
from wari.solution import Solution

DEFAULT_SECONDS = 10.0


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
    interrupted = False
    with (
        Engine(threads=threads, hash_mb=hash_mb, tablebase=tables.tables) as engine,
        screen.live(wanted=not as_json) as live,
    ):

        def progress(solution: Solution) -> None:
            last[:] = [solution]
            if live is not None:
                live.update(screen.text([[Span(_sentence(solution))]]), refresh=True)

        try:
            progress(
                engine.solve(
                    game, nodes=nodes, time=time, winner_only=winner_only, progress=progress
                )
            )
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        data = _json(str(game.position), str(game.rules), last[0] if last else None)
        print_json({**data, "tablebase": tables.as_json(rules)})
    elif last:
        screen.say(_sentence(last[0]))
        screen.say(tables.words(rules))
    if interrupted:
        raise KeyboardInterrupt
    return OK if last and last[0].verdict != "unknown" else NO


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
