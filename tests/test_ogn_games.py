"""Where a game of OGN ends and the next one begins; nested variations; odd characters."""

from __future__ import annotations

import copy
import pickle
import random
import sys
import unicodedata
from pathlib import Path

import pytest
import wari
from ogn_cases import random_record
from wari import ogn
from wari.review import annotated, review

SOUTH, NORTH = (f"4-4-4-4-4-4-4-4-4-4-4-4-0-0-{side}" for side in "SN")
Game = tuple[dict[str, str], list[str], str]


def games_of(text: str) -> list[Game]:
    """The tags that the text gives, the comments before the moves, and the moves of each game."""
    usual = set(ogn.ROSTER) - {"South", "Event"}
    return [
        (
            {
                name: value
                for name, value in record.tags.items()
                if name not in usual and value != "?"
            },
            record.line.before,
            record.line.letters,
        )
        for record in ogn.loads(text)
    ]


@pytest.mark.parametrize(
    ("text", "games"),
    [
        # Tags alone: a blank line, and a tag that was there before.
        (
            f'[FEN "{SOUTH}"]\n\n[FEN "{NORTH}"]\n',
            [({"FEN": SOUTH}, [], ""), ({"FEN": NORTH}, [], "")],
        ),
        (
            f'[FEN "{NORTH}"]\n\n[South "Ana"]\n[FEN "{NORTH}"]\n\n1. f *\n',
            [({"FEN": NORTH}, [], ""), ({"South": "Ana", "FEN": NORTH}, [], "f")],
        ),
        (
            '[Event "a"]\n \t\n[Event "b"]\r\n\r\n[Event "c"]',
            [({"Event": name}, [], "") for name in "abc"],
        ),
        # The same without a blank line, or with other tags behind it, is one game.
        ('[Event "a"]\n[Event "b"]\n1. F *', [({"Event": "a"}, [], "F")]),
        (
            '[Event "a"]\n\n[South "Ana"]\n\n1. F *',
            [({"Event": "a", "South": "Ana"}, [], "F")],
        ),
        # Comments between them.
        (
            '[Event "a"]\n\n{ of b }\n[Event "b"]\n1. F *',
            [({"Event": "a"}, [], ""), ({"Event": "b"}, ["of b"], "F")],
        ),
        ('[Event "a"]\n\n{ of a }\n\n1. F *', [({"Event": "a"}, ["of a"], "F")]),
        ('[Event "a"]\n\n{ of a }\n', [({"Event": "a"}, ["of a"], "")]),
        ('[Event "a"]\n{ of a }\n[Event "b"]\n1. F *', [({"Event": "a"}, ["of a"], "F")]),
        # Results alone.
        (
            '[Event "a"]\n\n*\n\n[Event "b"]\n\n*',
            [({"Event": name}, [], "") for name in "ab"],
        ),
        # Games without tags: a result, or the first number behind a blank line.
        ("1. F f *\n1. A a *", [({}, [], "Ff"), ({}, [], "Aa")]),
        ("1. F f * 1. A a *", [({}, [], "Ff"), ({}, [], "Aa")]),
        ("F f *\nA a *", [({}, [], "Ff"), ({}, [], "Aa")]),
        ("1. F f\n\n1. A a\n", [({}, [], "Ff"), ({}, [], "Aa")]),
        ("1. F f\n\n1 A a\n", [({}, [], "Ff"), ({}, [], "Aa")]),
        # None of these begins one.
        ("1. F\n\n1... f *", [({}, [], "Ff")]),
        ("1. F f\n\n2. B b\n", [({}, [], "FfBb")]),
        ("1. F f (1... a\n\n1. B) *", [({}, [], "Ff")]),
        ("1. F f { a\n\n1. b } *", [({}, [], "Ff")]),
        ("1. F f *\n\n{ the end }\n", [({}, [], "Ff")]),
        ("\n\n\n", []),
    ],
)  # fmt: skip
def test_where_games_begin(text: str, games: list[Game]) -> None:
    assert games_of(text) == games
    assert games_of("\n\n" + text.replace("\n", "\r\n")) == games


