"""`wari bench`: a search of fixed positions that says whether the engine is the same, and how fast.

Owns: the positions, the total as a signature. Must not know: how the engine searches.
"""

import click

from wari import Position
from wari.cli import NO, OK, complain
from wari.cli.options import MAX_NODES, json_option, whole_number
from wari.cli.screen import Screen, print_json, table
from wari.engine import Engine

HASH_MB = 16

# Rules, position, depth. Openings, middle games and endgames; every preset, a lap, a slam, a pass.
POSITIONS = (
    ("wari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 17),
    ("abapa", "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", 17),
    ("awari", "5-5-1-5-5-5-5-4-4-4-0-5-0-0-S", 16),
    ("cairo", "7-6-6-6-2-0-6-6-2-6-6-1-0-0-N", 15),
    ("nostarve", "9-0-0-1-18-1-0-0-0-0-0-0-19-0-S", 21),
    ("singles", "1-2-0-2-3-1-1-0-4-2-0-5-14-13-S", 26),
    ("ouri", "0-8-2-1-0-3-1-1-0-6-2-2-11-11-N", 26),
    ("abapa", "2-1-1-2-2-2-3-0-0-8-0-1-13-13-N", 22),
    ("wari", "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S", 28),
    ("awari", "3-0-12-1-2-0-4-1-0-2-3-1-9-10-S", 17),
)


@click.command("bench")
@click.option(
    "--expect",
    type=whole_number(1, MAX_NODES),
    metavar="NODES",
    help="Compare the total with this number; exit with 1 when it differs.",
)
@json_option
def command(expect: int | None, as_json: bool) -> int:
    """Search fixed positions to fixed depths on one thread.

    The total of the nodes is a signature: it is the same on every machine and changes only when the
    search does. The speed is the machine's.
    """
    runs = [_run(*entry) for entry in POSITIONS]
    nodes = sum(int(run["nodes"]) for run in runs)
    seconds = sum(float(run["seconds"]) for run in runs)
    speed = nodes / seconds if seconds > 0 else 0.0
    if as_json:
        print_json(
            {
                "schema": "wari.bench",
                "version": 1,
                "nodes": nodes,
                "seconds": round(seconds, 6),
                "nps": round(speed),
                "positions": runs,
            }
        )
    else:
        screen = Screen()
        heads = ["rules", "position", "depth", "nodes", "best"]
        rows = [[str(run[key]) for key in heads] for run in runs]
        screen.lines(table(heads, rows, "llrrl"))
        screen.say(f"\nnodes {nodes}\nspeed {speed / 1e6:.2f} million nodes/s ({seconds:.2f} s)")
    if expect is not None and expect != nodes:
        complain(f"nodes: expected {expect}, not {nodes}", label="")
        return NO
    return OK


def _run(rules: str, position: str, depth: int) -> dict[str, str | int | float]:
    with Engine(threads=1, hash_mb=HASH_MB) as engine:
        analysis = engine.analyse(Position.parse(position, rules), depth=depth, multipv=1)
    return {
        "rules": rules,
        "position": position,
        "depth": depth,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6),
        "best": analysis.lines[0].move,
    }
