"""`wari tb`, and the tables that other commands find in the cache.

What tables hold is tested elsewhere; builds that are cut off are in test_cli_tb_cut_off.py.
"""

import csv
import io
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import published
import pytest
import recomputed
import wari
from cli_tools import CLEAN, Run, call, run
from reference.rules import AXES
from reference.table_file import crc32c
from wari import cache

KNOWN = [*published.BOARDS, *recomputed.BOARDS]

DATA = Path(__file__).parent / "data" / "awari_values_by_seeds.csv"
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
NINE = "0-0-0-0-0-2-1-2-4-0-0-0-20-19-S"  # worth 9 under awari


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    where = tmp_path / "cache"
    monkeypatch.setenv("WARI_CACHE", str(where))
    monkeypatch.setitem(CLEAN, "WARI_CACHE", str(where))
    return where


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tables, built once."""
    where = tmp_path_factory.mktemp("built")
    for rules, seeds, name in (("awari", 11, "awari-value"), ("abapa", 8, "abapa-force")):
        wari.Tablebase.build(seeds, rules, path=where / f"{name}.wtb", verify=False)
    return where


@pytest.fixture
def full(folder: Path, built: Path) -> Path:
    """A cache that holds them."""
    shutil.copytree(built, folder)
    return folder


def answer(name: str, *arguments: str, code: int = 0) -> dict[str, Any]:
    """The JSON object of a command, its schema checked."""
    result = call("tb", name, *arguments, "--json")
    assert result.code == code, result
    data = json.loads(result.out)
    assert data.pop("schema") == f"wari.tb.{name}"
    assert data.pop("version") == 1
    return data  # type: ignore[no-any-return]


def refused(result: Run, *words: str, code: int = 2) -> None:
    """One line on standard error with the words, and nothing else."""
    assert result.code == code, result
    assert result.out == ""
    lines = result.err.splitlines()
    assert len(lines) == 1, result.err
    for word in words:
        assert word in lines[0], (word, lines[0])


# --- build, list, verify, remove ------------------------------------------------------------------


@pytest.mark.process
def test_a_table_from_cradle_to_grave(folder: Path) -> None:
    built = run("tb", "build", "--rules", "awari", "--seeds", "7")
    assert built.code == 0
    assert built.err == ""
    file = folder / "awari-value.wtb"
    assert built.out.startswith(
        "awari, value table, layers 0 to 7: 50388 boards, built and written"
    )
    assert "verified (rebuilt) in " in built.out
    assert str(file) in built.out
    assert wari.Tablebase.open(file, rules="awari").seeds == 7
    listed = run("tb", "list")
    assert listed.out.splitlines()[1].split()[:4] == ["awari", "value", "7", "50388"]
    assert listed.out.endswith(f"1 table in {folder}\n")
    verified = run("tb", "verify")
    assert verified.code == 0
    assert "50388 boards verified (rebuilt, " in verified.out
    removed = run("tb", "remove", "--rules", "awari")
    assert removed.out.startswith(f"removed {file} (")
    assert list(folder.iterdir()) == []
    assert run("tb", "list").out == f"no tables in {folder}\n"


def test_build_as_json(folder: Path) -> None:
    data = answer("build", "--rules", "abapa", "--sowing", "clockwise", "--seeds", "5")
    assert data["rules"] == "abapa,sowing=clockwise"
    assert data["table_rules"] == "abapa"
    assert (data["kind"], data["seeds"], data["boards"]) == ("force", 5, 6188)
    assert data["path"] == str(folder / "abapa-force.wtb")
    assert data["file_bytes"] == (folder / "abapa-force.wtb").stat().st_size
    assert (data["new"], data["verified"]) == (True, True)
    assert data["needs"]["memory"] > data["boards"]
    again = answer("build", "--rules", "abapa", "--majority", "--seeds", "4")
    assert (again["new"], again["seeds"], again["verified"]) == (False, 5, True)
    assert again["verify_seconds"] is None


def test_a_table_is_verified_by_the_next_build_that_asks_for_it(folder: Path) -> None:
    path = folder / "awari-value.wtb"
    data = answer("build", "--rules", "awari", "--seeds", "6", "--no-verify")
    assert (data["new"], data["verified"], data["verify_seconds"]) == (True, False, None)
    assert wari.Tablebase.open(path).verified is None
    there = call("tb", "build", "--rules", "awari", "--seeds", "4", "--no-verify")
    assert "nothing to build, it is there, not verified" in there.out
    data = answer("build", "--rules", "awari", "--seeds", "4")
    assert (data["new"], data["seeds"], data["verified"]) == (False, 6, True)
    assert data["verify_seconds"] > 0
    assert wari.Tablebase.open(path).verified == "rebuilt"
    there = call("tb", "build", "--rules", "awari", "--seeds", "6")
    assert "nothing to build, it is there, verified (rebuilt): " in there.out


def test_a_larger_build_extends_the_file(folder: Path) -> None:
    assert answer("build", "--rules", "awari", "--seeds", "5")["new"]
    assert call("tb", "build", "--rules", "awari", "--seeds", "7").code == 0
    assert [path.name for path in folder.iterdir()] == ["awari-value.wtb"]
    assert wari.Tablebase.open(folder / "awari-value.wtb").seeds == 7
    there = call("tb", "build", "--rules", "awari", "--seeds", "6")
    assert there.out.startswith("awari, value table, layers 0 to 7: nothing to build, it is there")


def test_axes_beside_a_preset_choose_the_kind(folder: Path) -> None:
    data = answer("build", "--rules", "abapa", "--repetition", "split", "--seeds", "4")
    assert (data["kind"], data["table_rules"]) == ("value", "abapa,repetition=split")
    assert data["path"] == str(folder / "abapa,repetition=split-value.wtb")


def test_a_place_of_ones_own_and_packings(folder: Path, tmp_path: Path) -> None:
    sizes = {}
    for packing in ("--fast", "--dense"):
        path = tmp_path / f"own{packing}.table"
        data = answer("build", "--rules", "awari", "--seeds", "11", "--to", str(path), packing)
        assert data["path"] == str(path)
        sizes[packing] = data["file_bytes"]
    assert sizes["--dense"] < sizes["--fast"]
    assert not folder.exists()


def test_a_long_build_is_announced_and_refused_with_the_number(folder: Path) -> None:
    result = call("tb", "build", "--rules", "wari", "--seeds", "24", "--memory", "0.5")
    needs = wari.Tablebase.needs(24, "wari")
    assert result.code == 2
    assert "1252 million boards" in result.out
    assert f"{needs.memory / 2**30:.1f} GiB of memory" in result.out
    assert "takes about" in result.out
    assert f"memory: {-(-needs.memory // 2**20)} MiB are needed, 512 MiB are allowed" in result.err
    assert list(folder.iterdir()) == []


def test_list_names_damage_and_unfinished_builds(full: Path) -> None:
    data = bytearray((full / "awari-value.wtb").read_bytes())
    data[20] ^= 1
    (full / "awari-value.wtb").write_bytes(data)
    (full / "cairo-force.wtb.part").write_bytes(b"")
    result = call("tb", "list")
    assert "unfinished: cairo-force.wtb.part" in result.out
    assert "the header is damaged" in result.err
    listed = answer("list")
    assert listed["folder"] == str(full)
    assert [table["rules"] for table in listed["tables"]] == ["abapa", None]
    assert "the header is damaged" in listed["tables"][1]["error"]
    assert listed["unfinished"] == [str(full / "cairo-force.wtb.part")]


def test_verify_says_no_to_a_damaged_table(full: Path) -> None:
    path = full / "abapa-force.wtb"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)
    refused(call("tb", "verify", str(path)), str(path), "damaged", code=1)
    answered = answer("verify", code=1)["tables"]
    assert [table["verified"] for table in answered] == [False, True]
    assert answered[1]["boards"] == 1352078
    assert call("tb", "verify", "--rules", "awari").code == 0


def test_a_table_that_fails_its_proof_does_not_stay(folder: Path) -> None:
    """Values of other rules, in a file whose checksums are right."""
    assert answer("build", "--rules", "awari", "--seeds", "5", "--no-verify")["new"]
    made = folder / "awari-value.wtb"
    data = bytearray(made.read_bytes())
    data[17] = (data[17] + 1) % 3
    data[60:64] = crc32c(bytes(data[:60])).to_bytes(4, "little")
    rules = f"awari,remainder={AXES['remainder'][data[17]]}"
    path = cache.path_for(wari.Rules.parse(rules))
    path.write_bytes(data)
    refused(call("tb", "build", "--rules", rules, "--seeds", "5"), "wrong entry in layer", code=1)
    assert list(folder.iterdir()) == [made]


def test_remove_takes_tables_only(full: Path, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("dear")
    refused(call("tb", "remove", str(other)), "letter.txt", "not a wari tablebase")
    assert other.exists()
    (full / "notes.txt").write_text("mine")
    (full / "abapa-force.wtb.part").write_bytes(b"")
    removed = answer("remove", "--rules", "abapa")["removed"]
    assert sorted(Path(one["path"]).name for one in removed) == [
        "abapa-force.wtb",
        "abapa-force.wtb.part",
    ]
    assert call("tb", "remove", "--all").code == 0
    assert [path.name for path in full.iterdir()] == ["notes.txt"]
    refused(call("tb", "remove", "--rules", "abapa"), "no table for abapa")


def test_remove_looks_into_files_before_it_takes_them(full: Path) -> None:
    """A name proves nothing: what does not begin like a table stays, in every way of removing."""
    foreign = ["cairo-force.wtb", "x.wtb", "awari-value.wtb.part", "y.wtb.part", "empty.wtb"]
    for name in foreign:
        (full / name).write_text("" if name == "empty.wtb" else "foo\n")
    (full / "folder.wtb").mkdir()
    damaged = full / "awari-value.wtb"
    damaged.write_bytes(damaged.read_bytes()[:100])
    (full / "z.wtb.part").write_bytes(b"\x89WAR")
    refused(call("tb", "remove", str(full / "x.wtb")), "x.wtb")
    refused(call("tb", "remove", "--rules", "cairo"), "no table for cairo")
    answer("remove", "--rules", "awari")
    result = call("tb", "remove", "--all")
    assert result.code == 0
    assert result.err.count("is no table; it is left alone") == 6
    assert sorted(path.name for path in full.iterdir()) == sorted([*foreign, "folder.wtb"])


# --- probe ----------------------------------------------------------------------------------------


@pytest.mark.process
def test_probe_in_words(folder: Path) -> None:
    result = run("tb", "probe", NINE, "--rules", "awari")
    assert result.code == 0
    assert "value table of up to 10 seeds, in memory" in result.out
    assert "value     +9 net future seeds for South" in result.out
    assert "exact" in result.out
    assert result.out.splitlines()[-1].split() == ["F", "+9", "best", "1"]


@pytest.mark.parametrize("board", [b for b in KNOWN if b.moves and sum(b.pits) <= 11])
def test_probe_gives_every_published_value(full: Path, board: Any) -> None:
    assert full.exists()
    position = str(wari.Position.from_counts(board.pits, (10, 10), rules="awari"))
    found = answer("probe", position, "--rules", "awari")
    assert found["value"] == board.value
    assert found["reason"] == "exact"
    assert {m["move"]: m["lower"] for m in found["values"]} == board.moves
    assert {m["move"]: m["upper"] for m in found["values"]} == board.moves
    best = {move for move, value in board.moves.items() if value == board.value}
    assert {move["move"] for move in found["best"]} == best


def test_probe_tells_bounds_and_history(full: Path) -> None:
    data = answer("probe", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", "--rules", "abapa")
    assert (data["lower"], data["upper"], data["value"]) == (-2, 2, None)
    assert (data["reason"], data["mover"], data["other"]) == ("bounds", 0, 0)
    assert data["table"] == {"kind": "force", "seeds": 8, "path": str(full / "abapa-force.wtb")}
    text = call("tb", "probe", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", "--rules", "abapa").out
    assert "-2 to +2" in text
    assert "a cycle may decide" in text
    moved = ["2-0-0-0-0-4-1-1-1-2-0-0-18-19-S", "--moves", "A", "--rules", "awari"]
    assert answer("probe", *moved)["reason"] == "history_ignored"


def test_probe_of_a_finished_game(folder: Path) -> None:
    over = "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S"
    data = answer("probe", over, "--rules", "awari")
    assert (data["over"], data["best"], data["values"]) == (True, [], [])
    assert "The game is over. South wins" in call("tb", "probe", over, "--rules", "awari").out


def test_probe_beyond_the_table_is_a_no(folder: Path) -> None:
    refused(call("tb", "probe", START), "48 seeds", "wari", "ends at 10", code=1)


# --- stats ----------------------------------------------------------------------------------------


def published_counts(most: int) -> dict[tuple[int, int], int]:
    with DATA.open(newline="") as file:
        return {
            (int(row["seeds"]), int(row["value"])): int(row["positions"])
            for row in csv.DictReader(file)
            if int(row["seeds"]) <= most
        }


@pytest.mark.parametrize("seeds", [14, pytest.param(20, marks=pytest.mark.slow)])
def test_the_published_distribution_as_csv(folder: Path, seeds: int) -> None:
    result = call("tb", "stats", "--rules", "awari", "--seeds", str(seeds), "--csv")
    assert result.code == 0
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert list(rows[0]) == ["seeds", "value", "positions"]
    found = {(int(row["seeds"]), int(row["value"])): int(row["positions"]) for row in rows}
    assert len(found) == len(rows)
    assert found == published_counts(seeds)


def test_stats_of_force_tables(full: Path) -> None:
    result = call("tb", "stats", "--rules", "abapa", "--csv")
    lines = result.out.splitlines()
    assert lines[:4] == ["seeds,mover,other,positions", "0,0,0,1", "1,0,1,7", "1,1,0,5"]
    per_layer: Counter[int] = Counter()
    for line in lines[1:]:
        seeds, mover, other, positions = map(int, line.split(","))
        assert mover + other <= seeds
        per_layer[seeds] += positions
    assert per_layer[8] == 75582
    layers = answer("stats", "--rules", "abapa", "--layer", "1")["layers"]
    assert layers == [
        {
            "seeds": 1,
            "boards": 12,
            "entries": [
                {"mover": 0, "other": 1, "positions": 7},
                {"mover": 1, "other": 0, "positions": 5},
            ],
        }
    ]


def test_stats_as_tables(full: Path) -> None:
    shown = call("tb", "stats", "--rules", "awari").out
    assert f"awari, value table, {full / 'awari-value.wtb'}" in shown
    assert shown.splitlines()[-1].split()[:2] == ["11", "705432"]
    layer = call("tb", "stats", str(full / "awari-value.wtb"), "--layer", "2").out
    assert [line.split()[:2] for line in layer.splitlines()[4:]] == [
        [f"{value:+d}" if value else "0", str(count)]
        for (seeds, value), count in published_counts(2).items()
        if seeds == 2
    ]
    assert "exact" in call("tb", "stats", "--rules", "abapa").out


# --- what bad input costs -------------------------------------------------------------------------

BAD_LINES: list[tuple[list[str], tuple[str, ...]]] = [
    (["frob"], ("command", "'frob'", "build")),
    (["build", "--seeds", "33"], ("seeds", "'33'")),
    (["build", "--seeds", "-1"], ("seeds", "'-1'")),
    (["build", "--threads", "0"], ("threads", "'0'")),
    *[(["build", "--memory", text], ("memory", f"'{text}'")) for text in ("0", "nan", "x", "1_0")],
    (["build", "--fast", "--dense"], ("packing", "--fast", "--dense")),
    (["build", "--rules", "kalah"], ("rules", "'kalah'")),
    (["build", "--to", "/no/such/folder/x.wtb"], ("to", "/no/such/folder")),
    (["build", "--to", "/"], ("to", "'/'")),
    (["verify", "/no/such/file"], ("path", "/no/such/file", "No such file")),
    (["verify", "--rules", "cairo"], ("rules", "no table for cairo", "wari tb build")),
    (["probe"], ("position", "missing")),
    (["probe", "4-4"], ("position", "15 fields")),
    (["probe", START, "--tablebase", "none"], ("tablebase", "'none'")),
    (["probe", START, "--tablebase", "/no/such"], ("tablebase", "/no/such")),
    (["stats", "--seeds", "3", "--layer", "3"], ("layer", "--seeds")),
    (["stats", "--csv", "--json"], ("csv", "--json")),
    (["stats", "--layer", "99"], ("layer", "'99'")),
    (["stats", "/no/such"], ("path", "/no/such")),
    (["remove"], ("path", "--rules", "--all")),
    (["remove", "--all", "--rules", "awari"], ("path", "--rules", "--all")),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_LINES, ids=lambda value: " ".join(value))
def test_bad_lines_cost_one_line(
    folder: Path, arguments: list[str], words: tuple[str, ...]
) -> None:
    result = call("tb", *arguments)
    refused(result, "wari: error: ", *words)


def test_files_of_other_rules_and_other_kinds_are_refused(full: Path, tmp_path: Path) -> None:
    abapa = str(full / "abapa-force.wtb")
    for arguments in (
        ["build", "--rules", "awari", "--to", abapa],
        ["probe", NINE, "--rules", "awari", "--tablebase", abapa],
    ):
        refused(call("tb", *arguments), abapa, "built for the rules abapa", "awari")
    refused(call("tb", "stats", abapa, "--seeds", "9"), "seeds", "at most 8", abapa)
    foreign = tmp_path / "foreign.wtb"
    foreign.write_bytes(bytes(range(256)) * 4)
    for name in ("stats", "remove"):
        refused(call("tb", name, str(foreign)), str(foreign), "not a wari tablebase")
    refused(call("tb", "verify", str(foreign)), str(foreign), code=1)
    refused(call("tb", "build", "--to", str(foreign)), str(foreign), "not a wari tablebase")
    assert foreign.read_bytes() == bytes(range(256)) * 4


def test_a_cache_that_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("WARI_CACHE", str(file))
    for arguments in (["list"], ["build", "--seeds", "3"], ["verify"]):
        refused(call("tb", *arguments), str(file))


# --- other commands -------------------------------------------------------------------------------


def test_analyse_uses_the_largest_table_and_says_which(full: Path) -> None:
    path = str(full / "awari-value.wtb")
    eleven = "0-0-1-0-2-2-1-2-2-0-1-0-20-17-S"
    options = ["analyse", eleven, "--depth", "2"]
    shown = call(*options, "--rules", "awari")
    assert f"tablebase of up to 11 seeds, {path}\n" in shown.out
    assert "exact, tablebase" in shown.out
    answered = json.loads(call(*options, "--rules", "awari", "--json").out)
    assert answered["tablebase"] == {"kind": "value", "seeds": 11, "path": path}
    small = json.loads(call(*options, "--rules", "abapa", "--json").out)
    assert small["tablebase"] == {"kind": "force", "seeds": 10, "path": None}
    none = call(*options, "--rules", "awari", "--tablebase", "none")
    assert "no tablebase\n" in none.out
    assert "exact, tablebase" not in none.out
    named = str(full / "abapa-force.wtb")
    shown = call(*options, "--rules", "abapa", "--tablebase", named)
    assert f"tablebase of up to 8 seeds, {named}\n" in shown.out
    refused(call(*options, "--tablebase", named), "tablebase", named, "abapa")


def test_the_largest_counts_whatever_its_name(full: Path) -> None:
    larger = str(full / "a name of my own.wtb")
    assert call("tb", "build", "--rules", "awari", "--seeds", "12", "--to", larger).code == 0
    data = json.loads(call("analyse", "--rules", "awari", "--depth", "1", "--json").out)
    assert data["tablebase"]["path"] == larger
    table = cache.largest("awari,majority=false")
    assert table is not None
    assert table.path == larger


def test_damage_in_the_cache_is_answered_and_passed_over(full: Path) -> None:
    path = full / "awari-value.wtb"
    path.write_bytes(path.read_bytes()[:-1])
    result = call("analyse", "--rules", "awari", "--depth", "2")
    assert result.code == 0
    assert "tablebase of up to 10 seeds, in memory" in result.out
    assert result.err.startswith(f"wari: cache: {path}: ")
    assert len(result.err.splitlines()) == 1


def test_play_uses_it_and_goes_on_under_other_rules(full: Path) -> None:
    result = call("play", "--level", "6", "--rules", "awari", typed="new abapa\nF\nquit\n")
    assert result.code == 0
    assert result.out.startswith(f"Tablebase of up to 11 seeds: {full / 'awari-value.wtb'}\n")
    assert "North plays" in result.out
    assert "Tablebase" not in call("play", "--two", "--tablebase", "none", typed="quit\n").out
    refused(call("play", "--tablebase", str(full / "abapa-force.wtb")), "tablebase", "abapa")


def test_review_uses_it(full: Path, tmp_path: Path) -> None:
    game = wari.Game("awari", wari.Position.parse("0-0-1-0-2-2-1-2-2-0-1-0-20-17-S", "awari"))
    game.push("E")
    game.save(tmp_path / "game.json")
    limits = ["--depth", "1", "--json", "--threads", "1"]
    by_table = json.loads(call("review", str(tmp_path / "game.json"), *limits).out)
    without = call("review", str(tmp_path / "game.json"), *limits, "--tablebase", "none")
    assert by_table["games"][0]["judged"][0]["exact"] is True
    assert json.loads(without.out)["games"][0]["judged"][0]["exact"] is False


@pytest.mark.process
def test_uci_uses_it(full: Path) -> None:
    lines = ["setoption name Rules value awari", "isready"]
    for path in ("", "auto", "none", str(full / "abapa-force.wtb")):
        lines += [f"setoption name TablePath value {path}", "isready"]
    said = run("uci", typed="\n".join([*lines, "quit\n"])).out.splitlines()
    uses = f"info string tablebase of up to 11 seeds, {full / 'awari-value.wtb'}"
    assert said[:2] == [uses, "readyok"]
    remarks = [line for line in said if line != "readyok"]
    assert remarks[:2] == [uses, uses]
    assert remarks[2].startswith("info string TablePath: ")
    assert remarks[3:] == [uses]
    assert said.count("readyok") == 5
