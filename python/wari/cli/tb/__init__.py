"""`wari tb`: the group of commands about tables.

Owns: names, where each command lives, its line in `wari tb --help`. Must not know: what they do.
"""

import click

from wari.cli.app import LazyGroup

# name: (module, help line). The module holds a click command called `command`.
COMMANDS = {
    "build": ("wari.cli.tb.build", "Build the tables of a rule set, or more layers of them."),
    "verify": (
        "wari.cli.tb.verify",
        "Verify a table: solve it again, compare, and check by the rules.",
    ),
    "probe": ("wari.cli.tb.probe", "Say what a table knows of a position."),
    "stats": ("wari.cli.tb.stats", "Count how many boards of each layer have each value."),
    "list": ("wari.cli.tb.show", "List the tables in the cache."),
    "remove": ("wari.cli.tb.remove", "Remove tables from the cache."),
}


@click.command("tb", cls=LazyGroup, members=COMMANDS, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Build, verify and ask endgame tables.

    Tables are kept in the folder that the environment variable WARI_CACHE names, or where the
    system keeps caches; analyse, play, review and uci find them there.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
