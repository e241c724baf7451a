"""Bad input: one clear line that names field and value, exit code 2, no traceback, nothing lost."""

import errno
import json
import os
import re
import resource
import stat
import subprocess
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from cases_of_faults import BAD_TEXTS
from cli_tools import CLEAN, WARI, Run, call, run

START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
HUGE = "9" * 40

# The command line, and the words the message must hold: the field, the value.
BAD_LINES: list[tuple[str, list[str], tuple[str, ...]]] = [
    ("no command of ours", ["solves"], ("command", "'solves'")),
    ("no option of ours", ["perft", "--dept", "3"], ("option", "'--dept'", "--depth")),
    ("one argument too many", ["perft", "--depth", "3", "A"], ("(A)",)),
    ("a value is missing", ["perft", "--depth"], ("--depth",)),
    ("a needed option is missing", ["perft"], ("depth", "--depth")),
    *[
        (f"perft depth {value}", ["perft", "--depth", value], ("depth", f"'{value}'"))
        for value in ("0", "-1", "65", "x", "", "1.5", HUGE, "1_0", " 3")
    ],
    *[
        (f"{name} {value}", ["analyse", f"--{name}", value], (name, f"'{value}'"))
        for name in ("depth", "nodes", "multipv", "threads")
        for value in ("0", "-1", "x", HUGE)
    ],
    *[
        (f"time {value}", ["analyse", "--time", value], ("time", f"'{value}'"))
        for value in ("0", "-1", "nan", "inf", "-inf", "soon", "", "1e99", "1_0")
    ],
    ("hash 0", ["analyse", "--hash", "0"], ("hash", "'0'")),
    ("an unknown preset", ["perft", "--depth", "1", "--rules", "kalah"], ("rules", "'kalah'")),
    ("no preset", ["perft", "--depth", "1", "--rules", ""], ("rules", "''")),
    ("an unknown preset by name", ["rules", "kalah"], ("rules", "'kalah'")),
    ("an unknown axis", ["rules", "wari,komi=1"], ("rules", "'komi'")),
    ("an unknown value", ["rules", "wari,stuck=skip"], ("stuck", "'skip'")),
    ("an unknown value of an option", ["rules", "--grand-slam", "all"], ("grand_slam", "'all'")),
    ("nine seeds", ["rules", "--seeds-per-pit", "9"], ("seeds_per_pit", "'9'")),
    ("an unknown letter", ["analyse", "--moves", "Fx"], ("moves", "2", "'x'")),
    ("a move that is refused", ["analyse", "--moves", "FfF"], ("moves", "3", "F", "empty")),
    ("not your pit", ["analyse", "--moves", "FF"], ("moves", "2", "F", "other side")),
    ("moves beside a list", ["analyse", "-", "--moves", "F"], ("moves",)),
    ("a position that begins with -", ["analyse", "-4-4"], ("position", "'-4'")),
    ("level 0", ["play", "--level", "0"], ("level", "'0'")),
    ("level 10", ["play", "--watch", "--north-level", "10"], ("north_level", "'10'")),
    ("an unknown side", ["play", "--side", "W"], ("side", "'W'")),
    ("two at once", ["play", "--two", "--watch"], ("side",)),
    ("north's level alone", ["play", "--north-level", "3"], ("north_level",)),
    ("a bad seed", ["play", "--seed", "-1"], ("seed", "'-1'")),
    ("two starts", ["play", "--load", "x", "--moves", "F"], ("load",)),
    ("bench expects nothing", ["bench", "--expect", "0"], ("expect", "'0'")),
]


def check(result: Run, *words: str) -> None:
    """One line on standard error, of our form, with the words; exit code 2; nothing else."""
    assert result.code == 2, result
    assert result.out == ""
    lines = result.err.splitlines()
    assert len(lines) == 1, result.err
    assert lines[0].startswith("wari: error: ")
    assert lines[0].isprintable()
    assert len(lines[0].replace(tempfile.gettempdir(), "")) < 300
    for word in words:
        assert word in lines[0], (word, lines[0])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [pytest.param(arguments, words, id=name) for name, arguments, words in BAD_LINES],
)
def test_a_bad_command_line_costs_one_line(arguments: list[str], words: tuple[str, ...]) -> None:
    check(call(*arguments), *words)


