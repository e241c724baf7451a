"""OGN: what is written, what is read, what is forgiven, and where faults are reported."""

from __future__ import annotations

import copy
import io
import pickle
import random
import re
import tracemalloc
from pathlib import Path

import pytest
import wari
from ogn_cases import random_game, random_record
from wari import ogn

EXAMPLE = """[Variant "Oware Abapa"]
[Event "?"]
[Site "?"]
[Date "2026.11.29"]
[Round "?"]
[South "?"]
[North "?"]
[Result "*"]

1. F f 2. B e 3. B c 4. D a+2 5. A+3 b+2 6. C c { a note } 7. D b *
"""


def only(text: str) -> ogn.Record:
    """Only."""
    (record,) = ogn.loads(text)
    return record


def notes(text: str) -> list[str]:
    """Notes."""
    return [note.text for note in only(text).notes]


# --- writing and reading back --------------------------------------------------------------------


def test_the_example_of_the_notation_is_read_and_written_as_it_is() -> None:
    """The example of the notation is read and written as it is."""
    record = only(EXAMPLE)
    assert record.notes == []
    assert record.line.letters == "FfBeBcDaAbCcDb"
    assert record.line.moves[11].comments == ("a note",)
    assert record.game().position.stores == (3, 4)
    assert ogn.dumps(record) == EXAMPLE


def check_game(seed: int) -> None:
    """Check game."""
    game = random_game(seed)
    text = game.to_ogn()
    record = only(text)
    assert record.notes == [], (seed, text)
    assert record.game() == game, (seed, text)
    assert wari.Game.from_ogn(text) == game, (seed, text)
    assert wari.Game.from_json(game.to_json()) == game, seed
    assert all(len(line) < 80 for line in text.splitlines()[8:] if " " in line)


@pytest.mark.parametrize("count", [300, pytest.param(3000, marks=pytest.mark.slow)])
def test_random_games_come_back_from_ogn_and_json(count: int) -> None:
    for seed in range(count):
        check_game(seed)


@pytest.mark.parametrize("side", "SN")
@pytest.mark.parametrize("end", ["resign", "lose_on_time"])
def test_a_game_that_a_side_lost_reads_as_lost(side: str, end: str) -> None:
    """Whatever the stores hold: here as many seeds each."""
    game = wari.Game("abapa", "4-0-4-0-4-0-4-0-4-0-4-0-12-12-S")
    getattr(game, end)(side)
    record = ogn.first(game.to_ogn())
    assert record.tags["Result"] == record.line.result == ("0-1" if side == "S" else "1-0")
    assert (record.game(), record.notes) == (game, [])
    seeds = "12-12"
    old = re.sub(r'"[01]-[01]"', f'"{seeds}"', game.to_ogn())
    old = re.sub(r"[01]-[01]\n$", f"{seeds}\n", old)
    assert old.count(seeds) == 3
    assert ogn.first(old).game() == game
    assert "not 12-12" in str(ogn.first(old).notes[-1])


def test_the_random_games_cover_what_they_should() -> None:
    """The random games cover what they should."""
    games = [random_game(seed) for seed in range(150)]
    endings = {game.ending for game in games}
    assert endings >= {None, "agreement", "resignation", "time", "majority", "stuck", "repetition"}
    assert {game.rules.name for game in games} >= set(wari.PRESETS)
    assert any("-" in game.moves for game in games)
    assert any(game.start.side == "N" for game in games)


def test_comments_marks_and_variations_come_back() -> None:
    """Comments marks and variations come back."""
    for seed in range(150):
        record = random_record(seed)
        text = ogn.dumps(record)
        again = only(text)
        assert again == record, seed
        assert again.notes == [], seed
        assert ogn.dumps(again) == text, seed
    assert any(len(list(random_record(seed).lines())) > 5 for seed in range(20))


def test_many_records_in_one_text() -> None:
    """Many records in one text."""
    records = [random_record(seed) for seed in range(30)]
    assert ogn.loads(ogn.dumps(records)) == records


