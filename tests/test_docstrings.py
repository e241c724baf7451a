"""The examples in the docstrings of the package are run, and every public name has a docstring.

Owns: the docstrings. The pages of the documentation are test_docs' business.
"""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest
import wari

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(wari.__path__, "wari.")
    if not module.name.endswith(("._core", ".__main__"))
)


@pytest.mark.parametrize("name", ["wari", *MODULES])
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=FLAGS)
    assert failed == 0


def test_there_are_examples() -> None:
    """The value types, the game and the engine show how they are used."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for name in ("rules", "position", "game", "engine"):
        found = finder.find(importlib.import_module(f"wari.{name}"))
        assert sum(len(test.examples) for test in found) >= 3, name


def public_classes() -> list[type]:
    return [value for name in wari.__all__ if isinstance(value := getattr(wari, name), type)]


@pytest.mark.parametrize("kind", public_classes(), ids=lambda kind: kind.__name__)
def test_public_names_are_documented(kind: type) -> None:
    """The class, and each public method and property of it."""
    assert kind.__doc__
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if callable(member) or isinstance(member, (classmethod, staticmethod, property)):
            assert member.__doc__, f"{kind.__name__}.{name}"
