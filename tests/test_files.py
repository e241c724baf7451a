"""Files as they are written: through links, by several users, and by processes that are killed.

The bytes are the business of others.
"""

import os
import signal
import stat
import tempfile
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import wari
from wari import _files, ogn
from wari._files import BUILDING, append, cut, held, remove, write_atomically

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, users and kills of POSIX")

HARD = "6-0-0-1-1-0-2-2-0-1-2-1-0-0-S"
NOBODY, SOMEBODY = 65534, 65533  # two users that own nothing
SMALL = wari.Tablebase.build(2, "awari", verify=False)


def build(path: Path) -> None:
    seeds = wari.Tablebase.open(path).seeds + 1 if path.exists() else 2
    wari.Tablebase.build(seeds, "awari", path=path, verify=False)


def prove(path: Path) -> None:
    with wari.Engine(hash_mb=8, tablebase=None) as engine:
        engine.solve(HARD, nodes=2000)
        engine.save_proof(path)


WRITERS: dict[str, Callable[[Path], object]] = {
    "game": wari.Game("abapa").save,
    "ogn": lambda path: ogn.write(ogn.Record.from_game(wari.Game("abapa")), path),
    "text": lambda path: write_atomically(path, b"new"),
    "save": SMALL.save,
    "build": build,
    "proof": prove,
}
CORE = ("save", "build", "proof")
each_writer = pytest.mark.parametrize("what", WRITERS)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def in_a_process(work: Callable[[], object], user: int | None = None) -> int:
    """Does the work in a child, as another user if one is named; its code, or minus the signal."""
    return ended(begun(work, user))


def ended(child: int) -> int:
    """The code of a child, or minus its signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def begun(work: Callable[[], object], user: int | None) -> int:
    """A child that does the work."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            work()
            code = 0
        except wari.WariError as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            code = 2
        except BaseException:
            traceback.print_exc()
        os._exit(code)
    return child


# --- links ----------------------------------------------------------------------------------------


@each_writer
def test_links_are_followed(tmp_path: Path, what: str) -> None:
    """To the old file, which keeps its mode; by a chain of them; to one that is not there yet."""
    write, folder = WRITERS[what], tmp_path / "far"
    folder.mkdir()
    write(folder / "old")
    (folder / "old").chmod(0o640)
    (tmp_path / "one").symlink_to("far/old")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    (tmp_path / "new").symlink_to("far/absent")
    for link in ("one", "two", "new"):
        with (folder / "old").open("rb") as old:  # so that nobody else gets its number
            write(tmp_path / link)
            replaced = not os.path.samestat(os.fstat(old.fileno()), (folder / "old").stat())
        assert replaced == (link != "new")
    assert stat.S_IMODE((folder / "old").stat().st_mode) == 0o640
    assert names(folder) == ["absent", "old"]
    assert names(tmp_path) == ["far", "new", "one", "two"]
    assert all((tmp_path / link).is_symlink() for link in ("one", "two", "new"))


@each_writer
def test_links_in_a_circle_are_an_error(tmp_path: Path, what: str) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for path in (tmp_path / "a", tmp_path / "a" / "below"):
        with pytest.raises(wari.StorageError, match="Too many levels of symbolic links"):
            WRITERS[what](path)
    assert names(tmp_path) == ["a", "b"]
    assert (tmp_path / "a").is_symlink()


@each_writer
def test_names_that_are_not_utf_8(tmp_path: Path, what: str) -> None:
    path = tmp_path / os.fsdecode(b"\xff\xfe.kept")
    WRITERS[what](path)
    WRITERS[what](path)
    assert names(tmp_path) == [path.name]
    if what in ("save", "build"):
        table = wari.Tablebase.open(os.fsencode(path))  # type: ignore[arg-type]
        assert table.path == str(path)
    if what == "proof":
        with wari.Engine(hash_mb=8, tablebase=None) as engine:
            assert str(engine.load_proof(path)) == HARD
    path.write_bytes(b"foreign")
    if what in CORE and what != "save":
        with pytest.raises(wari.TableFileError, match="\udcff\udcfe.kept: not a "):
            WRITERS[what](path)


# --- kills ----------------------------------------------------------------------------------------


