"""`wari play`: who sits where, and the game to begin with.

Owns: its options. Must not know: what happens at the board (see `session.py`).
"""

import random
from contextlib import ExitStack
from functools import cache

import click

from wari import Game, Rules
from wari.cli.files import load_game
from wari.cli.levels import DEFAULT_LEVEL, LEVELS, Opponent
from wari.cli.options import (
    engine_options,
    moves_option,
    one_of,
    rules_options,
    set_up,
    whole_number,
)
from wari.cli.session import Session
from wari.engine import Engine

MAX_SEED = 2**63 - 1


@click.command("play")
@click.option(
    "--side", type=one_of(["S", "N"]), metavar="[S|N]", help="The side you play. Default: S."
)
@click.option("--two", is_flag=True, help="Two people at one board, no engine.")
@click.option("--watch", is_flag=True, help="The engine plays both sides.")
@click.option(
    "--level",
    type=whole_number(min(LEVELS), max(LEVELS)),
    default=DEFAULT_LEVEL,
    metavar="N",
    show_default=True,
    help="How strong the engine plays, 1 to 9.",
)
@click.option(
    "--north-level",
    type=whole_number(min(LEVELS), max(LEVELS)),
    metavar="N",
    help="North's level with --watch. Default: --level.",
)
@click.option(
    "--seed",
    type=whole_number(0, MAX_SEED),
    metavar="N",
    help="Makes the choices of the levels below 6 repeatable. Default: other ones each time.",
)
@click.option("--position", metavar="POSITION", help="Where to start. Default: the usual start.")
@moves_option
@click.option("--load", metavar="FILE", help="Go on with a saved game.")
@engine_options
@rules_options
def command(
    rules: Rules,
    side: str | None,
    two: bool,
    watch: bool,
    level: int,
    north_level: int | None,
    seed: int | None,
    position: str | None,
    moves: str,
    load: str | None,
    threads: int,
    hash_mb: int,
) -> int:
    """Play against the engine, against each other (--two), or watch the engine (--watch).

    Type a pit's letter to move and "help" for the commands. Ctrl-D leaves with exit code 0, Ctrl-C
    with 130; both say how to go on with an unsaved game.
    """
    if sum((two, watch, side is not None)) > 1:
        raise click.UsageError("side: expected at most one of --side, --two and --watch")
    if north_level is not None and not watch:
        raise click.UsageError("north_level: expected only with --watch")
    game = _loaded(load, rules, position, moves) if load else set_up(rules, position, moves)
    engine_sides = {"S": "N", "N": "S"}[side or "S"]
    engine_sides = "SN" if watch else "" if two else engine_sides
    levels = {"S": level, "N": north_level or level}
    seeds = random.Random(seed)
    with ExitStack() as stack:

        def opponent(seat: str) -> Opponent | None:
            own_seed = seeds.getrandbits(63)
            if seat not in engine_sides:
                return None
            made = Opponent(levels[seat] if watch else level, own_seed, threads, hash_mb)
            return stack.enter_context(made)

        @cache
        def adviser() -> Engine:
            return stack.enter_context(Engine(threads=threads, hash_mb=hash_mb))

        seats = {seat: opponent(seat) for seat in "SN"}
        return Session(game, seats, side or "S", adviser, _again(side, two, watch)).run()


def _again(side: str | None, two: bool, watch: bool) -> list[str]:
    """The options that seat the same players."""
    return ["--two"] * two + ["--watch"] * watch + ["--side", side or ""] * (side is not None)


def _loaded(name: str, rules: Rules, position: str | None, moves: str) -> Game:
    """A saved game; it brings its own start and rules."""
    if position is not None or moves:
        raise click.UsageError("load: expected without --position and --moves")
    game = load_game(name)
    if rules not in (Rules(), game.rules):
        raise click.UsageError(f"rules: {name!r} holds a game under {str(game.rules)!r}")
    return game
