"""The parts of the full screen: the board's drawing, sowings, clocks, searches, the layout."""

import itertools
import random
import textwrap
import threading
import time
from collections.abc import Callable
from typing import Any, cast

import pytest
import wari
from tui_tools import Ponderer, Seat, Watch, sit
from wari._threads import started
from wari.cli.board import Span, plain
from wari.cli.clock import Budget, Clock, budget
from wari.cli.game_session import Sown
from wari.cli.language import LANGUAGES, speaking, tr
from wari.cli.tui import texts
from wari.cli.tui.dialogs import TEXT_WIDTH
from wari.cli.tui.editor import moved
from wari.cli.tui.picture import LETTERS, STORES, Picture, draw, scale_for, spot
from wari.cli.tui.sowing import steps
from wari.cli.tui.thinking import Thinker
from wari.cli.tui.widgets import Keys, Lines, Sentences
from wari.cli.words import result_sentence

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("quick_engine")]
CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"


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


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (132, 43), (200, 60), (200, 24), (80, 60)])
def test_every_point_of_the_board_belongs_to_what_is_drawn_there(size: tuple[int, int]) -> None:
    scale = scale_for(*size)
    picture = Picture(tuple(range(1, 13)), (20, 7), legal="ABCDEF", cursor="B", last="c")
    for view in "SN":
        lines = plain(draw(Picture(**{**vars(picture), "view": view}), scale))
        assert len(lines) == scale.height
        assert max(map(len, lines)) <= scale.width
        for y in (0, scale.height - 1):
            for x, sign in enumerate(lines[y]):
                if sign in LETTERS:
                    assert spot(x, y, view, scale) == sign
        ends = {spot(0, 5, view, scale), spot(scale.width - 1, 5, view, scale)}
        assert ends == set(STORES.values())
    assert spot(-1, 3, "S", scale) == spot(3, scale.height, "S", scale) == ""
    values = dict.fromkeys(LETTERS, "+12.5")
    full = plain(draw(Picture((96,) * 12, (96, 96), values=values), scale))
    assert {len(line.ljust(scale.width)) for line in full} == {scale.width}


def test_every_seed_is_drawn_while_there_is_room_at_every_size() -> None:
    for size in ((80, 24), (100, 30), (132, 43), (200, 60)):
        for count in range(15):
            picture = Picture((count, *(0,) * 11), (0, 0))
            assert "".join(plain(draw(picture, scale_for(*size)))).count("●") == count


def test_the_board_grows_with_the_screen() -> None:
    """It takes most of the width, and leaves room for the words and lists beside it."""
    before = scale_for(80, 24)
    assert (before.width, before.height) == (78, 12)
    for columns, lines in ((100, 30), (132, 43), (200, 60)):
        scale = scale_for(columns, lines)
        assert scale.pit > before.pit
        assert scale.high > before.high
        assert columns - 11 < scale.width < columns
        assert scale.height >= lines // 2
        assert lines - scale.height >= 12
        before = scale
    wide, tall = scale_for(300, 24), scale_for(80, 80)
    assert wide.high == 5, "no flat pits, however wide the screen"
    assert wide.pit <= 11
    assert (tall.pit, tall.high) == (9, 6)


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
        await seat.until(lambda: seat.table.session.game.is_over)
        await seat.pilot.pause()
        assert "South wins" in seat.text("turn")
        assert wari.ENDINGS["time"] in seat.text("turn")
        await seat.press("u")
        assert not seat.table.session.game.is_over

    sit(play, opponent=opponent, clock=clock)


# --- layout in every language -------------------------------------------------------------------


def check_lines(seat: Seat) -> None:
    """Every line of words stands whole on the screen, and so does every key."""
    rows = seat.shown().splitlines()
    screen = seat.table.screen
    shown = "\n".join(rows)
    for lines in screen.query(Lines):
        assert lines.region.bottom <= len(rows)
        if isinstance(lines, Sentences):
            here = " ".join(row.strip(" │") for row in rows[lines.region.y : lines.region.bottom])
            assert " ".join(lines.words.split()) in " ".join(here.split()), lines.id
        else:
            most = 34 if lines.id == "hints" else 78  # lines of play may be cut, values may not
            for row in lines.words.splitlines():
                assert len(row) <= 78 or lines.id == "hints", lines.id
                assert row.strip()[:most] in shown, lines.id
    for keys in screen.query(Keys):
        assert keys.words.strip() in rows[keys.region.y]
        assert (tr("Enter") in keys.words) == ("Enter" in keys._places[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_on_80_columns_and_24_lines(language: str) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c", "h")
        await seat.until(lambda: seat.table.analysis is not None)
        check_lines(seat)
        table = seat.table
        assert table.screen.query_one(Keys).region.y == 23
        assert len(texts.keys()) == table.screen.query_one(Keys).words.count("  ") + 1
        below = table.screen.query_one("#below").region
        assert below.bottom <= 23
        assert below.height >= texts.LEAST_LINES
        for key in ("n", "p", "?", "s"):
            await seat.press(key)
            check_lines(seat)
            await seat.press("escape")
        table._set_game(wari.Game.replay("AaBbCcDdEeFf", "abapa", CHASE))
        await seat.pilot.pause()
        assert tr(wari.ENDINGS["repetition"]) in " ".join(seat.text("turn").split())
        check_lines(seat)
        assert table.screen.query_one(Keys).words.split()[0] == "v"
        assert table.screen.query_one("#below").region.height >= texts.LEAST_LINES
        await seat.press("?")
        check_lines(seat)
        assert "a - f" not in seat.shown(), "what can no longer be done is not shown"

    sit(play, game=wari.Game("nostarve"), language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_fits_its_line(language: str) -> None:
    """The help, the tips; and every ending on two lines."""
    with speaking(language):
        for over in (False, True):
            helped, tips = texts.help_lines(over=over), texts.tips(over=over)
            assert all(len(row) <= TEXT_WIDTH for row in plain(helped)), plain(helped)
            assert all(len(row) <= 50 for row in plain(tips)), plain(tips)
        for ending in wari.ENDINGS:
            words = result_sentence(wari.Result(25, 20, "S", cast(Any, ending)))
            whole = tr("The game is over. {result}", result=words)
            assert len(textwrap.wrap(whole, 78)) <= 2, whole


# --- searches in threads ------------------------------------------------------------------------


class Slow:
    """A search that ends when it is asked to."""

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


def test_a_search_may_run_before_its_thread_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The new thread may be at work before `start` has its handle."""

    def waits(work: Callable[[], object], name: str) -> threading.Thread:
        thread = started(work, name=name)
        thread.join()
        return thread

    monkeypatch.setattr("wari.cli.tui.thinking.started", waits)
    thinker = Thinker(lambda act: act())
    found: list[object] = []
    thinker.start(Slow(), thinker.go_on, found.append, found.append)
    assert found == [None]
