"""What the benchmark files share: a typed way to repeat a piece of work."""

from collections.abc import Callable
from typing import Any, TypeVar

from pytest_benchmark.fixture import BenchmarkFixture

T = TypeVar("T")
ROUNDS = 7


def repeated(benchmark: BenchmarkFixture, work: Callable[[], T], rounds: int = ROUNDS) -> T:
    """Do it once to warm up, then that many times; the last answer."""
    pedantic: Any = benchmark.pedantic
    answer: T = pedantic(work, rounds=rounds, warmup_rounds=1)
    return answer


def say_rate(benchmark: BenchmarkFixture, what: str, count: int) -> None:
    """Note and print how many millions a second the median round made."""
    stats: Any = benchmark.stats
    if stats is None:  # --benchmark-disable: the answer was checked, nothing was timed
        return
    rate = round(count / stats.stats.median / 1e6, 1)
    benchmark.extra_info["million/s"] = rate
    print(f"\n{what}: {rate} million/s")
