"""The start of the command line: from here on Ctrl-C ends it with exit code 130, and no traceback.

Owns: Ctrl-C while wari is imported, until wari.cli takes it over. Must not know: anything of wari,
whose import is what takes the time. Before this module Python itself starts; Ctrl-C there is its.
"""

INTERRUPTED = 130

try:
    import os
    import signal

    def end(*_: object) -> None:
        """Ends at once: nothing has begun."""
        try:
            os.write(2, b"wari: interrupted\n")
        finally:
            os._exit(INTERRUPTED)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)
except KeyboardInterrupt:
    raise SystemExit(INTERRUPTED) from None


def main() -> int:
    """Run one command line and return its exit code."""
    from wari.cli import main

    return main()
