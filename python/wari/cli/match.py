"""`wari match`: two engines against each other."""

import sys
from pathlib import Path
from typing import Any, TextIO

import click

from wari import Rules
from wari._escape import escape_control
from wari._reading import LONGEST_WHOLE, STANDARD_INPUT, text_of
from wari.cli import NO, OK
from wari.cli.options import MAX_NODES, json_option, number_of, seconds, shorten, whole_number
from wari.cli.screen import Screen, print_json
from wari.engine import MAX_DEPTH
from wari.match import (
    Match,
    Overruns,
    Pace,
    Played,
    Sprt,
    Summary,
    parse_player,
    random_openings,
    read_openings,
)

DEFAULT_SECONDS = 0.1
DEFAULT_GAMES = 100


def _clock(value: Any) -> tuple[float, float]:
    """`60+0.5`: seconds a game and a move."""
    game, _, move = str(value).partition("+")
    clock = number_of(game), number_of(move or "0")
    if not (0 < clock[0] < 1e6 and 0 <= clock[1] < 1e6):
        raise click.BadParameter(f"expected seconds such as 60+0.5, not {shorten(str(value))!r}")
    return clock


def _piped() -> TextIO:
    """Standard input as a list of openings."""
    return text_of(sys.stdin.buffer, "standard input", "openings", most=LONGEST_WHOLE)


def _sprt(value: Any) -> Sprt:
    """`0,20`: the two differences in Elo."""
    low, _, high = str(value).partition(",")
    if not -1000 < number_of(low) < number_of(high) < 1000:
        raise click.BadParameter(f"expected two Elo such as 0,20, not {shorten(str(value))!r}")
    return Sprt(number_of(low), number_of(high))


def _settings(words: tuple[str, ...]) -> dict[str, str]:
    """Options as `NAME=VALUE`."""
    for word in words:
        if "=" not in word:
            raise click.BadParameter(f"set: expected NAME=VALUE, not {shorten(word)!r}")
    return dict(word.split("=", 1) for word in words)


