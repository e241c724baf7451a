"""The lines of the protocol as values: infos, options, positions, rules."""

from __future__ import annotations

import contextlib

import pytest
import wari
from wari.uci import EngineError, Info, Option, SearchOptions, parse_info
from wari.uci.protocol import HUGE, parse_option, position_line, rules_option, whole
from wari.uci.state_machine import Receive, Send, StateMachine

GAME = wari.Game.replay("Ff", "abapa")


def test_an_info_line_with_every_field() -> None:
    """All that the field's GUI knows, with a list of moves in either form."""
    line = (
        "info depth 12 seldepth 20 multipv 2 score cp -34 lowerbound time 1500 nodes 99 nps 66 "
        "hashfull 5 tbhits 7 currmove F currmovenumber 3 refutation a b currline 1 F f pv F fE"
    )
    assert parse_info(line) == Info(
        12,
        20,
        2,
        -34,
        None,
        "lower",
        1.5,
        99,
        66,
        5,
        7,
        ("F", "f", "E"),
        "F",
        None,
        ("a", "b"),
        ("F", "f"),
        3,
    )
    assert parse_info("info string depth 5 is deep").string == "depth 5 is deep"
    assert parse_info("info string depth 5 is deep").depth is None
    assert parse_info("info score mate -3").mate == -3


def test_only_a_word_of_the_engine_makes_a_score_more_than_an_estimate() -> None:
    """Exact means proved everywhere, and an engine cannot say so."""
    assert Info().bound == "estimate"
    for words, bound in (("", "estimate"), (" lowerbound", "lower"), (" upperbound", "upper")):
        assert parse_info(f"info depth 3 score cp 20{words} nodes 9").bound == bound


@pytest.mark.parametrize(
    "line",
    ["info", "info depth", "info score", "info score cp", "info depth x pv", "info time 1.5"],
)
def test_malformed_infos_are_empty(line: str) -> None:
    """An engine's slip is no reason to fail."""
    assert parse_info(line) == Info()


def test_option_lines() -> None:
    """Names and values with spaces."""
    assert parse_option("option name A B type combo default x y var x y var z") == Option(
        "A B", "combo", "x y", choices=("x y", "z")
    )
    assert parse_option("option name P type string default <empty>") == Option("P", "string", "")
    assert parse_option("option name X") is None


def test_positions_are_told_with_their_history() -> None:
    """The usual start in short, others in full."""
    assert position_line(GAME) == "position startpos moves Ff"
    assert position_line(wari.Position("abapa")) == "position startpos"
    start = wari.Position("abapa,seeds_per_pit=3")
    assert position_line(start) == f"position fen {start}"


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (
            "option name Limit by max nodes to type spin default 5 min 1 max 10",
            Option("Limit by max nodes to", "spin", "5", 1, 10),
        ),
        (
            "option name Default type of var name type check default true",
            Option("Default type of var name", "check", "true"),
        ),
        (
            "option name default var min type string default max min type var",
            Option("default var min", "string", "max min type var"),
        ),
        ("option name type type spin default 1", Option("type", "spin", "1")),
        ("option name max type spin max 9 default 1 min -2", Option("max", "spin", "1", -2, 9)),
        ("option name min max type button", Option("min max", "button")),
        ("option name S type spin", Option("S", "spin")),
        ("option name S type spin default 5 min x max 9 9", Option("S", "spin", "5")),
        (
            f"option name S type spin default 0 min 0 max {2**64 - 1}",
            Option("S", "spin", "0", 0, 2**64 - 1),
        ),
        (
            "option name C type combo default default var default var var var min 1",
            Option("C", "combo", "default", choices=("default", "var", "min 1")),
        ),
        (
            "option name C type combo var a b var <empty> default a b",
            Option("C", "combo", "a b", choices=("a b", "<empty>")),
        ),
        ("option name C type combo default var a", Option("C", "combo", "", choices=("a",))),
        ("option name F type file default a b", Option("F", "file", "a b")),
    ],
)
def test_options_named_with_words_of_the_protocol(line: str, option: Option) -> None:
    """The name runs to a type that there is; values to what may follow them in it."""
    assert parse_option(line) == option


@pytest.mark.parametrize(
    "line",
    ["option", "option name", "option name type spin", "option name X type", "option X type spin"],
)
def test_what_is_no_option(line: str) -> None:
    """Without a name or without a type."""
    assert parse_option(line) is None


