"""Ctrl-C while the command line is still being imported: exit code 130, and no traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_tools import CLEAN, WARI

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="SIGINT is of POSIX systems"),
]

# Python imports this module, named sitecustomize, before anything of ours.
HOOK = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""
SCRIPT = [WARI]
MODULE = [sys.executable, "-m", "wari"]


def interrupted(command: list[str], at: str, folder: Path, **options: object) -> tuple[int, str]:
    (folder / "sitecustomize.py").write_text(HOOK)
    run = subprocess.run(
        [*command, "rules", "abapa"],
        env=CLEAN | {"PYTHONPATH": str(folder), "INTERRUPT_AT": at},
        capture_output=True,
        text=True,
        timeout=60,
        **options,  # type: ignore[call-overload]
    )
    return run.returncode, run.stderr.strip()


@pytest.mark.parametrize("at", ["wari", "wari.engine", "wari.cli", "click", "wari.cli.rules"])
def test_the_installed_command(at: str, tmp_path: Path) -> None:
    assert interrupted(SCRIPT, at, tmp_path) == (130, "wari: interrupted")


@pytest.mark.parametrize("at", ["wari._core", "click"])
def test_the_module(at: str, tmp_path: Path) -> None:
    assert interrupted(MODULE, at, tmp_path) == (130, "wari: interrupted")


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    assert interrupted(SCRIPT, "click", tmp_path, preexec_fn=ignore) == (0, "")


def test_a_program_that_imports_wari_keeps_its_own() -> None:
    code = "import signal, wari; print(signal.getsignal(signal.SIGINT).__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("default_int_handler\n", "")