def test_tags_come_in_the_order_of_the_notation_and_are_escaped() -> None:
    """Tags come in the order of the notation and are escaped."""
    text = wari.Game("abapa").to_ogn({"Zeta": "z", "Annotator": 'the "\\"', "South": "Ana"})
    assert text.splitlines()[:10] == [
        '[Variant "Oware Abapa"]',
        '[Event "?"]',
        '[Site "?"]',
        '[Date "?"]',
        '[Round "?"]',
        '[South "Ana"]',
        '[North "?"]',
        '[Result "*"]',
        '[Annotator "the \\"\\\\\\""]',
        '[Zeta "z"]',
    ]
    assert only(text).tags["Annotator"] == 'the "\\"'


@pytest.mark.parametrize("name", wari.PRESETS)
def test_each_preset_has_a_variant_name(name: str) -> None:
    """Each preset has a variant name."""
    record = only(wari.Game(name).to_ogn())
    assert "Rules" not in record.tags
    assert record.rules.name == name
    assert record.tags["Variant"] == ("Oware Abapa" if name == "abapa" else name.capitalize())


def test_other_rules_have_a_rules_tag() -> None:
    """Other rules have a rules tag."""
    rules = wari.Rules.parse("abapa,grand_slam=forbidden")
    text = wari.Game(rules).to_ogn()
    assert '[Variant "Oware Abapa"]' in text
    assert f'[Rules "{rules}"]' in text
    assert only(text).rules == rules


@pytest.mark.parametrize("side", ["S", "N"])
def test_a_start_of_its_own_is_always_written(side: str) -> None:
    """Fault 37 a start of its own is always written."""
    start = wari.Position.from_counts([1, 0, 3, 0, 0, 1, 0, 2, 0, 0, 4, 0], (5, 6), side, "wari")
    game = wari.Game(start=start)
    text = game.to_ogn()
    assert f'[FEN "{start}"]' in text
    assert wari.Game.from_ogn(text) == game


def test_no_fen_tag_at_the_usual_start() -> None:
    """No fen tag at the usual start."""
    assert "FEN" not in wari.Game("wari,seeds_per_pit=3").to_ogn()


def test_writing_a_file_is_whole_or_not_at_all(tmp_path: Path) -> None:
    """Writing a file is whole or not at all."""
    path = tmp_path / "games.ogn"
    records = [random_record(seed) for seed in range(5)]
    ogn.write(records, path)
    assert list(ogn.read(path)) == records
    broken = copy.deepcopy(records[0])
    broken.line.before.append("no } here")
    with pytest.raises(wari.InvalidValueError, match="closing brace"):
        ogn.write([records[1], broken], path)
    assert list(ogn.read(path)) == records
    assert [file.name for file in tmp_path.iterdir()] == ["games.ogn"]


# --- irregular files -----------------------------------------------------------------------------


def test_comments_and_variations_with_stray_letters() -> None:
    """Fault 36 comments and variations with stray letters."""
    text = "{ a bad fade (F e) 3-3 } 1. F { B } f (1... e { c (d } (a { E }) 2. F) { A b } 2. B *"
    record = only(text)
    assert record.line.letters == "FfB"
    assert record.line.before == ["a bad fade (F e) 3-3"]
    first, second = record.line.moves[:2]
    assert first.comments == ("B",)
    assert second.comments == ("A b",)
    (variation,) = second.variations
    assert variation.letters == "eF"
    assert variation.moves[0].comments == ("c (d",)
    assert variation.moves[0].variations[0].letters == "a"


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks(tmp_path: Path, newline: str, mark: str) -> None:
    """Line ends and byte order marks."""
    text = mark + EXAMPLE.replace("\n", newline)
    assert only(text) == only(EXAMPLE)
    path = tmp_path / "x.ogn"
    path.write_bytes(text.encode())
    assert list(ogn.read(path)) == [only(EXAMPLE)]


def test_tags_in_any_order_and_on_one_line() -> None:
    """Tags in any order and on one line."""
    record = only('[Result "*"] [South "A"]\n\n[Variant "ouri"]\n1. F *')
    assert (record.rules.name, record.tags["South"]) == ("ouri", "A")


