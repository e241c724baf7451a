"""A match for a strength claim: two builds, two settings or two UCI commands, balanced openings.

Both sides of each opening of benchmarks/openings.txt, and a test of +0 against +20 Elo.

    python benchmarks/match.py "wari" "wari Evaluation=material" --time 0.1 --rules wari
    python benchmarks/match.py "wari" "old-venv/bin/python -m wari uci" --name2 old --nodes 20000
    python benchmarks/match.py "wari" "other-engine" --set2 Hash=64 --games 200 --output games.ogn

Every option of `wari match` may follow; those given here come first, so that yours win.
"""

from __future__ import annotations

import sys
from pathlib import Path

from wari.cli import main

OPENINGS = Path(__file__).with_name("openings.txt")

if __name__ == "__main__":
    sys.exit(main(["match", "--openings", str(OPENINGS), "--sprt", "0,20", *sys.argv[1:]]))
