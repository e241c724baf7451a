"""Checks wheels and source distributions: nothing missing, nothing extra, the licence in.

python tools/check_distribution.py dist
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST_WHEEL = 3_000_000  # bytes
EXTENSION = re.compile(r"wari/_core\.[^/]*\.?(so|pyd)")
METADATA = re.compile(
    r"wari-[^/]*\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|licenses/LICENSE)"
)
# The source needs nothing of these to be built, tested or used.
NOT_IN_SOURCE = re.compile(r"(\.|.*/\.)")


def tracked() -> set[str]:
    """The files under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(listed.stdout.split("\0")) - {""}


def faults(found: set[str], wanted: set[str]) -> list[str]:
    """What is missing and what is too much."""
    return [f"missing: {name}" for name in sorted(wanted - found)] + [
        f"extra: {name}" for name in sorted(found - wanted)
    ]


def check_wheel(path: Path) -> list[str]:
    """The package's own files, one extension, the metadata; no sources of the core."""
    with zipfile.ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
    extensions = {name for name in names if EXTENSION.fullmatch(name)}
    metadata = {name for name in names if METADATA.fullmatch(name)}
    ours = ("python/wari/", "python/wari_start/")
    package = {name.removeprefix("python/") for name in tracked() if name.startswith(ours)}
    package |= {f"{name[:-3]}.mo" for name in package if name.endswith(".po")}  # compiled
    found = faults(names - extensions - metadata, package)
    if len(extensions) != 1:
        found.append(f"extensions: {sorted(extensions)}")
    if len(metadata) != 5:
        found.append(f"metadata: {sorted(metadata)}")
    if path.stat().st_size > LARGEST_WHEEL:
        found.append(f"size: {path.stat().st_size} bytes, at most {LARGEST_WHEEL}")
    return found


def check_source(path: Path) -> list[str]:
    """Every file under version control but the hidden ones, and PKG-INFO."""
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    wanted = {name for name in tracked() if not NOT_IN_SOURCE.match(name)}
    return faults(names, wanted | {"PKG-INFO"})


def main() -> int:
    """Prints what is wrong with each file of the folder; 1 when something is."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    checks = dict.fromkeys(folder.glob("*.whl"), check_wheel)
    checks |= dict.fromkeys(folder.glob("*.tar.gz"), check_source)
    if not checks:
        print(f"{folder}: neither wheels nor source distributions", file=sys.stderr)
        return 1
    status = 0
    for path, check in sorted(checks.items()):
        found = check(path)
        print(
            f"{path.name}: {path.stat().st_size} bytes, {'wrong' if found else 'as it should be'}"
        )
        for fault in found:
            print(f"  {fault}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
