"""A plain reader of table files, written from docs/tablebase-format.md and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import comb

Board = tuple[int, ...]
Row = tuple[int, ...]
TOTAL = 4096
LOWEST = 65536
GAINS = 6
SUBCLASSES = 48


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def checked(data: bytes) -> bytes:
    """Bytes that end in their own checksum."""
    assert crc32c(data[:-4]) == number(data, len(data) - 4, 4)
    return data


# --- boards ---------------------------------------------------------------------------------------


def rows(seeds: int) -> list[Row]:
    """All rows of so many seeds, by rank."""

    def rank(row: Row) -> int:
        tails = [sum(row[i:]) for i in range(6)]
        parts = ((4, 5), (3, 4), (2, 3), (1, 2))
        return tails[5] + sum(comb(tails[i + 1] + more, of) for i, (more, of) in enumerate(parts))

    found = [row for row in product(range(seeds + 1), repeat=6) if sum(row) == seeds]
    found.sort(key=rank)
    assert [rank(row) for row in found] == list(range(comb(seeds + 5, 5)))
    return found


def landings(row: Row) -> set[int]:
    return {pit + row[pit] - 6 for pit in range(6) if row[pit] and 0 <= pit + row[pit] - 6 < 6}


def capture(taker: Row, giver: Row) -> int:
    most = 0
    for landing in landings(taker):
        got = 0
        for pit in range(landing, -1, -1):
            if giver[pit] + 1 not in (2, 3):
                break
            got += giver[pit] + 1
        most = max(most, got)
    return most


# --- models ---------------------------------------------------------------------------------------


class Bits:
    def __init__(self, data: bytes) -> None:
        self._all = [byte >> i & 1 for byte in data for i in range(8)]
        self._at = 0

    def bit(self) -> int:
        self._at += 1
        return self._all[self._at - 1]

    def gamma(self) -> int:
        zeros = 0
        while not self.bit():
            zeros += 1
        value = 1
        for _ in range(zeros):
            value = value << 1 | self.bit()
        return value

    def assert_end(self) -> None:
        left = self._all[self._at :]
        assert len(left) < 8
        assert not any(left)


Set = list[tuple[int, int]]  # (symbol, frequency) as their slots follow each other


@dataclass
class Model:
    dense: bool
    alphabet: bytes
    pairs: dict[tuple[int, int], Set] = field(default_factory=dict)
    gains: dict[tuple[int, int, int], Set] = field(default_factory=dict)
    classes: dict[tuple[int, int, int], Set] = field(default_factory=dict)

    def of(self, left: int, upper: int, kind: int) -> Set:
        narrow = self.classes.get((left, upper, kind))
        middle = self.gains.get((left, upper, kind // SUBCLASSES))
        return narrow or middle or self.pairs[left, upper]


def read_set(bits: Bits) -> Set:
    found: Set = []
    used = bits.gamma()
    symbol, left = -1, TOTAL
    for i in range(used):
        symbol += bits.gamma()
        frequency = bits.gamma() if i + 1 < used else left
        left -= frequency
        found.append((symbol, frequency))
    assert left == 0
    return sorted(found, key=lambda share: (-share[1], share[0]))


def read_model(data: bytes) -> Model:
    size = data[1]
    model = Model(data[0] == 1, data[2 : 2 + size])
    bits = Bits(data[2 + size :])
    for left, upper in product(range(size + 1), repeat=2):
        if not bits.bit():
            continue
        if bits.bit():
            model.pairs[left, upper] = read_set(bits)
        for gain in range(GAINS if model.dense else 0):
            if bits.bit():
                model.gains[left, upper, gain] = read_set(bits)
            if bits.bit():
                for k in range(SUBCLASSES):
                    if bits.bit():
                        model.classes[left, upper, gain * SUBCLASSES + k] = read_set(bits)
    bits.assert_end()
    return model


# --- blocks ---------------------------------------------------------------------------------------


def classes(own: list[Row], opponent: list[Row]) -> list[list[int]]:
    """By line and column; of rows that stand in one block."""
    gain = [[capture(mine, theirs) for mine in own] for theirs in opponent]
    threat = [[capture(theirs, mine) for mine in own] for theirs in opponent]

    def at(table: list[list[int]], line: int, column: int) -> int:
        return table[line][column] if line >= 0 and column >= 0 else 0

    def of(line: int, column: int) -> int:
        c, d = gain[line][column], threat[line][column]
        broad = 0 if c < 2 else c - 1 if c <= 4 else 4 if c <= 6 else 5
        same = (
            (c == at(gain, line, column - 1))
            + 2 * (c == at(gain, line - 1, column))
            + 4 * (d == at(threat, line, column - 1))
            + 8 * (d == at(threat, line - 1, column))
        )
        return broad * 48 + (0 if d == 0 else 1 if d <= 3 else 2) * 16 + same

    if sum(own[0]) == 0:
        return [[0] * len(own) for _ in opponent]
    return [[of(line, column) for column in range(len(own))] for line in range(len(opponent))]


def order(lines: int, columns: int) -> Iterator[tuple[int, int, int]]:
    """(state, line, column) as boards are coded."""
    for line in range(0, lines, 2):
        if line + 1 == lines:
            yield from ((0, line, column) for column in range(columns))
            continue
        for step in range(columns + 1):
            if step < columns:
                yield 0, line, step
            if step > 0:
                yield 1, line + 1, step - 1


def owner(of: Set, slot: int) -> tuple[int, int, int]:
    """(symbol, first slot, frequency) of whoever owns a slot."""
    start = 0
    for symbol, frequency in of:
        if slot < start + frequency:
            return symbol, start, frequency
        start += frequency
    raise AssertionError(slot)


def read_block(model: Model, data: bytes, own: list[Row], opponent: list[Row]) -> list[list[int]]:
    """The bytes of the boards, by line and column."""
    lines, columns = len(opponent), len(own)
    kinds = classes(own, opponent) if model.dense else [[0] * columns for _ in opponent]
    states = [number(data, 4 * i, 4) for i in range(min(2, lines))]
    at = 4 * len(states)
    symbols = [[0] * columns for _ in range(lines)]
    for which, line, column in order(lines, columns):
        left = symbols[line][column - 1] + 1 if column else 0
        upper = symbols[line - 1][column] + 1 if line else 0
        slot = states[which] % TOTAL
        symbol, start, frequency = owner(model.of(left, upper, kinds[line][column]), slot)
        state = frequency * (states[which] // TOTAL) + slot - start
        if state < LOWEST:
            state = state * 65536 + number(data, at, 2)
            at += 2
        states[which] = state
        symbols[line][column] = symbol
    assert states == [LOWEST] * len(states)
    assert at == len(data)
    return [[model.alphabet[symbol] for symbol in line] for line in symbols]


def read_plane(seeds: int, model: Model, directory: bytes, data: bytes) -> dict[Board, int]:
    found: dict[Board, int] = {}
    block = begin = 0
    for m in range(seeds + 1):
        owns, opponents = rows(m), rows(seeds - m)
        width = min(64, len(owns))
        height = 2048 // width
        for line in range(0, len(opponents), height):
            for column in range(0, len(owns), width):
                own = owns[column : column + width]
                opponent = opponents[line : line + height]
                end = number(directory, 8 * block, 4)
                assert crc32c(data[begin:end]) == number(directory, 8 * block + 4, 4)
                values = read_block(model, data[begin:end], own, opponent)
                for theirs, line_of_values in zip(opponent, values, strict=True):
                    for mine, value in zip(own, line_of_values, strict=True):
                        found[mine + theirs] = value
                block, begin = block + 1, end
    assert (8 * block, begin) == (len(directory), len(data))
    return found


# --- files ----------------------------------------------------------------------------------------


@dataclass
class TableFile:
    kind: str
    rules: tuple[int, ...]
    planes: list[list[dict[Board, int]]]  # by layer
    verified: int  # layers
    level: str  # "rebuilt" or "full"; where no layer was verified, "rebuilt"


def read_layer(data: bytes, seeds: int) -> list[dict[Board, int]]:
    header = checked(data[:64])
    assert header[:4] == b"LAYR"
    assert (number(header, 4, 2), number(header, 8, 8)) == (seeds, comb(seeds + 11, 11))
    sizes = [
        [number(header, 24 + 16 * plane + at, size) for at, size in ((0, 4), (4, 4), (8, 8))]
        for plane in range(number(header, 6, 2))
    ]
    front = sum(model + 8 * blocks for model, blocks, _ in sizes)
    assert crc32c(data[64 : 64 + front]) == number(header, 56, 4)
    planes = []
    at, data_at = 64, 64 + front
    for model, blocks, size in sizes:
        directory = data[at + model : at + model + 8 * blocks]
        held = data[data_at : data_at + size]
        planes.append(read_plane(seeds, read_model(data[at : at + model]), directory, held))
        at, data_at = at + model + 8 * blocks, data_at + size
    assert data_at == len(data) == number(header, 16, 8)
    return planes


def read_file(data: bytes) -> TableFile:
    header = checked(data[:64])
    assert header[:8] == b"\x89WARITB\n"
    assert (number(header, 8, 2), number(header, 20, 2), number(header, 22, 2)) == (1, 2048, 64)
    assert header[19] == 0
    assert not any(header[24:60])
    planes: list[list[dict[Board, int]]] = []
    at = 64
    while data[at : at + 4] == b"LAYR":
        size = number(data, at + 16, 8)
        planes.append(read_layer(data[at : at + size], len(planes)))
        assert len(planes[-1]) == header[11]
        at += size
    end = checked(data[at:])
    assert end[:4] == b"ENDT"
    assert (number(end, 4, 4), number(end, 8, 8)) == (len(planes), len(data))
    assert end[21:28] == bytes(7)
    verified, level = number(end, 16, 4), ("rebuilt", "full")[end[20]]
    assert verified <= len(planes)
    assert verified or not end[20]
    kind = ("value", "force")[header[10]]
    return TableFile(kind, tuple(header[12:19]), planes, verified, level)
