"""What is on the disk after SIGKILL in the middle of writing: the old file or the whole new one.

Tables have test_tablebase_kill.py, matches test_match.py.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import wari
from wari import ogn

pytestmark = pytest.mark.process

# Each program writes a first version, says so, and writes others over it until it is killed.
PROGRAMS = {
    "game": """
game = wari.Game("abapa")
while not game.is_over:
    game.push(game.legal_moves()[0])
game.save(path)
print("ready", flush=True)
while True:
    game.pop()
    game.save(path)
    if not len(game): break
while True:
    game.save(path)
""",
    "ogn": """
record = ogn.Record.from_game(wari.Game("abapa"))
ogn.write([record] * 400, path)
print("ready", flush=True)
while True:
    for count in (800, 400):
        ogn.write([record] * count, path)
""",
    "proof": """
engine = wari.Engine(hash_mb=8)
hard = "6-0-0-1-1-0-2-2-0-1-2-1-0-0-S"
engine.solve(hard, nodes=100_000)
engine.save_proof(path)
print("ready", flush=True)
while True:
    engine.solve(hard, nodes=10_000)
    engine.save_proof(path)
""",
    "review": """
from wari.cli import main
wari.Game.replay("FfEdDcBb", "abapa").save(path + ".json")
def review():
    sys.argv = ["wari", "review", path + ".json", "--output", path, "--nodes", "200"]
    try: main()
    except SystemExit: pass
review()
print("ready", flush=True)
while True: review()
""",
}


def read_game(path: Path) -> None:
    wari.Game.load(path)


def read_ogn(path: Path) -> None:
    assert len(list(ogn.read(path))) in (400, 800)


def read_proof(path: Path) -> None:
    with wari.Engine(hash_mb=8) as engine:
        engine.load_proof(path)


def read_report(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert text.rstrip().endswith("</html>")


READERS: dict[str, Callable[[Path], None]] = {
    "game": read_game,
    "ogn": read_ogn,
    "proof": read_proof,
    "review": read_report,
}


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX systems")
@pytest.mark.parametrize("kills", [2, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("what", PROGRAMS)
def test_the_old_file_or_the_whole_new_one(tmp_path: Path, what: str, kills: int) -> None:
    path = tmp_path / ("report.html" if what == "review" else f"kept.{what}")
    program = f"import sys\nimport wari\nfrom wari import ogn\npath = sys.argv[1]\n{PROGRAMS[what]}"
    moment = random.Random(f"{what} {kills}")
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(moment.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        READERS[what](path)
