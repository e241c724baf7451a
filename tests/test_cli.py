"""The commands that answer and leave: help, version, perft, rules, analyse, bench."""

import importlib
import json
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import click
import pytest
import recomputed
import wari
from cli_tools import CLEAN, WARI, Terminal, call, let_work, run
from wari.cli.app import COMMANDS, cli

START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
FINISHED = "0-0-0-0-0-0-0-0-0-0-0-0-30-18-S"


def answer(*arguments: str) -> dict[str, object]:
    """The JSON object that a command prints, its schema checked."""
    result = call(*arguments, "--json")
    assert result.code == 0, result
    assert result.err == ""
    data = json.loads(result.out)
    assert data.pop("schema") == f"wari.{arguments[0]}"
    assert data.pop("version") == 1
    return data  # type: ignore[no-any-return]


# --- the group -----------------------------------------------------------------------------------


@pytest.mark.process
def test_help_lists_every_command_with_its_line() -> None:
    result = run("--help")
    assert result.code == 0
    for name, (_, line) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", result.out, re.MULTILINE)
    assert "Exit codes: 0 done, 1 the answer is no, 2 bad input, 130 interrupted." in result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    command = importlib.import_module(COMMANDS[name][0]).command
    assert isinstance(command, click.Command)
    result = call(name, "--help")
    assert result.code == 0
    assert result.out.startswith(f"Usage: wari {name} ")


def commands(command: click.Command, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command and all below it, each with its name."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, *path, name)


@pytest.mark.parametrize(
    ("path", "command"),
    [pytest.param(*found, id=" ".join(("wari", *found[0]))) for found in commands(cli)],
)
def test_help_is_complete(path: tuple[str, ...], command: click.Command) -> None:
    """Every command, option and argument is explained where a person looks for it."""
    shown = call(*path, "--help").out
    assert "CONVERT" not in shown, "what an option expects is named after no function of ours"
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.opts
            assert parameter.help.strip().endswith("."), parameter.opts
            assert all(option in shown for option in parameter.opts)
        else:
            name = parameter.make_metavar(click.Context(command)).strip("[].")
            assert name in command.help or "|" in name, (path, name)


@pytest.mark.process
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    script = call("completion", shell)
    assert script.code == 0
    assert f"_WARI_COMPLETE={shell}_complete" in script.out


@pytest.mark.process
def test_bash_completes_commands_and_options() -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    lines = f"""eval "$({WARI} completion bash)"
    complete -p wari
    try() {{
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        _wari_completion {WARI}
        echo "${{COMPREPLY[@]}}"
    }}
    try wari pl
    try wari play --no-an
    try wari play --language e
    try wari analyse --grand-slam keep
    try wari perft --rules a
    try wari rules o"""
    done = subprocess.run([bash, "-c", lines], env=CLEAN, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-6:] == [
        "play",
        "--no-animation",
        "en es",
        "keep_last keep_first",
        "abapa awari",
        "ouri",
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [
        ("play", "--load"),
        ("analyse", "--tablebase"),
        ("tb", "verify"),
        ("review",),
        ("match", "--output"),
    ],
)
def test_shells_offer_files(words: tuple[str, ...]) -> None:
    """Where a file is named, the shell is asked to complete files."""
    line = " ".join(("wari", *words, "ga"))
    asked = {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) + 1),
        "_WARI_COMPLETE": "bash_complete",
    }
    done = subprocess.run([WARI], env=CLEAN | asked, capture_output=True, text=True)
    assert done.stdout.strip() == "file,ga"


