"""`wari play`: who sits where, and the game to begin with."""

import click

from wari import Game, Rules, Tablebase
from wari._escape import escape_control
from wari.cli import ending_in_good_order
from wari.cli.clock import Budget, Clock, budget
from wari.cli.files import load_game
from wari.cli.game_session import ENDINGS, OTHER, GameSession, called
from wari.cli.language import LANGUAGES, speaking, tr, wanted
from wari.cli.line_ui import LineUI
from wari.cli.options import (
    OneOf,
    complete_file,
    engine_options,
    moves_option,
    rules_options,
    set_up,
    shorten,
    whole_number,
)
from wari.cli.players import Players
from wari.cli.screen import Screen
from wari.cli.tables import chosen, tablebase_option
from wari.levels import DEFAULT_LEVEL, LEVELS, Engines

MAX_SEED = 2**63 - 1


def time_budget(value: object) -> Budget:
    """An option type: minutes, and seconds for each move behind a plus sign."""
    found = budget(str(value))
    if found is None:
        wanted_form = "minutes, or minutes+seconds such as 10+5"
        raise click.BadParameter(f"expected {wanted_form}, not {shorten(str(value))!r}")
    return found


@click.command("play")
@click.option(
    "--side",
    type=OneOf(["S", "N"]),
    metavar="[S|N]",
    help="The side you play. Default: as saved, or S.",
)
@click.option("--two", is_flag=True, help="Two people at one board, no engine.")
@click.option("--watch", is_flag=True, help="The engine plays both sides.")
@click.option(
    "--level",
    type=whole_number(min(LEVELS), max(LEVELS)),
    metavar="N",
    help=f"How strong the engine plays, 1 to 9. Default: as saved, or {DEFAULT_LEVEL}.",
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
@click.option(
    "--ending",
    type=OneOf(ENDINGS),
    metavar="ENDING",
    help="How the players ended the game after the moves: agreement, or resignation or time with "
    "the side that lost by it, such as resignation-S.",
)
@click.option(
    "--load",
    metavar="FILE",
    shell_complete=complete_file,
    help="Go on with a saved game, and with who played it: JSON, or OGN for .ogn.",
)
@click.option(
    "--clock",
    type=time_budget,
    metavar="MIN+SEC",
    help="Minutes for each side, and seconds more for each move: 10+5. Default: no clock.",
)
@click.option(
    "--north-clock",
    type=time_budget,
    metavar="MIN+SEC",
    help="North's minutes and seconds. Default: --clock.",
)
@click.option(
    "--language",
    type=OneOf(list(LANGUAGES)),
    metavar="[en|es|gl]",
    help="The language of the texts. Default: that of LANGUAGE, LC_ALL, LC_MESSAGES or LANG.",
)
@click.option("--plain", is_flag=True, help="Lines instead of the full screen of a terminal.")
@click.option(
    "--animation/--no-animation", default=True, help="Show how the seeds are sown. Default: yes."
)
@engine_options
@tablebase_option
@rules_options
def command(
    rules: Rules,
    side: str | None,
    two: bool,
    watch: bool,
    level: int | None,
    north_level: int | None,
    seed: int | None,
    position: str | None,
    moves: str,
    ending: str | None,
    load: str | None,
    clock: Budget | None,
    north_clock: Budget | None,
    language: str | None,
    plain: bool,
    animation: bool,
    threads: int,
    hash_mb: int,
    tablebase: str,
) -> int:
    """Play against the engine, against each other (--two), or watch the engine (--watch).

    In a terminal of at least 80x24 the board fills the screen; "?" lists the keys. Elsewhere, and
    with --plain, type a pit's letter to move and "help" for the commands. Ctrl-D (q on the full
    screen) leaves with exit code 0, Ctrl-C with 130; both say how to go on with an unsaved game.
    """
    if sum((two, watch, side is not None)) > 1:
        raise click.UsageError("side: expected at most one of --side, --two and --watch")
    if north_clock is not None and clock is None:
        raise click.UsageError("north_clock: expected only with --clock")
    given = position is not None or moves or ending
    saved = None
    if load:
        game, saved = _loaded(load, rules, bool(given))
    else:
        game = set_up(rules, position, moves)
    if ending is not None:
        game = called(game, ending)
    people = "" if watch else "SN" if two else side
    levels = seated(saved, people, level, north_level)
    view = side or ("N" if levels["N"] is None and levels["S"] is not None else "S")
    tables = chosen(tablebase, game.rules)
    with (
        Engines(seed, threads, hash_mb, tables.tables) as engines,
        speaking(language or wanted()),
    ):
        seats = {seat: engines.opponent(levels[seat]) for seat in "SN"}
        clocks = None if clock is None else Clock({"S": clock, "N": north_clock or clock})
        options = [] if seed is None else ["--seed", str(seed)]
        session = GameSession(game, seats, view, engines, options, clocks)
        _say_table(tables.table(game.rules))
        from wari.cli import tui

        if not plain and tui.fits():
            return tui.run(session, engines, animated=animation)
        with ending_in_good_order():
            return LineUI(session).run()


def _say_table(table: Tablebase | None) -> None:
    """Which file the engine looks endgames up in, if it does."""
    if table is not None:
        Screen().say(
            tr(
                "Tablebase of up to {seeds} seeds: {path}",
                seeds=table.seeds,
                path=escape_control(str(table.path)),
            )
        )


def seated(
    saved: Players | None, people: str | None, level: int | None, north_level: int | None
) -> Players:
    """Who sits where: as the options say, else as the game was saved, else a person at South.

    `people` are the sides of people, None where no option names them.
    Raises UsageError for a level of North's where one of the sides is a person.
    """
    before = saved or {"S": None, "N": None}
    strengths = {side: before[side] or before[OTHER[side]] or DEFAULT_LEVEL for side in "SN"}
    if people is None:
        people = "S" if saved is None else "".join(side for side in "SN" if saved[side] is None)
    if north_level is not None and people:
        raise click.UsageError("north_level: expected only with --watch")
    if level is not None:
        strengths = dict.fromkeys("SN", level)
    if north_level is not None:
        strengths["N"] = north_level
    return {side: None if side in people else strengths[side] for side in "SN"}


def _loaded(name: str, rules: Rules, given: bool) -> tuple[Game, Players | None]:
    """A saved game and who played it; it brings its own start and rules: no other may be given."""
    if given:
        raise click.UsageError("load: expected without --position, --moves and --ending")
    game, players = load_game(name)
    if rules not in (Rules(), game.rules):
        raise click.UsageError(f"rules: {name!r} holds a game under {str(game.rules)!r}")
    return game, players
