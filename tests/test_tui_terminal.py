"""`wari play` on the full screen of a real terminal: beginning, end, signals, colours, sizes."""

import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
import wari
from cli_tools import Terminal

pytestmark = pytest.mark.process


def test_the_program_in_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evening.ogn"
    arguments = ["play", "--two", "--no-animation", "--language", "gl"]
    with Terminal(*arguments, NO_COLOR="") as terminal:
        terminal.expect("Como se xoga")
        for data in (b"\xff", b"\xc3(", b"\x80\x80\xfe"):  # no text; it goes on all the same
            os.write(terminal.master, data)
            time.sleep(0.3)
        terminal.type("c")
        terminal.expect("Sur xoga C.")
        terminal.type("s")
        terminal.expect("Gardar")
        time.sleep(0.5)  # until the field hears keys
        terminal.type(f"{path}\r")
        terminal.expect("Gardada en")
        terminal.type("e")
        terminal.expect("Norte xoga e.")
        terminal.type("\x11")
        terminal.expect("wari play --two --moves Ce")
        assert terminal.code() == 0
    assert wari.Game.from_ogn(path.read_text()).moves == ("C",)
    assert terminal.raw.count("\x1b[?1049h") == terminal.raw.count("\x1b[?1049l") == 1
    assert "Traceback" not in terminal.text
    assert terminal.colours & {31, 32, 33, 35, 36}, "NO_COLOR set to nothing is not set"


def test_no_color_sends_no_colour_in_a_window_that_changes() -> None:
    """Board, hint, help, the words about a small window, a question, the end, the good-bye."""
    with Terminal("play", "--two", "--no-animation", NO_COLOR="1") as terminal:
        terminal.expect("How to play")
        terminal.type("ch")
        terminal.expect("estimate")
        terminal.type("?")
        terminal.expect("Esc closes")
        terminal.resize(60, 20)
        terminal.expect("The board needs 80x24; this window is 60x20.")
        terminal.resize(100, 30)
        terminal.expect("this list")
        terminal.type("q")
        terminal.type("s")
        terminal.expect("Enter: done, Esc: back")
        terminal.type("a")
        time.sleep(0.5)  # until the field hears keys
        terminal.type("\x1b")
        time.sleep(0.5)  # an escape that begins no sequence
        terminal.type("xx")
        terminal.expect("The game is over.")
        terminal.type("q")
        terminal.expect("wari play --two --moves C --ending resignation-N")
        assert terminal.code() == 0
    assert terminal.colours == set()
    assert "\x1b[1m" in terminal.raw, "bold is no colour"


def test_ctrl_c_in_a_terminal_while_the_engine_thinks() -> None:
    with Terminal("play", "--level", "9", "--no-animation") as terminal:
        terminal.expect("How to play")
        terminal.type("c")
        terminal.expect("is thinking")
        terminal.type("\x03")
        terminal.expect("wari play --level 9 --moves C", seconds=10.0)
        assert terminal.code() == 130
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_in_good_order(number: int, plain: bool) -> None:
    with Terminal("play", "--level", "9", "--no-animation", *["--plain"] * plain) as terminal:
        terminal.expect("South> " if plain else "How to play")
        terminal.type("C\n" if plain else "c")
        terminal.expect("is thinking")
        terminal.process.send_signal(number)
        terminal.expect("wari play --level 9 --moves C", seconds=10.0)
        assert terminal.code() == 128 + number
    assert terminal.raw.count("\x1b[?1049h") == terminal.raw.count("\x1b[?1049l") == 1 - plain
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize("plain", [False, True])
def test_it_ends_when_the_terminal_goes_away(plain: bool) -> None:
    terminal = Terminal("play", "--two", "--no-animation", *["--plain"] * plain)
    terminal.expect("South> " if plain else "How to play")
    terminal.type("C\n" if plain else "c")
    terminal.expect("South plays C.")
    os.close(terminal.master)
    try:
        assert terminal.process.wait(20) != 0
    finally:
        terminal.process.kill()
        terminal.process.wait()


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
