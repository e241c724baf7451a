"""The command line `wari`: the entry point, exit codes, and errors as one line.

Owns: how a run ends. Must not know: any command. Imports are inside the functions, so that
`wari --help` starts quickly and `import wari` never meets click.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

OK = 0
NO = 1  # the answer is "no": a check failed
BAD_INPUT = 2
BY_SIGNAL = 128  # and the number of the signal, as shells write it
INTERRUPTED = 130  # Ctrl-C
PATIENCE = 10.0  # seconds after Ctrl-C in which another one changes nothing


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    if arguments is None:
        _open_what_is_closed()
        _end_with_the_reader()
    import click

    from wari._threads import NO_THREADS, is_refusal
    from wari.cli.app import cli
    from wari.errors import CancelledError, WariError

    try:
        if arguments is None:
            _interrupt_once()
        code = cli.main(
            None if arguments is None else list(arguments),
            prog_name="wari",
            standalone_mode=False,
        )
        sys.stdout.flush()
        return int(code or OK)
    except (KeyboardInterrupt, click.Abort, CancelledError):
        if arguments is None:
            _interrupt_no_more()
        complain("interrupted", label="")
        return INTERRUPTED
    except click.ClickException as error:
        complain(_in_words(error))
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        complain(name + os_words(error))
    except WariError as error:
        complain(str(error))
    except RuntimeError as error:
        if not is_refusal(error):
            raise
        complain(NO_THREADS)
    except MemoryError:
        complain("memory: there is not enough for this command")
    return BAD_INPUT


def signals_to_end() -> list[int]:
    """The signals that ask a program to end, where there are such: SIGTERM and SIGHUP."""
    import signal

    return [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ending_in_good_order() -> Iterator[None]:
    """While signals that ask to end raise SystemExit, with the code of shells: 128 and the number.

    What is worth keeping can be reported then.
    """
    import signal
    import threading

    def end(number: int, _: object) -> None:
        raise SystemExit(BY_SIGNAL + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = [one for one in signals_to_end() if signal.getsignal(one) == signal.SIG_DFL]
    for one in wanted:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one in wanted:
            signal.signal(one, signal.SIG_DFL)


def complain(message: str, label: str = "error: ") -> None:
    """One line on standard error, whatever the message holds."""
    import click

    from wari._escape import escape_control

    click.echo(f"wari: {label}{escape_control(message)}", err=True)


def os_words(error: OSError) -> str:
    """What the operating system refused."""
    return error.strerror or str(error)


def _in_words(error: "click.ClickException") -> str:
    """A click error as `field: message`."""
    import click

    if isinstance(error, click.MissingParameter) and error.param is not None:
        field = error.param.name
        if isinstance(error.param, click.Argument) and error.ctx is not None:
            return f"{field}: missing; {error.ctx.get_usage().replace('Usage:', 'usage:')}"
        return f"{field}: missing; it is given with {error.param.opts[0]}"
    if isinstance(error, click.NoSuchOption):
        given = error.option_name
        if given[1:2].isascii() and given[1:2].isdigit():
            return f"position: expected counts from 0 to 96, not one that begins with {given!r}"
        near = f"; is it {' or '.join(error.possibilities)}?" if error.possibilities else ""
        return f"option: {given!r} is none of this command's{near}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return f"{error.param.name}: {error.message}"
    text = str(error.format_message()).strip().rstrip(".")
    return text[:1].lower() + text[1:]


def _open_what_is_closed() -> None:
    """Standard streams that are closed: no input, and output that nobody reads.

    Else the first file that is opened would take their place, and be written to.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            descriptor = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
        if getattr(sys, name) is None:
            stream = open(number, "r" if number == 0 else "w", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _interrupt_once() -> None:
    """The first Ctrl-C ends the run in good order; more of them do not disturb that.

    Should it take longer than people have patience for, the next one ends the run at once.
    """
    import signal
    import time

    import wari_start

    first: list[float] = []

    def interrupt(*_: object) -> None:
        if not first:
            first.append(time.monotonic())
            raise KeyboardInterrupt
        if time.monotonic() - first[0] > PATIENCE:
            os._exit(INTERRUPTED)

    if signal.getsignal(signal.SIGINT) is wari_start.end:
        signal.signal(signal.SIGINT, interrupt)


def _interrupt_no_more() -> None:
    """All that is left is to end; Python would give Ctrl-C back to the system before it has."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_with_the_reader() -> None:
    """As other Unix tools: when the reader of a pipe goes away, end quietly (141 to a shell)."""
    import signal

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
