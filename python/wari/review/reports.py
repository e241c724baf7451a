"""A review as text, as an annotated OGN record, and as data."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from wari._escape import escape_control
from wari.game import Game
from wari.ogn import Line, Move, Record
from wari.position import PASS
from wari.review.judge import Judged, Review
from wari.review.written import ANNOTATOR

NAMES = {"S": "South", "N": "North"}
KINDS = ("blunder", "mistake", "inaccuracy")
LONGEST_LINE = 6  # moves of a better line that are shown

_SENTENCE = re.compile(  # what sentence() writes
    rf"({'|'.join(KINDS)}), gives away [0-9.]+ seeds?( \(proved\))?; better [A-Fa-f0-9+ -]*"
)
_BARS = 9  # rows of the graph, the middle one is zero
_WIDTH = 72


def player(record: Record, side: str) -> str:
    """`South`, with the name where it is known, as it can be shown."""
    name = escape_control(record.tags.get(NAMES[side], "?"))
    return NAMES[side] if name in ("?", "") else f"{NAMES[side]} ({name})"


def seeds(value: float) -> str:
    """A number of seeds: `1 seed`, `2.5 seeds`."""
    text = f"{round(value, 1):g}"
    return f"{text} seed" if text == "1" else f"{text} seeds"


def sentence(move: Judged) -> str:
    """What is to be said about a move: `mistake, gives away 2.5 seeds; better C f D+2`."""
    better = " ".join(line_words(move)[:LONGEST_LINE])
    sure = " (proved)" if move.exact else ""
    return f"{move.kind}, gives away {seeds(move.lost)}{sure}; better {better}"


def line_words(move: Judged) -> list[str]:
    """The better line with its captures."""
    return [
        f"{step.letter}+{step.captured}" if step.captured else step.letter
        for step in better_line(move)
    ]


def better_line(move: Judged) -> list[Move]:
    """The better line as moves, to where the game would end."""
    game = Game(start=move.position)
    steps: list[Move] = []
    for letter in move.best_line:
        if game.refusal(letter) is not None:
            break
        steps.append(Move(letter, game.push(letter)))
    return steps


def text_report(record: Record, review: Review, *, ascii_only: bool = False) -> list[str]:
    """A review for a terminal, at most 80 characters wide where names allow.

    >>> import wari
    >>> record = wari.ogn.first('[South "Ana"] 1. F f 2. A *')
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     found = wari.review.review(record.game(), engine, depth=4)
    >>> text_report(record, found)[0]
    'South (Ana) against North, abapa'
    """
    lines = [f"{player(record, 'S')} against {player(record, 'N')}, {review.game.rules}"]
    result = review.game.result
    ending = "not over" if result is None else f"{result} ({result.ending})"
    lines += [f"{len(review.moves)} plies, {ending}", ""]
    lines += graph(review.scores, ascii_only=ascii_only)
    lines.append("")
    for side in "SN":
        accuracy = review.accuracy(side)
        summary = "no choice" if accuracy is None else f"accuracy {accuracy:.0f} %"
        counts = ", ".join(_counted(review.count(side, kind), kind) for kind in KINDS)
        lines.append(f"{player(record, side)}: {summary}, {counts}")
    if review.faults:
        lines.append("")
    lines += [f"{move.number:>8}  {sentence(move)}" for move in review.faults]
    return lines


def _counted(number: int, kind: str) -> str:
    plural = "inaccuracies" if kind == "inaccuracy" else kind + "s"
    return f"{number} {kind if number == 1 else plural}"


def graph(
    scores: Sequence[float | None],
    *,
    ascii_only: bool = False,
    width: int = _WIDTH,
    ply: str = "ply",
) -> list[str]:
    """Scores as bars up for South and down for North; several plies share a column if they must."""
    share = -(-len(scores) // width)
    columns = [_largest(scores[at : at + share]) for at in range(0, len(scores), share)]
    top = max([4.0, *(abs(score) for score in columns if score is not None)])
    half = _BARS // 2
    full = "#" if ascii_only else "\u2588"
    rows = []
    for row in range(half, -half - 1, -1):
        label = f"{top * row / half:+.0f}" if row in (half, -half) else "0" if row == 0 else ""
        cells = []
        for score in columns:
            height = 0 if score is None else round(score / top * half)
            if score is not None and height == 0 and abs(score) >= 1:
                height = 1 if score > 0 else -1
            filled = 0 < row <= height or height <= row < 0
            cells.append(full if filled else "-" if row == 0 else " ")
        rows.append(f"{label:>4} {''.join(cells)}".rstrip())
    last = f"{len(scores) - 1:>{max(2, len(columns) - 1)}}" if len(scores) > 1 else ""
    rows.append(f"{ply:>4} 0{last}")
    return rows


def _largest(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return max(known, key=abs) if known else None


def annotated(record: Record, review: Review) -> Record:
    """The record with what is to be said as comments, and the better lines as variations.

    What an earlier review has added is replaced, unless somebody has added to it.

    >>> import wari
    >>> record = wari.ogn.first('[South "Ana"] 1. F f 2. A *')
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     found = wari.review.review(record.game(), engine, depth=4)
    >>> annotated(record, found).tags["Annotator"]
    'wari'
    """
    again = copy.deepcopy(record)
    for move in again.line.moves:
        move.after = _without_sentences(move.after)
    for judged in review.faults:
        move = again.line.moves[judged.ply - 1]
        move.after.append(sentence(judged))
        move.after.append(Line(moves=better_line(judged)))
    again.tags["Annotator"] = ANNOTATOR
    for side in "SN":
        accuracy = review.accuracy(side)
        again.tags.pop(f"{NAMES[side]}Accuracy", None)
        if accuracy is not None:
            again.tags[f"{NAMES[side]}Accuracy"] = f"{accuracy:.0f}"
    return again


def _without_sentences(after: list[str | Line]) -> list[str | Line]:
    """What stands behind a move, without the sentences of reviews and their better lines."""
    kept: list[str | Line] = []
    for item in after:
        before = kept[-1] if kept else None
        ours = isinstance(before, str) and _SENTENCE.fullmatch(before)
        if ours and isinstance(item, Line) and _is_bare(item):
            kept.pop()
        else:
            kept.append(item)
    return kept


def _is_bare(line: Line) -> bool:
    """Whether there is nothing but moves in it."""
    return not line.before and not any(move.after or move.marks for move in line.moves)


def as_data(record: Record, review: Review) -> dict[str, Any]:
    """A review as plain data for JSON.

    >>> import wari
    >>> record = wari.ogn.first('[South "Ana"] 1. F f 2. A *')
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     found = wari.review.review(record.game(), engine, depth=4)
    >>> data = as_data(record, found)
    >>> data["moves"], len(data["scores"]), data["judged"][2]["move"]
    ('FfA', 4, 'A')
    """
    return {
        "tags": record.tags,
        "rules": str(review.game.rules),
        "start": str(review.game.start),
        "moves": "".join(review.game.moves),
        "scores": [None if score is None else round(score, 3) for score in review.scores],
        "accuracy": {side: _rounded(review.accuracy(side)) for side in "SN"},
        "judged": [
            {
                "ply": move.ply,
                "move": move.move,
                "value": round(move.value, 3),
                "best_move": move.best_move,
                "best_value": round(move.best_value, 3),
                "best_line": "".join(move.best_line),
                "lost": round(move.lost, 3),
                "kind": move.kind,
                "exact": move.exact,
                "forced": move.forced,
                "depth": move.depth,
            }
            for move in review.moves
            if move.move != PASS
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
