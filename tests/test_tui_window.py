"""The full screen of `wari play` in windows of every size, and the review after a game."""

from pathlib import Path

import pytest
from tui_tools import Seat, sit
from wari.cli.tui.dialogs import TextScreen
from wari.cli.tui.picture import scale_for
from wari.cli.tui.widgets import Board

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("quick_engine")]

# --- the window ---------------------------------------------------------------------------------


def test_a_window_that_becomes_too_small_says_so_until_it_is_large_again() -> None:
    async def play(seat: Seat) -> None:
        async def resize(columns: int, lines: int) -> None:
            await seat.pilot.resize_terminal(columns, lines)
            await seat.pilot.pause()

        await seat.press("c")
        for size in ((79, 24), (80, 23), (40, 10), (200, 5)):
            await resize(*size)
            shown = " ".join(seat.shown().split())
            assert f"The board needs 80x24; this window is {size[0]}x{size[1]}." in shown
            await seat.press("E", "?")
            assert len(seat.table.session.game) == 1, "keys do nothing to what is not seen"
        await resize(80, 24)
        assert "North to move." in seat.shown()
        await seat.press("E")
        assert len(seat.table.session.game) == 2
        await seat.press("r")
        await resize(60, 20)
        assert "The board needs" in seat.shown()
        await resize(100, 30)
        assert isinstance(seat.table.screen, TextScreen), "dialogs are there again, too"
        await seat.press("escape")
        assert len(seat.table.screen_stack) == 1
        await resize(60, 20)
        await seat.press("q")

    code, table = sit(play)
    assert code == 0
    assert len(table.session.game) == 2


def test_the_window_may_grow_while_something_lies_over_the_words_about_it() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c")
        await seat.pilot.resize_terminal(60, 20)
        await seat.pilot.pause()
        seat.table.do_rules()
        await seat.pilot.pause()
        await seat.pilot.resize_terminal(80, 24)
        await seat.pilot.pause()
        await seat.press("escape")
        await seat.pilot.pause()
        assert len(seat.table.screen_stack) == 1
        assert "North to move." in seat.shown()

    sit(play)


def test_the_board_fills_a_large_window_and_clicks_find_its_pits() -> None:
    async def play(seat: Seat) -> None:
        board = seat.table.screen.query_one(Board)
        for size in ((100, 30), (132, 43), (200, 60), (80, 24)):
            await seat.pilot.resize_terminal(*size)
            await seat.pilot.pause()
            scale = scale_for(*size)
            assert board.size == (scale.width, scale.height)
            rows = seat.shown().splitlines()
            assert [letter for letter in "ABCDEF" if f"[{letter}]" in rows[scale.height]]
            assert seat.table.screen.query_one("#below").region.bottom == size[1] - 1
            assert seat.table.screen.query_one("#head").region.x == board.region.x
        await seat.pilot.resize_terminal(132, 43)
        await seat.pilot.pause()
        scale = scale_for(132, 43)
        point = (scale.store + 2 * scale.pit + 1, scale.height - 3)
        await seat.pilot.click(Board, offset=point)
        await seat.pilot.pause()
        assert seat.table.session.game.moves == ("C",)

    sit(play)


# --- the review ---------------------------------------------------------------------------------


def test_a_review_is_shown_kept_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def play(seat: Seat) -> None:
        await seat.press("v")
        await seat.until(lambda: "no move was played" in seat.text("said"))
        await seat.press("f", "a", "x", "x", "v")
        await seat.until(lambda: isinstance(seat.table.screen, TextScreen))
        assert "accuracy" in seat.text("text")
        assert "North wins" in seat.text("text")
        first = seat.table._review
        await seat.press("escape", "v")
        assert isinstance(seat.table.screen, TextScreen)
        assert seat.table._review is first, "the same game is looked at once"
        await seat.press("s")
        await seat.press(*"a.html", "enter")
        assert seat.text("said") == "The review is in a.html."
        await seat.press("u", "v")
        await seat.until(lambda: seat.table._review is not first)

    sit(play)
    assert "<svg" in Path("a.html").read_text()


def test_a_review_is_called_off_by_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wari.cli.reviewing.REVIEW_SECONDS", 30.0)

    async def play(seat: Seat) -> None:
        for key in "cv":
            seat.table._press(key)
            await seat.pilot.pause(0.05)
        assert "Looking at every move" in seat.text("said")
        seat.table._press("e")
        assert seat.text("said") == "North plays e."
        thread = seat.table._hinter._thread
        assert thread is not None
        thread.join(20)
        assert not thread.is_alive()
        assert seat.table._review is None

    sit(play)
