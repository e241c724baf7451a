"""What tables promise is true: against the plain solver, in play, and beside the search.

The default run samples; `-m slow` does the whole.
"""

import random
from collections.abc import Callable

import numpy as np
import pytest
import wari
from bridge import core_rules, words
from reference import solver
from reference.rules import AXES, PRESETS, Rules, changed
from wari.cli.tb.probe import every_move

MOVEMENT = ("grand_slam", "feeding", "single_seeds", "stuck", "ends_when_emptied", "remainder")
SIDES = {"S": "N", "N": "S"}


def built(rules: Rules | str, seeds: int) -> wari.Tablebase:
    chosen = rules if isinstance(rules, str) else core_rules(rules)
    return wari.Tablebase.build(seeds, chosen, verify=False)


# --- the plain solver -----------------------------------------------------------------------------


def neighbours(preset: str) -> list[Rules]:
    """A preset, and every change of one axis that matters, under both kinds of repetition."""
    found = []
    for repetition in AXES["repetition"]:
        rules = changed(PRESETS[preset], repetition=repetition)
        found.append(rules)
        for axis in MOVEMENT:
            found += [
                changed(rules, **{axis: value})
                for value in AXES[axis]
                if value != getattr(rules, axis)
            ]
    return found


def check_against_the_plain_solver(rules: Rules, seeds: int) -> None:
    table = built(rules, seeds)
    if rules.repetition == "split":
        values = solver.value_table(rules, seeds)
        lower, upper = table.probe_many(np.array(list(values), dtype=np.uint8))
        assert lower.tolist() == upper.tolist() == list(values.values()), words(rules)
        return
    forces = solver.force_table(rules, seeds)
    asked = np.array(list(forces), dtype=np.uint8)
    lower, upper = (bounds.astype(int) for bounds in table.probe_many(asked))
    on_board = asked.sum(axis=1, dtype=int)
    assert (lower + on_board).tolist() == [2 * force.mover for force in forces.values()]
    assert (on_board - upper).tolist() == [2 * force.other for force in forces.values()]


@pytest.mark.parametrize(
    ("preset", "seeds"),
    [
        *((preset, 2) for preset in ("wari", "abapa", "singles")),
        *(pytest.param(preset, 4, marks=pytest.mark.slow) for preset in PRESETS),
    ],
)
def test_changes_of_one_axis(preset: str, seeds: int) -> None:
    for rules in neighbours(preset):
        check_against_the_plain_solver(rules, seeds)


