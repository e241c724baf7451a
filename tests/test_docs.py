"""The examples in README.md and docs/ are run, and the tables are compared with the program.

A ```console block holds commands behind `$ ` and what they print, `...` standing for anything, and
`[exit N]` for an exit code other than 0. A ```python block is run, its `>>>` lines as a doctest.
"""

import doctest
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import wari
from cases import WORKED
from cli_tools import CLEAN
from wari.cli.app import COMMANDS, cli
from wari.cli.play_commands import COMMANDS as PLAY_COMMANDS
from wari.cli.tui.texts import KEYS
from wari.levels import LEVELS

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAMES = """[Variant "Oware Abapa"]
[South "Ana"]
[North "Ben"]
[Result "*"]

1. F f 2. E e *
"""
EXIT = re.compile(r"^\[exit (\d+)\]$")


def blocks(language: str, pages: list[Path] = PAGES) -> list[Any]:
    """Every fenced block of a language, each named by page and line."""
    found = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            if match[1] == language:
                line = text.count("\n", 0, match.start()) + 1
                found.append(pytest.param(match[2], id=f"{page.name}:{line}"))
    return found


def commands(block: str) -> list[tuple[str, str, int]]:
    """Each command of a console block, with what it should print and its exit code."""
    found: list[tuple[str, list[str], int]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], [], 0))
        elif code := EXIT.match(line):
            found[-1] = (found[-1][0], found[-1][1], int(code[1]))
        else:
            found[-1][1].append(line)
    return [(command, "\n".join(lines), code) for command, lines, code in found]


def matches(expected: str, shown: str) -> bool:
    """Whether a text is what the page says; `...` stands for anything, also within a line."""
    parts = [re.escape(part.strip("\n")) for part in expected.split("...")]
    return re.fullmatch(r"(?s)\s*" + r".*?".join(parts) + r"\s*", shown) is not None


@pytest.fixture
def shell_environment() -> dict[str, str]:
    """An environment in which `wari` is the installed one."""
    scripts = sysconfig.get_path("scripts")
    return {**CLEAN, "PATH": f"{scripts}{os.pathsep}{CLEAN.get('PATH', '')}"}


@pytest.mark.parametrize("block", blocks("console"))
def test_console(block: str, tmp_path: Path, shell_environment: dict[str, str]) -> None:
    assert commands(block), "a console block begins with a command"
    environment = {**shell_environment, "WARI_CACHE": str(tmp_path / "cache")}
    for command, expected, code in commands(block):
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode == code, (command, done.stdout)
        assert matches(expected, done.stdout), f"$ {command}\n{done.stdout}\nis not\n{expected}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks("python", [page])], ids=str)
def test_python(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page are one session, in a folder that holds `games.ogn`."""
    (tmp_path / "games.ogn").write_text(GAMES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    session: dict[str, object] = {"__name__": "__example__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for parameters in blocks("python", [page]):
        block, name = parameters.values[0], parameters.id
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, {}, str(name), str(page), 0)
            test.globs = session
            runner.run(test, clear_globs=False)
        else:
            exec(compile(block, name, "exec"), session)
    assert runner.failures == 0


@pytest.mark.slow
def test_cpp(tmp_path: Path) -> None:
    """The embedder's example is built against the source tree and run."""
    cmake = shutil.which("cmake")
    if cmake is None or not any(map(shutil.which, ("c++", "g++", "clang++"))):
        pytest.skip("no CMake or no C++ compiler here")
    readme = [ROOT / "README.md"]
    (source,) = blocks("cpp", readme)
    (build,) = blocks("cmake", readme)
    (tmp_path / "main.cpp").write_text(source.values[0])
    (tmp_path / "CMakeLists.txt").write_text(build.values[0])
    (tmp_path / "wari").symlink_to(ROOT)
    for step in (
        [cmake, "-S", str(tmp_path), "-B", str(tmp_path / "build")],
        [cmake, "--build", str(tmp_path / "build"), "--parallel", "2"],
    ):
        subprocess.run(step, check=True, timeout=900)
    example = tmp_path / "build" / "example"
    done = subprocess.run([example], capture_output=True, text=True, timeout=60, check=True)
    assert re.search(r"[A-F] +[+-]?\d", done.stdout), done.stdout


# --- tables --------------------------------------------------------------------------------------


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a line of a page, marks of code removed."""
    text = (ROOT / page).read_text(encoding="utf-8")
    below = text[text.index(heading) :]
    table = re.search(r"(?m)^\|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", below)
    assert table is not None
    return [
        [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        for line in table[1].splitlines()
    ]


def text_of(value: object) -> str:
    """An axis value as the pages write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_the_preset_tables_are_true() -> None:
    expected = {
        axis: [text_of(wari.Rules.preset(name).to_dict()[axis]) for name in wari.PRESETS]
        for axis in wari.AXES
    }
    for page, heading in (("docs/rules.md", "| axis | wari"), ("README.md", "| axis | wari")):
        found = {row[0]: row[1:] for row in rows(page, heading)}
        assert {axis: found[axis] for axis in found} == {axis: expected[axis] for axis in found}
        assert len(found) >= 8
    assert [row[0] for row in rows("docs/rules.md", "## The presets")] == list(wari.PRESETS)


def test_rules_md_names_every_axis_value_ending_and_refusal() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for axis in wari.AXES.values():
        assert f"**`{axis.name}`**" in text
    for code in (*wari.ENDINGS, *wari.REFUSALS, *wari.AXES["grand_slam"].values):
        assert f"`{code}`" in text, code
    assert [row[0] for row in rows("docs/rules.md", "tested in this order")] == list(wari.REFUSALS)


def test_the_positions_of_rules_md_are_those_of_the_worked_cases() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    worked = text[text.index("## Worked cases") :]
    shown = set(re.findall(r"(?:\d+-){14}[SN]", worked))
    tested = {case.position for case in WORKED} | {case.after for case in WORKED}
    assert len(shown) >= 10
    assert shown <= tested


def test_cli_md_lists_the_commands_levels_and_play_commands() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"| `wari {name}` |" in text
        assert f"## wari {name}" in text
    shown = rows("docs/cli.md", "| level | depth")
    for row, (number, level) in zip(shown, LEVELS.items(), strict=True):
        seconds = "" if level.limits.time is None else f"{level.limits.time:g}"
        depth = "" if level.limits.depth is None else str(level.limits.depth)
        assert row == [str(number), depth, seconds, f"{level.temperature:g}"]
    talk = {
        row[0]: row[1] for row in rows("docs/cli.md", "| command | does |\n|---|---|\n| `hint`")
    }
    assert talk == {command.usage: command.help for command in PLAY_COMMANDS.values()}


def test_play_md_lists_the_keys() -> None:
    shown = {row[0]: row[1] for row in rows("docs/play.md", "| key | does |")}
    expected = {"space" if key == " " else key: long for key, (_, _, long) in KEYS.items()}
    assert shown == expected


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """A command, or those of a group."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for below in command.list_commands(context):
        found = command.get_command(context, below)
        assert found is not None
        yield from leaves(found, f"{name} {below}")


def test_every_option_of_every_command_is_in_cli_md() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name, command in leaves(cli, "wari"):
        assert f"`{name}" in text, name
        for option in command.params:
            if isinstance(option, click.Option):
                for spelling in (*option.opts, *option.secondary_opts):
                    assert f"`{spelling}" in text, (name, spelling)


def test_relative_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)
