"""The file of a match: what is counted again, what was cut off, and what is refused."""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

import pytest
import wari
from wari import ogn
from wari._files import held
from wari.cli import main
from wari.match import EngineCommand, Match, Overruns, Pace, Played, random_openings
from wari.match.log import text_of

RULES = wari.Rules.preset("abapa")
FIRST, SECOND = EngineCommand("wari Hash=1", ("one",)), EngineCommand("wari Hash=2", ("two",))
OPENINGS = random_openings(RULES, 4)


def match_at(path: Path, games: int = 4, openings: list[str] | None = None) -> Match:
    """A match of that file; its engines are never started."""
    return Match(FIRST, SECOND, Pace(depth=2), RULES, openings or OPENINGS, games, path)


def texts(match: Match, numbers: range = range(3)) -> list[str]:
    """Games as they stand in a file: of few moves, with a fault in the last."""
    found = []
    for number in numbers:
        game = wari.Game.replay(match.openings[number // 2], RULES)
        rng = random.Random(number)
        for _ in range(3):
            game.push(rng.choice(game.legal_moves()))
        fault = None
        if number == 2:
            game.lose_on_time("S")
            fault = "wari Hash=1: lost on time, 0.250 s over"
        else:
            game.agree()
        result = game.result
        assert result is not None
        ends = (result.south, result.north, result.winner)
        overruns = (Overruns(number, 0.25), Overruns()) if number else (Overruns(), Overruns())
        played = Played(number, number % 2 == 0, *ends, fault, overruns)
        found.append(text_of(match._settings, played, game))
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three games."""
    path = tmp_path / "games.ogn"
    path.write_bytes("\n".join(texts(match_at(path))).encode())
    return path


def counted(path: Path) -> dict[int, Played]:
    """What is counted of a file."""
    match = match_at(path)
    match.resume()
    return match.played


def refused(path: Path, games: int = 4, field: str = "file") -> str:
    """The words with which a file is refused; it stays as it was."""
    before = path.read_bytes()
    match = match_at(path, games)
    with pytest.raises(wari.InvalidValueError) as caught:
        match.resume()
    assert (caught.value.field, match.played, path.read_bytes()) == (field, {}, before)
    return str(caught.value)


def test_what_was_written_is_counted(path: Path) -> None:
    """With its faults and overruns, and as any other OGN."""
    before = path.read_bytes()
    played = counted(path)
    assert list(played) == [0, 1, 2]
    assert played[2].fault == "wari Hash=1: lost on time, 0.250 s over"
    assert played[2].overruns == (Overruns(2, 0.25), Overruns())
    assert played[1].overruns == (Overruns(1, 0.25), Overruns())
    assert (played[2].result, played[2].points) == ("0-1", 0.0)
    assert path.read_bytes() == before
    records = list(ogn.read(path))
    assert [record.notes for record in records] == [[], [], []]
    assert [record.tags["Result"] for record in records] == [
        game.result for game in played.values()
    ]
    assert records[2].tags["SouthOverruns"] == records[1].tags["NorthOverruns"][:0] + (
        "2, at most 0.250 s"
    )


def test_no_flipped_bit_changes_what_is_counted(path: Path) -> None:
    """A damaged game is refused with its place, or taken for a beginning and played again."""
    right, data = counted(path), path.read_bytes()
    rng = random.Random(5)
    refusals = 0
    for at in range(0, len(data), 5):
        damaged = bytearray(data)
        damaged[at] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        match, words = match_at(path), ""
        try:
            match.resume()
        except wari.InvalidValueError as error:
            words = str(error)
        if words:
            refusals += 1
            assert re.search(r"line \d+: game [123] is |holds no game of this match", words)
            assert path.read_bytes() == bytes(damaged)
        else:
            assert match.played.items() <= right.items()
            assert set(match.played) >= {0, 1}  # only of the last game a beginning may be there
    assert refusals > len(data) / 5 * 0.95


@pytest.mark.parametrize(
    ("game", "old", "new", "words"),
    [
        (1, '[South "wari Hash=1"]', '[South "wari Hash=3"]', "South is 'wari Hash=3', not 'wari"),
        (2, '[South "wari Hash=2"]', '[South "wari Hash=1"]', "South is 'wari Hash=1', not 'wari"),
        (2, '[North "wari Hash=1"]', '[North ""]', "North is '', not 'wari Hash=1'"),
        (2, '[Round "2"]', '[Round "6"]', "Round is '6', not '2'"),
        (2, '[Round "2"]', '[Round "1"]', "Round is '1', not '2'"),
        (2, '[Round "2"]', '[Round "\u00b2"]', r"Round is '\xb2', not '2'"),
        (2, '[Round "2"]', '[Round "\u0662"]', r"Round is '\u0662', not '2'"),
        (2, '[Round "2"]', '[Round "0"]', "Round is '0', not '2'"),
        (2, '[Round "2"]', '[Round "9999999999999"]', "Round is '9999999999999', not '2'"),
        (2, '[Round "2"]\n', "", "Round is '?', not '2'"),
        (3, '[Result "0-1"]', '[Result "1-0"]', "Result is '1-0', not '0-1'"),
        (3, "time of South", "time of North", "Result is '0-1', not '1-0'"),
        (1, "2 plies", "3 plies", "Pace is '3 plies a move', not '2 plies a move'"),
        (1, '[Event "wari', '[Event "Wari', "Event is 'Wari Hash=1 against wari Hash=2', not"),
        (2, '[Plies "11"]', '[Plies "13"]', "Plies is '13', not '11'"),
        (2, "0.250 s", "0.150 s", "its moves, or a tag that only the game determines"),
        (3, "0.250 s over", "0.150 s over", "its moves, or a tag that only the game determines"),
        (2, "[Check ", "[Cheque ", "the tag Check is missing"),
        (3, "0-1\n", "0-1 { added }\n", "its moves, or a tag that only the game determines"),
        (3, "0-1\n", "0-1\nhello\n", "line LAST, column 1: "),
        (3, "0-1\n", "0-1\nhello", "line LAST, column 1: "),
        (3, "0-1\n", "0-1\n1. F *\n", "there are 2 games, or words after the result"),
    ],
)  # fmt: skip
def test_damage_is_named_with_game_and_field(
    path: Path, game: int, old: str, new: str, words: str
) -> None:
    """Never counted in silence, never a traceback."""
    games = path.read_text(encoding="utf-8").split("\n\n[Variant")
    line = 1 + sum(one.count("\n") + 2 for one in games[: game - 1])
    head, found, tail = games[game - 1].rpartition(old)
    assert found
    games[game - 1] = head + new + tail
    text = "\n\n[Variant".join(games)
    path.write_text(text, encoding="utf-8")
    words = words.replace("LAST", str(len(text.splitlines())))
    assert f"games.ogn, line {line}: game {game} is damaged: {words}" in refused(path)


def signed(text: str) -> str:
    """A game with the check sum that its text should have."""
    bare = re.sub(r'\[Check "\w+"\]\n', "", text)
    check = hashlib.sha256(bare.encode()).hexdigest()[:16]
    return re.sub(r'(\[Check )"\w+"', rf'\1"{check}"', text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('[Round "1"]', '[Round "\u00b2"]', "game 1 is damaged: it has no Round"),
        ('[Round "1"]', '[Round "0"]', "game 1 is damaged: it has no Round"),
        ('[Round "1"]', "", "game 1 is damaged: it has no Round"),
        ('[Termination "agreement"]\n', "", "game 1 is damaged: it is not over"),
        ('[Round "1"]', '[Round "4"]', "game 1 is of another match: it begins with"),
    ],
)
def test_a_right_check_sum_is_not_enough(path: Path, old: str, new: str, words: str) -> None:
    """Who makes one by hand gets no traceback either."""
    first, *others = texts(match_at(path))
    assert signed(first) == first
    changed = signed(re.sub(r"\d+-\d+\n$", "*\n", first) if "over" in words else first)
    changed = signed(changed.replace(old, new))
    path.write_text("\n".join([changed, *others]), encoding="utf-8")
    assert words in refused(path)


def test_a_game_twice_is_refused(path: Path) -> None:
    """As two matches would have left it that wrote at once."""
    one, two, _ = texts(match_at(path))
    path.write_text("\n".join([one, two, one]))
    assert "game 3 is damaged: Round 1 was there before" in refused(path)


@pytest.mark.parametrize("tail", ["\n", "\n\n\n", "\n[", "\n[Var", "\0" * 5000, "\n\n\0\0"])
def test_what_a_crash_leaves_behind_a_whole_game_is_taken_away(path: Path, tail: str) -> None:
    """Empty lines, zeros, the very beginning of the next game."""
    text = path.read_text()
    path.write_text(text + tail)
    assert list(counted(path)) == [0, 1, 2]
    assert path.read_text() == text


def test_a_beginning_of_a_game_is_taken_away(path: Path) -> None:
    """Wherever it ends, and whatever zeros are behind it; that of another match is not."""
    one, two, three = texts(match_at(path))
    other = three.replace('[Match "', '[Match "0')
    for end in range(1, len(three), 9):
        path.write_text("\n".join([one, two, three[:end]]) + "\0" * (end % 2))
        assert list(counted(path)) == [0, 1]
        assert path.read_text() == f"{one}\n{two}"
        if '[Match "0' in other[:end] and '"]' in other[other.index("[Match") : end]:
            path.write_text("\n".join([one, two, other[:end]]))
            assert "game 3 is damaged" in refused(path)


def test_lines_may_end_as_on_windows(path: Path) -> None:
    """As editors and version control leave them."""
    right = counted(path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert counted(path) == right


def test_more_games_go_on_and_fewer_are_refused(path: Path) -> None:
    """The settings are the same, only the number of openings has grown."""
    more = match_at(path, 20, random_openings(RULES, 10))
    more.resume()
    assert list(more.played) == [0, 1, 2]
    words = f"games: {path} has game 3 already, ask for as many at least"
    assert refused(path, games=2, field="games") == words
    assert list(match_at(path, 3).played) == []


def test_another_match_is_refused_with_the_difference(path: Path) -> None:
    """In pace, in names, in openings, in options."""
    for match, words in (
        (Match(FIRST, SECOND, Pace(depth=3), RULES, OPENINGS, 4, path), "Pace is '2 plies a move'"),
        (Match(SECOND, FIRST, Pace(depth=2), RULES, OPENINGS, 4, path), "Event is 'wari Hash=1 ag"),
        (match_at(path, 4, OPENINGS[::-1]), "it begins with"),
        (
            Match(EngineCommand(FIRST.name, ("one",), {"Hash": "9"}), SECOND, *vars_of(path)),
            "its rules, or the engines' commands or options, are others",
        ),
    ):
        before = path.read_bytes()
        with pytest.raises(wari.InvalidValueError, match="game 1 is of another match") as caught:
            match.resume()
        assert words in str(caught.value)
        assert path.read_bytes() == before


def vars_of(path: Path) -> tuple[Pace, wari.Rules, list[str], int, Path]:
    """The rest of the usual match."""
    return Pace(depth=2), RULES, OPENINGS, 4, path


@pytest.mark.parametrize("text", ["hello", "\n", "F f *", '[Variant "Wari"]\n'])
def test_what_is_no_file_of_ours_is_refused(path: Path, text: str) -> None:
    """And stays as it is."""
    path.write_text(text)
    assert "holds no game of this match" in refused(path)


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    """As is the beginning of its first game, or what a crash leaves instead."""
    head = texts(match_at(path))[0][:70]
    for text in ("", head, head[:5], "\0" * 10):
        path.write_text(text)
        assert counted(path) == {}
        assert path.read_bytes() == b""


def test_a_device_is_no_file_of_games() -> None:
    """It keeps nothing."""
    with pytest.raises(wari.InvalidValueError, match="^file: /dev/null is no file of games"):
        match_at(Path("/dev/null")).run()


def test_a_folder_that_is_not_there_is_told_before_the_first_game(tmp_path: Path) -> None:
    """No game is played that could not be kept."""
    path = tmp_path / "nowhere" / "games.ogn"
    with pytest.raises(wari.StorageError) as caught:
        match_at(path).run()
    assert caught.value.filename == str(path)


def test_two_matches_with_one_file(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second is refused, and the file is as it was; a link to it is the same file."""
    before = path.read_bytes()
    link = path.with_name("link.ogn")
    link.symlink_to(path)
    with held(path) as alone:
        assert alone
        for name in (path, link):
            for call in (match_at(name).resume, match_at(name).run):
                with pytest.raises(wari.BusyError, match="another match is played with it"):
                    call()
            assert main(["match", "wari", "wari Hash=1", "--output", str(name)]) == 2
            assert capsys.readouterr() == (
                "",
                f"wari: error: file: {name}: another match is played with it\n",
            )
    assert path.read_bytes() == before
    match_at(path).resume()
    assert sorted(one.name for one in path.parent.iterdir()) == ["games.ogn", "link.ogn"]
