"""The extension module: its stub names what is there, and no object lacks what it holds.

One of them needs pybind11-stubgen (group `types`).
"""

import ast
import copy
import subprocess
import sys
from pathlib import Path

import pytest
import wari
from wari import _core

ROOT = Path(__file__).parent.parent
STUB = ROOT / "python" / "wari" / "_core.pyi"


def names_in(body: list[ast.stmt]) -> set[str]:
    """The public names that statements define."""
    names = {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))} | {
        node.target.id
        for node in body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return {name for name in names if not name.startswith("_")}


def test_the_stub_names_what_is_there() -> None:
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    assert names_in(tree.body) == {name for name in vars(_core) if not name.startswith("_")}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = vars(getattr(_core, node.name))
            assert names_in(node.body) == {name for name in members if not name.startswith("_")}


@pytest.mark.process
def test_the_stub_is_the_generated_one() -> None:
    pytest.importorskip("pybind11_stubgen")
    command = [sys.executable, str(ROOT / "tools" / "stubs.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# --- objects of the extension module -------------------------------------------------------------

CLASSES = [member for member in vars(_core).values() if isinstance(member, type)]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_no_object_without_what_it_holds(kind: type) -> None:
    class Heir(kind):  # type: ignore[misc]
        pass

    for make in (
        lambda: kind.__new__(kind),  # type: ignore[call-overload]
        lambda: object.__new__(kind),
        kind,
        lambda: Heir.__new__(Heir),
        lambda: object.__new__(Heir),
        Heir,
    ):
        with pytest.raises(TypeError):
            make()


def test_objects_that_hold_something_cannot_be_copied_to_ones_that_do_not() -> None:
    assert len(CLASSES) >= 8
    for held in (wari.Game()._core, wari.Position()._core, wari.Rules.parse("abapa")._core):
        with pytest.raises(TypeError):
            copy.copy(held)
