"""The list of commands."""

import importlib
from collections.abc import Mapping
from typing import Any

import click

# name: (module, help line). The module holds a click command called `command`.
COMMANDS = {
    "play": ("wari.cli.play", "Play against the engine or each other, or watch it play."),
    "analyse": ("wari.cli.analyse", "Give the value and the line of every move of a position."),
    "review": ("wari.cli.review", "Judge every move of a game: mistakes, better lines, accuracy."),
    "solve": ("wari.cli.solve", "Prove who wins a position, and by how much."),
    "perft": ("wari.cli.perft", "Count the leaves of the game tree."),
    "rules": ("wari.cli.rules", "Explain the presets and the rule axes."),
    "uci": ("wari.cli.uci", "Speak UCI, oware's dialect, for a GUI to drive."),
    "match": ("wari.cli.match", "Play two engines against each other, with error bars."),
    "tb": ("wari.cli.tb", "Build, prove and ask endgame tables."),
    "bench": ("wari.cli.bench", "Search fixed positions: a signature and a speed."),
    "completion": ("wari.cli.completion", "Print what makes a shell complete commands."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported at first need."""

    def __init__(self, *args: Any, members: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.members = members

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the list."""
        return list(self.members)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in self.members:
            return None
        command = importlib.import_module(self.members[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with an error of our form for an unknown name."""
        if args and args[0] not in self.members and not args[0].startswith("-"):
            raise click.UsageError(
                f"command: expected one of {', '.join(self.members)}, not {args[0]!r}", ctx
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help lines, without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.members.items()])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from wari import _core

    click.echo(f"wari {_core.__version__} ({_core.COMPILER}, {_core.instruction_set()})")
    ctx.exit()


@click.command(
    cls=LazyGroup,
    members=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 the answer is no, 2 bad input, 130 interrupted.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, the compiler and the instruction set, then exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Wari, a mancala game: play it, analyse it, count it."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
