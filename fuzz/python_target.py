"""A border of the Python package under atheris: `python fuzz/python_target.py ogn [options]`."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
with atheris.instrument_imports(include=["wari", "fuzz_feeds"]):
    import fuzz_feeds
    import wari.uci.server  # noqa: F401 - to be measured, too


def main() -> int:
    """Fuzzes the border that the first argument names; `--list` names them."""
    names = [*fuzz_feeds.TEXT, *fuzz_feeds.BYTES]
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name == "--list":
        sys.stdout.write("\n".join(names) + "\n")
        return 0
    if name not in names:
        sys.stderr.write(f"usage: python_target.py {'|'.join(names)} [options]\n")
        return 2

    def feed(data: bytes) -> None:
        if name in fuzz_feeds.TEXT:
            fuzz_feeds.TEXT[name](data.decode("utf-8", "replace"))
        else:
            fuzz_feeds.BYTES[name](data)

    atheris.Setup(sys.argv, feed)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
