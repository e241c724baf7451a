"""The stub of the extension module: it names what is there, and it is the generated one.

Owns: the checks of python/wari/_core.pyi. The second one needs pybind11-stubgen (group `dev`).
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
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
