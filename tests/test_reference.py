"""The reference implementation against the worked cases, the faults and the published numbers."""

import csv
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import published
import pytest
import recomputed
from cases import RUNNING, STARTS, WORKED, Case
from cases_of_faults import BAD_TEXTS, FAULTS
from published import Board
from recomputed import PERFT
from reference import position as positions
from reference.game import Game, replay
from reference.perft import divide, perft
from reference.position import Position, legal_moves, parse, play, start, text, turned
from reference.rules import AXES, PRESETS, Rules, changed, single_axis_changes

KNOWN = [*published.BOARDS, *recomputed.BOARDS]

DATA = Path(__file__).parent / "data"


def random_games(seed: int, rules: Rules, plies: int = 150) -> Iterator[Game]:
    """A random game, seen after every ply."""
    rng = random.Random(seed)
    game = Game(rules)
    yield game
    while game.ending is None and len(game.plies) < plies:
        game.push(rng.choice(game.legal_moves()))
        yield game


# --- worked cases and faults --------------------------------------------------------------------


@pytest.mark.parametrize("case", [*WORKED, *FAULTS], ids=str)
def test_case(case: Case) -> None:
    """Each case, played as a game."""
    game = replay(changed(PRESETS[case.preset], **case.changes), parse(case.position), case.moves)
    if case.after is not None:
        assert text(game.position) == case.after
    if case.captured is not None:
        assert game.plies[-1].captured == case.captured
    if case.legal is not None:
        assert "".join(game.legal_moves()) == case.legal
    for move, code in case.refusals.items():
        assert game.refusal(move) == code
    if case.ending is not None:
        assert (game.ending or RUNNING) == case.ending
    if case.result is not None:
        assert game.result is not None
        assert (game.result.south, game.result.north) == case.result


@pytest.mark.parametrize("case", [*WORKED, *FAULTS], ids=str)
def test_case_turned_and_mirrored(case: Case) -> None:
    """South and North are alike (fault 24); clockwise mirrors counterclockwise."""
    rules = changed(PRESETS[case.preset], **case.changes)
    game = replay(rules, parse(case.position), case.moves)
    other = replay(rules, turned(parse(case.position)), case.moves.swapcase())
    assert other.position == turned(game.position)
    assert other.ending == game.ending
    assert [move.swapcase() for move in other.legal_moves()] == game.legal_moves()
    clockwise = changed(rules, sowing="clockwise")
    mirror = replay(clockwise, mirrored(parse(case.position)), case.moves.translate(MIRROR))
    assert mirror.position == mirrored(game.position)
    assert mirror.ending == game.ending
    assert {move.translate(MIRROR) for move in mirror.legal_moves()} == set(game.legal_moves())


MIRROR = str.maketrans("ABCDEFabcdef", "FEDCBAfedcba")


def mirrored(position: Position) -> Position:
    """The board seen in a mirror: A changes places with F, a with f."""
    pits = position.pits[5::-1] + position.pits[:5:-1]
    return Position(pits, position.stores, position.side)


@pytest.mark.parametrize(("bad", "word"), BAD_TEXTS)
def test_bad_text(bad: str, word: str) -> None:
    """The error names the field."""
    with pytest.raises(ValueError, match=word):
        parse(bad)


@pytest.mark.parametrize("move", ["", "g", "AB", "0", "Ä"])
def test_unknown_letter(move: str) -> None:
    """A letter that is no pit is no move at all."""
    with pytest.raises(ValueError, match="not a move"):
        positions.refusal(Rules(), start(Rules()), move)


# --- laws that hold in every game ---------------------------------------------------------------


