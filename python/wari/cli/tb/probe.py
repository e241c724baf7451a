"""`wari tb probe`: what a table knows of a position."""

from typing import Any, NamedTuple

import click

from wari import Game, MissingTableError, Position, Rules, Tablebase, TableProbe, cache
from wari._escape import escape_control
from wari.cli import NO, OK, complain
from wari.cli.board import SIDE_NAMES
from wari.cli.options import json_option, moves_option, rules_options, set_up
from wari.cli.screen import Screen, print_json, table
from wari.cli.tables import tablebase_option
from wari.cli.tb.common import signed, table_for
from wari.cli.words import result_sentence
from wari.engine import AUTO_TABLE_SEEDS

REASONS = {
    "exact": "exact: best play of both sides leads to this",
    "bounds": "bounds: what each side can be sure of; a cycle may decide the rest",
    "history_ignored": "history ignored: no table knows which earlier positions could recur",
}


class MoveValue(NamedTuple):
    """What a legal move is worth to the side that makes it."""

    move: str
    lower: int
    upper: int


@click.command("probe")
@click.argument("position")
@moves_option
@tablebase_option
@json_option
@rules_options
def command(rules: Rules, position: str, moves: str, tablebase: str, as_json: bool) -> int:
    """Say what POSITION is worth, by table alone, and which moves are best.

    Values are net future seeds: what the side to move will still collect, less what the other side
    will. Best moves come with the plies to the next capture or end on a line that keeps the value.
    Exit code 1 when the position holds more seeds than the table.
    """
    game = set_up(rules, position, moves)
    seeds = sum(game.position.pits)
    base = table_for(tablebase, rules, seeds if seeds <= AUTO_TABLE_SEEDS else 0)
    try:
        found = base.probe(game)
    except MissingTableError:
        complain(
            f"position: {seeds} seeds on the board, the table for "
            f"{cache.table_rules_text(rules)} ends at {base.seeds}",
            label="",
        )
        return NO
    values = every_move(base, game.position)
    if as_json:
        print_json(_as_json(game, base, found, values))
    else:
        _print_text(game, base, found, values)
    return OK


def every_move(base: Tablebase, position: Position) -> list[MoveValue]:
    """The value of each move, as if majority stopped nothing; none where the game is over."""
    rules = position.rules.replace(majority=False)
    start = Position.from_counts(position.pits, position.stores, position.side, rules)
    side, other = position.side, "N" if position.side == "S" else "S"
    lead_before = _lead(start, side)
    values = []
    for move in start.legal_moves():
        after = start.play(move)
        if after.result is not None:
            gained = after.result.margin(side) - lead_before
            values.append(MoveValue(move, gained, gained))
            continue
        known = base.probe(after)
        gained = _lead(after, side) - lead_before
        assert after.side == other
        values.append(MoveValue(move, gained - known.upper, gained - known.lower))
    return values


def _lead(position: Position, side: str) -> int:
    south, north = position.stores
    return south - north if side == "S" else north - south


def _print_text(game: Game, base: Tablebase, found: TableProbe, values: list[MoveValue]) -> None:
    screen = Screen()
    place = "in memory" if base.path is None else escape_control(base.path)
    side = SIDE_NAMES[game.position.side]
    screen.say(f"position {game.position}, rules {game.rules}")
    screen.say(f"{base.kind} table of up to {base.seeds} seeds, {place}\n")
    if game.result is not None:
        screen.say(f"The game is over. {result_sentence(game.result)}", "good")
        return
    screen.say(f"value     {_span(found.lower, found.upper)} net future seeds for {side}")
    screen.say(f"reason    {REASONS[found.reason]}")
    if base.kind == "force":
        screen.say(f"sure of   {side} {found.mover}, the other side {found.other}")
    if found.distance:
        plies = "ply" if found.distance == 1 else "plies"
        screen.say(f"distance  {found.distance} {plies} to the next capture or end")
    screen.say()
    best = {move.move: move for move in found.moves}
    order = [move.move for move in found.moves]
    order += [value.move for value in values if value.move not in best]
    by_move = {value.move: value for value in values}
    rows = []
    for move in order:
        distance = str(best[move].distance or "-") if move in best else ""
        span = _span(by_move[move].lower, by_move[move].upper)
        rows.append([move, span, "best" if move in best else "", distance])
    screen.lines(table(["move", "value", "", "distance"], rows, "lrlr"))


def _span(lower: int, upper: int) -> str:
    """A value, or its bounds: +3, 0, -2 to +4."""
    return signed(lower) if lower == upper else f"{signed(lower)} to {signed(upper)}"


def _as_json(
    game: Game, base: Tablebase, found: TableProbe, values: list[MoveValue]
) -> dict[str, Any]:
    return {
        "schema": "wari.tb.probe",
        "version": 1,
        "position": str(game.position),
        "rules": str(game.rules),
        "side": game.position.side,
        "moves": list(game.moves),
        "over": game.is_over,
        "table": {"kind": base.kind, "seeds": base.seeds, "path": base.path},
        "lower": found.lower,
        "upper": found.upper,
        "value": found.value,
        "reason": found.reason,
        "words": REASONS[found.reason],
        "mover": found.mover,
        "other": found.other,
        "distance": found.distance,
        "best": []
        if game.is_over
        else [
            {"move": m.move, "lower": m.lower, "upper": m.upper, "distance": m.distance}
            for m in found.moves
        ],
        "values": [] if game.is_over else [value._asdict() for value in values],
    }
