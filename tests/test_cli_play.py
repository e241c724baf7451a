"""`wari play` in lines, within this process."""

import itertools
import json
import random
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
import wari
from cli_tools import call
from wari.cli import files
from wari.cli.play_commands import COMMANDS
from wari.levels import LEVELS, choose

pytestmark = pytest.mark.usefixtures("quick_engine")
SLAM = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"  # under wari F takes all, and North must pass
CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"


def two(typed: str, *arguments: str) -> str:
    """What two people at one board see."""
    result = call("play", "--two", *arguments, typed=typed)
    assert result.code == 0, result
    assert result.err == ""
    return result.out


# --- pipes ----------------------------------------------------------------------------------------


def test_two_people_play() -> None:
    shown = two("C\ne\n")
    assert "South: a person. North: a person." in shown
    assert "South plays C." in shown
    assert "North plays e." in shown
    assert "South> C" in shown
    assert "North> e" in shown
    assert shown.count("╭") == 3, "a board at the start and after each move"
    assert "(0)" in shown


def test_captures_are_told() -> None:
    shown = two("e\n", "--position", "7-6-6-6-2-0-6-6-2-6-6-1-0-0-N")
    assert "North plays e and captures 3." in shown


@pytest.mark.parametrize(
    ("arguments", "move", "words"),
    [
        (("--moves", "Ff"), "F", "empty"),
        (("--moves", "FfE"), "f", "empty"),
        (("--rules", "ouri", "--position", SLAM), "A", "larger pit"),
        (("--position", "1-1-0-3-1-1-0-0-0-0-0-0-20-21-S"), "A", "no seeds there"),
        (("--rules", "cairo", "--position", SLAM), "F", "every seed"),
        ((), "-", "pass"),
        (("--position", "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S"), "A", "over"),
    ],
)
def test_an_illegal_move_says_why(arguments: tuple[str, ...], move: str, words: str) -> None:
    shown = two(f"{move}\n", *arguments)
    line = next(line for line in shown.splitlines() if line.startswith(f"{move} is not legal: "))
    assert words in line


def test_a_letter_in_either_case_means_the_pit_of_the_side_to_move() -> None:
    shown = two("f\nF\nC\nc\nc\na\nHELP\nMoves\n")
    plays = [line for line in shown.splitlines() if " plays " in line]
    assert plays == [
        "South plays F.",
        "North plays f.",
        "South plays C.",
        "North plays c.",
        "South plays A.",
    ], plays
    assert "South> c\nC is not legal: that pit is empty." in shown, "as it was understood"
    assert "this list" in shown
    assert "1. F f 2. C c 3. A" in shown, "names of commands in either case, too"
    start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"
    assert "North plays b." in two("B\n", "--position", start, "--sowing", "clockwise")


def test_what_is_no_move_is_said_to_be_none() -> None:
    shown = two("x\nFf\nF f\nhlep\n\n   \nundo 3\nsave\n\x00\n")
    for words in ("'x' is neither", "'Ff' is neither", "not 'F f'", "'hlep' is neither"):
        assert words in shown
    assert "undo: expected nothing behind it, not '3'" in shown
    assert "save: expected FILE behind it" in shown
    assert "plays" not in shown


def test_passes_are_shown_and_made() -> None:
    shown = two("F\nmoves\n", "--position", SLAM)
    assert "South plays F and captures 8." in shown
    assert "North has no seeds to play and passes." in shown
    assert "1. F -" in shown
    assert "Legal now: E" in shown


def test_undo_takes_passes_back_too() -> None:
    shown = two("F\nundo\nmoves\nundo\n", "--position", SLAM)
    assert "Taken back: 2 moves." in shown
    assert "No move was played yet." in shown
    assert "nothing to take back" in shown or "no move" in shown.lower()


def test_moves_are_numbered() -> None:
    assert "1. F f 2. E" in two("moves\n", "--moves", "FfE")
    start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"
    assert "1. .. f 2. F e" in two("moves\n", "--position", start, "--moves", "fFe")


