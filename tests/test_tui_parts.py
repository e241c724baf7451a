"""The parts of the full screen: the board's drawing, sowings, clocks, searches, the layout."""

import itertools
import random
import time

import pytest
import wari
from tui_tools import Ponderer, Seat, sit
from wari.cli.board import Span, plain
from wari.cli.clock import Budget, Clock, budget
from wari.cli.language import LANGUAGES, speaking, tr
from wari.cli.sitting import Sown
from wari.cli.tui import texts
from wari.cli.tui.dialogs import TEXT_WIDTH
from wari.cli.tui.editor import moved
from wari.cli.tui.picture import HEIGHT, LETTERS, STORES, WIDTH, Picture, draw, spot
from wari.cli.tui.sowing import steps
from wari.cli.tui.thinking import Thinker
from wari.cli.tui.widgets import Keys, Lines


@pytest.mark.parametrize("rules", [*wari.PRESETS, "wari,sowing=clockwise"])
def test_the_steps_of_a_sowing_lose_no_seed_and_end_where_the_core_does(rules: str) -> None:
    rng = random.Random(3)
    for _ in range(5):
        game = wari.Game(rules)
        while not game.is_over and len(game) < 120:
            before, move = game.position, rng.choice(game.legal_moves())
            captured = game.push(move)
            shown = list(steps(Sown(before.side, move, captured, before, game.position)))
            for step in shown:
                assert sum(step.pits) + sum(step.stores) + step.hand == before.total
            assert (shown[-1].pits, shown[-1].stores) == (game.position.pits, game.position.stores)
            assert sum(shown[-1].taken.values()) == captured
            changes = [
                sum(a != b for a, b in zip(one.pits, two.pits, strict=True))
                for one, two in itertools.pairwise(shown)
            ]
            assert all(number <= 1 for number in changes[:-1]), "one pit at a time"


def test_every_point_of_the_board_belongs_to_what_is_drawn_there() -> None:
    picture = Picture(tuple(range(1, 13)), (20, 7), legal="ABCDEF", cursor="B", last="c")
    for view in "SN":
        lines = plain(draw(Picture(**{**vars(picture), "view": view})))
        assert len(lines) == HEIGHT
        assert max(map(len, lines)) <= WIDTH
        for y in (0, HEIGHT - 1):
            for x, sign in enumerate(lines[y]):
                if sign in LETTERS:
                    assert spot(x, y, view) == sign
        assert {spot(0, 5, view), spot(WIDTH - 1, 5, view)} == set(STORES.values())
    assert spot(-1, 3, "S") == spot(3, HEIGHT, "S") == ""
    full = plain(draw(Picture((96,) * 12, (96, 96), values=dict.fromkeys(LETTERS, "+12.5"))))
    assert {len(line.ljust(WIDTH)) for line in full} == {WIDTH}


def test_arrows_reach_every_pit_and_store() -> None:
    for view in "SN":
        seen = {"A"}
        while True:
            keys = ("left", "right", "up", "down")
            more = {moved(place, key, view, stores=True) for place in seen for key in keys}
            if more <= seen:
                break
            seen |= more
        assert seen == {*LETTERS, *STORES.values()}


# --- the clock ----------------------------------------------------------------------------------


