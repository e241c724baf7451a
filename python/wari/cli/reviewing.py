"""The review of the game at the board, in the language that it is played in."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from wari import Engine, Game, InvalidValueError
from wari.cli.board import Line, Span, side_name
from wari.cli.files import file_errors, path_of
from wari.cli.language import mark, tr, trn
from wari.cli.players import Players, to_tags
from wari.cli.words import result_sentence

if TYPE_CHECKING:
    from wari.review import Judged, Review

REVIEW_SECONDS = 0.2  # for each position
GRAPH_WIDTH = 66
KINDS = {
    "blunder": mark("blunder"),
    "mistake": mark("mistake"),
    "inaccuracy": mark("inaccuracy"),
}


def reviewed(
    game: Game, engine: Engine, progress: Callable[[int, int], object] | None = None
) -> "Review":
    """Every move of the game judged. Raises InvalidValueError where there is none."""
    from wari.review import review

    if not game.moves:
        raise InvalidValueError(tr("review: no move was played yet"), "review")
    return review(game, engine, time=REVIEW_SECONDS, progress=progress)


def report(review: "Review") -> list[Line]:
    """The lead after each move as bars, how well each side played, every fault."""
    from wari.review.reports import graph

    result = review.game.result
    head = tr("The game goes on.") if result is None else result_sentence(result)
    bars = graph(review.scores, width=GRAPH_WIDTH, ply=tr("ply"))
    lines: list[Line] = [[Span(head, "head")], [], *([Span(row)] for row in bars), []]
    lines += [[Span(_played(review, side))] for side in "SN"]
    if review.faults:
        lines.append([])
    return lines + [[Span(f"{move.number:>8}  {_fault(move)}")] for move in review.faults]


def _played(review: "Review", side: str) -> str:
    accuracy = review.accuracy(side)
    first = tr("no choice")
    if accuracy is not None:
        first = tr("accuracy {percent} %", percent=f"{accuracy:.0f}")
    counts = [
        trn("{number} blunder", "{number} blunders", review.count(side, "blunder")),
        trn("{number} mistake", "{number} mistakes", review.count(side, "mistake")),
        trn("{number} inaccuracy", "{number} inaccuracies", review.count(side, "inaccuracy")),
    ]
    return f"{side_name(side)}: {', '.join([first, *counts])}"


def _fault(move: "Judged") -> str:
    from wari.review.reports import LONGEST_LINE, line_words

    return tr(
        "{kind}, gives away {seeds} seeds; better {line}",
        kind=tr(KINDS[move.kind or ""]),
        seeds=f"{move.lost:.1f}",
        line=" ".join(line_words(move)[:LONGEST_LINE]),
    )


def check_name(name: str) -> None:
    """Raises InvalidValueError where the file is there and holds no review, or cannot be."""
    from wari.cli.review import check_output, format_of

    with file_errors("review", name):
        path = path_of(name)
        check_output(path, format_of(path))


def write(name: str, review: "Review", players: Players) -> str:
    """Write the review to a file and say so; the name's ending says in which form, as `--output`.

    Raises InvalidValueError; what was in the file is unchanged then.
    """
    from wari import ogn
    from wari.cli.review import format_of, put

    check_name(name)
    with file_errors("review", name):
        path = path_of(name)
        record = ogn.Record.from_game(review.game, to_tags(players))
        put(format_of(path), [(record, review)], path)
    return tr("The review is in {name}.", name=name)
