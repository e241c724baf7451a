"""A UCI engine that plays the first legal move, or fails in the way its argument names.

Started as a program of its own.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import NoReturn

import wari


def say(line: str) -> None:
    """A line to the client."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def die(words: str, code: int) -> NoReturn:
    """Ends with last words."""
    sys.stderr.write(words + "\n")
    sys.exit(code)


def greet(fault: str) -> None:
    """Answers `uci`."""
    if fault == "no uciok":
        time.sleep(60)
    if fault == "dies at uci":
        die("out of seeds", 3)
    say("id name Fake engine 1.0")
    say("id author nobody at all")
    say("option name Hash type spin default 16 min 1 max 64")
    say("option name Own Style type combo default very calm var very calm var wild")
    say("option name Path type string default <empty>")
    say("option nonsense")
    if fault == "knows rules":
        say("option name Rules type combo default abapa var abapa var wari")
    say("uciok")


def think(position: wari.Game, line: str, fault: str) -> None:
    """Answers `go`."""
    say("info string thinking about " + line)
    if fault == "is slow":
        time.sleep(0.1)
    say("info depth x score cp y pv")
    for depth in (1, 2):
        move = (position.legal_moves() or ("0000",))[0]
        say(f"info depth {depth} score cp 31 time 5 nodes 9 nps 1800 pv {move}")
    if fault == "dies in a search":
        die("no more", 1)
    if fault == "hangs in a search":
        time.sleep(60)
    if fault == "endless line":
        sys.stdout.write("info " * 100_000)
        sys.stdout.flush()
        time.sleep(60)
    if fault == "illegal move":
        move = "x"
    if "infinite" not in line:
        say("bestmove" if fault == "no move" else f"bestmove {move} ponder a")


def main(fault: str) -> None:
    """Obeys until `quit`."""
    game = wari.Game("abapa")
    if fault == "has a child":
        subprocess.Popen(["sleep", "60"], stdin=subprocess.DEVNULL)
    for line in sys.stdin:
        command, *words = line.split()
        if command == "uci":
            greet(fault)
        elif command == "isready":
            say("readyok")
        elif command == "position":
            start = None if words[0] == "startpos" else words[1]
            game = wari.Game("abapa", start)
            if "moves" in words:
                game.push_all(words[-1])
        elif command == "go":
            think(game, line.strip(), fault)
        elif command == "stop":
            say("bestmove F")
        elif command == "quit" and fault != "ignores quit":
            break
    if fault == "ignores quit":
        time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
