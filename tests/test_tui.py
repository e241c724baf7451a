"""`wari play` on the full screen: keys, clicks, dialogs; by Textual's pilot, without a terminal."""

import itertools
import time
from pathlib import Path
from unittest import mock

import pytest
import wari
from tui_tools import Ponderer, Seat, Watch, sit
from wari.cli import files, tui
from wari.cli.clock import Budget, Clock
from wari.cli.game_session import GameSession
from wari.cli.tui.dialogs import TextScreen
from wari.cli.tui.editor import EditorScreen
from wari.cli.tui.picture import SMALL, Picture
from wari.cli.tui.settings import SettingsScreen
from wari.cli.tui.widgets import Board, Keys
from wari.levels import Engines

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("quick_engine")]
SLAM = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"  # under wari F takes all, and North must pass
CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"


# --- keys and clicks ----------------------------------------------------------------------------


def test_letters_arrows_and_clicks_play() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c")
        assert "South plays C." in seat.text("said")
        assert "North to move." in seat.text("turn")
        await seat.press("E")
        assert "North plays e." in seat.text("said"), "either case means the pit of the side"
        await seat.press("left", "left", "right", "enter")
        x, y = SMALL.store + 5 * SMALL.pit + 3, SMALL.height - 3
        before = seat.table.session.game.moves
        assert len(before) == 3
        await seat.press("f")
        await seat.pilot.click(Board, offset=(x, y))
        await seat.pilot.pause()
        assert seat.table.session.game.moves == (*before, "f", "F")
        assert "1. C  e" in seat.text("moves")
        await seat.press("t")
        assert seat.board().splitlines()[-1].split()[0] == "[a]", "turned round"
        await seat.press("q")

    code, table = sit(play)
    assert code == 0
    assert table.session.parting()[1].startswith("  wari play --two --moves Ce")


def test_a_refusal_says_why() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c", "a", "c")
        assert seat.text("said") == "C is not legal: that pit is empty."
        await seat.pilot.click(Board, offset=(SMALL.store + 2, 2))
        assert seat.text("said") == "f is not legal: that pit belongs to the other side."

    sit(play)


def test_hints_give_the_value_of_every_move() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("h")
        await seat.until(lambda: len(seat.table.session.game.legal_moves()) == 6)
        await seat.until(lambda: seat.table.analysis and not seat.table._hinter.busy)
        lines = seat.text("hints").splitlines()
        assert lines[0].split() == ["move", "value", "kind", "line"]
        assert sorted(line[0] for line in lines[1:]) == list("ABCDEF")
        letters = seat.board().splitlines()[-1]
        assert letters.count(".") == 6, "a value beside each letter"
        await seat.press("a")
        assert "How to play" in seat.text("hints"), "a hint goes with its position"

    sit(play)


def test_the_engine_answers_and_undo_takes_both_back() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c")
        await seat.until(lambda: len(seat.table.session.game.moves) == 2)
        await seat.press("u")
        assert seat.text("said") == "Taken back: 2 moves."
        assert seat.table.session.game.moves == ()
        await seat.press("u")
        assert "no move" in seat.text("said")

    sit(play, engine_sides="N")


def test_undo_while_the_engine_thinks() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c")
        assert "North is thinking" in seat.text("turn")
        await seat.press("d")
        assert seat.text("said") == "It is not your turn."
        await seat.press("u")
        assert not seat.table._mover.busy
        assert len(seat.table.session.game) == 0
        await seat.press("d")
        assert seat.table.session.game.moves == ("D",)

    began = time.monotonic()
    sit(play, opponent=Ponderer())
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+c", 130)])
def test_leaving_while_the_engine_thinks_keeps_the_game(key: str, code: int) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c")
        await seat.until(lambda: seat.table._mover.busy)
        await seat.pilot.press(key)

    ended, table = sit(play, opponent=Ponderer())
    assert ended == code
    assert table.session.parting()[1] == "  wari play --level 9 --moves C"


def test_the_engine_plays_itself_and_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wari.cli.tui.app.WATCH_SECONDS", 0.05)

    async def play(seat: Seat) -> None:
        await seat.until(lambda: len(seat.table.session.game.moves) > 3)
        await seat.press("space")
        number = len(seat.table.session.game.moves)
        assert "Paused" in seat.text("turn")
        await seat.pilot.pause(0.2)
        assert len(seat.table.session.game.moves) == number
        await seat.press("space")
        await seat.until(lambda: len(seat.table.session.game.moves) > number)

    sit(play, engine_sides="SN", level=2)


def test_agreement_and_resignation_are_asked_twice() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("x")
        assert not seat.table.session.game.is_over
        await seat.press("g")
        assert "again" in seat.text("said")
        await seat.press("g")
        await seat.until(lambda: seat.table.session.game.is_over)
        await seat.pilot.pause()
        assert "A draw, South 24, North 24: the players agreed" in seat.text("turn")
        await seat.press("c")
        assert "the game is over" in seat.text("said")

    sit(play)


