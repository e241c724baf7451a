"""Matches between engines: fair, counted with error bars, and able to go on after an interruption.

Owns: the public names. The parts: `openings`, `players` (engines and one game), `played` (what it
came to), `log` (the file of games), `runner` (all games), `statistics`.
"""

from wari.match.openings import random_openings, read_openings
from wari.match.played import Overruns, Played
from wari.match.players import Duel, Pace, Player
from wari.match.runner import Match
from wari.match.statistics import Sprt, Summary, summarise

__all__ = [
    "Duel",
    "Match",
    "Overruns",
    "Pace",
    "Played",
    "Player",
    "Sprt",
    "Summary",
    "random_openings",
    "read_openings",
    "summarise",
]
