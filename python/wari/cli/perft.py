"""`wari perft`: the leaves of the game tree."""

import time

import click

from wari import Rules
from wari.cli.options import json_option, moves_option, rules_options, set_up, whole_number
from wari.cli.screen import Screen, print_json, table

MAX_PERFT_DEPTH = 64


@click.command("perft")
@click.option(
    "--depth",
    type=whole_number(1, MAX_PERFT_DEPTH),
    required=True,
    metavar="N",
    help="Plies to play.",
)
@click.option("--position", metavar="POSITION", help="Where to count from. Default: the start.")
@moves_option
@click.option("--divide", is_flag=True, help="Count below each move as well.")
@json_option
@rules_options
def command(
    rules: Rules, depth: int, position: str | None, moves: str, divide: bool, as_json: bool
) -> None:
    """Count the lines of exactly N plies: the measure of every move generator.

    A finished game has no continuation; a pass is a ply; repetition plays no part.
    """
    start = set_up(rules, position, moves).position
    began = time.perf_counter()
    below = start.divide(depth) if divide else None
    nodes = start.perft(depth) if below is None else sum(below.values())
    seconds = time.perf_counter() - began
    if as_json:
        print_json(
            {
                "schema": "wari.perft",
                "version": 1,
                "position": str(start),
                "rules": str(rules),
                "depth": depth,
                "nodes": nodes,
                "divide": below,
                "seconds": round(seconds, 6),
            }
        )
        return
    screen = Screen()
    if below:
        rows = [[move, str(count)] for move, count in below.items()]
        screen.lines(table(["move", "nodes"], rows, "lr"))
        screen.say()
    speed = f", {nodes / seconds / 1e6:.1f} million/s" if seconds > 0.01 else ""
    screen.say(f"depth {depth}: {nodes} nodes in {seconds:.3f} s{speed}")