def test_what_is_read_of_tags_alone_is_written_so_that_it_is_read_again() -> None:
    records = ogn.loads(f'[FEN "{SOUTH}"]\n\n[FEN "{NORTH}"]\n')
    assert ogn.loads(ogn.dumps(records)) == records
    assert [str(note) for note in records[0].notes] == [
        "line 1, column 1: the result at the end is missing"
    ]


def test_a_fault_in_one_of_several_games_of_tags_is_that_games_alone() -> None:
    """The others are read."""
    text = (
        f'[FEN "{NORTH}"]\n\n[FEN "x"]\n\n[South "Ana"]\n[FEN "{SOUTH}"]\n\n[FEN "{NORTH}"]\n1. f *'
    )
    errors: list[ogn.OgnError] = []
    found = [str(record.start)[-1] for record in ogn.loads(text, errors=errors)]
    assert (found, [error.line for error in errors]) == (["N", "S", "N"], [3])


# --- variations inside each other ---------------------------------------------------------------


def deep(levels: int) -> ogn.Record:
    """A game with a variation in a variation, so many times."""
    return ogn.first("F " + "(E " * levels + ")" * levels + " f *")


def below(frames: int, do: object) -> object:
    """What `do` returns when it is called that deep."""
    return below(frames - 1, do) if frames else do()  # type: ignore[operator]


@pytest.mark.parametrize("frames", [0, 600])
def test_the_deepest_variations_need_no_deep_calls(frames: int) -> None:
    """Reading, writing, comparing, copying, pickling, printing; also far down in a program."""
    assert sys.getrecursionlimit() == 1000

    def all_of_it() -> None:
        record = deep(100)
        assert len(list(record.lines())) == 101
        assert ogn.first(ogn.dumps(record)) == record
        assert copy.deepcopy(record) == record
        assert pickle.loads(pickle.dumps(record)) == record
        assert repr(record).count("wari.ogn.Line(") == 101

    below(frames, all_of_it)


def test_a_review_of_the_deepest_variations() -> None:
    """They come out as they went in."""
    record = deep(100)
    with wari.Engine(hash_mb=8) as engine:
        again = annotated(record, review(record.game(), engine, depth=2))
    kept = [item for item in again.line.moves[0].after if isinstance(item, ogn.Line)]
    assert kept[0] == record.line.moves[0].variations[0]


def test_copies_are_of_their_own_and_differences_are_seen() -> None:
    """At any depth."""
    record = deep(50)
    twin = copy.deepcopy(record)
    *_, last = twin.lines()
    last.moves[0].marks = ("!",)
    assert twin != record
    *_, mine = record.lines()
    assert mine.moves[0].marks == ()
    assert record.line != ogn.Line() != 3
    for seed in range(30):
        one = random_record(seed)
        assert copy.deepcopy(one) == one == pickle.loads(pickle.dumps(one))
        assert repr(copy.copy(one.line)) == repr(one.line)


def test_a_variation_inside_itself_is_an_error_and_no_hang() -> None:
    line = ogn.Line(moves=[ogn.Move("F")])
    line.moves[0].after.append(line)
    assert repr(line).endswith("after=[...])], result=None)")
    for do in (lambda: line == ogn.Line(), lambda: copy.deepcopy(line), lambda: pickle.dumps(line)):
        with pytest.raises(wari.InvalidValueError, match="stands inside itself"):
            do()
    with pytest.raises(wari.InvalidValueError, match="more than 100 variations"):
        ogn.dumps(ogn.Record(line=line))