# Every bad text: the field that the message begins with, and the value that it ends with.
NAMED = {
    "": ("position", "found 1 in ''"),
    START[:-2]: ("position", f"found 14 in '{START[:-2]}'"),
    START.replace("-S", "-0-S"): ("position", f"found 16 in '{START.replace('-S', '-0-S')}'"),
    START.replace("4-4-4", "4-4-x", 1): ("C", "not 'x'"),
    "4-4-4-4-4-4-4-4-4-+4-4-4-0-0-S": ("d", "not '+4'"),
    START.replace("0-0-S", "0--S"): ("position", f"found 14 in '{START.replace('0-0-S', '0--S')}'"),
    START.replace("0-0-S", "0.5-0-S"): ("storeS", "not '0.5'"),
    START.replace("4", "0"): ("total", "not 0"),
    START.replace("4", "0").replace("0", "97", 1): ("A", "not '97'"),
    START.replace("4", "8").replace("0-0-S", "1-0-N"): ("total", "not 97"),
    START.replace("S", "X"): ("side", "not 'X'"),
    START.replace("S", "s"): ("side", "not 's'"),
}


@pytest.mark.parametrize("text", [text for text, _ in BAD_TEXTS])
def test_a_text_that_is_no_position(text: str) -> None:
    field, value = NAMED[text]
    for command in (["analyse", text], ["perft", "--depth", "1", "--position", text]):
        result = call(*command)
        check(result)
        line = result.err.rstrip("\n")
        assert line.startswith(f"wari: error: {field}: "), line
        assert line.endswith(f" {value}"), line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (START.replace("4-", HUGE + "-", 1), ("A", HUGE[:3])),
        (START.replace("0-S", "-1-S"), ("storeN", "'-1'")),
        (START.replace("-S", "-\x1b[31m"), ("side",)),
        ("-".join(["1"] * 5000), ("15 fields",)),
    ],
)
def test_odd_texts_are_named_safely(text: str, words: tuple[str, ...]) -> None:
    check(call("analyse", text), *words)


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments",
    [
        ["perft", "--depth", "0"],
        ["analyse", "--time", "nan"],
        ["analyse", "4-4-x-4-4-4-4-4-4-4-4-4-0-0-S"],
        ["play", "--load", "/"],
        ["solves"],
    ],
    ids=" ".join,
)
def test_the_installed_command_does_the_same(arguments: list[str]) -> None:
    check(run(*arguments))


@pytest.mark.process
def test_a_bad_line_of_a_list_costs_only_itself() -> None:
    lines = ["what", START, "", "# a comment", f"{START} FF", f"{START} Ff", "\xff\x00"]
    result = run("analyse", "-", "--depth", "2", "--json", typed="\n".join(lines))
    assert result.code == 2
    errors = result.err.splitlines()
    assert [line.split(":")[2].strip() for line in errors] == ["line 1", "line 5", "line 7"]
    assert all(line.startswith("wari: error: ") for line in errors)
    assert [json.loads(line)["line"] for line in result.out.splitlines()] == [2, 6]


# --- saved games ----------------------------------------------------------------------------------


def foreign_files(folder: Path) -> dict[str, Path]:
    """Files that are no saved game."""
    record = {"format": "wari-game", "version": 1, "rules": "wari", "start": START}
    contents = {
        "empty": b"",
        "binary": bytes(range(256)),
        "text": b"1. F f",
        "list": b"[1, 2]",
        "other": b'{"format": "another game"}',
        "future": json.dumps({**record, "version": 2, "moves": "", "result": None}).encode(),
        "moveless": json.dumps(record).encode(),
        "illegal": json.dumps({**record, "moves": "FF", "result": None}).encode(),
        "untrue": json.dumps(
            {
                **record,
                "moves": "F",
                "result": {"south": 48, "north": 0, "winner": "S", "ending": "majority"},
            }
        ).encode(),
        "deep": b"[" * 100_000,
    }
    files = {}
    for name, data in contents.items():
        files[name] = folder / f"{name}.json"
        files[name].write_bytes(data)
    return {**files, "folder": folder, "missing": folder / "nothing.json"}


def test_a_file_that_is_no_saved_game(tmp_path: Path) -> None:
    for name, path in foreign_files(tmp_path).items():
        result = call("play", "--load", str(path))
        check(result)
        assert f"load: '{path}': " in result.err, (name, result.err)


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    refused = PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "game.json"))
    with mock.patch("pathlib.Path.open", side_effect=refused):
        check(call("play", "--load", str(tmp_path / "game.json")), "denied", "game.json")


def test_a_loaded_game_keeps_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert call("play", "--two", "--rules", "abapa", typed=f"F\nsave {path}\n").code == 0
    check(call("play", "--load", str(path), "--rules", "cairo"), "rules", "'abapa'")


def test_a_bad_file_at_the_board_leaves_the_game_as_it_is(tmp_path: Path) -> None:
    for path in foreign_files(tmp_path).values():
        result = call("play", "--two", typed=f"F\nload {path}\nmoves\n")
        assert result.code == 0
        assert result.err == ""
        assert "1. F\n" in result.out.partition(f"load {path}")[2], result.out


