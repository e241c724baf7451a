"""The repr of every public value, read again after `import wari`, gives an equal value."""

import dataclasses
import inspect
import subprocess
import sys
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any

import pytest
import wari
import wari.bench
import wari.match
import wari.ogn
import wari.review
import wari.svg
import wari.uci

PARTS = wari._PARTS

# What holds a process, threads or a file, so that no text can stand for it.
HANDLES = {
    wari.Engine,
    wari.Tablebase,
    wari.match.Duel,
    wari.match.PlayerSpec,
    wari.uci.AsyncClient,
    wari.uci.Client,
}

# Fields that cannot hold just any value of their type.
FITTING: dict[type, dict[str, Any]] = {
    wari.match.Match: {
        "first": wari.match.EngineCommand("Ana", ("ana",), {"Hash": "1"}),
        "second": wari.match.LevelSpec(3),
        "games": 2,
    },
    wari.match.LevelSpec: {"level": 3},
    wari.uci.SearchOptions: {
        "limits": wari.Limits(depth=3),
        "clocks": {"S": 1.5, "N": 2.0, "S+": 0.0, "N+": 0.5},
    },
}
PLAIN: dict[Any, Any] = {
    str: "F",
    int: 3,
    float: 0.25,
    bool: True,
    Path: Path("it's here.ogn"),
    wari.Game: wari.Game.replay("FfEd", "abapa"),
    wari.Position: wari.Position("awari").play("C"),
    wari.Rules: wari.Rules.parse("wari,stuck=pass"),
}


def public_classes() -> list[type]:
    """The classes that the package and its parts offer, each once."""
    found: dict[type, None] = {}
    for module in (wari, *(getattr(wari, part) for part in PARTS)):
        for name in getattr(module, "__all__", vars(module)):
            value = getattr(module, name)
            ours = inspect.isclass(value) and value.__module__.startswith(module.__name__)
            if ours and not name.startswith("_"):
                found[value] = None
    return list(found)


def values() -> list[type]:
    """Those whose values a text can stand for."""
    others = (BaseException, Enum)
    return [
        kind for kind in public_classes() if kind not in HANDLES and not issubclass(kind, others)
    ]


def made(kind: Any) -> Any:
    """A value of a type, with something in every field."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, UnionType):
        return made(inner[0])
    if origin is typing.Literal:
        return inner[0]
    if origin is tuple:
        return tuple(made(one) for one in inner if one is not Ellipsis)
    if origin in (list, Sequence):
        return [made(inner[0])]
    if origin in (dict, Mapping):
        return {made(inner[0]): made(inner[1])}
    names = getattr(kind, "_fields", None)
    if names is None:
        names = [field.name for field in dataclasses.fields(kind) if field.init]
    types = typing.get_type_hints(kind)
    fitting = FITTING.get(kind, {})
    return kind(**{n: fitting[n] if n in fitting else made(types[n]) for n in names})


@pytest.mark.parametrize("kind", values(), ids=lambda kind: kind.__name__)
def test_a_repr_can_be_read_again(kind: type) -> None:
    value = made(kind)
    again = eval(repr(value), {"wari": wari})
    assert type(again) is kind
    assert again == value
    assert repr(again) == repr(value)


def test_the_public_classes_are_found() -> None:
    """Each kind of them, in the package and in its parts."""
    found = set(public_classes())
    assert found >= HANDLES
    assert found >= {wari.Score, wari.Axis, wari.svg.Mark, wari.bench.BenchEntry, wari.ogn.Record}
    assert found >= {wari.review.Review, wari.match.Match, wari.uci.Info, wari.WariError}


def test_a_class_without_it_would_be_found_out() -> None:
    """What dataclasses write by themselves is no expression after `import wari`."""

    @dataclasses.dataclass
    class New:
        seeds: int

    with pytest.raises((NameError, SyntaxError)):
        eval(repr(made(New)), {"wari": wari})


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), 0.1, -0.0])
def test_odd_numbers_can_be_read_again(value: float) -> None:
    score = wari.Score(value)
    assert eval(repr(score), {"wari": wari}) == score


def test_the_fields_of_subclasses_and_circles() -> None:
    """A subclass is named where it is; a record that holds itself ends."""

    class Special(wari.Score):
        pass

    assert repr(Special(1.0)).startswith(f"{__name__}.")
    move = wari.ogn.Move("F")
    line = wari.ogn.Line(moves=[move])
    move.after.append(line)
    assert "..." in repr(line)


@pytest.mark.process
def test_the_parts_come_with_the_package() -> None:
    """In a fresh process, where nothing has imported them; and no other module is a part."""
    code = f"import wari; print(*(getattr(wari, part).__name__ for part in {PARTS!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"wari.{part}" for part in PARTS]
    with pytest.raises(AttributeError):
        wari.nothing  # type: ignore[attr-defined]  # noqa: B018
