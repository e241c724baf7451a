"""`wari play` on the full screen: by Textual's pilot without a terminal, then in a real one."""

import asyncio
import itertools
import random
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import wari
from cli_tools import Terminal
from textual.pilot import Pilot
from wari.cli.board import plain
from wari.cli.clock import Budget, Clock, budget
from wari.cli.language import LANGUAGES, speaking
from wari.cli.levels import Engines
from wari.cli.sitting import Sitting, Sown
from wari.cli.tui import texts
from wari.cli.tui.app import Table
from wari.cli.tui.dialogs import TEXT_WIDTH, TextScreen
from wari.cli.tui.editor import EditorScreen, moved
from wari.cli.tui.picture import HEIGHT, LETTERS, PIT, STORE, STORES, WIDTH, Picture, draw, spot
from wari.cli.tui.settings import SettingsScreen
from wari.cli.tui.sowing import steps
from wari.cli.tui.thinking import Thinker
from wari.cli.tui.widgets import Board, Keys, Lines

SLAM = "1-0-0-0-2-3-2-1-2-0-0-0-12-17-S"  # under wari F takes all, and North must pass
CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
Play = Callable[["Seat"], Awaitable[None]]


class Seat:
    """A person at the board: presses keys and looks at what is shown."""

    def __init__(self, table: Table, pilot: Pilot[int]) -> None:
        self.table = table
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.shown()
            await self.pilot.pause(0.02)

    def text(self, name: str) -> str:
        """The words of one part of the screen."""
        return str(self.table.screen.query_one(f"#{name}", Lines).render())

    def board(self) -> str:
        """The board as plain lines."""
        return "\n".join(plain(draw(self.table.screen.query_one(Board).picture)))

    def shown(self) -> str:
        """Everything that is on the screen."""
        strips = self.table.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)


class Ponderer:
    """An opponent that thinks until it is stopped, and costs no time of the processor."""

    level = 9
    takes_its_time = True

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def prepare(self) -> None:
        self.stopped.clear()

    def stop(self) -> None:
        self.stopped.set()

    def choose(self, game: wari.Game, clock: object = None) -> str:
        assert self.stopped.wait(60)
        return game.legal_moves()[0]


def sit(
    play: Play,
    *,
    engine_sides: str = "",
    level: int = 1,
    game: wari.Game | None = None,
    clock: Clock | None = None,
    animated: bool = False,
    language: str = "en",
    opponent: Ponderer | None = None,
) -> tuple[int | None, Table]:
    """Let `play` drive a table of 80x24; the exit code and the table."""

    async def main(table: Table) -> int | None:
        async with table.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await play(Seat(table, pilot))
        return table.return_value

    with Engines(1, 1, 4) as engines, speaking(language):
        seats: dict[str, Any] = {
            side: engines.opponent(level if side in engine_sides else None) for side in "SN"
        }
        if opponent is not None:
            seats["N"] = opponent
        made = game or wari.Game()
        sitting = Sitting(made, seats, "S", engines.adviser, ["--two"], clock)
        table = Table(sitting, engines, animated=animated)
        return asyncio.run(main(table)), table


# --- keys and clicks ----------------------------------------------------------------------------


def test_letters_arrows_and_clicks_play() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c")
        assert "South plays C." in seat.text("said")
        assert "North to move." in seat.text("turn")
        await seat.press("E")
        assert "North plays e." in seat.text("said"), "either case means the pit of the side"
        await seat.press("left", "left", "right", "enter")
        x, y = STORE + 5 * PIT + 3, HEIGHT - 3
        before = seat.table.sitting.game.moves
        assert len(before) == 3
        await seat.press("f")
        await seat.pilot.click(Board, offset=(x, y))
        await seat.pilot.pause()
        assert seat.table.sitting.game.moves == (*before, "f", "F")
        assert "1. C  e" in seat.text("moves")
        await seat.press("t")
        assert seat.board().splitlines()[-1].split()[0] == "[a]", "turned round"
        await seat.press("q")

    code, table = sit(play)
    assert code == 0
    assert table.sitting.parting()[1].startswith("  wari play --two --moves Ce")


def test_a_refusal_says_why() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("c", "a", "c")
        assert seat.text("said") == "C is not legal: that pit is empty."
        await seat.pilot.click(Board, offset=(STORE + 2, 2))
        assert seat.text("said") == "f is not legal: that pit belongs to the other side."

    sit(play)


def test_hints_give_the_value_of_every_move() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("h")
        await seat.until(lambda: len(seat.table.sitting.game.legal_moves()) == 6)
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
        await seat.until(lambda: len(seat.table.sitting.game.moves) == 2)
        await seat.press("u")
        assert seat.text("said") == "Taken back: 2 moves."
        assert seat.table.sitting.game.moves == ()
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
        assert len(seat.table.sitting.game) == 0
        await seat.press("d")
        assert seat.table.sitting.game.moves == ("D",)

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
    assert table.sitting.parting()[1] == "  wari play --two --moves C"


def test_the_engine_plays_itself_and_pauses() -> None:
    async def play(seat: Seat) -> None:
        await seat.until(lambda: len(seat.table.sitting.game.moves) > 3)
        await seat.press("space")
        number = len(seat.table.sitting.game.moves)
        assert "Paused" in seat.text("turn")
        await seat.pilot.pause(0.2)
        assert len(seat.table.sitting.game.moves) == number
        await seat.press("space")
        await seat.until(lambda: len(seat.table.sitting.game.moves) > number)

    sit(play, engine_sides="SN", level=2)