def test_the_end_is_told_in_words_with_the_result() -> None:
    shown = two("moves\nA\n", "--position", CHASE, "--moves", "AaBbCcDdEeFf")
    assert "The game is over. A draw, South 24, North 24: " in shown
    assert wari.ENDINGS["repetition"] in shown
    assert "Legal now" not in shown


def test_agree_and_resign() -> None:
    assert "A draw, South 24, North 24" in two("agree\n")
    assert "North wins, South 0, North 0" in two("resign\n")
    shown = two("F\nresign\nresign\n")
    assert "South wins, South 0, North 0" in shown
    assert "over already" in shown


def test_a_finished_game_is_saved_and_loads_again(tmp_path: Path) -> None:
    path = tmp_path / "a game.json"
    shown = two(f"F\nf\nresign\nsave {path}\n")
    assert f"Saved in {path}." in shown
    assert "not saved" not in shown
    assert wari.Game.load(path).ending == "resignation"
    shown = two("undo\n", "--load", str(path))
    assert "The game is over. North wins" in shown
    assert "Taken back: 1 move." in shown


@pytest.mark.parametrize("name", ["game.json", "game.ogn"])
def test_who_played_comes_back_with_a_saved_game(name: str, tmp_path: Path) -> None:
    """Sides and levels, in either format, at the start and at the board; options count more."""
    path = str(tmp_path / name)

    def players(*arguments: str, typed: str = "") -> str:
        out = call("play", *arguments, typed=typed).out
        return [line for line in out.splitlines() if line.startswith("wari, rules")][-1][18:]

    call("play", "--side", "N", "--level", "2", "--seed", "1", typed=f"f\nsave {path}\n")
    assert players("--load", path) == "South: engine, level 2. North: you."
    assert players("--two", typed=f"load {path}\n") == "South: engine, level 2. North: you."
    assert players("--load", path, "--level", "3") == "South: engine, level 3. North: you."
    assert players("--load", path, "--side", "S") == "South: you. North: engine, level 2."
    assert players("--load", path, "--two") == "South: a person. North: a person."
    again = ["--load", path, "--watch", "--north-level", "1"]
    assert players(*again) == "South: engine, level 2. North: engine, level 1."
    call("play", "--watch", "--level", "1", "--north-level", "2", typed=f"save {path}\n")
    assert players("--load", path) == "South: engine, level 1. North: engine, level 2."
    assert players("--load", path, "--north-level", "3").endswith("North: engine, level 3.")
    call("play", "--two", typed=f"F\nsave {path}\n")
    assert players("--load", path) == "South: a person. North: a person."
    assert call("play", "--load", path, "--north-level", "3").code == 2
    text = Path(path).read_text()
    assert ('"seats": {' if name.endswith("json") else '[SouthType "human"]') in text
    assert wari.Game.from_ogn(text) if name.endswith("ogn") else wari.Game.from_json(text)


def test_games_that_do_not_say_who_played_are_loaded_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record = wari.Game.replay("Ff").to_dict()
    for more in ({}, {"players": ["me", "you"]}, {"seats": None}):
        path.write_text(json.dumps(record | more))
        shown = call("play", "--load", str(path)).out
        assert "South: you. North: engine, level 4." in shown
    path = tmp_path / "game.ogn"
    for tags in ("", '[NorthType "program"]', '[SouthType "human"] [NorthType "program"]'):
        path.write_text(f"{tags} 1. F f *")
        assert "North: engine, level 4." in call("play", "--load", str(path)).out


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ([], "seats: expected a JSON object, not []"),
        ({"south": {"type": "human"}}, "seats.north: expected a type, 'human' or 'program'"),
        ({"south": {"type": "dog"}}, "seats.south: expected a type"),
        ({"south": {"type": ["human"]}}, "seats.south: expected a type"),
        ({"south": {"type": "program", "level": 10}}, "seats.south.level: expected 1 to 9, not 10"),
        ({"south": {"type": "program", "level": True}}, "seats.south.level: expected 1 to 9"),
        ({"south": {"type": "program"}}, "seats.south.level: expected 1 to 9, not None"),
    ],
)
def test_players_that_cannot_be_are_refused(seats: object, words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(wari.Game().to_dict() | {"seats": seats}))
    result = call("play", "--load", str(path))
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    shown = two(f"F\nload {path}\nf\n")
    assert words in shown, "and at the board nothing is lost"
    assert "North plays f." in shown


