"""OpenSpiel's Oware as a third opinion on `abapa`: perft 1 to 9, and games move by move."""

import random
from typing import Any

import pytest
import wari
from recomputed import PERFT

pyspiel = pytest.importorskip("pyspiel")


def leaves(state: Any, depth: int) -> int:
    """OpenSpiel's count of the leaves at exactly that depth."""
    if depth == 1:
        return len(state.legal_actions())
    return sum(leaves(state.child(action), depth - 1) for action in state.legal_actions())


def test_perft() -> None:
    """Depth 6 from both sides; 7 to 9 are counted below."""
    state = pyspiel.load_game("oware").new_initial_state()
    found = [leaves(state, depth) for depth in range(1, 7)]
    assert found == [wari.Position("abapa").perft(depth) for depth in range(1, 7)]


def test_perft_9() -> None:
    """Depths 7 to 9, some four million states of OpenSpiel."""
    state = pyspiel.load_game("oware").new_initial_state()
    found = [leaves(state, depth) for depth in range(7, 10)]
    assert found == [wari.Position("abapa").perft(depth) for depth in range(7, 10)]
    assert found == list(PERFT["abapa"][6:9])


@pytest.mark.parametrize("seed", range(50))
def test_games(seed: int) -> None:
    """The same legal moves and the same board after every move of a random game."""
    rng = random.Random(seed)
    state = pyspiel.load_game("oware").new_initial_state()
    game = wari.Game("abapa")
    while not game.is_over and not state.is_terminal():
        moves = sorted(state.legal_actions())
        letters = "ABCDEF" if state.current_player() == 0 else "abcdef"
        assert game.legal_moves() == tuple(letters[action] for action in moves)
        action = rng.choice(moves)
        game.push(letters[action])
        state.apply_action(action)
    assert game.is_over == state.is_terminal()