def test_escape_lines_are_skipped_outside_comments_only() -> None:
    """Escape lines are skipped outside comments only."""
    record = only("% F x ]\n1. F\n%{ (\nf { one\n% two } 2. B *\n%")
    assert record.line.letters == "FfB"
    assert record.line.moves[1].comments == ("one % two",)


def test_games_without_tags_end_at_their_result() -> None:
    """Games without tags end at their result."""
    text = '1. F f * { of the first } 1. A *\n[South "C"]\n1. B\n[South "D"] [North "E"] *'
    records = ogn.loads(text)
    assert [record.line.letters for record in records] == ["Ff", "A", "B", ""]
    assert records[0].line.moves[1].comments == ("of the first",)


def test_a_comment_before_the_tags_belongs_to_the_first_game() -> None:
    """A comment before the tags belongs to the first game."""
    record = only('{ file } [South "X"] { game } 1. F *')
    assert record.line.before == ["file", "game"]
    assert record.tags["South"] == "X"


def test_numbers_may_be_odd_or_missing() -> None:
    """Numbers may be odd or missing."""
    for text in ("F f B *", "1.F 1...f 2.B *", "1 F f 7 . B *", "1. F\n1. ... f\n2. B *"):
        assert only(text).line.letters == "FfB"


def test_comments_to_the_end_of_the_line() -> None:
    """Comments to the end of the line."""
    record = only("1. F ; a } b\nf *")
    assert record.line.moves[0].comments == ("a ) b",)


@pytest.mark.parametrize("text", ["A ! !", "A! $4 ? f?!", "A $4 !"])
def test_marks_that_stand_apart_come_back_apart(text: str) -> None:
    """`! !` is not `!!`."""
    record = ogn.first(text)
    assert ogn.first(ogn.dumps(record)).line == record.line


def test_marks_are_kept_and_one_before_the_first_move_is_reported() -> None:
    """Marks are kept and one before the first move is reported."""
    record = only("$1 1. F!? $4 f ?! *")
    assert record.line.moves[0].marks == ("!?", "$4")
    assert record.line.moves[1].marks == ("?!",)
    assert [note.column for note in record.notes] == [1]


def test_wrong_and_missing_counts_are_reported_and_put_right() -> None:
    """Wrong and missing counts are reported and put right."""
    text = EXAMPLE.replace("a+2", "a").replace("A+3", "A+1").replace("6. C", "6. C+4")
    record = only(text)
    assert [(note.line, note.column, note.text) for note in record.notes] == [
        (10, 27, "a captures 2, and the count is missing"),
        (10, 32, "A captures 3, not 1"),
        (10, 43, "C captures 0, not 4"),
    ]
    assert ogn.dumps(record) == EXAMPLE


def test_a_missing_pass_is_put_into_a_variation() -> None:
    """A missing pass is put into a variation."""
    record = only('[Variant "Wari"] [FEN "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"] 1. A (F+8 E) c *')
    assert record.line.moves[0].variations[0].letters == "F-E"


def test_missing_passes_are_put_in() -> None:
    """Missing passes are put in."""
    text = '[Variant "Wari"] [FEN "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"] 1. F+8 %s E (E) (E) *'
    for written in ("", "-"):
        record = only(text % written)
        assert record.game().moves == ("F", "-", "E")
        assert [line.letters for line in record.line.moves[2].variations] == ["E", "E"]
        assert record.game() == wari.Game.from_ogn(ogn.dumps(record))


def test_a_move_that_the_rules_refuse_in_a_variation_is_kept_and_reported() -> None:
    """A move that the rules refuse in a variation is kept and reported."""
    record = only("1. F f (1... e F+3 A (B) a) 2. B *")
    assert record.line.letters == "FfB"
    assert record.line.moves[1].variations[0].letters == "eFAa"
    assert [note.text for note in record.notes] == [
        "in a variation F is not legal here: that pit is empty"
    ]
    assert only(ogn.dumps(record)) == record


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. F f", ["the result at the end is missing"]),
        ('[Result "25-23"] 1. F f *', ["the tag Result says 25-23, the moves end with *"]),
        ("1. F f 25-23", ["the result is given as 25-23, and the game is not over"]),
        (
            '[FEN "0-0-0-0-0-0-0-0-0-0-0-0-30-18-S"] 29-19',
            ["the result by the rules is 30-18, not 29-19"],
        ),
        ('[South "a"] [South "b"] *', ["the tag South was there before; the first one counts"]),
        ("1. F f 24-24", []),
    ],
)
def test_results_that_do_not_agree_are_reported(text: str, expected: list[str]) -> None:
    """Results that do not agree are reported."""
    assert notes(text) == expected