@pytest.mark.parametrize("level", ["0", "10", "x", "²", "9" * 5000])
def test_levels_in_tags_that_cannot_be_are_refused(level: str, tmp_path: Path) -> None:
    path = tmp_path / "game.ogn"
    tags = f'[SouthType "human"] [NorthType "program"] [NorthLevel "{level}"]'
    path.write_text(f"{tags} 1. F f *")
    result = call("play", "--load", str(path))
    assert result.code == 2
    assert "NorthLevel: expected 1 to 9, not " in result.err
    assert len(result.err) < 400


def test_a_review_in_lines(tmp_path: Path) -> None:
    page, text = tmp_path / "page.html", tmp_path / "notes"
    shown = two(f"review\nF\nf\nresign\nreview\nreview {page}\nreview {text}\nreview {page}\n")
    assert "review: no move was played yet" in shown
    assert "Type review for the mistakes and what was better." in shown
    assert re.search(r"^South: (no choice|accuracy \d+ %), \d+ blunders?, ", shown, re.M)
    assert re.search(r"^ply 0", shown.replace(" ply", "ply"), re.M)
    assert shown.count(f"The review is in {page}.") == 2, "a review is written over"
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert text.read_text().startswith("South against North, wari")
    for name, words in ((tmp_path, "is there"), ("x" * 300, "too long"), ("a\0b", "NUL")):
        shown = two(f"F\nreview {name}\nf\n")
        assert "review: " in shown
        assert words in shown or "Is a directory" in shown
        assert "North plays f." in shown, "the game goes on"
    page.write_text("mine")
    assert "it is left alone" in two(f"F\nreview {page}\n")
    assert page.read_text() == "mine"


@pytest.mark.parametrize("language", ["en", "es", "gl"])
def test_a_review_is_in_the_language_of_the_game(language: str) -> None:
    moves = "FfEaDbCcBdAe"
    shown = call("play", "--two", "--moves", moves, "--language", language, typed="review\n").out
    english = re.search(r"\b(blunders|mistakes|accuracy|gives away|better)\b", shown)
    assert bool(english) == (language == "en")


def test_load_at_the_board_and_save_over_a_saved_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    wari.Game.replay("FfE", rules="abapa").save(path)
    shown = two(f"C\nload {path}\nmoves\ne\nsave {path}\n")
    assert "1. F f 2. E\n" in shown
    assert "wari play --two --moves C" in shown, "the game that leaves the board is not lost"
    assert wari.Game.load(path).moves == ("F", "f", "E", "e")
    assert json.loads(path.read_text())["rules"]["grand_slam"] == "no_capture"


@pytest.mark.parametrize("ending", ["", ".json", ".ogn"])
@pytest.mark.parametrize(
    ("stem", "words"),
    [("x" * 300, "File name too long"), ("a\0b", "the name contains a NUL")],
    ids=["long", "NUL"],
)
def test_a_name_that_no_file_can_have_costs_only_a_line(stem: str, words: str, ending: str) -> None:
    name = stem + ending
    shown = two(f"F\nsave {name}\nload {name}\nf\nmoves\n")
    lines = [line for line in shown.splitlines() if line.startswith(("save: ", "load: "))]
    assert [line.partition(":")[0] for line in lines] == ["save", "load"]
    for line in lines:
        assert line.endswith(words)
        assert line.isprintable()
        assert len(line) < 250
    assert "1. F f\n" in shown, "the game goes on"