def kill(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.process
@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("unnamed", [False, True])
@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_nothing_is_left_for_long_by_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, unnamed: bool, there: bool
) -> None:
    """The next write to the place clears it, and only what no living process writes."""
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    path = tmp_path / "game.json"
    if there:
        path.write_text("old")
    with monkeypatch.context() as killing:
        killing.setattr("os.fsync" if moment == "fsync" else "pathlib.Path.replace", kill)
        code = in_a_process(lambda: write_atomically(path, b"new"))
    old = ["game.json"] if there else []
    if code == 0:  # a file without a name takes a free place at once
        assert (unnamed, there, moment) == (True, False, "replace")
        assert names(tmp_path) == ["game.json"]
        return
    assert code == -signal.SIGKILL
    if unnamed and moment == "fsync" and hasattr(os, "O_TMPFILE"):
        assert names(tmp_path) == old
    else:
        assert names(tmp_path) == [".game.json.0.tmp", *old]
    write_atomically(path, b"newer")
    assert names(tmp_path) == ["game.json"]
    assert path.read_bytes() == b"newer"


def test_a_living_writer_keeps_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many writers of one place at once: each has a name of its own."""
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    path, sync = tmp_path / "game.json", os.fsync
    depth = 0

    def another_in_between(descriptor: int) -> None:
        nonlocal depth
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode) and depth < 12:
            depth += 1
            write_atomically(path, f"{depth}".encode())
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", another_in_between)
    write_atomically(path, b"first, and last to end")
    assert depth == 12
    assert path.read_bytes() == b"first, and last to end"
    assert names(tmp_path) == ["game.json"]


def test_what_is_not_a_file_of_ours_is_not_cleared(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    (tmp_path / "victim").write_text("mine")
    (tmp_path / ".game.json.0.tmp").symlink_to("victim")
    (tmp_path / ".game.json.1.tmp").mkdir()
    os.mkfifo(tmp_path / ".game.json.2.tmp")
    before = names(tmp_path)
    for _ in range(2):
        write_atomically(path, b"new")
    assert names(tmp_path) == sorted([*before, "game.json"])
    assert (tmp_path / "victim").read_text() == "mine"


# --- locks and users ------------------------------------------------------------------------------


def test_a_lock_is_the_same_for_the_core_and_for_python(tmp_path: Path) -> None:
    """And for every name of the file."""
    path, link = tmp_path / "real.wtb", tmp_path / "link.wtb"
    link.symlink_to(path.name)
    words = rf"real\.wtb\.lock: another process is building this table \(process {os.getpid()}\)"
    with held(link, BUILDING) as ours:
        assert ours
        assert _files.holder(path, BUILDING) == os.getpid()
        for name in (path, link):
            with pytest.raises(wari.BusyError, match=words):
                SMALL.save(name)
            with pytest.raises(wari.BusyError, match=words):
                wari.Tablebase.build(2, path=name, wait=False)
    assert names(tmp_path) == ["link.wtb"]
    WRITERS["save"](link)
    assert names(tmp_path) == ["link.wtb", "real.wtb"]


as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be two users"
)


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder that all users may write to; sticky, as /tmp is, if the test asks for it.

    Not below the folders of pytest, which each run of it closes to other users.
    """
    with tempfile.TemporaryDirectory() as above:
        Path(above).chmod(0o755)
        folder = Path(above, "shared")
        folder.mkdir()
        folder.chmod(0o1777 if request.param else 0o777)
        yield folder


each_folder = pytest.mark.parametrize("shared", [False, True], indirect=True)


def left_by_a_kill(path: Path, seeds: int) -> None:
    """What a build that was killed has left: the layers of a smaller table."""
    wari.Tablebase.build(seeds, path=path, verify=False)
    path.rename(f"{path}.part")


