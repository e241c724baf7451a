"""`wari tb stats`: how many boards of each layer have each value."""

from typing import Any

import click

from wari import MAX_TABLE_SEEDS, EntryCount, InvalidValueError, Rules, Tablebase, cache
from wari._escape import escape_control
from wari.cli.options import complete_file, json_option, rules_options, whole_number
from wari.cli.screen import Screen, print_json, table
from wari.cli.tables import opened, tablebase_option
from wari.cli.tb.common import signed, table_for, threads_option

Layers = dict[int, tuple[EntryCount, ...]]
BAR = 40  # characters for the most frequent entry


@click.command("stats")
@click.argument("path", required=False, shell_complete=complete_file)
@click.option(
    "--seeds",
    type=whole_number(0, MAX_TABLE_SEEDS),
    metavar="N",
    help="Layers 0 to N. Default: all that the table has.",
)
@click.option(
    "--layer",
    type=whole_number(0, MAX_TABLE_SEEDS),
    metavar="N",
    help="Only the layer of N seeds, with every value.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print every value of every layer as CSV.")
@threads_option
@tablebase_option
@json_option
@rules_options
def command(
    rules: Rules,
    path: str | None,
    seeds: int | None,
    layer: int | None,
    as_csv: bool,
    threads: int,
    tablebase: str,
    as_json: bool,
) -> None:
    """Count how many boards of each layer have each value, in the table of PATH or of the rules.

    Without PATH the table is the one of --tablebase; one that is too small for --seeds or --layer
    is made in memory. In a value table the value is net seeds for the side to move; in a force
    table mover and other are the seeds that each side can be sure of.
    """
    if as_csv and as_json:
        raise click.UsageError("csv: expected at most one of --csv and --json")
    if seeds is not None and layer is not None:
        raise click.UsageError("layer: expected at most one of --seeds and --layer")
    wanted = layer if seeds is None else seeds
    base = opened(path, field="path") if path else table_for(tablebase, rules, wanted or 0)
    if wanted is not None and wanted > base.seeds:
        field = "seeds" if layer is None else "layer"
        raise InvalidValueError(
            f"{field}: expected at most {base.seeds}, which is what {base.path} holds, "
            f"not {wanted}",
            field,
        )
    last = base.seeds if wanted is None else wanted
    layers = base.stats([last] if layer is not None else range(last + 1), threads=threads)
    if as_csv:
        _print_csv(base.kind, layers)
    elif as_json:
        print_json(_as_json(base, layers))
    else:
        _print_text(base, layers, whole=layer is not None)


def _print_csv(kind: str, layers: Layers) -> None:
    value = kind == "value"
    click.echo("seeds,value,positions" if value else "seeds,mover,other,positions")
    for seeds, entries in layers.items():
        for entry in entries:
            known = f"{entry.mover}" if value else f"{entry.mover},{entry.other}"
            click.echo(f"{seeds},{known},{entry.boards}")


def _as_json(base: Tablebase, layers: Layers) -> dict[str, Any]:
    value = base.kind == "value"
    return {
        "schema": "wari.tb.stats",
        "version": 1,
        "rules": cache.table_rules_text(base.rules),
        "kind": base.kind,
        "seeds": base.seeds,
        "path": base.path,
        "layers": [
            {
                "seeds": seeds,
                "boards": sum(entry.boards for entry in entries),
                "entries": [
                    {"value": entry.mover, "positions": entry.boards}
                    if value
                    else {"mover": entry.mover, "other": entry.other, "positions": entry.boards}
                    for entry in entries
                ],
            }
            for seeds, entries in layers.items()
        ],
    }


def _print_text(base: Tablebase, layers: Layers, *, whole: bool) -> None:
    screen = Screen()
    place = "in memory" if base.path is None else escape_control(base.path)
    screen.say(f"{cache.table_rules_text(base.rules)}, {base.kind} table, {place}")
    if base.kind == "value":
        screen.say("values are net seeds still to come for the side to move\n")
    else:
        screen.say("mover and other are the seeds that each side can be sure of, whatever a cycle")
        screen.say("is worth; exact: together they are all seeds\n")
    if whole:
        for entries in layers.values():
            _print_layer(screen, base.kind, entries)
    elif base.kind == "value":
        _print_values(screen, layers)
    else:
        _print_forces(screen, layers)


def _print_layer(screen: Screen, kind: str, entries: tuple[EntryCount, ...]) -> None:
    """Every entry of one layer, with a bar."""
    boards = sum(entry.boards for entry in entries)
    most = max(entry.boards for entry in entries)
    sign = "█" if screen.unicode else "#"
    rows = []
    for entry in entries:
        known = [signed(entry.mover)]
        if kind == "force":
            known = [str(entry.mover), str(entry.other)]
        bar = sign * round(BAR * entry.boards / most)
        rows.append([*known, str(entry.boards), _share(entry.boards, boards), bar])
    heads = ["value"] if kind == "value" else ["mover", "other"]
    screen.lines(table([*heads, "positions", "share", ""], rows, "r" * (len(heads) + 2) + "l"))


def _print_values(screen: Screen, layers: Layers) -> None:
    rows = []
    for seeds, entries in layers.items():
        boards = sum(entry.boards for entry in entries)
        signs = [0, 0, 0]  # drawn, won, lost
        for entry in entries:
            signs[(entry.mover > 0) - (entry.mover < 0)] += entry.boards
        mean = sum(entry.mover * entry.boards for entry in entries) / boards
        shares = [_share(signs[which], boards) for which in (1, 0, -1)]
        ends = [signed(entries[0].mover), signed(entries[-1].mover)]
        rows.append([str(seeds), str(boards), *shares, *ends, f"{mean:+.3f}"])
    heads = ["seeds", "boards", "won", "drawn", "lost", "least", "most", "mean"]
    screen.lines(table(heads, rows, "r" * len(heads)))


def _print_forces(screen: Screen, layers: Layers) -> None:
    rows = []
    for seeds, entries in layers.items():
        boards = sum(entry.boards for entry in entries)
        exact = sum(entry.boards for entry in entries if entry.mover + entry.other == seeds)
        means = [
            sum(getattr(entry, side) * entry.boards for entry in entries) / boards
            for side in ("mover", "other")
        ]
        rows.append([str(seeds), str(boards), _share(exact, boards), *(f"{m:.3f}" for m in means)])
    screen.lines(table(["seeds", "boards", "exact", "mover", "other"], rows, "rrrrr"))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
