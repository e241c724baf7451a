"""`wari play` in lines as a process: at a terminal, as a person drives it, and between pipes."""

import re
import signal
import subprocess
import time

import pytest
from cli_tools import CLEAN, WARI, Terminal, run

pytestmark = pytest.mark.process
ODD = "14-13-2-3-4-4-4-4-14-4-4-14-6-6-S"
CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"


def test_a_person_at_a_terminal() -> None:
    with Terminal("play", "--plain", "--two") as terminal:
        terminal.expect("South> ")
        terminal.type("F\r")
        terminal.expect("South plays F.")
        terminal.expect("North> ")
        terminal.type("-\r")
        terminal.expect("- is not legal: passing is only allowed")
        terminal.type("quit\r")
        terminal.expect("wari play --two --moves F")
        assert terminal.code() == 0
    assert "\x1b[1;33m" in terminal.raw, "the last move has a colour"
    assert max(map(len, terminal.text.splitlines())) <= 80


def test_sentences_are_wrapped_between_words_on_a_terminal() -> None:
    given = ["--position", CHASE, "--rules", "abapa", "--moves", "AaBbCcDdEeFf"]
    with Terminal("play", "--plain", "--two", *given) as terminal:
        terminal.expect("> ")
        terminal.type("quit\r")
        assert terminal.code() == 0
    rows = terminal.text.splitlines()
    at = next(at for at, row in enumerate(rows) if row.startswith("The game is over."))
    assert rows[at].endswith(" up for the")
    assert rows[at + 1] == "second time."


def test_no_color_means_no_colour() -> None:
    with Terminal("play", "--plain", "--two", NO_COLOR="1") as terminal:
        terminal.expect("South> ")
        terminal.type("F\r")
        terminal.expect("North> ")
        terminal.type("\x04")
        assert terminal.code() == 0
    assert not re.search(r"\x1b\[[0-9;]*m", terminal.raw)


def test_long_lines_are_never_cut() -> None:
    arguments = ["--rules", "abapa,grand_slam=keep_first,sowing=clockwise"]
    with Terminal("play", "--plain", "--two", *arguments, "--position", ODD) as terminal:
        terminal.expect("South> ")
        terminal.type("F\r")
        terminal.expect("North> ")
        terminal.type("\x04")
        assert terminal.code() == 0
    shown = terminal.text.replace("\n", "")
    assert f"--position {ODD} --moves F" in shown
    assert "…" not in terminal.text


def test_ctrl_d_leaves_in_good_order() -> None:
    with Terminal("play", "--plain", "--two") as terminal:
        terminal.expect("South> ")
        terminal.type("F\r")
        terminal.expect("North> ")
        terminal.type("\x04")
        terminal.expect("This game was not saved. To go on with it:")
        terminal.expect("wari play --two --moves F")
        assert terminal.code() == 0


def test_ctrl_c_at_the_prompt() -> None:
    with Terminal("play", "--plain", "--two") as terminal:
        terminal.expect("South> ")
        terminal.type("C\r")
        terminal.expect("North> ")
        time.sleep(0.3)  # Python hears a signal once it waits for keys, a moment after the prompt
        terminal.type("\x03")
        terminal.expect("Interrupted.")
        terminal.expect("wari play --two --moves C")
        assert terminal.code() == 130
    assert "Traceback" not in terminal.text


def test_ctrl_c_while_the_engine_thinks() -> None:
    with Terminal("play", "--plain", "--level", "9") as terminal:
        terminal.expect("South> ")
        terminal.type("C\r")
        terminal.expect("South plays C.")
        time.sleep(0.3)
        began = time.monotonic()
        terminal.type("\x03")
        terminal.expect("Interrupted.", seconds=10.0)
        assert terminal.code() == 130
        assert time.monotonic() - began < 10.0
    assert "wari play --level 9 --moves C" in terminal.text
    assert "Traceback" not in terminal.text


def piped(*arguments: str) -> "subprocess.Popen[bytes]":
    """The installed command between three pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen([WARI, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=CLEAN)


def test_ctrl_c_at_a_pipe() -> None:
    process = piped("play", "--two")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"F\n")
    process.stdin.flush()
    while b"South plays" not in (line := process.stdout.readline()):
        assert line
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"--moves F" in out
    assert err == b""


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = piped("play", "--two")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(b"help\n" * 3000, timeout=30)
    assert process.returncode == -signal.SIGPIPE
    assert err == b""


def test_bytes_that_are_no_text_harm_nothing() -> None:
    result = run("play", "--two", typed=b"\xff\xfe\n\xc3\xa9\nF\n")
    assert result.code == 0
    assert result.err == ""
    assert result.out.count("is neither") == 2
    assert "South plays F." in result.out