def test_a_dialog_may_be_open_when_the_engine_answers() -> None:
    opponent = Ponderer()

    async def play(seat: Seat) -> None:
        await seat.press("c", "r")
        assert isinstance(seat.table.screen, TextScreen)
        opponent.stop()
        await seat.until(lambda: len(seat.table.session.game) == 2)
        await seat.press("escape")
        assert seat.text("said") == "North plays a."

    sit(play, opponent=opponent)


def test_a_question_goes_with_the_end() -> None:
    """Whatever ends the game, and a question is asked anew once something else was said."""
    clock = Clock({"S": Budget(1, 0), "N": Budget(1, 0)}, watch := Watch())

    async def play(seat: Seat) -> None:
        await seat.press("c", "x")
        assert "Give the game up?" in seat.text("said")
        await seat.press("E")
        assert seat.text("said") == "North plays e."
        await seat.press("x")
        assert not seat.table.session.game.is_over, "it is asked again"
        watch.time += 61
        await seat.until(lambda: seat.table.session.game.is_over)
        await seat.pilot.pause()
        assert seat.text("said") == ""
        await seat.press("x")
        assert "over already" in seat.text("said"), "nothing is asked when the game is over"

    sit(play, clock=clock)

    async def give_up(seat: Seat) -> None:
        await seat.press("x", "x")
        assert "The game is over." in seat.text("turn")
        assert seat.text("said") == ""

    sit(give_up)


def test_help_that_is_open_at_the_end_closes_and_is_then_of_the_end() -> None:
    clock = Clock({"S": Budget(1, 0), "N": Budget(1, 0)}, watch := Watch())

    async def play(seat: Seat) -> None:
        await seat.press("?")
        assert "play the pit of that letter" in seat.text("text")
        watch.time += 61
        await seat.until(lambda: len(seat.table.screen_stack) == 1)
        await seat.pilot.pause()
        assert "How to play" not in seat.text("hints")
        assert "n begins another game." in seat.text("hints")
        assert seat.table.screen.query_one(Keys).words.split()[0] == "v"
        await seat.press("?")
        assert "play the pit of that letter" not in seat.text("text")
        await seat.press("escape", "u")
        assert "How to play" in seat.text("hints")
        assert seat.table.screen.query_one(Keys).words.split()[0] == "h"

    game = wari.Game()
    game.push("F")
    sit(play, game=game, clock=clock)


# --- what is shown ------------------------------------------------------------------------------


def test_captures_passes_and_the_end_are_shown() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("f")
        await seat.until(lambda: "-" in seat.table.session.game.moves)
        assert "North has no seeds to play and passes." in seat.text("said")

    sit(play, game=wari.Game(start=SLAM))

    async def capture(seat: Seat) -> None:
        await seat.press("f")
        board = seat.board()
        assert "(0)" in board
        assert board.count("0 -") == 3, "what was captured where"
        assert "+8" in board
        assert seat.table.cursor == "f", "the only pit that can be played"

    game = wari.Game(start=wari.Position.parse(SLAM.replace("-1-2-0-0-0-", "-1-2-0-0-5-")))
    sit(capture, game=game)

    async def end(seat: Seat) -> None:
        await seat.pilot.pause()
        assert wari.ENDINGS["repetition"] in seat.text("turn")

    sit(end, game=wari.Game.replay("AaBbCcDdEeFf", "abapa", CHASE))


@pytest.mark.process
def test_seeds_are_sown_before_the_eye_and_any_key_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hands: list[int] = []
    show = Board.show

    def watched(board: Board, picture: Picture) -> None:
        hands.append(picture.hand)
        show(board, picture)

    monkeypatch.setattr(Board, "show", watched)

    async def play(seat: Seat) -> None:
        await seat.press("c")
        await seat.until(lambda: seat.table.session.game.moves and seat.table._step is None)
        assert [hand for hand, _ in itertools.groupby(hands)][-6:] == [0, 4, 3, 2, 1, 0]
        await seat.press("e")
        assert seat.table._step is not None
        await seat.press("A")
        assert seat.table.session.game.moves == ("C", "e", "A"), "the key is played at once"

    sit(play, animated=True)