def test_nothing_but_a_saved_game_is_written_over(tmp_path: Path) -> None:
    files = foreign_files(tmp_path)
    for name in ("text", "other", "binary"):
        before = files[name].read_bytes()
        result = call("play", "--two", typed=f"F\nsave {files[name]}\n")
        assert "left alone" in result.out
        assert files[name].read_bytes() == before


@pytest.mark.process
@pytest.mark.parametrize("target", ["a folder", "below a file", "nowhere"])
def test_a_place_that_cannot_be_written(tmp_path: Path, target: str) -> None:
    (tmp_path / "file").write_text("x")
    path = {
        "a folder": tmp_path,
        "below a file": tmp_path / "file" / "game.json",
        "nowhere": tmp_path / "no" / "game.json",
    }[target]
    result = run("play", "--two", typed=f"F\nsave {path}\nmoves\n")
    assert result.code == 0
    assert result.err == ""
    assert "Saved" not in result.out
    assert "1. F" in result.out
    assert "--moves F" in result.out, "an unsaved game must be said to be so"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file"]


@pytest.mark.process
def test_a_full_disk_leaves_the_old_file_intact(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert run("play", "--two", typed=f"F\nsave {path}\n").code == 0
    before = path.read_bytes()

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

    result = run("play", "--load", str(path), "--two", typed=f"f\nsave {path}\n", first=no_room)
    assert result.code == 0
    assert result.err == ""
    assert "File too large" in result.out
    assert "Saved" not in result.out
    assert "--moves Ff" in result.out
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.process
def test_a_full_device_is_reported() -> None:
    full = Path("/dev/full")
    if not full.exists() or not stat.S_ISCHR(full.stat().st_mode):
        pytest.skip("this system has no device that is always full")
    result = run("play", "--two", typed=f"F\nsave {full}\n")
    assert "No space left" in result.out
    assert "Saved" not in result.out
    assert stat.S_ISCHR(full.stat().st_mode)


@pytest.mark.process
def test_output_to_a_full_device_is_an_error() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    with full.open("wb") as sink:
        done = subprocess.run(
            [WARI, "rules"], stdout=sink, stderr=subprocess.PIPE, env=CLEAN, timeout=60, check=False
        )
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


# --- what may never end -------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["review", "/dev/zero"], ("file", "is a device")),
        (["match", "wari", "wari", "--openings", "/dev/zero"], ("openings", "is a device")),
        (["play", "--load", "zero.ogn"], ("load", "is a device")),
        (["play", "--load", "zero"], ("load", "longer than any game record")),
    ],
    ids=lambda value: value[0],
)
def test_devices_are_refused(
    arguments: list[str], words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("zero", "zero.ogn"):
        Path(name).symlink_to("/dev/zero")
    check(run(*arguments), *words)


@pytest.mark.process
@pytest.mark.parametrize("arguments", [["analyse", "-"], ["play", "--two"]], ids=" ".join)
def test_a_line_without_an_end_is_given_up(arguments: list[str]) -> None:
    with Path("/dev/zero").open("rb") as zero:
        done = subprocess.run([WARI, *arguments], stdin=zero, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"is longer than 100000 characters" in done.stderr


def test_openings_without_line_ends_are_given_up(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("x" * 200_000)
    check(call("match", "wari", "wari", "--openings", str(path)), "openings: line 1 is longer")


# --- standard streams that are closed -----------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments",
    [
        ["perft", "--depth", "2"],
        ["play", "--two"],
        ["analyse", "-"],
        ["uci"],
        ["--help"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    "closed", [(0, 1, 2), *(pytest.param((n,), marks=pytest.mark.slow) for n in range(3))]
)
def test_closed_streams_are_like_empty_ones(arguments: list[str], closed: tuple[int, ...]) -> None:
    with Path("/dev/null").open("rb") as nothing:
        expected = subprocess.run([WARI, *arguments], stdin=nothing, capture_output=True, env=CLEAN)
    plain = expected.stdout.decode()

    def close() -> None:
        for number in closed:
            os.close(number)

    done = run(*arguments, first=close)
    assert (done.code, done.err) == (0, "")
    if 1 not in closed:
        shown, wanted = (re.sub(r" in [\d.]+ .*", "", text) for text in (done.out, plain))
        assert shown == wanted


@pytest.mark.process
def test_an_error_without_an_output_is_told() -> None:
    check(run("perft", "--depth", "0", first=lambda: os.close(1)), "depth")
