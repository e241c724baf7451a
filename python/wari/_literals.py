"""The words that results are made of, as types."""

from typing import Literal, TypeAlias

Side: TypeAlias = Literal["S", "N"]
"""South or North."""

EndingReason: TypeAlias = Literal[
    "emptied",
    "forfeit",
    "majority",
    "empty_board",
    "repetition",
    "stuck",
    "agreement",
    "resignation",
    "time",
]
"""Why a game is over; `wari.ENDINGS` has a sentence for each."""

RefusalReason: TypeAlias = Literal[
    "game_over",
    "not_your_pit",
    "empty_pit",
    "single_seed",
    "must_feed",
    "slam_forbidden",
    "cannot_pass",
]
"""Why a move may not be played; `wari.REFUSALS` has a sentence for each."""

Bound: TypeAlias = Literal["exact", "lower", "upper", "estimate"]
"""What a score says: the value, at least or at most so much (all proved), or an estimate."""

Source: TypeAlias = Literal["search", "tablebase", "end"]
"""Where a score comes from: search, a tablebase, or the end of the game."""

Verdict: TypeAlias = Literal["win", "draw", "loss", "unknown"]
"""What is proved for the side to move."""

TableKind: TypeAlias = Literal["value", "force"]
"""What a table holds: exact values, or what each side can be sure of."""

VerifyLevel: TypeAlias = Literal["rebuilt", "full"]
"""How a table is verified: solved again, a sample or all of its entries compared by the rules."""
