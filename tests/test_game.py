"""Game: playing, taking back, ending, and what Python expects of the object."""

import copy
import pickle
from typing import Any, cast

import pytest
import wari

CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
ROUND = "AaBbCcDdEeFf"
SLAM = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"


def some_games() -> list[wari.Game]:
    """Running, ended by a move, and ended by the players in each way."""
    games = [
        wari.Game(),
        wari.Game.replay("FfEd", rules="abapa"),
        wari.Game.replay(ROUND, "abapa", CHASE),
        wari.Game.replay("F-E", start=SLAM),
        wari.Game(wari.Rules(seeds_per_pit=3, sowing="clockwise")),
        wari.Game.replay("Ff", ending="agreement"),
    ]
    for ending in ("resignation", "time"):
        for loser in "SN":
            games.append(wari.Game.replay("FfE", rules="ouri", ending=ending, loser=loser))
    return games


def test_a_game() -> None:
    """Moves, positions, and what each returns."""
    game = wari.Game("abapa")
    assert game.rules == wari.Rules.preset("abapa")
    assert game.start == game.position == wari.Position("abapa")
    assert (len(game), game.moves, game.quiet_plies) == (0, (), 0)
    assert game.push("C") == 0
    assert game.push("e") == 0
    assert (len(game), game.moves, game.quiet_plies) == (2, ("C", "e"), 2)
    assert str(game.position) == "5-5-1-5-5-5-5-4-4-4-0-5-0-0-S"
    assert list(game.positions()) == [
        game.start,
        game.start.play("C"),
        game.start.play("C").play("e"),
    ]
    assert game.pop() == "e"
    assert game.position == game.start.play("C")
    assert game.result is None
    assert game.ending is None
    assert not game.is_over
    assert game  # also a game without moves is true
    assert wari.Game()


def test_captures_are_returned_and_end_the_quiet_plies() -> None:
    game = wari.Game("abapa", "1-0-0-0-0-3-1-0-1-1-0-0-20-21-S")
    assert game.push("F") == 2
    assert game.quiet_plies == 0
    assert game.pop() == "F"
    assert game.push("A") == 0
    assert game.quiet_plies == 1


def test_rules_of_the_start() -> None:
    """A Position brings its rules; with other ones beside it the two disagree."""
    start = wari.Position("abapa")
    assert wari.Game(start=start).rules == start.rules
    assert wari.Game("abapa", start) == wari.Game(start=start)
    assert wari.Game("abapa", str(start)) == wari.Game(start=start)
    assert wari.Game(start=str(start)).rules == wari.Rules()
    with pytest.raises(wari.WrongRulesError, match="^rules: .*abapa, not wari"):
        wari.Game("wari", start)
    with pytest.raises(wari.InvalidValueError, match="^rules: .*'kalah'"):
        wari.Game("kalah")
    with pytest.raises(wari.InvalidValueError, match="^position: "):
        wari.Game(start="4-4")
    with pytest.raises(wari.InvalidValueError, match="^rules: .*7"):
        wari.Game(7)  # type: ignore[arg-type]
    with pytest.raises(wari.InvalidValueError, match="^position: .*7"):
        wari.Game(start=7)  # type: ignore[arg-type]


def test_refused_moves_change_nothing() -> None:
    game = wari.Game("abapa")
    game.push("F")
    for move, reason in {"A": "not_your_pit", "-": "cannot_pass"}.items():
        assert game.refusal(move) == reason
        with pytest.raises(wari.IllegalMoveError) as raised:
            game.push(move)
        assert (raised.value.move, raised.value.reason) == (move, reason)
    for what in ("", "G", "Ff", 3, None):
        bad: Any = what
        with pytest.raises(wari.InvalidValueError, match="^move: "):
            game.push(bad)
        with pytest.raises(wari.InvalidValueError, match="^move: "):
            game.refusal(bad)
    assert game.moves == ("F",)


def test_after_the_end() -> None:
    """No moves, no other end; the position still stands."""
    game = wari.Game.replay(ROUND, "abapa", CHASE)
    assert game.is_over
    assert game.legal_moves() == ()
    assert game.refusal("A") == "game_over"
    for attempt in (lambda: game.push("A"), game.agree, game.resign, game.lose_on_time):
        with pytest.raises(wari.GameOverError, match="over"):
            attempt()
    assert game.result == wari.Result(24, 24, None, "repetition")
    assert game.position.ending is None  # only the game knows the repetition
    assert game.settled().stores == (24, 24)


