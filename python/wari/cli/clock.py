"""A clock for two: time for the whole game, and an increment for every move."""

import re
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

MOST_MINUTES = 10_000
MOST_SECONDS = 3_600
MINUTE = 60.0
TENTHS_BELOW = 10.0  # seconds: from here on tenths are shown


class Budget(NamedTuple):
    """What a side may use: minutes for the game, seconds more for each move."""

    minutes: float
    increment: float

    def __str__(self) -> str:
        return f"{self.minutes:g}+{self.increment:g}"


def budget(text: str) -> Budget | None:
    """A budget as `MINUTES+SECONDS` or `MINUTES`; None where the text is none."""
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(?:\+([0-9]{1,6}(?:\.[0-9]{1,3})?))?", text)
    if found is None:
        return None
    made = Budget(float(found[1]), float(found[2] or 0))
    fits = 0 < made.minutes <= MOST_MINUTES and made.increment <= MOST_SECONDS
    return made if fits else None


class Clock:
    """Two clocks of which at most one runs."""

    def __init__(
        self, budgets: Mapping[str, Budget], now: Callable[[], float] = time.monotonic
    ) -> None:
        self.budgets = dict(budgets)
        self._now = now
        self._left = {side: budget.minutes * MINUTE for side, budget in budgets.items()}
        self._running = ""
        self._since = 0.0
        self._before: list[dict[str, float]] = []  # what was left before each move

    @property
    def running(self) -> str:
        """The side whose time runs; "" when both stand still."""
        return self._running

    def left(self, side: str) -> float:
        """The seconds a side has left, below 0 when its time is up."""
        used = self._now() - self._since if side == self._running else 0.0
        return self._left[side] - used

    def run(self, side: str) -> None:
        """Let the time of one side run; of none with ""."""
        if self._running == side:
            return
        if self._running:
            self._left[self._running] = self.left(self._running)
        self._running, self._since = side, self._now()

    def press(self, side: str) -> None:
        """A side has moved: its increment is added, and both clocks stand still."""
        self.run("")
        self._before.append(dict(self._left))
        self._left[side] += self.budgets[side].increment

    def take_back(self, moves: int) -> None:
        """As it was before the last moves."""
        self.run("")
        if moves and self._before:
            moves = min(moves, len(self._before))
            self._left = self._before[-moves]
            del self._before[-moves:]

    def text(self, side: str) -> str:
        """What a side has left, as `4:05`; with tenths when it is little."""
        left = max(0.0, self.left(side))
        if left < TENTHS_BELOW:
            return f"0:{int(left * 10) / 10:04.1f}"
        minutes, seconds = divmod(int(left), 60)
        return f"{minutes}:{seconds:02}"
