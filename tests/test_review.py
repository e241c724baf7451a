"""Reviews: a known blunder is found, every game can be reviewed, and every report says the same."""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import wari
from cli_tools import Terminal, call
from ogn_cases import random_game
from wari import ogn
from wari.review import Review, annotated, as_data, page, review, text_report
from wari.review.reports import graph

DATA = Path(__file__).with_name("data") / "awari_games_1_to_4.csv"
WARI = [sys.executable, "-m", "wari", "review"]
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def published(game: str, first: int, last: int) -> tuple[wari.Game, list[int]]:
    """Plies of a published game, and the exact values from the side to move."""
    with DATA.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["game"] == game][first : last + 1]
    played = wari.Game(start=wari.Position.parse(rows[0]["position"], "awari"))
    for row in rows[:-1]:
        move = row["played"]
        played.push(move if played.position.side == "S" else move.lower())
    return played, [int(row["value"]) for row in rows]


@pytest.fixture(scope="module")
def blunder() -> tuple[ogn.Record, Review]:
    """The second game from ply 64 on; at ply 69 the published values say that C gives away 6."""
    game, values = published("2", 64, 76)
    lost = [before + after for before, after in itertools.pairwise(values)]
    assert max(lost) == lost[5] == 6
    record = ogn.Record.from_game(game, {"South": "Ana <b>", "North": "Brais & Co"})
    with wari.Engine(threads=1, hash_mb=32) as engine:
        return record, review(game, engine, nodes=150_000)


def test_the_published_blunder_is_found(blunder: tuple[ogn.Record, Review]) -> None:
    """As the gravest fault of the game, with the published better move."""
    _, found = blunder
    worst = max(found.moves, key=lambda move: move.lost)
    assert (worst.ply, worst.move, worst.kind) == (6, "c", "blunder")
    assert worst.best_move == "f"
    assert 4 <= worst.lost <= 9
    assert found.count("N", "blunder") >= 1
    accuracy = {side: found.accuracy(side) for side in "SN"}
    assert accuracy["S"] is not None
    assert accuracy["N"] is not None
    assert accuracy["N"] < accuracy["S"] <= 100


@pytest.mark.parametrize("games", [20, pytest.param(40, marks=pytest.mark.slow)])
def test_any_game_can_be_reviewed(games: int) -> None:
    """Every preset, passes, ends by players, starts of any kind; and the sums are right."""
    calls: list[tuple[int, int]] = []
    with wari.Engine(threads=1, hash_mb=4) as engine:
        for seed in range(games):
            game = random_game(seed)
            calls.clear()
            found = review(game, engine, depth=1, progress=lambda *done: calls.append(done))
            assert found.game == game
            assert "".join(move.move for move in found.moves) == "".join(game.moves)
            assert len(found.scores) == len(game) + 1
            assert calls == [(done, len(game)) for done in range(len(game) + 1)]
            for move in found.moves:
                assert move.lost == move.best_value - move.value >= 0
                assert move.move in move.position.legal_moves()
                assert move.best_move in move.position.legal_moves()
                assert not (move.move == move.best_move and move.lost)
                assert not (move.forced and move.lost)
            for side in "SN":
                given = [m.lost for m in found.moves if m.side == side and not m.forced]
                worth = [100 * math.exp(-seeds / 3) for seeds in given]
                accuracy = found.accuracy(side)
                assert accuracy == (pytest.approx(statistics.mean(worth)) if worth else None)
            record = ogn.Record.from_game(game)
            text_report(record, found)
            json.dumps(as_data(record, found))
            page([(record, found)])
            again = ogn.loads(ogn.dumps(annotated(record, found)))[0]
            assert again.notes == []
            assert again.game() == game


def test_the_end_of_a_game_is_worth_its_result() -> None:
    """And a stop by majority what the seeds on the board bring on top."""
    with wari.Engine(threads=1, hash_mb=4) as engine:
        stuck = wari.Game.replay("F", "nostarve", "0-0-0-0-0-1-0-0-0-0-0-0-23-24-S")
        stopped = wari.Game.replay("F", "awari", "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S")
        for game, score, value in ((stuck, -2, -2), (stopped, 6, 10)):
            assert game.is_over
            found = review(game, engine, depth=12)
            assert found.scores[-1] == score
            assert found.moves[-1].value == value
            assert found.moves[-1].lost == 0


def test_an_end_that_is_not_the_first_choice_is_judged_by_its_result() -> None:
    """Two moves that end the game and are worth the same: whichever is played is no fault."""
    with wari.Engine(threads=1, hash_mb=4) as engine:
        for move in "EF":
            game = wari.Game.replay(move, "awari", "0-0-0-0-2-1-1-0-0-0-0-0-20-20-S")
            (judged,) = review(game, engine, depth=12).moves
            assert (judged.value, judged.lost, judged.exact, judged.best_move) == (4, 0, True, move)


