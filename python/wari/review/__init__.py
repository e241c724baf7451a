"""Reviews of games: where seeds were given away, and what would have been better.

Owns: the public names. The parts: `judge` (the engine's part), `reports` (text, OGN, data), `page`
(HTML), `written` (files that may be written over).
"""

from wari.review.judge import BLUNDER, INACCURACY, MISTAKE, Judged, Review, review
from wari.review.page import page
from wari.review.reports import annotated, as_data, text_report
from wari.review.written import is_review

__all__ = [
    "BLUNDER",
    "INACCURACY",
    "MISTAKE",
    "Judged",
    "Review",
    "annotated",
    "as_data",
    "is_review",
    "page",
    "review",
    "text_report",
]
