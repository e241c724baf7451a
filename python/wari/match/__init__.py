"""Matches between engines: fair, counted with error bars, and able to go on after an interruption.

Owns: the public names. The parts: `openings`, `specs` (what plays), `duel` (one game), `played`
(what it came to), `log` (the file of games), `runner` (all games), `statistics`.
"""

from wari.match.duel import Duel, Pace
from wari.match.openings import random_openings, read_openings
from wari.match.played import Overruns, Played
from wari.match.runner import Match
from wari.match.specs import EngineCommand, LevelSpec, PlayerSpec, RandomSpec, parse_player
from wari.match.statistics import Sprt, Summary, summarise
from wari.players import EnginePlayer, Player, RandomPlayer

__all__ = [
    "Duel",
    "EngineCommand",
    "EnginePlayer",
    "LevelSpec",
    "Match",
    "Overruns",
    "Pace",
    "Played",
    "Player",
    "PlayerSpec",
    "RandomPlayer",
    "RandomSpec",
    "Sprt",
    "Summary",
    "parse_player",
    "random_openings",
    "read_openings",
    "summarise",
]