def test_letters_that_no_file_name_holds_are_refused() -> None:
    for act in (
        lambda name: files.save_game(wari.Game(), name, {"S": None, "N": None}),
        files.load_game,
    ):
        with pytest.raises(wari.InvalidValueError, match="no file can have this name"):
            act("a\ud800.json")


def test_new_flip_rules_help() -> None:
    shown = two("F\nnew\nflip\nrules\nnew abapa,majority=false\nnew kalah\nhelp\n")
    assert "wari play --two --moves F" in shown
    below = [line for line in shown.splitlines() if "a     b     c" in line]
    assert len(below) == 2, "flip: North's row is below from then on"
    assert "a grand slam is legal and captures" in shown
    assert "rules: unknown preset 'kalah'" in shown
    for command in COMMANDS.values():
        assert re.search(rf"^  {re.escape(command.usage)} +{re.escape(command.help)}$", shown, re.M)


def test_every_command_is_under_its_own_name() -> None:
    assert all(command.usage.split()[0] == name for name, command in COMMANDS.items())
    assert all(len(name) > 1 for name in COMMANDS), "one letter is a move"


def test_an_unsaved_game_can_be_set_up_again() -> None:
    arguments = ("--rules", "abapa,sowing=clockwise", "--position", "4-4-4-4-4-4-4-4-4-4-4-4-1-1-N")
    shown = two("f\nF\n", *arguments)
    command = shown.strip().splitlines()[-1].split()
    assert command[:2] == ["wari", "play"]
    again = call(*command[1:], typed="moves\nquit\n")
    assert "South: a person. North: a person." in again.out
    assert "1. .. f 2. F\n" in again.out
    assert "abapa,sowing=clockwise" in again.out


def resumed(*arguments: str, typed: str) -> list[str]:
    """The arguments of the command that is printed at the end, which must work."""
    shown = call("play", *arguments, typed=typed).out
    command = shlex.split(shown.strip().splitlines()[-1])
    assert command[:2] == ["wari", "play"], shown
    again = call(*command[1:], typed="quit\n")
    assert (again.code, again.err) == (0, "")
    return command[2:]


def test_the_command_at_the_end_holds_players_and_clocks() -> None:
    given = ["--level", "2", "--clock", "10+5", "--north-clock", "7.5+0", "--seed", "7"]
    assert resumed(*given, typed="F\n")[:-1] == [*given, "--moves"]
    assert resumed("--side", "N", "--level", "1", typed="")[:4] == ["--side", "N", "--level", "1"]
    watched = ["--watch", "--level", "1", "--north-level", "2", "--seed", "3"]
    assert resumed(*watched, typed="")[:-1] == [*watched, "--moves"]
    assert resumed("--two", "--clock", "5", typed="F\n")[:3] == ["--two", "--clock", "5+0"]


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ("F\nresign\n", ["--moves", "F", "--ending", "resignation-N"]),
        ("resign\n", ["--ending", "resignation-S"]),
        ("F\nf\nagree\n", ["--moves", "Ff", "--ending", "agreement"]),
    ],
)
def test_the_command_at_the_end_holds_how_it_was_ended(typed: str, options: list[str]) -> None:
    before = two(typed)
    assert resumed("--two", typed=typed) == ["--two", *options]
    said = next(line for line in before.splitlines() if line.startswith("The game is over."))
    assert said in two("quit\n", *options), "it is over in the same way"


def test_an_ending_must_be_possible(tmp_path: Path) -> None:
    for words in (["--ending", "draw"], ["--ending", "resignation"], ["--ending", "time-W"]):
        assert call("play", "--two", *words).err.startswith("wari: error: ending: ")
    finished = ["--position", CHASE, "--moves", "AaBbCcDdEeFf", "--ending", "agreement"]
    assert "over already" in call("play", "--two", *finished).err
    path = tmp_path / "game"
    wari.Game().save(path)
    assert call("play", "--load", str(path), "--ending", "agreement").code == 2


