"""Random games and records for the tests of the notation."""

from __future__ import annotations

import random

import wari
from wari.ogn import Line, Move, Record

WORDS = (
    "a",
    "Bad",
    "fade",
    "F",
    "1.",
    "26-22",
    "*",
    "(",
    ")",
    "[x]",
    "%",
    ";",
    "ñandú",
    '"q"',
    "-",
)


def random_start(rng: random.Random, rules: wari.Rules) -> wari.Position | None:
    """None (the usual start) mostly, or a position with few seeds and any side to move."""
    if rng.random() < 0.6:
        return None
    while True:
        pits = [rng.choice((0, 0, 0, 1, 1, 2, 3, 7)) for _ in range(12)]
        stores = (rng.randrange(20), rng.randrange(20))
        if sum(pits):
            return wari.Position.from_counts(pits, stores, rng.choice("SN"), rules)


def random_rules(rng: random.Random) -> wari.Rules:
    """A preset, now and then with an axis changed."""
    rules = wari.Rules.preset(rng.choice(wari.PRESETS))
    if rng.random() < 0.25:
        axis = rng.choice(list(wari.AXES.values()))
        rules = rules.replace(**{axis.name: rng.choice(list(axis.values))})
    return rules


def random_game(seed: int) -> wari.Game:
    """A game to its end or cut short, ended by its players at times."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    game = wari.Game(rules, random_start(rng, rules))
    length = rng.choice((0, 7, 40, 400, 400))
    while not game.is_over and len(game) < length:
        game.push(rng.choice(game.legal_moves()))
    if not game.is_over:
        end = rng.randrange(4)
        if end == 1:
            game.agree()
        elif end > 1:
            (game.resign if end == 2 else game.lose_on_time)(rng.choice("SN"))
    return game


def random_record(seed: int) -> Record:
    """The record of a random game with comments, marks and nested variations."""
    rng = random.Random(seed)
    game = random_game(seed)
    record = Record.from_game(game, {"Event": 'the "\\" cup', "South": "Ana", "Zeta": " "})
    _decorate(rng, record.line, wari.Game(game.rules, game.start), depth=0)
    return record


def _comment(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randrange(30)))


def _decorate(rng: random.Random, line: Line, game: wari.Game, depth: int) -> None:
    """Adds comments, marks and variations to a line that begins where `game` stands."""
    if rng.random() < 0.3:
        line.before.append(_comment(rng))
    for move in line.moves:
        if rng.random() < 0.1:
            move.marks = (rng.choice(("!", "?", "!?")), "$7")
        while rng.random() < 0.15:
            if depth < 4 and rng.random() < 0.6:
                move.after.append(_variation(rng, game.copy(), depth + 1))
            else:
                move.after.append(_comment(rng))
        game.push(move.letter)


def _variation(rng: random.Random, game: wari.Game, depth: int) -> Line:
    line = Line()
    again = game.copy()
    while not again.is_over and len(line.moves) < rng.randrange(1, 9):
        letter = rng.choice(again.legal_moves())
        line.moves.append(Move(letter, again.push(letter)))
    _decorate(rng, line, game, depth)
    return line
