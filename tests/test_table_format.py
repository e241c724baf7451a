"""Files hold, byte by byte, what docs/tablebase-format.md says.

Owns: the comparison of a plain reader of that page with the package.
"""

from pathlib import Path

import numpy as np
import pytest
import wari
from reference.rules import AXES
from reference.table_file import crc32c, read_file

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


def test_the_checksum_is_the_one_its_page_names() -> None:
    assert crc32c(b"123456789") == 0xE3069283
