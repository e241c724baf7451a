"""Results, scores and analyses in words and as tables, the same in every command.

Owns: the wording. Must not know: where the words are shown.
"""

from typing import TYPE_CHECKING, Any

from wari import ENDINGS, Result
from wari.cli.board import SIDE_NAMES, Line, Span
from wari.cli.screen import table

if TYPE_CHECKING:
    from wari import Game
    from wari.engine import Analysis, Score

BOUNDS = {"exact": "exact", "lower": "at least", "upper": "at most", "estimate": "estimate"}


def result_sentence(result: Result) -> str:
    """Who has won, by how many seeds, and why."""
    verdict = "A draw" if result.winner is None else f"{SIDE_NAMES[result.winner]} wins"
    return f"{verdict}, South {result.south}, North {result.north}: {ENDINGS[result.ending]}."


def score_words(score: "Score") -> str:
    """What kind of number a score is and where it comes from."""
    tags = "".join(f", {tag.replace('_', ' ')}" for tag in score.tags)
    return f"{BOUNDS[score.bound]}, {score.source}{tags}"


def value_text(value: float) -> str:
    """A value with its sign; whole seeds without decimals are still given with two."""
    return f"{value + 0.0:+.2f}" if abs(value) >= 0.005 else "0.00"


def analysis_table(analysis: "Analysis", side: str) -> list[Line]:
    """A line of search figures, then value, kind and line of every move that was searched."""
    speed = f"{analysis.nps / 1e6:.2f} million/s"
    effort = f"depth {analysis.depth}, {analysis.nodes} nodes in {analysis.seconds:.2f} s, {speed}"
    rows = [
        [
            line.move,
            value_text(line.score.value),
            score_words(line.score),
            str(line.depth),
            " ".join(line.pv),
        ]
        for line in analysis.lines
    ]
    return [
        [Span(effort)],
        [Span(f"values are {SIDE_NAMES[side]}'s lead at the end of the game, in seeds")],
        [],
        *table(["move", "value", "kind", "depth", "line"], rows, "lrlrl"),
    ]


def result_json(result: Result | None) -> dict[str, Any] | None:
    """A result for JSON."""
    if result is None:
        return None
    return {
        "south": result.south,
        "north": result.north,
        "winner": result.winner,
        "ending": result.ending,
    }


def analysis_json(game: "Game", analysis: "Analysis | None") -> dict[str, Any]:
    """The part of the analyse schema that depends on the position; None: nothing was searched."""
    head = {
        "schema": "wari.analyse",
        "version": 1,
        "position": str(game.position),
        "rules": str(game.rules),
        "side": game.position.side,
        "moves": list(game.moves),
        "legal": list(game.legal_moves()),
        "over": game.is_over,
        "result": result_json(game.result),
    }
    if analysis is None:
        figures = dict.fromkeys(("depth", "seldepth", "nodes", "nps", "hashfull", "tbhits"), 0)
        return {**head, **figures, "seconds": 0.0, "lines": []}
    return {
        **head,
        "depth": analysis.depth,
        "seldepth": analysis.seldepth,
        "nodes": analysis.nodes,
        "nps": round(analysis.nps),
        "hashfull": analysis.hashfull,
        "tbhits": analysis.tbhits,
        "seconds": round(analysis.seconds, 6),
        "lines": [
            {
                "move": line.move,
                "value": line.score.value + 0.0,  # never -0.0
                "bound": line.score.bound,
                "source": line.score.source,
                "tags": list(line.score.tags),
                "depth": line.depth,
                "pv": list(line.pv),
            }
            for line in analysis.lines
        ],
    }