class Watch:
    """A watch that is set by hand."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_a_clock_counts_adds_and_takes_back() -> None:
    watch = Watch()
    clock = Clock({"S": Budget(1, 2), "N": Budget(0.1, 0)}, watch)
    clock.run("S")
    watch.time += 15
    assert clock.left("S") == 45
    clock.press("S")
    watch.time += 100
    assert (clock.text("S"), clock.text("N")) == ("0:47", "0:06.0"), "both stand still"
    clock.run("N")
    watch.time += 7
    assert clock.left("N") == -1
    assert clock.text("N") == "0:00.0"
    clock.take_back(1)
    assert (clock.left("S"), clock.left("N"), clock.running) == (45, 6, "")


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "5+", "+3", "1e3", "5+x", "nan", "99999999", "1+1+1"]
)
def test_what_is_no_budget(text: str) -> None:
    assert budget(text) is None
    assert budget("0.5+1.5") == Budget(0.5, 1.5)


@pytest.mark.parametrize("opponent", [None, Ponderer()], ids=["person", "engine"])
def test_time_is_lost(opponent: Ponderer | None) -> None:
    watch = Watch()
    clock = Clock({"S": Budget(1, 0), "N": Budget(1, 0)}, watch)

    async def play(seat: Seat) -> None:
        assert "1:00" in seat.board()
        await seat.press("c")
        watch.time += 61
        await seat.until(lambda: seat.table.sitting.game.is_over)
        await seat.pilot.pause()
        assert "South wins" in seat.text("turn")
        assert wari.ENDINGS["time"] in seat.text("turn")
        await seat.press("u")
        assert not seat.table.sitting.game.is_over

    sit(play, opponent=opponent, clock=clock)


# --- layout in every language -------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_on_80_columns_and_24_lines(language: str) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c", "h")
        await seat.until(lambda: seat.table.analysis is not None)
        assert seat.shown().splitlines()[23] == seat.table.screen.query_one(Keys).words
        assert len(texts.keys()) == seat.shown().splitlines()[23].count("  ") + 1
        assert seat.table.screen.query_one(Keys).region.y == 23
        below = seat.table.screen.query_one("#below")
        assert below.region.bottom <= 23
        assert below.region.height >= texts.LEAST_LINES
        for name in ("head", "turn", "said"):
            assert len(seat.text(name)) <= 78, name
        for keys, name in ((["n"], "form"), (["p"], "words"), (["?"], "text")):
            await seat.press(*keys)
            screen = seat.table.screen
            for lines in screen.query(Lines):
                assert all(len(row) <= 78 for row in lines.words.splitlines()), name
                assert lines.region.bottom <= 24
                assert all(row.strip() in seat.shown() for row in lines.words.splitlines()), name
            shown = seat.shown().splitlines()
            for found in screen.query(Keys):
                assert found.words.strip() in shown[found.region.y], name
                assert (tr("Enter") in found.words) == ("Enter" in found._places[0]), name
            await seat.press("escape")
        assert all(len(row) <= 80 for row in seat.shown().splitlines())

    sit(play, game=wari.Game("nostarve"), language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_fits_its_line(language: str) -> None:
    """The help, the tips, and the longest of refusals and endings."""
    with speaking(language):
        for lines in (texts.help_lines(), texts.tips()):
            width = TEXT_WIDTH if lines[0][0].style == "legal" else 50
            assert all(len(row) <= width for row in plain(lines)), plain(lines)


# --- searches in threads ------------------------------------------------------------------------


class Slow:
    """A search that ends when it is told to."""

    def __init__(self) -> None:
        self.stopped = True

    def prepare(self) -> None:
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def work(self) -> str:
        while not self.stopped:
            time.sleep(0.001)
        return "done"


def test_what_a_text_of_a_file_would_command_is_written_out() -> None:
    """Names of files and messages about them may hold anything."""
    words = Lines("odd", [[Span("no \x1b[31mred\x07\u202e"), Span(" ñ\u00a0")]]).words
    assert words == r"no \x1b[31mred\x07\u202e" + " ñ\u00a0"


def test_answers_of_searches_that_were_called_off_are_never_heard() -> None:
    heard: list[object] = []
    thinker = Thinker(lambda act: act())
    for _ in range(50):
        slow = Slow()
        thinker.start(slow, slow.work, heard.append, heard.append)
        thinker.call_off()
    thinker.end()
    assert heard == []
    assert not thinker.busy


def test_a_failing_search_is_told() -> None:
    heard: list[object] = []
    thinker = Thinker(lambda act: act())

    def fail() -> object:
        raise wari.NotEnoughMemoryError("hash_mb: no memory")

    thinker.start(Slow(), fail, lambda _: None, heard.append)
    assert thinker._thread is not None
    thinker._thread.join(10)
    assert [str(error) for error in heard] == ["hash_mb: no memory"]
