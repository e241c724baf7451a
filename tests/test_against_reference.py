"""The core against the reference: every board of up to five seeds, random games, random rules.

The default run takes a fixed sample of the boards; `-m slow` takes them all.
"""

import random
from collections.abc import Iterator

import pytest
import wari
from bridge import LETTERS, all_rules, boards, core_position, core_rules, movement_rules, words
from hypothesis import given
from hypothesis import strategies as st
from reference import perft as counting
from reference import position as positions
from reference.game import Game
from reference.position import Position
from reference.rules import AXES, PRESETS, Rules

SHARED_OUT = ("stuck", "emptied", "empty_board", "forfeit")  # endings that leave no seed in doubt


def assert_same_position(rules: Rules, position: Position, core: wari.Position) -> None:
    """Everything that shows in one position, and every successor."""
    assert str(core) == positions.text(position)
    assert list(core.legal_moves()) == positions.legal_moves(rules, position)
    ending = positions.ending(rules, position)
    assert core.ending == ending
    if ending is None:
        assert core.result is None
    else:
        assert core.result is not None
        south, north = positions.result(rules, position, ending)
        assert (core.result.south, core.result.north) == (south, north)
        assert core.result.winner == (None if south == north else "S" if south > north else "N")
    if ending in SHARED_OUT:
        assert core.settled().stores == positions.settled(rules, position, ending).stores
    for move in LETTERS:
        refusal = positions.refusal(rules, position, move)
        assert core.refusal(move) == refusal, move
        if refusal is not None:
            continue
        played = positions.play(rules, position, move)
        game = wari.Game(start=core)
        assert game.push(move) == played.captured, move
        assert str(game.position) == positions.text(played.position), move
        assert core.play(move) == game.position, move
        assert game.ending == played.ending, move


def small_positions(least: int, most: int, every: int = 1) -> Iterator[Position]:
    """Every `every`-th board of that many seeds, both sides to move, with changing stores."""
    count = 0
    for seeds in range(least, most + 1):
        for pits in boards(seeds):
            for side in ("S", "N"):
                count += 1
                if count % every == 0:
                    stores = (count // every % 4, count // every // 4 % 3)
                    yield Position(pits, stores, side)


def compare(rules: Rules, given_positions: Iterator[Position]) -> int:
    """Compare them all; how many there were."""
    chosen = core_rules(rules)
    count = 0
    for position in given_positions:
        assert_same_position(rules, position, core_position(chosen, position))
        count += 1
    return count


def test_boards_are_counted() -> None:
    """C(n + 11, 11) boards of n seeds: 6188 of up to five."""
    assert sum(1 for seeds in range(6) for _ in boards(seeds)) == 6188


def sampled(every: int) -> list[object]:
    """One board of so many in the default run, all of them in the slow one."""
    return [
        pytest.param(every, id="sample"),
        pytest.param(1, id="all", marks=pytest.mark.slow),
    ]


@pytest.mark.parametrize("every", sampled(25))
@pytest.mark.parametrize("preset", PRESETS)
def test_boards_under_presets(preset: str, every: int) -> None:
    """Boards of one to five seeds, both sides to move, those of up to two seeds always all."""
    assert compare(PRESETS[preset], small_positions(1, 2)) == 2 * 90
    assert compare(PRESETS[preset], small_positions(3, 5, every)) == 2 * 6097 // every


@pytest.mark.parametrize("every", sampled(200))
@pytest.mark.parametrize("rules", movement_rules(), ids=words)
def test_boards_under_changed_rules(rules: Rules, every: int) -> None:
    """Boards of one to four seeds and a few of those of five."""
    assert compare(rules, small_positions(1, 4, every)) == 2 * 1819 // every
    assert compare(rules, small_positions(5, 5, 16 * every)) == 2 * 4368 // (16 * every)


# --- games --------------------------------------------------------------------------------------


def random_rules(rng: random.Random) -> Rules:
    """Any of the combinations of axes."""
    return Rules(**{name: rng.choice(values) for name, values in AXES.items()})  # type: ignore[arg-type]


def play_random_game(rules: Rules, rng: random.Random, plies: int = 300) -> wari.Game:
    """One random game on both sides, with a move taken back now and then."""
    expected = Game(rules)
    game = wari.Game(core_rules(rules))
    for _ in range(plies):
        assert str(game.position) == positions.text(expected.position)
        assert list(game.legal_moves()) == expected.legal_moves()
        assert game.quiet_plies == len(expected.history()) - 1
        assert game.ending == expected.ending
        if expected.ending is not None:
            break
        move = rng.choice(expected.legal_moves())
        assert game.push(move) == expected.push(move).captured
        if rng.random() < 0.05:
            assert game.pop() == expected.undo().move
    if expected.ending is None:
        end_by_players(expected, game, rng)
    result = expected.result
    assert result is not None
    assert game.result is not None
    found = (game.result.south, game.result.north, game.result.winner, game.result.ending)
    assert found == (result.south, result.north, result.winner, result.reason)
    return game


def end_by_players(expected: Game, game: wari.Game, rng: random.Random) -> None:
    """Agreement, resignation or time, the same on both sides."""
    how = rng.randrange(3)
    if how == 0:
        expected.agree()
        game.agree()
        return
    side = rng.choice("SN")
    if how == 1:
        expected.resign(side)  # type: ignore[arg-type]
        game.resign(side)
    else:
        expected.time_out(side)  # type: ignore[arg-type]
        game.lose_on_time(side)


def check_games(seeds: range) -> None:
    """Random games under random rules; each survives its record too."""
    endings = set()
    for seed in seeds:
        rng = random.Random(seed)
        rules = random_rules(rng) if seed % 2 else rng.choice(all_rules())
        game = play_random_game(rules, rng, plies=rng.choice((20, 300)))
        endings.add(game.ending)
        assert wari.Game.from_json(game.to_json()) == game
    assert endings >= {"stuck", "majority", "repetition", "agreement", "resignation", "time"}


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(3_000), marks=pytest.mark.slow)], ids=str
)
def test_random_games(seeds: range) -> None:
    """Sixty, and three thousand."""
    check_games(seeds)


