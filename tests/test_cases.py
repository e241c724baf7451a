"""The worked cases of the rules and the faults of other programs, run against the package."""

import random

import pytest
import wari
from cases import CHASE, RUNNING, WORKED, Case
from cases_of_faults import BAD_TEXTS, FAULTS

SHARING = ("stuck", "emptied", "forfeit", "repetition", "empty_board")


@pytest.mark.parametrize("case", [*WORKED, *FAULTS], ids=str)
def test_case(case: Case) -> None:
    """Each case, played as a game."""
    rules = wari.Rules.preset(case.preset).replace(**case.changes)
    game = wari.Game(rules, case.position)
    captured = [game.push(move) for move in case.moves.replace(" ", "")]
    if case.after is not None:
        assert str(game.position) == case.after
    if case.captured is not None:
        assert captured[-1] == case.captured
    if case.legal is not None:
        assert "".join(game.legal_moves()) == case.legal
    for move, code in case.refusals.items():
        assert game.refusal(move) == code
        with pytest.raises(wari.IllegalMoveError, match=f"move: {move} is not legal") as raised:
            game.push(move)
        assert (raised.value.move, raised.value.reason) == (move, code)
    if case.ending is not None:
        assert (game.ending or RUNNING) == case.ending
    if case.result is not None:
        assert game.result is not None
        assert (game.result.south, game.result.north) == case.result


@pytest.mark.parametrize("case", [*WORKED, *FAULTS], ids=str)
def test_seeds_are_never_lost_and_a_settled_end_loads_again(case: Case) -> None:
    """Seeds are never lost (11); a settled end loads again, finished, with its result (22)."""
    rules = wari.Rules.preset(case.preset).replace(**case.changes)
    game = wari.Game.replay(case.moves, rules, case.position)
    assert {position.total for position in game.positions()} == {game.start.total}
    if game.result is None or game.ending not in SHARING:
        return
    again = wari.Game(rules, str(game.settled()))
    assert again.is_over
    assert again.result is not None
    assert (again.result.south, again.result.north) == (game.result.south, game.result.north)
    assert again.result.winner == game.result.winner


def long_game(rng: random.Random, plies: int) -> wari.Game:
    """A game that shuns captures and the end where it can."""
    game = wari.Game()
    while len(game) < plies and not game.is_over:
        moves = list(game.legal_moves())
        rng.shuffle(moves)
        for move in moves[:-1]:
            if game.push(move) == 0 and not game.is_over:
                break
            game.pop()
        else:
            game.push(moves[-1])
    return game


def test_long_games() -> None:
    """A game may be as long as it likes."""
    games = [long_game(random.Random(seed), 1500) for seed in range(8)]
    assert max(map(len, games)) == 1500
    for game in games:
        assert wari.Game.from_json(game.to_json()) == game


def test_undo_after_the_end() -> None:
    """The end belongs to the ply: taken back, the game goes on, and may end again."""
    game = wari.Game.replay(CHASE, "abapa", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
    assert game.ending == "repetition"
    assert game.pop() == "f"
    assert game.ending is None
    assert game.legal_moves() == ("f",)
    game.pop()
    game.push("F")
    game.push("f")
    assert game.ending == "repetition"
    majority = wari.Game.replay("F", "wari", "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S")
    assert majority.ending == "majority"
    majority.pop()
    majority.push("E")
    assert majority.ending is None
    assert majority.legal_moves() == ("b", "c")


@pytest.mark.parametrize(("text", "word"), BAD_TEXTS)
def test_a_bad_text_names_its_field(text: str, word: str) -> None:
    """A bad text is refused with a message that names the field."""
    with pytest.raises(wari.InvalidValueError, match=word) as raised:
        wari.Position.parse(text)
    assert isinstance(raised.value, ValueError)
    assert raised.value.field
    assert str(raised.value).startswith(raised.value.field + ": ")
