"""The engine through Python: values against the reference's minimax, the faults of search by
number, histories."""

import random
from collections.abc import Iterator
from dataclasses import asdict

import pytest
import wari
from bridge import core_position, core_rules, random_position
from reference import minimax
from reference import position as positions
from reference.game import Game, key
from reference.position import Position
from reference.rules import PRESETS, Rules

CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
ROUND = "AaBbCcDdEeFf"


@pytest.fixture
def tables() -> Iterator[wari.Engine]:
    """One thread with the small endgame tables."""
    with wari.Engine(hash_mb=8, evaluation="material") as engine:
        yield engine


def values(analysis: wari.Analysis) -> dict[str, float]:
    """The value of every move."""
    return {line.move: line.score.value for line in analysis.lines}


# --- against the reference ------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_minimax(engine: wari.Engine, name: str) -> None:
    """From roots without history, few and many seeds, near-finished ones too.

    A sample: tests/cpp/test_search.cpp does it by the hundred, deeper, with and without its table.
    """
    rules = PRESETS[name]
    rng = random.Random(name)
    for _ in range(12):
        position = random_position(rng, rng.choice((1, 2, 3, 5, 9, 20, 40)), rules)
        depth = rng.randint(1, 4)
        expected = minimax.search(rules, position, depth)
        engine.new_game()
        core = core_position(core_rules(rules), position)
        found = engine.analyse(core, depth=depth, multipv=6)
        assert values(found) == expected.moves, (core, depth)
        assert found.score is not None
        assert found.score.value == expected.value
        # Faults 24: the board turned round is worth the same.
        turned = core_position(core_rules(rules), positions.turned(position))
        engine.new_game()
        again = engine.analyse(turned, depth=depth, multipv=6)
        assert [line.score.value for line in again.lines] == [
            line.score.value for line in found.lines
        ]


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", PRESETS)
def test_minimax_with_history(engine: wari.Engine, name: str, whole: bool) -> None:
    """Quiet plies before the root: an earlier position may recur in the line.

    A sample: tests/cpp/test_search.cpp does it by the thousand, and deeper.
    """
    rules = PRESETS[name]
    rng = random.Random(name)
    mattered = 0
    # Where a repetition gives half of the board to each side it seldom decides: more games, longer.
    split = rules.repetition == "split"
    games, seeds, plies, depths = (120, 3, (16, 30), (5, 8)) if split else (30, 2, (6, 22), (1, 8))
    if whole:
        games = 250
    for _ in range(games):
        game = Game(rules, random_position(rng, rng.randint(seeds, 4), rules))
        for _ in range(rng.randint(*plies)):
            moves = game.legal_moves()
            quiet = [m for m in moves if positions.play(rules, game.position, m).captured == 0]
            if not quiet:
                break
            game.push(rng.choice(quiet))
            if game.ending is not None:
                game.undo()
                break
        core = wari.Game(core_rules(rules), core_position(core_rules(rules), game.start))
        core.push_all("".join(ply.move for ply in game.plies))
        depth = rng.randint(*depths)
        expected = minimax.search(rules, game.position, depth, game.history())
        engine.new_game()
        found = engine.analyse(core, depth=depth, multipv=6)
        assert values(found) == expected.moves, (core.start, core.moves, depth)
        mattered += expected.moves != minimax.search(rules, game.position, depth).moves
    assert mattered >= 1, "the history changes no value"


def test_the_key_is_the_references() -> None:
    """What repeats is pits and side, not stores."""
    assert key(Position((1,) * 12, (0, 0), "S")) == key(Position((1,) * 12, (3, 2), "S"))


@pytest.mark.parametrize("name", PRESETS)
def test_passes(engine: wari.Engine, name: str) -> None:
    """Worked case 6: North passes or the game ends, and the line says so."""
    position = wari.Position.parse("1-1-0-3-1-1-0-0-0-0-0-0-20-21-N", name)
    found = engine.analyse(position, depth=3)
    if wari.Rules.preset(name).stuck == "pass":
        assert found.best_move == "-"
        assert found.pv[0] == "-"
        assert found.pv[1] in ("D", "F")
    else:
        assert found.lines == ()
        assert found.ending == "stuck"


