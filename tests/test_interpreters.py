"""Subinterpreters: wari says at once that it does not work there, and goes on in the main one."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

SCRIPT = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

inside = '''
for name in ("wari", "wari", "wari.svg", "wari._core"):
    try:
        __import__(name)
    except ImportError as error:
        print("refused" if "subinterpreter" in str(error) else error)
'''

def run(**options):
    create = interpreters.create
    interpreter = create(*options.values()) if newest else create(**options)
    interpreters.run_string(interpreter, inside)
    interpreters.destroy(interpreter)

newest = sys.version_info >= (3, 13)
run()
import wari
run()
for isolated in (True, False):  # with a GIL of its own and without
    run(isolated=("isolated" if isolated else "legacy") if newest else isolated)
print(wari.Position().perft(3))
"""


def test_refused_at_once() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT], capture_output=True, text=True, timeout=60
    )
    assert run.stderr == ""
    assert run.stdout.split() == ["refused"] * 16 + ["190"]
    assert run.returncode == 0
