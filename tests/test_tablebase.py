"""Tables from Python: published numbers, the plain solver, questions and refusals.

The algorithms are compared entry by entry in tests/cpp.
"""

import csv
import os
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

import numpy as np
import published
import pytest
import recomputed
import wari
from published import Board

KNOWN = [*published.BOARDS, *recomputed.BOARDS]

DATA = Path(__file__).parent / "data" / "awari_values_by_seeds.csv"
SEEDS = 14
VALUED = [board for board in KNOWN if board.value is not None and sum(board.pits) <= SEEDS]


@pytest.fixture(scope="module")
def awari() -> wari.Tablebase:
    return wari.Tablebase.build(seeds=SEEDS, rules="awari", verify=False)


@pytest.fixture(scope="module")
def abapa() -> wari.Tablebase:
    return wari.Tablebase.build(seeds=6, rules="abapa", verify=False)


def published_layers() -> dict[int, dict[int, int]]:
    layers: dict[int, dict[int, int]] = defaultdict(dict)
    with DATA.open(newline="") as file:
        for row in csv.DictReader(file):
            layers[int(row["seeds"])][int(row["value"])] = int(row["positions"])
    return layers


def assert_published(table: wari.Tablebase) -> None:
    published = published_layers()
    for seeds, entries in table.stats(threads=2).items():
        assert {entry.mover: entry.boards for entry in entries} == published[seeds], seeds


def position(pits: tuple[int, ...], rules: str | wari.Rules = "awari") -> wari.Position:
    return wari.Position.from_counts(pits, rules=rules)


def assert_board(table: wari.Tablebase, board: Board) -> None:
    here = position(board.pits)
    probe = table.probe(here)
    assert probe.value == board.value
    assert probe.reason == "exact"
    for move, value in board.moves.items():
        after = here.play(move)
        there = table.probe(after)
        gained = after.stores[0] - after.stores[1]
        assert there.value is not None
        assert gained - there.value == value
    best = {move for move, value in board.moves.items() if value == board.value}
    if board.moves:
        assert {move.move for move in probe.moves} == best


# --- published numbers ----------------------------------------------------------------------------


def test_the_published_distribution_cell_by_cell(awari: wari.Tablebase) -> None:
    assert_published(awari)


@pytest.mark.parametrize("board", VALUED, ids=lambda board: "-".join(map(str, board.pits)))
def test_published_positions_with_every_moves_value(awari: wari.Tablebase, board: Board) -> None:
    assert_board(awari, board)


@pytest.mark.slow
def test_everything_published_to_twenty_seeds() -> None:
    table = wari.Tablebase.build(seeds=20, rules="awari", verify=False)
    assert_published(table)
    for board in KNOWN:
        if board.value is not None:
            assert_board(table, board)


def test_dense_files_are_small(awari: wari.Tablebase, tmp_path: Path) -> None:
    bits = {}
    for packing in ("dense", "fast"):
        path = tmp_path / packing
        awari.save(path, packing=packing)
        bits[packing] = path.stat().st_size * 8 / wari.Tablebase.needs(SEEDS).boards
    assert bits["dense"] < 2.75
    assert bits["dense"] < bits["fast"] < 3


# --- asking ---------------------------------------------------------------------------------------


def test_both_seats_and_both_directions_ask_the_same_board(abapa: wari.Tablebase) -> None:
    south = wari.Position.parse("1-0-2-0-0-0-0-1-0-0-0-1-3-4-S", "abapa")
    north = wari.Position.parse("0-1-0-0-0-1-1-0-2-0-0-0-4-3-N", "abapa")
    clockwise = "abapa,sowing=clockwise"
    mirrored = wari.Position.parse("0-0-0-2-0-1-1-0-0-0-1-0-3-4-S", clockwise)
    found = abapa.probe(south)
    turned, other_way = abapa.probe(north), abapa.probe(mirrored)
    assert (found.lower, found.upper) == (turned.lower, turned.upper)
    assert (found.lower, found.upper) == (other_way.lower, other_way.upper)
    assert [m.move.upper() for m in turned.moves] == [m.move for m in found.moves]
    assert [chr(ord("A") + ord("F") - ord(m.move)) for m in other_way.moves] == [
        m.move for m in found.moves
    ]


def test_history_is_owned_up_to(awari: wari.Tablebase) -> None:
    game = wari.Game("awari", start="0-0-0-0-0-1-0-0-0-0-0-1-23-23-S")
    assert awari.probe(game).reason == "exact"
    game.push("F")
    assert awari.probe(game).reason == "history_ignored"


