"""Matches between engines: fair, counted with error bars, and able to go on after an interruption.

Owns: the public names. The parts: `openings`, `players` (engines and one game), `runner` (all games
and their file), `statistics`.
"""

from wari.match.openings import random_openings, read_openings
from wari.match.players import Duel, Pace, Player
from wari.match.runner import Match, Played
from wari.match.statistics import Sprt, Summary, summarise

__all__ = [
    "Duel",
    "Match",
    "Pace",
    "Played",
    "Player",
    "Sprt",
    "Summary",
    "random_openings",
    "read_openings",
    "summarise",
]
