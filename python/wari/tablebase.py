"""Endgame tablebases: what a position is worth with best play, looked up."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, SupportsIndex, cast, final

from wari import _core
from wari._check import as_flag, as_function, as_text, as_whole, shown
from wari._files import checked_name
from wari._literals import TableKind, VerifyLevel
from wari.errors import InvalidValueError, MissingPackageError, MissingTableError, WrongRulesError
from wari.game import Game
from wari.position import Position
from wari.rules import Rules, _wrap, rules_of
from wari.table_values import BuildNeeds as BuildNeeds
from wari.table_values import BuildProgress as BuildProgress
from wari.table_values import EntryCount as EntryCount
from wari.table_values import TableMove as TableMove
from wari.table_values import TableProbe as TableProbe

MAX_TABLE_SEEDS: int = _core.MAX_TABLE_SEEDS
"""The largest table that can be asked for; memory ends sooner."""

Progress = Callable[[BuildProgress], object]

VERIFY_LEVELS: tuple[VerifyLevel, ...] = ("rebuilt", "full")
"""The levels, the weaker one first."""


@final
class Tablebase:
    """Tables of one rule set for boards of up to `seeds` seeds. Immutable; threads may share it.

    Rules with repetition="split" give a `value` table: exact net values, a cycle being worth 0.
    Rules with repetition="owner" give a `force` table: the seeds that each side can be sure of,
    whatever a cycle is worth, so that values are exact or bounds. Values count the seeds on the
    board only, as if `majority` did not exist.

    >>> import wari
    >>> table = wari.Tablebase.build(seeds=5, rules="awari")
    >>> probe = table.probe(wari.Position.parse("0-1-0-0-1-0-0-0-0-0-0-1-0-0-S", "awari"))
    >>> probe.value, [move.move for move in probe.moves]
    (3, ['B', 'E'])

    >>> table.seeds, table.kind, table.rules.name, table.layers
    (5, 'value', 'awari', (0, 1, 2, 3, 4, 5))
    >>> table.path, table.file_bytes
    (None, 0)

    Source: docs/tablebases.md.
    """

    __slots__ = ("_core", "_rules")
    _core: _core.Tablebase
    _rules: Rules

    def __init__(self) -> None:
        raise TypeError("use Tablebase.build() or Tablebase.open()")

    # --- making -----------------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        seeds: int = 12,
        rules: Rules | str = "awari",
        *,
        threads: int = 2,
        memory: int | None = None,
        verify: bool | VerifyLevel = True,
        progress: Progress | None = None,
        path: str | os.PathLike[str] | None = None,
        packing: str = "auto",
        kind: str | None = None,
        wait: bool = True,
        repair: bool = False,
    ) -> Tablebase:
        """Builds all layers up to `seeds`, in memory, or as a file where `path` is given.

        `memory` is the most bytes to use (None: what is free). `verify` says how the table is
        verified afterwards: "rebuilt" (True) or "full", as `verify()` explains, or not at all
        (False); a file that lacks nothing but that is verified.
        `progress` is called some times a second. A file keeps its finished layers when
        the build is stopped or killed, and a later build goes on from there. `packing` is "fast",
        "dense" or "auto" (dense for small layers). `kind` may name the kind of table expected.
        With `wait`, a second process waits for the first that builds the same file.

        Links are followed. All blocks of a file that is there are read and their checksums
        compared: a damaged one is refused and stays as it is; with `repair` it is built again from
        the damage on. What is no table, or of a later version of the format, is never replaced.

        >>> import wari
        >>> wari.Tablebase.build(seeds=4, rules="abapa").kind
        'force'

        Raises InvalidValueError naming the argument, NotEnoughMemoryError with the number,
        BusyError, WrongRulesError and TableFileError for a file at `path` that does not fit or is
        damaged, StorageError, KeyboardInterrupt on Ctrl-C.
        """
        return _table(
            _core.Tablebase.build(
                rules_of(rules)._core,
                seeds=_whole("seeds", seeds),
                threads=_whole("threads", threads),
                memory=0 if memory is None else _bytes("memory", memory),
                verify=_build_level(verify),
                path="" if path is None else checked_name(path),
                packing=as_text(packing, "packing"),
                kind=None if kind is None else as_text(kind, "kind"),
                wait=as_flag(wait, "wait"),
                repair=as_flag(repair, "repair"),
                progress=_told(progress),
            )
        )

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        rules: Rules | str | None = None,
        cache_mb: int = 256,
    ) -> Tablebase:
        """Opens a table file; its blocks are read and checked when they are first needed.

        `rules`, if given, are the rules it must be for. `cache_mb` bounds the memory for blocks.

        >>> import tempfile, wari
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = wari.Tablebase.build(seeds=4, path=f"{folder}/small.wtb")
        ...     wari.Tablebase.open(f"{folder}/small.wtb").seeds
        4

        Raises InvalidValueError naming the argument, StorageError, TableFileError naming file and
        place, WrongRulesError.
        """
        where = checked_name(path)
        table = _table(_core.Tablebase.open(where, _whole("cache_mb", cache_mb) << 20))
        if rules is not None:
            table._check_rules(rules_of(rules), where)
        return table

    @staticmethod
    def needs(
        seeds: int,
        rules: Rules | str = "awari",
        *,
        threads: int = 2,
        verify: bool = True,
        file: bool = True,
        packing: str = "auto",
    ) -> BuildNeeds:
        """What building a table would need, from above.

        `threads`, `verify` and `packing` are those of `build`, `file` says whether it is given a
        `path`. The memory is what the build adds to the process, at the peak of building, packing
        and verifying; `build(memory=...)` refuses before it begins when that is too small.

        >>> import wari
        >>> wari.Tablebase.needs(24).boards
        1251677700

        Raises InvalidValueError naming the argument.
        """
        return BuildNeeds(
            *_core.build_needs(
                rules_of(rules)._core,
                _whole("seeds", seeds),
                threads=_whole("threads", threads),
                verify=as_flag(verify, "verify"),
                file=as_flag(file, "file"),
                packing=as_text(packing, "packing"),
            )
        )

    @staticmethod
    def kind_of(rules: Rules | str) -> TableKind:
        """The kind of table the rules need: "value" or "force".

        >>> import wari
        >>> wari.Tablebase.kind_of("awari"), wari.Tablebase.kind_of("abapa")
        ('value', 'force')

        Raises InvalidValueError for unknown rules.
        """
        return cast(TableKind, _core.table_kind(rules_of(rules)._core))

    # --- what it is -------------------------------------------------------------------------------

    @property
    def seeds(self) -> int:
        """The most seeds on a board that it knows."""
        return self._core.seeds

    @property
    def kind(self) -> TableKind:
        """ "value" or "force", as the rules need."""
        return cast(TableKind, self._core.kind)

    @property
    def rules(self) -> Rules:
        """Rules it is for, a preset's where one fits. Majority and sowing do not count."""
        return self._rules

    @property
    def layers(self) -> tuple[int, ...]:
        """The numbers of seeds it knows."""
        return tuple(range(self.seeds + 1))

    @property
    def path(self) -> str | None:
        """The file it reads from, or None when it is in memory."""
        return self._core.path or None

    @property
    def file_bytes(self) -> int:
        """The size of its file in bytes, 0 when it is in memory."""
        return self._core.file_bytes

    @property
    def verified(self) -> VerifyLevel | None:
        """How the build that made it verified every layer, or None; a file remembers it.

        >>> import wari
        >>> wari.Tablebase.build(seeds=3).verified
        'rebuilt'
        >>> wari.Tablebase.build(seeds=3, verify="full").verified
        'full'
        >>> wari.Tablebase.build(seeds=3, verify=False).verified is None
        True
        """
        level = self._core.verified
        return None if level == "none" else cast(VerifyLevel, level)

    def fits(self, rules: Rules | str) -> bool:
        """Whether it answers for positions under these rules.

        >>> import wari
        >>> wari.Tablebase.build(seeds=3, rules="abapa").fits("abapa,majority=false")
        True

        Raises InvalidValueError for unknown rules.
        """
        return _core.same_tables(self._rules._core, rules_of(rules)._core)

    # --- asking -----------------------------------------------------------------------------------

    def probe(self, position: Position | Game | str) -> TableProbe:
        """What is known of the position; a `Game` shows whether there is history to be ignored.

        A text is read under the table's rules.

        >>> import wari
        >>> table = wari.Tablebase.build(seeds=4, rules="awari")
        >>> table.probe("1-0-0-0-0-1-1-0-0-0-0-0-0-0-S").value
        -3

        Raises MissingTableError when it holds more seeds than the table, WrongRulesError,
        InvalidValueError for what is no position, TableFileError when its block of the file is
        damaged.
        """
        quiet = 0
        if isinstance(position, Game):
            quiet = position.quiet_plies
            position = position.position
        elif isinstance(position, str):
            position = Position.parse(position, self._rules)
        elif not isinstance(position, Position):
            raise InvalidValueError(
                f"position: expected a Position, a Game or text, not {shown(position)}", "position"
            )
        self._check_rules(position.rules, "tablebase")
        lower, upper, mover, other, distance, over, reason, moves = self._core.probe(
            position._core, quiet
        )
        best = tuple(TableMove(*move) for move in moves)
        return TableProbe(lower, upper, reason, mover, other, distance, over, best)

    def get(self, position: Position | Game | str) -> TableProbe | None:
        """As `probe`, but None when the position holds more seeds than the table.

        >>> import wari
        >>> wari.Tablebase.build(seeds=4, rules="awari").get(wari.Position(rules="awari")) is None
        True

        Raises as `probe` does, but MissingTableError never.
        """
        try:
            return self.probe(position)
        except MissingTableError:
            return None

    def probe_many(self, boards: Any, *, threads: int = 1) -> tuple[Any, Any]:
        """The lower and upper bounds of many boards at once, as NumPy arrays of int8, shape (N,).

        `boards` has the shape (N, 12) and holds counts: the row of the side to move in sowing
        order, then the other row. Bounds are net future seeds of the side to move; where the table
        knows nothing, lower is above upper. The GIL is released, and the work is spread over
        `threads`.

        >>> import numpy, wari
        >>> table = wari.Tablebase.build(seeds=4, rules="awari")
        >>> boards = numpy.zeros((1, 12), dtype=numpy.uint8)
        >>> boards[0, [1, 4, 11]] = 1
        >>> table.probe_many(boards)[0].tolist()
        [3]

        Raises InvalidValueError naming the argument, MissingPackageError without NumPy
        (`pip install 'wari[numpy]'` brings it), MissingTableError never. Where a block of the file
        is damaged, the table knows nothing.
        """
        try:
            import numpy as np
        except ImportError as error:
            raise MissingPackageError(
                "probe_many: NumPy is needed; pip install 'wari[numpy]' installs it", name="numpy"
            ) from error

        try:
            given = np.asarray(boards)
        except ValueError:
            raise InvalidValueError("boards: expected rows of one length", "boards") from None
        if given.ndim != 2 or given.shape[1] != 12:
            raise InvalidValueError(
                f"boards: expected shape (N, 12), not {shown(given.shape)}", "boards"
            )
        if given.dtype != np.uint8:
            if given.dtype.kind not in "iu" or (
                given.size and (given.min() < 0 or given.max() > 255)
            ):
                raise InvalidValueError(
                    "boards: expected counts that fit into a byte each", "boards"
                )
            given = given.astype(np.uint8)
        given = np.ascontiguousarray(given)
        lower = np.empty(len(given), dtype=np.int8)
        upper = np.empty(len(given), dtype=np.int8)
        self._core.probe_many(given, lower, upper, _whole("threads", threads))
        return lower, upper

    # --- the whole --------------------------------------------------------------------------------

    def verify(
        self,
        level: VerifyLevel = "rebuilt",
        *,
        threads: int = 2,
        memory: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Verifies the table, or raises.

        "rebuilt" takes about as long as building: every layer is solved again from nothing, by the
        builder's method, and all entries are compared. Besides, entries are compared with those of
        their successors by the general rules of the game: those of every board of up to 10 seeds,
        and of every 509th above. "full" does so with every entry and takes three to four times as
        long.
        `memory` is the most bytes to use (None: what is free).
        What each level proves: docs/tablebases.md.

        >>> import wari
        >>> wari.Tablebase.build(seeds=4, rules="awari", verify=False).verify()

        Raises TableFileError naming the first wrong board or damaged block, InvalidValueError
        naming the argument, NotEnoughMemoryError, KeyboardInterrupt on Ctrl-C.
        """
        self._core.verify(
            level=_level("level", level),
            threads=_whole("threads", threads),
            memory=0 if memory is None else _bytes("memory", memory),
            progress=_told(progress),
        )

    def stats(
        self, layers: Iterable[int] | None = None, *, threads: int = 1
    ) -> dict[int, tuple[EntryCount, ...]]:
        """How many boards of each layer have each entry, sorted by entry.

        >>> import wari
        >>> table = wari.Tablebase.build(seeds=1, rules="awari")
        >>> [tuple(entry) for entry in table.stats()[1]]
        [(-1, 0, 7), (1, 0, 5)]

        Raises MissingTableError for a layer it does not have, InvalidValueError for what is no
        layer, TableFileError.
        """
        if layers is not None and not isinstance(layers, Iterable):
            raise InvalidValueError(f"layers: expected numbers, not {shown(layers)}", "layers")
        wanted: Sequence[int] = self.layers if layers is None else list(layers)
        count = _whole("threads", threads)
        return {
            layer: tuple(
                EntryCount(*entry)
                for entry in self._core.distribution(_whole("layers", layer), count)
            )
            for layer in wanted
        }

    def save(
        self, path: str | os.PathLike[str], *, packing: str = "auto", threads: int = 2
    ) -> None:
        """Writes the table as a file, at once or not at all; links are followed.

        >>> import tempfile, wari
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     wari.Tablebase.build(seeds=4, rules="awari").save(f"{folder}/small.wtb")

        Raises InvalidValueError naming the argument, StorageError, BusyError while a build or
        another save of the same file is at work.
        """
        self._core.save(checked_name(path), as_text(packing, "packing"), _whole("threads", threads))

    def __repr__(self) -> str:
        where = f", path={self.path!r}" if self.path else ""
        return f"<wari.Tablebase {self.kind} {self._rules} seeds={self.seeds}{where}>"

    def _check_rules(self, rules: Rules, what: str) -> None:
        if not self.fits(rules):
            raise WrongRulesError(
                f"{what}: it was built for the rules {self._rules}, not for {rules}"
            )


def _table(core: _core.Tablebase) -> Tablebase:
    table = object.__new__(Tablebase)
    table._core = core
    table._rules = _wrap(core.rules)
    return table


def _whole(name: str, value: object) -> int:
    whole = as_whole(value)
    if whole is None or whole < 0:
        raise InvalidValueError(f"{name}: expected a whole number, not {shown(value)}", name)
    return whole


def _bytes(name: str, value: object) -> int:
    whole = value.__index__() if isinstance(value, SupportsIndex) else 0
    if isinstance(value, bool) or not 0 < whole < 2**63:
        raise InvalidValueError(f"{name}: expected a number of bytes, not {shown(value)}", name)
    return whole


def _told(
    progress: Progress | None,
) -> Callable[[tuple[int, int, int, int, float, float, float, bool]], object] | None:
    call = as_function(progress, "progress")
    if call is None:
        return None
    return lambda at: call(BuildProgress(*at))


def _level(name: str, level: object) -> str:
    if not isinstance(level, str) or level not in VERIFY_LEVELS:
        words = " or ".join(map(repr, VERIFY_LEVELS))
        raise InvalidValueError(f"{name}: expected {words}, not {shown(level)}", name)
    return level


def _build_level(verify: bool | str) -> str:
    if isinstance(verify, str):
        return _level("verify", verify)
    return VERIFY_LEVELS[0] if as_flag(verify, "verify") else "none"