# --- the faults of search, by number --------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_a_score_of_one_history_is_not_used_in_another(name: str) -> None:
    """An engine that has searched a game with history answers as a fresh one does without."""
    rules = PRESETS[name]
    rng = random.Random(name)
    used = wari.Engine(hash_mb=8, tablebase=None, evaluation="material", full_width=True)
    for _ in range(20):
        start = core_position(core_rules(rules), random_position(rng, rng.randint(2, 4), rules))
        game = wari.Game(start=start)
        while not game.is_over and len(game.moves) < 14:
            moves = [m for m in game.legal_moves() if game.position.play(m).stores == start.stores]
            if not moves:
                break
            game.push(rng.choice(moves))
        if game.is_over:
            game.pop()
        for question in (game, game.position, game.start, game):
            with wari.Engine(
                hash_mb=1, tablebase=None, evaluation="material", full_width=True
            ) as fresh:
                expected = values(fresh.analyse(question, depth=13, multipv=6))
            assert values(used.analyse(question, depth=13, multipv=6)) == expected


def test_a_line_ends_at_the_repetition(engine: wari.Engine) -> None:
    """The chase comes round after twelve plies; the line shows it once."""
    position = wari.Position.parse(CHASE, "abapa")
    found = engine.analyse(position, depth=40)
    assert "".join(found.pv) == ROUND
    assert found.score == wari.Score(0.0, "exact", "end")
    game = wari.Game(start=position)
    game.push_all("".join(found.pv))
    assert game.ending == "repetition"


def test_exact_values_agree_with_their_successors(tables: wari.Engine) -> None:
    """Under the rules of the databases, up to ten seeds."""
    rng = random.Random(27)
    rules = PRESETS["awari"]
    for _ in range(30):
        position = core_position(core_rules(rules), random_position(rng, rng.randint(3, 10), rules))
        found = tables.analyse(position, depth=1)
        assert found.score is not None
        assert found.score.bound == "exact"
        best = max(
            -after.value
            for after in (score_after(tables, position, move) for move in position.legal_moves())
        )
        assert found.score.value == best, position


def score_after(engine: wari.Engine, position: wari.Position, move: str) -> wari.Score:
    """What a move leads to, asked without history; ended games by their result."""
    game = wari.Game(start=position)
    game.push(move)
    if game.result is not None and game.ending != "majority":
        return wari.Score(float(game.result.margin(game.position.side)), "exact")
    after = wari.Position.from_counts(
        game.position.pits,
        game.position.stores,
        game.position.side,
        position.rules.replace(majority=False),
    )
    score = engine.analyse(after, depth=1).score
    assert score is not None
    return score


@pytest.mark.parametrize("side", ["S", "N"])
def test_two_seeds_chasing_each_other_win_nothing(
    tables: wari.Engine, engine: wari.Engine, side: str
) -> None:
    """No side can win any: from the table, and from the search alone."""
    position = wari.Position.parse(CHASE[:-1] + side, "awari")
    for asked in (tables, engine):
        found = asked.analyse(position, depth=40)
        assert found.score is not None
        assert (found.score.value, found.score.bound) == (0.0, "exact")


def test_the_value_is_really_collected(tables: wari.Engine) -> None:
    """Engine against engine from a decided table position: the margin is the value."""
    rng = random.Random(5)
    rules = wari.Rules.preset("awari")
    for _ in range(12):
        start = core_position(rules, random_position(rng, rng.randint(4, 9), PRESETS["awari"]))
        expected = tables.analyse(start, depth=1).score
        assert expected is not None
        assert expected.bound == "exact"
        game = wari.Game(start=start)
        while not game.is_over and len(game.moves) < 300:
            tables.play(game, depth=14)
        assert game.result is not None
        if game.ending != "majority":
            assert game.result.margin(start.side) == expected.value, (start, game.moves)


def test_a_table_value_is_not_exact_after_quiet_plies(tables: wari.Engine) -> None:
    """At three seeds: the table says -3, the game with its history may say otherwise."""
    seen = 0
    for text in ("1-0-0-0-0-1-1-0-0-0-0-0-22-23-S", "0-1-0-0-1-0-0-0-0-0-0-1-22-23-S"):
        game = wari.Game("awari", text)
        for _ in range(8):
            moves = [m for m in game.legal_moves() if game.position.play(m).stores == (22, 23)]
            if not moves:
                break
            game.push(moves[0])
            if game.is_over:
                break
            for line in tables.analyse(game, depth=2, multipv=6).lines:
                if line.score.source == "tablebase":
                    quiet = game.position.play(line.move).stores == (22, 23)
                    assert not quiet or line.score.tags == ("history_ignored",)
                    assert not quiet or line.score.bound == "estimate"
                    seen += 1
    assert seen > 0


