"""From the reference's values to the package's, so that both can be asked the same question."""

import random
from collections.abc import Iterator
from dataclasses import asdict

import wari
from reference import position as positions
from reference.position import Position
from reference.rules import PRESETS, Rules, single_axis_changes

LETTERS = positions.PITS + positions.PASS


def core_rules(rules: Rules) -> wari.Rules:
    """The package's rules."""
    return wari.Rules(**asdict(rules))


def core_position(rules: wari.Rules, position: Position) -> wari.Position:
    """The package's position."""
    return wari.Position.from_counts(position.pits, position.stores, position.side, rules)


def all_rules() -> list[Rules]:
    """The presets and every rule set one axis away from one, each once."""
    found: dict[Rules, None] = {}
    for rules in PRESETS.values():
        found[rules] = None
        found.update(dict.fromkeys(single_axis_changes(rules)))
    return list(found)


def movement_rules() -> list[Rules]:
    """Those of `all_rules` that can differ on a board that is given: the start plays no part."""
    return [rules for rules in all_rules() if rules.seeds_per_pit == 4]


def boards(seeds: int, pits: int = 12) -> Iterator[tuple[int, ...]]:
    """Every way to lay that many seeds into that many pits."""
    if pits == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        for rest in boards(seeds - first, pits - 1):
            yield (first, *rest)


def words(rules: Rules) -> str:
    """The name of a test: the rules as text."""
    return str(core_rules(rules))


def random_position(rng: random.Random, seeds: int, rules: Rules) -> Position:
    """A random board whose game goes on."""
    while True:
        pits = [0] * 12
        for _ in range(seeds):
            pits[rng.randrange(12)] += 1
        stores = (rng.randrange(4), rng.randrange(4))
        position = Position(tuple(pits), stores, rng.choice(("S", "N")))
        if positions.ending(rules, position) is None:
            return position
