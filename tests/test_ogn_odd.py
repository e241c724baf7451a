"""OGN that is put together oddly: read with a note, or not written at all."""

from pathlib import Path

import pytest
import wari
from wari import ogn
from wari._ogn.tokens import Scanner, Token

TEXT = '[South "Ana"]\n\n1. F f { solid } 2. B *\n'


def test_files_put_behind_each_other_are_read(tmp_path: Path) -> None:
    """Each may begin with a byte order mark."""
    path = tmp_path / "x.ogn"
    path.write_bytes(2 * ("\ufeff" + TEXT).encode())
    assert list(ogn.read(path)) == 2 * [ogn.first(TEXT)]


def test_a_second_result_is_no_second_game() -> None:
    """It is noted; the first one counts."""
    (record,) = ogn.loads("1. F f * 25-23")
    assert (record.line.letters, record.line.result) == ("Ff", "*")
    assert [str(note) for note in record.notes] == [
        "line 1, column 10: a second result, 25-23; the first one counts"
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("letter", "Z"),
        ("letter", "Ff"),
        ("letter", 3),
        ("captured", -1),
        ("captured", 1000),
        ("captured", "x"),
        ("marks", ("foo",)),
        ("marks", ("! x",)),
        ("marks", (4,)),
    ],
)
def test_moves_that_could_not_be_read_again_are_not_written(name: str, value: object) -> None:
    """Nor results, nor comments of another type or without an end, nor lines without one."""
    record = ogn.first("1. F (1. E) f *")
    setattr(record.line.moves[1], name, value)
    with pytest.raises(wari.InvalidValueError, match=f"^{name}: expected "):
        ogn.dumps(record)
    for after in (7, "x" * 1_000_000):
        with pytest.raises(wari.InvalidValueError, match=r"^comment: "):
            ogn.dumps(ogn.Record(line=ogn.Line(moves=[ogn.Move("F", after=[after])])))  # type: ignore[list-item]
    deep = ogn.Line(result="foo bar")
    with pytest.raises(wari.InvalidValueError, match=r"^result: expected "):
        ogn.dumps(ogn.Record(line=deep))
    for _ in range(101):
        deep = ogn.Line(moves=[ogn.Move("F", after=[deep])])
    with pytest.raises(wari.InvalidValueError, match=r"^line: more than 100 variations"):
        ogn.dumps(ogn.Record(line=deep))


def test_the_place_and_the_cut_of_words() -> None:
    """Columns count from 1, and a fault shows twenty characters."""
    words = list(Scanner().tokens(["1. F ; a comment", f"  {'x' * 21}"]))
    assert [(word.kind, word.line, word.column) for word in words] == [
        ("number", 1, 1),
        ("move", 1, 4),
        ("comment", 1, 6),
        ("fault", 2, 3),
    ]
    assert words[-1].text.endswith(f"not {'x' * 20 + '...'!r}")
    (fault,) = Scanner().tokens(["x" * 20])
    assert fault.text.endswith(f"not {'x' * 20!r}")


def test_a_comment_as_long_as_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of it counts one more, its end."""
    monkeypatch.setattr("wari._ogn.tokens.LONGEST_COMMENT", 9)
    (comment,) = Scanner().tokens(["{aaa", "aaaa}"])  # 4 + 5
    assert comment == Token("comment", "aaa aaaa", 1, 1)
    (fault,) = Scanner().tokens(["{aaa", "aaaaa}"])  # 4 + 6
    assert "a comment of more than 9 characters" in fault.text
