"""The examples in the docstrings of the package are run, and every public name has one.

The pages of the documentation are test_docs' business.
"""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
import wari
import wari.uci

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(wari.__path__, "wari.")
    if not module.name.endswith(("._core", ".__main__"))
)


def marked(name: str) -> object:
    """The modules whose examples start engines and matches carry the mark."""
    starts = name.startswith(("wari.uci.", "wari.match"))
    return pytest.param(name, marks=pytest.mark.process) if starts else name


@pytest.mark.parametrize("name", [marked(name) for name in ("wari", *MODULES)])
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=FLAGS)
    assert failed == 0


# --- every public name ---------------------------------------------------------------------------
#
# Exempt: constants and the fields of dataclasses and named tuples (they have a line of text below
# them, no docstring of their own), names that begin with an underscore, `__special__` methods, and
# what a class inherits. A method or property may be shown by an example of its class or of another
# method there; a function or a class needs one of its own.

# Methods that are those of another class, to be awaited.
MIRRORS = {wari.uci.AsyncClient: wari.uci.Client}

# What checks a value from outside and raises, when its name begins so.
CHECKS = ("as_", "check", "count", "letters", "parse", "preset", "rules_of", "_whole", "_path")


def public() -> Iterator[tuple[str, Any, type | None]]:
    """Every public class, function, method and property: its name, itself, its class."""
    for module in (wari, *(importlib.import_module(f"wari.{part}") for part in wari._PARTS)):
        for name in getattr(module, "__all__", vars(module)):
            value = getattr(module, name)
            ours = inspect.isclass(value) or inspect.isfunction(value)
            if name.startswith("_") or not ours or not value.__module__.startswith(module.__name__):
                continue
            place = f"{module.__name__}.{name}"
            yield place, value, None
            for below, member in vars(value).items() if inspect.isclass(value) else ():
                function = getattr(member, "__func__", member)
                if not below.startswith("_") and isinstance(function, FunctionType | property):
                    yield f"{place}.{below}", function, value


def shown(owner: type) -> str:
    """The examples of a class and of what is in it, without what they print."""
    texts = [owner.__doc__, *(getattr(member, "__doc__", None) for member in vars(owner).values())]
    parser = doctest.DocTestParser()
    found = [example.source for text in texts if text for example in parser.get_examples(text)]
    return "".join(found) + (shown(MIRRORS[owner]) if owner in MIRRORS else "")


PUBLIC = list(public())
NAMES = [name for name, _, _ in PUBLIC]


@pytest.mark.parametrize(("name", "value", "owner"), PUBLIC, ids=NAMES)
def test_public_names_are_documented(name: str, value: Any, owner: type | None) -> None:
    """Each has a docstring and an example; see above for what is exempt."""
    assert value.__doc__, name
    if owner is None or ">>> " in value.__doc__:
        assert ">>> " in value.__doc__, f"{name} has no example"
    else:
        used = re.search(rf"\.{name.rpartition('.')[2]}\b", shown(owner))
        assert used, f"no example of {owner.__name__} shows {name}"


def checks_its_input(value: Any) -> bool:
    """Whether a function raises by itself, or asks another to check what it was given."""
    if isinstance(value, property):
        return False
    if inspect.isclass(value):
        value = vars(value).get("__post_init__", vars(value).get("__init__"))
        if not isinstance(value, FunctionType) or value.__code__.co_filename == "<string>":
            return False  # what a dataclass or a named tuple makes checks nothing
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(value)))):
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called.startswith(CHECKS):
                return True
    return False


@pytest.mark.parametrize(("name", "value", "owner"), PUBLIC, ids=NAMES)
def test_errors_are_named(name: str, value: Any, owner: type | None) -> None:
    """Who checks what is given says which errors that raises; for a mirror, its class says it."""
    by_class = name in NAMED_ELSEWHERE or owner in MIRRORS
    if checks_its_input(value) and not by_class:
        assert "Raises " in value.__doc__, name


# Where no value from outside is checked after all.
NAMED_ELSEWHERE = {
    "wari.Tablebase",  # its __init__ sends callers to build() and open()
    "wari.match.summarise",  # counts wins
    "wari.review.text_report",  # counts faults
    "wari.uci.parse_info",  # leaves out what is malformed
}


def test_there_is_something_to_check() -> None:
    assert len(PUBLIC) > 200
    assert len(NAMES) == len(set(NAMES))
    assert checks_its_input(wari.Position.parse.__func__)  # type: ignore[attr-defined]
    assert not checks_its_input(wari.Score)
