"""`wari uci` through a real process: its options, and what is said to wrong ones."""

from __future__ import annotations

import pytest
from uci_talk import Talk, infos

pytestmark = pytest.mark.process


def test_rules_and_axes(talk: Talk) -> None:
    """Fault 1 and 3: the slam F captures nothing under abapa and everything under wari."""
    talk.send("debug on")
    for option, seeds in (
        ("Rules value wari", "1-0-0-0-2-0-0-0-0-0-0-0-28-17-N"),
        ("Rules value abapa", "1-0-0-0-2-0-3-2-3-0-0-0-20-17-N"),
        ("Rules value abapa,grand_slam=keep_last", "1-0-0-0-2-0-0-0-3-0-0-0-25-17-N"),
        ("grand_slam value keep_first", "1-0-0-0-2-0-3-0-0-0-0-0-25-17-N"),
        ("Grand Slam value capture", "1-0-0-0-2-0-0-0-0-0-0-0-28-17-N"),
    ):
        talk.send(f"setoption name {option}")
        talk.send("position fen 1-0-0-0-2-3-2-1-2-0-0-0-20-17-S moves F")
        assert talk.silence()[-1].startswith(f"info string position {seeds}")


def test_other_axes(talk: Talk) -> None:
    """Checks and numbers; the start follows."""
    talk.send("debug on", "setoption name seeds_per_pit value 3", "position startpos")
    assert "position 3-3-3-3-3-3-3-3-3-3-3-3-0-0-S" in talk.silence()[-1]
    talk.send("setoption name majority value false", "position startpos")
    assert talk.silence()[-1].endswith("rules abapa,majority=false,seeds_per_pit=3")


def test_passes_are_read_and_answered(talk: Talk) -> None:
    """Missing in a list, or written."""
    talk.send("setoption name Rules value wari")
    start = "position fen 1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"
    assert talk.best(f"{start} moves F", "go depth 3") == "-"
    assert talk.best(f"{start} moves F-", "go depth 3") == "E"
    assert talk.best(f"{start} moves FE", "go depth 3") in "abcdef"


def test_multipv_tells_several_lines(talk: Talk) -> None:
    """Best first, each with its own move."""
    talk.send("setoption name MultiPV value 3")
    last = infos(talk.ask("position startpos moves Ff", "go depth 6"))[-3:]
    assert [info.multipv for info in last] == [1, 2, 3]
    assert len({info.pv[0] for info in last}) == 3
    scores = [info.cp for info in last if info.cp is not None]
    assert scores == sorted(scores, reverse=True)


def test_useleaves_false_looks_nothing_up(talk: Talk) -> None:
    """And true does."""
    few = "position fen 0-1-0-3-0-2-1-2-1-0-0-2-17-19-S"
    assert infos(talk.ask(few, "go depth 12"))[-1].tbhits
    talk.send("setoption name UseLeaves value false")
    assert infos(talk.ask(few, "go depth 12"))[-1].tbhits == 0


def test_threads_hash_and_evaluation_can_be_changed(talk: Talk) -> None:
    """Also while a search runs: for the next one."""
    talk.send("go infinite", "setoption name Threads value 2", "setoption name Hash value 8")
    talk.ask("stop")
    assert talk.best("go depth 8") in "ABCDEF"
    talk.send("setoption name Evaluation value material")
    assert talk.best("go depth 8") in "ABCDEF"
    usual = infos(talk.ask("ucinewgame", "go depth 8"))[-1].nodes
    talk.send("setoption name FullWidth value true")
    wide = infos(talk.ask("ucinewgame", "go depth 8"))[-1].nodes
    assert usual is not None
    assert wide is not None
    assert wide > 2 * usual
    talk.send("setoption name Hash value 64")
    assert talk.silence() == []