def test_whole_numbers() -> None:
    """In the digits that every program reads; what is too large stays too large."""
    assert [whole(text) for text in ("7", "-7", "+7", "007", "-0")] == [7, -7, 7, 7, 0]
    odd = ("", "-", "+", "--7", "7.0", "1e3", "1_000", "\u00b2", "\u0663", " 7", "0x7")
    assert [text for text in odd if whole(text) is not None] == []
    assert whole("9" * 30) == HUGE - 1
    assert whole("9" * 31) == whole("1" + "0" * 60_000) == HUGE
    assert whole("-" + "9" * 5000) == -HUGE
    assert whole("0" * 5000 + "7") == 7
    assert parse_info(f"info depth 3 nodes {'9' * 31} time {'9' * 400} score cp -{'9' * 31}") == (
        Info(depth=3)
    )


def asked(machine: StateMachine, name: str, value: object) -> str:
    """The line that sets an option."""
    step = next(machine.set_option(name, value, 1.0))
    assert isinstance(step, Send)
    return step.line


def greeted(*lines: str) -> StateMachine:
    """A state machine that knows an engine that has said so of itself."""
    machine = StateMachine()
    steps = machine.handshake(1.0)
    answers = iter((*lines, "uciok"))
    step = next(steps)
    with contextlib.suppress(StopIteration):
        while True:
            step = steps.send(next(answers) if isinstance(step, Receive) else "")
    assert list(answers) == []
    return machine


@pytest.mark.parametrize(
    ("bounds", "value", "words"),
    [
        ("min 1 max 10", "x", "a whole number from 1 to 10, not 'x'"),
        ("min 1 max 10", "0", "a whole number from 1 to 10, not '0', which is too small"),
        (
            "min 1 max 10",
            "9" * 40,
            "a whole number from 1 to 10, not '999.*, which is too large",
        ),
        ("", "x", "a whole number, not 'x'"),
        ("", "\u00b2", "a whole number, not "),
        ("min 1", "x", "a whole number from 1 on, not 'x'"),
        ("max 10", "11", "a whole number up to 10, not '11', which is too large"),
        ("min 5 max 1", "3", "a whole number from 5 to 1, not '3', which is too large"),
    ],
)
def test_spins_with_and_without_bounds(bounds: str, value: str, words: str) -> None:
    """An engine may leave out either."""
    machine = greeted(f"option name Limit by max nodes to type spin default 5 {bounds}")
    with pytest.raises(wari.InvalidValueError, match=f"^Limit by max nodes to: expected {words}"):
        asked(machine, "limit by max nodes to", value)


def test_what_options_are_told() -> None:
    """A button has no value; a spin without bounds may be any number."""
    machine = greeted("option name S type spin default 5", "option name Clear type button")
    assert asked(machine, "s", -(10**20)) == f"setoption name S value -{10**20}"
    assert asked(machine, "clear", None) == "setoption name Clear"


@pytest.mark.parametrize(
    ("options", "rules", "known"),
    [
        ([], "abapa", True),
        ([], "abapa,seeds_per_pit=3", True),
        ([], "wari", False),
        (["combo default abapa var abapa var Wari"], "wari", True),
        (["combo default abapa var abapa var wari"], "awari", False),
        (["combo default abapa var abapa"], "abapa,grand_slam=capture", False),
        (["combo default abapa var abapa,grand_slam=capture"], "abapa,grand_slam=capture", True),
        (["combo default abapa var abapa", "_"], "abapa,grand_slam=capture", True),
        (["combo default Nam-nam var Nam-nam"], "abapa", False),
        (["string default abapa"], "awari", True),
    ],
)
def test_rules_that_an_engine_knows(options: list[str], rules: str, known: bool) -> None:
    """As far as its options say."""
    lines = [f"option name Rules type {kind}" for kind in options[:1]]
    lines += ["option name Grand Slam type combo default no_capture var capture"] * len(options[1:])
    machine = greeted(*lines)
    chosen = wari.Rules.parse(rules)
    if known:
        machine.check_rules(chosen)
    else:
        with pytest.raises(EngineError, match="this engine knows .*, so not (a?wari|abapa)"):
            machine.check_rules(chosen)
        with pytest.raises(EngineError, match="this engine knows"):
            machine.search(wari.Position(chosen), SearchOptions(wari.Limits(depth=1)), 1.0, None)


def test_our_own_engine_knows_every_change_of_the_rules() -> None:
    """It lists the presets, and an option for each axis."""
    from wari.uci.settings import option_lines

    options = {option.name: option for option in map(parse_option, option_lines()) if option}
    for rules in ("ouri", "wari,grand_slam=forbidden,seeds_per_pit=3", "awari,sowing=clockwise"):
        assert rules_option(wari.Rules.parse(rules), options) == (
            f"setoption name Rules value {wari.Rules.parse(rules)}"
        )
