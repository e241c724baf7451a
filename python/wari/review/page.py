"""A review as one HTML page that needs nothing else: no script, no font, no link."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from wari import svg
from wari._escape import escape_control
from wari.ogn import Record
from wari.position import ENDINGS
from wari.review.judge import Judged, Review
from wari.review.reports import KINDS, NAMES, line_words, player, seeds, sentence
from wari.review.written import GENERATOR

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: #2b2118;
  background: #fffaf1; max-width: 52rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3 { line-height: 1.2; }
svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: .25rem .75rem; border-bottom: 1px solid #dcc294; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
ol.moves { list-style: none; padding: 0; columns: 9rem; font-variant-numeric: tabular-nums; }
ol.moves li { break-inside: avoid; padding: 0 .3rem; }
li.blunder { background: #f3c9b5; font-weight: 700; }
li.mistake { background: #f6ddb0; font-weight: 700; }
li.inaccuracy { background: #efe6cc; }
article { margin: 2rem 0; border-top: 1px solid #dcc294; }
"""


def page(reviews: Sequence[tuple[Record, Review]]) -> str:
    """Reviews of one game or several as a page.

    >>> import wari
    >>> record = wari.ogn.first('[South "Ana"] 1. F f 2. A *')
    >>> with wari.Engine(hash_mb=8) as engine:
    ...     found = wari.review.review(record.game(), engine, depth=4)
    >>> "<title>South (Ana) against North</title>" in page([(record, found)])
    True
    """
    title = "Review" if len(reviews) != 1 else _title(*reviews[0])
    games = "\n".join(_game(number, *one) for number, one in enumerate(reviews, 1))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="generator" content="{GENERATOR}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{games}\n</main>\n</body>\n</html>\n"
    )


def _title(record: Record, review: Review) -> str:
    result = review.game.result
    end = "" if result is None else f" {result}"
    return f"{player(record, 'S')} against {player(record, 'N')}{end}"


def _game(number: int, record: Record, review: Review) -> str:
    faults = "\n".join(_fault(move) for move in review.faults)
    marks = [svg.Mark(move.ply, move.kind or "", f"{move.number}: {sentence(move)}")
             for move in review.faults]  # fmt: skip
    last = review.game.moves[-1] if review.game.moves else None
    result = review.game.result
    ending = "The game goes on." if result is None else f"{result}: {ENDINGS[result.ending]}."
    heading = escape(_title(record, review))
    return f"""<section id="game-{number}">
<h1>{heading}</h1>
<p>{escape(_facts(record, review))}</p>
{svg.plot(review.scores, marks=marks)}
{_table(record, review)}
<h2>Moves</h2>
{_moves(review)}
<h2>The end</h2>
<p>{escape(ending)}</p>
{svg.board(review.game.position, last_move=last)}
<h2>What could have been better</h2>
{faults or "<p>Nothing was found.</p>"}
</section>"""


def _facts(record: Record, review: Review) -> str:
    known = [
        escape_control(record.tags[name])
        for name in ("Event", "Site", "Date", "Round")
        if record.tags.get(name, "?") not in ("?", "")
    ]
    depths = sorted(move.depth for move in review.moves)
    depth = f"searched {depths[len(depths) // 2]} plies deep (median)" if depths else ""
    return ", ".join([*known, f"rules {review.game.rules}", depth])


def _table(record: Record, review: Review) -> str:
    heads = "".join(f'<th class="n" scope="col">{kind}</th>' for kind in KINDS)
    rows = []
    for side in "SN":
        accuracy = review.accuracy(side)
        shown = "" if accuracy is None else f"{accuracy:.0f} %"
        counts = "".join(f'<td class="n">{review.count(side, kind)}</td>' for kind in KINDS)
        name = escape(player(record, side))
        rows.append(f'<tr><th scope="row">{name}</th><td class="n">{shown}</td>{counts}</tr>')
    return (
        f'<table><thead><tr><th></th><th class="n" scope="col">accuracy</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _moves(review: Review) -> str:
    items = []
    for move in review.moves:
        kind = f' class="{move.kind}"' if move.kind else ""
        value = move.value if move.side == "S" else 0.0 - move.value
        name = f" <b>{move.kind}</b>" if move.kind in ("blunder", "mistake") else ""
        items.append(f"<li{kind}>{move.number} <small>{value:+.1f}</small>{name}</li>")
    return f'<ol class="moves">{"".join(items)}</ol>'


def _fault(move: Judged) -> str:
    values = {move.move: move.value, move.best_move: move.best_value}
    board = svg.board(move.position, arrows=[move.best_move], last_move=move.move, values=values)
    line = escape(" ".join(line_words(move)))
    lost = seeds(move.lost)
    proved = " Both values are proved." if move.exact else ""
    return f"""<article>
<h3>{escape(move.number)}: {move.kind}</h3>
<p>{NAMES[move.side]} played <b>{move.move}</b> (ringed) and gave away {lost}. Better was
<b>{move.best_move}</b> (arrow): {line}.{proved}</p>
{board}
</article>"""