def test_a_game_that_is_over_before_its_first_move_has_a_score() -> None:
    with wari.Engine(threads=1, hash_mb=4) as engine:
        found = review(wari.Game("cairo", "1-1-0-3-1-1-0-0-0-0-0-0-20-21-N"), engine, depth=4)
    assert found.moves == ()
    assert found.scores == (6,)


def test_the_text_tells_faults_and_better_lines(blunder: tuple[ogn.Record, Review]) -> None:
    """Within 80 columns."""
    lines = text_report(*blunder)
    assert lines[0] == "South (Ana <b>) against North (Brais & Co), awari"
    assert any(re.match(r" +3\.\.\. c  blunder, gives away \d.* better f", line) for line in lines)
    assert all(len(line) <= 80 for line in lines)
    assert all(line.isascii() for line in text_report(*blunder, ascii_only=True))


def test_the_graph_goes_up_for_south_and_down_for_north() -> None:
    """Zero is in the middle; long games share columns."""
    rows = graph([0.0, 8.0, -8.0, None], ascii_only=True)
    assert [row[6:7].strip() for row in rows[:9]] == ["#"] * 4 + ["-"] + [""] * 4
    assert [row[7:8].strip() for row in rows[:9]] == [""] * 4 + ["-"] + ["#"] * 4
    assert (rows[0][:4].strip(), rows[4][:4].strip(), rows[8][:4].strip()) == ("+8", "0", "-8")
    assert all(len(row) <= 80 for row in graph([1.0] * 500))
    assert [graph([0.0] * many)[-1] for many in (1, 2, 3)] == [" ply 0", " ply 0 1", " ply 0 2"]


def test_annotations_are_comments_and_variations(blunder: tuple[ogn.Record, Review]) -> None:
    """The game stays as it was, and the better line is legal."""
    record, found = blunder
    again = ogn.loads(ogn.dumps(annotated(record, found)))[0]
    assert again.notes == []
    assert again.line.letters == record.line.letters
    move = again.line.moves[5]
    assert move.comments[0].startswith("blunder, gives away ")
    assert move.variations[0].letters.startswith("f")
    assert again.tags["Annotator"] == "wari"
    assert record.line.moves[5].after == []


class Names(HTMLParser):
    """The elements of a page, and that they are closed."""

    VOID = ("meta", "link")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes an element."""
        self.seen.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in self.VOID and not self.get_starttag_text().endswith("/>"):  # type: ignore[union-attr]
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Closes the last one."""
        if tag not in ("circle", "rect", "path", "polygon", "polyline"):
            assert self.open.pop() == tag


def test_the_page_needs_nothing_else(blunder: tuple[ogn.Record, Review]) -> None:
    """No script, no link but the empty icon; names are escaped; every element is closed."""
    text = page([blunder, blunder])
    names = Names()
    names.feed(text)
    names.close()
    assert names.open == []
    assert names.links == ["data:,"]
    assert "script" not in names.seen
    assert re.findall(r"https?://[^\"]*", text.replace("http://www.w3.org/2000/svg", "")) == []
    assert "<b>)" not in text
    assert "Ana &lt;b&gt;" in text
    faults = len(blunder[1].faults)
    assert names.seen.count("svg") == 2 * (2 + faults)


