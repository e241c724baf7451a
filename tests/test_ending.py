"""How a process ends while calls of the core run: with its own exit code, and without a word.

Python up to 3.13 unwinds daemon threads that ask an ending interpreter for the GIL, and later ones
let them hang; either way a thread may be in any call that other threads go on beside.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

START = """
import os, sys, threading, time, wari
folder = sys.argv[1]
table = wari.Tablebase.build(seeds=9, verify=False)
proof = wari.Engine(hash_mb=8)
proof.solve("1-2-1-0-1-2-1-1-2-1-0-1-0-0-S", nodes=20_000)

def engine(threads=1):
    return wari.Engine(hash_mb=8, threads=threads)

def start(*calls, again=True):
    '''Each call in a daemon thread, again and again.'''
    def work(call):
        while call() is not None or again:
            pass
    threads = [threading.Thread(target=work, args=[call], daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    assert all(thread.is_alive() for thread in threads)
"""

CALLS = {
    "analyse": "engine(2).analyse(wari.Position(), progress=int_of, current_move=int_of)",
    "analyse_many": "engine(2).analyse_many([wari.Position()] * 9, depth=40, progress=int_of)",
    "play": "engine().play(wari.Game(), time=9.0)",
    "solve": "engine().solve(wari.Position(), progress=int_of)",
    "new_game": "proof.new_game()",
    "proof": "proof.save_proof(folder + '/p') or proof.load_proof(folder + '/p')",
    "perft": "wari.Position().perft(30)",
    "divide": "wari.Position().divide(30)",
    "bench": "wari._core.bench('network', False, 9)",
    "build": "wari.Tablebase.build(seeds=18, progress=int_of)",
    "build_file": "wari.Tablebase.build(seeds=18, path=folder + '/t', progress=int_of)",
    "open": "wari.Tablebase.open(folder + '/kept')",
    "verify": "wari.Tablebase.build(seeds=12, verify=False).verify(progress=int_of)",
    "probe": "table.probe('1-0-1-0-1-0-1-0-1-0-1-0-0-0-S')",
    "probe_many": "table.probe_many([[1, 0] * 6] * 100_000, threads=2)",
    "stats": "table.stats()",
    "save": "table.save(folder + '/s', packing='dense')",
}
READY = "table.save(folder + '/kept')\ndef int_of(*_): return 0\n"


def ended(script: str, folder: Path, code: int = 0) -> str:
    """Runs a script; it must end with `code` and say nothing on standard error. Its output."""
    run = subprocess.run(
        [sys.executable, "-c", START + READY + script, str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (code, "")
    return run.stdout


def test_every_call_at_once(tmp_path: Path) -> None:
    calls = [call for name, call in CALLS.items() if name not in ("new_game", "proof")]
    ended(f"start({', '.join(f'lambda: {call}' for call in calls)})", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} - {"t", "t.lock", "t.part"} <= {"kept", "s"}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_each_call(name: str, tmp_path: Path) -> None:
    ended(f"start(lambda: {CALLS[name]})", tmp_path)


def test_functions_of_the_caller_that_do_not_return(tmp_path: Path) -> None:
    ended(
        """
def sleep(*_): time.sleep(1000)
def spin(*_):
    while True: pass
start(
    lambda: engine(2).analyse(wari.Position(), progress=sleep),
    lambda: engine(2).analyse(wari.Position(), progress=spin),
    lambda: engine().analyse_many([wari.Position()], depth=30, progress=sleep),
    lambda: engine().solve(wari.Position(), progress=sleep),
    lambda: wari.Tablebase.build(seeds=12, threads=2, progress=sleep),
    lambda: table.verify(threads=2, progress=sleep),
    lambda: next(engine().stream(wari.Position())) and time.sleep(1000),
)
""",
        tmp_path,
    )


def test_streams_left_open(tmp_path: Path) -> None:
    ended(
        """
streams = [engine().stream(wari.Position("abapa")) for _ in range(3)]
for stream in streams: next(stream)
class Holds: pass
ring = Holds()
ring.ring, ring.stream = ring, engine().stream(wari.Position())
next(ring.stream)
""",
        tmp_path,
    )


def test_the_exit_code_is_the_programs_own(tmp_path: Path) -> None:
    ended("start(lambda: engine().analyse(wari.Position()))\nsys.exit(3)", tmp_path, 3)


def test_an_error_is_all_that_is_shown(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", START + "start(lambda: wari.Position().perft(30))\n1 / 0", tmp_path],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1
    assert re.fullmatch(r"Traceback.*\n(  .*\n)+ZeroDivisionError: division by zero\n", run.stderr)


def test_the_thread_ends_and_can_be_joined(tmp_path: Path) -> None:
    """By a hook that was there before wari was imported, so that it comes after wari's own."""
    said = ended(
        """
import atexit
hooks = []
def last():
    threads[0].join()
    print("joined", wari.Position().perft(3) > 0, *left)
left = []
def work():
    try:
        engine().analyse(wari.Position())
    finally:
        left.append(sys.exc_info()[0].__name__)
threads = [threading.Thread(target=work, daemon=True)]
threads[0].start()
time.sleep(0.1)
# Hooks run last first: this one is put before the one of wari.
atexit.unregister(wari._ending._end)
atexit.register(last)
atexit.register(wari._ending._end)
""",
        tmp_path,
    )
    assert said == "joined True SystemExit\n"


def test_threads_that_are_no_daemons_are_waited_for(tmp_path: Path) -> None:
    said = ended(
        """
def work(): print(engine().analyse(wari.Position(), time=0.3).finished)
threading.Thread(target=work).start()
""",
        tmp_path,
    )
    assert said == "False\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_forked_child_waits_for_nobody(tmp_path: Path) -> None:
    said = ended(
        """
import warnings
warnings.simplefilter("ignore")  # newer Pythons warn of forks with threads
start(lambda: engine().analyse(wari.Position()))
child = os.fork()
if child == 0:
    start(lambda: engine().analyse(wari.Position("awari"), depth=3))
    sys.exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
        tmp_path,
    )
    assert said == "5\n"


def test_the_gil_is_given_up_in_one_place() -> None:
    bindings = Path(__file__).parent.parent / "python" / "bindings"
    given_up = re.compile(r"gil_scoped|PyEval_SaveThread|Py_BEGIN_ALLOW_THREADS")
    found = {path.name for path in bindings.iterdir() if given_up.search(path.read_text())}
    assert found == {"calls.cpp", "calls.hpp"}
