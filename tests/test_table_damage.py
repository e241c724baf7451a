"""Damaged table files: refused, or never an answer that is wrong."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import wari
from reference.solver import boards
from reference.table_file import number

SEEDS = 5


class Region(NamedTuple):
    """Bytes of one meaning: from `first` to before `end`."""

    name: str
    first: int
    end: int


def regions_of(data: bytes) -> Iterator[Region]:
    """All bytes of a file, as docs/tablebase-format.md names them."""
    yield Region("header", 0, 60)
    yield Region("checksum of the header", 60, 64)
    at = 64
    while data[at : at + 4] == b"LAYR":
        n = number(data, at + 4, 2)
        yield Region(f"header of layer {n}", at, at + 56)
        yield Region(f"checksums of layer {n}", at + 56, at + 64)
        begin = at + 64
        planes = [at + 24 + 16 * plane for plane in range(number(data, at + 6, 2))]
        for plane in planes:
            directory = begin + number(data, plane, 4)
            end = directory + 8 * number(data, plane + 4, 4)
            yield Region(f"model of layer {n}", begin, directory)
            yield Region(f"index of layer {n}", directory, end)
            begin = end
        for plane in planes:
            end = begin + number(data, plane + 8, 8)
            yield Region(f"blocks of layer {n}", begin, end)
            begin = end
        at += number(data, at + 16, 8)
        assert begin == at
    yield Region("end mark", at, at + 28)
    yield Region("checksum of the end mark", at + 28, at + 32)
    assert at + 32 == len(data)


def damages(data: bytes, region: Region, chance: random.Random, count: int) -> Iterator[bytes]:
    """The file with a changed bit, byte, run, cut, gap or insertion that begins in the region."""
    for _ in range(count):
        at = chance.randrange(region.first, region.end)
        run = chance.randint(2, 40)
        yield data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        yield data[:at] + bytes([data[at] ^ chance.randint(1, 255)]) + data[at + 1 :]
        yield data[:at] + chance.randbytes(run) + data[at + run :]
        yield data[:at] + bytes(run) + data[at + run :]
        yield data[:at]
        yield data[:at] + data[at + run :]
        yield data[:at] + chance.randbytes(run) + data[at:]


class Truth:
    """All boards, and what the undamaged table says of them."""

    def __init__(self, table: wari.Tablebase) -> None:
        every = [board for n in range(SEEDS + 1) for board in boards(n)]
        self.boards = np.array(every, dtype=np.uint8)
        self.lower, self.upper = table.probe_many(self.boards)
        assert (self.lower <= self.upper).all()

    def check(self, path: Path) -> bool:
        """Whether the damaged file could be opened; then each answer is right, or there is none."""
        table: wari.Tablebase | None
        try:
            table = wari.Tablebase.open(path)
        except wari.TableFileError as error:
            named = path.name in str(error)
            table = None
        if table is None:
            assert named
            return False
        lower, upper = table.probe_many(self.boards[: self.boards_of(table)])
        known = lower <= upper
        right = len(lower)
        assert (lower[known] == self.lower[:right][known]).all()
        assert (upper[known] == self.upper[:right][known]).all()
        for board in self.boards[:right][~known][:3]:
            counts = tuple(map(int, board))
            asked = wari.Position.from_counts(counts, stores=(1, 0), rules=table.rules)
            with pytest.raises(wari.TableFileError, match=path.name):
                table.probe(asked)
        with pytest.raises(wari.TableFileError, match=path.name):
            table.verify(threads=1)
        return True

    def boards_of(self, table: wari.Tablebase) -> int:
        return int((self.boards.sum(axis=1) <= table.seeds).sum())


@pytest.mark.parametrize("packing", ["fast", "dense"])
@pytest.mark.parametrize("rules", ["awari", "abapa"])
@pytest.mark.parametrize("count", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_no_damage_gives_a_wrong_answer(
    tmp_path: Path, rules: str, packing: str, count: int
) -> None:
    table = wari.Tablebase.build(SEEDS, rules)
    path = tmp_path / "damaged.wtb"
    table.save(path, packing=packing)
    good = path.read_bytes()
    truth = Truth(table)
    chance = random.Random(count)
    opened = set()
    for region in regions_of(good):
        if region.first == region.end:
            continue
        for bad in damages(good, region, chance, count):
            if bad == good:
                continue
            path.write_bytes(bad)
            if truth.check(path):
                opened.add(region.name.partition(" of ")[0])
    # Blocks are looked at when they are read; whatever else is damaged, the file does not open.
    assert opened == {"blocks"}
    path.write_bytes(good)
    assert wari.Tablebase.open(path).verified == "rebuilt"
