"""Reviews of games: where seeds were given away, and what would have been better.

Owns: the public names. The parts: `judge` (the engine's part), `reports` (text, OGN, data), `page`
(HTML).
"""

from wari.review.judge import BLUNDER, INACCURACY, MISTAKE, Judged, Review, review
from wari.review.page import page
from wari.review.reports import annotated, as_data, text_report

__all__ = [
    "BLUNDER",
    "INACCURACY",
    "MISTAKE",
    "Judged",
    "Review",
    "annotated",
    "as_data",
    "page",
    "review",
    "text_report",
]
