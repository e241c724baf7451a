"""Table files and proofs that change in use: cut off, damaged, being built, removed."""

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import wari
from cli_tools import call
from reference.table_file import number
from wari._files import BUILDING, held

SEEDS = 6
BOARD = "0-0-0-0-0-2-1-0-3-0-0-0-20-19-S"
HARD = "6-0-0-1-1-0-2-2-0-1-2-1-0-0-S"
TABLE = wari.Tablebase.build(SEEDS, "awari")
BUILD = ("tb", "build", "--rules", "awari", "--seeds", str(SEEDS), "--to")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.wtb"
    TABLE.save(path)
    return path


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


# --- cut off --------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.5, 0.95])
@pytest.mark.parametrize(
    "use",
    [
        lambda table: table.probe(BOARD),
        lambda table: table.verify(threads=2),
        lambda table: table.stats(),
        lambda table: table.save(f"{table.path}2"),
    ],
    ids=["probe", "verify", "stats", "save"],
)
def test_a_table_that_is_cut_off_in_use(
    path: Path, use: Callable[[wari.Tablebase], object], share: float
) -> None:
    """An error that names it; blocks that were read before keep their values."""
    known, fresh = wari.Tablebase.open(path), wari.Tablebase.open(path)
    value = known.probe(BOARD)
    os.truncate(path, int(path.stat().st_size * share))
    with pytest.raises(wari.TableFileError, match=r"table\.wtb: cannot read: it was cut off"):
        use(fresh)
    assert known.probe(BOARD) == value
    assert names(path.parent) == ["table.wtb"]


def test_a_table_that_is_replaced_in_use(path: Path) -> None:
    """By another file: the old one's values. Byte by byte: an error."""
    table, other = wari.Tablebase.open(path), wari.Tablebase.open(path)
    new = path.with_name("new")
    wari.Tablebase.build(2, "abapa").save(new)
    new.replace(path)
    assert table.probe(BOARD) == TABLE.probe(BOARD)
    TABLE.save(path)
    other = wari.Tablebase.open(path)
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(wari.TableFileError, match="is damaged"):
        other.probe(BOARD)


def test_searches_go_on_without_a_table_that_is_cut_off(path: Path) -> None:
    position = wari.Position.parse("0-0-0-1-0-2-1-1-3-0-0-1-20-19-S", "awari")
    table = wari.Tablebase.open(path)
    os.truncate(path, 200)
    with wari.Engine(hash_mb=8, tablebase=table) as engine:
        found = engine.analyse(position, depth=6)
    assert found.depth == 6


def test_a_proof_that_is_cut_off_or_grows(tmp_path: Path) -> None:
    """Never mapped, and never read beyond what its header says."""
    path = tmp_path / "kept.proof"
    with wari.Engine(hash_mb=8, tablebase=None) as engine:
        engine.solve(HARD, nodes=20_000)
        engine.save_proof(path)
        whole = path.read_bytes()
        for size in (0, 7, 30, 56, len(whole) - 1):
            os.truncate(path, size)
            with pytest.raises(wari.TableFileError, match=r"kept\.proof: (cut off|not a proof)"):
                engine.load_proof(path)
            path.write_bytes(whole)
        os.truncate(path, 1 << 40)  # a hole: it takes no room
        with pytest.raises(wari.TableFileError, match="longer than it says"):
            engine.load_proof(path)
        header = bytearray(whole[:56])
        header[40:48] = (((1 << 40) - 56 - 60) // 11).to_bytes(8, "little")
        path.write_bytes(header)
        with pytest.raises(wari.TableFileError, match="cut off"):
            engine.load_proof(path)


# --- damaged --------------------------------------------------------------------------------------


def damaged(path: Path, layer: int) -> bytes:
    """The file with a byte of that layer's blocks changed; what it was before."""
    whole = path.read_bytes()
    at = 64
    for _ in range(layer):
        at += number(whole, at + 16, 8)
    at += number(whole, at + 16, 8) - 1
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    return whole


@pytest.mark.parametrize("seeds", [SEEDS, SEEDS - 2, SEEDS + 1])
def test_a_build_does_not_rely_on_damaged_blocks(path: Path, seeds: int) -> None:
    """It says which, leaves the file alone, and builds it again when it is asked to."""
    whole = damaged(path, 4)
    bad = path.read_bytes()
    wrong = "block 5 of plane 0, layer 4 seeds is damaged"
    with pytest.raises(wari.TableFileError, match=wrong):
        wari.Tablebase.build(seeds, path=path)
    assert path.read_bytes() == bad
    heard: list[wari.BuildProgress] = []
    table = wari.Tablebase.build(seeds, path=path, repair=True, progress=heard.append)
    assert (table.seeds, table.verified) == (max(seeds, SEEDS), "rebuilt")
    assert heard[0].layer >= 4
    assert path.read_bytes()[: len(whole) - 32] == whole[:-32]
    assert names(path.parent) == [path.name]


def test_the_command_repairs_when_asked(path: Path) -> None:
    whole = damaged(path, 3)
    refused_build = call(*BUILD, str(path))
    wrong = f"{path}: block 3 of plane 0, layer 3 seeds is damaged"
    hint = f"wari: error: {wrong}; with --repair it is built again\n"
    assert (refused_build.code, refused_build.out, refused_build.err) == (2, "", hint)
    done = call(*BUILD, str(path), "--repair")
    assert done.code == 0
    assert done.err == f"wari: {wrong}; it is built again from there\n"
    assert "boards, built and written in" in done.out
    assert path.read_bytes() == whole
    again = call(*BUILD, str(path), "--repair")
    assert "nothing to build" in again.out


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:20] + b"x" + data[21:],  # the header
        lambda data: data[:-1] + b"x",  # the end mark
        lambda data: data[:300],
        lambda data: data[:70] + b"x" + data[71:],  # the header of a layer
        lambda data: data[:9],
    ],
)
def test_a_file_that_does_not_open_is_repaired(
    path: Path, damage: Callable[[bytes], bytes]
) -> None:
    whole = path.read_bytes()
    bad = damage(whole)
    path.write_bytes(bad)
    refused = call(*BUILD, str(path))
    assert refused.code == 2
    assert path.read_bytes() == bad
    assert call(*BUILD, str(path), "--repair").code == 0
    assert path.read_bytes() == whole


