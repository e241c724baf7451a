"""Position: text, counts, moves, and what Python expects of a value."""

import copy
import pickle
import signal
import threading
import time
from typing import Any

import pytest
import wari
from cases import EMPTY, PRESETS
from hypothesis import given
from hypothesis import strategies as st

START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
SLAM = "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S"


@st.composite
def any_position(draw: st.DrawFn) -> wari.Position:
    """Valid positions of any total."""
    counts = draw(st.lists(st.integers(0, 96), min_size=14, max_size=14))
    while sum(counts) > 96:
        counts[counts.index(max(counts))] //= 2
    if sum(counts) == 0:
        counts[draw(st.integers(0, 13))] = draw(st.integers(1, 96))
    rules = wari.Rules.preset(draw(st.sampled_from(PRESETS)))
    rules = rules.replace(sowing=draw(st.sampled_from(("counterclockwise", "clockwise"))))
    side = draw(st.sampled_from("SN"))
    return wari.Position.from_counts(counts[:12], (counts[12], counts[13]), side, rules)


@given(any_position())
def test_round_trips(position: wari.Position) -> None:
    """Text, counts, repr, pickle and copy give an equal position again."""
    assert wari.Position.parse(str(position), position.rules) == position
    again = wari.Position.from_counts(position.pits, position.stores, position.side, position.rules)
    assert again == position
    assert hash(again) == hash(position)
    assert eval(repr(position)) == position
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(position, protocol)) == position
    assert copy.copy(position) == copy.deepcopy(position) == position
    assert position.total == sum(position.pits) + sum(position.stores)


def test_start() -> None:
    """R1, for every number of seeds in a pit."""
    assert str(wari.Position()) == START
    assert wari.Position().rules == wari.Rules()
    for seeds in range(1, 9):
        position = wari.Position(wari.Rules(seeds_per_pit=seeds))
        assert position.pits == (seeds,) * 12
        assert (position.stores, position.side, position.total) == ((0, 0), "S", 12 * seeds)
    assert not wari.Position().is_over
    assert wari.Position().ending is None
    assert wari.Position().result is None


def test_values_differ() -> None:
    """Seeds, stores, side and rules all count for equality."""
    one = wari.Position.parse(SLAM)
    others = [
        wari.Position.parse(SLAM.replace("-S", "-N")),
        wari.Position.parse(SLAM.replace("20-17", "17-20")),
        wari.Position.parse(SLAM, "abapa"),
        wari.Position(),
    ]
    assert len({one, *others}) == 5
    assert one != SLAM
    with pytest.raises(AttributeError, match="immutable"):
        one.side = "N"  # type: ignore[misc]


def test_numpy_counts() -> None:
    """NumPy integers are whole numbers."""
    numpy = pytest.importorskip("numpy")
    position = wari.Position.from_counts(numpy.full(12, 4, dtype=numpy.uint8))
    assert position == wari.Position()


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("", "position", "''"),
        ("   ", "position", "found 1 in '   '"),
        ("hello", "position", "'hello'"),
        (START[:-2], "position", "found 14"),
        (START + "-S", "position", "found 16"),
        ("-".join("4" * 5000), "position", "found 5000"),
        ("x" + START[1:], "A", "'x'"),
        ("-1" + START[1:], "A", "'-1'"),
        ("4--1-4-4-4-4-4-4-4-4-4-4-0-0-S", "B", "'-1'"),
        ("4-4-4-4-4-4-4.5-4-4-4-4-4-0-0-S", "a", "'4.5'"),
        ("4-4-4-4-4-4-4-4-4-4-4-0x4-0-0-S", "f", "'0x4'"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-99999999999999999999-0-S", "storeS", "9999999999"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-x-S", "storeN", "'x'"),
        (f"{EMPTY}-0-0-S", "total", "not 0"),
        (f"{EMPTY}-49-48-S", "total", "not 97"),
        (f"{EMPTY}-97-0-S", "storeS", "'97'"),
        (START[:-1] + "X", "side", "'X'"),
        (START[:-1] + "s", "side", "'s'"),
        (START[:-1], "side", "''"),
        (START + "\x00", "side", "?"),
        (START.replace("4", "\u0664"), "position", "u0664"),
        ("\ud800", "position", "ud800"),
    ],
)
def test_bad_text(text: str, field: str, value: str) -> None:
    """The message names the field and the value, whatever the text."""
    with pytest.raises(wari.InvalidValueError, match=f"^{field}: ") as raised:
        wari.Position.parse(text)
    assert raised.value.field == field
    assert value in str(raised.value)
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        ({"pits": [4] * 11}, "pits", "12 counts"),
        ({"pits": [4] * 13}, "pits", "12 counts"),
        ({"pits": []}, "pits", "[]"),
        ({"pits": 4}, "pits", "4"),
        ({"pits": None}, "pits", "None"),
        ({"pits": "444444444444"}, "A", "'4'"),
        ({"pits": [4] * 11 + [-1]}, "f", "-1"),
        ({"pits": [4.0] + [4] * 11}, "A", "4.0"),
        ({"pits": [True] + [4] * 11}, "A", "True"),
        ({"pits": [97] + [0] * 11}, "A", "97"),
        ({"pits": [10**30] + [0] * 11}, "A", "1000000000000"),
        ({"pits": [8] * 12, "stores": (1, 0)}, "total", "97"),
        ({"pits": [0] * 12}, "total", "0"),
        ({"pits": [4] * 12, "stores": (0,)}, "stores", "(0,)"),
        ({"pits": [4] * 12, "stores": (0, -3)}, "storeN", "-3"),
        ({"pits": [4] * 12, "stores": ("a", 0)}, "storeS", "'a'"),
        ({"pits": [4] * 12, "side": "W"}, "side", "W"),
        ({"pits": [4] * 12, "side": None}, "side", "None"),
        ({"pits": [4] * 12, "rules": "kalah"}, "rules", "kalah"),
        ({"pits": [4] * 12, "rules": 7}, "rules", "7"),
    ],
)
def test_bad_counts(arguments: dict[str, Any], field: str, value: str) -> None:
    """The message names the field and the value."""
    with pytest.raises(ValueError, match=f"^{field}: ") as raised:
        wari.Position.from_counts(**arguments)
    assert value in str(raised.value)