def test_a_variation_is_played_from_where_it_stands() -> None:
    """After variations that end differently, inside each other, refused half-way, with a pass."""
    rng = random.Random(5)
    for _ in range(60):
        words: list[str] = []

        def add(game: wari.Game, levels: int, words: list[str] = words) -> None:
            for _ in range(rng.randrange(1, 6)):
                if game.is_over:
                    return
                before = game.copy()
                move = rng.choice(game.legal_moves())
                captured = game.push(move)
                words.append(f"{move}+{captured}" if captured else move)
                while levels and rng.random() < 0.4:
                    words.append("(")
                    add(before.copy(), levels - 1)
                    if rng.random() < 0.2:
                        words.append("A a A a")  # one of them is refused
                    words.append(")")

        add(wari.Game("abapa", "2-0-1-0-2-1-0-1-1-2-0-1-18-19-S"), 3)
        text = f'[FEN "2-0-1-0-2-1-0-1-1-2-0-1-18-19-S"]\n{" ".join(words)}'
        (record,) = ogn.loads(text)
        wrong = [note.text for note in record.notes if "captures" in note.text]
        assert not wrong, (text, wrong)


def test_marks_are_kept_at_their_move() -> None:
    (record,) = ogn.loads("1. F! ? {c} $3 (1. E? (1. D !! {d} $5) $7) ! f $1 *")
    first, second = record.line.moves
    assert (first.marks, second.marks) == (("!", "?", "$3", "!"), ("$1",))
    (inner,) = first.variations
    assert inner.moves[0].marks == ("?", "$7")
    assert inner.moves[0].variations[0].moves[0].marks == ("!!", "$5")


# --- characters that command a terminal ---------------------------------------------------------

ESCAPES = "\x1b]0;x\x07 \x9b2J \u202e\u2066 \x00\x7f\u2028"


def test_what_commands_a_terminal_is_read_and_written_escaped(tmp_path: Path) -> None:
    """In tags, their names and comments, whoever has put it there."""
    text = f'[South "{ESCAPES}"]\n[X\x1b "y"]\n\n{{ {ESCAPES} }} 1. F ; {ESCAPES}\n*'
    (record,) = ogn.loads(text)
    made = ogn.first("1. F *")
    made.tags |= {"South": ESCAPES, "X\x1b": "a\tb\nc"}
    made.line.before = [ESCAPES]
    made.line.moves[0].after = [ESCAPES]
    for one in (record, made):
        ogn.write(one, tmp_path / "x.ogn")
        written = (tmp_path / "x.ogn").read_text(encoding="utf-8")
        odd = {unicodedata.category(sign) for sign in written.replace("\n", "")}
        assert not odd & {"Cc", "Cf", "Cs", "Zl", "Zp"}
        (again,) = ogn.read(tmp_path / "x.ogn")
        assert again.tags["South"].startswith(r"\x1b]0;x\x07 \x9b2J \u202e\u2066 \x00\x7f")
        assert again.line.before == [r"\x1b]0;x\x07 \x9b2J \u202e\u2066 \x00\x7f"]
        assert r"X\x1b" in again.tags
        assert ogn.first(ogn.dumps(again)) == again
    assert record == ogn.first(ogn.dumps(record))
    assert ogn.first(ogn.dumps(made)).tags[r"X\x1b"] == "a b c"


def test_names_and_comments_in_any_script_stay_as_they_are() -> None:
    """With joiners and wide spaces."""
    persian, hindi = "\u0645\u06cc\u200c\u062e\u0648\u0627", "\u0938\u094d\u200d\u0924"
    names = ("Ñandú", persian, hindi, "日本 語", "\U0001f3b2", "\\x1b", 'a "b" \\')
    for name in names:
        record = ogn.Record.from_game(wari.Game(), {"South": name})
        record.line.before = [name]
        again = ogn.first(ogn.dumps(record))
        assert (again.tags["South"], again.line.before) == (name, [name])


def test_half_a_character_is_not_written() -> None:
    """It cannot be."""
    for change in ({"South": "\ud800"}, {"X\udcff": "y"}):
        with pytest.raises(wari.InvalidValueError, match="is no character"):
            ogn.dumps(ogn.Record.from_game(wari.Game(), change))
    with pytest.raises(wari.InvalidValueError, match="is no character"):
        ogn.dumps(ogn.Record(line=ogn.Line(before=["\ud800"])))