def dom_in_browser(path: Path, profile: Path) -> str:
    """What a browser makes of a file, which must not have it complain."""
    assert CHROMIUM is not None
    quiet = ("--disable-quic", "--disable-sync", "--disable-background-networking")
    first = ("--disable-component-update", "--no-first-run", f"--user-data-dir={profile}")
    done = subprocess.run(
        [CHROMIUM, *FLAGS, *quiet, *first, "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in done.stderr
    return done.stdout


@pytest.mark.process
@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser")
@pytest.mark.parametrize("picture", ["board", "plot"])
def test_a_picture_of_its_own_in_a_browser(tmp_path: Path, picture: str) -> None:
    """As a file that is nothing but SVG: well-formed, as large as it says, every text inside it."""
    if picture == "board":
        game = wari.Game.replay("FfEd", "abapa")
        shown = wari.svg.board(game.position, last_move="d", arrows=["A"], values={"A": -1.5})
    else:
        shown = wari.svg.plot([0.0, 4.0, None, -8.0], marks=[wari.svg.Mark(1, "blunder", "<&>")])
    probe = """<script><![CDATA[
        const box = node => node.getBoundingClientRect();
        const root = document.documentElement, whole = box(root);
        const inside = [...document.querySelectorAll('text')].map(box).filter(b => b.width > 0
            && b.left >= whole.left && b.right <= whole.right
            && b.top >= whole.top && b.bottom <= whole.bottom).length;
        root.setAttribute('data-seen', [whole.width, whole.height, inside].join());
        ]]></script></svg>"""
    path = tmp_path / "picture.svg"
    assert shown.count("</svg>") == 1
    path.write_text(shown.replace("</svg>", probe), encoding="utf-8")
    dom = dom_in_browser(path, tmp_path / "profile")
    assert "parsererror" not in dom
    seen = re.search('data-seen="([^"]*)"', dom)
    assert seen is not None
    width, height, inside = map(float, seen[1].split(","))
    assert width > 300
    assert height > 100
    assert inside == shown.count("<text")


@pytest.mark.process
@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser")
def test_the_page_in_a_browser(tmp_path: Path, blunder: tuple[ogn.Record, Review]) -> None:
    """No error on the console, and the boards have a size."""
    path = tmp_path / "review.html"
    probe = (
        "<script>addEventListener('load', () => { document.title = [...document.querySelectorAll("
        "'svg')].map(s => s.getBoundingClientRect()).map(b => `${b.width > 300 && b.height > 100}`"
        ").join() })</script></body>"
    )
    path.write_text(page([blunder]).replace("</body>", probe), encoding="utf-8")
    dom = dom_in_browser(path, tmp_path / "profile")
    title = re.search("<title>(.*?)</title>", dom)
    assert title is not None
    assert set(title[1].split(",")) == {"true"}
    assert title[1].count("true") == 2 + len(blunder[1].faults)


# --- the command ---------------------------------------------------------------------------------


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """`wari review` with a small search, in this process."""
    words = ("review", *map(str, arguments), "--depth", "4", "--threads", "1", "--hash", "4")
    done = call(*words)
    return subprocess.CompletedProcess(words, done.code, done.out, done.err)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with two games."""
    path = tmp_path_factory.mktemp("review") / "games.ogn"
    records = [
        ogn.Record.from_game(wari.Game.replay(moves, "abapa"), {"South": name})
        for moves, name in (("FfEdAaBb", "Ana"), ("AaBb", "Uxia"))
    ]
    records[0].line.moves[0].after.append("kept")
    ogn.write(records, path)
    return path


def test_reports_on_standard_output(games: Path) -> None:
    """In each format, of every game or of one."""
    text = run(games)
    assert (text.returncode, text.stderr) == (0, "")
    assert "South (Ana) against North, abapa" in text.stdout
    assert "South (Uxia) against North, abapa" in text.stdout
    data = json.loads(run(games, "--json").stdout)
    assert (data["schema"], data["version"]) == ("wari.review", 1)
    assert [game["moves"] for game in data["games"]] == ["FfEdAaBb", "AaBb"]
    assert [judged["ply"] for judged in data["games"][1]["judged"]] == [1, 2, 3, 4]
    again = ogn.loads(run(games, "--format", "ogn", "--game", "1").stdout)
    assert [record.line.letters for record in again] == ["FfEdAaBb"]
    assert again[0].line.moves[0].comments[0] == "kept"
    assert run(games, "--format", "html").stdout.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("ending", ["txt", "ogn", "json", "html"])
def test_reports_in_files(games: Path, tmp_path: Path, ending: str) -> None:
    """The ending of the name gives the format."""
    path = tmp_path / f"report.{ending}"
    done = run(games, "--output", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    begins = {"txt": "South (Ana)", "ogn": "[Variant", "json": "{", "html": "<!DOCTYPE"}
    assert path.read_text().startswith(begins[ending])


@pytest.mark.parametrize("ending", ["txt", "ogn", "json", "html"])
def test_only_a_review_is_written_over(games: Path, tmp_path: Path, ending: str) -> None:
    """Of the same format; the reviewed file, under any name, and others are left as they are."""
    path = tmp_path / f"report.{ending}"
    foreign = {
        "txt": "milk\n",
        "ogn": games.read_text(),
        "json": "{}",
        "html": "<!DOCTYPE html>\n<html></html>",
    }
    path.write_text(foreign[ending])
    done = run(games, "--output", path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "output: " in done.stderr
    assert "holds no review" in done.stderr
    assert path.read_text() == foreign[ending]
    path.unlink()
    assert run(games, "--output", path).returncode == 0
    written = path.read_bytes()
    path.write_bytes(written)
    assert run(games, "--output", path, "--game", "1").returncode == 0
    assert path.read_bytes() != written
    path.unlink()
    path.symlink_to(games)
    before = games.read_bytes()
    done = run(games, "--output", path)
    assert done.returncode == 2
    assert "is the file that is reviewed" in done.stderr
    assert games.read_bytes() == before


ODD = '[South "\x1b]0;pwn\x07\x1b[31mred\u202e"]\n[Event "\x9b2J"]\n\n1. F { \x1b[2J } f *\n'


@pytest.mark.parametrize("form", ["text", "html", "json"])
def test_names_in_a_file_command_nothing(tmp_path: Path, form: str) -> None:
    """Escape sequences and marks that turn the direction are shown as what they are."""
    path = tmp_path / "odd.ogn"
    path.write_text(ODD, encoding="utf-8")
    done = run(path, "--format", form)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(letter == "\n" or letter.isprintable() for letter in done.stdout)
    if form != "json":
        assert r"South (\x1b]0;pwn\x07\x1b[31mred\u202e) against North" in done.stdout


@pytest.mark.process
def test_ogn_is_whole_for_programs_and_escaped_for_people(tmp_path: Path) -> None:
    """Into a pipe as it is, on a terminal with its control characters written out."""
    path = tmp_path / "odd.ogn"
    path.write_text(ODD, encoding="utf-8")
    (again,) = ogn.loads(run(path, "--format", "ogn").stdout)
    assert again.tags["South"] == ogn.first(ODD).tags["South"]
    words = ("review", str(path), "--format", "ogn", "--depth", "1", "--threads", "1")
    with Terminal(*words) as terminal:
        terminal.expect("Accuracy")
        assert terminal.code() == 0
    assert r"{ \x1b[2J }" in terminal.text
    assert "\x1b]0;" not in terminal.raw


def test_a_saved_game_of_wari_play_can_be_reviewed(tmp_path: Path) -> None:
    """JSON, whatever the file is called."""
    path = tmp_path / "game"
    wari.Game.replay("FfEd", "ouri").save(path)
    assert "South against North, ouri" in run(path).stdout


def test_games_before_a_fault_are_reviewed(tmp_path: Path) -> None:
    """And no more is read than the game asked for needs."""
    path = tmp_path / "two.ogn"
    path.write_text('[South "Ana"]\n1. F f *\n[South "Uxia"]\n1. F F *\n[South "Eva"]\n1. A *\n')
    done = run(path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "line 4, column 6: F is not legal here" in done.stderr
    assert done.stdout.startswith("South (Ana) against North")
    assert "Uxia" not in done.stdout
    one = run(path, "--game", "1")
    assert (one.returncode, one.stderr) == (0, "")
    assert run(path, "--game", "2").returncode == run(path, "--game", "3").returncode == 2


@pytest.mark.process
def test_the_games_may_come_from_a_pipe_and_the_report_go_into_one(tmp_path: Path) -> None:
    """Both kinds of files, with what old programs wrote in Latin-1; the pipe is read once."""
    saved = tmp_path / "game.json"
    wari.Game.replay("FfEd", "ouri").save(saved)
    for data, words in (
        ('[South "Uxía"]\n1. F f *\n'.encode("latin-1") + b"%" * 70_000, "South (Uxía) against"),
        (saved.read_bytes(), "South against North, ouri"),
    ):
        more = ["--output", "/dev/stdout", "--depth", "2", "--threads", "1", "--hash", "4"]
        done = subprocess.run(
            [*WARI, "/dev/stdin", *more], input=data, capture_output=True, timeout=120, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode().startswith(words)


def test_a_second_review_replaces_the_first(blunder: tuple[ogn.Record, Review]) -> None:
    """But nothing that people have written, or written into it."""
    record, found = blunder
    once = ogn.first(ogn.dumps(annotated(record, found)))
    assert annotated(once, found) == once
    first, *others = found.faults
    assert others
    once.line.moves[first.ply - 1].after.insert(0, "blunder? no")
    variation = once.line.moves[others[-1].ply - 1].variations[0]
    variation.moves[0].after.append("indeed")
    again = annotated(once, found)
    assert again.line.moves[first.ply - 1].after == once.line.moves[first.ply - 1].after
    assert len(again.line.moves[others[-1].ply - 1].variations) == 2


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("1. F f 2. F *", [], "line 1, column 11: F is not legal here"),
        ("", [], "holds no game"),
        ('{"format": "wari-game"}', [], "version"),
        ("1. F *", ["--game", "2"], "game: there are 1, not 2"),
        ("1. F *", ["--format", "pdf"], "format: expected one of text, ogn, json, html"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    tmp_path: Path, text: str, arguments: list[str], message: str
) -> None:
    """With the place."""
    path = tmp_path / "bad.ogn"
    path.write_text(text)
    done = run(path, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    missing = run(tmp_path / "missing.ogn")
    assert missing.returncode == 2
    assert "missing.ogn" in missing.stderr


@pytest.mark.process
def test_a_terminal_gets_a_progress_bar(games: Path) -> None:
    """Which is gone in the end."""
    with Terminal("review", str(games), "--depth", "2", "--threads", "1") as terminal:
        terminal.expect("plies")
        terminal.expect("South (Uxia) against North")
        assert terminal.code() == 0
    with Terminal("review", str(games), "--time", "60", "--threads", "1") as terminal:
        terminal.expect("plies")
        terminal.type("\x03")
        assert terminal.code() == 130