def test_no_depth_overflows(tables: wari.Engine) -> None:
    """Depths far beyond 128 plies: what is proved is the table's word."""
    rng = random.Random(29)
    rules = PRESETS["awari"]
    proved = 0
    with wari.Engine(hash_mb=8, tablebase=None, evaluation="material") as engine:
        for _ in range(12):
            position = core_position(core_rules(rules), random_position(rng, 3, rules))
            truth = tables.analyse(position, depth=1).score
            assert truth is not None
            found = engine.analyse(position, depth=wari.engine.MAX_DEPTH, nodes=1_000_000)
            assert found.score is not None
            if found.score.bound == "exact":
                assert found.score.value == truth.value
                proved += 1
            lower, upper = found.score.bound == "lower", found.score.bound == "upper"
            assert not lower or found.score.value <= truth.value
            assert not upper or found.score.value >= truth.value
    assert proved >= 8


@pytest.mark.parametrize("name", PRESETS)
def test_no_move_at_the_root(engine: wari.Engine, name: str) -> None:
    """A finished position has no move and says why, with any limit or none."""
    position = wari.Position.parse("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", name)
    for limits in ({}, {"depth": 3}, {"time": 5.0}, {"nodes": 100}):
        found = engine.analyse(position, **limits)
        assert found.lines == ()
        assert found.best_move is None
        assert found.score is None
        assert found.ending == "empty_board"
    with pytest.raises(wari.GameOverError):
        engine.play(wari.Game(start=position))


def test_a_game_over_by_history_has_no_move(engine: wari.Engine) -> None:
    """A repetition ends the game though the position would go on."""
    game = wari.Game("abapa", CHASE)
    game.push_all(ROUND)
    assert engine.analyse(game, depth=3).ending == "repetition"
    game = wari.Game()
    game.resign()
    assert engine.analyse(game, depth=3).ending == "resignation"


def test_majority_never_changes_a_value(engine: wari.Engine) -> None:
    """Worked case 12: worth ten with the stores, though play stops at 25."""
    text = "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S"
    for rules in ("awari", "awari,majority=false"):
        found = engine.analyse(wari.Position.parse(text, rules), depth=20)
        assert found.score is not None
        assert found.score.value == 10.0
        assert len(found.pv) == 1 or rules != "awari"


# --- values ---------------------------------------------------------------------------------------


def test_scores_turn_and_compare() -> None:
    """A bound turned round is the other bound."""
    assert -wari.Score(2.0, "lower") == wari.Score(-2.0, "upper")
    assert -wari.Score(0.0, "exact") == wari.Score(0.0, "exact")
    assert wari.Score(1.0) < wari.Score(1.5)
    assert wari.Score(1.5) > wari.Score(1.0)
    assert wari.Score(1.0) <= wari.Score(1.0, "exact")
    assert wari.Score(1.0) >= wari.Score(0.5)
    assert not wari.Score(1.0) <= wari.Score(0.5)
    assert str(wari.Score(3.25)) == "+3.25"


def test_analysis_is_data(engine: wari.Engine) -> None:
    """Frozen, with the position it is about."""
    found = engine.analyse(wari.Position(), depth=2)
    assert found.position == wari.Position()
    assert asdict(found)["depth"] == 2
    with pytest.raises(AttributeError):
        found.depth = 3  # type: ignore[misc]


def test_more_than_48_seeds(engine: wari.Engine) -> None:
    """Wider ranks, same values; and back again."""
    for seeds in (6, 4, 8):
        position = wari.Position(f"abapa,seeds_per_pit={seeds}")
        rules = Rules(grand_slam="no_capture", stuck="end", seeds_per_pit=seeds)
        expected = minimax.search(rules, positions.start(rules), 4)
        assert values(engine.analyse(position, depth=4, multipv=6)) == expected.moves
