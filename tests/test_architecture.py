"""The shape of the project: who includes whom, what importing costs, how long files are.

Owns: the rules that no linter checks. The layers of Python stand in pyproject.toml for
import-linter, the limits of functions there and in .clang-tidy; docs/architecture.md owns the list
of the C++ files, which is read from there. Must not know: what the code does.
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

PAGE = ROOT / "docs" / "architecture.md"

# The last public header that the files of a topic in cpp/src may include; the others: any.
CEILINGS = {
    "isa": "isa",
    "rules": "rules",
    "position": "position",
    "game": "game",
    "notation": "notation",
    "perft(_kernel)?": "perft",
    "thread_group|crc32c|file_io": "perft",
    "table.*": "tablebase",
    "board_rank|transposition|network|evaluation": "board",
    "search_.*": "score",
}

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


def files_in(*folders: str) -> list[Path]:
    """The C++ files of folders."""
    return [path for path in files(".cpp", ".hpp") if relative(path.parent) in folders]


def includes(path: Path) -> Iterator[str]:
    """The names in a file's includes."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
            yield found[1]


# --- C++ ----------------------------------------------------------------------------------------


def layers(folder: str) -> list[list[str]]:
    """The rows below a folder in the list of the page; three spaces end the names of a row."""
    block = PAGE.read_text(encoding="utf-8").split("```\n")[1]
    found: list[list[str]] = []
    inside = False
    for line in block.splitlines():
        if not line.startswith(" "):
            inside = line.split()[0] == folder
        elif inside:
            found.append(re.split(r" {3,}", line.strip())[0].split())
    assert found, folder
    return found


def order(folder: str) -> list[str]:
    return [name for row in layers(folder) for name in row]


def row_of(folder: str, name: str) -> int:
    for number, row in enumerate(layers(folder)):
        if name in row:
            return number
    raise AssertionError(f"put {name} of {folder} into the list of {PAGE.name}")


@pytest.mark.parametrize("folder", ["cpp/include/wari/", "cpp/src/", "cpp/capi/"])
def test_the_page_lists_the_files(folder: str) -> None:
    """Each once, and none that is not there."""
    there = {path.stem for path in files_in(folder.rstrip("/"))}
    assert sorted(order(folder)) == sorted(there), f"put it into the list of {PAGE.name}"


@pytest.mark.parametrize("path", sorted(HEADERS.glob("*.hpp")), ids=lambda path: path.name)
def test_public_headers_include_in_one_direction(path: Path) -> None:
    names = order("cpp/include/wari/")
    before = names[: names.index(path.stem)]
    for name in includes(path):
        if "/" in name or name.endswith((".h", ".hpp")):
            assert name.removeprefix("wari/").removesuffix(".hpp") in before, name


def own_includes(path: Path) -> Iterator[tuple[str, str]]:
    """The includes of our own files: folder and name."""
    for name in includes(path):
        if name.startswith("wari/"):
            yield "cpp/include/wari/", name.removeprefix("wari/").removesuffix(".hpp")
        elif name.endswith(".hpp"):
            yield relative(path.parent) + "/", name.removesuffix(".hpp")


@pytest.mark.parametrize("path", files_in("cpp/src", "cpp/capi"), ids=lambda path: path.name)
def test_private_files_include_in_one_direction(path: Path) -> None:
    """A header only those before it; a source those of its row, too. Nothing from elsewhere."""
    here = relative(path.parent) + "/"
    names, public = order(here), order("cpp/include/wari/")
    last = public[-1]
    if here == "cpp/src/":
        last = next((top for p, top in CEILINGS.items() if re.fullmatch(p, path.stem)), last)
    for folder, name in own_includes(path):
        if folder != here:
            assert public.index(name) <= public.index(last), f"{name} is too high for {path.name}"
        elif path.suffix == ".hpp":
            assert name in names[: names.index(path.stem)], name
        else:
            assert row_of(here, name) <= row_of(here, path.stem), name


def test_the_bindings_know_public_headers_only() -> None:
    here = {path.stem for path in (ROOT / "python" / "bindings").glob("*.hpp")}
    for path in files_in("python/bindings"):
        for folder, name in own_includes(path):
            known = order(folder) if folder.startswith("cpp") else here
            assert name in known, f"{path.name}: {name}"


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
                if tag := re.search(r"tags=\['(\w+)'\]", decorator):
                    sessions[tag[1]].add(function.name)
    for workflow, when in (("ci.yml", "change"), ("nightly.yml", "nightly")):
        text = (ROOT / ".github" / "workflows" / workflow).read_text(encoding="utf-8")
        lists = re.findall(r"session: \[(.*)\]", text)
        jobs = {word.strip(' "').split(" -- ")[0] for words in lists for word in words.split(",")}
        jobs |= {name for name in ("pythons",) if f"nox -s {name}-" in text}
        assert jobs == sessions[when]
