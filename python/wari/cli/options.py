"""Options that several commands share, and the checks of what is typed.

Every check answers in the form `field: expected ..., not 'value'`.
"""

import functools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from wari import PRESETS, Game, Position, Rules
from wari.limits import MAX_HASH_MB as MAX_HASH_MB
from wari.limits import MAX_NODES as MAX_NODES
from wari.limits import MAX_THREADS as MAX_THREADS
from wari.rules import AXES

Function = TypeVar("Function", bound=Callable[..., Any])

MAX_SECONDS = 10_000_000  # 115 days


def whole_number(low: int, high: int) -> Callable[[Any], int]:
    """An option type: a whole number between two bounds, in plain digits."""

    def convert(value: Any) -> int:
        text = str(value)
        if re.fullmatch(r"[+-]?[0-9]{1,30}", text) and low <= int(text) <= high:
            return int(text)
        raise click.BadParameter(
            f"expected a whole number from {low} to {high}, not {shorten(text)!r}"
        )

    return convert


_NUMBER = re.compile(
    r"[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})(e[+-]?[0-9]{1,3})?", re.IGNORECASE
)


def number_of(text: str) -> float:
    """The number that plain digits write; what is none is not a number."""
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def seconds(value: Any) -> float:
    """An option type: a positive, finite number of seconds."""
    text = str(value)
    number = number_of(text)
    if 0 < number <= MAX_SECONDS:
        return number
    wanted = f"a number of seconds above 0 and at most {MAX_SECONDS}"
    raise click.BadParameter(f"expected {wanted}, not {shorten(text)!r}")


class OneOf(click.types.StringParamType):
    """An option type: one of a few words, which shells complete."""

    name = "word"

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word itself."""
        if value in self._words:
            return str(value)
        known = ", ".join(self._words)
        raise click.BadParameter(
            f"expected one of {known}, not {shorten(str(value))!r}", ctx=ctx, param=param
        )

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The words that begin so."""
        return [CompletionItem(word) for word in self._words if word.startswith(incomplete)]


def complete_file(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What a shell offers where a file is named."""
    return [CompletionItem(incomplete, type="file")]


def complete_rules(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What a shell offers where rules are named: the presets."""
    return [CompletionItem(name) for name in PRESETS if name.startswith(incomplete)]


def shorten(text: str, most: int = 60) -> str:
    """A value fit for a message of one line."""
    return text if len(text) <= most else text[: most - 3] + "..."


def rules_options(function: Function) -> Function:
    """`--rules` and an option for every axis; the command receives `rules`, a Rules."""

    @functools.wraps(function)
    def with_rules(rules: str, changes: dict[str, Any], **values: Any) -> Any:
        return function(rules=Rules.parse(rules).replace(**changes), **values)

    option = click.option(
        "--rules",
        default="wari",
        metavar="NAME",
        shell_complete=complete_rules,
        help="A preset, with changes if wanted: abapa,grand_slam=forbidden. Default: wari.",
    )
    return option(axis_options(cast(Function, with_rules)))


def maybe_rules_options(function: Function) -> Function:
    """The same options without a default; the command receives `rules`, None when none is given."""

    @functools.wraps(function)
    def with_rules(rules: str | None, changes: dict[str, Any], **values: Any) -> Any:
        if rules is None and not changes:
            return function(rules=None, **values)
        base = Rules.parse("wari" if rules is None else rules)
        return function(rules=base.replace(**changes), **values)

    option = click.option(
        "--rules",
        metavar="NAME",
        shell_complete=complete_rules,
        help="A preset, with changes: abapa,grand_slam=forbidden.",
    )
    return option(axis_options(cast(Function, with_rules)))


def axis_options(function: Function) -> Function:
    """An option for every axis; the command receives `changes`, the axes that were given."""

    @functools.wraps(function)
    def with_changes(**values: Any) -> Any:
        given = {axis: values.pop(axis) for axis in AXES}
        changes = {axis: value for axis, value in given.items() if value is not None}
        return function(changes=changes, **values)

    wrapped: Any = with_changes
    for axis in reversed(AXES.values()):
        wrapped = _axis_option(axis.name, axis.question, list(axis.values))(wrapped)
    return wrapped  # type: ignore[no-any-return]


def _axis_option(axis: str, question: str, values: list[Any]) -> Callable[[Any], Any]:
    name = axis.replace("_", "-")
    text = f"Rule axis: {question}."
    if values == [False, True]:
        return click.option(f"--{name}/--no-{name}", axis, default=None, help=text)
    if all(isinstance(value, int) for value in values):
        return click.option(
            f"--{name}", axis, type=whole_number(values[0], values[-1]), metavar="N", help=text
        )
    shown = f"[{'|'.join(values)}]"
    return click.option(f"--{name}", axis, type=OneOf(values), metavar=shown, help=text)


def moves_option(function: Function) -> Function:
    """`--moves`: moves to play from the position first."""
    return click.option(
        "--moves", default="", metavar="FfEd", help="Moves to play from the position first."
    )(function)


def json_option(function: Function) -> Function:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def engine_options(function: Function) -> Function:
    """`--threads` and `--hash`."""
    function = click.option(
        "--hash",
        "hash_mb",
        type=whole_number(1, MAX_HASH_MB),
        default=64,
        metavar="MB",
        show_default=True,
        help="Memory of the transposition table.",
    )(function)
    return click.option(
        "--threads",
        type=whole_number(1, MAX_THREADS),
        default=1,
        metavar="N",
        show_default=True,
        help="Threads to search with.",
    )(function)


def set_up(rules: Rules, position: str | None, moves: str) -> Game:
    """The game from a position's text (None: the usual start) after some moves.

    Moves are letters, spaces optional; passes may be missing. Raises InvalidValueError naming the
    field, and IllegalMoveError with the number of the move that is refused.
    """
    start = Position(rules) if position is None else Position.parse(position, rules)
    game = Game(rules, start)
    game.push_all(moves)
    return game