@pytest.mark.process
def test_help_is_quick_and_imports_little() -> None:
    best = 9.0
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run("--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        best = min(best, used)
    assert best < 0.3, "seconds of processor time"
    code = (
        "import sys, wari.cli\n"
        "assert wari.cli.main(['--help']) == 0\n"
        "heavy = [name for name in ('rich', 'numpy', 'wari.cli.play') if name in sys.modules]\n"
        "sys.exit(','.join(heavy) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=CLEAN, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.process
def test_version_names_compiler_and_instruction_set() -> None:
    result = run("--version")
    assert result.code == 0
    pattern = rf"wari {re.escape(wari.__version__)} \((gcc|clang|AppleClang) [\d.]+.*, .+\)\n"
    assert re.fullmatch(pattern, result.out), result.out


@pytest.mark.process
def test_no_arguments_is_a_request_for_help() -> None:
    result = run()
    assert result.code == 0
    assert result.out == run("--help").out


# --- perft ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", wari.PRESETS)
def test_perft_of_every_preset(preset: str) -> None:
    data = answer("perft", "--depth", "6", "--rules", preset)
    assert data["nodes"] == recomputed.PERFT[preset][5]
    assert data["rules"] == preset
    assert data["depth"] == 6
    assert data["divide"] is None
    assert data["position"] == START
    assert isinstance(data["seconds"], float)


def test_divide_adds_up() -> None:
    data = answer("perft", "--depth", "9", "--rules", "abapa", "--divide")
    assert data["divide"] == recomputed.DIVIDE_9
    assert data["nodes"] == 3592872
    text = call("perft", "--depth", "9", "--rules", "abapa", "--divide").out
    assert "A     660046" in text
    assert "depth 9: 3592872 nodes in " in text


def test_perft_after_moves_and_of_a_finished_game() -> None:
    direct = wari.Game.replay("Ff").position
    data = answer("perft", "--depth", "4", "--moves", "F f")
    assert data["position"] == str(direct)
    assert data["nodes"] == direct.perft(4)
    assert answer("perft", "--depth", "3", "--position", FINISHED)["nodes"] == 0
    assert answer("perft", "--depth", "3", "--position", FINISHED, "--divide")["divide"] == {}


def test_axes_change_the_count() -> None:
    position = "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S"
    base = ["perft", "--depth", "1", "--position", position, "--rules", "abapa"]
    assert answer(*base)["nodes"] == 3
    data = answer(*base, "--grand-slam", "forbidden", "--no-majority")
    assert data["nodes"] == 2
    assert data["rules"] == "cairo"


@pytest.mark.process
def test_ctrl_c_stops_perft() -> None:
    with Terminal("perft", "--depth", "40") as terminal:
        let_work(terminal.process, 0.4)
        terminal.type("\x03")
        terminal.expect("wari: interrupted", seconds=10.0)
        assert terminal.code() == 130
    assert "Traceback" not in terminal.text


# --- rules ---------------------------------------------------------------------------------------


def test_rules_name_every_preset_axis_and_value() -> None:
    text = call("rules").out
    data = answer("rules")
    assert list(data["presets"]) == list(wari.PRESETS)  # type: ignore[call-overload]
    assert list(data["axes"]) == list(wari.AXES)  # type: ignore[call-overload]
    for name in (*wari.PRESETS, *wari.AXES):
        assert re.search(rf"^  {name} ", text, re.MULTILINE), name
    for axis in wari.AXES.values():
        if axis.name != "seeds_per_pit":
            for value in axis.values:
                assert re.search(rf"^    {str(value).lower()} ", text, re.MULTILINE), value
    assert max(map(len, text.splitlines())) <= 80


def test_one_rule_set_in_words() -> None:
    text = call("rules", "ouri", "--grand-slam", "keep_first").out
    assert text.startswith("ouri,grand_slam=keep_first\n")
    data = answer("rules", "ouri", "--grand-slam", "keep_first")
    assert data["name"] is None
    assert data["axes"] == wari.Rules.parse("ouri,grand_slam=keep_first").to_dict()
    assert "international tournament rules" in call("rules", "abapa").out
    assert answer("rules", "--no-majority")["axes"]["majority"] is False  # type: ignore[index]


# --- analyse -------------------------------------------------------------------------------------


def test_analyse_shows_every_move_with_value_kind_and_line() -> None:
    result = call("analyse", "--moves", "Ff", "--depth", "6")
    assert result.code == 0
    assert "(0)" in result.out
    assert "position 5-5-5-5-4-0-5-5-5-5-4-0-0-0-S, rules wari" in result.out
    assert "values are South's lead at the end" in result.out
    rows = re.findall(
        r"^([A-E])  +([+-]?\d+\.\d\d)  +(\S.*?)  +(\d+)  ([A-Fa-f -]+)$", result.out, re.MULTILINE
    )
    assert sorted(row[0] for row in rows) == list("ABCDE")
    values = [float(row[1]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert all(row[2].startswith("estimate, search") for row in rows)
    assert all(row[4].split()[0] == row[0] for row in rows)


def test_analyse_json_holds_the_documented_fields() -> None:
    data = answer("analyse", "--rules", "abapa", "--moves", "F", "--depth", "5")
    assert list(data) == [
        "position",
        "rules",
        "side",
        "moves",
        "legal",
        "over",
        "result",
        "depth",
        "seldepth",
        "nodes",
        "nps",
        "hashfull",
        "tbhits",
        "seconds",
        "lines",
        "limits",
        "tablebase",
    ]
    assert data["side"] == "N"
    assert data["moves"] == ["F"]
    assert data["legal"] == list("abcdef")
    assert data["over"] is False
    assert data["result"] is None
    assert data["depth"] == 5
    assert data["limits"] == {"depth": 5, "nodes": None, "time": None, "multipv": 6}
    lines = data["lines"]
    assert isinstance(lines, list)
    assert len(lines) == 6
    for line in lines:
        assert list(line) == ["move", "value", "bound", "source", "tags", "depth", "pv"]
        assert line["bound"] in ("exact", "lower", "upper", "estimate")
        assert line["source"] in ("search", "tablebase", "end")
        wari.Game(rules="abapa", start=str(data["position"])).push_all("".join(line["pv"]))


def test_multipv_and_every_limit() -> None:
    assert len(answer("analyse", "--depth", "4", "--multipv", "2")["lines"]) == 2  # type: ignore[arg-type]
    assert int(str(answer("analyse", "--nodes", "2000", "--multipv", "1")["nodes"])) < 200_000
    data = answer("analyse", "--time", "0.2")
    assert 0.1 < float(str(data["seconds"])) < 2.0
    assert data["limits"] == {"depth": None, "nodes": None, "time": 0.2, "multipv": 6}


def test_the_same_input_gives_the_same_output() -> None:
    runs = [answer("analyse", "--depth", "9") for _ in range(2)]
    for data in runs:
        del data["seconds"], data["nps"]
    assert runs[0] == runs[1]


def test_exact_values_say_so() -> None:
    position = "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S"  # worked case 12: 29-19 if played out
    data = answer("analyse", position, "--rules", "awari", "--depth", "12")
    best = data["lines"][0]  # type: ignore[index]
    assert (best["move"], best["value"], best["bound"]) == ("F", 10.0, "exact")
    assert best["pv"] == ["F"], "a line ends where play stops"
    assert "exact" in call("analyse", position, "--rules", "awari", "--depth", "12").out


@pytest.mark.parametrize(
    ("position", "rules", "ending", "words"),
    [
        (FINISHED, "abapa", "majority", "South wins, South 30, North 18"),
        ("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S", "abapa", "stuck", "South wins, South 25, North 23"),
        ("0-0-0-0-0-0-0-0-0-0-0-0-24-24-N", "cairo", "empty_board", "A draw, South 24, North 24"),
    ],
)
def test_a_finished_position_says_so(position: str, rules: str, ending: str, words: str) -> None:
    result = call("analyse", position, "--rules", rules)
    assert result.code == 0
    assert f"The game is over. {words}: {wari.ENDINGS[ending]}." in result.out
    data = answer("analyse", position, "--rules", rules)
    assert data["over"] is True
    assert data["result"]["ending"] == ending  # type: ignore[index]
    assert data["lines"] == []
    assert data["legal"] == []


def test_an_end_by_repetition_needs_the_moves() -> None:
    chase = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
    result = call("analyse", chase, "--moves", "AaBbCcDdEeFf")
    assert f"A draw, South 24, North 24: {wari.ENDINGS['repetition']}." in result.out
    assert answer("analyse", chase, "--depth", "2")["over"] is False


def test_a_list_of_positions() -> None:
    typed = f"{START}\n# comment\n\n{START} F f\n{FINISHED}\n"
    result = call("analyse", "-", "--depth", "4", "--json", typed=typed)
    assert result.code == 0
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert [row["line"] for row in rows] == [1, 4, 5]
    assert rows[1]["moves"] == ["F", "f"]
    assert rows[2]["over"] is True
    alone = answer("analyse", "--moves", "Ff", "--depth", "4")
    for key in ("nodes", "lines", "position"):
        assert rows[1][key] == alone[key], "what stands on other lines must not matter"
    text = call("analyse", "-", "--depth", "4", typed=typed).out
    assert "line 4: position 5-5-5-5-4-0" in text
    assert "The game is over. South wins" in text


@pytest.mark.process
def test_progress_is_drawn_in_place_on_a_terminal_only() -> None:
    with Terminal("analyse", "--time", "0.4") as terminal:
        assert terminal.code() == 0
    assert "\x1b[1A" in terminal.raw or "\x1b[2K" in terminal.raw, "lines are redrawn"
    assert terminal.text.rstrip().count("values are South's lead at the end") >= 2
    assert "\x1b" not in run("analyse", "--depth", "3").out


@pytest.mark.process
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_ctrl_c_prints_the_best_so_far_of_a_list(form: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [WARI, "analyse", "-", "--time", "60", *form],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=CLEAN,
    )
    assert process.stdin is not None
    process.stdin.write(f"{START}\n".encode())
    process.stdin.flush()
    let_work(process, 0.6)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err.split()) == (130, [b"wari:", b"interrupted"])
    if form:
        assert len(json.loads(out)["lines"]) == 6
    else:
        assert out.startswith(b"line 1: position ")
        assert b"\ndepth " in out


@pytest.mark.process
def test_ctrl_c_prints_the_best_so_far() -> None:
    with Terminal("analyse", "--time", "60") as terminal:
        terminal.expect("values are South")
        began = time.monotonic()
        terminal.type("\x03")
        terminal.expect("wari: interrupted", seconds=10.0)
        assert terminal.code() == 130
        assert time.monotonic() - began < 10.0
    assert "Traceback" not in terminal.text
    assert terminal.text.rindex("move  value") < terminal.text.rindex("wari: interrupted")


# --- bench ---------------------------------------------------------------------------------------


@pytest.fixture
def short_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bench with little depth: how it adds up is tested, not the engine."""
    from wari.cli import bench

    monkeypatch.setattr(bench, "DEEPER", -9)


@pytest.mark.usefixtures("short_bench")
def test_bench_adds_up_and_repeats() -> None:
    data = answer("bench")
    rows = data["positions"]
    assert isinstance(rows, list)
    assert data["nodes"] == sum(row["nodes"] for row in rows)
    assert answer("bench")["nodes"] == data["nodes"]
    assert f"nodes {data['nodes']}\n" in call("bench").out
    assert call("bench", "--expect", str(data["nodes"])).code == 0
    other = call("bench", "--expect", "1")
    assert other.code == 1
    assert other.err == f"wari: nodes: expected 1, not {data['nodes']}\n"


@pytest.mark.usefixtures("short_bench")
def test_bench_covers_every_preset() -> None:
    rows = answer("bench", "--evaluation", "material")["positions"]
    assert isinstance(rows, list)
    assert {row["rules"] for row in rows} == set(wari.PRESETS)


# --- solve ---------------------------------------------------------------------------------------


def test_solve_proves_and_admits() -> None:
    data = answer("solve", "1-2-1-0-1-2-1-1-2-1-0-1-0-0-S", "--rules", "awari", "--time", "60")
    assert (data["verdict"], data["lower"], data["upper"], data["move"]) == ("win", 9, 9, "F")
    shown = call("solve", "1-2-1-0-1-2-1-1-2-1-0-1-0-0-S", "--rules", "awari", "--time", "60")
    assert shown.out.startswith("South to move: win by 9, with F (depth ")
    unknown = call("solve", "--nodes", "1000")
    assert unknown.code == 1
    assert unknown.out.startswith("South to move: unknown, between -")
    over = answer("solve", "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N")
    assert (over["verdict"], over["lower"]) == ("loss", -12)
    assert call("solve", "--time", "0").code == 2
