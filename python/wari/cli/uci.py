"""`wari uci`: the engine for a GUI."""

import click


@click.command
def command() -> None:
    """Speak UCI, oware's dialect, on standard input and output, for a GUI to drive.

    The rules are abapa, as all GUIs assume, until the option Rules says otherwise. The commands and
    options are in docs/uci.md. Exit codes: 0 after quit or the end of the input, 2 for a line
    without end or where no search can be started, 130 interrupted.
    """
    from wari.uci.server import serve

    serve()
