"""`wari tb build`: tables of a rule set, into the cache or another file."""

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from wari import (
    MAX_TABLE_SEEDS,
    BuildNeeds,
    BuildProgress,
    BusyError,
    InvalidValueError,
    Rules,
    Tablebase,
    TableFileError,
    cache,
)
from wari._escape import escape_control
from wari._files import BUILDING, expanded, held, remove
from wari._literals import VerifyLevel
from wari.cli import NO, OK, complain, os_words
from wari.cli.options import json_option, rules_options, whole_number
from wari.cli.screen import Screen, print_json
from wari.cli.tables import opened
from wari.cli.tb.common import (
    Report,
    level_option,
    memory_option,
    progress,
    size_words,
    threads_option,
    time_words,
)

DEFAULT_SEEDS = 12
LONG = 10_000_000  # boards: from here on a build is announced
# Million boards a second on one thread of a processor of 2023, packing and writing included, and
# what each further thread adds to it. They serve the estimate only.
SPEED = {"value": 12.0, "force": 8.0}
FURTHER_THREAD = 0.6


@dataclass(frozen=True)
class Made:
    """What a build has come to."""

    table: Tablebase
    new: bool  # False: the file held all layers already
    build_seconds: float
    verify_seconds: float | None


@click.command("build")
@click.option(
    "--seeds",
    type=whole_number(0, MAX_TABLE_SEEDS),
    default=DEFAULT_SEEDS,
    metavar="N",
    show_default=True,
    help="The largest boards: layers 0 to N are built.",
)
@threads_option
@memory_option
@click.option("--fast", is_flag=True, help="Pack all layers quickly: larger files.")
@click.option("--dense", is_flag=True, help="Pack all layers densely: slow for large ones.")
@level_option("--verify")
@click.option("--no-verify", is_flag=True, help="Do not verify the table.")
@click.option("--repair", is_flag=True, help="Build what is damaged in the file again.")
@click.option("--no-wait", is_flag=True, help="Do not wait for a process that builds it now.")
@click.option("--to", metavar="PATH", help="The file to write. Default: the one in the cache.")
@json_option
@rules_options
def command(
    rules: Rules,
    seeds: int,
    threads: int,
    memory: int | None,
    fast: bool,
    dense: bool,
    level: VerifyLevel,
    no_verify: bool,
    repair: bool,
    no_wait: bool,
    to: str | None,
    as_json: bool,
) -> int:
    """Build the tables of boards of up to N seeds, layer by layer, and verify them.

    To verify is to solve every layer again and compare all entries; besides, entries are compared
    with those of their successors by the general rules of the game: of every board of up to 10
    seeds and of every 509th above, with --verify full of every board. A file that lacks nothing
    but that is verified.

    Layers that the file holds already are kept, when the checksums of all their blocks are right;
    a damaged file is an error, or with --repair is built again from the damage on. After Ctrl-C, or
    when the process is killed, the same command goes on from the last finished layer. Rules that
    differ only in majority, sowing or seeds_per_pit share their tables.
    """
    if fast and dense:
        raise click.UsageError("packing: expected at most one of --fast and --dense")
    packing = "fast" if fast else "dense" if dense else "auto"
    needs = Tablebase.needs(seeds, rules, threads=threads, verify=not no_verify, packing=packing)
    path = _target(to, rules, repair=repair)
    if not as_json:
        _announce(rules, seeds, needs, threads)
    options: dict[str, Any] = {
        "threads": threads,
        "memory": memory,
        "packing": packing,
        "path": path,
        "verify": False if no_verify else level,
    }
    made = _build(rules, seeds, options, repair=repair, wait=not no_wait)
    if made is None:
        return NO
    if as_json:
        print_json(_as_json(made, rules, needs))
    else:
        Screen().say(_in_words(made))
    return OK


def _target(to: str | None, rules: Rules, *, repair: bool) -> Path:
    """The file to write; the cache folder is made when it is not there."""
    if to is not None:
        path = expanded(to)
        if not path.parent.is_dir():
            raise InvalidValueError(f"to: {to!r}: there is no folder {str(path.parent)!r}", "to")
        if path.is_dir():
            raise InvalidValueError(f"to: {to!r} is a folder", "to")
        if path.exists():
            try:
                opened(to, rules, "to")  # only a table of the same rules may be extended
            except TableFileError:
                if not repair:
                    raise
        return path
    path = cache.path_for(rules)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidValueError(f"cache: {path.parent}: {os_words(error)}", "cache") from None
    return path


def _announce(rules: Rules, seeds: int, needs: BuildNeeds, threads: int) -> None:
    """What a long build will take, before it begins."""
    if needs.boards < LONG:
        return
    kind = Tablebase.kind_of(rules)
    speed = SPEED[kind] * 1e6 * (1 + FURTHER_THREAD * (threads - 1))
    Screen().say(
        f"{cache.table_rules_text(rules)}, {kind} table, layers 0 to {seeds}: "
        f"{needs.boards / 1e6:.0f} million boards. Needs {size_words(needs.memory)} of memory, at "
        f"most {size_words(needs.disk)} of disk, and takes about {time_words(needs.boards / speed)}"
        " (to verify it, as long again)."
    )