@pytest.mark.parametrize("seeds", [3, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("repetition", AXES["repetition"])
@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str, repetition: str, seeds: int) -> None:
    check_against_the_plain_solver(changed(PRESETS[preset], repetition=repetition), seeds)


# --- a player that only looks at the table --------------------------------------------------------

Player = Callable[[wari.Game], str]


def by_table(table: wari.Tablebase) -> Player:
    """The first of the best moves, always."""
    return lambda game: table.probe(game.position).moves[0].move


def at_random(seed: int) -> Player:
    chance = random.Random(seed)
    return lambda game: chance.choice(game.legal_moves())


def greedy(game: wari.Game) -> str:
    """The largest capture at once; the first of equals."""

    def gain(move: str) -> int:
        own = "SN".index(game.position.side)
        return game.position.play(move).stores[own] - game.position.stores[own]

    return max(game.legal_moves(), key=gain)


def played(start: wari.Position, players: dict[str, Player]) -> wari.Result:
    """A whole game; repetition ends what would go on for ever."""
    game = wari.Game(start.rules, start)
    while not game.is_over:
        game.push(players[game.position.side](game))
    assert game.result is not None
    return game.result


def check_promises(table: wari.Tablebase, start: wari.Position, opponent: Player) -> None:
    """Whoever follows the table, on either side, gets what it promises the side."""
    promise = table.probe(start)
    follower = by_table(table)
    for side, sure in ((start.side, promise.mover), (SIDES[start.side], promise.other)):
        players = {side: follower, SIDES[side]: opponent}
        result = played(start, players)
        got = result.south if side == "S" else result.north
        net = result.margin(side) if table.kind == "value" else got
        assert net >= sure, (str(start), str(table.rules), side, net, sure)


def opponents(table: wari.Tablebase) -> tuple[Player, ...]:
    return at_random(1), greedy, by_table(table)


def position(board: tuple[int, ...], rules: wari.Rules) -> wari.Position:
    return wari.Position.from_counts(board, rules=rules)


PLAYED = [*PRESETS, "abapa,repetition=split", "wari,repetition=split,grand_slam=keep_last"]


def random_board(chance: random.Random, seeds: int) -> tuple[int, ...]:
    board = [0] * 12
    for _ in range(seeds):
        board[chance.randrange(12)] += 1
    return tuple(board)


@pytest.mark.parametrize("rules", ["awari", "abapa"])
def test_who_follows_the_table_gets_its_value(rules: str) -> None:
    """A few random boards, each against each opponent, on either side.

    tests/cpp/test_table_play.cpp plays from every board of up to 3 seeds, in full of up to 7 and
    10,000 larger ones.
    """
    chosen = wari.Rules.parse(rules).replace(majority=False)
    table = wari.Tablebase.build(9, chosen, verify=False)
    chance = random.Random(4)
    players = opponents(table)
    for _ in range(4):
        board = random_board(chance, chance.randint(4, 9))
        for opponent in players:
            check_promises(table, position(board, chosen), opponent)


# --- the search -----------------------------------------------------------------------------------


def check_score(score: wari.Score | None, lower: int, upper: int, what: object) -> bool:
    """Whether the score decides anything; what it claims must be possible."""
    assert score is not None
    if score.bound in ("exact", "lower"):
        assert score.value <= upper, (what, score)
    if score.bound in ("exact", "upper"):
        assert score.value >= lower, (what, score)
    return score.bound == "exact"


def check_search(
    table: wari.Tablebase, start: wari.Position, engine: wari.Engine, depth: int
) -> bool:
    """The search of a board, and of the moves that capture, against the table; is it decided?

    Quiet moves leave the board as history behind, which no table knows of.
    """
    known = table.probe(start)
    found = engine.analyse(start, depth=depth, multipv=6)
    if known.over:
        assert found.lines == ()
        return True
    decided = check_score(found.score, known.lower, known.upper, str(start))
    values = {value.move: value for value in every_move(table, start)}
    assert {line.move for line in found.lines} == set(values)
    for line in found.lines:
        if start.play(line.move).stores != start.stores:
            value = values[line.move]
            check_score(line.score, value.lower, value.upper, (str(start), line.move))
    return decided


Report = Callable[[str, object], None]


@pytest.mark.parametrize("rules", PLAYED)
@pytest.mark.parametrize("seeds", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_search_never_contradicts_the_table(
    rules: str, seeds: int, record_property: Report
) -> None:
    """Complete, without tables and with smaller ones."""
    table = built(rules, seeds)
    smaller = wari.engine.Tables([built(rules, seeds - 1)])
    starts = [board for n in range(1, seeds + 1) for board in solver.boards(n)]
    for name, tables in (("no table", None), ("a smaller table", smaller)):
        with wari.Engine(hash_mb=4, tablebase=tables) as engine:
            decided = sum(
                check_search(table, position(board, table.rules), engine, 24) for board in starts
            )
        record_property(f"decided with {name}", decided / len(starts))
        assert decided > len(starts) // 2


@pytest.mark.parametrize("rules", PLAYED)
@pytest.mark.parametrize("count", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_search_never_contradicts_the_table_on_random_boards(
    rules: str, count: int, record_property: Report
) -> None:
    table = built(rules, 12)
    chance = random.Random(count)
    for name, tables in (("no table", None), ("6 seeds", wari.engine.Tables([built(rules, 6)]))):
        decided = 0
        with wari.Engine(hash_mb=16, tablebase=tables) as engine:
            for _ in range(count):
                board = random_board(chance, chance.randint(4, 12))
                decided += check_search(table, position(board, table.rules), engine, 14)
        record_property(f"decided with {name}", decided / count)
        assert decided > 0
