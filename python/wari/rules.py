"""The rule axes, the named presets, and one choice on every axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, final

from wari import _core
from wari._check import as_text, shown
from wari._repr import evaluable
from wari.errors import InvalidValueError


@evaluable("wari")
class Axis(NamedTuple):
    """One rule axis: its name, what it decides, and each value with its meaning in words.

    >>> import wari
    >>> wari.AXES["feeding"].values["required"]
    "when the opponent's row is empty, only moves that leave seeds there are legal"
    """

    name: str
    """As in `Rules` and its text."""
    question: str
    """What it decides, in words."""
    values: dict[str | bool | int, str]
    """What each value means, in words."""


def _value_of(axis: str, text: str) -> str | bool | int:
    """The Python value of an axis whose value the core writes as text."""
    if axis in ("ends_when_emptied", "majority"):
        return text == "true"
    return int(text) if axis == "seeds_per_pit" else text


def _text_of(axis: str, value: object) -> str:
    """The core's text for a Python value of an axis: one of the axis, of the same type."""
    if axis not in AXES:
        raise InvalidValueError(
            f"rules: unknown axis {shown(axis)}; known are {', '.join(AXES)}", "rules"
        )
    known = list(AXES[axis].values)
    if type(value) is not type(known[0]) or value not in known:
        names = ", ".join(map(repr, known))
        raise InvalidValueError(f"{axis}: unknown value {shown(value)}; known are {names}", axis)
    return str(value).lower() if isinstance(value, bool) else str(value)


AXES: dict[str, Axis] = {
    name: Axis(name, question, {_value_of(name, value): words for value, words in values})
    for name, question, values in _core.axes()
}
"""Every axis by name, in their fixed order."""

PRESETS: tuple[str, ...] = tuple(name for name, _ in _core.presets())
"""The names of the presets; the first is the default."""

PRESET_ORIGINS: dict[str, str] = dict(_core.presets())
"""Where each preset is met: in rule books, at tournaments, in research."""


