"""The shape of the project: who includes whom, what importing costs, how long files are.

The layers of Python stand in pyproject.toml for import-linter, those of C++ are the include paths
of its targets; the limits of functions stand in pyproject.toml and .clang-tidy.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
import wari

ROOT = Path(__file__).parent.parent
SOURCES = {".cpp", ".hpp", ".h", ".py", ".md", ".txt", ".toml", ".json", ".yml", ".yaml", ".cfg"}
LINES = 500


def listed() -> list[Path]:
    """The files of the tree, as git lists them; without git, what lies in the known folders."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0 and done.stdout:
        found = [ROOT / name for name in done.stdout.split("\0") if name]
    else:
        folders = ("cpp", "python", "tests", "tools", "docs", "benchmarks")
        found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    return sorted(path for path in found if path.is_file())


FILES = listed()


def files(*suffixes: str) -> list[Path]:
    return [path for path in FILES if path.suffix in suffixes]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def includes(path: Path) -> Iterator[str]:
    """The names in a file's includes."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
            yield found[1]


# --- C++ ----------------------------------------------------------------------------------------


def test_the_core_knows_no_python_and_no_world() -> None:
    """No Python in the core; it never prints, exits, throws or reads the environment."""
    banned = r"\b(printf|puts|std::c(out|err)|exit|abort|getenv|throw)\b"
    for path in files(".cpp", ".hpp"):
        if not relative(path).startswith("cpp/"):
            continue
        for name in includes(path):
            assert not name.startswith(("pybind11", "Python", "iostream")), path
        code = re.sub(r"//[^\n]*|\"(\\.|[^\"\\])*\"", "", path.read_text(encoding="utf-8"))
        found = re.search(banned, code)
        assert found is None, f"{relative(path)}: {found and found[0]}"


def test_only_the_bindings_know_pybind11() -> None:
    for path in files(".cpp", ".hpp", ".h"):
        if any(name.startswith("pybind11") for name in includes(path)):
            assert relative(path).startswith("python/bindings/"), path


# --- Python -------------------------------------------------------------------------------------


def imports(path: Path) -> Iterator[str]:
    """The modules that a Python file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.process
def test_importing_wari_imports_the_standard_library_only() -> None:
    code = (
        "import sys; before = set(sys.modules); import wari; "
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    others = set(done.stdout.split()) - set(sys.stdlib_module_names) - {"wari"}
    assert others == set()


def test_only_the_package_imports_the_extension() -> None:
    """And test_stubs, which looks at the extension itself."""
    for path in files(".py"):
        if any(name.startswith("wari._core") for name in imports(path)):
            assert relative(path).startswith(
                ("python/wari/", "tests/test_stubs.py", "benchmarks/")
            ), path


def test_the_reference_imports_nothing_of_ours() -> None:
    for path in files(".py"):
        if relative(path).startswith("tests/reference/"):
            for name in imports(path):
                top = name.split(".")[0]
                assert top == "reference" or top in sys.stdlib_module_names, f"{path}: {name}"


TOUCHES_FILES = {
    "python/wari/_files.py",  # what is written, removed and locked
    "python/wari/_reading.py",  # what is read
    "python/wari/_record.py",  # through _reading, with its bound
    "python/wari/match/log.py",  # game by game, each with its bound
    "python/wari/cli/language.py",  # the package's own texts
    "python/wari/cli/__init__.py",  # the standard streams
}


def test_files_are_touched_in_one_place() -> None:
    """Opened, written, removed, locked: how that is done safely is decided once."""
    methods = {"unlink", "rename", "truncate", "flock", "fsync", "mkstemp", "NamedTemporaryFile"}
    methods |= {f"{verb}_{kind}" for verb in ("read", "write") for kind in ("text", "bytes")}
    for path in files(".py"):
        if not relative(path).startswith("python/wari/") or relative(path) in TOUCHES_FILES:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            words = ast.unparse(node.func).split(".")
            opens = words[-1] == "open" and words[:-1][-1:] not in (["Tablebase"], ["webbrowser"])
            opens = opens and words[0] not in ("Tablebase", "cls", "_core")
            is_free = not opens and words[-1] not in methods
            assert is_free, f"{relative(path)}: {words}"


def test_versions_agree() -> None:
    """pyproject.toml, the core and the installed package."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', text, flags=re.MULTILINE)
    assert version is not None
    assert wari.__version__ == version[1] == metadata.version("wari")


def test_public_names_are_listed_once_and_exist() -> None:
    assert len(wari.__all__) == len(set(wari.__all__))
    for name in wari.__all__:
        assert getattr(wari, name, None) is not None, name


# --- every file ---------------------------------------------------------------------------------


def test_files_are_short_and_say_what_they_own() -> None:
    for path in files(".cpp", ".hpp", ".h", ".py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= LINES, path
        start = ("//", '"""', "#!", "# ///")
        assert lines[0].startswith(start), f"{path}: a comment on top says what the file owns"


def test_no_loose_ends() -> None:
    """Nothing unfinished, and nothing of the machine that a file was written on."""
    words = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "not " + "implemented", "place" + "holder"]
    words += ["/" + "work/", "/" + "root/", "/home" + "/"]
    pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(word)}" for word in words), re.IGNORECASE)
    for path in files(*SOURCES):
        found = pattern.search(path.read_text(encoding="utf-8"))
        assert found is None, f"{relative(path)}: {found and found[0]}"


def test_the_hosted_workflows_run_every_session() -> None:
    """One job for each session that carries the tag `change`; each night those with `nightly`."""
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    sessions: dict[str, set[str]] = {"change": set(), "nightly": set()}
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            for decorator in map(ast.unparse, function.decorator_list):
                _, _, tags = decorator.partition("tags=")
                for tag in re.findall(r"'(change|nightly)'", tags):
                    sessions[tag].add(function.name)
    for workflow, when in (("ci.yml", "change"), ("nightly.yml", "nightly")):
        text = (ROOT / ".github" / "workflows" / workflow).read_text(encoding="utf-8")
        lists = re.findall(r"session: \[(.*)\]", text)
        jobs = {word.strip(' "').split(" -- ")[0] for words in lists for word in words.split(",")}
        jobs |= {name for name in ("pythons",) if f"nox -s {name}-" in text}
        assert jobs == sessions[when]