@pytest.mark.parametrize(("every", "games"), [(5, 1), pytest.param(1, 20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", PRESETS)
def test_laws_of_play(preset: str, every: int, games: int) -> None:
    """Faults 11, 17, 19, 22: seeds are kept, lists and refusals agree, settled games load again."""
    for rules in [PRESETS[preset], *list(single_axis_changes(PRESETS[preset]))[::every]]:
        for seed in range(games):
            for game in random_games(seed, rules):
                position = game.position
                seeds = sum(position.pits) + sum(position.stores)
                dropped = game.ending == "emptied" and rules.remainder == "split"
                assert 12 * rules.seeds_per_pit - seeds in ((0, 1) if dropped else (0,))
                assert parse(text(position)) == position
                moves = [move for move in "ABCDEFabcdef-" if game.refusal(move) is None]
                assert moves == game.legal_moves()
                assert (game.ending is None) == bool(moves)
                if game.ending is not None:
                    settled = Game(rules, parse(text(game.settled())))
                    assert game.result is not None
                    assert settled.result is not None
                    assert settled.settled() == game.settled()
                    assert settled.result.winner == game.result.winner
                    assert settled.result.south == game.result.south
                    assert settled.result.north == game.result.north


def test_long_game() -> None:
    """A game of more than 400 plies: quiet moves where there are any, on a board of 96 seeds."""
    game = long_game()
    assert len(game.plies) > 400


def long_game() -> Game:
    """A long game from the start, found by preferring moves that capture nothing."""
    rules = changed(PRESETS["abapa"], seeds_per_pit=8, majority=False)
    rng = random.Random(1)
    game = Game(rules)
    while game.ending is None and len(game.plies) < 500:
        moves = game.legal_moves()
        quiet = [move for move in moves if play(rules, game.position, move).captured == 0]
        game.push(rng.choice(quiet or moves))
    return game


def test_undo_after_the_end() -> None:
    """The end belongs to the ply: after undo the game goes on, and may end again."""
    game = replay(PRESETS["wari"], parse("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"), "AaBbCcDdEeFf")
    assert game.ending == "repetition"
    game.undo()
    assert game.ending is None
    assert game.legal_moves() == ["f"]
    game.push("f")
    assert game.ending == "repetition"


def test_endings_by_the_players() -> None:
    """Agreement gives each side its row, resignation and time nothing; undo takes them back."""
    game = replay(PRESETS["cairo"], parse("1-0-0-0-0-3-1-0-1-1-0-0-20-21-S"), "F")
    game.agree()
    assert game.result is not None
    assert (game.result.south, game.result.north, game.result.winner) == (23, 25, "N")
    assert game.legal_moves() == []
    assert game.refusal("a") == "game_over"
    game.undo()
    assert game.ending is None
    game.resign("N")
    assert game.result is not None
    assert (game.result.south, game.result.north, game.result.winner) == (20, 21, "S")
    with pytest.raises(ValueError, match="over"):
        game.time_out("S")


def test_own_ending_comes_first() -> None:
    """A forfeit goes before an emptied row, and both before a majority."""
    rules = changed(PRESETS["wari"], grand_slam="forfeit_rest", ends_when_emptied=True)
    slam = replay(rules, parse("0-0-0-0-0-3-2-1-2-0-0-0-23-17-S"), "F")
    assert (slam.ending, text(slam.position)) == ("forfeit", "0-0-0-0-0-0-0-0-0-0-0-0-31-17-N")
    no_slam = replay(rules, parse("0-0-0-0-0-3-2-1-2-1-0-0-22-17-S"), "F")
    assert (no_slam.ending, text(no_slam.position)) == (
        "emptied",
        "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N",
    )


# --- published numbers --------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [4, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", PRESETS)
def test_perft(preset: str, plies: int) -> None:
    """The leaf counts from the start, as far as plain Python goes."""
    for depth, leaves in enumerate(PERFT[preset][:plies], start=1):
        assert perft(PRESETS[preset], start(PRESETS[preset]), depth) == leaves


def test_divide() -> None:
    """Divide adds up to perft."""
    parts = divide(PRESETS["abapa"], start(PRESETS["abapa"]), 4)
    assert list(parts) == list("ABCDEF")
    assert sum(parts.values()) == PERFT["abapa"][3]


def test_published_games() -> None:
    """Four games, move by move; the board is turned after each move, as it is in the data."""
    with (DATA / "awari_games_1_to_4.csv").open(encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    for before, after in itertools.pairwise(rows):
        position = parse(before["position"])
        moves = legal_moves(PRESETS["awari"], position)
        assert set(before["played"] + before["best_if_not"]) <= set(moves)
        if before["game"] == after["game"]:
            played = play(PRESETS["awari"], position, before["played"])
            assert text(turned(played.position)) == after["position"]


@pytest.mark.parametrize("board", KNOWN, ids=lambda board: " ".join(map(str, board.pits)))
def test_published_legal_moves(board: Board) -> None:
    """Legal moves and captures of the published boards."""
    position = Position(board.pits)
    assert "".join(legal_moves(PRESETS["awari"], position)) == board.legal
    for move, seeds in board.captures.items():
        assert play(PRESETS["awari"], position, move).captured == seeds


# --- rules as data ------------------------------------------------------------------------------


def test_rules() -> None:
    """Presets are the defaults plus changes; values are checked."""
    assert PRESETS["wari"] == Rules()
    assert len(set(PRESETS.values())) == 7
    assert len(list(single_axis_changes(Rules()))) == sum(
        len(values) - 1 for values in AXES.values()
    )
    for name in AXES:
        with pytest.raises(ValueError, match=name):
            changed(Rules(), **{name: "no such value"})
    with pytest.raises(ValueError, match="majority"):
        changed(Rules(), majority=1)
    with pytest.raises(ValueError, match="no_axis"):
        changed(Rules(), no_axis=True)


@pytest.mark.parametrize("seeds", STARTS)
def test_starts(seeds: int) -> None:
    """R1: the start has the same number of seeds in every pit."""
    assert text(start(changed(Rules(), seeds_per_pit=seeds))) == STARTS[seeds]
