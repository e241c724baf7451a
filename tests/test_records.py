"""The record of a game as JSON: what is written, what is refused, and saving.

The games written by earlier versions stay in data/ and must load for ever.
"""

import copy
import errno
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wari

DATA = Path(__file__).parent / "data"
CHASE = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"


def finished() -> wari.Game:
    """A game that ended by itself: repetition, 24-24."""
    return wari.Game.replay("AaBbCcDdEeFf", "abapa", CHASE)


def resigned() -> wari.Game:
    """A game that the players ended."""
    return wari.Game.replay("FfEd", "awari", ending="resignation", loser="N")


def test_what_is_written() -> None:
    assert resigned().to_dict() == {
        "format": "wari-game",
        "version": 1,
        "rules": wari.Rules.preset("awari").to_dict(),
        "start": "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "moves": "FfEd",
        "result": {"south": 0, "north": 0, "winner": "S", "ending": "resignation"},
    }
    assert json.loads(finished().to_json()) == finished().to_dict()
    assert wari.Game().to_dict()["result"] is None


@pytest.mark.parametrize(
    "game",
    [wari.Game(), wari.Game.replay("Ff"), finished(), resigned(), wari.Game("sowing=clockwise")],
    ids=lambda game: game.ending or f"{len(game)} moves",
)
def test_round_trips(game: wari.Game, tmp_path: Path) -> None:
    assert wari.Game.from_dict(game.to_dict()) == game
    assert wari.Game.from_json(game.to_json()) == game
    for path in (tmp_path / "a.json", str(tmp_path / "b.json")):
        game.save(path)
        assert wari.Game.load(path) == game
    assert (tmp_path / "a.json").read_text() == game.to_json()


@pytest.mark.parametrize("path", sorted(DATA.glob("game_v*.json")), ids=lambda path: path.name)
def test_old_records_load(path: Path) -> None:
    game = wari.Game.load(path)
    assert len(game) > 0
    assert wari.Game.from_json(game.to_json()) == game


def test_there_are_old_records() -> None:
    assert list(DATA.glob("game_v1*.json"))


def test_what_readers_forgive() -> None:
    """Rules as text, other keys, a byte order mark, a missing pass."""
    record = resigned().to_dict()
    record["rules"] = "awari"
    record["players"] = ["me", "you"]
    assert wari.Game.from_dict(record) == resigned()
    slam = wari.Game.replay("F-E", start="1-0-0-0-2-3-2-1-2-0-0-0-12-17-S").to_dict()
    slam["moves"] = "F E"
    assert wari.Game.from_dict(slam).moves == ("F", "-", "E")


def test_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"\xef\xbb\xbf" + resigned().to_json().encode())
    assert wari.Game.load(path) == resigned()


Change = Callable[[dict[str, Any]], Any]


def put(name: str, value: Any) -> Change:
    """A record with one field changed."""
    return lambda record: record.update({name: value})


