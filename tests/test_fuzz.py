"""Nothing but documented errors comes out, whatever is read: text, files, lines of a protocol.

The laws are those of fuzz_feeds.py. The default run is a sample of the slow one. Targets in C++ and
for atheris: fuzz/.
"""

from __future__ import annotations

import copy
import json
import re
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wari
from fuzz_feeds import BYTES, RULES, TEXT
from hypothesis import given, settings
from hypothesis import strategies as st

CORPUS = Path(__file__).parents[1] / "fuzz" / "corpus"
SECONDS, BYTES_A_CHARACTER = 10.0, 400  # what an input may cost at most; memory besides 8 MiB

WORD = re.compile(r"\S+")
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
OGN_WORDS = (
    *WORD.findall('[ ] ( ) { } ; % * ! ? !! ?? !? + - " \\ 1. 1... 12. 25-23 1/2 $1 A B F a f A+4'),
    *("\n", "\n\n", "F f", '[FEN "', '[Rules "abapa"]', '[Event "', START),
    *("\n\n1. F f", '\n\n[Event "a"]', "(E (D", "F+\u00b2", "\u0663-1", "\x1b[2J", "\u202e"),
)
UCI_WORDS = (
    *WORD.findall(
        "uci debug on off isready setoption name value Rules abapa wari MultiPV 3 Level 2 "
        "TablePath ~x none ucinewgame position startpos fen moves FfEd a - 0000 go depth 3 nodes "
        "500 movetime 20 wtime btime infinite ponder searchmoves ponderhit stop quit -1 1e9 info "
        "pv score cp mate lowerbound string option type spin default min max var bestmove "
        "99999999999999999999"
    ),
    *(START, "\u00f1", "\x00", "setoption name TablePath value ~x"),
)
AXES = [f"{name}={value}" for name, axis in wari.AXES.items() for value in axis.values]
RECORD = wari.Game.replay("FfEd", "awari", ending="resignation", loser="N").to_dict()


def lines_of(words: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Texts of words that mean something, in any order, and of anything else."""
    word = st.one_of(st.sampled_from(words), st.sampled_from(words), st.text(max_size=8))
    return st.lists(word, max_size=40).map(" ".join)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def records(draw: st.DrawFn) -> str:
    """A good record with some fields, of any depth, replaced or removed."""
    record: dict[str, Any] = copy.deepcopy(RECORD)
    for _ in range(draw(st.integers(0, 3))):
        inner = [value for value in record.values() if isinstance(value, dict)]
        at = draw(st.sampled_from([record, *inner]))
        key = draw(st.sampled_from(sorted(at) or ["x"]))
        if draw(st.booleans()):
            at[key] = draw(JSON)
        else:
            at.pop(key, None)
    return json.dumps(record)


def damaged(draw: st.DrawFn, good: bytes) -> bytes:
    """With some bytes changed, cut off or added."""
    data = bytearray(good)
    for _ in range(draw(st.integers(0, 4))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    end = draw(st.one_of(st.none(), st.integers(0, len(data))))
    return bytes(data[:end]) + draw(st.binary(max_size=4))


@st.composite
def proofs(draw: st.DrawFn) -> bytes:
    """A good proof with some bytes changed, cut off or added."""
    seeds = sorted((CORPUS / "python_proof").iterdir())
    return damaged(draw, draw(st.sampled_from(seeds)).read_bytes())


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A good table file with some bytes changed, cut off or added."""
    seeds = sorted(path for path in (CORPUS / "table").iterdir() if path.stat().st_size > 100)
    return damaged(draw, draw(st.sampled_from(seeds)).read_bytes()[1:])


UCI = lines_of(UCI_WORDS)
INPUTS: dict[str, st.SearchStrategy[Any]] = {
    "rules": st.lists(
        st.one_of(st.sampled_from([*RULES, *AXES]), st.text(max_size=10)), max_size=6
    ).map(",".join),
    "position": st.builds(
        lambda rules, counts, side, moves: f"{rules}\n{'-'.join(map(str, counts))}-{side}\n{moves}",
        st.one_of(st.sampled_from(RULES), st.text(max_size=20)),
        st.lists(st.integers(-1, 9), min_size=13, max_size=15),
        st.sampled_from("SNx"),
        st.text("ABCDEFabcdef- ", max_size=30),
    ),
    "ogn": lines_of(OGN_WORDS),
    "record": st.one_of(records(), st.text(max_size=50), JSON.map(json.dumps)),
    "uci_client": UCI,
    "text_file": st.builds(
        lambda text, encoding, cut: ("\ufeff" + text).encode(encoding, "surrogatepass")[cut:],
        lines_of(OGN_WORDS),
        st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le"]),
        st.integers(0, 4),
    ),
    "uci_server": st.lists(
        st.one_of(UCI.map(lambda line: line.encode("utf-8", "replace")), st.binary(max_size=40)),
        max_size=12,
    ).map(b"\n".join),
    "table": tables(),
    "proof": proofs(),
}
FEEDS: dict[str, Callable[[Any], None]] = {**TEXT, **BYTES}


def feed_many(name: str, count: int) -> None:
    """Feeds so many examples."""

    @settings(max_examples=count)
    @given(INPUTS[name])
    def one(value: Any) -> None:
        FEEDS[name](value)

    one()


@pytest.mark.parametrize("name", FEEDS)
def test_only_documented_errors_come_out(name: str) -> None:
    """A sample; the server starts an engine each time and has fewer."""
    feed_many(name, 20 if name == "uci_server" else 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", FEEDS)
def test_only_documented_errors_come_out_of_many(name: str) -> None:
    """The whole; the server starts an engine each time and has fewer."""
    feed_many(name, 200 if name == "uci_server" else 2000)


@pytest.mark.parametrize("name", FEEDS)
def test_what_once_broke_something(name: str) -> None:
    """And the seeds that fuzzing starts from."""
    found = sorted((CORPUS / f"python_{name}").iterdir())
    assert found
    for path in found:
        data = path.read_bytes()
        FEEDS[name](data.decode("utf-8", "replace") if name in TEXT else data)


HUGE = {
    "rules": ["wari," * 100_000, "a" * 500_000, "seeds_per_pit=" + "9" * 400_000],
    "position": [
        "wari\n" + "4-" * 200_000,
        "wari\n" + "9" * 500_000,
        f"\n{START}\n" + "F" * 400_000,
    ],
    "ogn": [
        "(" * 200_000,
        "1. F " + "(1. F " * 20_000,
        "{" * 200_000,
        "9" * 400_000,
        "[" * 100_000,
        "1. F f " * 20_000,
        "F " + "! " * 20_000,
        "F " + "(E) " * 2_000,
        '[A "b"]\n\n' * 500,
    ],
    "record": [
        "[" * 200_000,
        '{"a":' * 100_000,
        "9" * 400_000,
        '{"format": "wari-game", "version": ' + "9" * 5000 + "}",
    ],
    "uci_client": ["info " * 13_000, "9" * 65_536, "var " * 16_000],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, n) for name, texts in HUGE.items() for n in range(len(texts))]
)
def test_huge_inputs_cost_little(name: str, number: int) -> None:
    """Depth, length and digits without end take no more than the text is worth."""
    text = HUGE[name][number]
    began = time.process_time()
    tracemalloc.start()
    try:
        TEXT[name](text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < SECONDS
    assert peak < 2**23 + BYTES_A_CHARACTER * len(text)
