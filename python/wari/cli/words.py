"""Results, scores and analyses in words and as tables, the same in every command."""

from typing import TYPE_CHECKING, Any

from wari import ENDINGS, Result
from wari.cli.board import Line, Span, side_name
from wari.cli.language import mark, tr
from wari.cli.screen import table

if TYPE_CHECKING:
    from wari import Game
    from wari.engine import Analysis, Score

BOUNDS = {
    "exact": mark("exact"),
    "lower": mark("at least"),
    "upper": mark("at most"),
    "estimate": mark("estimate"),
}
SOURCES = {"search": mark("search"), "tablebase": mark("tablebase"), "end": mark("end")}
HEADS = (mark("move"), mark("value"), mark("kind"), mark("depth"), mark("line"))
TAGS = {"history_ignored": mark("history ignored")}


def result_sentence(result: Result) -> str:
    """Who has won, by how many seeds, and why."""
    winner = result.winner
    return tr(
        "{verdict}, South {south}, North {north}: {reason}.",
        verdict=tr("{side} wins", side=side_name(winner)) if winner else tr("A draw"),
        south=result.south,
        north=result.north,
        reason=tr(ENDINGS[result.ending]),
    )


def score_words(score: "Score") -> str:
    """What kind of number a score is and where it comes from."""
    words = [BOUNDS[score.bound], SOURCES[score.source], *(TAGS[tag] for tag in score.tags)]
    return ", ".join(map(tr, words))


def value_text(value: float) -> str:
    """A value with its sign; whole seeds without decimals are still given with two."""
    return f"{value + 0.0:+.2f}" if abs(value) >= 0.005 else "0.00"


def analysis_table(analysis: "Analysis", side: str) -> list[Line]:
    """A line of search figures, then value, kind and line of every move that was searched."""
    effort = tr(
        "depth {depth}, {nodes} nodes in {seconds} s, {speed} million/s",
        depth=analysis.depth,
        nodes=analysis.nodes,
        seconds=f"{analysis.seconds:.2f}",
        speed=f"{analysis.nps / 1e6:.2f}",
    )
    lead = side_name(side)
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
        [Span(tr("values are {side}'s lead at the end of the game, in seeds", side=lead))],
        [],
        *table([tr(head) for head in HEADS], rows, "lrlrl"),
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