# --- who plays ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game.json", "game.ogn"])
def test_a_loaded_game_seats_who_played_it(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    files.save_game(wari.Game.replay("Cc"), str(path), {"S": 2, "N": None})

    async def play(seat: Seat) -> None:
        session = seat.table.session
        seat.table._load(str(path))
        assert (session.levels, session.view) == ({"S": 2, "N": None}, "N")
        await seat.until(lambda: len(session.game) == 3)
        await seat.pilot.pause()
        assert "South: engine, level 2" in seat.text("head")
        engine = session.seats["S"]
        seat.table._load(str(path))
        assert session.seats["S"] is engine, "an engine of the same level keeps its seat"

    sit(play)


# --- dialogs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game.json", "game.ogn"])
def test_save_and_load(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def play(seat: Seat) -> None:
        await seat.press("c", "e", "s")
        await seat.press(*name, "enter")
        assert seat.text("said") == f"Saved in {name}."
        await seat.press("f", "l")
        await seat.press("enter")
        assert seat.table.session.game.moves == ("C", "e"), "the name given last is offered"
        assert "--moves CeF" in seat.table.partings[1], "the game left behind is not lost"
        await seat.press("l", "x", "enter")
        assert "load: " in seat.text("said")
        assert len(seat.table.session.game.moves) == 2

    sit(play)
    assert ("format" in Path(name).read_text()) == (name == "game.json")


def test_a_name_that_is_too_long_loses_no_game() -> None:
    async def play(seat: Seat) -> None:
        for key, ending in (("s", ""), ("s", ".ogn"), ("l", ""), ("l", ".ogn")):
            seat.table._file = "x" * 300 + ending
            await seat.press("c" if not seat.table.session.game.moves else "x", key, "enter")
            assert "File name too long" in seat.text("said"), key
        await seat.press("e")
        assert seat.table.session.game.moves == ("C", "e"), "the game goes on"

    sit(play)


def test_the_position_editor() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("p")
        assert isinstance(seat.table.screen, EditorScreen)
        await seat.press("z", "enter")
        assert seat.text("words").splitlines()[1] == "A position holds 1 to 96 seeds, not 0."
        await seat.press("1", "2", "right", "plus", "plus", "minus", "up", "3", "tab")
        assert seat.text("words").splitlines()[0] == "North to move. 16 seeds in all."
        await seat.press("9", "9")
        assert seat.text("words").splitlines()[1] == "A pit or store holds 0 to 96 seeds."
        await seat.press("3", "left", "left", "5")
        x, y = SMALL.store + 5 * SMALL.pit + 3, SMALL.height - 3
        for _ in range(3):
            await seat.pilot.click("EditorScreen Board", offset=(x, y))
        seat.table.screen.query_one(Board).post_message(Board.Clicked("F", first=False))
        await seat.press("enter")
        expected = "12-1-0-0-0-1-0-0-0-0-3-0-0-5-N"
        assert str(seat.table.session.game.start) == expected
        await seat.press("p", "1", "escape")
        assert str(seat.table.session.game.start) == expected

    sit(play)


def test_the_form_for_a_new_game() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c", "n")
        form = seat.table.screen
        assert isinstance(form, SettingsScreen)
        await seat.press("left", "down", "right", "down", "down", "right", "down", "left", "left")
        assert str(form.rules) == "awari"
        await seat.press("down", "right")
        assert "grand_slam" in seat.text("form")
        chosen = form.rules
        assert chosen == wari.Rules.preset("awari").replace(grand_slam="keep_last")
        await seat.press("enter")
        session = seat.table.session
        assert session.game.rules == chosen
        assert session.people == ["N"], "the form began at two people"
        assert session.clock is not None
        assert session.clock.budgets["S"] == Budget(1, 0)
        assert "--moves C" in seat.table.partings[1]

    sit(play)

    async def go_on(seat: Seat) -> None:
        await seat.press("c", "n", "left", "left", "g")
        assert seat.table.session.game.moves[0] == "C", "the same game"
        assert seat.table.session.people == ["S"]

    sit(go_on)


def test_keys_can_be_clicked() -> None:
    async def play(seat: Seat) -> None:
        line = seat.table.screen.query_one(Keys).words
        await seat.pilot.click(Keys, offset=(line.index("help"), 0))
        await seat.pilot.pause()
        assert isinstance(seat.table.screen, TextScreen)
        await seat.press("escape", "r")
        assert "grand_slam" in seat.text("text")
        await seat.press("q")
        assert len(seat.table.screen_stack) == 1, "q closes the text, not the game"
        await seat.press("question_mark")
        assert "Esc closes" in seat.shown()

    sit(play)


def test_a_screen_that_fails_is_no_success() -> None:
    class Broken:
        """As the screen is when it has shown a traceback."""

        fault = None
        return_code = None
        partings = ()

        def __init__(self, *_: object, **__: object) -> None:
            pass

        def run(self) -> None:
            return None

    with mock.patch("wari.cli.tui.app.Table", Broken), Engines(1, 1, 4) as engines:
        session = GameSession(wari.Game(), {"S": None, "N": None}, "S", engines)
        assert tui.run(session, engines, animated=False) == 1