def drop(name: str) -> Change:
    """A record without a field."""
    return lambda record: record.pop(name)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop("format"), "^format: .*without a format"),
        (put("format", "chess"), "^format: .*'chess'"),
        (put("format", None), "^format: .*None"),
        (drop("version"), "^version: missing"),
        (put("version", 2), "^version: .*reads version 1, not 2"),
        (put("version", 0), "^version: .*not 0"),
        (put("version", "1"), "^version: expected a whole number, not '1'"),
        (put("version", True), "^version: expected a whole number, not True"),
        (put("version", 1.0), "^version: expected a whole number, not 1.0"),
        (drop("rules"), "^rules: missing"),
        (put("rules", "kalah"), "^rules: unknown preset 'kalah'"),
        (put("rules", 7), "^rules: expected a JSON object, not 7"),
        (put("rules", {}), "^rules: the axis 'grand_slam' is missing"),
        (lambda r: r["rules"].update(colour="red"), "^rules: unknown axis 'colour'"),
        (lambda r: r["rules"].update(majority="yes"), "^majority: .*'yes'"),
        (lambda r: r["rules"].update(seeds_per_pit=99), "^seeds_per_pit: .*99"),
        (drop("start"), "^start: missing"),
        (put("start", 4), "^start: expected text, not 4"),
        (put("start", "4-4"), "^position: expected 15 fields .*'4-4'"),
        (put("start", CHASE.replace("23", "-1", 1)), "^storeS: .*'-1'"),
        (drop("moves"), "^moves: missing"),
        (put("moves", None), "^moves: expected text, not None"),
        (put("moves", ["F"]), r"^moves: expected text, not \['F'\]"),
        (put("moves", "FfEdx"), "^moves: move 5 is 'x'"),
        (put("moves", "FfEe-"), "^moves: move 5, -, is not legal"),
        (put("moves", "FfFd"), "^moves: move 3, F, is not legal there: that pit is empty"),
        (drop("result"), "^result: missing"),
        (put("result", 7), "^result: expected a JSON object, not 7"),
        (put("result", {}), "^result: expected south, north, winner and ending, not {}"),
        (lambda r: r["result"].update(south=1), "^result: .*1-0 by resignation, .*give 0-0"),
        (lambda r: r["result"].update(south="0"), "^result: expected .*'0'"),
        (lambda r: r["result"].update(north=None), "^result: expected .*None"),
        (lambda r: r["result"].update(winner="W"), "^result: expected .*'W'"),
        (lambda r: r["result"].update(winner=["S"]), "^result: expected "),
        (lambda r: r["result"].update(winner=None), "^result: .*a draw, but .*won by"),
        (lambda r: r["result"].pop("winner"), "^result: expected "),
        (lambda r: r["result"].update(ending="boredom"), "^result: expected .*'boredom'"),
        (lambda r: r["result"].update(ending=["time"]), "^result: expected "),
        (lambda r: r["result"].update(ending="stuck"), "^result: .*by stuck, .*the game goes on"),
        (lambda r: r["result"].update(ending="agreement"), "^result: .*give 24-24 by agreement"),
    ],
)
def test_bad_records(change: Change, message: str) -> None:
    """Each is a ValueError that names the field and the value."""
    record = copy.deepcopy(resigned().to_dict())
    change(record)
    with pytest.raises(ValueError, match=message) as raised:
        wari.Game.from_dict(record)
    assert isinstance(raised.value, wari.WariError)
    with pytest.raises(ValueError, match=message):
        wari.Game.from_json(json.dumps(record))


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (None, "^result: .*goes on, but the moves give 24-24 by repetition"),
        (
            {"south": 25, "north": 23, "winner": "S", "ending": "repetition"},
            "^result: .*25-23 by repetition, won by South, but the moves give 24-24",
        ),
        (
            {"south": 24, "north": 24, "winner": None, "ending": "agreement"},
            "^result: .*by agreement, a draw, but the moves give 24-24 by repetition",
        ),
    ],
)
def test_a_result_that_the_moves_do_not_give(result: Any, message: str) -> None:
    with pytest.raises(wari.InvalidValueError, match=message):
        wari.Game.from_dict({**finished().to_dict(), "result": result})


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "nonsense", "[" * 100_000, '{"format": "wari-game"', "9" * 10_000, "\x00", "NaN",
     "null", "[]", "3", '"text"'],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_no_record_at_all(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(wari.InvalidValueError, match="^record: ") as raised:
        wari.Game.from_json(text)
    assert len(str(raised.value)) < 300
    with pytest.raises(wari.InvalidValueError, match="^record: "):
        wari.Game.load(path)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b'{"format": "\xff"}')
    with pytest.raises(wari.InvalidValueError, match="^file: .*game.json is no text .*byte 12"):
        wari.Game.load(path)
    path.write_bytes(b" " * (16 * 2**20 + 1))
    with pytest.raises(wari.InvalidValueError, match="^file: .*longer than any"):
        wari.Game.load(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "nowhere.json", errno.ENOENT), (tmp_path, errno.EISDIR)):
        with pytest.raises(wari.StorageError) as caught:
            wari.Game.load(path)
        assert isinstance(caught.value, OSError)
        assert (caught.value.errno, caught.value.filename) == (code, str(path))
        assert caught.value.strerror == os.strerror(code)


# --- saving -------------------------------------------------------------------------------------


def test_save_replaces_and_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("old")
    path.chmod(0o640)
    resigned().save(path)
    assert wari.Game.load(path) == resigned()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_save_writes_through_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "game.json", tmp_path / "link.json"
    path.write_text("old")
    link.symlink_to(path)
    resigned().save(link)
    assert link.is_symlink()
    assert wari.Game.load(path) == resigned()


@pytest.mark.parametrize("failing", ["write", "fsync", "replace"])
def test_failed_save_loses_nothing(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full disk at any step: the old file stays, no temporary file is left, the error says so."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "game.json"
    finished().save(path)
    if failing == "write":
        limited(monkeypatch, fail)
    elif failing == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(
        wari.StorageError, match="No space left on device.*unchanged.*game.json"
    ) as raised:
        resigned().save(path)
    assert raised.value.errno == errno.ENOSPC
    monkeypatch.undo()
    assert wari.Game.load(path) == finished()
    assert list(tmp_path.iterdir()) == [path]


def limited(monkeypatch: pytest.MonkeyPatch, fail: Callable[..., None]) -> None:
    """Every file opened by its number refuses to be written."""
    real = os.fdopen

    def fdopen(descriptor: int, mode: str) -> Any:
        file = real(descriptor, mode)

        class Full:
            def __enter__(self) -> "Full":
                return self

            def __exit__(self, *_: object) -> None:
                file.close()

            write = staticmethod(fail)

        return Full()

    monkeypatch.setattr(os, "fdopen", fdopen)


def test_interrupted_save_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "game.json"
    finished().save(path)
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        resigned().save(path)
    monkeypatch.undo()
    assert wari.Game.load(path) == finished()
    assert list(tmp_path.iterdir()) == [path]


def test_save_to_nowhere(tmp_path: Path) -> None:
    with pytest.raises(wari.StorageError, match="No such file or directory.*nowhere") as raised:
        resigned().save(tmp_path / "nowhere" / "game.json")
    assert isinstance(raised.value, OSError)
    with pytest.raises(wari.StorageError):
        resigned().save(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="the system has no /dev/full")
def test_save_to_a_device() -> None:
    """A device is written to as it is, never replaced."""
    with pytest.raises(wari.StorageError, match="No space left on device.*/dev/full"):
        resigned().save("/dev/full")
    assert Path("/dev/full").is_char_device()
