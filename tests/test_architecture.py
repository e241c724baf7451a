"""The shape of the project: who includes whom, what importing costs, how long files are.

Owns: the map of layers (docs/architecture.md draws it) and the rules that hold for every file. Must
not know: what the code does.
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
HEADERS = ROOT / "cpp" / "include" / "wari"

# A public header may include only what stands in an earlier row (or before it in its own).
LAYERS = (
    ("export", "version", "error", "isa", "rules", "board", "position"),
    ("perft", "game", "notation"),
    ("index", "tablebase"),
    ("score", "search"),
    ("solve", "engine"),
    ("bench",),
)
SOURCES = {".cpp", ".hpp", ".h", ".py", ".md", ".txt", ".toml", ".json", ".yml", ".yaml", ".cfg"}
LINES, FUNCTION_LINES = 500, 60


def files(*suffixes: str) -> list[Path]:
    """The files of the tree, as git lists them; without git, what lies in the known folders."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0 and done.stdout:
        found = [ROOT / name for name in done.stdout.split("\0") if name]
    else:
        folders = ("cpp", "python", "tests", "tools", "docs", "benchmarks")
        found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    return sorted(path for path in found if path.suffix in suffixes and path.is_file())


def includes(path: Path) -> Iterator[str]:
    """The names in a file's includes."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
            yield found[1]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


# --- C++ ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(HEADERS.glob("*.hpp")), ids=lambda path: path.name)
def test_public_headers_include_in_one_direction(path: Path) -> None:
    order = [name for layer in LAYERS for name in layer]
    assert path.stem in order, f"put {path.name} into LAYERS"
    before = order[: order.index(path.stem)]
    for name in includes(path):
        if "/" in name or name.endswith((".h", ".hpp")):
            assert name.removeprefix("wari/").removesuffix(".hpp") in before, name


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


def test_third_party_imports_stay_where_they_belong() -> None:
    """Click and rich only in the command line, Textual only in its full screen; NumPy and
    platformdirs only inside functions."""
    for path in files(".py"):
        name = relative(path)
        if not name.startswith("python/wari/"):
            continue
        tops = {module.split(".")[0] for module in imports(path)}
        known = {"wari", "numpy", "platformdirs"}
        if name.startswith("python/wari/cli/"):
            known |= {"click", "rich"}
        if name.startswith("python/wari/cli/tui/"):
            known |= {"textual"}
        assert tops <= known | set(sys.stdlib_module_names), f"{name}: {tops - known}"


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


@pytest.mark.parametrize("path", files(".cpp", ".hpp", ".h", ".py"), ids=relative)
def test_files_are_short_and_say_what_they_own(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES
    assert lines[0].startswith(("//", '"""', "#!")), "a comment on top says what the file owns"


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions of a file and their lengths."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                documented = ast.get_docstring(node, clean=False) or ""
                lines = node.end_lineno - node.lineno + 1 - len(documented.splitlines())
                yield node.name, lines
        return
    scope = re.compile(r"(namespace|struct|class|enum|union|extern|constexpr .*=|const .*=)\b")
    began, head = 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line and not line[0].isspace() and line.endswith("{"):
            began, head = number, line
        elif line.startswith("}") and began:
            if not scope.match(head):
                yield head, number - began + 1
            began = 0


@pytest.mark.parametrize("path", files(".cpp", ".hpp", ".py"), ids=relative)
def test_functions_are_short(path: Path) -> None:
    for name, lines in functions(path):
        assert lines <= FUNCTION_LINES, f"{name}: {lines} lines"


def test_no_loose_ends() -> None:
    """Nothing unfinished, and nothing of the machine that a file was written on."""
    words = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "not " + "implemented", "place" + "holder"]
    words += ["/" + "work/", "/" + "root/", "/home" + "/"]
    pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(word)}" for word in words), re.IGNORECASE)
    for path in files(*SOURCES):
        found = pattern.search(path.read_text(encoding="utf-8"))
        assert found is None, f"{relative(path)}: {found and found[0]}"