def test_every_axis_can_be_set() -> None:
    axes = ["--grand-slam", "keep_last", "--feeding", "optional", "--single-seeds", "restricted"]
    axes += ["--stuck", "end", "--ends-when-emptied", "--remainder", "split", "--no-majority"]
    axes += ["--repetition", "split", "--sowing", "clockwise", "--seeds-per-pit", "3"]
    shown = two("rules\n", *axes)
    for value in ("keep_last", "optional", "restricted", "split", "clockwise"):
        assert value in shown
    assert shown.count("  3  ") >= 12


# --- the engine -----------------------------------------------------------------------------------


def test_the_engine_answers_and_hints() -> None:
    result = call("play", "--level", "2", "--seed", "1", typed="F\nhint\nundo\nquit\n")
    assert result.code == 0
    assert re.search(r"North plays [a-f]", result.out)
    assert "values are South's lead at the end" in result.out
    assert "Taken back: 2 moves." in result.out


def test_the_person_may_be_north() -> None:
    result = call("play", "--side", "N", "--level", "1", "--seed", "1", typed="undo\nquit\n")
    assert re.search(r"South plays [A-F]", result.out)
    assert "South: engine, level 1. North: you." in result.out
    assert "undo: there is no move of yours to take back" in result.out
    assert [line for line in result.out.splitlines() if "a     b     c" in line], "seen from North"


def test_the_engine_plays_itself_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    arguments = ("play", "--watch", "--level", "1", "--north-level", "3", "--seed", "7")
    result = call(*arguments, typed=f"save {path}\n")
    assert "The game is over." in result.out
    game = wari.Game.load(path)
    assert game.is_over
    assert call(*arguments, typed=f"save {path}\n").out == result.out, "a seed repeats the game"


def test_the_engine_agrees_only_to_what_it_deserves() -> None:
    ahead = "4-4-4-4-4-4-0-0-0-0-0-1-0-23-S"  # South's row is worth more than play will give
    shown = call("play", "--level", "3", "--position", ahead, typed="agree\n").out
    assert "North does not agree" in shown
    shown = call("play", "--side", "N", "--level", "3", "--position", ahead[:-1] + "N").out
    shown = call(
        "play", "--side", "N", "--level", "3", "--position", ahead[:-1] + "N", typed="agree\n"
    ).out
    assert "the players agreed" in shown


def test_the_levels_grow() -> None:
    assert list(LEVELS) == list(range(1, 10))
    levels = list(LEVELS.values())
    for weaker, stronger in itertools.pairwise(levels):
        assert weaker.temperature >= stronger.temperature
        assert (weaker.limits.depth or 999) <= (stronger.limits.depth or 999)
        assert (weaker.limits.time or 0) <= (stronger.limits.time or 0)
        assert weaker != stronger
    assert all(level.limits != wari.Limits() for level in levels)


class FakeScore(NamedTuple):
    value: float


class FakeLine(NamedTuple):
    move: str
    score: FakeScore


def test_the_choice_of_the_low_levels_is_a_softmax() -> None:
    values = {"A": 2.0, "B": 0.0, "C": -20.0}
    lines = [FakeLine(move, FakeScore(value)) for move, value in values.items()]
    rng = random.Random(5)
    counts = Counter(choose(lines, 2.0, rng) for _ in range(20_000))  # type: ignore[arg-type]
    assert counts["A"] / counts["B"] == pytest.approx(2.718, rel=0.1)
    assert counts["C"] < 20
    assert {choose(lines, 0.0, rng) for _ in range(50)} == {"A"}  # type: ignore[arg-type]


def test_a_fault_of_the_engine_loses_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise wari.NotEnoughMemoryError("hash_mb: no memory")

    monkeypatch.setattr("wari.levels.LevelPlayer.choose", fail)
    result = call("play", typed="F\n")
    assert result.code == 2
    assert result.err == "wari: error: hash_mb: no memory\n"
    assert result.out.endswith("  wari play --moves F\n")
