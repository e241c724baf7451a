"""Lists of moves as text: reading, writing, passes put in."""

from typing import Any

import pytest
import wari
from hypothesis import given
from hypothesis import strategies as st

SLAM = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"


@pytest.mark.parametrize("text", ["FfEd", "F f E d", " F\tf\nE d \r\n", "Ff Ed"])
def test_spaces_are_optional(text: str) -> None:
    assert wari.Game.replay(text, "abapa").moves == ("F", "f", "E", "d")


def test_nothing_is_a_list_too() -> None:
    for text in ("", "  \n"):
        assert wari.Game.replay(text) == wari.Game()


def test_a_missing_pass_is_put_in() -> None:
    """After the slam North must pass: written or not, the game is the same."""
    written = wari.Game.replay("F-E", start=SLAM)
    assert wari.Game.replay("FE", start=SLAM) == written
    assert written.moves == ("F", "-", "E")
    only = wari.Game.replay("F", start=SLAM)
    assert only.moves == ("F",)  # nothing follows: the pass may come with the next list
    only.push_all("E")
    assert only == written


def test_a_pass_is_put_in_only_where_it_is_the_move() -> None:
    """Two moves of one side in a row are an error where the other side could have moved."""
    with pytest.raises(wari.IllegalMoveError, match="move 2, E, .*other side") as raised:
        wari.Game.replay("FE")
    assert (raised.value.move, raised.value.reason) == ("E", "not_your_pit")
    with pytest.raises(wari.IllegalMoveError, match="move 2, -, .*passing"):
        wari.Game.replay("F-")


def test_a_pass_put_in_is_taken_back_when_the_move_is_refused() -> None:
    game = wari.Game.replay("F", start=SLAM)
    with pytest.raises(wari.IllegalMoveError, match="move 1, B, .*empty"):
        game.push_all("B")
    assert game.moves == ("F",)


@pytest.mark.parametrize(
    ("text", "number", "letter"),
    [
        ("x", 1, "'x'"),
        ("FfG", 3, "'G'"),
        ("F f 1", 3, "'1'"),
        ("F,f", 2, "','"),
        ("Ff\x00", 3, "?"),
        ("Ff" * 3000 + "!", 6001, "'!'"),
    ],
)
def test_unknown_letters(text: str, number: int, letter: str) -> None:
    """The message names the number of the move and the letter, and nothing was played."""
    game = wari.Game()
    with pytest.raises(wari.InvalidValueError, match=f"^moves: move {number} is ") as raised:
        game.push_all(text)
    assert letter in str(raised.value)
    assert raised.value.field == "moves"
    assert len(game) == 0


@pytest.mark.parametrize("what", [None, 3, ["F", 1], b"Ff"])
def test_no_text(what: Any) -> None:
    with pytest.raises(wari.InvalidValueError, match="^moves: expected text"):
        wari.Game().push_all(what)


def test_letters_beyond_ascii() -> None:
    with pytest.raises(wari.InvalidValueError, match="^moves: unexpected"):
        wari.Game().push_all("F\uff46")


@pytest.mark.parametrize(("text", "number"), [("a", 1), ("Edd", 3), ("EdFeA-", 6)])
def test_all_or_nothing(text: str, number: int) -> None:
    """A refused move leaves the game as it was before the list."""
    game = wari.Game.replay("Ff")
    with pytest.raises(wari.IllegalMoveError, match=f"^moves: move {number}, {text[-1]}, "):
        game.push_all(text)
    assert game == wari.Game.replay("Ff")


def test_after_the_end() -> None:
    game = wari.Game.replay("Ff", ending="agreement")
    with pytest.raises(wari.GameOverError, match="^moves: move 1, E, .*over"):
        game.push_all("E")
    game.push_all("")
    assert game.ending == "agreement"


@given(st.data())
def test_round_trip(data: st.DataObject) -> None:
    """The letters of a random game, with and without its passes, give the game again."""
    rules = data.draw(
        st.sampled_from(("wari", "ouri", "wari,feeding=optional", "singles,stuck=pass"))
    )
    counts = data.draw(st.lists(st.integers(0, 2), min_size=12, max_size=12).filter(any))
    game = wari.Game(rules, wari.Position.from_counts(counts, rules=rules))
    while not game.is_over and len(game) < 40:
        game.push(data.draw(st.sampled_from(game.legal_moves())))
    text = "".join(game.moves)
    assert wari.Game.replay(text, rules, str(game.start)) == game
    if not text.endswith("-"):
        assert wari.Game.replay(text.replace("-", ""), rules, str(game.start)) == game