def test_levels_limit_the_search(talk: Talk) -> None:
    """The lowest looks one ply ahead."""
    talk.send("setoption name Level value 1")
    said = talk.ask("go movetime 5000")
    assert {info.depth for info in infos(said)} == {1}
    assert said[-1].split()[1] in "ABCDEF"
    few = "position fen 0-1-0-3-0-2-1-2-1-0-0-2-17-19-S"
    talk.send("setoption name Level value 5")
    assert infos(talk.ask(few, "go depth 12"))[-1].tbhits == 0
    talk.send("setoption name Level value 6")
    assert infos(talk.ask(few, "go depth 12"))[-1].tbhits


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("setoption", "setoption: expected name and value"),
        ("setoption name", "setoption: expected name and value"),
        ("setoption Hash 5", "setoption: expected name and value"),
        ("setoption name Contempt value 5", "there is no 'Contempt'"),
        ("setoption name Hash value lots", "Hash: expected a whole number from 1"),
        ("setoption name Hash value 0", "Hash: expected a whole number from 1"),
        ("setoption name Hash", "Hash: expected a whole number from 1"),
        ("setoption name Threads value 9999", "Threads: expected"),
        ("setoption name Threads value 257", "from 1 to 256, not '257', which is too large"),
        ("setoption name Hash value 99999999999999999999", "which is too large"),
        ("setoption name Hash value \u00b2", "Hash: expected a whole number from 1 to 1048576"),
        ("setoption name UCI_LimitStrength value true", "the option Level makes the engine weaker"),
        ("setoption name OwnBooks value true", "there is no 'OwnBooks'"),
        ("setoption name Ponder value perhaps", "Ponder: expected true or false"),
        ("setoption name Rules value kalah", "kalah"),
        ("setoption name grand_slam value sometimes", "grand_slam: expected one of"),
        ("setoption name seeds_per_pit value 9", "seeds_per_pit: expected one of"),
        ("setoption name Evaluation value guess", "Evaluation: expected one of"),
        ("setoption name Level value 10", "Level: expected"),
    ],
)
def test_wrong_options_are_told(talk: Talk, line: str, message: str) -> None:
    """One remark each, and nothing else happens."""
    talk.send(line)
    said = talk.silence()
    assert len(said) == 1
    assert said[0].startswith("info string setoption: ")
    assert message in said[0]
    assert talk.best("go depth 1") in "ABCDEF"


def test_a_table_that_is_not_there_is_told_and_a_move_comes(talk: Talk) -> None:
    """`isready` reports it once; the tables in memory are used."""
    talk.send("setoption name TablePath value /no/such/table")
    said = talk.silence()
    assert len(said) == 1
    assert said[0].startswith("info string TablePath: ")
    assert talk.silence() == []
    few = "position fen 0-1-0-3-0-2-1-2-1-0-0-2-17-19-S"
    assert infos(talk.ask(few, "go depth 12"))[-1].tbhits
    talk.send("setoption name TablePath value <empty>")
    talk.silence()


@pytest.mark.parametrize(
    "option",
    [
        "OwnBook value true",
        "OwnBook value false",
        "ownbook",
        "DrawSearch value true",
        "Ponder value true",
        "Hash value 64",
        "Threads value 1",
        "MultiPV value 1",
        "Move Overhead value 30",
        "UCI_AnalyseMode value true",
        "UCI_Opponent value GM 2800 human Ana value B.",
        "UCI_ShowCurrLine value true",
        "UCI_ShowRefutations value false",
        "UCI_LimitStrength value false",
        "UCI_Elo value 1500",
    ],
)
def test_what_guis_set_unasked_makes_no_noise(talk: Talk, option: str) -> None:
    """There is no book, and nothing of the others to change."""
    talk.send(f"setoption name {option}")
    assert talk.silence() == []


def test_the_spaces_of_a_value_are_kept(talk: Talk) -> None:
    """A file may have such a name."""
    talk.send("setoption name TablePath value  /no/such  table")
    assert "/no/such  table" in talk.silence()[0]
    talk.send("setoption name TablePath value <empty>")
    talk.silence()


def test_move_overhead_is_kept_back(talk: Talk) -> None:
    """Of each move's time and of what is left on a clock."""
    talk.send("debug on")
    for overhead, movetime, clock in ((5, 0.995, 2.995), (400, 0.6, 2.6), (2000, 0.001, 1.0)):
        talk.send(f"setoption name Move Overhead value {overhead}")
        said = talk.ask("go depth 1 movetime 1000 wtime 3000 btime 1")
        assert f"'time': {movetime}, 'clock': ({clock}, " in said[0]
    talk.send("setoption name Move Overhead value 5")
