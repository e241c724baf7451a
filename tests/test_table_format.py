"""Files hold, byte by byte, what docs/tablebase-format.md says."""

import re
from pathlib import Path

import numpy as np
import pytest
import wari
from reference.rules import AXES
from reference.table_file import crc32c, read_file

PAGE = Path(__file__).parent.parent / "docs" / "tablebase-format.md"
AXES_IN_FILES = (
    "grand_slam",
    "feeding",
    "single_seeds",
    "stuck",
    "ends_when_emptied",
    "remainder",
    "repetition",
)


@pytest.mark.parametrize("packing", ["fast", "dense"])
@pytest.mark.parametrize(
    ("rules", "seeds"),
    [("awari", 6), ("abapa", 5), ("singles,remainder=split,grand_slam=forfeit_rest", 4)],
)
def test_a_file_holds_what_its_page_says(
    tmp_path: Path, rules: str, seeds: int, packing: str
) -> None:
    table = wari.Tablebase.build(seeds, rules, verify=False)
    path = tmp_path / "table.wtb"
    table.save(path, packing=packing)
    file = read_file(path.read_bytes())
    assert file.kind == table.kind
    chosen = wari.Rules.parse(rules)
    for axis, value in zip(AXES_IN_FILES, file.rules, strict=True):
        assert AXES[axis][value] == getattr(chosen, axis)
    assert len(file.planes) == seeds + 1
    for n, planes in enumerate(file.planes):
        boards = np.array(list(planes[0]), dtype=np.uint8)
        assert set(boards.sum(axis=1)) == {n}
        first, last = (np.array(list(plane.values())) for plane in (planes[0], planes[-1]))
        lower, upper = table.probe_many(boards)
        if table.kind == "value":
            assert (lower == 128 - first).all()
            assert (upper == 128 - first).all()
        else:
            assert (lower == 2 * (255 - first) - n).all()
            assert (upper == n - 2 * last).all()


def axes_of_the_page() -> dict[str, tuple[int, dict[str, int]]]:
    """By axis: where in the header, and the number of each value."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if row := re.fullmatch(r"\| (1\d) \| `(\w+)` \| (.*) \|", line):
            numbers = {name: int(number) for name, number in re.findall(r"`(\w+)` (\d)", row[3])}
            found[row[2]] = (int(row[1]), numbers)
    return found


def test_the_page_numbers_every_axis_and_value() -> None:
    page = axes_of_the_page()
    assert tuple(page) == AXES_IN_FILES
    for axis, (_, numbers) in page.items():
        assert list(numbers) == [str(value).lower() for value in wari.AXES[axis].values], axis


@pytest.mark.parametrize("axis", AXES_IN_FILES)
def test_files_hold_the_numbers_of_the_page(tmp_path: Path, axis: str) -> None:
    at, numbers = axes_of_the_page()[axis]
    for value, number in numbers.items():
        path = tmp_path / f"{value}.wtb"
        rules = wari.Rules.parse(f"wari,{axis}={value}")
        wari.Tablebase.build(1, rules, path=path)
        header = path.read_bytes()[:64]
        assert header[at] == number, value
        assert header[10] == ("value", "force").index(wari.Tablebase.kind_of(rules))
        assert wari.Tablebase.open(path).fits(rules)


def test_the_checksum_is_the_one_its_page_names() -> None:
    assert crc32c(b"123456789") == 0xE3069283
