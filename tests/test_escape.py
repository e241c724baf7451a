"""Foreign text at the borders: names of files that command a terminal or fake a line of output."""

import os
import unicodedata
from pathlib import Path
from unittest import mock

import pytest
import wari
from cli_tools import call
from wari._escape import escape_control

ODD = "a\nmore.wtb: awari, 9 boards verified\x1b[31m\u202e\u2028\x9b"
SHOWN = r"a\nmore.wtb: awari, 9 boards verified\x1b[31m\u202e\u2028\x9b"


def test_what_commands_is_escaped_and_signs_stay() -> None:
    assert escape_control(ODD) == SHOWN
    assert escape_control("ñ 日本 Übung\u00a0🎲") == "ñ 日本 Übung\u00a0🎲"
    for kept in ("\u00ad", "\u200b", "\ue000", "\U0001fae8", "\U000e0067", "\u3000"):
        assert escape_control(f"a{kept}b") == f"a{kept}b"  # a sign may be newer than Python
    assert escape_control("\u200f\u061c\u2066\ufeff") == r"\u200f\u061c\u2066\ufeff"
    assert escape_control(os.fsdecode(b"\xff.wtb")) == r"\udcff.wtb"
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in ("Cc", "Zl", "Zp", "Cs"):
            assert escape_control(chr(code)).isascii(), hex(code)


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / ODD
    wari.Tablebase.build(seeds=3, rules="awari", path=path)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("tb", "build", "--rules", "awari", "--seeds", "3", "--to"),
        ("tb", "verify"),
        ("tb", "stats"),
        ("tb", "probe", "1-0-0-0-0-1-1-0-0-0-0-0-0-0-S", "--rules", "awari", "--tablebase"),
        ("analyse", "--depth", "1", "--rules", "awari", "--tablebase"),
        ("solve", "1-0-0-0-0-1-1-0-0-0-0-0-0-0-S", "--rules", "awari", "--tablebase"),
        ("tb", "remove"),
    ],
)
def test_a_name_of_many_lines_stays_on_one(odd: Path, arguments: tuple[str, ...]) -> None:
    done = call(*arguments, str(odd))
    assert done.code == 0, done.err
    assert done.out.count(SHOWN) == 1
    assert ODD not in done.out
    assert not [line for line in done.out.splitlines() if line.startswith("more.wtb")]


def test_in_the_cache(odd: Path) -> None:
    (odd.parent / f"{ODD}.wtb").write_bytes(odd.read_bytes())
    (odd.parent / f"{ODD}2.wtb.part").write_bytes(odd.read_bytes()[:8])
    (odd.parent / f"{ODD}3.wtb").write_bytes(b"no table")
    with mock.patch.dict(os.environ, WARI_CACHE=str(odd.parent)):
        listed, removed = call("tb", "list"), call("tb", "remove", "--all")
    for done in (listed, removed):
        assert done.code == 0, done.err
        assert ODD not in done.out + done.err
        assert done.out.count(SHOWN) == 2
        assert done.err.count(SHOWN) == 1
    assert not [line for line in listed.out.splitlines() if line.startswith("more.wtb")]