def test_agreement_and_resignation_are_asked_twice() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("x")
        assert not seat.table.sitting.game.is_over
        await seat.press("g")
        assert "again" in seat.text("said")
        await seat.press("g")
        await seat.until(lambda: seat.table.sitting.game.is_over)
        await seat.pilot.pause()
        assert "A draw, South 24, North 24: the players agreed" in seat.text("turn")
        await seat.press("c")
        assert "the game is over" in seat.text("said")

    sit(play)


# --- what is shown ------------------------------------------------------------------------------


def test_captures_passes_and_the_end_are_shown() -> None:
    async def play(seat: Seat) -> None:
        await seat.press("f")
        await seat.until(lambda: "-" in seat.table.sitting.game.moves)
        assert "North has no seeds to play and passes." in seat.text("said")

    sit(play, game=wari.Game(start=SLAM))

    async def capture(seat: Seat) -> None:
        await seat.press("f")
        board = seat.board()
        assert "(0)" in board
        assert board.count("0 -") == 3, "what was captured where"
        assert "+8" in board

    game = wari.Game(start=wari.Position.parse(SLAM.replace("-1-2-0-0-0-", "-1-2-0-0-5-")))
    sit(capture, game=game)

    async def end(seat: Seat) -> None:
        await seat.pilot.pause()
        assert wari.ENDINGS["repetition"] in seat.text("turn")

    sit(end, game=wari.Game.replay("AaBbCcDdEeFf", "abapa", CHASE))


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
        await seat.until(lambda: seat.table.sitting.game.moves and seat.table._step is None)
        assert [hand for hand, _ in itertools.groupby(hands)][-6:] == [0, 4, 3, 2, 1, 0]
        await seat.press("e")
        assert seat.table._step is not None
        await seat.press("A")
        assert seat.table.sitting.game.moves == ("C", "e", "A"), "the key is played at once"

    sit(play, animated=True)


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
        assert seat.table.sitting.game.moves == ("C", "e"), "the name given last is offered"
        assert "--moves CeF" in seat.table.partings[1], "the game left behind is not lost"
        await seat.press("l", "x", "enter")
        assert "load: " in seat.text("said")
        assert len(seat.table.sitting.game.moves) == 2

    sit(play)
    assert ("format" in Path(name).read_text()) == (name == "game.json")


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
        x, y = STORE + 5 * PIT + 3, HEIGHT - 3
        for _ in range(3):
            await seat.pilot.click("EditorScreen Board", offset=(x, y))
        await seat.pilot.click("EditorScreen Board", offset=(x, y), button=3)
        await seat.press("enter")
        expected = "12-1-0-0-0-1-0-0-0-0-3-0-0-5-N"
        assert str(seat.table.sitting.game.start) == expected
        await seat.press("p", "1", "escape")
        assert str(seat.table.sitting.game.start) == expected

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
        sitting = seat.table.sitting
        assert sitting.game.rules == chosen
        assert sitting.people == ["N"], "the form began at two people"
        assert sitting.clock is not None
        assert sitting.clock.budgets["S"] == Budget(1, 0)
        assert "--moves C" in seat.table.partings[1]

    sit(play)

    async def go_on(seat: Seat) -> None:
        await seat.press("c", "n", "left", "left", "g")
        assert seat.table.sitting.game.moves[0] == "C", "the same game"
        assert seat.table.sitting.people == ["S"]

    sit(go_on)


def test_keys_can_be_clicked() -> None:
    async def play(seat: Seat) -> None:
        line = str(seat.table.screen.query_one(Keys).render())
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
        assert "…" not in str(seat.table.screen.query_one(Keys).render())
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
                assert all(len(row) <= 78 for row in str(lines.render()).splitlines()), name
                assert lines.region.bottom <= 24
            for found in screen.query(Keys):
                assert found._places[-1][1] <= 80, name
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


# --- a real terminal ----------------------------------------------------------------------------


def test_the_program_in_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evening.ogn"
    with Terminal("play", "--two", "--no-animation", "--language", "gl") as terminal:
        terminal.expect("Como se xoga")
        terminal.type("c")
        terminal.expect("Sur xoga C.")
        terminal.type("s")
        terminal.expect("Gardar")
        time.sleep(0.5)  # until the field hears keys
        terminal.type(f"{path}\r")
        terminal.expect("Gardada en")
        terminal.type("e")
        terminal.expect("Norte xoga e.")
        terminal.type("q")
        terminal.expect("wari play --two --moves Ce")
        assert terminal.code() == 0
    assert wari.Game.from_ogn(path.read_text()).moves == ("C",)
    assert terminal.raw.count("\x1b[?1049h") == terminal.raw.count("\x1b[?1049l") == 1
    assert "Traceback" not in terminal.text


def test_ctrl_c_in_a_terminal_while_the_engine_thinks() -> None:
    with Terminal("play", "--level", "9", "--no-animation") as terminal:
        terminal.expect("How to play")
        terminal.type("c")
        terminal.expect("is thinking")
        terminal.type("\x03")
        terminal.expect("wari play --moves C", seconds=10.0)
        assert terminal.code() == 130
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [(("--plain",), {}), ((), {"TERM": "dumb"}), ((), {"PYTHONIOENCODING": "ascii"})],
)
def test_lines_where_the_full_screen_cannot_be(
    arguments: tuple[str, ...], variables: dict[str, str]
) -> None:
    with ExitStack() as stack:
        terminal = stack.enter_context(Terminal("play", "--two", *arguments, **variables))
        terminal.expect("South> ")
        terminal.type("quit\r")
        assert terminal.code() == 0
    assert "\x1b[?1049h" not in terminal.raw
