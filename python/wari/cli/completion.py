"""`wari completion`: the script with which a shell completes commands and options."""

import click
from click.shell_completion import get_completion_class

from wari.cli.options import OneOf

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=OneOf(SHELLS), metavar="[bash|zsh|fish]")
def command(shell: str) -> None:
    """Print what makes SHELL complete commands and options.

    bash: add `eval "$(wari completion bash)"` to ~/.bashrc. zsh: the same with zsh to ~/.zshrc.
    fish: `wari completion fish > ~/.config/fish/completions/wari.fish`.
    """
    from wari.cli.app import cli

    made = get_completion_class(shell)
    assert made is not None  # click has all three
    click.echo(made(cli, {}, "wari", "_WARI_COMPLETE").source())