@pytest.mark.parametrize("move", ["", "G", "g", "AB", "1", " ", "\xc4", 3, None, "A" * 10_000])
def test_what_is_no_move(move: Any) -> None:
    """Neither a letter of a pit nor a pass."""
    for ask in (wari.Position().play, wari.Position().refusal, wari.Position().is_legal):
        with pytest.raises(wari.InvalidValueError, match="^move: "):
            ask(move)


def test_refusals_in_words() -> None:
    """Every code has a sentence, and the error carries both."""
    position = wari.Position.parse(SLAM, "awari")
    reasons = {"F": "slam_forbidden", "B": "empty_pit", "a": "not_your_pit", "-": "cannot_pass"}
    for move, reason in reasons.items():
        assert position.refusal(move) == reason
        with pytest.raises(wari.IllegalMoveError) as raised:
            position.play(move)
        assert (raised.value.move, raised.value.reason) == (move, reason)
        assert wari.REFUSALS[reason] in str(raised.value)
        assert not isinstance(raised.value, wari.GameOverError)
    over = wari.Position.parse(f"{EMPTY}-24-24-S")
    with pytest.raises(wari.GameOverError, match="the game is over"):
        over.play("A")
    assert wari.REFUSALS.keys() == {
        "game_over", "not_your_pit", "empty_pit", "single_seed", "must_feed", "slam_forbidden",
        "cannot_pass",
    }  # fmt: skip


def test_settled() -> None:
    """The final sharing, and what has none."""
    stuck = wari.Position.parse("5-2-3-2-1-0-0-0-0-0-0-0-17-18-S")
    assert str(stuck.settled()) == f"{EMPTY}-30-18-S"
    majority = wari.Position.parse("1-0-0-0-2-0-0-0-0-0-0-0-28-17-N")
    assert majority.settled() == majority
    assert majority.result == wari.Result(28, 17, "S", "majority")
    with pytest.raises(wari.InvalidValueError, match=f"^position: .*{START}"):
        wari.Position().settled()


def test_result() -> None:
    """A value with a margin; the winner is an axis of its own (a loss on time keeps the stores)."""
    result = wari.Result(20, 28, "N", "majority")
    assert (str(result), result.margin("S"), result.margin("N")) == ("20-28", -8, 8)
    assert eval(repr(result)) == result
    assert pickle.loads(pickle.dumps(result)) == result
    with pytest.raises(wari.InvalidValueError, match="^side: .*'W'"):
        result.margin("W")
    assert wari.ENDINGS.keys() == {
        "emptied", "forfeit", "majority", "empty_board", "repetition", "stuck", "agreement",
        "resignation", "time",
    }  # fmt: skip


@pytest.mark.parametrize("depth", [-1, 65, 10**30, 2.0, "3", None, True])
def test_bad_depth(depth: Any) -> None:
    """Perft takes a whole number from 0 to 64, divide from 1."""
    for count in (wari.Position().perft, wari.Position().divide):
        with pytest.raises(wari.InvalidValueError, match="^depth: "):
            count(depth)
    with pytest.raises(wari.InvalidValueError, match="^depth: .* not 0"):
        wari.Position().divide(0)


def test_perft_answers_ctrl_c() -> None:
    """A count that would take centuries ends at once with KeyboardInterrupt."""
    interrupt = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    interrupt.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        wari.Position().perft(40)
    assert time.monotonic() - began < 5
    interrupt.join()


def test_perft_lets_other_threads_run() -> None:
    """The count runs without the GIL: another thread gets on meanwhile."""
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    other = threading.Thread(target=tick)
    other.start()
    began = time.monotonic()
    wari.Position("abapa").perft(11)
    ended = time.monotonic()
    done.set()
    other.join()
    assert sum(began < moment < ended for moment in ticks) > 20