# --- Hypothesis ---------------------------------------------------------------------------------

any_rules = st.builds(Rules, **{name: st.sampled_from(values) for name, values in AXES.items()})


@st.composite
def any_position(draw: st.DrawFn) -> Position:
    """Totals from 1 to 96, empty rows often, pits above 31 too."""
    total = draw(st.integers(1, 96))
    on_board = draw(st.integers(0, total))
    open_pits = draw(st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True))
    pits = [0] * 12
    for _ in range(on_board):
        pits[draw(st.sampled_from(open_pits))] += 1
    south = draw(st.integers(0, total - on_board))
    side = draw(st.sampled_from(("S", "N")))
    return Position(tuple(pits), (south, total - on_board - south), side)  # type: ignore[arg-type]


@given(any_rules, any_position())
def test_any_position_under_any_rules(rules: Rules, position: Position) -> None:
    """One position: moves, refusals, successors, the end."""
    assert_same_position(rules, position, core_position(core_rules(rules), position))


@given(any_rules, any_position())
def test_any_tree_under_any_rules(rules: Rules, position: Position) -> None:
    """Two plies from any position, by perft and divide."""
    core = core_position(core_rules(rules), position)
    assert core.perft(2) == counting.perft(rules, position, 2)
    if core.legal_moves():
        assert core.divide(2) == counting.divide(rules, position, 2)


@given(any_rules, any_position())
def test_both_seats_are_alike(rules: Rules, position: Position) -> None:
    """Turning the board round turns everything round (fault 24)."""
    chosen = core_rules(rules)
    core = core_position(chosen, position)
    turned = core_position(chosen, positions.turned(position))
    assert turned.legal_moves() == tuple(move.swapcase() for move in core.legal_moves())
    if core.result is not None:
        assert turned.result is not None
        assert turned.result.margin("N") == core.result.margin("S")
    assert turned.perft(2) == core.perft(2)