@pytest.mark.parametrize(("repetition", "shares"), [("owner", (23, 24)), ("split", (23, 23))])
def test_repetition_by_its_axis(repetition: str, shares: tuple[int, int]) -> None:
    """Each side its own row, or half each with the odd seed dropped; `remainder` plays no part."""
    rules = wari.Rules.preset("abapa").replace(repetition=repetition, remainder="starved")
    game = wari.Game(rules, "0-0-0-0-1-0-0-0-0-1-0-1-22-22-S")
    game.push_all("EdFfAaBeCbDc")
    assert game.position == game.start
    assert game.ending == "repetition"
    assert game.result is not None
    assert (game.result.south, game.result.north) == shares


def test_repetition_counts_the_side_to_move() -> None:
    """The same pits with the other side to move are another position: a pass repeats nothing."""
    game = wari.Game("wari,feeding=optional", "0-0-0-0-0-0-1-0-0-0-0-0-20-20-S")
    assert game.legal_moves() == ("-",)
    assert game.push("-") == 0
    assert game.position.pits == game.start.pits
    assert not game.is_over
    assert game.quiet_plies == 1


def test_own_end_comes_before_majority() -> None:
    """`emptied` sweeps first, so the reason is the move's own though a store holds a majority."""
    game = wari.Game("singles,majority=true", "0-0-0-0-0-3-1-1-1-0-0-1-20-21-S")
    assert game.push("F") == 6
    assert game.result == wari.Result(26, 22, "S", "emptied")
    assert str(game.position) == "0-0-0-0-0-0-0-0-0-0-0-0-26-22-N"


def test_majority_comes_before_stuck() -> None:
    game = wari.Game("awari", "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S")
    assert game.push("F") == 5
    assert game.ending == "majority"
    assert game.settled() == game.position


def test_agreement() -> None:
    """Each side takes its own row, whatever the axes say."""
    for rules in ("abapa", "awari", "nostarve,remainder=split"):
        game = wari.Game(rules, "1-2-0-0-0-0-0-0-0-0-0-4-20-21-S")
        game.agree()
        assert game.result == wari.Result(23, 25, "N", "agreement")


def test_resignation_and_time() -> None:
    """The stores stay; the other side wins whatever they hold; default: the side to move."""
    for end, ending in ((wari.Game.resign, "resignation"), (wari.Game.lose_on_time, "time")):
        for side in ("S", "N", None):
            game = wari.Game("abapa", "4-4-4-0-0-0-0-0-0-0-0-4-20-12-N")
            end(game, side)
            winner = "N" if side == "S" else "S"
            assert game.result == wari.Result(20, 12, cast(Any, winner), cast(Any, ending))
            assert game.ending == ending
            assert game.legal_moves() == ()
        with pytest.raises(wari.InvalidValueError, match="^side: .*'W'"):
            end(wari.Game(), "W")


def test_pop() -> None:
    """It takes back the move and with it an ending by the players; not more than there is."""
    game = wari.Game.replay("Ff", ending="resignation", loser="S")
    assert game.pop() == "f"
    assert not game.is_over
    assert game.moves == ("F",)
    assert game.pop() == "F"
    with pytest.raises(wari.NoHistoryError, match="no move to take back") as raised:
        game.pop()
    assert isinstance(raised.value, IndexError)
    assert game == wari.Game()


def test_running_games_are_not_settled() -> None:
    with pytest.raises(wari.InvalidValueError, match="^game: .*after 1 moves"):
        wari.Game.replay("F").settled()


def test_a_finished_start() -> None:
    game = wari.Game(start="0-0-0-0-0-0-0-0-0-0-0-0-24-24-S")
    assert game.ending == "empty_board"
    assert game.result == wari.Result(24, 24, None, "empty_board")
    assert list(game.positions()) == [game.start]


@pytest.mark.parametrize("number", range(len(some_games())))
def test_round_trips(number: int) -> None:
    """Repr, pickle and copies are equal and independent."""
    game = some_games()[number]
    assert eval(repr(game)) == game
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(game, protocol))
        assert again == game
        assert again.result == game.result
    for twin in (copy.copy(game), copy.deepcopy(game), game.copy()):
        assert twin == game
        if not twin.is_over:
            twin.resign()
            assert twin != game
            assert not game.is_over


def test_equality() -> None:
    """Rules, start, moves and end all count; a game can change, so it has no hash."""
    games = some_games()
    for i, one in enumerate(games):
        for j, other in enumerate(games):
            assert (one == other) == (i == j)
    assert wari.Game() != wari.Position()
    with pytest.raises(TypeError, match="unhashable"):
        hash(wari.Game())


def test_replay_takes_no_other_ending() -> None:
    with pytest.raises(wari.InvalidValueError, match="^ending: .*'stuck'"):
        wari.Game.replay("Ff", ending="stuck")