def test_what_is_no_damage_is_never_built_over(path: Path) -> None:
    """Foreign files, later formats, other rules."""
    whole = path.read_bytes()
    later = bytearray(whole)
    later[8] = 2
    crc = 0xFFFFFFFF
    for byte in later[:60]:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    later[60:64] = (crc ^ 0xFFFFFFFF).to_bytes(4, "little")
    for data, words in (
        (b"dear", "not a wari table"),
        (b"", "not a wari table"),
        (later, "version 2"),
    ):
        path.write_bytes(data)
        done = call(*BUILD, str(path), "--repair")
        assert (done.code, words in done.err) == (2, True)
        assert path.read_bytes() == data
    path.write_bytes(whole)
    other = call("tb", "build", "--rules", "abapa", "--seeds", "3", "--to", str(path), "--repair")
    assert other.code == 2
    assert path.read_bytes() == whole


# --- being built, and removed ---------------------------------------------------------------------


@pytest.fixture
def cached(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of two tables, one of which has an unfinished build beside it."""
    monkeypatch.setenv("WARI_CACHE", str(path.parent))
    wari.Tablebase.build(2, "abapa").save(path.with_name("other.wtb"))
    path.with_name("table.wtb.part").write_bytes(path.read_bytes())
    return path


@pytest.mark.parametrize("which", ["--all", "--rules awari", "PATH", "PATH.part"])
def test_a_table_that_is_being_built_is_not_removed(cached: Path, which: str) -> None:
    before = names(cached.parent)
    words = which.replace("PATH", str(cached)).split(" ")
    with held(cached, BUILDING) as ours:
        assert ours
        refused = call("tb", "remove", *words)
    message = f"wari: error: remove: {cached}: process {os.getpid()} is building this table; "
    assert refused == (2, "", f"{message}nothing was removed, --wait waits for it\n")
    assert names(cached.parent) == before
    assert call("tb", "remove", *words).code == 0


def test_remove_waits_when_asked(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And removes what is there then: here the build has ended, and made a third table."""
    pauses: list[float] = []
    release = threading.Event()
    sleep = time.sleep

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        release.set()
        sleep(0.001)

    monkeypatch.setattr(time, "sleep", pause)

    def build() -> None:
        with held(cached, BUILDING):
            taken.set()
            release.wait(30)
            cached.with_name("table.wtb.part").unlink()
            TABLE.save(cached.with_name("third.wtb"))

    taken = threading.Event()
    builder = threading.Thread(target=build)
    builder.start()
    taken.wait(30)
    done = call("tb", "remove", "--all", "--wait")
    builder.join()
    assert done.code == 0
    assert done.err.count("waiting for it (Ctrl-C to stop)") == 1
    assert pauses
    assert names(cached.parent) == []


def test_a_link_is_removed_and_not_what_it_leads_to(cached: Path) -> None:
    link = cached.with_name("link.wtb")
    link.symlink_to(cached.name)
    assert call("tb", "remove", str(link)).code == 0
    assert names(cached.parent) == ["other.wtb", "table.wtb", "table.wtb.part"]


# --- levels of verification -----------------------------------------------------------------------


def test_the_level_of_verification_is_kept(tmp_path: Path) -> None:
    """A build does no more than is asked for, and what is there already counts."""

    def built(seeds: int, *more: str) -> tuple[str, bool]:
        words = ("tb", "build", "--rules", "awari", "--seeds", str(seeds), "--to", str(path))
        data = json.loads(call(*words, *more, "--json").out)
        assert data["verified"] == (data["verify_level"] is not None)
        return data["verify_level"], data["verify_seconds"] is not None

    path = tmp_path / "level.wtb"
    assert built(5) == ("rebuilt", True)
    assert built(5, "--verify", "full") == ("full", True)
    assert wari.Tablebase.open(path).verified == "full"
    assert built(4) == ("full", False)
    assert built(6) == ("rebuilt", True)
    words = ("tb", "verify", str(path), "--level")
    (one,) = json.loads(call(*words, "full", "--json").out)["tables"]
    assert (one["verified"], one["level"]) == (True, "full")
    refused = call(*words, "half")
    assert refused.code == 2
    assert "'half'" in refused.err
