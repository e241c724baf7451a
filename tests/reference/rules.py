"""The rule axes, the presets and their names."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

AxisValue = str | bool | int

AXES: dict[str, tuple[AxisValue, ...]] = {
    "grand_slam": (
        "capture",
        "no_capture",
        "forbidden",
        "last_resort",
        "keep_last",
        "keep_first",
        "forfeit_rest",
    ),
    "feeding": ("required", "optional"),
    "single_seeds": ("free", "restricted"),
    "stuck": ("end", "pass"),
    "ends_when_emptied": (False, True),
    "remainder": ("owner", "starved", "split"),
    "majority": (True, False),
    "repetition": ("owner", "split"),
    "sowing": ("counterclockwise", "clockwise"),
    "seeds_per_pit": (1, 2, 3, 4, 5, 6, 7, 8),
}


@dataclass(frozen=True)
class Rules:
    """One choice on every axis; the defaults are the preset `wari`. Every combination is valid."""

    grand_slam: str = "capture"
    feeding: str = "required"
    single_seeds: str = "free"
    stuck: str = "pass"
    ends_when_emptied: bool = False
    remainder: str = "owner"
    majority: bool = True
    repetition: str = "owner"
    sowing: str = "counterclockwise"
    seeds_per_pit: int = 4

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            allowed = AXES[field.name]
            # The type counts too: 1 is not a way to write True.
            if not any(type(value) is type(one) and value == one for one in allowed):
                raise ValueError(f"{field.name}: {value!r} is not one of {allowed}")


PRESETS: dict[str, Rules] = {
    "wari": Rules(),
    "cairo": Rules(grand_slam="forbidden", stuck="end", majority=False),
    "singles": Rules(
        feeding="optional",
        single_seeds="restricted",
        stuck="end",
        ends_when_emptied=True,
        majority=False,
    ),
    "nostarve": Rules(grand_slam="last_resort", stuck="end"),
    "abapa": Rules(grand_slam="no_capture", stuck="end"),
    "awari": Rules(grand_slam="last_resort", stuck="end", repetition="split"),
    "ouri": Rules(single_seeds="restricted"),
}


def changed(rules: Rules, **changes: Any) -> Rules:
    """The same rules with some axes changed; an unknown axis or value is an error."""
    for name in changes:
        if name not in AXES:
            raise ValueError(f"unknown axis {name!r}")
    return replace(rules, **changes)


def single_axis_changes(rules: Rules) -> Iterator[Rules]:
    """All rules that differ from the given ones on exactly one axis."""
    for name, allowed in AXES.items():
        for value in allowed:
            if value != getattr(rules, name):
                yield changed(rules, **{name: value})