def test_bounds_say_that_they_are_bounds(abapa: wari.Tablebase) -> None:
    probe = abapa.probe("0-0-0-0-0-1-0-0-0-0-0-1-23-23-S")
    assert (probe.lower, probe.upper, probe.reason) == (-2, 2, "bounds")
    assert probe.value is None


def test_a_finished_board_is_settled() -> None:
    table = wari.Tablebase.build(seeds=3, rules="cairo,remainder=split", verify=False)
    probe = table.probe("1-2-0-0-0-0-0-0-0-0-0-0-20-21-N")
    assert (probe.over, probe.value, probe.moves) == (True, 0, ())


def test_probe_raises_and_get_returns_none(abapa: wari.Tablebase) -> None:
    big = wari.Position(rules="abapa")
    with pytest.raises(wari.MissingTableError, match="48 seeds on it, the table ends at 6"):
        abapa.probe(big)
    assert abapa.get(big) is None
    with pytest.raises(wari.WrongRulesError, match="abapa"):
        abapa.get(wari.Position(rules="awari"))
    with pytest.raises(wari.InvalidValueError) as caught:
        abapa.probe(3)  # type: ignore[arg-type]
    assert caught.value.field == "position"


def test_many_boards_at_once(awari: wari.Tablebase) -> None:
    boards = np.random.default_rng(1).multinomial(13, [1 / 12] * 12, size=5000)
    boards[-1, 0] += 10  # more than the table knows
    expected = [awari.probe(position(tuple(map(int, board)))).value for board in boards[:200]]
    for threads in (1, 2):
        lower, upper = awari.probe_many(boards, threads=threads)
        assert lower[:200].tolist() == upper[:200].tolist() == expected
        assert lower[-1] > upper[-1]
    assert awari.probe_many(boards[::-1].astype(np.uint8))[0].tolist() == lower[::-1].tolist()
    assert awari.probe_many(np.empty((0, 12), dtype=np.uint8))[0].shape == (0,)
    for bad in (boards[0], boards.astype(float), -boards, boards * 100, [[1], [2, 3]], None):
        with pytest.raises(wari.InvalidValueError) as caught:
            awari.probe_many(bad)
        assert caught.value.field == "boards"


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None  # as if it were not installed
import wari
table = wari.Tablebase.build(seeds=2)
try:
    table.probe_many([[0] * 12])
except ImportError as error:
    assert isinstance(error, wari.WariError)
    print(type(error).__name__, error.name, error)