def test_a_shared_board_is_read_as_an_agreement() -> None:
    """A shared board is read as an agreement."""
    game = only("1. F f 24-24").game()
    assert (game.ending, str(game.result)) == ("agreement", "24-24")


def test_rules_for_games_that_name_none() -> None:
    """Rules for games that name none."""
    assert only("1. F *").rules.name == "abapa"
    assert ogn.loads("1. F *", rules="ouri")[0].rules.name == "ouri"
    text = '[Variant "Kalah"] 1. F *'
    record = ogn.loads(text, rules="cairo")[0]
    assert (record.rules.name, record.tags["Variant"]) == ("cairo", "Kalah")
    assert only(ogn.dumps(record)) == record
    with pytest.raises(ogn.OgnError, match="line 1, column 1: tag Variant: unknown rule set"):
        ogn.loads(text)


def test_bytes_that_are_not_utf_8_are_read_as_latin_1(tmp_path: Path) -> None:
    """Bytes that are not utf 8 are read as latin 1."""
    path = tmp_path / "old.ogn"
    path.write_bytes('[South "Íñigo"]\n1. F { ñ } *\n'.encode("latin-1") + '[North "ñ"] *'.encode())
    first, second = ogn.read(path)
    assert (first.tags["South"], second.tags["North"]) == ("Íñigo", "ñ")
    assert first.line.moves[0].comments == ("ñ",)


# --- faults --------------------------------------------------------------------------------------

FAULTS = [
    ("1. F f 2. G *", 11, "expected a move, a comment or a result, not 'G'"),
    ("1. F f 2. Bad *", 11, "not 'Bad'"),
    ("1. F f 2. B+x *", 11, "not 'B+x'"),
    ("1. F f 2. F *", 11, "F is not legal here: that pit is empty"),
    ("1. F f 2. a *", 11, "belongs to the other side"),
    ("1. F f 2. - *", 11, "- is not legal here"),
    ("1. F f { open", 8, "this comment is never closed"),
    ("1. F f (e", 8, "this variation is never closed"),
    ("1. F f ) *", 8, "a closing parenthesis without an opening one"),
    ("(F) *", 1, "a variation before the first move"),
    ("1. F f (25-23 e) *", 15, "a move after the result"),
    ('[South "Ana] *', 1, "expected a tag"),
    ("[South] *", 1, "expected a tag"),
    ('[FEN "4-4-4"] 1. F *', 1, "tag FEN"),
    ('[FEN "4-4-4-4-4-4-4-4-4-4-4-x-0-0-S"] 1. F *', 1, "f: expected a count"),
    ('[Rules "abapa,slam=no"] *', 1, "tag Rules"),
    ("1. F f 2. B } *", 13, "not '}'"),
    ("F " + "(E " * 101 + ")" * 101 + "*", 303, "variations inside each other"),
]


@pytest.mark.parametrize(("text", "column", "message"), FAULTS)
def test_a_fault_names_its_place_and_the_games_before_are_kept(
    text: str, column: int, message: str
) -> None:
    """A fault names its place and the games before are kept."""
    with pytest.raises(ogn.OgnError, match="line 14, column") as caught:
        ogn.loads(EXAMPLE + '\n[South "X"]\n\n' + text)
    error = caught.value
    assert (error.line, error.column) == (14, column)
    assert message in error.reason
    assert error.records == [only(EXAMPLE)]


@pytest.mark.parametrize(
    ("text", "column", "message"), [fault for fault in FAULTS if "{ open" not in fault[0]]
)
def test_reading_goes_on_behind_a_fault(text: str, column: int, message: str) -> None:
    """Reading goes on behind a fault."""
    errors: list[ogn.OgnError] = []
    records = ogn.loads(EXAMPLE + '\n[South "X"]\n' + text + "\n" + EXAMPLE, errors=errors)
    assert [error.column for error in errors] == [column]
    assert message in str(errors[0])
    assert records[0] == only(EXAMPLE)
    assert records[1:] == [only(EXAMPLE)]