class _Watch:
    """Hears of the progress: keeps the time when verifying began, and draws the bars."""

    def __init__(self, build: Report | None, verifying: Report | None) -> None:
        self.began = time.perf_counter()
        self.verify_began: float | None = None
        self._bars = (build, verifying)

    def __call__(self, at: BuildProgress) -> None:
        if at.verifying and self.verify_began is None:
            self.verify_began = time.perf_counter()
        report = self._bars[at.verifying]
        if report is not None:
            report(at)

    def times(self) -> tuple[float, float | None]:
        """Seconds of the build, and of verifying if that was done."""
        now = time.perf_counter()
        if self.verify_began is None:
            return now - self.began, None
        return self.verify_began - self.began, now - self.verify_began


def _build(
    rules: Rules, seeds: int, options: dict[str, Any], *, repair: bool, wait: bool
) -> Made | None:
    """Builds and verifies, and says what is left when that is not finished.

    None: the table is wrong, which was reported, and it was removed.
    """
    path = options["path"]
    with progress("building", "verifying") as (build, verifying):
        watch = _Watch(build, verifying)
        options = {**options, "progress": watch}
        try:
            layers = _layers(path, rules)
            try:
                table = _made(seeds, rules, options, wait=wait)
            except TableFileError as error:
                if watch.verify_began is not None or not cache.is_ours(path):
                    raise
                if not repair:
                    raise TableFileError(f"{error}; with --repair it is built again") from error
                complain(f"{error}; it is built again from there", label="")
                layers = 0
                table = _made(seeds, rules, {**options, "repair": True}, wait=wait)
        except KeyboardInterrupt:
            _say_what_is_kept(path, seeds)
            raise
        except TableFileError as error:
            if watch.verify_began is None:
                raise
            complain(f"{error}; {_removed(path)}")
            return None
    return Made(table, layers <= seeds, *watch.times())


def _layers(path: Path, rules: Rules) -> int:
    """How many layers the file holds before the build; 0 where they cannot be read."""
    try:
        return opened(str(path), rules, "path").seeds + 1 if path.exists() else 0
    except TableFileError:
        return 0


def _made(seeds: int, rules: Rules, options: dict[str, Any], *, wait: bool) -> Tablebase:
    """The table, when a process that builds it now has done so; that is said."""
    try:
        return Tablebase.build(seeds, rules, wait=False, **options)
    except BusyError as error:
        if not wait:
            raise
        complain(f"{error}; waiting for it (Ctrl-C to stop)", label="")
        return Tablebase.build(seeds, rules, wait=True, **options)


def _removed(path: Path) -> str:
    """Removes a table that is wrong, unless another process builds it anew; what was done."""
    with suppress(OSError), held(path, BUILDING) as ours:
        if ours:
            remove(path, through_links=True)
            return "the file has been removed"
    return "the file is still there"


def _say_what_is_kept(path: Path, seeds: int) -> None:
    """After Ctrl-C: where a later build goes on."""
    with suppress(OSError):
        table = Tablebase.open(path)
        if table.seeds >= seeds and table.verified is None:
            complain(f"{path} is built but not verified; the same command verifies it", label="")
            return
        complain(
            f"{path} holds the layers up to {table.seeds} seeds; the same command goes on from "
            "there",
            label="",
        )


def _in_words(made: Made) -> str:
    table = made.table
    boards = Tablebase.needs(table.seeds, table.rules).boards
    head = f"{cache.table_rules_text(table.rules)}, {table.kind} table, layers 0 to {table.seeds}"
    place = (
        f"{escape_control(str(table.path))} ({size_words(table.file_bytes)}, "
        f"{_bits(table, boards):.2f} bits a board)"
    )
    verified = "not verified" if table.verified is None else f"verified ({table.verified})"
    if made.verify_seconds is not None:
        verified += f" in {time_words(made.verify_seconds)}"
    if not made.new:
        return f"{head}: nothing to build, it is there, {verified}: {place}"
    return (
        f"{head}: {boards} boards, built and written in {time_words(made.build_seconds)}, "
        f"{verified}\n{place}"
    )


def _bits(table: Tablebase, boards: int) -> float:
    return 8 * table.file_bytes / boards


def _as_json(made: Made, rules: Rules, needs: BuildNeeds) -> dict[str, Any]:
    table = made.table
    boards = Tablebase.needs(table.seeds, table.rules).boards
    return {
        "schema": "wari.tb.build",
        "version": 1,
        "rules": str(rules),
        "table_rules": cache.table_rules_text(rules),
        "kind": table.kind,
        "seeds": table.seeds,
        "boards": boards,
        "path": table.path,
        "file_bytes": table.file_bytes,
        "new": made.new,
        "verified": table.verified is not None,
        "verify_level": table.verified,
        "build_seconds": round(made.build_seconds, 6),
        "verify_seconds": None if made.verify_seconds is None else round(made.verify_seconds, 6),
        "needs": {"memory": needs.memory, "disk": needs.disk},
    }
