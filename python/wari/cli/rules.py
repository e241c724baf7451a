"""`wari rules`: the presets and the axes in words."""

import textwrap
from typing import Any

import click

from wari import AXES, PRESET_ORIGINS, PRESETS, Rules
from wari.cli.board import Line, Span
from wari.cli.language import tr, trn
from wari.cli.options import axis_options, complete_rules, json_option
from wari.cli.screen import Screen, print_json

WIDTH = 80


@click.command("rules")
@click.argument("name", required=False, shell_complete=complete_rules)
@json_option
@axis_options
def command(name: str | None, changes: dict[str, Any], as_json: bool) -> None:
    """Explain every preset and axis, or the rules NAME (a preset, with changes if wanted)."""
    if name is None and not changes:
        if as_json:
            print_json(_all_as_json())
        else:
            Screen().lines(_overview())
        return
    rules = Rules.parse("wari" if name is None else name).replace(**changes)
    if as_json:
        print_json(_one_as_json(rules))
    else:
        Screen().lines(in_words(rules))


def in_words(rules: Rules, width: int = WIDTH) -> list[Line]:
    """One rule set: every axis, its value and what that means."""
    origin = ""
    if rules.name:
        origin = tr(", from {origin}", origin=tr(PRESET_ORIGINS[rules.name]))
    lines = [[Span(str(rules), "name"), Span(origin)], []]
    for axis, value in rules.to_dict().items():
        head = f"{axis:<19}{_text(value):<18}"
        lines += _wrapped(head, _meaning(axis, value), width=width)
    return lines


def _meaning(axis: str, value: str | bool | int) -> str:
    """A value of an axis in words."""
    if axis == "seeds_per_pit":
        return trn(
            "{number} seed in each pit at the start",
            "{number} seeds in each pit at the start",
            int(value),
        )
    return tr(AXES[axis].values[value])


def _overview() -> list[Line]:
    lines: list[Line] = [[Span("Presets", "head"), Span(" and where they differ from wari")], []]
    for name in PRESETS:
        lines += _wrapped(f"  {name:<10}", f"{PRESET_ORIGINS[name]}: {_difference(name)}", "name")
    lines += [[], [Span("Axes", "head"), Span(" and their values")]]
    for axis in AXES.values():
        lines += [[], *_wrapped(f"  {axis.name:<19}", axis.question, "name")]
        if axis.name == "seeds_per_pit":
            low, *_, high = axis.values
            lines += _wrapped(f"    {f'{low} to {high}':<17}", "4 is usual")
            continue
        for value, meaning in axis.values.items():
            lines += _wrapped(f"    {_text(value):<17}", meaning)
    return lines


def _difference(name: str) -> str:
    usual = Rules().to_dict()
    axes = Rules.preset(name).to_dict().items()
    changed = [f"{axis}={_text(value)}" for axis, value in axes if value != usual[axis]]
    return ", ".join(changed) if changed else "the default"


def _wrapped(head: str, text: str, style: str = "", width: int = WIDTH) -> list[Line]:
    """A head, and a text beside it that is wrapped within the width."""
    first, *rest = textwrap.wrap(text, width - len(head)) or [""]
    lines = [[Span(head, style), Span(first)]]
    return lines + [[Span(" " * len(head) + part)] for part in rest]


def _text(value: str | bool | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _one_as_json(rules: Rules) -> dict[str, Any]:
    return {
        "schema": "wari.rules",
        "version": 1,
        "rules": str(rules),
        "name": rules.name,
        "axes": rules.to_dict(),
        "words": {axis: AXES[axis].values[value] for axis, value in rules.to_dict().items()},
    }


def _all_as_json() -> dict[str, Any]:
    return {
        "schema": "wari.rules",
        "version": 1,
        "presets": {
            name: {"origin": PRESET_ORIGINS[name], "axes": Rules.preset(name).to_dict()}
            for name in PRESETS
        },
        "axes": {
            axis.name: {
                "question": axis.question,
                "values": {_text(value): words for value, words in axis.values.items()},
            }
            for axis in AXES.values()
        },
    }