@click.command
@click.argument("first")
@click.argument("second")
@click.option("--name1", metavar="NAME", help="What to call the first engine.")
@click.option("--name2", metavar="NAME", help="What to call the second engine.")
@click.option("--set1", multiple=True, metavar="NAME=VALUE", help="A UCI option of the first.")
@click.option("--set2", multiple=True, metavar="NAME=VALUE", help="A UCI option of the second.")
@click.option(
    "--rules", default="abapa", metavar="NAME", show_default=True, help="The rules, as elsewhere."
)
@click.option(
    "--openings",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Openings, one a line: rules and moves; -: standard input. Else random ones, eight plies.",
)
@click.option(
    "--seed",
    type=whole_number(0, 2**31),
    metavar="N",
    default=1,
    help="For random openings, and the choices of `random` and of levels below 6.",
)
@click.option(
    "--games",
    type=whole_number(1, 10**6),
    metavar="N",
    help=f"How many. Default: two for each opening of the file, else {DEFAULT_GAMES}.",
)
@click.option("--time", type=seconds, help=f"Seconds a move [{DEFAULT_SECONDS}].")
@click.option("--nodes", type=whole_number(1, MAX_NODES), metavar="N", help="Nodes a move.")
@click.option("--depth", type=whole_number(1, MAX_DEPTH), metavar="N", help="Plies a move.")
@click.option("--clock", type=_clock, metavar="S+S", help="Seconds a game, and more each move.")
@click.option(
    "--patience",
    type=seconds,
    default=Pace.patience,
    show_default=True,
    metavar="SECONDS",
    help="How long a move may take where no time is set, and an engine to start.",
)
@click.option(
    "--time-margin",
    type=whole_number(0, 10**7),
    metavar="MS",
    help="Milliseconds beyond its time after which a move loses the game "
    f"[{round(Pace.time_margin * 1000)}].",
)
@click.option(
    "--concurrency", type=whole_number(1, 256), metavar="N", default=1, help="Games at once."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the games in an OGN file; the same command again goes on where it was cut off.",
)
@click.option("--sprt", type=_sprt, metavar="ELO0,ELO1", help="End when this test is decided.")
@json_option
def command(
    first: str,
    second: str,
    name1: str | None,
    name2: str | None,
    set1: tuple[str, ...],
    set2: tuple[str, ...],
    rules: str,
    openings: Path | None,
    seed: int,
    games: int | None,
    time: float | None,
    nodes: int | None,
    depth: int | None,
    clock: tuple[float, float] | None,
    patience: float,
    time_margin: int | None,
    concurrency: int,
    output: Path | None,
    sprt: Sprt | None,
    as_json: bool,
) -> int:
    """Play two engines against each other, every opening from both sides.

    FIRST and SECOND are engines: `wari` with options ("wari Threads=2 Evaluation=material"), the
    command line of any program that speaks UCI, `level:N` (1 to 9, as in `wari play`), or `random`.
    The score is the first engine's, with 95 % intervals. Exit codes: 0 done, 1 the test says that
    the first is not stronger by ELO1, 2 bad input, 130 interrupted.
    """
    if time is None and nodes is None and depth is None and clock is None:
        time = DEFAULT_SECONDS
    chosen = Rules.parse(rules)
    if openings is not None:
        is_piped = str(openings) == STANDARD_INPUT
        lines = read_openings(_piped() if is_piped else openings, chosen)
    else:
        lines = random_openings(chosen, ((games or DEFAULT_GAMES) + 1) // 2, seed)
    match = Match(
        parse_player(first, name1, _settings(set1), seed),
        parse_player(
            second, name2 or (f"{second} 2" if first == second else None), _settings(set2), seed
        ),
        Pace(
            *(time, nodes, depth, clock),
            time_margin=Pace.time_margin if time_margin is None else time_margin / 1000,
            patience=patience,
        ),
        chosen,
        lines,
        games or 2 * len(lines),
        output,
        concurrency,
        sprt,
    )
    try:
        _play(match, quiet=as_json)
    finally:
        if match.played:
            _print_end(match, as_json)
    return NO if match.verdict == "elo0" else OK


def _play(match: Match, quiet: bool) -> None:
    """Plays, with a live table on a terminal and a line for each game elsewhere."""
    screen = Screen()
    if quiet:
        match.run()
    elif screen.terminal:
        from rich.live import Live
        from rich.text import Text

        with Live(Text("starting"), refresh_per_second=4) as live:
            match.run(lambda _: live.update(Text(_shown(match))))
    else:
        match.run(lambda played: click.echo(escape_control(_line(match, played))))


def _line(match: Match, played: Played) -> str:
    """A game in a line."""
    seats = (match.first.name, match.second.name)
    south, north = seats if played.first_is_south else reversed(seats)
    fault = f"  {played.fault}" if played.fault else ""
    score = sum(game.points for game in match.played.values())
    return (
        f"game {played.number + 1:>4}  {south} {played.result} {north}  "
        f"{score:g}/{len(match.played)}{fault}"
    )


def _print_end(match: Match, as_json: bool) -> None:
    if as_json:
        print_json(_as_json(match))
    else:
        click.echo(_shown(match))


def _shown(match: Match) -> str:
    """The state of the match; names and faults may hold what an engine said."""
    return "\n".join(map(escape_control, _block(match)))


def _block(match: Match) -> list[str]:
    """The state of a match, aligned."""
    summary = match.summary
    rows = [
        ("match", f"{match.first.name} against {match.second.name}"),
        ("rules", f"{match.rules}, {match.pace}"),
        ("games", f"{summary.games} of {match.games}: {_results(summary)}"),
        ("score", f"{summary.score:.1%} \u00b1 {summary.error:.1%}"),
        ("elo", f"{summary.elo:+.0f} [{summary.elo_low:+.0f}, {summary.elo_high:+.0f}]"),
        ("seeds", f"{summary.margin:+.2f} a game"),
    ]
    faults = sum(game.fault is not None for game in match.played.values())
    if faults:
        rows.append(("faults", f"{faults} games ended by an engine's fault"))
    if any(over.moves for over in match.overruns):
        names = (match.first.name, match.second.name)
        rows.append(("late", ", ".join(map(_late, names, match.overruns))))
    if match.sprt is not None:
        low, high = match.sprt.bounds
        ratio = match.sprt.ratio(match.pair_scores())
        test = f"{match.sprt.elo0:g} or {match.sprt.elo1:g} Elo"
        where = f"{ratio:+.2f} in [{low:.2f}, {high:.2f}]"
        rows.append(("sprt", f"{test}: {where}, {_verdict(match)}"))
    return [f"{name:<7}{text}" for name, text in rows]


def _late(name: str, over: Overruns) -> str:
    """The moves of an engine that took too long."""
    worst = f" (at most {over.longest:.3f} s over)" if over.moves else ""
    return f"{name} {over.moves} moves{worst}"


def _results(summary: Summary) -> str:
    return f"{summary.wins} won, {summary.draws} drawn, {summary.losses} lost"


def _verdict(match: Match) -> str:
    if match.verdict is None or match.sprt is None:
        return "not decided"
    elo = match.sprt.elo1 if match.verdict == "elo1" else match.sprt.elo0
    return f"decided for {elo:g}"


def _as_json(match: Match) -> dict[str, Any]:
    summary = match.summary
    return {
        "schema": "wari.match",
        "version": 1,
        "first": match.first.name,
        "second": match.second.name,
        "rules": str(match.rules),
        "pace": str(match.pace),
        "games": summary.games,
        "wins": summary.wins,
        "draws": summary.draws,
        "losses": summary.losses,
        "score": round(summary.score, 6),
        "score_error": round(summary.error, 6),
        "elo": round(summary.elo, 2),
        "elo_interval": [round(summary.elo_low, 2), round(summary.elo_high, 2)],
        "seeds_per_game": round(summary.margin, 4),
        "faults": [game.fault for game in match.played.values() if game.fault],
        "overruns": [
            {"moves": over.moves, "longest": round(over.longest, 3)} for over in match.overruns
        ],
        "sprt": None
        if match.sprt is None
        else {
            "elo0": match.sprt.elo0,
            "elo1": match.sprt.elo1,
            "ratio": round(match.sprt.ratio(match.pair_scores()), 4),
            "verdict": match.verdict,
        },
        "games_played": [
            {
                "round": game.number + 1,
                "south": match.first.name if game.first_is_south else match.second.name,
                "result": game.result,
                "winner": game.winner,
            }
            for _, game in sorted(match.played.items())
        ],
    }