def test_a_comment_without_end_does_not_take_all_memory() -> None:
    """A comment without end does not take all memory."""
    lines = ["1. F { open\n", *["x" * 99 + "\n"] * 20_000, EXAMPLE]
    errors: list[ogn.OgnError] = []
    records = list(ogn.read(io.StringIO("".join(lines)), errors=errors))
    assert [(error.line, error.column) for error in errors] == [(1, 6)]
    assert records == [only(EXAMPLE)]


def test_a_large_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    """A large file is read in bounded memory."""
    path = tmp_path / "large.ogn"
    with path.open("w") as file:
        for _ in range(1500):
            file.write(EXAMPLE + "\n")
    tracemalloc.start()
    count = sum(1 for _ in ogn.read(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1500
    assert peak < 250_000


def test_reading_begins_before_the_file_ends(tmp_path: Path) -> None:
    """Reading begins before the file ends."""
    path = tmp_path / "x.ogn"
    path.write_text(EXAMPLE + EXAMPLE + "[broken")
    games = ogn.read(path)
    assert next(games) == only(EXAMPLE)
    with pytest.raises(ogn.OgnError):
        list(games)


def test_a_text_without_a_game() -> None:
    """A text without a game."""
    assert ogn.loads("") == []
    assert ogn.loads("\n% nothing\n") == []
    with pytest.raises(ogn.OgnError, match="no game"):
        wari.Game.from_ogn("")


def test_faults_can_be_copied_and_sent_to_another_process() -> None:
    """With their place, their words and the games before."""
    with pytest.raises(ogn.OgnError) as caught:
        ogn.loads(EXAMPLE + "1. F f 2. B x")
    error = caught.value
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is ogn.OgnError
        assert (str(twin), twin.reason) == (str(error), error.reason)
        assert (twin.field, twin.line, twin.column) == ("ogn", error.line, error.column)
        assert twin.records == [only(EXAMPLE)]


def test_random_damage_gives_an_ogn_error_or_a_record() -> None:
    """Random damage gives an ogn error or a record."""
    rng = random.Random(5)
    signs = 'AFaf-+1.{}()[]"\\%*;$!? \n26-22x'
    for seed in range(300):
        text = list(ogn.dumps(random_record(seed % 40)))
        for _ in range(rng.randrange(1, 6)):
            text[rng.randrange(len(text))] = rng.choice(signs)
        damaged = "".join(text)
        errors: list[ogn.OgnError] = []
        for record in ogn.loads(damaged, errors=errors):
            assert only(ogn.dumps(record)) == record
        assert all(error.line >= 1 and error.column >= 1 for error in errors)


def test_a_line_or_a_game_too_long_to_be_true_is_given_up(tmp_path: Path) -> None:
    """What comes before is read; many games in one file are no matter."""
    path = tmp_path / "x.ogn"
    path.write_text("1. F *\n\n" + "\0" * 4_000_001 + "\n1. A *\n")
    games = ogn.read(path)
    assert next(games).line.letters == "F"
    with pytest.raises(ogn.OgnError, match="line of more than 4000000 characters") as raised:
        next(games)
    assert (raised.value.line, raised.value.column) == (3, 1)
    errors: list[ogn.OgnError] = []
    assert len(list(ogn.read(path, errors=errors))) == 1
    assert len(errors) == 1
    comments = "{ " + "x" * 999_000 + " }\n"
    with pytest.raises(ogn.OgnError, match="game of more than 4000000 characters"):
        ogn.loads("1. F\n" + 5 * comments + "*")
    assert len(ogn.loads(5 * ("1. F\n" + comments + "*\n"))) == 5


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device that never ends")
def test_a_device_is_no_file() -> None:
    """By any name."""
    with pytest.raises(wari.InvalidValueError, match="is a device"):
        next(ogn.read("/dev/zero"))
