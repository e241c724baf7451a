"""`wari play` on the full screen of a terminal, with Textual.

Owns: when the full screen can be used, and its beginning and end. Textual is imported when it runs.
"""

import os
import shutil
import sys
from contextlib import nullcontext, suppress

from wari.cli import BY_SIGNAL, INTERRUPTED, NO
from wari.cli.game_session import GameSession
from wari.cli.screen import Screen
from wari.levels import Engines

COLUMNS, LINES = 80, 24  # the least it needs


def roomy(columns: int, lines: int) -> bool:
    """Whether a screen of that size has room for the board."""
    return columns >= COLUMNS and lines >= LINES


def fits() -> bool:
    """Whether a person sits at a terminal that can show it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    return roomy(*shutil.get_terminal_size()) and Screen().unicode


def _say_goodbye(partings: list[str], session: GameSession) -> None:
    """How the game ended, and how to have back what was not saved."""
    screen = Screen()
    if ending := session.ending():
        screen.say(ending, "good", wrap=True)
    for line in [*partings, *session.parting()]:
        screen.say(line)


def run(session: GameSession, engines: Engines, *, animated: bool) -> int:
    """Play until somebody leaves; the exit code says how. Then say how to have the game back."""
    from wari.cli.tui.app import Table

    table = Table(session, engines, animated=animated)
    try:
        code = table.run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    with suppress(OSError) if code is not None and code > BY_SIGNAL else nullcontext():
        _say_goodbye(table.partings, session)
    if table.fault is not None:
        raise table.fault
    if code is None:  # nobody has left: the screen itself has failed, and has said so
        return table.return_code or NO
    return int(code)
