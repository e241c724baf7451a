"""`wari bench`: a search of fixed positions that says whether the engine is the same."""

import click

from wari.bench import bench
from wari.cli import NO, OK, complain
from wari.cli.options import MAX_NODES, OneOf, json_option, whole_number
from wari.cli.screen import Screen, print_json, table
from wari.engine import EVALUATIONS

DEEPER = 0  # plies beyond those of the signature


@click.command("bench")
@click.option(
    "--expect",
    type=whole_number(1, MAX_NODES),
    metavar="NODES",
    help="Compare the total with this number; exit with 1 when it differs.",
)
@click.option(
    "--evaluation",
    type=OneOf(EVALUATIONS),
    default=EVALUATIONS[-1],
    show_default=True,
    metavar="KIND",
    help=f"How positions are valued: {', '.join(EVALUATIONS)}.",
)
@json_option
def command(expect: int | None, evaluation: str, as_json: bool) -> int:
    """Search fixed positions to fixed depths on one thread.

    The total of the nodes is a signature: it is the same on every machine and changes only when the
    search does. The speed is the machine's, in nodes for each second of the processor.
    """
    entries = bench(evaluation, deeper=DEEPER)
    nodes = sum(entry.nodes for entry in entries)
    seconds = sum(entry.seconds for entry in entries)
    speed = nodes / seconds if seconds > 0 else 0.0
    if as_json:
        print_json(
            {
                "schema": "wari.bench",
                "version": 1,
                "evaluation": evaluation,
                "nodes": nodes,
                "seconds": round(seconds, 6),
                "nps": round(speed),
                "positions": [entry._asdict() for entry in entries],
            }
        )
    else:
        screen = Screen()
        heads = ["rules", "position", "depth", "nodes", "best"]
        rows = [[str(getattr(entry, head)) for head in heads] for entry in entries]
        screen.lines(table(heads, rows, "llrrl"))
        screen.say(f"\nnodes {nodes}\nspeed {speed / 1e6:.2f} million nodes/s ({seconds:.2f} s)")
    if expect is not None and expect != nodes:
        complain(f"nodes: expected {expect}, not {nodes}", label="")
        return NO
    return OK