@final
class Rules:
    """One choice on every axis: an immutable value. Every combination is valid.

    Axes that are not given have the value of the preset `wari`.

    >>> from wari import Rules
    >>> Rules(grand_slam="forbidden", majority=False)
    wari.Rules.parse('cairo,stuck=pass')

    >>> rules = Rules.preset("ouri")
    >>> rules.grand_slam, rules.feeding, rules.single_seeds, rules.stuck
    ('capture', 'required', 'restricted', 'pass')
    >>> rules.ends_when_emptied, rules.remainder, rules.majority, rules.repetition
    (False, 'owner', True, 'owner')
    >>> rules.sowing, rules.seeds_per_pit
    ('counterclockwise', 4)

    Raises InvalidValueError (a ValueError) for an unknown axis or value.
    Source: the axes of docs/rules.md.
    """

    __slots__ = ("_core", "_values")
    _core: _core.Rules
    _values: dict[str, str | bool | int]

    def __init__(self, **axes: str | bool | int) -> None:
        core = _core.preset(PRESETS[0])
        for axis, value in axes.items():
            core = core.with_axis(axis, _text_of(axis, value))
        _set(self, core)

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The rules of a preset.

        >>> Rules.preset("abapa").grand_slam
        'no_capture'

        Raises InvalidValueError for an unknown name.
        """
        return _wrap(_core.preset(as_text(name, "rules")))

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Reads a preset's name and any number of `axis=value`, separated by commas or spaces.

        >>> Rules.parse("abapa,grand_slam=forbidden").grand_slam
        'forbidden'

        Raises InvalidValueError for an unknown preset, axis or value.
        """
        return _wrap(_core.parse_rules(as_text(text, "rules")))

    @classmethod
    def from_dict(cls, axes: Mapping[str, Any]) -> Rules:
        """The inverse of `to_dict`: every axis must be there.

        >>> Rules.from_dict(Rules.preset("ouri").to_dict()).name
        'ouri'

        Raises InvalidValueError for a missing or unknown axis and for an unknown value.
        """
        if not isinstance(axes, Mapping):
            raise InvalidValueError(f"rules: expected values by axis, not {shown(axes)}", "rules")
        for axis in axes:
            as_text(axis, "rules")
        for axis in AXES:
            if axis not in axes:
                raise InvalidValueError(f"rules: the axis {axis!r} is missing", "rules")
        return cls(**axes)

    def replace(self, **axes: str | bool | int) -> Rules:
        """These rules with some axes changed.

        >>> Rules.preset("cairo").replace(majority=True).majority
        True

        Raises InvalidValueError for an unknown axis or value.
        """
        core = self._core
        for axis, value in axes.items():
            core = core.with_axis(axis, _text_of(axis, value))
        return _wrap(core)

    def to_dict(self) -> dict[str, str | bool | int]:
        """Every axis and its value.

        >>> Rules.preset("awari").to_dict()["repetition"]
        'split'
        """
        return dict(self._values)

    @property
    def name(self) -> str | None:
        """The name of the preset equal to these rules, or None.

        >>> Rules().name, Rules(seeds_per_pit=3).name
        ('wari', None)
        """
        return self._core.name() or None

    @property
    def grand_slam(self) -> str:
        """What happens when a capture would take every seed of the opponent's row."""
        return str(self._values["grand_slam"])

    @property
    def feeding(self) -> str:
        """Whether an opponent with an empty row must be given seeds: required or optional."""
        return str(self._values["feeding"])

    @property
    def single_seeds(self) -> str:
        """Whether a pit with one seed may be played beside fuller ones: free or restricted."""
        return str(self._values["single_seeds"])

    @property
    def stuck(self) -> str:
        """What happens when the side to move has no legal move: end or pass."""
        return str(self._values["stuck"])

    @property
    def ends_when_emptied(self) -> bool:
        """Whether a move that leaves the mover's own row empty ends the game."""
        return bool(self._values["ends_when_emptied"])

    @property
    def remainder(self) -> str:
        """Who gets the seeds left at a stuck or emptied end: owner, starved or split."""
        return str(self._values["remainder"])

    @property
    def majority(self) -> bool:
        """Whether play stops once a store holds more than half of all seeds."""
        return bool(self._values["majority"])

    @property
    def repetition(self) -> str:
        """Who gets the seeds left when a position recurs: owner or split."""
        return str(self._values["repetition"])

    @property
    def sowing(self) -> str:
        """Which way the seeds are sown: counterclockwise or clockwise."""
        return str(self._values["sowing"])

    @property
    def seeds_per_pit(self) -> int:
        """The seeds in each pit at the start, 1 to 8."""
        return int(self._values["seeds_per_pit"])

    def __str__(self) -> str:
        """The shortest text that `parse` reads back."""
        return self._core.text()

    def __repr__(self) -> str:
        return f"wari.Rules.parse({self._core.text()!r})"

    def __eq__(self, other: object) -> bool:
        return self._core.equals(other._core) if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._core.text())

    def __reduce__(self) -> tuple[Any, ...]:
        return (Rules.parse, (self._core.text(),))

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: object) -> Rules:
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Rules are immutable; use replace({name}=...)")


def _set(rules: Rules, core: _core.Rules) -> None:
    values = {axis: _value_of(axis, text) for axis, text in zip(AXES, core.values(), strict=True)}
    object.__setattr__(rules, "_core", core)
    object.__setattr__(rules, "_values", values)


def _wrap(core: _core.Rules) -> Rules:
    """The Python value around a core one."""
    rules: Rules = object.__new__(Rules)
    _set(rules, core)
    return rules


def rules_of(rules: Rules | str) -> Rules:
    """Rules from what users may give wherever rules are taken: Rules, or their text."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.parse(rules)
    raise InvalidValueError(f"rules: expected Rules or text, not {shown(rules)}", "rules")
