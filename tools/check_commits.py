"""Checks that each change of the core says what it does to the search.

A commit that touches cpp/ without cpp/capi says `Bench: N`, the nodes that `wari bench` visits
from then on, or `No functional change`; and the newest N is the one in benchmarks/signature.txt,
which `wari bench --expect` holds against the program.

    python tools/check_commits.py          all commits since this check came in
    python tools/check_commits.py BASE     those of BASE..HEAD

Needs a history that reaches back to the first commit it reads.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ("cpp", ":!cpp/capi")
SIGNATURE = ROOT / "benchmarks" / "signature.txt"
BENCH = re.compile(r"^Bench: (\d+)$", re.MULTILINE)
UNCHANGED = re.compile(r"^No functional change\b", re.MULTILINE)


def git(*arguments: str) -> str:
    """What git prints."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def faults(messages: list[tuple[str, str]], signature: int) -> list[str]:
    """What is wrong with commits of the core, newest first: each a name and a whole message.

    >>> print(*faults([("b", "Search: less\\n\\nBench: 7"), ("a", "Rules: faster")], 8), sep="\\n")
    a: says neither `Bench: N` nor `No functional change`
    b: Bench: 7, but benchmarks/signature.txt has 8
    """
    found = []
    for name, message in messages:
        if not BENCH.search(message) and not UNCHANGED.search(message):
            found.append(f"{name}: says neither `Bench: N` nor `No functional change`")
    for name, message in messages:
        if counts := BENCH.findall(message):
            if int(counts[-1]) != signature:
                said = f"{name}: Bench: {counts[-1]}"
                found.append(f"{said}, but benchmarks/signature.txt has {signature}")
            break
    return found


def main() -> int:
    """Print what is wrong; 1 when anything is."""
    if len(sys.argv) > 1:
        base = sys.argv[1]
    else:
        here = str(Path(__file__).resolve().relative_to(ROOT))
        added = git("log", "--diff-filter=A", "--format=%H", "--", here).split()
        if not added:
            print("check_commits: not under version control yet, nothing to check")
            return 0
        base = added[-1]
    log = git("log", "--no-merges", "-z", "--format=%h %s%n%b", f"{base}..HEAD", "--", *CORE)
    messages = [(entry.split("\n")[0], entry) for entry in log.split("\0") if entry.strip()]
    signature = int(SIGNATURE.read_text(encoding="utf-8").split()[-1])
    found = faults(messages, signature)
    print(
        "\n".join(found) or f"{len(messages)} commits of the core since {base[:9]}: as it should be"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
