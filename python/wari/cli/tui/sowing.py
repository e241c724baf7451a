"""A move as the eye follows it: lifted, sown seed by seed, captured pit by pit.

The steps show what the core has played and end in its position; they decide nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from wari import PITS, Position
from wari.cli.game_session import Sown


@dataclass(frozen=True)
class Step:
    """The board in the middle of a move."""

    pits: tuple[int, ...]
    stores: tuple[int, int]
    at: str = ""  # where the hand is
    hand: int = 0  # the seeds in it
    taken: Mapping[str, int] = field(default_factory=dict)  # captured so far
    gained: Mapping[str, int] = field(default_factory=dict)  # by a side


def steps(sown: Sown) -> Iterator[Step]:
    """Every step of a move, the last one being the position after it."""
    before, after = sown.before, sown.after
    if sown.move == "-":
        yield Step(after.pits, after.stores)
        return
    pits = list(before.pits)
    origin = PITS.index(sown.move)
    hand, pits[origin] = pits[origin], 0
    yield Step(tuple(pits), before.stores, sown.move, hand)
    way = _way(before, origin)
    last = origin
    while hand:
        last = next(way)
        pits[last] += 1
        hand -= 1
        yield Step(tuple(pits), before.stores, PITS[last], hand)
    yield from _captures(sown, pits, last)


def _way(position: Position, origin: int) -> Iterator[int]:
    """The pits that follow, again and again, without the one the move began in (R3)."""
    forward = 1 if position.rules.sowing == "counterclockwise" else -1
    pit = origin
    while True:
        pit = (pit + forward) % len(PITS)
        if pit != origin:
            yield pit


def _captures(sown: Sown, pits: list[int], last: int) -> Iterator[Step]:
    """The captured pits, from the last one sown backwards; a final sharing is one step."""
    back = -1 if sown.before.rules.sowing == "counterclockwise" else 1
    stores = list(sown.before.stores)
    taken: dict[str, int] = {}
    gained: dict[str, int] = {}
    for distance in range(len(PITS)):
        pit = (last + back * distance) % len(PITS)
        seeds = pits[pit] - sown.after.pits[pit]
        if 0 < seeds <= sown.captured - sum(taken.values()):
            pits[pit] -= seeds
            stores["SN".index(sown.side)] += seeds
            taken[PITS[pit]] = seeds
            gained[sown.side] = sum(taken.values())
            yield Step(tuple(pits), (stores[0], stores[1]), "", 0, dict(taken), dict(gained))
    yield Step(sown.after.pits, sown.after.stores, "", 0, taken, gained)