print(table.probe("1-0-0-0-0-0-0-0-0-0-0-0-0-0-S").value)
"""


@pytest.mark.process
def test_without_numpy_the_error_says_how_to_get_it() -> None:
    command = [sys.executable, "-c", WITHOUT_NUMPY]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    about, value = found.splitlines()
    assert about == (
        "MissingPackageError numpy probe_many: NumPy is needed; "
        "pip install 'wari[numpy]' installs it"
    )
    assert value == "1"


def test_threads_share_a_table(awari: wari.Tablebase, tmp_path: Path) -> None:
    path = tmp_path / "shared.wtb"
    awari.save(path)
    table = wari.Tablebase.open(path, rules="awari")
    boards = np.random.default_rng(2).multinomial(14, [1 / 12] * 12, size=20000).astype(np.uint8)
    right = awari.probe_many(boards)[0]
    wrong: list[int] = []

    def ask() -> None:
        wrong.append(int((table.probe_many(boards, threads=2)[0] != right).sum()))

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert wrong == [0] * 4


# --- making ---------------------------------------------------------------------------------------


def test_progress_reaches_the_end() -> None:
    heard: list[wari.BuildProgress] = []
    wari.Tablebase.build(seeds=8, rules="awari", progress=heard.append)
    for verifying in (False, True):
        part = [at for at in heard if at.verifying == verifying]
        last = part[-1]
        assert (last.layer, last.seeds, last.boards, last.total) == (8, 8, 125970, 125970)
        assert [at.boards for at in part] == sorted(at.boards for at in part)
    assert [at.verifying for at in heard] == sorted(at.verifying for at in heard)


def test_an_exception_in_the_progress_function_ends_the_build(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    def stop(at: wari.BuildProgress) -> None:
        raise EnoughError

    with pytest.raises(EnoughError):
        wari.Tablebase.build(seeds=9, progress=stop, path=tmp_path / "a.wtb")
    assert {entry.suffix for entry in tmp_path.iterdir()} <= {".wtb"}


def test_a_file_grows_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "grows.wtb"
    small = wari.Tablebase.build(seeds=5, path=path)
    assert (small.path, small.seeds, small.layers) == (str(path), 5, (0, 1, 2, 3, 4, 5))
    large = wari.Tablebase.build(seeds=8, path=path)
    assert large.seeds == 8
    assert large.file_bytes == path.stat().st_size
    large.verify()
    assert small.probe("0-0-0-0-0-1-0-0-0-0-0-1-23-23-S").value == 0  # the old file is still mapped
    with pytest.raises(wari.WrongRulesError, match=r"grows\.wtb"):
        wari.Tablebase.build(seeds=8, rules="abapa", path=path)
    with pytest.raises(wari.WrongRulesError, match=r"grows\.wtb"):
        wari.Tablebase.open(path, rules="abapa")


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.wtb"
    wari.Tablebase.build(seeds=6, path=path)
    good = path.read_bytes()
    path.write_bytes(good[:-40])
    with pytest.raises(wari.TableFileError, match=r"broken\.wtb"):
        wari.Tablebase.open(path)
    at = len(good) - 100  # in the data of the last layer
    path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
    with pytest.raises(wari.TableFileError, match=r"broken\.wtb: block \d+ of plane 0, layer 6"):
        wari.Tablebase.open(path).verify()


def test_needs_are_computed_and_refused() -> None:
    needs = wari.Tablebase.needs(24, "awari", verify=False, file=False)
    assert needs.boards == 1251677700
    assert needs.memory < 3 * 2**30
    assert needs.disk < needs.boards * 3.5 / 8
    with pytest.raises(wari.NotEnoughMemoryError, match=r"memory: \d+ MiB are needed, 10 MiB are"):
        wari.Tablebase.build(seeds=20, memory=10 * 2**20)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("seeds", {"seeds": 33}),
        ("seeds", {"seeds": "4"}),
        ("threads", {"threads": 0}),
        ("memory", {"memory": 0}),
        ("packing", {"packing": "loose"}),
        ("kind", {"kind": "distance"}),
        ("kind", {"kind": "force"}),
        ("rules", {"rules": "kalah"}),
        ("progress", {"progress": 3}),
        ("path", {"path": 3}),
        ("path", {"path": ""}),
        ("path", {"path": "a\0b"}),
    ],
)
def test_bad_options_are_named(field: str, options: dict[str, object]) -> None:
    with pytest.raises(wari.InvalidValueError) as caught:
        wari.Tablebase.build(**{"seeds": 2, **options})  # type: ignore[arg-type]
    assert caught.value.field == field


def test_the_kind_follows_from_the_rules() -> None:
    for name in wari.PRESETS:
        kind = "value" if wari.Rules.preset(name).repetition == "split" else "force"
        assert wari.Tablebase.kind_of(name) == kind
        assert wari.Tablebase.build(seeds=1, rules=name, kind=kind).kind == kind


def test_a_table_describes_itself(abapa: wari.Tablebase) -> None:
    assert repr(abapa) == "<wari.Tablebase force abapa seeds=6>"
    assert abapa.fits("abapa,seeds_per_pit=2")
    assert not abapa.fits("cairo")
    with pytest.raises(TypeError):
        wari.Tablebase()
    entries = abapa.stats([1])[1]
    assert sum(entry.boards for entry in entries) == 12
    with pytest.raises(wari.MissingTableError, match="layer"):
        abapa.stats([7])
    with pytest.raises(wari.InvalidValueError, match="layers: expected numbers, not 3"):
        abapa.stats(3)  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name are of POSIX systems")
def test_only_files_are_read_or_replaced(abapa: wari.Tablebase, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(wari.StorageError, match="not a file"):
            wari.Tablebase.open(path)
        with pytest.raises(wari.StorageError, match="not a file"):
            abapa.save(path)
        with pytest.raises(wari.StorageError, match="not a file"):
            wari.Tablebase.build(seeds=2, path=path)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_table_keeps_the_mode_of_the_file_whose_place_it_takes(tmp_path: Path) -> None:
    """A new one has that of new files."""
    plain, path = tmp_path / "plain", tmp_path / "t.wtb"
    plain.touch()
    wari.Tablebase.build(2, "awari", threads=1, path=path)
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    assert wari.Tablebase.build(3, "awari", threads=1, path=path).seeds == 3
    assert path.stat().st_mode & 0o777 == 0o640
