"""What the results of a match say: points, Elo, error bars, and a sequential test.

Two games from one opening with the sides changed are one observation, a pair: openings are never
quite balanced, so its games are not independent. Pairs are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wari._check import shown
from wari._repr import evaluable
from wari.errors import InvalidValueError

Z95 = 1.959964
_MOST_ELO = 2000.0
_LEAST_COUNT = 0.1  # added to the count of each score, so that few pairs are not all too sure


@evaluable("wari.match")
@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test of "elo1 stronger" against "elo0 stronger".

    >>> Sprt(0, 20).bounds
    (-2.9444389791664403, 2.9444389791664403)

    Source: A. Wald, Sequential Tests of Statistical Hypotheses, 1945, with the normal approximation
    of the ratio that engine testers use: mean and variance are those observed.

    Raises InvalidValueError where alpha or beta is no chance between 0 and 1.
    """

    elo0: float = 0.0
    """The advantage in Elo of the first player that is doubted."""
    elo1: float = 20.0
    """The advantage in Elo that is looked for."""
    alpha: float = 0.05
    """The chance to accept elo1 where elo0 is true."""
    beta: float = 0.05
    """The chance to accept elo0 where elo1 is true."""

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            chance = getattr(self, name)
            if not isinstance(chance, float) or not 0 < chance < 1:
                raise InvalidValueError(
                    f"{name}: expected a number between 0 and 1, not {shown(chance)}", name
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, scores: Sequence[float]) -> float:
        """The log-likelihood ratio after pairs (or games) that scored 0 to 1.

        >>> Sprt(0, 20).ratio([0.5] * 100) < 0 < Sprt(0, 20).ratio([0.75] * 100)
        True
        """
        if not scores:
            return 0.0
        mean, variance = _moments(scores)
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        return len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, scores: Sequence[float]) -> str | None:
        """elo1, elo0, or None while the test goes on.

        >>> Sprt(0, 20).verdict([0.75] * 100), Sprt(0, 20).verdict([0.75, 0.25])
        ('elo1', None)
        """
        low, high = self.bounds
        ratio = self.ratio(scores)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None


@evaluable("wari.match")
@dataclass(frozen=True)
class Summary:
    """A match so far, from the first player's side.

    Source: A. E. Elo, The Rating of Chessplayers, Past and Present, 1978, for what a score means.

    >>> summary = summarise([1, 1, 0.5, 0], [1.0, 0.25])
    >>> summary.games, summary.wins, round(summary.elo)
    (4, 2, 89)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: float = 0.5
    """Points a game, 0 to 1."""
    error: float = 0.5
    """Half the width of the 95 % interval of the score."""
    elo: float = 0.0
    """The difference in Elo that the score means."""
    elo_low: float = -_MOST_ELO
    """The lower end of its 95 % interval."""
    elo_high: float = _MOST_ELO
    """The upper end of its 95 % interval."""
    margin: float = 0.0
    """Seeds a game."""

    @property
    def games(self) -> int:
        """The games counted."""
        return self.wins + self.draws + self.losses


def expected_score(elo: float) -> float:
    """The points a game that a difference in Elo means.

    >>> round(expected_score(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in Elo that a score means, at most 2000 either way.

    >>> round(elo_of(0.64)), elo_of(1.0)
    (100, 2000.0)
    """
    if score <= 0 or score >= 1:
        return math.copysign(_MOST_ELO, score - 0.5)
    return max(-_MOST_ELO, min(_MOST_ELO, 400 * math.log10(score / (1 - score))))


def summarise(
    points: Iterable[float], pairs: Sequence[float], margins: Sequence[float] = ()
) -> Summary:
    """The summary of games that scored 1, 0.5 or 0, and of the pairs among them.

    >>> summarise([1, 0.5, 0, 1], [0.75, 0.5]).score
    0.625
    """
    scores = list(points)
    if not scores:
        return Summary()
    score = math.fsum(scores) / len(scores)
    observed = pairs if len(pairs) >= 2 else scores
    error = min(1.0, Z95 * math.sqrt(_moments(observed)[1] / len(observed)))
    return Summary(
        wins=scores.count(1),
        draws=scores.count(0.5),
        losses=scores.count(0),
        score=score,
        error=error,
        elo=elo_of(score),
        elo_low=elo_of(score - error),
        elo_high=elo_of(score + error),
        margin=math.fsum(margins) / len(margins) if margins else 0.0,
    )


def _moments(scores: Sequence[float]) -> tuple[float, float]:
    """Mean and variance, each possible score counted at least a little."""
    counts = dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), _LEAST_COUNT)
    for score in scores:
        counts[score] += 1
    total = math.fsum(counts.values())
    mean = math.fsum(score * count for score, count in counts.items()) / total
    variance = math.fsum((score - mean) ** 2 * count for score, count in counts.items()) / total
    return mean, variance
