"""What one call from Python costs: positions, moves, games. Times are CPU time of one core."""

import time

import pytest
import wari
from pytest_benchmark.fixture import BenchmarkFixture

pytestmark = pytest.mark.benchmark(timer=time.process_time, group="one call")

TEXT = "4-4-0-5-5-5-5-4-4-4-4-4-0-0-N"


def test_parse(benchmark: BenchmarkFixture) -> None:
    """A position from text."""
    assert str(benchmark(wari.Position.parse, TEXT, rules="abapa")) == TEXT


def test_legal_moves(benchmark: BenchmarkFixture) -> None:
    """The legal moves of a position."""
    assert benchmark(wari.Position.parse(TEXT).legal_moves) == tuple("abcdef")


def test_play(benchmark: BenchmarkFixture) -> None:
    """A move checked and made."""
    position = benchmark(wari.Position().play, "C")
    assert str(position) == TEXT


def test_push_and_pop(benchmark: BenchmarkFixture) -> None:
    """A move of a game made and taken back."""
    game = wari.Game()

    def there_and_back() -> str:
        game.push("C")
        return game.pop()

    assert benchmark(there_and_back) == "C"
    assert len(game) == 0
