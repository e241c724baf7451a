"""The command line `wari`: the entry point, exit codes, and errors as one line.

Owns: how a run ends. Must not know: any command. Imports are inside the functions, so that
`wari --help` starts quickly and `import wari` never meets click.
"""

import sys
from collections.abc import Sequence

OK = 0
NO = 1  # the answer is "no": a check failed
BAD_INPUT = 2
INTERRUPTED = 130  # Ctrl-C, as shells write it
BROKEN_PIPE = 141  # the reader of a pipe went away, as shells write it


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    import click

    from wari.cli.app import cli
    from wari.errors import CancelledError, WariError

    try:
        code = cli.main(
            None if arguments is None else list(arguments),
            prog_name="wari",
            standalone_mode=False,
        )
        sys.stdout.flush()
        return int(code or OK)
    except (KeyboardInterrupt, click.Abort, CancelledError):
        complain("interrupted", label="")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return BROKEN_PIPE
    except click.ClickException as error:
        complain(_in_words(error))
    except WariError as error:
        complain(str(error))
    except MemoryError:
        complain("memory: expected enough for this command, but there is not")
    except OSError as error:
        complain(os_words(error))
    return BAD_INPUT


def complain(message: str, label: str = "error: ") -> None:
    """One line on standard error, whatever the message holds."""
    line = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(message.split("\n")))
    print(f"wari: {label}{line}", file=sys.stderr, flush=True)


def os_words(error: OSError) -> str:
    """What the operating system refused, with the file."""
    name = f"{error.filename}: " if error.filename is not None else ""
    return f"{name}{error.strerror or error}"


def _in_words(error: "click.ClickException") -> str:  # noqa: F821
    """A click error as `field: message`."""
    import click

    if isinstance(error, click.MissingParameter) and error.param is not None:
        return f"{error.param.name}: expected {error.param.get_error_hint(error.ctx)}, but it is missing"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return f"{error.param.name}: {error.message}"
    text = error.format_message().strip().rstrip(".")
    return text[:1].lower() + text[1:]


def _forget_output() -> None:
    """Nobody reads standard output any more: keep the interpreter from complaining at exit."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