@as_root
@pytest.mark.process
@each_folder
def test_a_running_build_is_not_disturbed_by_another_user(
    shared: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = shared / "table.wtb"
    ready, go_on = os.pipe(), os.pipe()

    def first() -> None:
        left_by_a_kill(path, 4)
        with held(path, BUILDING) as ours:  # as the core holds it while it builds
            os.write(ready[1], b"1" if ours else b"0")
            os.read(go_on[0], 1)
        wari.Tablebase.build(5, path=path, verify=False)

    def second() -> None:
        from wari.cli import main

        build = ["tb", "build", "--to", str(path), "--rules", "awari"]
        assert main([*build, "--no-wait"]) == 2
        assert main(["tb", "remove", f"{path}.part"]) == 2

    child = begun(first, NOBODY)
    os.close(ready[1])  # so that its end is heard, too
    try:
        assert os.read(ready[0], 1) == b"1"
        before = Path(f"{path}.part").read_bytes()
        assert in_a_process(second, SOMEBODY) == 0
        assert Path(f"{path}.part").read_bytes() == before
    finally:
        os.write(go_on[1], b"1")
        code = ended(child)
        for descriptor in (ready[0], *go_on):
            os.close(descriptor)
    assert code == 0
    assert names(shared) == ["table.wtb"]
    assert wari.Tablebase.open(path).seeds == 5
    message = capfd.readouterr().err
    assert message.count(f" (process {child})") == 1
    assert message.count(f" process {child} is building this table") == 1


@as_root
@pytest.mark.process
@each_folder
def test_an_unfinished_build_outlives_the_failure_of_another_user(shared: Path) -> None:
    """Who goes on with it and fails leaves as much as was there; who cannot leaves it alone."""
    import resource

    path = shared / "table.wtb"
    part = Path(f"{path}.part")
    assert in_a_process(lambda: left_by_a_kill(path, 6), NOBODY) == 0
    before = part.read_bytes()

    def fails(room: int) -> None:
        from wari.cli import main

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        words = ["tb", "build", "--to", str(path), "--rules", "awari", "--seeds", "9"]
        assert main([*words, "--no-verify"]) == 2

    for room in (100, len(before) + 1000):
        assert in_a_process(partial(fails, room), SOMEBODY) == 0
        assert names(shared) == [part.name]
        assert part.read_bytes()[: len(before) - 32] == before[:-32]  # but for its end mark
    os.chown(part, NOBODY, NOBODY)
    kept = part.read_bytes()
    assert in_a_process(lambda: wari.Tablebase.build(3, "abapa", path=path), SOMEBODY) == 2
    part.chmod(0o600)
    assert in_a_process(lambda: wari.Tablebase.build(8, path=path), SOMEBODY) == 2
    assert part.read_bytes() == kept
    assert in_a_process(lambda: wari.Tablebase.build(8, path=path), NOBODY) == 0
    assert names(shared) == ["table.wtb"]


@as_root
@pytest.mark.process
@each_folder
@each_writer
def test_what_another_user_has_left_stays(shared: Path, what: str) -> None:
    """Locks of the dead serve again; files on the way stay where they are, and nothing breaks."""
    path = shared / "kept"
    left = [".kept.0.tmp", "kept.lock"]
    for name in left:
        (shared / name).write_text("theirs")
        os.chown(shared / name, NOBODY, NOBODY)
    assert in_a_process(lambda: WRITERS[what](path), SOMEBODY) == 0
    assert (shared / ".kept.0.tmp").read_text() == "theirs"
    there = {name for name in names(shared) if name != "kept.lock"}
    assert there == {".kept.0.tmp", "kept"}


# --- additions, what is cut off, what is removed -------------------------------------------------


def test_what_is_added_stands_behind_what_was_there(tmp_path: Path) -> None:
    """Through links too; what is cut off leaves the beginning as it was."""
    path, link = tmp_path / "games", tmp_path / "link"
    link.symlink_to(path)
    append(link, b"one", between=b"\n")
    append(path, b"two", between=b"\n")
    assert path.read_bytes() == b"one\ntwo"
    cut(link, 100)
    assert path.read_bytes() == b"one\ntwo"
    cut(link, 3)
    assert path.read_bytes() == b"one"
    with pytest.raises(FileNotFoundError):
        append(tmp_path / "no" / "folder", b"three")


def test_a_link_is_removed_or_what_it_leads_to(tmp_path: Path) -> None:
    """And a file that is not there is no fault."""
    path, link = tmp_path / "table", tmp_path / "link"
    path.touch()
    link.symlink_to(path)
    remove(link, through_links=True)
    assert not path.exists()
    assert link.is_symlink()
    remove(link)
    remove(link)
    assert not link.is_symlink()
